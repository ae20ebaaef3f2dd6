//! The simulator: executes the scan of an array, instruction by instruction, and counts.
//!
//! Source: capannini2011, sections III to VI. Work: that of the scan, and as much again to count it.
//!
//! ```text
//! tree:   for d = 1 .. log n                                      CM:  for d = 1 .. log n
//!           for each node i of level d in parallel                       for each j ≥ 2^(d-1) in parallel
//!             A[node] ← A[left child] ⊕ A[right child]                     A[j] ← A[j - 2^(d-1)] ⊕ A[j]
//!         A[root] ← identity
//!         for d = log n .. 1
//!           for each node i of level d in parallel
//!             A[left child], A[right child] ← A[node], A[node] ⊕ sum of the left child
//! ```
//!
//! "In parallel" is a row of instructions, each for up to k neighbours.
//!
//! Deviations from the paper, with their reasons in the head of [`kmodel`](super):
//! 1. A unit loads the operand that the sum replaces, then the other one; likewise in the down-sweep.
//! 2. A left operand that is replaced by its sum moves to the right operand's address.
//! 3. CM goes through a step from the last elements to the first.
//! 4. Algorithm 1's guard is 2^(d-1) ≤ j, not 2^d.

use std::ops::Range;

use super::memory::{InternalMemory, transactions};
use super::tally::{Counts, Everything, Tally};
use super::{Model, Pattern};

/// An executed scan, and its cost.
#[derive(Debug, Clone)]
pub struct Simulation<T> {
    /// The model.
    pub model: Model,
    /// The access pattern.
    pub pattern: Pattern,
    /// The result, a scan of kind [`Pattern::kind`].
    pub scanned: Vec<T>,
    /// The steps that T, W and l count: the up-sweep of a tree, or all steps of CM.
    pub steps: Vec<Step>,
    /// The down-sweep of a tree, from the root; empty for CM.
    pub down: Vec<Step>,
    /// The accesses that move the elements in and out of the internal memory, and clear the root.
    pub transfers: Tally,
    /// Transactions that read external memory: G.
    pub read: u64,
    /// Transactions that write external memory.
    pub written: u64,
    /// Words of internal memory.
    pub words: u64,
}

/// A step: for a tree, a level.
#[derive(Debug, Clone)]
pub struct Step {
    /// The number of the step, from 1 at the leaves.
    pub number: u32,
    /// Loads of operands.
    pub loads: Tally,
    /// Stores of results: the sums in the up-sweep, both children's prefixes in the down-sweep.
    pub results: Tally,
    /// Stores of left operands that their sums replaced: in the up-sweep of LeftRight.
    pub kept: Tally,
}

impl Step {
    fn new(number: u32, model: Model) -> Step {
        let none = || Tally::new(model.k());
        Step { number, loads: none(), results: none(), kept: none() }
    }

    fn latency(&self) -> u64 {
        self.loads.latency + self.results.latency + self.kept.latency
    }
}

impl<T> Simulation<T> {
    /// The paper's counts: see [`kmodel`](super).
    pub fn counts(&self) -> Counts {
        let sum = |count: fn(&Tally) -> u64| self.steps.iter().map(|step| count(&step.results)).sum();
        Counts {
            latency: sum(|results| results.latency),
            length: sum(|results| results.length),
            instructions: sum(|results| results.instructions),
            transactions: self.read,
            words: self.words,
        }
    }

    /// The latency of all loads and stores of both sweeps.
    pub fn whole(&self) -> u64 {
        self.steps.iter().chain(&self.down).map(Step::latency).sum()
    }

    /// All that a work group does: what the paper counts is a part of it.
    pub fn everything(&self) -> Everything {
        let levels = (self.steps.len() + self.down.len()) as u64;
        Everything {
            accesses: self.whole() + self.transfers.latency,
            barriers: if self.pattern == Pattern::Cm { 2 * levels + 1 } else { levels + 2 },
            trips: self.read + self.written,
        }
    }
}

