//! No invocation of any plan makes more turns in its loops than llvmpipe allows (rule 7 of `src/plan/shader.rs`), whatever the
//! data and the length.

mod glsl;

use std::collections::{BTreeMap, HashMap, HashSet};

use rasterscan::plan::{Command, Dialect, ItemType, Pass, Uniform, expand};
use rasterscan::{Device, Plan};
use rasterscan_runner::plans::of_length;

/// llvmpipe ends an invocation after so many, without an error.
const MOST: u64 = 65_535;

/// All that a shader's text depends on.
type Key = (String, Dialect, ItemType, Vec<(&'static str, i64)>);

/// The values of the uniforms that a shader states turns by.
type Used = Vec<(&'static str, i64)>;

/// The shaders that were preprocessed, each with the values it was counted for, and the most turns of each entry file.
#[derive(Default)]
struct Found {
    /// Loops of so few turns, a constant number, the driver unrolls: their own turns do not count.
    unrolled: i64,
    shaders: HashMap<Key, (glsl::Shader, HashSet<Used>)>,
    most: BTreeMap<String, (u64, String)>,
    faults: Vec<String>,
}

impl Found {
    /// The shaders of a device's plans, with their turns.
    fn of(device: &Device, unrolled: i64) -> Found {
        let mut found = Found { unrolled, ..Found::default() };
        for len in lengths() {
            of_length(device, len, |plan, what| found.plan(&plan, device, what));
        }
        found
    }

    fn plan(&mut self, plan: &Plan, device: &Device, what: &str) {
        for pass in plan.passes() {
            let mut uniforms = numbers(pass);
            if let Command::Dispatch(dispatch) = &pass.command {
                uniforms.insert("u_groups", dispatch.groups as i64);
            }
            let dialect = pass.dialect(device.api, plan.slots());
            for shader in pass.shaders() {
                let key = (shader.path().to_owned(), dialect, pass.item.clone(), pass.defines());
                let (parsed, counted) = self.shaders.entry(key).or_insert_with(|| {
                    let text = expand(shader, dialect, &pass.item, &pass.defines()).unwrap().source;
                    (glsl::Shader::new(&text), HashSet::new())
                });
                let mut used: Vec<_> = uniforms.iter().map(|(name, value)| (*name, *value)).collect();
                used.retain(|(name, _)| parsed.states(name));
                used.sort_unstable();
                if !counted.insert(used) {
                    continue;
                }
                match parsed.turns(&uniforms, self.unrolled) {
                    Ok(turns) => {
                        let most = self.most.entry(shader.path().to_owned()).or_default();
                        if turns > most.0 {
                            *most = (turns, format!("{what}, {}", device.renderer));
                        }
                    }
                    Err(fault) => {
                        let fault = format!("{}: {fault}", shader.path());
                        if !self.faults.contains(&fault) {
                            self.faults.push(fault);
                        }
                    }
                }
            }
        }
    }
}

/// The uniforms of a pass that are numbers.
fn numbers(pass: &Pass) -> HashMap<&'static str, i64> {
    let uniforms = match &pass.command {
        Command::Draw(draw) => &draw.uniforms,
        Command::Dispatch(dispatch) => &dispatch.uniforms,
        _ => unreachable!("a third kind of pass"),
    };
    let number = |(name, uniform): &(&'static str, Uniform)| match uniform {
        Uniform::Int(value) => Some((*name, i64::from(*value))),
        _ => None,
    };
    uniforms.iter().filter_map(number).collect()
}

/// Devices on which shaders run on a CPU: with compute shaders and with textures alone, by a driver that unrolls short loops
/// and by one that unrolls none.
fn devices() -> impl Iterator<Item = (Device, i64)> {
    let renderers = [("llvmpipe", 8), ("virgl (llvmpipe)", 0)];
    renderers.into_iter().flat_map(|(renderer, unrolled)| {
        [Device::gl43(), Device::gl33()]
            .map(|device| (Device { software: true, renderer: renderer.into(), ..device }, unrolled))
    })
}

/// The nightly form has more of them.
fn lengths() -> impl Iterator<Item = u64> {
    let step = if std::env::var_os("RASTERSCAN_EVERY_LENGTH").is_some() { 5 } else { 10 };
    (0..=30).step_by(step).map(|log2| 1u64 << log2)
}

#[test]
fn no_invocation_makes_too_many_turns() {
    let all: Vec<Found> = std::thread::scope(|scope| {
        let of = |(device, unrolled)| scope.spawn(move || Found::of(&device, unrolled));
        let running: Vec<_> = devices().map(of).collect();
        running.into_iter().map(|one| one.join().unwrap()).collect()
    });
    let mut most: BTreeMap<&String, &(u64, String)> = BTreeMap::new();
    for found in &all {
        assert_eq!(found.faults, [""; 0]);
        for (path, own) in &found.most {
            let known = most.entry(path).or_insert(own);
            *known = if own.0 > known.0 { own } else { known };
        }
    }
    for (path, (turns, what)) in &most {
        println!("{turns:>6} {path}: {what}");
    }
    let too_many: Vec<_> = most.iter().filter(|(_, own)| own.0 > MOST).collect();
    assert!(too_many.is_empty(), "{too_many:#?}");
    assert!(most.len() > 60, "only {} shaders", most.len());
}
