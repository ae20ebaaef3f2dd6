//! The K-model: a machine of k memory banks, on which the conflicts of a scan are counted.
//!
//! Source: capannini2011, sections III to VII. Everything here is counted on the CPU; no OpenGL is involved.
//!
//! # The machine
//!
//! An instruction unit drives k scalar units, which all do the same: one instruction works on at most k elements.
//! The *internal memory* (the shared memory of a GPU) has k banks; address a lies in bank a mod k. A bank serves one
//! request at a time, so an instruction takes as long as its busiest bank has requests. That number is the
//! instruction's *degree*. The *external memory* is moved in segments of k words.
//!
//! | | name here | what it is |
//! | --- | --- | --- |
//! | T | latency | the sum of all degrees: the time |
//! | W | length | the sum of the units that each instruction keeps busy: the work |
//! | l | instructions | the number issued; T is at least l, and T - l is the cost of conflicts |
//! | G | transactions | segments moved from external memory |
//! | W / (k l) | efficiency | the share of busy units |
//!
//! # The patterns
//!
//! A scan by a balanced tree adds pairs, then pairs of sums, up to the root, and comes down again. A [`Pattern`] gives
//! the address at which each sum is stored. Take four banks and the third step of sixteen elements, whose two sums are
//! those of the elements 0..8 and 8..16. `NoPadding` stores them at 7 and 15: both in bank 3, one after the other.
//! `LeftRight` stores them at 0 and 10: banks 0 and 2, at once.
//!
//! ```
//! use rasterscan_kmodel::{Model, Pattern, corrected, simulate};
//!
//! let model = Model::new(2048, 16)?; // elements, banks
//! let input: Vec<u64> = (0..2048).collect();
//! let simulation = simulate(Pattern::LeftRight, model, &input, 0, |left, right| left + right);
//!
//! assert_eq!(simulation.scanned[..5], [0, 0, 1, 3, 6]); // it really scans
//! assert_eq!(simulation.counts().latency, 131); // T
//! assert_eq!(simulation.counts(), corrected::counts(Pattern::LeftRight, model));
//! # Ok::<(), rasterscan_kmodel::ModelError>(())
//! ```
//!
//! # What is counted
//!
//! The paper counts the *stores of results* of the up-sweep; for CM, the stores of all its steps. Its reasons: the
//! down-sweep makes the accesses of the up-sweep in the opposite order (section V, i), and each level loads what the
//! one before stored (V, ii). [`Simulation::counts`] has these. Loads, the down-sweep and the extra stores of
//! `LeftRight` are executed, too, and counted separately: [`Simulation::whole`], which is 7 T for a tree and 3 T for
//! CM, and l more for LeftRight. Arithmetic is not counted, nor is the transfer of the elements from external memory
//! and back, which has no conflicts in any pattern. G counts the segments that are read; as many are written.
//! [`Simulation::everything`] adds these transfers, the barriers of a work group and the segments both ways.
//!
//! # The formulas
//!
//! [`printed`] has them as in section VII, [`corrected`] as they must be to agree with [`simulate`]: for all powers of
//! two n and k, including `n < k` and `k = 1`. `crates/kmodel/tests/kmodel.rs` compares all from 2^0 to 2^16 elements
//! on 1 to 64 banks. The errors in print:
//!
//! 1. *NoPadding.* T = n (log k + 1) / k - 1 is right from n = k on, but the sums above it have another value: the
//!    second adds 2^d where the steps past log k store n / 2^d results, all in one bank, and totals 2 n/k - 2 instead
//!    of n/k - 1 ([`printed::no_padding_by_sums`]).
//! 2. *Padding.* `fp` = (1/k) Σ n / 2^i counts a step of fewer than k stores as a part of an instruction. It is right
//!    from k² elements on, and too small below, exactly where Padding has no conflicts: T is n/k - 1 + log k there, as
//!    for LeftRight, and not n (k + log k) / k² - 1.
//! 3. *CM.* T = W / k ignores that the first log k steps leave their last instruction incomplete: T is
//!    n/k (log n - 1) + 1 from n = k on, and the printed value is 1 - 1/k less.
//! 4. *All.* With fewer elements than banks, each step is one instruction without conflicts, and T = l = log n;
//!    the printed formulas give fractions and negative numbers. G is then 1.
//! 5. *Equation 2* is in place only up to k² elements ([`left_right_in_print`]). Banks, and so T, are the same in place
//!    ([`left_right`]). The paper's own blocks have 2048 elements on 16 banks: more than k².
//! 6. *Algorithm 3.* If the sum is stored over its left operand, the left operand is lost, but the down-sweep needs it.
//!    No down-sweep could do without it: with the maximum, \[1, 5\] and \[2, 5\] both become \[5, 5\]. So the simulator
//!    moves the left operand to the address of the right one, which is no longer needed. That is one more store for
//!    each instruction, without conflicts; it is counted separately ([`Step::kept`]) and not part of T.
//! 7. *Algorithm 3 again.* Loading all left operands and then all right ones, as in lines 3 and 4, has degree 2: the
//!    left operands are in one half of the banks. The simulator's units first load from the address where the sum
//!    will go, then the other operand: both loads have no conflicts, as section V (ii) promises.
//! 8. *ROT* is a rotation to the left. The C code rotates to the right and does not mask ([`rot`]).
//! 9. *CM.* The sums of a step do not fit into *a* local variable; n of them are needed. The simulator goes through a
//!    step from the last elements to the first, so k are enough.
//!
//! According to the paper, its figure shows CM as the slowest. That is true from n = 4k on; up to 2k, CM is as fast as
//! NoPadding.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod corrected;
mod memory;
mod pattern;
pub mod printed;
mod simulator;
mod tally;

