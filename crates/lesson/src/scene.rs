//! A pass of a recording with all that a sentence about it needs: its streams by the names that its shader has for
//! them, its numbers, and how far the phase has come.

use rasterscan::operator::Operator;
use rasterscan::plan::{Layout, Uniform};
use rasterscan::spec::{CompactSpec, Keep, ScanSpec};
use rasterscan::trace::{RecordedPass, Recording, Work};
use rasterscan::{Numbers, each};

use super::Item;

/// A pass and the run that it belongs to.
#[derive(Clone, Copy)]
pub struct Scene<'a> {
    pub recording: &'a Recording,
    /// Which pass, counted from 0.
    pub number: usize,
    pub pass: &'a RecordedPass,
}

/// What a stream held at some time.
#[derive(Clone, Copy)]
pub struct SceneStream<'a> {
    pub number: usize,
    pub name: &'a str,
    pub layout: &'a Layout,
    pub values: &'a Numbers,
    /// The item that is the shader's first.
    pub first: u64,
}

impl<'a> Scene<'a> {
    /// `None` behind the last pass.
    pub fn new(recording: &'a Recording, number: usize) -> Option<Scene<'a>> {
        Some(Scene { recording, number, pass: recording.passes.get(number)? })
    }

    /// What a source held before the pass, by the shader's name for it.
    pub fn source(&self, name: &str) -> Option<SceneStream<'a>> {
        let source = self.pass.sources.iter().find(|source| source.name == name)?;
        let values = self.recording.before(self.number, source.stream)?;
        Some(self.stream(source.stream, values, source.first))
    }

    /// What a buffer that the pass writes held after it, by the shader's name for it.
    pub fn written(&self, name: &str) -> Option<SceneStream<'a>> {
        let source = self.pass.sources.iter().find(|source| source.name == name)?;
        let target = self.pass.targets.iter().find(|target| target.stream == source.stream)?;
        Some(self.stream(target.stream, &target.values, source.first))
    }

    /// What a target held after the pass, by its number.
    pub fn target(&self, number: usize) -> Option<SceneStream<'a>> {
        let target = self.pass.targets.get(number)?;
        Some(self.stream(target.stream, &target.values, 0))
    }

    /// The caller's stream.
    pub fn input(&self) -> Option<SceneStream<'a>> {
        let content = self.recording.inputs.first()?;
        Some(self.stream(content.stream, &content.values, 0))
    }

    fn stream(&self, number: usize, values: &'a Numbers, first: u64) -> SceneStream<'a> {
        let recording = self.recording;
        SceneStream { number, name: recording.name(number), layout: recording.layout(number), values, first }
    }

    pub fn define(&self, name: &str) -> Option<i64> {
        self.pass.defines.iter().find(|(given, _)| given == name).map(|&(_, value)| value)
    }

    /// A define that counts something: none of the shaders' own is larger.
    pub fn number_of(&self, name: &str) -> Option<u64> {
        u64::try_from(self.define(name)?).ok().filter(|number| *number <= 1 << 16)
    }

    /// The same where 0 makes no sense.
    pub fn positive(&self, name: &str) -> Option<u64> {
        self.number_of(name).filter(|number| *number > 0)
    }

    pub fn is(&self, name: &str) -> bool {
        self.define(name).is_some_and(|value| value != 0)
    }

    pub fn int(&self, name: &str) -> Option<u64> {
        match self.uniform(name)? {
            Uniform::Int(value) => u64::try_from(value).ok(),
            Uniform::Int2(_) => None,
        }
    }

    /// A distance given as columns and rows, in items of a layout of one item a texel.
    pub fn distance(&self, name: &str, layout: &Layout) -> Option<u64> {
        match self.uniform(name)? {
            Uniform::Int2([columns, rows]) => {
                Some(u64::try_from(columns).ok()? + u64::try_from(rows).ok()? * u64::from(layout.width))
            }
            Uniform::Int(_) => None,
        }
    }

    fn uniform(&self, name: &str) -> Option<Uniform> {
        self.pass.uniforms.iter().find(|(given, _)| given == name).map(|&(_, value)| value)
    }

    pub fn operator(&self) -> &'a Operator {
        &self.pass.operator
    }

    /// The path of the shader that the pass is about.
    pub fn shader(&self) -> &'a str {
        self.pass.main_shader().map_or("", |shader| &shader.path)
    }

    /// Invocations in a work group, and work groups.
    pub fn dispatch(&self) -> Option<(u64, u64)> {
        match self.pass.work {
            Work::Dispatch { groups, invocations, .. } => Some((invocations.into(), groups)),
            _ => None,
        }
    }

    /// How far a phase has come: the how many-th of its passes in a row this is, from 1, and how many there are.
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

    /// "Step 3 of 4", and nothing where there is only one.
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

    /// What a pass combines: a compaction scans counts.
    pub fn noun(&self) -> &'static str {
        if self.compact().is_some() { "count" } else { "value" }
    }

    /// Which elements of the caller's stream a compaction keeps.
    pub fn kept(&self) -> Option<Vec<bool>> {
        kept(self.recording)
    }

    /// The condition, as one says it.
    pub fn wanted(&self) -> String {
        match self.compact().map(|spec| spec.keep) {
            Some(Keep::Condition(condition)) => condition.to_string(),
            _ => "the mask".into(),
        }
    }
}

/// Which elements of the caller's stream a compaction keeps; `None` for every other problem.
pub fn kept(recording: &Recording) -> Option<Vec<bool>> {
    let spec: &CompactSpec = recording.request.get()?;
    let content = |number: usize| recording.inputs.get(number).map(|content| &content.values);
    match spec.keep {
        Keep::Mask => Some(content(1)?.words().iter().map(|&word| word != 0).collect()),
        Keep::Condition(condition) => {
            let values = content(0)?;
            if condition.element() != values.element() {
                return None;
            }
            each!(values, values => Some(values.iter().map(|value| condition.holds(*value)).collect()))
        }
    }
}

/// `x` for the caller's stream and for what takes turns with it; else the name in the plan.
pub fn short(name: &str) -> &str {
    match name {
        "input" | "ping" | "pong" => "x",
        other => other,
    }
}

impl SceneStream<'_> {
    /// An item by its number in the stream.
    pub fn item(&self, index: u64) -> Option<Item> {
        Item::at(self.values, self.layout.arity, self.first.checked_add(index)?)
    }

    /// So many items from one on, each `stride` after the other.
    pub fn items(&self, first: u64, stride: u64, count: u64) -> Option<Vec<Item>> {
        (0..count).map(|number| self.item(first.checked_add(number.checked_mul(stride)?)?)).collect()
    }

    /// An item that is a count or an index.
    pub fn count(&self, index: u64) -> Option<u64> {
        self.item(index)?.index(0)
    }

    /// Items from the shader's first to the end.
    pub fn len(&self) -> u64 {
        self.layout.len.saturating_sub(self.first)
    }

    pub fn short(&self) -> &str {
        short(self.name)
    }
}
