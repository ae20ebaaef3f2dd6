//! Plans of dispatches, built here: errors, and sharing of storage.

use std::collections::BTreeSet;

use rasterscan::plan::{Access, ItemType, Lanes, Layout, PlanError, Shader, Slot, Storage, share_storage};
use rasterscan::{Device, ElementType, Operator, Plan, ScanSpec};
use rasterscan_runner::scan::choice;

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
