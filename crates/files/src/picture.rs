//! Pictures as numbers: luma row by row, or all channels interleaved. A picture with any detectable damage is an error:
//! no pixel is made up.

use std::io::Cursor;

use std::error::Error as StdError;

use image::{ColorType as PixelType, DynamicImage, ImageBuffer, Pixel};
use png::{BitDepth, ColorType};
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

use rasterscan::{
    Error,
    tools::{Numbers, memory},
};

use crate::jpeg::{self, JpegError};
use crate::{ByteSource, Data, Format, ReadError};

/// A reason why a picture cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PictureError {
    /// Another format; the bytes that the expected format begins with.
    #[error("it is not an image of this format: expected it to begin with {0:02X?}")]
    Magic(&'static [u8]),
    /// An error in a JPEG.
    #[error(transparent)]
    Jpeg(#[from] JpegError),
    /// A palette that is not a whole number of colours.
    #[error("the PNG is damaged: its palette has {0} bytes; expected three for each of at most 256 colours")]
    Palette(usize),
    /// Too many pixels, or too long rows.
    #[error("{0}")]
    TooLarge(String),
    /// Too few bytes for the number of pixels.
    #[error("{bytes} bytes are too few for {width} x {height} pixels (truncated?)")]
    Truncated {
        /// The bytes of the file.
        bytes: u64,
        /// Its stated width.
        width: u32,
        /// Its stated height.
        height: u32,
    },
    /// Pixels that are not integers.
    #[error("its pixels are {0:?}, not integers of 8 or 16 bits")]
    Pixels(PixelType),
    /// An error from the decoder of the format.
    #[error(transparent)]
    Decoder(Box<dyn StdError + Send + Sync>),
    /// Too little memory.
    #[error(transparent)]
    Memory(#[from] Error),
}

impl From<png::DecodingError> for PictureError {
    fn from(error: png::DecodingError) -> PictureError {
        PictureError::Decoder(error.into())
    }
}

/// The most numbers of an image, which take a GiB: a file of a few kilobytes can state any number of pixels.
const MOST_NUMBERS: u64 = 1 << 28;

/// The longest row of a PNG, in bytes; its decoder holds several in memory.
const MOST_ROW: u64 = 1 << 28;

/// The most bytes that one byte of deflated data can expand to.
const DEFLATED: u64 = 1032;

/// The pixels converted to luma at a time.
const BAND: u32 = 1 << 20;

/// Bytes that converting a band takes besides its pixels, at most.
const TABLES: usize = 1 << 20;

const NUMBERS: &str = "the numbers of an image";

/// A picture scaled down to at most this many pixels, as luma, and a note that says so; `None` if it has no more.
pub(crate) fn shrunk(picture: &DynamicImage, most: u64) -> Result<Option<Data>, PictureError> {
    if u64::from(picture.width()) * u64::from(picture.height()) <= most {
        return Ok(None);
    }
    let side = most.isqrt() as u32;
    let small = picture.thumbnail(side, side);
    let (from, to) = ((picture.width(), picture.height()), (small.width(), small.height()));
    let note = format!("shrunk from {} × {} to {} × {} pixels", from.0, from.1, to.0, to.1);
    Ok(Some(Data { note: Some(note), ..Data::from(Numbers::U32(luma(&small)?)) }))
}

/// Runs code with the buffer of an image, whatever its type.
macro_rules! each_buffer {
    ($image:expr, $buffer:ident => $body:expr) => {
        match $image {
            DynamicImage::ImageLuma8($buffer) => $body,
            DynamicImage::ImageLumaA8($buffer) => $body,
            DynamicImage::ImageRgb8($buffer) => $body,
            DynamicImage::ImageRgba8($buffer) => $body,
            DynamicImage::ImageLuma16($buffer) => $body,
            DynamicImage::ImageLumaA16($buffer) => $body,
            DynamicImage::ImageRgb16($buffer) => $body,
            DynamicImage::ImageRgba16($buffer) => $body,
            other => return Err(PictureError::Pixels(other.color())),
        }
    };
}

/// An image's luma (0 to 255, or to 65535 with 16 bits), or its channels as they are.
pub fn numbers(image: &DynamicImage, channels: bool) -> Result<Data, PictureError> {
    if !channels {
        return Ok(Numbers::U32(luma(image)?).into());
    }
    let samples = each_buffer!(image, buffer => widen(buffer.as_raw().iter().copied())?);
    Ok(Data { channels: image.color().channel_count().into(), ..Numbers::U32(samples).into() })
}

/// The luma of an image, with as many bits as its channels.
pub fn luma(image: &DynamicImage) -> Result<Vec<u32>, PictureError> {
    let (width, height) = (image.width(), image.height());
    let wide = image.color().bytes_per_pixel() > image.color().channel_count();
    let mut luma = memory::room(width as usize * height as usize, NUMBERS)?;
    // One band at a time, because this conversion cannot report a lack of memory: whether a copy of the band, its luma and
    // the tables have room is tried before it.
    let rows = (BAND / width.max(1)).clamp(1, height.max(1));
    let needed = width as usize * rows as usize * (usize::from(image.color().bytes_per_pixel()) + 2) + TABLES;
    for top in (0..height).step_by(rows as usize) {
        std::hint::black_box(memory::room::<u8>(needed, NUMBERS)?);
        let band = image.crop_imm(0, top, width, rows.min(height - top));
        match wide {
            true => luma.extend(band.into_luma16().into_raw().into_iter().map(u32::from)),
            false => luma.extend(band.into_luma8().into_raw().into_iter().map(u32::from)),
        }
    }
    Ok(luma)
}

fn widen<T: Into<u32>>(samples: impl ExactSizeIterator<Item = T>) -> Result<Vec<u32>, Error> {
    memory::collect(samples.map(Into::into), NUMBERS)
}

/// The first bytes of a PNG.
pub(crate) const MAGIC: &[u8] = b"\x89PNG\r\n\x1A\n";

/// Reads the pixels of a PNG or a JPEG. Its channels, or else its pixels, are at most as many as the numbers of an
/// image.
pub fn read(source: &mut ByteSource<'_>, format: Format, channels: bool) -> Result<DynamicImage, ReadError> {
    Ok(match format {
        Format::Jpeg => decode_jpeg(&source.picture(jpeg::MAGIC)?, channels)?,
        _ => decode_png(&source.picture(MAGIC)?, channels)?,
    })
}

fn check_size(width: u32, height: u32, channels: u32) -> Result<(), PictureError> {
    let numbers = (u64::from(width) * u64::from(height)).saturating_mul(channels.into());
    match numbers <= MOST_NUMBERS {
        true => Ok(()),
        false => Err(PictureError::TooLarge(format!(
            "{width} x {height} pixels are too many: an image is read as at most {MOST_NUMBERS} numbers"
        ))),
    }
}

fn decode_png(bytes: &[u8], channels: bool) -> Result<DynamicImage, PictureError> {
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::EXPAND);
    decoder.ignore_checksums(false);
    let mut reader = decoder.read_info()?;
    let info = reader.info();
    let (width, height) = info.size();
    // The decoder relies on it.
    let palette = info.palette.as_ref().map_or(3, |palette| palette.len());
    if palette == 0 || !palette.is_multiple_of(3) || palette > 768 {
        return Err(PictureError::Palette(palette));
    }
    let row = (u64::from(width) * info.bits_per_pixel() as u64).div_ceil(8) + 1;
    let (color, depth) = reader.output_color_type();
    check_size(width, height, if channels { color.samples() as u32 } else { 1 })?;
    let wide =
        row.max(u64::from(width) * color.samples() as u64 * if depth == BitDepth::Sixteen { 2 } else { 1 });
    if wide > MOST_ROW {
        let reason = format!("a row of {width} pixels is too long: {wide} bytes, at most {MOST_ROW}");
        return Err(PictureError::TooLarge(reason));
    }
    let packed = bytes.len() as u64;
    if row * u64::from(height) > packed.saturating_mul(DEFLATED) {
        return Err(PictureError::Truncated { bytes: packed, width, height });
    }
    let size = reader.output_buffer_size().unwrap_or(usize::MAX);
    let mut samples = memory::filled(0u8, size, "the pixels of a PNG")?;
    // The decoder aborts without memory, so the memory is tried first.
    drop(memory::room::<u8>(4 * wide as usize + (1 << 20), "the rows of a PNG")?);
    reader.next_frame(&mut samples)?;
    reader.finish()?;
    if depth == BitDepth::Sixteen {
        let (pairs, _) = samples.as_chunks::<2>();
        let samples =
            memory::collect(pairs.iter().map(|pair| u16::from_be_bytes(*pair)), "the pixels of a PNG")?;
        return match color {
            ColorType::Grayscale => buffer(width, height, samples, DynamicImage::ImageLuma16),
            ColorType::GrayscaleAlpha => buffer(width, height, samples, DynamicImage::ImageLumaA16),
            ColorType::Rgb => buffer(width, height, samples, DynamicImage::ImageRgb16),
            _ => buffer(width, height, samples, DynamicImage::ImageRgba16),
        };
    }
    match color {
        ColorType::Grayscale => buffer(width, height, samples, DynamicImage::ImageLuma8),
        ColorType::GrayscaleAlpha => buffer(width, height, samples, DynamicImage::ImageLumaA8),
        ColorType::Rgb => buffer(width, height, samples, DynamicImage::ImageRgb8),
        _ => buffer(width, height, samples, DynamicImage::ImageRgba8),
    }
}

fn decode_jpeg(bytes: &[u8], channels: bool) -> Result<DynamicImage, PictureError> {
    let shape = jpeg::shape(bytes)?;
    let grey = shape.components == 1;
    check_size(shape.width, shape.height, if channels && !grey { 3 } else { 1 })?;
    jpeg::check(bytes)?;
    let size = shape.width as usize * shape.height as usize * if grey { 1 } else { 3 };
    let mut samples = memory::filled(0u8, size, "the pixels of a JPEG")?;
    // The decoder aborts without memory, so the memory is tried first.
    drop(memory::room::<u8>(shape.work_bytes(), "the blocks of a JPEG")?);
    decoder(bytes, grey).decode_into(&mut samples).map_err(|error| PictureError::Decoder(error.into()))?;
    match grey {
        true => buffer(shape.width, shape.height, samples, DynamicImage::ImageLuma8),
        false => buffer(shape.width, shape.height, samples, DynamicImage::ImageRgb8),
    }
}

fn decoder(bytes: &[u8], grey: bool) -> JpegDecoder<ZCursor<&[u8]>> {
    let options = DecoderOptions::default()
        .set_strict_mode(true)
        .set_max_width(usize::MAX)
        .set_max_height(usize::MAX)
        .jpeg_set_out_colorspace(if grey { ColorSpace::Luma } else { ColorSpace::RGB });
    JpegDecoder::new_with_options(ZCursor::new(bytes), options)
}

fn buffer<P: Pixel>(
    width: u32,
    height: u32,
    samples: Vec<P::Subpixel>,
    image: fn(ImageBuffer<P, Vec<P::Subpixel>>) -> DynamicImage,
) -> Result<DynamicImage, PictureError> {
    let buffer = ImageBuffer::from_raw(width, height, samples);
    let few =
        || PictureError::Decoder(format!("its decoder returned less than {width} x {height} pixels").into());
    buffer.map(image).ok_or_else(few)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;
    use std::sync::LazyLock;

    use super::*;
    use rasterscan::ElementType;
    use rasterscan_fuzz::{Fuzz, repair_png};

    const FOLDER: &str = env!("CARGO_MANIFEST_DIR");

    /// A photo, part of the program.
    static HUBBLE: LazyLock<Vec<u8>> =
        LazyLock::new(|| fs::read(format!("{FOLDER}/../cli/assets/hubble_deep_field.jpg")).unwrap());

    /// The small images of the corpus, with their names.
    fn images(ending: &str) -> Vec<(String, Vec<u8>)> {
        let entries = fs::read_dir(format!("{FOLDER}/tests/corpus/images")).unwrap();
        let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths.retain(|path| path.extension().is_some_and(|own| own == ending));
        let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
        paths.iter().map(|path| (name(path), fs::read(path).unwrap())).collect()
    }

    fn jpeg(bytes: &[u8]) -> Result<DynamicImage, ReadError> {
        read(&mut ByteSource::in_memory(bytes), Format::Jpeg, false)
    }

    fn png(bytes: &[u8]) -> Result<DynamicImage, ReadError> {
        read(&mut ByteSource::in_memory(bytes), Format::Png, true)
    }

    /// The first byte of the entropy-coded data.
    fn data(bytes: &[u8]) -> usize {
        let scan = bytes.windows(2).position(|two| two == [0xFF, 0xDA]).unwrap();
        scan + 2 + usize::from(bytes[scan + 3])
    }

    #[test]
    fn fuzz() {
        let corpus = ["png", "jpg"].into_iter().flat_map(images).map(|(_, bytes)| bytes).collect();
        let words = ["PLTE", "tRNS", "IDAT", "IEND", "acTL", "\u{ff}\u{d8}"];
        Fuzz { name: "picture", corpus, words: &words, repair: |bytes| repair_png(bytes), cases: 3000 }.run(
            |bytes| {
                let image = if bytes.starts_with(b"\x89PNG") { png(bytes) } else { jpeg(bytes) };
                match image.and_then(|image| Ok((luma(&image)?.len(), numbers(&image, true)?.channels))) {
                    Ok((_, channels)) => ["grey", "grey with alpha", "colours", "colours with alpha"]
                        [channels as usize - 1]
                        .into(),
                    Err(error) => error.to_string(),
                }
            },
        );
    }

    #[test]
    fn only_a_picture_of_too_many_pixels_shrinks() {
        let bytes = &HUBBLE[..];
        let of = |format, element, most| {
            crate::read_shrunk(&mut ByteSource::in_memory(bytes), format, element, most).unwrap()
        };
        let pixels = jpeg(bytes).map(|image| u64::from(image.width()) * u64::from(image.height())).unwrap();
        let whole = of(Format::Jpeg, ElementType::F32, pixels);
        assert_eq!((whole.numbers.len() as u64, whole.numbers.element()), (pixels, ElementType::F32));
        assert_eq!(whole.note, None);
        let small = of(Format::Jpeg, ElementType::I64, 4096);
        assert!(
            (2000..=4096).contains(&small.numbers.len()) && small.note.unwrap().starts_with("shrunk from")
        );
        assert_eq!(small.numbers.element(), ElementType::I64);
        assert_eq!(of(Format::Binary, ElementType::U32, 1).numbers.len(), bytes.len() / 4);
    }

    #[test]
    fn whole_images_are_read_as_another_decoder_reads_them() {
        let (jpegs, pngs) = (images("jpg"), images("png"));
        assert!(jpegs.len() >= 5 && pngs.len() >= 7);
        for (name, bytes) in jpegs.iter().chain(&pngs).chain([&("hubble".to_owned(), HUBBLE.to_vec())]) {
            let ours = if bytes.starts_with(b"\x89PNG") { png(bytes) } else { jpeg(bytes) };
            let ours = ours.unwrap_or_else(|error| panic!("{name}: {error}"));
            let theirs = image::load_from_memory(bytes).unwrap();
            assert_eq!(ours, theirs, "{name}");
            let wide = ours.color().bytes_per_pixel() > ours.color().channel_count();
            let luma_of_theirs: Vec<u32> = match wide {
                true => theirs.into_luma16().into_raw().into_iter().map(Into::into).collect(),
                false => theirs.into_luma8().into_raw().into_iter().map(Into::into).collect(),
            };
            assert_eq!(luma(&ours).unwrap(), luma_of_theirs, "{name}");
        }
    }

    #[test]
    fn a_jpeg_that_is_cut_off_is_refused_wherever() {
        for (name, bytes) in images("jpg") {
            for end in 0..bytes.len() {
                assert!(jpeg(&bytes[..end]).is_err(), "{name}: {end} bytes of {}", bytes.len());
                // As if it ended there.
                let ended = [&bytes[..end], &[0xFF, 0xD9]].concat();
                if end < bytes.len() - 2 {
                    assert!(jpeg(&ended).is_err(), "{name}: {end} bytes of {} and an end", bytes.len());
                }
            }
        }
        for end in (0..HUBBLE.len()).step_by(HUBBLE.len() / 15) {
            assert!(jpeg(&HUBBLE[..end]).is_err(), "{end} bytes of {}", HUBBLE.len());
            assert!(jpeg(&[&HUBBLE[..end], &[0xFF, 0xD9]].concat()).is_err(), "{end} bytes, and an end");
        }
    }

    /// This is why the check is there. Where it fails, the decoder has become as strict, and the check may go.
    #[test]
    fn the_decoder_alone_shows_a_photo_that_is_cut_off() {
        let cut = [&HUBBLE[..HUBBLE.len() / 2], &[0xFF, 0xD9]].concat();
        assert!(decoder(&cut, false).decode().is_ok(), "the decoder refuses it, too");
        assert!(matches!(jpeg(&cut), Err(ReadError::Picture(PictureError::Jpeg(JpegError::Damaged { .. })))));
    }

    /// Shorter gaps may by chance leave the same number of valid codes.
    #[test]
    fn a_jpeg_with_a_hole_is_refused() {
        for start in (data(&HUBBLE)..HUBBLE.len() - 5000).step_by(HUBBLE.len() / 12) {
            for len in [512, 4096] {
                let (before, after) = (&HUBBLE[..start], &HUBBLE[start + len..]);
                assert!(jpeg(&[before, after].concat()).is_err(), "{len} bytes are missing at {start}");
                for value in [0, 0xFF, 0x55] {
                    let filled = [before, &vec![value; len], after].concat();
                    assert!(jpeg(&filled).is_err(), "{len} bytes at {start} are {value}");
                }
            }
        }
    }

    /// A repeated block; restart markers that are missing, out of order, or moved.
    #[test]
    fn a_jpeg_whose_restarts_do_not_fit_is_refused() {
        let (_, bytes) = images("jpg").into_iter().find(|(name, _)| name == "restarts.jpg").unwrap();
        let restarts: Vec<usize> = (data(&bytes)..bytes.len() - 1)
            .filter(|at| bytes[*at] == 0xFF && (0xD0..=0xD7).contains(&bytes[at + 1]))
            .collect();
        assert!(restarts.len() >= 3, "{restarts:?}");
        jpeg(&bytes).unwrap();
        for (number, at) in restarts.iter().enumerate() {
            let without = [&bytes[..*at], &bytes[at + 2..]].concat();
            assert!(jpeg(&without).is_err(), "restart {number} is missing");
            let mut other = bytes.clone();
            other[at + 1] = 0xD0 + (other[at + 1] + 1) % 8;
            assert!(jpeg(&other).is_err(), "restart {number} has the next one's number");
            let twice = [&bytes[..*at], &bytes[*at..at + 2], &bytes[*at..]].concat();
            assert!(jpeg(&twice).is_err(), "restart {number} is there twice");
        }
        for pair in restarts.windows(2) {
            let without = [&bytes[..pair[0]], &bytes[pair[1]..]].concat();
            assert!(jpeg(&without).is_err(), "an interval is missing at {}", pair[0]);
        }
    }

    /// Most flipped bits turn codes into other valid codes, which a JPEG cannot detect. Some do not.
    #[test]
    fn flipped_bits_that_break_the_code_of_a_jpeg_are_found() {
        let (mut found, mut all) = (0, 0);
        for at in (data(&HUBBLE)..HUBBLE.len() - 2).step_by(HUBBLE.len() / 120) {
            let mut bytes = HUBBLE.to_vec();
            bytes[at] ^= 1 << (at % 8);
            found += usize::from(jpeg(&bytes).is_err());
            all += 1;
        }
        println!("{found} of {all} flipped bits are found");
        assert!(found * 10 > all, "{found} of {all} flipped bits are found");
    }

    #[test]
    fn no_damage_to_a_png_goes_unseen() {
        for (name, bytes) in images("png") {
            for at in 0..bytes.len() {
                assert!(png(&bytes[..at]).is_err(), "{name}: {at} bytes of {}", bytes.len());
                let mut damaged = bytes.clone();
                damaged[at] ^= 1 << (at % 8);
                if let Ok(image) = png(&damaged) {
                    // Part of an optional chunk.
                    assert_eq!(image, png(&bytes).unwrap(), "{name}: byte {at}");
                }
            }
        }
    }

    /// A PNG of these chunks, with their checksums.
    fn png_of(chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
        let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
        for (kind, content) in chunks {
            bytes.extend([&(content.len() as u32).to_be_bytes(), &kind[..], content, &[0; 4]].concat());
        }
        repair_png(&mut bytes);
        bytes
    }

    fn header(width: u32, height: u32, depth: u8, color: u8) -> Vec<u8> {
        [&width.to_be_bytes()[..], &height.to_be_bytes(), &[depth, color, 0, 0, 0]].concat()
    }

    #[test]
    fn a_palette_that_is_no_whole_number_of_colours_is_refused() {
        let (_, whole) = images("png").into_iter().find(|(name, _)| name == "palette.png").unwrap();
        let data = whole.windows(4).position(|four| four == b"IDAT").unwrap();
        let len = u32::from_be_bytes(whole[data - 4..data].try_into().unwrap()) as usize;
        let data = &whole[data + 4..data + 4 + len];
        let header = &whole[16..29];
        for len in [0, 1, 2, 3, 4, 38, 39, 40, 766, 767, 768, 769, 771] {
            let palette = vec![7; len];
            let bytes = png_of(&[(b"IHDR", header), (b"PLTE", &palette), (b"IDAT", data), (b"IEND", b"")]);
            let read = png(&bytes);
            assert_eq!(read.is_ok(), len > 0 && len % 3 == 0 && len <= 768, "{len}: {read:?}");
        }
    }

    #[test]
    fn a_small_file_cannot_promise_a_large_image() {
        for (width, height, depth, color) in [
            (30_000, 30_000, 16, 6),
            (1 << 14, 1 << 14, 8, 2),
            (1 << 30, 1, 1, 0),
            (1 << 27, 1, 16, 6),
            (70_000, 70_000, 1, 0),
        ] {
            let header = header(width, height, depth, color);
            let bytes = png_of(&[(b"IHDR", &header), (b"IDAT", &[0; 1000]), (b"IEND", b"")]);
            let error = png(&bytes).unwrap_err().to_string();
            assert!(
                ["too many", "too few", "too long", "limits"].iter().any(|word| error.contains(word)),
                "{error}"
            );
        }
        // The size of a JPEG follows its frame marker.
        let (_, mut bytes) = images("jpg").into_iter().find(|(name, _)| name == "grey.jpg").unwrap();
        let frame = bytes.windows(2).position(|two| two == [0xFF, 0xC0]).unwrap();
        bytes[frame + 5..frame + 9].fill(0xFF);
        let error = jpeg(&bytes).unwrap_err().to_string();
        assert!(error.contains("65535 x 65535 pixels are too many"), "{error}");
    }
}
