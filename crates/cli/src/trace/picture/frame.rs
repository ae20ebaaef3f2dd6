//! What a picture says of a pass: its streams, what it changed, its reads as arrows, its costs in words.

use rasterscan::Numbers;
use rasterscan::plan::{Cost, Layout, Storage, Uniform};
use rasterscan::trace::{Place, RecordedPass, Recording};

use super::panel::{Panel, State};
use rasterscan_lab::number::{grouped, milliseconds};

/// Streams up to which reads are drawn as arrows, and as how many at most: more cannot be told apart.
const MOST_ITEMS: u64 = 64;
const MOST_ARROWS: usize = 128;

/// From a texel of a source to a texel of a target.
pub struct Arrow {
    pub from: Place,
    pub to: Place,
    /// Whether it is the same place in a stream of the same shape.
    pub own: bool,
}

/// A picture before it has a size.
pub struct Frame<'a> {
    pub title: String,
    pub subtitle: String,
    /// What stands above either column.
    pub heads: (&'static str, &'static str),
    pub sources: Vec<Panel<'a>>,
    pub targets: Vec<Panel<'a>>,
    pub arrows: Vec<Arrow>,
    pub footer: Vec<String>,
}

impl<'a> Frame<'a> {
    /// Of the pass before which so many others are and itself; 0 for what the run begins with.
    pub fn new(recording: &'a Recording, number: usize) -> Frame<'a> {
        match number.checked_sub(1).and_then(|pass| Some((pass, recording.passes.get(pass)?))) {
            None => Frame::of_inputs(recording),
            Some((number, pass)) => Frame::of_pass(recording, number, pass),
        }
    }

    fn of_inputs(recording: &'a Recording) -> Frame<'a> {
        let panel = |content: &'a rasterscan::trace::Content| {
            let layout = *recording.layout(content.stream);
            panel(recording.name(content.stream).into(), layout, &content.values)
        };
        let passes = recording.passes.len();
        let follow = match passes {
            0 => "no pass is needed".into(),
            1 => "one pass follows".into(),
            _ => format!("{passes} passes follow"),
        };
        let footer = vec![
            format!("{follow}: {} in all", counts(recording.cost_before(passes))),
            format!("run on {}", recording.device),
        ];
        Frame {
            title: format!("{} · input", recording.algorithm),
            subtitle: recording.request.to_string(),
            heads: ("input", ""),
            sources: recording.inputs.iter().map(panel).collect(),
            targets: Vec::new(),
            arrows: Vec::new(),
            footer,
        }
    }

    fn of_pass(recording: &'a Recording, number: usize, pass: &'a RecordedPass) -> Frame<'a> {
        let (arrows, total) = arrows(recording, pass);
        let targets = pass.targets.iter().enumerate().map(|(of, target)| {
            let states = states(recording, number, pass, target.stream, &target.values);
            let layout = *recording.layout(target.stream);
            let mut panel = panel(recording.name(target.stream).into(), layout, &target.values);
            let changed = states.iter().filter(|state| **state == State::Changed).count();
            let left = states.iter().filter(|state| **state == State::Left).count();
            if left > 0 {
                panel.shape += &format!(", {} written", grouped((states.len() - left) as u64));
            }
            panel.shape += &format!(", {} changed", grouped(changed as u64));
            // They are drawn over the first target.
            let lines = if of == 0 { lines(pass) } else { Vec::new() };
            Panel { states, lines, end: end(recording, target.stream), ..panel }
        });
        let mut footer = vec![format!("this pass: {}{}", counts(pass.cost), took(recording, pass))];
        if recording.passes.len() > 1 {
            let so_far = recording.cost_before(number + 1);
            footer.push(format!("passes 1 to {}: {}", number + 1, counts(so_far)));
        }
        let targets: Vec<Panel> = targets.collect();
        let has = |state| targets.iter().any(|target| target.states.contains(&state));
        let mut legend = Vec::new();
        if has(State::Changed) {
            legend.push("outlined: changed by this pass".to_owned());
        }
        if has(State::Left) {
            legend.push("hatched: not written".into());
        }
        if targets.iter().any(|target| !target.lines.is_empty()) {
            legend.push("lines: as they were drawn".into());
        }
        if targets.iter().any(|target| target.end.is_some_and(|end| end < target.values.len() as u64)) {
            legend.push("pale: behind the last one kept".into());
        }
        match (total, arrows.len()) {
            (0, _) => {}
            (_, 1..) => legend.push("arrows: from what was read, grey for its own place".into()),
            (total, 0) => legend.push(format!("{} reads, for too many arrows", grouped(total))),
        }
        footer.push(legend.join("; "));
        Frame {
            title: format!(
                "{} · pass {} of {} · {}",
                recording.algorithm,
                number + 1,
                recording.passes.len(),
                pass.phase
            ),
            subtitle: subtitle(recording, pass),
            heads: ("read", "written"),
            sources: sources(recording, number, pass),
            targets,
            arrows,
            footer,
        }
    }
}

fn panel(name: String, layout: Layout, values: &Numbers) -> Panel<'_> {
    let elements = grouped(values.len() as u64);
    let shape = match layout.storage {
        Storage::Texture => {
            format!(
                "{} × {} texels of {}, {elements} {}",
                layout.width,
                layout.height,
                layout.format(),
                layout.element
            )
        }
        Storage::Buffer => format!("buffer of {elements} {}", layout.element),
    };
    Panel {
        sources: Vec::new(),
        name,
        shape,
        values,
        layout,
        states: Vec::new(),
        end: None,
        lines: Vec::new(),
    }
}

