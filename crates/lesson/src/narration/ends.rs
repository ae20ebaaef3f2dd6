//! The text before the first pass, and after the last one.

use rasterscan::plan::Storage;
use rasterscan::tools::Task;
use rasterscan::tools::printable::counted;
use rasterscan::trace::Recording;
use rasterscan::{Batch, CompactSpec, HistogramSpec, ScanKind, ScanSpec, Segments, SortSpec};

use super::super::Item;
use super::super::scene::{Scene, SceneStream, kept};
use super::super::words::{grouped, listed};
use super::super::work::{self, Moved};

/// The most items of a list; dots replace the others.
const SHOWN: usize = 8;

/// The input and the task.
pub fn introduction(recording: &Recording) -> String {
    let Some(content) = recording.inputs.first() else { return "There is no input.".into() };
    let layout = recording.layout(content.stream);
    let lies = match layout.storage {
        Storage::Texture => format!("a texture of {} x {} texels", layout.width, layout.height),
        Storage::Buffer => "a buffer".into(),
    };
    let items =
        listed((0..layout.len).map_while(|index| Item::at(&content.values, layout.arity, index)), SHOWN);
    let items = if layout.len == 0 { "nothing".into() } else { items };
    format!("The input x is {items}: {} in {lies}. {}", counted(layout.len, "item"), task(recording))
}

fn task(recording: &Recording) -> String {
    let request = &recording.request;
    match request.get::<ScanSpec>() {
        Some(spec) => scan_task(spec),
        None if request.get::<SortSpec>().is_some() => {
            format!("The task: {request}. Equal keys stay in their order.")
        }
        None if request.get::<CompactSpec>().is_none() => format!("The task: {request}."),
        None => {
            let kept = kept(recording).unwrap_or_default();
            let count = kept.iter().filter(|&&kept| kept).count();
            let wanted =
                Scene::new(recording, 0).map_or_else(String::new, |scene| match scene.wanted().as_str() {
                    "the mask" => ", selected by the mask".into(),
                    condition => format!(" ({condition})"),
                });
            format!(
                "The compaction keeps {count} of {}{wanted}. What is kept moves to the front, in its original order.",
                counted(kept.len() as u64, "element")
            )
        }
    }
}

fn scan_task(spec: &ScanSpec) -> String {
    let reach = match spec.kind {
        ScanKind::Inclusive => "all items up to item i",
        ScanKind::Exclusive => "all items before item i",
    };
    let mut text = format!("Result i combines {reach} with {}", spec.operator);
    if spec.tuple > 1 {
        text.push_str(&format!(", separately for each of the {} members of a tuple", spec.tuple));
    }
    if spec.order > 1 {
        text.push_str(&format!(", and the scan is done {} times in a row", spec.order));
    }
    match (spec.batch, spec.segments) {
        (Batch::Rows(width), _) => text.push_str(&format!(", in each row of {width} on its own")),
        (Batch::Columns(width), _) => {
            text.push_str(&format!(", in each column of rows of {width} on its own"))
        }
        (_, Segments::None) => {}
        (_, _) => text.push_str(", in each segment on its own"),
    }
    if spec.reversed {
        text.push_str(", from the last item to the first");
    }
    if spec.has_seed {
        text.push_str(", beginning with a given value");
    }
    text + "."
}

/// The result, compared with a sequential loop.
pub fn conclusion(recording: &Recording) -> String {
    let request = &recording.request;
    let scanned = request.get::<ScanSpec>().map(|spec| scanned(recording, spec));
    let compacted = || request.get::<CompactSpec>().map(|spec| compacted(recording, spec));
    let sorted = || request.get::<SortSpec>().map(|spec| sorted(recording, spec));
    scanned
        .or_else(compacted)
        .or_else(sorted)
        .or_else(|| request.get().map(|_: &HistogramSpec| binned(recording)))
        .unwrap_or_else(|| reduced(recording))
        .unwrap_or_else(|| "Done.".into())
}

/// The content of a stream at the end.
fn at_the_end<'a>(recording: &'a Recording, stream: usize) -> Option<SceneStream<'a>> {
    Some(SceneStream::of(recording, stream, recording.before(recording.passes.len(), stream)?))
}

fn scanned(recording: &Recording, spec: &ScanSpec) -> Option<String> {
    let Some(last) = spec.len.checked_sub(1) else {
        let passes = counted(recording.passes.len() as u64, "pass");
        return Some(format!("Done after {passes}: nothing in, nothing out."));
    };
    let result = at_the_end(recording, *recording.outputs.first()?)?;
    let result = format!("the last result is {}", result.item(last)?);
    Some(combined(recording, spec.order.max(1).into(), &result))
}

