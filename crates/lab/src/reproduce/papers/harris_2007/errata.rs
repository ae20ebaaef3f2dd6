//! Errors in print.

const ERRATA: [(&str, &str); 14] = [
    (
        "Introduction; Inclusive and Exclusive Scan",
        "The inclusive scan of [3 1 7 0 4 1 6 3] is [3 4 11 11 15 16 22 25], and the exclusive one [0 3 4 11 \
         11 15 16 22]. In print, 14 stands for 15 in both.",
    ),
    (
        "Sequential Scan",
        "The text says that the loop performs exactly n adds. It runs from 1 to n - 1, and so performs n - 1.",
    ),
    (
        "Algorithms 1 and 2",
        "The condition is k >= 2^d in print. It is k >= 2^(d-1): the sum of adds in the text, n - 2^(d-1) in \
         step d, is that of this condition.",
    ),
    (
        "Listing 1",
        "The update adds to what the other buffer held. It must be temp[pout*n+thid] = temp[pin*n+thid] + \
         temp[pin*n+thid - offset].",
    ),
    (
        "Algorithm 4",
        "The loop runs from log2 n down to 0 in print, one level too high. It runs from log2 n - 1.",
    ),
    (
        "Listing 2",
        "The printed braces have the final writes inside the loop of the down-sweep. They follow it.",
    ),
    (
        "Listing 3",
        "The macro with zero conflicts is (n) >> NUM_BANKS + (n) >> (2 * LOG_NUM_BANKS) in print. The first \
         shift is by LOG_NUM_BANKS, and each shift needs parentheses, since + binds more tightly.",
    ),
    ("Block A", "bankOffsetB is computed from ai in print. It is the offset of bi."),
    (
        "Arrays of Arbitrary Size, label B",
        "The sum of a block is stored before the last element is cleared. That is block C of Listing 2, not \
         B.",
    ),
    (
        "Arrays of Arbitrary Size, Figure 4",
        "The algorithm for large arrays is in Figure 5; the text names Figure 4.",
    ),
    (
        "Figure 1",
        "Two figures have this number: the sequential computation, and the naive scan of 8 elements.",
    ),
    (
        "Section Avoiding Bank Conflicts",
        "The programming guide of CUDA is cited as [5]. It is [6]; [5] is Horn's chapter.",
    ),
    ("Table 2, the row 8388688", "The row is that of 8388608 elements, 2^23. There is no Table 1."),
    (
        "Algorithms 1 and 2, Listing 1",
        "Algorithms 1 and 2 are inclusive scans, the listings exclusive ones. Listing 1 shifts its input to the \
         right by one.",
    ),
];

/// The place, and what is wrong there and right.
pub fn errata() -> Vec<(String, String)> {
    ERRATA.iter().map(|(place, text)| ((*place).to_owned(), (*text).to_owned())).collect()
}
