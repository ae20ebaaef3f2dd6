//! A function of the caller's on items, in GLSL and in Rust.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::shared::Text;

/// A function on items, in GLSL ([`Plan::map`](super::Plan::map)), and optionally the same in Rust. GLSL text is a map without a twin.
#[derive(Debug, Clone)]
pub struct Map {
    pub(super) glsl: Text,
    pub(super) twin: Option<MapTwin>,
}

impl Map {
    /// A map without a twin.
    pub fn new(glsl: impl Into<Text>) -> Map {
        Map { glsl: glsl.into(), twin: None }
    }

    /// Adds the same function in Rust: it gets the words of an item and its index, and writes the words of the result, which
    /// are 0 before.
    pub fn twin(self, twin: impl Fn(&[u32], u32, &mut [u32]) + Send + Sync + 'static) -> Map {
        Map { twin: Some(MapTwin(Arc::new(twin))), ..self }
    }
}

impl<T: Into<Text>> From<T> for Map {
    fn from(glsl: T) -> Map {
        Map::new(glsl)
    }
}

/// From the words of an item and its index to the words of the result.
type Mapping = dyn Fn(&[u32], u32, &mut [u32]) + Send + Sync;

/// The function of a map in Rust. It does not count where shaders are compared: their texts do.
#[derive(Clone)]
pub struct MapTwin(Arc<Mapping>);

impl MapTwin {
    /// Maps the words of an item with this index.
    pub fn apply(&self, from: &[u32], index: u32, to: &mut [u32]) {
        (self.0)(from, index, to);
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
