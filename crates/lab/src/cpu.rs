//! The CPU's own scans, compactions, reductions and sorts, as one would write them without a GPU: `cpu:sequential` in one
//! loop, and `cpu:parallel` on all cores. Sorts are the standard library's and rayon's, and `cpu:counting` of few bits.
//!
//! The library's sequential references are separate code, written for clarity and not for speed. The results of the
//! algorithms here are checked against them.

#[cfg(feature = "parallel")]
mod parallel;
mod piece;
mod recurrence;
mod room;
mod sort;

use rasterscan::algorithm::results::Results;
use rasterscan::operator::{BuiltIn, Visitor};
use rasterscan::tools::problem::Output;
use rasterscan::{
    CompactSpec, Element, Keep, Moves, Operator, Recurrence, ReduceSpec, ScanKind, ScanSpec, Segments,
    SortSpec, Unsupported,
    tools::{Numbers, Request},
};

pub use room::{Cpu, Room};

use piece::scan_piece;
use recurrence::Recurrences;

/// The most bits that [`Cpu::Counting`] sorts by: 65,536 counters.
const COUNTED_BITS: u32 = 16;

/// Checks that [`run`] can run a request: scans of whole streams, reductions of them to values, compactions that move
/// only values, and sorts of whole streams and of rows. harris2007 prints no loop for recurrences. All cores need threads,
/// which a limit of the system may refuse.
pub fn check(cpu: Cpu, request: &Request) -> Result<(), Unsupported> {
    #[cfg(feature = "parallel")]
    if cpu == Cpu::Parallel && !parallel::available() {
        return Err(Unsupported::request("the system starts no threads for it"));
    }
    let counts = |spec: &SortSpec| spec.row.is_none() && spec.bits[1] - spec.bits[0] <= COUNTED_BITS;
    if cpu == Cpu::Counting && !request.get().is_some_and(counts) {
        let what = "it sorts whole streams by at most 16 bits (--bits 16), a counter for each key that they can hold";
        return Err(Unsupported::request(what));
    }
    let compacts = |spec: &CompactSpec| spec.moves == Moves::Values && spec.keep != Keep::Mask;
    let scans = |spec: &ScanSpec| spec.is_one_stream() && (spec.recurrence.is_none() || cpu != Cpu::Harris);
    let sorts =
        |spec: &SortSpec| spec.payloads == 0 && spec.segments == Segments::None && !spec.has_gpu_length;
    let can = request.get().is_some_and(scans)
        || request.get::<ReduceSpec>().is_some_and(|spec| spec.is_whole() && !spec.has_index)
        || request.get().is_some_and(compacts)
        || request.get().is_some_and(sorts);
    can.then_some(()).ok_or_else(|| {
        Unsupported::request(
            "the CPU's loops take scans and reductions of whole streams, compactions that move only values, and sorts of \
             whole streams and rows without payloads",
        )
    })
}

impl<T: Element> Room<T> {
    /// The results of the request that [`run`] ran last.
    pub fn results(&self, request: &Request) -> Results {
        results(request, &self.values[..self.count], &self.indices)
    }
}

/// Runs a request on `input`, into `room`. There are no results if [`check`] refuses it.
pub fn run<T: Element>(cpu: Cpu, request: &Request, input: &[T], room: &mut Room<T>) {
    let values = &mut room.values;
    room.count = if let Some(spec) = request.get::<ScanSpec>() {
        scan(cpu, spec, input, values);
        values.len()
    } else if let Some(spec) = request.get::<CompactSpec>() {
        compact(cpu, spec, input, &[], values)
    } else if let Some(spec) = request.get::<ReduceSpec>() {
        reduce(cpu, spec, input, values);
        values.len()
    } else if let Some(spec) = request.get::<SortSpec>() {
        sort::sort(cpu, spec, input, room);
        room.values.len()
    } else {
        0
    };
}

/// The results of a request, from its values and, for a sort, the indices that it moves.
pub fn results<T: Element>(request: &Request, values: &[T], indices: &[u32]) -> Results {
    Results::new(request.outputs().into_iter().map(|output| {
        let numbers = match output.name {
            _ if output == Output::COUNT => Numbers::from(vec![values.len() as u32]),
            "indices" => Numbers::of(indices),
            _ => Numbers::of(values),
        };
        (output, numbers)
    }))
}

/// Reduces `input` into `values`. The operator has a twin.
pub fn reduce<T: Element>(cpu: Cpu, spec: &ReduceSpec, input: &[T], values: &mut Vec<T>) {
    values.clear();
    Loop { cpu, of: Of::Reduce(spec), input, values }.run(&spec.operator);
}

/// A loop over items, compiled separately for each operator.
struct Loop<'a, T> {
    cpu: Cpu,
    of: Of<'a>,
    input: &'a [T],
    values: &'a mut Vec<T>,
}

