//! Streams, as far as they are known before they are bound.

use super::RecipeError;
use crate::algorithm::Placement;
use crate::device::Device;
use crate::element::ElementType;
use crate::error::Error;
use crate::layout::{Layout, Storage};

/// A stream of the caller's, as far as it is known before it is bound.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Known {
    /// Numbers that are uploaded.
    Array {
        /// Their type.
        element: ElementType,
        /// How many they are.
        len: u64,
    },
    /// A buffer of the caller's, with numbers one after the other.
    Buffer {
        /// Their type.
        element: ElementType,
        /// How many they are.
        len: u64,
    },
    /// A stream that lies on the GPU already.
    Stream(Layout),
    /// A texture of the caller's: [`Known::texture`].
    Texture(Texels),
}

/// A texture of the caller's.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Texels {
    /// The type of its numbers; of a channel, the type that it becomes.
    element: ElementType,
    /// The type of a channel of 32 bits, and channels in a texel.
    own: (ElementType, u32),
    size: [u32; 2],
    /// Items, if they are not all.
    items: Option<u64>,
    channel: Option<u32>,
    is_narrow: bool,
}

impl Known {
    /// A texture of the caller's, of `width` x `height` texels of a `format`: `R`, `RG` or `RGBA` with `32UI`, `32I`, `32F`, `16F`
    /// or `8`. Channels of 32 bits are numbers, or halves of numbers if `element` has 64 bits; or one `channel`, counted from 0,
    /// is, which of another format is a float, or an integer if `element` says so. The first `items` count.
    ///
    /// Errors: an unknown format, or one that has no room for the numbers.
    pub fn texture(
        format: &str,
        element: Option<ElementType>,
        [width, height]: [u32; 2],
        items: Option<u64>,
        channel: Option<u32>,
    ) -> Result<Known, RecipeError> {
        let of_32_bits = ElementType::ALL.into_iter().filter(|element| element.words() == 1);
        let mut formats = of_32_bits.flat_map(|element| [1, 2, 4].map(|words| (element, words)));
        let wide = formats.find(|(element, words)| element.texel(*words).to_string() == format);
        let narrow = ["8", "16F"].iter().find_map(|bits| match format.strip_suffix(bits)? {
            "R" => Some(1),
            "RG" => Some(2),
            "RGBA" => Some(4),
            _ => None,
        });
        let no = |expected: &str| {
            RecipeError::Other(format!("{width} x {height} texels of {format}: expected {expected}"))
        };
        let own = wide.or(narrow.map(|channels| (ElementType::F32, channels)));
        let own = own.ok_or_else(|| no("R, RG or RGBA with 32UI, 32I, 32F, 16F or 8"))?;
        let element = element.unwrap_or(own.0);
        if width == 0 || height == 0 || own.1 < element.words() {
            return Err(no(&format!("room for {element}")));
        }
        if channel.is_some_and(|channel| channel >= own.1) {
            return Err(no("a channel that they have"));
        }
        let (size, is_narrow) = ([width, height], wide.is_none());
        let channel = channel.or(is_narrow.then_some(0));
        let texels = Texels { element, own, size, items, channel, is_narrow };
        match items {
            Some(items) if items > texels.whole().len => {
                Err(no(&format!("a length of at most {}", texels.whole().len)))
            }
            _ => Ok(Known::Texture(texels)),
        }
    }

    /// Returns true if the channels are not of 32 bits: they are read as floats.
    pub(super) fn is_narrow(&self) -> bool {
        matches!(self, Known::Texture(Texels { is_narrow: true, .. }))
    }

    /// The type of the numbers.
    pub fn element(&self) -> ElementType {
        match self {
            Known::Array { element, .. }
            | Known::Buffer { element, .. }
            | Known::Texture(Texels { element, .. }) => *element,
            Known::Stream(layout) => layout.element,
        }
    }

    /// Whole texels, and the channel that is a stream, if one is.
    pub(super) fn channel(&self) -> Option<(Layout, u32)> {
        match self {
            Known::Texture(texels) => texels.channel.map(|channel| (texels.pixels(), channel)),
            _ => None,
        }
    }

    /// Its layout with so many numbers in an item; `None` if the plan says how it lies.
    pub(super) fn layout(&self, arity: u32) -> Option<Layout> {
        match *self {
            Known::Array { .. } => None,
            Known::Stream(layout) => Some(layout),
            Known::Buffer { element, len } => Some(Layout::buffer(element, arity, len / u64::from(arity))),
            Known::Texture(texels) if texels.channel.is_some() => Some(texels.pixels()),
            Known::Texture(texels) => {
                let whole = texels.whole();
                let items_per_texel = texels.numbers() / arity;
                let len = texels.items.unwrap_or(whole.len / u64::from(arity));
                Some(Layout { arity, items_per_texel, len, ..whole })
            }
        }
    }

    /// Its length in numbers, with so many in an item.
    pub(super) fn numbers(&self, arity: u32) -> u64 {
        match self {
            Known::Array { len, .. } | Known::Buffer { len, .. } => *len,
            Known::Texture(texels) if texels.channel.is_some() => texels.pixels().len * u64::from(arity),
            _ => self.layout(arity).map_or(0, |layout| layout.elements()),
        }
    }

    /// Returns true if it lies in a texture already.
    pub(super) fn is_texture(&self) -> bool {
        self.layout(1).is_some_and(|layout| layout.storage == Storage::Texture)
    }

    /// Its layout where a whole texel is an item; an array's in this storage.
    pub(super) fn whole_texels(&self, device: &Device, storage: Storage) -> Result<Layout, Error> {
        let layout = self.layout(self.arity_of_texel()).map(Ok);
        let single = || Placement::single(storage).layout(device, self.element(), 1, self.numbers(1));
        Ok(layout.unwrap_or_else(single)?)
    }

    /// The numbers of an item where a whole texel is one.
    pub(super) fn arity_of_texel(&self) -> u32 {
        match self {
            Known::Array { .. } | Known::Buffer { .. } => 1,
            Known::Stream(layout) => layout.arity,
            Known::Texture(texels) => texels.arity_of_texel(),
        }
    }
}

impl Texels {
    /// The numbers of a texel.
    fn numbers(&self) -> u32 {
        self.own.1 / self.element.words()
    }

    fn arity_of_texel(&self) -> u32 {
        if self.channel.is_some() { self.own.1 } else { self.numbers() }
    }

    /// All of its numbers, each an item.
    fn whole(&self) -> Layout {
        let [width, height] = self.size;
        if self.channel.is_some() {
            return Layout::pixels(self.own.0, self.own.1, width, height);
        }
        Layout::texture(self.element, self.numbers() * self.element.words(), width, height)
    }

    /// Its texels, each an item.
    fn pixels(&self) -> Layout {
        let whole = self.whole();
        Layout { len: self.items.unwrap_or(whole.len), ..whole }
    }
}
