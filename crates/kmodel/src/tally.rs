//! The counts of instructions: number, length, latency, and accesses to each bank.

use std::collections::BTreeMap;

/// Accesses to the internal memory, summed over instructions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tally {
    /// The instructions issued: l.
    pub instructions: u64,
    /// The sum of their lengths, that is of accesses: W.
    pub length: u64,
    /// The sum of their degrees: T.
    pub latency: u64,
    /// The number of accesses to each bank.
    pub banks: Vec<u64>,
    /// The number of instructions of each degree. The degree is the greatest number of accesses that one bank served,
    /// one after the other.
    pub degrees: BTreeMap<u64, u64>,
}

impl Tally {
    /// An empty tally for k banks.
    pub fn new(k: u64) -> Tally {
        Tally { instructions: 0, length: 0, latency: 0, banks: vec![0; k as usize], degrees: BTreeMap::new() }
    }

    /// Adds an instruction by the banks that it accesses, one for each unit.
    pub(super) fn issue(&mut self, banks: impl Iterator<Item = usize>) {
        let mut queues = vec![0; self.banks.len()];
        banks.for_each(|bank| queues[bank] += 1);
        let degree = queues.iter().copied().max().unwrap_or(0);
        self.instructions += 1;
        self.length += queues.iter().sum::<u64>();
        self.latency += degree;
        self.banks.iter_mut().zip(queues).for_each(|(bank, queue)| *bank += queue);
        *self.degrees.entry(degree).or_default() += 1;
    }

    /// The greatest degree; 0 without instructions.
    pub fn degree(&self) -> u64 {
        self.degrees.keys().copied().max().unwrap_or(0)
    }
}

/// The costs of a scan in the K-model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    /// T: the time.
    pub latency: u64,
    /// W: the work.
    pub length: u64,
    /// l: the instructions.
    pub instructions: u64,
    /// G: the transactions.
    pub transactions: u64,
    /// Words of internal memory, including unused ones in between.
    pub words: u64,
}

impl Counts {
    /// T - l: the cost of conflicts.
    pub fn conflicts(&self) -> u64 {
        self.latency - self.instructions
    }

    /// W / (k l), the share of busy scalar units; `None` without any work.
    pub fn efficiency(&self, k: u64) -> Option<f64> {
        (self.instructions > 0).then(|| self.length as f64 / (k * self.instructions) as f64)
    }
}

/// The costs of a scan with all that the paper's T leaves out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Everything {
    /// The latency of all accesses to internal memory: loads and stores of both sweeps, the kept left operands, and those that
    /// bring the elements in and out.
    pub accesses: u64,
    /// Barriers, as work groups need them: one before each level of a tree and one after each sweep; in CM one before the
    /// sums of a step are stored and one after, and one before the first.
    pub barriers: u64,
    /// Segments of external memory, read and written.
    pub trips: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instruction_is_as_late_as_its_busiest_bank() {
        let mut tally = Tally::new(4);
        assert_eq!(tally.degree(), 0);
        tally.issue([0, 1, 2, 3].into_iter());
        tally.issue([1, 3, 1, 1].into_iter());
        tally.issue([2].into_iter());
        assert_eq!((tally.instructions, tally.length, tally.latency), (3, 9, 5));
        assert_eq!(tally.banks, [1, 4, 2, 2]);
        assert_eq!(tally.degrees, BTreeMap::from([(1, 2), (3, 1)]));
        assert_eq!(tally.degree(), 3);
    }

    #[test]
    fn efficiency_is_the_share_of_busy_units() {
        let counts = Counts { latency: 5, length: 9, instructions: 3, transactions: 0, words: 0 };
        assert_eq!((counts.conflicts(), counts.efficiency(4)), (2, Some(0.75)));
        assert_eq!(Counts { instructions: 0, length: 0, ..counts }.efficiency(4), None);
    }
}
