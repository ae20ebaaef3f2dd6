//! The CPU's own scans and compactions, as somebody would write them who has no GPU: `cpu:sequential` in one loop, and
//! `cpu:parallel` on all cores.
//!
//! In parallel, in two rounds over one piece a task (reduce, then scan: 3n words moved): every piece is added up or
//! counted, the sums of the pieces are scanned, and every piece is scanned or moved from there on. The oracle of
//! [`rasterscan::reference`] is another program, for clarity and not for speed; results of these are held against it.

use rasterscan::{CompactSpec, Element, Keep, Operator, ScanKind, ScanSpec};
use rayon::prelude::*;

/// Which of the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cpu {
    Sequential,
    Parallel,
}

/// Pieces for each thread, so that one that is late leaves work to others.
const PIECES: usize = 4;
/// A piece of fewer items is not worth a task.
const LEAST: usize = 1 << 12;

/// A scan in place of `values`, which have been copied from the input: the copy is part of the work, as a GPU's result
/// is another stream than its input.
pub fn scan<T: Element>(cpu: Cpu, spec: &ScanSpec, input: &[T], values: &mut Vec<T>) {
    values.clear();
    values.extend_from_slice(input);
    macro_rules! with {
        ($operator:ident, $arity:literal) => {
            scan_items::<T, $arity>(cpu, spec, values.as_chunks_mut().0, |left, right| {
                let mut wide = [[T::ZERO; 2]; 2];
                wide[0][..$arity].copy_from_slice(&left);
                wide[1][..$arity].copy_from_slice(&right);
                // The operator is known here when this is compiled.
                let combined = Operator::$operator.combine(wide[0], wide[1]);
                std::array::from_fn(|part| combined[part])
            })
        };
    }
    match spec.operator {
        Operator::Add => with!(Add, 1),
        Operator::Mul => with!(Mul, 1),
        Operator::Min => with!(Min, 1),
        Operator::Max => with!(Max, 1),
        Operator::And => with!(And, 1),
        Operator::Or => with!(Or, 1),
        Operator::Xor => with!(Xor, 1),
        Operator::Affine => with!(Affine, 2),
    }
}

fn scan_items<T: Element, const ARITY: usize>(
    cpu: Cpu,
    spec: &ScanSpec,
    items: &mut [[T; ARITY]],
    combine: impl Fn([T; ARITY], [T; ARITY]) -> [T; ARITY] + Sync,
) {
    let tuple = spec.tuple as usize;
    for order in 1..=spec.order {
        match cpu {
            Cpu::Sequential => inclusive(items, tuple, &combine),
            Cpu::Parallel => in_parallel(items, tuple, &combine),
        }
        if order == spec.order && spec.kind == ScanKind::Exclusive && !items.is_empty() {
            let identity = spec.operator.identity::<T>();
            items.copy_within(..items.len() - tuple, tuple);
            items[..tuple].fill(std::array::from_fn(|part| identity[part]));
        }
    }
}

#[inline]
fn inclusive<I: Copy>(items: &mut [I], tuple: usize, combine: &impl Fn(I, I) -> I) {
    if tuple == 1 {
        // In a register from item to item.
        let Some((first, rest)) = items.split_first_mut() else { return };
        let mut sum = *first;
        for item in rest {
            sum = combine(sum, *item);
            *item = sum;
        }
        return;
    }
    for place in tuple..items.len() {
        items[place] = combine(items[place - tuple], items[place]);
    }
}

fn in_parallel<I: Copy + Send + Sync>(items: &mut [I], tuple: usize, combine: &(impl Fn(I, I) -> I + Sync)) {
    let pieces = (PIECES * rayon::current_num_threads()).min(items.len() / LEAST).max(1);
    let piece = items.len().div_ceil(pieces).next_multiple_of(tuple).max(tuple);
    let sums: Vec<Vec<I>> = items
        .par_chunks(piece)
        .map(|piece| {
            let (first, rest) = piece.split_at(tuple);
            let mut sums = first.to_vec();
            for items in rest.chunks_exact(tuple) {
                for (sum, item) in sums.iter_mut().zip(items) {
                    *sum = combine(*sum, *item);
                }
            }
            sums
        })
        .collect();
    let mut before: Vec<Vec<I>> = Vec::with_capacity(sums.len());
    for (number, sums) in sums.iter().enumerate() {
        let next = match number.checked_sub(1) {
            None => sums.clone(),
            Some(last) => before[last].iter().zip(sums).map(|(before, sum)| combine(*before, *sum)).collect(),
        };
        before.push(next);
    }
    items.par_chunks_mut(piece).enumerate().for_each(|(number, piece)| {
        if let Some(last) = number.checked_sub(1) {
            for (item, before) in piece.iter_mut().zip(&before[last]) {
                *item = combine(*before, *item);
            }
        }
        inclusive(piece, tuple, combine);
    });
}

