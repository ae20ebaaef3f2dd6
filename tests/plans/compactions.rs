//! Plans with several inputs and results, of vertices and buffers; and mistakes in them.

use std::collections::BTreeSet;

use super::common::compaction::{COMPACTIONS, compaction};
use super::compacts;
use rasterscan::plan::{Command, ItemType, Layout, PlanError, Primitives, Shader, Storage, share_storage};
use rasterscan::{Api, CompactSpec, Device, ElementType, Moves, Operator, Plan};

const VERTEX: Shader = Shader::new("own.vert", "void main() {}");
const FRAGMENT: Shader = Shader::new("own.frag", "void main() {}");

/// Every compaction that makes plans.
fn algorithms() -> impl Iterator<Item = &'static str> {
    COMPACTIONS.into_iter().filter(|name| *name != "sequential")
}

/// Nothing is kept of nothing: one pass writes a zero, and the results are there.
#[test]
fn a_stream_without_elements_has_a_count() {
    for algorithm in algorithms() {
        for moves in [Moves::Values, Moves::Indices, Moves::Both] {
            let plan = compacts(algorithm, &CompactSpec::new::<u64>(0).moves(moves));
            assert_eq!(plan.passes().len(), 1, "{algorithm}");
            assert!(plan.check().is_ok(), "{algorithm}");
            let results = 1 + usize::from(moves.values()) + usize::from(moves.indices());
            assert_eq!(plan.outputs().len(), results, "{algorithm}");
        }
    }
}

/// The results' names, elements and order; and the mask, which lies as the stream does.
#[test]
fn inputs_and_results_are_what_was_asked_for() {
    for algorithm in algorithms() {
        for (moves, names) in [
            (Moves::Values, &["values", "count"][..]),
            (Moves::Indices, &["indices", "count"]),
            (Moves::Both, &["values", "indices", "count"]),
        ] {
            let plan = compacts(algorithm, &CompactSpec::new::<i64>(1000).masked().moves(moves));
            let results: Vec<&str> =
                plan.outputs().iter().map(|slot| plan.slots()[slot.index()].name.as_str()).collect();
            assert_eq!(results, names, "{algorithm}");
            for (slot, name) in plan.outputs().iter().zip(names) {
                let layout = plan.layout(*slot);
                let element = if *name == "values" { ElementType::I64 } else { ElementType::U32 };
                assert_eq!(layout.element, element, "{algorithm}, {name}");
                assert_eq!(layout.len, if *name == "count" { 1 } else { 1000 }, "{algorithm}, {name}");
            }
            let inputs: Vec<&Layout> = plan.inputs().map(|slot| plan.layout(slot)).collect();
            assert_eq!(*inputs[1], inputs[0].of(ElementType::U32), "{algorithm}");
        }
    }
}

/// The name of a plan is a choice that makes the same plan.
#[test]
fn the_name_of_a_plan_asks_for_it() {
    let spec = CompactSpec::new::<u32>(1000);
    for algorithm in algorithms() {
        let plan = compacts(algorithm, &spec);
        assert_eq!(compacts(plan.name(), &spec), plan, "{algorithm}");
    }
}

/// No pass writes into the memory that it reads, and no two results are in one.
#[test]
fn storage_is_shared_by_what_never_meets() {
    for algorithm in algorithms() {
        let plan = compacts(algorithm, &CompactSpec::new::<u32>(5000).masked().moves(Moves::Both));
        let storage = share_storage(&plan);
        for pass in plan.passes() {
            let of = |slot: &rasterscan::plan::Slot| storage[slot.index()];
            let targets: Vec<_> = pass.writes().iter().map(of).collect();
            assert!(pass.reads().all(|slot| !targets.contains(&of(&slot))), "{algorithm}\n{plan}");
        }
        let results: BTreeSet<_> = plan.outputs().iter().map(|slot| storage[slot.index()].unwrap()).collect();
        assert_eq!(results.len(), 3, "{algorithm}");
        assert!(plan.inputs().all(|slot| storage[slot.index()].is_none()), "{algorithm}");
    }
}

/// A plan over eight u32 in a row, with a texture and two buffers as long.
struct Row {
    plan: Plan,
    texture: rasterscan::plan::Slot,
    buffers: [rasterscan::plan::Slot; 2],
}

fn row() -> Row {
    let item = ItemType { element: ElementType::U32, operator: Operator::Add };
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
        plan.capture("capture", Primitives::Points(8), VERTEX).capture("v_value", buffer);
        let draw = plan.draw_vertices("draw", Primitives::Points(8), VERTEX, FRAGMENT);
        draw.attribute(buffer).write(target);
    }
    let plan = plan.finish(second);
    plan.check().unwrap();
    let storage = share_storage(&plan);
    let of = |slot: rasterscan::plan::Slot| storage[slot.index()].unwrap();
    assert_eq!(of(a), of(b));
    assert_eq!(of(texture), of(second), "nothing reads the first");
    assert_ne!(of(a), of(texture));

    // While the first buffer is still read, the second is another.
    let Row { mut plan, texture, buffers: [a, b] } = row();
    plan.capture("capture", Primitives::Points(8), VERTEX).capture("v_value", a);
    plan.capture("capture", Primitives::Points(8), VERTEX).attribute(a).capture("v_value", b);
    let draw = plan.draw_vertices("draw", Primitives::Points(8), VERTEX, FRAGMENT);
    draw.attribute(b).write(texture);
    let plan = plan.finish(texture);
    plan.check().unwrap();
    let storage = share_storage(&plan);
    assert_ne!(storage[a.index()], storage[b.index()]);
}

