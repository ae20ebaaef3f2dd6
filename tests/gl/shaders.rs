//! The shaders as the driver gets them: every algorithm, element and operator, expanded and compiled.

use std::collections::BTreeSet;
use std::path::Path;

use rasterscan::plan::{common_files, expand};
use rasterscan::{Device, ElementType, Error, Operator, Plan, ScanSpec, compact, reduce, scan};
use rasterscan_runner::plans::compiled;
use rasterscan_runner::scan::choice;

fn every_expanded_shader_compiles() {
    let gpu = rasterscan_runner::gpu();
    let mut sources = BTreeSet::new();
    for plan in compiled(gpu.device()) {
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

    // The engine's own, and the text of a map.
    let own = [
        "copy/channel.glsl",
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
    let of_problems = [
        &scan::SHADER_FILES,
        &compact::SHADER_FILES,
        &reduce::SHADER_FILES,
        &rasterscan::sort::SHADER_FILES,
        &rasterscan::histogram::SHADER_FILES,
    ];
    let shared = common_files().chain(of_problems.into_iter().flat_map(|library| library.files()));
    used.extend(shared.map(|(path, _)| path.to_owned()));
    // On a CPU, some algorithms use other shaders.
    let devices = [Device::gl43(), Device { software: true, ..Device::gl43() }];
    for plan in devices.iter().flat_map(compiled) {
        for shader in plan.passes().iter().flat_map(|pass| pass.shaders()) {
            used.insert(shader.path().into());
            // A caller's function and the functions of a pass's streams have no files.
            let made = |path: &str| path.starts_with("map ") || path == "streams";
            let files = shader.includes().filter(|(path, _)| !made(path));
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
