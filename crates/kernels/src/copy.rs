//! The kernels of `glsl/copy/`.

mod buffers;
mod textures;
mod vertices;

pub use textures::ORIGIN;

use crate::Kernel;

pub const KERNELS: &[(&str, Kernel)] = kernels! {
    [copy::buffers]: buffer.comp, count.comp, join.comp, map.comp, write_at.comp, gather.comp, scatter.comp, unpack.comp,
        zero.comp;
    [copy::textures]: count.frag, relayout.frag, join.frag, map.frag, write_at.frag, gather.frag, scatter.frag, texture.frag,
        unpack.frag, zero.frag;
    [copy::vertices]: points.vert, relayout.vert, scatter.vert, write_at.vert;
};

/// Item `item` of those that are packed, as this word has it.
fn unpacked(word: u32, item: usize, bits: usize) -> u32 {
    word >> (item % (32 / bits) * bits) & ((1 << bits) - 1)
}
