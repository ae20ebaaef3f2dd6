//! The reductions: a stream becomes one value, or one for each member of its tuples. Each algorithm is one file that
//! builds its passes and a folder of shaders under `glsl/reduce/`.
//!
//! ```
//! # #[cfg(feature = "headless")]
//! # fn main() -> Result<(), rasterscan::Error> {
//! use rasterscan::reduce::texture::Packed;
//! use rasterscan::{Algorithm, Gpu, Operator, ReduceSpec};
//!
//! let gpu = Gpu::headless()?;
//! let data = [3i32, 1, -7, 0, 4, 1, 6, 3];
//! let spec = ReduceSpec::new::<i32>(data.len()).operator(Operator::MIN);
//! let mut least = gpu.prepare(&Packed::default().plan(&spec, gpu.device())?)?;
//! let input = least.upload(&data)?;
//! assert_eq!(least.run(&input)?.read::<i32>()?, [-7]); // the value stays on the GPU until it is read
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "headless"))]
//! # fn main() {}
//! ```

pub mod compute;
pub mod texture;

use std::fmt;

use crate::algorithm::{Input, Spec};
use crate::element::{Element, ElementType};
use crate::error::Error;
use crate::operator::Operator;
use crate::plan::{ItemType, Layout, Storage};
use crate::reference::{self, Mismatch, Verified};
use crate::spec::{ScanSpec, SpecError};

/// A reduction to be done: all items of a stream combined by an operator, in their order.
///
/// An *item* is what the operator combines: one element, or for affine a pair of them. Of no items the result is the
/// operator's identity.
///
/// ```
/// use rasterscan::{Operator, ReduceSpec};
/// let spec = ReduceSpec::new::<u32>(300).operator(Operator::MAX).tuple(3);
/// assert_eq!(spec.to_string(), "max reduction of 300 u32, tuples of 3");
/// assert_eq!(spec.results(), 3);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "recordings", derive(serde::Serialize, serde::Deserialize))]
pub struct ReduceSpec {
    /// Items in the stream.
    pub len: u64,
    pub element: ElementType,
    pub operator: Operator,
    /// Interleaved streams that are reduced each alone, 1 to [`crate::spec::MAX_TUPLE`]; divides `len`.
    pub tuple: u32,
}

impl ReduceSpec {
    /// The sum of `len` items of type `T`.
    pub fn new<T: Element>(len: usize) -> Self {
        Self::of(T::TYPE, len as u64)
    }

    /// The same for an element type known only at run time.
    pub fn of(element: ElementType, len: u64) -> Self {
        ReduceSpec { len, element, operator: Operator::ADD, tuple: 1 }
    }

    /// The same reduction with another operator.
    pub fn operator(&self, operator: impl Into<Operator>) -> Self {
        ReduceSpec { operator: operator.into(), ..*self }
    }

    /// The same with so many interleaved streams.
    pub fn tuple(&self, tuple: u32) -> Self {
        ReduceSpec { tuple, operator: self.operator.clone(), ..*self }
    }

    /// Numbers in the stream: items × elements in an item.
    pub fn elements(&self) -> u64 {
        self.len * u64::from(self.operator.arity())
    }

    /// Items of the result: one for each member of the tuples.
    pub fn results(&self) -> u64 {
        self.tuple.into()
    }

    /// Tuples in the stream.
    fn tuples(&self) -> u64 {
        self.len / u64::from(self.tuple)
    }

    /// Whether the spec makes sense at all, on any device.
    pub fn check(&self) -> Result<(), SpecError> {
        self.scan().check()
    }

    /// The scan whose last tuple is the result.
    fn scan(&self) -> ScanSpec {
        ScanSpec::of(self.element, self.len).operator(&self.operator).tuple(self.tuple)
    }
}

impl fmt::Display for ReduceSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} reduction of {} ", self.operator, self.len)?;
        if self.operator.arity() == 2 {
            write!(f, "pairs of ")?;
        }
        write!(f, "{}", self.element)?;
        if self.tuple > 1 {
            write!(f, ", tuples of {}", self.tuple)?;
        }
        Ok(())
    }
}

impl Spec for ReduceSpec {
    fn len(&self) -> u64 {
        self.len
    }

    fn inputs(&self) -> Vec<Input> {
        vec![Input { name: "input", element: self.element, arity: self.operator.arity() }]
    }

    fn item(&self) -> ItemType {
        ItemType { element: self.element, operator: self.operator.clone() }
    }

    fn check(&self) -> Result<(), SpecError> {
        ReduceSpec::check(self)
    }
}

/// Reduces on the CPU, one item after the other: the oracle. The result has [`ReduceSpec::results`] items.
///
/// Errors: [`SpecError`] in [`Error::Spec`], and [`Error::NoTwin`].
///
/// # Panics
///
/// If the length of `input` is not [`ReduceSpec::elements`].
///
/// ```
/// use rasterscan::{ReduceSpec, reduce};
/// let spec = ReduceSpec::new::<u32>(8);
/// assert_eq!(reduce::sequential(&spec, &[3u32, 1, 7, 0, 4, 1, 6, 3]).unwrap(), [25]);
/// ```
pub fn sequential<T: Element>(spec: &ReduceSpec, input: &[T]) -> Result<Vec<T>, Error> {
    spec.check()?;
    assert_eq!(input.len() as u64, spec.elements(), "the input's length is the spec's");
    let combine = spec.operator.twin().ok_or_else(|| Error::NoTwin(spec.operator.clone()))?;
    let (arity, tuple) = (spec.operator.arity() as usize, spec.tuple as usize);
    let mut sums = vec![spec.operator.identity::<T>(); tuple];
    for (index, item) in input.chunks_exact(arity).enumerate() {
        let mut own = [T::ZERO; 2];
        own[..arity].copy_from_slice(item);
        let sum = &mut sums[index % tuple];
        // The first item of each is taken as it is, so that -0.0 stays -0.0.
        *sum = if index < tuple { own } else { combine(*sum, own) };
    }
    Ok(sums.iter().flat_map(|sum| sum[..arity].to_vec()).collect())
}

/// Compares a result with the reduction of `input`: integers to the bit, floats within the bounds that
/// [`mod@reference`] states, for chains of at most `depth` uses of the operator ([`crate::plan::Cost::depth`]).
///
/// # Panics
///
/// If `input` is of another length than the spec's.
pub fn verify<T: Element>(
    spec: &ReduceSpec,
    depth: u64,
    input: &[T],
    got: &[T],
) -> Result<Verified, Mismatch> {
    if spec.len > 0 {
        return reference::verify_last(&spec.scan(), depth, input, got);
    }
    let identity = spec.operator.identity::<T>();
    let expected = identity[..spec.operator.arity() as usize].repeat(spec.tuple as usize);
    let compared = reference::same("element", &expected, got)?;
    Ok(Verified { compared, unbounded: 0 })
}

/// Where the result lies: as the stream, but one tuple alone.
fn left(of: Layout, spec: &ReduceSpec) -> Layout {
    match of.storage {
        Storage::Texture => of.with_len(spec.results()),
        Storage::Buffer => Layout::buffer(of.element, of.arity, spec.results()),
    }
}
