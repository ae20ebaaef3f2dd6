//! Plans of vertices and buffers, built here: sharing of storage, and errors.

use std::collections::BTreeSet;

use rasterscan::plan::{ItemType, Layout, PlanError, Primitives, Shader, Slot, Storage, share_storage};
use rasterscan::{Device, ElementType, Error, Operator, Plan};

fn vertex() -> Shader {
    Shader::new("own.vert", "void main() {}")
}
fn fragment() -> Shader {
    Shader::new("own.frag", "void main() {}")
}

/// A plan over eight u32 in a row, with a texture and two buffers of the same length.
struct Row {
    plan: Plan,
    texture: Slot,
    buffers: [Slot; 2],
}

fn row() -> Row {
    let item = ItemType { element: ElementType::U32, operator: Operator::ADD };
    let buffer = Layout::buffer(ElementType::U32, 1, 8);
    let texture = Layout { storage: Storage::Texture, ..buffer };
    let mut plan = Plan::new("test", item, texture);
    let [a, b] = ["a", "b"].map(|name| plan.slot(name, buffer));
    Row { texture: plan.slot("texture", texture), buffers: [a, b], plan }
}

/// Buffers share memory with buffers, not with textures of the same size.
#[test]
fn buffers_share_storage_among_themselves() {
    let Row { mut plan, texture, buffers: [a, b] } = row();
    let second = plan.slot("second", *plan.layout(texture));
    for (buffer, target) in [(a, texture), (b, second)] {
        plan.capture("capture", Primitives::Points(8), vertex()).capture("v_value", buffer);
        let draw = plan.draw_vertices("draw", Primitives::Points(8), vertex(), fragment());
        draw.attribute(buffer).write(target);
    }
    let plan = plan.finish(second);
    plan.check().unwrap();
    let storage = share_storage(&plan);
    let of = |slot: Slot| storage[slot.index()].unwrap();
    assert_eq!(of(a), of(b));
    assert_eq!(of(texture), of(second), "nothing reads the first");
    assert_ne!(of(a), of(texture));

    // While the first buffer is still read, the second has its own storage.
    let Row { mut plan, texture, buffers: [a, b] } = row();
    plan.capture("capture", Primitives::Points(8), vertex()).capture("v_value", a);
    plan.capture("capture", Primitives::Points(8), vertex()).attribute(a).capture("v_value", b);
    let draw = plan.draw_vertices("draw", Primitives::Points(8), vertex(), fragment());
    draw.attribute(b).write(texture);
    let plan = plan.finish(texture);
    plan.check().unwrap();
    let storage = share_storage(&plan);
    assert_ne!(storage[a.index()], storage[b.index()]);
}

/// A buffer does not reuse the storage of a texture, even of the same size.
#[test]
fn a_buffer_does_not_take_the_place_of_a_texture() {
    let Row { mut plan, texture, buffers: [a, _] } = row();
    let layout = *plan.layout(texture);
    let [second, third] = ["second", "third"].map(|name| plan.slot(name, layout));
    plan.draw("draw", fragment()).write(texture);
    plan.draw("draw", fragment()).read("u_source", texture).write(second);
    plan.capture("capture", Primitives::Points(8), vertex()).read("u_source", second).capture("v_value", a);
    plan.draw_vertices("draw", Primitives::Points(8), vertex(), fragment()).attribute(a).write(third);
    let plan = plan.finish(third);
    plan.check().unwrap();
    let storage = share_storage(&plan);
    assert_ne!(storage[a.index()], storage[texture.index()]);
    assert_eq!(storage[third.index()], storage[texture.index()]);
}

/// A result that is complete early is kept until the end.
#[test]
fn no_pass_takes_the_place_of_a_result() {
    let Row { mut plan, texture, .. } = row();
    let layout = *plan.layout(texture);
    let [second, third] = ["second", "third"].map(|name| plan.slot(name, layout));
    plan.draw("draw", fragment()).write(texture);
    plan.draw("draw", fragment()).write(second);
    plan.draw("draw", fragment()).read("u_source", second).write(third);
    let plan = plan.finish_with(vec![third, texture]);
    plan.check().unwrap();
    let storage = share_storage(&plan);
    let all = BTreeSet::from([texture, second, third].map(|slot| storage[slot.index()].unwrap()));
    assert_eq!(all.len(), 3);
}

