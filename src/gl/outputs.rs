//! The results of a run: streams by their names in the plan.
//!
//! A plan's first slots are the caller's inputs: the stream, and for a compaction by a mask also the mask, of the same
//! length. Its results are slots as well; those of a compaction are named `values`, `indices` and `count`.
//! [`super::Prepared::run`] with one input returns the first result, the only one of a scan; with several it returns all.
//! [`Compacted`] is made of those of a compaction.

use std::ops::Index;

use super::stream::Stream;
use crate::element::Element;
use crate::error::Error;

/// The results of a run, in streams that the next run overwrites.
#[derive(Debug)]
pub struct Outputs<'a> {
    streams: Vec<(&'a str, &'a Stream)>,
}

impl<'a> Outputs<'a> {
    /// The results of a run: at least one stream, each with its name in the plan.
    pub(super) fn new(streams: Vec<(&'a str, &'a Stream)>) -> Outputs<'a> {
        Outputs { streams }
    }

    /// The plan's first result: the only one of a scan.
    pub fn first(&self) -> &'a Stream {
        self.streams[0].1
    }

    /// All results, in the plan's order.
    pub fn streams(&self) -> impl ExactSizeIterator<Item = &'a Stream> {
        self.streams.iter().map(|(_, stream)| *stream)
    }

    /// The plan's result with this name.
    pub fn get(&self, name: &str) -> Option<&'a Stream> {
        self.streams.iter().find(|(known, _)| *known == name).map(|(_, stream)| *stream)
    }
}

impl Index<usize> for Outputs<'_> {
    type Output = Stream;

    /// The plan's result with this number, from 0. Panics if it has fewer.
    fn index(&self, number: usize) -> &Stream {
        self.streams[number].1
    }
}

impl Index<&str> for Outputs<'_> {
    type Output = Stream;

    /// The plan's result with this name. Panics if it has none: [`Self::get`] returns an `Option`.
    fn index(&self, name: &str) -> &Stream {
        self.get(name).unwrap_or_else(|| panic!("the plan has no result named {name}"))
    }
}

/// The results of a compaction: streams that stay on the GPU until the next run.
#[derive(Debug, Clone, Copy)]
pub struct Compacted<'a> {
    /// The kept elements, in a stream as long as the input; the rest is undefined. `None` if only indices were moved.
    pub values: Option<&'a Stream>,
    /// Their indices in the input, likewise; `None` if only values were moved.
    pub indices: Option<&'a Stream>,
    /// The number of kept elements: one u32.
    pub count: &'a Stream,
}

impl<'a> TryFrom<Outputs<'a>> for Compacted<'a> {
    type Error = Error;

    /// Picks the results of a compaction by their names.
    ///
    /// Errors: [`Error::NoResult`] if they are another plan's, without a `count`.
    fn try_from(outputs: Outputs<'a>) -> Result<Compacted<'a>, Error> {
        let count = outputs.get("count").ok_or(Error::NoResult("count"))?;
        Ok(Compacted { values: outputs.get("values"), indices: outputs.get("indices"), count })
    }
}

impl Compacted<'_> {
    /// Reads the number of kept elements. Waits for the GPU.
    pub fn read_count(&self) -> Result<u64, Error> {
        Ok(self.count.read::<u32>()?.first().map_or(0, |count| u64::from(*count)))
    }

    /// Reads the count and that many values; empty if only indices were moved. Waits for the GPU.
    ///
    /// Errors: [`Error::ElementMismatch`], [`Error::Gl`].
    pub fn read_values<T: Element>(&self) -> Result<Vec<T>, Error> {
        self.values.map_or(Ok(Vec::new()), |values| values.read_first(self.read_count()?))
    }

    /// Reads the count and that many indices; empty if only values were moved. Waits for the GPU.
    pub fn read_indices(&self) -> Result<Vec<u32>, Error> {
        self.indices.map_or(Ok(Vec::new()), |indices| indices.read_first(self.read_count()?))
    }
}
