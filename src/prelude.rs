//! The names that most programs need: `use rasterscan::prelude::*;`

pub use crate::{
    Algorithm, CompactSpec, Compacted, Comparison, Condition, Element, ElementType, Error, Gpu,
    HistogramSpec, Moves, Operator, Plan, Prepared, ReduceSpec, ScanSpec, SortSpec, Stream,
};
