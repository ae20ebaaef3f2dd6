//! maleki2016: SAM, against the scans of its time.

mod counted;
mod figures;
mod setup;
mod shapes;
mod sums;
mod tables;
#[cfg(test)]
mod tests;

use crate::report::page::Section;
use crate::reproduce::effort::Bounds;
use crate::reproduce::paper::section as new_section;
use crate::reproduce::rows::Rows;

pub use setup::cells;
use setup::*;

pub fn section(rows: &Rows<'_>, bounds: &Bounds) -> Section {
    let mut section = new_section(
        KEY,
        "SAM: higher orders and tuples in one pass",
        "S. Maleki: Higher-Order and Tuple-Based Massively-Parallel Prefix Sums. Thesis, Texas State \
         University, 2016; S. Maleki, A. Yang, M. Burtscher: a paper of the same title. PLDI, 2016.",
    );
    section.notes = NOTES.iter().map(|note| (*note).to_owned()).collect();
    section.claims = counted::CLAIMS.to_vec();
    section.claims.push(counted::this_device());
    section.claims.push(sums::same_bits(rows, bounds));
    section.claims.extend(sums::claims(rows));
    section.claims.extend(shapes::claims(rows));
    section.tables = tables::tables(rows, bounds);
    section.figures = figures::figures(rows, bounds);
    section.errata = ERRATA.map(|(place, text)| (place.to_owned(), text.to_owned())).to_vec();
    section
}

const NOTES: [&str; 5] = [
    "The paper measures libraries of CUDA. Beside SAM stand algorithms of the same \
     structure, by compute shaders: `three_phase` for Thrust and CUDPP, which are two claims against one \
     algorithm, `reduce_then_scan` for MGPU, `chained` for StreamScan, `look_back` for CUB. Higher orders by \
     `look_back` are as many scans, one after the other, as the paper iterates CUB.",
    "The paper has two GPUs, a Titan X and a K40, which disagree on where SAM is ahead. Unless a claim says \
     otherwise, its numbers are of the Titan X. The paper's numbers stand beside ours at the same number of \
     items only. Tuples are cut to whole ones, as in the paper.",
    "Up to 2.9 times as fast at order 8, and up to 2.6 times at 8-tuples, is what section \
     1.6 says; the abstract has the factors alone. The paper's own tables do not have these numbers, as a table below shows: they have at most \
     2.2 and 2.26 where CUB reaches 10\u{2079} items a second. Before rounding, 2.9 and 2.6 are possible \
     only where CUB has 0.2 or less in print; on some small sizes, the text also has almost three times. The claims are judged by the sentences.",
    "From which order on SAM is ahead on the K40, the paper says in two ways: above about order five \
     (section 1.6), and, for 32 bits, that order eight is a tie (section 6.3). A table below has what its \
     tables say.",
    "The theoretical peak bandwidth of this device is not known to the program. A copy of the stream stands \
     for the peak: in the paper, SAM and the copy have the same 264 GB/s, 78.6% of the Titan X's peak.",
];

/// Errors in print, each with what it should be.
const ERRATA: [(&str, &str); 8] = [
    (
        "Section 4.4",
        "All orders share one array of sums, and the ready flags count the orders. A fast group then \
         overwrites the sum of one order by that of the next, before a slow group has read it. Each order \
         needs sums of its own.",
    ),
    (
        "Abstract, section 1.6",
        "Up to 2.9 times as fast as CUB at higher orders. Where CUB reaches 10\u{2079} items a second, \
         tables A.5 to A.8 have at most 2.2, at order 8. Only where CUB has 0.2 or less in print do the \
         digits allow for 2.9.",
    ),
    (
        "Abstract, section 1.6",
        "Up to 2.6 times as fast as CUB for tuples. Where CUB reaches 10\u{2079} items a second, tables A.9 \
         to A.12 have at most 2.26, at 8-tuples of 64-bit words. Only where CUB has 0.2 or less in print do \
         the digits allow for 2.6.",
    ),
    (
        "Section 1.6",
        "On the K40, SAM is faster than CUB above about order five. Section 6.3 calls order eight a tie for \
         32 bits, and table A.7 has 3.3 against 3.37 at 2^27. For 64 bits, table A.8 has SAM ahead at orders \
         three, four and eight.",
    ),
    (
        "Table A.8, CUB5",
        "Five scans by CUB are faster than four in most rows, which cannot be. The column is that of the \
         Titan X in table A.6, in 24 of 25 rows with numbers.",
    ),
    ("Table A.7", "The table is printed twice, with the same numbers."),
    (
        "Section 6.2",
        "SAM's 33 billion items a second are higher than the maximum of the other codes. Table A.1 has 33 \
         for CUB as well, at 2^29 and 2^30; at 10^9 items it has 32.9 against 32.6.",
    ),
    (
        "Chapters 4 to 6",
        "Figures 1 to 14 and table 1 in the text are figures 4.1 to 6.12 and table 4.1 in the captions. \
         Section 2.5 is section 4.4, section 5.1 is section 6.2, and two sections are 4.3.",
    ),
];
