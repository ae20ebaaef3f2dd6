//! Single passes, whose tiles look at each other's states: what tiles found on the device is replayed by the kernels.

use rasterscan::compact;
use rasterscan::scan::Recurrence;
use rasterscan::tools::problem::{COMPACT, SCAN};
use rasterscan::tools::registry::Choice;
use rasterscan::{
    CompactSpec, Device, ElementType, Moves, Operator, Plan, ScanSpec,
    tools::{Numbers, Request},
    trace::{StateAct, Write},
};
use rasterscan_kernels::{Engine, Schedule};
use rasterscan_runner::kernels::{self, Seen};
use rasterscan_runner::rerecorded::{Memory, forgetful, held_up};
use rasterscan_runner::scan::choice;

use crate::compactions::{cases, compacted, variants_of};
use crate::{option_passes, variants};

/// So many words and reads, and states that were found.
fn enough(seen: Seen, least: usize, found: usize) {
    crate::enough(seen, [least; 2], [0; 2]);
    assert!(rasterscan_runner::gpu().device().compute.is_none() || seen.found >= found, "{seen:?}");
}

fn chained() {
    enough(crate::scans(&crate::specs(), &variants(&["chained"])), 5000, 50);
}

fn look_back() {
    enough(crate::scans(&crate::specs(), &variants(&["look_back"])), 5000, 50);
}

/// SAM with an exchange for each order, and with one for all.
fn sam(once: bool) {
    let all = variants(&["sam"]).into_iter().filter(|name| name.contains("once") == once);
    enough(crate::scans(&crate::specs(), &all.collect::<Vec<_>>()), 3000, 0);
}

fn sam_in_rounds() {
    sam(false);
}

fn sam_with_one_exchange() {
    sam(true);
}

fn prefixes_of_blocks() {
    let plain = |len| ScanSpec::new::<u32>(len);
    let float = |len| ScanSpec::of(ElementType::F32, len);
    let specs = [
        plain(600).exclusive(),
        plain(150).tuple(3).exclusive(),
        float(600),
        float(200).tuple(2),
        ScanSpec::of(ElementType::I64, 150).operator(Operator::AFFINE),
    ];
    let names = [
        "look_back:prefixes=block,vectors=1",
        "look_back:prefixes=block,lanes=shared,group=8,vectors=1",
        // Blocks of groups of 2 and 4 are wrong on llvmpipe.
        "look_back:prefixes=block,group=16,vectors=1",
        "look_back:prefixes=every,group=2,vectors=1",
    ];
    enough(crate::scans(&specs, &names), 5000, 1000);
}

/// For teaching, groups take turns, and tiles withhold what they know.
fn withheld() {
    let specs = [ScanSpec::new::<u32>(300).exclusive(), ScanSpec::new::<u32>(150).order(2).tuple(2)];
    let names = [
        "look_back:group=1,vectors=1,turns=on",
        "look_back:vectors=1,withhold=prefix",
        "look_back:lanes=shared,group=8,vectors=1,withhold=prefix",
        "look_back:group=2,vectors=1,withhold=all",
        "look_back:lanes=shared,group=8,vectors=1,withhold=all",
        "sam:vectors=1,groups=3,turns=on",
        "sam:lanes=shared,group=8,vectors=1,groups=3,turns=on",
        "sam:vectors=1,groups=2,withhold=all",
        "sam:exchange=once,vectors=1,groups=3,withhold=all",
        "sam:exchange=once,lanes=shared,group=8,vectors=2,groups=3,turns=on",
    ];
    let seen = crate::scans(&specs, &names);
    enough(seen, 2000, 100);
    assert!(rasterscan_runner::gpu().device().compute.is_none() || seen.missed > 100, "{seen:?}");
}

