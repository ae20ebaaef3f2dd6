//! Draws functions of characters, and text by its tokens.

use rasterscan_drawing::colour::{Colour, GREY, INK};
use rasterscan_drawing::font;
use rasterscan_drawing::shape::{Drawing, Shape, TEXT, Write};

use super::{ESCAPE, KINDS, LINE, SOURCE, SPACE};

/// The colour of a state: of its tokens, and of its cells.
fn colour(state: u32) -> Colour {
    [Colour(225, 228, 232), INK, Colour(5, 80, 174), Colour(180, 60, 20), Colour(20, 120, 60)]
        .get(state as usize)
        .copied()
        .unwrap_or(if state == ESCAPE { Colour(120, 190, 60) } else { GREY })
}

/// The states after each character of the line, and lines of the source.
pub fn picture(functions: &[u32], tokens: &[(u32, u32)]) -> Drawing {
    const MARGIN: f64 = 16.0;
    const LEFT: f64 = 96.0;
    const CELL: f64 = 14.0;
    let mut drawing = Drawing::new(LEFT + MARGIN + CELL * functions.len() as f64, 542.0);
    drawing.text((LEFT - 10.0, 28.0), "begun in", &Write::right(GREY));
    for (row, kind) in KINDS.iter().enumerate() {
        let write = Write { size: 12.0, ..Write::right(GREY) };
        drawing.text((LEFT - 10.0, 49.0 + CELL * row as f64), kind, &write);
    }
    for (column, character) in LINE.chars().enumerate() {
        let middle = LEFT + CELL * (column as f64 + 0.5);
        let state = functions[column] & 7;
        let ink = if state == SPACE { INK } else { colour(state) };
        drawing.text((middle, 28.0), &character.to_string(), &Write::centre(ink));
    }
    let states = (0..32).step_by(4).flat_map(|s| functions.iter().map(move |f| colour(f >> s & 7)));
    let (at, columns) = ((LEFT, 38.0), functions.len());
    drawing.shapes.push(Shape::Cells { at, side: CELL, columns, colours: states.collect() });

    // Lines of the source, from the automaton on; each token in its colour.
    let first = SOURCE.find("/// The automaton").unwrap_or(0);
    let mut base = 38.0 + 8.0 * CELL + 28.0;
    for line in SOURCE[first..].lines().take(20) {
        let begin = line.as_ptr() as usize - SOURCE.as_ptr() as usize;
        let mut x = MARGIN + 7.0 * line.bytes().take_while(|c| *c == b' ').count() as f64;
        let own = tokens.iter().map(|(at, kind)| (*at as usize, *kind));
        let own: Vec<_> = own.filter(|(at, _)| (begin..begin + line.len()).contains(at)).collect();
        for (number, (at, kind)) in own.iter().enumerate() {
            let end = own.get(number + 1).map_or(begin + line.len(), |(next, _)| *next);
            let text = &SOURCE[*at..end];
            drawing.text((x, base), text, &Write::left(colour(*kind)));
            x += font::width(text, TEXT);
        }
        base += 18.0;
    }
    drawing
}
