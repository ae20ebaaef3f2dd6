//! Intervals of a stream's items, which the operators of a proof combine. Twin of `glsl/common/operator/join.glsl`.

use super::definition::{BuiltIn, Notation};
use crate::element::Element;

/// An interval of a stream's items: the item of [`Operator::INTERVAL`](super::Operator::INTERVAL) and
/// [`Operator::INTERVAL_PAIR`](super::Operator::INTERVAL_PAIR), which join neighbours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interval {
    /// No items: the identity.
    Empty,
    /// The items from `begin` to before `end`, at least one.
    Items {
        /// The first item's index.
        begin: u32,
        /// The index after the last item.
        end: u32,
    },
    /// Two items that were not neighbours, or a word that is not an interval. It absorbs everything but the identity.
    Broken,
}

/// Set in every word. So no word is zero, and as a float each is a normal number, which no GPU changes on the way.
const MARK: u32 = 0x2000_0000;
/// Bits of a position if both ends share a word, and if they do not.
const HALF: u32 = 14;
const WHOLE: u32 = 29;

impl Interval {
    /// The last position that fits in items of this many words.
    pub fn last_position(item_words: u32) -> u32 {
        (1 << if item_words == 1 { HALF } else { WHOLE }) - 1
    }

    /// The interval joined with the one right after it.
    pub fn join(self, next: Interval) -> Interval {
        match (self, next) {
            (Interval::Empty, other) | (other, Interval::Empty) => other,
            (Interval::Items { begin, end }, Interval::Items { begin: middle, end: last })
                if end == middle =>
            {
                Interval::Items { begin, end: last }
            }
            _ => Interval::Broken,
        }
    }

    /// The ends as they are stored: equal for the identity, in the wrong order for a broken interval.
    fn ends(self) -> [u32; 2] {
        match self {
            Interval::Empty => [0, 0],
            Interval::Items { begin, end } => [begin, end],
            Interval::Broken => [1, 0],
        }
    }

    /// The interval that an item of `arity` elements holds.
    pub fn of_item<T: Element>(item: [T; 2], arity: u32) -> Interval {
        let words: &[u32] = bytemuck::cast_slice(&item[..arity as usize]);
        let position = |word: u32| (word >> WHOLE == 1).then_some(word ^ MARK);
        let ends = match *words {
            [both] if both >> (2 * HALF) == MARK >> (2 * HALF) => {
                Some([both >> HALF & ((1 << HALF) - 1), both & ((1 << HALF) - 1)])
            }
            [begin, end] => position(begin).zip(position(end)).map(<[u32; 2]>::from),
            [begin, not_begin, end, not_end] if not_begin == !begin && not_end == !end => {
                position(begin).zip(position(end)).map(<[u32; 2]>::from)
            }
            _ => None,
        };
        match ends {
            Some([0, 0]) => Interval::Empty,
            Some([begin, end]) if begin < end => Interval::Items { begin, end },
            _ => Interval::Broken,
        }
    }

    /// The interval as an item of `arity` elements. Its ends must not exceed [`Self::last_position`].
    pub fn item<T: Element>(self, arity: u32) -> [T; 2] {
        let [begin, end] = self.ends();
        let mut item = [T::ZERO; 2];
        let words: &mut [u32] = bytemuck::cast_slice_mut(&mut item[..arity as usize]);
        match words {
            [both] => *both = MARK | begin << HALF | end,
            [first, second] => [*first, *second] = [MARK | begin, MARK | end],
            words => words.copy_from_slice(&[MARK | begin, !(MARK | begin), MARK | end, !(MARK | end)]),
        }
        item
    }
}

/// The operator on intervals stored in one element.
pub(super) struct Join;

impl BuiltIn for Join {
    const COMMUTES: bool = false;
    const NOTATION: Notation = Notation::Between("then");

    fn identity<T: Element>() -> [T; 2] {
        Interval::Empty.item(1)
    }

    fn combine<T: Element>(left: [T; 2], right: [T; 2]) -> [T; 2] {
        Interval::of_item(left, 1).join(Interval::of_item(right, 1)).item(1)
    }
}

/// The operator on intervals stored in two elements.
pub(super) struct JoinPair;

impl BuiltIn for JoinPair {
    const ARITY: u32 = 2;
    const COMMUTES: bool = false;
    const NOTATION: Notation = Notation::Between("then");

    fn identity<T: Element>() -> [T; 2] {
        Interval::Empty.item(2)
    }

    fn combine<T: Element>(left: [T; 2], right: [T; 2]) -> [T; 2] {
        Interval::of_item(left, 2).join(Interval::of_item(right, 2)).item(2)
    }
}

impl std::fmt::Display for Interval {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Interval::Empty => f.write_str("no items"),
            Interval::Items { begin, end } => write!(f, "items {begin} to {}", end - 1),
            Interval::Broken => f.write_str("no interval"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Operator;

    fn some() -> Vec<Interval> {
        let items = |begin, end| Interval::Items { begin, end };
        let last = Interval::last_position(1);
        let intervals = [(0, 1), (0, 2), (1, 2), (2, 5), (5, 6), (2, last), (0, last)];
        let intervals = intervals.into_iter().map(|(begin, end)| items(begin, end));
        intervals.chain([Interval::Empty, Interval::Broken]).collect()
    }

    #[test]
    fn joining_is_associative_and_the_empty_interval_is_its_identity() {
        for a in some() {
            assert_eq!((a.join(Interval::Empty), Interval::Empty.join(a)), (a, a));
            for b in some() {
                for c in some() {
                    assert_eq!(a.join(b).join(c), a.join(b.join(c)), "{a}, {b}, {c}");
                }
            }
        }
    }

    fn written_and_read<T: Element>() {
        for operator in Operator::PROVING {
            let arity = operator.arity();
            for interval in some() {
                assert_eq!(Interval::of_item(interval.item::<T>(arity), arity), interval, "{operator}");
            }
            assert_eq!(operator.identity::<T, 2>(), Interval::Empty.item(arity));
            // Words of another origin are not intervals: unwritten memory, or words of another item.
            assert_eq!(Interval::of_item([T::ZERO; 2], arity), Interval::Broken);
            assert_eq!(Interval::of_item([T::ONE; 2], arity), Interval::Broken);
            assert_eq!(Interval::of_item([T::HIGHEST; 2], arity), Interval::Broken);
        }
    }

    #[test]
    fn items_of_every_width_hold_intervals() {
        written_and_read::<u32>();
        written_and_read::<i32>();
        written_and_read::<f32>();
        written_and_read::<u64>();
        written_and_read::<i64>();
    }
}
