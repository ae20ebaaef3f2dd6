//! The source of a shader in a few colours: comments, directives, types and keywords, numbers.

use egui::text::{LayoutJob, TextFormat};
use egui::{Color32, FontId, TextStyle, Ui};

use super::super::looks;

/// The kind of a piece of source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Plain,
    Comment,
    Directive,
    Word,
    Number,
}

/// The GLSL keywords and types that the shaders use, and the types that the engine defines.
const WORDS: &str = "\
    bool break buffer coherent const continue discard do else false flat float for if in inout int \
    ivec2 ivec3 ivec4 layout out readonly return shared struct true uint uniform usampler2D \
    usamplerBuffer uvec2 uvec3 uvec4 vec2 vec3 vec4 void volatile while writeonly Item Element Texel \
    Sampler Words Loaded Row Sum";

/// The files that a source includes, in order.
pub fn includes(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let name = line.trim().strip_prefix("#include")?.trim();
        Some(name.trim_matches(['"', '<', '>']))
    })
}

/// The coloured source.
pub fn coloured(ui: &Ui, text: &str) -> LayoutJob {
    let font = TextStyle::Monospace.resolve(ui.style());
    let mut job = LayoutJob::default();
    for (piece, kind) in pieces(text) {
        job.append(piece, 0.0, TextFormat::simple(FontId::clone(&font), colour(ui, kind)));
    }
    job
}

fn colour(ui: &Ui, kind: Kind) -> Color32 {
    let dark = ui.visuals().dark_mode;
    let of = |in_dark: [u8; 3], in_light: [u8; 3]| looks::colour(if dark { in_dark } else { in_light });
    match kind {
        Kind::Plain => ui.visuals().text_color(),
        Kind::Comment => of([128, 158, 128], [72, 112, 72]),
        Kind::Directive => of([205, 160, 215], [120, 50, 140]),
        Kind::Word => of([125, 175, 235], [20, 80, 160]),
        Kind::Number => of([225, 175, 120], [150, 80, 0]),
    }
}

/// Splits a source into pieces of one kind each; joined, they are the source.
fn pieces(text: &str) -> Vec<(&str, Kind)> {
    let mut pieces = Vec::new();
    for line in text.split_inclusive('\n') {
        let (code, comment) = line.split_at(line.find("//").unwrap_or(line.len()));
        if code.trim_start().starts_with('#') {
            pieces.push((code, Kind::Directive));
        } else {
            words(code, &mut pieces);
        }
        if !comment.is_empty() {
            pieces.push((comment, Kind::Comment));
        }
    }
    pieces
}

fn words<'a>(code: &'a str, pieces: &mut Vec<(&'a str, Kind)>) {
    let of_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut rest = code;
    while let Some(first) = rest.chars().next() {
        let word = of_word(first);
        let end = rest.find(|c| of_word(c) != word).unwrap_or(rest.len());
        let (piece, behind) = rest.split_at(end);
        let kind = match word {
            true if first.is_ascii_digit() => Kind::Number,
            true if WORDS.split(' ').any(|word| word == piece) => Kind::Word,
            _ => Kind::Plain,
        };
        pieces.push((piece, kind));
        rest = behind;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_the_text_and_have_their_kinds() {
        let text =
            "#include \"common/item.glsl\"\nuniform int u_n; // how many\nx = 2u * u_n;\n  #if A // b\n";
        let pieces = pieces(text);
        assert_eq!(pieces.iter().map(|(piece, _)| *piece).collect::<String>(), text);
        let of = |kind| pieces.iter().filter(|(_, k)| *k == kind).map(|(p, _)| p.trim()).collect::<Vec<_>>();
        assert_eq!(of(Kind::Word), ["uniform", "int"]);
        assert_eq!(of(Kind::Number), ["2u"]);
        assert_eq!(of(Kind::Comment), ["// how many", "// b"]);
        assert_eq!(of(Kind::Directive), ["#include \"common/item.glsl\"", "#if A"]);
        assert_eq!(includes(text).collect::<Vec<_>>(), ["common/item.glsl"]);
        assert_eq!(super::pieces("größer // als 3").len(), 3, "whatever letters there are");
    }
}
