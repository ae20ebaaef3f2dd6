//! Keys and their buttons: play, stop, step back.

use egui::Key;
use egui_kittest::kittest::Queryable;

use rasterscan_app::tour::Tour;
use rasterscan_lesson::tour::STOPS;

use super::{Stage, compact, scan};

#[test]
fn arrows_home_and_end_move_through_the_run() {
    let mut stage = Stage::new();
    assert_eq!((stage.algorithm().as_str(), stage.app().last(), stage.position()), ("horn", 4, 0));
    for (key, position) in [
        (Key::ArrowRight, 1),
        (Key::ArrowRight, 2),
        (Key::ArrowLeft, 1),
        (Key::End, 4),
        (Key::ArrowRight, 4),
        (Key::Home, 0),
        (Key::ArrowLeft, 0),
    ] {
        stage.press(key);
        assert_eq!(stage.position(), position, "{key:?}");
    }
}

#[test]
fn buttons_do_what_keys_do() {
    let mut stage = Stage::new();
    for (name, position) in
        [("Step forward", 1), ("To the end", 4), ("Step back", 3), ("To the beginning", 0)]
    {
        stage.click(name);
        assert_eq!(stage.position(), position, "{name}");
    }
}

#[test]
fn space_plays_at_the_set_speed_and_stops_at_the_end() {
    let mut stage = Stage::new();
    stage.press(Key::Plus).press(Key::Plus);
    assert_eq!(stage.app().view.speed, 4.0);
    stage.harness.key_press(Key::Space);
    stage.wait(0.4);
    assert!(stage.app().view.playing && stage.position() >= 1, "{}", stage.position());
    stage.wait(1.0);
    assert_eq!((stage.app().view.playing, stage.position()), (false, 4));
    stage.harness.key_press(Key::Space);
    stage.wait(0.1);
    assert_eq!((stage.app().view.playing, stage.position()), (true, 0), "from the beginning");
    stage.press(Key::Space);
    assert!(!stage.app().view.playing);
    stage.press(Key::Minus).press(Key::Minus).press(Key::Minus);
    assert_eq!(stage.app().view.speed, 0.5);
}

/// Returns true if no frame is due in ten seconds.
fn idle(stage: &Stage) -> bool {
    let asked = stage.harness.output().viewport_output.values().map(|output| output.repaint_delay);
    asked.min().is_none_or(|delay| delay > std::time::Duration::from_secs(10))
}

/// A shell draws when it is asked to.
#[test]
fn no_frame_is_asked_for_where_nothing_moves() {
    let mut stage = Stage::new();
    stage.harness.remove_cursor();
    assert!(idle(stage.wait(0.5)), "the app asks for frames");
    stage.harness.key_press(Key::Space);
    assert!(!idle(stage.wait(0.1)), "a run that plays asks for frames");
    for stop in 0..STOPS.len() {
        let mut stage =
            Stage::with([1280.0, 800.0], 1.0, egui::Theme::Light, |app| app.tour = Tour::at(stop));
        stage.harness.remove_cursor();
        assert!(idle(stage.wait(0.5)), "stop {} asks for frames", stop + 1);
    }
}

#[test]
fn steps_go_through_the_moments_of_tiles() {
    let mut stage = Stage::new();
    if stage.compute().is_none() {
        println!("not applicable: this device has no compute shaders");
        return;
    }
    stage.harness.state_mut().ask(scan("look_back:group=1,vectors=1,withhold=prefix", 32));
    stage.press(Key::End);
    let moments = stage.app().stages();
    assert!(moments > 20, "{moments}");
    let moment = |stage: &Stage| stage.app().view.memory.stage;
    assert_eq!((stage.position(), moment(&stage)), (2, None), "the whole pass");
    assert!(!stage.says("looks at tile"), "the picture says it");
    stage.press(Key::ArrowLeft);
    assert_eq!((stage.position(), moment(&stage)), (2, Some(moments - 1)));
    stage.press(Key::Home).press(Key::ArrowRight).press(Key::ArrowRight);
    assert_eq!((stage.position(), moment(&stage)), (2, Some(0)), "the first moment");
    // A moment is seen at work, unless motion is off.
    for motion in [true, false] {
        stage.harness.state_mut().view.motion = motion;
        stage.harness.remove_cursor();
        stage.harness.key_press(Key::ArrowRight);
        assert_eq!(idle(stage.wait(0.15)), !motion);
        assert!(idle(stage.wait(0.8)));
    }
    stage.press(Key::ArrowLeft).press(Key::ArrowLeft);
    // The timeline leads to the moment below the pointer.
    let line = stage.harness.get_by_label("Timeline 1").rect();
    let at = egui::pos2(line.left() + line.width() * 0.75, line.center().y);
    stage.harness.drag_at(at);
    stage.harness.drop_at(at);
    stage.harness.run();
    let half = moment(&stage).expect("a moment");
    assert!(half.abs_diff(moments / 2) <= 2, "{half} of {moments}");
    // Items have no moments.
    stage.click("Items");
    assert_eq!(moment(&stage), None);
    stage.press(Key::ArrowLeft);
    assert_eq!((stage.position(), moment(&stage)), (1, None));
}

