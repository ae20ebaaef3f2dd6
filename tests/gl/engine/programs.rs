//! Binaries of programs: kept by one context, taken by another, and never trusted.

use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

use glow::HasContext;
use rasterscan::tools::problem::SCAN;
use rasterscan::tools::registry::Choice;
use rasterscan::{Gpu, ScanSpec, gl::ProgramCache, scan};

/// Names and bytes, and how often each name was asked for.
#[derive(Debug, Default, Clone)]
struct Memory(Rc<RefCell<Kept>>);

#[derive(Debug, Default)]
struct Kept {
    bytes: HashMap<String, Vec<u8>>,
    /// About the driver, which are no programs: `trials.rs`.
    answers: HashMap<String, Vec<u8>>,
    found: u32,
    kept: u32,
}

impl ProgramCache for Memory {
    fn find(&self, name: &str) -> Option<Vec<u8>> {
        let mut kept = self.0.borrow_mut();
        if let Some(answer) = kept.answers.get(name) {
            return Some(answer.clone());
        }
        let bytes = kept.bytes.get(name).cloned();
        kept.found += u32::from(bytes.is_some());
        bytes
    }

    fn keep(&self, name: &str, bytes: &[u8]) {
        let mut kept = self.0.borrow_mut();
        if bytes.starts_with(b"rsanswer/") {
            kept.answers.insert(name.into(), bytes.to_vec());
            return;
        }
        kept.kept += 1;
        kept.bytes.insert(name.into(), bytes.to_vec());
    }
}

impl Memory {
    /// The numbers of names that were found, and of those that were kept, since the last question.
    fn counts(&self) -> (u32, u32) {
        let mut kept = self.0.borrow_mut();
        (std::mem::take(&mut kept.found), std::mem::take(&mut kept.kept))
    }

    /// Changes the binaries, and makes their checks right again: `src/gl/binaries.rs`.
    fn resign(&self, change: impl Fn(&mut [u8])) {
        for (name, bytes) in &mut self.0.borrow_mut().bytes {
            let (head, binary) = bytes.split_at_mut(20);
            change(binary);
            let format = u32::from_le_bytes(head[8..12].try_into().unwrap());
            let mut hasher = DefaultHasher::new();
            (name.as_str(), format, &*binary).hash(&mut hasher);
            head[12..].copy_from_slice(&hasher.finish().to_le_bytes());
        }
    }

    fn change(&self, change: impl Fn(&mut Vec<u8>)) {
        self.0.borrow_mut().bytes.values_mut().for_each(change);
    }
}

/// The numbers of programs that the algorithms of a new context have, and that the cache has found and kept.
fn runs(memory: &Memory) -> (u32, u32, u32) {
    // With the level of this process, which the environment says.
    let gpu = Gpu::headless().unwrap();
    gpu.set_program_cache(memory.clone()).unwrap();
    let data: Vec<u32> = (0..1000).map(|i| i * i % 251).collect();
    let compiled = Rc::new(RefCell::new(0));
    let counter = Rc::clone(&compiled);
    gpu.on_compile(move |name| *counter.borrow_mut() += u32::from(name.is_some()));
    for name in ["horn", "packed", "three_phase", "look_back"] {
        let choice = Choice::parse(SCAN, name).unwrap();
        if choice.card.supported(gpu.device()).is_err() {
            continue;
        }
        let spec = ScanSpec::new::<u32>(data.len());
        let plan = choice.plan(&spec, gpu.device()).unwrap().unwrap();
        let mut prepared = gpu.prepare(&plan).unwrap();
        let input = prepared.upload(&data).unwrap();
        let sums: Vec<u32> = prepared.run(&input).unwrap().read().unwrap();
        assert!(sums == scan::sequential(&spec, &data).unwrap(), "{name} is wrong");
    }
    let (found, kept) = memory.counts();
    let programs = *compiled.borrow();
    (programs, found, kept)
}

