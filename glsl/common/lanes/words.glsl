// Exchange of sums, word by word.

Sum lane_up(Sum sum, int distance) {
    uvec4 words = words_of_sum(sum);
    for (int i = 0; i < SUM_WORDS; i++) {
        words[i] = WORD_UP(words[i], distance);
    }
    return sum_of_words(words);
}

Sum lane_down(Sum sum, int distance) {
    uvec4 words = words_of_sum(sum);
    for (int i = 0; i < SUM_WORDS; i++) {
        words[i] = WORD_DOWN(words[i], distance);
    }
    return sum_of_words(words);
}

Sum lane_at(Sum sum, int lane) {
    uvec4 words = words_of_sum(sum);
    for (int i = 0; i < SUM_WORDS; i++) {
        words[i] = word_at(words[i], lane);
    }
    return sum_of_words(words);
}
