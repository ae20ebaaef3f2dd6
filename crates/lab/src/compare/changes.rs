//! Changes since an earlier comparison that exceed the noise of both.
//!
//! A row is slower if its whole interval lies above the old one and the medians are at least 3% apart, 10% in wall time:
//! two processes differ in ways that no single run shows, such as where the driver puts the buffers. If the copy of the
//! same stream has become slower, so has the machine, and a row must exceed that. Rows of too few runs have no interval
//! and are not compared.

use super::document::CompareDocument;
use crate::cell::Row;
use crate::measure::LEAST_RUNS;
use crate::table::{self, label, right};
use rasterscan::device::Clock;
use rasterscan::tools::printable::counted;
use rasterscan_drawing::number::milliseconds;

/// Medians closer than this count as equal.
const SAME: f64 = 0.03;
/// The same in wall time, beside other programs. `reproduce` allows as much.
const SAME_WALL: f64 = 0.1;

/// The changes between two comparisons.
#[derive(Debug, Default)]
pub struct Changes {
    slower: Vec<Change>,
    faster: Vec<Change>,
    /// Rows that both have, of enough runs.
    compared: usize,
    /// Rows that both have, one of them of too few runs.
    too_few: usize,
    /// Rows that only the old one has.
    missing: usize,
    /// Pairs of rows of which one was measured on a device that had not settled.
    unsettled: usize,
    /// The slowdown of the machine itself: the greatest and the least of all copies.
    drift: Option<(f64, f64)>,
    /// The old comparison's machine, if it is another machine or version.
    other_machine: Option<String>,
}

#[derive(Debug)]
struct Change {
    name: String,
    case: String,
    old: f64,
    new: f64,
}

/// The changes from an old comparison to a new one.
pub fn changes(old_one: &CompareDocument, new_one: &CompareDocument) -> Changes {
    let mut changes = Changes::default();
    if !old_one.machine.is_like(&new_one.machine) {
        changes.other_machine = Some(old_one.machine.line());
    }
    let pairs: Vec<(&Row, &Row)> = old_one
        .rows
        .iter()
        .filter_map(|old| Some((old, new_one.rows.iter().find(|new| are_alike(old, new))?)))
        .collect();
    changes.missing = old_one.rows.len() - pairs.len();
    changes.unsettled = pairs.iter().filter(|(old, new)| old.is_unsettled() || new.is_unsettled()).count();
    let enough = |(old, new): &(&Row, &Row)| old.interval().is_some() && new.interval().is_some();
    let (pairs, too_few): (Vec<_>, Vec<_>) = pairs.into_iter().partition(enough);
    (changes.compared, changes.too_few) = (pairs.len(), too_few.len());
    let is_copy = |row: &Row| row.name.starts_with("copy:");
    for (old, new) in &pairs {
        // The change of the machine itself, according to this case's copies.
        let (Some((old_low, old_high)), Some((new_low, new_high))) = (old.interval(), new.interval()) else {
            continue;
        };
        let copies: Vec<f64> = pairs
            .iter()
            .filter(|(copy, _)| is_copy(copy) && copy.case == old.case && copy.clock == old.clock)
            .map(|(old, new)| new.ms / old.ms)
            .filter(|drift| drift.is_finite())
            .collect();
        let greatest = copies.iter().copied().fold(1.0, f64::max);
        let least = copies.iter().copied().fold(1.0, f64::min);
        let (high, low) = changes.drift.unwrap_or((1.0, 1.0));
        changes.drift = Some((high.max(greatest), low.min(least)));
        if is_copy(old) {
            continue;
        }
        let change =
            || Change { name: new.name.clone(), case: new.case.to_string(), old: old.ms, new: new.ms };
        // A device that had not settled was slower itself.
        let (most, least) = (greatest * slowdown(new_one, new), least / slowdown(old_one, old));
        let same = 1.0 + if new.clock == Clock::Wall.name() { SAME_WALL } else { SAME };
        if new_low > old_high * most && new.ms > old.ms * most * same {
            changes.slower.push(change());
        } else if new_high < old_low * least && new.ms * same < old.ms * least {
            changes.faster.push(change());
        }
    }
    let by = |change: &Change| change.new / change.old;
    changes.slower.sort_by(|a, b| by(b).total_cmp(&by(a)));
    changes.faster.sort_by(|a, b| by(a).total_cmp(&by(b)));
    changes
}

