//! The kernels of `glsl/copy/`.

mod buffers;
mod textures;
mod vertices;

use crate::Kernel;

pub const KERNELS: &[(&str, Kernel)] = kernels! {
    [copy::buffers]: buffer.comp, count.comp, join.comp, map.comp, put.comp, take.comp, unpack.comp;
    [copy::textures]: count.frag, gather.frag, join.frag, map.frag, put.frag, take.frag, texture.frag, unpack.frag;
    [copy::vertices]: gather.vert, put.vert;
};

/// Item `item` of those that are packed, as this word has it.
fn unpacked(word: u32, item: usize, bits: usize) -> u32 {
    word >> (item % (32 / bits) * bits) & ((1 << bits) - 1)
}
