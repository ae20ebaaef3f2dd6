//! The streams that a run takes: one, or several.

use super::outputs::Outputs;
use super::stream::Stream;

/// A stream or several, for [`Prepared::run`](super::Prepared::run) and its like.
///
/// For `&stream` a run returns its first result. For several, in an array, a slice or a `Vec`, of streams or of references
/// to them, it returns all results as [`Outputs`]; so `run([&stream])` is for a plan of one input and several results.
pub trait Streams<'a> {
    /// What a run with these inputs returns.
    type Results;

    /// The streams, in the order of the plan's inputs.
    fn list(self) -> Vec<&'a Stream>;

    /// Picks what a run returns from all results of the plan.
    fn pick(outputs: Outputs<'a>) -> Self::Results;
}

impl<'a> Streams<'a> for &'a Stream {
    type Results = &'a Stream;

    fn list(self) -> Vec<&'a Stream> {
        vec![self]
    }

    fn pick(outputs: Outputs<'a>) -> &'a Stream {
        outputs.first()
    }
}

/// Several streams: how their type becomes a list.
macro_rules! several {
    ($([$($of:tt)*] $type:ty: $list:expr;)*) => {
        $(impl<'a, $($of)*> Streams<'a> for $type {
            type Results = Outputs<'a>;

            fn list(self) -> Vec<&'a Stream> {
                let list: fn($type) -> Vec<&'a Stream> = $list;
                list(self)
            }

            fn pick(outputs: Outputs<'a>) -> Outputs<'a> {
                outputs
            }
        })*
    };
}

several! {
    [const N: usize] [&'a Stream; N]: |streams| streams.to_vec();
    [const N: usize] &[&'a Stream; N]: |streams| streams.to_vec();
    [] &[&'a Stream]: |streams| streams.to_vec();
    [] Vec<&'a Stream>: |streams| streams;
    [] &Vec<&'a Stream>: |streams| streams.clone();
    [const N: usize] &'a [Stream; N]: |streams| streams.iter().collect();
    [] &'a [Stream]: |streams| streams.iter().collect();
    [] &'a Vec<Stream>: |streams| streams.iter().collect();
}
