//! Blurs a grey image with a box, by a summed-area table.
//!
//! An entry of the table is the sum of all pixels above and to the left, its own pixel included. The sum over any box is
//! then four entries, so the blur costs the same at every radius. The table is two scans: one of each row, then one of
//! each column of the result. The library has both as options of a scan, `rows` and `columns`. One plan holds the two
//! scans and a map that blurs, and nothing is read back between them.
//!
//! A texel of the image and of the blur is a pixel, as in a texture of your own. The packed scans have four items in a
//! texel: `append_plan` adds the pass that moves them, and the map reads them by their index.

use rasterscan::plan::{ItemType, Layout, Map, Uniform};
use rasterscan::scan::texture::Packed;
use rasterscan::{Algorithm, Device, ElementType, Error, Gpu, Operator, Plan, ScanSpec};

const WIDTH: usize = 320;
const HEIGHT: usize = 200;

/// The mean of the pixels in a box, which is cut off at the edges.
const BLUR: &str = "
uniform ivec2 u_size;
uniform int u_radius;

// The sum of all pixels up to this one; 0 outside.
uint sum_up_to(ivec2 pixel) {
    return min(pixel.x, pixel.y) < 0 ? 0u : source_at(pixel.y * u_size.x + pixel.x);
}

void map(uint from[FROM], int index, out uint to[TO]) {
    ivec2 pixel = ivec2(index % u_size.x, index / u_size.x);
    ivec2 last = min(pixel + u_radius, u_size - 1);
    ivec2 before = max(pixel - u_radius, 0) - 1;
    uint sum = sum_up_to(last) - sum_up_to(ivec2(before.x, last.y))
        - sum_up_to(ivec2(last.x, before.y)) + sum_up_to(before);
    ivec2 box = last - before;
    to[0] = sum / uint(box.x * box.y);
}
";

/// A plan that blurs an image by the radius in the uniform `u_radius`.
fn blur(device: &Device) -> Result<Plan, Error> {
    let all = ScanSpec::new::<u32>(WIDTH * HEIGHT);
    let rows = Packed::default().plan(&all.rows(WIDTH as u64), device)?;
    let columns = Packed::default().plan(&all.columns(WIDTH as u64), device)?;

    let image = Layout::texture(ElementType::U32, 1, WIDTH as u32, HEIGHT as u32);
    let item = ItemType { element: ElementType::U32, operator: Operator::ADD };
    let mut plan = Plan::new("blur", item, image).task("a box blur");
    let pixels = plan.input();
    let sums = plan.append_plan(&rows, &[pixels])?[0];
    let sums = plan.append_plan(&columns, &[sums])?[0];
    // An item of the table and the four that its mean needs, wherever they lie.
    let size = Uniform::Int2([WIDTH as i32, HEIGHT as i32]);
    let mean = Map::new(BLUR).reads(5).set("u_size", size).set("u_radius", Uniform::Int(0));
    let blurred = plan.map(sums, "mean", mean, image)?;
    Ok(plan.finish(blurred))
}

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let gpu = Gpu::headless()?;
    let image: Vec<u32> = (0..WIDTH * HEIGHT).map(|index| grey(index % WIDTH, index / WIDTH)).collect();

    let mut blur = gpu.prepare(&blur(gpu.device())?)?;
    let pixels = blur.upload(&image)?;
    for radius in [2, 9] {
        blur.set("u_radius", Uniform::Int(radius as i32))?;
        let blurred: Vec<u32> = blur.run(&pixels)?.read()?;
        assert_eq!(blurred, blurred_plainly(&image, radius), "radius {radius}");
    }

    let passes = blur.plan().passes().len();
    println!("{WIDTH} x {HEIGHT} pixels blurred by two radii, {passes} passes each, on {}", gpu.device());
    Ok(())
}

/// A ramp with a brighter checkerboard and some grain.
fn grey(x: usize, y: usize) -> u32 {
    let board = if (x / 24 + y / 24).is_multiple_of(2) { 96 } else { 0 };
    (board + x * 120 / WIDTH + (x * 7 + y * 13) % 32) as u32
}

/// The same blur on the CPU, a sum over each box.
fn blurred_plainly(image: &[u32], radius: usize) -> Vec<u32> {
    let mean = |index: usize| {
        let (x, y) = (index % WIDTH, index / WIDTH);
        let columns = x.saturating_sub(radius)..(x + radius + 1).min(WIDTH);
        let rows = y.saturating_sub(radius)..(y + radius + 1).min(HEIGHT);
        let area = (columns.len() * rows.len()) as u32;
        let sum: u32 = rows.map(|row| image[row * WIDTH..][columns.clone()].iter().sum::<u32>()).sum();
        sum / area
    };
    (0..image.len()).map(mean).collect()
}