/// A texture that nothing reads any more is no place for a buffer, though it has as many words.
#[test]
fn a_buffer_does_not_take_the_place_of_a_texture() {
    let Row { mut plan, texture, buffers: [a, _] } = row();
    let layout = *plan.layout(texture);
    let [second, third] = ["second", "third"].map(|name| plan.slot(name, layout));
    plan.draw("draw", FRAGMENT).write(texture);
    plan.draw("draw", FRAGMENT).read("u_source", texture).write(second);
    plan.capture("capture", Primitives::Points(8), VERTEX).read("u_source", second).capture("v_value", a);
    plan.draw_vertices("draw", Primitives::Points(8), VERTEX, FRAGMENT).attribute(a).write(third);
    let plan = plan.finish(third);
    plan.check().unwrap();
    let storage = share_storage(&plan);
    assert_ne!(storage[a.index()], storage[texture.index()]);
    assert_eq!(storage[third.index()], storage[texture.index()]);
}

/// A result that is early done stays as it is until the end.
#[test]
fn no_pass_takes_the_place_of_a_result() {
    let Row { mut plan, texture, .. } = row();
    let layout = *plan.layout(texture);
    let [second, third] = ["second", "third"].map(|name| plan.slot(name, layout));
    plan.draw("draw", FRAGMENT).write(texture);
    plan.draw("draw", FRAGMENT).write(second);
    plan.draw("draw", FRAGMENT).read("u_source", second).write(third);
    let plan = plan.finish_with(vec![third, texture]);
    plan.check().unwrap();
    let storage = share_storage(&plan);
    let all = BTreeSet::from([texture, second, third].map(|slot| storage[slot.index()].unwrap()));
    assert_eq!(all.len(), 3);
}

#[test]
fn a_buffer_is_no_texture_and_a_texture_no_buffer() {
    let Row { mut plan, texture, .. } = row();
    plan.capture("capture", Primitives::Points(8), VERTEX).capture("v_value", texture);
    let error = plan.finish(texture).check().unwrap_err();
    assert_eq!(error, PlanError::NotABuffer { pass: 1, slot: "texture".into() });
    assert!(error.to_string().contains("pass 1") && error.to_string().contains("texture"), "{error}");

    // The input, which is in a texture, as attributes.
    let Row { mut plan, texture, .. } = row();
    let input = plan.input();
    plan.draw("draw", FRAGMENT).attribute(input).write(texture);
    let error = plan.finish(texture).check().unwrap_err();
    assert_eq!(error, PlanError::NotABuffer { pass: 1, slot: "input".into() });

    let Row { mut plan, texture, buffers: [a, _] } = row();
    plan.draw("draw", FRAGMENT).write(texture);
    plan.draw("draw", FRAGMENT).write(a);
    let error = plan.finish(a).check().unwrap_err();
    assert_eq!(error, PlanError::NotATexture { pass: 2, slot: "a".into() });
}

#[test]
fn a_pass_captures_or_draws() {
    let Row { mut plan, texture, buffers: [a, _] } = row();
    plan.draw("draw", FRAGMENT).write(texture).capture("v_value", a);
    let error = plan.finish(texture).check().unwrap_err();
    assert_eq!(error, PlanError::CapturesAndDraws { pass: 1 });

    let Row { mut plan, buffers: [a, _], .. } = row();
    plan.capture("capture", Primitives::Points(8), VERTEX).write(a);
    assert_eq!(plan.finish(a).check().unwrap_err(), PlanError::CapturesAndDraws { pass: 1 });

    let Row { mut plan, buffers: [a, b], .. } = row();
    plan.capture("capture", Primitives::Points(8), VERTEX).capture("v_value", a).write(b);
    assert_eq!(plan.finish(a).check().unwrap_err(), PlanError::CapturesAndDraws { pass: 1 });
}

