//! The state of the app in words: its command line, and a link to it.
//!
//! ```text
//! JOB [--beside ALGO] [--pass PASS] [--stage STAGE] [--tour [STOP]] [--pin TEXEL] [look] [--language NAME]
//!     [--embed] [--present]
//! --puzzle NAME [--pass PASS]
//! --gallery PIECE
//! ```
//!
//! A command line quotes these words for a shell. A link joins them as [`rasterscan::tools::job`] says, without the names of
//! files. `embed=1` says the same as `--embed`.

use std::fmt::Write;

use rasterscan::tools::Job;
use rasterscan::tools::job::{link_of, quoted, words_of_link};
use rasterscan::tools::registry::Choice;
use rasterscan::trace::Place;
use rasterscan_gallery::Piece;
use rasterscan_lesson::file::PUZZLES;
use rasterscan_lesson::tour::STOPS;
use rasterscan_picture::{ColourRange, Spot};

use super::view::Look;
use super::{App, job, tour};

/// The state in which the app opens.
#[derive(Debug, Clone, Default)]
pub struct Opening {
    /// The job; `None` for the app's own, or for that of a tour stop.
    pub job: Option<Job>,
    /// A second algorithm, shown beside the first on the same numbers.
    pub beside: Option<Choice>,
    /// The position, in completed passes.
    pub pass: usize,
    /// The stage of the pass whose shared memory is shown, or the moment of its tiles, from 1.
    pub stage: Option<usize>,
    /// The tour stop, from 0.
    pub tour: Option<usize>,
    /// The name of the built-in puzzle in the editor, which brings its own job.
    pub puzzle: Option<String>,
    /// The pinned texel.
    pub pin: Option<Spot>,
    /// The piece of the gallery whose page is open.
    pub gallery: Option<&'static Piece>,
    /// The settings of the View menu.
    pub look: Look,
    /// The language, by its name; English without one.
    pub language: Option<String>,
    /// True if only the picture and its timeline are shown, for a page that contains them.
    pub embed: bool,
    /// True in presentation mode.
    pub present: bool,
}

