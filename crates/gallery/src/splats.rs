//! Splats sorted by depth: what is mixed with what lies behind it is drawn from the farthest on.
//!
//! One sort of the depths gives the order of drawing, as indices. `examples/13_depth_sort.rs` does it in every frame: its depths
//! are computed on the GPU from the camera, and the order never leaves it. Here it is read back once, checked, and drawn.

use rasterscan::{Gpu, SortSpec};
use rasterscan_drawing::colour::{Colour, Palette};

use crate::vector::{Vector, cross, dot, minus, plus, times, unit};
use crate::{Exhibit, Fact, GalleryError, Piece, check, with_small};

pub const PIECE: Piece = Piece {
    name: "splats",
    title: "Splats sorted by depth",
    shows: "A knot of 60,000 soft discs, drawn from the farthest to the nearest. Below, the same discs in the order of their \
            numbers, and in the opposite order: near and far are mixed up.",
    step: "A sort by depth, whose result is the order of drawing: indices, not depths.",
    text: include_str!("text/splats.txt"),
    job: "sort random:n=16,seed=2,max=99 --descending --moves indices -a radix",
    sources: &["gems2007"],
    run,
};

const SPLATS: usize = 60_000;
const WIDTH: usize = 640;
const HEIGHT: usize = 480;
const TOWARDS: Vector = [0.3, -0.55, 0.78];

/// A disc: its place, and its colour.
type Splat = (Vector, Vector);

/// A tube along a trefoil knot.
fn scene() -> Vec<Splat> {
    let number = |index: usize, salt: u32| {
        let mixed = (2 * index as u32 + salt).wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
        let mixed = (mixed >> ((mixed >> 28) + 4) ^ mixed).wrapping_mul(277_803_737);
        (mixed >> 22 ^ mixed) as f32 / 2f32.powi(32)
    };
    let knot = |t: f32| {
        let wide = 2.0 + (3.0 * t).cos();
        [wide * (2.0 * t).cos(), wide * (2.0 * t).sin(), 1.1 * (3.0 * t).sin()]
    };
    let splat = |index: usize| {
        let [along, around] = [0, 1].map(|salt| number(index, salt) * std::f32::consts::TAU);
        let middle = knot(along);
        let ahead = unit(minus(knot(along + 1e-3), middle));
        let side = unit(cross(ahead, [0.0, 0.0, 1.0]));
        let out = plus(times(side, around.cos()), times(cross(side, ahead), around.sin()));
        let light = 0.45 + 0.55 * dot(out, unit([0.4, -0.3, 0.85])).max(0.0);
        let colour = Palette::Viridis.at(f64::from(0.5 + 0.5 * (along * 2.0).sin())).map(f32::from);
        (plus(middle, times(out, 0.42)), times(colour, light))
    };
    (0..SPLATS).map(splat).collect()
}

fn depth(splat: &Splat) -> f32 {
    8.0 - dot(splat.0, unit(TOWARDS))
}

fn run(gpu: &Gpu) -> Result<Exhibit, GalleryError> {
    let scene = scene();
    let depths: Vec<f32> = scene.iter().map(depth).collect();
    let farthest_first = SortSpec::new::<f32>(SPLATS).descending();
    let order = gpu.argsort_by(&farthest_first, &depths)?;
    let mut expected: Vec<u32> = (0..SPLATS as u32).collect();
    expected.sort_by(|a, b| depths[*b as usize].total_cmp(&depths[*a as usize]));
    check(order == expected, || "the order is another one".into())?;

    let unsorted = (0..SPLATS).rev();
    let sorted = drawn(&scene, order.iter().map(|index| *index as usize));
    let differ = |a: &[Colour], b: &[Colour]| a.iter().zip(b).filter(|(a, b)| a != b).count();
    let by_number = drawn(&scene, 0..SPLATS);
    let facts = vec![
        Fact::count("splats", SPLATS),
        Fact::count("pixels that differ without a sort", differ(&sorted, &by_number)),
    ];
    let parts = [("by number", by_number), ("by number, backwards", drawn(&scene, unsorted))];
    Ok(Exhibit { facts, picture: with_small(WIDTH, sorted, parts) })
}

/// The discs, each mixed with what was drawn before.
fn drawn(scene: &[Splat], order: impl Iterator<Item = usize>) -> Vec<Colour> {
    let towards = unit(TOWARDS);
    let right = unit(cross([0.0, 0.0, 1.0], towards));
    let up = cross(towards, right);
    let mut pixels = vec![[250.0f32; 3]; WIDTH * HEIGHT];
    for (place, colour) in order.map(|index| scene[index]) {
        let size = 560.0 / depth(&(place, colour));
        let x = WIDTH as f32 / 2.0 + size * dot(place, right);
        let y = HEIGHT as f32 / 2.0 - size * dot(place, up);
        let radius = 0.06 * size;
        let span = |middle: f32, most: usize| {
            (middle - radius).max(0.0) as usize..((middle + radius + 1.0).max(0.0) as usize).min(most)
        };
        for (row, column) in span(y, HEIGHT).flat_map(|row| span(x, WIDTH).map(move |column| (row, column))) {
            let (dx, dy) = (column as f32 + 0.5 - x, row as f32 + 0.5 - y);
            let far = (dx * dx + dy * dy) / (radius * radius);
            if far < 1.0 {
                let pixel = &mut pixels[row * WIDTH + column];
                *pixel = plus(times(*pixel, 1.0 - 0.6 * (1.0 - far)), times(colour, 0.6 * (1.0 - far)));
            }
        }
    }
    pixels.into_iter().map(|pixel| Colour::from(pixel.map(|x| x.round() as u8))).collect()
}
