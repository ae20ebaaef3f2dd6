//! A paper: the cells that it needs, the section that it makes of their rows, and helpers that papers share.

use rasterscan::{Device, Plan};

use super::effort::Bounds;
use super::rows::PaperRows;
use crate::case::{Case, length};
use crate::cell::{Cell, Row};
use crate::compare::figure::point;
use crate::contender::Contender;
use crate::report::chart::{Axis, Lines, Point, Role, Scale, Series};
use crate::report::page::Section;

/// A paper that is reproduced.
pub struct Paper {
    /// The key in the bibliography.
    pub key: &'static str,
    /// The cells to measure within bounds.
    pub cells: fn(&Bounds) -> Vec<Cell>,
    /// The section made of the rows that were measured.
    pub section: fn(&PaperRows<'_>, &Bounds) -> Section,
}

/// The cell of these contenders, by their names in the registry.
pub fn cell(case: Case, names: &[&str]) -> Cell {
    let problem = case.problem();
    Cell {
        case,
        contenders: names.iter().map(|name| Contender::known(problem, name)).collect(),
        phases: false,
        repeats: 0,
    }
}

/// The plan of an algorithm for a case on a plain device: what is counted from it needs no device.
pub fn plan_of(name: &str, case: &Case) -> Plan {
    let plan = Contender::known(case.problem(), name).plan(case, &Device::gl43());
    plan.ok().flatten().unwrap_or_else(|| unreachable!("a plain device runs {name} ({case})"))
}

pub fn log2_n() -> Axis {
    Axis { label: "n, elements".into(), scale: Scale::Log2 }
}

pub fn axis(label: &str, scale: Scale) -> Axis {
    Axis { label: label.into(), scale }
}

/// A line of the values `y` of rows against `x`.
pub fn series(
    name: &str,
    role: Role,
    rows: impl Iterator<Item = impl std::borrow::Borrow<Row>>,
    x: impl Fn(&Row) -> f64,
    y: impl Fn(&Row, f64) -> f64,
) -> Series {
    let mut points: Vec<Point> = rows.map(|row| point(row.borrow(), x(row.borrow()), &y)).collect();
    points.sort_by(|a, b| a.x.total_cmp(&b.x));
    Series { name: name.into(), points, role }
}

/// Time against the length, for these names among the rows that `which` picks; copies are limits.
pub fn times(title: &str, rows: &PaperRows<'_>, names: &[&str], which: impl Fn(&Row) -> bool) -> Lines {
    let line = |name: &&str| {
        let role = if name.starts_with("copy:") { Role::Limit } else { Role::Data };
        let own = rows.all().filter(|row| row.name == **name && which(row));
        series(name, role, own, |row| row.case.n() as f64, |_, ms| ms)
    };
    lines(title, log2_n(), axis("time, ms", Scale::Log10), drawn(names.iter().map(line)))
}

/// A panel of lines, without marks.
pub fn lines(title: impl Into<String>, x: Axis, y: Axis, series: impl Into<Vec<Series>>) -> Lines {
    Lines { title: title.into(), x, y, series: series.into(), marks: Vec::new() }
}

/// The series that have points.
pub fn drawn(series: impl IntoIterator<Item = Series>) -> Vec<Series> {
    series.into_iter().filter(|series| !series.points.is_empty()).collect()
}

/// A line of the paper's numbers.
pub fn printed_line(name: &str, points: impl IntoIterator<Item = (f64, f64)>) -> Series {
    let points = points.into_iter().map(|(x, y)| Point::new(x, y)).collect();
    Series { name: format!("{name} (paper)"), points, role: Role::Paper }
}

/// A number of a table; `-` if there is none.
pub fn or_dash<T>(number: Option<T>, write: impl Fn(T) -> String) -> String {
    number.map_or_else(|| "-".into(), write)
}

/// A length as claims name it: `at 2^20`.
pub fn at(n: u64) -> String {
    format!("at {}", length(n))
}