#[test]
fn a_loop_begins_again() {
    let mut stage = Stage::new();
    stage.click("Loop").press(Key::End).press(Key::Plus).press(Key::Plus);
    stage.harness.state_mut().view.playing = true;
    stage.wait(0.4);
    assert!(stage.app().view.playing && stage.position() < 4, "{}", stage.position());
}

#[test]
fn reset_goes_to_the_beginning_with_all_in_sight() {
    let mut stage = Stage::new();
    stage.press(Key::End).press(Key::Num1);
    assert_eq!(stage.app().view.cameras[0].zoom, Some(1.0));
    stage.press(Key::F);
    assert_eq!((stage.app().view.cameras[0].zoom, stage.position()), (None, 4));
    stage.press(Key::Num1).press(Key::R);
    assert_eq!((stage.app().view.cameras[0].zoom, stage.position()), (None, 0));
}

#[test]
fn keys_are_off_while_something_is_typed() {
    let mut stage = Stage::showing(compact("points", 16));
    let field = stage.harness.get_by_label("Condition");
    field.focus();
    stage.harness.run();
    stage.press(Key::ArrowRight).press(Key::End).press(Key::R).press(Key::S).press(Key::Space);
    assert_eq!(stage.position(), 0);
    assert!(!stage.says("Second"));
}

#[test]
fn the_legend_opens_by_its_key_and_closes_by_escape() {
    let mut stage = Stage::new();
    stage.press(Key::Questionmark);
    assert!(stage.says("crossed out") && stage.says("two algorithms side by side"));
    stage.press(Key::Escape);
    assert!(!stage.says("crossed out"));
}

#[test]
fn the_tour_is_turned_by_keys_while_it_is_presented() {
    let mut stage = Stage::with([1280.0, 800.0], 1.0, egui::Theme::Dark, |app| app.tour = Tour::at(3));
    stage.press(Key::F11);
    assert!(stage.says("Stop 4: Up and down") && stage.says("What will the result hold at position 10?"));
    stage.press(Key::PageDown);
    assert!(stage.says("Stop 5: The hybrid") && stage.algorithm().starts_with("hybrid"));
    stage.press(Key::PageUp).press(Key::PageUp);
    assert!(stage.says("Stop 3: ") && stage.algorithm().starts_with("horn"));
}

#[test]
fn the_tour_opens_by_its_key_and_gives_the_controls_their_place_back() {
    let mut stage = Stage::new();
    for close in [Key::T, Key::Escape] {
        stage.press(Key::T);
        assert!(stage.says("What a scan is") && !stage.says("Algorithm"));
        stage.press(close);
        assert!(!stage.says("What a scan is") && stage.says("Algorithm"));
    }
    stage.click("Help").click_on("Guided tour");
    assert!(stage.says("What a scan is"));
    stage.click("Run: Controls of the run");
    assert!(stage.says("Algorithm") && !stage.says("What a scan is"));
    stage.click("Tour: The guided tour");
    assert!(stage.says("What a scan is"));
}

#[test]
fn the_first_screen_leaves_by_each_of_its_ways() {
    const SENTENCE: &str = "Watch a GPU";
    for (way, expected) in [
        ("Take the tour", "horn"),
        ("Compaction", "points:scan=packed:block=8"),
        ("Look-back", "look_back:group=1,vectors=1"),
    ] {
        let mut stage = Stage::with([1280.0, 800.0], 1.0, egui::Theme::Light, |app| app.welcome());
        assert!(stage.app().is_welcoming() && stage.app().last() == 3, "the run is there that it asks about");
        assert!(stage.says(SENTENCE) && !stage.says("Algorithm"));
        stage.click(way);
        assert!(!stage.says(SENTENCE), "{way}");
        assert_eq!(stage.algorithm().split(',').next(), expected.split(',').next(), "{way}");
        assert_eq!(stage.says("What a scan is"), way.contains("tour"));
        stage.click("Help").click("First screen");
        assert!(stage.says(SENTENCE));
        stage.press(Key::Escape).press(Key::Escape);
        assert!(!stage.says(SENTENCE), "escape closes it");
    }
}

