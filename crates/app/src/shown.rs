//! A run on screen, with what is computed from it once and needed in every frame.

use std::ops::Deref;
use std::path::PathBuf;

use rasterscan::Job;
use rasterscan::trace::Recording;
use rasterscan_lesson::work::{self, Moved};
use rasterscan_picture::Subject;

/// A recording that is shown, and its origin.
pub struct Shown {
    subject: Subject,
    /// The file that it was loaded from.
    pub file: Option<PathBuf>,
    /// The job of a run that was made here, or that a saved run replaces.
    pub job: Option<Job>,
    /// The reason why this saved run is shown instead of the requested one.
    pub instead: Option<String>,
    /// Notes on changes to the job.
    pub notes: Vec<String>,
    /// The phases, in the order of their first passes.
    pub phases: Vec<String>,
    /// The phase of each pass.
    phase_of: Vec<usize>,
    /// The texels and words that the passes before each position moved.
    moved: Vec<Moved>,
}

impl Deref for Shown {
    type Target = Subject;

    fn deref(&self) -> &Subject {
        &self.subject
    }
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

    /// A saved run instead of one that cannot be made, and the reason.
    pub fn of_saved(recording: Recording, job: Job, reason: String) -> Shown {
        Shown { instead: Some(reason), job: Some(job), ..Shown::of(recording) }
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
        let moved = (0..recording.passes.len()).scan(Moved::default(), |sum, pass| {
            *sum = *sum + work::moved(&recording, pass);
            Some(*sum)
        });
        Shown {
            moved: std::iter::once(Moved::default()).chain(moved).collect(),
            file: None,
            job: None,
            instead: None,
            notes: Vec::new(),
            phases,
            phase_of,
            subject: Subject::new(recording),
        }
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
