//! The reads of a pass, as its shaders recorded them.

/// The kind of reader that the lists of [`Reads`] are numbered by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "recordings",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
#[non_exhaustive]
pub enum Reader {
    /// A texel of the first target, by its index: row × width + column.
    Texel,
    /// A vertex, by its number.
    Vertex,
    /// An invocation of a compute shader: group × invocations in a group + its index in it.
    Invocation,
}

/// A position that was read or written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// The index of the source or target in the pass.
    pub of: u32,
    /// The index in it: for a texture row × width + column of a texel, for a buffer the item.
    pub index: u32,
}

/// The places that each reader read, in the order of its reads.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "recordings",
    derive(serde::Serialize, serde::Deserialize),
    serde(into = "super::file::columns::ReadsColumns", try_from = "super::file::columns::ReadsColumns")
)]
pub struct Reads {
    /// The kind of reader.
    pub by: Reader,
    /// Each reader's part of `places`; `None` if there was no reader: a texel that the pass did not write.
    parts: Vec<Option<(usize, usize)>>,
    places: Vec<Place>,
}

impl Reads {
    /// The reads in `of`, one list per reader; `None` if there was no such reader.
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

    /// The number of possible readers.
    pub fn len(&self) -> usize {
        self.parts.len()
    }

    /// Returns true if there are no possible readers.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// The reads of one reader; `None` if there was no such reader.
    pub fn of(&self, reader: usize) -> Option<&[Place]> {
        let (start, end) = (*self.parts.get(reader)?)?;
        Some(&self.places[start..end])
    }

    /// The reads of one reader by their places, in ascending order; none if there was no such reader.
    pub fn sorted(&self, reader: usize) -> Vec<Place> {
        let mut places = self.of(reader).unwrap_or_default().to_vec();
        places.sort_unstable();
        places
    }

    /// All readers, each with its reads.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &[Place])> {
        (0..self.parts.len()).filter_map(|reader| Some((reader, self.of(reader)?)))
    }

    /// The readers of a place, in ascending order, each once.
    pub fn who_read(&self, place: Place) -> Vec<usize> {
        self.iter().filter(|(_, places)| places.contains(&place)).map(|(reader, _)| reader).collect()
    }

    /// The number of reads.
    pub fn total(&self) -> u64 {
        self.places.len() as u64
    }
}
