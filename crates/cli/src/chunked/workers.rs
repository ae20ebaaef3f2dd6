//! Devices that take pieces, as fast as each is. What a scan carries goes from one to the other on the host; a device that
//! fails gives its piece to the others.

use std::collections::BTreeMap;
use std::mem;
use std::sync::mpsc::{Receiver, SyncSender};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use anyhow::Context;
use rasterscan::ScanSpec;
use rasterscan::algorithm::results::Results;
use rasterscan::scan::ScanKind;
use rasterscan::tools::{Numbers, Task};

use super::cut::{Cut, State};
use super::stream::Digest;

/// Consecutive numbers of a stream.
pub struct Piece {
    /// The pieces before it.
    pub index: u64,
    /// The numbers before it.
    pub at: u64,
    /// A digest of all numbers up to its end, if it is wanted.
    pub digest: Digest,
    pub numbers: Numbers,
}

/// One that solves tasks: a device, or the CPU.
pub trait Solver {
    /// Errors: the task cannot be solved here.
    fn solve(&mut self, task: &Task<'_>) -> anyhow::Result<Answer>;
}

/// The results of a task, and the depth of the passes that gave them: see [`Task::verify`].
pub struct Answer {
    pub results: Results,
    pub depth: Option<u64>,
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
    pub index: u64,
    pub at: u64,
    pub digest: Digest,
    /// All that was computed of it; the last one has its results.
    pub checks: Vec<Check>,
    /// Scans: the carries of the next piece.
    pub state: State,
    /// The device's number.
    pub device: usize,
}

/// A piece that is being solved.
struct Underway {
    index: u64,
    /// The input of the stage.
    numbers: Numbers,
    checks: Vec<Check>,
    state: State,
}

/// The work of all devices, as far as they know of each other.
pub struct Workers<'c> {
    cut: &'c Cut,
    /// The pieces in all, those before this run included.
    pieces: u64,
    devices: usize,
    shared: Mutex<Shared>,
    changed: Condvar,
}

struct Shared {
    /// Pieces of devices that failed.
    returned: BTreeMap<u64, Piece>,
    /// For each stage the carry of each piece, as far as it is known, and totals that came before their turn.
    chains: Vec<Chain>,
    taken: u64,
    /// Pieces that are solved, and pieces that are written.
    solved: u64,
    written: u64,
    alive: usize,
    stopped: bool,
    failed: Vec<(usize, String)>,
}

struct Chain {
    /// The carry of each piece from `first` on, as far as it is known.
    carries: Vec<Numbers>,
    first: u64,
    /// Totals of pieces whose own carry is not known yet.
    totals: BTreeMap<u64, Numbers>,
}

/// The reason why a device could not go on, and the pieces that it had.
type Failure = (anyhow::Error, Vec<Piece>);

/// The end of a wait for a carry.
enum Wait {
    Carry(Numbers),
    /// The carry depends on this piece, which nobody else solves.
    Help(Piece),
    Stopped,
}

