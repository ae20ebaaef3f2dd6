//! Points of what was counted.

use crate::reproduce::judge::Point;
use crate::reproduce::rows::Lookup;
use crate::reproduce::statements::Statement;
use crate::reproduce::unit::whole;

/// The cases in which something holds. It must hold in all of them; in fewer than half, the opposite is true.
pub fn cases(claim: &Statement, index: usize, pattern: &str, (right, all): (usize, usize)) -> Point {
    let (ours, all) = (right as f64, all as f64);
    let [half, less, more] = [all / 2.0, all * (1.0 - 1e-9), all * (1.0 + 1e-9)];
    let ranges = format!("opposite {half} weaker {less} reproduced {more} opposite");
    let fills = [("pattern", &pattern as _), ("all", &whole(all) as _), ("ranges", &ranges as _)];
    claim.point(index, &fills, Lookup::exactly(ours))
}

/// A count; without one, no verdict.
pub fn counted(ours: Option<u64>) -> Lookup {
    ratio(ours.map(|number| number as f64))
}

/// A ratio that was counted; without one, no verdict.
pub fn ratio(ours: Option<f64>) -> Lookup {
    Lookup::counted(ours, "the scan was wrong")
}
