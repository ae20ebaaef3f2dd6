//! Work of students: they draw passes on the first screen, follow a texel's program, and let scans race.

use egui::Key;
use egui_kittest::kittest::Queryable;

use super::Stage;

#[test]
fn arrows_on_the_first_screen_are_run() {
    let mut stage = Stage::with([1280.0, 800.0], 1.0, egui::Theme::Light, |app| app.welcome());
    assert!(stage.says("Can eight workers do it in three?") && stage.says("Drag from a number"));
    assert!(stage.says("row 1, position 1: 4"), "3 + 1, as an example");
    stage.click("row 0, position 1: 1").click("row 1, position 2: 7");
    assert!(stage.says("row 1, position 2: 8"));
    assert!(stage.says("Position 2 still lacks 3; 6 of 8 sums are not there yet."));
    // The same arrow takes itself away.
    stage.click("row 0, position 0: 3").click("row 1, position 1: 4");
    assert!(stage.says("row 1, position 1: 1"));
    // By dragging, too.
    let centre = |stage: &Stage, name: &str| stage.harness.get_by_label(name).rect().center();
    let (from, to) = (centre(&stage, "row 0, position 2: 7"), centre(&stage, "row 1, position 3: 0"));
    stage.harness.drag_at(from);
    stage.harness.step();
    stage.harness.hover_at(from + (to - from) * 0.5);
    stage.harness.step();
    stage.harness.drop_at(to);
    stage.harness.run();
    assert!(stage.says("row 1, position 3: 7"));
    // And by keys.
    for (source, target, sum) in [
        ("row 0, position 4: 4", "row 1, position 5: 1", "row 1, position 5: 5"),
        ("row 0, position 5: 1", "row 1, position 6: 6", "row 1, position 6: 7"),
    ] {
        for name in [source, target] {
            stage.harness.get_by_label(name).focus();
            stage.harness.run();
            stage.press(Key::Enter);
        }
        assert!(stage.says(sum));
    }
    stage.click("Show an answer");
    assert!(stage.says("row 3, position 7: 25") && stage.says("Horn's answer"));
    stage.click("Begin again");
    assert!(stage.says("Drag from a number"));
    stage.harness.get_by_label("Watch a GPU do it").click();
    stage.wait(0.2);
    let app = stage.app();
    assert!(
        !app.is_welcoming() && app.view.playing && (stage.algorithm().as_str(), app.last()) == ("horn", 3)
    );
}

#[test]
fn a_texels_program_is_followed_line_by_line() {
    let mut stage = Stage::new();
    stage.press(Key::ArrowRight);
    assert!(stage.says("One texel's program") && stage.says("item = combine(input["));
    assert!(stage.says("step 7 of 7"));
    stage.click("To the first line");
    assert!(stage.says("step 0 of 7") && !stage.says("item = combine(input["));
    stage.click("One line on");
    assert!(stage.says("step 1 of 7") && stage.says("right = ("));
    stage.click("To the last line");
    assert!(stage.says("item = combine(input["));
    // Another texel, and two side by side.
    let read = |stage: &Stage, item: usize| stage.says(&format!("item = input[{item}]"));
    let at = (0..16).find(|item| read(&stage, *item)).unwrap();
    stage.click("Texel after");
    assert!(read(&stage, at + 1) && !read(&stage, at));
    stage.click("Compare");
    assert!(read(&stage, at + 1) && read(&stage, at + 2));
}

#[test]
fn scans_race_for_any_number_of_processors() {
    let mut stage = Stage::new();
    stage.click("View").click("A race of processors");
    assert!(stage.says("horn: ") && stage.says("sequential: "));
    stage.harness.get_by_label("Start").click();
    stage.wait(7.0);
    assert!(stage.says("hybrid:reduce=5: "), "1,024 numbers in 32 sums, as many as there are processors");
    stage.press(Key::Escape);
    assert!(!stage.says("sequential: "));
}
