//! One process of a run: it measures every cell, and keeps each at once.

use std::time::Duration;

use rasterscan::tools::clock::Instant;

use super::papers::Planned;
use super::rows::PROCESSES;
use super::store::Store;
use crate::cell::{AGAIN, Lab, LabError};
use crate::measure::Protocol;
use crate::progress::{Listener, Progress};

/// A process that has taken this many times its part of the budget leaves cells out. It is that patient because verifying
/// and compiling take as long as they take, and a number needs two processes.
const PATIENCE: f64 = 1.5;

/// A process of a run.
#[derive(Debug, Clone, Copy)]
pub struct Process<'a> {
    /// Its number, from 1.
    pub number: u32,
    /// The cells of the run.
    pub plan: &'a [Planned],
    /// The time for all processes.
    pub budget: Duration,
}

impl Process<'_> {
    /// The part of a run's time for the cells that neither this process nor those after it have measured: a continued run
    /// has the time that the interrupted one had left.
    pub fn rest(&self, store: &Store) -> f64 {
        (self.number..=PROCESSES).map(|number| Process { number, ..*self }.share(store)).sum()
    }

    /// The part for the cells that this process has not measured. The first process has half of the time, since it compiles
    /// shaders that the driver then keeps, and verifies results that the others know again.
    fn share(&self, store: &Store) -> f64 {
        let own = if self.number == 1 { 0.5 } else { 0.5 / f64::from(PROCESSES - 1) };
        let all: u64 = self.plan.iter().map(Planned::weight).sum();
        let left: u64 = self.todo(store).map(Planned::weight).sum();
        own * left as f64 / all.max(1) as f64
    }

    /// The time for this process, where so much is left for it and those after it: an overrun of one shortens the rest.
    pub fn time(&self, left: Duration, store: &Store) -> Duration {
        left.mul_f64(self.share(store) / self.rest(store).max(f64::MIN_POSITIVE))
    }

    /// The cells that this process has not measured.
    fn todo(&self, store: &Store) -> impl Iterator<Item = &Planned> {
        self.plan.iter().filter(|planned| !store.has(&planned.id, self.number))
    }

    /// Measures the cells that this process has not measured yet in this time, and saves the store after each. Cells with
    /// no time left are stored as left out, except those whose results are compared bit by bit.
    ///
    /// Errors: a wrong result, a failing device, and those of `save`.
    pub fn measure<E: From<LabError>>(
        &self,
        time: Duration,
        lab: &mut dyn Lab,
        store: &mut Store,
        save: &dyn Fn(&Store) -> Result<(), E>,
        listener: Listener<'_>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<(), E> {
        let start = Instant::now();
        let patience = self.budget.mul_f64(PATIENCE * self.share(store));
        let todo: Vec<&Planned> = self.todo(store).collect();
        let mut left: u64 = todo.iter().map(|planned| planned.weight()).sum();
        let (of, measured_before) = (self.plan.len(), self.plan.len() - todo.len());
        save(store)?;
        for (number, planned) in todo.into_iter().enumerate() {
            listener(Progress::Begins { number: measured_before + number, of, cell: planned });
            let rest = time.saturating_sub(start.elapsed());
            let share = rest.mul_f64(planned.weight() as f64 / left.max(1) as f64);
            left -= planned.weight();
            let compared = planned.cell.repeats > 0 && !self.budget.is_zero();
            if !compared && start.elapsed() >= patience {
                store.skip(planned, self.number, lab.device());
            } else {
                let protocol = protocol(lab, share);
                let began = start.elapsed();
                let measured = lab.measure(&planned.cell, &protocol, go_on)?;
                if !go_on() {
                    break;
                }
                listener(Progress::Measured { cell: planned, took: start.elapsed() - began, share });
                store.add(planned, self.number, measured);
                store.judge(lab.pace());
            }
            save(store)?;
        }
        if self.todo(store).next().is_none() {
            self.measure_again(time.mul_f64(AGAIN), lab, store, listener, go_on)?;
        }
        store.complete =
            (1..=PROCESSES).all(|number| Process { number, ..*self }.todo(store).next().is_none());
        save(store)
    }

    /// Measures again the cells during which the device was slow, as long as this time lasts.
    fn measure_again(
        &self,
        time: Duration,
        lab: &mut dyn Lab,
        store: &mut Store,
        listener: Listener<'_>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<(), LabError> {
        let start = Instant::now();
        let unsettled: Vec<&Planned> =
            self.plan.iter().filter(|planned| store.is_unsettled(&planned.id, self.number)).collect();
        for (number, planned) in unsettled.iter().enumerate() {
            let left = time.saturating_sub(start.elapsed());
            if left.is_zero() {
                break;
            }
            let protocol = protocol(lab, left / (unsettled.len() - number) as u32);
            let measured = lab.measure(&planned.cell, &protocol, go_on)?;
            if !go_on() {
                break;
            }
            store.measured_again(&planned.id, self.number, measured);
            store.judge(lab.pace());
        }
        let still = unsettled.iter().filter(|planned| store.is_unsettled(&planned.id, self.number)).count();
        if !unsettled.is_empty() {
            listener(Progress::Note(format!(
                "{} of {} cells were measured while the device ran below its full speed; after a second measurement \
                 {still} are still slow, and the report says so",
                unsettled.len(),
                self.plan.len(),
            )));
        }
        Ok(())
    }
}

/// The protocol for a cell. Rounds are pairs, and a yardstick that has settled is warm enough.
fn protocol(lab: &dyn Lab, share: Duration) -> Protocol {
    let warm_up = Duration::from_millis(20);
    Protocol { in_pairs: true, most: 41, warm_up, ..Protocol::new(lab.device().software, share) }
}
