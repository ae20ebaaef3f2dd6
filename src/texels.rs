//! Planes and parts of a texture, in texels.

/// Words in a plane of a texture. An item of more words has a texel in each of several planes, the layers of an array
/// texture: its first four words in the first, and so on.
pub const PLANE: u32 = 4;

/// A rectangle of texels from the texture's origin. Smaller results use smaller draws.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "recordings", derive(serde::Serialize, serde::Deserialize))]
pub struct Region {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
}

impl Region {
    /// Columns × rows.
    pub fn texels(&self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }
}

/// Texels of a texture: `width` columns and `height` rows from texel (`x`, `y`) on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rectangle {
    /// The first column.
    pub x: u32,
    /// The first row.
    pub y: u32,
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
}
