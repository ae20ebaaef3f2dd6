//! Images as numbers: luma row by row, or all channels interleaved.

use image::{DynamicImage, ImageFormat, ImageReader};

use super::Data;
use crate::cli::numbers::Numbers;

/// An image's luma (0 to 255, or to 65535 where it has 16 bits), or its channels as they are.
pub fn read(bytes: &[u8], format: ImageFormat, channels: bool) -> anyhow::Result<Data> {
    let image = ImageReader::with_format(std::io::Cursor::new(bytes), format).decode()?;
    let count = u32::from(image.color().channel_count());
    let wide = image.color().bytes_per_pixel() > image.color().channel_count();
    if !channels {
        return Ok(luma(image, wide).into());
    }
    let samples = match (count, wide) {
        (1, false) => widen(image.into_luma8().into_raw()),
        (2, false) => widen(image.into_luma_alpha8().into_raw()),
        (3, false) => widen(image.into_rgb8().into_raw()),
        (_, false) => widen(image.into_rgba8().into_raw()),
        (1, true) => widen(image.into_luma16().into_raw()),
        (2, true) => widen(image.into_luma_alpha16().into_raw()),
        (3, true) => widen(image.into_rgb16().into_raw()),
        (_, true) => widen(image.into_rgba16().into_raw()),
    };
    Ok(Data { channels: count, ..samples.into() })
}

fn luma(image: DynamicImage, wide: bool) -> Numbers {
    if wide { widen(image.into_luma16().into_raw()) } else { widen(image.into_luma8().into_raw()) }
}

fn widen<T: Into<u32>>(samples: Vec<T>) -> Numbers {
    Numbers::U32(samples.into_iter().map(Into::into).collect())
}

/// The luma of a JPEG as an image, for those who also want its shape.
pub fn luma_of_jpeg(bytes: &[u8]) -> anyhow::Result<image::GrayImage> {
    Ok(image::load_from_memory_with_format(bytes, ImageFormat::Jpeg)?.into_luma8())
}
