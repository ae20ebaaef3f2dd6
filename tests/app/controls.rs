//! The controls: what is chosen is run once, what is typed is run when it rests, and what is shown follows.

use egui::Key;
use egui_kittest::kittest::Queryable;
use rasterscan::app::ask::Ask;
use rasterscan::registry::{self, Era, Family};
use rasterscan::{ElementType, Operator};

use super::Stage;

#[test]
fn an_algorithm_is_chosen_from_the_registry() {
    let mut stage = Stage::new();
    stage.click("Algorithm");
    for card in registry::family(Family::Scan).filter(|card| card.era != Era::Cpu) {
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
fn the_other_family_has_its_own_controls() {
    let mut stage = Stage::new();
    stage.click("Compact");
    assert_eq!(stage.runs.borrow().len(), 2);
    assert!(stage.says("Condition") && !stage.says("Operator"));
    stage.click("mask");
    assert_eq!(stage.runs.borrow().len(), 3);
    let kept = stage.app().recording().unwrap().inputs.len();
    assert_eq!(kept, 2, "the values and the mask");
}

#[test]
fn what_is_typed_is_run_when_it_rests() {
    let mut stage = Stage::showing(Ask::compact("points"));
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

#[test]
fn nothing_is_run_and_nothing_drawn_while_nothing_happens() {
    let mut stage = Stage::new();
    stage.harness.run();
    let runs = stage.runs.borrow().len();
    for _ in 0..40 {
        stage.harness.step();
        let waits = stage.harness.output().viewport_output.values().map(|viewport| viewport.repaint_delay);
        assert!(waits.min().unwrap() > std::time::Duration::from_secs(3600), "it asks for another frame");
    }
    assert_eq!(stage.runs.borrow().len(), runs);
}

#[test]
fn pointing_at_a_texel_says_what_it_is_made_of() {
    let mut stage = Stage::new();
    stage.press(Key::ArrowRight);
    let pane = stage.harness.get_by_label("horn, pass 1 of 4").rect();
    // Somewhere in the lower half the row of results lies.
    let found = (0..60).map(|step| pane.top() + pane.height() * step as f32 / 60.0).find(|y| {
        stage.harness.hover_at(egui::pos2(pane.center().x + 20.0, *y));
        stage.wait(0.5);
        stage.says("made of")
    });
    assert!(found.is_some(), "nothing was found to be made of anything");
    assert!(stage.says("value") && stage.says("hex"));
    stage.harness.remove_cursor();
    stage.wait(0.5);
    assert!(!stage.says("made of"));
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
    let ask = Ask { element: ElementType::I64, operator: Operator::Max, ..Ask::scan("packed:block=4").n(40) };
    let mut stage = Stage::showing(ask);
    stage.press(Key::ArrowRight);
    assert_eq!(
        stage.app().command(),
        "rasterscan app random:n=40,seed=7,max=9 -a packed:block=4 --dtype i64 --op max --pass 1"
    );
    stage.click("File").click("Copy the command line");
    let copied = stage.harness.output().platform_output.commands.iter().any(
        |command| matches!(command, egui::OutputCommand::CopyText(text) if text.contains("packed:block=4")),
    );
    assert!(copied || stage.says("copied: rasterscan app"), "nothing was copied");
}

#[test]
fn side_by_side_both_are_of_the_same_numbers() {
    let mut stage = Stage::new();
    stage.press(Key::S);
    stage.click("First").click("Other numbers");
    assert_eq!(*stage.runs.borrow(), ["horn", "hybrid:reduce=2", "horn", "hybrid:reduce=2"]);
    stage.click("Second").click("Compact");
    assert_eq!(stage.runs.borrow()[4..], ["points", "horn"]);
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
    stage.click("View").click("🌙 Dark");
    assert_eq!(stage.harness.ctx.theme(), egui::Theme::Dark);
}

#[test]
fn what_is_dropped_on_the_window_is_opened() {
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("run.json");
    let stage = Stage::showing(Ask::scan("packed"));
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
    assert!(stage.says("there are no readers"), "this app was given none");
}