/// Scans `input` with an associative operator; `combine` has the earlier element on the left.
///
/// # Panics
///
/// If `input` does not have the model's n elements.
pub fn simulate<T: Copy>(
    pattern: Pattern,
    model: Model,
    input: &[T],
    identity: T,
    combine: impl Fn(T, T) -> T,
) -> Simulation<T> {
    assert_eq!(input.len() as u64, model.n(), "the input's length is the model's");
    // The last element has the highest address.
    let words = pattern.address(model.k(), model.n() - 1, 0) + 1;
    let memory = InternalMemory::new(model.k(), words);
    let mut run = Run { pattern, model, memory, combine, transfers: Tally::new(model.k()) };
    let read = run.bring_in(input);
    let levels = 1..=model.log_n();
    let (steps, down) = if pattern == Pattern::Cm {
        (levels.map(|d| run.doubling_step(d)).collect(), Vec::new())
    } else {
        let up = levels.clone().map(|d| run.up_step(d)).collect();
        run.clear_root(identity);
        (up, levels.rev().map(|d| run.down_step(d)).collect())
    };
    let (scanned, written) = run.bring_out();
    Simulation { model, pattern, scanned, steps, down, transfers: run.transfers, read, written, words }
}

struct Run<T, F> {
    pattern: Pattern,
    model: Model,
    memory: InternalMemory<T>,
    combine: F,
    transfers: Tally,
}

/// The addresses of a node and of its children. The node replaces one of them.
struct Node {
    place: u64,
    other: u64,
    /// True if the node replaces its left child.
    left: bool,
}

impl<T: Copy, F: Fn(T, T) -> T> Run<T, F> {
    /// The elements of each instruction.
    fn instructions(&self, operations: u64) -> impl DoubleEndedIterator<Item = Range<u64>> + use<T, F> {
        let k = self.model.k();
        (0..operations.div_ceil(k)).map(move |j| j * k..operations.min((j + 1) * k))
    }

    fn places(&self, elements: impl Iterator<Item = u64>) -> Vec<u64> {
        elements.map(|i| self.pattern.address(self.model.k(), i, 0)).collect()
    }

    fn bring_in(&mut self, input: &[T]) -> u64 {
        let mut read = 0;
        for elements in self.instructions(self.model.n()) {
            let values = &input[elements.start as usize..elements.end as usize];
            read += transactions(&elements.clone().collect::<Vec<_>>(), self.model.k());
            let places = self.places(elements);
            self.memory.store(&places, values, &mut self.transfers);
        }
        read
    }

    fn bring_out(&mut self) -> (Vec<T>, u64) {
        let (mut output, mut written) = (Vec::with_capacity(self.model.n() as usize), 0);
        for elements in self.instructions(self.model.n()) {
            written += transactions(&elements.clone().collect::<Vec<_>>(), self.model.k());
            output.extend(self.memory.load(&self.places(elements), &mut self.transfers));
        }
        (output, written)
    }

    fn node(&self, i: u64, d: u32) -> Node {
        let address = |i, d| self.pattern.address(self.model.k(), i, d);
        let (place, left, right) = (address(i, d), address(2 * i, d - 1), address(2 * i + 1, d - 1));
        assert!(place == left || place == right, "a sum replaces an operand");
        Node { place, other: if place == left { right } else { left }, left: place == left }
    }

    /// The nodes of level d, by instruction.
    fn nodes(&self, d: u32) -> Vec<Vec<Node>> {
        let instructions = self.instructions(self.model.n() >> d);
        instructions.map(|nodes| nodes.map(|i| self.node(i, d)).collect()).collect()
    }

    /// Algorithm 2, lines 2 to 5; algorithm 3, lines 2 to 6.
    fn up_step(&mut self, d: u32) -> Step {
        let mut step = Step::new(d, self.model);
        for nodes in self.nodes(d) {
            let (places, others): (Vec<u64>, Vec<u64>) =
                nodes.iter().map(|node| (node.place, node.other)).unzip();
            let own = self.memory.load(&places, &mut step.loads);
            let other = self.memory.load(&others, &mut step.loads);
            let operands = own.iter().zip(&other).map(|(own, other)| (*own, *other));
            let sum = |(node, (own, other)): (&Node, (T, T))| match node.left {
                true => (self.combine)(own, other),
                false => (self.combine)(other, own),
            };
            let sums: Vec<T> = nodes.iter().zip(operands).map(sum).collect();
            self.memory.store(&places, &sums, &mut step.results);
            let displaced = nodes.iter().zip(own).filter(|(node, _)| node.left);
            let (vacant, displaced): (Vec<u64>, Vec<T>) =
                displaced.map(|(node, left)| (node.other, left)).unzip();
            if !vacant.is_empty() {
                self.memory.store(&vacant, &displaced, &mut step.kept);
            }
        }
        step
    }

    /// Algorithm 2, line 7.
    fn clear_root(&mut self, identity: T) {
        let root = self.pattern.address(self.model.k(), 0, self.model.log_n());
        self.memory.store(&[root], &[identity], &mut self.transfers);
    }

