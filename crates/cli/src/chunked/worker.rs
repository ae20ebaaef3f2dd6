//! A device that takes pieces, as fast as it is.

use std::mem;
use std::sync::mpsc::SyncSender;

use anyhow::Context;
use rasterscan::tools::{Numbers, Task};

use super::cut::{self, State};
use super::schedule::{Answer, Carry, Piece, Place, Schedule};

/// One that solves tasks: a device, or the CPU.
pub trait Solver {
    /// Errors: the task cannot be solved here.
    fn solve(&mut self, task: &Task<'_>) -> anyhow::Result<Answer>;
}

/// Something that was computed, and is to be checked.
pub struct Check {
    pub task: Task<'static>,
    pub answer: Answer,
    /// The total of the task's first input, if other devices waited for it.
    pub total: Option<Answer>,
}

/// A piece that is solved and not yet checked.
pub struct Done {
    pub place: Place,
    /// All that was computed of it; the last one has its results.
    pub checks: Vec<Check>,
    /// Scans: the carries of the next piece.
    pub state: State,
    /// The device's number.
    pub device: usize,
}

/// A device at work.
pub struct Worker<'w> {
    pub schedule: &'w Schedule<'w>,
    pub device: usize,
    pub solver: &'w mut dyn Solver,
    pub done: SyncSender<Done>,
}

