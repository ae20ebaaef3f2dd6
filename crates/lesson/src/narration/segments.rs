//! Roger's compaction: each block is compacted separately into a segment, and the segments are drawn.

use super::{Narration, about, told};
use rasterscan::tools::printable::counted;
use rasterscan::trace::Work;

use super::super::scene::Scene;
use super::super::work::segment_vertices;
use super::flags::{arrives, bits as hexadecimal, moved, share};

/// The number of unwanted elements in each block, from the running counts.
pub fn ends(scene: &Scene) -> Option<Narration> {
    let (sums, target) = (scene.source("u_sums")?, scene.target(0)?);
    let block = scene.positive("BLOCK")?;
    let last = block.min(sums.len()).checked_sub(1)?;
    let text = format!(
        "the last running count of each block is its number of unwanted elements: {}, one for each block. \
         Block 0 ends at index {last} with {} unwanted.",
        counted(target.len(), "count"),
        target.count(0)?
    );
    about(&target, 0, text)
}

/// Flags as bits.
pub fn bits(scene: &Scene) -> Option<Narration> {
    let (kept, target) = (scene.kept()?, scene.target(0)?);
    let words = scene.positive("WORDS")?;
    let (wanted, of) = share(&kept, 0, 32 * words as usize)?;
    let text = format!(
        "each element gets a bit, 1 if it is kept; a texel holds {} of them. The first texel is {} and keeps {wanted} \
         of {of}.",
        32 * words,
        hexadecimal(&target, 0)?
    );
    about(&target, 0, text)
}

/// The search in the bits of a block.
pub fn search_bits(scene: &Scene) -> Option<Narration> {
    if scene.is("DRAWN") {
        return told(format!(
            "{}each texel of a segment that is drawn finds its element by counting bits of its block: no pass has stored \
             compacted blocks.{}",
            if scene.is("PART") { "beyond the right edge, too, " } else { "" },
            vertices(scene).unwrap_or_default()
        ));
    }
    let kept = scene.kept()?;
    let block = scene.positive("BLOCK")?;
    let Some(found) = moved(&kept, block) else {
        let bits = hexadecimal(&scene.source("u_bits")?, 0)?;
        return told(format!(
            "each position of a block searches the bits for its element, {bits}, and none finds one."
        ));
    };
    let (j, i) = (found.from - found.first, found.to - found.first);
    let text = format!(
        "each position of a block finds its element by counting bits: one fetch returns many flags. Position \
         {} is number {i} of its block: bit {j} is the one with {} before it; {}.",
        found.to,
        counted(i, "kept bit"),
        arrives(scene, found.to, found.from)?
    );
    about(&scene.target(0)?, found.to, text)
}

/// The number of unwanted elements in each block, from its bits.
pub fn counts(scene: &Scene) -> Option<Narration> {
    let (kept, target) = (scene.kept()?, scene.target(0)?);
    let block = scene.positive("BLOCK")?;
    let (wanted, of) = share(&kept, 0, block as usize)?;
    let text = format!(
        "counting the bits of each block gives its number of unwanted elements. Block 0 keeps {wanted} of \
         {of}: {of} - {wanted} = {}.",
        target.count(0)?
    );
    about(&target, 0, text)
}

/// A segment: its start and end in the result, and the distance that its elements move.
struct Segment {
    block: u64,
    start: u64,
    end: u64,
    way: u64,
}

/// All segments, from the vertices captured before or by the pass itself, or from the scanned counts.
fn all_segments(scene: &Scene, size: u64) -> Option<Vec<Segment>> {
    let own = || matches!(scene.pass.work, Work::Capture { .. }).then(|| scene.target(0)).flatten();
    if let Some(captured) = scene.source("attribute").or_else(own) {
        let vertices = scene.positive("VERTICES")?;
        let segment = |block: u64| {
            let item = captured.item(block * vertices)?;
            Some(Segment { block, start: item.index(0)?, end: item.index(1)?, way: item.index(2)? })
        };
        return (0..captured.len() / vertices).map(segment).collect();
    }
    let sums = scene.source("u_sums")?;
    let len = scene.int("u_len")?;
    let segment = |block: u64| {
        let way = if block > 0 { sums.count(block - 1)? } else { 0 };
        let start = block.checked_mul(size)?.checked_sub(way)?;
        let end = ((block + 1) * size).min(len).checked_sub(sums.count(block)?)?;
        Some(Segment { block, start, end, way })
    };
    (0..sums.len()).map(segment).collect()
}

