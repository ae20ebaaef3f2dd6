//! The CPU's own scans and compactions, as somebody would write them who has no GPU: `cpu:sequential` in one loop, and
//! `cpu:parallel` on all cores.
//!
//! The oracle of [`rasterscan::reference`] is another program, for clarity and not for speed; results of these are checked
//! against it.

#[cfg(feature = "parallel")]
mod parallel;
mod piece;

use rasterscan::{CompactSpec, Element, Keep, Operator, ScanKind, ScanSpec};

use piece::scan_piece;

/// Which of the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cpu {
    /// One loop.
    Sequential,
    /// All cores.
    #[cfg(feature = "parallel")]
    Parallel,
}

/// A scan of `input` into `values`.
pub fn scan<T: Element>(cpu: Cpu, spec: &ScanSpec, input: &[T], values: &mut Vec<T>) {
    values.resize(input.len(), T::ZERO);
    macro_rules! with {
        ($operator:ident, $arity:literal) => {
            scan_items::<T, $arity>(
                cpu,
                spec,
                input.as_chunks().0,
                values.as_chunks_mut().0,
                |left, right| {
                    let mut wide = [[T::ZERO; 2]; 2];
                    wide[0][..$arity].copy_from_slice(&left);
                    wide[1][..$arity].copy_from_slice(&right);
                    // The operator is known here when this is compiled.
                    let combined = Operator::$operator.combine(wide[0], wide[1]);
                    std::array::from_fn(|part| combined[part])
                },
            )
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
        Operator::Interval => with!(Interval, 1),
        Operator::IntervalPair => with!(IntervalPair, 2),
    }
}

fn scan_items<T: Element, const ARITY: usize>(
    cpu: Cpu,
    spec: &ScanSpec,
    input: &[[T; ARITY]],
    items: &mut [[T; ARITY]],
    combine: impl Fn([T; ARITY], [T; ARITY]) -> [T; ARITY] + Sync,
) {
    let identity = spec.operator.identity::<T>();
    let identity = std::array::from_fn(|part| identity[part]);
    let tuple = spec.tuple as usize;
    for order in 1..=spec.order {
        let exclusive = (order == spec.order && spec.kind == ScanKind::Exclusive).then_some(identity);
        // The first order reads the input; the others scan in place.
        let source = (order == 1).then_some(input);
        match cpu {
            Cpu::Sequential => {
                if let Some(source) = source {
                    items.copy_from_slice(source);
                }
                scan_piece(items, tuple, None, exclusive, &combine);
            }
            #[cfg(feature = "parallel")]
            Cpu::Parallel => parallel::scan(source, items, tuple, exclusive, &combine),
        }
    }
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
    match cpu {
        Cpu::Sequential => move_kept(0, input, values),
        #[cfg(feature = "parallel")]
        Cpu::Parallel => parallel::compact(input, values, &keeps, &move_kept),
    }
}

#[cfg(test)]
mod tests {
    use rasterscan::{ElementType, reference};

    use super::*;

    const ALL: &[Cpu] = &[
        Cpu::Sequential,
        #[cfg(feature = "parallel")]
        Cpu::Parallel,
    ];

    /// More than one piece.
    const LEAST: usize = 1 << 12;

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
                        for &cpu in ALL {
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
                    for &cpu in ALL {
                        let mut values = vec![7; 5];
                        let kept = compact(cpu, &spec, &input, &input, &mut values);
                        assert!(values[..kept] == expected.values, "{cpu:?}: {spec}");
                    }
                }
            }
        }
    }
}
