//! Colours, and those that every picture has.

use std::fmt;

/// Red, green and blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Colour(pub u8, pub u8, pub u8);

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "#{:02X}{:02X}{:02X}", self.0, self.1, self.2)
    }
}

pub const INK: Colour = Colour(0x1F, 0x23, 0x28);
pub const GREY: Colour = Colour(0x5A, 0x5A, 0x5A);
pub const GRID: Colour = Colour(0xE1, 0xE4, 0xE8);
pub const PAPER: Colour = Colour(0xFF, 0xFF, 0xFF);
