//! The position of each item of a stream: row by row in a texture, or in order in a buffer.
//!
//! A texture is nearly square. If a texel holds one item, it is at most 256 columns wide, or as wide as the device is
//! tuned to, while its height suffices. A buffer is a single row, with a length limit of its own.

use std::fmt;

use crate::device::Device;
use crate::element::{ElementType, TexelFormat};
use crate::limits::MAX_LEN;
use crate::printable::counted;
use crate::texels::{PLANE, Region};
use crate::tuning::table::columns::NARROW;
use crate::unsupported::Unsupported;

/// The storage of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "recordings",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
pub enum Storage {
    /// A 2-D texture of one level; an array of them for items of more than four words.
    Texture,
    /// A buffer: for vertex attributes, captures and compute shaders.
    Buffer,
}

/// The layout of a stream of items in a texture, row by row: item `i` is in texel `t = i / items_per_texel`, at column
/// `t % width` of row `t / width`. Or in a buffer, one item after the other: a row of texels of one item.
///
/// Positions after the last item are padding. Inputs are padded with zeros; padding that passes leave is undefined,
/// since in a scan nothing flows from right to left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "recordings", derive(serde::Serialize, serde::Deserialize))]
pub struct Layout {
    /// Texture or buffer.
    pub storage: Storage,
    /// The type of its numbers.
    pub element: ElementType,
    /// Elements in an item: 2 for the pairs of affine, else 1.
    pub arity: u32,
    /// Consecutive items in a texel; 1 in buffers.
    pub items_per_texel: u32,
    /// Items in the stream.
    pub len: u64,
    /// Columns of the texture, in texels.
    pub width: u32,
    /// Rows of the texture, in texels; at least 1.
    pub height: u32,
}

impl Layout {
    /// A layout for `len` items whose width is a power of two times `unit` texels: as square as that allows. With one
    /// item per texel it is no wider than [`NARROW`], or than the device's tuning says
    /// ([`Tuning::columns`](crate::tuning::Tuning::columns)), while the height suffices.
    ///
    /// It depends only on the device and these numbers, not on the element: all plans for a device put equally many
    /// items at the same positions, if their units allow it.
    ///
    /// Errors: the stream does not fit into one texture of the device.
    pub fn fit(
        device: &Device,
        element: ElementType,
        arity: u32,
        items_per_texel: u32,
        len: u64,
        unit: u32,
    ) -> Result<Layout, Unsupported> {
        let max = device.max_texture_size;
        let words = element.words() * arity;
        let planes = (words * items_per_texel).div_ceil(PLANE);
        if planes > 1 && (items_per_texel > 1 || planes > device.max_targets) {
            return Err(Unsupported::too_large(format!(
                "items of {words} words take {planes} textures at once, and this device draws into at most {}; use an \
                 algorithm over buffers, such as look_back",
                device.max_targets
            )));
        }
        let texels = len.div_ceil(u64::from(items_per_texel));
        let widest = match items_per_texel {
            1 => device.tuning.columns(texels).unwrap_or(NARROW),
            _ => max,
        };
        let mut width = unit;
        loop {
            let (wider, area) = (width * 2, u64::from(width) * u64::from(width));
            let too_high = texels.div_ceil(u64::from(width)) > u64::from(max);
            if wider > max || !(too_high || (area < texels && wider <= widest)) {
                break;
            }
            width = wider;
        }
        let limit = (u64::from(width) * u64::from(max) * u64::from(items_per_texel)).min(MAX_LEN);
        // Whole rows of what the driver allocates.
        let row =
            Layout { storage: Storage::Texture, element, arity, items_per_texel, len, width, height: 1 };
        let in_bytes = device.max_texture_bytes / row.bytes() * u64::from(width) * u64::from(items_per_texel);
        if len > in_bytes && len <= limit && width <= max {
            return Err(Unsupported::too_large(format!(
                "{len} items are more than this device can hold in one texture: it allocates at most {} bytes for \
                 one, which hold {in_bytes} items here; use a shorter stream, or an algorithm over buffers",
                device.max_texture_bytes
            )));
        }
        if len > limit || width > max {
            return Err(Unsupported::too_large(format!(
                "{len} items are more than this device can hold in one texture: at most {limit} \
                 ({width} x {max} texels of {items_per_texel}, and never more than {MAX_LEN}); use a shorter \
                 stream, or an algorithm over buffers"
            )));
        }
        let storage = Storage::Texture;
        let layout = Layout { storage, element, arity, items_per_texel, len, width, height: 1 };
        Ok(layout.with_len(len))
    }

    /// `len` items of `arity` elements in a buffer, one after the other. `len` must not exceed [`MAX_LEN`].
    pub fn buffer(element: ElementType, arity: u32, len: u64) -> Layout {
        let width = u32::try_from(len.max(1)).unwrap_or(u32::MAX);
        Layout { storage: Storage::Buffer, element, arity, items_per_texel: 1, len, width, height: 1 }
    }

