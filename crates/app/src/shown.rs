//! A run that is shown, with what is worked out of it once and needed in every frame.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::PathBuf;
use std::rc::Rc;

use rasterscan::trace::{Place, Recording};
use rasterscan::{ElementType, Job};

use super::view::ColourRange;
use crate::colour::{Palette, Scale, extreme_identity};

/// A recording, and where it comes from.
pub struct Shown {
    pub recording: Rc<Recording>,
    /// The file that it was loaded from.
    pub file: Option<PathBuf>,
    /// What it was made of, where it was made here or stands for that.
    pub job: Option<Job>,
    /// Why this saved run is shown in place of what was asked for.
    pub instead: Option<String>,
    /// What became of what was asked for.
    pub notes: Vec<String>,
    /// Of each element the least and the greatest finite number of the whole run.
    extents: Vec<(ElementType, (f64, f64))>,
    /// The phases, in the order in which they first come.
    pub phases: Vec<String>,
    /// Which of these each pass is of.
    phase_of: Vec<usize>,
    /// For each element of the input whether it is kept; `None` of all but compactions.
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

    /// A trace from a file.
    pub fn of_file(recording: Recording, file: PathBuf) -> Shown {
        Shown { file: Some(file), ..Shown::of(recording) }
    }

    /// A run that was saved, in place of one that cannot be made, and why.
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
        Shown {
            file: None,
            job: None,
            instead: None,
            notes: Vec::new(),
            extents: ElementType::ALL.map(|element| (element, extent(&recording, element))).into(),
            phases,
            phase_of,
            kept: rasterscan_lesson::kept(&recording),
            arrows: RefCell::default(),
            recording: Rc::new(recording),
        }
    }

    /// What colours range over where nobody has said so. Where sums stand beside flags, or grow by powers of ten, small
    /// numbers would all look alike.
    pub fn usual_range(&self) -> ColourRange {
        let small_ones_are_lost = self.kept.is_some() || self.recording.request.len() > 256;
        if small_ones_are_lost { ColourRange::Stream } else { ColourRange::Run }
    }

    pub fn passes(&self) -> usize {
        self.recording.passes.len()
    }

    /// Which of the phases a pass is of.
    pub fn phase(&self, pass: usize) -> usize {
        self.phase_of.get(pass).copied().unwrap_or(0)
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

    /// The least and the greatest finite number that streams of an element hold in the whole run.
    pub fn extent(&self, element: ElementType) -> (f64, f64) {
        let found = self.extents.iter().find(|(known, _)| *known == element);
        found.map_or((0.0, 0.0), |(_, extent)| *extent)
    }

    /// How many elements were kept in the end; `None` of all but compactions.
    pub fn count(&self) -> Option<u64> {
        Some(self.kept.as_ref()?.iter().filter(|kept| **kept).count() as u64)
    }
}

fn extent(recording: &Recording, element: ElementType) -> (f64, f64) {
    let contents = recording.inputs.iter().chain(recording.passes.iter().flat_map(|pass| &pass.targets));
    let values = contents.map(|content| &content.values).filter(|values| values.element() == element);
    let identity = extreme_identity(&recording.request, element);
    let numbers = values.flat_map(|values| (0..values.len()).filter_map(|index| values.to_f64(index)));
    let scale = Scale::of(Palette::default(), numbers.filter(|number| Some(*number) != identity));
    (scale.low, scale.high)
}
