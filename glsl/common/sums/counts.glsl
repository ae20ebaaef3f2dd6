// The sums that lanes exchange and tiles publish: counts of what is kept.
#define Sum uint
#define SUM_WORDS 1

Sum no_sum() { return 0u; }
Sum add_sums(Sum left, Sum right) { return left + right; }
uvec4 words_of_sum(Sum sum) { return uvec4(sum, 0u, 0u, 0u); }
Sum sum_of_words(uvec4 words) { return words.x; }
