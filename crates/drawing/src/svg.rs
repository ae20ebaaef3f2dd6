//! A drawing as an SVG document.

use std::fmt::Write as _;

use crate::colour::Colour;
use crate::font::FAMILY;
use crate::shape::{Anchor, Drawing, Paint, Place, Shape, Stroke};

/// The width of the paper's colour around letters, in points.
pub const HALO: f64 = 4.0;

/// A whole document. It has no ids, so that a page can have many. A screen reader reads the title and the description.
pub fn write(drawing: &Drawing, title: &str, description: &str) -> String {
    let (width, height) = (number(drawing.width), number(drawing.height));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"{FAMILY}\" stroke-linejoin=\"round\">\n\
         <title>{}</title>\n<desc>{}</desc>\n<path d=\"M0 0H{width}V{height}H0Z\" fill=\"{}\"/>\n",
        escaped(title),
        escaped(description),
        drawing.paper
    );
    for shape in &drawing.shapes {
        svg.push_str(&element(shape, drawing.paper));
    }
    svg + "</svg>\n"
}

fn element(shape: &Shape, paper: Colour) -> String {
    match shape {
        Shape::Path { points, closed, paint } => {
            let mut path = String::new();
            for (i, (x, y)) in points.iter().enumerate() {
                path.push_str(if i == 0 { "M" } else { "L" });
                path.push_str(&pair((*x, *y)));
            }
            let end = if *closed { "Z" } else { "" };
            format!("<path d=\"{path}{end}\"{}/>\n", painted(paint))
        }
        Shape::Circle { centre, radius, paint } => format!(
            "<circle cx=\"{}\" cy=\"{}\" r=\"{}\"{}/>\n",
            number(centre.0),
            number(centre.1),
            number(*radius),
            painted(paint)
        ),
        Shape::Text { at, text, write } => {
            let anchor = match write.anchor {
                Anchor::Start => "",
                Anchor::Middle => " text-anchor=\"middle\"",
                Anchor::End => " text-anchor=\"end\"",
            };
            let halo = if write.halo {
                format!(" stroke=\"{paper}\" stroke-width=\"{HALO}\" paint-order=\"stroke\"")
            } else {
                String::new()
            };
            let family = if write.mono { " font-family=\"DejaVu Sans Mono, monospace\"" } else { "" };
            format!(
                "<text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"{}\"{anchor}{family}{halo}>{}</text>\n",
                number(at.0),
                number(at.1),
                number(write.size),
                write.colour,
                escaped(text)
            )
        }
        Shape::Cells { at, side, columns, colours } => cells(*at, *side, *columns, colours),
    }
}

/// A rectangle for each run of one colour in a row.
fn cells(at: Place, side: f64, columns: usize, colours: &[Colour]) -> String {
    let mut out = String::from("<g shape-rendering=\"crispEdges\">\n");
    for (row, colours) in colours.chunks(columns.max(1)).enumerate() {
        let mut column = 0;
        for run in colours.chunk_by(|a, b| a == b) {
            let (x, y) = (at.0 + column as f64 * side, at.1 + row as f64 * side);
            let (x, y) = (precise(x), precise(y));
            let (width, height) = (precise(run.len() as f64 * side), precise(side));
            let colour = run[0];
            let _ = writeln!(
                out,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{colour}\"/>"
            );
            column += run.len();
        }
    }
    out + "</g>\n"
}

/// Formats with three decimals: cells may be smaller than a unit.
fn precise(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn painted(paint: &Paint) -> String {
    let mut out = match paint.fill {
        Some(colour) => format!(" fill=\"{colour}\""),
        None => " fill=\"none\"".into(),
    };
    if let Some(Stroke { colour, width, dashes }) = paint.stroke {
        let _ = write!(out, " stroke=\"{colour}\" stroke-width=\"{}\"", number(width));
        if !dashes.is_empty() {
            let dashes: Vec<String> = dashes.iter().map(f32::to_string).collect();
            let _ = write!(out, " stroke-dasharray=\"{}\"", dashes.join(" "));
        }
    }
    out
}

fn pair((x, y): Place) -> String {
    format!("{} {}", number(x), number(y))
}

/// Formats with one decimal: a tenth of a unit is too little to see.
fn number(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").unwrap_or(&text).to_owned()
}

/// Escapes text for XML and HTML. Characters that XML does not allow at all become spaces.
pub fn escaped(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            letter if letter.is_control() || ('\u{FFFE}'..='\u{FFFF}').contains(&letter) => out.push(' '),
            letter => out.push(letter),
        }
    }
    out
}
