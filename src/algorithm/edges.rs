//! Edges of bins of equal width, where a histogram's are not given.

use super::Arguments;
use crate::element::{Element, ElementType};
use crate::error::Error;
use crate::limits::SpecError;
use crate::memory;
use crate::numbers::Numbers;
use crate::{each, for_element};

/// The option for the number of bins.
pub const BINS: &str = "bins";
/// The option for the least and the greatest number that bins hold.
pub const RANGE: &str = "range";

/// The bins that options ask for without edges; `None` if they do not.
pub fn bins(options: &Arguments) -> Option<u64> {
    options.number(BINS).map(u64::from).or(options.word(RANGE).map(|_| 10))
}

/// The edges of [`bins`] of an element, in the range that options give or from the least of the numbers to the greatest.
///
/// Errors: as [`even_edges`]; [`SpecError::BinExtent`] with neither.
pub fn of_options(
    options: &Arguments,
    element: ElementType,
    numbers: Option<&Numbers>,
) -> Result<Option<Numbers>, Error> {
    let Some(bins) = bins(options) else { return Ok(None) };
    let given = options.word(RANGE).and_then(range);
    let [low, high] = given.or_else(|| numbers.map(extent)).ok_or(SpecError::BinExtent)?;
    for_element!(element, T => Ok(Some(even_edges::<T>(bins as usize, low, high)?.into())))
}

/// The two numbers of a range.
pub fn range(text: &str) -> Option<[f64; 2]> {
    let (low, high) = text.split_once("..")?;
    Some([low.parse().ok()?, high.parse().ok()?])
}

/// The least and the greatest number, NaN left out; of none, 0 and 1.
fn extent(numbers: &Numbers) -> [f64; 2] {
    let none = [f64::INFINITY, f64::NEG_INFINITY];
    let [low, high] = each!(numbers, values => values.iter().fold(none, |[low, high], value| {
        let value = Element::to_f64(*value);
        [low.min(value), high.max(value)]
    }));
    if low > high { [0.0, 1.0] } else { [low, high] }
}

/// The edges of bins of equal width from `low` to `high`, as numpy's `histogram(a, bins, (low, high))` has them: the last bin
/// includes `high`, so the last edge is the next number after it. Between equal numbers, `low` and `high` are 0.5 further
/// apart on each side. Edges are rounded to the nearest f32, or up to an integer.
///
/// ```
/// use rasterscan::histogram::even_edges;
/// assert_eq!(even_edges::<u32>(4, 0.0, 7.0)?, [0, 2, 4, 6, 8]);
/// assert_eq!(even_edges::<f32>(2, -1.0, 1.0)?, [-1.0, 0.0, 1.0000001]);
/// # Ok::<(), rasterscan::Error>(())
/// ```
///
/// Errors: [`SpecError::Bins`] for none; [`SpecError::BinRange`] for a range that is not finite and ascending, or whose end is
/// the greatest integer of the type, so that no edge can follow it; [`Error::Memory`].
pub fn even_edges<T: Element>(bins: usize, low: f64, high: f64) -> Result<Vec<T>, Error> {
    if bins == 0 {
        return Err(SpecError::Bins(0).into());
    }
    let is_float = T::TYPE.is_float();
    let (from, to) = if low == high { (low - 0.5, high + 0.5) } else { (low, high) };
    let last = if is_float { f64::from((to as f32).next_up()) } else { to.floor() + 1.0 };
    if !(from.is_finite() && to.is_finite() && from < to && last <= T::HIGHEST.to_f64()) {
        return Err(SpecError::BinRange { range: format!("{low}..{high}"), element: T::TYPE }.into());
    }
    let mut edges = memory::room(bins + 1, "the edges of bins")?;
    for bin in 0..bins {
        let edge = (from + bin as f64 * ((to - from) / bins as f64)).min(to);
        edges.push(T::of_f64(if is_float { edge } else { edge.ceil() }));
    }
    edges.push(T::of_f64(last));
    Ok(edges)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `numpy.histogram` of these numbers, by its own edges.
    #[test]
    fn counts_are_those_of_numpy() {
        let counts = |data: &[i32], bins, low, high| {
            let edges = even_edges::<i32>(bins, low, high).unwrap();
            let inside = |bin: &[i32]| data.iter().filter(|x| bin[0] <= **x && **x < bin[1]).count();
            edges.windows(2).map(inside).collect::<Vec<_>>()
        };
        let data = [-3, 0, 1, 2, 2, 5, 7, 7, 9, 12];
        assert_eq!(counts(&data, 10, -3.0, 12.0), [1, 0, 2, 2, 0, 1, 2, 0, 1, 1]);
        assert_eq!(counts(&data, 4, -0.5, 7.25), [2, 2, 1, 2]);
        assert_eq!(counts(&data, 3, 7.0, 7.0), [0, 2, 0]);
    }

    #[test]
    fn ranges_without_a_next_number_are_refused() {
        for (low, high) in [(1.0, 0.0), (0.0, f64::INFINITY), (f64::NAN, 1.0), (0.0, 4294967295.0)] {
            assert!(even_edges::<u32>(2, low, high).is_err(), "{low}..{high}");
        }
        assert!(even_edges::<u32>(0, 0.0, 1.0).is_err());
        assert_eq!(even_edges::<u32>(1, 0.0, 4294967294.0).unwrap(), [0, u32::MAX]);
        assert_eq!(even_edges::<f32>(1, 0.0, f32::MAX.into()).unwrap(), [0.0, f32::INFINITY]);
    }

    #[test]
    fn the_extent_leaves_nan_out() {
        assert_eq!(extent(&Numbers::of(&[2.0f32, f32::NAN, -1.5])), [-1.5, 2.0]);
        assert_eq!(extent(&Numbers::of(&[f32::NAN])), [0.0, 1.0]);
    }
}