/// Attributes are read as samplers are: not before they are written, nor in the pass that writes them.
#[test]
fn attributes_are_reads() {
    let Row { mut plan, texture, buffers: [a, _] } = row();
    plan.draw("draw", FRAGMENT).attribute(a).write(texture);
    let error = plan.finish(texture).check().unwrap_err();
    assert_eq!(error, PlanError::ReadsNothing { pass: 1, slot: "a".into() });

    let Row { mut plan, buffers: [a, _], .. } = row();
    plan.capture("capture", Primitives::Points(8), VERTEX).capture("v_value", a);
    plan.capture("capture", Primitives::Points(8), VERTEX).attribute(a).capture("v_value", a);
    let error = plan.finish(a).check().unwrap_err();
    assert_eq!(error, PlanError::ReadsItsTarget { pass: 2, slot: "a".into() });

    // All results must be written, not the first alone; and no input may be.
    let Row { mut plan, texture, buffers: [a, _] } = row();
    plan.draw("draw", FRAGMENT).write(texture);
    assert_eq!(plan.finish_with(vec![texture, a]).check().unwrap_err(), PlanError::NoResult);
    let layout = *row().plan.layout(row().texture);
    let mut plan = Plan::new("test", ItemType { element: ElementType::U32, operator: Operator::Add }, layout);
    let second = plan.further_input("second", layout);
    plan.draw("draw", FRAGMENT).write(second);
    assert_eq!(plan.finish(second).check().unwrap_err(), PlanError::WritesTheInput { pass: 1 });
}

#[test]
#[should_panic(expected = "inputs come before all other slots")]
fn inputs_come_first() {
    let Row { mut plan, texture, .. } = row();
    let layout = *plan.layout(texture);
    plan.further_input("late", layout);
}

/// Vertices, words captured and words of attributes, counted by hand.
#[test]
fn vertices_and_buffers_are_counted() {
    // Five blocks of 64, each drawn by two triangles: 30 vertices, whose ends are three words.
    let spec = CompactSpec::new::<u32>(300);
    let plan = compacts("blocks:draw=quads", &spec);
    let pass = |phase: &str| plan.passes().iter().find(|pass| pass.phase == phase).unwrap();
    assert_eq!(pass("segments").cost.words_written, 30 * 3);
    assert_eq!(pass("segments").cost.texels_written, 0);
    for (phase, texels) in [("left parts", 300), ("wrapped parts", 0)] {
        let cost = pass(phase).cost;
        assert_eq!((cost.vertices, cost.texels_written), (30, texels), "{phase}");
        assert_eq!((cost.words_read, cost.words_written), (30 * 3 + texels, texels), "{phase}");
    }
    // Elements of two words and their masks, as attributes; two words and an index captured.
    let spec = CompactSpec::new::<u64>(300).masked().moves(Moves::Both);
    let plan = compacts("geometry", &spec);
    let cost = plan.passes()[0].cost;
    assert_eq!((cost.vertices, cost.words_read, cost.words_written), (300, 300 * 3, 300 * 3));
    // Full-screen draws have no vertices of account, rectangles have four.
    let plan = compacts("histopyramid", &CompactSpec::new::<u32>(300));
    assert_eq!(plan.cost().vertices, 4);
    assert_eq!(compacts("horn", &CompactSpec::new::<u32>(300)).cost().vertices, 0);
}

/// GLSL ES 3.00 where that will do; 3.20 for geometry stages and for buffers that are read as textures.
#[test]
fn only_geometry_needs_a_newer_dialect() {
    use rasterscan::plan::Dialect;

    let device = Device { api: Api::Gles, version: (3, 2), ..Device::gl33() };
    for algorithm in algorithms() {
        let plan = compaction(algorithm).plan(&CompactSpec::new::<u32>(300), &device).unwrap().unwrap();
        for pass in plan.passes() {
            let Command::Draw(draw) = &pass.command else { continue };
            let buffers = draw.reads.iter().any(|(_, slot)| plan.layout(*slot).storage == Storage::Buffer);
            let needs = draw.stages.geometry.is_some() || buffers;
            assert!(!needs || algorithm.contains("geometry"), "{algorithm}");
            let expected = if needs { Dialect::Gles32 } else { Dialect::Gles30 };
            assert_eq!(pass.dialect(Api::Gles, plan.slots()), expected, "{algorithm}");
            assert_eq!(pass.dialect(Api::Gl, plan.slots()), Dialect::Gl);
        }
    }
}

/// Every fragment stage has 16 textures, and no pass wants more, at the greatest length that a device takes.
#[test]
fn no_pass_reads_more_textures_than_there_are_units() {
    for algorithm in algorithms() {
        for len in [1, 1000, 1 << 20, 1 << 27, 1 << 28] {
            let spec = CompactSpec::of(ElementType::U32, len).masked().moves(Moves::Both);
            let Ok(plan) = compaction(algorithm).plan(&spec, &Device::gl33()) else {
                assert!(algorithm == "geometry" && len > 1 << 27, "{algorithm}");
                continue;
            };
            for pass in plan.expect("a plan").passes() {
                assert!(
                    pass.reads().count() <= 16,
                    "{algorithm} at {len}: {} {}",
                    pass.phase,
                    pass.reads().count()
                );
            }
        }
    }
}

#[test]
fn auto_is_packed_for_every_compaction() {
    use rasterscan::registry::auto;

    for element in ElementType::ALL {
        for len in [0, 1, 1000, 1 << 28] {
            let spec = CompactSpec::of(element, len);
            let choice = auto(&spec, &Device::gl33());
            assert_eq!(choice.card.name, "packed", "{spec}");
            assert!(choice.plan(&spec, &Device::gl33()).is_ok(), "{spec}");
        }
    }
}
