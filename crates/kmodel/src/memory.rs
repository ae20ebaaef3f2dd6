//! The two memories of the machine. They hold data: loading an address that was never stored to panics.

use super::tally::Tally;

/// The internal memory: k banks, with address a in bank a mod k.
pub(super) struct InternalMemory<T> {
    k: u64,
    words: Vec<Option<T>>,
}

impl<T: Copy> InternalMemory<T> {
    /// Empty memory of `words` words in `k` banks.
    pub fn new(k: u64, words: u64) -> InternalMemory<T> {
        InternalMemory { k, words: vec![None; words as usize] }
    }

    /// One instruction: each unit loads from its address.
    ///
    /// # Panics
    ///
    /// If there are no addresses, or more than k, or nothing was stored at one of them.
    pub fn load(&self, addresses: &[u64], tally: &mut Tally) -> Vec<T> {
        self.issue(addresses, tally);
        addresses.iter().map(|a| self.words[*a as usize].expect("something was stored there")).collect()
    }

    /// One instruction: each unit stores a value at its address.
    ///
    /// # Panics
    ///
    /// As [`Self::load`].
    pub fn store(&mut self, addresses: &[u64], values: &[T], tally: &mut Tally) {
        self.issue(addresses, tally);
        assert_eq!(addresses.len(), values.len(), "one value for each unit");
        for (address, value) in addresses.iter().zip(values) {
            self.words[*address as usize] = Some(*value);
        }
    }

    fn issue(&self, addresses: &[u64], tally: &mut Tally) {
        assert!((1..=self.k).contains(&(addresses.len() as u64)), "an instruction is for 1 to k units");
        tally.issue(addresses.iter().map(|address| (address % self.k) as usize));
    }
}

/// The number of transactions of an instruction that accesses these addresses of external memory: one for each segment
/// of k words that it touches. Addresses ascend.
pub(super) fn transactions(addresses: &[u64], k: u64) -> u64 {
    let mut segments: Vec<u64> = addresses.iter().map(|address| address / k).collect();
    segments.dedup();
    segments.len() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stored_is_loaded() {
        let mut memory = InternalMemory::new(4, 10);
        let mut tally = Tally::new(4);
        memory.store(&[1, 5, 9], &["a", "b", "c"], &mut tally);
        assert_eq!((tally.latency, tally.length), (3, 3));
        assert_eq!(memory.load(&[5], &mut tally), ["b"]);
        assert_eq!((tally.latency, tally.instructions), (4, 2));
    }

    #[test]
    #[should_panic(expected = "something was stored there")]
    fn what_was_not_stored_is_not_loaded() {
        InternalMemory::<u32>::new(4, 4).load(&[2], &mut Tally::new(4));
    }

    #[test]
    #[should_panic(expected = "1 to k units")]
    fn an_instruction_has_k_units_at_most() {
        InternalMemory::new(2, 4).store(&[0, 1, 2], &[0; 3], &mut Tally::new(2));
    }

    #[test]
    fn a_transaction_moves_a_segment() {
        assert_eq!(transactions(&[4, 5, 6, 7], 4), 1);
        assert_eq!(transactions(&[3, 4, 5, 6], 4), 2);
        assert_eq!(transactions(&[0, 4, 8], 4), 3);
        assert_eq!(transactions(&[0, 1], 4), 1);
    }
}
