//! The pseudo-code of an algorithm, which its card has, with the lines that a pass is at.
//!
//! Where a paper is wrong, the line is as it must be, and marked. A compaction that scans shows the scan's listing as well.

use rasterscan::registry::{Choice, PseudoCode};
use rasterscan::trace::Recording;

use super::epochs::{self, Stage};
use super::scene::Scene;

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
    marks: Vec<Mark>,
}

/// Who is at a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Mark {
    /// Which passes: by one of their keys, or with nothing, all that have the stage.
    pass: &'static str,
    /// In which stage of such a pass, by its name, where that is told apart.
    stage: Option<&'static str>,
}

/// A line by its section and its number there, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct At {
    pub section: usize,
    pub line: usize,
}

impl Mark {
    fn of(text: &'static str) -> Mark {
        match text.split_once('@') {
            Some((pass, stage)) => Mark { pass, stage: Some(stage) },
            None => Mark { pass: text, stage: None },
        }
    }
}

impl Section {
    fn of(code: &PseudoCode) -> Section {
        let line = |line: &'static str| {
            let (marks, text) = line.split_once('|')?;
            let corrected = marks.trim_end().ends_with('!');
            let marks = marks.trim().trim_end_matches('!').split(',').map(str::trim);
            let marks = marks.filter(|mark| !mark.is_empty()).map(Mark::of).collect();
            Some(Line { text: text.strip_prefix(' ').unwrap_or(text), corrected, marks })
        };
        Section {
            title: code.title,
            sources: code.sources,
            corrected: code.corrected,
            lines: code.text.lines().filter_map(line).collect(),
        }
    }
}

/// The pseudo-code of what was recorded; without sections for an algorithm that none is known of.
pub fn listing(recording: &Recording) -> Listing {
    let choice = Choice::parse(recording.request.problem(), &recording.algorithm);
    let code = choice.map(|choice| choice.pseudo_code()).unwrap_or_default();
    Listing { sections: code.into_iter().map(Section::of).collect() }
}

/// The lines that a pass is at, counted from 0; none where nothing is known of it.
pub fn lit(recording: &Recording, pass: usize) -> Vec<At> {
    let stages = names(&epochs::stages(recording, pass).concat());
    lit_where(recording, pass, |mark| mark.stage.is_none_or(|stage| stages.contains(&stage)))
}

/// The lines that the work groups of a pass are at between two barriers, after so many of them. Those of the whole pass
/// where it is not known what a group does then; none where no line says it.
pub fn lit_at(recording: &Recording, pass: usize, epoch: u32) -> Vec<At> {
    let stages = epochs::stages(recording, pass);
    if stages.is_empty() {
        return lit(recording, pass);
    }
    let now = usize::try_from(epoch).ok().and_then(|epoch| stages.get(epoch));
    let now = now.map_or_else(Vec::new, |now| names(now));
    lit_where(recording, pass, |mark| mark.stage.is_some_and(|stage| now.contains(&stage)))
}

fn names(stages: &[Stage]) -> Vec<&'static str> {
    stages.iter().map(|stage| stage.name()).collect()
}

/// The lines with a mark of the pass whose stage is wanted.
fn lit_where(recording: &Recording, pass: usize, wanted: impl Fn(&Mark) -> bool) -> Vec<At> {
    let Some(scene) = Scene::new(recording, pass) else { return Vec::new() };
    let keys = keys(&scene);
    let own = |mark: &Mark| mark.pass.is_empty() || keys.iter().any(|key| key == mark.pass);
    let mut lit = Vec::new();
    for (section, of) in listing(recording).sections.iter().enumerate() {
        let lines = (0..).zip(&of.lines);
        let lines = lines.filter(|(_, line)| line.marks.iter().any(|mark| own(mark) && wanted(mark)));
        lit.extend(lines.map(|(line, _)| At { section, line }));
    }
    lit
}

/// The keys of all passes that a listing has lines for.
pub fn marks(listing: &Listing) -> impl Iterator<Item = &'static str> {
    let lines = listing.sections.iter().flat_map(|section| &section.lines);
    lines.flat_map(|line| &line.marks).map(|mark| mark.pass).filter(|pass| !pass.is_empty())
}

/// What a pass is known by: its part in the algorithm, its shader without its ending, and whether its scan is inclusive or
/// exclusive, alone and behind the shader.
pub fn keys_of(recording: &Recording, pass: usize) -> Vec<String> {
    Scene::new(recording, pass).map_or_else(Vec::new, |scene| keys(&scene))
}

fn keys(scene: &Scene) -> Vec<String> {
    let shader = scene.shader();
    let stem = shader.rsplit_once('.').map_or(shader, |(stem, _)| stem);
    // Horn's scan is made exclusive by its first pass alone, which moves what it reads.
    let exclusive = scene.define("EXCLUSIVE").or_else(|| scene.define("MOVED"));
    let kind = exclusive.map(|value| if value == 0 { "inclusive" } else { "exclusive" });
    let mut keys = vec![part(scene).into(), stem.into()];
    if let Some(kind) = kind {
        keys.extend([kind.into(), format!("{stem} {kind}")]);
    }
    // It has no line in common with the others.
    if stem == "scan/hybrid/down_sweep" && kind == Some("exclusive") {
        keys.retain(|key| key != stem);
    }
    keys
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
pub(super) fn parameter<'a>(algorithm: &'a str, name: &str) -> Option<&'a str> {
    let (_, parameters) = algorithm.split_once(':')?;
    parameters.split(',').find_map(|parameter| parameter.strip_prefix(name)?.strip_prefix('='))
}
