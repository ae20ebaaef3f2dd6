// Exchange of sums, word by word.

Sum lane_up(Sum sum, int distance) {
    SumWords words = words_of_sum(sum);
    for (int i = 0; i < SUM_WORDS; i++) {
        SUM_WORD(words, i) = WORD_UP(SUM_WORD(words, i), distance);
    }
    return sum_of_words(words);
}

Sum lane_down(Sum sum, int distance) {
    SumWords words = words_of_sum(sum);
    for (int i = 0; i < SUM_WORDS; i++) {
        SUM_WORD(words, i) = WORD_DOWN(SUM_WORD(words, i), distance);
    }
    return sum_of_words(words);
}

Sum lane_at(Sum sum, int lane) {
    SumWords words = words_of_sum(sum);
    for (int i = 0; i < SUM_WORDS; i++) {
        SUM_WORD(words, i) = word_at(SUM_WORD(words, i), lane);
    }
    return sum_of_words(words);
}
