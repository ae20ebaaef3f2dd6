//! The streams that a run takes: one, or several.

use std::borrow::Cow;

use super::outputs::Outputs;
use super::stream::Stream;

/// A stream or several, for [`Prepared::run`](super::Prepared::run) and its like.
///
/// For `&stream` a run returns its first result. For several, in an array, a slice or a `Vec`, of streams or of references
/// to them, it returns all results as [`Outputs`]; so `run([&stream])` is for a plan of one input and several results.
pub trait Streams<'a> {
    /// The results of a run with these inputs.
    type Results;

    /// The streams, in the order of the plan's inputs.
    fn list(&self) -> Cow<'_, [&'a Stream]>;

    /// Picks what a run returns from all results of the plan.
    fn pick(outputs: Outputs<'a>) -> Self::Results;
}

impl<'a> Streams<'a> for &'a Stream {
    type Results = &'a Stream;

    fn list(&self) -> Cow<'_, [&'a Stream]> {
        Cow::Borrowed(std::slice::from_ref(self))
    }

    fn pick(outputs: Outputs<'a>) -> &'a Stream {
        outputs.first()
    }
}

/// Several streams: how their type becomes a list.
macro_rules! several {
    ($([$($of:tt)*] $type:ty: |$streams:ident| $list:expr;)*) => {
        $(impl<'a, $($of)*> Streams<'a> for $type {
            type Results = Outputs<'a>;

            fn list(&self) -> Cow<'_, [&'a Stream]> {
                let $streams = self;
                $list
            }

            fn pick(outputs: Outputs<'a>) -> Outputs<'a> {
                outputs
            }
        })*
    };
}

several! {
    [const N: usize] [&'a Stream; N]: |streams| Cow::Borrowed(streams);
    [const N: usize] &[&'a Stream; N]: |streams| Cow::Borrowed(*streams);
    [] &[&'a Stream]: |streams| Cow::Borrowed(streams);
    [] Vec<&'a Stream>: |streams| Cow::Borrowed(streams);
    [] &Vec<&'a Stream>: |streams| Cow::Borrowed(streams);
    [const N: usize] &'a [Stream; N]: |streams| Cow::Owned(streams.iter().collect());
    [] &'a [Stream]: |streams| Cow::Owned(streams.iter().collect());
    [] &'a Vec<Stream>: |streams| Cow::Owned(streams.iter().collect());
}
