//! Plans and shaders know the same names: defines, uniforms, samplers, buffers, and captured outputs. A driver says nothing
//! of a misspelt name: it is 0, or nothing happens.
//!
//! The engine cannot refuse a uniform that a program lacks: a driver removes those that a variant does not use. So the texts
//! are compared here, for all plans of the tests, without OpenGL.

mod glsl;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use glsl::{names, reached, tested_and_defined, uniforms};
use rasterscan::plan::{Command, Dialect, Expanded, ItemType, Pass, Shader, expand};
use rasterscan::tools::registry::hint;
use rasterscan::{Api, Device, Plan};
use rasterscan_runner::documents::{files, root, text};
use rasterscan_runner::plans::{compiled, of_length, rare};
use rasterscan_runner::preprocessor::preprocessed;

/// Bytes of shaders that are preprocessed at a time.
const BATCH: usize = 8 << 20;

/// The beginning of the line before each of these texts.
const BEGIN: &str = "begin_of_text_";

/// The files of the engine that name uniforms and defines of passes.
const ENGINE: [&str; 4] = ["draw", "dispatch", "record", "program"];

/// The uniforms that the engine sets, besides those whose names begin with a sampler's or a buffer's.
const SET: [&str; 4] = ["u_groups", "u_record_first", "u_target_shape", "u_turn"];

/// The number of the run, in a block that a dispatch binds.
const IN_BLOCK: &str = "u_run";

/// The names that the engine defines for some devices and for recordings.
const DEFINED: [&str; 5] = ["LOCKSTEP", "RECORDED", "RECORD_HIGH", "RECORD_LOW", "TEXEL_LOADS"];

/// Defines that a shader need not read: every dispatch has a group, plans of a counted length tell all draws, and a condition
/// of the caller's can stand in the place of a comparison.
const OFFERED: [&str; 3] = ["COMPARISON", "COUNTED", "GROUP"];

/// The outputs of vertices that a recording captures.
const CAPTURED: [&str; 2] = ["v_reads_high", "v_reads_low"];

/// Texts of the sources of plans that look like names of shaders: of the composition of operators, a variable of cargo,
/// and the title of a listing.
const OTHERS: [&str; 6] = ["INNER_WORD", "INNER_WORDS", "ITEM_WORDS", "WORD", "CARGO_MANIFEST_DIR", "SAM"];

/// The names that a pass gives to its shaders.
#[derive(Clone, PartialEq, Eq, Hash)]
struct InputInfo {
    /// Those of buffers, too.
    defines: Vec<(&'static str, i64)>,
    uniforms: Vec<&'static str>,
    samplers: Vec<&'static str>,
    captured: Vec<&'static str>,
    /// Buffers that a CPU reads as textures.
    loads: Vec<&'static str>,
    draws: bool,
    turns: bool,
}

impl InputInfo {
    fn by(pass: &Pass) -> InputInfo {
        let mut given = InputInfo {
            defines: pass.defines(),
            uniforms: Vec::new(),
            samplers: Vec::new(),
            captured: Vec::new(),
            loads: Vec::new(),
            draws: false,
            turns: false,
        };
        match &pass.command {
            Command::Draw(draw) => {
                given.draws = true;
                given.uniforms.extend(draw.uniforms.iter().map(|(name, _)| *name));
                given.samplers.extend(draw.reads.iter().map(|(name, _)| *name));
                given.captured.extend(&draw.captured);
            }
            Command::Dispatch(dispatch) => {
                given.turns = dispatch.turns.is_some();
                given.uniforms.extend(dispatch.uniforms.iter().map(|(name, _)| *name));
                let loads = dispatch.bindings.iter().filter(|binding| binding.load.is_some());
                given.loads.extend(loads.map(|binding| binding.name));
            }
            _ => unreachable!("a third kind of pass"),
        }
        given
    }

    fn all(&self) -> impl Iterator<Item = &'static str> {
        let defines = self.defines.iter().map(|(name, _)| *name);
        defines.chain(self.uniforms.iter().chain(&self.samplers).chain(&self.captured).copied())
    }

