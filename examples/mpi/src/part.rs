//! A part of a stream on one device, and its scan in two steps, between which the parts exchange their totals.
//!
//! ```text
//! reduce      input -> the total of the part                   n read
//! (exchange)  an exclusive scan of all totals gives the carry
//! scan        input and carry -> the scanned part              n read, n written
//! ```
//!
//! With compute shaders these are the halves of a reduce-then-scan (`ReduceThenScan::halves`), without them a reduction
//! and a scan with a seed. A part lies in pieces, so that it may be longer than a stream (`MAX_LEN`) or a fast buffer.

use std::ops::Range;

use rasterscan::scan::compute::ReduceThenScan;
use rasterscan::{Element, Error, Gpu, Operator, Prepared, ReduceSpec, ScanSpec, Stream};

/// A part of a stream of `T`, and memory for its scan.
pub struct Part<T> {
    operator: Operator,
    identity: Vec<T>,
    /// By length: all pieces but the last have the same.
    steps: Vec<Steps>,
    pieces: Vec<Piece<T>>,
}

/// The two steps for pieces of one length.
struct Steps {
    len: u64,
    /// From the input to the total, and to what the scan reads between input and carry.
    reduce: Prepared,
    scan: Prepared,
}

struct Piece<T> {
    steps: usize,
    input: Stream,
    /// The total, then what the scan reads.
    reduced: Vec<Stream>,
    carry: Stream,
    scanned: Stream,
    /// The total of the pieces before it in the part.
    before: Vec<T>,
}

impl<T: Element> Part<T> {
    /// A part of `len` items in pieces of up to `piece`; `input` makes a piece of these items, as the prepared plan takes it. `spec`
    /// says everything but the length: a whole stream, order 1, tuples of 1.
    ///
    /// Errors: as [`Gpu::prepare_auto`], and those of `input`.
    pub fn new<E: From<Error>>(
        gpu: &Gpu,
        spec: &ScanSpec,
        len: u64,
        piece: u64,
        mut input: impl FnMut(&Prepared, Range<u64>) -> Result<Stream, E>,
    ) -> Result<Part<T>, E> {
        let operator = spec.operator.clone();
        let identity = identity(&operator);
        let mut part = Part { operator, identity, steps: Vec::new(), pieces: Vec::new() };
        let mut first = 0;
        while first < len {
            let items = first..len.min(first + piece);
            first = items.end;
            let of_len = items.end - items.start;
            if part.steps.last().is_none_or(|steps| steps.len != of_len) {
                part.steps.push(Steps::new(gpu, &spec.with_len(of_len))?);
            }
            let last = part.steps.len() - 1;
            let Steps { reduce, scan, .. } = &part.steps[last];
            let input = input(reduce, items)?;
            // One item is its own total, and no pass makes it.
            let reduced =
                if reduce.plan().passes().is_empty() { vec![input.clone()] } else { reduce.new_outputs()? };
            let carry = scan.upload_input(reduced.len(), &part.identity)?;
            let scanned = scan.new_outputs()?.swap_remove(0);
            let before = part.identity.clone();
            part.pieces.push(Piece { steps: last, input, reduced, carry, scanned, before });
        }
        Ok(part)
    }

    /// The total of the part. Waits for the GPU.
    ///
    /// Errors: as [`Prepared::run`] and [`Stream::read`].
    pub fn reduce(&mut self) -> Result<Vec<T>, Error> {
        for piece in &self.pieces {
            let reduce = &mut self.steps[piece.steps].reduce;
            if !reduce.plan().passes().is_empty() {
                reduce.run_into(&piece.input, &piece.reduced)?;
            }
        }
        let mut total = self.identity.clone();
        // All are on their way before the first is waited for.
        let totals: Vec<_> =
            self.pieces.iter().map(|piece| piece.reduced[0].read_later()).collect::<Result<_, _>>()?;
        for (piece, read) in self.pieces.iter_mut().zip(totals) {
            piece.before.clone_from(&total);
            total = combine(&self.operator, &total, &read.wait()?);
        }
        Ok(total)
    }

    /// Scans the part, after [`Self::reduce`], begun with the total of all parts before it. Does not wait.
    ///
    /// Errors: as [`Prepared::run`].
    pub fn scan(&mut self, carry: &[T]) -> Result<(), Error> {
        for piece in &self.pieces {
            piece.carry.write(&combine(&self.operator, carry, &piece.before))?;
            let mut inputs = vec![&piece.input];
            inputs.extend(&piece.reduced[1..]);
            inputs.push(&piece.carry);
            self.steps[piece.steps].scan.run_into(inputs, &piece.scanned)?;
        }
        Ok(())
    }

    /// The scanned pieces.
    pub fn scanned(&self) -> impl Iterator<Item = &Stream> {
        self.pieces.iter().map(|piece| &piece.scanned)
    }
}

impl Steps {
    fn new(gpu: &Gpu, spec: &ScanSpec) -> Result<Steps, Error> {
        let len = spec.len;
        if gpu.device().compute.is_some() {
            let halves = ReduceThenScan::default().halves(spec, gpu.device())?;
            return Ok(Steps { len, reduce: gpu.prepare(&halves.reduce)?, scan: gpu.prepare(&halves.scan)? });
        }
        let scan = gpu.prepare_auto(&spec.with_seed())?;
        let total = ReduceSpec::of(spec.element, len).operator(&spec.operator);
        let reduce =
            gpu.plan_auto(&total)?.for_inputs(&[(*scan.input_layout(0).expect("an input"), None)])?;
        Ok(Steps { len, reduce: gpu.prepare(&reduce)?, scan })
    }
}

/// The identity of an operator.
pub fn identity<T: Element>(operator: &Operator) -> Vec<T> {
    operator.identity::<T, MOST>()[..operator.arity() as usize].to_vec()
}

/// An earlier item combined with a later one.
///
/// # Panics
///
/// If the operator has no twin on the CPU.
pub fn combine<T: Element>(operator: &Operator, earlier: &[T], later: &[T]) -> Vec<T> {
    let padded =
        |item: &[T]| std::array::from_fn::<T, MOST, _>(|i| item.get(i).copied().unwrap_or(T::zeroed()));
    let combined = operator.combine(padded(earlier), padded(later)).expect("an operator with a twin");
    combined[..earlier.len()].to_vec()
}

/// Elements of the largest item.
const MOST: usize = 16;
