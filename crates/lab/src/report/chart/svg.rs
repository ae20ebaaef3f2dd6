//! A drawing as an SVG document.

use std::fmt::Write as _;

use super::colour::PAPER;
use super::drawing::{Anchor, Drawing, Paint, Place, Shape, Stroke, WIDTH};
use super::font::FAMILY;

/// How far the colour of paper reaches around letters.
pub const HALO: f64 = 4.0;

pub fn write(drawing: &Drawing, title: &str, description: &str) -> String {
    let (width, height) = (number(WIDTH), number(drawing.height));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"{FAMILY}\" stroke-linejoin=\"round\">\n\
         <title>{}</title>\n<desc>{}</desc>\n<path d=\"M0 0H{width}V{height}H0Z\" fill=\"{PAPER}\"/>\n",
        escaped(title),
        escaped(description)
    );
    for shape in &drawing.shapes {
        svg.push_str(&element(shape));
    }
    svg + "</svg>\n"
}

fn element(shape: &Shape) -> String {
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
                format!(" stroke=\"{PAPER}\" stroke-width=\"{HALO}\" paint-order=\"stroke\"")
            } else {
                String::new()
            };
            format!(
                "<text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"{}\"{anchor}{halo}>{}</text>\n",
                number(at.0),
                number(at.1),
                number(write.size),
                write.colour,
                escaped(text)
            )
        }
    }
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

/// A tenth of a unit is less than is seen.
fn number(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").unwrap_or(&text).to_owned()
}

/// Characters that XML does not allow at all become spaces.
fn escaped(text: &str) -> String {
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
