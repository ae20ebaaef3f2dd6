//! One case: each peer is verified, and those that are right are timed in turns.

use std::time::Duration;

use rasterscan::algorithm::results::Results;
use rasterscan::{
    Element, Error, ScanSpec, SortSpec,
    device::Clock,
    tools::{Request, Task, for_element},
};
use rasterscan_lab::case::Case;
use rasterscan_lab::cell::{LeftOut, Measured, Row, parameters};
use rasterscan_lab::cpu::{self, Cpu};
use rasterscan_lab::measure::{self, Batch, Laps, Protocol};

use crate::peer::{Peer, PeersWanted, Running};

/// Measures peers on a case. A peer that cannot be timed is left out, with the reason.
///
/// Errors: an invalid case, and too little memory.
pub fn measure(
    case: &Case,
    peers: &[Peer],
    wanted: &PeersWanted,
    protocol: &Protocol,
) -> Result<Measured, Error> {
    for_element!(case.element(), T => measure_as::<T>(case, peers, wanted, protocol))
}

fn measure_as<T: Element>(
    case: &Case,
    peers: &[Peer],
    wanted: &PeersWanted,
    protocol: &Protocol,
) -> Result<Measured, Error> {
    let streams = case.job().streams()?;
    let numbers: &[T] = streams[0].get()?;
    let task = Task::new(case.request()?, &streams)?;
    let mut measured = Measured::default();
    let recurrence = task.request().get::<ScanSpec>().is_some_and(|spec| spec.recurrence.is_some());
    let rows = task.request().get::<SortSpec>().is_some_and(|spec| spec.row.is_some());
    if recurrence || rows || cpu::check(Cpu::Sequential, task.request()).is_err() {
        let reason = "others run only scans and sorts of whole streams without recurrences and payloads, reductions, and compactions of values";
        measured.left_out = peers.iter().map(|peer| LeftOut::new(peer.name().into(), case, reason)).collect();
        return Ok(measured);
    }
    let mut ready: Vec<ReadyPeer<T>> = Vec::new();
    for peer in peers {
        match ReadyPeer::new(*peer, case, wanted, numbers, &task) {
            Ok(peer) => ready.push(peer),
            Err(reason) => measured.left_out.push(LeftOut::new(peer.name().into(), case, reason)),
        }
    }
    // A GPU that waits for the CPU drops to its low clock; a software renderer uses the CPU, too.
    let groups: Vec<Vec<usize>> = match wanted.software {
        true => vec![(0..ready.len()).collect()],
        false => (0..ready.len()).map(|number| vec![number]).collect(),
    };
    let mut laps = vec![Laps::default(); ready.len()];
    for group in groups.into_iter().filter(|group| !group.is_empty()) {
        let budget = protocol.budget.mul_f64(group.len() as f64 / ready.len() as f64);
        let protocol = Protocol { budget, ..*protocol };
        let own = measure::interleaved(
            group.len(),
            &protocol,
            None,
            || true,
            |number| Ok::<_, Error>(ready[group[number]].time()),
        )?;
        for (number, own) in group.into_iter().zip(own) {
            laps[number] = own;
        }
    }
    for (mut peer, laps) in ready.into_iter().zip(laps) {
        match peer.failed {
            Some(reason) => measured.left_out.push(LeftOut::new(peer.row.name, case, reason)),
            None => {
                peer.row.take(&laps);
                peer.row.clock = peer.clock.name().into();
                measured.rows.push(peer.row);
            }
        }
    }
    Ok(measured)
}

/// The results of a request, from what a peer returns: for a sort one stream after the other, indices as wide as keys.
pub fn results<T: Element>(request: &Request, returned: &[T]) -> Results {
    let values = match request.get::<SortSpec>() {
        Some(spec) if !spec.moves.values() => 0,
        Some(spec) => returned.len().min(spec.len as usize),
        None => returned.len(),
    };
    let (values, wide) = returned.split_at(values);
    let words: &[u32] = bytemuck::cast_slice(wide);
    let indices: Vec<u32> = words.iter().copied().step_by(size_of::<T>() / 4).collect();
    cpu::results(request, values, &indices)
}

/// A peer with a verified result, ready to be timed.
struct ReadyPeer<T> {
    row: Row,
    running: Box<dyn Running<T>>,
    clock: Clock,
    batch: Batch,
    /// The reason why it failed while it was timed.
    failed: Option<String>,
}

impl<T: Element> ReadyPeer<T> {
    /// Errors: the reason why it is left out.
    fn new(
        peer: Peer,
        case: &Case,
        wanted: &PeersWanted,
        numbers: &[T],
        task: &Task<'_>,
    ) -> Result<ReadyPeer<T>, String> {
        let mut running = peer.start(case, wanted, numbers)?;
        let values = running.results()?;
        let verified = task.verify(None, &results(task.request(), &values));
        let verified = verified.map_err(|mismatch| format!("its result is wrong: {mismatch}"))?;
        if !verified.holds() {
            return Err("its result cannot be verified".into());
        }
        let row = Row {
            parameters: parameters(&running.parameters()),
            verified: true,
            ..Row::named(peer.name(), case)
        };
        Ok(ReadyPeer { row, running, clock: Clock::Wall, batch: Batch::default(), failed: None })
    }

    /// The time of a run: the mean of several if one is too short for the clock. Zero for a failed peer, and not
    /// printed.
    fn time(&mut self) -> Duration {
        if self.failed.is_some() {
            return Duration::ZERO;
        }
        let (running, clock) = (&mut self.running, &mut self.clock);
        let time = self.batch.time(|runs| {
            let (time, its) = running.time(runs)?;
            *clock = its;
            Ok(time)
        });
        time.unwrap_or_else(|reason| {
            self.failed = Some(reason);
            Duration::ZERO
        })
    }
}

#[cfg(test)]
mod tests {
    use rasterscan::tools::problem::SORT;

    use super::*;

    #[test]
    fn a_sort_returns_its_streams_one_after_the_other() {
        let case = Case::new(SORT, 3).with("moves", "both").unwrap();
        let sorted = results::<u64>(&case.request().unwrap(), &[7, 8, 9, 2, 0, 1]);
        assert_eq!(sorted.get("values").unwrap().get::<u64>().unwrap(), [7, 8, 9]);
        assert_eq!(sorted.get("indices").unwrap().get::<u32>().unwrap(), [2, 0, 1]);
    }
}
