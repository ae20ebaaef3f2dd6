//! The state that the threads of a run share: pieces that wait for a device, the carries of scans, and the end. What a scan
//! carries goes from one device to the other on the host; a device that fails gives its pieces to the others.

use std::collections::{BTreeMap, BTreeSet};
use std::mem;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use anyhow::{Context, ensure};
use rasterscan::algorithm::results::Results;
use rasterscan::tools::Numbers;

use super::cut::{Cut, State};

/// Consecutive numbers of a stream.
pub struct Piece {
    pub place: Place,
    pub numbers: Numbers,
}

/// The place of a piece in its stream.
#[derive(Default, Clone, Copy)]
pub struct Place {
    /// The pieces before it.
    pub index: u64,
    /// The numbers before it, and those up to its end.
    pub begin: u64,
    pub end: u64,
    /// A digest of all numbers up to its end, if it is wanted.
    pub digest: u64,
}

/// The results of a task, and the depth of the passes that gave them: see [`Task::verify`](rasterscan::tools::Task::verify).
#[derive(Clone)]
pub struct Answer {
    pub results: Results,
    pub depth: Option<u64>,
}

/// The carry of a piece, or another piece that it waits for.
pub enum Carry {
    Known(Numbers),
    /// An earlier piece, which no other device solves.
    After(Piece),
}

/// The state that threads share.
pub struct Schedule<'c> {
    pub cut: &'c Cut,
    shared: Mutex<Shared>,
    changed: Condvar,
}

#[derive(Default)]
struct Shared {
    /// The devices that work, by their numbers; none before the start.
    devices: BTreeSet<usize>,
    /// The pieces in all, those of an interrupted run included, and how many of them are solved and written.
    pieces: u64,
    solved: u64,
    written: u64,
    /// Pieces that wait for a device: the reader's, and those of devices that failed.
    waiting: BTreeMap<u64, Piece>,
    /// For each scan of a piece.
    chains: Vec<Chain>,
    failed: BTreeMap<usize, String>,
    stopped: bool,
    error: Option<anyhow::Error>,
}

/// Facts about pieces that are not written yet, by their numbers.
#[derive(Default)]
struct Chain {
    carries: BTreeMap<u64, Numbers>,
    totals: BTreeMap<u64, Answer>,
}

/// Ends all work when it is dropped, by a panic, too.
pub struct End<'s, 'c>(&'s Schedule<'c>);

impl Drop for End<'_, '_> {
    fn drop(&mut self) {
        self.0.change(|shared| shared.stopped = true);
    }
}

/// Pieces that may be underway at a time, of all devices together: none waits long for one that is slower.
pub fn window(devices: usize) -> u64 {
    if devices == 1 { 1 } else { 2 * devices as u64 }
}