impl<'c> Workers<'c> {
    /// `first` pieces are done already, and left this state.
    pub fn new(cut: &'c Cut, pieces: u64, first: u64, state: &State, devices: usize) -> Workers<'c> {
        let chain = |carry: &Numbers| Chain { carries: vec![carry.clone()], first, totals: BTreeMap::new() };
        let shared = Shared {
            returned: BTreeMap::new(),
            chains: if cut.has_carry() { state.iter().map(chain).collect() } else { Vec::new() },
            taken: first,
            solved: first,
            written: first,
            alive: devices,
            stopped: false,
            failed: Vec::new(),
        };
        Workers { cut, pieces, devices, shared: Mutex::new(shared), changed: Condvar::new() }
    }

    /// Pieces that may be underway at a time, of all devices together: none waits long for one that is slower.
    pub fn window(devices: usize) -> u64 {
        if devices == 1 { 1 } else { 2 * devices as u64 }
    }

    fn lock(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change<R>(&self, change: impl FnOnce(&mut Shared) -> R) -> R {
        let changed = change(&mut self.lock());
        self.changed.notify_all();
        changed
    }

    /// Ends all work soon.
    pub fn stop(&self) {
        self.change(|shared| shared.stopped = true);
    }

    /// Notes that one more piece is written.
    pub fn wrote(&self) {
        self.change(|shared| shared.written += 1);
    }

    /// The devices that failed, by their numbers, and why.
    pub fn failed(&self) -> Vec<(usize, String)> {
        self.lock().failed.clone()
    }

    /// Solves pieces on a device until all are done.
    ///
    /// Errors: that of the device, if it was the last one.
    pub fn work(
        &self,
        device: usize,
        solver: &mut dyn Solver,
        pieces: &Mutex<Receiver<Piece>>,
        done: &SyncSender<Done>,
    ) -> anyhow::Result<()> {
        while let Some(piece) = self.take(pieces) {
            let Err((error, pieces)) = self.solve(device, solver, piece, done) else { continue };
            return self.change(|shared| {
                shared.alive -= 1;
                if shared.alive == 0 {
                    shared.stopped = true;
                    return Err(error);
                }
                shared.failed.push((device, format!("{error:#}")));
                shared.returned.extend(pieces.into_iter().map(|piece| (piece.index, piece)));
                Ok(())
            });
        }
        Ok(())
    }

    /// The next piece; `None` if there will be none.
    fn take(&self, pieces: &Mutex<Receiver<Piece>>) -> Option<Piece> {
        let mut shared = self.lock();
        loop {
            if shared.stopped || shared.solved == self.pieces {
                return None;
            }
            if let Some((_, piece)) = shared.returned.pop_first() {
                return Some(piece);
            }
            if shared.taken < self.pieces && shared.taken < shared.written + Self::window(self.devices) + 1 {
                shared.taken += 1;
                drop(shared);
                let next = pieces.lock().unwrap_or_else(PoisonError::into_inner).recv();
                if next.is_err() {
                    // The reader has failed, and says why.
                    self.stop();
                }
                return next.ok();
            }
            shared = self.changed.wait(shared).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn solve(
        &self,
        device: usize,
        solver: &mut dyn Solver,
        piece: Piece,
        done: &SyncSender<Done>,
    ) -> Result<(), Failure> {
        let Piece { index, at, digest, numbers } = piece;
        let mut piece = Underway { index, numbers, checks: Vec::new(), state: Vec::new() };
        for stage in 0..self.cut.stages() {
            match self.solve_stage(stage, device, solver, &mut piece, done) {
                Ok(true) => {}
                Ok(false) => return Ok(()),
                Err((error, mut pieces)) => {
                    let numbers = match piece.checks.first() {
                        Some(check) => check.task.inputs()[0].clone(),
                        None => piece.numbers,
                    };
                    pieces.push(Piece { index, at, digest, numbers });
                    return Err((error, pieces));
                }
            }
        }
        let Underway { checks, state, .. } = piece;
        self.change(|shared| shared.solved += 1);
        // Without a receiver the run has ended, and its error says why.
        let _ = done.send(Done { index, at, digest, checks, state, device });
        Ok(())
    }

    /// Solves a stage of a piece, and pieces that its carry waits for. Returns false if all work is to end.
    fn solve_stage(
        &self,
        stage: usize,
        device: usize,
        solver: &mut dyn Solver,
        piece: &mut Underway,
        done: &SyncSender<Done>,
    ) -> Result<bool, Failure> {
        let alone = |error: anyhow::Error| (error, Vec::new());
        let (cut, len) = (self.cut, piece.numbers.len() as u64);
        let (mut carry, mut total) = (None, None);
        if let Some(reduction) = cut.total(len) {
            if self.devices > 1 {
                let task = Task::new(&reduction, [&piece.numbers]).map_err(anyhow::Error::from);
                let answer = task.and_then(|task| solver.solve(&task)).map_err(alone)?;
                let told = answer.results.first().map(|total| self.tell(stage, piece.index, total));
                told.unwrap_or(Ok(())).map_err(alone)?;
                total = Some(answer);
            }
            carry = loop {
                match self.wait(stage, piece.index) {
                    Wait::Carry(carry) => break Some(carry),
                    Wait::Help(other) => self.solve(device, solver, other, done)?,
                    Wait::Stopped => return Ok(false),
                }
            };
        }
        let request = cut.request(len, stage);
        let exclusive = request.get::<ScanSpec>().is_some_and(|spec| spec.kind == ScanKind::Exclusive);
        let numbers = mem::replace(&mut piece.numbers, Numbers::U32(Vec::new()));
        let inputs = [numbers].into_iter().chain(cut.beside(carry.as_ref()));
        let task = Task::new(request, inputs).map_err(|error| alone(error.into()))?;
        let answer = match solver.solve(&task) {
            Ok(answer) => answer,
            Err(error) => {
                piece.numbers = task.inputs()[0].clone();
                return Err(alone(error));
            }
        };
        if carry.is_some() {
            let after = match &total {
                None => cut.carry_after(task.inputs()[0], &answer.results, exclusive).inspect(|after| {
                    self.change(|shared| shared.chains[stage].carries.push(after.clone()));
                }),
                // Its own total was told before it had its carry.
                Some(_) => self.lock().chains[stage].get(piece.index + 1).cloned().context("a carry"),
            };
            piece.state.push(after.map_err(alone)?);
        }
        if stage + 1 < cut.stages()
            && let Some(next) = answer.results.first()
        {
            piece.numbers = next.clone();
        }
        piece.checks.push(Check { task, answer, total });
        Ok(true)
    }

    /// Tells the total of a piece, from which the carries of later ones follow. What was told of it before stays.
    ///
    /// Errors: memory.
    fn tell(&self, stage: usize, index: u64, total: &Numbers) -> anyhow::Result<()> {
        self.change(|shared| {
            let Chain { carries, first, totals } = &mut shared.chains[stage];
            totals.entry(index).or_insert_with(|| total.clone());
            loop {
                // Each carry, but for the first, took a total.
                let next = *first + carries.len() as u64 - 1;
                let (Some(total), Some(carry)) = (totals.remove(&next), carries.last()) else {
                    return Ok(());
                };
                let after = self.cut.after(carry, &total)?;
                carries.push(after);
            }
        })
    }

    /// Waits for the carry of a piece.
    fn wait(&self, stage: usize, index: u64) -> Wait {
        let mut shared = self.lock();
        loop {
            if shared.stopped {
                return Wait::Stopped;
            }
            if let Some(carry) = shared.chains[stage].get(index) {
                return Wait::Carry(carry.clone());
            }
            if shared.returned.first_key_value().is_some_and(|(other, _)| *other < index)
                && let Some((_, piece)) = shared.returned.pop_first()
            {
                return Wait::Help(piece);
            }
            shared = self.changed.wait(shared).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Chain {
    /// The carry of a piece, if it is known.
    fn get(&self, index: u64) -> Option<&Numbers> {
        self.carries.get(usize::try_from(index.checked_sub(self.first)?).ok()?)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::mpsc::{Sender, channel, sync_channel};

    use anyhow::bail;
    use rasterscan::tools::Job;
    use rasterscan::tools::problem::InputInfo;

    use super::*;

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

    /// Solves 20 numbers in pieces of 3, on devices that fail after so many tasks. The first one has the first piece, and,
    /// if it fails at once, does so when the second one waits for it. Returns the results, what failed, and the errors.
    fn solve(words: &str, lasts: &[usize]) -> (Vec<Numbers>, Vec<(usize, String)>, Vec<String>) {
        let job = Job::parse(words.split(' ')).unwrap();
        let numbers: Vec<u32> = (0..20).map(|number| number * 7 % 5).collect();
        let cut = Cut::new(&job, InputInfo::new(rasterscan::ElementType::U32, 20), None).unwrap();
        let workers = Workers::new(&cut, 7, 0, &cut.first().unwrap(), lasts.len());
        let (filled, pieces) = sync_channel::<Piece>(0);
        let (done, solved) = sync_channel::<Done>(0);
        // Without workers, the reader's next piece has no receiver.
        let pieces = Arc::new(Mutex::new(pieces));
        std::thread::scope(|scope| {
            scope.spawn(move || {
                for (index, piece) in (0..).zip(numbers.chunks(3)) {
                    let piece =
                        Piece { index, at: 3 * index, digest: Digest::NONE, numbers: piece.to_vec().into() };
                    if filled.send(piece).is_err() {
                        return;
                    }
                }
            });
            let (tell, mut sign) = channel();
            let mut threads = Vec::new();
            for (device, left) in lasts.iter().enumerate() {
                let (begins, begun) = channel();
                // The second device tells the first one when it begins, and so on.
                let sign = std::mem::replace(&mut sign, channel().1);
                let mut fake =
                    Fake { left: *left, begins, sign: (device == 0 && lasts.len() > 1).then_some(sign) };
                let (done, workers, pieces) = (done.clone(), &workers, pieces.clone());
                threads.push(scope.spawn(move || workers.work(device, &mut fake, &pieces, &done)));
                let _ = begun.recv();
                if device == 1 {
                    let _ = tell.send(());
                }
                scope.spawn(move || begun.into_iter().for_each(drop));
            }
            drop((done, pieces));
            let mut results = BTreeMap::new();
            for mut one in solved {
                let check = one.checks.pop().unwrap();
                for check in one.checks.iter().chain([&check]) {
                    check.task.verify(None, &check.answer.results).unwrap();
                }
                assert!(results.insert(one.index, check.answer.results).is_none(), "solved twice");
                workers.wrote();
            }
            let errors = threads.into_iter().filter_map(|thread| thread.join().unwrap().err());
            let errors = errors.map(|error| error.to_string()).collect();
            let mut state = Vec::new();
            let mut written = Vec::new();
            for (index, results) in results {
                written.extend(cut.fold(&mut state, 3 * index, results).unwrap());
            }
            let short = cut.results(state).unwrap();
            let results =
                short.map_or(written, |short| short.into_iter().map(|(_, numbers)| numbers).collect());
            (results, workers.failed(), errors)
        })
    }

    #[test]
    fn a_device_that_fails_gives_its_pieces_to_the_others() {
        for words in
            ["scan ramp", "scan ramp --order 2 --exclusive", "reduce ramp --op argmin", "compact ramp"]
        {
            let (expected, none, _) = solve(words, &[99]);
            assert!(none.is_empty());
            for lasts in [&[99, 99][..], &[0, 99], &[1, 99], &[3, 99], &[99, 2], &[0, 99, 2], &[2, 0, 99]] {
                let (results, failed, errors) = solve(words, lasts);
                assert_eq!(results, expected, "{words}, {lasts:?}");
                assert!(errors.is_empty(), "{errors:?}");
                let failed: Vec<usize> = failed.iter().map(|(device, _)| *device).collect();
                assert!(failed.iter().all(|device| lasts[*device] < 99), "{words}, {lasts:?}: {failed:?}");
                // One that never solves anything has its first piece.
                assert!(lasts[0] > 0 || failed.contains(&0), "{words}, {lasts:?}");
            }
            // Of the last one, the error is that of the run.
            let (_, failed, errors) = solve(words, &[1, 1]);
            assert_eq!((failed.len(), errors), (1, vec!["it fell off the bus".to_owned()]), "{words}");
        }
    }
}
