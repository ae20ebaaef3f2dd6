//! `cpu:parallel`, on all cores, in two rounds over one piece a task (reduce, then scan: 3n words moved; a reduction
//! has only the first): every piece is added up or counted, the sums of the pieces are scanned, and every piece is
//! scanned or moved from there on.

use std::cmp::Ordering;
use std::sync::OnceLock;

use rasterscan::Element;
use rayon::prelude::*;

use super::piece::{reduce_piece, scan_piece};
use super::recurrence::Recurrences;

/// Returns true if the threads could be started: under a limit on processes or memory they cannot, and their first use
/// would panic.
pub fn available() -> bool {
    static AVAILABLE: OnceLock<bool> = OnceLock::new();
    *AVAILABLE.get_or_init(|| match rayon::ThreadPoolBuilder::new().build_global() {
        Ok(()) => true,
        // The program may have started them before.
        Err(error) => error.to_string().contains("already"),
    })
}

/// Pieces per thread, so that a late thread leaves work to others.
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
    let piece = piece_len(items.len(), tuple);
    let sums = sums_of_pieces(source.unwrap_or(items), piece, tuple, combine);
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

/// Recurrences: every piece but the last is run after zeros, which tells what it ends with, and every piece but the first
/// once more after the results that truly come before it.
pub fn recur<T: Element>(recurrences: &Recurrences<T>, input: &[T], results: &mut [T]) {
    let (piece, depth) = (piece_len(results.len(), recurrences.tuple), recurrences.depth());
    let others = results.len().div_ceil(piece).saturating_sub(1);
    if others == 0 || depth == 0 {
        let run = |(number, own): (usize, &mut [T])| recurrences.run(input, number * piece, &[], own);
        return results.par_chunks_mut(piece).enumerate().for_each(run);
    }
    let run = |(number, own): (usize, &mut [T])| {
        recurrences.run(input, number * piece, &[], own);
        own[own.len() - depth..].to_vec()
    };
    let alone: Vec<Vec<T>> = results.par_chunks_mut(piece).enumerate().take(others).map(run).collect();
    let power = recurrences.power(piece / recurrences.tuple);
    let mut ends: Vec<Vec<T>> = Vec::with_capacity(others);
    for alone in alone {
        let end = match ends.last() {
            None => alone,
            Some(before) => recurrences.follow(&power, before, &alone),
        };
        ends.push(end);
    }
    results.par_chunks_mut(piece).enumerate().skip(1).for_each(|(number, own)| {
        recurrences.run(input, number * piece, &ends[number - 1], own);
    });
}

/// The sums of all items, one for each member; `None` if there are none.
pub fn reduce<I: Copy + Send + Sync>(
    items: &[I],
    tuple: usize,
    combine: &(impl Fn(I, I) -> I + Sync),
) -> Option<Vec<I>> {
    let sums = sums_of_pieces(items, piece_len(items.len(), tuple), tuple, combine);
    reduce_piece(&sums.concat(), tuple, combine)
}

/// Items of a piece, in whole tuples.
fn piece_len(items: usize, tuple: usize) -> usize {
    let pieces = (PIECES * rayon::current_num_threads()).min(items / LEAST).max(1);
    items.div_ceil(pieces).next_multiple_of(tuple).max(tuple)
}

fn sums_of_pieces<I: Copy + Send + Sync>(
    items: &[I],
    piece: usize,
    tuple: usize,
    combine: &(impl Fn(I, I) -> I + Sync),
) -> Vec<Vec<I>> {
    items.par_chunks(piece).filter_map(|piece| reduce_piece(piece, tuple, combine)).collect()
}

/// Sorts in place.
pub fn sort<T: Send>(values: &mut [T], order: impl Fn(&T, &T) -> Ordering + Sync) {
    values.par_sort_unstable_by(order);
}

/// Makes a pair of each key and its index, and sorts each row of pairs.
pub fn sort_pairs<T: Element, P: Ord + Send>(
    input: &[T],
    row: usize,
    pairs: &mut Vec<P>,
    pair: &(impl Fn((usize, &T)) -> P + Sync),
) {
    input.par_iter().enumerate().map(pair).collect_into_vec(pairs);
    pairs.par_chunks_mut(row).for_each(|row| row.par_sort_unstable());
}

/// Makes one item of each pair.
pub fn of_pairs<P: Sync, I: Send>(pairs: &[P], item: impl Fn(&P) -> I + Sync + Send, items: &mut Vec<I>) {
    pairs.par_iter().map(item).collect_into_vec(items);
}

/// Moves the kept values to the front of `values`, which is as long as the input; returns their count. `keeps` decides
/// for an index and its value; `move_kept` does the same for a piece that begins at an index.
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
