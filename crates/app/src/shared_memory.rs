//! Shared memory of a dispatch: its accesses to banks, and the K-model's counts.

mod picture;

use std::rc::Rc;

use egui::{CollapsingHeader, Grid, Label, RichText, Ui};
use rasterscan::trace::Recording;
use rasterscan_lesson::banks::{self, BankStep, Predicted, Price, SharedMemory, Sweep, Taken};
use rasterscan_lesson::phrases::say;
use rasterscan_lesson::shared::{self, Span};

use super::looks::{self, grouped};
use super::shown::Key;
use picture::{Rows, picture};

/// The state kept from frame to frame.
#[derive(Debug, Clone, Default)]
pub struct SharedMemoryPanel {
    seen: Option<(Key, Option<Rc<Seen>>)>,
    /// The work group shown, by its number among those with accesses.
    group: usize,
    rows: Rows,
    /// The stage in the last frame: another one is scrolled into view.
    stage: Option<usize>,
    /// The texts above the picture: on all work groups, and on one of them.
    summary: Option<String>,
    told: Option<(u32, String)>,
}

/// The facts about a pass, computed once.
#[derive(Debug)]
struct Seen {
    memory: SharedMemory,
    groups: Vec<u32>,
    predicted: Option<Predicted>,
    prices: Vec<(&'static str, Price)>,
    /// The stages of a group; empty if they are not known.
    spans: Vec<Span>,
}

impl SharedMemoryPanel {
    /// Shows the accesses of a pass's work groups to shared memory, and the stage, which its buttons change.
    pub fn show(&mut self, ui: &mut Ui, recording: &Recording, pass: usize, stage: &mut Option<usize>) {
        let key = Key::of(recording, Some(pass));
        if self.seen.as_ref().is_none_or(|(known, _)| *known != key) {
            let seen = banks::of(recording, pass).map(|memory| {
                let (groups, predicted) = (memory.groups(), banks::predicted(recording, pass));
                let prices = predicted.map_or_else(Vec::new, |predicted| predicted.prices());
                Rc::new(Seen { memory, groups, predicted, prices, spans: shared::spans(recording, pass) })
            });
            *self = SharedMemoryPanel { seen: Some((key, seen)), rows: self.rows, ..Default::default() };
        }
        let Some(seen) = self.seen.as_ref().and_then(|(_, seen)| seen.clone()) else {
            ui.weak(say("This pass uses no shared memory, or its accesses were not recorded."));
            return;
        };
        let group_of = |number: usize| seen.groups.get(number).copied().unwrap_or_default();
        let summary = self.summary.get_or_insert_with(|| summary(&seen.memory, seen.groups.len()));
        ui.add(Label::new(say(summary)).wrap());
        if let Some(predicted) = &seen.predicted {
            let group = group_of(self.group);
            let told = self.told.take().filter(|(known, _)| *known == group);
            let (_, text) = self.told.insert(told.unwrap_or_else(|| {
                (group, model(predicted, banks::taken(recording, pass, &seen.memory, group), group))
            }));
            CollapsingHeader::new(say("K-model")).show_unindented(ui, |ui| {
                ui.add(Label::new(RichText::new(say(text)).color(looks::faint(ui.visuals()))).wrap());
                if !seen.prices.is_empty() {
                    prices(ui, predicted.pattern.label(), &seen.prices);
                }
            });
        }
        ui.horizontal_wrapped(|ui| {
            ui.selectable_value(&mut self.rows, Rows::Banks, say("by bank"))
                .on_hover_text(say("a row for each bank"));
            ui.selectable_value(&mut self.rows, Rows::Addresses, say("by address"))
                .on_hover_text(say("a row for each address"));
            if seen.groups.len() > 1 {
                let last = seen.groups.len() - 1;
                self.group = self.group.min(last);
                ui.add(egui::DragValue::new(&mut self.group).range(0..=last).prefix(say("work group") + " "));
            }
        });
        let steps = seen.memory.of_group(group_of(self.group));
        stepper(ui, &seen.spans, steps, stage);
        let seek = std::mem::replace(&mut self.stage, *stage) != *stage;
        let span = stage.and_then(|stage| seen.spans.get(stage));
        picture(ui, &seen.memory, steps, self.rows, span, seek);
        let legend = "Each column is one access by a warp. ○ is a read; • or a bar is a write. A number counts \
                      the different words that one bank must deliver: the access takes that many turns.";
        ui.add(Label::new(RichText::new(say(legend)).small().color(looks::faint(ui.visuals()))).wrap());
    }
}

/// Shows the buttons that select a stage, if the stages of a group are known.
fn stepper(ui: &mut Ui, spans: &[Span], steps: &[BankStep], stage: &mut Option<usize>) {
    if spans.is_empty() {
        return;
    }
    // 0 is the whole pass.
    let at = stage.map_or(0, |stage| (stage + 1).min(spans.len()));
    let mut to = at;
    ui.horizontal(|ui| {
        let button = |ui: &mut Ui, sign: &str, name: &str, enabled: bool| {
            ui.add_enabled_ui(enabled, |ui| looks::sign(ui, sign, name, "", false).clicked()).inner
        };
        if button(ui, "◂", "Stage back", at > 0) {
            to -= 1;
        }
        let named = |number: f64, _| match number as usize {
            0 => say("whole pass"),
            number => say(format!("stage {number}")),
        };
        let typed =
            |text: &str| text.trim_start_matches(|letter: char| !letter.is_ascii_digit()).trim().parse().ok();
        let drag = egui::DragValue::new(&mut to).range(0..=spans.len()).speed(0.05);
        // Of one width, so that the buttons stay under the pointer.
        ui.add_sized([90.0, 20.0], drag.custom_formatter(named).custom_parser(typed))
            .on_hover_text(say("the work of a group between barriers"));
        if button(ui, "▸", "Stage forward", at < spans.len()) {
            to += 1;
        }
    });
    let told = match at.checked_sub(1).and_then(|place| spans.get(place)) {
        None => format!("{} between barriers", several(spans.len() as u64, "stage")),
        Some(span) => {
            let own = steps.iter().filter(|step| span.holds(step.epoch, step.number));
            format!("{}: {}", span.stage, several(own.map(|step| step.degree).sum(), "turn"))
        }
    };
    ui.add(Label::new(say(told)).wrap());
    if to != at {
        *stage = to.checked_sub(1);
        // The picture and the lines to highlight are already drawn.
        ui.ctx().request_repaint();
    }
}

fn several(count: u64, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{} {noun}s", grouped(count)) }
}

/// The turns of all work groups' steps.
fn summary(memory: &SharedMemory, groups: usize) -> String {
    let (turns, least) = (memory.turns(), memory.turns_without_conflicts());
    let lost = match memory.conflicts() {
        // A warp's items can have more words than there are banks.
        0 if turns > memory.steps.len() as u64 => "no more than the words of its items need".to_owned(),
        0 => "no bank is ever asked for two words at a time".to_owned(),
        conflicts => {
            let worst = memory.worst().map_or(0, |step| step.degree);
            format!(
                "without conflicts, {} would be enough. Steps with a conflict: {conflicts}; the worst takes {}",
                several(least, "turn"),
                several(worst, "turn")
            )
        }
    };
    let of = if groups > 1 { format!(" of {groups} work groups") } else { String::new() };
    let steps = several(memory.steps.len() as u64, "step");
    format!("{} banks, {steps}{of}: {}, {lost}.", memory.banks, several(turns, "turn"))
}

/// The K-model's counts for a block, and the recorded ones of the work group shown.
fn model(predicted: &Predicted, taken: Option<Taken>, group: u32) -> String {
    let (counts, whole) = (predicted.counts, grouped(predicted.whole));
    let sums = |when| {
        format!(
            "takes T = {} in {} to store the sums {when}; ",
            several(counts.latency, "turn"),
            several(counts.instructions, "instruction")
        )
    };
    let block = match predicted.way {
        Sweep::Up => format!("{}all loads and stores of the up-sweep take {whole}", sums("of the up-sweep")),
        Sweep::Down => format!("takes {whole} turns for all loads and stores of the down-sweep"),
        Sweep::Both => format!("{}all loads and stores of both sweeps take {whole}", sums("of the up-sweep")),
        Sweep::Steps => format!("{}all loads and stores take {whole}", sums("of all steps")),
    };
    let recorded = match (taken, predicted.way) {
        (None, _) => String::new(),
        (Some(taken), Sweep::Down) => {
            format!(" Recorded for work group {group}: {}.", grouped(taken.whole))
        }
        (Some(taken), _) => format!(
            " Recorded for work group {group}: {} for the sums, {} for all of them.",
            grouped(taken.sums),
            grouped(taken.whole)
        ),
    };
    format!(
        "K-model (capannini2011), {} with n = {} and k = {}: a block {block}.{recorded}",
        predicted.pattern,
        predicted.model.n(),
        predicted.model.k()
    )
}

/// Shows the price of each way to store a tree, this pass's in strong letters.
fn prices(ui: &mut Ui, own: &str, prices: &[(&str, Price)]) {
    let faint = looks::faint(ui.visuals());
    let heads = [
        ("K-model", "the machine of capannini2011"),
        ("turns", "all loads and stores of the pass"),
        ("padding", "words of shared memory that stay free"),
        ("more stores", "of left operands that sums replace; loads are as many"),
    ];
    Grid::new("prices").num_columns(heads.len()).spacing([14.0, 1.0]).show(ui, |ui| {
        for (head, about) in heads {
            ui.label(RichText::new(say(head)).small().color(faint)).on_hover_text(say(about));
        }
        ui.end_row();
        for (name, price) in prices {
            for text in [(*name).into(), grouped(price.turns), grouped(price.padding), grouped(price.kept)] {
                let text = RichText::new(text);
                ui.label(if *name == own { text.strong() } else { text.color(faint) });
            }
            ui.end_row();
        }
    });
}

#[cfg(test)]
pub(in crate::shared_memory) mod tests {
    use super::*;
    use rasterscan::trace::SharedAccess;

    pub fn memory(addresses: &[u32], item_words: u32) -> SharedMemory {
        let access = |(invocation, address): (u32, &u32)| SharedAccess {
            invocation,
            epoch: 0,
            number: 0,
            array: 0,
            address: *address,
            written: false,
            words: [0; 4],
        };
        let accesses: Vec<SharedAccess> = (0..).zip(addresses).map(access).collect();
        SharedMemory::new(&accesses, 16, 16, item_words)
    }

    #[test]
    fn turns_that_the_words_need_are_no_conflicts_and_are_told() {
        let all: Vec<u32> = (0..16).collect();
        assert_eq!(
            summary(&memory(&all, 1), 1),
            "16 banks, 1 step: 1 turn, no bank is ever asked for two words at a time."
        );
        assert_eq!(
            summary(&memory(&all, 2), 3),
            "16 banks, 1 step of 3 work groups: 2 turns, no more than the words of its items need."
        );
        let lost = summary(&memory(&[0, 8], 2), 1);
        assert!(
            lost.contains("2 turns, without conflicts, 1 turn would be enough. Steps with a conflict: 1"),
            "{lost}"
        );
    }
}
