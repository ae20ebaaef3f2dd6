//! What the invocations of a work group did with shared memory, as they recorded it themselves.

/// One access to shared memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SharedAccess {
    /// Work group × invocations in a group + the invocation's index in it.
    pub invocation: u32,
    /// How many barriers the group had passed.
    pub epoch: u32,
    /// The how many-th access of the invocation since that barrier, from 0. Invocations of a warp make those of one
    /// number at a time.
    pub number: u32,
    /// Which array of the shader: numbers say no more than that two are the same.
    pub array: u32,
    /// The element of the array.
    pub address: u32,
    /// Whether it was written, or read.
    pub written: bool,
    /// The words of the item that was read or written, as many as it has.
    pub words: [u32; 4],
}