#[test]
fn the_ways_of_the_first_screen_are_in_sight() {
    for size in [[1280.0, 800.0], [800.0, 600.0]] {
        let mut stage = Stage::with(size, 1.0, egui::Theme::Light, |app| app.welcome());
        stage.harness.run();
        for way in ["Take the tour", "Compaction", "Look-back", "What scans are for"] {
            let rect = stage.harness.get_by_label(way).rect();
            let window = egui::Rect::from_min_size(egui::Pos2::ZERO, size.into());
            assert!(window.contains_rect(rect), "{way}: {rect}");
        }
    }
}

#[test]
fn presentation_hides_the_panels_and_escape_brings_them_back() {
    let mut stage = Stage::new();
    stage.press(Key::F11).press(Key::ArrowRight);
    let told = rasterscan_lesson::narrate(&stage.app().recording().unwrap(), 1);
    assert!(stage.says(&told) && !stage.says("Algorithm") && !stage.says("Pseudo-code"));
    assert!(stage.harness.ctx.zoom_factor() * 11.0 >= 18.0, "the smallest text has 18 points");
    stage.press(Key::Escape);
    assert!(stage.says("Algorithm") && stage.says("Pseudo-code"));
    assert_eq!(stage.harness.ctx.zoom_factor(), 1.0);
}

#[test]
fn escape_closes_menus() {
    let mut stage = Stage::new();
    stage.click("File");
    assert!(stage.says("Export as PNG"));
    stage.press(Key::Escape);
    assert!(!stage.says("Export as PNG"));
}

#[test]
fn panels_come_back_when_there_is_room() {
    let mut stage = Stage::new();
    assert!(stage.says("Algorithm") && stage.says("Pseudo-code"));
    for (size, controls, side) in [
        ([700.0, 600.0], true, false),
        ([500.0, 600.0], false, false),
        ([700.0, 600.0], true, false),
        ([1280.0, 800.0], true, true),
    ] {
        stage.harness.set_size(egui::Vec2::from(size));
        stage.harness.run();
        stage.harness.run();
        assert_eq!((stage.says("Algorithm"), stage.says("Pseudo-code")), (controls, side), "{size:?}");
    }
    // A panel that was closed stays closed.
    stage.click("Explain: About this pass");
    stage.harness.set_size(egui::vec2(500.0, 600.0));
    stage.harness.run();
    stage.harness.set_size(egui::vec2(1280.0, 800.0));
    stage.harness.run();
    assert!(stage.says("Algorithm") && !stage.says("Pseudo-code"));
}

#[test]
fn control_and_q_ask_the_shell_to_close() {
    let mut stage = Stage::new();
    stage.harness.key_press_modifiers(egui::Modifiers::COMMAND, Key::Q);
    stage.harness.run();
    assert_eq!(stage.harness.state_mut().take_wishes(), [rasterscan_app::Wish::Quit]);
}

#[test]
fn a_second_algorithm_goes_by_the_same_clock() {
    let mut stage = Stage::new();
    stage.press(Key::S);
    assert_eq!(*stage.runs.borrow(), ["horn", "hybrid:reduce=2"]);
    assert_eq!(stage.app().last(), 6);
    stage.press(Key::End);
    assert!(stage.says("step 6 of 6"));
    assert!(stage.says("horn, pass 4 of 4") && stage.says("hybrid:reduce=2, pass 6 of 6"));
    stage.press(Key::S);
    assert_eq!((stage.app().last(), stage.position()), (4, 4));
    // An unchanged job does not run again.
    stage.press(Key::S);
    assert_eq!(stage.runs.borrow().len(), 2);
}

#[test]
fn the_timeline_is_scrubbed() {
    let mut stage = Stage::new();
    let rect = stage.harness.get_by_label("Timeline 1").rect();
    let at = |share: f32| egui::pos2(rect.left() + rect.width() * share, rect.center().y);
    stage.harness.drag_at(at(0.75));
    stage.harness.run();
    assert_eq!(stage.position(), 3);
    stage.harness.hover_at(at(0.26));
    stage.harness.run();
    assert_eq!(stage.position(), 1, "while it is dragged");
    stage.harness.drop_at(at(0.26));
    stage.harness.hover_at(at(0.9));
    stage.harness.run();
    assert_eq!(stage.position(), 1, "not any more");
}
