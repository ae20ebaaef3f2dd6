//! The work that ranks do together, by collectives that do not block: a rank that waits too long asks the others, names those who
//! do not answer, and ends the job.

use std::fmt::Display;
use std::io::Write;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use mpi::collective::{SystemOperation, UserOperation};
use mpi::datatype::{MutView, Partition, PartitionMut, UserDatatype, View};
use mpi::request::{Request, Scope, StaticScope, scope};
use mpi::topology::{Color, SimpleCommunicator};
use mpi::traits::*;
use rasterscan::Operator;
use rasterscan_mpi::part::{combine, identity};

/// The question of a rank that has waited too long, and the answer to it.
const ASK: i32 = 1;
const HERE: i32 = 2;
static BYTE: u8 = 0;

/// How long a rank may take to answer. It answers while it waits.
const GRACE: Duration = Duration::from_secs(1);

/// A group of ranks, and how long they wait for each other.
pub struct Ranks {
    comm: SimpleCommunicator,
    deadline: Duration,
    /// The most elements from a rank to another at a time: counts and places in MPI have 32 bits.
    message: usize,
    /// The number of this rank among those of its host.
    pub on_host: usize,
}

impl Ranks {
    pub fn new(comm: SimpleCommunicator, on_host: usize, deadline: Duration, message: usize) -> Ranks {
        let message = message.min((1 << 30) / comm.size() as usize).max(1);
        Ranks { comm, deadline, message, on_host }
    }

    /// The first `count` ranks; `None` in the others.
    pub fn first(&self, count: usize) -> Option<Ranks> {
        let color = if self.rank() < count { Color::with_value(0) } else { Color::undefined() };
        let split = || self.comm.split_by_color(color);
        let comm = within(self.deadline, "the choice of the first ranks", split)?;
        Some(Ranks::new(comm, self.on_host, self.deadline, self.message))
    }

    pub fn rank(&self) -> usize {
        self.comm.rank() as usize
    }

    pub fn count(&self) -> usize {
        self.comm.size() as usize
    }

    /// The start of a rank's share of `len` items; that of one rank more is the end of the last share.
    pub fn start(&self, rank: usize, len: u64) -> u64 {
        (u128::from(len) * rank as u128 / self.count() as u128) as u64
    }

    /// The share of this rank of `len` items.
    pub fn share(&self, len: u64) -> std::ops::Range<u64> {
        self.start(self.rank(), len)..self.start(self.rank() + 1, len)
    }

    /// Says what went wrong in this rank, and ends all.
    pub fn abort(&self, error: &str) -> ! {
        abort(&self.comm, error)
    }

    pub fn barrier(&self) {
        self.wait(self.comm.immediate_barrier(), "a barrier");
    }

    /// Does something in one rank of each host after the other.
    pub fn in_turns<R, E>(&self, work: impl FnOnce() -> Result<R, E>) -> Result<R, E> {
        let of_ranks = self.gather(&[self.on_host as u64]);
        let last = of_ranks.iter().max().map_or(0, |last| *last as usize);
        let wait = |turns: std::ops::Range<usize>| turns.for_each(|_| self.barrier());
        wait(0..self.on_host);
        let done = work()?;
        wait(self.on_host..last);
        Ok(done)
    }

    /// The combination of what all earlier ranks give, in their order.
    pub fn exscan(&self, operator: &Operator, own: &[u32]) -> Vec<u32> {
        let len = own.len();
        // An item travels as one element: MPI may cut a message between two.
        let datatype = UserDatatype::contiguous(len as i32, &u32::equivalent_datatype());
        let combined = UserOperation::new(operator.commutes(), |earlier, mut later| {
            let words = len * later.len();
            // SAFETY: both buffers hold `later.len()` elements of `datatype`, `len` words each, and do not overlap.
            let (earlier, later) = unsafe {
                use std::slice::{from_raw_parts, from_raw_parts_mut};
                (
                    from_raw_parts(earlier.as_ptr().cast(), words),
                    from_raw_parts_mut(later.as_mut_ptr().cast(), words),
                )
            };
            for (earlier, later) in earlier.chunks_exact(len).zip(later.chunks_exact_mut(len)) {
                let sum = combine::<u32>(operator, earlier, later);
                later.copy_from_slice(&sum);
            }
        });
        let mut carry = identity(operator);
        // SAFETY: each buffer is one element of `datatype`.
        let (own, mut carried) = unsafe {
            (
                View::with_count_and_datatype(own, 1, &datatype),
                MutView::with_count_and_datatype(&mut carry[..], 1, &datatype),
            )
        };
        scope(|scope| {
            let request = self.comm.immediate_exclusive_scan_into(scope, &own, &mut carried, &combined);
            self.wait(request, "the exchange of totals");
        });
        // The first rank has received nothing that is defined.
        if self.rank() == 0 { identity(operator) } else { carry }
    }

