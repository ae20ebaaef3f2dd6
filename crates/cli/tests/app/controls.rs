//! The controls: a choice runs once, typed text runs when the typing stops, and the picture follows.

use egui::Key;
use egui_kittest::kittest::Queryable;
use rasterscan::tools::Numbers;
use rasterscan::tools::problem::SCAN;
use rasterscan::tools::registry::{self, Era};
use rasterscan::trace::Place;
use rasterscan::{ElementType, ScanSpec, tools::Job};
use rasterscan_app::App;
use rasterscan_app::engine::KernelEngine;
use rasterscan_app::job::Loaded;
use rasterscan_picture::Spot;

use super::{Stage, compact, scan};

#[test]
fn an_algorithm_is_chosen_from_the_registry() {
    let mut stage = Stage::new();
    stage.click("Algorithm");
    for card in registry::of(SCAN).filter(|card| card.era != Era::Cpu) {
        assert!(stage.harness.query_all_by_label(card.name).next().is_some(), "{} is missing", card.name);
    }
    stage.click("blelloch");
    assert!(
        stage.algorithm().starts_with("hybrid") || stage.algorithm() == "blelloch",
        "{}",
        stage.algorithm()
    );
    assert_eq!(*stage.runs.borrow(), ["horn", "blelloch"], "each once");
}

#[test]
fn another_problem_has_its_own_controls() {
    let mut stage = Stage::new();
    stage.click("Compact");
    assert_eq!(stage.runs.borrow().len(), 2);
    assert!(stage.says("Condition") && stage.harness.query_by_label("exclusive").is_none());
    stage.click("mask");
    assert_eq!(stage.runs.borrow().len(), 3);
    let kept = stage.app().recording().unwrap().inputs.len();
    assert_eq!(kept, 2, "the values and the mask");
}

#[test]
fn what_is_typed_is_run_when_it_rests() {
    let mut stage = Stage::showing(compact("points", 16));
    stage.harness.get_by_label("Condition").focus();
    stage.harness.run();
    let before = stage.runs.borrow().len();
    stage.press(Key::End);
    for key in [Key::Backspace; 7] {
        stage.press(key);
    }
    stage.harness.get_by_label("Condition").type_text(">4");
    stage.wait(0.3);
    assert_eq!(stage.runs.borrow().len(), before, "not yet");
    stage.wait(0.6);
    assert_eq!(stage.runs.borrow().len(), before + 1);
    assert!(stage.app().recording().unwrap().request.to_string().contains("keeping >4"));
}

/// In any state, a frame asks for another only while something moves.
#[test]
fn nothing_is_run_and_nothing_drawn_while_nothing_happens() {
    type Deed = fn(&mut Stage);
    let cases: [(&str, Deed); 8] = [
        ("as it begins", |_| ()),
        ("in the tour", |stage| {
            stage.press(Key::T);
        }),
        ("side by side", |stage| {
            stage.press(Key::S);
        }),
        ("with the legend", |stage| {
            stage.press(Key::Questionmark);
        }),
        ("at the end", |stage| {
            stage.press(Key::End);
        }),
        ("after playing", |stage| {
            stage.press(Key::Plus).press(Key::Plus).press(Key::Plus);
            stage.harness.key_press(Key::Space);
            stage.wait(2.0);
        }),
        ("with banks", |stage| {
            stage.harness.state_mut().ask(scan("capannini:block=32", 32));
            stage.press(Key::End);
        }),
        ("with a run that failed", |stage| stage.harness.state_mut().ask(scan("sequential", 16))),
    ];
    for (when, deed) in cases {
        let mut stage = Stage::new();
        deed(&mut stage);
        stage.harness.run();
        let runs = stage.runs.borrow().len();
        for _ in 0..20 {
            stage.harness.step();
            let waits =
                stage.harness.output().viewport_output.values().map(|viewport| viewport.repaint_delay);
            let wait = waits.min().unwrap();
            assert!(wait > std::time::Duration::from_secs(3600), "{when} it asks for a frame in {wait:?}");
        }
        assert_eq!(stage.runs.borrow().len(), runs, "{when}");
    }
}

