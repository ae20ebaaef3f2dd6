//! The shaders as the driver gets them: every algorithm, element and operator, expanded and compiled.

use std::collections::BTreeSet;
use std::path::Path;

use rasterscan::plan::{ItemType, Layout, common_files, expand};
use rasterscan::scan::compute::ReduceThenScan;
use rasterscan::{
    Algorithm, CompactSpec, Comparison, Condition, Device, ElementType, Error, Moves, Operator, Plan,
    ReduceSpec, ScanSpec, compact, reduce,
};
use rasterscan_runner::compaction::{self, compaction};
use rasterscan_runner::scan::{algorithms, blocks, choice, tiles};

/// Plans that use every shader with every kind of `#define` that the device supports.
fn plans(device: &Device) -> Vec<Plan> {
    let mut plans = scans(device);
    plans.extend(compactions(device));
    plans.extend(reductions(device));
    let spec = ScanSpec::new::<u32>(3000);
    plans.push(rasterscan::copy::texture(&spec, device).unwrap());
    plans.extend(supported(rasterscan::copy::buffer(&spec, device)));
    let elements = ElementType::ALL.into_iter().filter(|element| device.float_targets || !element.is_float());
    plans.extend(elements.map(|element| gathers(element, device)));
    plans.extend(moves(device));
    plans.extend(counted(device));
    plans
}

/// Streams that are taken by indices, joined, unpacked, mapped and put into others, in textures and in buffers.
fn moves(device: &Device) -> Vec<Plan> {
    let item = ItemType { element: ElementType::U32, operator: Operator::ADD };
    let texture = Layout::fit(device, ElementType::U32, 1, 1, 100, 2).unwrap();
    let buffer = device.compute.is_some().then(|| Layout::buffer(ElementType::U32, 1, 100));
    let of = |layout: Layout| {
        let mut plan = Plan::new("moves", item.clone(), layout);
        let count = plan.further_input("count", layout.with_len(1));
        let input = plan.input();
        let taken = plan.take(input, input, None).unwrap();
        let some = plan.take(input, input, Some(count)).unwrap();
        let joined = plan.join(taken, some, count).unwrap();
        let unpacked = plan.unpack(joined, 8, layout).unwrap();
        let twice = "void map(uint from[FROM], int index, out uint to[TO]) { to[0] = 2u * from[0]; }";
        let mapped = plan.map(unpacked, "twice", twice, layout).unwrap();
        let total = plan.add_counts(count, count).unwrap();
        let grown = plan.put(mapped, count, total, layout).unwrap();
        plan.finish(grown)
    };
    [Some(texture), buffer].into_iter().flatten().map(of).collect()
}

/// Totals, and lengths on the GPU.
fn counted(device: &Device) -> Vec<Plan> {
    let scan = ScanSpec::new::<u32>(3000);
    let specs = [scan.counted(), scan.exclusive().seeded().totalled(), scan.counted().seeded().totalled()];
    let scans = specs.iter().flat_map(|spec| {
        ["packed", "horn", "look_back", "sam"].map(|name| supported_choice(name, spec, device))
    });
    let kept = CompactSpec::new::<u32>(3000).counted();
    let compactions = [
        supported(compact::texture::Packed::default().plan(&kept, device)),
        supported(compact::compute::Select::default().plan(&kept, device)),
    ];
    let sum = ReduceSpec::new::<u32>(3000).counted();
    let reductions = [
        supported(reduce::texture::Packed::default().plan(&sum, device)),
        supported(reduce::compute::TwoPass::default().plan(&sum, device)),
        supported(reduce::compute::SinglePass::default().plan(&sum, device)),
    ];
    let halves = ReduceThenScan::default().halves(&ScanSpec::new::<u32>(3000), device);
    let halves = halves.into_iter().flat_map(|halves| [halves.reduce, halves.scan].map(Some));
    scans.chain(halves).chain(compactions).chain(reductions).flatten().collect()
}

/// A plan, unless the device lacks what it needs.
fn supported(plan: Result<Plan, Error>) -> Option<Plan> {
    match plan {
        Ok(plan) => Some(plan),
        Err(Error::Unsupported(_)) => None,
        Err(other) => panic!("{other}"),
    }
}

