//! Finding bits: `glsl/compact/common/bits.glsl`. Counting them is `count_ones`, and the lowest is `trailing_zeros`.

/// The position of the bit with `rank` set bits before it: `place_of`; `None` if there are no more than `rank`.
pub fn place_of(bits: u128, rank: u32) -> Option<u32> {
    (0..u128::BITS).filter(|place| bits >> place & 1 == 1).nth(rank as usize)
}

/// The bits of these words, the first word lowest.
pub fn bits_of(words: &[u32]) -> u128 {
    words.iter().rev().fold(0, |bits, word| bits << 32 | u128::from(*word))
}