    /// The sum of what all earlier ranks give, and that of all.
    pub fn sums(&self, own: u64) -> (u64, u64) {
        let (mut before, mut all) = (0u64, 0u64);
        let doing = "the exchange of counts";
        scope(|scope| {
            let request =
                self.comm.immediate_exclusive_scan_into(scope, &own, &mut before, SystemOperation::sum());
            self.wait(request, doing);
        });
        scope(|scope| {
            let request = self.comm.immediate_all_reduce_into(scope, &own, &mut all, SystemOperation::sum());
            self.wait(request, doing);
        });
        (if self.rank() == 0 { 0 } else { before }, all)
    }

    /// As many numbers of each rank, one rank after the other.
    pub fn gather(&self, own: &[u64]) -> Vec<u64> {
        let mut all = vec![0; own.len() * self.count()];
        scope(|scope| {
            let request = self.comm.immediate_all_gather_into(scope, own, &mut all[..]);
            self.wait(request, "a gathering of numbers");
        });
        all
    }

    /// Gives `counts[r]` elements to rank `r`, one stretch after the other, and returns what came from all ranks, in their
    /// order.
    pub fn exchange(&self, elements: &[u32], counts: &[u64]) -> Vec<u32> {
        let doing = "the exchange of elements";
        let mut coming = vec![0u64; self.count()];
        scope(|scope| {
            self.wait(self.comm.immediate_all_to_all_into(scope, counts, &mut coming[..]), doing);
        });
        let most = counts.iter().max().map_or(0, |most| most.div_ceil(self.message as u64));
        let mut rounds = 0u64;
        scope(|scope| {
            let request =
                self.comm.immediate_all_reduce_into(scope, &most, &mut rounds, SystemOperation::max());
            self.wait(request, doing);
        });
        let starts = |counts: &[u64]| -> Vec<usize> { before(counts).map(|start| start as usize).collect() };
        let (from, to) = (starts(counts), starts(&coming));
        let mut received = vec![0; coming.iter().sum::<u64>() as usize];
        let (rank, count) = (self.rank(), self.count());
        let (next, previous) = ((rank + 1) % count, (rank + count - 1) % count);
        for round in 0..rounds as usize {
            let done = round * self.message;
            let left = |count: u64| (count as usize).saturating_sub(done).min(self.message);
            // A word to the next rank follows its stretch: Open MPI 4.1.4 hangs where some ranks have nothing to send or to
            // receive, and the next collective of theirs meets this one of others.
            let lengths = |counts: &[u64], padded: usize| -> Vec<i32> {
                let length = |(rank, count): (usize, &u64)| left(*count) as i32 + i32::from(rank == padded);
                counts.iter().enumerate().map(length).collect()
            };
            let (going, arriving) = (lengths(counts, next), lengths(&coming, previous));
            let mut packed = Vec::with_capacity(going.iter().sum::<i32>() as usize);
            for rank in 0..count {
                packed.extend(elements[from[rank]..].iter().skip(done).take(left(counts[rank])));
                packed.extend((rank == next).then_some(0));
            }
            let mut unpacked = vec![0u32; arriving.iter().sum::<i32>() as usize];
            let places = |lengths: &[i32]| -> Vec<i32> { before(lengths).collect() };
            let (from_places, to_places) = (places(&going), places(&arriving));
            let packed = Partition::new(&packed[..], &going[..], &from_places[..]);
            let mut unpacking = PartitionMut::new(&mut unpacked[..], &arriving[..], &to_places[..]);
            scope(|scope| {
                let request = self.comm.immediate_all_to_all_varcount_into(scope, &packed, &mut unpacking);
                self.wait(request, doing);
            });
            for (rank, place) in to_places.iter().enumerate() {
                let words = unpacked[*place as usize..].iter().take(left(coming[rank]));
                received[to[rank]..].iter_mut().skip(done).zip(words).for_each(|(to, word)| *to = *word);
            }
        }
        received
    }