/// The ends of all segments, captured.
pub fn segments(scene: &Scene) -> Option<Narration> {
    let size = scene.positive("BLOCK")?;
    let all = all_segments(scene, size)?;
    let shown = all.iter().find(|segment| segment.way > 0).or(all.first())?;
    let first = shown.block * size;
    let vertices = scene.positive("VERTICES").unwrap_or(1);
    let text = format!(
        "the kept elements of a block become a segment of the result ({} in all); a vertex shader computes its ends. Block {} begins at \
         {first} with {} unwanted before it, so {first} - {} = {} is its start, and its end is {}.",
        all.len(),
        shown.block,
        shown.way,
        shown.way,
        shown.start,
        shown.end
    );
    about(&scene.target(0)?, shown.block * vertices, text)
}

/// The vertices of a pass that draws segments, and those that points would take.
fn vertices(scene: &Scene) -> Option<String> {
    let [all, each] = segment_vertices(scene.pass)?;
    let elements = scene.kept()?.len();
    Some(format!(
        " That takes {all} vertices, {each} for each block; as points the {elements} elements would take one each, kept or not."
    ))
}

/// Segments drawn into the result: whole, up to the right edge, or past it.
pub fn concatenate(scene: &Scene) -> Option<Narration> {
    let target = scene.target(0)?;
    let width = u64::from(target.layout.width).max(1);
    let size = scene.positive("BLOCK").or_else(|| block_before(scene))?;
    let all = all_segments(scene, size)?;
    let shape = if scene.is("LINES") { "line" } else { "rectangle" };
    let crosses = |segment: &&Segment| segment.end > (segment.start / width + 1) * width;
    let crossing = all.iter().filter(crosses).count() as u64;
    let arrives = |place: u64, way: u64| {
        let value = target.item(place)?;
        Some(format!("position {place} takes the value {} to its right: {value}", counted(way, "position")))
    };
    if scene.define("PART") == Some(1) {
        let Some(wrapped) = all.iter().find(crosses) else {
            let last = all.last()?;
            let ends = match last.end.checked_sub(1) {
                Some(place) if last.end > last.start => {
                    format!("the last one ends at position {place}, with {}", target.item(place)?)
                }
                _ => format!("the last one is empty, with {} unwanted before it", last.way),
            };
            return told(format!(
                "all segments are drawn again to cover what crosses the right edge of {width} columns. None \
                 does: {ends}."
            ));
        };
        let place = (wrapped.start / width + 1) * width;
        let text = format!(
            "all segments are drawn again to cover what crosses the right edge of {width} columns: {}. Block \
             {} continues in the next row; {}.",
            counted(crossing, "segment"),
            wrapped.block,
            arrives(place, wrapped.way)?
        );
        return about(&target, place, text);
    }
    let split = match scene.define("PART") {
        Some(_) => format!("up to the right edge of {width} columns"),
        None => format!(
            "and a geometry shader splits the {crossing} that cross the right edge of {width} columns"
        ),
    };
    let not_empty = || all.iter().filter(|segment| segment.end > segment.start);
    let Some(shown) = not_empty().find(|segment| segment.way > 0).or(not_empty().next()) else {
        let first = all.first()?;
        return told(format!(
            "each block is drawn as a {shape}, {split}. Nothing is kept, so all are empty: the first goes from {} to {}.",
            first.start, first.end
        ));
    };
    let text = format!(
        "each block is drawn as a {shape} one texel high, {split}. Block {} has {} from position {} on; {}.{}",
        shown.block,
        counted(shown.end - shown.start, "element"),
        shown.start,
        arrives(shown.start, shown.way)?,
        vertices(scene).unwrap_or_default()
    );
    about(&target, shown.start, text)
}

/// The size of the blocks according to an earlier pass, for a pass that does not state it.
fn block_before(scene: &Scene) -> Option<u64> {
    let earlier = (0..scene.number).rev().filter_map(|number| Scene::new(scene.recording, number));
    earlier
        .into_iter()
        .find_map(|earlier| (earlier.pass.phase == "segments").then(|| earlier.positive("BLOCK")).flatten())
}
