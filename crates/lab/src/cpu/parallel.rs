//! `cpu:parallel`, on all cores, in two rounds over one piece a task (reduce, then scan: 3n words moved): every piece is added
//! up or counted, the sums of the pieces are scanned, and every piece is scanned or moved from there on.

use rasterscan::Element;
use rayon::prelude::*;

use super::piece::scan_piece;

/// Pieces for each thread, so that one that is late leaves work to others.
const PIECES: usize = 4;
/// A piece of fewer items is not worth a task.
const LEAST: usize = 1 << 12;

pub fn scan<I: Copy + Send + Sync>(
    source: Option<&[I]>,
    items: &mut [I],
    tuple: usize,
    exclusive: Option<I>,
    combine: &(impl Fn(I, I) -> I + Sync),
) {
    let pieces = (PIECES * rayon::current_num_threads()).min(items.len() / LEAST).max(1);
    let piece = items.len().div_ceil(pieces).next_multiple_of(tuple).max(tuple);
    let sum_up = |piece: &[I]| {
        let (first, rest) = piece.split_at(tuple);
        let mut sums = first.to_vec();
        for items in rest.chunks_exact(tuple) {
            for (sum, item) in sums.iter_mut().zip(items) {
                *sum = combine(*sum, *item);
            }
        }
        sums
    };
    let sums: Vec<Vec<I>> = source.unwrap_or(items).par_chunks(piece).map(sum_up).collect();
    let mut before: Vec<Vec<I>> = Vec::with_capacity(sums.len());
    for (number, sums) in sums.iter().enumerate() {
        let next = match number.checked_sub(1) {
            None => sums.clone(),
            Some(last) => before[last].iter().zip(sums).map(|(before, sum)| combine(*before, *sum)).collect(),
        };
        before.push(next);
    }
    items.par_chunks_mut(piece).enumerate().for_each(|(number, own)| {
        if let Some(source) = source {
            let start = number * piece;
            own.copy_from_slice(&source[start..start + own.len()]);
        }
        let before = number.checked_sub(1).map(|last| before[last].as_slice());
        scan_piece(own, tuple, before, exclusive, combine);
    });
}

/// Moves the values that are kept to the front of `values`, which is as long as the input; gives their count. `keeps` says it of
/// an index and its value, `move_kept` moves a piece that begins at an index, and gives its count.
pub fn compact<T: Element>(
    input: &[T],
    values: &mut [T],
    keeps: &(impl Fn(usize, T) -> bool + Sync),
    move_kept: &(impl Fn(usize, &[T], &mut [T]) -> usize + Sync),
) -> usize {
    let pieces = (PIECES * rayon::current_num_threads()).min(input.len() / LEAST).max(1);
    let piece = input.len().div_ceil(pieces).max(1);
    let count = |(number, values): (usize, &[T])| {
        values.iter().enumerate().filter(|(index, value)| keeps(number * piece + index, **value)).count()
    };
    let counts: Vec<usize> = input.par_chunks(piece).enumerate().map(count).collect();
    let mut rest = values;
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
