//! The self-test of lines: whether this context draws them as concatenation by lines needs it.
//!
//! A horizontal line from the centre of texel `x0` to that of `x1` should cover `[x0, x1)` of its row and
//! nothing else. The diamond-exit rule says so, and lets drivers be off by one.

use super::selftest::Painter;
use crate::error::Error;

/// Columns and rows of the picture: row `y` holds a line from `y * 37 % 256` on, of a length of its own.
/// `glsl/selftest/draw.vert` knows the same numbers.
const SIZE: i32 = 256;

/// The texels of row `y` that its line covers.
fn expected(y: i32) -> std::ops::Range<i32> {
    let start = y * 37 % SIZE;
    start..start + y * 101 % (SIZE - start + 1)
}

/// Draws the lines and looks at every texel. Changes state that a guard puts back.
pub fn are_exact(painter: &Painter<'_>) -> Result<bool, Error> {
    let pixels = painter.draw([SIZE, SIZE], glow::LINES, 2 * SIZE, "testing lines")?;
    let covered = |x: i32, y: i32| pixels[(y * SIZE + x) as usize][3] > 0;
    Ok((0..SIZE).all(|y| (0..SIZE).all(|x| covered(x, y) == expected(y).contains(&x))))
}
