//! Streams in buffers that compute shaders bind: their greatest length, and the parts that are bound at a time.

use std::ops::Range;

use super::Layout;
use crate::device::{Compute, Device};
use crate::element::ElementType;
use crate::limits::MAX_LEN;
use crate::unsupported::Unsupported;

impl Layout {
    /// `len` items of `arity` elements in a buffer, for compute shaders.
    ///
    /// Errors: no compute shaders, or no buffer is long enough.
    pub fn in_buffer(
        device: &Device,
        element: ElementType,
        arity: u32,
        len: u64,
    ) -> Result<Layout, Unsupported> {
        let most = Unsupported::unless_compute(device, "this algorithm")?.max_buffer / 4;
        let words = u64::from(arity * element.words());
        let limit = (most / words).min(MAX_LEN);
        if len > limit {
            return Err(Unsupported::too_large(format!(
                "{len} items are more than a buffer can hold: at most {limit} (of {words} words; a buffer has at \
                 most {most}); use a shorter stream, or an algorithm over textures, such as \
                 packed"
            )));
        }
        Ok(Layout::buffer(element, arity, len))
    }

    /// The parts of a buffer that are bound at a time: multiples of `unit` items, as many as one binding covers, and
    /// about `most` items if that is less. Each begins where a binding may.
    ///
    /// Errors: no compute shaders, or a binding does not cover one unit.
    pub fn parts(&self, device: &Device, unit: u64, most: u64) -> Result<Vec<Range<u64>>, Unsupported> {
        let compute = Unsupported::unless_compute(device, "this algorithm")?;
        let item = u64::from(self.words_per_texel()) * 4;
        if self.len * item <= compute.max_binding && self.len <= most {
            return Ok(std::iter::once(0..self.len).collect());
        }
        let alignment = u64::from(compute.binding_alignment.max(1));
        let unit = (1..=alignment).map(|n| n * unit).find(|unit| (unit * item).is_multiple_of(alignment));
        let unit = unit.unwrap_or(alignment);
        let items = (compute.max_binding / item).min(most.max(unit)) / unit * unit;
        if items == 0 {
            return Err(Unsupported::too_large(format!(
                "this device binds {} bytes of a buffer, fewer than the {} that a work group takes; use \
                 smaller groups or blocks, or fewer rows",
                compute.max_binding,
                unit * item
            )));
        }
        Ok((0..self.len.div_ceil(items)).map(|n| n * items..((n + 1) * items).min(self.len)).collect())
    }

    /// Errors if a buffer does not fit in one binding, as one must that is written at any position.
    pub(crate) fn check_binding(&self, compute: &Compute) -> Result<(), Unsupported> {
        let limit = compute.max_binding / (4 * u64::from(self.words_per_texel()));
        if self.len <= limit {
            return Ok(());
        }
        Err(Unsupported::too_large(format!(
            "a buffer of {} items does not fit in one binding of this device: at most {limit}; use a shorter stream, or \
             an algorithm over textures",
            self.len
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_a_stream_and_begin_where_bindings_may() {
        let device = Device::gl43();
        let compute = device.compute.clone().unwrap();
        for (element, len, unit, most) in [
            (ElementType::U32, 0, 7, u64::MAX),
            (ElementType::U32, (1 << 25) + 1, 1000, u64::MAX),
            (ElementType::U64, (1 << 26) + 5, 768, u64::MAX),
            (ElementType::U32, 100_000, 48, 10_000),
        ] {
            let layout = Layout::in_buffer(&device, element, 1, len).unwrap();
            let parts = layout.parts(&device, unit, most).unwrap();
            let bytes = |items: u64| items * u64::from(layout.words_per_texel()) * 4;
            assert_eq!((parts[0].start, parts[parts.len() - 1].end), (0, len));
            for part in &parts {
                assert!(bytes(part.end - part.start) <= compute.max_binding, "{part:?}");
                assert!(bytes(part.start).is_multiple_of(compute.binding_alignment.into()), "{part:?}");
                assert!(part.start.is_multiple_of(unit), "{part:?}");
            }
            assert!(parts.windows(2).all(|pair| pair[0].end == pair[1].start), "{parts:?}");
        }
    }

    #[test]
    fn what_no_buffer_holds_is_refused_with_the_limit() {
        let refused = |device: &Device, len| {
            Layout::in_buffer(device, ElementType::U64, 1, len).unwrap_err().to_string()
        };
        assert!(refused(&Device::gl43(), 1 << 28).contains("at most 268435454 (of 2 words"));
        assert!(refused(&Device::gl33(), 1).contains("needs compute shaders"));
    }
}
