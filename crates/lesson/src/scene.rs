//! A pass of a recording, with all that a sentence about it needs: its streams by the names in its shader, its numbers,
//! and the progress of its phase.

use rasterscan::operator::Operator;
use rasterscan::plan::{Layout, Uniform};
use rasterscan::tools::problem::{REDUCE, SCAN};
use rasterscan::trace::{Place, RecordedPass, Recording, Work};
use rasterscan::{CompactSpec, Keep, ScanSpec};
use rasterscan::{compact, tools::Numbers};

use super::{Example, Item};

/// A pass and its recording.
#[derive(Clone, Copy)]
pub struct Scene<'a> {
    pub recording: &'a Recording,
    /// The number of the pass, from 0.
    pub number: usize,
    pub pass: &'a RecordedPass,
}

/// The content of a stream at some time.
#[derive(Clone, Copy)]
pub struct SceneStream<'a> {
    pub number: usize,
    pub name: &'a str,
    pub layout: &'a Layout,
    pub values: &'a Numbers,
    /// The item at the shader's index 0.
    pub first: u64,
    /// Its number among the targets of the pass, if it is one.
    pub of: Option<u32>,
}

impl<'a> Scene<'a> {
    /// `None` past the last pass.
    pub fn new(recording: &'a Recording, number: usize) -> Option<Scene<'a>> {
        Some(Scene { recording, number, pass: recording.passes.get(number)? })
    }

    /// The content of a source before the pass, by its name in the shader.
    pub fn source(&self, name: &str) -> Option<SceneStream<'a>> {
        let source = self.pass.sources.iter().find(|source| source.name == name)?;
        let values = self.recording.before(self.number, source.stream)?;
        Some(SceneStream { first: source.first, ..SceneStream::of(self.recording, source.stream, values) })
    }

    /// The content of a written buffer after the pass, by its name in the shader.
    pub fn written(&self, name: &str) -> Option<SceneStream<'a>> {
        let source = self.pass.sources.iter().find(|source| source.name == name)?;
        let mut targets = (0..).zip(&self.pass.targets);
        let (of, target) = targets.find(|(_, target)| target.stream == source.stream)?;
        let stream = SceneStream::of(self.recording, target.stream, &target.values);
        Some(SceneStream { first: source.first, of: Some(of), ..stream })
    }

    /// The content of a target after the pass, by its number.
    pub fn target(&self, number: usize) -> Option<SceneStream<'a>> {
        let target = self.pass.targets.get(number)?;
        let stream = SceneStream::of(self.recording, target.stream, &target.values);
        Some(SceneStream { of: u32::try_from(number).ok(), ..stream })
    }

    /// The caller's stream.
    pub fn input(&self) -> Option<SceneStream<'a>> {
        let content = self.recording.inputs.first()?;
        Some(SceneStream::of(self.recording, content.stream, &content.values))
    }

    pub fn define(&self, name: &str) -> Option<i64> {
        self.pass.defines.iter().find(|(given, _)| given == name).map(|&(_, value)| value)
    }

    /// A define that is a count; `None` above 65,536, which no shader of this crate exceeds.
    pub fn number_of(&self, name: &str) -> Option<u64> {
        u64::try_from(self.define(name)?).ok().filter(|number| *number <= 1 << 16)
    }

    /// A define that is a count and not 0.
    pub fn positive(&self, name: &str) -> Option<u64> {
        self.number_of(name).filter(|number| *number > 0)
    }

    pub fn is(&self, name: &str) -> bool {
        self.define(name).is_some_and(|value| value != 0)
    }

    pub fn int(&self, name: &str) -> Option<u64> {
        match self.uniform(name)? {
            Uniform::Int(value) => u64::try_from(value).ok(),
            _ => None,
        }
    }

    /// A distance given as columns and rows, in items of a layout with one item per texel.
    pub fn distance(&self, name: &str, layout: &Layout) -> Option<u64> {
        match self.uniform(name)? {
            Uniform::Int2([columns, rows]) => {
                Some(u64::try_from(columns).ok()? + u64::try_from(rows).ok()? * u64::from(layout.width))
            }
            _ => None,
        }
    }

    pub fn uniform(&self, name: &str) -> Option<Uniform> {
        self.pass.uniforms.iter().find(|(given, _)| given == name).map(|&(_, value)| value)
    }

    pub fn operator(&self) -> &'a Operator {
        &self.pass.operator
    }

    /// The path of the pass's main shader.
    pub fn shader(&self) -> &'a str {
        self.pass.main_shader().map_or("", |shader| &shader.path)
    }

    /// The invocations in a work group, and the number of work groups.
    pub fn dispatch(&self) -> Option<(u64, u64)> {
        match self.pass.work {
            Work::Dispatch { groups, invocations, .. } => Some((invocations.into(), groups)),
            _ => None,
        }
    }

    /// The progress of the phase: the number of this pass among its consecutive passes, from 1, and their count.
    pub fn step(&self) -> (usize, usize) {
        let passes = &self.recording.passes;
        let same = |pass: &&RecordedPass| {
            let shader = pass.main_shader().map(|shader| &shader.path);
            pass.phase == self.pass.phase && shader == self.pass.main_shader().map(|shader| &shader.path)
        };
        let before = passes[..self.number].iter().rev().take_while(same).count();
        let behind = passes[self.number..].iter().take_while(same).count();
        (before + 1, before + behind)
    }

    /// "step 3 of 4: ", or "step: " if there is only one.
    pub fn stepped(&self, word: &str) -> String {
        match self.step() {
            (_, 1) => format!("{word}: "),
            (step, of) => format!("{word} {step} of {of}: "),
        }
    }

    pub fn scan(&self) -> Option<&'a ScanSpec> {
        self.recording.request.get()
    }

    pub fn compact(&self) -> Option<&'a CompactSpec> {
        self.recording.request.get()
    }

    /// The noun for what a pass combines: only scans and reductions combine values, all others counts.
    pub fn noun(&self) -> &'static str {
        let combines = [SCAN, REDUCE].contains(&self.recording.request.problem());
        if combines { "value" } else { "count" }
    }

    /// The elements of the caller's stream that a compaction keeps.
    pub fn kept(&self) -> Option<Vec<bool>> {
        kept(self.recording)
    }

    /// The condition in words.
    pub fn wanted(&self) -> String {
        match self.compact().map(|spec| spec.keep) {
            Some(Keep::Condition(condition)) => condition.to_string(),
            _ => "the mask".into(),
        }
    }
}

