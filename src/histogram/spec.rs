//! The spec of a histogram: its length, element and bins.

use std::fmt;

use crate::element::{Element, ElementType};
use crate::limits::{MAX_LEN, SpecError};

/// The specification of a histogram: how many items of u32, i32 or f32 are in each bin, as CUB's `HistogramRange` and, for
/// edges at equal distances, `HistogramEven` have it.
///
/// Bin i is from edge i on, up to edge i + 1, which it excludes; between equal edges it is empty. Items before the first edge,
/// from the last one on, and NaN are in no bin. (numpy's last bin includes its upper edge: there, give the next greater
/// number, as [`even_edges`](crate::histogram::even_edges) does.) 0.0 and -0.0 are equal.
///
/// The streams that a histogram reads are, in this order: the items; `bins` + 1 ascending edges, of the same type. The result
/// has a u32 for each bin.
///
/// ```
/// use rasterscan::HistogramSpec;
/// assert_eq!(HistogramSpec::new::<f32>(1000, 16).to_string(), "histogram of 1000 f32 in 16 bins");
/// ```
#[non_exhaustive]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "recordings", derive(serde::Serialize, serde::Deserialize))]
pub struct HistogramSpec {
    /// Items in the stream.
    pub len: u64,
    /// Their type.
    pub element: ElementType,
    /// The number of bins, one less than there are edges.
    pub bins: u64,
}

impl HistogramSpec {
    /// A histogram of `len` items of type `T`.
    pub fn new<T: Element>(len: usize, bins: usize) -> Self {
        Self::of(T::TYPE, len as u64, bins as u64)
    }

    /// The same for an element type known only at run time.
    pub fn of(element: ElementType, len: u64, bins: u64) -> Self {
        HistogramSpec { len, element, bins }
    }

    /// Checks that the spec makes sense, on any device.
    pub fn check(&self) -> Result<(), SpecError> {
        if self.element.words() > 1 {
            return Err(SpecError::BinElement(self.element));
        }
        if self.bins == 0 || self.bins >= MAX_LEN {
            return Err(SpecError::Bins(self.bins));
        }
        Ok(())
    }
}

impl fmt::Display for HistogramSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bins = if self.bins == 1 { "bin" } else { "bins" };
        write!(f, "histogram of {} {} in {} {bins}", self.len, self.element, self.bins)
    }
}