#[test]
fn what_was_done_is_said_for_a_while() {
    let mut stage = Stage::new();
    stage.click("File").click("Copy the command line");
    assert!(stage.says("copied: rasterscan app"));
    stage.wait(5.0);
    assert!(stage.says("copied: "));
    stage.wait(5.0);
    assert!(!stage.says("copied: "));
    let waits = stage.harness.output().viewport_output.values().map(|viewport| viewport.repaint_delay);
    assert!(waits.min().unwrap() > std::time::Duration::from_secs(3600));
}

/// Opens a list by its name and picks something.
fn pick(stage: &mut Stage, list: &str, what: &str) {
    stage.click(list).click(what);
}

/// Replaces the text of a field, by its name.
fn fill(stage: &mut Stage, field: &str, text: &str) {
    // A number becomes a field once it is clicked.
    stage.click(field);
    stage.harness.key_press_modifiers(egui::Modifiers::COMMAND, Key::A);
    stage.harness.run();
    stage.harness.event(egui::Event::Text(text.into()));
    stage.harness.run();
    stage.press(Key::Enter).wait(0.6);
}

#[test]
fn every_control_of_a_scan_changes_the_run() {
    let mut stage = Stage::new();
    let request = |stage: &Stage| stage.app().recording().unwrap().request.to_string();
    assert_eq!(request(&stage), "inclusive add scan of 16 u32");
    pick(&mut stage, "op", "max");
    stage.click("exclusive");
    pick(&mut stage, "Element", "i64");
    fill(&mut stage, "n", "21");
    assert_eq!(request(&stage), "exclusive max scan of 21 i64");
    // Rare options are folded, unless they are set.
    assert!(!stage.says("order"));
    stage.click("More options");
    fill(&mut stage, "order", "3");
    fill(&mut stage, "tuple", "2");
    // Whole tuples.
    let recording = stage.app().recording().unwrap();
    let spec: &ScanSpec = recording.request.get().expect("a scan");
    assert_eq!((spec.order, spec.tuple, spec.len), (3, 2, 20));
    let numbers = |stage: &Stage| {
        let recording = stage.app().recording().unwrap();
        (0..4).map(|i| recording.inputs[0].values.decimal(i).parse().unwrap()).collect::<Vec<i64>>()
    };
    let before = numbers(&stage);
    fill(&mut stage, "Seed", "8");
    assert_ne!(numbers(&stage), before);
    fill(&mut stage, "Maximum", "1");
    assert!(numbers(&stage).iter().all(|number| *number <= 1));
    pick(&mut stage, "Algorithm", "hybrid");
    assert_eq!(stage.algorithm(), "hybrid:reduce=2", "a small one");
    pick(&mut stage, "reduce", "1");
    assert_eq!(stage.algorithm(), "hybrid:reduce=1");
}

#[test]
fn numbers_come_from_patterns_from_the_keyboard_and_from_files() {
    let mut stage = Stage::with([1280.0, 800.0], 1.0, egui::Theme::Light, |app| {
        let app_with_files = std::mem::replace(app, App::new(Box::new(KernelEngine)));
        *app = app_with_files.with_files(Box::new(|path, element, _| {
            let name = path.display().to_string();
            let numbers = Numbers::parse(element, "5 6 7").map_err(|error| error.to_string())?;
            if name == "a.npy" {
                Ok(Loaded { numbers, note: None })
            } else {
                Err(format!("cannot read {name}"))
            }
        }));
    });
    let numbers = |stage: &Stage| {
        let recording = stage.app().recording().unwrap();
        let values = &recording.inputs[0].values;
        (0..values.len()).map(|i| values.decimal(i)).collect::<Vec<String>>().join(" ")
    };
    pick(&mut stage, "Kind of data", "pattern: spike");
    assert_eq!(numbers(&stage), "0 0 0 0 0 0 0 0 1 0 0 0 0 0 0 0");
    pick(&mut stage, "Kind of data", "typed in");
    stage.harness.get_by_label("Numbers").focus();
    stage.harness.run();
    stage.harness.key_press_modifiers(egui::Modifiers::COMMAND, Key::A);
    stage.harness.run();
    stage.harness.event(egui::Event::Text("4 x 2".into()));
    stage.wait(0.6);
    assert!(stage.says("'x' (number 1, counted from 0) is not a valid u32"), "the error is shown beside it");
    stage.harness.key_press_modifiers(egui::Modifiers::COMMAND, Key::A);
    stage.harness.run();
    stage.harness.event(egui::Event::Text("4, 0 2".into()));
    stage.wait(0.6);
    assert_eq!(numbers(&stage), "4 0 2");
    pick(&mut stage, "Kind of data", "a file or an image");
    stage.harness.get_by_label("File of numbers").focus();
    stage.harness.run();
    stage.harness.event(egui::Event::Text("b.npy".into()));
    stage.wait(0.6);
    assert!(stage.says("cannot read b.npy"));
    stage.harness.key_press_modifiers(egui::Modifiers::COMMAND, Key::A);
    stage.harness.run();
    stage.harness.event(egui::Event::Text("a.npy".into()));
    stage.wait(0.6);
    assert_eq!(numbers(&stage), "5 6 7");
}

