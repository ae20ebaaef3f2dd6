//! Sorts by compute shaders: tiles that are counted before they move, and tiles that look back.

use rasterscan::tools::problem::SORT;
use rasterscan::tools::registry::Choice;
use rasterscan::{
    Device, Plan, SortSpec,
    tools::{Numbers, Request},
};
use rasterscan_kernels::{Engine, Schedule};
use rasterscan_runner::kernels::{self, Seen};
use rasterscan_runner::rerecorded::{Memory, forgetful};

/// A sort of u32, with a payload whose words tell where they were.
struct Case {
    spec: SortSpec,
    streams: Vec<Numbers>,
}

impl Case {
    fn new(keys: Vec<u32>, payloads: u32, bits: [u32; 2]) -> Case {
        let spec = SortSpec::new::<u32>(keys.len()).payloads(payloads).bits(bits[0]..bits[1]);
        let payload =
            |number: u32| Numbers::of(&(0..keys.len() as u32).map(|i| i ^ number << 20).collect::<Vec<_>>());
        let streams = std::iter::once(Numbers::of(&keys)).chain((0..payloads).map(payload)).collect();
        Case { spec, streams }
    }

    /// The streams in the order that a stable sort gives them.
    fn sorted(&self) -> Vec<Numbers> {
        let keys: &[u32] = self.streams[0].get().unwrap();
        let mut order: Vec<usize> = (0..keys.len()).collect();
        order.sort_by_key(|index| self.spec.rank(keys[*index]));
        let moved = |stream: &Numbers| {
            let words: &[u32] = stream.get().unwrap();
            Numbers::of(&order.iter().map(|index| words[*index]).collect::<Vec<_>>())
        };
        self.streams.iter().map(moved).collect()
    }

    fn plan(&self, name: &str, device: &Device) -> Option<Plan> {
        Choice::parse(SORT, name).unwrap().plan(Request::from(&self.spec), device).ok()?
    }

    fn inputs(&self) -> Vec<&Numbers> {
        self.streams.iter().collect()
    }
}

fn keys(len: usize) -> Vec<u32> {
    (1..=len as u32).map(|i| i.wrapping_mul(0x9E37_79B9)).collect()
}

/// Lengths around tiles of 24 keys, ranges of bits, numbers of payloads, and keys that are alike.
fn cases() -> Vec<Case> {
    let few = |i: u32| if i.is_multiple_of(3) { u32::MAX } else { 5 };
    let mut cases: Vec<Case> = [0, 1, 23, 25].map(|len| Case::new(keys(len), 1, [0, 12])).into();
    cases.extend(long());
    cases.push(Case::new((0..60).map(few).collect(), 3, [0, 12]));
    cases
}

/// Those of several tiles.
fn long() -> [Case; 3] {
    [
        Case::new(keys(100), 0, [0, 32]),
        Case::new(keys(130), 2, [3, 14]),
        Case::new(vec![u32::MAX; 70], 1, [31, 32]),
    ]
}

/// A digit of each invocation's and several, and lanes in more than a row.
const SMALL: [&str; 2] = ["group=8,vectors=3,bits=4", "group=8,vectors=2,bits=6"];

fn small(name: &str) -> impl Iterator<Item = String> {
    SMALL.into_iter().map(move |tile| format!("{name}:{tile}"))
}

fn compare(name: &str) -> Seen {
    let choices = small(name).map(|text| Choice::parse(SORT, &text).unwrap());
    let cases = cases();
    let cases: Vec<_> = cases.iter().map(|case| (Request::from(&case.spec), &case.streams[..])).collect();
    crate::compare_all(choices, cases)
}

fn three_pass() {
    crate::enough(compare("three_pass"), [5000, 5000], [0, 0]);
}

fn onesweep() {
    let seen = compare("onesweep");
    crate::enough(seen, [5000, 5000], [0, 0]);
    assert!(rasterscan_runner::gpu().device().compute.is_none() || seen.found > 2000, "{seen:?}");
}

/// On the device, tiles forget to publish, so that others count them.
fn sweeps_that_forget() {
    let gpu = rasterscan_runner::gpu();
    let mut seen = Seen::default();
    for name in small("onesweep") {
        for case in long() {
            for memory in [Memory::Nothing, Memory::AThird] {
                let Some(plan) = case.plan(&name, gpu.device()) else { continue };
                let of_gl = forgetful(&plan, memory);
                let compared = kernels::compare_with(&gpu, &plan, &of_gl, &case.inputs(), |_, _| {});
                seen += compared.unwrap_or_default();
            }
        }
    }
    println!("{seen:?} on {}", gpu.device().level());
    crate::enough(seen, [5000, 5000], [0, 0]);
    assert!(gpu.device().compute.is_none() || seen.missed > 2000, "{seen:?}");
}

/// Lanes that vote, which drivers here lack, and few bindings: kernels alone, against the reference, under all schedules.
fn votes_and_few_bindings() {
    let mut right = 0;
    for (lanes, bindings) in [(4, 8), (32, 8), (32, 4)] {
        let mut device = crate::warps::device(lanes);
        device.compute.iter_mut().for_each(|compute| compute.max_bindings = bindings);
        for name in ["three_pass", "onesweep"] {
            for tile in ["lanes=subgroup,group=64,vectors=1,bits=5", "lanes=warp,group=32,vectors=3,bits=3"] {
                for case in cases().iter().filter(|case| case.spec.len > 0) {
                    let name = format!("{name}:{tile}");
                    let Some(plan) = case.plan(&name, &device) else { panic!("{name}, {}", case.spec) };
                    let expected = case.sorted();
                    for schedule in Schedule::adversarial([5, 6]).into_iter().chain([Schedule::InOrder]) {
                        let mut engine = Engine::new(&plan).unwrap();
                        engine.upload(&case.inputs()).unwrap();
                        engine.set_schedule(schedule.clone());
                        for _ in 0..3 {
                            engine
                                .run()
                                .unwrap_or_else(|error| panic!("{name}, {schedule:?}: {error}\n{plan}"));
                            for (slot, expected) in plan.outputs().iter().zip(&expected) {
                                let got = engine.get(*slot);
                                assert_eq!(
                                    got.words(),
                                    expected.words(),
                                    "{name}, {lanes} lanes, {schedule:?}\n{plan}"
                                );
                            }
                            right += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(right > 800, "{right}");
}

crate::tests![three_pass, onesweep, sweeps_that_forget, votes_and_few_bindings];