    /// Returns true if a uniform has a value, from the pass or from the engine.
    fn sets(&self, uniform: &str) -> bool {
        let sampler = uniform.strip_suffix("_shape").unwrap_or(uniform);
        let buffer = uniform.strip_suffix("_first").unwrap_or(uniform).strip_prefix("u_");
        let bound = uniform.strip_suffix("_shape").and_then(|name| name.strip_prefix("u_"));
        let bound = bound.filter(|_| !self.draws).map(str::to_uppercase);
        let by_engine = match uniform {
            // The stream that a map is in the place of.
            "u_source_shape" | "u_mask_shape" if self.samplers.contains(&"u_stream_0") => true,
            "u_target_shape" | "u_record_first" => self.draws,
            "u_turn" => self.turns,
            other => (other == IN_BLOCK || SET.contains(&other)) && !self.draws,
        };
        by_engine
            || self.uniforms.contains(&uniform)
            || self.samplers.contains(&sampler)
            || bound.is_some_and(|bound| self.defines.iter().any(|(name, _)| *name == bound))
            || buffer.is_some_and(|buffer| self.loads.iter().any(|name| name.to_lowercase() == buffer))
    }
}

/// The names by which an `#if` asks about an item: the words of its element and its own, and whether it has a flag.
type Shape = (u32, u32, bool);

fn shape(ItemType { element, operator }: &ItemType) -> Shape {
    (element.words(), operator.item_words(*element), operator.values().is_some())
}

/// A text that is preprocessed, the pass that it is of, and the names that the pass gives.
struct Text {
    path: String,
    of: String,
    given: InputInfo,
}

#[derive(Default)]
struct Found {
    items: HashSet<ItemType>,
    /// By the files of their shaders.
    passes: HashSet<(Vec<String>, Dialect, Shape, InputInfo)>,
    given: BTreeSet<&'static str>,
    /// The texts that are preprocessed next.
    texts: Vec<Text>,
    /// Their code, one after the other.
    code: String,
    preprocessed: usize,
    /// By shader and name, so that each is reported once.
    faults: BTreeMap<(String, String), String>,
}

