//! A prefix sum as a picture that shows what a prefix sum does.

use image::{DynamicImage, ImageFormat, Rgb, RgbImage};

/// Draws the prefix sums of an image's luma as trails of light.
///
/// Sums only grow from the first pixel to the last, so on their own they make a ramp from black to white. A pixel
/// therefore shows the sum of its row up to itself (a difference of two prefix sums, which is what they are good for),
/// minus that of a row as dark as the sky, the median luma. Each galaxy then casts a trail to the end of its row: all
/// later sums contain it. The scale is a square root, from black to violet to orange to white.
pub fn of_sums(sums: &[u32], width: u32) -> RgbImage {
    let columns = width.max(1) as usize;
    let before = |index: usize| index.checked_sub(1).map_or(0, |index| sums[index]);
    let mut luma: Vec<u32> = (0..sums.len()).map(|i| sums[i].wrapping_sub(before(i))).collect();
    luma.sort_unstable();
    let sky = luma.get(luma.len() / 2).map_or(0.0, |median| f64::from(*median));

    let light = |index: usize| {
        let start = index - index % columns;
        let row = sums[index].wrapping_sub(before(start));
        (f64::from(row) - sky * (index - start + 1) as f64).max(0.0).sqrt()
    };
    let most = (0..sums.len()).map(light).fold(1.0, f64::max);
    RgbImage::from_fn(width, (sums.len() / columns) as u32, |x, y| {
        colour(light(y as usize * columns + x as usize) / most)
    })
}

/// The colours of a glowing body: 0 is black, 1 is white.
fn colour(heat: f64) -> Rgb<u8> {
    const STOPS: [[f64; 3]; 6] = [
        [0.0, 0.0, 0.0],
        [40.0, 15.0, 90.0],
        [120.0, 30.0, 120.0],
        [215.0, 70.0, 70.0],
        [250.0, 170.0, 60.0],
        [255.0, 255.0, 245.0],
    ];
    let place = heat.clamp(0.0, 1.0) * (STOPS.len() - 1) as f64;
    let stop = (place as usize).min(STOPS.len() - 2);
    let share = place - stop as f64;
    let mixed = |channel: usize| {
        let (low, high) = (STOPS[stop][channel], STOPS[stop + 1][channel]);
        (low + (high - low) * share).round() as u8
    };
    Rgb([mixed(0), mixed(1), mixed(2)])
}

pub fn png(image: &DynamicImage) -> anyhow::Result<Vec<u8>> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    image.write_to(&mut bytes, ImageFormat::Png)?;
    Ok(bytes.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bright_pixel_casts_its_trail_to_the_end_of_its_row() {
        // Rows of 4; the sky is 1, and one pixel of the second row shines.
        let luma = [1, 1, 1, 1, 1, 101, 1, 1, 1, 1, 1, 1];
        let sums: Vec<u32> = luma
            .iter()
            .scan(0, |sum, x| {
                *sum += x;
                Some(*sum)
            })
            .collect();
        let picture = of_sums(&sums, 4);
        let white = colour(1.0);
        let black = colour(0.0);
        let row = |y| (0..4).map(|x| *picture.get_pixel(x, y)).collect::<Vec<_>>();
        assert_eq!(row(0), [black; 4]);
        assert_eq!(row(1), [black, white, white, white]);
        assert_eq!(row(2), [black; 4]);
    }

    #[test]
    fn no_sums_are_no_picture() {
        assert_eq!(of_sums(&[], 4).height(), 0);
    }
}
