//! Memory of long buffers, as sparse buffers of which every page is there.
//!
//! On NVIDIA's driver, a copy between ordinary buffers of 512 MB and more in all moves 2.2 TB/s on an H200, and between
//! sparse ones 4.0 TB/s: `benches/memory.rs` measures both, and the evidence that the translation of addresses is the cause.
//! Neither the usage hint, nor immutable storage, nor one buffer for both streams, nor the order of allocation changes
//! that. Elsewhere nothing was measured, and buffers are ordinary.
//!
//! Needs `GL_ARB_sparse_buffer`. A sparse buffer cannot be mapped; buffers are mapped only on software renderers.

use std::ffi::c_void;

use glow::HasContext;

/// `glBufferPageCommitmentARB(target, offset, size, commit)`.
type Commit = unsafe extern "system" fn(u32, isize, isize, u8);

/// `glBufferStorage(target, size, data, flags)`; glow's takes a size of 31 bits.
type Store = unsafe extern "system" fn(u32, isize, *const c_void, u32);

/// Names of the extension, which glow does not have.
const SPARSE_STORAGE_BIT: u32 = 0x0400;
#[cfg(feature = "headless")]
const SPARSE_BUFFER_PAGE_SIZE: u32 = 0x82F8;

/// Bytes from which on a buffer is long. Two such buffers have 512 MB.
const LONG: u64 = 256 << 20;

/// Bytes from which on a sparse buffer cannot be made: on an H100 and an H200 (driver 580.159.04) the context is lost as the
/// pages of one of 2^31 bytes or more are made, by one call or by several. One of 2^31 - 64 bytes is right, though its last
/// page ends there, too.
const LOST: u64 = 1 << 31;

/// The memory of long buffers, of 256 MB to 2 GB, as [`Gpu::set_long_buffers`](super::Gpu::set_long_buffers) says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LongBuffers {
    /// As that of all others.
    Ordinary,
    /// Sparse, where that is faster: on NVIDIA's driver, in contexts of this crate.
    Sparse,
}

/// The driver's sparse buffers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sparse {
    store: Store,
    commit: Commit,
    /// Bytes of a page.
    page: u64,
}

impl Sparse {
    /// Finds them in the current context, whose functions `find` gives; `None` where buffers are better ordinary.
    #[cfg(feature = "headless")]
    pub fn find(
        gl: &glow::Context,
        device: &crate::device::Device,
        find: impl Fn(&std::ffi::CStr) -> *const c_void,
    ) -> Option<Sparse> {
        let measured = device.vendor.to_lowercase().contains("nvidia");
        if !measured || !gl.supported_extensions().contains("GL_ARB_sparse_buffer") {
            return None;
        }
        let [store, commit] = [c"glBufferStorage", c"glBufferPageCommitmentARB"].map(find);
        if store.is_null() || commit.is_null() {
            return None;
        }
        // SAFETY: the addresses are the functions of these names and signatures.
        let (store, commit) = unsafe {
            use std::mem::transmute;
            (transmute::<*const c_void, Store>(store), transmute::<*const c_void, Commit>(commit))
        };
        // SAFETY: the context is current, and the extension has this name.
        let page = unsafe { gl.get_parameter_i32(SPARSE_BUFFER_PAGE_SIZE) };
        Some(Sparse { store, commit, page: page.max(1) as u64 })
    }

    /// A new buffer of at least so many bytes, bound to `GL_ARRAY_BUFFER`; `None` where an ordinary one is better, or the
    /// driver refuses.
    ///
    /// # Safety
    ///
    /// The context must be current.
    pub unsafe fn buffer(self, gl: &glow::Context, bytes: u64) -> Option<glow::Buffer> {
        if !(LONG..LOST).contains(&bytes) {
            return None;
        }
        let size = bytes.next_multiple_of(self.page) as isize;
        // SAFETY: by the caller's promise; no memory of ours is handed over.
        unsafe {
            let id = gl.create_buffer().ok()?;
            gl.bind_buffer(glow::ARRAY_BUFFER, Some(id));
            let flags = SPARSE_STORAGE_BIT | glow::DYNAMIC_STORAGE_BIT;
            (self.store)(glow::ARRAY_BUFFER, size, std::ptr::null(), flags);
            (self.commit)(glow::ARRAY_BUFFER, 0, size, 1);
            if gl.get_error() == glow::NO_ERROR {
                return Some(id);
            }
            gl.delete_buffer(id);
            None
        }
    }
}
