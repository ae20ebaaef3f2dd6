//! A function of the caller's on items, in GLSL and in Rust.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::{Slot, Uniform};
use crate::shared::Text;

/// A function on items, in GLSL ([`Plan::map`](super::Plan::map)), and optionally the same in Rust. GLSL text is a map
/// of one stream without a twin.
#[derive(Debug, Clone)]
pub struct Map {
    pub(super) glsl: Text,
    pub(super) twin: Option<MapTwin>,
    /// Further streams, by the names of their functions, and the items of each that are read for a result.
    pub(super) streams: Vec<(Text, Slot, u64)>,
    /// Items of the first stream that are read for a result.
    pub(super) reads: u64,
    pub(super) uniforms: Vec<(&'static str, Uniform)>,
}

impl Map {
    /// A map without a twin.
    pub fn new(glsl: impl Into<Text>) -> Map {
        Map { glsl: glsl.into(), twin: None, streams: Vec::new(), reads: 1, uniforms: Vec::new() }
    }

    /// Lets the function read a further stream by index, as `NAME_at(index)`: of any element, layout and length, and at
    /// most three of them. `reads` is how many of its items a result reads, for the costs.
    pub fn stream(mut self, name: impl Into<Text>, stream: Slot, reads: u64) -> Map {
        self.streams.push((name.into(), stream, reads));
        self
    }

    /// States how many items of the first stream a result reads, `from` included, if it also reads neighbours by
    /// `source_at(index)`.
    pub fn reads(self, reads: u64) -> Map {
        Map { reads, ..self }
    }

    /// Sets a uniform that the text declares; [`Prepared::set`](crate::Prepared::set) can change it.
    pub fn set(mut self, name: &'static str, value: impl Into<Uniform>) -> Map {
        self.uniforms.push((name, value.into()));
        self
    }

    /// Adds the same function in Rust: it gets the words of an item and its index, and writes the words of the result, which
    /// are 0 before.
    pub fn twin(self, twin: impl Fn(&[u32], u32, &mut [u32]) + Send + Sync + 'static) -> Map {
        self.twin_with_streams(move |from, _, index, to| twin(from, index, to))
    }

    /// The same for a function that reads more items: the second argument finds the words of an item by the number of its
    /// stream, from 0, and its index; `None` outside of the stream.
    pub fn twin_with_streams(
        self,
        twin: impl Fn(&[u32], &mut ItemsAt<'_>, u32, &mut [u32]) + Send + Sync + 'static,
    ) -> Map {
        Map { twin: Some(MapTwin(Arc::new(twin))), ..self }
    }
}

impl<T: Into<Text>> From<T> for Map {
    fn from(glsl: T) -> Map {
        Map::new(glsl)
    }
}

/// Finds the words of an item by the number of its stream and its index, for [`Map::twin_with_streams`].
pub type ItemsAt<'a> = dyn FnMut(usize, i64) -> Option<Vec<u32>> + 'a;

/// From the words of an item, others that it asks for, and its index to the words of the result.
type Mapping = dyn Fn(&[u32], &mut ItemsAt<'_>, u32, &mut [u32]) + Send + Sync;

/// The function of a map in Rust. It does not count where shaders are compared: their texts do.
#[derive(Clone)]
pub struct MapTwin(Arc<Mapping>);

impl MapTwin {
    /// Maps the words of an item with this index, and of those that it asks for.
    pub fn apply(&self, from: &[u32], items: &mut ItemsAt<'_>, index: u32, to: &mut [u32]) {
        (self.0)(from, items, index, to);
    }
}

impl fmt::Debug for MapTwin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a function")
    }
}

impl PartialEq for MapTwin {
    fn eq(&self, _: &MapTwin) -> bool {
        true
    }
}

impl Eq for MapTwin {}

impl Hash for MapTwin {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}
