//! A recording, with what every picture of it needs: the kept elements, the range of its values, its reads.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use rasterscan::element::Element;
use rasterscan::operator::{MOST_ELEMENTS, Operator};
use rasterscan::tools::problem::Request;
use rasterscan::trace::{Content, Place, Recording};
use rasterscan::{
    ElementType, compact,
    tools::{Numbers, for_element},
};

use rasterscan_drawing::colour::{Palette, Scale};
use rasterscan_lesson::Example;
use rasterscan_lesson::worked::{self, Role, Worked};

use crate::style::{ColourRange, Spot};

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
    arrows: RefCell<HashMap<usize, Rc<Vec<Lit>>>>,
    /// The worked example of each pass, likewise.
    examples: RefCell<HashMap<usize, Option<Example>>>,
    /// The making of the value that was lit last, and its pass.
    making: RefCell<Option<Making>>,
    /// The moves of each pass, found when they are first needed.
    moves: RefCell<HashMap<usize, Rc<Vec<Move>>>>,
    /// The letters of the longest number.
    pub letters: usize,
}

/// A pass and an item, and how it was made.
type Making = ((usize, Example), Option<Rc<Worked>>);

/// A read: the texel that was read, and the texel that it was read for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arrow {
    /// The texel that was read, of a source of the pass.
    pub from: Place,
    /// The texel that it was read for, of a target.
    pub to: Place,
}

/// An arrow of the texel that is lit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lit {
    /// The read.
    pub arrow: Arrow,
    /// The item that was used, by its index in the stream of the source; `None` for the whole texel.
    pub item: Option<u64>,
    /// What came of it.
    pub role: Role,
}

/// An item that became a part of another, or moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Move {
    /// The texel of a source, and the index of its item in the stream.
    pub from: (Place, u64),
    /// The texel of a target, and the index of its item in the stream.
    pub to: (Place, u64),
}