impl Worker<'_> {
    /// Solves pieces until all are done.
    ///
    /// Errors: that of the device, if it was the last one.
    pub fn work(&mut self) -> anyhow::Result<()> {
        while let Some(piece) = self.schedule.take(self.device) {
            if let Err(error) = self.solve(piece) {
                return self.schedule.fail(self.device, error);
            }
        }
        Ok(())
    }

    fn solve(&mut self, Piece { place, mut numbers }: Piece) -> anyhow::Result<()> {
        let mut done = Done { place, checks: Vec::new(), state: Vec::new(), device: self.device };
        for stage in 0..self.schedule.cut.stages() {
            if let Err(error) = self.solve_stage(stage, &mut numbers, &mut done) {
                let first = done.checks.first().map(|check| check.task.inputs()[0].clone());
                self.schedule.give_back(Piece { place, numbers: first.unwrap_or(numbers) });
                return Err(error);
            }
        }
        self.schedule.solved();
        // Without a receiver the run has ended, and its error says why.
        let _ = self.done.send(done);
        Ok(())
    }

    /// Solves a stage of a piece, and leaves the numbers of the next one.
    fn solve_stage(&mut self, stage: usize, numbers: &mut Numbers, done: &mut Done) -> anyhow::Result<()> {
        let Schedule { cut, .. } = self.schedule;
        let index = done.place.index;
        let total = if cut.has_carry() && self.schedule.is_shared() {
            Some(self.total(stage, index, numbers)?)
        } else {
            None
        };
        let carry = if cut.has_carry() { Some(self.carry(stage, index)?) } else { None };
        let len = numbers.len() as u64;
        let request = cut.request(len, stage);
        let beside = cut.beside(carry.as_ref());
        let answer = if let Some(carry) = &carry {
            let first = cut.lead(carry, numbers)?;
            let answer = Task::new(&request, [&*numbers]).map_err(Into::into);
            let answer = answer.and_then(|task| self.solver.solve(&task));
            // A device that fails gives the piece back as it was.
            cut::begin(numbers, &first);
            let Answer { results, depth } = answer?;
            Answer { results: cut.led(stage, carry, results), depth }
        } else {
            self.solver.solve(&Task::new(&request, [&*numbers].into_iter().chain(&beside))?)?
        };
        if carry.is_some() {
            if total.is_none() {
                let after = cut.carry_after(stage, numbers, &answer.results)?;
                self.schedule.note_carry(stage, index + 1, after);
            }
            done.state.push(self.carry(stage, index + 1)?);
        }
        let is_last = stage + 1 == cut.stages();
        let next = answer.results.first().filter(|_| !is_last).cloned();
        let numbers = mem::replace(numbers, next.unwrap_or(Numbers::U32(Vec::new())));
        let task = Task::new(cut.checked(len, stage), [numbers].into_iter().chain(beside))?;
        done.checks.push(Check { task, answer, total });
        Ok(())
    }

    /// The total of a piece, which others wait for: that of a device that failed, if it had one.
    fn total(&mut self, stage: usize, index: u64, numbers: &Numbers) -> anyhow::Result<Answer> {
        if let Some(total) = self.schedule.total(stage, index) {
            return Ok(total);
        }
        let reduction = self.schedule.cut.total(numbers.len() as u64).context("a scan")?;
        let total = self.solver.solve(&Task::new(&reduction, [numbers])?)?;
        self.schedule.note_total(stage, index, total.clone())?;
        Ok(total)
    }

    /// The carry of a piece. Until it is known, solves the pieces of devices that failed, of which it may be.
    fn carry(&mut self, stage: usize, index: u64) -> anyhow::Result<Numbers> {
        loop {
            match self.schedule.carry(stage, index)? {
                Carry::Known(carry) => return Ok(carry),
                Carry::After(other) => self.solve(other)?,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::mpsc::{Receiver, Sender, channel, sync_channel};

    use anyhow::bail;
    use rasterscan::algorithm::results::Results;
    use rasterscan::tools::Job;
    use rasterscan::tools::problem::{InputInfo, Spec};

    use super::*;
    use crate::chunked::cut::Cut;

    /// The reference, which fails after so many tasks. It says when it begins one, and waits for a sign before it fails.
    struct Fake {
        left: usize,
        begins: Sender<()>,
        sign: Option<Receiver<()>>,
    }

    impl Solver for Fake {
        fn solve(&mut self, task: &Task<'_>) -> anyhow::Result<Answer> {
            let _ = self.begins.send(());
            if self.left == 0 {
                self.sign.take().map(|sign| sign.recv());
                bail!("it fell off the bus");
            }
            self.left -= 1;
            Ok(Answer { results: task.solve()?, depth: None })
        }
    }

    /// Solves a job in pieces of 4 numbers, on devices that fail after so many tasks. The first one has the first piece, and,
    /// if it fails at once, does so when the second one waits for it. Returns the results' words, and what failed.
    fn solve(
        cut: &Cut,
        input: &Numbers,
        lasts: &[usize],
    ) -> (Vec<Vec<u32>>, anyhow::Result<BTreeMap<usize, String>>) {
        let schedule = &Schedule::new(cut);
        schedule.start(0..lasts.len(), cut.len.div_ceil(4), 0, &cut.first().unwrap());
        let (done, solved) = sync_channel::<Done>(0);
        let (mut results, mut in_order) = (BTreeMap::new(), 0);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let words = 4 * input.element().words() as usize;
                for (index, piece) in (0..).zip(input.words().chunks(words)) {
                    let numbers = Numbers::of_bytes(input.element(), bytemuck::cast_slice(piece));
                    if !schedule.offer(Piece { place: place(index), numbers }) {
                        return;
                    }
                }
            });
            let (tell, mut sign) = channel();
            for (device, left) in lasts.iter().enumerate() {
                let (begins, begun) = channel();
                // The second device tells the first one when it begins, and so on.
                let sign = mem::replace(&mut sign, channel().1);
                let sign = (device == 0 && lasts.len() > 1).then_some(sign);
                let mut fake = Fake { left: *left, begins, sign };
                let done = done.clone();
                scope.spawn(move || {
                    schedule.guard(|| Worker { schedule, device, solver: &mut fake, done }.work());
                });
                let _ = begun.recv();
                if device == 1 {
                    let _ = tell.send(());
                }
                scope.spawn(move || begun.into_iter().for_each(drop));
            }
            drop(done);
            for mut one in solved {
                for Check { task, answer, total } in &one.checks {
                    task.verify(None, &answer.results).unwrap();
                    assert_eq!(total.is_some(), lasts.len() > 1 && cut.has_carry());
                }
                let last = one.checks.pop().unwrap();
                assert!(results.insert(one.place.index, last.answer.results).is_none(), "solved twice");
                // As they are written.
                while results.contains_key(&in_order) {
                    schedule.wrote();
                    in_order += 1;
                }
            }
        });
        let mut state = Vec::new();
        let mut written = vec![Vec::new(); cut.outputs().len()];
        for (index, results) in results {
            let now = cut.fold(&mut state, place(index).begin, results).unwrap();
            written.iter_mut().zip(&now).for_each(|(written, now)| written.extend(now.words()));
        }
        if let Some(short) = cut.results(state).unwrap() {
            written = short.iter().map(|(_, numbers)| numbers.words().to_vec()).collect();
        }
        (written, schedule.failed())
    }

    fn place(index: u64) -> Place {
        Place { index, begin: 4 * index, end: 4 * index + 4, digest: 0 }
    }

    /// Every problem, against its reference.
    #[test]
    fn pieces_put_together_are_the_whole_even_if_devices_fail() {
        let input = "values:3,1,7,0,4,1,6,3,9,2,5,8,3,7,7,0,9,0,0,1,5,2";
        for words in [
            "scan",
            "scan --exclusive --tuple 2 --op max",
            "scan --order 3 --exclusive",
            "scan --op affine --dtype i64 --order 2",
            "scan --seed-value 5 --exclusive",
            "reduce --op mul --tuple 2",
            "reduce --op argmin --tuple 2",
            "reduce --op argmax",
            "reduce --op affine",
            "compact --moves both",
            "histogram --bins 3 --range 0..8",
        ] {
            let job = Job::parse(words.split(' ').chain([input])).unwrap();
            let streams = job.streams().unwrap();
            let cut = Cut::new(&job, InputInfo::of(&streams[0]), streams.get(1).cloned()).unwrap();
            let whole = cut.whole.solve(&streams.iter().collect::<Vec<_>>()).unwrap();
            let expected: Vec<&[u32]> = whole.streams().map(|(_, numbers)| numbers.words()).collect();
            for lasts in
                [&[99][..], &[99, 99], &[0, 99], &[1, 99], &[3, 99], &[99, 2], &[0, 99, 2], &[2, 0, 99]]
            {
                let (results, failed) = solve(&cut, &streams[0], lasts);
                assert_eq!(results, expected, "{words}, {lasts:?}");
                let failed = failed.unwrap();
                assert!(failed.keys().all(|device| lasts[*device] < 99), "{words}, {lasts:?}: {failed:?}");
                // One that never solves anything has its first piece.
                assert!(lasts[0] > 0 || failed.contains_key(&0), "{words}, {lasts:?}");
            }
            // Of the last one, the error is that of the run.
            let error = solve(&cut, &streams[0], &[1, 1]).1.unwrap_err();
            assert_eq!(error.to_string(), "it fell off the bus", "{words}");
        }
    }

    /// A total that a device told before it failed is checked with its piece, by whichever device has that then.
    #[test]
    fn a_total_of_a_device_that_failed_is_checked() {
        let job = Job::parse(["scan", "ramp"]).unwrap();
        let cut = Cut::new(&job, InputInfo::new(rasterscan::ElementType::U32, 4), None).unwrap();
        let schedule = &Schedule::new(&cut);
        schedule.start(0..2, 2, 0, &cut.first().unwrap());
        let wrong = Numbers::from(vec![99u32]);
        let results = Results::new(cut.total(2).unwrap().outputs().into_iter().zip([wrong]));
        schedule.note_total(0, 0, Answer { results: results.clone(), depth: None }).unwrap();
        schedule.give_back(Piece { place: place(0), numbers: vec![1u32, 2].into() });
        let (done, solved) = sync_channel::<Done>(1);
        let mut fake = Fake { left: 1, begins: channel().0, sign: None };
        let mut worker = Worker { schedule, device: 1, solver: &mut fake, done };
        let piece = schedule.take(1).unwrap();
        worker.solve(piece).unwrap();
        let check = solved.recv().unwrap().checks.pop().unwrap();
        assert_eq!(check.total.unwrap().results, results);
    }
}
