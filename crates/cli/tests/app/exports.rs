//! Files: recordings that are saved and opened again, pictures that can be decoded.

use egui_kittest::kittest::Queryable;
use rasterscan::trace::Place;
use rasterscan_app::files::What;
use rasterscan_drawing::theme::Theme;
use rasterscan_picture::Spot;

use super::{Stage, scan};

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
    stage.click("File").click("Save the recording");
    answer(&mut stage, &file, "Save");
    assert!(stage.says("saved "), "it says so");
    let mut other = Stage::new();
    other.click("File").click("Open a recording");
    answer(&mut other, &file, "Open");
    assert_eq!(other.algorithm(), "hybrid:reduce=1");
    assert!(other.says("Showing a saved recording"));
    assert!(other.app().command().starts_with("rasterscan app --trace "));
    // The controls have the recording's job, with its numbers.
    let recorded = other.app().recording().unwrap();
    other.click("Run the settings below instead");
    assert!(!other.says("Showing a saved recording"));
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
    stage.click("File").click("Save the recording");
    answer(&mut stage, &file, "Save");
    assert!(stage.says("A file with this name already exists"));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "mine");
    stage.click("Replace it");
    assert!(stage.says("saved ") && std::fs::read_to_string(&file).unwrap().starts_with('{'));
}

#[test]
fn a_path_that_leads_nowhere_is_said_in_the_dialog() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = Stage::new();
    stage.click("File").click("Open a recording");
    answer(&mut stage, &folder.path().join("none.json"), "Open");
    assert!(stage.says("none.json"), "the error names the file");
    assert!(stage.harness.query_by_label("Open").is_some(), "the dialog is still there");
}

#[test]
fn pictures_are_exported_by_the_menu() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = Stage::new();
    stage.harness.state_mut().go(2);
    for (item, name) in [("Export as PNG", "a.png"), ("Export as SVG", "a.svg"), ("Export as APNG", "a.apng")]
    {
        stage.click("File").click(item);
        answer(&mut stage, &folder.path().join(name), "Export");
        assert!(stage.says("exported "), "{item}");
        assert_eq!(stage.app().view.position, 2, "the view stays");
    }
    let image = image::open(folder.path().join("a.png")).unwrap();
    assert!(image.width() > 1000, "{}", image.width());
    let svg = std::fs::read_to_string(folder.path().join("a.svg")).unwrap();
    let svg = roxmltree::Document::parse(&svg).unwrap();
    let title = svg.descendants().find(|node| node.has_tag_name("title")).and_then(|node| node.text());
    assert_eq!(title, Some("horn · pass 2 of 4 · scan"));
    let file = std::fs::File::open(folder.path().join("a.apng")).unwrap();
    let mut reader = png::Decoder::new(std::io::BufReader::new(file)).read_info().unwrap();
    let animation = reader.info().animation_control.unwrap();
    assert_eq!((animation.num_frames, animation.num_plays), (5, 0));
    let mut frames = Vec::new();
    for _ in 0..5 {
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        frames.push(pixels);
    }
    assert!(frames.windows(2).all(|pair| pair[0] != pair[1]), "each pass looks different");
}

#[test]
fn an_export_has_both_runs_and_the_texel_that_was_clicked() {
    let mut stage = Stage::new();
    let alone = stage.app().export(What::Png, Theme::LIGHT).unwrap();
    stage.press(egui::Key::S);
    let both = stage.app().export(What::Svg, Theme::LIGHT).unwrap();
    let both = String::from_utf8(both).unwrap();
    assert!(both.contains("<title>horn · input beside hybrid"), "{}", &both[..400]);
    stage.press(egui::Key::S).press(egui::Key::ArrowRight);
    let plain = stage.app().export(What::Png, Theme::LIGHT).unwrap();
    assert_ne!(alone, plain);
    let spot = Spot { source: false, place: Place { of: 0, index: 5 } };
    stage.harness.state_mut().view.cameras[0].pinned = Some((1, spot));
    assert_ne!(stage.app().export(What::Png, Theme::LIGHT).unwrap(), plain);
}

#[test]
fn a_picture_that_cannot_be_written_is_said_in_the_dialog() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = Stage::new();
    stage.click("File").click("Export as PNG");
    answer(&mut stage, &folder.path().join("no folder").join("run.png"), "Export");
    assert!(stage.says("cannot write"), "the error stands in the dialog");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "no file remains");
}