/// Dragging a number passes through many values, not all of which run.
#[test]
fn a_number_that_is_dragged_is_run_when_it_rests() {
    let mut stage = Stage::new();
    let at = stage.harness.get_by_label("Seed").rect().center();
    stage.harness.drag_at(at);
    for step in 1..=20 {
        stage.harness.hover_at(at + egui::vec2(10.0 * step as f32, 0.0));
        stage.harness.step();
    }
    assert_eq!(stage.runs.borrow().len(), 1, "not while it is dragged");
    stage.harness.drop_at(at + egui::vec2(200.0, 0.0));
    stage.wait(0.6);
    assert_eq!(stage.runs.borrow().len(), 2);
}

#[test]
fn pointing_at_a_texel_says_what_it_is_made_of() {
    let mut stage = Stage::new();
    stage.press(Key::ArrowRight);
    let pane = stage.harness.get_by_label("horn, pass 1 of 4").rect();
    // The row of results is somewhere in the lower half.
    let found = (0..60).map(|step| pane.top() + pane.height() * step as f32 / 60.0).find(|y| {
        stage.harness.hover_at(egui::pos2(pane.center().x + 20.0, *y));
        stage.wait(0.5);
        stage.says("] + input[") && stage.says("hex")
    });
    assert!(found.is_some(), "no item shows its sources");
    assert!(stage.says("value") && stage.says("hex"));
    stage.harness.remove_cursor();
    stage.wait(0.5);
    assert!(!stage.says("hex"));
}

#[test]
fn the_wheel_zooms_and_two_clicks_fit() {
    let mut stage = Stage::new();
    let pane = stage.harness.get_by_label("horn, pass 0 of 4").rect();
    stage.harness.hover_at(pane.center());
    stage.harness.event(egui::Event::MouseWheel {
        unit: egui::MouseWheelUnit::Point,
        delta: egui::vec2(0.0, 60.0),
        phase: egui::TouchPhase::Move,
        modifiers: egui::Modifiers::NONE,
    });
    stage.wait(0.5);
    let zoomed = stage.app().view.cameras[0].zoom.expect("zoomed");
    assert!(zoomed > 40.0, "{zoomed}");
    stage.press(Key::F);
    assert_eq!(stage.app().view.cameras[0].zoom, None);
}

#[test]
fn a_command_line_leads_to_what_is_shown() {
    let job = scan("packed:block=4", 40);
    let options = job.options.set(job.problem.options, "scan", "op", "max").unwrap();
    let mut stage = Stage::showing(Job { element: Some(ElementType::I64), options, ..job });
    stage.press(Key::ArrowRight);
    let expected =
        "rasterscan app scan random:n=40,seed=7,max=9 -a packed:block=4 --op max --dtype i64 --pass 1";
    assert_eq!(stage.app().command(), expected);
    stage.harness.get_by_label("File").click();
    stage.harness.run();
    stage.harness.get_by_label("Copy the command line").click();
    // The shell's commands are gone in the next frame.
    let mut copied = Vec::new();
    for _ in 0..4 {
        stage.harness.step();
        let commands = &stage.harness.output().platform_output.commands;
        copied.extend(commands.iter().filter_map(|command| match command {
            egui::OutputCommand::CopyText(text) => Some(text.clone()),
            _ => None,
        }));
    }
    assert_eq!(copied, [expected]);
}

