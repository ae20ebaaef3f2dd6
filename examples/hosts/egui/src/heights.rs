//! An island in the sea: the heights of its cells, in metres, from noise in octaves.

/// Cells on each side of the map.
pub const SIDE: u32 = 256;
/// The greatest height.
pub const PEAK: u32 = 4000;

/// The heights, row by row.
pub fn heights() -> Vec<u32> {
    (0..SIDE * SIDE)
        .map(|cell| height((cell % SIDE) as f32 / SIDE as f32, (cell / SIDE) as f32 / SIDE as f32))
        .collect()
}

fn height(x: f32, y: f32) -> u32 {
    let octaves = (0..7).map(|octave| noise(x, y, 3 << octave) / (1 << octave) as f32);
    let rough = octaves.sum::<f32>() / 2.0;
    // Lower towards the edges, where the sea is.
    let (x, y) = (2.0 * x - 1.0, 2.0 * y - 1.0);
    let island = rough * 1.9 - 0.3 - 0.55 * (x * x + y * y);
    (island.clamp(0.0, 1.0) * PEAK as f32) as u32
}

/// Smooth between random numbers at the corners of `cells` by `cells` squares.
fn noise(x: f32, y: f32, cells: u32) -> f32 {
    let (x, y) = (x * cells as f32, y * cells as f32);
    let corner = |dx: u32, dy: u32| {
        let mixed = (x as u32 + dx + (y as u32 + dy) * 4099 + cells * 131).wrapping_mul(2_654_435_761);
        ((mixed ^ mixed >> 15).wrapping_mul(2_246_822_519) >> 16) as f32 / 65_536.0
    };
    let smooth = |t: f32| t * t * (3.0 - 2.0 * t);
    let (right, down) = (smooth(x.fract()), smooth(y.fract()));
    let row = |dy: u32| corner(0, dy) * (1.0 - right) + corner(1, dy) * right;
    row(0) * (1.0 - down) + row(1) * down
}
