//! Sorts by compute shaders: every edge of a tile, keys that are alike, payloads that tell whether equal keys stay in their
//! order, and tiles that wait for each other in vain.

use rasterscan::tools::problem::SORT;
use rasterscan::tools::registry::Choice;
use rasterscan::{Device, Error, Gpu, Plan, SortSpec, tools::Request};
use rasterscan_runner::rerecorded::{Memory, changed, forgetful, held_up, redefine};

/// Sorts that were compared with the reference, and those that the device cannot run.
#[derive(Default)]
struct Counts {
    compared: u64,
    not_applicable: u64,
}

impl Counts {
    fn finish(self, what: &str, least: u64) {
        let gpu = rasterscan_runner::gpu();
        let Counts { compared, not_applicable } = self;
        println!(
            "{what} on {}: {compared} runs compared, {not_applicable} not applicable",
            gpu.device().level()
        );
        match gpu.device().compute {
            Some(_) => {
                assert!(compared >= least && not_applicable == 0, "{what}: {compared}, {not_applicable}")
            }
            None => assert!(compared == 0 && not_applicable > 0, "{what}: {compared}, {not_applicable}"),
        }
    }
}

/// Keys by their pattern.
#[derive(Debug, Clone, Copy)]
enum Keys {
    Random,
    Sorted,
    Reversed,
    Few,
    /// Any of the bits, alone.
    OneBit,
    Equal(u32),
}

impl Keys {
    const ALL: [Keys; 7] = [
        Keys::Random,
        Keys::Sorted,
        Keys::Reversed,
        Keys::Few,
        Keys::OneBit,
        Keys::Equal(0),
        Keys::Equal(u32::MAX),
    ];

    fn of(self, len: usize) -> Vec<u32> {
        let mix = |i: u32| (i ^ i >> 15).wrapping_mul(0x2C1B_3C6D) ^ i.wrapping_mul(0x9E37_79B9) >> 13;
        let len = len as u32;
        (0..len)
            .map(|i| match self {
                Keys::Random => mix(i + 1).wrapping_mul(0x297A_2D39),
                Keys::Sorted => i.wrapping_mul(9973),
                Keys::Reversed => (len - i).wrapping_mul(9973),
                Keys::Few => [7, u32::MAX, 1 << 31, 0][mix(i) as usize % 4],
                Keys::OneBit => 1 << (mix(i) % 32),
                Keys::Equal(key) => key,
            })
            .collect()
    }
}

fn plan(name: &str, spec: &SortSpec, device: &Device) -> Option<Plan> {
    match Choice::parse(SORT, name).unwrap().plan(Request::from(spec), device) {
        Ok(plan) => Some(plan.expect("a plan")),
        Err(Error::Unsupported(_)) => None,
        Err(other) => panic!("{name}, {spec}: {other}"),
    }
}

/// Runs a plan twice, and compares all its results. The payloads are the indices, so they tell whether it is stable.
fn check(gpu: &Gpu, plan: &Plan, spec: &SortSpec, keys: &[u32], of: &str) {
    let payloads =
        (0..spec.payloads).map(|number| (0..keys.len() as u32).map(|i| i ^ number << 24).collect());
    let streams: Vec<Vec<u32>> = std::iter::once(keys.to_vec()).chain(payloads).collect();
    let mut order: Vec<usize> = (0..keys.len()).collect();
    order.sort_by_key(|index| spec.rank(keys[*index]));
    let mut prepared = gpu.prepare(plan).unwrap_or_else(|error| panic!("{of}: {error}\n{plan}"));
    let uploaded: Vec<_> =
        streams.iter().enumerate().map(|(n, stream)| prepared.upload_input(n, stream).unwrap()).collect();
    for run in 0..2 {
        let outputs = prepared.run(&uploaded).unwrap();
        for (number, (got, stream)) in outputs.streams().zip(&streams).enumerate() {
            let got: Vec<u32> = got.read().unwrap();
            let wrong = (0..keys.len()).find(|place| got[*place] != stream[order[*place]]);
            assert_eq!(wrong, None, "{of}: the first wrong item of result {number} in run {run}");
        }
    }
}

fn sort(counts: &mut Counts, name: &str, spec: &SortSpec, keys: Keys) {
    let gpu = rasterscan_runner::gpu();
    let Some(plan) = plan(name, spec, gpu.device()) else {
        counts.not_applicable += 1;
        return;
    };
    check(&gpu, &plan, spec, &keys.of(spec.len as usize), &format!("{name}, {spec}, {keys:?}"));
    counts.compared += 2;
}

/// Tiles of 24 keys, whose invocations have two digits each, and one of the default.
const TILES: [&str; 4] = [
    "three_pass:lanes=serial,group=8,vectors=3,bits=4",
    "onesweep:lanes=serial,group=8,vectors=3,bits=4",
    "three_pass",
    "onesweep",
];

