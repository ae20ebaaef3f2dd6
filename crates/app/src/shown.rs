//! A run on screen, with what is computed from it once and needed in every frame.

use std::cell::OnceCell;
use std::ops::Deref;
use std::path::PathBuf;
use std::rc::Rc;

use rasterscan::tools::Job;
use rasterscan::trace::{Place, Recording};
use rasterscan_lesson::Example;
use rasterscan_lesson::look_back;
use rasterscan_lesson::phrases::say;
use rasterscan_lesson::work::{self, Moved};
use rasterscan_lesson::worked::Worked;
use rasterscan_picture::{Spot, Subject};

use super::controls;

/// The most values that are written as text.
const MOST_VALUES: usize = 64;

/// A recording that is shown, and its origin.
pub struct Shown {
    subject: Subject,
    /// The file that it was loaded from.
    pub file: Option<PathBuf>,
    /// The job of a run that was made here.
    pub job: Option<Job>,
    /// The reason why kernels made it, and not the device.
    pub instead: Option<String>,
    /// Notes on changes to the job.
    pub notes: Vec<String>,
    /// The first wrong texel of a run of edited shaders, and its position in the run.
    pub first_wrong: Option<(usize, Spot)>,
    /// The phases, in the order of their first passes.
    pub phases: Vec<String>,
    /// The phase of each pass.
    phase_of: Vec<usize>,
    /// The stages of each pass whose shared memory can be drawn, found when they are first needed.
    stages: OnceCell<Vec<usize>>,
    /// The moments of each pass whose tiles can be drawn, likewise.
    moments: OnceCell<Vec<usize>>,
    /// The texels and words that the passes before each position moved.
    moved: Vec<Moved>,
}

impl Deref for Shown {
    type Target = Subject;

    fn deref(&self) -> &Subject {
        &self.subject
    }
}

/// The name of an algorithm, and its parameters.
fn split(algorithm: &str) -> (&str, &str) {
    algorithm.split_once(':').unwrap_or((algorithm, ""))
}

/// A key for what is computed from a recording and a pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    recording: *const Recording,
    algorithm: String,
    words: u64,
    pass: Option<usize>,
}

impl Key {
    /// The key of a pass; `None` for before the first.
    pub fn of(recording: &Recording, pass: Option<usize>) -> Key {
        // Another recording may reuse the address, so the key includes some of its numbers.
        let inputs = recording.inputs.iter().flat_map(|content| content.values.words());
        let mix = |sum: u64, word: &u32| (sum ^ u64::from(*word)).wrapping_mul(0x0000_0100_0000_01B3);
        let words = inputs.fold(0xCBF2_9CE4_8422_2325, mix);
        Key { recording, algorithm: format!("{} {}", recording.algorithm, recording.request), words, pass }
    }
}

impl Shown {
    /// A run that was just made.
    pub fn of_run(recording: Recording, job: Job, notes: Vec<String>) -> Shown {
        Shown { notes, job: Some(job), ..Shown::of(recording) }
    }

    /// A recording from a file.
    pub fn of_file(recording: Recording, file: PathBuf) -> Shown {
        Shown { file: Some(file), ..Shown::of(recording) }
    }

    fn of(recording: Recording) -> Shown {
        let mut phases: Vec<String> = Vec::new();
        let mut number = |name: &String| {
            phases.iter().position(|known| known == name).unwrap_or_else(|| {
                phases.push(name.clone());
                phases.len() - 1
            })
        };
        let phase_of = recording.passes.iter().map(|pass| number(&pass.phase)).collect();
        Shown {
            moved: work::running_totals(&recording),
            file: None,
            job: None,
            instead: None,
            notes: Vec::new(),
            first_wrong: None,
            phases,
            phase_of,
            stages: OnceCell::new(),
            moments: OnceCell::new(),
            subject: Subject::new(recording),
        }
    }

    /// The run and a position; a run that is shorter stays at its end.
    pub fn title(&self, position: usize) -> String {
        let last = self.passes();
        say(format!("{}, pass {} of {last}", self.recording.algorithm, position.min(last)))
    }