impl Opening {
    /// Reads words.
    ///
    /// Errors: as text, with the word that is wrong and what was expected.
    pub fn parse<'a>(words: impl IntoIterator<Item = &'a str>) -> Result<Opening, String> {
        let mut opening = Opening::default();
        let (mut rest, mut beside) = (Vec::new(), None);
        let mut words = words.into_iter().peekable();
        while let Some(word) = words.next() {
            let about = |wrong: String| format!("{word}: {wrong}");
            let mut value = || words.next().ok_or_else(|| "needs a value".to_owned());
            match word {
                "--embed" | "embed" | "embed=1" => opening.embed = true,
                "--present" => opening.present = true,
                "--beside" => beside = Some(value().map_err(about)?),
                "--pass" => opening.pass = value().and_then(number).map_err(about)?,
                "--stage" => opening.stage = Some(value().and_then(stage).map_err(about)?),
                "--pin" => opening.pin = Some(value().and_then(spot).map_err(about)?),
                "--language" => opening.language = Some(value().and_then(language).map_err(about)?),
                "--puzzle" => {
                    let name = value().map_err(about)?;
                    if PUZZLES.puzzle(name).is_none() {
                        return Err(format!("--puzzle {name}: expected {}", PUZZLES.puzzle_names()));
                    }
                    opening.puzzle = Some(name.to_owned());
                }
                "--gallery" => opening.gallery = Some(value().and_then(piece).map_err(about)?),
                "--tour" => {
                    let stop = words.peek().and_then(|word| word.parse::<usize>().ok());
                    if stop.is_some() {
                        words.next();
                    }
                    let stop = stop.unwrap_or(1);
                    if !(1..=STOPS.len()).contains(&stop) {
                        return Err(format!("--tour: expected 1 to {}", STOPS.len()));
                    }
                    opening.tour = Some(stop - 1);
                }
                _ => {
                    if !opening.look.take(word, value).map_err(about)? {
                        rest.push(word);
                    }
                }
            }
        }
        if !rest.is_empty() {
            opening.job = Some(Job::parse(rest).map_err(|error| error.to_string())?);
        }
        if let Some(text) = beside {
            let job = opening
                .job
                .as_ref()
                .ok_or("--beside needs a job: scan random:n=16 -a horn --beside hybrid")?;
            opening.beside = Some(Choice::parse(job.problem, text).map_err(|error| error.to_string())?);
        }
        Ok(opening)
    }

    /// Reads a link.
    ///
    /// Errors: as [`Self::parse`].
    pub fn of_link(link: &str) -> Result<Opening, String> {
        let words = words_of_link(link);
        Opening::parse(words.iter().map(String::as_str))
    }

    /// The run alone, for texts and still pictures, and a sentence on what is left out, empty if nothing is.
    pub fn of_run(self) -> (Opening, &'static str) {
        if let Some(piece) = self.gallery {
            let job = Job::parse(piece.job.split(' ')).ok();
            let lacks =
                "The gallery is not in this view: here is a run of the step that matters in this piece.";
            return (Opening { job, gallery: None, ..self }, lacks);
        }
        if let Some(puzzle) = self.puzzle.as_deref().and_then(|name| PUZZLES.puzzle(name)) {
            let lacks = "Puzzles are not in this view: here is the algorithm's own run.";
            return (Opening { job: Some(puzzle.job.clone()), puzzle: None, ..self }, lacks);
        }
        match self.tour.and_then(|stop| STOPS.get(stop)).filter(|_| self.job.is_none()) {
            Some(stop) => {
                let own = tour::beginning(stop, 0);
                let pass = if self.pass > 0 { self.pass } else { own.pass };
                (Opening { pass, tour: self.tour, language: self.language, ..own }, "")
            }
            None => (self, ""),
        }
    }

    /// The words, without defaults.
    pub fn words(&self) -> Vec<String> {
        let job = self.job.as_ref().filter(|_| self.puzzle.is_none() && self.gallery.is_none());
        let mut words = job.map_or_else(Vec::new, Job::words);
        words.extend(self.options());
        words
    }

    /// The link, without the names of files.
    pub fn link(&self) -> String {
        let job = self.job.as_ref().map(Job::without_files);
        let words = Opening { job, ..self.clone() }.words();
        link_of(words.iter().map(String::as_str))
    }

    /// The words after the job.
    fn options(&self) -> Vec<String> {
        let mut words = Vec::new();
        let mut option = |name: &str, value: String| words.extend([name.to_owned(), value]);
        if let Some(choice) = &self.beside {
            option("--beside", choice.to_string());
        }
        if let Some(puzzle) = &self.puzzle {
            option("--puzzle", puzzle.clone());
        }
        if let Some(piece) = self.gallery {
            option("--gallery", piece.name.to_owned());
        }
        if self.pass > 0 {
            option("--pass", self.pass.to_string());
        }
        if let Some(stage) = self.stage {
            option("--stage", stage.to_string());
        }
        if let Some(stop) = self.tour {
            option("--tour", (stop + 1).to_string());
        }
        if let Some(spot) = &self.pin {
            option("--pin", pin(spot));
        }
        words.extend(self.look.words());
        words.extend(self.language.iter().flat_map(|name| ["--language".into(), name.clone()]));
        words.extend(self.embed.then(|| "--embed".into()));
        words.extend(self.present.then(|| "--present".into()));
        words
    }
}

fn number(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| format!("expected a number, not '{text}'"))
}

/// Reads the name of a piece of the gallery.
///
/// Errors: as text, with the names.
pub fn piece(name: &str) -> Result<&'static Piece, String> {
    rasterscan_gallery::named(name)
        .ok_or_else(|| format!("expected {}", rasterscan_gallery::ALL.map(|piece| piece.name).join(", ")))
}

/// Reads the name of a language: letters alone, because a page makes an address of it.
fn language(text: &str) -> Result<String, String> {
    let is_name = !text.is_empty() && text.bytes().all(|letter| letter.is_ascii_lowercase());
    is_name.then(|| text.to_owned()).ok_or_else(|| "expected a language, such as de".into())
}

/// Reads a stage, from 1.
///
/// Errors: as text, with what was expected.
pub fn stage(text: &str) -> Result<usize, String> {
    number(text)?.checked_sub(1).map(|stage| stage + 1).ok_or_else(|| "expected 1 or more".into())
}

/// A texel as a word: `target:0:5` is texel 5 of the pass's first target, `source:1:5` that of its second source.
fn pin(spot: &Spot) -> String {
    let mut word = String::from(if spot.source { "source" } else { "target" });
    let _ = write!(word, ":{}:{}", spot.place.of, spot.place.index);
    word
}

