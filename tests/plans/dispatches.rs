//! Plans of dispatches, built here: errors, and sharing of storage.

use std::collections::BTreeSet;

use rasterscan::plan::{Access, ItemType, Lanes, Layout, PlanError, Shader, Slot, Storage, share_storage};
use rasterscan::{CompactSpec, Device, ElementType, Operator, Plan, ScanSpec, tools::registry};
use rasterscan_runner::scan::choice;

use super::{able, compaction};

fn shader() -> Shader {
    Shader::new("own.comp", "void main() {}")
}

/// A plan over eight u32 in a buffer, with two more buffers and a texture.
struct Eight {
    plan: Plan,
    input: Slot,
    buffers: [Slot; 2],
    texture: Slot,
}

fn eight() -> Eight {
    let item = ItemType { element: ElementType::U32, operator: Operator::ADD };
    let buffer = Layout::buffer(ElementType::U32, 1, 8);
    let mut plan = Plan::new("test", item, buffer);
    let buffers = ["a", "b"].map(|name| plan.slot(name, buffer));
    let texture = plan.slot("texture", Layout { storage: Storage::Texture, ..buffer });
    Eight { input: plan.input(), plan, buffers, texture }
}

/// The mistake in a plan of one dispatch after one that writes `a`.
fn mistake(of: impl Fn(&Eight) -> Vec<(Slot, Access, u64)>) -> Option<PlanError> {
    const NAMES: [&str; 4] = ["W", "X", "Y", "Z"];
    let mut eight = eight();
    let bindings = of(&eight);
    let [a, b] = eight.buffers;
    eight.plan.dispatch("first", shader(), Lanes::Serial, 8, 1).bind("A", a, Access::Write);
    let mut pass = eight.plan.dispatch("step", shader(), Lanes::Serial, 8, 1);
    for (name, (slot, access, end)) in NAMES.into_iter().zip(bindings) {
        pass = pass.bind_part(name, slot, access, 0..end);
    }
    eight.plan.dispatch("last", shader(), Lanes::Serial, 8, 1).bind("B", b, Access::Write);
    eight.plan.finish(b).check().err()
}

#[test]
fn a_dispatch_that_cannot_run_says_why() {
    use Access::{Read, Update, Write};

    let name = |slot: &str| slot.to_owned();
    assert_eq!(mistake(|e| vec![(e.input, Read, 8), (e.buffers[1], Write, 8)]), None);
    assert_eq!(mistake(|e| vec![(e.input, Read, 8), (e.buffers[0], Update, 8)]), None);
    // Bound twice, as long as neither is written.
    let twice = |e: &Eight| vec![(e.input, Read, 8), (e.input, Read, 4), (e.buffers[1], Write, 8)];
    assert_eq!(mistake(twice), None);

    let unwritten = Some(PlanError::ReadsNothing { pass: 2, slot: name("b") });
    assert_eq!(mistake(|e| vec![(e.buffers[1], Read, 8), (e.buffers[0], Write, 8)]), unwritten);
    assert_eq!(mistake(|e| vec![(e.buffers[1], Update, 8)]), unwritten);

    assert_eq!(mistake(|e| vec![(e.input, Write, 8)]), Some(PlanError::WritesTheInput { pass: 2 }));
    assert_eq!(mistake(|e| vec![(e.input, Update, 8)]), Some(PlanError::WritesTheInput { pass: 2 }));

    let texture = Some(PlanError::BindsATexture { pass: 2, slot: name("texture") });
    assert_eq!(mistake(|e| vec![(e.texture, Write, 8)]), texture);

    let beyond = |slot| Some(PlanError::RegionTooLarge { pass: 2, slot: name(slot) });
    assert_eq!(mistake(|e| vec![(e.input, Read, 9), (e.buffers[1], Write, 8)]), beyond("input"));
    assert_eq!(mistake(|e| vec![(e.input, Read, 8), (e.buffers[1], Write, 9)]), beyond("b"));

    let both = Some(PlanError::ReadsItsTarget { pass: 2, slot: name("a") });
    for accesses in [[Read, Write], [Write, Read], [Write, Write], [Update, Read], [Update, Update]] {
        let plan = |e: &Eight| accesses.map(|access| (e.buffers[0], access, 8)).to_vec();
        assert_eq!(mistake(plan), both, "{accesses:?}");
    }

    assert_eq!(mistake(|e| vec![(e.input, Read, 8)]), Some(PlanError::NoTarget { pass: 2 }));
    assert_eq!(mistake(|_| Vec::new()), Some(PlanError::NoTarget { pass: 2 }));

    // An update alone does not count as written.
    let Eight { plan, buffers: [a, _], .. } = eight();
    assert_eq!(plan.finish(a).check(), Err(PlanError::NoResult));
}

