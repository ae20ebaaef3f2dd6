//! The pseudo-code of an algorithm as its paper prints it, with the lines that a pass is at.
//!
//! Where a paper is wrong, the line is as it must be, and marked. A compaction that scans shows the scan's listing as well.

mod compactions;
mod scans;

use super::scene::Scene;
use crate::spec::Family;
use crate::trace::Recording;

/// Pseudo-code for a recording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// The algorithm, and then what it is made of.
    pub sections: Vec<Section>,
}

/// A piece of pseudo-code from one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    pub title: &'static str,
    /// Keys of `assets/references.bib`.
    pub sources: &'static [&'static str],
    /// What is different from print; nothing where nothing is.
    pub corrected: &'static str,
    pub lines: Vec<Line>,
}

/// A line of pseudo-code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    pub text: &'static str,
    /// Whether it is printed otherwise.
    pub corrected: bool,
    /// Which passes are at this line: by their phase, or by their shader without its ending.
    marks: Vec<&'static str>,
}

/// A line by its section and its number there, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct At {
    pub section: usize,
    pub line: usize,
}

/// A section as it stands in the sources. A line of the text is `marks | pseudo-code`, the marks set apart by commas;
/// `!` before the bar marks what was corrected.
struct Text {
    title: &'static str,
    sources: &'static [&'static str],
    corrected: &'static str,
    text: &'static str,
}

impl Text {
    fn section(&self) -> Section {
        let line = |line: &'static str| {
            let (marks, text) = line.split_once('|')?;
            let corrected = marks.trim_end().ends_with('!');
            let marks = marks.trim().trim_end_matches('!').split(',').map(str::trim);
            let marks = marks.filter(|mark| !mark.is_empty()).collect();
            Some(Line { text: text.strip_prefix(' ').unwrap_or(text), corrected, marks })
        };
        Section {
            title: self.title,
            sources: self.sources,
            corrected: self.corrected,
            lines: self.text.lines().filter_map(line).collect(),
        }
    }
}

/// The pseudo-code of what was recorded; without sections for an algorithm that none is known of.
pub fn listing(recording: &Recording) -> Listing {
    let texts = match recording.request.family() {
        Family::Scan => scans::texts(&recording.algorithm),
        Family::Compact => compactions::texts(&recording.algorithm),
    };
    Listing { sections: texts.into_iter().map(Text::section).collect() }
}

/// The lines that a pass is at, counted from 0; none where nothing is known of it.
pub fn lit(recording: &Recording, pass: usize) -> Vec<At> {
    let Some(scene) = Scene::new(recording, pass) else { return Vec::new() };
    let keys = keys(&scene);
    let sections = listing(recording).sections;
    let lines = sections.iter().enumerate().flat_map(|(section, of)| {
        let lit = of
            .lines
            .iter()
            .enumerate()
            .filter(|(_, line)| line.marks.iter().any(|mark| keys.contains(&(*mark).into())));
        lit.map(move |(line, _)| At { section, line }).collect::<Vec<At>>()
    });
    lines.collect()
}

/// All marks of a listing.
pub fn marks(listing: &Listing) -> impl Iterator<Item = &'static str> {
    listing.sections.iter().flat_map(|section| &section.lines).flat_map(|line| line.marks.iter().copied())
}

/// What a pass is known by: its part in the algorithm, and its shader.
pub fn keys_of(recording: &Recording, pass: usize) -> Vec<String> {
    Scene::new(recording, pass).map_or_else(Vec::new, |scene| keys(&scene))
}

fn keys(scene: &Scene) -> Vec<String> {
    let shader = scene.shader();
    let stem = shader.rsplit_once('.').map_or(shader, |(stem, _)| stem);
    let exclusive = stem == "scan/hybrid/down_sweep" && scene.is("EXCLUSIVE");
    let shader = if exclusive { format!("{stem} exclusive") } else { stem.into() };
    vec![part(scene).into(), shader]
}

/// The part that a pass has in the algorithm.
fn part<'a>(scene: &Scene<'a>) -> &'a str {
    let phase = scene.pass.phase.as_str();
    let scans = scene.shader().starts_with("scan/");
    if scene.scan().is_some() {
        return if is_of_sums(scene) { "sums" } else { phase };
    }
    if !scans || scene.recording.algorithm.starts_with("select") {
        return phase;
    }
    // Of blocks, what is scanned before the search are the flags, and behind it the counts of blocks.
    let searched = scene.recording.passes[..scene.number].iter().any(|pass| pass.phase == "search");
    if scene.recording.algorithm.starts_with("blocks") && !searched { "scan in blocks" } else { "scan" }
}

/// Whether a pass of a scan is about the sums of blocks or tiles, and not about the stream itself.
fn is_of_sums(scene: &Scene) -> bool {
    let bound =
        scene.pass.sources.iter().filter(|source| matches!(source.name.as_str(), "SOURCE" | "TARGET"));
    let lengths = bound.map(|source| scene.recording.layout(source.stream).len);
    lengths.min().is_some_and(|len| len < scene.recording.request.len())
}

/// The value of a parameter in the name of an algorithm: of `hybrid:reduce=2` that of `reduce`.
fn parameter<'a>(algorithm: &'a str, name: &str) -> Option<&'a str> {
    let (_, parameters) = algorithm.split_once(':')?;
    parameters.split(',').find_map(|parameter| parameter.strip_prefix(name)?.strip_prefix('='))
}

/// The name of an algorithm without its parameters.
fn stem(algorithm: &str) -> &str {
    algorithm.split(':').next().unwrap_or(algorithm)
}
