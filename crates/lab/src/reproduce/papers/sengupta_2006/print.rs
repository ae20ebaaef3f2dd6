//! What the paper prints: errors in it, and where it contradicts itself.

use super::setup::{HORN, LEVEL, SHARE, compaction};

/// How it was measured, and the contradictions.
pub fn notes() -> Vec<String> {
    vec![
        format!(
            "Section 4 times a compaction, and so do its claims here: u32, of which {}% are kept; the type and the share are ours, and a claim that needs another share says so. `{HORN}` \
             counts with Horn's scan, `{}` with the hybrid of {LEVEL} reduce steps, or as many as a short stream has. Claims on scans are \
             timed on scans alone. The paper's card was a GeForce 7800 GTX.",
            SHARE * 100.0,
            compaction(LEVEL)
        ),
        "The paper does not agree with itself on the factor. Section 4 says that a compaction is around 4 times as \
         fast at 2^20, and that a compaction adds a constant cost to its scan. Then the scan alone must be \
         more than 4 times as fast there. Section 5 says that the scan is 4 times as fast, for sizes up to \
         2^20. A table has them beside ours."
            .into(),
        "Nor does it on the number of reduce steps. By section 2.4, steps are made until no more elements \
         are left than the card takes at once, and we read section 4 as putting that at 4096: this is 6 steps at 2^18, \
         and 8 at 2^20. Section 4 makes 9 and 10. Scans are timed with both numbers."
            .into(),
    ]
}

/// Errors in print.
pub fn errata() -> Vec<(String, String)> {
    [
        (
            "Section 2.2",
            "It says that n/2^i fragments do useful work in step i. Those that add are n - 2^i, all but the first \
             2^i, if the steps are counted from 0.",
        ),
        (
            "Algorithm 2",
            "The loop runs from 1 to log2 n with offsets of 2^i, one step late. The offsets are 1, 2, 4 and \
             so on: d runs from 0 to ceil(log2 n) - 1, with offsets of 2^d. The text has the right ones, \
             2^(i - 1).",
        ),
        (
            "Algorithm 3",
            "i starts at 1. It must start at 0, or the first sum of each level is missing: element i of \
             level d is the sum of the elements 2i and 2i + 1 of level d - 1.",
        ),
        (
            "Section 2.3.1",
            "It says that a fragment adds the element at twice its position and the one to the left of it. \
             By algorithm 3 it is the one to the right.",
        ),
        (
            "Section 2.3.2",
            "It says that the size of the output is halved in each pass. That is so in the reduce step; in the \
             down-sweep the output doubles.",
        ),
        (
            "Section 2.3.2",
            "The difference of the operations is n log n - 2n(1 - 2/n), as we read it. In adds, Horn's scan makes \
             n log2 n - n + 1, and the work-efficient one 2n - log2 n - 2 if it reduces to one element: the \
             difference is n log2 n - 3n + log2 n + 3.",
        ),
    ]
    .map(|(place, text)| (place.to_owned(), text.to_owned()))
    .into()
}
