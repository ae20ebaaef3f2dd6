//! The stops of the tour as they are drawn: a picture of each, and the texts of its canvas at four sizes in both themes.

use std::fmt::Write;
use std::path::Path;

use egui::accesskit::Role;
use egui::{Rect, Shape, Theme};
use egui_kittest::kittest::Queryable;
use egui_kittest::{SnapshotOptions, SnapshotResults, try_image_snapshot_options};
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use rasterscan_app::tour::Tour;
use rasterscan_lesson::tour::STOPS;

use super::Stage;

fn stop(number: usize, size: [f32; 2], theme: Theme) -> Stage {
    Stage::with(size, 1.0, theme, |app| app.tour = Tour::at(number))
}

const SNAPSHOTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/app/snapshots");

fn updating() -> bool {
    std::env::var_os("UPDATE_SNAPSHOTS").is_some()
}

/// Writes a picture again, as small as it gets.
fn pack(path: &Path) {
    let image = image::open(path).unwrap();
    let file = std::fs::File::create(path).unwrap();
    image
        .write_with_encoder(PngEncoder::new_with_quality(file, CompressionType::Best, FilterType::NoFilter))
        .unwrap();
}

#[test]
fn each_stop_has_a_golden_picture() {
    let options = SnapshotOptions::new()
        .threshold(1.0)
        .failed_pixel_count_threshold(150)
        .output_path("tests/app/snapshots");
    let mut results = SnapshotResults::new();
    for number in 0..STOPS.len() {
        let theme = if number % 2 == 0 { Theme::Light } else { Theme::Dark };
        let mut stage = stop(number, [720.0, 440.0], theme);
        stage.harness.remove_cursor();
        stage.wait(0.2);
        let image = stage.harness.render().unwrap();
        // The counters below have times.
        let mut image = image::imageops::crop_imm(&image, 0, 0, 720, 310).to_image();
        // Eight levels a channel, so that the files stay small.
        image.iter_mut().for_each(|channel| *channel = *channel / 32 * 36);
        let name = format!("stop_{:02}", number + 1);
        results.add(try_image_snapshot_options(&image, &name, &options));
        if updating() {
            pack(&Path::new(SNAPSHOTS).join(name).with_extension("png"));
        }
    }
}

/// A text, with an ellipsis where it is cut, and its rectangle.
type Text = (String, Rect);

/// The texts in the panes of the canvas.
fn texts(stage: &Stage) -> Vec<Text> {
    // Points grow in a large window.
    let zoom = stage.harness.ctx.zoom_factor();
    let panes = stage.harness.get_all_by_role(Role::Image).map(|node| node.rect() / zoom);
    let panes: Vec<Rect> = panes.collect();
    assert!(!panes.is_empty());
    let mut found = Vec::new();
    for shape in &stage.harness.output().shapes {
        collect(&shape.shape, shape.clip_rect, &mut found);
    }
    found.retain(|(_, rect)| panes.iter().any(|pane| pane.expand(1.0).contains(rect.center())));
    found
}

fn collect(shape: &Shape, clip: Rect, found: &mut Vec<Text>) {
    match shape {
        Shape::Vec(shapes) => shapes.iter().for_each(|shape| collect(shape, clip, found)),
        Shape::Text(text) => {
            let rect = text.visual_bounding_rect();
            if clip.intersects(rect) && !text.galley.text().is_empty() {
                let cut = if text.galley.elided { "…" } else { "" };
                found.push((format!("{}{cut}", text.galley.text()), rect));
            }
        }
        _ => {}
    }
}

#[test]
fn a_title_is_in_words_and_a_click_shows_the_parameters() {
    let mut stage = stop(9, [1280.0, 800.0], Theme::Light);
    let says = |stage: &Stage, part: &str| texts(stage).iter().any(|(text, _)| text.contains(part));
    assert!(says(&stage, "Blocks") && !says(&stage, "inner=hillis"), "{:?}", texts(&stage));
    stage.click("Parameters of run 1");
    assert!(says(&stage, "by blocks:size=8, inner=hillis, search=while"), "{:?}", texts(&stage));
    // Of two runs of an algorithm, titles tell what differs.
    let stage = stop(10, [1280.0, 800.0], Theme::Light);
    if stage.compute().is_some() {
        assert!(says(&stage, "Capannini, no padding") && says(&stage, "Capannini, left right"));
    }
}

const PHONE: [f32; 2] = [390.0, 844.0];

