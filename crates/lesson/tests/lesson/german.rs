//! German is complete: all that the other tests make the program say has a phrase.

use rasterscan_lesson::phrases::{Phrases, say, speak};

thread_local! {
    static GERMAN: Phrases = {
        // Read here, so that a phrase that is added needs no compiler.
        let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/languages/de.toml"));
        Phrases::parse(&text.expect("the catalogue")).expect("phrases")
    };
}

/// Says a text in German.
pub fn hear(text: &str) -> String {
    GERMAN.with(|german| speak(Some(german), || say(text)))
}

/// Fails if a text that was heard has no German: `crates/lesson/languages/de.toml` lacks a phrase.
pub fn nothing_was_english() {
    let misses = GERMAN.with(Phrases::misses);
    assert!(misses.is_empty(), "{} texts without German:\n{}", misses.len(), misses.join("\n"));
}

fn lessons_are_translated() {
    use rasterscan_lesson::file::PUZZLES;
    use rasterscan_lesson::reference::filled;
    use rasterscan_lesson::tour::TOUR;

    for lesson in [&*TOUR, &*PUZZLES] {
        for text in [&lesson.title].into_iter().chain(&lesson.text).chain(&lesson.end) {
            hear(text);
        }
        for puzzle in &lesson.puzzles {
            [&puzzle.title]
                .into_iter()
                .chain(&puzzle.text)
                .chain(&puzzle.hints)
                .for_each(|text| _ = hear(text));
        }
        for stop in &lesson.stops {
            hear(&stop.title);
            for seed in 0..24 {
                let recording = rasterscan_kernels::record_job(&stop.job(seed)).unwrap();
                for paragraph in &stop.text {
                    hear(&filled(&recording, paragraph).unwrap());
                }
                let question = stop.question(&recording).unwrap();
                for english in question.texts() {
                    // The numbers are the same.
                    let digits = |text: &str| {
                        let letters = |letter: char| !letter.is_ascii_digit();
                        let mut all: Vec<String> =
                            text.split(letters).filter(|word| !word.is_empty()).map(str::to_owned).collect();
                        all.sort();
                        all
                    };
                    let german = hear(english);
                    assert_eq!(digits(english), digits(&german), "{german}");
                }
            }
        }
    }
    nothing_was_english();
}

crate::tests![lessons_are_translated];
