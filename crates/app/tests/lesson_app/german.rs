//! The app in German: what it shows has a phrase, or is a number, a name or code.

use std::collections::BTreeSet;

use egui::epaint::text::Galley;
use egui::text::LayoutSection;
use egui::{FontFamily, Shape};
use rasterscan::tools::job::Pattern;
use rasterscan::tools::problem;
use rasterscan::tools::registry::{self, Parameter};
use rasterscan::{ElementType, Operator};
use rasterscan_app::examples;
use rasterscan_lesson::phrases::Phrases;

use super::*;

/// The German app, and what was shown in another language.
struct German {
    stage: Stage,
    names: BTreeSet<String>,
    english: BTreeSet<String>,
}

/// The names of algorithms, parameters, options and types, and their values: words that all languages share.
fn names() -> BTreeSet<String> {
    let mut names: BTreeSet<String> = ElementType::ALL.map(|element| element.name().to_owned()).into();
    let mut parameter = |parameter: &Parameter| {
        names.insert(parameter.name.into());
        let values = parameter.domain.names().into_iter().chain([parameter.default]);
        names.extend(values.flat_map(|word| [word.to_owned(), word.replace('_', " ")]));
    };
    registry::all().flat_map(|card| card.parameters).for_each(&mut parameter);
    problem::ALL.iter().flat_map(|problem| problem.options).for_each(&mut parameter);
    let title = |name: &str| name[..1].to_uppercase() + &name[1..].replace('_', "-");
    names.extend(registry::all().flat_map(|card| [card.name.to_owned(), title(card.name)]));
    // Parts of shaders that are no files, and languages by their own names.
    names.extend(["streams", "element", "lanes", "English", "Deutsch"].map(str::to_owned));
    // The patterns of a tree in shared memory, as their paper names them, and the pieces of the gallery.
    names.extend(["NoPadding", "Padding", "DoublePadding", "LeftRight"].map(str::to_owned));
    names.extend(rasterscan_gallery::ALL.map(|piece| piece.name.to_owned()));
    names.extend(Operator::ALL.iter().map(ToString::to_string));
    names.extend(Pattern::ALL.map(|pattern| pattern.name().to_owned()));
    names
}

impl German {
    fn with(size: [f32; 2], begin: impl FnOnce(&mut App)) -> German {
        German::on(Box::new(KernelEngine), size, begin)
    }

    fn on(engine: Box<dyn Engine>, size: [f32; 2], begin: impl FnOnce(&mut App)) -> German {
        let device = engine.device();
        let stage = Stage::with(size, 1.0, Theme::Light, engine, |app| {
            app.use_language("de");
            begin(app);
        });
        let mut german = German { stage, names: names(), english: BTreeSet::new() };
        german.names.insert(device);
        german.look();
        german
    }

    fn phrases(&self) -> Phrases {
        self.stage.0.state().phrases().expect("German").clone()
    }

    fn run(&mut self) {
        self.stage.0.run();
        self.look();
    }

    fn click(&mut self, name: &str) {
        self.stage.0.get_by_label(name).click();
        self.run();
    }

    /// Notes the texts of the last frame that are in another language.
    fn look(&mut self) {
        // Messages of a compiler stay as they are.
        self.names.extend(self.stage.0.state().editor.error().map(str::to_owned));
        if let Some(recording) = self.stage.0.state().recording() {
            let of_run = recording.streams.iter().map(|stream| stream.name.clone());
            let phases = recording.passes.iter().map(|pass| pass.phase.clone());
            let words =
                of_run.chain(phases).flat_map(|name| name.split(' ').map(str::to_owned).collect::<Vec<_>>());
            self.names.extend(words);
            self.names.extend([recording.algorithm.clone(), recording.device.clone()]);
        }
        let phrases = self.phrases();
        let mut english = Vec::new();
        for clipped in &self.stage.0.output().shapes {
            texts(&clipped.shape, &mut |galley| {
                let sections = &galley.job.sections;
                let is_code =
                    |section: &LayoutSection| section.format.font_id.family == FontFamily::Monospace;
                // Between code there are parts of a paragraph, also single words.
                let is_part = |text: &str| sections.iter().any(is_code) && phrases.has_said_part(text);
                for section in sections.iter().filter(|section| !is_code(section)) {
                    let text = &galley.job.text[section.byte_range.start.0..section.byte_range.end.0];
                    let text = text.trim();
                    let after_hint = text
                        .split_once(": ")
                        .is_some_and(|(head, rest)| self.is_german(head, &phrases) && is_part(rest));
                    if !self.is_german(text, &phrases) && !is_part(text) && !after_hint {
                        english.push(text.to_owned());
                    }
                }
            });
        }
        self.english.extend(english);
    }

