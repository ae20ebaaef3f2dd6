//! Streams in objects of the caller's own context.

#![allow(unsafe_code, reason = "the caller keeps its objects")]

use std::num::NonZeroU32;

use rasterscan::{Gpu, Stream, glow, plan::Layout};

use crate::errors::Failure;

/// A stream in a buffer of the caller's, by its name.
///
/// Errors: as [`Gpu::wrap_buffer`].
pub fn buffer(gpu: &Gpu, name: u32, layout: &Layout) -> Result<Stream, Failure> {
    let buffer = glow::NativeBuffer(named(name)?);
    // SAFETY: the docs of `Gpu.buffer` ask the caller to keep it.
    Ok(unsafe { gpu.wrap_buffer(buffer, layout) }?)
}

/// A stream in a texture of the caller's, by its name.
///
/// Errors: as [`Gpu::wrap_texture`].
pub fn texture(gpu: &Gpu, name: u32, layout: &Layout) -> Result<Stream, Failure> {
    let texture = glow::NativeTexture(named(name)?);
    // SAFETY: the docs of `Gpu.texture` ask the caller to keep it.
    Ok(unsafe { gpu.wrap_texture(texture, layout) }?)
}

fn named(name: u32) -> Result<NonZeroU32, Failure> {
    NonZeroU32::new(name).ok_or_else(|| Failure::Request("0 names no object of OpenGL".into()))
}
