//! The saved runs of the app match what the shaders do today, and are shown if algorithms cannot run.
//!
//! `UPDATE_SNAPSHOTS=1 cargo test --test app saved` rewrites them.

use std::io::Write;
use std::path::Path;

use rasterscan::Gpu;
use rasterscan::Job;
use rasterscan::registry::{self, Era};
use rasterscan::trace::Recording;
use rasterscan_app::App;
use rasterscan_app::engine::{Engine, GpuEngine, NoGpu};
use rasterscan_app::job::{self, Load, Settled};
use rasterscan_app::saved;

fn settle(job: &Job) -> Settled {
    let mut load: Load = Box::new(|path, _, _| Err(format!("no file {}", path.display())));
    job::settle(job, &mut load).unwrap()
}

/// A recording without what differs between runs and drivers.
fn bare(mut recording: Recording) -> Recording {
    recording.device = "llvmpipe".into();
    recording.clock = None;
    recording.passes.iter_mut().for_each(|pass| pass.time = None);
    recording
}

/// A pass without what depends on the order of work groups: which group did what, and what it found published. Such a
/// pass reads states or takes tickets.
fn settled(mut recording: Recording) -> Recording {
    let outputs = recording.outputs.clone();
    for pass in &mut recording.passes {
        let [states, ticket] =
            ["STATES", "TICKET"].map(|name| pass.sources.iter().any(|source| source.name == name));
        // Groups that take turns do the same in every run.
        if pass.defines.iter().any(|(name, _)| name == "IN_TURNS") {
            continue;
        }
        if states || ticket {
            pass.states.clear();
            (pass.reads, pass.writes, pass.shared) = (Vec::new(), None, Vec::new());
            pass.written.iter_mut().for_each(|written| *written = None);
        }
        if states {
            let others = pass.targets.iter_mut().filter(|target| !outputs.contains(&target.stream));
            others.for_each(|target| target.values.words_mut().fill(0));
        }
    }
    recording
}

#[test]
fn saved_runs_are_what_the_shaders_do_today() {
    let mut runner = GpuEngine(Gpu::headless().unwrap());
    if !runner.device().contains("llvmpipe") || runner.0.device().compute.is_none() {
        println!(
            "not applicable: they were made with llvmpipe and compute shaders, not with {}",
            runner.device()
        );
        return;
    }
    let made: Vec<Recording> =
        saved::jobs().iter().map(|job| bare(runner.run(&settle(job)).unwrap().unwrap())).collect();
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../app/assets/traces.jsonl.gz");
        let file = std::fs::File::create(path).unwrap();
        let mut file = flate2::write::GzEncoder::new(file, flate2::Compression::best());
        made.iter().for_each(|recording| file.write_all(&recording.to_json().unwrap()).unwrap());
        file.finish().unwrap();
        return;
    }
    let saved = saved::traces().unwrap();
    assert_eq!(saved.len(), made.len());
    for (saved, made) in saved.iter().zip(made) {
        let saved = settled(Recording::from_json(saved.as_bytes()).unwrap());
        let made = settled(made);
        let says = "UPDATE_SNAPSHOTS=1 rewrites them";
        assert!(saved == made, "the saved run of {} differs from a run today: {says}", made.algorithm);
    }
}

#[test]
fn where_nothing_can_be_run_each_algorithm_has_a_saved_run() {
    for card in registry::all() {
        let source = rasterscan_app::job::digits(card.problem).with_len(30);
        let job = Job::new(card.problem, source).by(card.with_defaults());
        let found = saved::like(&settle(&job));
        assert_eq!(found.is_some(), card.era != Era::Cpu, "{}", card.name);
        let Some(found) = found else { continue };
        assert!(found.algorithm.starts_with(card.name), "{} is shown for {}", found.algorithm, card.name);
        let mut app = App::new(Box::new(NoGpu("there is none".into())));
        app.ask(job);
        assert!(app.wrong().is_none() && app.instead().unwrap().contains("there is none"));
        assert_eq!(app.recording().unwrap().algorithm, found.algorithm);
    }
}

#[test]
fn the_very_run_that_was_asked_for_is_found_where_it_was_saved() {
    for (job, trace) in saved::jobs().iter().zip(saved::traces().unwrap()) {
        let saved = Recording::from_json(trace.as_bytes()).unwrap();
        assert!(saved::like(&settle(job)) == Some(saved), "{job}");
    }
}
