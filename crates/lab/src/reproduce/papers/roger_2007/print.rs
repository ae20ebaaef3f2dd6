//! What the paper prints: errors in it, and where it contradicts itself.

use super::setup::{DEFAULT, GLOBAL_HYBRID, PAPER};

/// How it was measured, and the contradictions.
pub fn notes() -> Vec<String> {
    vec![
        format!(
            "u32, of which 60% are kept, evenly spread. The paper gives neither the type nor \
             the order of its elements. `{PAPER}` is what the paper describes: blocks of 64, both \
             optimisations, and segments that the vertex stage computes. The paper does not say which \
             of its two scans its other timings use; here they use Hillis and Steele's; beside table I, a \
             column has the times with Blelloch's. `{DEFAULT}` is our own choice of parameters: without a geometry shader every segment is drawn \
             twice, and transform feedback captures the segments once. The paper's card was a GeForce 8800 \
             GTS."
        ),
        "The CUDA column is of a sum only, without the scatter. Beside it stands the scan of harris2007 by \
         compute shaders, of as many elements."
            .into(),
        "The text of section V-B and the caption of table I say that CUDA is about 2.5 times as fast. The \
         column itself says 2.7 to 3.1 times; a table has the column beside ours."
            .into(),
        format!(
            "Section IV expects little of the hybrid scan, which the authors did not try. In blocks there \
             is none here: with no reduce step it is Hillis and Steele's, and with the most steps \
             Blelloch's, and both are timed. For the scan of the blocks' counts there is one, \
             `{GLOBAL_HYBRID}`."
        ),
    ]
}

/// Errors in print.
pub fn errata() -> Vec<(String, String)> {
    [
        (
            "Section III-B",
            "It says that pSum counts the unwanted elements before an element. The search of figure 5 \
             needs the inclusive count, up to and including the element: with the exclusive one, its test \
             of unwanted elements fails. For wanted elements both are the same.",
        ),
        (
            "Figure 6",
            "The caption says that the last terms of the blocks, except the last one, form a stream of n/s \
             elements, rounded up. Without the last one there is one fewer.",
        ),
        (
            "Section V-B and table I",
            "The text and the caption say that CUDA is about 2.5 times as fast. The column of the table, \
             0.32 to 0.37, says 2.7 to 3.1 times.",
        ),
    ]
    .map(|(place, text)| (place.to_owned(), text.to_owned()))
    .into()
}