    fn is_german(&self, text: &str, phrases: &Phrases) -> bool {
        let is_word = |word: &str| {
            let word = word.trim_matches(|letter: char| letter.is_ascii_punctuation());
            word.chars().count() > 1 && word.chars().all(char::is_alphabetic)
        };
        let known = |text: &str| phrases.has_said(text) || self.names.contains(text);
        if !text.split_whitespace().any(is_word) || known(text) || text.strip_suffix(':').is_some_and(known) {
            return true;
        }
        // A part that is cut off, or put together.
        let cut = text.strip_suffix('…').is_some_and(|begun| phrases.has_said_part(begun));
        cut || [": ", ", ", " (", ") ", " ", "\n"].into_iter().any(|between| {
            text.split_once(between).is_some_and(|(first, rest)| {
                let rest = if between == " (" { rest.trim_end_matches(')') } else { rest };
                self.is_german(first, phrases) && self.is_german(rest, phrases)
            })
        }) || (text.split_whitespace().count() > 1 || text.ends_with('.')) && phrases.has_said_part(text)
    }

    /// Fails if anything was left in English.
    fn nothing_was_english(mut self) {
        self.english.extend(self.phrases().misses());
        let list: Vec<&str> = self.english.iter().map(String::as_str).collect();
        assert!(list.is_empty(), "{} texts without German:\n{}", list.len(), list.join("\n"));
    }
}

fn texts(shape: &Shape, take: &mut impl FnMut(&Galley)) {
    match shape {
        Shape::Text(text) => take(&text.galley),
        Shape::Vec(shapes) => shapes.iter().for_each(|shape| texts(shape, take)),
        _ => {}
    }
}

#[test]
fn german_has_runs_and_their_explanations() {
    let mut german = German::with([1280.0, 2400.0], |_| {});
    for job in examples::jobs() {
        german.stage.0.state_mut().ask(job);
        german.run();
        let last = german.stage.0.state().last();
        // The first passes and the last.
        for position in (0..=last).filter(|position| *position < 5 || position + 3 > last) {
            german.stage.0.state_mut().go(position);
            german.run();
            let stages = german.stage.0.state().stages();
            for stage in (0..stages).filter(|stage| *stage < 4 || stage + 2 > stages) {
                german.stage.0.state_mut().go_to_stage(Some(stage));
                german.run();
            }
        }
    }
    german.nothing_was_english();
}

#[test]
fn german_has_the_tour_and_the_puzzles() {
    let mut german = German::with([1280.0, 900.0], |app| app.tour = Tour::at(0));
    for stop in 0..STOPS.len() {
        german.stage.0.get_by_label("Ihre Antwort").focus();
        german.run();
        for answer in ["x", "0", "1"] {
            german.stage.0.key_press_modifiers(egui::Modifiers::COMMAND, Key::A);
            german.stage.0.get_by_label("Ihre Antwort").type_text(answer);
            german.run();
            german.click("Prüfen");
        }
        german.click(if stop + 1 < STOPS.len() { "Weiter" } else { "Fertig" });
    }
    assert!(german.stage.says("Das Ende der Tour") && german.stage.says("von 14 Fragen beantwortet."));
    german.click("Rätsel: die Shader selbst schreiben");
    for (number, puzzle) in (1..).zip(&PUZZLES.puzzles) {
        german.stage.0.state_mut().open_puzzle(puzzle);
        german.run();
        for _ in &puzzle.hints {
            german.click("Tipp");
        }
        assert!(german.stage.says(&format!("{number}. ")), "{}", puzzle.name);
    }
    german.nothing_was_english();
}