/// A buffer that a dispatch binds in parts, or updates, is in use from the first pass that touches it to the last.
#[test]
fn what_is_bound_is_in_use() {
    let spec = ScanSpec::new::<u32>(1 << 27).order(3);
    for algorithm in ["three_phase", "reduce_then_scan", "chained", "look_back", "sam"] {
        let plan = choice(algorithm).plan(&spec, &Device::gl43()).unwrap().unwrap();
        plan.check().unwrap();
        let storage = share_storage(&plan);
        for (number, pass) in plan.passes().iter().enumerate() {
            for written in pass.writes() {
                let needed_later = |slot: &Slot| {
                    *slot != written
                        && plan.passes()[..=number].iter().any(|pass| pass.touches(*slot))
                        && plan.passes()[number..].iter().any(|pass| pass.reads().any(|read| read == *slot))
                };
                let slots = plan.passes().iter().flat_map(|pass| pass.reads()).filter(needed_later);
                for slot in slots {
                    assert_ne!(storage[slot.index()], storage[written.index()], "{algorithm}\n{plan}");
                }
            }
        }
        // Three orders need no more memory than two, but for the states of tiles, which stay from run to run.
        let pieces = |order| {
            let plan = choice(algorithm).plan(&spec.order(order), &Device::gl43()).unwrap().unwrap();
            let slots =
                plan.slots().iter().zip(share_storage(&plan)).filter(|(slot, _)| slot.name != "states");
            slots.filter_map(|(_, storage)| storage).collect::<BTreeSet<_>>().len()
        };
        assert_eq!(pieces(3), pieces(2), "{algorithm}");
    }
}

/// On a GPU without extensions.
pub fn plan(algorithm: &str, spec: &ScanSpec) -> Plan {
    choice(algorithm).plan(spec, &Device::gl43()).unwrap().unwrap()
}

#[test]
fn nothing_to_do_gives_the_input_back() {
    for algorithm in ["three_phase", "reduce_then_scan", "chained", "look_back", "sam"] {
        let plan = plan(algorithm, &ScanSpec::new::<u32>(0).exclusive());
        assert_eq!((plan.passes().len(), plan.output()), (0, plan.input()), "{algorithm}");
    }
}

/// Invocations in a group, rows, and slots in a ring of the last pass of a plan for a GPU; 0 where it has none.
fn shape(algorithm: &str, spec: &ScanSpec, device: &Device) -> [i64; 3] {
    last_defines(&choice(algorithm).plan(spec, device).unwrap().unwrap(), ["GROUP", "ROWS", "RING"])
}

/// Defines of a plan's last pass; 0 where it has none of a name.
fn last_defines(plan: &Plan, names: [&str; 3]) -> [i64; 3] {
    let defines = plan.passes().last().unwrap().defines();
    names.map(|name| defines.iter().find(|define| define.0 == name).map_or(0, |own| own.1))
}