    /// The layout of a whole texture of the caller's, row by row: `channels` 32-bit channels in a texel (1, 2 or
    /// 4), each an element or half of one.
    ///
    /// # Panics
    ///
    /// If the channels do not hold whole elements, or the size is 0.
    pub fn texture(element: ElementType, channels: u32, width: u32, height: u32) -> Layout {
        let items_per_texel = channels / element.words();
        assert!([1, 2, 4].contains(&channels) && items_per_texel > 0, "{channels} channels of {element}");
        assert!(width > 0 && height > 0, "a texture of {width} x {height} texels");
        let len = u64::from(width) * u64::from(height) * u64::from(items_per_texel);
        Layout { storage: Storage::Texture, element, arity: 1, items_per_texel, len, width, height }
    }

    /// The layout of a whole texture of the caller's as a stream of texels, row by row: each is an item of `channels` numbers (1, 2
    /// or 4), one in a channel. For [`Plan::for_channel`](crate::Plan::for_channel).
    ///
    /// # Panics
    ///
    /// If the size is 0, and for other channels or elements of 64 bits.
    pub fn pixels(element: ElementType, channels: u32, width: u32, height: u32) -> Layout {
        assert!(element.words() == 1, "a channel holds no {element}");
        let one = Layout::texture(element, channels, width, height);
        Layout { arity: channels, items_per_texel: 1, len: one.len / u64::from(channels), ..one }
    }

    /// The layout of `len` items, one for each `factor` texels of a row: in the same rows while they are at least
    /// `least` texels long. Neighbouring fragments then read neighbouring rows, which suits the storage of textures;
    /// with one long row instead of many a reduce took four times as long (H200).
    pub fn reduced(self, len: u64, factor: u32, least: u32) -> Layout {
        let width = self.width / factor;
        if width >= least { Layout { width, ..self }.with_len(len) } else { self.square(len, least) }
    }

    /// `len` items in rows of a power of two times `unit` texels, as square as that allows.
    pub fn square(self, len: u64, unit: u32) -> Layout {
        let mut square = Layout { width: unit, ..self }.with_len(len);
        while square.width < square.height {
            square = Layout { width: square.width * 2, ..square }.with_len(len);
        }
        square
    }

    /// The same positions, for single elements of another type.
    pub fn of(self, element: ElementType) -> Layout {
        Layout { element, arity: 1, ..self }
    }

    /// The same rows, for `len` items.
    pub fn with_len(self, len: u64) -> Layout {
        let texels = len.div_ceil(u64::from(self.items_per_texel));
        let rows = texels.div_ceil(u64::from(self.width)).max(1);
        Layout { len, height: u32::try_from(rows).unwrap_or(u32::MAX), ..self }
    }

    /// The format of a texel, in each plane. Items of three words take texels of four, of which the last is unused.
    pub fn format(&self) -> TexelFormat {
        self.element.texel(self.words_per_texel().min(PLANE).next_power_of_two())
    }

    /// Planes of its texture: 1, or more where an item has more than four words.
    pub fn planes(&self) -> u32 {
        match self.storage {
            Storage::Texture => self.words_per_texel().div_ceil(PLANE).max(1),
            Storage::Buffer => 1,
        }
    }

    /// 32-bit words of items in a texel, of all planes.
    pub fn words_per_texel(&self) -> u32 {
        self.element.words() * self.arity * self.items_per_texel
    }

    /// Words in all items, without padding.
    pub fn words(&self) -> u64 {
        self.len * u64::from(self.element.words() * self.arity)
    }

    /// The bytes of its texture or buffer, padding included.
    pub fn bytes(&self) -> u64 {
        match self.storage {
            Storage::Texture => {
                let words = u64::from(self.format().words * self.planes());
                u64::from(self.width) * u64::from(self.height) * words * 4
            }
            // Whole vectors of four words.
            Storage::Buffer => (self.len.max(1) * u64::from(self.words_per_texel())).next_multiple_of(4) * 4,
        }
    }

    /// Texels that hold an item.
    pub fn texels(&self) -> u64 {
        self.len.div_ceil(u64::from(self.items_per_texel))
    }

    /// Elements in the stream.
    pub fn elements(&self) -> u64 {
        self.len * u64::from(self.arity)
    }

    /// The part of the texture that holds items: all full rows, or the used part of a single row.
    pub fn region(&self) -> Region {
        let texels = self.texels();
        if texels < u64::from(self.width) {
            Region { width: texels as u32, height: u32::from(texels > 0) }
        } else {
            Region { width: self.width, height: self.height }
        }
    }