/// Keys of such a tile here.
fn tile_of(name: &str) -> usize {
    let gpu = rasterscan_runner::gpu();
    let plan = plan(name, &SortSpec::new::<u32>(5), gpu.device());
    let Some(plan) = plan else { return 24 };
    let tile = plan.passes().iter().find_map(|pass| {
        let rasterscan::plan::Command::Dispatch(dispatch) = &pass.command else { return None };
        let rows = dispatch.defines.iter().find(|(name, _)| *name == "ROWS")?.1;
        Some(rows as usize * dispatch.invocations as usize)
    });
    tile.expect("a pass over tiles")
}

fn edges_of_tiles_and_patterns() {
    let mut counts = Counts::default();
    for name in TILES {
        let tile = tile_of(name);
        for len in [0, 1, 2, tile - 1, tile, tile + 1, 2 * tile, 5 * tile + 1] {
            for keys in Keys::ALL {
                sort(&mut counts, name, &SortSpec::new::<u32>(len).payloads(1), keys);
            }
        }
    }
    counts.finish("tiles of sorts", 400);
}

fn ranges_of_bits() {
    let mut counts = Counts::default();
    for name in TILES {
        for bits in [0..1, 3..14, 31..32, 7..27] {
            for keys in [Keys::Random, Keys::OneBit, Keys::Equal(u32::MAX)] {
                sort(&mut counts, name, &SortSpec::new::<u32>(777).payloads(1).bits(bits.clone()), keys);
            }
        }
    }
    counts.finish("bits of sorts", 90);
}

fn payloads_follow() {
    let mut counts = Counts::default();
    for name in TILES {
        for payloads in 0..=3 {
            for keys in [Keys::Few, Keys::Random] {
                sort(&mut counts, name, &SortSpec::new::<u32>(555).payloads(payloads), keys);
            }
        }
    }
    counts.finish("payloads of sorts", 60);
}

/// Devices that bind four and five buffers move payloads in passes of their own.
fn few_bindings() {
    let gpu = rasterscan_runner::gpu();
    let mut counts = Counts::default();
    for (name, most) in TILES.into_iter().flat_map(|name| [(name, 4), (name, 5)]) {
        let mut device = gpu.device().clone();
        device.compute.iter_mut().for_each(|compute| compute.max_bindings = most);
        for payloads in 0..=3 {
            let spec = SortSpec::new::<u32>(321).payloads(payloads);
            let Some(plan) = plan(name, &spec, &device) else {
                counts.not_applicable += 1;
                continue;
            };
            check(&gpu, &plan, &spec, &Keys::Few.of(321), &format!("{name}, {spec}, {most} bindings"));
            counts.compared += 2;
        }
    }
    counts.finish("sorts with few bindings", 60);
}

fn long_streams() {
    let mut counts = Counts::default();
    for name in ["three_pass", "onesweep"] {
        for keys in [Keys::Random, Keys::Few] {
            sort(&mut counts, name, &SortSpec::new::<u32>((1 << 18) + 3).payloads(1), keys);
        }
    }
    counts.finish("long sorts", 8);
}

/// Tiles that never publish, some of them or all, a first tile that is late, and groups without patience.
fn what_is_missing_is_counted_anew() {
    let gpu = rasterscan_runner::gpu();
    let mut counts = Counts::default();
    let silent = [Memory::Nothing, Memory::AThird, Memory::AllBut { percent: 10, seed: 3 }];
    for (name, len) in [("onesweep:lanes=serial,group=8,vectors=3,bits=4", 24 * 40 + 7), ("onesweep", 20_000)]
    {
        let spec = SortSpec::new::<u32>(len).payloads(1);
        let Some(plan) = plan(name, &spec, gpu.device()) else {
            counts.not_applicable += 1;
            continue;
        };
        let impatient = |spins| changed(&plan, |dispatch| redefine(dispatch, "SPINS", spins));
        let plans =
            silent.into_iter().map(|memory| (forgetful(&plan, memory), format!("groups know {memory:?}")));
        let others = [
            (held_up(&plan), "the first group is held up".to_owned()),
            (impatient(0), "no look".to_owned()),
            (impatient(1), "one look".to_owned()),
        ];
        for (plan, how) in plans.chain(others) {
            for keys in [Keys::Random, Keys::Few] {
                check(&gpu, &plan, &spec, &keys.of(len), &format!("{name}, {spec}, {keys:?}, {how}"));
                counts.compared += 2;
            }
        }
    }
    counts.finish("sorts that count anew", 40);
}

crate::tests![
    edges_of_tiles_and_patterns,
    ranges_of_bits,
    payloads_follow,
    few_bindings,
    long_streams,
    what_is_missing_is_counted_anew,
];