/// Compares the engines on scans of these specs, with segments that begin at `heads`, where they are asked for.
fn with_options(names: &[&str], specs: &[ScanSpec], length: u32) -> Seen {
    let heads: Vec<u32> = (0..2000).filter(|i| i % 33 == 5 || i % 71 == 0).collect();
    option_passes::compare(names.iter().map(|name| choice(name)), specs, &heads, length)
}

/// Tiles of all single passes.
const SMALL: [&str; 8] = [
    "chained:vectors=1",
    "chained:lanes=shared,group=8,vectors=1",
    "look_back:vectors=1",
    "look_back:lanes=shared,group=8,vectors=1",
    "look_back:prefixes=block,vectors=1",
    "look_back:prefixes=block,lanes=shared,group=8,vectors=1",
    "sam:vectors=1,groups=3",
    "sam:lanes=shared,group=8,vectors=2,groups=3",
];

fn segments_and_rows() {
    let plain = |len| ScanSpec::new::<u32>(len);
    let specs = [
        plain(500).segmented(),
        plain(500).segmented().exclusive(),
        ScanSpec::of(ElementType::I64, 200).segmented().operator(Operator::AFFINE),
        // Of whole pieces of warps, and of others.
        plain(1024).rows(256),
        plain(1024).rows(32).exclusive(),
        plain(700).rows(70).exclusive(),
    ];
    enough(with_options(&SMALL, &specs, 0), 20_000, 100);
}

fn lengths_seeds_and_directions() {
    let plain = |len| ScanSpec::new::<u32>(len);
    let counted = |length| with_options(&SMALL, &[plain(500).with_gpu_length()], length);
    [0, 1].into_iter().for_each(|length| enough(counted(length), 100, 0));
    [333, 999].into_iter().for_each(|length| enough(counted(length), 1000, 10));
    let specs = [plain(500).with_seed().exclusive(), plain(500).reversed(), plain(400).with_total()];
    enough(with_options(&SMALL, &specs, 0), 5000, 100);
}

fn recurrences() {
    let plain = ScanSpec::new::<u32>(500);
    let recurrence = |text: &str| text.parse::<Recurrence>().expect("a recurrence");
    let specs = [
        plain.recurrence(recurrence("1:1,1")),
        plain.recurrence(recurrence("2,3:0,1,5")).exclusive(),
        ScanSpec::of(ElementType::I64, 300).recurrence(recurrence("1:-2")).tuple(3),
    ];
    let names = [
        "sam:vectors=1,groups=3",
        "sam:lanes=shared,group=8,vectors=2,groups=3",
        "sam:group=16,vectors=2,groups=20",
    ];
    enough(with_options(&names, &specs, 0), 2000, 0);
}

/// On a CPU, lanes go over large tiles twice.
fn tiles_in_series() {
    let plain = |len| ScanSpec::new::<u32>(len);
    let specs = [plain(3000).exclusive(), plain(1000).tuple(3), plain(3000).segmented()];
    let names =
        ["chained:group=8,vectors=24", "look_back:group=2,vectors=24", "sam:group=4,vectors=24,groups=2"];
    enough(with_options(&names, &specs, 0), 10_000, 10);
}

/// A plan of a scan, and its numbers.
fn plan(name: &str, spec: &ScanSpec, device: &Device) -> Option<(Plan, Numbers)> {
    let plan = Choice::parse(SCAN, name).unwrap().plan(Request::from(spec), device);
    Some((plan.ok()??, crate::values(spec.element, spec.elements())))
}