    /// log2 of the width, if it is a power of two.
    pub fn width_log2(&self) -> Option<u32> {
        self.width.is_power_of_two().then(|| self.width.trailing_zeros())
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.storage {
            Storage::Texture => {
                write!(
                    f,
                    "{} in {} x {} texels of {}",
                    counted(self.len, "item"),
                    self.width,
                    self.height,
                    self.format()
                )?;
                match self.planes() {
                    1 => Ok(()),
                    planes => write!(f, " in {planes} planes"),
                }
            }
            Storage::Buffer => {
                let words = counted(self.words_per_texel().into(), "word");
                write!(f, "{} in a buffer, {words} each", counted(self.len, "item"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tuning::{Best, Shape, Subject, Tuned, Tuning};

    #[test]
    fn a_layout_holds_its_items_and_is_square_or_narrow() {
        let device = Device::gl33();
        for len in [0, 1, 2, 255, 256, 257, 872_000, 1 << 24, (1 << 28) - 1, 1 << 28] {
            let layout = Layout::fit(&device, ElementType::U32, 1, 1, len, 2).unwrap();
            assert!(u64::from(layout.width) * u64::from(layout.height) >= len, "{layout}");
            assert!(layout.width <= NARROW || layout.height > device.max_texture_size / 2, "{layout}");
            assert!(layout.height <= layout.width.max(2) || layout.width >= NARROW, "{layout}");
            assert!(layout.region().texels() >= len);
        }
    }

    #[test]
    fn a_tuning_says_how_wide_and_never_what_fits() {
        let with = |columns| {
            let best = Best::Value(columns);
            let (subject, shape) = (Subject::Columns, Shape::PLAIN);
            let range = Tuned { subject, shape, from: 1 << 16, up_to: Tuned::NO_END, best };
            Device { tuning: Tuning { ranges: vec![range] }, ..Device::gl33() }
        };
        let width = |columns, len, unit| {
            let element = |element| Layout::fit(&with(columns), element, 1, 1, len, unit).unwrap().width;
            assert_eq!(element(ElementType::U32), element(ElementType::U64));
            element(ElementType::U32)
        };
        assert_eq!([64, 128, 1024].map(|columns| width(columns, 1 << 22, 2)), [256, 256, 1024]);
        assert_eq!([64, 512, 4096].map(|columns| width(columns, 1 << 18, 2)), [64, 512, 512]);
        assert_eq!(width(64, (1 << 16) - 1, 2), 256, "no measurement covers it");
        assert_eq!(width(64, 1 << 18, 128), 128, "a block is whole");
        assert_eq!(width(1024, 1 << 22, 6), 768);
        // An invalid value is ignored.
        for columns in [0, 1, 3, u32::MAX] {
            for len in [1 << 16, 1 << 28] {
                let layout = Layout::fit(&with(columns), ElementType::U32, 1, 1, len, 2).unwrap();
                assert!(layout.width <= 16384 && layout.height <= 16384, "{layout}");
            }
            assert!(Layout::fit(&with(columns), ElementType::U32, 1, 1, (1 << 28) + 1, 1).is_err());
        }
        let packed = |device: &Device| Layout::fit(device, ElementType::U32, 1, 4, 1 << 22, 8).unwrap();
        assert_eq!(packed(&with(64)), packed(&Device::gl33()), "of one item a texel only");
    }

    #[test]
    fn what_does_not_fit_is_refused_with_the_limit() {
        let device = Device::gl33();
        let refused = Layout::fit(&device, ElementType::U32, 1, 1, (1 << 28) + 1, 1);
        assert!(refused.unwrap_err().to_string().contains("at most 268435456 "));
        // Four items per texel: the texture would hold more, the index range would not.
        let packed = Layout::fit(&device, ElementType::U32, 1, 4, 1 << 30, 1).unwrap();
        assert_eq!((packed.width, packed.height), (16384, 16384));
        assert!(Layout::fit(&device, ElementType::U32, 1, 4, (1 << 30) + 1, 1).is_err());
    }

    #[test]
    fn no_texture_is_larger_than_the_driver_allocates() {
        let device = Device { max_texture_bytes: 1_000_000, ..Device::gl33() };
        for (element, items_per_texel) in
            [(ElementType::U32, 1), (ElementType::U32, 4), (ElementType::U64, 1)]
        {
            let fits = |len| Layout::fit(&device, element, 1, items_per_texel, len, 1);
            let most = (1..300_000).take_while(|len| fits(*len).is_ok()).count() as u64;
            assert!(fits(most).unwrap().bytes() <= 1_000_000);
            // Less than a row is lost.
            let bytes = u64::from(element.words()) * 4;
            assert!(most * bytes > 980_000, "{most} {element}");
            let error = fits(most + 1).unwrap_err().to_string();
            assert!(error.contains("allocates at most 1000000 bytes"), "{error}");
        }
    }
}
