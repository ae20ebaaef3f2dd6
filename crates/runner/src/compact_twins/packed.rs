//! The packed compaction: groups of 128 bits, hints, runs, and a search over counts.

use super::{Seen, Target, all, blocks};

const GROUP: usize = 128;

/// The number of elements that each group keeps.
pub(super) fn counts(pass: &Seen<'_>) -> Vec<Target> {
    let wanted = blocks::wanted(pass);
    all(wanted.chunks(GROUP).map(|group| group.iter().filter(|wanted| **wanted).count()))
}

/// The number of kept elements: of the groups before the last, and of the last.
pub(super) fn count(pass: &Seen<'_>) -> Vec<Target> {
    let last = |sampler: &str| pass.read(sampler).all().last().map_or(0, |count| *count as usize);
    all([last("u_counts") + last("u_before")])
}

/// For each run of positions of the result, the texel of four groups that holds the run's first element: the last one
/// that begins no later.
pub(super) fn hints(pass: &Seen<'_>) -> Vec<Target> {
    let before = pass.read("u_before").all();
    let texel = |rank: usize| {
        let begins: Vec<_> = before.iter().step_by(4).map(|before| *before as usize).collect();
        begins.partition_point(|before| *before <= rank) - 1
    };
    let hint = pass.define("HINT");
    all((0..pass.target().len as usize).map(|run| texel(run * hint)))
}

/// For each run of positions, its first element's group, the last one that begins no later: with the elements that it
/// keeps in 8 bits above it, the elements kept before it, and above these a bit if the group after the next begins
/// within the run.
pub(super) fn runs(pass: &Seen<'_>) -> Vec<Target> {
    let before = pass.read("u_before").all();
    let count = pass.read("u_count").all()[0] as usize;
    let length = pass.define("RUN");
    let start = |rank: usize| {
        let group = before.partition_point(|before| *before as usize <= rank) - 1;
        let begins = |group: usize| before.get(group).copied();
        let kept = begins(group + 1).map_or(GROUP as u32, |next| next - before[group]);
        let far = begins(group + 2).is_some_and(|begin| (begin as usize) < rank + length);
        vec![group as u32 | kept << 24, before[group] | u32::from(far) << 31]
    };
    let ranks = (0..pass.target().len as usize).map(|run| run * length);
    vec![ranks.map(|rank| (rank < count).then(|| start(rank))).collect()]
}

/// Each position takes the kept element with as many kept ones before it: in the last group that begins no later, the
/// first bit after the ones before it are removed.
pub(super) fn gather(pass: &Seen<'_>) -> Vec<Target> {
    let (wanted, before) = (blocks::wanted(pass), pass.read("u_before").all());
    let count = pass.read("u_count").all()[0] as usize;
    let element = |place: usize| {
        let group = before.partition_point(|before| *before as usize <= place).checked_sub(1)?;
        let skip = place - before[group] as usize;
        (group * GROUP..pass.len()).filter(|&index| wanted[index]).nth(skip)
    };
    let from: Vec<_> = (0..pass.len()).map(|place| element(place).filter(|_| place < count)).collect();
    pass.moved(&from)
}
