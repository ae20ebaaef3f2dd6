//! The accesses of a work group to shared memory, as its invocations recorded them.

/// One access to shared memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SharedAccess {
    /// Work group × invocations in a group + the invocation's index in it.
    pub invocation: u32,
    /// The number of barriers that the group had passed.
    pub epoch: u32,
    /// The access's number among those of the invocation since that barrier, from 0. Invocations of a warp make
    /// accesses of the same number at a time.
    pub number: u32,
    /// The array of the shader: equal numbers mean the same array, nothing more.
    pub array: u32,
    /// The index in the array.
    pub address: u32,
    /// True if it was a write.
    pub written: bool,
    /// The words of the item that was read or written; unused ones follow.
    pub words: [u32; 4],
}