    /// Algorithm 2, lines 9 to 14. A node's address holds the node's prefix; the other child's, the sum of its left
    /// child.
    fn down_step(&mut self, d: u32) -> Step {
        let mut step = Step::new(d, self.model);
        for nodes in self.nodes(d) {
            let (places, others): (Vec<u64>, Vec<u64>) =
                nodes.iter().map(|node| (node.place, node.other)).unzip();
            let prefixes = self.memory.load(&places, &mut step.loads);
            let left_sums = self.memory.load(&others, &mut step.loads);
            let inputs = prefixes.iter().zip(&left_sums).map(|(prefix, sum)| (*prefix, *sum));
            let results = |(node, (prefix, left_sum)): (&Node, (T, T))| {
                let (left, right) = (prefix, (self.combine)(prefix, left_sum));
                if node.left { (left, right) } else { (right, left) }
            };
            let (own, other): (Vec<T>, Vec<T>) = nodes.iter().zip(inputs).map(results).unzip();
            self.memory.store(&places, &own, &mut step.results);
            self.memory.store(&others, &other, &mut step.results);
        }
        step
    }

    /// Algorithm 1, lines 2 to 6.
    fn doubling_step(&mut self, d: u32) -> Step {
        let mut step = Step::new(d, self.model);
        let offset = 1 << (d - 1);
        for elements in self.instructions(self.model.n() - offset).rev() {
            let earlier = self.places(elements.clone());
            let own = self.places(elements.map(|j| j + offset));
            let left = self.memory.load(&earlier, &mut step.loads);
            let right = self.memory.load(&own, &mut step.loads);
            let sums: Vec<T> =
                left.iter().zip(&right).map(|(left, right)| (self.combine)(*left, *right)).collect();
            self.memory.store(&own, &sums, &mut step.results);
        }
        step
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sums(pattern: Pattern, k: u64, input: &[u64]) -> Simulation<u64> {
        let model = Model::new(input.len() as u64, k).unwrap();
        simulate(pattern, model, input, 0, |left, right| left + right)
    }

    /// harris2007's example.
    #[test]
    fn every_pattern_scans() {
        for pattern in Pattern::ALL {
            let scanned = sums(pattern, 4, &[3, 1, 7, 0, 4, 1, 6, 3]).scanned;
            match pattern {
                Pattern::Cm => assert_eq!(scanned, [3, 4, 11, 11, 15, 16, 22, 25]),
                _ => assert_eq!(scanned, [0, 3, 4, 11, 11, 15, 16, 22], "{pattern}"),
            }
        }
    }

    #[test]
    fn one_element_takes_no_step() {
        for pattern in Pattern::ALL {
            let simulation = sums(pattern, 16, &[5]);
            assert_eq!((simulation.steps.len(), simulation.whole()), (0, 0));
            assert_eq!(simulation.scanned, [if pattern == Pattern::Cm { 5 } else { 0 }]);
        }
    }

    /// NoPadding, n = 16, k = 4, by hand: step 1 stores at 1 3 5 7 and 9 11 13 15, twice in bank 1 and twice in
    /// bank 3; step 2 at 3 7 11 15, all in bank 3.
    #[test]
    fn steps_by_hand() {
        let simulation = sums(Pattern::NoPadding, 4, &[1; 16]);
        let results = |step: usize| &simulation.steps[step].results;
        assert_eq!((results(0).instructions, results(0).latency), (2, 4));
        assert_eq!(results(0).banks, [0, 4, 0, 4]);
        assert_eq!(results(0).degrees, [(2, 2)].into());
        assert_eq!((results(1).instructions, results(1).latency), (1, 4));
        assert_eq!(results(1).banks, [0, 0, 0, 4]);
        assert_eq!((results(2).latency, results(3).latency), (2, 1));
        assert_eq!(simulation.counts().latency, 11);
        assert_eq!((simulation.read, simulation.written), (4, 4));
        // Moving in and out, and the root.
        assert_eq!((simulation.transfers.instructions, simulation.transfers.latency), (9, 9));
        // 7 T and the transfers; 4 levels each way.
        let everything = simulation.everything();
        assert_eq!((everything.accesses, everything.barriers, everything.trips), (7 * 11 + 9, 10, 8));
        // CM, by hand: 15, 14, 12 and 8 sums take 4, 4, 3 and 2 instructions of three accesses.
        let everything = sums(Pattern::Cm, 4, &[1; 16]).everything();
        assert_eq!((everything.accesses, everything.barriers, everything.trips), (3 * 13 + 8, 9, 8));
    }
}