/// The slowdown of the device while a row was measured, as far as is known.
fn slowdown(of: &CompareDocument, row: &Row) -> f64 {
    of.yardstick.as_ref().and_then(|pace| pace.slowdown(row)).unwrap_or(1.0)
}

/// A count of rows with its verb: `1 row was`, `2 rows of the old comparison were`.
fn rows_were(count: usize, of: &str) -> String {
    format!("{}{of} {}", counted(count as u64, "row"), if count == 1 { "was" } else { "were" })
}

fn are_alike(old: &Row, new: &Row) -> bool {
    old.name == new.name && old.case == new.case && old.clock == new.clock
}

impl Changes {
    /// Returns true if anything is slower.
    pub fn any(&self) -> bool {
        !self.slower.is_empty()
    }

    /// The number of changes, in one line.
    pub fn summary(&self) -> String {
        let Changes { slower, faster, compared, .. } = self;
        format!(
            "{} of {compared} rows became slower by more than the noise, {} faster",
            slower.len(),
            faster.len()
        )
    }

    /// All changes, as tables for people.
    pub fn text(&self) -> String {
        let mut text = String::new();
        if let Some(machine) = &self.other_machine {
            text += &format!("the old comparison is of another machine or version: {machine}\n");
        }
        if let Some((high, low)) = self.drift.filter(|(high, low)| *high > 1.0 + SAME || *low < 1.0 - SAME) {
            text += &format!(
                "copies take {low:.2} to {high:.2} times as long as then: the machine itself has changed, and the \
                 comparison allows for that\n"
            );
        }
        if self.missing > 0 {
            text += &rows_were(self.missing, " of the old comparison");
            text += " not measured this time\n";
        }
        if self.too_few > 0 {
            text += &format!(
                "{} had too few runs to compare, then or now: fewer than {LEAST_RUNS}; --seconds gives more time\n",
                counted(self.too_few as u64, "row")
            );
        }
        if self.unsettled > 0 {
            text += &format!(
                "{} measured on a device that had not settled, then or now; the comparison allows for that\n",
                rows_were(self.unsettled, "")
            );
        }
        for (what, changes) in [("slower", &self.slower), ("faster", &self.faster)] {
            if changes.is_empty() {
                continue;
            }
            let mut table = table::plain();
            table.set_header(vec![
                label(what),
                "case".into(),
                right("ms then"),
                right("ms now"),
                right("now/then"),
            ]);
            for change in changes {
                table.add_row(vec![
                    label(&change.name),
                    change.case.as_str().into(),
                    right(milliseconds(change.old)),
                    right(milliseconds(change.new)),
                    right(format!("{:.2}", change.new / change.old)),
                ]);
            }
            text += &table::render(table);
            text.push('\n');
        }
        text + &self.summary() + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::super::document::tests::stubbed;
    use super::*;
    use crate::case::Case;

    fn comparison() -> CompareDocument {
        stubbed(&["horn", "packed", "look_back"], &[Case::scan(1 << 12), Case::scan(1 << 20)])
    }

    /// A comparison whose rows picked by `which` take `factor` times as long.
    fn scaled(which: impl Fn(&Row) -> bool, factor: f64) -> CompareDocument {
        let mut comparison = comparison();
        for row in comparison.rows.iter_mut().filter(|row| which(row)) {
            row.ms *= factor;
            row.ms_low = row.ms_low.map(|low| low * factor);
            row.ms_high = row.ms_high.map(|high| high * factor);
        }
        comparison
    }

    #[test]
    fn the_same_times_change_nothing() {
        let changes = super::changes(&comparison(), &comparison());
        assert_eq!((changes.any(), changes.compared, changes.missing), (false, 14, 0));
        assert_eq!(changes.text(), "0 of 14 rows became slower by more than the noise, 0 faster\n");
        assert!(!super::changes(&comparison(), &scaled(|_| true, 1.02)).any());
    }

    #[test]
    fn what_is_slower_is_named_with_its_case() {
        let changes = super::changes(
            &comparison(),
            &scaled(|row| row.name == "packed" && row.case.n() == 1 << 20, 1.1),
        );
        assert!(changes.any() && changes.faster.is_empty());
        assert!(changes.text().contains("packed  scan of 2^20"), "{}", changes.text());
        assert!(changes.text().contains("1.10\n"), "{}", changes.text());
        let changes = super::changes(&comparison(), &scaled(|row| row.name == "horn", 0.5));
        assert_eq!((changes.any(), changes.faster.len()), (false, 2));
    }

    #[test]
    fn noise_is_no_change() {
        let mut old = comparison();
        old.rows.iter_mut().for_each(|row| row.ms_high = Some(1.3 * row.ms));
        assert!(!super::changes(&old, &scaled(|_| true, 1.2)).any());
    }

    #[test]
    fn wall_times_vary_more() {
        let slower = |factor| super::changes(&comparison(), &scaled(|row| row.clock == "wall", factor)).any();
        assert_eq!([slower(1.07), slower(1.2)], [false, true]);
        let slower = |factor| super::changes(&comparison(), &scaled(|row| row.name == "horn", factor)).any();
        assert_eq!([slower(1.02), slower(1.07)], [false, true]);
    }

    #[test]
    fn too_few_runs_are_not_compared() {
        let few = |which: fn(&Row) -> bool| {
            let mut few = scaled(|row| row.name == "horn", 3.0);
            few.rows.iter_mut().filter(|row| which(row)).for_each(|row| row.runs = 8);
            few
        };
        let changes = super::changes(&comparison(), &few(|_| true));
        assert_eq!((changes.any(), changes.compared, changes.too_few), (false, 0, 14));
        assert!(changes.text().starts_with("14 rows had too few runs to compare"), "{}", changes.text());
        assert!(!super::changes(&few(|_| true), &comparison()).any());
        let changes =
            super::changes(&comparison(), &few(|row| row.name == "horn" && row.case.n() == 1 << 12));
        assert_eq!((changes.slower.len(), changes.compared, changes.too_few), (1, 13, 1));
        assert!(changes.text().starts_with("1 row had too few runs to compare"), "{}", changes.text());
    }

    #[test]
    fn a_slower_machine_is_no_regression() {
        let changes = super::changes(&comparison(), &scaled(|row| row.clock == "gpu", 1.5));
        assert!(!changes.any(), "{}", changes.text());
        assert!(changes.text().contains("1.00 to 1.50 times as long"), "{}", changes.text());
    }

    #[test]
    fn a_device_that_had_not_settled_is_no_regression() {
        let mut new = scaled(|row| row.name == "packed", 1.4);
        new.rows.iter_mut().filter(|row| row.name == "packed").for_each(|row| row.yardstick_ms = Some(0.45));
        new.judge(new.yardstick.clone());
        let changes = super::changes(&comparison(), &new);
        assert_eq!((changes.any(), changes.compared), (false, 14));
        assert!(changes.text().starts_with("2 rows were measured on a device that had not settled"));
        let mut new = scaled(|row| row.name == "packed", 1.6);
        new.rows.iter_mut().filter(|row| row.name == "packed").for_each(|row| row.yardstick_ms = Some(0.45));
        new.judge(new.yardstick.clone());
        assert!(super::changes(&comparison(), &new).any(), "that is more than the device was slower");
    }

    #[test]
    fn rows_that_are_missing_and_other_machines_are_told() {
        let mut new = comparison();
        new.rows.retain(|row| row.name != "horn");
        new.machine.renderer = "another".into();
        let text = super::changes(&comparison(), &new).text();
        assert!(text.contains("2 rows of the old comparison were not measured"), "{text}");
        assert!(text.contains("another machine or version: a stub"), "{text}");
    }
}