/// Moves the values that are kept to the front of `values`, which gets as long as the input; gives their count.
pub fn compact<T: Element>(
    cpu: Cpu,
    spec: &CompactSpec,
    input: &[T],
    mask: &[u32],
    values: &mut Vec<T>,
) -> usize {
    values.resize(input.len(), T::ZERO);
    let keeps = |index: usize, value: T| match spec.keep {
        Keep::Condition(condition) => condition.holds(value),
        Keep::Mask => mask[index] != 0,
    };
    // No branch: every value is written, and the next goes over it where it was not kept.
    let move_kept = |first: usize, input: &[T], target: &mut [T]| {
        let mut kept = 0;
        for (index, value) in input.iter().enumerate() {
            if let Some(place) = target.get_mut(kept) {
                *place = *value;
            }
            kept += usize::from(keeps(first + index, *value));
        }
        kept
    };
    if cpu == Cpu::Sequential {
        return move_kept(0, input, values);
    }
    let pieces = (PIECES * rayon::current_num_threads()).min(input.len() / LEAST).max(1);
    let piece = input.len().div_ceil(pieces).max(1);
    let count = |(number, values): (usize, &[T])| {
        values.iter().enumerate().filter(|(index, value)| keeps(number * piece + index, **value)).count()
    };
    let counts: Vec<usize> = input.par_chunks(piece).enumerate().map(count).collect();
    let mut rest = &mut values[..];
    let targets: Vec<&mut [T]> = counts
        .iter()
        .map(|count| {
            let (target, others) = std::mem::take(&mut rest).split_at_mut(*count);
            rest = others;
            target
        })
        .collect();
    targets.into_par_iter().zip(input.par_chunks(piece)).enumerate().for_each(
        |(number, (target, values))| {
            move_kept(number * piece, values, target);
        },
    );
    counts.iter().sum()
}

#[cfg(test)]
mod tests {
    use rasterscan::{ElementType, reference};

    use super::*;

    fn numbers(len: u64) -> Vec<u32> {
        (0..len as u32).map(|i| i.wrapping_mul(0x9E37_79B9) >> 7).collect()
    }

    #[test]
    fn scans_are_the_references() {
        for operator in Operator::ALL {
            for (order, tuple) in [(1, 1), (2, 1), (1, 3), (3, 4)] {
                for kind in [ScanKind::Inclusive, ScanKind::Exclusive] {
                    for tuples in [0, 1, 2, 1000, 4 * LEAST as u64 + 77, 100_000] {
                        let spec = ScanSpec::of(ElementType::U32, tuples * u64::from(tuple));
                        let spec = spec.operator(operator).order(order).tuple(tuple).kind(kind);
                        let input = numbers(spec.elements());
                        let expected = reference::scan(&spec, &input).unwrap();
                        for cpu in [Cpu::Sequential, Cpu::Parallel] {
                            let mut values = Vec::new();
                            scan(cpu, &spec, &input, &mut values);
                            assert!(values == expected, "{cpu:?}: {spec}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn compactions_are_the_references() {
        for len in [0, 1, 2, 1000, 100_000, 2 * LEAST as u64] {
            for share in [0, 1, 3, 5] {
                let input: Vec<u32> =
                    numbers(len).iter().map(|x| if x % 5 < share { x | 1 } else { 0 }).collect();
                for spec in
                    [CompactSpec::of(ElementType::U32, len), CompactSpec::of(ElementType::U32, len).masked()]
                {
                    let expected = reference::compact(&spec, &input, &input).unwrap();
                    for cpu in [Cpu::Sequential, Cpu::Parallel] {
                        let mut values = vec![7; 5];
                        let kept = compact(cpu, &spec, &input, &input, &mut values);
                        assert!(values[..kept] == expected.values, "{cpu:?}: {spec}");
                    }
                }
            }
        }
    }
}