fn binaries_are_kept_and_found() {
    let memory = Memory::default();
    let (programs, found, kept) = runs(&memory);
    assert!(programs >= 2 && found == 0);
    if kept == 0 {
        println!("not applicable: this driver gives no binaries");
        return;
    }
    assert_eq!(kept, programs);
    assert_eq!(runs(&memory), (programs, programs, 0), "all are found, and nothing is kept anew");
    // Damaged ones are compiled, and kept anew.
    memory.change(|bytes| {
        let middle = bytes.len() / 2;
        bytes[middle] ^= 0x10;
    });
    assert_eq!(runs(&memory), (programs, programs, programs), "damaged");
    memory.change(|bytes| bytes.truncate(30));
    assert_eq!(runs(&memory), (programs, programs, programs), "cut off");
    memory.change(Vec::clear);
    assert_eq!(runs(&memory), (programs, programs, programs), "empty");
    assert_eq!(runs(&memory), (programs, programs, 0), "mended");
    // Those that the driver refuses, too.
    memory.resign(|binary| binary.iter_mut().for_each(|byte| *byte ^= 0x55));
    assert_eq!(runs(&memory), (programs, programs, programs), "refused");
    assert_eq!(runs(&memory), (programs, programs, 0), "mended again");
}

/// Texts that are wrong are as they were: the file and the line are named, and nothing is left behind.
fn errors_leave_no_program_behind() {
    use rasterscan::plan::Shader;
    let gpu = Gpu::headless().unwrap();
    gpu.set_program_cache(Memory::default()).unwrap();
    let plan = Choice::parse(SCAN, "packed").unwrap().plan(&ScanSpec::new::<u32>(100_000), gpu.device());
    let plan = plan.unwrap().unwrap();
    let last = plan.passes().last().unwrap().main_shader().path().to_owned();
    let broken = plan.clone().with_shaders(|shader: &Shader| match shader.path() == last {
        true => Shader::new("broken.frag", "void main() { nonsense; }"),
        false => shader.clone(),
    });
    let programs = || {
        // The names of programs that there are.
        let known = |id: u32| {
            let id = glow::NativeProgram(std::num::NonZeroU32::new(id).unwrap());
            gpu.with_current(|gl| unsafe { gl.is_program(id) }).unwrap()
        };
        (1..200).filter(|id| known(*id)).count()
    };
    let counts = [(); 3].map(|()| {
        let error = gpu.prepare(&broken).unwrap_err();
        assert!(error.to_string().contains("broken.frag"), "{error}");
        programs()
    });
    assert_eq!(counts, [counts[0]; 3], "programs that are left behind");
    let later = || {
        let mut preparing = gpu.prepare_later(&broken)?;
        while preparing.poll()?.is_none() {}
        Ok::<_, rasterscan::Error>(())
    };
    // A debug context complains where the programs are started, before their errors are asked for.
    let error = later().unwrap_err().to_string();
    assert!(error.contains("nonsense"), "{error}");
    drop(gpu.prepare_later(&plan).unwrap());
    assert_eq!(programs(), counts[0], "programs that are left behind");
    gpu.prepare(&plan).unwrap();
}

/// A plan that is prepared in pieces is the same; two that share programs, too.
fn a_plan_is_prepared_without_waiting() {
    let gpu = Gpu::headless().unwrap();
    let data: Vec<u32> = (0..1000).map(|i| i * i % 251).collect();
    let spec = ScanSpec::new::<u32>(data.len());
    let plan = Choice::parse(SCAN, "packed").unwrap().plan(&spec, gpu.device()).unwrap().unwrap();
    let mut preparing = [(); 2].map(|()| gpu.prepare_later(&plan).unwrap());
    for preparing in &mut preparing {
        let mut prepared = loop {
            if let Some(prepared) = preparing.poll().unwrap() {
                break prepared;
            }
        };
        let input = prepared.upload(&data).unwrap();
        let sums: Vec<u32> = prepared.run(&input).unwrap().read().unwrap();
        assert_eq!(sums, scan::sequential(&spec, &data).unwrap());
    }
}

crate::tests![
    binaries_are_kept_and_found,
    errors_leave_no_program_behind,
    a_plan_is_prepared_without_waiting,
];
