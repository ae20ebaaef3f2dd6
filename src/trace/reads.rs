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
pub struct Place {
    /// Which of the pass's sources or targets.
    pub of: u32,
    /// A texel's index, row × width + column; in a buffer the number of an item.
    pub index: u32,
}

/// The places that each reader read, in the order in which it did.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "recordings",
    derive(serde::Serialize, serde::Deserialize),
    serde(into = "super::file::columns::ReadsColumns", try_from = "super::file::columns::ReadsColumns")
)]
pub struct Reads {
    pub by: Reader,
    /// For each reader its part of `places`; `None` where there was none: a texel that the pass left alone.
    parts: Vec<Option<(usize, usize)>>,
    places: Vec<Place>,
}

impl Reads {
    pub fn new(by: Reader, of: Vec<Option<Vec<Place>>>) -> Reads {
        let mut places = Vec::with_capacity(of.iter().flatten().map(Vec::len).sum());
        let mut part = |own: Vec<Place>| {
            let start = places.len();
            places.extend(own);
            (start, places.len())
        };
        let parts = of.into_iter().map(|own| own.map(&mut part)).collect();
        Reads { by, parts, places }
    }

    /// How many readers there may have been.
    pub fn len(&self) -> usize {
        self.parts.len()
    }

    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// What a reader read; `None` where there was no such reader.
    pub fn of(&self, reader: usize) -> Option<&[Place]> {
        let (start, end) = (*self.parts.get(reader)?)?;
        Some(&self.places[start..end])
    }

    /// All readers, and what each read.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &[Place])> {
        (0..self.parts.len()).filter_map(|reader| Some((reader, self.of(reader)?)))
    }

    /// Who read a place, in ascending order, each once.
    pub fn who_read(&self, place: Place) -> Vec<usize> {
        self.iter().filter(|(_, places)| places.contains(&place)).map(|(reader, _)| reader).collect()
    }

    /// How often anything was read.
    pub fn total(&self) -> u64 {
        self.places.len() as u64
    }
}
