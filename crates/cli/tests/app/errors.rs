//! Errors appear in the window, beside their cause, and the current run stays.

use rasterscan::tools::Job;
use rasterscan::tools::registry::Card;
use rasterscan::trace::Recording;
use rasterscan_app::App;
use rasterscan_app::engine::Engine;
use rasterscan_app::job::{Field, Resolved};

use super::{Stage, compact, scan};

/// Asks for something that fails.
fn refused(job: Job) -> Stage {
    let mut stage = Stage::new();
    stage.harness.state_mut().ask(job);
    stage.harness.run();
    stage
}

#[test]
fn a_text_that_is_no_number_is_named_and_the_last_run_stays() {
    let stage = refused(Job::parse(["scan", "values:3 1 x", "-a", "hybrid"]).unwrap());
    assert!(stage.says("'x' (number 2, counted from 0) is not a valid u32"));
    assert_eq!(stage.app().wrong().unwrap().field, Field::Input);
    assert_eq!(stage.algorithm(), "horn");
}

#[test]
fn too_many_items_are_cut_and_that_is_said() {
    let stage = refused(scan("horn", 1_000_000));
    assert_eq!(stage.app().recording().unwrap().request.len(), 4096);
    assert!(stage.says("1000000 items are too many to show: using 4096"));
}

#[test]
fn what_cannot_be_run_is_said_in_the_picture() {
    let words = ["scan", "ones:n=16", "-a", "horn", "--op", "xor", "--dtype", "f32"];
    let xor = Job::parse(words).unwrap();
    assert!(refused(xor).says("the operator 'xor' works on integers"));
    let keep = compact("horn", 16);
    let options = keep.options.with_text(keep.problem.option("keep").unwrap(), "bright");
    let keep = Job { options, ..keep };
    assert!(refused(keep).says("'bright' is not a condition"));
    let one = refused(scan("sequential", 16));
    assert!(one.says("runs on the CPU"), "a run that fails says why");
}

/// A device without what is asked for.
struct Nothing;

impl Engine for Nothing {
    fn run(&mut self, _: &Resolved) -> Result<Option<Recording>, String> {
        Err("there are no compute shaders".into())
    }

    fn unsupported(&mut self, _: &Card) -> Option<String> {
        Some("there are no compute shaders".into())
    }

    fn device(&self) -> String {
        "a poor one".into()
    }
}

#[test]
fn what_a_device_cannot_run_kernels_run() {
    let app = App::new(Box::new(Nothing));
    let mut harness = egui_kittest::Harness::builder()
        .with_size([900.0, 600.0])
        .build_ui_state(|ui, app: &mut App| app.ui(ui), app);
    harness.run();
    let says = |harness: &egui_kittest::Harness<App>, text: &str| {
        use egui_kittest::kittest::Queryable;
        harness.query_all_by_label_contains(text).next().is_some()
    };
    assert!(says(&harness, "there are no compute shaders. Kernels in Rust run it here instead"));
    assert!(harness.state().recording().unwrap().device.starts_with("kernels in Rust"));
    assert!(says(&harness, "horn, pass 0 of 4"), "a run of sixteen items is there");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("run.json");
    Stage::new().app().recording().unwrap().save(&file).unwrap();
    harness.state_mut().open_trace(&file).unwrap();
    harness.run();
    assert!(says(&harness, "horn, pass 0 of 4"));
}

#[test]
fn a_damaged_trace_is_refused_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("run.json");
    let mut stage = Stage::new();
    for (text, expected) in [("{", "run.json"), ("[1, 2]", "run.json"), ("", "run.json")] {
        std::fs::write(&file, text).unwrap();
        let error = stage.harness.state_mut().open_trace(&file).unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
    assert!(stage.harness.state_mut().open_trace(&folder.path().join("none.json")).is_err());
    assert_eq!(stage.algorithm(), "horn", "the current run stays");
}

#[test]
fn every_size_and_scale_is_drawn_without_a_panic() {
    for (size, scale) in [
        ([320.0, 240.0], 1.0),
        ([320.0 / 3.0, 80.0], 3.0),
        ([60.0, 40.0], 1.0),
        ([2000.0, 100.0], 1.5),
        ([100.0, 1500.0], 1.0),
    ] {
        for job in [scan("horn", 16), scan("horn", 0), compact("blocks", 16), scan("sam", 4096)] {
            let mut stage = Stage::with(size, scale, egui::Theme::Dark, |app| app.ask(job));
            stage.press(egui::Key::End).press(egui::Key::S).press(egui::Key::Questionmark);
            stage.harness.run();
        }
    }
}

#[test]
fn a_small_window_shows_the_picture_first_and_then_one_panel_at_a_time() {
    let mut stage = Stage::of([320.0, 240.0]);
    assert!(stage.says("horn, pass 0 of 4") && !stage.says("Algorithm"));
    stage.click("Run: Controls of the run");
    assert!(stage.says("Algorithm") && !stage.says("horn, pass 0 of 4"));
    stage.click("Explain: About this pass");
    assert!(!stage.says("Algorithm"));
    stage.click("Explain: About this pass");
    assert!(stage.says("horn, pass 0 of 4"));
    // On a monitor of scale 3, 107 points become as many as before.
    let stage = Stage::with([320.0 / 3.0, 80.0], 3.0, egui::Theme::Light, |_| ());
    assert!(stage.harness.ctx.pixels_per_point() < 1.1);
}