/// The problem of a loop.
enum Of<'a> {
    Scan(&'a ScanSpec),
    Reduce(&'a ReduceSpec),
}

/// A loop, and the elements of its items.
struct Visit<'l, 'a, T>(&'l mut Loop<'a, T>, u32);

impl<T: Element> Visitor for Visit<'_, '_, T> {
    type Output = ();

    fn visit<O: BuiltIn>(self) {
        self.0.by(self.1, O::combine);
    }
}

impl<T: Element> Loop<'_, T> {
    fn run(&mut self, operator: &Operator) {
        let arity = operator.arity();
        let built_in = operator.visit(Visit(self, arity));
        if let (None, Some(twin)) = (built_in, operator.twin::<T, 2>()) {
            self.by(arity, twin);
        }
    }

    fn by(&mut self, arity: u32, combine: impl Fn([T; 2], [T; 2]) -> [T; 2] + Sync) {
        match arity {
            1 => self.items::<1>(combine),
            _ => self.items::<2>(combine),
        }
    }

    fn items<const ARITY: usize>(&mut self, combine: impl Fn([T; 2], [T; 2]) -> [T; 2] + Sync) {
        let (input, combine) = (self.input.as_chunks().0, of_arity::<T, ARITY>(combine));
        match self.of {
            Of::Scan(spec) => scan_items(self.cpu, spec, input, self.values.as_chunks_mut().0, combine),
            Of::Reduce(spec) => {
                let sums = reduced(self.cpu, input, spec.tuple as usize, &combine);
                let sums = sums.unwrap_or_else(|| vec![identity(&spec.operator); spec.tuple as usize]);
                self.values.extend(sums.into_iter().flatten());
            }
        }
    }
}

/// The sums of all items, one for each member; `None` if there are none.
fn reduced<I: Copy + Send + Sync>(
    cpu: Cpu,
    items: &[I],
    tuple: usize,
    combine: &(impl Fn(I, I) -> I + Sync),
) -> Option<Vec<I>> {
    match cpu {
        Cpu::Sequential | Cpu::Harris | Cpu::Counting => piece::reduce_piece(items, tuple, combine),
        #[cfg(feature = "parallel")]
        Cpu::Parallel => parallel::reduce(items, tuple, combine),
    }
}

/// The identity, as an item of so many elements.
fn identity<T: Element, const ARITY: usize>(operator: &Operator) -> [T; ARITY] {
    let identity = operator.identity::<T, 2>();
    std::array::from_fn(|part| identity[part])
}

/// An operator on items of this many elements.
fn of_arity<T: Element, const ARITY: usize>(
    combine: impl Fn([T; 2], [T; 2]) -> [T; 2] + Sync,
) -> impl Fn([T; ARITY], [T; ARITY]) -> [T; ARITY] + Sync {
    move |left, right| {
        let mut wide = [[T::ZERO; 2]; 2];
        wide[0][..ARITY].copy_from_slice(&left);
        wide[1][..ARITY].copy_from_slice(&right);
        let combined = combine(wide[0], wide[1]);
        std::array::from_fn(|part| combined[part])
    }
}

/// Scans `input` into `values`. The operator has a twin.
pub fn scan<T: Element>(cpu: Cpu, spec: &ScanSpec, input: &[T], values: &mut Vec<T>) {
    values.resize(input.len(), T::ZERO);
    if let Some(recurrence) = &spec.recurrence {
        let zeros = if spec.kind == ScanKind::Exclusive { spec.tuple as usize } else { 0 };
        return recur(cpu, recurrence, spec.tuple as usize, zeros, input, values);
    }
    Loop { cpu, of: Of::Scan(spec), input, values }.run(&spec.operator);
}

/// A recurrence in each of `tuple` interleaved streams. The results follow so many zeros, and the last ones are left out.
fn recur<T: Element>(
    cpu: Cpu,
    recurrence: &Recurrence,
    tuple: usize,
    zeros: usize,
    input: &[T],
    values: &mut [T],
) {
    let recurrences = Recurrences::new(recurrence, tuple);
    let (zeros, results) = values.split_at_mut(zeros.min(values.len()));
    zeros.fill(T::ZERO);
    match cpu {
        Cpu::Sequential | Cpu::Harris | Cpu::Counting => recurrences.run(input, 0, &[], results),
        #[cfg(feature = "parallel")]
        Cpu::Parallel => parallel::recur(&recurrences, input, results),
    }
}

