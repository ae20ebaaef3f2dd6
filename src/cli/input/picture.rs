//! Images as numbers: luma row by row, or all channels interleaved.

use image::{DynamicImage, ImageFormat, ImageReader};

use super::Data;
use crate::cli::numbers::Numbers;

/// An image's luma (0 to 255, or to 65535 where it has 16 bits), or its channels as they are.
pub fn read(bytes: &[u8], format: ImageFormat, channels: bool) -> anyhow::Result<Data> {
    let image = decode(bytes, format)?;
    if !channels {
        return Ok(Numbers::U32(luma(image)).into());
    }
    let count = u32::from(image.color().channel_count());
    let samples = match (count, is_wide(&image)) {
        (1, false) => widen(image.into_luma8().into_raw()),
        (2, false) => widen(image.into_luma_alpha8().into_raw()),
        (3, false) => widen(image.into_rgb8().into_raw()),
        (_, false) => widen(image.into_rgba8().into_raw()),
        (1, true) => widen(image.into_luma16().into_raw()),
        (2, true) => widen(image.into_luma_alpha16().into_raw()),
        (3, true) => widen(image.into_rgb16().into_raw()),
        (_, true) => widen(image.into_rgba16().into_raw()),
    };
    Ok(Data { channels: count, ..Numbers::U32(samples).into() })
}

/// The luma of a PNG, as in [`read`].
pub fn luma_of_png(bytes: &[u8]) -> anyhow::Result<Vec<u32>> {
    Ok(luma(decode(bytes, ImageFormat::Png)?))
}

fn decode(bytes: &[u8], format: ImageFormat) -> anyhow::Result<DynamicImage> {
    Ok(ImageReader::with_format(std::io::Cursor::new(bytes), format).decode()?)
}

/// Whether its channels have 16 bits.
fn is_wide(image: &DynamicImage) -> bool {
    image.color().bytes_per_pixel() > image.color().channel_count()
}

/// The luma of an image, of as many bits as its channels have.
pub fn luma(image: DynamicImage) -> Vec<u32> {
    if is_wide(&image) { widen(image.into_luma16().into_raw()) } else { widen(image.into_luma8().into_raw()) }
}

fn widen<T: Into<u32>>(samples: Vec<T>) -> Vec<u32> {
    samples.into_iter().map(Into::into).collect()
}

/// The luma of a JPEG as an image, for those who also want its shape.
pub fn luma_of_jpeg(bytes: &[u8]) -> anyhow::Result<image::GrayImage> {
    Ok(image::load_from_memory_with_format(bytes, ImageFormat::Jpeg)?.into_luma8())
}
