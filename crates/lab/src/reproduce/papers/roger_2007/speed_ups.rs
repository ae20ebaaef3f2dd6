//! Table I: speed-ups over other compactions, and what the text makes of them.

use super::setup::{
    BLELLOCH, CUDA, DEFAULT, GEOMETRY, HORN, HYBRID, INNER_BLELLOCH, KEY, PAPER, QUOTED, SORTED, SORTING,
    compacted, table_1,
};
use crate::case::{Case, length};
use crate::report::page::{Claim, Table};
use crate::reproduce::effort::Bounds;
use crate::reproduce::paper::{at, or_dash};
use crate::reproduce::rows::PaperRows;
use crate::reproduce::statements::statement;
use crate::reproduce::unit::times;

/// The columns of table I: their titles, the other compaction, and its name in a sentence.
pub const COLUMNS: [(&str, &str, &str); 3] = [
    ("Horn", HORN, "Horn's compaction"),
    ("Blelloch", BLELLOCH, "Blelloch's scan and a search"),
    ("G. Shaders", GEOMETRY, "geometry shaders"),
];
const CUDA_COLUMN: &str = "CUDA (sum only)";

/// The slowdown against CUDA by the text.
const SLOWER: f64 = 2.5;
/// The speed of sengupta2006's compaction relative to Horn's, as the paper quotes it.
const HYBRID_OVER_HORN: f64 = 4.0;

pub fn claims(rows: &PaperRows<'_>, bounds: &Bounds) -> Vec<Claim> {
    let mut claims = Vec::from(COLUMNS.map(|(column, slow, than)| {
        let copies = in_copies(rows, &[slow, PAPER]);
        let fills = [("range", &range(column) as _), ("than", &than as _), ("copies", &copies as _)];
        let found = |n| rows.speed([slow, PAPER], &compacted(n));
        statement(KEY, "faster").beside_each(&fills, printed(column), found)
    }));
    claims.push(cuda(rows));
    let [horn, _, geometry] = COLUMNS;
    claims.extend([horn, geometry].map(|column| grows(rows, column)));
    claims.push(over_hybrid(rows));
    claims.push(sorting(rows, bounds));
    claims
}

/// The printed numbers of a column, with their lengths.
fn printed(column: &str) -> impl DoubleEndedIterator<Item = (u64, f64)> + use<> {
    table_1().column(column).into_iter().map(|(n, paper)| (n as u64, paper))
}

/// `5.5 to 9.1`.
fn range(column: &str) -> String {
    let values = printed(column).map(|(_, paper)| paper);
    let (least, most) = values
        .fold((f64::INFINITY, 0.0), |(least, most): (f64, f64), value| (least.min(value), most.max(value)));
    format!("{least} to {most}")
}

/// The times of the algorithms in copies, which explain their ratio, at the longest stream that has them all.
fn in_copies(rows: &PaperRows<'_>, names: &[&str]) -> String {
    let told = |n: u64| {
        let case = compacted(n);
        let each = names.iter().map(|name| {
            let copies = rows.copies(name, &case)?;
            Some(format!("{name} {copies:.1} copies in {} passes", rows.row(name, &case)?.passes))
        });
        Some(format!("{}, {}", at(n), each.collect::<Option<Vec<_>>>()?.join(", ")))
    };
    printed(CUDA_COLUMN).rev().find_map(|(n, _)| told(n)).unwrap_or_default()
}

/// The speed of blocks relative to the scan by compute shaders.
fn over_cuda(rows: &PaperRows<'_>, n: u64) -> Option<f64> {
    Some(rows.ms(CUDA, &Case::scan(n))? / rows.ms(PAPER, &compacted(n))?)
}

fn cuda(rows: &PaperRows<'_>) -> Claim {
    let found = |n| rows.estimate(|rows| over_cuda(rows, n));
    statement(KEY, "cuda").beside_each(&[("range", &range(CUDA_COLUMN))], printed(CUDA_COLUMN), found)
}

/// From each length of the column to the next one.
fn grows(rows: &PaperRows<'_>, (column, slow, than): (&str, &str, &str)) -> Claim {
    let claim = statement(KEY, "grows");
    let point = |((from, less), (to, more)): ((u64, f64), (u64, f64))| {
        let growth = rows.estimate(|rows| {
            Some(rows.factor(slow, PAPER, &compacted(to))? / rows.factor(slow, PAPER, &compacted(from))?)
        });
        claim.point(0, &[("from", &at(from)), ("to", &at(to)), ("paper", &(more / less))], growth)
    };
    claim.with_points(&[("than", &than)], printed(column).zip(printed(column).skip(1)).map(point))
}

