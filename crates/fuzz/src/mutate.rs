//! Damage to files of any format, determined by a seed: bits, bytes, lengths, numbers, and pieces that are missing,
//! repeated, or from another file.

use std::iter::Peekable;

/// Random bits, the same on every machine.
pub struct Dice(Box<dyn Iterator<Item = u64>>);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(Box::new(rasterscan::tools::random::bits(seed)))
    }

    /// A number below `end`, or 0.
    pub fn below(&mut self, end: usize) -> usize {
        let bits = self.0.next().unwrap_or_default();
        ((u128::from(bits) * end as u128) >> 64) as usize
    }

    fn of<'a, T: ?Sized>(&mut self, all: &[&'a T]) -> &'a T {
        all[self.below(all.len())]
    }

    /// A part of a thing of this length, more often a short one.
    fn part(&mut self, len: usize) -> std::ops::Range<usize> {
        let start = self.below(len + 1);
        let most = if self.below(4) == 0 { len - start } else { (len - start).min(16) };
        start..start + self.below(most + 1)
    }
}

/// Numbers at the limits of types.
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "-1",
    "2",
    "3",
    "7",
    "16",
    "17",
    "255",
    "256",
    "65535",
    "65536",
    "1048577",
    "2147483647",
    "2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "18446744073709551615",
    "18446744073709551616",
    "1e999",
    "-1e999",
    "1e-999",
    "0.5",
    "null",
    "\"\"",
    "[]",
    "{}",
    "nan",
    "inf",
    "true",
];

const BYTES: &[u8] =
    &[0, 1, 2, 0x0A, 0x20, 0x22, 0x2C, 0x2D, 0x30, 0x39, 0x7F, 0x80, 0xC0, 0xDA, 0xD9, 0xFE, 0xFF];

/// A damaged file: one of `all`, with some damage, and maybe a piece of another or one of `words`.
pub fn damaged(dice: &mut Dice, all: &[Vec<u8>], words: &[&str]) -> Vec<u8> {
    let mut bytes = all[dice.below(all.len())].clone();
    for _ in 0..=dice.below(4) {
        once(dice, &mut bytes, all, words);
    }
    bytes
}

fn once(dice: &mut Dice, bytes: &mut Vec<u8>, all: &[Vec<u8>], words: &[&str]) {
    let len = bytes.len();
    match dice.below(12) {
        0 | 1 if len > 0 => {
            let at = dice.below(len);
            bytes[at] ^= 1 << dice.below(8);
        }
        2 if len > 0 => {
            let at = dice.below(len);
            bytes[at] = BYTES[dice.below(BYTES.len())];
        }
        3 => drop(bytes.drain(dice.part(len))),
        4 => {
            let part = dice.part(len);
            let (at, piece) = (part.end, bytes[part].to_vec());
            bytes.splice(at..at, piece);
        }
        5 => bytes.truncate(dice.below(len + 1)),
        6 => {
            let other = &all[dice.below(all.len())];
            let (part, piece) = (dice.part(len), other[dice.part(other.len())].to_vec());
            bytes.splice(part, piece);
        }
        7 => {
            // A length field, of two or four bytes, in either order.
            let (size, value) = (2 + 2 * dice.below(2), 1u32.rotate_left(dice.below(32) as u32));
            let value = value.wrapping_sub(dice.below(3) as u32);
            let field =
                if dice.below(2) == 0 { value.to_le_bytes() } else { value.rotate_left(16).to_be_bytes() };
            let at = dice.below(len.saturating_sub(size - 1));
            if at + size <= len {
                bytes[at..at + size].copy_from_slice(&field[..size]);
            }
        }
        8 | 9 => number(dice, bytes),
        10 if !words.is_empty() => {
            let part = dice.part(len);
            bytes.splice(part, dice.of(words).bytes());
        }
        _ => {
            let (part, value) = (dice.part(len), BYTES[dice.below(BYTES.len())]);
            bytes[part].fill(value);
        }
    }
}

/// Replaces a number that is written in digits.
fn number(dice: &mut Dice, bytes: &mut Vec<u8>) {
    let mut numbers = Vec::new();
    let mut digits: Peekable<_> =
        bytes.iter().enumerate().filter(|(_, byte)| byte.is_ascii_digit()).peekable();
    while let Some((start, _)) = digits.next() {
        let mut end = start + 1;
        while digits.next_if(|(at, _)| *at == end).is_some() {
            end += 1;
        }
        numbers.push(start..end);
    }
    if !numbers.is_empty() {
        let place = numbers[dice.below(numbers.len())].clone();
        bytes.splice(place, dice.of(NUMBERS).bytes());
    }
}

/// Updates the checksum of every chunk of a PNG, so that damage gets past the checksums.
pub fn repair_png(bytes: &mut [u8]) {
    let mut at = 8;
    while let Some(length) = bytes.get(at..at + 4) {
        let length = u32::from_be_bytes([length[0], length[1], length[2], length[3]]) as usize;
        let Some(content) = bytes.get(at + 4..(at + 8).saturating_add(length)) else { return };
        let mut checksum = flate2::Crc::new();
        checksum.update(content);
        let end = at + 8 + length;
        let Some(place) = bytes.get_mut(end..end + 4) else { return };
        place.copy_from_slice(&checksum.sum().to_be_bytes());
        at = end + 4;
    }
}
