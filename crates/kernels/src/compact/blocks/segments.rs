//! Blocks as segments of the result, drawn as lines or rectangles: roger2007, section III-C.

use crate::compact::sums::Sums;
use crate::{Error, GeometryKernel, Machine, Shape, Terms, Vertex, VertexKernel};

/// A segment of the result: all elements of a block, which move by the same distance.
#[derive(Clone, Copy)]
struct Segment {
    start: u32,
    end: u32,
    /// The number of unwanted elements before the block.
    way: u32,
}

/// How the vertices of a pass come to their segments. `ends.glsl`.
#[derive(Clone, Copy)]
enum Ends {
    /// Captured before.
    Captured,
    /// Computed from the scanned counts. `segment.glsl`.
    Computed {
        /// Running counts of unwanted elements, by block.
        sums: Sums,
        /// Elements in a block.
        block: i32,
        /// Elements of the stream.
        len: i32,
        /// Vertices that draw a segment.
        vertices: i32,
    },
}

impl Ends {
    fn new(terms: &Terms<'_>) -> Result<Ends, Error> {
        if terms.is_on("CAPTURED") {
            return Ok(Ends::Captured);
        }
        Ok(Ends::Computed {
            sums: Sums::new(terms)?,
            block: terms.define("BLOCK")?,
            len: terms.int("u_len")?,
            vertices: terms.define("VERTICES")?.max(1),
        })
    }

    /// The segment of a vertex.
    fn own(&self, at: &mut Vertex<'_>) -> Segment {
        match *self {
            Ends::Captured => Segment::of(at.attribute(0)),
            Ends::Computed { sums, block, len, vertices } => {
                let number = at.number / vertices;
                let machine: &mut Machine = at;
                let before = if number > 0 { sums.at(machine, number - 1) } else { 0 };
                let unwanted = sums.at(machine, number);
                let (first, end) = (number * block, len.min((number + 1) * block));
                Segment { start: (first - before) as u32, end: (end - unwanted) as u32, way: before as u32 }
            }
        }
    }
}

impl Segment {
    fn of([start, end, way, _]: [u32; 4]) -> Segment {
        Segment { start, end, way }
    }

    fn words(self) -> [u32; 4] {
        [self.start, self.end, self.way, 0]
    }

    /// The part up to the right edge (0), or the one beyond it (1). `None` if it is empty. `part.glsl`.
    fn part(self, number: i32, target: Shape) -> Option<SegmentPart> {
        let (start, end) = (self.start as i32, self.end as i32);
        let row = start / target.width;
        let (left, edge) = (row * target.width, (row + 1) * target.width);
        let (row, columns) = match number {
            0 => (row, [start - left, end.min(edge) - left]),
            _ => (row + 1, [0, (end - edge).max(0)]),
        };
        (columns[0] < columns[1]).then_some(SegmentPart { row, columns })
    }
}

/// The part of a segment that lies in one row of the target.
#[derive(Clone, Copy)]
struct SegmentPart {
    row: i32,
    /// The first column, and the one after the last.
    columns: [i32; 2],
}

impl SegmentPart {
    /// A corner, in texels: for a line its ends, at the centres of texels; for a rectangle four, at their edges.
    fn corner(self, number: usize, lines: bool) -> [f32; 2] {
        let (x, y) = (self.columns[number & 1] as f32, self.row as f32);
        match lines {
            true => [x + 0.5, y + 0.5],
            false => [x, y + (number >> 1) as f32],
        }
    }
}

/// The segments' ends, captured once for each of the vertices that will draw a segment.
pub fn segments(terms: &Terms<'_>) -> Result<VertexKernel, Error> {
    pass_on(terms)
}

/// Passes a segment on to the geometry stage.
pub fn pass_on(terms: &Terms<'_>) -> Result<VertexKernel, Error> {
    let ends = Ends::new(terms)?;
    Ok(Box::new(move |at| {
        let segment = ends.own(at);
        at.give("v_segment", segment.words());
    }))
}

/// Wrapping by drawing twice: all parts up to the right edge, or all beyond it.
pub fn draw_part(terms: &Terms<'_>) -> Result<VertexKernel, Error> {
    let (ends, target) = (Ends::new(terms)?, terms.target());
    let (number, lines) = (terms.define("PART")?, terms.is_on("LINES"));
    let vertices = terms.define("VERTICES")?.max(1);
    Ok(Box::new(move |at| {
        let segment = ends.own(at);
        at.give("v_way", [segment.way, 0, 0, 0]);
        let vertex = (at.number % vertices) as usize;
        // A rectangle is two triangles.
        let vertex = if lines { vertex } else { [0, 1, 2, 2, 1, 3][vertex % 6] };
        if let Some(part) = segment.part(number, target) {
            let [x, y] = part.corner(vertex, lines);
            at.place(x, y);
        }
    }))
}

/// Wrapping by a geometry stage: a segment that crosses the right edge becomes two parts, an empty one none.
pub fn split(terms: &Terms<'_>) -> Result<GeometryKernel, Error> {
    let (target, lines) = (terms.target(), terms.is_on("LINES"));
    Ok(Box::new(move |at| {
        let segment = Segment::of(at.input(0, "v_segment"));
        for part in (0..2).filter_map(|number| segment.part(number, target)) {
            for number in 0..if lines { 2 } else { 4 } {
                at.emit(Some(part.corner(number, lines)), &[("v_way", [segment.way, 0, 0, 0])]);
            }
            at.end();
        }
    }))
}
