//! The bundled font: the width of text, line breaks, and the outlines of letters.

use std::sync::OnceLock;

use ttf_parser::{Face, OutlineBuilder};

static BYTES: &[u8] = include_bytes!("../assets/fonts/DejaVuSans-subset.ttf");

/// The fonts that SVGs ask for. Verdana is as wide, and most others are narrower: text that fits here fits there.
pub const FAMILY: &str = "DejaVu Sans, Verdana, sans-serif";

fn face() -> Option<&'static Face<'static>> {
    static FACE: OnceLock<Option<Face<'static>>> = OnceLock::new();
    FACE.get_or_init(|| Face::parse(BYTES, 0).ok()).as_ref()
}

/// The advance of a letter, in sizes of the text.
fn advance(letter: char) -> f64 {
    /// The advances of the usual letters: pictures are laid out many times until they fit.
    static KEPT: OnceLock<Vec<f64>> = OnceLock::new();
    let kept = KEPT.get_or_init(|| ('\0'..'\u{250}').map(look_up).collect());
    kept.get(letter as usize).copied().unwrap_or_else(|| look_up(letter))
}

fn look_up(letter: char) -> f64 {
    let known = face().and_then(|face| {
        let glyph = face.glyph_index(letter)?;
        Some(f64::from(face.glyph_hor_advance(glyph)?) / f64::from(face.units_per_em()))
    });
    // A letter that the subset lacks is drawn by another font, if at all; few are wider than this.
    known.unwrap_or(1.0)
}

/// The width after more text, in sizes of the text.
fn wider(width: f64, more: &str) -> f64 {
    more.chars().map(advance).fold(width, |sum, advance| sum + advance)
}

/// The width of a text of this size, in points.
pub fn width(text: &str, size: f64) -> f64 {
    wider(0.0, text) * size
}

/// The widest of some texts.
pub fn widest<'a>(texts: impl IntoIterator<Item = &'a String>, size: f64) -> f64 {
    texts.into_iter().map(|text| width(text, size)).fold(0.0, f64::max)
}

/// Text in lines of at most a width: broken after spaces, commas and the like, or else anywhere. Takes linear time.
pub fn wrap(text: &str, size: f64, most: f64) -> Vec<String> {
    let mut lines = vec![];
    let (mut line, mut long) = (String::new(), 0.0);
    for word in text.split_inclusive([' ', ',', ':', '/', '-', ';']) {
        if !line.is_empty() && wider(long, word.trim_end()) * size > most {
            lines.push(std::mem::take(&mut line));
            long = 0.0;
        }
        for letter in word.chars() {
            let after = long + advance(letter);
            if !line.is_empty() && !letter.is_whitespace() && after * size > most {
                lines.push(std::mem::take(&mut line));
                long = 0.0;
            }
            line.push(letter);
            long += advance(letter);
        }
    }
    lines.push(line);
    lines.iter().map(|line| line.trim_end().to_owned()).collect()
}

/// The beginning of a text, no wider than `most`, with an ellipsis if anything is cut off; empty if not even one letter
/// fits.
pub fn shortened(text: &str, size: f64, most: f64) -> String {
    if width(text, size) <= most {
        return text.into();
    }
    let mut long = width("…", size);
    let fits = |letter: &char| {
        long += advance(*letter) * size;
        long <= most
    };
    let begin: String = text.chars().take_while(fits).collect();
    if begin.is_empty() { String::new() } else { begin.trim_end().to_owned() + "…" }
}

/// Draws the outlines of text into a builder that takes positions in units of the picture, y downwards.
pub fn outline(text: &str, size: f64, left: f64, base: f64, builder: &mut dyn OutlineBuilder) {
    let Some(face) = face() else { return };
    let scale = size / f64::from(face.units_per_em());
    let mut pen = left;
    for letter in text.chars() {
        if let Some(glyph) = face.glyph_index(letter) {
            face.outline_glyph(glyph, &mut Placed { builder, scale, left: pen, base });
        }
        pen += advance(letter) * size;
    }
}

/// Moves a letter to its position.
struct Placed<'a> {
    builder: &'a mut dyn OutlineBuilder,
    scale: f64,
    left: f64,
    base: f64,
}

impl Placed<'_> {
    fn x(&self, x: f32) -> f32 {
        (self.left + f64::from(x) * self.scale) as f32
    }

    fn y(&self, y: f32) -> f32 {
        (self.base - f64::from(y) * self.scale) as f32
    }
}

impl OutlineBuilder for Placed<'_> {
    fn move_to(&mut self, x: f32, y: f32) {
        self.builder.move_to(self.x(x), self.y(y));
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.builder.line_to(self.x(x), self.y(y));
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.builder.quad_to(self.x(x1), self.y(y1), self.x(x), self.y(y));
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.builder.curve_to(self.x(x1), self.y(y1), self.x(x2), self.y(y2), self.x(x), self.y(y));
    }

    fn close(&mut self) {
        self.builder.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_font_has_all_that_charts_write() {
        let face = face().expect("the font is read");
        for letter in "azAZ09 ⁻⁰¹²³⁴⁵⁶⁷⁸⁹+×·–—…≤≥±µ²³→%äöüéßñ".chars()
        {
            assert!(face.glyph_index(letter).is_some(), "{letter}");
        }
        assert!(BYTES.len() < 40_000);
    }

    #[test]
    fn text_is_broken_where_it_fits_and_nothing_is_lost() {
        let name = "blocks:inner=packed,search=for,ends=fetched,draw=lines";
        for most in [1.0, 40.0, 100.0, 250.0, 1000.0] {
            let lines = wrap(name, 14.0, most);
            assert_eq!(lines.concat(), name);
            assert!(
                lines.iter().all(|line| line.chars().count() == 1 || width(line, 14.0) <= most),
                "{lines:?}"
            );
        }
        assert_eq!(wrap("a copy of all", 14.0, 60.0), ["a copy", "of all"]);
        assert_eq!(wrap("", 14.0, 60.0), [""]);
    }

    #[test]
    fn text_is_shortened_where_it_does_not_fit() {
        assert_eq!(shortened("reduced 1", 10.0, 100.0), "reduced 1");
        let short = shortened("reduced 1", 10.0, 40.0);
        assert!(short.starts_with("red") && short.ends_with('…') && width(&short, 10.0) <= 40.0, "{short}");
        assert_eq!(shortened("reduced 1", 10.0, 3.0), "");
    }
}
