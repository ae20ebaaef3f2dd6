//! The list of problems, and what a problem is.
//!
//! A [`Problem`] is a kind of question: scan, compaction, reduction, sort, histogram. A [`Spec`] is one question of that kind, of a
//! known size: [`ScanSpec`](crate::ScanSpec), for example. A [`Request`] is a spec of any problem. Every problem is one
//! folder with its spec, its options, its reference, the check of results, and its algorithms. A new
//! problem is a folder like `src/reduce/`, a folder of shaders, and a line here.

pub use crate::algorithm::{Input, InputInfo, Output, Problem, Request, Spec};

use crate::{compact, histogram, reduce, scan, sort};

/// Every problem, in the order in which `list` and the app show them.
pub static ALL: [&Problem; 5] = [SCAN, COMPACT, REDUCE, SORT, HISTOGRAM];

/// Prefix sums with any associative operator.
pub const SCAN: &Problem = &scan::PROBLEM;

/// Stream compaction.
pub const COMPACT: &Problem = &compact::PROBLEM;

/// All items combined to one.
pub const REDUCE: &Problem = &reduce::PROBLEM;

/// Keys in their order.
pub const SORT: &Problem = &sort::PROBLEM;

/// Items in bins.
pub const HISTOGRAM: &Problem = &histogram::PROBLEM;

/// The problem with this name.
pub fn named(name: &str) -> Option<&'static Problem> {
    ALL.into_iter().find(|problem| problem.name == name)
}

/// The form in files: `{"scan": {...}}`.
#[cfg(feature = "recordings")]
mod form {
    use std::collections::BTreeMap;

    use serde::de::Error as _;
    use serde::ser::{Error as _, SerializeMap};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::{Request, named};

    impl Serialize for Request {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut map = serializer.serialize_map(Some(1))?;
            map.serialize_entry(self.problem().name, &self.to_json().map_err(S::Error::custom)?)?;
            map.end()
        }
    }

    impl<'de> Deserialize<'de> for Request {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Request, D::Error> {
            let mut map = BTreeMap::<String, serde_json::Value>::deserialize(deserializer)?;
            let (Some((name, spec)), true) = (map.pop_first(), map.is_empty()) else {
                return Err(D::Error::custom("expected a request of one problem"));
            };
            let problem =
                named(&name).ok_or_else(|| D::Error::custom(format!("there is no problem '{name}'")))?;
            (problem.read)(spec).map_err(D::Error::custom)
        }
    }
}
