//! Files: traces that are saved and opened again, pictures that can be decoded.

use egui::Theme;
use egui_kittest::kittest::Queryable;
use rasterscan_app::Wish;
use rasterscan_app::window::export;
use rasterscan_app::window::offscreen::{Look, Pictures};

use super::{Stage, scan};

const LOOK: Look = Look { size: [480, 320], scale: 1.0, theme: Theme::Light };

/// Types a path into the dialog and presses its button.
fn answer(stage: &mut Stage, path: &std::path::Path, button: &str) {
    let select_all = egui::Modifiers::COMMAND;
    stage.harness.key_press_modifiers(select_all, egui::Key::A);
    stage.harness.run();
    stage.harness.event(egui::Event::Text(path.display().to_string()));
    stage.harness.run();
    stage.click(button);
}

#[test]
fn a_trace_is_saved_and_opened_by_the_menu() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("run.json");
    let mut stage = Stage::showing(scan("hybrid:reduce=1", 16));
    stage.click("File").click("Save the trace");
    answer(&mut stage, &file, "Save");
    assert!(stage.says("saved "), "it says so");
    let mut other = Stage::new();
    other.click("File").click("Open a trace");
    answer(&mut other, &file, "Open");
    assert_eq!(other.algorithm(), "hybrid:reduce=1");
    assert!(other.says("Shown is a saved trace"));
    assert!(other.app().command().starts_with("rasterscan app --trace "));
    // The controls have what the trace was made of: its numbers too.
    let recorded = other.app().recording().unwrap();
    other.click("Run what is below instead");
    assert!(!other.says("Shown is a saved trace"));
    let made = other.app().recording().unwrap();
    assert_eq!((&made.algorithm, &made.inputs), (&recorded.algorithm, &recorded.inputs));
    assert!(other.app().command().starts_with("rasterscan app scan values:"));
}

#[test]
fn a_file_is_replaced_only_by_who_says_so_twice() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("run.json");
    std::fs::write(&file, "mine").unwrap();
    let mut stage = Stage::new();
    stage.click("File").click("Save the trace");
    answer(&mut stage, &file, "Save");
    assert!(stage.says("There is a file of this name already"));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "mine");
    stage.click("Replace it");
    assert!(stage.says("saved ") && std::fs::read_to_string(&file).unwrap().starts_with('{'));
}

#[test]
fn a_path_that_leads_nowhere_is_said_in_the_dialog() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = Stage::new();
    stage.click("File").click("Open a trace");
    answer(&mut stage, &folder.path().join("none.json"), "Open");
    assert!(stage.says("none.json"), "the error names the file");
    assert!(stage.harness.query_by_label("Open").is_some(), "the dialog is still there");
}

#[test]
fn exports_are_asked_of_the_shell() {
    let mut stage = Stage::new();
    for (item, wish) in
        [("Export as PNG", Wish::Png("a.png".into())), ("Export as APNG", Wish::Apng("a.png".into()))]
    {
        stage.click("File").click(item);
        answer(&mut stage, std::path::Path::new("a.png"), "Export");
        assert_eq!(stage.harness.state_mut().take_wishes(), [wish]);
    }
}

#[test]
fn an_animation_has_a_frame_a_pass_and_loops() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("run.apng");
    let mut stage = Stage::new();
    let app = stage.harness.state_mut();
    app.go(2);
    export::animation(app, &mut Pictures::headless().unwrap(), &LOOK, &file).unwrap();
    assert_eq!(app.view.position, 2, "what is shown stays");
    let mut reader =
        png::Decoder::new(std::io::BufReader::new(std::fs::File::open(&file).unwrap())).read_info().unwrap();
    let animation = reader.info().animation_control.unwrap();
    assert_eq!((animation.num_frames, animation.num_plays), (5, 0));
    let mut frames = Vec::new();
    for _ in 0..5 {
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        frames.push(pixels);
    }
    assert_eq!(frames[0].len(), 480 * 320 * 4);
    assert!(frames.windows(2).all(|pair| pair[0] != pair[1]), "each pass looks different");
}

#[test]
fn a_picture_is_written_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("run.png");
    let mut stage = Stage::new();
    let pictures = &mut Pictures::headless().unwrap();
    export::picture(stage.harness.state_mut(), pictures, &LOOK, &file).unwrap();
    let image = image::open(&file).unwrap();
    assert_eq!((image.width(), image.height()), (480, 320));
    let nowhere = folder.path().join("no folder").join("run.png");
    let error = export::picture(stage.harness.state_mut(), pictures, &LOOK, &nowhere).unwrap_err();
    assert!(error.contains("cannot write") && error.contains("no folder"), "{error}");
    let huge = Look { size: [1 << 20, 16], ..LOOK };
    assert!(export::picture(stage.harness.state_mut(), pictures, &huge, &file).is_err());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left behind");
}
