//! Peers: other implementations of scans, compactions and sorts, measured by a separate program, `rasterscan-peers`.
//!
//! That program gets cases on its command line, in the form of documents, and prints one [`PeersDocument`] with the
//! rows that it measured. It verifies each result as this crate does, and its peers run in turns with each other, but
//! not with the contenders of a [`Lab`](crate::cell::Lab).

use serde::{Deserialize, Serialize};

use crate::case::Case;
use crate::cell::{LeftOut, Measured, Row};
use crate::contender::PREFIX;
use crate::document::{self, DocumentError};

const SCHEMA: &str = "rasterscan.peers";
const FORM: u32 = 1;

/// The rows of peers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PeersDocument {
    /// The name and the form of the document.
    pub schema: String,
    /// One row for each peer that was timed.
    pub rows: Vec<Row>,
    /// Peers that were not timed, and why.
    pub left_out: Vec<LeftOut>,
}

impl PeersDocument {
    /// A document of these results.
    pub fn new(Measured { rows, left_out }: Measured) -> PeersDocument {
        PeersDocument { schema: format!("{SCHEMA}/{FORM}"), rows, left_out }
    }
}

/// A reason why a document is not the peers' answer for a case.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PeersError {
    /// Another document, or none.
    #[error(transparent)]
    Document(#[from] DocumentError),
    /// A row that was not asked for: of another case, under another name, or not verified.
    #[error("it has a row that was not asked for: {name}, {case}")]
    Row {
        /// The name.
        name: String,
        /// The case.
        case: Box<Case>,
    },
}

/// Reads the peers' answer for a case.
///
/// Errors: a document that is damaged or another, and rows that were not asked for.
pub fn parse(bytes: &[u8], case: &Case) -> Result<Measured, PeersError> {
    let PeersDocument { rows, left_out, .. } =
        document::parse(bytes, SCHEMA, FORM, "document of rasterscan-peers")?;
    let rows_are = rows.iter().map(|row| (&row.name, &row.case, row.verified));
    let left_out_are = left_out.iter().map(|left_out| (&left_out.name, &left_out.case, true));
    for (name, of, verified) in rows_are.chain(left_out_are) {
        if !name.starts_with(PREFIX) || of != case || !verified {
            return Err(PeersError::Row { name: name.clone(), case: Box::new(of.clone()) });
        }
    }
    // In the words of the others: charts and tables compare these.
    let rows = rows.into_iter().map(|row| Row { case: case.clone(), ..row }).collect();
    let left_out = left_out.into_iter().map(|one| LeftOut { case: case.clone(), ..one }).collect();
    Ok(Measured { rows, left_out })
}

#[cfg(test)]
mod tests {
    use rasterscan::tools::problem::SORT;

    use super::*;
    use crate::contender::PEERS;

    fn document(name: &str, case: &Case) -> PeersDocument {
        let row = Row { verified: true, ..Row::named(name, case) };
        let left_out = vec![LeftOut::new(PEERS[1].into(), case, "it has no such operator")];
        PeersDocument::new(Measured { rows: vec![row], left_out })
    }

    #[test]
    fn what_was_measured_of_the_case_is_read() {
        let case = Case::scan(8);
        let whole = document(PEERS[0], &case);
        let measured = parse(&serde_json::to_vec(&whole).unwrap(), &case).unwrap();
        assert_eq!(PeersDocument::new(measured), whole);
        let case = Case::new(SORT, 8).with("bits", "16").unwrap();
        let measured = parse(&serde_json::to_vec(&document(PEERS[0], &case)).unwrap(), &case).unwrap();
        assert_eq!(measured.rows[0].case.particulars(), "bits 16");
        assert_eq!(measured.left_out[0].case.particulars(), "bits 16");
    }

    #[test]
    fn rows_that_were_not_asked_for_are_refused() {
        let case = Case::scan(8);
        let mut unverified = document(PEERS[0], &case);
        unverified.rows[0].verified = false;
        for wrong in [document("horn", &case), document(PEERS[0], &Case::scan(9)), unverified] {
            let error = parse(&serde_json::to_vec(&wrong).unwrap(), &case).unwrap_err();
            assert!(error.to_string().contains("was not asked for"), "{error}");
        }
        assert!(parse(b"no JSON", &case).unwrap_err().to_string().starts_with("it is not a document of"));
    }

    #[test]
    fn fuzz() {
        let case = Case::scan(8);
        let corpus = vec![serde_json::to_vec(&document(PEERS[0], &case)).unwrap()];
        let words = ["null", "\"ms\":", "\"peer:numpy\"", "true", ",", "}", "]"];
        rasterscan_fuzz::Fuzz { name: "peers", corpus, words: &words, repair: |_| {}, cases: 1000 }.run(
            |bytes| match parse(bytes, &case) {
                Ok(measured) => format!("{} rows", measured.rows.len()),
                Err(error) => error.to_string(),
            },
        );
    }
}
