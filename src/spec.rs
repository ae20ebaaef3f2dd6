//! The specs of all problems, in one place.

pub use crate::algorithm::{Input, InputInfo, Output, Problem, Request, Spec};
pub use crate::compact::{CompactSpec, Comparison, Condition, Keep, Moves};
pub use crate::limits::{ConditionError, MAX_LEN, MAX_ORDER, MAX_TUPLE, SpecError};
pub use crate::reduce::ReduceSpec;
pub use crate::scan::{Batch, Recurrence, ScanKind, ScanSpec, Segments};