/// The conclusion of a run with few results.
fn reduced(recording: &Recording) -> Option<String> {
    let result = at_the_end(recording, *recording.outputs.first()?)?;
    let count = recording.results().count().unwrap_or(result.layout.len);
    let results = listed((0..count).map_while(|index| result.item(index)), SHOWN);
    let results = if count == 0 { "nothing".into() } else { results };
    Some(combined(recording, 1, &format!("the result is {results}")))
}

/// The conclusion of a run of some orders that combined items to this result.
fn combined(recording: &Recording, orders: u64, result: &str) -> String {
    let passes = recording.passes.len();
    let cost = recording.cost_before(passes);
    let agrees = agrees(recording, Some(cost.depth / orders * orders), "gives");
    let done = format!("Done after {}: {result}, {agrees}.", counted(passes as u64, "pass"));
    // The plan knows the uses of the operator, and not of an edited shader.
    if recording.passes.iter().any(work::is_edited) {
        return done;
    }
    let times = if cost.adds == 1 { "once".into() } else { format!("{} times", grouped(cost.adds)) };
    format!(
        "{done} The operator was applied {times}; a loop needs {}.",
        grouped(recording.request.cost().adds)
    )
}

/// Whether the results are right, as far as that can be checked. `depth` is the depth of the passes.
fn is_right(recording: &Recording, depth: Option<u64>) -> bool {
    let inputs = recording.inputs.iter().map(|content| &content.values);
    let task = Task::new(&recording.request, inputs);
    task.is_ok_and(|task| task.verify(depth, &recording.results()).is_ok())
}

/// The same in words on what a loop does.
fn agrees(recording: &Recording, depth: Option<u64>, does: &str) -> String {
    match is_right(recording, depth) {
        true => "which matches a sequential loop".into(),
        false => format!("which is not what a loop {does}"),
    }
}

/// The conclusion of a sort.
fn sorted(recording: &Recording, spec: &SortSpec) -> Option<String> {
    let passes = counted(recording.passes.len() as u64, "pass");
    if spec.len == 0 {
        return Some(format!("Done after {passes}: nothing in, nothing out."));
    }
    let result = at_the_end(recording, *recording.outputs.first()?)?;
    let what = if spec.moves.values() { "sorted keys" } else { "indices in the order of their keys" };
    let shown = listed((0..spec.len).map_while(|index| result.item(index)), SHOWN);
    let agrees = match is_right(recording, None) {
        true => "which matches a sequential sort",
        false => "which is not what a sequential sort gives",
    };
    Some(format!("Done after {passes}: the {what} are {shown}, {agrees}."))
}

/// The conclusion of a histogram.
fn binned(recording: &Recording) -> Option<String> {
    let counts = at_the_end(recording, *recording.outputs.first()?)?;
    Some(format!(
        "Done after {}: the counts are {}, {}.",
        counted(recording.passes.len() as u64, "pass"),
        listed((0..counts.len()).map_while(|bin| counts.item(bin)), SHOWN),
        agrees(recording, None, "counts")
    ))
}

fn compacted(recording: &Recording, spec: &CompactSpec) -> Option<String> {
    let passes = counted(recording.passes.len() as u64, "pass");
    let output = |name: &str| {
        let outputs = recording.outputs.iter().copied();
        let number = outputs.clone().find(|&number| recording.name(number) == name)?;
        at_the_end(recording, number)
    };
    let count = output("count")?.count(0)?;
    let (values, indices) = (output("values"), output("indices"));
    let agrees = agrees(recording, None, "keeps");
    let moved = match values.or(indices) {
        Some(moved) if count > 0 => {
            let shown = listed((0..count).map_while(|index| moved.item(index)), SHOWN);
            format!(": {shown}")
        }
        _ => String::new(),
    };
    let work: Moved = (0..recording.passes.len()).map(|pass| work::moved(recording, pass)).sum();
    let kept =
        format!("Done after {passes}: {count} of {} kept, {agrees}{moved}.", counted(spec.len, "element"));
    if work.unknown {
        return Some(kept);
    }
    Some(format!(
        "{kept} The passes moved {}{} words; a loop reads {} and writes {}.",
        if work.at_most { "at most " } else { "" },
        grouped(work.words),
        grouped(spec.len),
        grouped(count)
    ))
}
