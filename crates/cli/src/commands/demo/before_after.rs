//! A compaction and a sort as pictures: before and after.

use image::{GrayImage, Luma, Rgb, RgbImage};

/// Columns between the two halves.
const GAP: u32 = 24;

/// The colours of empty space: between the halves, and after the kept pixels.
const NOTHING: [Rgb<u8>; 2] = [Rgb([34, 34, 44]), Rgb([8, 8, 12])];

/// Draws an image on the left and its kept pixels on the right: those at least as bright as `bright`, from the top left
/// on, in rows as long as the image's.
///
/// On both sides, kept pixels are coloured by their row in the image; all others are grey. Compaction keeps their
/// order, so the colours appear in the same order on the right.
pub fn of_kept(image: &GrayImage, bright: u32, kept: &[u32]) -> RgbImage {
    let is_kept = |pixel: &Luma<u8>| u32::from(pixel.0[0]) >= bright;
    let rows = image.enumerate_pixels().filter(|(.., pixel)| is_kept(pixel)).map(|(_, y, _)| y);
    of_moved(image, bright, &rows.collect::<Vec<_>>(), kept)
}

/// The same of all pixels, sorted by their luma: the indices that they had, and their luma. Equal ones keep their order, so
/// each shade begins with the colour of the first row.
pub fn of_sorted(image: &GrayImage, indices: &[u32], sorted: &[u32]) -> RgbImage {
    let rows = indices.iter().map(|index| index / image.width().max(1));
    of_moved(image, 0, &rows.collect::<Vec<_>>(), sorted)
}

/// Draws pixels of at least this luma, and where they were moved: the row that each is from, and its luma.
fn of_moved(image: &GrayImage, bright: u32, rows: &[u32], moved: &[u32]) -> RgbImage {
    let (width, height) = image.dimensions();
    let is_bright = |luma: u8| u32::from(luma) >= bright;
    let place = |row: u32| f64::from(row) / f64::from(height.max(2) - 1);
    RgbImage::from_fn(2 * width + GAP, height, |x, y| {
        if x < width {
            let luma = image.get_pixel(x, y).0[0];
            return if is_bright(luma) { colour(place(y), luma.into()) } else { Rgb([luma; 3]) };
        }
        let Some(x) = x.checked_sub(width + GAP) else { return NOTHING[0] };
        let index = y as usize * width as usize + x as usize;
        match (rows.get(index), moved.get(index)) {
            (Some(row), Some(luma)) => colour(place(*row), *luma),
            _ => NOTHING[1],
        }
    })
}

/// The colour of a pixel of this luma, at a position from the top (0) to the bottom (1).
fn colour(place: f64, luma: u32) -> Rgb<u8> {
    const STOPS: [[f64; 3]; 5] = [
        [70.0, 130.0, 255.0],
        [165.0, 95.0, 255.0],
        [255.0, 80.0, 165.0],
        [255.0, 125.0, 60.0],
        [255.0, 225.0, 90.0],
    ];
    let place = place.clamp(0.0, 1.0) * (STOPS.len() - 1) as f64;
    let stop = (place as usize).min(STOPS.len() - 2);
    let light = (f64::from(luma) / 255.0).min(1.0);
    // Faint pixels are lifted, bright ones are nearly white.
    let (lifted, white) = (light.powf(0.6), light.powi(3));
    let mixed = |channel: usize| {
        let (low, high) = (STOPS[stop][channel], STOPS[stop + 1][channel]);
        let tint = low + (high - low) * (place - stop as f64);
        (lifted * (tint + (255.0 - tint) * white)).round() as u8
    };
    Rgb([mixed(0), mixed(1), mixed(2)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_has_its_colour_on_either_side() {
        let image = GrayImage::from_raw(3, 2, vec![9, 200, 9, 100, 9, 50]).unwrap();
        let picture = of_kept(&image, 50, &[200, 100, 50]);
        assert_eq!(picture.dimensions(), (6 + GAP, 2));
        let right = |x, y| *picture.get_pixel(3 + GAP + x, y);
        let left = |x, y| *picture.get_pixel(x, y);
        assert_eq!([left(1, 0), left(0, 1), left(2, 1)], [right(0, 0), right(1, 0), right(2, 0)]);
        assert_eq!(left(0, 0), Rgb([9; 3]));
        assert_eq!([right(0, 1), right(1, 1), right(2, 1)], [NOTHING[1]; 3]);
        assert_eq!(left(3, 0), NOTHING[0]);
    }

    #[test]
    fn sorted_pixels_have_the_colours_of_their_rows() {
        let image = GrayImage::from_raw(1, 3, vec![200, 9, 200]).unwrap();
        let picture = of_sorted(&image, &[1, 0, 2], &[9, 200, 200]);
        let [left, right] = [0, 1 + GAP].map(|x| [0, 1, 2].map(|y| *picture.get_pixel(x, y)));
        assert_eq!(right, [left[1], left[0], left[2]]);
        assert_ne!(right[1], right[2]);
    }

    #[test]
    fn nothing_kept_and_nothing_there() {
        let image = GrayImage::from_raw(2, 1, vec![9, 9]).unwrap();
        assert_eq!(*of_kept(&image, 50, &[]).get_pixel(2 + GAP, 0), NOTHING[1]);
        assert_eq!(of_kept(&GrayImage::new(0, 0), 50, &[]).height(), 0);
    }
}
