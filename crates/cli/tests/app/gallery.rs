//! The gallery: pages that are found from the first screen and the menu, run when they are opened, and say in red what is wrong.

use egui::{Key, Theme};
use egui_kittest::kittest::Queryable;
use rasterscan_app::App;
use rasterscan_app::engine::KernelEngine;
use rasterscan_app::link::Opening;
use rasterscan_gallery::{ALL, GalleryError, Piece, named};

use super::Stage;

/// The page of a piece.
pub fn page(piece: &'static Piece) -> Opening {
    Opening { gallery: Some(piece), ..Opening::default() }
}

const RUNNING: &str = "Running on this device";

#[test]
fn a_page_says_that_it_runs_before_it_runs() {
    let mut stage = Stage::with([1280.0, 800.0], 1.0, Theme::Light, |app| app.welcome());
    stage.harness.run();
    stage.harness.get_by_label("What scans are for").click();
    let frames = (0..10).take_while(|_| {
        stage.harness.step();
        !stage.says(RUNNING)
    });
    assert!(frames.count() < 10, "no frame says so");
    assert!(!stage.says("Verified") && stage.app().is_busy());
    stage.harness.run();
    assert!(!stage.app().is_busy() && stage.app().narration().contains("Verified on the CPU. characters: "));
    assert!(stage.says("Verified") && !stage.says(RUNNING));
    assert!(stage.says(ALL[0].shows) && stage.says("functions can be composed in any grouping"));
    assert!(stage.says("characters: ") && !stage.says("{"), "facts have their values");
    // The page has an address, the arrow keys go to the next one, and the picture of a page is made once.
    assert_eq!(stage.app().opening().link(), "--gallery&lexer");
    assert_eq!(stage.app().title(), "rasterscan: A lexer as a scan");
    stage.press(Key::ArrowRight);
    assert_eq!(stage.app().opening().link(), "--gallery&marching-cubes");
    stage.harness.key_press(Key::ArrowLeft);
    stage.harness.step();
    stage.harness.step();
    assert!(stage.says("Verified"), "it is not run again");
    stage.press(Key::Escape);
    assert!(!stage.says("Verified") && stage.says("Algorithm"), "escape closes it");
    stage.click("Help").click("Gallery");
    assert!(stage.says("Verified"));
    stage.click("See this step, pass by pass");
    assert!(!stage.says("Verified") && stage.algorithm() == "horn");
}

#[test]
fn a_page_leads_to_its_step_to_the_tour_and_to_a_lesson() {
    let open = |name: &str| {
        let link = format!("--gallery&{name}");
        Stage::with([1280.0, 800.0], 1.0, Theme::Dark, move |app| app.open(&Opening::of_link(&link).unwrap()))
    };
    let mut stage = open("quicksort");
    stage.harness.run();
    stage.click("Run again");
    assert!(stage.says("Verified") && stage.says("400 keys take 20 steps"));
    stage.click("Splats sorted by depth").click_on("of the tour: What a scan is good for");
    assert!(stage.says("What a scan is good for: sorting by splits") && !stage.says("Verified"));
    assert!(stage.algorithm().starts_with("split"));
    let mut stage = open("quicksort");
    stage.harness.run();
    stage.click_on("The gallery as a lesson");
    assert!(
        stage.says("After how many steps are all 400 keys in their places?"),
        "at the stop of this piece"
    );
    assert!(Opening::of_link("--gallery&tracers").unwrap_err().contains("expected lexer, marching-cubes"));
    // Where only a run can be shown, it is that of the step.
    let (run, lacks) = Opening::of_link("--gallery&splats").unwrap().of_run();
    assert!(run.gallery.is_none() && run.job.unwrap().to_string().contains("radix"), "{lacks}");
}

#[test]
fn a_wrong_result_is_said_in_red_and_has_no_picture() {
    static WRONG: Piece = Piece {
        name: "wrong",
        title: "A wrong piece",
        shows: "Nothing.",
        step: "None.",
        text: "",
        job: "scan ramp:n=4 -a horn",
        sources: &[],
        run: |_| Err(GalleryError::Wrong("7 of 9 numbers".into())),
    };
    for theme in [Theme::Light, Theme::Dark] {
        let mut stage = Stage::with([800.0, 500.0], 1.0, theme, |app| app.open(&page(&WRONG)));
        stage.harness.run();
        assert!(stage.says("Wrong: the result differs from the CPU's: 7 of 9 numbers"));
        assert!(!stage.says("Verified") && !stage.says(RUNNING));
        let image = stage.harness.render().unwrap();
        let red =
            image.pixels().filter(|pixel| pixel[0] > 140 && pixel[0] > pixel[1].saturating_add(60)).count();
        assert!(red > 100, "{theme:?}: {red} red pixels");
    }
}

#[test]
fn without_opengl_a_page_says_what_it_needs() {
    let mut app = App::new(Box::new(KernelEngine));
    app.open(&page(named("tracer").unwrap()));
    let mut harness = egui_kittest::Harness::builder()
        .with_size([640.0, 600.0])
        .build_ui_state(|ui, app: &mut App| app.ui(ui), app);
    harness.run();
    let says = |text: &str| harness.query_all_by_label_contains(text).next().is_some();
    assert!(says("It cannot run here: it needs OpenGL") && says("After each bounce, a compaction"));
}