    /// Waits for a collective, answers those who ask meanwhile, and asks after the deadline. Ranks ask one after the other,
    /// and leave it to a lower one that has asked, so that one of them speaks.
    fn wait<'a, D: ?Sized, S: Scope<'a>>(&self, mut request: Request<'a, D, S>, doing: &str) {
        let since = Instant::now();
        let deadline = self.deadline + GRACE / 4 * self.rank().min(8) as u32;
        let mut asked = None;
        let mut here = vec![false; self.count()];
        let mut grace = GRACE;
        loop {
            match request.test() {
                Ok(_) => return,
                Err(unfinished) => request = unfinished,
            }
            thread::yield_now();
            // Most collectives end within a millisecond.
            if since.elapsed() < Duration::from_millis(1) {
                continue;
            }
            while let Some(rank) = self.received(ASK) {
                self.send(rank, HERE);
                grace = if rank < self.rank() { 3 * GRACE } else { grace };
            }
            if asked.is_none() && since.elapsed() > deadline {
                asked = Some(Instant::now());
                (0..self.count()).filter(|rank| *rank != self.rank()).for_each(|rank| self.send(rank, ASK));
                here[self.rank()] = true;
            }
            while let Some(rank) = self.received(HERE) {
                here[rank] = true;
            }
            if asked.is_some_and(|asked| asked.elapsed() > grace) {
                let silent: Vec<String> = (0..self.count())
                    .filter(|rank| !here[*rank])
                    .map(|rank| format!("rank {rank}"))
                    .collect();
                let silent = match &silent[..] {
                    [] => "all ranks answer".into(),
                    _ => format!("no answer from {}", silent.join(", ")),
                };
                self.abort(&format!("{doing} has not ended for {} s: {silent}", since.elapsed().as_secs()));
            }
        }
    }

    /// The sender of a message that is there.
    fn received(&self, tag: i32) -> Option<usize> {
        let (message, _) = self.comm.any_process().immediate_matched_probe_with_tag(tag)?;
        let (_, status): (u8, _) = message.matched_receive();
        Some(status.source_rank() as usize)
    }

    /// Sends a message and does not wait: it is one byte, and the job is about to end.
    fn send(&self, rank: usize, tag: i32) {
        let request = self.comm.process_at_rank(rank as i32).immediate_send_with_tag(StaticScope, &BYTE, tag);
        std::mem::forget(request);
    }
}

/// Does what MPI itself has no deadline for: its beginning, its end and a choice of ranks. If it takes too long, this rank ends at once, and
/// `mpirun` with it.
pub fn within<R>(deadline: Duration, doing: &str, work: impl FnOnce() -> R) -> R {
    let doing = doing.to_owned();
    let (done, waiting) = mpsc::channel::<()>();
    thread::spawn(move || {
        if waiting.recv_timeout(deadline) == Err(mpsc::RecvTimeoutError::Timeout) {
            let rank = std::env::var("PMIX_RANK").unwrap_or_default();
            say(&rank, &format!("{doing} has not ended for {} s: no answer from a rank", deadline.as_secs()));
            std::process::abort();
        }
    });
    let result = work();
    drop(done);
    result
}

/// A line of a rank, in one piece.
fn say(rank: impl Display, error: &str) {
    // There is nothing left to do if it cannot be said.
    let _ = std::io::stderr().write_all(format!("rank {rank}: {error}\n").as_bytes());
}

/// Says what went wrong in a rank, and ends all.
pub fn abort(comm: &SimpleCommunicator, error: &str) -> ! {
    say(comm.rank(), error);
    comm.abort(1)
}

/// The sum before each of the counts.
fn before<T: Copy + Default + std::ops::Add<Output = T>>(counts: &[T]) -> impl Iterator<Item = T> {
    counts.iter().scan(T::default(), |sum, count| {
        let before = *sum;
        *sum = *sum + *count;
        Some(before)
    })
}
