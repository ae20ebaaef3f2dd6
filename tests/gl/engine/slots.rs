//! Slots of one plan in the calls of another.

use rasterscan::plan::{Access, DispatchRecorder, DrawRecorder, Lanes, PlanError, Primitives, Shader, Slot};
use rasterscan::scan::texture::Packed;
use rasterscan::tools::problem::SCAN;
use rasterscan::tools::registry::Choice;
use rasterscan::{Error, Plan, ScanSpec};

/// Slots know their plan: every call that takes one refuses another plan's, at once or when the plan is prepared.
fn slots_of_another_plan_are_refused() {
    fn refused<T>(result: Result<T, Error>) {
        match result.err() {
            Some(Error::Plan(PlanError::OtherPlan)) => {}
            other => panic!("{other:?}"),
        }
    }
    let gpu = rasterscan_runner::gpu();
    let choice = Choice::parse(SCAN, "packed").unwrap();
    let spec = ScanSpec::new::<u32>(700);
    let part = choice.plan(&spec, gpu.device()).unwrap().unwrap();
    let layout = *part.layout(part.input());
    let new = || Plan::new("mixed", part.item().clone(), layout);
    let mut other = new();
    // At positions that the plan has, and at one that it lacks.
    let all = [other.input(), other.slot("second", layout), other.slot("third", layout)];
    // Of a clone, made since.
    let base = new();
    let (mut one, mut clone) = (base.clone(), base.clone());
    let (of_one, of_clone) = (one.slot("one", layout), clone.slot("two", layout));
    refused(one.append_plan(&part, &[of_clone]));
    refused(clone.append_plan(&part, &[of_one]));
    one.append_plan(&part, &[base.input()]).unwrap();
    for slot in all {
        let mut plan = new();
        let own = plan.slot("own", layout);
        let input = plan.input();
        assert!(!plan.is_input(slot));
        refused(plan.append_plan(&part, &[slot]));
        refused(plan.relayout(slot, None, layout));
        refused(plan.gather(slot, own, None));
        refused(plan.gather(own, slot, None));
        refused(plan.gather(own, own, Some(slot)));
        refused(plan.join(slot, own, own));
        refused(plan.join(own, slot, own));
        refused(plan.join(own, own, slot));
        refused(plan.write_at(slot, own, own, layout));
        refused(plan.write_at(own, slot, own, layout));
        refused(plan.write_at(own, own, slot, layout));
        refused(plan.add_counts(slot, own));
        refused(plan.add_counts(own, slot));
        refused(plan.map(slot, "none", "", layout));
        refused(plan.unpack(slot, 8, layout.with_len(5)));
        refused(plan.append(&Packed::default(), &spec, &[slot], gpu.device()));
        assert!(plan.passes().is_empty() && plan.slots().len() == 2);
        plan.draw("draw", Shader::new("own/none.frag", "")).read("u_source", input).write(own);
        assert_eq!(plan.clone().finish(own).check(), Ok(()));
        type Change = fn(&mut Plan, Slot);
        let changes: [Change; 11] = [
            |plan, slot| _ = draw(plan).read("u_source", slot),
            |plan, slot| _ = draw(plan).write(slot),
            |plan, slot| _ = draw(plan).attribute(slot),
            |plan, slot| {
                let stage = Shader::new("own/none.vert", "");
                plan.capture("a", Primitives::Points(1), stage).capture("v_words", slot);
            },
            |plan, slot| _ = dispatch(plan).bind("SOURCE", slot, Access::Read),
            |plan, slot| _ = dispatch(plan).bind_part("SOURCE", slot, Access::Read, 0..1),
            |plan, slot| _ = dispatch(plan).bind_loads("SOURCE", slot, 0..1, 1),
            |plan, slot| _ = dispatch(plan).over_length(Some(slot), 0),
            |plan, slot| plan.rename(slot, "renamed"),
            |plan, slot| _ = plan.ping_pong(slot),
            |plan, slot| plan.indirect(slot, 5, |_| ()),
        ];
        for (number, change) in changes.iter().enumerate() {
            let mut plan = plan.clone();
            change(&mut plan, slot);
            let plan = plan.finish(own);
            assert_eq!(plan.check(), Err(PlanError::OtherPlan), "change {number}");
            refused(gpu.prepare(&plan));
            assert!(!plan.to_string().contains("renamed"));
            // Nor in another plan.
            let mut outer = new();
            outer.append_plan(&plan, &[outer.input()]).unwrap();
            refused(gpu.prepare(&outer));
        }
        refused(gpu.prepare(&plan.finish_with(vec![own, slot])));
    }
    // Plans that are built alike are equal.
    assert_eq!(choice.plan(&spec, gpu.device()).unwrap().unwrap(), part);
}

fn draw(plan: &mut Plan) -> DrawRecorder<'_> {
    plan.draw("a", Shader::new("own/none.frag", ""))
}

fn dispatch(plan: &mut Plan) -> DispatchRecorder<'_> {
    plan.dispatch("a", Shader::new("own/none.comp", ""), Lanes::Serial, 1, 1)
}

crate::tests![slots_of_another_plan_are_refused];
