//! What a run gives: streams by their names in the plan.

use super::stream::Stream;
use crate::element::Element;
use crate::error::Error;

/// The results of a run, in streams that the next run overwrites.
pub struct Outputs<'a> {
    streams: Vec<(&'a str, &'a Stream)>,
}

impl<'a> Outputs<'a> {
    /// Of at least one stream, each with its name in the plan.
    pub(super) fn new(streams: Vec<(&'a str, &'a Stream)>) -> Outputs<'a> {
        Outputs { streams }
    }

    /// The plan's first result: of a scan, the only one.
    pub fn first(&self) -> &'a Stream {
        self.streams[0].1
    }

    /// The result that the plan gives under this name.
    pub fn get(&self, name: &str) -> Option<&'a Stream> {
        self.streams.iter().find(|(known, _)| *known == name).map(|(_, stream)| *stream)
    }
}

/// What a compaction gives: streams that stay on the GPU until the next run.
#[derive(Clone, Copy)]
pub struct Compacted<'a> {
    /// The elements kept, then something undefined, as long as the input; `None` if only indices were moved.
    pub values: Option<&'a Stream>,
    /// Where they stood, likewise; `None` if only values were moved.
    pub indices: Option<&'a Stream>,
    /// One u32: how many were kept.
    pub count: &'a Stream,
}

impl<'a> From<Outputs<'a>> for Compacted<'a> {
    /// Sorts the results of a compaction by their names.
    ///
    /// # Panics
    ///
    /// If they are those of another plan, which gives no `count`.
    fn from(outputs: Outputs<'a>) -> Compacted<'a> {
        let count = outputs.get("count");
        Compacted {
            values: outputs.get("values"),
            indices: outputs.get("indices"),
            count: count.unwrap_or_else(|| panic!("the plan is no compaction: it gives no count")),
        }
    }
}

impl Compacted<'_> {
    /// Reads how many were kept. Waits for the GPU.
    pub fn read_count(&self) -> Result<u64, Error> {
        Ok(self.count.read::<u32>()?.first().map_or(0, |count| u64::from(*count)))
    }

    /// Reads the count and that many values; nothing if only indices were moved. Waits for the GPU.
    ///
    /// Errors: [`Error::ElementMismatch`], [`Error::Gl`].
    pub fn read_values<T: Element>(&self) -> Result<Vec<T>, Error> {
        self.values.map_or(Ok(Vec::new()), |values| values.read_first(self.read_count()?))
    }

    /// The same for the indices.
    pub fn read_indices(&self) -> Result<Vec<u32>, Error> {
        self.indices.map_or(Ok(Vec::new()), |indices| indices.read_first(self.read_count()?))
    }
}
