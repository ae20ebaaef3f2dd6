//! Nothing is left out: each entry shader has a kernel, and each card is compared.

use std::collections::BTreeSet;
use std::path::Path;

use rasterscan::ElementType;
use rasterscan::tools::registry::{self, Era};

/// The entry shaders below a folder, by their paths below `glsl/`.
fn entries(glsl: &Path, folder: &Path, found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            entries(glsl, &path, found);
        } else if path.extension().is_some_and(|kind| kind != "glsl") {
            found.insert(path.strip_prefix(glsl).unwrap().display().to_string());
        }
    }
}

fn each_entry_shader_has_a_kernel_and_each_kernel_a_shader() {
    let glsl = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../glsl");
    let mut shaders = BTreeSet::new();
    entries(&glsl, &glsl, &mut shaders);
    // The tests of a context are no plans, recording is no stage of its own, and the engine covers a screen itself.
    let exempt = |path: &String| {
        path.starts_with("selftest/")
            || path.starts_with("common/record/")
            || path == "common/fullscreen.vert"
    };
    shaders.retain(|path| !exempt(path));
    let kernels: BTreeSet<String> = rasterscan_kernels::kernels().map(|(path, _)| path.to_owned()).collect();
    let without: Vec<_> = shaders.difference(&kernels).collect();
    assert!(without.is_empty(), "add these to KERNELS in crates/kernels/src: {without:?}");
    let dead: Vec<_> = kernels.difference(&shaders).collect();
    assert!(dead.is_empty(), "these kernels have no shader: {dead:?}");
}

/// The other tests choose variants and options, some by names; a new card is compared here in any case.
fn each_card_is_compared() {
    let gpu = rasterscan_runner::gpu();
    let mut compared = 0;
    for card in registry::all().filter(|card| card.era != Era::Cpu) {
        let request = card.problem.plain(ElementType::U32, 300).unwrap();
        let numbers = crate::values(ElementType::U32, 300);
        let streams = request.plain_streams(&numbers).unwrap();
        let streams: Vec<_> = streams.iter().map(|stream| &**stream).collect();
        let seen = crate::compare(&gpu, &card.with_defaults(), &request, &streams);
        let supported = card.supported(gpu.device()).is_ok();
        assert_eq!(seen.passes > 0, supported, "{}: {seen:?}", card.name);
        compared += usize::from(supported);
    }
    assert!(compared >= 8, "{compared}");
}

crate::tests![each_entry_shader_has_a_kernel_and_each_kernel_a_shader, each_card_is_compared];