/// Reads a texel.
///
/// Errors: as text, with what was expected.
pub fn spot(text: &str) -> Result<Spot, String> {
    let expected = || "expected a texel of the pass, such as target:0:5 or source:1:5".to_owned();
    let mut parts = text.split(':');
    let mut part = || parts.next().ok_or_else(expected);
    let source = match part()? {
        "source" => true,
        "target" => false,
        _ => return Err(expected()),
    };
    let mut number = || part()?.parse().map_err(|_| expected());
    let place = Place { of: number()?, index: number()? };
    if parts.next().is_some() { Err(expected()) } else { Ok(Spot { source, place }) }
}

impl App {
    /// Shows what an opening says. Without a job the app's own stays, or the tour stop brings one.
    pub fn open(&mut self, opening: &Opening) {
        self.embedded = opening.embed;
        self.presenting.on = false;
        self.use_language(opening.language.as_deref().unwrap_or(""));
        // The reader's choice, or the system's, is no part of a link.
        let motion = self.view.motion;
        self.view = super::View::default();
        self.view.motion = motion;
        self.canvas.memory = Default::default();
        self.leave();
        self.tour.open &= opening.tour.is_some();
        if self.editor.is_open() {
            self.editor.close();
        }
        self.begin(opening);
    }

    /// Runs the job of an opening, and applies the rest.
    pub(super) fn begin(&mut self, opening: &Opening) {
        self.gallery.open(opening.gallery);
        if let Some(puzzle) = opening.puzzle.as_deref().and_then(|name| PUZZLES.puzzle(name)) {
            self.teach(PUZZLES.clone());
            self.open_puzzle(puzzle);
            self.notices.close();
            return self.adjust(opening);
        }
        match &opening.job {
            Some(job) => self.ask(job::fitted(job)),
            None if opening.tour.is_none() && opening.gallery.is_none() => self.run(0),
            None => {}
        }
        self.adjust(opening);
    }

    /// Applies all of an opening except its job. An engine that works in pieces is not done: the rest follows with its
    /// runs.
    pub fn adjust(&mut self, opening: &Opening) {
        self.presenting.on |= opening.present;
        let beside = |choice| job::fitted(&self.runs.both[0].job.clone().by(choice));
        self.ask_beside(opening.beside.clone().map(beside));
        match self.runs.is_busy() {
            true => {
                self.opening = Some(opening.clone());
                if self.runs.is_meanwhile() {
                    self.view.go(opening.pass, self.last());
                }
            }
            false => self.place(opening),
        }
    }

    /// Applies all of an opening except its runs, which are shown.
    pub(super) fn place(&mut self, opening: &Opening) {
        self.opening = None;
        if let Some(stop) = opening.tour {
            self.tour.open = true;
            self.tour.go(stop, opening.job.is_some());
        }
        // A puzzle is shown at its first wrong pass.
        if opening.puzzle.is_none() || opening.pass > 0 {
            self.go(opening.pass);
        }
        self.go_to_stage(opening.stage.and_then(|stage| stage.checked_sub(1)));
        self.view.set_look(&opening.look);
        self.view.cameras[0].pinned = opening.pin.map(|spot| (self.view.position, spot));
    }

    /// The state as words can say it: the run shown, its position and its look.
    pub fn opening(&self) -> Opening {
        let language = Some(self.language.clone()).filter(|name| !name.is_empty());
        if let Some(piece) = self.gallery.piece {
            return Opening { gallery: Some(piece), language, ..Opening::default() };
        }
        let [first, second] = &self.runs.both;
        let shown = first.shown.as_ref();
        // The run shown, not a later one that failed.
        let job = shown.and_then(|shown| shown.job.as_ref()).unwrap_or(&first.job).clone();
        let beside = second.shown.as_ref().filter(|_| self.runs.beside);
        let beside = beside.map(|shown| job::choice(shown.job.as_ref().unwrap_or(&second.job)));
        let puzzle = self.editor.puzzle.as_ref().filter(|puzzle| puzzle.job == first.job);
        let puzzle = puzzle.map(|puzzle| puzzle.name.clone()).filter(|name| PUZZLES.puzzle(name).is_some());
        Opening {
            job: Some(job),
            beside,
            pass: self.view.position,
            stage: self.view.memory.stage.map(|stage| stage + 1),
            tour: self.tour.is_built_in().then_some(self.tour.stop.min(STOPS.len() - 1)),
            puzzle,
            gallery: None,
            pin: self.view.cameras[0].pinned_at(self.view.position),
            look: self.view.look(shown.map_or(ColourRange::Run, |shown| shown.usual_range())),
            language,
            embed: self.embedded,
            present: self.presenting.on,
        }
    }

