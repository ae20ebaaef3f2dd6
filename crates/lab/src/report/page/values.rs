//! The values of a figure: as tables beside it, and as CSV.

use super::content::{Page, Table};
use crate::report::chart::{Figure, Panel, Point};
use crate::table::quoted;
use rasterscan_drawing::number::significant;

/// The folder of the files, beside the page.
const FOLDER: &str = "figures";

/// The file of a section's figure, counted from zero, relative to the page.
pub fn file(section: &str, index: usize) -> String {
    format!("{FOLDER}/{section}-{}.csv", index + 1)
}

/// The values of every figure of a page: files relative to the page, and their content.
pub fn files(page: &Page) -> Vec<(String, String)> {
    let of = page.sections.iter().flat_map(|section| {
        let figures = section.figures.iter().enumerate();
        figures.map(|(index, figure)| (file(&section.key, index), csv(figure)))
    });
    of.collect()
}

/// A line for each point: the panel, the line, x, y, and the ends of y's interval.
fn csv(figure: &Figure) -> String {
    let mut text = String::from("panel,series,x,y,low,high\n");
    for panel in &figure.panels {
        match panel {
            Panel::Lines(lines) => {
                for series in &lines.series {
                    for Point { x, y, low, high } in &series.points {
                        let names = [&lines.title, &series.name].map(|name| quoted(name)).join(",");
                        text += &format!("{names},{x},{y},{low},{high}\n");
                    }
                }
            }
            Panel::Bars(bars) => {
                for bar in &bars.bars {
                    for segment in &bar.segments {
                        let names =
                            [&bars.title, &segment.name, &bar.name].map(|name| quoted(name)).join(",");
                        text += &format!("{names},{},,\n", segment.value);
                    }
                }
            }
        }
    }
    text
}

/// The values of a figure: a table for each panel that has some.
pub fn tables(figure: &Figure) -> Vec<Table> {
    let title = |title: &str| if title.is_empty() { figure.title.clone() } else { title.to_owned() };
    let table = |panel: &Panel| match panel {
        Panel::Lines(lines) => {
            let series: Vec<_> = lines.series.iter().filter(|series| !series.points.is_empty()).collect();
            let mut xs: Vec<f64> =
                series.iter().flat_map(|series| &series.points).map(|point| point.x).collect();
            xs.sort_by(f64::total_cmp);
            xs.dedup();
            let cell = |points: &[Point], x: f64| {
                let here = points.iter().find(|point| point.x == x);
                here.map_or_else(|| "-".into(), told)
            };
            let header =
                std::iter::once(lines.x.label.clone()).chain(series.iter().map(|series| series.name.clone()));
            let rows = xs.into_iter().map(|x| {
                std::iter::once(at(x)).chain(series.iter().map(|series| cell(&series.points, x))).collect()
            });
            Table::new(format!("{} ({})", title(&lines.title), lines.y.label), header, rows)
        }
        Panel::Bars(bars) => {
            let names = bars.segments();
            let rows = bars.bars.iter().map(|bar| {
                let cell = |name: &&str| {
                    let own = bar.segments.iter().filter(|segment| segment.name == *name);
                    let sum: f64 = own.clone().map(|segment| segment.value).sum();
                    if own.count() == 0 { "-".into() } else { significant(sum) }
                };
                std::iter::once(bar.name.clone()).chain(names.iter().map(cell)).collect()
            });
            let header = std::iter::once("").chain(names.iter().copied());
            Table::new(format!("{} ({})", title(&bars.title), bars.axis.label), header, rows)
        }
    };
    figure.panels.iter().map(table).filter(|table| !table.rows.is_empty()).collect()
}

/// A place on the x axis; powers of two as such.
fn at(x: f64) -> String {
    let whole = x.fract() == 0.0 && (0.0..9e15).contains(&x);
    if whole { crate::case::length(x as u64) } else { significant(x) }
}

/// A value, with its interval if that is seen.
fn told(point: &Point) -> String {
    let [value, low, high] = [point.y, point.low, point.high].map(significant);
    if low == value && high == value { value } else { format!("{value} ({low} to {high})") }
}

#[cfg(test)]
mod tests {
    use super::super::super::chart::samples;
    use super::*;

    #[test]
    fn tables_and_files_have_every_point() {
        for figure in [samples::measured(), samples::crowded(), samples::bars()] {
            let points: usize = figure
                .panels
                .iter()
                .map(|panel| match panel {
                    Panel::Lines(lines) => {
                        lines.series.iter().map(|series| series.points.len()).sum::<usize>()
                    }
                    Panel::Bars(bars) => bars.bars.iter().map(|bar| bar.segments.len()).sum(),
                })
                .sum();
            assert!(points > 0);
            assert_eq!(csv(&figure).lines().count(), 1 + points, "{}", figure.title);
            let cells = tables(&figure)
                .into_iter()
                .flat_map(|table| table.rows)
                .flat_map(|row| row.into_iter().skip(1));
            let told = cells.filter(|cell| cell != "-").count();
            assert!(told <= points && told >= points * 9 / 10, "{told} of {points}: {}", figure.title);
        }
    }

    #[test]
    fn a_table_says_what_was_measured_where() {
        let point = |x: f64, y: f64| Point { x, y, low: y, high: 1.1 * y };
        assert_eq!(
            (told(&point(8.0, 2.0)), told(&Point::new(8.0, 2.0))),
            ("2.00 (2.00 to 2.20)".into(), "2.00".into())
        );
        assert_eq!([at(1024.0), at(0.5), at(3.0)], ["2^10", "0.500", "3"]);
    }
}
