//! A run that is shown, with what is worked out of it once and needed in every frame.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::PathBuf;
use std::rc::Rc;

use super::ask::Job;
use crate::element::Element;
use crate::spec::{CompactSpec, Condition, Keep, Request};
use crate::trace::{Place, Recording, Values};
use crate::{ElementType, Error};

/// A recording, and where it comes from.
pub struct Shown {
    pub recording: Rc<Recording>,
    /// The file that it was loaded from.
    pub file: Option<PathBuf>,
    /// Why this saved run is shown in place of what was asked for.
    pub instead: Option<String>,
    /// What became of what was asked for.
    pub notes: Vec<String>,
    /// The least and the greatest finite number of the whole run.
    pub extent: (f64, f64),
    /// The phases, in the order in which they first come.
    pub phases: Vec<String>,
    /// For each element of the input whether it is kept; `None` of a scan.
    pub kept: Option<Vec<bool>>,
    /// Pass by pass what was read for what, once somebody has asked.
    arrows: RefCell<HashMap<usize, Rc<Vec<Arrow>>>>,
}

/// A read: what was read, and for what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arrow {
    /// Counts the pass's sources.
    pub from: Place,
    /// Counts its targets.
    pub to: Place,
}

/// Which pass of which recording something was made for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    recording: *const Recording,
    algorithm: String,
    words: u64,
    pass: Option<usize>,
}

impl Key {
    pub fn of(recording: &Recording, pass: Option<usize>) -> Key {
        // Where one recording was, another may be later: its numbers are looked at, too.
        let inputs = recording.inputs.iter().flat_map(|content| &content.values.words);
        let mix = |sum: u64, word: &u32| (sum ^ u64::from(*word)).wrapping_mul(0x0000_0100_0000_01B3);
        let words = inputs.fold(0xCBF2_9CE4_8422_2325, mix);
        Key { recording, algorithm: format!("{} {}", recording.algorithm, recording.request), words, pass }
    }
}

impl Shown {
    /// A run that was just made.
    pub fn of_run(recording: Recording, job: Job) -> Shown {
        Shown { notes: job.notes, ..Shown::of(recording) }
    }

    /// A trace from a file.
    pub fn of_file(recording: Recording, file: PathBuf) -> Shown {
        Shown { file: Some(file), ..Shown::of(recording) }
    }

    /// A run that was saved, in place of one that cannot be made, and why.
    pub fn of_saved(recording: Recording, reason: String) -> Shown {
        Shown { instead: Some(reason), ..Shown::of(recording) }
    }

    fn of(recording: Recording) -> Shown {
        let mut phases: Vec<String> = Vec::new();
        for pass in &recording.passes {
            if !phases.contains(&pass.phase) {
                phases.push(pass.phase.clone());
            }
        }
        Shown {
            file: None,
            instead: None,
            notes: Vec::new(),
            extent: extent(&recording),
            phases,
            kept: kept(&recording),
            arrows: RefCell::default(),
            recording: Rc::new(recording),
        }
    }

    pub fn passes(&self) -> usize {
        self.recording.passes.len()
    }

    /// Which of the phases a pass is of.
    pub fn phase(&self, pass: usize) -> usize {
        let phase = self.recording.passes.get(pass).map(|pass| &pass.phase);
        self.phases.iter().position(|name| Some(name) == phase).unwrap_or(0)
    }

    /// All reads of a pass, if they are no more than so many.
    pub fn arrows(&self, pass: usize, most: usize) -> Rc<Vec<Arrow>> {
        let known = self.arrows.borrow().get(&pass).cloned();
        known.unwrap_or_else(|| {
            let found = Rc::new(self.find_arrows(pass, most));
            self.arrows.borrow_mut().insert(pass, Rc::clone(&found));
            found
        })
    }

    fn find_arrows(&self, pass: usize, most: usize) -> Vec<Arrow> {
        let Some(pass) = self.recording.passes.get(pass) else { return Vec::new() };
        let mut found = Vec::new();
        for (of, target) in (0..).zip(&pass.targets) {
            let layout = self.recording.layout(target.stream);
            for index in 0..layout.texels() as u32 {
                let to = Place { of, index };
                found.extend(pass.read_for(to).into_iter().map(|from| Arrow { from, to }));
                if found.len() > most {
                    return Vec::new();
                }
            }
        }
        found
    }

    /// How many elements were kept in the end; `None` of a scan.
    pub fn count(&self) -> Option<u64> {
        Some(self.kept.as_ref()?.iter().filter(|kept| **kept).count() as u64)
    }
}

fn extent(recording: &Recording) -> (f64, f64) {
    let contents = recording.inputs.iter().chain(recording.passes.iter().flat_map(|pass| &pass.targets));
    let numbers = contents
        .flat_map(|content| (0..content.values.len()).filter_map(|index| content.values.to_f64(index)));
    let finite = numbers.filter(|number| number.is_finite());
    finite
        .map(|number| (number, number))
        .reduce(|(low, high), (number, _)| (low.min(number), high.max(number)))
        .unwrap_or((0.0, 0.0))
}

/// Which elements of the input a compaction keeps.
fn kept(recording: &Recording) -> Option<Vec<bool>> {
    let Request::Compact(CompactSpec { keep, .. }) = recording.request else { return None };
    let values = |number: usize| recording.inputs.get(number).map(|content| &content.values);
    match keep {
        Keep::Mask => values(1).map(|mask| mask.words.iter().map(|word| *word != 0).collect()),
        Keep::Condition(condition) => values(0).and_then(|values| holds(values, &condition).ok()),
    }
}

fn holds(values: &Values, condition: &Condition) -> Result<Vec<bool>, Error> {
    fn each<T: Element>(values: &Values, condition: &Condition) -> Result<Vec<bool>, Error> {
        if condition.element() != T::TYPE {
            let (got, expected) = (condition.element(), T::TYPE);
            return Err(Error::ElementMismatch { what: "the condition", got, expected });
        }
        Ok(values.get::<T>()?.into_iter().map(|value| condition.holds(value)).collect())
    }
    match values.element {
        ElementType::U32 => each::<u32>(values, condition),
        ElementType::I32 => each::<i32>(values, condition),
        ElementType::F32 => each::<f32>(values, condition),
        ElementType::U64 => each::<u64>(values, condition),
        ElementType::I64 => each::<i64>(values, condition),
    }
}
