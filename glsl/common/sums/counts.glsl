// The sums that lanes exchange and tiles publish: counts of kept elements.
#include "common/accesses.glsl"

#define Sum uint
#define SUM_WORDS 1
#define SumWords uvec4
#define SUM_WORD(words, number) words[number]

Sum no_sum() { return 0u; }
Sum add_sums(Sum left, Sum right) { return left + right; }
SumWords words_of_sum(Sum sum) { return uvec4(sum, 0u, 0u, 0u); }
Sum sum_of_words(SumWords words) { return words.x; }

#ifdef RECORDED
#define SHARED_READ(array, address, sum) shared_access(2u, array, address, sum)
#define SHARED_WRITE(array, address, sum) shared_access(3u, array, address, sum)

Sum shared_access(uint kind, int of, int address, Sum sum) {
    record_access(kind, of, address, SUM_WORDS, words_of_sum(sum));
    return sum;
}
#endif
