//! The plans of the compactions: inputs and results, storage, and counts.

use std::collections::BTreeSet;

use rasterscan::plan::{Command, Layout, Storage, share_storage};
use rasterscan::tools::registry::Era;
use rasterscan::{Api, CompactSpec, Device, ElementType, Moves};
use rasterscan_runner::compaction::{compaction, compactions, tiles};

use super::compacts;

/// Every compaction that makes plans.
fn algorithms() -> impl Iterator<Item = &'static str> {
    compactions().into_iter().chain(tiles()).filter(|name| *name != "sequential")
}

/// Those of the texture era.
fn of_textures() -> impl Iterator<Item = &'static str> {
    algorithms().filter(|name| compaction(name).card.era == Era::Texture)
}

/// An empty stream: one pass writes a zero, and the results exist.
#[test]
fn a_stream_without_elements_has_a_count() {
    for algorithm in algorithms() {
        for moves in Moves::ALL {
            let plan = compacts(algorithm, &CompactSpec::new::<u64>(0).moves(moves));
            assert_eq!(plan.passes().len(), 1, "{algorithm}");
            assert!(plan.check().is_ok(), "{algorithm}");
            let results = 1 + usize::from(moves.values()) + usize::from(moves.indices());
            assert_eq!(plan.outputs().len(), results, "{algorithm}");
        }
    }
}

/// The results' names, elements and order; and the mask, which has the layout of the stream.
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
        assert_eq!(compacts(&plan.name(), &spec), plan, "{algorithm}");
    }
}

/// No pass writes into the storage of another slot that it reads, and no two results share storage.
#[test]
fn storage_is_shared_by_what_never_meets() {
    for algorithm in algorithms() {
        let plan = compacts(algorithm, &CompactSpec::new::<u32>(5000).masked().moves(Moves::Both));
        let storage = share_storage(&plan);
        for pass in plan.passes() {
            let of = |slot: &rasterscan::plan::Slot| storage[slot.index()];
            let targets: Vec<_> = pass.writes().iter().map(of).collect();
            // A dispatch may update a slot that it reads.
            let updates = |slot: &rasterscan::plan::Slot| pass.writes().contains(slot);
            let mut read = pass.reads().filter(|slot| !updates(slot));
            assert!(read.all(|slot| !targets.contains(&of(&slot))), "{algorithm}\n{plan}");
        }
        let results: BTreeSet<_> = plan.outputs().iter().map(|slot| storage[slot.index()].unwrap()).collect();
        assert_eq!(results.len(), 3, "{algorithm}");
        assert!(plan.inputs().all(|slot| storage[slot.index()].is_none()), "{algorithm}");
    }
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
    // The vertices of full-screen draws are not counted; rectangles have four.
    let plan = compacts("histopyramid", &CompactSpec::new::<u32>(300));
    assert_eq!(plan.cost().vertices, 4);
    assert_eq!(compacts("horn", &CompactSpec::new::<u32>(300)).cost().vertices, 0);
}

/// GLSL ES 3.00 if possible; 3.20 for geometry stages and for buffers that are read as textures.
#[test]
fn only_geometry_needs_a_newer_dialect() {
    use rasterscan::plan::Dialect;

    let device = Device { api: Api::Gles, version: (3, 2), ..Device::gl33() };
    for algorithm in of_textures() {
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

/// Every fragment stage has 16 textures, and no pass needs more, at the greatest length of a device.
#[test]
fn no_pass_reads_more_textures_than_there_are_units() {
    for algorithm in of_textures() {
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
fn auto_is_packed_for_every_compaction_without_compute_shaders() {
    use rasterscan::tools::registry::auto;

    for element in ElementType::ALL {
        for len in [0, 1, 1000, 1 << 28] {
            let spec = CompactSpec::of(element, len);
            let planned = auto(&spec, &Device::gl33()).unwrap();
            assert_eq!(planned.choice.card.name, "packed", "{spec}");
            let again = planned.choice.plan(&spec, &Device::gl33()).unwrap();
            assert_eq!(planned.plan, again, "{spec}");
        }
    }
}

#[test]
fn auto_is_select_on_hardware_as_far_as_its_buffers_reach() {
    use rasterscan::tools::registry::auto;

    let software = Device { software: true, ..Device::gl43() };
    for (len, expected) in [(0, "select"), (1 << 25, "select"), ((1 << 25) + 1, "packed")] {
        let spec = CompactSpec::of(ElementType::U32, len);
        assert_eq!(auto(&spec, &Device::gl43()).unwrap().choice.card.name, expected, "{spec}");
        assert_eq!(auto(&spec, &software).unwrap().choice.card.name, "packed", "{spec}");
    }
}
