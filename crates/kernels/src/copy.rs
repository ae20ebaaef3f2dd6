//! The kernels of `glsl/copy/`.

mod buffers;
mod textures;

use crate::Kernel;
use Kernel::{Fragment, Group, Vertex};

pub const KERNELS: &[(&str, Kernel)] = &[
    ("copy/buffer.comp", Group(buffers::copy)),
    ("copy/count.comp", Group(buffers::count)),
    ("copy/count.frag", Fragment(textures::count)),
    ("copy/gather.frag", Fragment(textures::gather)),
    ("copy/gather.vert", Vertex(textures::gather_vertex)),
    ("copy/join.comp", Group(buffers::join)),
    ("copy/join.frag", Fragment(textures::join)),
    ("copy/map.comp", Group(buffers::map)),
    ("copy/map.frag", Fragment(textures::map)),
    ("copy/put.comp", Group(buffers::put)),
    ("copy/put.frag", Fragment(textures::put)),
    ("copy/put.vert", Vertex(textures::put_vertex)),
    ("copy/take.comp", Group(buffers::take)),
    ("copy/take.frag", Fragment(textures::take)),
    ("copy/texture.frag", Fragment(textures::copy)),
    ("copy/unpack.comp", Group(buffers::unpack)),
    ("copy/unpack.frag", Fragment(textures::unpack)),
];

/// Item `item` of those that are packed, as this word has it.
fn unpacked(word: u32, item: usize, bits: usize) -> u32 {
    word >> (item % (32 / bits) * bits) & ((1 << bits) - 1)
}
