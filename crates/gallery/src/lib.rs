//! The gallery: what scans, compactions and sorts are for, in pieces of a page each.
//!
//! A [`Piece`] runs in any context, also on OpenGL 3.3 and WebGL 2, within about a second on a software renderer. It opens
//! no window and reads no file. It checks its result on the CPU, and a wrong result is an error, never a picture.

#![deny(missing_docs, missing_debug_implementations, unsafe_code)]

mod delta;
mod depth_of_field;
mod lexer;
mod marching_cubes;
mod quicksort;
mod scene;
mod splats;
mod tracer;
mod tridiagonal;
mod vector;

use std::fmt;

use rasterscan::algorithm::Placement;
use rasterscan::operator::OperatorError;
use rasterscan::plan::{Layout, Storage};
use rasterscan::{Device, ElementType, Error, Gpu};
use rasterscan_drawing::colour::{Colour, GREY};
use rasterscan_drawing::number::{grouped, significant};
use rasterscan_drawing::shape::{Drawing, Shape, Write};
use serde::Serialize;

/// The pieces.
pub const ALL: [&Piece; 8] = [
    &lexer::PIECE,
    &marching_cubes::PIECE,
    &tracer::PIECE,
    &depth_of_field::PIECE,
    &quicksort::PIECE,
    &tridiagonal::PIECE,
    &delta::PIECE,
    &splats::PIECE,
];

/// The piece of a name.
pub fn named(name: &str) -> Option<&'static Piece> {
    ALL.into_iter().find(|piece| piece.name == name)
}

/// A piece of the gallery.
#[derive(Debug, Serialize)]
pub struct Piece {
    /// The name on the command line.
    pub name: &'static str,
    /// The title.
    pub title: &'static str,
    /// The picture, in a sentence or two.
    pub shows: &'static str,
    /// The scan, compaction or sort in it, and its use there.
    pub step: &'static str,
    /// A paragraph on it: `docs/gallery.md` has the same. Names of facts stand in braces, as [`fact`] reads them.
    #[serde(skip)]
    pub text: &'static str,
    /// A job that shows this step in the app, on few numbers.
    pub job: &'static str,
    /// Keys of the bibliography.
    pub sources: &'static [&'static str],
    /// Computes, checks and draws it.
    ///
    /// Errors: [`GalleryError`].
    #[serde(skip)]
    pub run: fn(&Gpu) -> Result<Exhibit, GalleryError>,
}

impl PartialEq for Piece {
    fn eq(&self, other: &Piece) -> bool {
        self.name == other.name
    }
}

/// A piece that was run: every result in it was checked.
#[derive(Debug)]
pub struct Exhibit {
    /// The numbers behind the picture.
    pub facts: Vec<Fact>,
    /// The picture. Two pixels of a picture of pixels are a point.
    pub picture: Drawing,
}

/// A number, or a row of them, with its name.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Fact {
    /// Its name, with the unit after a comma: "time, ms".
    pub name: &'static str,
    /// The number.
    pub value: Value,
}

/// The value of a fact.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// A count.
    Count(u64),
    /// Counts, such as one for each step.
    Counts(Vec<u64>),
    /// A measure.
    Measure(f64),
    /// Measures.
    Measures(Vec<f64>),
}

/// The value that a reference names: `triangles`, or `rays alive, by bounce[1]`, one of a row, counted from 0.
pub fn fact(facts: &[Fact], reference: &str) -> Option<Value> {
    let inner = reference.strip_suffix(']').and_then(|inner| inner.rsplit_once('['));
    let (name, index) = inner.map_or((reference, None), |(name, index)| (name, Some(index)));
    let value = &facts.iter().find(|fact| fact.name == name)?.value;
    let Some(index) = index else { return Some(value.clone()) };
    let index: usize = index.parse().ok()?;
    match value {
        Value::Counts(all) => all.get(index).copied().map(Value::Count),
        Value::Measures(all) => all.get(index).copied().map(Value::Measure),
        Value::Count(_) | Value::Measure(_) => None,
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers: Vec<String> = match self {
            Value::Count(count) => vec![grouped(*count)],
            Value::Counts(all) => all.iter().map(|count| grouped(*count)).collect(),
            Value::Measure(measure) => vec![significant(*measure)],
            Value::Measures(all) => all.iter().map(|measure| significant(*measure)).collect(),
        };
        f.write_str(&numbers.join(" "))
    }
}

impl Fact {
    fn count(name: &'static str, count: usize) -> Fact {
        Fact { name, value: Value::Count(count as u64) }
    }

    fn counts(name: &'static str, counts: impl IntoIterator<Item = usize>) -> Fact {
        Fact { name, value: Value::Counts(counts.into_iter().map(|count| count as u64).collect()) }
    }
}

/// A reason why there is no picture.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GalleryError {
    /// The library's, such as a device that lacks something.
    #[error(transparent)]
    Run(#[from] Error),
    /// An operator whose definition and twin do not agree.
    #[error(transparent)]
    Operator(#[from] OperatorError),
    /// A result that differs from the CPU's.
    #[error("the result differs from the CPU's: {0}")]
    Wrong(String),
}

/// Fails loudly: `what` says what is wrong.
fn check(is_right: bool, what: impl FnOnce() -> String) -> Result<(), GalleryError> {
    if is_right { Ok(()) } else { Err(GalleryError::Wrong(what())) }
}

/// The layout of a stream in memory of the same kind as another one's.
fn beside(
    device: &Device,
    other: &Layout,
    element: ElementType,
    arity: u32,
    len: usize,
) -> Result<Layout, Error> {
    let placement = match other.storage {
        Storage::Texture => Placement::Texture { items_per_texel: 1, unit: 1 },
        Storage::Buffer => Placement::Buffer,
    };
    Ok(placement.layout(device, element, arity, len as u64)?)
}

/// A picture of pixels, row by row.
fn image(width: usize, colours: Vec<Colour>) -> Drawing {
    let side = 0.5;
    let mut drawing = Drawing::new(side * width as f64, side * (colours.len() / width) as f64);
    drawing.shapes.push(Shape::Cells { at: (0.0, 0.0), side, columns: width, colours });
    drawing
}

/// The same with two small ones of other pixels below it, and their names.
fn with_small(width: usize, colours: Vec<Colour>, parts: [(&str, Vec<Colour>); 2]) -> Drawing {
    let mut drawing = image(width, colours);
    let (top, side, columns) = (drawing.height + 6.0, 0.5, width / 2 - 2);
    for (number, (name, all)) in parts.into_iter().enumerate() {
        let left = number as f64 * (drawing.width / 2.0 + 1.0);
        let rows = all.chunks(width).step_by(2);
        let colours = rows.flat_map(|row| row.iter().copied().step_by(2).take(columns)).collect();
        drawing.shapes.push(Shape::Cells { at: (left, top), side, columns, colours });
        let write = Write { size: 9.0, ..Write::centre(GREY) };
        drawing.text((left + drawing.width / 4.0, top + (top - 6.0) / 2.0 + 12.0), name, &write);
    }
    drawing.height = top + (top - 6.0) / 2.0 + 18.0;
    drawing
}