/// On a phone the text gives its room to the picture, whose numbers can then be read.
#[test]
fn a_phone_hides_the_text_of_a_stop_for_a_larger_picture() {
    let mut stage = stop(8, PHONE, Theme::Light);
    let title = "HistoPyramid: walk down a tree of counts";
    let digits = |stage: &Stage| texts(stage).iter().filter(|(text, _)| text.parse::<u32>().is_ok()).count();
    let before = digits(&stage);
    stage.click("Hide text");
    stage.harness.run();
    if let Some(folder) = std::env::var_os("SHOTS") {
        stage.harness.render().unwrap().save(Path::new(&folder).join("folded.png")).unwrap();
    }
    assert!(!stage.says(title) && stage.says("Your answer"));
    stage.harness.run();
    assert!(digits(&stage) > before + 64, "{before}, {}", digits(&stage));
    stage.click("Show text");
    assert!(stage.says(title));
    stage.click("Hide text").click("Next");
    assert!(stage.says("Blocks, joined by drawing lines"), "each stop begins with its text");
}

/// Two pictures that have no room side by side are shown in turn.
#[test]
fn a_phone_shows_one_of_two_runs() {
    let mut stage = stop(4, PHONE, Theme::Light);
    let panes = |stage: &Stage| stage.harness.get_all_by_role(Role::Image).count();
    assert_eq!(panes(&stage), 1);
    let draws = |stage: &Stage, stream: &str| texts(stage).iter().any(|(text, _)| text == stream);
    assert!(draws(&stage, "sums 4") && !draws(&stage, "pong"));
    stage.click("Horn");
    if let Some(folder) = std::env::var_os("SHOTS") {
        stage.harness.render().unwrap().save(Path::new(&folder).join("one.png")).unwrap();
    }
    assert!(draws(&stage, "pong") && !draws(&stage, "sums 4"));
}

/// A stop's question is about what its picture shows, on a phone, too.
#[test]
fn a_phone_shows_the_chunk_of_the_question() {
    let stage = stop(12, PHONE, Theme::Light);
    if stage.compute().is_some() {
        let shown = |name: &str| texts(&stage).iter().any(|(text, _)| text.starts_with(name));
        assert!(shown("13, g") && shown("16, g"), "{:?}", texts(&stage));
    }
}

/// The times of single runs of a few numbers contradict what the tour teaches.
#[test]
fn the_tour_shows_no_times() {
    let mut stage = stop(2, [1280.0, 800.0], Theme::Light);
    assert!(stage.says("texels written") && !stage.says("not timed"));
    stage.press(egui::Key::T);
    assert!(stage.says("not timed"));
}

/// The texts line by line, with the position of the first.
fn listed(texts: &[Text]) -> String {
    let mut texts: Vec<&Text> = texts.iter().collect();
    texts.sort_by_key(|(_, rect)| (rect.center().y.round() as i32, rect.left().round() as i32));
    let mut list = String::new();
    let mut line = i32::MIN;
    for (text, rect) in texts {
        let (y, x) = (rect.center().y.round() as i32, rect.left().round() as i32);
        if y == line {
            write!(list, " | {text}").unwrap();
        } else {
            write!(list, "\n{x},{y}: {text}").unwrap();
            line = y;
        }
    }
    list.push('\n');
    list
}

#[test]
fn the_texts_of_each_stop_are_as_they_were_and_apart_from_each_other() {
    const SIZES: [[f32; 2]; 4] = [[1920.0, 1080.0], [1280.0, 800.0], [800.0, 600.0], [390.0, 844.0]];
    let mut whole = String::new();
    for (number, of) in STOPS.iter().enumerate() {
        for size in SIZES {
            let stage = stop(number, size, Theme::Light);
            let light = texts(&stage);
            let name = format!("stop {}, {} x {}", number + 1, size[0], size[1]);
            assert!(light.len() > 3, "{name}: {light:?}");
            let dark = texts(&stop(number, size, Theme::Dark));
            assert_eq!(listed(&light), listed(&dark), "{name}: a theme moves nothing");
            for (index, (text, rect)) in light.iter().enumerate() {
                assert!(rect.right() <= size[0] + 1.0 && rect.left() >= -1.0, "{name}: {text:?} at {rect:?}");
                assert!(!text.ends_with('…'), "{name}: {text:?} is cut");
                for (other, at) in &light[..index] {
                    let both = rect.intersect(*at);
                    let overlap = both.width() > 1.0 && both.height() > 1.0;
                    assert!(!overlap, "{name}: {text:?} at {rect:?} is over {other:?} at {at:?}");
                }
            }
            write!(whole, "== {name}: {}{}", of.title, listed(&light)).unwrap();
        }
    }
    let path = Path::new(SNAPSHOTS).join("stops.txt");
    if updating() {
        std::fs::write(path, whole).unwrap();
        return;
    }
    let saved = std::fs::read_to_string(path).unwrap();
    for (now, then) in whole.split("== ").zip(saved.split("== ")) {
        assert_eq!(now, then, "UPDATE_SNAPSHOTS=1 rewrites the texts");
    }
    assert_eq!(whole.len(), saved.len());
}
