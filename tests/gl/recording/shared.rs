//! Shared memory as recorded by invocations: at the papers' addresses, and holding the values written there.

use std::collections::HashMap;

use rasterscan::trace::{Recording, SharedAccess, Work};
use rasterscan_kmodel::Pattern;

/// Checks that each read value was the last one written there: by any invocation before the last barrier, or by the
/// reader itself. And that between two barriers, no invocation touches what another one writes: no address depends on
/// an item, so a run without races here has none for any data, which [`rasterscan::tools::proof`] relies on. Returns the
/// number of reads.
pub fn check_memory(recording: &Recording) -> usize {
    let mut held = 0;
    for (number, pass) in recording.passes.iter().enumerate() {
        let Work::Dispatch { invocations, .. } = pass.work else { continue };
        let mut groups: HashMap<u32, Vec<&SharedAccess>> = HashMap::new();
        for access in &pass.shared {
            groups.entry(access.invocation / invocations).or_default().push(access);
        }
        for accesses in groups.values_mut() {
            accesses.sort_by_key(|access| (access.epoch, access.invocation, access.number));
            let mut memory: HashMap<(u32, u32), [u32; 4]> = HashMap::new();
            for epoch in accesses.chunk_by(|a, b| a.epoch == b.epoch) {
                let mut written: HashMap<(u32, u32), (u32, [u32; 4])> = HashMap::new();
                let writers = epoch.iter().filter(|access| access.written);
                let writers: HashMap<(u32, u32), u32> =
                    writers.map(|access| ((access.array, access.address), access.invocation)).collect();
                for access in epoch {
                    let writer = writers.get(&(access.array, access.address));
                    assert!(
                        writer.is_none_or(|writer| *writer == access.invocation),
                        "{}, pass {}, {access:?}: invocation {writer:?} writes there before the next barrier",
                        recording.algorithm,
                        number + 1
                    );
                    let place = (access.array, access.address);
                    if access.written {
                        written.insert(place, (access.invocation, access.words));
                        continue;
                    }
                    let own = written.get(&place).filter(|(invocation, _)| *invocation == access.invocation);
                    let expected = own.map(|(_, words)| words).or(memory.get(&place));
                    assert_eq!(
                        Some(&access.words),
                        expected,
                        "{}, pass {}, {access:?}",
                        recording.algorithm,
                        number + 1
                    );
                    held += 1;
                }
                memory.extend(written.into_iter().map(|(place, (_, words))| (place, words)));
            }
        }
    }
    held
}

/// Checks a block by algorithm 2 of capannini2011: in the step up to level d + 1, node i is read at the addresses of
/// nodes 2i and 2i + 1 of level d, and written at its own; the step down reads and writes the same ones. Returns the
/// steps.
pub fn check_tree(recording: &Recording, pattern: Pattern, k: u64) -> usize {
    let spec: &rasterscan::ScanSpec = recording.request.get().expect("a scan");
    let [pass] = &recording.passes[..] else { panic!("one block") };
    let levels = spec.len.ilog2();
    let address = |i: u64, d: u32| pattern.address(k, i, d) as u32;
    // Up from epoch 1 on, then down.
    let up = (0..levels).map(|d| (d + 1, d));
    let down = (0..levels).rev().map(|d| (2 * levels + 1 - d, d));
    for (epoch, d) in up.chain(down) {
        for i in 0..spec.len >> (d + 1) {
            let own = pass.shared.iter().filter(|a| a.epoch == epoch && u64::from(a.invocation) == i);
            // The first invocation keeps the root's sum and clears it between the two sweeps.
            let own: Vec<&SharedAccess> = own.filter(|a| a.number < 4).collect();
            let mut read: Vec<u32> = own.iter().filter(|a| !a.written).map(|a| a.address).collect();
            let mut written: Vec<u32> = own.iter().filter(|a| a.written).map(|a| a.address).collect();
            let mut children = vec![address(2 * i, d), address(2 * i + 1, d)];
            [&mut read, &mut written, &mut children].into_iter().for_each(|places| places.sort_unstable());
            assert_eq!(read, children, "{}, epoch {epoch}, node {i} over level {d}", recording.algorithm);
            // In the down-sweep, the prefix of a left-sum is already in place.
            let node = if epoch <= levels { address(i, d + 1) } else { children[0].max(children[1]) };
            let left = epoch > levels && address(i, d + 1) == address(2 * i, d);
            let expected = if left { address(2 * i + 1, d) } else { node };
            assert!(
                written.contains(&expected),
                "{}, epoch {epoch}, node {i}: {written:?}",
                recording.algorithm
            );
            assert!(written.iter().all(|place| children.contains(place)));
        }
    }
    2 * levels as usize
}