    /// The command line that shows the current picture: the same run, at the same pass, with the same look.
    pub fn command(&self) -> String {
        let opening = Opening { tour: None, embed: false, ..self.opening() };
        let mut words = vec![self.program.clone(), "app".into()];
        let shown = self.runs.both[0].shown.as_ref();
        match shown.and_then(|shown| shown.file.as_ref()).filter(|_| !self.runs.beside) {
            Some(file) => {
                words.extend(["--trace".into(), file.display().to_string()]);
                words.extend(opening.options());
            }
            None => words.extend(opening.words()),
        }
        words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
mod tests {
    use rasterscan::tools::Job;

    use super::*;
    use crate::engine::KernelEngine;
    use rasterscan_drawing::colour::Palette;
    use rasterscan_picture::NumberFormat;

    fn app(words: &[&str]) -> App {
        let mut app = App::new(Box::new(KernelEngine));
        app.ask(Job::parse(words.iter().copied()).unwrap());
        app
    }

    #[test]
    fn commands_say_what_is_not_the_default() {
        let mut app = app(&["scan", "random:n=16,seed=7,max=9", "-a", "horn"]);
        app.go(2);
        assert_eq!(app.command(), "rasterscan app scan random:n=16,seed=7,max=9 -a horn --pass 2");
        (app.view.palette, app.view.format) = (Palette::Grey, NumberFormat::Hex);
        (app.view.fitted, app.view.arrows) = (false, false);
        (app.view.cameras[0].zoom, app.view.cameras[0].pan) = (Some(20.0), egui::Vec2::new(4.0, -3.0));
        assert!(app.command().ends_with(
            " --pass 2 --palette grey --numbers hexadecimal --zoom 20.00 --pan 4,-3 --wrapped --no-arrows"
        ));
    }

    #[test]
    fn commands_are_jobs() {
        for words in [
            ["scan", "values:3,1", "-a", "horn", "--exclusive"].as_slice(),
            &["compact", "random:n=16,seed=7,max=9,keep=0.5", "-a", "points", "--keep", ">4"],
            &["compact", "ramp:n=16", "-a", "points", "--mask", "alternating:n=16"],
            &["reduce", "ramp:n=16", "-a", "pairs", "--op", "max", "--dtype", "i64"],
        ] {
            let job = Job::parse(words.iter().copied()).unwrap();
            assert_eq!(app(words).command(), format!("rasterscan app {job}"));
        }
    }

    #[test]
    fn a_link_may_begin_in_presentation_mode() {
        let mut app = app(&["scan", "ramp:n=4", "-a", "horn"]);
        app.open(&Opening::of_link("scan&ramp:n=4&-a&horn&--present").unwrap());
        assert!(app.opening().link().ends_with("&--present") && app.command().ends_with(" --present"));
        app.open(&Opening::of_link("scan&ramp:n=4&-a&horn").unwrap());
        assert!(!app.opening().present);
    }

    #[test]
    fn a_puzzle_has_an_address() {
        assert!(Opening::of_link("--puzzle&hron").unwrap_err().contains("expected copy, horn,"));
        let mut app = app(&["scan", "ramp:n=4", "-a", "horn"]);
        app.open(&Opening::of_link("--puzzle&down_sweep").unwrap());
        assert!(app.editor.is_open() && app.opening().link().starts_with("--puzzle&down_sweep"));
        // Where only its run can be shown, that is said.
        let (run, lacks) = Opening::of_link("--puzzle&horn").unwrap().of_run();
        assert!(run.job.is_some() && lacks.starts_with("Puzzles are not"), "{lacks}");
        let (run, lacks) = Opening::of_link("--tour&4").unwrap().of_run();
        assert!(run.pass == STOPS[3].position && run.tour == Some(3) && lacks.is_empty(), "{lacks}");
        app.open(&Opening::of_link("scan&ramp:n=4&-a&horn").unwrap());
        assert!(!app.editor.is_open() && app.opening().link() == "scan&ramp:n=4&-a&horn");
    }

    #[test]
    fn what_could_not_be_run_is_not_in_the_command() {
        let mut app = app(&["scan", "ramp:n=4", "-a", "horn"]);
        app.ask(Job::parse(["scan", "missing.npy", "-a", "horn"]).unwrap());
        assert!(app.wrong().is_some() && app.command().ends_with(" ramp:n=4 -a horn"), "{}", app.command());
    }
}
