//! What the shaders of a pass read, as they recorded it themselves.

/// Who read: what the lists of [`Reads`] are numbered by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "recordings",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
pub enum Reader {
    /// A texel of the first target, by its index: row × width + column.
    Texel,
    /// A vertex, by its number.
    Vertex,
    /// An invocation of a compute shader: group × invocations in a group + its index in it.
    Invocation,
}

/// A place that was read or written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(
    feature = "recordings",
    derive(serde::Serialize, serde::Deserialize),
    serde(into = "(u32, u32)", from = "(u32, u32)")
)]
pub struct Place {
    /// Which of the pass's sources or targets.
    pub of: u32,
    /// A texel's index, row × width + column; in a buffer the number of an item.
    pub index: u32,
}

impl From<Place> for (u32, u32) {
    fn from(place: Place) -> (u32, u32) {
        (place.of, place.index)
    }
}

impl From<(u32, u32)> for Place {
    fn from((of, index): (u32, u32)) -> Place {
        Place { of, index }
    }
}

/// The places that each reader read, in the order in which it did.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "recordings", derive(serde::Serialize, serde::Deserialize))]
pub struct Reads {
    pub by: Reader,
    /// For each reader what it read; `None` where there was none: a texel that the pass left alone.
    of: Vec<Option<Vec<Place>>>,
}

impl Reads {
    pub fn new(by: Reader, of: Vec<Option<Vec<Place>>>) -> Reads {
        Reads { by, of }
    }

    /// How many readers there may have been.
    pub fn len(&self) -> usize {
        self.of.len()
    }

    pub fn is_empty(&self) -> bool {
        self.of.is_empty()
    }

    /// What a reader read; `None` where there was no such reader.
    pub fn of(&self, reader: usize) -> Option<&[Place]> {
        self.of.get(reader)?.as_deref()
    }

    /// All readers, and what each read.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &[Place])> {
        self.of.iter().enumerate().filter_map(|(reader, places)| Some((reader, places.as_deref()?)))
    }

    /// Who read a place, in ascending order, each once.
    pub fn who_read(&self, place: Place) -> Vec<usize> {
        self.iter().filter(|(_, places)| places.contains(&place)).map(|(reader, _)| reader).collect()
    }

    /// How often anything was read.
    pub fn total(&self) -> u64 {
        self.iter().map(|(_, places)| places.len() as u64).sum()
    }
}
