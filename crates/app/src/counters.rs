//! The cost of the passes so far, compared with the sequential algorithm.

use egui::{Grid, RichText, Ui};
use rasterscan::CompactSpec;
use rasterscan::operator::Operator;
use rasterscan::plan::Cost;
use rasterscan::trace::Work;
use rasterscan_lesson::phrases::say;
use rasterscan_lesson::work;

use super::looks::{self, grouped};
use super::shown::Shown;

/// A count so far, and the sequential algorithm's for the whole run; `None` if it has no such count.
pub struct Counter {
    /// The name, in the plural.
    pub name: &'static str,
    /// The count so far; `None` if it was not recorded, and an edited shader may do other things than the plan states.
    pub value: Option<u64>,
    /// The sequential algorithm's count.
    pub sequential: Option<u64>,
    /// True if the count is the most that is possible: what happened was not recorded.
    pub at_most: bool,
    /// The hover text.
    pub about: &'static str,
}

/// The counts of all passes before a position.
pub fn counters(shown: &Shown, position: usize) -> Vec<Counter> {
    let recording = &shown.recording;
    let cost = recording.cost_before(position.min(recording.passes.len()));
    let sequential = sequential(shown);
    let adds = if recording.request.item().operator == Operator::ADD { "adds" } else { "operations" };
    let moved = shown.moved(position);
    let edited = recording.passes.iter().take(position).any(work::is_edited);
    let counter = |name, value, sequential, about| Counter {
        name,
        value: Some(value),
        sequential,
        at_most: false,
        about,
    };
    let recorded = |counter: Counter| Counter {
        value: counter.value.filter(|_| !moved.unknown),
        at_most: moved.at_most,
        ..counter
    };
    let texels = |name, value, sequential, about| {
        // Compute shaders use buffers, which have no texels.
        let draws = recording.passes.iter().any(|pass| !matches!(pass.work, Work::Dispatch { .. }));
        draws.then(|| recorded(counter(name, value, Some(sequential), about)))
    };
    let read = texels("texels read", moved.texels_read, sequential.texels_read, "counted once per fetch");
    let written =
        texels("texels written", moved.texels_written, sequential.texels_written, "counted once per write");
    let words =
        counter("words moved", moved.words, Some(sequential.words_moved()), "32 bits each, read or written");
    let uses = counter(adds, cost.adds, Some(sequential.adds), "applications of the operator");
    [
        Some(counter("passes", position as u64, None, "draws and dispatches")),
        Some(Counter { value: Some(cost.adds).filter(|_| !edited), ..uses }),
        read,
        written,
        Some(recorded(words)),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The cost of a loop over the stream: the operator is applied n - 1 times for n items, each read and written once. For
/// a compaction: every element is read, and every kept one is written and counted.
fn sequential(shown: &Shown) -> Cost {
    let request = &shown.recording.request;
    let Some(spec) = request.get::<CompactSpec>() else {
        let cost = request.cost();
        let item = request.item();
        let words = u64::from(item.operator.item_words(item.element)).max(1);
        return Cost {
            texels_read: cost.words_read / words,
            texels_written: cost.words_written / words,
            ..cost
        };
    };
    let kept = shown.count().unwrap_or(0);
    let results = u64::from(spec.moves.values()) + u64::from(spec.moves.indices());
    let words = u64::from(spec.element.words());
    Cost {
        texels_read: spec.len,
        texels_written: kept * results,
        words_read: spec.len * words,
        words_written: kept * (u64::from(spec.moves.values()) * words + u64::from(spec.moves.indices())),
        adds: kept,
        ..Cost::default()
    }
}

/// The milliseconds of all passes before a position; `None` if they were not timed.
fn milliseconds(shown: &Shown, position: usize) -> Option<f64> {
    shown.recording.clock?;
    let passes = &shown.recording.passes;
    let mut times = passes[..position.min(passes.len())].iter().map(|pass| pass.time);
    times.try_fold(0.0, |sum, time| Some(sum + time?.as_secs_f64() * 1e3))
}

/// The counts that are shown.
#[derive(Debug, Clone, Copy)]
pub struct Counts {
    /// True if times are among them.
    pub timed: bool,
    /// True if they have one line.
    pub low: bool,
    /// The width for those of a run, in points.
    pub room: f32,
}

/// Shows the counts side by side, as far as they fit.
pub fn show(ui: &mut Ui, shown: &Shown, position: usize, counts: Counts, salt: usize) {
    let mut rows: Vec<[String; 4]> = Vec::new();
    for Counter { name, value, sequential, at_most, about } in counters(shown, position) {
        let loop_ = sequential.map_or_else(String::new, |count| say(format!("a loop: {}", grouped(count))));
        let count = value.map_or_else(
            || say("not recorded"),
            |value| if at_most { say(format!("at most {}", grouped(value))) } else { grouped(value) },
        );
        rows.push([say(name), count, loop_, say(about)]);
    }
    if counts.timed {
        let clock = shown.recording.clock;
        let name = clock.map_or_else(|| say("time"), |clock| say(format!("time ({} clock)", clock.name())));
        let time = milliseconds(shown, position).map_or_else(
            || say("not timed"),
            |ms| match position {
                0 => "0 ms".into(),
                _ => format!("{ms:.3} ms"),
            },
        );
        rows.push([name, time, String::new(), String::new()]);
    }
    let faint = looks::faint(ui.visuals());
    let small = |text: &str| RichText::new(text).small().color(faint);
    let value = |text: &str| RichText::new(text).monospace().strong();
    if counts.low {
        // The first of them are the most telling, as many as have room.
        let right = ui.cursor().left() + counts.room;
        ui.horizontal(|ui| {
            for [name, count, _, about] in &rows {
                let wide = 8.0 * count.chars().count() as f32 + 7.0 * name.chars().count() as f32;
                if ui.cursor().left() + wide > right {
                    break;
                }
                ui.label(value(count));
                ui.label(small(name)).on_hover_text(about);
                ui.add_space(6.0);
            }
        });
        return;
    }
    let mut wide = 0.0;
    rows.retain(|[name, count, sequential, _]| {
        let letters = [name, sequential].map(|text| 6.0 * text.chars().count() as f32);
        wide += letters.into_iter().fold(8.0 * count.chars().count() as f32, f32::max) + 20.0;
        wide <= counts.room + 20.0
    });
    Grid::new(("counters", salt))
        .num_columns(rows.len())
        .spacing([20.0, 1.0])
        .min_row_height(looks::POINTED)
        .show(ui, |ui| {
            for [name, _, _, about] in &rows {
                ui.label(small(name)).on_hover_text(about);
            }
            ui.end_row();
            rows.iter().for_each(|[_, count, ..]| _ = ui.label(value(count)));
            ui.end_row();
            rows.iter().for_each(|[_, _, sequential, _]| _ = ui.label(small(sequential)));
            ui.end_row();
        });
}