    /// A position in words, likewise.
    pub fn narration(&self, position: usize) -> String {
        say(rasterscan_lesson::narrate(&self.recording, position.min(self.passes())))
    }

    /// The row at a position, with its name and its values: the first target of the pass that ends there, or the first
    /// input. Empty if there is none.
    pub fn row(&self, position: usize) -> String {
        let pass =
            position.min(self.passes()).checked_sub(1).and_then(|pass| self.recording.passes.get(pass));
        let row = pass.map_or(self.recording.inputs.first(), |pass| pass.targets.first());
        row.map_or_else(String::new, |row| {
            let values = (0..row.values.len()).map(|index| row.values.decimal(index));
            let values: Vec<String> = values.take(MOST_VALUES).collect();
            let more = if row.values.len() > values.len() { ", …" } else { "" };
            format!("{}: {}{more}", self.recording.name(row.stream), values.join(", "))
        })
    }

    /// How the pinned item of a pass was made, or else the one that its narration tells of.
    pub fn told(&self, pass: usize, pinned: Option<Spot>) -> Option<Rc<Worked>> {
        let example = match pinned {
            Some(Spot { source: false, place }) => self.item_at(pass, place, 0),
            Some(_) => None,
            None => self.example(pass),
        };
        self.worked(pass, example?)
    }

    /// An item of a texel of a target, by its number in the texel.
    pub fn item_at(&self, pass: usize, place: Place, number: u64) -> Option<Example> {
        let target = self.recording.passes.get(pass)?.targets.get(place.of as usize)?;
        let per_texel = u64::from(self.recording.layout(target.stream).items_per_texel.max(1));
        Some(Example { place, item: u64::from(place.index) * per_texel + number })
    }

    /// The stages of the pass that ends at a position; 0 unless its shared memory can be drawn.
    pub fn stages_at(&self, position: usize) -> usize {
        let all = self.stages.get_or_init(|| {
            (0..self.passes()).map(|pass| rasterscan_picture::shared::stages(&self.recording, pass)).collect()
        });
        position.checked_sub(1).and_then(|pass| all.get(pass)).copied().unwrap_or(0)
    }

    /// The moments of the pass that ends at a position; 0 unless its tiles can be drawn.
    pub fn moments_at(&self, position: usize) -> usize {
        let all = self.moments.get_or_init(|| {
            let tiles = |pass| look_back::tiles(&self.recording, pass).filter(|tiles| tiles.tiles.len() > 1);
            (0..self.passes()).map(|pass| tiles(pass).map_or(0, |tiles| tiles.moments.len())).collect()
        });
        position.checked_sub(1).and_then(|pass| all.get(pass)).copied().unwrap_or(0)
    }

    /// The algorithm in a title: its name, and beside a run of the same algorithm the parameters that differ.
    pub fn name(&self, beside: Option<&str>) -> String {
        let (name, own) = split(&self.recording.algorithm);
        let title = match name {
            "sam" => "SAM".into(),
            name => controls::capital(&name.replace('_', "-")),
        };
        let other = beside.map(split).filter(|(other, _)| *other == name).map(|(_, other)| other);
        let Some(other) = other else { return title };
        let differ = own.split(',').filter(|one| !other.split(',').any(|known| known == *one));
        let words = differ.map(|one| match one.split_once('=') {
            Some((_, word)) if word.starts_with(char::is_alphabetic) => word.replace('_', " "),
            _ => one.replace('=', " "),
        });
        let words: Vec<String> = words.collect();
        if words.is_empty() { title } else { format!("{title}, {}", words.join(", ")) }
    }

    /// The texels and words that the passes before a position moved.
    pub fn moved(&self, position: usize) -> Moved {
        self.moved.get(position).or(self.moved.last()).copied().unwrap_or_default()
    }

    /// The number of a pass's phase.
    pub fn phase(&self, pass: usize) -> usize {
        self.phase_of.get(pass).copied().unwrap_or(0)
    }
}