/// The shapes were measured: `src/scan/compute/look_back.rs`, `sam.rs`.
#[test]
fn tiles_follow_the_length_on_a_gpu() {
    let of = |algorithm: &str, spec: &ScanSpec| shape(algorithm, spec, &able());
    let plain = ScanSpec::new::<u32>;
    // The last length of each range, and the first of the next.
    for (len, expected) in [
        (1, [512, 2, 0]),
        (1 << 19, [512, 2, 0]),
        ((1 << 19) + 1, [512, 4, 0]),
        (1 << 23, [512, 4, 0]),
        ((1 << 23) + 1, [256, 8, 0]),
    ] {
        assert_eq!(of("look_back", &plain(len)), expected, "{len}");
    }
    for (len, expected) in [
        (1 << 20, [512, 4, 256]),
        ((1 << 20) + 1, [512, 8, 256]),
        (1 << 23, [512, 8, 256]),
        ((1 << 23) + 1, [128, 8, 1024]),
    ] {
        assert_eq!(of("sam", &plain(len)), expected, "{len}");
    }
    let long = plain(1 << 24);
    for (spec, expected) in [
        (long.order(2), [128, 12, 1024]),
        (long.tuple(2), [128, 8, 1024]),
        (ScanSpec::new::<u64>(1 << 23), [128, 8, 1024]),
        // Too many sums, sums in order, or flags beside them.
        (long.order(3), [512, 16, 256]),
        (plain(3 << 23).tuple(3), [512, 10, 256]),
        (ScanSpec::new::<f32>(1 << 24), [512, 8, 256]),
        (long.rows(1 << 10), [512, 6, 256]),
    ] {
        assert_eq!(of("sam", &spec), expected, "{spec}");
    }
    let floats = ScanSpec::new::<f32>;
    assert_eq!(of("look_back", &floats(1 << 21)), [512, 4, 0]);
    assert_eq!(of("look_back", &floats((1 << 21) + 1)), [256, 8, 0]);
    assert_eq!(of("look_back", &ScanSpec::new::<u64>(1 << 20)), [256, 8, 0]);
    assert_eq!(of("look_back", &plain(3 << 20).tuple(3)), [256, 10, 0]);
}

#[test]
fn select_takes_fewer_elements_of_short_streams() {
    let of = |algorithm: &str, spec: &CompactSpec| {
        let plan = compaction(algorithm).plan(spec, &able()).unwrap().unwrap();
        last_defines(&plan, ["GROUP", "ROWS", "BLOCK"])
    };
    let plain = CompactSpec::new::<u32>;
    assert_eq!(of("select", &plain(1 << 10)), [512, 16, 0]);
    assert_eq!(of("select", &plain(1 << 24)), [512, 16, 0]);
    assert_eq!(of("select", &plain((1 << 24) + 1)), [512, 32, 0]);
    assert_eq!(of("select:vectors=8", &plain(1 << 24)), [512, 8, 0]);
    assert_eq!(of("select", &CompactSpec::new::<u64>(1 << 22)), [512, 8, 0]);
    assert_eq!(of("select:prefixes=block", &plain(1 << 22)), [512, 16, 256]);
}

#[test]
fn tiles_of_long_streams_look_back_late() {
    let names = ["LOOKS_LATE", "BLOCK", "TUPLE"];
    let scan = |algorithm: &str, spec: ScanSpec| {
        last_defines(&choice(algorithm).plan(&spec, &able()).unwrap().unwrap(), names)
    };
    let select = |algorithm: &str, spec: CompactSpec| {
        last_defines(&compaction(algorithm).plan(&spec, &able()).unwrap().unwrap(), names)
    };
    // Words count.
    for (words, late) in [(1 << 22, 0), ((1 << 22) + 2, 1)] {
        for found in [
            scan("look_back", ScanSpec::new::<u32>(words)),
            scan("look_back:prefixes=every", ScanSpec::new::<u64>(words / 2)),
            select("select", CompactSpec::new::<u32>(words)),
            select("select", CompactSpec::new::<u64>(words / 2)),
        ] {
            assert_eq!(found, [late, 0, 1], "{words}");
        }
    }
    // Floats have blocks of tiles by themselves.
    for (found, block) in [
        (scan("look_back", ScanSpec::new::<f32>(1 << 25)), 128),
        (scan("look_back:prefixes=block", ScanSpec::new::<u32>(1 << 25)), 128),
        (select("select:prefixes=block", CompactSpec::new::<u32>(1 << 25)), 256),
    ] {
        assert_eq!(found, [0, block, 1]);
    }
}