fn scan_items<T: Element, const ARITY: usize>(
    cpu: Cpu,
    spec: &ScanSpec,
    input: &[[T; ARITY]],
    items: &mut [[T; ARITY]],
    combine: impl Fn([T; ARITY], [T; ARITY]) -> [T; ARITY] + Sync,
) {
    let identity = identity(&spec.operator);
    let tuple = spec.tuple as usize;
    for order in 1..=spec.order {
        let exclusive = (order == spec.order && spec.kind == ScanKind::Exclusive).then_some(identity);
        // The first order reads the input; the others scan in place.
        let source = (order == 1).then_some(input);
        match cpu {
            Cpu::Sequential | Cpu::Harris | Cpu::Counting => {
                if let (Cpu::Harris, Some(source), Some(identity), 1) = (cpu, source, exclusive, tuple) {
                    piece::harris(source, items, identity, &combine);
                    continue;
                }
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

/// Moves the kept values to the front of `values`, which gets as long as the input; returns their count.
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
    // No branch: every value is written, and the next overwrites it if it was not kept.
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
        Cpu::Sequential | Cpu::Harris | Cpu::Counting => move_kept(0, input, values),
        #[cfg(feature = "parallel")]
        Cpu::Parallel => parallel::compact(input, values, &keeps, &move_kept),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use rasterscan::ElementType;
    use rasterscan::operator::Definition;

    use super::*;

    /// Those that scan, compact, reduce and sort.
    pub const ALL: &[Cpu] = &[
        Cpu::Sequential,
        Cpu::Harris,
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
        // Pairs, of which the later counts unless it is all zeros.
        let last =
            Definition::new("last", "").identity(ElementType::U32, &[0, 0]).twin(|_, left, right, result| {
                result.copy_from_slice(if right == [0, 0] { left } else { right });
            });
        for operator in Operator::ALL.into_iter().chain([Operator::new(last).unwrap()]) {
            for (order, tuple) in [(1, 1), (2, 1), (1, 3), (3, 4)] {
                for kind in [ScanKind::Inclusive, ScanKind::Exclusive] {
                    for tuples in [0, 1, 2, 1000, 4 * LEAST as u64 + 77, 100_000] {
                        let spec = ScanSpec::of(ElementType::U32, tuples * u64::from(tuple));
                        let spec = spec.operator(&operator).order(order).tuple(tuple).kind(kind);
                        let input = numbers(spec.elements());
                        let expected = rasterscan::scan::sequential(&spec, &input).unwrap();
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
    fn recurrences_are_the_references() {
        let signatures =
            ["3,1:", "1:1", "1,2,-1", "2:1,-1", "1,1,1:3,-3,1", "1,0,0,0,0,0,0,5:0,0,0,0,0,0,0,-1"];
        for (signature, tuple) in
            signatures.into_iter().flat_map(|signature| [(signature, 1), (signature, 3)])
        {
            for kind in [ScanKind::Inclusive, ScanKind::Exclusive] {
                for tuples in [0, 1, 2, 5, 1000, 4 * LEAST as u64 + 77, 100_000] {
                    let spec =
                        ScanSpec::of(ElementType::U32, tuples * u64::from(tuple)).tuple(tuple).kind(kind);
                    let spec = spec.recurrence(signature.parse().unwrap());
                    let input = numbers(spec.elements());
                    let expected = rasterscan::scan::sequential(&spec, &input).unwrap();
                    for &cpu in ALL {
                        let mut values = vec![7; 3];
                        scan(cpu, &spec, &input, &mut values);
                        assert!(values == expected, "{cpu:?}: {spec}");
                        assert_eq!(
                            check(cpu, &(&spec).into()).is_ok(),
                            cpu != Cpu::Harris,
                            "{cpu:?}: {spec}"
                        );
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
                    let expected = rasterscan::compact::sequential(&spec, &input, &input).unwrap();
                    for &cpu in ALL {
                        let mut values = vec![7; 5];
                        let kept = compact(cpu, &spec, &input, &input, &mut values);
                        assert!(values[..kept] == expected.values, "{cpu:?}: {spec}");
                    }
                }
            }
        }
    }

    #[test]
    fn no_loop_takes_rows_or_segments() {
        let (scan, reduction) = (ScanSpec::new::<u32>(6), ReduceSpec::new::<u32>(6));
        let of = |request: Request| ALL.iter().filter(|cpu| check(**cpu, &request).is_ok()).count();
        assert_eq!([of((&scan).into()), of((&reduction).into())], [ALL.len(); 2]);
        assert_eq!([of((&scan.rows(3)).into()), of((&scan.segmented()).into())], [0; 2]);
        assert_eq!([of((&reduction.rows(3)).into()), of((&reduction.segmented()).into())], [0; 2]);
    }

    #[test]
    fn reductions_are_the_references() {
        let mut room = Vec::new();
        for operator in Operator::ALL {
            for (tuples, tuple) in [(0, 1), (0, 3), (1, 1), (1, 3), (7, 1), (40_000, 1), (10_001, 3)] {
                let spec = ReduceSpec::new::<u64>(tuples * tuple as usize).operator(&operator).tuple(tuple);
                let input: Vec<u64> =
                    (1..=spec.elements()).map(|i| i.wrapping_mul(0x9E37_79B9_97F4_A7C1)).collect();
                let expected = rasterscan::reduce::sequential(&spec, &input).unwrap();
                for cpu in ALL {
                    reduce(*cpu, &spec, &input, &mut room);
                    assert_eq!(room, expected, "{cpu:?}, {spec}");
                }
            }
        }
    }
}