/// A chunk that publishes after the ring has turned overwrites the sum of a later chunk, which others then miss. The slot must
/// still hold the sum of one of its chunks.
fn late_states() {
    let gpu = rasterscan_runner::gpu();
    // 48 chunks of 32 words, in a ring of 16.
    let spec = ScanSpec::new::<u32>(1536);
    let Some((plan, numbers)) = plan("sam:lanes=shared,group=8,vectors=1,groups=3", &spec, gpu.device())
    else {
        return;
    };
    kernels::compare_with(&gpu, &plan, &held_up(&plan), &[&numbers], |_, _| {});
    let mut engine = Engine::new(&plan).unwrap();
    engine.upload(&[&numbers]).unwrap();
    let trace = engine.record().unwrap();
    let step = trace.steps.iter().position(|step| step.pass.phase == "scan").unwrap();
    let states = trace.steps[step].recorded.states.iter().copied();
    let published = states.filter(|state| state.act == StateAct::Published);
    let [early, late, other] = published.fold([None; 3], |[early, late, other], state| match early {
        None => [Some(state), late, other],
        Some(first) if first.index == state.index => [early, Some(state), other],
        Some(_) => [early, late, Some(state)],
    });
    let target =
        trace.steps[step].writes.iter().position(|write| write.layout.words_per_texel() == 2).unwrap();
    let left = |words: [u32; 2]| {
        let mut trace = trace.clone();
        let write = &mut trace.steps[step].writes[target];
        let mut bytes = write.bytes().to_vec();
        let at = 8 * early.unwrap().index as usize;
        bytes[at..at + 8].copy_from_slice(bytemuck::bytes_of(&words));
        *write = Write::new(write.slot, write.layout, bytes);
        kernels::check(&plan, &trace, &[&numbers], |_, _| {}).map(|_| ())
    };
    let [early, late, other] = [early, late, other].map(|state| state.unwrap().words);
    // Two chunks may write at the same time.
    assert_eq!([early, late, [early[0], late[1]]].map(left), [Ok(()), Ok(()), Ok(())]);
    for words in [other, [early[0], other[1]]] {
        let difference = left(words).unwrap_err();
        assert!(difference.contains("which no tile has published there"), "{difference}");
    }
}

/// On the device, tiles forget to publish, so that others compute them.
fn forgotten() {
    let gpu = rasterscan_runner::gpu();
    let mut seen = Seen::default();
    let names = SMALL.into_iter().chain([
        // As many groups as chunks take one each.
        "sam:vectors=1,groups=200",
        "sam:lanes=shared,group=8,vectors=1,groups=200",
        "sam:exchange=once,vectors=1,groups=200",
        "sam:exchange=once,lanes=shared,group=8,vectors=1,groups=200",
        "sam:exchange=once,group=4,vectors=1,groups=3",
    ]);
    for name in names {
        for spec in [ScanSpec::new::<u32>(400).exclusive(), ScanSpec::new::<u32>(150).order(2).tuple(2)] {
            for memory in [Memory::Nothing, Memory::AThird, Memory::AllBut { percent: 10, seed: 7 }] {
                let Some((plan, numbers)) = plan(name, &spec, gpu.device()) else { continue };
                let of_gl = forgetful(&plan, memory);
                let compared = kernels::compare_with(&gpu, &plan, &of_gl, &[&numbers], |_, _| {});
                seen += compared.unwrap_or_default();
            }
        }
    }
    println!("{seen:?} on {}", gpu.device().level());
    enough(seen, 5000, 300);
    assert!(gpu.device().compute.is_none() || seen.missed > 500, "{seen:?}");
}

/// Streams that are bound in parts, also where the group with the first tile of a part is held up.
fn in_parts() {
    let gpu = rasterscan_runner::gpu();
    let mut seen = Seen::default();
    let mut device = gpu.device().clone();
    let Some(compute) = &mut device.compute else { return };
    compute.max_binding = 1536;
    for name in SMALL.into_iter().chain(["sam:exchange=once,vectors=1,groups=3"]) {
        for spec in [ScanSpec::new::<u32>(1200).exclusive(), ScanSpec::new::<u32>(1200).order(2).tuple(2)] {
            let Some((plan, numbers)) = plan(name, &spec, &device) else { continue };
            let parts = plan.passes().iter().filter(|pass| pass.phase == "scan").count();
            assert!(parts >= 3, "{plan}");
            for of_gl in [plan.clone(), held_up(&plan), forgetful(&plan, Memory::Nothing)] {
                let compared = kernels::compare_with(&gpu, &plan, &of_gl, &[&numbers], |_, _| {});
                seen += compared.unwrap_or_default();
            }
        }
    }
    println!("{seen:?} on {}", gpu.device().level());
    enough(seen, 5000, 300);
}

