//! The limits of every request, and what can be wrong with one.

use std::cmp::Ordering;

use crate::element::{Element, ElementType};
use crate::operator::Operator;
use crate::texels::Rectangle;

/// The most items in a stream: 2^30, so that indices and twice an index fit in a signed 32-bit integer in every shader.
/// A device may allow fewer.
pub const MAX_LEN: u64 = 1 << 30;

/// The highest order of a scan.
pub const MAX_ORDER: u32 = 16;
/// The most streams that a sort moves with its keys.
pub const MAX_PAYLOADS: u32 = 3;
/// The largest tuple of a scan or a reduction, in items.
pub const MAX_TUPLE: u32 = 16;

/// A request that no algorithm can fulfil.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SpecError {
    /// An operator that is not defined on the element.
    #[error("the operator '{0}' works on {domain}, not on {1}; choose another operator", domain = .0.domain())]
    OperatorElement(Operator, ElementType),
    /// An odd number of values for an operator on pairs.
    #[error("the operator {operator} takes pairs, and {len} values do not make pairs; use an even number")]
    NoPairs {
        /// The operator that was asked for.
        operator: Operator,
        /// Numbers in the stream.
        len: u64,
    },
    /// An order below 1 or above [`MAX_ORDER`].
    #[error("the order is {0}; it must be 1 to {MAX_ORDER}")]
    Order(u32),
    /// A tuple size below 1 or above [`MAX_TUPLE`].
    #[error("the tuple size is {0}; it must be 1 to {MAX_TUPLE}")]
    Tuple(u32),
    /// A length that is not a multiple of the tuple size.
    #[error("a stream of {len} items does not divide into tuples of {tuple}; use a multiple of {tuple}")]
    TupleDoesNotDivide {
        /// Items in a tuple.
        tuple: u32,
        /// Items in the stream.
        len: u64,
    },
    /// Rows or columns that do not divide a stream.
    #[error("a stream of {len} items does not divide into rows of {width}; use a multiple of {width}")]
    RowsDoNotDivide {
        /// Items in a row.
        width: u64,
        /// Items in the stream.
        len: u64,
    },
    /// Interleaved scans that do not fit into each row or column.
    #[error("tuples of {tuple} do not divide scans of {len} items; use a multiple of {tuple}")]
    TupleInRow {
        /// Items in a tuple.
        tuple: u32,
        /// Items in each scan.
        len: u64,
    },
    /// Bits that a key does not have, or none.
    #[error(
        "a key has {all} bits: a range is two ascending numbers from 0 to {all}, such as 8..24, and not {low}..{high}"
    )]
    Bits {
        /// The lowest bit.
        low: u32,
        /// The bit past the highest one.
        high: u32,
        /// Bits of a key.
        all: u32,
    },
    /// More streams beside the keys of a sort than it moves.
    #[error("a sort moves at most {MAX_PAYLOADS} payloads, not {0}; move indices, and gather by them")]
    Payloads(u32),
    /// An option that cannot be combined with segments.
    #[error("{0} cannot be combined with segments; leave one of them out")]
    Segments(&'static str),
    /// A text or coefficients that are no signature of a recurrence.
    #[error(
        "'{0}' is no recurrence; expected a0,a1,...:b1,b2,..., whole numbers, at least a0 and at most 8 of each"
    )]
    Recurrence(String),
    /// An option that cannot be combined with a recurrence.
    #[error("a recurrence cannot be combined with {0}; leave one of them out")]
    RecurrenceOption(&'static str),
    /// A given beginning of a scan that is repeated.
    #[error("a scan of order {0} cannot begin with a given value; use order 1")]
    SeededOrder(u32),
    /// A scan from the last item, or by columns, of a stream whose length is on the GPU.
    #[error(
        "a scan whose length is on the GPU goes by rows, from the first item on; it cannot be reversed or by columns"
    )]
    Counted,
    /// The total of several scans, or of a repeated one.
    #[error("only one scan of order 1 has a total; leave out rows, columns, segments and the order")]
    Totalled,
    /// A scan in chunks that is not one scan of a whole stream.
    #[error(
        "a scan in chunks has order 1 and goes over a whole stream, from its first item; leave out the other options"
    )]
    Chunks,
    /// Interleaved streams whose length is on the GPU.
    #[error("a reduction whose length is on the GPU has tuples of one item, not of {0}")]
    CountedTuple(u32),
    /// Rows, columns or segments of a reduction or sort whose length is on the GPU.
    #[error(
        "a length on the GPU is that of a whole stream; leave out rows, columns and segments, or the length"
    )]
    CountedParts,
    /// The index of the result of an operator that makes new values.
    #[error("only min and max find an item, which has an index; '{0}' does not")]
    Index(Operator),
    /// An option that cannot be combined with indices.
    #[error("argmin and argmax cannot be combined with {0}; leave one of them out")]
    IndexOption(&'static str),
    /// An offset that is less than the one before, or beyond the end of the stream.
    #[error(
        "offset {index} is {offset}; expected {least} to {most}, since offsets ascend to the stream's length"
    )]
    Offsets {
        /// The index among the offsets.
        index: usize,
        /// The offset.
        offset: u32,
        /// The offset before it.
        least: u32,
        /// The items in the stream.
        most: u64,
    },
    /// A histogram of elements of 64 bits.
    #[error("a histogram counts u32, i32 or f32, not {0}")]
    BinElement(ElementType),
    /// Bins that are none or more than a stream holds.
    #[error("a histogram has 1 to {most} bins, from 2 edges on, not {0}", most = MAX_LEN - 1)]
    Bins(u64),
    /// An edge that is less than the one before, or NaN beside another one.
    #[error("edge {index} is {edge}, after {before}; edges ascend, and none is NaN")]
    Edges {
        /// The index among the edges.
        index: usize,
        /// The edge.
        edge: String,
        /// The edge before it.
        before: String,
    },
    /// A range of bins of equal width that has no such bins, or no number after it.
    #[error("bins cannot span {range}: a range is finite, ascends, and ends below the greatest {element}")]
    BinRange {
        /// The range.
        range: String,
        /// The stream's element.
        element: ElementType,
    },
    /// Bins without edges or a range, of numbers that are not known.
    #[error("bins of a stream on the GPU need a range: its least and greatest numbers are not known")]
    BinExtent,
    /// A condition on another element than the stream's.
    #[error("the condition is on {condition}, but the stream holds {element}; use a condition on {element}")]
    ConditionElement {
        /// The condition's element.
        condition: ElementType,
        /// The stream's element.
        element: ElementType,
    },
    /// A condition and a mask at once.
    #[error("a condition and a mask both say what to keep; give one of them")]
    TwoKeeps,
    /// Texels beyond the end of a texture, or a rectangle of a buffer.
    #[error(
        "a rectangle of {width} x {height} texels from ({x}, {y}) on does not lie in {layout}; choose one that does",
        width = .rectangle.width, height = .rectangle.height, x = .rectangle.x, y = .rectangle.y
    )]
    Rectangle {
        /// The rectangle.
        rectangle: Rectangle,
        /// The memory that it should lie in, in words.
        layout: String,
    },
    /// A channel that texels lack.
    #[error("there is no channel {channel}: the texels have {channels}, counted from 0")]
    Channel {
        /// The channel, counted from 0.
        channel: u32,
        /// The channels of a texel.
        channels: u32,
    },
    /// Indices that are not single u32.
    #[error("indices are u32, one for each item; choose a stream of them")]
    Indices,
    /// Packed numbers of other than 8 or 16 bits, or in other than single u32.
    #[error("numbers of 8 or 16 bits are unpacked from words of u32 to items of u32; use such streams")]
    Packed,
    /// More streams than a map reads, or one whose name is none in GLSL.
    #[error(
        "a map reads at most four streams, the first one included, each under a name of letters, digits and _"
    )]
    MapStreams,
    /// Streams that one pass cannot read, since they lie in memory of different kinds or layouts.
    #[error(
        "these streams have different layouts; move one of them into the other's layout first (Plan::relayout)"
    )]
    Unlike,
    /// A scatter into several items to a texel, or into items of another kind.
    #[error(
        "items are scattered to a stream of the same element, in a texture with one item to a texel (Layout::fit)"
    )]
    ScatterTarget,
    /// A result of zero columns.
    #[error("the result cannot have 0 columns; use at least 1")]
    NoColumns,
}

