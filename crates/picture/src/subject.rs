//! A recording, with what every picture of it needs: the kept elements, the range of its values, its reads.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use rasterscan::trace::{Content, Place, Recording};
use rasterscan::{ElementType, Numbers, compact};

use crate::colour::{Palette, Scale, extreme_identity};
use crate::style::ColourRange;

/// A recording that is drawn.
#[derive(Debug)]
pub struct Subject {
    /// The recording.
    pub recording: Rc<Recording>,
    /// The elements of the input that are kept, as flags; `None` unless this is a compaction.
    pub kept: Option<Vec<bool>>,
    /// The least and the greatest finite value of the whole run, by element type.
    extents: Extents,
    /// True if the colours of the whole run go by logarithms: its results are far larger than its input.
    log: bool,
    /// The reads of each pass, found when they are first needed.
    arrows: RefCell<HashMap<usize, Rc<Vec<Arrow>>>>,
}

/// A read: the texel that was read, and the texel that it was read for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arrow {
    /// The texel that was read, of a source of the pass.
    pub from: Place,
    /// The texel that it was read for, of a target.
    pub to: Place,
}

/// Colours go by logarithms if values are more than this many times as large as the input's.
const FAR: f64 = 100.0;

impl Subject {
    /// Prepares a recording for its pictures.
    pub fn new(recording: Recording) -> Subject {
        let extents =
            ElementType::ALL.map(|element| (element, ends(&recording, element, contents(&recording))));
        Subject {
            kept: compact::keeps(&recording.request, recording.inputs.iter().map(|content| &content.values)),
            log: is_far(&recording, &extents),
            extents,
            arrows: RefCell::default(),
            recording: Rc::new(recording),
        }
    }

    /// The range of colours unless the viewer chooses one. If sums are beside flags, or grow by powers of ten, small
    /// numbers would all look alike in the range of the whole run.
    pub fn usual_range(&self) -> ColourRange {
        let small_ones_are_lost = self.kept.is_some() || self.recording.request.len() > 256;
        if small_ones_are_lost { ColourRange::Stream } else { ColourRange::Run }
    }

    /// The number of passes.
    pub fn passes(&self) -> usize {
        self.recording.passes.len()
    }

    /// All reads of a pass; none if they are more than `most`.
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

    /// The colours of an element's values over the whole run.
    pub fn scale(&self, element: ElementType, palette: Palette) -> Scale {
        let (low, high) = extent(&self.extents, element);
        Scale { palette, low, high, log: self.log && low >= 0.0 }
    }

    /// The number of elements that were kept; `None` unless this is a compaction.
    pub fn count(&self) -> Option<u64> {
        Some(self.kept.as_ref()?.iter().filter(|kept| **kept).count() as u64)
    }
}

fn contents(recording: &Recording) -> impl Iterator<Item = &Content> {
    recording.inputs.iter().chain(recording.passes.iter().flat_map(|pass| &pass.targets))
}

type Extents = [(ElementType, (f64, f64)); ElementType::ALL.len()];

fn extent(extents: &Extents, element: ElementType) -> (f64, f64) {
    extents.iter().find(|(known, _)| *known == element).map_or((0.0, 0.0), |(_, extent)| *extent)
}

/// The least and the greatest finite value of an element type, the operator's extreme identity left out.
fn ends<'a>(
    recording: &Recording,
    element: ElementType,
    contents: impl Iterator<Item = &'a Content>,
) -> (f64, f64) {
    let identity = extreme_identity(&recording.request, element);
    let values = contents.map(|content| &content.values).filter(|values| values.element() == element);
    let all = values.flat_map(numbers).filter(|number| Some(*number) != identity);
    let scale = Scale::of(Palette::default(), all);
    (scale.low, scale.high)
}

fn numbers(values: &Numbers) -> impl Iterator<Item = f64> {
    (0..values.len()).filter_map(|index| values.to_f64(index))
}

fn is_far(recording: &Recording, extents: &Extents) -> bool {
    let element = recording.request.element();
    let (_, given) = ends(recording, element, recording.inputs.iter());
    let (low, high) = extent(extents, element);
    low >= 0.0 && high > given * FAR && high > FAR
}
