//! Errors in print.

const ERRATA: [(&str, &str); 13] = [
    ("Algorithm 1, line 3", "The guard is 2^d <= k < n in print. It is 2^(d-1) <= k < n."),
    (
        "Section IV",
        "The text says that section V shows Padding to be effective up to k² elements. Section VII shows it.",
    ),
    (
        "Section V, (ii)",
        "Stores without conflicts do not give LeftRight the fewest accesses. A left operand that its sum displaces \
         must be kept for the way down. This implementation keeps it in the bank, which takes one store more for each instruction of the up-sweep, a \
         seventh of T of all others.",
    ),
    (
        "Equation 2",
        "From level log k + 1 on, its base is that of a left operand, for right-sums too. So LEFTRIGHT(i, d \
         + 1) is one of LEFTRIGHT(2i, d) and LEFTRIGHT(2i + 1, d) up to k² elements only, and beyond the \
         scan is not in place. What is in place appends bit log k - 1 of each node's number to its address; \
         the banks are the same.",
    ),
    (
        "Algorithm 3, line 5",
        "A sum that is stored over its left operand destroys it, and no way down can do without it. Here it \
         moves to the place of the right operand.",
    ),
    (
        "Algorithm 3, lines 3 and 4",
        "Loading all left operands, then all right ones, has two-way conflicts: of 16 left operands, two \
         each lie in a bank. Here a unit first loads the operand whose place the sum takes, then the other, \
         and both loads are free of conflicts.",
    ),
    (
        "Section VI, the code of ROT",
        "(x>>m) | (x<<(h-m)) rotates to the right, and leaves bits above the h low ones. The rotation is to \
         the left, as the text and its two examples say: ((x<<m) | (x>>(h-m))) & ((1<<h)-1), with m taken \
         modulo h.",
    ),
    (
        "Section VII, T of NoPadding",
        "The second sum, of 2^d for d = 1 to log n - log k, is 2n/k - 2. The steps past log k store n/2^d \
         results, n/k - 1 in total. The closed form below it is right.",
    ),
    (
        "Equation 6, T of Padding",
        "Below k² elements both terms are wrong: fp counts a step of fewer than k stores as a part of an \
         instruction, and the second term, T of NoPadding for n/k elements, is used below its k elements, where it is a \
         fraction or negative. It is right from k² elements on. Up to there, T is n/k - 1 + log k, as for LeftRight.",
    ),
    (
        "Section VII, T of CM",
        "W/k leaves out that each of the first log k steps ends in an incomplete instruction. T is (n/k)(log \
         n - 1) + 1 for n >= k, 1 - 1/k more.",
    ),
    (
        "Section VII, CM",
        "The sums of a step do not fit into a local variable: all n of them wait until all are computed. If \
         a step goes from the last elements to the first, k places are enough.",
    ),
    (
        "Section VIII, (ii)",
        "Lines 1 to 6 of Algorithm 2 leave trees of sums in out[], and not scans, as the text says.",
    ),
    (
        "Section VII, Figure 4",
        "CM is the slowest pattern from 4·k elements on. At 2·k elements it takes as long as NoPadding.",
    ),
];

/// The place, and what is wrong there and right.
pub fn errata() -> Vec<(String, String)> {
    ERRATA.iter().map(|(place, text)| ((*place).to_owned(), (*text).to_owned())).collect()
}