/// Reductions by commutative and other operators, of some items and of none.
fn reductions(device: &Device) -> Vec<Plan> {
    let algorithms: [Box<dyn Algorithm<ReduceSpec>>; 4] = [
        Box::new(reduce::texture::Pairs),
        Box::new(reduce::texture::Packed::default()),
        Box::new(reduce::compute::TwoPass::default()),
        Box::new(reduce::compute::SinglePass::default()),
    ];
    let mut plans = Vec::new();
    for algorithm in &algorithms {
        for (element, operator) in [(ElementType::U32, Operator::ADD), (ElementType::I64, Operator::AFFINE)] {
            for spec in [0, 3000].map(|len| ReduceSpec::of(element, len).operator(&operator).tuple(3)) {
                match algorithm.plan(&spec, device) {
                    Ok(plan) => plans.push(plan),
                    Err(Error::Unsupported(_)) => {}
                    Err(other) => panic!("{}, {spec}: {other}", algorithm.name()),
                }
            }
        }
    }
    plans
}

fn scans(device: &Device) -> Vec<Plan> {
    let mut plans = Vec::new();
    for element in ElementType::ALL {
        for operator in Operator::ALL.into_iter().filter(|operator| operator.accepts(element)) {
            for tuple in [1, 3] {
                let spec = ScanSpec::of(element, 3000).operator(&operator).tuple(tuple);
                let mut algorithms = algorithms().to_vec();
                // Further paths through the same shaders: items of every size.
                if [Operator::ADD, Operator::AFFINE].contains(&operator) {
                    algorithms.extend(blocks());
                    algorithms.extend(tiles());
                }
                for algorithm in algorithms {
                    for spec in [spec.clone(), spec.exclusive()] {
                        plans.extend(supported_choice(algorithm, &spec, device));
                    }
                }
            }
        }
    }
    // Flags so far apart that a table has wider texels, and rows that warps divide.
    for spec in [ScanSpec::new::<u32>(1 << 25).segmented(), ScanSpec::new::<u32>(1 << 16).rows(1 << 14)] {
        for algorithm in ["horn", "hybrid", "packed", "packed:block=4", "look_back"] {
            plans.extend(supported_choice(algorithm, &spec, device));
        }
    }
    // Rows, columns, segments, directions and seeds.
    for element in ElementType::ALL {
        for operator in [Operator::ADD, Operator::AFFINE] {
            let spec = ScanSpec::of(element, 3000).operator(&operator);
            let options = [
                spec.rows(60).exclusive(),
                spec.columns(60).reversed(),
                spec.segmented().seeded(),
                spec.segmented_by_offsets(9).reversed().exclusive(),
                spec.rows(60).tuple(3),
            ];
            for spec in options {
                for algorithm in
                    ["horn", "hybrid", "packed", "harris", "look_back", "reduce_then_scan", "sam"]
                {
                    plans.extend(supported_choice(algorithm, &spec, device));
                }
            }
        }
    }
    // Intervals in every element: in a texel, in a tile and in a block.
    for element in ElementType::ALL {
        for operator in Operator::PROVING {
            for algorithm in ["horn", "packed", "harris:variant=naive,block=16", "three_phase:rows=1"] {
                let spec = ScanSpec::of(element, 3000).operator(&operator);
                plans.extend(supported_choice(algorithm, &spec, device));
            }
        }
    }
    plans
}

/// The plan of a scan; `None` for `sequential` too.
fn supported_choice(algorithm: &str, spec: &ScanSpec, device: &Device) -> Option<Plan> {
    supported(choice(algorithm).plan(spec, device).transpose()?)
}

/// Every comparison and the mask, all that can be moved by one of them, and a stream without elements.
fn compactions(device: &Device) -> Vec<Plan> {
    let mut specs = vec![CompactSpec::new::<u32>(0)];
    for element in ElementType::ALL {
        let spec = CompactSpec::of(element, 3000);
        let condition = |comparison: Comparison| match element {
            ElementType::U32 => Condition::new(comparison, 7u32),
            ElementType::I32 => Condition::new(comparison, -7i32),
            ElementType::F32 => Condition::new(comparison, 0.5f32),
            ElementType::U64 => Condition::new(comparison, 7u64),
            ElementType::I64 => Condition::new(comparison, -7i64),
        };
        specs.extend(Comparison::ALL.map(|comparison| spec.keep(condition(comparison)).moves(Moves::Both)));
        let moves = [Moves::Values, Moves::Indices, Moves::Both];
        specs.extend(moves.map(|moves| spec.masked().moves(moves)));
        specs.extend([spec, spec.moves(Moves::Indices)]);
    }
    let mut plans = Vec::new();
    for spec in specs {
        for algorithm in compaction::compactions() {
            match compaction(algorithm).plan(&spec, device) {
                Ok(plan) => plans.extend(plan),
                Err(Error::Unsupported(_)) => {}
                Err(other) => panic!("{algorithm}, {spec}: {other}"),
            }
        }
    }
    plans
}

