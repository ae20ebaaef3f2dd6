//! Shared memory as the shaders themselves recorded it: where the papers see conflicts there are some, and none where not.

use rasterscan::lesson::banks::{self, SharedMemory};
use rasterscan::registry::Family;
use rasterscan::trace::{Recording, Values};
use rasterscan::{Gpu, Request, ScanSpec};

use super::runs::{choice, numbers, record};

/// A scan of one block of 256 items, on 16 banks, with the most conflicts that the patterns have there.
fn block(gpu: &Gpu, algorithm: &str) -> Option<Recording> {
    let values = Values::of(&numbers(256, 3));
    record(gpu, &choice(Family::Scan, algorithm), &Request::from(&ScanSpec::new::<u32>(256)), &[&values])
}

fn memory(gpu: &Gpu, algorithm: &str) -> Option<SharedMemory> {
    let recording = block(gpu, algorithm)?;
    Some(banks::of(&recording, 0).unwrap_or_else(|| panic!("{algorithm}: nothing was recorded")))
}

#[test]
fn trees_in_place_have_conflicts_and_left_right_has_none() {
    let gpu = Gpu::headless().expect("the tests need a GL device");
    let worst = |algorithm: &str| {
        memory(&gpu, algorithm).map(|memory| memory.worst().expect("there are steps").degree)
    };
    let Some(degree) = worst("capannini:pattern=no_padding,block=256,banks=16") else { return };
    assert!(degree >= 8, "{degree}");
    let left_right = memory(&gpu, "capannini:pattern=left_right,block=256,banks=16").unwrap();
    let lost: Vec<_> = left_right.steps.iter().filter(|step| step.conflicts()).collect();
    assert!(lost.is_empty(), "{:?}", lost.first());
    assert!(worst("harris:variant=work_efficient,block=256").unwrap() >= 4);
    let padded = memory(&gpu, "harris:variant=padded,block=256,banks=16").unwrap();
    let bare = memory(&gpu, "harris:variant=work_efficient,block=256").unwrap();
    assert!(padded.turns() < bare.turns() * 3 / 4, "{} and {}", padded.turns(), bare.turns());
}

/// T of the K-model is what the stores of sums take, on the way up.
#[test]
fn what_was_recorded_is_what_the_k_model_counts() {
    let gpu = Gpu::headless().expect("the tests need a GL device");
    for (algorithm, kept) in [("no_padding", false), ("padding", false), ("left_right", true)] {
        let name = format!("capannini:pattern={algorithm},block=256,banks=16");
        let Some(recording) = block(&gpu, &name) else { return };
        let predicted = banks::predicted(&recording, 0).expect("a tree is predicted");
        assert_eq!((predicted.model.n(), predicted.model.k()), (256, 16));
        let memory = banks::of(&recording, 0).unwrap();
        // The way up is between the first barriers, one a level; the first store of each level is that of the sum.
        let levels = 8;
        let up = memory.steps.iter().filter(|step| (1..=levels).contains(&step.epoch) && step.written);
        let stores: u64 = up.clone().filter(|step| step.number == 2).map(|step| step.degree).sum();
        assert_eq!(stores, predicted.counts.latency, "{name}");
        assert_eq!(up.clone().any(|step| step.number > 2), kept, "{name}: displaced left operands are kept");
        // All loads and stores of both ways, without what brings items in and out.
        let all = memory.steps.iter().filter(|step| (1..=2 * levels + 1).contains(&step.epoch));
        let both: u64 = all.map(|step| step.degree).sum();
        println!("{name}: {both} turns both ways, the K-model says {}", predicted.whole);
    }
    let texture = record(
        &gpu,
        &choice(Family::Scan, "horn"),
        &Request::from(&ScanSpec::new::<u32>(8)),
        &[&Values::of(&numbers(8, 1))],
    );
    let texture = texture.unwrap();
    assert_eq!(
        (banks::of(&texture, 0), banks::predicted(&texture, 0), banks::of(&texture, 99)),
        (None, None, None)
    );
}