/// The most items of a target whose moves are found.
const MOST_MOVES: u64 = 256;
/// The most numbers that are looked at for the longest.
const MOST_LETTERS: usize = 1 << 14;

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
            examples: RefCell::default(),
            making: RefCell::default(),
            moves: RefCell::default(),
            letters: letters(&recording),
            recording: Rc::new(recording),
        }
    }

    /// The range of colours unless the viewer chooses one. If sums are beside flags, or grow by powers of ten, small
    /// numbers would all look alike in the range of the whole run.
    pub fn usual_range(&self) -> ColourRange {
        let small_ones_are_lost = self.kept.is_some() || self.recording.request.len() > 256;
        if small_ones_are_lost { ColourRange::Stream } else { ColourRange::Run }
    }

    /// The numbers of the longest stream.
    pub fn longest(&self) -> u32 {
        let streams = self.recording.streams.iter();
        let numbers = streams.map(|stream| {
            let layout = &stream.layout;
            layout.texels() * u64::from(layout.items_per_texel * layout.arity.max(1))
        });
        numbers.max().map_or(1, |most| u32::try_from(most).unwrap_or(u32::MAX).max(1))
    }

    /// The number of passes.
    pub fn passes(&self) -> usize {
        self.recording.passes.len()
    }

    /// The reads of a pass; none if they are more than `most`.
    pub fn arrows(&self, pass: usize, most: usize) -> Rc<Vec<Lit>> {
        kept(&self.arrows, pass, || self.find_arrows(pass, most))
    }

    fn find_arrows(&self, pass: usize, most: usize) -> Vec<Lit> {
        let Some(step) = self.recording.passes.get(pass) else { return Vec::new() };
        let mut found = Vec::new();
        for (of, target) in (0..).zip(&step.targets) {
            let layout = self.recording.layout(target.stream);
            for index in 0..layout.texels() as u32 {
                let to = Place { of, index };
                let lit = self.lit_at(pass, Spot { source: false, place: to });
                // A read is one arrow, whatever items of its texel were used.
                for from in step.read_for(to) {
                    let arrow = Arrow { from, to };
                    let used = |lit: &&Lit| lit.arrow == arrow && lit.role != Role::Unused;
                    let role = if lit.iter().any(|lit| used(&lit)) { Role::Operand } else { Role::Unused };
                    found.push(Lit { arrow, item: None, role });
                }
                if found.len() > most {
                    return Vec::new();
                }
            }
        }
        found
    }

    /// The item of a pass that its narration tells of.
    pub fn example(&self, pass: usize) -> Option<Example> {
        let find = || rasterscan_lesson::narrate_pass(&self.recording, pass)?.example;
        *self.examples.borrow_mut().entry(pass).or_insert_with(find)
    }

    /// How a pass made an item of one of its targets.
    pub fn worked(&self, pass: usize, example: Example) -> Option<Rc<Worked>> {
        let mut making = self.making.borrow_mut();
        match &*making {
            Some((known, worked)) if *known == (pass, example) => worked.clone(),
            _ => {
                let Example { place, item } = example;
                let worked = worked::worked(&self.recording, pass, place, item).map(Rc::new);
                *making = Some(((pass, example), worked.clone()));
                worked
            }
        }
    }

    /// The arrows to an item of a target, from what was read for it.
    pub fn lit(&self, pass: usize, example: Example) -> Vec<Lit> {
        let Some(worked) = self.worked(pass, example) else { return Vec::new() };
        let mut lit: Vec<Lit> = Vec::new();
        for read in &worked.reads {
            let arrow = Arrow { from: read.from, to: example.place };
            let item = (worked.derived && read.role == Role::Operand).then_some(read.item);
            if !lit.iter().any(|known| known.arrow == arrow && known.item == item) {
                lit.push(Lit { arrow, item, role: read.role });
            }
        }
        lit
    }

    /// The arrows of a texel: of a target those of what was read for any of its items, of a source those to what was
    /// made from it.
    pub fn lit_at(&self, pass: usize, spot: Spot) -> Vec<Lit> {
        let Some(step) = self.recording.passes.get(pass) else { return Vec::new() };
        let place = spot.place;
        let whole = |arrow: Arrow| Lit { arrow, item: None, role: Role::Operand };
        if spot.source {
            return step.made_from(place).into_iter().map(|to| whole(Arrow { from: place, to })).collect();
        }
        let Some(target) = step.targets.get(place.of as usize) else { return Vec::new() };
        match u64::from(self.recording.layout(target.stream).items_per_texel.max(1)) {
            1 => self.lit(pass, Example { place, item: place.index.into() }),
            _ => step.read_for(place).into_iter().map(|from| whole(Arrow { from, to: place })).collect(),
        }
    }

    /// The items that a pass moved or combined: for each item of its targets, of up to 256, those that it was made
    /// of. Empty beyond.
    pub fn moves(&self, pass: usize) -> Rc<Vec<Move>> {
        kept(&self.moves, pass, || self.find_moves(pass).unwrap_or_default())
    }

    fn find_moves(&self, pass: usize) -> Option<Vec<Move>> {
        let step = self.recording.passes.get(pass)?;
        let mut found = Vec::new();
        for (of, target) in (0..).zip(&step.targets) {
            let layout = self.recording.layout(target.stream);
            let per_texel = u64::from(layout.items_per_texel.max(1));
            if layout.len > MOST_MOVES {
                continue;
            }
            for item in 0..layout.len {
                let place = Place { of, index: u32::try_from(item / per_texel).ok()? };
                let worked = worked::worked(&self.recording, pass, place, item);
                let reads = worked.iter().filter(|worked| worked.derived).flat_map(|worked| &worked.reads);
                let operands = reads.filter(|read| read.role == Role::Operand);
                found.extend(operands.map(|read| Move { from: (read.from, read.item), to: (place, item) }));
            }
        }
        Some(found)
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

/// The finding for a pass, known before or made now. The search may need others.
fn kept<T>(known: &RefCell<HashMap<usize, Rc<T>>>, pass: usize, find: impl FnOnce() -> T) -> Rc<T> {
    let kept = known.borrow().get(&pass).cloned();
    kept.unwrap_or_else(|| {
        let found = Rc::new(find());
        known.borrow_mut().insert(pass, Rc::clone(&found));
        found
    })
}

/// All contents except bits, whose words are no numbers.
fn contents(recording: &Recording) -> impl Iterator<Item = &Content> {
    let all = recording.inputs.iter().chain(recording.passes.iter().flat_map(|pass| &pass.targets));
    all.filter(|content| !recording.streams[content.stream].bits)
}

/// The letters of the longest number of a run, as far as it is looked at.
fn letters(recording: &Recording) -> usize {
    let values = contents(recording).map(|content| &content.values);
    let all = values.flat_map(|values| (0..values.len()).map(move |index| values.decimal(index).len()));
    let bits = recording.streams.iter().filter(|stream| stream.bits).map(|_| 8);
    all.take(MOST_LETTERS).chain(bits).max().unwrap_or(1)
}

type Extents = [(ElementType, (f64, f64)); ElementType::ALL.len()];

fn extent(extents: &Extents, element: ElementType) -> (f64, f64) {
    extents.iter().find(|(known, _)| *known == element).map_or((0.0, 0.0), |(_, extent)| *extent)
}

/// The identity of the operator, if it is the highest or the lowest of all numbers of an element type. Beside it, all
/// other numbers would have one colour, so it sets no end of a scale.
fn extreme_identity(request: &Request, element: ElementType) -> Option<f64> {
    let operator = &request.item().operator;
    let is_extreme = [Operator::MIN, Operator::MAX, Operator::AND].contains(operator);
    is_extreme.then(|| for_element!(element, T => operator.identity::<T, MOST_ELEMENTS>()[0].to_f64()))
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