/// What a pass could read, each stream once, as it was before it. A buffer that it only writes is none.
fn sources<'a>(recording: &'a Recording, number: usize, pass: &'a RecordedPass) -> Vec<Panel<'a>> {
    let panel = |stream: usize| {
        let values = recording.before(number, stream)?;
        let of = || (0..).zip(&pass.sources).filter(|(_, source)| source.stream == stream);
        let (_, source) = of().next()?;
        let name = recording.name(stream);
        let name = if source.name == "attribute" || source.name.eq_ignore_ascii_case(name) {
            name.to_owned()
        } else {
            format!("{}: {name}", source.name)
        };
        let sources = of().map(|(of, _)| of).collect();
        Some(Panel { sources, ..panel(name, *recording.layout(stream), values) })
    };
    pass.streams_read().into_iter().filter_map(panel).collect()
}

/// The lines that a pass drew.
fn lines(pass: &RecordedPass) -> Vec<[[f32; 2]; 2]> {
    let lines = pass.drawn.iter().filter_map(|primitive| <[[f32; 2]; 2]>::try_from(&primitive[..]).ok());
    // Vertices may be anywhere, or nowhere.
    lines.filter(|line| line.iter().flatten().all(|number| number.is_finite())).collect()
}

/// Of a compaction's results, how many elements are of account.
fn end(recording: &Recording, stream: usize) -> Option<u64> {
    let (count, results) = recording.outputs.split_last()?;
    recording.kept().filter(|_| stream != *count && results.contains(&stream))
}

/// What became of each element of a target.
fn states(
    recording: &Recording,
    number: usize,
    pass: &RecordedPass,
    stream: usize,
    after: &Numbers,
) -> Vec<State> {
    let layout = recording.layout(stream);
    let before = recording.stood_before(number, stream);
    let written = pass.targets.iter().zip(&pass.written).find(|(target, _)| target.stream == stream);
    let written = written.and_then(|(_, written)| written.as_ref());
    let (words, per) = (layout.element.words() as usize, (layout.arity * layout.items_per_texel) as usize);
    let state = |element: usize| {
        if written.is_some_and(|written| written.get(element / per) == Some(&false)) {
            return State::Left;
        }
        let range = element * words..(element + 1) * words;
        match before.map(|before| before.words().get(range.clone()) == after.words().get(range)) {
            Some(true) => State::Plain,
            _ => State::Changed,
        }
    };
    (0..after.len()).map(state).collect()
}

/// What was read for what, if that is little enough to be drawn, and how often anything was read.
fn arrows(recording: &Recording, pass: &RecordedPass) -> (Vec<Arrow>, u64) {
    let total = pass.reads.iter().map(|reads| reads.total()).sum();
    if total == 0 || recording.request.len() > MOST_ITEMS {
        return (Vec::new(), total);
    }
    let mut arrows = Vec::new();
    for ((of, target), written) in (0..).zip(&pass.targets).zip(&pass.written) {
        // What a vertex read for a fragment that then wrote nothing, nobody has.
        let written = |texel: &Place| {
            written.as_ref().and_then(|written| written.get(texel.index as usize)) != Some(&false)
        };
        let texels = recording.layout(target.stream).texels().min(4 * MOST_ITEMS) as u32;
        for to in (0..texels).map(|index| Place { of, index }).filter(written) {
            let own = |from: Place| {
                let source = pass.sources.get(from.of as usize).map(|source| recording.layout(source.stream));
                from.index == to.index && source == Some(recording.layout(target.stream))
            };
            arrows.extend(pass.read_for(to).into_iter().map(|from| Arrow { from, to, own: own(from) }));
        }
    }
    if arrows.len() > MOST_ARROWS { (Vec::new(), total) } else { (arrows, total) }
}

/// The request, the shader, and the uniforms that are the pass's own.
fn subtitle(recording: &Recording, pass: &RecordedPass) -> String {
    let mut parts = vec![recording.request.to_string()];
    parts.extend(pass.main_shader().map(|shader| shader.path.clone()));
    let uniforms = pass.uniforms.iter().take(6).map(|(name, value)| match value {
        Uniform::Int(value) => format!("{name} = {value}"),
        Uniform::Int2([x, y]) => format!("{name} = ({x}, {y})"),
    });
    let uniforms: Vec<String> = uniforms.collect();
    if !uniforms.is_empty() {
        parts.push(uniforms.join(", "));
    }
    parts.join(" · ")
}

/// Costs in words.
fn counts(cost: Cost) -> String {
    let count = |number: u64, one: &str, more: &str| match number {
        1 => format!("1 {one}"),
        _ => format!("{} {more}", grouped(number)),
    };
    let adds = count(cost.adds, "add", "adds");
    if cost.texels_read + cost.texels_written == 0 {
        let (read, written) = (grouped(cost.words_read), grouped(cost.words_written));
        return format!("{adds}, {read} words read, {written} words written");
    }
    let texels = format!("{} read", count(cost.texels_read, "texel", "texels"));
    format!(
        "{adds}, {texels}, {} written, {} words moved",
        grouped(cost.texels_written),
        grouped(cost.words_moved())
    )
}

/// The pass's time, where it was taken.
fn took(recording: &Recording, pass: &RecordedPass) -> String {
    match (pass.time, recording.clock) {
        (Some(time), Some(clock)) => {
            format!(", {} ms ({} clock)", milliseconds(time.as_secs_f64() * 1e3), clock.name())
        }
        _ => String::new(),
    }
}