/// "4 times ... our speed up is 7.8".
fn over_hybrid(rows: &PaperRows<'_>) -> Claim {
    let over_horn = table_1().at(QUOTED, COLUMNS[0].0).unwrap_or(f64::NAN);
    let paper = over_horn / HYBRID_OVER_HORN;
    statement(KEY, "over_hybrid").judge(
        &[
            ("at", &at(QUOTED)),
            ("paper", &paper),
            ("times", &times(paper)),
            ("over_horn", &over_horn),
            ("HYBRID_OVER_HORN", &HYBRID_OVER_HORN),
        ],
        [rows.speed([HYBRID, PAPER], &compacted(QUOTED))],
    )
}

/// All compactions that do not sort are faster by that much, so the slowest of them counts.
fn sorting(rows: &PaperRows<'_>, bounds: &Bounds) -> Claim {
    let over = |rows: &PaperRows<'_>, n: u64| {
        let slowest = rows.most(&[PAPER, HORN, BLELLOCH, GEOMETRY], &compacted(n))?;
        Some(rows.ms(SORTING, &compacted(n))? / slowest)
    };
    let lengths = SORTED.into_iter().filter(|n| *n <= 1 << bounds.texture);
    let copies = in_copies(rows, &[SORTING, GEOMETRY, HORN, BLELLOCH, PAPER]);
    let found = |n| rows.estimate(|rows| over(rows, n));
    statement(KEY, "sorting").at_each(&[("copies", &copies)], lengths, found)
}

/// Table I, ours beside the paper's.
pub fn table(rows: &PaperRows<'_>) -> Table {
    let line = |n: u64| {
        let case = compacted(n);
        let cells = COLUMNS.into_iter().flat_map(|(column, slow, _)| {
            let ours = [PAPER, INNER_BLELLOCH, DEFAULT].map(|fast| rows.factor(slow, fast, &case));
            [table_1().at(n, column)].into_iter().chain(ours).map(|factor| or_dash(factor, times))
        });
        std::iter::once(length(n)).chain(cells).collect()
    };
    let header = COLUMNS.into_iter().flat_map(|(column, ..)| {
        let ours = ["ours", "ours, Blelloch's scans", "ours, defaults"].map(Into::into);
        [format!("over {column}, paper")].into_iter().chain(ours)
    });
    Table::new(
        "Table I, ours beside the paper's: blocks as the paper describes them, with Blelloch's scans in place of Hillis \
         and Steele's, and with our defaults",
        std::iter::once("n".to_owned()).chain(header),
        printed(CUDA_COLUMN).map(|(n, _)| line(n)),
    )
}

/// Two statements of the paper on one number.
pub fn cuda_table(rows: &PaperRows<'_>) -> Table {
    let line = |(n, paper): (u64, f64)| {
        let ours = over_cuda(rows, n).map(|factor| 1.0 / factor);
        vec![length(n), times(paper), times(1.0 / paper), or_dash(ours, times)]
    };
    Table::new(
        format!("The scan in CUDA: about {SLOWER} times as fast by the paper's text, and by its table"),
        ["n", "blocks over CUDA, table I", "so CUDA over blocks", "ours, by compute shaders"],
        printed(CUDA_COLUMN).map(line),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_in_print() {
        assert_eq!(COLUMNS.map(|(column, ..)| range(column)), ["5.5 to 9.1", "3.6 to 4.8", "1.5 to 2"]);
        assert_eq!(range(CUDA_COLUMN), "0.32 to 0.37");
        let lengths = |column: &str| printed(column).map(|(n, _)| n.ilog2()).collect::<Vec<_>>();
        assert_eq!(lengths("Horn"), [18, 20, 22]);
        assert_eq!(lengths("Blelloch"), [18, 20, 22, 24]);
        assert_eq!(table_1().at(QUOTED, "Horn"), Some(7.8));
    }

    #[test]
    fn the_text_on_cuda_contradicts_the_table() {
        for (n, paper) in printed(CUDA_COLUMN) {
            assert!((2.7..3.15).contains(&(1.0 / paper)) && 1.0 / paper > 1.05 * SLOWER, "{n}: {paper}");
        }
    }
}
