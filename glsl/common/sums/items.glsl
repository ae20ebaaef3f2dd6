// The sums that lanes exchange and tiles publish: items.
#include "common/item.glsl"
#include "common/record/shared_items.glsl"

#define Sum Item
#define SUM_WORDS ITEM_WORDS
#define SumWords Words
#define SUM_WORD WORD

Sum no_sum() { return identity(); }
Sum add_sums(Sum left, Sum right) { return combine(left, right); }
SumWords words_of_sum(Sum sum) { return words_of_item(sum); }
Sum sum_of_words(SumWords words) { return item_of_words(words); }
