//! A comparison: cells are measured one after the other. Their rows become tables, charts, and changes since an
//! earlier comparison.

mod changes;
mod document;
pub mod figure;
pub mod text;

use std::collections::BTreeSet;
use std::time::Duration;

use rasterscan::tools::clock::Instant;

use crate::cell::{AGAIN, Cell, Lab, LabError, take_better};
use crate::measure::Protocol;
use crate::progress::{Listener, Progress};

pub use changes::{Changes, changes};
pub use document::{CompareDocument, parse};

/// Measures cell after cell in `seconds`, and then once more those during which the device was slow. Cells not finished
/// when `go_on` returns false are not in the comparison.
pub fn measure(
    cells: &[Cell],
    lab: &mut dyn Lab,
    seconds: Duration,
    comparison: &mut CompareDocument,
    listener: Listener<'_>,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<(), LabError> {
    let start = Instant::now();
    let mut told = BTreeSet::new();
    let mut whole = true;
    for (number, cell) in cells.iter().enumerate() {
        listener(Progress::Begins { number, of: cells.len(), cell: &cell.case });
        let began = start.elapsed();
        let share = seconds.saturating_sub(began) / (cells.len() - number) as u32;
        let protocol = Protocol::new(lab.device().software, share);
        let measured = lab.measure(cell, &protocol, go_on)?;
        for left_out in &measured.left_out {
            // Once per contender and reason, whatever the length.
            if told.insert((left_out.name.clone(), left_out.reason.clone())) {
                let note = format!("{}: {} is left out: {}", cell.case, left_out.name, left_out.reason);
                listener(Progress::Note(note));
            }
        }
        // Half a cell compares nothing.
        if !go_on() {
            whole = false;
            break;
        }
        comparison.add(measured);
        listener(Progress::Measured { cell: &cell.case, took: start.elapsed() - began, share });
    }
    comparison.judge(lab.pace());
    if whole {
        measure_again(cells, lab, seconds, comparison, listener, go_on)?;
    }
    comparison.predict(cells, lab.device());
    Ok(())
}

/// Measures the unsettled cells again, within a share of the time.
fn measure_again(
    cells: &[Cell],
    lab: &mut dyn Lab,
    seconds: Duration,
    comparison: &mut CompareDocument,
    listener: Listener<'_>,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<(), LabError> {
    let start = Instant::now();
    let unsettled: Vec<&Cell> = cells.iter().filter(|cell| comparison.is_unsettled(&cell.case)).collect();
    for (number, cell) in unsettled.iter().enumerate() {
        let left = seconds.mul_f64(AGAIN).saturating_sub(start.elapsed());
        // At least one: there may be only one.
        if number > 0 && left.is_zero() {
            break;
        }
        let budget = left / (unsettled.len() - number) as u32;
        let measured = lab.measure(cell, &Protocol::new(lab.device().software, budget), go_on)?;
        if !go_on() {
            break;
        }
        take_better(&mut comparison.rows, measured.rows);
        comparison.judge(lab.pace());
    }
    let still = unsettled.iter().filter(|cell| comparison.is_unsettled(&cell.case)).count();
    if !unsettled.is_empty() {
        listener(Progress::Note(format!(
            "cases measured while the device ran below its full speed: {} of {}; still slow after a second \
             measurement, and marked: {still}",
            unsettled.len(),
            cells.len(),
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use rasterscan::Device;
    use rasterscan::tools::problem::SCAN;

    use super::*;
    use crate::case::Case;
    use crate::cell::Row;
    use crate::contender::Contender;
    use crate::measure::sleeper::Sleeper;
    use crate::stub::{StubLab, machine};

    /// Two lengths, as in the comparison that found a GPU asleep.
    fn cells() -> Vec<Cell> {
        let cell = |log2: u32| Cell {
            case: Case::scan(1 << log2).order(8),
            contenders: ["copy:texture", "look_back", "sam"]
                .map(|name| Contender::parse(SCAN, name).unwrap())
                .into(),
            phases: false,
            repeats: 0,
        };
        [22, 26].map(cell).into()
    }

    fn compared(lab: &mut StubLab) -> CompareDocument {
        let seconds = Duration::from_secs(20);
        let mut comparison = CompareDocument::new(machine(), "copy:texture", seconds);
        measure(&cells(), lab, seconds, &mut comparison, &mut |_| {}, &mut || true).unwrap();
        comparison
    }

    /// Each row's time relative to that on a device that is always awake.
    fn slowdowns(rows: &[Row]) -> Vec<f64> {
        let awake = compared(&mut StubLab::new(Device::gl43()));
        assert_eq!(rows.len(), awake.rows.len());
        let pairs = rows.iter().zip(&awake.rows);
        pairs.map(|(row, awake)| (row.ms / awake.ms * 1e3).round() / 1e3).collect()
    }

    fn marks(comparison: &CompareDocument) -> Vec<Option<bool>> {
        comparison.rows.iter().map(|row| row.settled).collect()
    }

    #[test]
    fn a_device_that_sleeps_while_references_are_computed_is_woken() {
        let sleeper = Sleeper::new(Duration::from_millis(700), 3.7);
        let comparison = compared(&mut StubLab::asleep(Device::gl43(), &sleeper));
        assert_eq!(slowdowns(&comparison.rows), [1.0; 6]);
        assert_eq!(marks(&comparison), [Some(true); 6]);
        assert_eq!(comparison.yardstick.unwrap().best_ms, 0.3);
    }

    /// The first case looks settled, since no faster time is known.
    #[test]
    fn what_was_measured_asleep_is_measured_again_at_the_end() {
        let sleeper = Sleeper::new(Duration::from_millis(2300), 3.7);
        let mut lab = StubLab::asleep(Device::gl43(), &sleeper);
        let cells = cells();
        let protocol = Protocol::new(false, Duration::from_secs(5));
        let first = lab.measure(&cells[0], &protocol, &mut || true).unwrap();
        assert!(first.rows[0].ms > 3.0 * 0.3, "asleep: {}", first.rows[0].ms);
        let again =
            compared(&mut StubLab::asleep(Device::gl43(), &Sleeper::new(Duration::from_millis(2300), 3.7)));
        assert_eq!(slowdowns(&again.rows), [1.0; 6]);
        assert_eq!(marks(&again), [Some(true); 6]);
    }

    #[test]
    fn what_stays_slow_is_marked() {
        let sleeper = Sleeper::new(Duration::from_millis(700), 3.7);
        let mut lab = StubLab::asleep(Device::gl43(), &sleeper);
        let first = compared(&mut lab);
        assert_eq!(marks(&first), [Some(true); 6]);
        sleeper.never_wakes();
        let comparison = compared(&mut lab);
        assert_eq!(slowdowns(&comparison.rows), [3.7; 6]);
        assert_eq!(marks(&comparison), [Some(false); 6]);
        let text = text::text(&comparison);
        assert_eq!(text.matches("* not settled: ").count(), 2, "{text}");
    }
}