#[test]
fn a_texel_that_was_clicked_keeps_its_arrows_until_another_pass() {
    let mut stage = Stage::new();
    stage.press(Key::ArrowRight);
    let spot = Spot { source: false, place: Place { of: 0, index: 9 } };
    let at = stage.app().rect_of(0, spot).unwrap().center();
    for kept in [Some(spot), None, Some(spot)] {
        stage.harness.hover_at(at);
        stage.harness.drag_at(at);
        stage.harness.drop_at(at);
        stage.harness.run();
        assert_eq!(stage.app().view.cameras[0].pinned_at(1), kept);
    }
    stage.press(Key::ArrowRight);
    assert_eq!(stage.app().view.cameras[0].pinned_at(2), None);
    stage.press(Key::ArrowLeft).press(Key::Escape);
    assert_eq!(stage.app().view.cameras[0].pinned_at(1), None);
}

#[test]
fn the_picture_is_dragged() {
    let mut stage = Stage::new();
    let pane = stage.harness.get_by_label("horn, pass 0 of 4").rect();
    stage.harness.drag_at(pane.center());
    stage.harness.run();
    stage.harness.hover_at(pane.center() + egui::vec2(50.0, 20.0));
    stage.harness.run();
    stage.harness.drop_at(pane.center() + egui::vec2(50.0, 20.0));
    stage.harness.run();
    assert!(stage.app().view.cameras[0].pan.length() > 30.0, "{:?}", stage.app().view.cameras[0].pan);
    stage.press(Key::F);
    assert_eq!(stage.app().view.cameras[0].pan, egui::Vec2::ZERO);
}

#[test]
fn the_picture_looks_as_the_menu_says() {
    let mut stage = Stage::new();
    stage.click("View").click("Arrows of all reads");
    assert!(!stage.app().view.arrows);
    stage.press(Key::Escape);
    assert!(!stage.says("Arrows of all reads"), "esc closes a menu");
    stage.click("View").click("Rows that fit");
    assert!(!stage.app().view.fitted);
    stage.press(Key::Escape).click("View").click_on("Colours").click("of each stream");
    assert_eq!(stage.app().view.range.word(), "stream");
    stage.press(Key::Escape).click("View").click_on("One pixel per number");
    assert_eq!(stage.app().view.cameras[0].zoom, Some(1.0));
    stage.press(Key::Escape).click("View").click_on("Fit the picture");
    assert_eq!(stage.app().view.cameras[0].zoom, None);
}

#[test]
fn side_by_side_both_are_of_the_same_numbers() {
    let mut stage = Stage::new();
    stage.press(Key::S);
    stage.click("First").click("New random numbers");
    assert_eq!(*stage.runs.borrow(), ["horn", "hybrid:reduce=2", "horn", "hybrid:reduce=2"]);
    stage.click("Second").click("Compact");
    assert_eq!(stage.runs.borrow()[4..], ["blocks:size=8", "horn"]);
}

#[test]
fn numbers_are_written_as_they_are_wanted() {
    let mut stage = Stage::new();
    stage.click("View").click_on("Numbers").click("hexadecimal");
    assert_eq!(stage.app().view.format.name(), "hexadecimal");
    stage.press(Key::Escape);
    stage.click("View").click_on("Colours").click("cividis");
    assert_eq!(stage.app().view.palette.name(), "cividis");
}

#[test]
fn the_theme_is_switched_in_the_app() {
    let mut stage = Stage::new();
    assert_eq!(stage.harness.ctx.theme(), egui::Theme::Light);
    stage.click("View").click("Dark");
    assert_eq!(stage.harness.ctx.theme(), egui::Theme::Dark);
}

#[test]
fn what_is_dropped_on_the_window_is_opened() {
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("run.json");
    let stage = Stage::showing(scan("packed", 16));
    stage.app().recording().unwrap().save(&trace).unwrap();
    let mut stage = Stage::new();
    let drop = |stage: &mut Stage, path: &std::path::Path| {
        let file = egui::DroppedFile { path: Some(path.into()), ..Default::default() };
        stage.harness.input_mut().dropped_files.push(file);
        stage.harness.run();
    };
    drop(&mut stage, &trace);
    assert!(stage.algorithm().starts_with("packed"), "{}", stage.algorithm());
    drop(&mut stage, &folder.path().join("a.npy"));
    assert!(stage.says("no file readers"), "this app was given none");
}
