//! Draws triangles on the CPU: the pieces own no window.

use rasterscan_drawing::colour::{Colour, PAPER, Palette};
use rasterscan_drawing::shape::Drawing;

use crate::image;
use crate::vector::{Vector, cross, dot, minus, plus, times, unit};

/// The picture, in samples: each pixel is the mean of two by two.
const WIDTH: usize = 760;
const HEIGHT: usize = 680;

/// The triangles of a grid with so many points along an edge, with a buffer of depths.
pub fn rendered(vertices: &[[f32; 4]], side: usize) -> Drawing {
    let right = unit([0.84, -0.54, 0.0]);
    let towards = unit([0.48, 0.75, 0.46]);
    let up = cross(right, towards);
    let mut pixels = vec![(f32::NEG_INFINITY, PAPER); WIDTH * HEIGHT];
    for (number, triangle) in vertices.chunks(3).enumerate() {
        let middle = [(side - 1) as f32 / 2.0; 3];
        let corners: Vec<Vector> = triangle.iter().map(|v| minus([v[0], v[1], v[2]], middle)).collect();
        let [a, b, c] = [0, 1, 2].map(|i| {
            let depth = dot(corners[i], towards);
            let size = 1255.0 / (110.0 - depth);
            let x = WIDTH as f32 / 2.0 + size * dot(corners[i], right);
            [x, HEIGHT as f32 / 2.0 - size * dot(corners[i], up), depth]
        });
        let normal =
            unit(plus(cross(minus(corners[1], corners[0]), minus(corners[2], corners[0])), [1e-9; 3]));
        let light = dot(normal, unit([-0.2, -0.5, -0.9])).max(0.0);
        let hue = Palette::Viridis.at(number as f64 / (vertices.len() / 3) as f64).map(f32::from);
        let [red, green, blue] = times(hue, 0.25 + 0.75 * light).map(|x| x as u8);
        let area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        let span = |axis: usize, most: usize| {
            let low = a[axis].min(b[axis]).min(c[axis]).max(0.0) as usize;
            low..(a[axis].max(b[axis]).max(c[axis]) as usize + 1).min(most)
        };
        for (x, y) in span(1, HEIGHT).flat_map(|y| span(0, WIDTH).map(move |x| (x, y))) {
            let (px, py) = (x as f32 + 0.5, y as f32 + 0.5);
            let weight =
                |p: Vector, q: Vector| ((q[0] - p[0]) * (py - p[1]) - (q[1] - p[1]) * (px - p[0])) / area;
            let (wa, wb, wc) = (weight(b, c), weight(c, a), weight(a, b));
            let depth = wa * a[2] + wb * b[2] + wc * c[2];
            let pixel = &mut pixels[y * WIDTH + x];
            if wa.min(wb).min(wc) >= 0.0 && depth > pixel.0 {
                *pixel = (depth, Colour(red, green, blue));
            }
        }
    }
    let pixel = |i: usize| {
        let first = i / (WIDTH / 2) * 2 * WIDTH + i % (WIDTH / 2) * 2;
        let [a, b, c, d] = [0, 1, WIDTH, WIDTH + 1].map(|next| pixels[first + next].1);
        a.towards(b, 0.5).towards(c.towards(d, 0.5), 0.5)
    };
    image(WIDTH / 2, (0..WIDTH * HEIGHT / 4).map(pixel).collect())
}
