//! The self-test of lines: whether this context draws them as `blocks` needs them.
//!
//! A horizontal line from the centre of texel `x0` to that of `x1` must cover `[x0, x1)` of its row and nothing else.
//! OpenGL's diamond-exit rule says so, but allows drivers to be off by one texel. So 256 lines are drawn once for each
//! context, every texel is checked, and `Device::exact_lines` holds the answer. If it is false, `blocks` draws
//! rectangles one texel high instead of lines, unless `draw=lines` was requested. Nothing else depends on it.

use super::selftest::Painter;
use crate::error::Error;

/// Columns and rows of the picture: row `y` holds a line that starts at `y * 37 % 256`, each of a different length.
/// `glsl/selftest/draw.vert` uses the same numbers.
const SIZE: i32 = 256;

/// The texels of row `y` that its line covers.
fn expected(y: i32) -> std::ops::Range<i32> {
    let start = y * 37 % SIZE;
    start..start + y * 101 % (SIZE - start + 1)
}

/// Draws the lines and checks every texel. Changes state that a guard restores.
pub fn are_exact(painter: &Painter<'_>) -> Result<bool, Error> {
    let pixels = painter.draw([SIZE, SIZE], glow::LINES, 2 * SIZE, "testing lines")?;
    let covered = |x: i32, y: i32| pixels[(y * SIZE + x) as usize][3] > 0;
    Ok((0..SIZE).all(|y| (0..SIZE).all(|x| covered(x, y) == expected(y).contains(&x))))
}
