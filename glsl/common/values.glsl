// The values of a stream: items, or in a split stream (SPLIT) items without their flags.
#include "common/item.glsl"

#if SPLIT
#define Value Inner
#define VALUE_WORDS INNER_WORDS
#define value_of inner_of
#define put_value put_inner
#define value_of_words inner_of_words
#define words_of_value words_of_inner
#define ValueWords InnerWords
#define VALUE_WORD INNER_WORD
#define combine_values combine_inner
#define no_value inner_identity
#else
#define Value Item
#define VALUE_WORDS ITEM_WORDS
#define value_of item_of
#define put_value put_item
#define value_of_words item_of_words
#define words_of_value words_of_item
#define ValueWords Words
#define VALUE_WORD WORD
#define combine_values combine
#define no_value identity
#endif