#[test]
fn german_has_the_gallery() {
    let mut german = German::on(gpu(), [1280.0, 900.0], |_| {});
    let device = Gpu::headless().unwrap().device().to_string();
    let ran = german.stage.0.state().say("on the CPU. It ran on");
    german.names.insert(format!("{ran} {device}."));
    let open = |link: &str| Opening::of_link(&format!("--gallery&{link}&--language&de")).unwrap();
    german.stage.0.state_mut().open(&open("quicksort"));
    german.run();
    assert!(german.stage.says("Geprüft") && german.stage.says("400 Schlüssel brauchen 20 Schritte"));
    let app = german.stage.0.state();
    assert!(app.narration().contains("Auf der CPU geprüft. Schlüssel: 400;"), "{}", app.narration());
    assert!(app.title().ends_with(": Quicksort mit segmentierten Scans"));
    assert_eq!(app.opening().link(), open("quicksort").link(), "it stays German");
    german.click("Die Galerie als Lektion, mit je einer Frage");
    assert!(german.stage.says("Nach wie vielen Schritten sind alle 400 Schlüssel an ihrem Platz?"));
    german.nothing_was_english();
    // Without a context there is none.
    let mut german = German::with([1280.0, 900.0], |app| app.open(&open("lexer")));
    german.run();
    assert!(german.stage.says("Es kann hier nicht laufen: Es braucht OpenGL"));
    german.nothing_was_english();
}

#[test]
fn german_has_menus_and_windows() {
    let mut german = German::with([1280.0, 900.0], |app| app.welcome());
    german.click("Eine Antwort zeigen");
    for _ in 0..3 {
        german.click("Letzten Durchgang zurücknehmen");
    }
    german.click("Von vorn beginnen");
    for menu in ["Datei", "Ansicht", "Hilfe"] {
        german.click(menu);
    }
    german.click("Legende und Tasten (?)");
    for (menu, window) in [("Ansicht", "Ein Wettlauf der Prozessoren"), ("Ansicht", "Kosten je nach n")] {
        german.click(menu);
        german.click(window);
    }
    german.click("Lauf: Einstellungen des Laufs");
    for problem in ["Kompaktierung", "Reduktion", "Sortieren", "Histogramm", "Scan"] {
        german.click(problem);
        german.click("Mehr Optionen");
    }
    german.click("Vergleich: Zwei Algorithmen, Durchgang für Durchgang");
    german.nothing_was_english();
}

/// A menu chooses a language, and another window begins in English.
#[test]
fn a_menu_chooses_the_language() {
    let mut stage = Stage::with([1280.0, 900.0], 1.0, Theme::Light, Box::new(KernelEngine), |_| {});
    stage.click("Help").click("Deutsch");
    assert!(stage.says("Hilfe") && stage.0.state().opening().language.as_deref() == Some("de"));
    stage.click("Hilfe").click("English");
    assert!(stage.says("Help") && !stage.says("Hilfe"));
    stage.0.state_mut().use_language("fr");
    assert_eq!(stage.0.state_mut().take_wishes(), [rasterscan_app::Wish::Language("fr".into())]);
    stage.0.state_mut().speak("fr", "[[phrase]]\nof = 'Help'\nis = 'Aide'\n").unwrap();
    stage.0.run();
    assert!(stage.says("Aide") && stage.says("View"), "what has no phrase stays");
    let of = |link: &str| Opening::of_link(link).map(|opening| opening.language);
    assert_eq!(of("--language&de"), Ok(Some("de".into())));
    assert!(of("--language&..%2Fde").is_err(), "a page makes an address of it");
}
