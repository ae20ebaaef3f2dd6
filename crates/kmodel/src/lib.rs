//! The K-model: a machine of k memory banks, on which the conflicts of a scan are counted and not guessed.
//!
//! Source: capannini2011, sections III to VII. Everything here is counted on the CPU; no OpenGL is involved.
//!
//! # The machine
//!
//! An instruction unit drives k scalar units, which all do the same: one instruction works on at most k elements.
//! The *internal memory* (the shared memory of a GPU) has k banks; address a lies in bank a mod k. A bank answers one
//! request at a time, so an instruction takes as long as its busiest bank has requests. That number is the
//! instruction's *degree*. The *external memory* is moved in segments of k words.
//!
//! | | name here | what it is |
//! | --- | --- | --- |
//! | T | latency | the sum of all degrees: the time |
//! | W | length | the sum of the units that each instruction keeps busy: the work |
//! | l | instructions | how many are issued; T is at least l, and T - l is what conflicts cost |
//! | G | transactions | segments that are moved from external memory |
//! | W / (k l) | efficiency | the share of the units that have work to do |
//!
//! # The patterns
//!
//! A scan by a balanced tree adds pairs, then pairs of sums, up to the root, and comes down again. A [`Pattern`] says
//! at which address each sum is stored. Take four banks and the third step of sixteen elements, whose two sums stand
//! for the elements 0..8 and 8..16. `NoPadding` stores them at 7 and 15: both in bank 3, one after the other.
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
//! The paper counts the *stores of results* of the bottom-up sweep; of CM, the stores of all its steps. Its reasons: the
//! way down makes the accesses of the way up in the opposite order (section V, i), and what one level stores is what
//! the next one loads (V, ii). [`Simulation::counts`] is that. Loads, the way down and what `LeftRight` stores besides
//! are executed too and counted apart: [`Simulation::whole`], which is 7 T for a tree and 3 T for CM, and l more for
//! LeftRight. Arithmetic is not counted, nor is the move of the elements from external memory and back, which is without
//! conflicts in every pattern. G is the segments that are read; as many are written.
//!
//! # The formulas
//!
//! [`printed`] has them as they are in section VII, [`corrected`] as they must be to agree with [`simulate`]: for every
//! n and k that are powers of two, `n < k` and `k = 1` included. `crates/kmodel/tests/kmodel.rs` compares all from 2^0 to 2^16
//! elements on 1 to 64 banks. What is wrong in print:
//!
//! 1. *NoPadding.* T = n (log k + 1) / k - 1 is right from n = k on, but the sums above it are not its sums: the second
//!    adds 2^d where the steps past log k store n / 2^d results, all in one bank, and comes to 2 n/k - 2 in place of
//!    n/k - 1 ([`printed::no_padding_by_sums`]).
//! 2. *Padding.* `fp` = (1/k) Σ n / 2^i takes a step of fewer than k stores for a part of an instruction. It is right
//!    from k² elements on, and too small below, just where Padding has no conflicts: T is n/k - 1 + log k there, as
//!    that of LeftRight, and not n (k + log k) / k² - 1.
//! 3. *CM.* T = W / k forgets that the first log k steps leave their last instruction incomplete: T is
//!    n/k (log n - 1) + 1 from n = k on, and what is printed is 1 - 1/k less.
//! 4. *All.* With fewer elements than banks each step is one instruction without conflicts, and T = l = log n;
//!    the printed formulas give fractions and negative numbers. G is then 1.
//! 5. *Equation 2* is in place up to k² elements and not beyond ([`left_right_in_print`]). Banks, and with them T, are the
//!    same in place ([`left_right`]). The paper's own blocks have 2048 elements on 16 banks: more than k².
//! 6. *Algorithm 3.* Where the sum is stored over its left operand, the left operand is lost, and the way down needs it.
//!    No way down could do without: with the maximum, \[1, 5\] and \[2, 5\] both become \[5, 5\]. So the simulator moves the
//!    left operand to the place of the right one, which nobody needs any more. That is one store more for each
//!    instruction, conflict-free; it is counted apart ([`Step::kept`]), and is no part of T.
//! 7. *Algorithm 3 again.* To load all left operands and then all right ones, as lines 3 and 4 say, has degree 2: the
//!    left operands lie in one half of the banks. The simulator's units first load from the address where the sum
//!    will go, then the other operand: both are free of conflicts, as section V (ii) promises.
//! 8. *ROT* is a rotation to the left. The C code rotates to the right and does not mask ([`rot`]).
//! 9. *CM.* All sums of a step cannot wait in *a* local variable; n of them are needed. The simulator goes through a step
//!    from the last elements to the first, and then k do.
//!
//! The figure is said to show CM as the slowest. It is from n = 4k on; up to 2k it is as fast as NoPadding.

#![forbid(unsafe_code)]

pub mod corrected;
mod memory;
mod pattern;
pub mod printed;
mod simulator;
mod tally;

pub use pattern::{Pattern, left_right, left_right_in_print, rot, rst};
pub use simulator::{Simulation, Step, simulate};
pub use tally::{Counts, Tally};

/// A list of n elements, and a machine of k scalar units and k banks. Both are powers of two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Model {
    n: u64,
    k: u64,
}

/// Numbers that are not those of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    #[error("{what} cannot be {got}; expected a power of two from 1 to {}", Model::MAX)]
    NoPowerOfTwo { what: &'static str, got: u64 },
}

impl Model {
    /// The most elements and the most banks: as many as a stream has elements at most.
    pub const MAX: u64 = 1 << 30;

    /// Errors: [`ModelError`] if `n` or `k` is no power of two up to [`Self::MAX`].
    pub fn new(n: u64, k: u64) -> Result<Model, ModelError> {
        for (what, got) in [("n", n), ("k", k)] {
            if !got.is_power_of_two() || got > Model::MAX {
                return Err(ModelError::NoPowerOfTwo { what, got });
            }
        }
        Ok(Model { n, k })
    }

    /// Elements.
    pub fn n(self) -> u64 {
        self.n
    }

    /// Banks, scalar units, and words of a segment of external memory.
    pub fn k(self) -> u64 {
        self.k
    }

    pub fn log_n(self) -> u32 {
        self.n.trailing_zeros()
    }

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