fn select() {
    let seen = compacted(&variants_of(&["select"]), &cases());
    enough(seen, 5000, 300);
}

fn selects_that_forget() {
    let gpu = rasterscan_runner::gpu();
    let mut seen = Seen::default();
    for name in [
        "select:vectors=1",
        "select:lanes=shared,group=8,vectors=3",
        "select:prefixes=block,group=8,vectors=1",
    ] {
        // Lengths on the GPU are lost when plans are changed.
        for case in cases().iter().filter(|case| case.spec.len > 100 && !case.spec.has_gpu_length) {
            let request = Request::from(&case.spec);
            let plan = Choice::parse(COMPACT, name).unwrap().plan(&request, gpu.device());
            let Ok(Some(plan)) = plan else { continue };
            let streams: Vec<&Numbers> = case.streams.iter().collect();
            let of_gl = forgetful(&plan, Memory::AThird);
            seen += kernels::compare_with(&gpu, &plan, &of_gl, &streams, |_, _| {}).unwrap_or_default();
        }
    }
    println!("{seen:?} on {}", gpu.device().level());
    enough(seen, 5000, 100);
    assert!(gpu.device().compute.is_none() || seen.missed > 100, "{seen:?}");
}

/// Lanes that vote, which drivers here lack: kernels alone, against the reference, under all schedules.
fn select_by_votes() {
    let mut right = 0;
    for lanes in [2, 8, 32] {
        let device = crate::warps::device(lanes);
        for name in [
            "lanes=subgroup,group=32,vectors=3",
            "lanes=warp,group=64,vectors=1",
            "prefixes=block,group=64,vectors=1",
        ] {
            let choice = Choice::parse(COMPACT, &format!("select:{name}")).unwrap();
            let spec = CompactSpec::new::<u32>(700).moves(Moves::Both);
            let Ok(Some(plan)) = choice.plan(Request::from(&spec), &device) else { continue };
            let numbers: Vec<u32> =
                (0..700u32).map(|i| if i % 7 < 3 || i % 31 == 8 { i + 1 } else { 0 }).collect();
            let expected = compact::sequential(&spec, &numbers, &[]).unwrap();
            let kept = expected.indices.len();
            let all =
                [Numbers::of(&expected.values), Numbers::of(&expected.indices), Numbers::of(&[kept as u32])];
            for schedule in Schedule::adversarial([5, 6]).into_iter().chain([Schedule::InOrder]) {
                let mut engine = Engine::new(&plan).unwrap();
                engine.upload(&[&Numbers::of(&numbers)]).unwrap();
                engine.set_schedule(schedule.clone());
                engine.run().unwrap_or_else(|error| panic!("{name}, {schedule:?}: {error}\n{plan}"));
                for (slot, expected) in plan.outputs().iter().zip(&all) {
                    let got = engine.get(*slot);
                    let words = expected.words();
                    assert_eq!(
                        &got.words()[..words.len()],
                        words,
                        "{name}, {lanes} lanes, {schedule:?}\n{plan}"
                    );
                }
                right += 1;
            }
        }
    }
    assert!(right > 40, "{right}");
}

crate::tests![
    chained,
    look_back,
    sam_in_rounds,
    sam_with_one_exchange,
    prefixes_of_blocks,
    withheld,
    segments_and_rows,
    lengths_seeds_and_directions,
    recurrences,
    tiles_in_series,
    late_states,
    forgotten,
    in_parts,
    select,
    selects_that_forget,
    select_by_votes,
];
