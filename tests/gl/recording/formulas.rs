//! The reads of each shader by the papers' formulas, checked against its recording.

use rasterscan::plan::{Layout, Uniform};
use rasterscan::trace::{Reader, RecordedPass, Recording, Work};

mod compactions;
mod dispatches;
mod scans;
mod vertices;

/// A pass, and the terms of its formulas.
struct Seen<'a> {
    recording: &'a Recording,
    pass: &'a RecordedPass,
    number: usize,
}

/// Source and index.
type Expected = Vec<(u64, u64)>;

pub fn check(recording: &Recording) {
    for (number, pass) in recording.passes.iter().enumerate() {
        let seen = Seen { recording, pass, number };
        match &pass.work {
            Work::Draw { .. } | Work::Capture { .. } => seen.draw(),
            Work::Dispatch { .. } => seen.dispatch(),
        }
    }
}

impl Seen<'_> {
    fn define(&self, name: &str) -> u64 {
        let found = self.pass.defines.iter().find(|(define, _)| define == name);
        found.map_or(0, |(_, value)| *value as u64)
    }

    fn has(&self, name: &str) -> bool {
        self.pass.defines.iter().any(|(define, _)| define == name)
    }

    fn uniform(&self, name: &str) -> u64 {
        match self.pass.uniforms.iter().find(|(uniform, _)| uniform == name) {
            Some((_, Uniform::Int(value))) => *value as u64,
            other => panic!("{name}: {other:?}"),
        }
    }

    /// A distance in columns and rows, as a number of texels.
    fn distance(&self, name: &str) -> u64 {
        match self.pass.uniforms.iter().find(|(uniform, _)| uniform == name) {
            Some((_, Uniform::Int2([x, y]))) => *x as u64 + *y as u64 * self.width(0),
            None => 0,
            other => panic!("{name}: {other:?}"),
        }
    }

    fn source(&self, number: u64) -> &Layout {
        self.recording.layout(self.pass.sources[number as usize].stream)
    }

    fn width(&self, source: u64) -> u64 {
        self.source(source).width.into()
    }

    /// The number of a source, by its name.
    fn named(&self, name: &str) -> u64 {
        let found = self.pass.sources.iter().position(|source| source.name == name);
        found.unwrap_or_else(|| panic!("no {name} in {}", self.path())) as u64
    }

    fn value(&self, source: u64, index: u64) -> u64 {
        let stream = self.pass.sources[source as usize].stream;
        let values = self.recording.before(self.number, stream).expect("written before");
        values.words()[index as usize].into()
    }

    fn target(&self) -> &Layout {
        self.recording.layout(self.pass.targets[0].stream)
    }

    fn path(&self) -> &str {
        &self.pass.main_shader().unwrap().path
    }

    fn context(&self) -> String {
        format!(
            "{} ({}), pass {}: {}",
            self.recording.algorithm,
            self.recording.request,
            self.number + 1,
            self.path()
        )
    }

    fn reads(&self, by: Reader, reader: u64) -> Option<Vec<(u64, u64)>> {
        let reads = self.pass.reads.iter().find(|reads| reads.by == by)?;
        let places = reads.of(reader as usize)?;
        Some(places.iter().map(|place| (place.of.into(), place.index.into())).collect())
    }

    fn compare(&self, by: Reader, reader: u64, mut expected: Expected) {
        let mut got = self.reads(by, reader).unwrap_or_default();
        got.sort_unstable();
        expected.sort_unstable();
        assert_eq!(got, expected, "{}, {by:?} {reader}", self.context());
    }

    fn draw(&self) {
        if let Some(vertices) = self.vertices() {
            for (vertex, expected) in (0..).zip(vertices) {
                self.compare(Reader::Vertex, vertex, expected);
            }
        }
        if matches!(self.pass.work, Work::Capture { .. }) {
            return;
        }
        // Nothing is required of texels past the stream's end.
        for texel in 0..self.target().texels() {
            let Some(expected) = self.fragment(texel) else {
                let written = self.pass.written[0].as_ref().expect("recorded");
                assert!(!written[texel as usize], "{}: texel {texel} is written", self.context());
                continue;
            };
            self.compare(Reader::Texel, texel, expected);
        }
    }
}

/// Checks that each changed texel was recorded as written. Returns the number of changed texels.
pub fn check_written(recording: &Recording) -> usize {
    let mut changed = 0;
    for (number, pass) in recording.passes.iter().enumerate() {
        for (target, written) in pass.targets.iter().zip(&pass.written) {
            let Some(written) = written else { continue };
            let layout = recording.layout(target.stream);
            let words = layout.words_per_texel() as usize;
            let before = recording.before(number, target.stream);
            for (texel, after) in target.values.words().chunks(words).enumerate() {
                let place = texel * words..texel * words + after.len();
                // A texel that was never written is undefined.
                let Some(before) = before.map(|before| &before.words()[place]) else { continue };
                let seen = Seen { recording, pass, number };
                let name = recording.name(target.stream);
                assert!(before == after || written[texel], "{}: {name}, texel {texel}", seen.context());
                changed += usize::from(before != after);
            }
        }
    }
    changed
}
