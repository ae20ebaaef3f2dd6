//! The CPU's algorithms by name, and the memory that their results lie in.

/// One of the CPU's algorithms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cpu {
    /// One loop.
    Sequential,
    /// The loop that harris2007 prints on page 4, for its scans; else as [`Cpu::Sequential`].
    Harris,
    /// A counting sort, as viewers of splats run it in a worker.
    Counting,
    /// All cores.
    #[cfg(feature = "parallel")]
    Parallel,
}

/// The results of a loop, and memory that it keeps for its next run.
#[derive(Debug)]
pub struct Room<T> {
    /// The values, and behind those of a compaction what is left of its input.
    pub values: Vec<T>,
    /// The indices of a sort, if they are moved.
    pub indices: Vec<u32>,
    /// The values that are results.
    pub(super) count: usize,
    pub(super) keys: Keys,
}

impl<T> Default for Room<T> {
    fn default() -> Room<T> {
        Room { values: Vec::new(), indices: Vec::new(), count: 0, keys: Keys::default() }
    }
}

/// The keys in the form in which they are sorted; kept from run to run.
#[derive(Debug, Default)]
pub struct Keys {
    /// Ranks of up to 32 bits, each above its index: one comparison of integers.
    pub(super) words: Vec<u64>,
    /// Longer ranks with their indices.
    pub(super) pairs: Vec<(u64, u32)>,
    /// Ranks to count.
    pub(super) ranks: Vec<u16>,
    /// For each rank the keys that have it, then the place of the next of them.
    pub(super) places: Vec<u32>,
}
