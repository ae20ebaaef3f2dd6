//! The papers, one file each.

mod capannini_2011;
mod harris_2007;
mod maleki_2016;
mod roger_2007;
mod sengupta_2006;

use super::paper::Paper;

/// All papers, in the order in which they appeared.
pub const PAPERS: [Paper; 5] = [
    Paper { key: "sengupta2006", cells: sengupta_2006::cells, section: sengupta_2006::section },
    Paper { key: "roger2007", cells: roger_2007::cells, section: roger_2007::section },
    Paper { key: "harris2007", cells: harris_2007::cells, section: harris_2007::section },
    Paper { key: "capannini2011", cells: capannini_2011::cells, section: capannini_2011::section },
    Paper { key: "maleki2016", cells: maleki_2016::cells, section: maleki_2016::section },
];