impl Found {
    fn plan(&mut self, plan: &Plan, device: &Device, what: &str) {
        for (number, pass) in (1..).zip(plan.passes()) {
            let given = InputInfo::by(pass);
            self.given.extend(given.all());
            let shaders = pass.shaders();
            let files = shaders.iter().flat_map(|shader| {
                let included = shader.includes().map(|(path, _)| path);
                [shader.path()].into_iter().chain(included).map(str::to_owned)
            });
            let dialect = pass.dialect(device.api, plan.slots());
            let key = (files.collect(), dialect, shape(&pass.item), given);
            let new_item = self.items.insert(pass.item.clone());
            if new_item || !self.passes.contains(&key) {
                let expanded = |shader: &Shader, more: &[(&'static str, i64)]| {
                    expand(shader, dialect, &pass.item, &[more, &key.3.defines].concat()).unwrap()
                };
                self.pass(&shaders, &key.3, expanded, &format!("{what}: pass {number} ({})", pass.phase));
                self.passes.insert(key);
            }
        }
    }

    fn pass(
        &mut self,
        shaders: &[&Shader],
        given: &InputInfo,
        expanded: impl Fn(&Shader, &[(&'static str, i64)]) -> Expanded,
        of: &str,
    ) {
        let texts: Vec<Expanded> = shaders.iter().map(|shader| expanded(shader, &[])).collect();
        // The pass's own defines stand before the first file.
        let files = texts.iter().map(|text| &text.source[text.source.find("#line").unwrap()..]);
        let known: BTreeSet<&str> = files.clone().flat_map(names).collect();
        let declared: BTreeSet<&str> = files.flat_map(uniforms).collect();
        let defines = given.defines.iter().map(|(name, _)| name).filter(|name| !OFFERED.contains(name));
        let uniforms = given.uniforms.iter().chain(&given.samplers);
        let places = [
            ("defines", &known, defines.collect::<Vec<_>>()),
            ("captures", &known, given.captured.iter().collect()),
            ("sets", &declared, uniforms.collect()),
        ];
        let path = shaders.iter().map(|shader| format!("glsl/{}", shader.path())).collect::<Vec<_>>();
        for (gives, known, names) in places {
            for name in names.into_iter().filter(|name| !known.contains(*name)) {
                let capital = name.starts_with(char::is_uppercase);
                let alike =
                    known.iter().copied().filter(|known| known.starts_with(char::is_uppercase) == capital);
                // A list of all of them would be long.
                let hint = hint(name, alike);
                let hint = if hint.starts_with("did you mean") { format!("; {hint}") } else { String::new() };
                let fault = format!("{of} {gives} {name}, a name that {} lacks{hint}", path.join(", "));
                self.faults.entry((path.join(","), (*name).to_owned())).or_insert(fault);
            }
        }
        let has = |name| known.contains(name);
        let on_cpu = [("LOCKSTEP", 32), ("TEXEL_LOADS", 1)];
        let on_cpu = if given.loads.is_empty() { &on_cpu[..1] } else { &on_cpu[..] };
        let recorded = [("RECORDED", 8), ("RECORD_LOW", 2), ("RECORD_HIGH", 3)];
        for (shader, text) in shaders.iter().zip(&texts) {
            self.add(shader, text, given, of);
            if !given.draws && (has("LOCKSTEP") || has("TEXEL_LOADS")) {
                self.add(shader, &expanded(shader, on_cpu), given, of);
            }
            if has("RECORDED") {
                let shader = if given.draws { recording(shader) } else { (*shader).clone() };
                self.add(&shader, &expanded(&shader, &recorded), given, of);
            }
        }
    }

    /// Adds a text to those that are preprocessed next.
    fn add(&mut self, shader: &Shader, expanded: &Expanded, given: &InputInfo, of: &str) {
        let number = self.texts.len();
        self.code.push_str(&format!("{BEGIN}{number}\n"));
        for line in expanded.source.lines() {
            if let Some((line, file)) = line.strip_prefix("#line ").and_then(|place| place.split_once(' ')) {
                let place = expanded.locate(&format!("{file}:{line}: here"));
                let (path, line) = place.strip_suffix(": here").unwrap().rsplit_once(':').unwrap();
                self.code.push_str(&format!("#line {line} \"{number} {path}\"\n"));
            } else if !["#version", "#extension"].iter().any(|word| line.starts_with(word)) {
                self.code.extend([line.split("//").next().unwrap(), "\n"]);
            }
        }
        let [_, defined] = tested_and_defined(&expanded.source);
        self.code.extend(defined.into_iter().flat_map(|name| ["#undef ", name, "\n"]));
        self.texts.push(Text { path: shader.path().into(), of: of.into(), given: given.clone() });
        if self.code.len() > BATCH {
            self.preprocess();
        }
    }

    /// Looks for names that nothing gives to the texts.
    fn preprocess(&mut self) {
        let (texts, code) = (std::mem::take(&mut self.texts), std::mem::take(&mut self.code));
        self.preprocessed += texts.len();
        let result = preprocessed(&code, &["-Wundef", "-fno-diagnostics-show-caret"]);
        let text = |number: &str| &texts[number.parse::<usize>().unwrap()];
        for warning in result.warnings.lines().filter(|line| line.contains(" is not defined")) {
            let (number, warning) = warning.split_once(' ').unwrap();
            let (place, warning) = warning.split_once(": warning: ").unwrap();
            let (Text { path, of, .. }, name) = (text(number), names(warning).next().unwrap());
            let fault =
                || format!("{of}: glsl/{path} has {name} in an #if, and nothing defines it ({place})");
            self.faults.entry((path.clone(), name.to_owned())).or_insert_with(fault);
        }
        for code in result.code.split(BEGIN).skip(1) {
            let (number, code) = code.split_once('\n').unwrap();
            let (Text { path, of, given }, used) = (text(number), reached(code));
            for name in uniforms(code).into_iter().filter(|name| used.contains(name) && !given.sets(name)) {
                let fault = || format!("{of}: glsl/{path} reads {name}, and nothing sets it");
                self.faults.entry((path.clone(), name.to_owned())).or_insert_with(fault);
            }
        }
    }
}

/// The stage of a draw as a recording compiles it (`src/gl/program.rs`).
fn recording(shader: &Shader) -> Shader {
    let after = if shader.path().ends_with(".vert") { "vertex" } else { "fragment" };
    let [begin, after] = ["begin", after].map(|file| text(&format!("glsl/common/record/{file}.glsl")));
    shader.with_source([&begin, shader.source(), &after].concat())
}

/// Devices with what any algorithm asks for, on a GPU and on a CPU, and devices without compute shaders.
fn devices() -> [Device; 4] {
    // The longest streams fit into its textures.
    let mut able = Device { max_texture_size: 1 << 15, ..Device::gl43() };
    able.compute.iter_mut().for_each(|compute| (compute.subgroup, compute.warp) = (32, 32));
    let software = Device { software: true, renderer: "llvmpipe".into(), ..Device::gl43() };
    let es = Device {
        api: Api::Gles,
        version: (3, 0),
        max_targets: 4,
        max_buffer_texels: 0,
        exact_lines: false,
        float_targets: false,
        geometry: false,
        ..Device::gl33()
    };
    [able, software, Device::gl33(), es]
}

/// The texts in quotes of a source that are names of defines or of a shader's variables; without its tests and comments.
fn quoted(source: &str) -> BTreeSet<&str> {
    let own = source.split("#[cfg(test)]").next().unwrap_or_default();
    let lines = own.lines().filter(|line| !line.trim_start().starts_with("//"));
    let texts = lines.flat_map(|line| line.split('"').skip(1).step_by(2));
    let only =
        |text: &str, of: fn(&char) -> bool| text.chars().all(|c| of(&c) || c.is_ascii_digit() || c == '_');
    let is_name = |text: &&str| match text.get(..2) {
        Some("u_" | "v_") => only(text, char::is_ascii_lowercase),
        _ => text.starts_with(char::is_uppercase) && only(text, char::is_ascii_uppercase),
    };
    texts.filter(is_name).collect()
}

/// All files of a folder, with their paths.
fn sources(folder: &str) -> Vec<(String, String)> {
    let paths = files(root().join(folder)).into_iter();
    let read = |path: std::path::PathBuf| {
        let text = std::fs::read_to_string(&path).unwrap();
        (path.strip_prefix(root()).unwrap().display().to_string().replace('\\', "/"), text)
    };
    paths.map(read).collect()
}

#[test]
fn plans_and_shaders_know_the_same_names() {
    let mut found = Found::default();
    for device in devices() {
        for plan in compiled(&device) {
            let title = plan.to_string();
            found.plan(&plan, &device, title.lines().next().unwrap_or_default());
        }
        of_length(&device, 3000, |plan, what| found.plan(&plan, &device, what));
        rare(&device, |plan, what| found.plan(&plan, &device, what));
    }
    found.preprocess();
    println!("{} texts of {} passes", found.preprocessed, found.passes.len());
    let mut faults: Vec<String> = found.faults.into_values().collect();

    // All names in the sources were in a plan.
    let folders = ["src/plan", "src/scan", "src/compact", "src/reduce", "src/histogram", "src/copy.rs"];
    for (path, source) in &folders.map(sources).concat() {
        let missed = quoted(source).into_iter();
        let missed = missed.filter(|name| !found.given.contains(name) && !OTHERS.contains(name));
        faults.extend(missed.map(|name| format!("{path}: no plan of the tests gives {name} to a shader")));
    }

    // A name that #ifdef tests can be defined, outside of the file that tests it.
    let glsl = sources("glsl");
    let directives: HashMap<&str, _> =
        glsl.iter().map(|(path, text)| (path.as_str(), tested_and_defined(text))).collect();
    for (path, [tested, _]) in directives.iter().filter(|(path, _)| !path.starts_with("glsl/selftest/")) {
        let elsewhere = |name| directives.iter().any(|(other, [_, own])| other != path && own.contains(name));
        let is_known = |name| found.given.contains(name) || DEFINED.contains(name) || elsewhere(*name);
        let unknown = tested.iter().filter(|name| !is_known(name));
        faults.extend(
            unknown.map(|name| format!("{path} tests whether {name} is defined, and nothing defines it")),
        );
    }
    assert!(faults.is_empty(), "{} names:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn the_engine_gives_the_names_listed_here() {
    let engine: Vec<String> = ENGINE.iter().map(|file| text(&format!("src/gl/{file}.rs"))).collect();
    let named: BTreeSet<&str> = engine.iter().flat_map(|source| quoted(source)).collect();
    assert_eq!(named, SET.into_iter().chain(DEFINED).chain(CAPTURED).collect());
    let recording = text("glsl/common/record/vertex.glsl");
    assert!(CAPTURED.iter().all(|captured| names(&recording).any(|name| name == *captured)));
}