/// Where groups start in order, a ticket costs time. Blocks of tiles were measured: `src/tuning/table.rs`.
#[test]
fn groups_take_no_tickets_where_they_start_in_order() {
    let nvidia = Device { renderer: "NVIDIA H200/PCIe/SSE2".into(), ..able() };
    let tickets = |algorithm: &str, spec: &ScanSpec, device: &Device| {
        last_defines(&choice(algorithm).plan(spec, device).unwrap().unwrap(), ["TICKETS"; 3])[0]
    };
    let (long, floats) = (ScanSpec::new::<u32>(1 << 24), ScanSpec::new::<f32>);
    for (algorithm, spec, expected) in [
        ("look_back", &long, 0),
        ("look_back", &floats(1 << 22), 0),
        ("look_back", &floats((1 << 22) + 1), 1),
        ("look_back:tickets=on", &long, 1),
        ("look_back:turns=on,lanes=shared,group=8,vectors=1", &ScanSpec::new::<u32>(100), 1),
        ("chained", &long, 1),
        ("sam", &long, 1),
    ] {
        assert_eq!(tickets(algorithm, spec, &nvidia), expected, "{algorithm}: {spec}");
    }
    assert_eq!(tickets("look_back", &long, &able()), 1);
    assert_eq!(tickets("look_back:tickets=off", &long, &able()), 0);
    let select = |device: &Device| {
        let plan = compaction("select").plan(&CompactSpec::new::<u32>(1 << 24), device).unwrap().unwrap();
        last_defines(&plan, ["TICKETS"; 3])[0]
    };
    assert_eq!([select(&able()), select(&nvidia)], [1, 0]);
}

#[test]
fn what_is_chosen_does_not_follow_the_length() {
    let long = ScanSpec::new::<u32>(1 << 24);
    assert_eq!(shape("sam:vectors=8", &long, &able()), [128, 8, 1024]);
    assert_eq!(shape("sam:vectors=8,group=512", &long, &able()), [512, 8, 256]);
    assert_eq!(shape("sam:groups=64", &long, &able()), [512, 8, 256]);
    assert_eq!(shape("look_back:vectors=6", &ScanSpec::new::<u32>(1 << 22), &able()), [512, 6, 0]);
    assert_eq!(shape("look_back:group=256", &ScanSpec::new::<u32>(1 << 22), &able()), [256, 8, 0]);
    // Nothing was measured where lanes exchange values in shared memory.
    let shared = Device::gl43();
    assert_eq!(shape("look_back", &ScanSpec::new::<u32>(1 << 10), &shared), [256, 8, 0]);
    assert_eq!(shape("sam", &long, &shared), [512, 8, 256]);
}

#[test]
fn long_streams_of_integers_go_to_sam_on_a_gpu() {
    let auto = |spec: &ScanSpec| registry::auto(spec, &able()).unwrap().choice.to_string();
    let plain = ScanSpec::new::<u32>;
    assert_eq!(auto(&plain((1 << 25) - 1)), "look_back");
    assert_eq!(auto(&plain(1 << 25)), "sam");
    assert_eq!(auto(&plain(1 << 24).tuple(2)), "sam");
    assert_eq!(auto(&ScanSpec::new::<f32>(1 << 25)), "look_back");
    assert_eq!(auto(&ScanSpec::new::<u64>(1 << 25)), "look_back");
    assert_eq!(auto(&plain(1 << 25).rows(1 << 10)), "look_back");
}

#[test]
fn orders_of_tuples_go_to_reduce_then_scan_on_a_gpu() {
    let auto = |len: usize, order, tuple| {
        let spec = ScanSpec::new::<u32>(len).order(order).tuple(tuple);
        registry::auto(&spec, &able()).unwrap().choice.to_string()
    };
    // States that lanes hold easily are exchanged once, in one pass, as long as the stream is short.
    assert_eq!(auto(1 << 20, 2, 2), "sam");
    assert_eq!(auto((1 << 20) + 2, 2, 2), "reduce_then_scan");
    for (order, tuple) in [(8, 2), (2, 8), (4, 4)] {
        assert_eq!(auto(1 << 12, order, tuple), "reduce_then_scan", "{order}, {tuple}");
    }
    // Only whole streams of integers were measured, with states of up to 16 words.
    let pairs = ScanSpec::new::<u32>(1 << 12).order(8).tuple(2);
    let others = [
        pairs.clone().reversed(),
        pairs.clone().tuple(4),
        pairs.operator(Operator::MAX),
        ScanSpec::new::<f32>(1 << 12).order(8).tuple(2),
    ];
    for spec in others {
        assert_eq!(registry::auto(&spec, &able()).unwrap().choice.to_string(), "sam", "{spec:?}");
    }
    // One stream of an order stays in one pass for longer.
    assert_eq!(auto((1 << 26) - 1, 2, 1), "sam");
    assert_eq!(auto(1 << 26, 2, 1), "reduce_then_scan");
}
