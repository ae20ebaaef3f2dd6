//! Streams that are bound in parts, on a limited device: the values carried from part to part.

use rasterscan::{Operator, Plan, ScanKind, ScanSpec};
use rasterscan_runner::data::TestElement;
use rasterscan_runner::rerecorded::{Memory, forgetful, held_up};
use rasterscan_runner::scan::{Runner, choice};
use rasterscan_runner::tiles::tile_of;

use super::sizes::dispatches;
use super::{SINGLE_PASS, device_with, finish, plan, run};

/// A plan over five parts or more, and its spec.
fn in_parts<T: TestElement>(
    runner: &mut Runner,
    algorithm: &str,
    [order, tuple]: [u32; 2],
    kind: ScanKind,
) -> Option<(ScanSpec, Plan)> {
    let spec = ScanSpec::new::<T>(960 * tuple as usize).operator(Operator::AFFINE).kind(kind);
    let spec = spec.order(order).tuple(tuple);
    let device = runner.gpu.device().clone();
    let tile = tile_of(&plan(runner, algorithm, &spec, &device)?) as u64;
    let item = 4 * u64::from(spec.operator.arity() * T::TYPE.words());
    let device = device_with(runner, |compute| {
        let alignment = u64::from(compute.binding_alignment.max(1));
        let unit = (1..).map(|tiles| tiles * tile * item).find(|bytes| bytes % alignment == 0);
        compute.max_binding = 2 * unit.expect("a multiple");
    });
    let most = device.compute.as_ref()?.max_binding / item;
    // Four parts and an incomplete tile.
    let spec = spec.with_len(4 * most + most / 3 / u64::from(tuple) * u64::from(tuple) + u64::from(tuple));
    let plan = choice(algorithm).plan(&spec, &device).unwrap().expect("a plan");
    let parts = dispatches(&plan).filter(|d| d.bindings.iter().any(|b| b.name == "TARGET"));
    let items = parts.map(|dispatch| dispatch.bindings[0].items.clone());
    let items: Vec<u64> = items.map(|items| items.end - items.start).collect();
    assert!(items.len() >= 5 && items.iter().all(|items| *items <= most), "{algorithm}: parts of {items:?}");
    Some((spec, plan))
}

/// Orders, tuples, kinds.
const SHAPES: [([u32; 2], ScanKind); 5] = [
    ([1, 1], ScanKind::Inclusive),
    ([3, 1], ScanKind::Exclusive),
    ([1, 3], ScanKind::Exclusive),
    ([2, 2], ScanKind::Exclusive),
    ([1, 4], ScanKind::Inclusive),
];

fn the_carry_goes_from_part_to_part() {
    let mut runner = Runner::new();
    let algorithms = [
        "three_phase:vectors=1",
        "three_phase:lanes=shared,group=8,vectors=1",
        "reduce_then_scan:vectors=1",
        "reduce_then_scan:lanes=shared,group=8,vectors=1",
    ];
    for algorithm in algorithms.into_iter().chain(SINGLE_PASS) {
        for (order_and_tuple, kind) in SHAPES {
            if let Some((spec, plan)) = in_parts::<u32>(&mut runner, algorithm, order_and_tuple, kind) {
                run::<u32>(&mut runner, algorithm, &spec, plan, "in parts");
            }
        }
        if let Some((spec, plan)) = in_parts::<u64>(&mut runner, algorithm, [2, 3], ScanKind::Exclusive) {
            run::<u64>(&mut runner, algorithm, &spec, plan, "in parts");
        }
    }
    finish(&runner, "parts");
}

/// The same if values published within a part are never found; those of earlier parts are.
fn a_group_that_helps_itself_begins_with_the_carry() {
    let mut runner = Runner::new();
    for algorithm in SINGLE_PASS {
        for (order_and_tuple, kind) in SHAPES {
            let Some((spec, plan)) = in_parts::<u32>(&mut runner, algorithm, order_and_tuple, kind) else {
                continue;
            };
            for memory in [Memory::Nothing, Memory::AThird] {
                run::<u32>(&mut runner, algorithm, &spec, forgetful(&plan, memory), "in parts, forgetful");
            }
        }
    }
    finish(&runner, "parts without memory");
}

/// The same if the group with a part's first tile is held up until the others have done the part without it.
fn a_group_that_is_held_up_begins_with_the_carry() {
    let mut runner = Runner::new();
    for algorithm in SINGLE_PASS {
        for (order_and_tuple, kind) in SHAPES {
            if let Some((spec, plan)) = in_parts::<u32>(&mut runner, algorithm, order_and_tuple, kind) {
                run::<u32>(&mut runner, algorithm, &spec, held_up(&plan), "in parts, held up");
            }
        }
    }
    finish(&runner, "parts with a group that is held up");
}

crate::tests![
    the_carry_goes_from_part_to_part,
    a_group_that_helps_itself_begins_with_the_carry,
    a_group_that_is_held_up_begins_with_the_carry,
];
