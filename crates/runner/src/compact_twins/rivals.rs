//! The rivals: points, geometry shaders, bitonic sort, HistoPyramid.

use super::{Seen, Target, Words, all};

const UNWANTED: u32 = 1 << 31;

/// The indices of the kept elements, in order, and nothing else.
fn filtered(kept: &[bool]) -> impl Iterator<Item = usize> + '_ {
    (0..kept.len()).filter(|&index| kept[index])
}

/// Points: each wanted element is drawn at its index minus the unwanted before it.
pub(super) fn scatter(pass: &Seen<'_>) -> Vec<Target> {
    let sums = pass.read("u_sums").all();
    let mut from = vec![None; pass.len()];
    for j in filtered(&pass.given.kept) {
        if let Some(place) = j.checked_sub(sums[j] as usize).and_then(|place| from.get_mut(place)) {
            *place = Some(j);
        }
    }
    pass.moved(&from)
}

/// Geometry shaders: the wanted elements, appended in order.
pub(super) fn keep(pass: &Seen<'_>) -> Vec<Target> {
    let mut from: Vec<_> = filtered(&pass.given.kept).map(Some).collect();
    from.resize(pass.len(), None);
    pass.moved(&from)
}

/// Its count: runs of elements, then runs of counts.
pub(super) fn count_runs(pass: &Seen<'_>) -> Vec<Target> {
    let run = pass.define("RUN");
    match pass.reads("u_counts") {
        Some(counts) => all(counts.all().chunks(run).map(|counts| counts.iter().sum::<u32>() as usize)),
        None => all(pass.given.kept.chunks(run).map(|run| run.iter().filter(|kept| **kept).count())),
    }
}

/// Sorting: unwanted elements and the padding of the stream have greater keys.
pub(super) fn keys(pass: &Seen<'_>) -> Vec<Target> {
    let kept = |index: usize| pass.given.kept.get(index).is_some_and(|kept| *kept);
    let key = |index: usize| if kept(index) { index } else { index | UNWANTED as usize };
    all((0..pass.target().len as usize).map(key))
}

/// govindaraju2005: one comparator stage. Runs are sorted up and down in turn.
pub(super) fn step(pass: &Seen<'_>) -> Vec<Target> {
    let keys = pass.read("u_keys").all();
    let (run, distance) = (pass.uniform("u_run"), pass.uniform("u_distance"));
    let mut sorted = keys.to_vec();
    // Pairs a distance apart, in chunks of twice the distance.
    for low in (0..keys.len()).filter(|place| place / distance % 2 == 0) {
        let high = low + distance;
        let ascending = low / run % 2 == 0;
        if (keys[low] > keys[high]) == ascending {
            sorted.swap(low, high);
        }
    }
    all(sorted.into_iter().map(|key| key as usize))
}

/// A key that is wanted is its element's index.
pub(super) fn gather_keys(pass: &Seen<'_>) -> Vec<Target> {
    let keys = pass.read("u_keys").all();
    let from: Vec<_> = keys.iter().map(|key| (key & UNWANTED == 0).then_some(*key as usize)).collect();
    pass.moved(&from[..pass.len()])
}

pub(super) fn count_keys(pass: &Seen<'_>) -> Vec<Target> {
    all([pass.read("u_keys").all().iter().filter(|key| *key & UNWANTED == 0).count()])
}

/// ziegler2006: a cell is the sum of four below it.
pub(super) fn reduce(pass: &Seen<'_>) -> Vec<Target> {
    let cells = pass.read("u_level").all().chunks(4);
    all(cells.map(|cells| cells.iter().sum::<u32>() as usize))
}

pub(super) fn top(pass: &Seen<'_>) -> Vec<Target> {
    all([pass.read("u_level").all().iter().sum::<u32>() as usize])
}

/// ziegler2006: from the top to the flags, into the cell whose part of the running sum contains the key.
pub(super) fn traverse(pass: &Seen<'_>) -> Vec<Target> {
    let reads = pass.draw.reads.iter().filter(|(name, _)| name.starts_with("u_level"));
    let levels: Vec<&Words> = reads.map(|(_, slot)| &pass.slots[slot]).collect();
    let walk = |place: usize| {
        let mut key = place as u32;
        levels.iter().rev().try_fold(0, |node, level| {
            let cells = &level.all()[node * 4..level.len().min(node * 4 + 4)];
            let inside = cells.iter().position(|cell| {
                let inside = key < *cell;
                key -= if inside { 0 } else { *cell };
                inside
            });
            Some(node * 4 + inside?)
        })
    };
    let count = pass.read("u_count").all()[0] as usize;
    let from: Vec<_> = (0..pass.len()).map(|place| walk(place).filter(|_| place < count)).collect();
    pass.moved(&from)
}