impl<'c> Schedule<'c> {
    pub fn new(cut: &'c Cut) -> Schedule<'c> {
        Schedule { cut, shared: Mutex::default(), changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change<R>(&self, change: impl FnOnce(&mut Shared) -> R) -> R {
        let changed = change(&mut self.lock());
        self.changed.notify_all();
        changed
    }

    fn wait(&self, until: impl Fn(&Shared) -> bool) -> MutexGuard<'_, Shared> {
        let waited = self.changed.wait_while(self.lock(), |shared| !until(shared));
        waited.unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts the devices; the others that are open end. `first` pieces are done already, and left this state.
    pub fn start(&self, devices: impl IntoIterator<Item = usize>, pieces: u64, first: u64, state: &State) {
        let chain = |carry: &Numbers| Chain { carries: [(first, carry.clone())].into(), ..Chain::default() };
        self.change(|shared| {
            shared.chains = state.iter().filter(|_| self.cut.has_carry()).map(chain).collect();
            (shared.pieces, shared.solved, shared.written) = (pieces, first, first);
            shared.devices = devices.into_iter().collect();
        });
    }

    /// Does the work of a thread. Its error ends all work, and so does its panic.
    pub fn guard(&self, work: impl FnOnce() -> anyhow::Result<()>) {
        let end = self.end();
        match work() {
            Ok(()) => mem::forget(end),
            Err(error) => drop(self.lock().error.get_or_insert(error)),
        }
    }

    /// Ends all work when it is dropped.
    pub fn end(&self) -> End<'_, 'c> {
        End(self)
    }

    /// The devices that failed, by their numbers, and why.
    ///
    /// Errors: the first one of a [guarded](Self::guard) thread.
    pub fn failed(&self) -> anyhow::Result<BTreeMap<usize, String>> {
        let mut shared = self.lock();
        shared.error.take().map_or_else(|| Ok(shared.failed.clone()), Err)
    }

    /// Offers the next piece, and waits until a device has taken it. Returns false if no more are wanted.
    pub fn offer(&self, piece: Piece) -> bool {
        let index = piece.place.index;
        self.give_back(piece);
        !self.wait(|shared| shared.stopped || !shared.waiting.contains_key(&index)).stopped
    }

    /// Gives a piece to whichever device is free.
    pub fn give_back(&self, piece: Piece) {
        self.change(|shared| shared.waiting.insert(piece.place.index, piece));
    }

    /// The next piece for a device; `None` if there will be none.
    pub fn take(&self, device: usize) -> Option<Piece> {
        let is_over = |shared: &Shared| {
            let is_started = !shared.devices.is_empty();
            let is_idle = shared.solved == shared.pieces || !shared.devices.contains(&device);
            shared.stopped || is_started && is_idle
        };
        let mut shared = self.wait(|shared| {
            let last = shared.written + window(shared.devices.len());
            is_over(shared) || shared.waiting.first_key_value().is_some_and(|(index, _)| *index <= last)
        });
        let piece = if is_over(&shared) { None } else { shared.waiting.pop_first() };
        drop(shared);
        self.changed.notify_all();
        piece.map(|(_, piece)| piece)
    }

    /// Notes that one more piece is solved.
    pub fn solved(&self) {
        self.change(|shared| shared.solved += 1);
    }

    /// Notes that the next piece is written, and forgets its carry.
    pub fn wrote(&self) {
        self.change(|shared| {
            shared.written += 1;
            for Chain { carries, totals } in &mut shared.chains {
                *carries = carries.split_off(&shared.written);
                *totals = totals.split_off(&shared.written);
            }
        });
    }

    /// Notes that a device failed.
    ///
    /// Errors: this one, if it was the last device.
    pub fn fail(&self, device: usize, error: anyhow::Error) -> anyhow::Result<()> {
        self.change(|shared| {
            if !shared.stopped && shared.failed.len() + 1 == shared.devices.len() {
                return Err(error);
            }
            shared.failed.insert(device, format!("{error:#}"));
            Ok(())
        })
    }

    /// Returns true if devices need the totals of each other's pieces.
    pub fn is_shared(&self) -> bool {
        self.lock().devices.len() > 1
    }

    /// The total of a piece, if a device found it before it failed.
    pub fn total(&self, stage: usize, index: u64) -> Option<Answer> {
        self.lock().chains[stage].totals.get(&index).cloned()
    }

    /// Notes the total of a piece, from which the carries of later ones follow.
    ///
    /// Errors: memory.
    pub fn note_total(&self, stage: usize, index: u64, total: Answer) -> anyhow::Result<()> {
        self.change(|shared| {
            let Chain { carries, totals } = &mut shared.chains[stage];
            totals.insert(index, total);
            while let Some((last, carry)) = carries.last_key_value()
                && let Some(total) = totals.get(last).and_then(|total| total.results.first())
            {
                let next = (last + 1, self.cut.after(carry, total)?);
                carries.extend([next]);
            }
            Ok(())
        })
    }

    /// Notes the carry of a piece.
    pub fn note_carry(&self, stage: usize, index: u64, carry: Numbers) {
        self.change(|shared| shared.chains[stage].carries.insert(index, carry));
    }

    /// Waits for the carry of a piece, or for one to solve first.
    ///
    /// Errors: all work is to end.
    pub fn carry(&self, stage: usize, index: u64) -> anyhow::Result<Carry> {
        let is_earlier = |shared: &Shared| shared.waiting.keys().next().is_some_and(|other| *other < index);
        let known = |shared: &Shared| shared.chains[stage].carries.get(&index).cloned();
        let mut shared = self.wait(|shared| shared.stopped || known(shared).is_some() || is_earlier(shared));
        ensure!(!shared.stopped, "the run has ended");
        match known(&shared) {
            Some(carry) => Ok(Carry::Known(carry)),
            None => shared.waiting.pop_first().map(|(_, piece)| Carry::After(piece)).context("a piece"),
        }
    }
}
