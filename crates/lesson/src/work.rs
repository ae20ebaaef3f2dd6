//! The texels and words that passes moved: as the shaders recorded them, else as the algorithm states.
//!
//! A plan states the cost of a compaction for the worst case: everything is kept, and no search ends early. Recorded
//! reads and writes are what happened with these numbers.

use std::iter::Sum;
use std::ops::Add;

use rasterscan::CompactSpec;
use rasterscan::plan::{Layout, Primitives, Storage};
use rasterscan::trace::{Place, Reader, Reads, RecordedPass, Recording, Work};

/// Texels and words that were moved.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Moved {
    /// Texels fetched, each fetch counted.
    pub texels_read: u64,
    /// Texels written.
    pub texels_written: u64,
    /// 32-bit words read or written.
    pub words: u64,
    /// True if a part was not recorded and depends on the numbers: then all are the most that is possible.
    pub at_most: bool,
    /// True if a part was not recorded, of a shader that was edited: then nothing is known of it, and it is left out.
    pub unknown: bool,
}

impl Add for Moved {
    type Output = Moved;

    fn add(self, other: Moved) -> Moved {
        Moved {
            texels_read: self.texels_read + other.texels_read,
            texels_written: self.texels_written + other.texels_written,
            words: self.words + other.words,
            at_most: self.at_most || other.at_most,
            unknown: self.unknown || other.unknown,
        }
    }
}

impl Sum for Moved {
    fn sum<I: Iterator<Item = Moved>>(all: I) -> Moved {
        all.fold(Moved::default(), Moved::add)
    }
}

/// The vertices of a draw of segments, in all and for each segment; `None` for any other pass.
pub fn segment_vertices(pass: &RecordedPass) -> Option<[u64; 2]> {
    let Work::Draw { primitives: Primitives::Lines(all) | Primitives::Triangles(all), .. } = pass.work else {
        return None;
    };
    let (_, each) = pass.defines.iter().find(|(name, _)| name == "VERTICES")?;
    Some([all, u64::try_from(*each).ok().filter(|each| *each > 0)?])
}

/// The texels and words that all passes before each position moved: none before the first, then those of one more pass.
pub fn running_totals(recording: &Recording) -> Vec<Moved> {
    let mut totals = vec![Moved::default()];
    for pass in 0..recording.passes.len() {
        totals.push(totals[pass] + moved(recording, pass));
    }
    totals
}

/// The texels and words that a pass moved, the pass counted from 0.
pub fn moved(recording: &Recording, pass: usize) -> Moved {
    let Some(pass) = recording.passes.get(pass) else { return Moved::default() };
    recorded(recording, pass).unwrap_or_else(|| {
        if is_edited(pass) {
            return Moved { unknown: true, ..Moved::default() };
        }
        let cost = pass.cost;
        Moved {
            texels_read: cost.texels_read,
            texels_written: cost.texels_written,
            words: cost.words_moved(),
            at_most: recording.request.get::<CompactSpec>().is_some() && cost.words_moved() > 0,
            unknown: false,
        }
    })
}

/// Returns true if a shader of a pass was edited: then only what was recorded is true of it, not what the plan states.
pub fn is_edited(pass: &RecordedPass) -> bool {
    pass.shaders.iter().any(|shader| shader.edited)
}

/// The number of all reads that a pass recorded, as the counters count them.
pub fn reads(recording: &Recording, pass: &RecordedPass) -> u64 {
    pass.reads.iter().map(|reads| counted(recording, pass, reads).count() as u64).sum()
}

/// The recorded reads that count. Of padding, the texels behind the last item, plans count that it is written, and no read
/// and no use of the operator for it: neither do the counters.
fn counted<'a>(
    recording: &Recording,
    pass: &RecordedPass,
    reads: &'a Reads,
) -> impl Iterator<Item = &'a Place> {
    let target = pass.targets.first().filter(|_| reads.by == Reader::Texel);
    let texels = target.map_or(u64::MAX, |target| recording.layout(target.stream).texels());
    reads.iter().filter(move |(reader, _)| (*reader as u64) < texels).flat_map(|(_, places)| places)
}

/// The recorded reads and writes of a draw or a capture; `None` if they are not all recorded. Those of a dispatch never
/// are: atomic operations on the state of tiles are not recorded.
fn recorded(recording: &Recording, pass: &RecordedPass) -> Option<Moved> {
    let layout = |stream: usize| recording.streams.get(stream).map(|stream| &stream.layout);
    if matches!(pass.work, Work::Dispatch { .. }) || pass.reads.is_empty() && pass.cost.words_read > 0 {
        return None;
    }
    let mut moved = Moved::default();
    for reads in &pass.reads {
        for place in counted(recording, pass, reads) {
            let layout = whole(layout(pass.sources.get(place.of as usize)?.stream)?)?;
            moved.words += u64::from(layout.words_per_texel());
            // A vertex gets its attributes from a buffer, without a fetch.
            moved.texels_read += u64::from(reads.by != Reader::Vertex || layout.storage == Storage::Texture);
        }
    }
    if let Work::Capture { .. } = pass.work {
        // A geometry shader writes as many vertices as it keeps, which are not recorded.
        let at_most = pass.shaders.iter().any(|shader| shader.path.ends_with(".geom"));
        return Some(Moved { words: moved.words + pass.cost.words_written, at_most, ..moved });
    }
    for (target, written) in pass.targets.iter().zip(&pass.written) {
        let layout = whole(layout(target.stream)?)?;
        let texels = written.as_ref()?.iter().filter(|written| **written).count() as u64;
        moved.texels_written += texels;
        moved.words += texels * u64::from(layout.words_per_texel());
    }
    Some(moved)
}

/// A layout whose texels lie in one piece.
fn whole(layout: &Layout) -> Option<&Layout> {
    (layout.planes() == 1).then_some(layout)
}