/// The elements of the caller's stream that a compaction keeps, as flags; `None` for every other problem.
pub fn kept(recording: &Recording) -> Option<Vec<bool>> {
    compact::keeps(&recording.request, recording.inputs.iter().map(|content| &content.values))
}

/// `x` for the caller's stream and the two that alternate with it; for others, the name in the plan.
pub fn short(name: &str) -> &str {
    match name {
        "input" | "ping" | "pong" => "x",
        other => other,
    }
}

impl<'a> SceneStream<'a> {
    /// A stream with this content, from its first item on.
    pub fn of(recording: &'a Recording, number: usize, values: &'a Numbers) -> SceneStream<'a> {
        let (name, layout) = (recording.name(number), recording.layout(number));
        SceneStream { number, name, layout, values, first: 0, of: None }
    }

    /// An item by its number in the stream.
    pub fn item(&self, index: u64) -> Option<Item> {
        Item::at(self.values, self.layout.arity, self.first.checked_add(index)?)
    }

    /// `count` items from `first` on, `stride` apart.
    pub fn items(&self, first: u64, stride: u64, count: u64) -> Option<Vec<Item>> {
        (0..count).map(|number| self.item(first.checked_add(number.checked_mul(stride)?)?)).collect()
    }

    /// An item that is a count or an index.
    pub fn count(&self, index: u64) -> Option<u64> {
        self.item(index)?.index(0)
    }

    /// An item as the example of a text; `None` unless the stream is a target.
    pub fn example(&self, index: u64) -> Option<Example> {
        let item = self.first.checked_add(index)?;
        let texel = item / u64::from(self.layout.items_per_texel.max(1));
        Some(Example { place: Place { of: self.of?, index: u32::try_from(texel).ok()? }, item })
    }

    /// Items from the shader's first to the end.
    pub fn len(&self) -> u64 {
        self.layout.len.saturating_sub(self.first)
    }

    pub fn short(&self) -> &str {
        short(self.name)
    }
}