/// Checks that offsets ascend, to `items` at most.
///
/// Errors: [`SpecError::Offsets`].
pub(crate) fn check_offsets(offsets: &[u32], items: u64) -> Result<(), SpecError> {
    let mut least = 0;
    for (index, offset) in offsets.iter().enumerate() {
        if *offset < least || u64::from(*offset) > items {
            return Err(SpecError::Offsets { index, offset: *offset, least, most: items });
        }
        least = *offset;
    }
    Ok(())
}

/// Checks that edges ascend; equal ones may follow each other.
///
/// Errors: [`SpecError::Edges`].
pub(crate) fn check_edges<T: Element>(edges: &[T]) -> Result<(), SpecError> {
    match edges.windows(2).position(|bin| bin[0].partial_cmp(&bin[1]).is_none_or(Ordering::is_gt)) {
        Some(bin) => Err(SpecError::Edges {
            index: bin + 1,
            edge: edges[bin + 1].to_string(),
            before: edges[bin].to_string(),
        }),
        None => Ok(()),
    }
}

/// A text that is not a condition, or not one on this element.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConditionError {
    /// Neither `nonzero` nor a comparison sign and a number.
    #[error("'{0}' is not a condition; expected nonzero, or >, >=, <, <=, == or != and a number")]
    Syntax(String),
    /// A comparison with a number that the element cannot hold.
    #[error("'{condition}' does not fit {element}: {element} cannot hold '{number}'")]
    Number {
        /// The condition as it was written.
        condition: String,
        /// The number in it.
        number: String,
        /// The stream's element.
        element: ElementType,
    },
}
