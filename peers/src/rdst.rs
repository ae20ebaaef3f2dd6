//! The crate rdst, a radix sort on all cores.
//!
//! Source: <https://github.com/Nessex/rdst>. It is not stable. Whole keys that alone are moved, in ascending order, are its
//! own: equal ones are alike. All others become pairs of a rank, of 16, 32 or 64 bits, and an index, no two of which are
//! equal. The time includes making them, and moving what is asked for.

use std::time::{Duration, Instant};

use bytemuck::Pod;
use rasterscan::{Element, ElementType, SortSpec, device::Clock};
use rasterscan_lab::case::Case;
use rayon::prelude::*;
use rdst::{RadixKey, RadixSort};

use crate::peer::Running;

/// The version in `Cargo.toml`.
const VERSION: &str = "0.20";

/// A case, with memory for its sort and its results.
pub struct Rdst<T> {
    keys: Vec<T>,
    sort: Sort<T>,
    values: Vec<T>,
    indices: Vec<u32>,
}

/// Sorts keys into values, indices, or both.
type Sort<T> = Box<dyn FnMut(&[T], &mut Vec<T>, &mut Vec<u32>)>;

impl<T: Element> Rdst<T> {
    /// Errors: the reason why it is left out.
    pub fn start(case: &Case, keys: &[T]) -> Result<Rdst<T>, String> {
        let request = case.request().map_err(|error| error.to_string())?;
        let spec = *request.get::<SortSpec>().ok_or("rdst does nothing but sort")?;
        let sort = match (spec.is_of_whole_keys() && !spec.descending, T::TYPE) {
            (true, ElementType::U32) => of_keys::<T, u32>(),
            (true, ElementType::I32) => of_keys::<T, i32>(),
            (true, ElementType::F32) => of_keys::<T, f32>(),
            (true, ElementType::U64) => of_keys::<T, u64>(),
            (true, ElementType::I64) => of_keys::<T, i64>(),
            _ => match spec.bits[1] - spec.bits[0] {
                0..=16 => of_pairs(spec, |rank| rank as u16),
                17..=32 => of_pairs(spec, |rank| rank as u32),
                _ => of_pairs(spec, |rank| rank),
            },
        };
        Ok(Rdst { keys: keys.to_vec(), sort, values: Vec::new(), indices: Vec::new() })
    }

    fn run(&mut self) {
        (self.sort)(&self.keys, &mut self.values, &mut self.indices);
    }
}

/// The sort of the crate's own keys.
fn of_keys<T: Element, K: RadixKey + Pod + Send + Sync>() -> Sort<T> {
    Box::new(|keys, values, _| {
        values.clear();
        values.extend_from_slice(keys);
        bytemuck::cast_slice_mut::<T, K>(values).radix_sort_unstable();
    })
}

/// A rank and, for those that are equal, an index.
#[derive(Clone, Copy)]
struct Pair<R> {
    rank: R,
    index: u32,
}

impl<R: RadixKey> RadixKey for Pair<R> {
    const LEVELS: usize = u32::LEVELS + R::LEVELS;

    #[inline]
    fn get_level(&self, level: usize) -> u8 {
        match level.checked_sub(u32::LEVELS) {
            None => self.index.get_level(level),
            Some(level) => self.rank.get_level(level),
        }
    }
}

fn of_pairs<T: Element, R: RadixKey + Copy + Send + Sync + 'static>(
    spec: SortSpec,
    rank: fn(u64) -> R,
) -> Sort<T> {
    let mut pairs: Vec<Pair<R>> = Vec::new();
    Box::new(move |keys, values, indices| {
        let pair = |(index, key): (usize, &T)| Pair { rank: rank(spec.rank(*key)), index: index as u32 };
        keys.par_iter().enumerate().map(pair).collect_into_vec(&mut pairs);
        pairs.radix_sort_unstable();
        if spec.moves.values() {
            pairs.par_iter().map(|pair| keys[pair.index as usize]).collect_into_vec(values);
        }
        if spec.moves.indices() {
            pairs.par_iter().map(|pair| pair.index).collect_into_vec(indices);
        }
    })
}

impl<T: Element> Running<T> for Rdst<T> {
    fn parameters(&self) -> Vec<(&'static str, String)> {
        vec![("rdst", VERSION.into()), ("threads", rayon::current_num_threads().to_string())]
    }

    fn results(&mut self) -> Result<Vec<T>, String> {
        self.run();
        // Indices are as wide as keys.
        let wide = |index: &u32| [*index, 0].into_iter().take(size_of::<T>() / 4);
        let words: Vec<u32> = self.indices.iter().flat_map(wide).collect();
        let mut streams = self.values.clone();
        streams.extend(bytemuck::pod_collect_to_vec::<u32, T>(&words));
        Ok(streams)
    }

    fn time(&mut self, runs: u32) -> Result<(Duration, Clock), String> {
        let start = Instant::now();
        for _ in 0..runs {
            self.run();
        }
        Ok((start.elapsed() / runs.max(1), Clock::Wall))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timing::results;
    use rasterscan::tools::{Task, for_element, problem::SORT};

    #[test]
    fn the_version_is_the_one_that_is_asked_for() {
        let asked = format!("rdst = {{ version = \"{VERSION}\"");
        assert!(include_str!("../Cargo.toml").contains(&asked));
    }

    fn check<T: Element>(case: &Case) {
        let streams = case.job().streams().unwrap();
        let mut rdst = Rdst::start(case, streams[0].get::<T>().unwrap()).unwrap();
        let task = Task::new(case.request().unwrap(), &streams).unwrap();
        // The second run is of the same memory.
        for _ in 0..2 {
            let verified = task.verify(None, &results(task.request(), &rdst.results().unwrap()));
            assert!(verified.unwrap_or_else(|wrong| panic!("{case}: {wrong}")).holds(), "{case}");
        }
    }

    #[test]
    fn its_sorts_are_the_oracles() {
        for element in ElementType::ALL {
            for (n, moves) in
                [(0, "values"), (1, "both"), (300_000, "values"), (40_000, "both"), (9, "indices")]
            {
                let case = Case::new(SORT, n).of(element).with("moves", moves).unwrap();
                for bits in ["32", "16", "4..7", "2..30"] {
                    let case = case.clone().with("bits", bits).unwrap();
                    for_element!(element, T => {
                        check::<T>(&case);
                        check::<T>(&case.clone().with("descending", "").unwrap());
                    });
                }
                for_element!(element, T => check::<T>(&case));
            }
        }
        assert!(Rdst::start(&Case::scan(1), &[1]).is_err());
    }

    /// Floats of all signs and kinds, which no case has.
    #[test]
    fn its_order_of_floats_is_total() {
        let bits =
            [0x7FC0_0001, 0xFFC0_0001, 0xFF80_0000, 0x8000_0000, 0, 0x7F80_0000, 0xBF80_0000, 0x3F80_0000];
        let keys: Vec<f32> = (0..10_000).map(|i| f32::from_bits(bits[i % 8] ^ i as u32 >> 9)).collect();
        let case = Case::new(SORT, 10_000).of(ElementType::F32);
        let order = rasterscan::sort::sequential(&SortSpec::new::<f32>(keys.len()), &keys).unwrap();
        let sorted = Rdst::start(&case, &keys).unwrap().results().unwrap();
        rasterscan::sort::verify(&order, &keys, &sorted, "value").unwrap();
    }
}
