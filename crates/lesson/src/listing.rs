//! The pseudo-code of an algorithm, from its card, with the lines that a pass executes.
//!
//! A line that is wrong in the paper is corrected and marked. A compaction that scans shows the scan's listing as well.

use rasterscan::tools::registry::{Choice, PseudoCode};
use rasterscan::trace::Recording;

use super::scene::Scene;
use super::shared::{self, Stage};
use super::work;

/// Pseudo-code for a recording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// The algorithm itself first, then its parts.
    pub sections: Vec<Section>,
}

/// A piece of pseudo-code from one source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// The name of the algorithm or part.
    pub title: &'static str,
    /// Keys of `assets/references.bib`.
    pub sources: &'static [&'static str],
    /// The differences from the printed text; empty if there are none.
    pub corrected: &'static str,
    /// The lines, in order.
    pub lines: Vec<Line>,
}

/// A line of pseudo-code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The text, without its marks.
    pub text: &'static str,
    /// True if the printed line differs.
    pub corrected: bool,
    marks: Vec<Mark>,
}

/// The passes and stages that execute a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Mark {
    /// A key of the passes; empty for all passes that have the stage.
    pass: &'static str,
    /// The name of the stage within such a pass, if stages are distinguished.
    stage: Option<&'static str>,
}

/// A line by its section and its number in the section, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct At {
    /// The section, from 0.
    pub section: usize,
    /// The line in the section, from 0.
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

/// The pseudo-code of the recorded algorithm; without sections if none is known.
pub fn listing(recording: &Recording) -> Listing {
    let choice = Choice::parse(recording.request.problem(), &recording.algorithm);
    let code = choice.map(|choice| choice.pseudo_code()).unwrap_or_default();
    Listing { sections: code.into_iter().map(Section::of).collect() }
}

/// The lines that a pass executes, the pass counted from 0; empty if nothing is known of it.
pub fn lit(recording: &Recording, pass: usize) -> Vec<At> {
    let stages = names(&shared::stages(recording, pass).concat());
    lit_where(recording, pass, |mark| mark.stage.is_none_or(|stage| stages.contains(&stage)))
}

/// The lines that the work groups of a pass execute after `epoch` barriers. Those of the whole pass if the stages of
/// its groups are not known; empty if no line has the stage.
pub fn lit_at(recording: &Recording, pass: usize, epoch: u32) -> Vec<At> {
    let stages = shared::stages(recording, pass);
    if stages.is_empty() {
        return lit(recording, pass);
    }
    let now = usize::try_from(epoch).ok().and_then(|epoch| stages.get(epoch));
    let now = now.map_or_else(Vec::new, |now| names(now));
    lit_where(recording, pass, |mark| mark.stage.is_some_and(|stage| now.contains(&stage)))
}

/// The lines that a pass executes in a stage; empty if no line has it.
pub fn lit_in(recording: &Recording, pass: usize, stage: Stage) -> Vec<At> {
    lit_where(recording, pass, |mark| mark.stage == Some(stage.name()))
}

fn names(stages: &[Stage]) -> Vec<&'static str> {
    stages.iter().map(|stage| stage.name()).collect()
}

/// The lines with a mark of the pass that `wanted` accepts.
fn lit_where(recording: &Recording, pass: usize, wanted: impl Fn(&Mark) -> bool) -> Vec<At> {
    // An edited shader need not do what the lines say.
    let Some(scene) = Scene::new(recording, pass).filter(|scene| !work::is_edited(scene.pass)) else {
        return Vec::new();
    };
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

/// The pass keys in the marks of a listing.
pub fn marks(listing: &Listing) -> impl Iterator<Item = &'static str> {
    let lines = listing.sections.iter().flat_map(|section| &section.lines);
    lines.flat_map(|line| &line.marks).map(|mark| mark.pass).filter(|pass| !pass.is_empty())
}

/// The keys of a pass: its part in the algorithm, its shader without the extension, and whether its scan is inclusive
/// or exclusive, alone and after the shader.
pub fn keys_of(recording: &Recording, pass: usize) -> Vec<String> {
    Scene::new(recording, pass).map_or_else(Vec::new, |scene| keys(&scene))
}

fn keys(scene: &Scene) -> Vec<String> {
    let shader = scene.shader();
    let stem = shader.rsplit_once('.').map_or(shader, |(stem, _)| stem);
    // Only the first pass of Horn's scan makes it exclusive: it shifts what it reads.
    let exclusive = scene.define("EXCLUSIVE").or_else(|| scene.define("MOVED"));
    let kind = exclusive.map(|value| if value == 0 { "inclusive" } else { "exclusive" });
    let mut keys = vec![part(scene).into(), stem.into()];
    if let Some(kind) = kind {
        keys.extend([kind.into(), format!("{stem} {kind}")]);
    }
    // This pass shares no line with the others.
    if stem == "scan/hybrid/down_sweep" && kind == Some("exclusive") {
        keys.retain(|key| key != stem);
    }
    keys
}

/// The part of a pass in the algorithm.
fn part<'a>(scene: &Scene<'a>) -> &'a str {
    let phase = scene.pass.phase.as_str();
    let scans = scene.shader().starts_with("scan/");
    if scene.scan().is_some() {
        return if is_of_sums(scene) { "sums" } else { phase };
    }
    if !scans || scene.recording.algorithm.starts_with("select") {
        return phase;
    }
    // Block compaction scans flags before the search, and the counts of blocks after it.
    let searched = scene.recording.passes[..scene.number].iter().any(|pass| pass.phase == "search");
    if scene.recording.algorithm.starts_with("blocks") && !searched { "scan in blocks" } else { "scan" }
}

/// Returns whether a pass scans the totals of blocks or tiles, and not the stream itself.
fn is_of_sums(scene: &Scene) -> bool {
    let bound =
        scene.pass.sources.iter().filter(|source| matches!(source.name.as_str(), "SOURCE" | "TARGET"));
    let lengths = bound.map(|source| scene.recording.layout(source.stream).len);
    lengths.min().is_some_and(|len| len < scene.recording.request.len())
}

/// The value of a parameter in an algorithm's name, such as `reduce` in `hybrid:reduce=2`.
pub(super) fn parameter<'a>(algorithm: &'a str, name: &str) -> Option<&'a str> {
    let (_, parameters) = algorithm.split_once(':')?;
    parameters.split(',').find_map(|parameter| parameter.strip_prefix(name)?.strip_prefix('='))
}
