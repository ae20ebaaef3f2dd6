//! The papers: which cells each needs, and what it makes of their rows.

mod capannini_2011;
mod harris_2007;
mod maleki_2016;
mod roger_2007;
mod sengupta_2006;

use rasterscan::registry::Family;

use super::judge::Rows;
use super::plan::Bounds;
use crate::lab::{Case, Cell, Contender, Row};
use crate::report::page::Section;
use crate::report::{Axis, Lines, Point, Role, Scale, Series};

/// A paper that is reproduced.
pub struct Paper {
    pub key: &'static str,
    pub cells: fn(&Bounds) -> Vec<Cell>,
    pub section: fn(&Rows<'_>, &Bounds) -> Section,
}

/// In the order in which they appeared.
pub const PAPERS: [Paper; 5] = [
    Paper { key: "sengupta2006", cells: sengupta_2006::cells, section: sengupta_2006::section },
    Paper { key: "roger2007", cells: roger_2007::cells, section: roger_2007::section },
    Paper { key: "harris2007", cells: harris_2007::cells, section: harris_2007::section },
    Paper { key: "capannini2011", cells: capannini_2011::cells, section: capannini_2011::section },
    Paper { key: "maleki2016", cells: maleki_2016::cells, section: maleki_2016::section },
];

/// The cell of these contenders, by their names in the registry.
fn cell(case: Case, names: &[&str]) -> Cell {
    let family = case.family;
    Cell { case, contenders: names.iter().map(|name| contender(family, name)).collect(), phases: false }
}

fn contender(family: Family, name: &str) -> Contender {
    Contender::parse(family, name).unwrap_or_else(|error| unreachable!("{name}: {error}"))
}

fn section(key: &str, title: &str, citation: &str) -> Section {
    Section {
        key: key.into(),
        title: title.into(),
        citation: citation.into(),
        notes: Vec::new(),
        claims: Vec::new(),
        figures: Vec::new(),
        tables: Vec::new(),
    }
}

fn log2_n() -> Axis {
    Axis { label: "n, elements".into(), scale: Scale::Log2 }
}

fn axis(label: &str, scale: Scale) -> Axis {
    Axis { label: label.into(), scale }
}

/// A line of what a row says, against what its case says.
fn series(
    name: &str,
    role: Role,
    rows: impl Iterator<Item = impl std::borrow::Borrow<Row>>,
    x: impl Fn(&Row) -> f64,
    y: impl Fn(&Row, f64) -> f64,
) -> Series {
    let point = |row: &Row| {
        let (one, other) = (y(row, row.ms_low), y(row, row.ms_high));
        Point { x: x(row), y: y(row, row.ms), low: one.min(other), high: one.max(other) }
    };
    let mut points: Vec<Point> = rows.map(|row| point(row.borrow())).collect();
    points.sort_by(|a, b| a.x.total_cmp(&b.x));
    Series { name: name.into(), points, role }
}

/// Time against the length, for these names among the rows that `which` picks; copies are limits.
fn times(title: &str, rows: &Rows<'_>, names: &[&str], which: impl Fn(&Row) -> bool) -> Lines {
    let line = |name: &&str| {
        let role = if name.starts_with("copy:") { Role::Limit } else { Role::Data };
        let own = rows.all().filter(|row| row.name == **name && which(row));
        series(name, role, own, |row| row.case.n as f64, |_, ms| ms)
    };
    Lines {
        title: title.into(),
        x: log2_n(),
        y: axis("time, ms", Scale::Log10),
        series: names.iter().map(line).filter(|series| !series.points.is_empty()).collect(),
        marks: Vec::new(),
    }
}

/// `2^20` for a length, as claims name it.
fn at(n: u64) -> String {
    format!("at {}", crate::lab::length(n))
}
