//! The panels that explain, and the tour from its first stop to its end, driven as a user would.

use std::path::PathBuf;

use egui::accesskit::Role;
use egui::{Key, Theme};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use rasterscan::Gpu;
use rasterscan::tools::Job;
use rasterscan::tools::job::Wanted;
use rasterscan::tools::registry::Era;
use rasterscan::trace::{Recording, SharedAccess};
use rasterscan_app::App;
use rasterscan_app::engine::{Engine, GpuEngine, KernelEngine};
use rasterscan_app::link::Opening;
use rasterscan_app::tour::Tour;
use rasterscan_drawing::shape::{Anchor, Drawing, Shape};
use rasterscan_lesson::file::{GALLERY, Lesson, PUZZLES};
use rasterscan_lesson::tour::{STOPS, Stop};
use rasterscan_lesson::{banks, narrate, shared};
use rasterscan_picture::shared::MemoryPicture;
use skrifa::{FontRef, MetadataProvider};

#[path = "lesson_app/german.rs"]
mod german;

struct Stage(Harness<'static, App>);

impl Stage {
    fn with(
        size: [f32; 2],
        scale: f32,
        theme: Theme,
        engine: Box<dyn Engine>,
        begin: impl FnOnce(&mut App),
    ) -> Stage {
        let mut app = App::new(engine);
        begin(&mut app);
        let harness = Harness::builder()
            .with_size(size)
            .with_pixels_per_point(scale)
            .with_theme(theme)
            .with_step_dt(0.05)
            .with_max_steps(30)
            .build_ui_state(|ui, app: &mut App| app.ui(ui), app);
        let mut stage = Stage(harness);
        stage.0.run();
        stage
    }

    /// A run at a position, in a window that is high enough for the whole panel.
    fn at(job: Job, position: usize) -> Stage {
        Stage::with([1280.0, 2400.0], 1.0, Theme::Light, gpu(), |app| {
            app.ask(job);
            app.go(position);
        })
    }

    fn tour() -> Stage {
        Stage::with([1280.0, 900.0], 1.0, Theme::Light, gpu(), |app| app.tour = Tour::at(0))
    }

    fn click(&mut self, name: &str) -> &mut Stage {
        self.0.get_by_label(name).click();
        self.0.run();
        self
    }

    fn says(&self, text: &str) -> bool {
        self.0.query_all_by_label_contains(text).next().is_some()
    }

    fn recording(&self) -> std::rc::Rc<Recording> {
        self.0.state().recording().expect("something is shown")
    }

    fn position(&self) -> usize {
        self.0.state().view.position
    }

    /// Replaces the typed answer.
    fn answer(&mut self, text: &str) -> &mut Stage {
        self.0.get_by_label("Your answer").focus();
        self.0.run();
        self.0.key_press_modifiers(egui::Modifiers::COMMAND, Key::A);
        self.0.run();
        self.0.get_by_label("Your answer").type_text(text);
        self.0.run();
        self.click("Check")
    }
}

fn gpu() -> Box<dyn Engine> {
    Box::new(GpuEngine(Gpu::headless().expect("the tests need a GL device")))
}

fn compute() -> bool {
    Gpu::headless().is_ok_and(|gpu| gpu.device().compute.is_some())
}

#[test]
fn the_panel_says_of_each_pass_what_it_does() {
    let mut stage = Stage::at(scan("hybrid:reduce=2", 16), 0);
    assert!(stage.says("Before the first pass") && stage.says("Pseudo-code"));
    let passes = stage.recording().passes.len();
    for position in 1..=passes {
        stage.0.key_press(Key::ArrowRight);
        stage.0.run();
        let recording = stage.recording();
        assert_eq!(stage.position(), position);
        assert!(stage.says(&narrate(&recording, position)), "{}", narrate(&recording, position));
        assert!(stage.says(&recording.passes[position - 1].main_shader().unwrap().path));
        let lit = stage.0.query_all_by_label_contains("» ").count();
        assert!(lit > 0 && lit < 14, "{lit} lines are lit at {position}");
    }
    assert!(stage.says("includes common/"));
}

#[test]
fn stages_are_picked_and_settings_are_shown() {
    let mut stage = Stage::at(compact("blocks:size=8,draw=lines", 16), 0);
    let drawn = stage.recording().passes.iter().position(|pass| pass.phase == "left parts").unwrap();
    stage.0.state_mut().go(drawn + 1);
    stage.0.run();
    assert!(stage.says("compact/blocks/concatenate.frag"));
    stage.click("vertex");
    assert!(stage.says("compact/blocks/draw_part.vert") && stage.says("Wrapping by drawing twice"));
    assert!(!stage.says("#define PART"));
    stage.click("Defines and uniforms");
    assert!(stage.says("#define PART") && stage.says("#define MOVES_VALUES"));
    // A pass without such a stage shows its main one.
    stage.0.key_press(Key::Home);
    stage.0.run();
    stage.0.key_press(Key::ArrowRight);
    stage.0.run();
    assert!(stage.says("compact/common/flags.frag"));
}

#[test]
fn shared_memory_shows_its_banks_and_the_k_model() {
    if !compute() {
        println!("not applicable: this device has no compute shaders");
        return;
    }
    let mut stage = Stage::at(scan("capannini:pattern=no_padding,block=64,banks=16", 100), 1);
    let recording = stage.recording();
    let memory = banks::of(&recording, 0).expect("accesses are recorded");
    assert!(stage.says("Shared memory") && stage.says("16 banks, "));
    assert!(stage.says(&format!("the worst takes {}", memory.worst().unwrap().degree)));
    stage.click("K-model");
    assert!(stage.says("NoPadding with n = 64 and k = 16: a block takes T = "));
    stage.click("by address");
    stage.click("by bank");
    stage.0.key_press(Key::End);
    stage.0.run();
    let texture = Stage::at(scan("horn", 16), 1);
    assert!(!texture.says("Shared memory"));
}

/// The highlighted lines of pseudo-code, by their beginnings.
fn lit(stage: &Stage) -> Vec<String> {
    let labels = stage.0.query_all_by_label_contains("» ");
    labels.filter_map(|node| node.accesskit_node().label().or(node.value())).collect()
}

#[test]
fn a_pass_is_stepped_from_barrier_to_barrier() {
    if !compute() {
        println!("not applicable: this device has no compute shaders");
        return;
    }
    const ALL: &str = "15 stages between barriers";
    let mut stage = Stage::at(scan("capannini:pattern=no_padding,block=64,banks=16", 64), 1);
    let whole = lit(&stage);
    assert!(whole.len() > 10 && stage.says(ALL), "{whole:?}");
    // Loaded, six levels up, the root, six down, stored.
    let mut said = Vec::new();
    for number in 1..=15 {
        stage.click("Stage forward");
        assert!(!stage.says(ALL) && stage.says(" turn"), "{number}");
        let lines = lit(&stage);
        assert!(lines.len() < whole.len(), "{lines:?}");
        let first = lines.first().map_or("", |line| line.trim_start_matches("» "));
        said.push(first.chars().take_while(char::is_ascii_digit).collect::<String>());
        assert_eq!(stage.position(), 1, "the pass stays");
    }
    let expected = [vec![""], vec!["1"; 6], vec!["7"], vec!["8"; 6], vec![""]].concat();
    assert_eq!(said, expected);
    stage.click("Stage back");
    assert!(stage.says("down-sweep, d = 0: "));
    (0..14).for_each(|_| _ = stage.click("Stage back"));
    assert!(stage.says(ALL) && lit(&stage) == whole);
    // Another pass starts with all of its stages.
    stage.click("Stage forward");
    stage.0.state_mut().ask(scan("capannini:block=32", 100));
    stage.0.run();
    assert!(stage.says("7 stages between barriers"));
    let tiles = Stage::at(scan("look_back:vectors=1,group=8", 100), 2);
    assert!(tiles.says("Shared memory") && !tiles.says("between barriers"), "its loops are unknown");
}

#[test]
fn arrow_keys_go_through_the_stages_of_shared_memory() {
    if !compute() {
        println!("not applicable: this device has no compute shaders");
        return;
    }
    let mut stage = Stage::at(scan("harris:variant=work_efficient,block=16,banks=4", 16), 0);
    let memory = shared::of(&stage.recording(), 0, 0).expect("it is recorded");
    let press = |stage: &mut Stage, key| {
        stage.0.key_press(key);
        stage.0.run();
    };
    for number in 0..memory.stages.len() {
        press(&mut stage, Key::ArrowRight);
        assert_eq!(stage.position(), 1);
        let told = memory.describe(number, None);
        assert!(stage.says(&format!("Shared memory. {told}")), "{told}");
        let (turns, least) = memory.turns_until(number);
        let turns = if turns == 1 { "1 turn".into() } else { format!("{turns} turns") };
        assert!(stage.says(&format!("So far {turns}; without conflicts, {least}.")));
        assert!(stage.says(&format!(", stage {} of 11", number + 1)));
        assert!(stage.says(&format!("{}: ", memory.stages[number].stage)), "the panel follows");
    }
    // The whole pass, and back to its last stage.
    press(&mut stage, Key::ArrowRight);
    assert!(
        stage.position() == 1 && stage.says("scanned[10] = ") && stage.says("11 stages between barriers")
    );
    press(&mut stage, Key::ArrowRight);
    assert!(stage.position() == 1 && stage.says("scanned[10] = "), "it is the last pass");
    press(&mut stage, Key::ArrowLeft);
    assert!(stage.says("stage 11 of 11") && stage.0.state().command().ends_with("--pass 1 --stage 11"));
    stage.click("Stage back");
    assert!(stage.says("stage 10 of 11"));
    // Items have no stages: steps are passes.
    stage.click("Items");
    assert!(!stage.says("Shared memory. "));
    press(&mut stage, Key::ArrowLeft);
    assert_eq!(stage.position(), 0);
    press(&mut stage, Key::ArrowRight);
    assert!(stage.position() == 1 && !stage.says("Shared memory. "));
    stage.click("Memory");
    assert!(stage.says("Shared memory. scanned[10] = "));
    press(&mut stage, Key::ArrowLeft);
    (0..10).for_each(|_| press(&mut stage, Key::ArrowLeft));
    assert!(stage.says("stage 1 of 11"));
    press(&mut stage, Key::ArrowLeft);
    assert_eq!(stage.position(), 0);
}

#[test]
fn two_trees_step_together_and_their_turns_are_counted() {
    if !compute() {
        println!("not applicable: this device has no compute shaders");
        return;
    }
    let job = |algorithm| scan(algorithm, 16);
    let both = ["harris:variant=work_efficient,block=16,banks=4", "capannini:block=16,banks=4"];
    let mut stage = Stage::at(job(both[0]), 0);
    stage.0.state_mut().ask_beside(Some(job(both[1])));
    stage.0.run();
    let mut turns = Vec::new();
    for number in 0..3 {
        stage.0.key_press(Key::ArrowRight);
        stage.0.run();
        let told: Vec<String> = stage
            .0
            .query_all_by_label_contains("Shared memory. ")
            .filter_map(|node| node.accesskit_node().label())
            .collect();
        assert_eq!(told.len(), 2, "{told:?}");
        let so_far = |text: &String| -> u64 {
            let (_, after) = text.split_once("So far ").expect("turns are counted");
            after.split(' ').next().and_then(|turns| turns.parse().ok()).expect("a number")
        };
        turns.push((so_far(&told[0]), so_far(&told[1])));
        assert!(stage.says(&format!(", stage {} of 11", number + 1)));
    }
    assert!(turns.is_sorted() && turns[2].0 > turns[2].1, "in place, there are conflicts: {turns:?}");
}

#[test]
fn pictures_of_shared_memory_have_no_arrow_on_a_digit_and_stay_in_their_room() {
    if !compute() {
        println!("not applicable: this device has no compute shaders");
        return;
    }
    let room = egui::Rect::from_min_size(egui::pos2(10.0, 20.0), egui::vec2(620.0, 400.0));
    for algorithm in [
        "harris:variant=naive",
        "harris:variant=work_efficient",
        "harris:variant=padded",
        "capannini:pattern=cm",
        "capannini:pattern=left_right",
    ] {
        let algorithm = format!("{algorithm},block=16,banks=4");
        let stage = Stage::at(scan(&algorithm, 40), 0);
        let recording = stage.recording();
        for pass in 0..recording.passes.len() {
            let Some(memory) = shared::of(&recording, pass, 0) else { continue };
            let stages = (0..memory.stages.len()).map(Some).chain([None]);
            for (number, theme) in stages.zip(
                [rasterscan_drawing::theme::Theme::DARK, rasterscan_drawing::theme::Theme::LIGHT]
                    .into_iter()
                    .cycle(),
            ) {
                let at = format!("{algorithm}, pass {}, stage {number:?}", pass + 1);
                let mut drawing = Drawing::new(0.0, 0.0);
                MemoryPicture::new(&memory, number, None, theme, room).draw(&mut drawing);
                let mut texts = Vec::new();
                let (mut lines, mut digits) = (Vec::new(), 0);
                for shape in &drawing.shapes {
                    match shape {
                        Shape::Text { at: (x, base), text, write } => {
                            let wide = rasterscan_drawing::font::width(text, write.size) * theme.letters;
                            let left = match write.anchor {
                                Anchor::Start => *x,
                                Anchor::Middle => x - wide / 2.0,
                                Anchor::End => x - wide,
                            };
                            digits += usize::from(text.chars().all(|c| c.is_ascii_digit()));
                            texts.push((text.clone(), [left, base - 0.72 * write.size, left + wide, *base]));
                        }
                        Shape::Path { points, closed: false, .. } if points.len() == 2 => {
                            lines.push([points[0], points[1]]);
                        }
                        _ => {}
                    }
                }
                assert!(digits >= 32, "{at}: {digits} numbers");
                for (text, [left, top, right, bottom]) in &texts {
                    assert!(*left >= 9.0 && *right <= 632.0, "{at}: '{text}' from {left} to {right}");
                    assert!(*top >= 19.0 && *bottom <= 421.0, "{at}: '{text}' from {top} to {bottom}");
                    for line in &lines {
                        let crosses = (1..40).map(|step| f64::from(step) / 40.0).any(|share| {
                            let along = |from: f64, to: f64| from + (to - from) * share;
                            let (x, y) = (along(line[0].0, line[1].0), along(line[0].1, line[1].1));
                            (*left..*right).contains(&x) && (*top..*bottom).contains(&y)
                        });
                        assert!(!crosses, "{at}: an arrow crosses '{text}'");
                    }
                }
                for (number, (text, own)) in texts.iter().enumerate() {
                    let meets = texts[..number].iter().find(|(_, other)| {
                        own[0] < other[2] && other[0] < own[2] && own[1] < other[3] && other[1] < own[3]
                    });
                    assert!(meets.is_none(), "{at}: '{text}' overlaps {meets:?}");
                }
            }
        }
    }
}

#[test]
fn the_k_model_is_told_of_a_work_group() {
    if !compute() {
        println!("not applicable: this device has no compute shaders");
        return;
    }
    let mut stage = Stage::at(scan("capannini:block=64,banks=16", 300), 1);
    assert!(stage.says("of 5 work groups") && !stage.says("of the up-sweep take"));
    stage.click("K-model");
    assert!(stage.says("of the up-sweep take"));
    let recording = stage.recording();
    let memory = banks::of(&recording, 0).unwrap();
    let taken = banks::taken(&recording, 0, &memory, 0).unwrap();
    assert!(stage.says(&format!(
        "Recorded for work group 0: {} for the sums, {} for all of them.",
        taken.sums, taken.whole
    )));
    stage.0.key_press(Key::End);
    stage.0.run();
    assert!(stage.says("turns for all loads and stores of the down-sweep") && !stage.says("of the up-sweep"));
    let mut alone = Stage::at(scan("capannini:block=64,banks=16", 64), 1);
    alone.click("K-model");
    assert!(alone.says("of the up-sweep; all loads and stores of both sweeps take "));
    assert!(!alone.says("work groups"), "there is one");
    let mut steps = Stage::at(scan("capannini:pattern=cm,block=64,banks=16", 64), 1);
    steps.click("K-model");
    assert!(steps.says("16 banks, ") && steps.says("CM with n = 64 and k = 16"));
    assert!(steps.says("of all steps") && !steps.says("of the up-sweep"));
}

#[test]
fn the_tour_goes_from_its_first_stop_to_its_end() {
    let mut stage = Stage::tour();
    for (number, stop) in STOPS.iter().enumerate() {
        if !compute() && of_compute(stop) {
            stage.click(if number + 1 == STOPS.len() { "Finish" } else { "Next" });
            continue;
        }
        assert!(stage.says(&stop.title), "{}", stop.title);
        let recording = stage.recording();
        assert!(stop.is_of(&recording), "{}: {} is shown", stop.title, recording.algorithm);
        assert_eq!(stage.position(), stop.position, "{}", stop.title);
        let opening = stage.0.state().opening();
        assert_eq!(
            (opening.beside.is_some(), opening.stage),
            (stop.beside.is_some(), stop.stage),
            "{}",
            stop.title
        );
        assert_eq!(opening.look.rows, stop.texture_rows, "{}", stop.title);
        let question = stop.question(&*recording).expect("its own run has a question");
        assert!(stage.says(&question.text));
        stage.answer("many");
        assert!(stage.says("'many' is not a whole number"));
        stage.answer("123456");
        assert!(stage.says("Not yet") && stage.says(&question.hint) && !stage.says(&question.explanation));
        stage.answer(&question.answer.to_string());
        assert!(stage.says(&question.explanation), "{}", stop.title);
        if stop.position < stop.answered.min(recording.passes.len()) || question.about.is_some() {
            stage.click("See it happen");
            let there = stop.answered.min(recording.passes.len());
            assert_eq!(stage.position(), there);
            assert!(stage.says(&question.explanation), "the reply stays");
            // The picture shows the item that was asked for.
            if let Some(index) = question.about {
                let pinned = stage.0.state().opening().pin;
                assert_eq!(
                    pinned.map(|spot| (spot.source, spot.place.index)),
                    Some((false, index)),
                    "{}",
                    stop.title
                );
            }
        } else {
            assert!(!stage.says("See it happen"));
        }
        let next = if number + 1 == STOPS.len() { "Finish" } else { "Next" };
        stage.click(next);
    }
    assert!(stage.says("The end of the tour"));
    let right = STOPS.iter().filter(|stop| compute() || !of_compute(stop)).count();
    assert!(stage.says(&format!("{right} of {} questions", STOPS.len())));
    stage.click("Begin again");
    assert!(stage.says(&STOPS[0].title));
}

/// True if a stop's run needs compute shaders.
fn of_compute(stop: &Stop) -> bool {
    match &stop.job.algorithm {
        Wanted::Algorithm(choice) => choice.card.era == Era::Compute,
        _ => false,
    }
}

#[test]
fn one_can_jump_go_back_and_take_other_numbers() {
    let mut stage = Stage::tour();
    stage.click("Stop 8: Compaction: each result searches for its element");
    let before = stage.recording();
    assert!(STOPS[7].is_of(&before));
    stage.click("Other numbers");
    assert!(STOPS[7].is_of(&stage.recording()) && stage.recording().inputs != before.inputs);
    stage.click("Back");
    assert!(STOPS[6].is_of(&stage.recording()));
    // A run changed by hand is no longer the stop's, until it is asked for again.
    stage.0.state_mut().ask(scan("horn", 16));
    stage.0.run();
    assert!(stage.says("is not the picture of this stop"));
    stage.click("Show it again");
    assert!(STOPS[6].is_of(&stage.recording()));
}

#[test]
fn keys_do_not_act_while_an_answer_is_typed() {
    let mut stage = Stage::tour();
    stage.click("Next");
    let position = stage.position();
    stage.0.get_by_label("Your answer").focus();
    stage.0.run();
    for key in [Key::ArrowRight, Key::Space, Key::End] {
        stage.0.key_press(key);
        stage.0.run();
    }
    assert_eq!(stage.position(), position);
    stage.0.get_by_label("Your answer").type_text("12345");
    stage.0.run();
    stage.0.key_press(Key::Enter);
    stage.0.run();
    assert!(stage.says("Not yet"), "Enter checks");
}

#[test]
fn after_a_reply_arrows_step_and_digits_are_another_answer() {
    let mut stage = Stage::tour();
    stage.0.get_by_label("Your answer").focus();
    stage.0.run();
    stage.0.get_by_label("Your answer").type_text("12345");
    stage.0.run();
    stage.0.key_press(Key::Enter);
    stage.0.run();
    assert!(stage.says("Not yet"));
    let position = stage.position();
    stage.0.key_press(Key::ArrowRight);
    stage.0.run();
    assert_eq!(stage.position(), position + 1);
    stage.0.event(egui::Event::Text("7".into()));
    stage.0.run();
    assert!(!stage.says("Not yet"));
    let field = stage.0.get_by_label("Your answer").value();
    assert_eq!(field.as_deref(), Some("7"));
    stage.0.event(egui::Event::Text("1".into()));
    stage.0.run();
    assert_eq!(stage.0.get_by_label("Your answer").value().as_deref(), Some("71"), "the caret is at the end");
}

#[test]
fn a_narrow_window_has_the_tour_below_the_picture() {
    for size in [[400.0, 700.0], [360.0, 640.0], [600.0, 480.0]] {
        let stage = Stage::with(size, 1.0, Theme::Dark, gpu(), |app| app.tour = Tour::at(1));
        let picture = stage.0.get_by_label_contains("horn, pass ").rect();
        let tour = stage.0.get_by_label("Next").rect();
        assert!(tour.top() >= picture.bottom(), "{size:?}: {tour:?} {picture:?}");
        assert!(tour.bottom() <= size[1] && picture.height() > size[1] * 0.2, "{size:?}: {picture:?}");
    }
}

#[test]
fn progress_is_kept_by_the_titles_of_stops() {
    let mut stage = Stage::tour();
    let answer = STOPS[0].question(&*stage.recording()).unwrap().answer.to_string();
    stage.answer(&answer).click("Next");
    let progress = stage.0.state().tour.progress();
    assert!(progress.contains(&STOPS[0].title) && progress.contains(&STOPS[1].title));
    let mut later = Tour::default();
    later.set_progress(&format!("answered\tTour\tan unknown stop\nnonsense\n{progress}"));
    assert_eq!((later.stop, later.progress()), (1, progress));
}

/// The roles of widgets that are pressed or edited.
const CONTROLS: [Role; 6] =
    [Role::Button, Role::CheckBox, Role::ComboBox, Role::Slider, Role::TextInput, Role::SpinButton];

/// Every widget that is pressed or edited has a name with a letter or a digit.
#[test]
fn every_widget_has_a_name() {
    let roles = CONTROLS.into_iter().chain([Role::RadioButton, Role::Link]).collect::<Vec<_>>();
    let begins: [fn(&mut App); 7] = [
        |_| (),
        |app| app.report(Err("a notice".into())),
        |app| app.open_puzzle(PUZZLES.puzzle("horn").unwrap()),
        |app| app.welcome(),
        |app| app.tour = Tour::at(1),
        |app| app.ask(compact("blocks:size=8", 16)),
        |app| app.ask_beside(Some(scan("hybrid", 16))),
    ];
    let fonts = rasterscan_app::fonts().font_data;
    let maps: Vec<_> = fonts.values().map(|font| FontRef::new(&font.font).unwrap().charmap()).collect();
    let drawn = |sign: char| maps.iter().any(|map| map.map(sign).is_some());
    let mut tried = 0;
    for begin in begins {
        let mut stage = Stage::with([1280.0, 1400.0], 1.0, Theme::Dark, gpu(), begin);
        for menu in ["", "File", "View", "Help"] {
            if !menu.is_empty() {
                stage.click(menu);
            }
            for node in stage.0.root().children_recursive() {
                let node = node.accesskit_node();
                if !roles.contains(&node.role()) {
                    continue;
                }
                let named = [node.label(), node.value()].into_iter().flatten();
                let named = named.chain(node.labelled_by().filter_map(|by| by.label().or(by.value())));
                let names: Vec<String> = named.map(|name| name.to_string()).collect();
                let spoken = names.iter().any(|name| name.chars().any(char::is_alphanumeric));
                assert!(
                    spoken || names.iter().any(|name| name == ".."),
                    "{:?} {names:?} {:?}",
                    node.role(),
                    node.bounding_box()
                );
                let mut signs = names.iter().flat_map(|name| name.chars());
                assert!(
                    signs.all(|sign| sign.is_control() || drawn(sign)),
                    "the fonts lack a sign of {names:?}"
                );
                tried += 1;
            }
            stage.0.key_press(Key::Escape);
            stage.0.run();
        }
    }
    assert!(tried > 200, "{tried}");
}

/// A text is spoken when it comes, and a widget when it is used.
#[test]
fn a_page_speaks_what_is_new_and_what_is_used() {
    let mut stage = Stage::with([1280.0, 900.0], 1.0, Theme::Light, Box::new(KernelEngine), |app| {
        *app = App::new(Box::new(KernelEngine)).in_page();
        app.welcome();
    });
    let spoken = |stage: &mut Stage| stage.0.state_mut().take_spoken().unwrap_or_default();
    assert!(stage.0.state().narration().starts_with("Eight numbers."));
    let said = spoken(&mut stage);
    assert!(said.starts_with("Drag from a number") && !said.contains("Eight numbers."), "{said}");
    stage.0.state_mut().open(&Opening::of_link("--tour&1").unwrap());
    stage.0.run();
    let said = spoken(&mut stage);
    assert_eq!(said.matches(&STOPS[0].title).count(), 1, "{said}");
    stage.0.run();
    assert_eq!(spoken(&mut stage), "", "each once");
    stage.0.key_press(Key::Tab);
    stage.0.run();
    assert_eq!(spoken(&mut stage), "File, button");
    stage.0.get_by_label("Your answer").focus();
    stage.0.run();
    assert_eq!(spoken(&mut stage), "Your answer, text field");
    stage.answer("x");
    let said = spoken(&mut stage);
    assert!(said.contains("Check") && said.contains("\nNot a number\n"), "{said}");
    stage.0.get_by_role(Role::Image).focus();
    stage.0.run();
    assert_eq!(spoken(&mut stage), stage.0.state().narration());
}

#[test]
fn the_picture_is_a_sentence_and_a_key_says_its_values() {
    let mut stage = Stage::at(scan("horn", 16), 1);
    let told = narrate(&stage.recording(), 1);
    let picture = stage.0.get_by_role(Role::Image).accesskit_node();
    assert_eq!(picture.data().description(), Some(&*told));
    stage.0.key_press(Key::V);
    stage.0.run();
    let row = stage.recording().passes[0].targets[0].values.clone();
    let values: Vec<String> = (0..16).map(|index| row.decimal(index)).collect();
    assert!(stage.says(&format!("horn, pass 1 of 4, ping: {}", values.join(", "))));
}

/// On a phone, fingers need large controls, and a puzzle its picture.
#[test]
fn a_phone_has_large_controls_and_puzzles_with_their_picture() {
    let begins: [fn(&mut App); 3] =
        [|_| (), |app| app.tour = Tour::at(1), |app| app.open_puzzle(PUZZLES.puzzle("horn").unwrap())];
    for (number, begin) in begins.into_iter().enumerate() {
        let mut stage = Stage::with([390.0, 844.0], 1.0, Theme::Light, gpu(), begin);
        if number == 0 {
            stage.click("Run: Controls of the run");
        } else {
            let picture = stage.0.get_by_role(Role::Image).rect();
            assert!(picture.height() > 150.0 && picture.top() < 100.0, "{number}: {picture}");
        }
        for node in stage.0.root().children_recursive() {
            let name = node.accesskit_node().label();
            // The title is no control but for its parameters.
            let title = name.as_ref().is_some_and(|name| name.starts_with("Parameters of"));
            if !title && CONTROLS.contains(&node.accesskit_node().role()) {
                assert!(node.rect().height() >= 40.0, "{name:?}: {}", node.rect());
            }
        }
    }
    // In a large window, they are large from the first touch on.
    let mut stage = Stage::with([1280.0, 900.0], 1.0, Theme::Light, gpu(), |_| ());
    let high = |stage: &Stage| stage.0.get_by_label("Play").rect().height();
    assert_eq!(high(&stage), 20.0);
    stage.0.event(egui::Event::Touch {
        device_id: egui::TouchDeviceId(0),
        id: egui::TouchId(0),
        phase: egui::TouchPhase::Start,
        pos: egui::pos2(600.0, 300.0),
        force: None,
    });
    stage.0.run();
    assert_eq!(high(&stage), 40.0);
}

#[test]
fn costs_are_shown_beside_those_of_a_loop() {
    let mut stage = Stage::at(scan("horn", 24), 0);
    stage.click("Why this algorithm");
    assert!(
        stage.says("Chart of adds against n")
            && stage.says("Without sequential")
            && stage.says("Without horn")
    );
    stage.click("words");
    assert!(stage.says("Chart of words against n"));
    stage.click("Without sequential");
    assert!(!stage.says("Without sequential"));
    stage.click("Add an algorithm").click("blelloch");
    assert!(stage.says("Without blelloch"));
    stage.click("Larger");
    assert!(stage.says("At n = 24"));
}

#[test]
fn without_a_gpu_the_tour_goes_on() {
    let runner = Box::new(KernelEngine);
    let mut stage = Stage::with([1280.0, 900.0], 1.0, Theme::Dark, runner, |app| app.tour = Tour::at(3));
    for stop in &STOPS[3..] {
        assert!(stage.says(&stop.title) && !stage.says("is not the picture of this stop"), "{}", stop.title);
        let answer = stop.question(&*stage.recording()).unwrap().answer.to_string();
        assert!(stage.answer(&answer).says("Right"), "{}", stop.title);
        stage.click("Other numbers");
        assert!(!stage.says("is not the picture of this stop"), "{}", stop.title);
        if stop.title != STOPS[STOPS.len() - 1].title {
            stage.click("Next");
        }
    }
    let mut far =
        Stage::with([900.0, 700.0], 1.0, Theme::Dark, Box::new(KernelEngine), |app| app.tour = Tour::at(99));
    assert!(far.says("The end of the tour"));
    far.click("Puzzles: write the shaders yourself").click("2. Horn's step");
    assert!(far.0.state().opening().link().starts_with("--puzzle&horn"));
}

#[test]
fn small_and_dense_windows_do_no_harm() {
    for (size, scale) in
        [([320.0, 240.0], 1.0), ([320.0, 240.0], 3.0), ([107.0, 80.0], 3.0), ([640.0, 480.0], 0.5)]
    {
        for stop in [1, 9, 10, 11, 12] {
            for theme in [Theme::Light, Theme::Dark] {
                Stage::with(size, scale, theme, gpu(), |app| app.tour = Tour::at(stop));
            }
        }
    }
}

/// Damaged recordings: each part that can be missing is removed in turn.
#[test]
fn what_is_missing_in_a_recording_does_no_harm() {
    let algorithms = if compute() {
        vec!["horn", "blelloch", "packed", "capannini:block=32"]
    } else {
        vec!["horn", "packed"]
    };
    for algorithm in algorithms {
        let stage = Stage::at(scan(algorithm, 40), 1);
        let whole = (*stage.recording()).clone();
        let damages: [fn(&mut Recording); 10] = [
            |r| r.passes.iter_mut().for_each(|pass| pass.sources.clear()),
            |r| r.passes.iter_mut().for_each(|pass| pass.targets.clear()),
            |r| r.passes.iter_mut().for_each(|pass| pass.defines.clear()),
            |r| r.passes.iter_mut().for_each(|pass| pass.uniforms.clear()),
            |r| r.passes.iter_mut().for_each(|pass| pass.shaders.clear()),
            |r| r.passes.iter_mut().for_each(|pass| pass.reads.clear()),
            |r| {
                r.passes.iter_mut().flat_map(|pass| &mut pass.targets).for_each(|target| {
                    target.values.truncate(0);
                })
            },
            |r| {
                r.passes.iter_mut().for_each(|pass| {
                    let wild = SharedAccess {
                        invocation: u32::MAX,
                        epoch: 9,
                        number: u32::MAX,
                        array: 7,
                        address: u32::MAX,
                        written: true,
                        words: [0; 4],
                    };
                    pass.shared = vec![wild; 3];
                })
            },
            |r| {
                r.passes
                    .iter_mut()
                    .flat_map(|pass| &mut pass.defines)
                    .for_each(|(_, value)| *value = i64::MAX)
            },
            |r| r.passes.iter_mut().flat_map(|pass| &mut pass.defines).for_each(|(_, value)| *value = 0),
        ];
        for damage in damages {
            let mut damaged = whole.clone();
            damage(&mut damaged);
            for position in 0..=damaged.passes.len() {
                assert!(!narrate(&damaged, position).is_empty());
            }
            let passes = damaged.passes.len();
            let mut stage = Stage::with([1280.0, 900.0], 1.0, Theme::Light, gpu(), |app| {
                app.show(damaged, PathBuf::from("damaged.json"));
                app.go(passes);
            });
            stage.0.run();
        }
    }
}

/// A scan of random digits.
fn scan(algorithm: &str, n: u64) -> Job {
    job(rasterscan::tools::problem::SCAN, algorithm, n)
}

/// A compaction of random digits.
fn compact(algorithm: &str, n: u64) -> Job {
    job(rasterscan::tools::problem::COMPACT, algorithm, n)
}

fn job(problem: &'static rasterscan::tools::Problem, algorithm: &str, n: u64) -> Job {
    let choice = rasterscan::tools::registry::Choice::parse(problem, algorithm).unwrap();
    Job::new(problem, rasterscan_app::job::digits(problem).with_len(n)).by(choice)
}

/// A puzzle in the editor.
fn puzzle(name: &str) -> Stage {
    let puzzle = PUZZLES.puzzle(name).unwrap();
    Stage::with([1280.0, 2400.0], 1.0, Theme::Light, gpu(), |app| {
        app.teach(PUZZLES.clone());
        app.open_puzzle(puzzle);
    })
}

impl Stage {
    /// Replaces the text in the editor, and waits until it has run.
    fn write(&mut self, text: &str) -> &mut Stage {
        let now = self.0.input().time.unwrap_or(0.0);
        self.0.state_mut().replace(text.to_owned(), now);
        self.0.run_steps(10);
        self
    }
}

#[test]
fn a_puzzle_is_wrong_then_solved_and_its_answers_are_saved() {
    let mut stage = puzzle("horn");
    assert!(
        stage.says("Horn's step") && stage.says("First wrong: pass 1 (scan) writes 7 to ping[1]; expected 8")
    );
    assert_eq!(stage.position(), 1);
    assert!(stage.0.state().narration().contains("The shader is edited."));
    assert!(stage.says("not recorded"), "the counters say nothing of the plan");
    // The longest lines are wrapped.
    let gap = "// combine the item at `left` with this one, unless it is alone";
    let mut texts = stage.0.output().shapes.iter().filter_map(|shape| match &shape.shape {
        egui::Shape::Text(text) if text.galley.text().contains(gap) => Some((text, shape.clip_rect)),
        _ => None,
    });
    let (text, clip) = texts.next_back().expect("the text is shown");
    assert!(text.visual_bounding_rect().right() <= clip.right());
    assert!(!stage.says("Item combine("));
    stage.click("Functions that it may call");
    assert!(stage.says("Item combine(Item left, Item right)") && !stage.says("begin_recording"));
    assert!(!stage.says("Hint: "));
    stage.click("Hint");
    assert!(stage.says("Hint: Texels that are alone keep their item."));
    let solution = "if (!alone) { item = combine(fetch_item(u_source, left, u_source_shape), item); }";
    let text = stage.0.state().editor.text().to_owned();
    assert!(text.contains(gap));
    stage.write(&text.replace(gap, solution));
    assert!(stage.says("The result of the run shown is right."), "{:?}", stage.0.state().editor.error());
    stage.click("Check");
    assert!(stage.says(
        "Solved: 4 passes, 113 reads; which is par. The run shown is right, and so are all 3 hidden cases."
    ));
    assert!(stage.says("2. Horn's step (solved)"));
    let saved = stage.0.state().tour.answers.to_json();
    assert!(saved.contains("fetch_item(u_source, left"), "{saved}");
    stage.click("Close the editor");
    assert!(!stage.says("Close the editor"));
}

#[test]
fn an_edited_shader_shows_its_errors_and_leaves_the_last_run() {
    let mut stage = Stage::at(scan("horn", 16), 2);
    let own = stage.recording();
    stage.click("Edit");
    let text = stage.0.state().editor.text().to_owned();
    let line = 1 + text.lines().position(|line| line.contains("    write_item(item);")).unwrap();
    stage.write(&text.replace("    write_item(item);\n}", "    write_item(itm);\n}"));
    assert!(stage.says(&format!("Line {line}: ")), "{:?}", stage.0.state().editor.error());
    assert_eq!(stage.recording().passes.last().unwrap().targets, own.passes.last().unwrap().targets);
    stage.write(&text.replace("    write_item(item);\n}", "    for (;;) {}\n    write_item(identity());\n}"));
    assert!(stage.says("First wrong: pass 1"), "{:?}", stage.0.state().editor.error());
    assert!(stage.recording().passes[0].targets[0].values.words().iter().all(|word| *word == 0));
    assert!(stage.says("Its loops were stopped after 16384 turns, first in pass 1."));
    stage.click("Reset");
    stage.0.run_steps(10);
    assert_eq!(stage.recording().passes.last().unwrap().targets, own.passes.last().unwrap().targets);
    stage.write(&" ".repeat(1 << 20));
    assert!(stage.says("at most 65536"));
}

/// Run it alone: `cargo test --release --test lesson_app in_time -- --ignored --nocapture`.
#[test]
#[ignore = "measures time"]
fn a_change_to_a_shader_is_seen_in_time() {
    for algorithm in ["horn", "hybrid", "packed", "harris", "look_back"] {
        let mut stage = Stage::at(scan(algorithm, 64), 2);
        stage.click("Edit");
        let text = stage.0.state().editor.text().to_owned();
        let mut times: Vec<f64> = (0..11)
            .map(|change| {
                let text = format!("{text}\n// {change}\n");
                let start = std::time::Instant::now();
                stage.write(&text);
                let took = start.elapsed();
                let recording = stage.recording();
                let mut shaders = recording.passes.iter().flat_map(|pass| &pass.shaders);
                assert!(
                    shaders.any(|shader| shader.text == text),
                    "{algorithm}: {:?}",
                    stage.0.state().editor.error()
                );
                took.as_secs_f64() * 1e3
            })
            .collect();
        times.sort_by(f64::total_cmp);
        // The delay after the last key is not waited for here.
        let (median, most) = (100.0 + times[5], 100.0 + times[10]);
        println!(
            "{algorithm}: a change is seen after {median:.0} ms (median), {most:.0} at most, with the delay of 100"
        );
        assert!(median < 300.0, "{algorithm}: {median:.0} ms");
    }
}

#[test]
fn a_lesson_goes_through_the_gallery() {
    let mut stage =
        Stage::with([1280.0, 900.0], 1.0, Theme::Light, gpu(), |app| app.open_lesson(GALLERY).unwrap());
    let lesson = Lesson::parse(GALLERY).unwrap();
    let facts = |stop: &Stop| (stop.gallery.unwrap().run)(&Gpu::headless().unwrap()).unwrap().facts;
    for stop in
        lesson.stops.iter().filter(|stop| ["lexer", "quicksort"].contains(&stop.gallery.unwrap().name))
    {
        let question = stop.question(&facts(stop)[..]).unwrap();
        assert!(stage.says(&stop.title) && stage.says("Verified") && !stage.says("Algorithm"));
        assert!(stage.says(&question.text) && !stage.says("…"), "its values are there");
        assert!(stage.0.query_by_label("Other numbers").is_none() && !stage.says("as a lesson"));
        assert!(stage.answer("123456789").says(&question.hint) && !stage.says(&question.explanation));
        assert!(stage.answer(&question.answer.to_string()).says(&question.explanation));
        assert!(!stage.says("See it happen"));
        stage.0.get_by_label_contains("Stop 5: A recursion without recursion").click();
        stage.0.run();
    }
    // A run in place of the piece has no question of it.
    stage.click("See this step, pass by pass");
    assert!(stage.says("You have changed the run") && !stage.says("Verified"));
    stage.click("Show it again");
    assert!(stage.says("Verified") && stage.says("After how many steps"));
    assert_eq!(stage.0.state().tour.answers.answers.len(), 2);
}

#[test]
fn a_lesson_file_takes_the_place_of_the_tour() {
    let text = include_str!("../../lesson/lessons/scans.toml");
    let mut stage =
        Stage::with([1280.0, 900.0], 1.0, Theme::Light, gpu(), |app| app.open_lesson(text).unwrap());
    assert!(stage.says("One step") && stage.says("Horn's scan of 16 numbers."));
    stage.0.state_mut().welcome();
    stage.0.run_steps(3);
    assert!(stage.says("Take the tour"));
    stage.0.state_mut().open_lesson(text).unwrap();
    stage.0.run_steps(3);
    assert!(
        stage.says("One step") && !stage.says("Take the tour"),
        "it takes the place of the first screen, too"
    );
    let answer = stage.recording().passes[2].targets[0].values.decimal(9);
    assert!(stage.answer("1").says("Not yet") && stage.answer(&answer).says("Right"));
    stage.click("Next").click("Finish");
    assert!(stage.says("The end of the scans by drawing") && stage.says("1 of 2 questions"));
    stage.click("2. Down-sweep");
    assert!(stage.says("Close the editor"));
    let wrong = stage.0.state_mut().open_lesson("title = 1").unwrap_err();
    assert!(wrong.contains("line 1"), "{wrong}");
}
