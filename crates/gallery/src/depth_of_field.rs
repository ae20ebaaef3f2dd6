//! Depth of field by a summed-area table: each pixel is the mean of a box, which is the wider the less it is in focus.
//!
//! An entry of the table is the sum of all pixels above and to the left, so any box is four entries, at any width. The table is
//! two scans: of each row, three interleaved colours at once, then of each column. `examples/08_summed_area.rs` has the same
//! for one width. As in the paper, a sharp edge bleeds into what is blurred behind it.

use rasterscan::plan::Map;
use rasterscan::{ElementType, Gpu, Plan, ScanSpec};
use rasterscan_drawing::colour::Colour;

use crate::scene::{colour, scene};
use crate::{Exhibit, Fact, GalleryError, Piece, beside, check, with_small};

pub const PIECE: Piece = Piece {
    name: "depth-of-field",
    title: "Depth of field by a summed-area table",
    shows: "The glass ball and the red one are in focus. Below, the picture before, and the widths of the boxes: white is 25 pixels.",
    step: "Two scans make the table, one of each row and one of each column of its result; the mean of a box of any width is four \
           reads.",
    text: include_str!("text/depth_of_field.txt"),
    job: "scan ramp:n=64 --rows 8 -a horn",
    sources: &["hensley2005", "crow1984"],
    run,
};

const WIDTH: usize = 640;
const HEIGHT: usize = 400;
/// The distance of the red ball from the eye.
const FOCUS: f32 = 3.9;
const WIDEST: f32 = 12.0;
/// Steps of a colour from none to full, and the most of one.
const FULL: f32 = 1023.0;
const MOST: f32 = 4095.0;

/// The mean of each colour in a box, which is cut off at the edges. Items are the colours of pixels.
const BLUR: &str = "
uniform int u_width, u_height;

// The sum of a colour of all pixels up to this one; 0 outside.
uint sum_up_to(int x, int y, int colour) {
    return min(x, y) < 0 ? 0u : source_at((y * u_width + x) * 3 + colour);
}

void map(uint from[FROM], int index, out uint to[TO]) {
    int pixel = index / 3, colour = index % 3, x = pixel % u_width, y = pixel / u_width;
    int radius = int(radius_at(pixel));
    int left = max(x - radius, 0) - 1, right = min(x + radius, u_width - 1);
    int top = max(y - radius, 0) - 1, bottom = min(y + radius, u_height - 1);
    uint sum = sum_up_to(right, bottom, colour) - sum_up_to(left, bottom, colour)
        - sum_up_to(right, top, colour) + sum_up_to(left, top, colour);
    to[0] = sum / uint((right - left) * (bottom - top));
}";

fn plan(gpu: &Gpu) -> Result<Plan, rasterscan::Error> {
    let row = 3 * WIDTH as u64;
    let all = ScanSpec::new::<u32>(3 * WIDTH * HEIGHT);
    let rows = gpu.plan_auto(&all.tuple(3).rows(row))?;
    let columns = gpu.plan_auto(&all.columns(row))?;
    let colours = *rows.layout(rows.input());
    let mut plan = Plan::new("depth of field", rows.item().clone(), colours);
    let radius = beside(gpu.device(), &colours, ElementType::U32, 1, WIDTH * HEIGHT)?;
    let radius = plan.further_input("radius", radius);
    let sums = plan.append_plan(&rows, &[plan.input()])?;
    let sums = plan.append_plan(&columns, &sums)?[0];
    let mean = Map::new(BLUR).reads(5).stream("radius", radius, 1);
    let mean = mean.set("u_width", WIDTH as i32).set("u_height", HEIGHT as i32);
    let blurred = plan.map(sums, "blur", mean, *plan.layout(sums))?;
    Ok(plan.finish(blurred))
}

/// The same on the CPU: a sum over each box.
fn blurred_plainly(colours: &[u32], radii: &[u32]) -> Vec<u32> {
    let mean = |index: usize| {
        let (pixel, colour) = (index / 3, index % 3);
        let (x, y, radius) = (pixel % WIDTH, pixel / WIDTH, radii[pixel] as usize);
        let columns = x.saturating_sub(radius)..(x + radius + 1).min(WIDTH);
        let rows = y.saturating_sub(radius)..(y + radius + 1).min(HEIGHT);
        let area = (columns.len() * rows.len()) as u32;
        let of_row = |y: usize| columns.clone().map(|x| colours[(y * WIDTH + x) * 3 + colour]).sum::<u32>();
        rows.map(of_row).sum::<u32>() / area
    };
    (0..colours.len()).map(mean).collect()
}

fn run(gpu: &Gpu) -> Result<Exhibit, GalleryError> {
    let (light, distances) = scene(WIDTH, HEIGHT);
    let sharp: Vec<u32> = light.iter().flatten().map(|x| (x * FULL).min(MOST) as u32).collect();
    let radius = |distance: &f32| (WIDEST * (1.0 - FOCUS / distance).abs()).min(WIDEST) as u32;
    let radii: Vec<u32> = distances.iter().map(radius).collect();

    let mut blur = gpu.prepare(&plan(gpu)?)?;
    let inputs = [blur.upload_input(0, &sharp)?, blur.upload_input(1, &radii)?];
    let blurred = blur.run(&inputs)?[0].read::<u32>()?;
    let expected = blurred_plainly(&sharp, &radii);
    let wrong = blurred.iter().zip(&expected).filter(|(a, b)| a != b).count();
    check(wrong == 0, || format!("{wrong} of {} colours", expected.len()))?;

    let boxes = radii.iter().map(|radius| (2 * u64::from(*radius) + 1).pow(2)).sum::<u64>();
    let facts = vec![
        Fact::count("pixels", WIDTH * HEIGHT),
        Fact::count("colours", 3 * WIDTH * HEIGHT),
        Fact::count("pixels in all boxes", boxes as usize),
        Fact::count("entries of the table that are read", 4 * WIDTH * HEIGHT),
        Fact::count("passes", blur.plan().passes().len()),
    ];
    let colours = |numbers: &[u32]| -> Vec<Colour> {
        numbers.as_chunks().0.iter().map(|rgb: &[u32; 3]| colour(rgb.map(|x| x as f32 / FULL))).collect()
    };
    // White itself is paper.
    let grey = |radius: &u32| Colour::grey((254.0 * *radius as f32 / WIDEST) as u8);
    let parts = [("before", colours(&sharp)), ("widths of boxes", radii.iter().map(grey).collect())];
    Ok(Exhibit { facts, picture: with_small(WIDTH, colours(&blurred), parts) })
}