#[test]
fn a_buffer_is_no_texture_and_a_texture_no_buffer() {
    let Row { mut plan, texture, .. } = row();
    plan.capture("capture", Primitives::Points(8), vertex()).capture("v_value", texture);
    let error = plan.finish(texture).check().unwrap_err();
    assert_eq!(error, PlanError::NotABuffer { pass: 1, slot: "texture".into() });
    assert!(error.to_string().contains("pass 1") && error.to_string().contains("texture"), "{error}");

    // The input, which is in a texture, as attributes.
    let Row { mut plan, texture, .. } = row();
    let input = plan.input();
    plan.draw("draw", fragment()).attribute(input).write(texture);
    let error = plan.finish(texture).check().unwrap_err();
    assert_eq!(error, PlanError::NotABuffer { pass: 1, slot: "input".into() });

    let Row { mut plan, texture, buffers: [a, _] } = row();
    plan.draw("draw", fragment()).write(texture);
    plan.draw("draw", fragment()).write(a);
    let error = plan.finish(a).check().unwrap_err();
    assert_eq!(error, PlanError::NotATexture { pass: 2, slot: "a".into() });
}

#[test]
fn a_pass_captures_or_draws() {
    let Row { mut plan, texture, buffers: [a, _] } = row();
    plan.draw("draw", fragment()).write(texture).capture("v_value", a);
    let error = plan.finish(texture).check().unwrap_err();
    assert_eq!(error, PlanError::CapturesAndDraws { pass: 1 });

    let Row { mut plan, buffers: [a, _], .. } = row();
    plan.capture("capture", Primitives::Points(8), vertex()).write(a);
    assert_eq!(plan.finish(a).check().unwrap_err(), PlanError::CapturesAndDraws { pass: 1 });

    let Row { mut plan, buffers: [a, b], .. } = row();
    plan.capture("capture", Primitives::Points(8), vertex()).capture("v_value", a).write(b);
    assert_eq!(plan.finish(a).check().unwrap_err(), PlanError::CapturesAndDraws { pass: 1 });
}

/// Attributes follow the rules of samplers: not read before they are written, nor in the pass that writes them.
#[test]
fn attributes_are_reads() {
    let Row { mut plan, texture, buffers: [a, _] } = row();
    plan.draw("draw", fragment()).attribute(a).write(texture);
    let error = plan.finish(texture).check().unwrap_err();
    assert_eq!(error, PlanError::ReadsNothing { pass: 1, slot: "a".into() });

    let Row { mut plan, buffers: [a, _], .. } = row();
    plan.capture("capture", Primitives::Points(8), vertex()).capture("v_value", a);
    plan.capture("capture", Primitives::Points(8), vertex()).attribute(a).capture("v_value", a);
    let error = plan.finish(a).check().unwrap_err();
    assert_eq!(error, PlanError::ReadsItsTarget { pass: 2, slot: "a".into() });

    // Every result must be written, and no input may be.
    let Row { mut plan, texture, buffers: [a, _] } = row();
    plan.draw("draw", fragment()).write(texture);
    assert_eq!(plan.finish_with(vec![texture, a]).check().unwrap_err(), PlanError::NoResult);
    let Row { plan, texture, .. } = row();
    let layout = *plan.layout(texture);
    let mut plan = Plan::new("test", ItemType { element: ElementType::U32, operator: Operator::ADD }, layout);
    let second = plan.further_input("second", layout);
    plan.draw("draw", fragment()).write(second);
    assert_eq!(plan.finish(second).check().unwrap_err(), PlanError::WritesTheInput { pass: 1 });
}

#[test]
#[should_panic(expected = "inputs come before all other slots")]
fn inputs_come_first() {
    let Row { mut plan, texture, .. } = row();
    let layout = *plan.layout(texture);
    plan.further_input("late", layout);
}

#[test]
fn what_cannot_be_gathered_from_a_buffer_is_refused() {
    let gathered = |arity: u32, to: Layout| {
        let item = ItemType { element: ElementType::U32, operator: Operator::ADD };
        let mut plan =
            Plan::new("gathers", item, Layout::buffer(ElementType::U32, arity, 12 / u64::from(arity)));
        let input = plan.input();
        plan.relayout(input, None, to).map(drop)
    };
    let texture = Layout::fit(&Device::gl33(), ElementType::U32, 1, 4, 12, 1).unwrap();
    assert!(gathered(1, texture).is_ok() && gathered(2, texture).is_ok());
    for refused in [gathered(3, texture), gathered(1, Layout::buffer(ElementType::U32, 2, 6))] {
        assert!(matches!(refused, Err(Error::Unsupported(_))), "{refused:?}");
    }
}
