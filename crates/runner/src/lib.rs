//! The matrix of conformance: the same cases for every algorithm of the registry, on every level of OpenGL.
//!
//! [`scan::Runner`] and [`compaction::CompactRunner`] run a case with an algorithm and check the result against the
//! reference. If it is wrong, they find the first wrong pass by the kernels of all shaders, and print the command
//! that reproduces it. [`harness`] runs tests in processes, on levels of OpenGL to which Mesa is limited. [`screen`] has a
//! display for windows.

#![forbid(unsafe_code)]

pub mod addresses;
pub mod compaction;
pub mod data;
pub mod documents;
pub mod harness;
pub mod kernels;
pub mod plans;
pub mod preprocessor;
pub mod rerecorded;
pub mod scan;
pub mod screen;
pub mod tiles;

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use rasterscan::tools::job::{Job, Source};
use rasterscan::tools::registry::{self, Card, Choice};
use rasterscan::{
    Api, Gpu,
    tools::{Problem, Request},
};

/// The variants on the cards of a problem, as after `-a`: those that change the path through the code, or with
/// `further` those that do not and are slow to compile. Only of the wanted cards. Each text is made once and kept.
pub fn variants(
    problem: &'static Problem,
    side_input: bool,
    wanted: impl Fn(&Card) -> bool,
) -> Vec<&'static str> {
    static MADE: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let kept = |text: String| -> &'static str {
        let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
        match made.get(text.as_str()) {
            Some(known) => known,
            None => {
                let text: &'static str = text.leak();
                made.insert(text);
                text
            }
        }
    };
    let cards = registry::of(problem).filter(|card| wanted(card));
    let texts = cards.flat_map(|card| {
        let own = if side_input { card.variants.some } else { card.variants.all };
        own.iter().map(|variant| match *variant {
            "" => card.name.to_owned(),
            variant => format!("{}:{variant}", card.name),
        })
    });
    texts.map(kept).collect()
}

/// The command that runs a request on the numbers of a file, with further streams as options.
pub(crate) fn command(
    request: &Request,
    algorithm: &str,
    file: PathBuf,
    beside: &[(&str, PathBuf)],
) -> String {
    let mut job = Job { element: Some(request.element()), ..Job::of(request, Source::File(file)) };
    if let Ok(choice) = Choice::parse(request.problem(), algorithm) {
        job = job.by(choice);
    }
    for (name, file) in beside {
        if let Some(option) = request.problem().option(name) {
            job.options = job.options.with_stream(option, Source::File(file.clone()));
        }
    }
    format!("rasterscan {job}")
}

thread_local! {
    static GPU: OnceCell<Gpu> = const { OnceCell::new() };
}

/// The context that all tests of a worker share, with its compiled programs.
pub fn gpu() -> Gpu {
    GPU.with(|gpu| gpu.get_or_init(own_gpu).clone())
}

/// A headless context of the caller's own. `RASTERSCAN_LEVEL` names the level of OpenGL under test; a context of
/// another level panics, because it would test nothing.
pub fn own_gpu() -> Gpu {
    let gpu = Gpu::headless().expect("the tests need a GL device");
    let device = gpu.device();
    match std::env::var("RASTERSCAN_LEVEL").as_deref() {
        Ok("gl33") => {
            assert_eq!((device.api, device.version), (Api::Gl, (3, 3)), "not the level under test");
            assert!(device.compute.is_none(), "OpenGL 3.3 with compute shaders is not the level under test");
        }
        Ok("gles30") => {
            assert_eq!((device.api, device.version), (Api::Gles, (3, 0)), "not the level under test");
            assert!(device.compute.is_none(), "ES 3.0 with compute shaders is not the level under test");
        }
        Ok("softpipe") => assert_eq!(device.renderer, "softpipe", "not the driver under test"),
        Ok("native") | Err(_) => {}
        Ok(other) => panic!("RASTERSCAN_LEVEL={other} is none of native, gl33, gles30, softpipe"),
    }
    gpu
}