/// Gathers of an element: to other textures, to a buffer, and back where a draw can read one.
fn gathers(element: ElementType, device: &Device) -> Plan {
    let wide = Layout::texture(element, 4, 8, 8);
    let narrow = Layout::fit(device, element, 1, 1, wide.len, 2).unwrap();
    let item = ItemType { element, operator: Operator::ADD };
    let mut plan = Plan::new("gathers", item, wide);
    let texels = plan.gather(plan.input(), None, narrow).unwrap();
    let items = plan.gather(texels, None, Layout::buffer(element, 1, wide.len)).unwrap();
    let last = match device.max_buffer_texels {
        0 => items,
        _ => plan.gather(items, None, wide).unwrap(),
    };
    plan.finish(last)
}

fn every_expanded_shader_compiles() {
    let gpu = rasterscan_runner::gpu();
    let mut sources = BTreeSet::new();
    for plan in plans(gpu.device()) {
        gpu.prepare(&plan).unwrap_or_else(|error| panic!("{}: {error}", plan.name()));
        for pass in plan.passes() {
            let dialect = pass.dialect(gpu.device().api, plan.slots());
            for shader in pass.shaders() {
                sources.insert(expand(shader, dialect, &pass.item, &pass.defines()).unwrap().source);
            }
        }
    }
    println!("{} different shaders on {}", sources.len(), gpu.device().level());
    assert!(sources.len() > 1000);
}

/// Every GLSL file of the tree is used: by a plan, as an include, or as the vertex stage of all draws.
fn no_glsl_file_is_left_over() {
    fn files(folder: &Path, found: &mut BTreeSet<String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                files(&path, found);
            } else {
                let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("glsl");
                found.insert(path.strip_prefix(root).unwrap().to_str().unwrap().to_owned());
            }
        }
    }
    let mut present = BTreeSet::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("glsl"), &mut present);

    // The engine's own.
    let own = [
        "common/nothing.frag",
        "selftest/lanes.comp",
        "selftest/lockstep.comp",
        "selftest/tree.comp",
        "selftest/chain.comp",
        "selftest/draw.vert",
        "selftest/draw.frag",
    ];
    let around = ["begin.glsl", "fragment.glsl", "vertex.glsl"].map(|file| format!("common/record/{file}"));
    let mut used = BTreeSet::from(own.map(str::to_owned));
    used.extend(around);
    used.extend(common_files().map(|(path, _)| path.to_owned()));
    // On a CPU, some algorithms use other shaders.
    let devices = [Device::gl43(), Device { software: true, ..Device::gl43() }];
    for plan in devices.iter().flat_map(plans) {
        for shader in plan.passes().iter().flat_map(|pass| pass.shaders()) {
            used.insert(shader.path().into());
            // A caller's function has no file.
            let files = shader.includes().filter(|(path, _)| !path.starts_with("map "));
            used.extend(files.map(|(path, _)| path.to_owned()));
        }
    }
    let odd: Vec<&String> = present.symmetric_difference(&used).collect();
    assert!(odd.is_empty(), "in the tree but not used, or used but not in the tree: {odd:?}");
}

fn a_shader_that_does_not_compile_names_file_and_line() {
    use rasterscan::plan::{ItemType, Layout, Shader};

    let gpu = rasterscan_runner::gpu();
    let item = ItemType { element: ElementType::U32, operator: Operator::ADD };
    let layout = Layout::fit(gpu.device(), ElementType::U32, 1, 1, 64, 2).unwrap();
    let text = "#include \"common/item.glsl\"\n\nlayout(location = 0) out Texel o;\nvoid main() {\n    o = nothing;\n}\n";
    let mut plan = Plan::new("broken", item, layout);
    let slot = plan.slot("a", layout);
    plan.draw("step", Shader::new("own/broken.frag", text)).write(slot);
    match gpu.prepare(&plan.finish(slot)) {
        Err(Error::Shader { log, .. }) => assert!(log.contains("glsl/own/broken.frag:5: "), "{log}"),
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("it compiled"),
    }
    // The context still works.
    let spec = ScanSpec::new::<u32>(8);
    let plan = choice("horn").plan(&spec, gpu.device()).unwrap().unwrap();
    assert!(gpu.prepare(&plan).is_ok());
}

crate::tests![
    every_expanded_shader_compiles,
    no_glsl_file_is_left_over,
    a_shader_that_does_not_compile_names_file_and_line,
];
