//! What there is to say before the first pass, and after the last one.

use rasterscan::for_element;
use rasterscan::plan::Storage;
use rasterscan::reference;
use rasterscan::spec::{CompactSpec, Request, ScanKind, ScanSpec};
use rasterscan::trace::{Recording, Values};

use super::super::scene::{Scene, Stream, kept};
use super::super::words::{listed, several};

/// Items of a list before the dots.
const SHOWN: usize = 8;

/// The input, and what is asked for.
pub fn introduction(recording: &Recording) -> String {
    let Some(content) = recording.inputs.first() else { return "There is no input.".into() };
    let layout = recording.layout(content.stream);
    let input = Stream { number: content.stream, name: "x", layout, values: &content.values, first: 0 };
    let lies = match layout.storage {
        Storage::Texture => format!("a texture of {} x {} texels", layout.width, layout.height),
        Storage::Buffer => "a buffer".into(),
    };
    let items = listed((0..layout.len).map_while(|index| input.item(index)), SHOWN);
    let items = if layout.len == 0 { "nothing".into() } else { items };
    format!("The input x is {items}: {} in {lies}. {}", several(layout.len, "item"), task(recording))
}

fn task(recording: &Recording) -> String {
    match &recording.request {
        Request::Scan(spec) => scan_task(spec),
        Request::Compact(_) => {
            let kept = kept(recording).unwrap_or_default();
            let count = kept.iter().filter(|&&kept| kept).count();
            let wanted =
                Scene::new(recording, 0).map_or_else(String::new, |scene| match scene.wanted().as_str() {
                    "the mask" => " by the mask".into(),
                    condition => format!(" ({condition})"),
                });
            format!(
                "Wanted{wanted}: {count} of {}; they are to stand side by side at the front, in their order.",
                several(kept.len() as u64, "element")
            )
        }
    }
}

fn scan_task(spec: &ScanSpec) -> String {
    let reach = match spec.kind {
        ScanKind::Inclusive => "all items up to its place",
        ScanKind::Exclusive => "all items before its place",
    };
    let mut text = format!("Each result shall combine {reach} by {}", spec.operator);
    if spec.tuple > 1 {
        text.push_str(&format!(", each of the {} members of a tuple for itself", spec.tuple));
    }
    if spec.order > 1 {
        text.push_str(&format!(", and that {} times over", spec.order));
    }
    text + "."
}

/// The result, against what one item after the other takes.
pub fn conclusion(recording: &Recording) -> String {
    let text = match &recording.request {
        Request::Scan(spec) => scanned(recording, spec),
        Request::Compact(spec) => compacted(recording, spec),
    };
    text.unwrap_or_else(|| "Done.".into())
}

/// How often a loop uses the operator: for each item but those of the first tuple, and that for each order.
///
/// ```
/// use rasterscan::ScanSpec;
/// use rasterscan_lesson::adds_of_a_loop;
///
/// assert_eq!(adds_of_a_loop(&ScanSpec::new::<u32>(16)), 15);
/// assert_eq!(adds_of_a_loop(&ScanSpec::new::<u32>(16).tuple(4).order(2)), 24);
/// assert_eq!(adds_of_a_loop(&ScanSpec::new::<u32>(0)), 0);
/// ```
pub fn adds_of_a_loop(spec: &ScanSpec) -> u64 {
    u64::from(spec.order) * spec.len.saturating_sub(u64::from(spec.tuple))
}

/// What a stream holds at the end.
fn at_the_end<'a>(recording: &'a Recording, stream: usize) -> Option<Stream<'a>> {
    let values = recording.before(recording.passes.len(), stream)?;
    Some(Stream {
        number: stream,
        name: recording.name(stream),
        layout: recording.layout(stream),
        values,
        first: 0,
    })
}

fn scanned(recording: &Recording, spec: &ScanSpec) -> Option<String> {
    let passes = several(recording.passes.len() as u64, "pass");
    let Some(last) = spec.len.checked_sub(1) else {
        return Some(format!("Done after {passes}: nothing in, nothing out."));
    };
    let result = at_the_end(recording, *recording.outputs.first()?)?;
    let input = &recording.inputs.first()?.values;
    let cost = recording.cost_before(recording.passes.len());
    let one_by_one = adds_of_a_loop(spec);
    let depth = cost.depth / u64::from(spec.order.max(1));
    let verified = for_element!(input.element, T => {
        let (input, got): (Vec<T>, Vec<T>) = (input.get().ok()?, result.values.get().ok()?);
        spec.check().is_ok() && input.len() as u64 == spec.elements() && reference::verify(spec, depth, &input, &got).is_ok()
    });
    let agrees = if verified { "as a loop gives it" } else { "which is not what a loop gives" };
    Some(format!(
        "Done after {passes}: the last result is {}, {agrees}. The operator was used {} where a loop needs {one_by_one}.",
        result.item(last)?,
        times(cost.adds)
    ))
}

fn compacted(recording: &Recording, spec: &CompactSpec) -> Option<String> {
    let passes = several(recording.passes.len() as u64, "pass");
    let output = |name: &str| {
        let outputs = recording.outputs.iter().copied();
        let number = outputs.clone().find(|&number| recording.name(number) == name)?;
        at_the_end(recording, number)
    };
    let count = output("count")?.count(0)?;
    let (values, indices) = (output("values"), output("indices"));
    let agrees = if agrees(recording, spec, count, values, indices)? {
        "as a loop would keep them"
    } else {
        "which is not what a loop keeps"
    };
    let moved = match values.or(indices) {
        Some(moved) if count > 0 => {
            let shown = listed((0..count).map_while(|index| moved.item(index)), SHOWN);
            format!(": {shown}")
        }
        _ => String::new(),
    };
    let cost = recording.cost_before(recording.passes.len());
    Some(format!(
        "Done after {passes}: {count} of {} kept, {agrees}{moved}. {} moved; a loop reads {} and writes {count}.",
        several(spec.len, "element"),
        several(cost.words_read + cost.words_written, "word"),
        spec.len
    ))
}

/// Whether the results are those of the sequential compaction.
fn agrees(
    recording: &Recording,
    spec: &CompactSpec,
    count: u64,
    values: Option<Stream>,
    indices: Option<Stream>,
) -> Option<bool> {
    let input = &recording.inputs.first()?.values;
    let mask: &[u32] = recording.inputs.get(1).map_or(&[], |content| &content.values.words);
    let masked = spec.keep == rasterscan::spec::Keep::Mask;
    let kept = usize::try_from(count).ok()?;
    for_element!(input.element, T => {
        let input: Vec<T> = input.get().ok()?;
        if input.len() as u64 != spec.len || (masked && mask.len() != input.len()) {
            return Some(false);
        }
        let front = |values: &Values| Some(values.get::<T>().ok()?.get(..kept)?.to_vec());
        let values = match values {
            Some(stream) => Some(front(stream.values)?),
            None => None,
        };
        let indices = match indices {
            Some(stream) => Some(stream.values.words.get(..kept)?.to_vec()),
            None => None,
        };
        let expected = reference::compact(spec, &input, mask).ok()?;
        Some(expected.verify(count, values.as_deref(), indices.as_deref()).is_ok())
    })
}

fn times(count: u64) -> String {
    if count == 1 { "once".into() } else { format!("{count} times") }
}