pub use pattern::{Pattern, left_right, left_right_in_print, rot, rst};
pub use simulator::{Simulation, Step, simulate};
pub use tally::{Counts, Everything, Tally};

/// The sizes of a model: n elements, and a machine of k scalar units and k banks. Both are powers of two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Model {
    n: u64,
    k: u64,
}

/// Invalid sizes of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// A size that is not a power of two from 1 to [`Model::MAX`].
    #[error("{what} cannot be {got}; expected a power of two from 1 to {}", Model::MAX)]
    NoPowerOfTwo {
        /// The size: `n` or `k`.
        what: &'static str,
        /// Its value.
        got: u64,
    },
}

impl Model {
    /// The greatest n and k: the greatest length of a stream.
    pub const MAX: u64 = 1 << 30;

    /// A model of `n` elements on `k` banks.
    ///
    /// Errors: [`ModelError`] if `n` or `k` is not a power of two up to [`Self::MAX`].
    pub fn new(n: u64, k: u64) -> Result<Model, ModelError> {
        for (what, got) in [("n", n), ("k", k)] {
            if !got.is_power_of_two() || got > Model::MAX {
                return Err(ModelError::NoPowerOfTwo { what, got });
            }
        }
        Ok(Model { n, k })
    }

    /// The number of elements.
    pub fn n(self) -> u64 {
        self.n
    }

    /// The number of banks, of scalar units, and of words in a segment of external memory.
    pub fn k(self) -> u64 {
        self.k
    }

    /// The binary logarithm of n.
    pub fn log_n(self) -> u32 {
        self.n.trailing_zeros()
    }

    /// The binary logarithm of k.
    pub fn log_k(self) -> u32 {
        self.k.trailing_zeros()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_powers_of_two() {
        let model = Model::new(2048, 16).unwrap();
        assert_eq!((model.n(), model.k(), model.log_n(), model.log_k()), (2048, 16, 11, 4));
        assert!(Model::new(1, 1).is_ok() && Model::new(2, 64).is_ok());
        for (n, k, what) in [(0, 1, "n"), (3, 1, "n"), (1 << 31, 1, "n"), (8, 0, "k"), (8, 12, "k")] {
            let error = Model::new(n, k).unwrap_err();
            assert!(error.to_string().starts_with(&format!("{what} cannot be")), "{error}");
        }
    }
}
