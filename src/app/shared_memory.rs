//! Shared memory of a dispatch: who asks which bank at a time, and what the K-model says of it.

use std::ops::Range;
use std::rc::Rc;

use egui::{
    Align2, Color32, FontId, Label, Pos2, Rect, RichText, ScrollArea, Sense, Shape, Stroke, Ui, pos2, vec2,
};

use super::looks;
use super::shown::Key;
use crate::lesson::banks::{self, Predicted, SharedMemory, Step, Taken, Way};
use crate::lesson::epochs::{self, Stage};
use crate::trace::Recording;

/// What it keeps from frame to frame.
#[derive(Debug, Clone, Default)]
pub struct SharedState {
    seen: Option<(Key, Option<Rc<Seen>>)>,
    /// Which of the work groups.
    group: usize,
    rows: Rows,
    /// Which stretch between barriers is picked; `None`: the whole pass.
    epoch: Option<u32>,
    /// Whether it was picked just now, and is to be brought into sight.
    picked: bool,
}

impl SharedState {
    /// The stretch between barriers that is picked of a pass: how many its work group had passed.
    pub fn epoch(&self, key: &Key) -> Option<u32> {
        let (known, _) = self.seen.as_ref()?;
        self.epoch.filter(|_| known == key)
    }
}

/// What is known of a pass, found out once.
#[derive(Debug)]
struct Seen {
    memory: SharedMemory,
    groups: Vec<u32>,
    predicted: Option<Predicted>,
    /// What a group does in each epoch; nothing where that is not known.
    stages: Vec<Vec<Stage>>,
}

/// What a row of the picture is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Rows {
    #[default]
    Banks,
    Addresses,
}

/// The size of a step and a bank, in points; a row is lower where there are many.
const CELL: f32 = 14.0;
/// The height of the picture at the most, in points.
const HEIGHT: f32 = 300.0;

/// Shows what the work groups of a pass did with shared memory.
pub fn show(ui: &mut Ui, recording: &Recording, pass: usize, state: &mut SharedState) {
    let key = Key::of(recording, Some(pass));
    if state.seen.as_ref().is_none_or(|(known, _)| *known != key) {
        let seen = banks::of(recording, pass).map(|memory| {
            let (groups, predicted) = (memory.groups(), banks::predicted(recording, pass));
            Rc::new(Seen { memory, groups, predicted, stages: epochs::stages(recording, pass) })
        });
        *state = SharedState { seen: Some((key, seen)), rows: state.rows, ..SharedState::default() };
    }
    let Some(seen) = state.seen.as_ref().and_then(|(_, seen)| seen.clone()) else {
        ui.weak("This pass used no shared memory, or nothing was recorded of it.");
        return;
    };
    let group_of = |state: &SharedState| seen.groups.get(state.group).copied().unwrap_or_default();
    ui.add(Label::new(summary(&seen.memory, seen.groups.len())).wrap());
    if let Some(predicted) = &seen.predicted {
        let group = group_of(state);
        let taken = banks::taken(recording, pass, &seen.memory, group);
        let text = RichText::new(model(predicted, taken, group)).color(looks::faint(ui.visuals()));
        ui.add(Label::new(text).wrap());
    }
    ui.horizontal_wrapped(|ui| {
        ui.selectable_value(&mut state.rows, Rows::Banks, "by bank").on_hover_text("a row for each bank");
        ui.selectable_value(&mut state.rows, Rows::Addresses, "by address")
            .on_hover_text("a row for each address");
        if seen.groups.len() > 1 {
            let last = seen.groups.len() - 1;
            state.group = state.group.min(last);
            ui.add(egui::DragValue::new(&mut state.group).range(0..=last).prefix("work group "));
        }
    });
    let steps = seen.memory.of_group(group_of(state));
    stepper(ui, &seen.stages, steps, state);
    let seek = std::mem::take(&mut state.picked);
    picture(ui, &seen.memory, steps, state.rows, state.epoch, seek);
    let legend = "A column is an access that a warp makes at a time. ○ read, • written, or a bar beside a number: how many \
                  different words one bank is asked for, which is as many turns as it takes.";
    ui.add(Label::new(RichText::new(legend).small().color(looks::faint(ui.visuals()))).wrap());
}

/// Picks a stretch between barriers, where it is known what a group does in each.
fn stepper(ui: &mut Ui, stages: &[Vec<Stage>], steps: &[Step], state: &mut SharedState) {
    if stages.is_empty() {
        return;
    }
    let mut epochs: Vec<u32> = steps.iter().map(|step| step.epoch).collect();
    epochs.sort_unstable();
    epochs.dedup();
    let last = epochs.len();
    // 0 is the whole pass.
    let place = |epoch| epochs.iter().position(|known| *known == epoch).map_or(0, |place| place + 1);
    let at = state.epoch.map_or(0, place);
    let mut to = at;
    ui.horizontal_wrapped(|ui| {
        let button = |ui: &mut Ui, sign: &str, name: &str, enabled: bool| {
            ui.add_enabled_ui(enabled, |ui| looks::sign(ui, sign, name, "", false).clicked()).inner
        };
        if button(ui, "⏴", "Stage back", at > 0) {
            to -= 1;
        }
        let named = |place: f64, _| match (place as usize).checked_sub(1).and_then(|place| epochs.get(place))
        {
            Some(epoch) => format!("after {}", several(u64::from(*epoch), "barrier")),
            None => "whole pass".into(),
        };
        let typed = |text: &str| text.trim().parse().ok().map(|epoch: u32| place(epoch) as f64);
        let drag = egui::DragValue::new(&mut to).range(0..=last).speed(0.05);
        ui.add(drag.custom_formatter(named).custom_parser(typed))
            .on_hover_text("what a work group does between two barriers");
        if button(ui, "⏵", "Stage forward", at < last) {
            to += 1;
        }
        match state.epoch {
            None => ui.label(format!("{last} stages between barriers")),
            Some(epoch) => {
                let turns = steps.iter().filter(|step| step.epoch == epoch).map(|step| step.degree).sum();
                ui.label(format!("{}: {}", told_stage(stages, epoch), several(turns, "turn")))
            }
        };
    });
    if to != at {
        state.epoch = to.checked_sub(1).and_then(|place| epochs.get(place)).copied();
        state.picked = true;
        // The lines that are lit now stand above.
        ui.ctx().request_repaint();
    }
}

/// What a work group does in an epoch, in words.
fn told_stage(stages: &[Vec<Stage>], epoch: u32) -> String {
    let of = stages.get(epoch as usize).map_or(&[][..], Vec::as_slice);
    of.iter().map(Stage::to_string).collect::<Vec<String>>().join(", and ")
}

fn several(count: u64, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{} {noun}s", looks::grouped(count)) }
}

/// What the steps of all work groups take.
fn summary(memory: &SharedMemory, groups: usize) -> String {
    let (turns, least) = (memory.turns(), memory.turns_without_conflicts());
    let lost = match memory.conflicts() {
        // A warp's items can have more words than there are banks.
        0 if turns > memory.steps.len() as u64 => "no more than the words of its items need".to_owned(),
        0 => "no bank is ever asked for two things at a time".to_owned(),
        conflicts => {
            let worst = memory.worst().map_or(0, |step| step.degree);
            let have = if conflicts == 1 { "has" } else { "have" };
            let steps = several(conflicts as u64, "step");
            format!(
                "{} without conflicts, which {steps} {have}; the worst takes {worst}",
                looks::grouped(least)
            )
        }
    };
    let of = if groups > 1 { format!(" of {groups} work groups") } else { String::new() };
    let steps = several(memory.steps.len() as u64, "step");
    format!("{} banks, {steps}{of}: {}, {lost}.", memory.banks, several(turns, "turn"))
}

/// What the K-model says of a block, and what the work group that is shown took.
fn model(predicted: &Predicted, taken: Option<Taken>, group: u32) -> String {
    let (counts, whole) = (predicted.counts, looks::grouped(predicted.whole));
    let sums = |when| {
        format!(
            "takes T = {} turns in {} instructions to store the sums {when}; ",
            looks::grouped(counts.latency),
            looks::grouped(counts.instructions)
        )
    };
    let block = match predicted.way {
        Way::Up => format!("{}all loads and stores of the way up take {whole}", sums("of the way up")),
        Way::Down => format!("takes {whole} turns for all loads and stores of the way down"),
        Way::Both => format!("{}all loads and stores, both ways, take {whole}", sums("of the way up")),
        Way::Steps => format!("{}all loads and stores take {whole}", sums("of all steps")),
    };
    let recorded = match (taken, predicted.way) {
        (None, _) => String::new(),
        (Some(taken), Way::Down) => {
            format!(" Recorded of work group {group}: {}.", looks::grouped(taken.whole))
        }
        (Some(taken), _) => format!(
            " Recorded of work group {group}: {} and {}.",
            looks::grouped(taken.sums),
            looks::grouped(taken.whole)
        ),
    };
    format!(
        "K-model (capannini2011), {} with n = {} and k = {}: a block {block}.{recorded}",
        predicted.pattern,
        predicted.model.n(),
        predicted.model.k()
    )
}

/// The steps of a work group as columns.
struct Picture<'a> {
    memory: &'a SharedMemory,
    steps: &'a [Step],
    rows: Rows,
    /// The stretch between barriers that is picked.
    epoch: Option<u32>,
    count: usize,
    /// The height of a row.
    height: f32,
    origin: Pos2,
}

/// Draws the steps; with `seek` those of the epoch that is picked are brought into sight.
fn picture(ui: &mut Ui, memory: &SharedMemory, steps: &[Step], rows: Rows, epoch: Option<u32>, seek: bool) {
    let highest =
        steps.iter().flat_map(|step| &step.accesses).map(|access| access.address).max().unwrap_or(0);
    let count = match rows {
        Rows::Banks => memory.banks as usize,
        // More rows than these cannot be told apart.
        Rows::Addresses => (highest as usize + 1).min(4096),
    };
    let height = if rows == Rows::Banks { CELL } else { (2.0 * HEIGHT / count as f32).clamp(3.0, CELL) };
    let size = vec2(NAMES + steps.len() as f32 * CELL, HEAD + count as f32 * height);
    ScrollArea::both().id_salt("banks").max_height(HEIGHT).auto_shrink([false, true]).show(ui, |ui| {
        let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
        let picture = Picture { memory, steps, rows, epoch, count, height, origin: rect.min };
        if let Some(first) = steps.iter().position(|step| seek && Some(step.epoch) == epoch) {
            let columns = picture.cell(first, 0).expand2(vec2(2.0 * CELL, 0.0)).x_range();
            ui.scroll_to_rect(Rect::from_x_y_ranges(columns, ui.clip_rect().y_range()), None);
        }
        picture.draw(ui);
        let pointed = response.hover_pos().and_then(|at| picture.step_at(at));
        if let Some(step) = pointed {
            response.on_hover_text_at_pointer(told(memory, step));
        }
    });
}

/// Room for the rows' names, and for the columns'.
const NAMES: f32 = 30.0;
const HEAD: f32 = 14.0;

impl Picture<'_> {
    fn step_at(&self, at: Pos2) -> Option<&Step> {
        let column = (at.x - self.origin.x - NAMES) / CELL;
        if column < 0.0 { None } else { self.steps.get(column as usize) }
    }

    fn cell(&self, column: usize, row: usize) -> Rect {
        let corner = vec2(NAMES + column as f32 * CELL, HEAD + row as f32 * self.height);
        Rect::from_min_size(self.origin + corner, vec2(CELL, self.height))
    }

    /// Draws what is in sight.
    fn draw(&self, ui: &Ui) {
        let clip = ui.clip_rect();
        let columns = self.in_sight(clip.x_range().min, clip.x_range().max);
        let font = FontId::monospace(9.0);
        let faint = looks::faint(ui.visuals());
        let painter = ui.painter();
        let every = if self.height < 10.0 { 16 } else { self.count.div_ceil(32).max(1) };
        for row in (0..self.count).step_by(every) {
            let rect = self.cell(0, row);
            let place = pos2(self.origin.x.max(clip.left()) + NAMES - 6.0, rect.center().y);
            painter.text(place, Align2::RIGHT_CENTER, row.to_string(), font.clone(), faint);
        }
        for column in columns {
            let step = &self.steps[column];
            let previous = column.checked_sub(1).and_then(|column| self.steps.get(column));
            if previous.is_none_or(|previous| (previous.epoch, previous.warp) != (step.epoch, step.warp)) {
                // A barrier, or another warp.
                let whole = self.cell(column, 0).with_max_y(self.cell(column, self.count - 1).max.y);
                let stroke = Stroke::new(1.0, faint.gamma_multiply(0.6));
                painter.vline(whole.left(), self.origin.y..=whole.bottom(), stroke);
                let head = pos2(whole.left() + 2.0, self.origin.y + HEAD / 2.0);
                painter.text(head, Align2::LEFT_CENTER, step.epoch.to_string(), font.clone(), faint);
            }
            if self.epoch == Some(step.epoch) {
                let whole = self.cell(column, 0).with_min_y(self.origin.y + HEAD);
                let whole = whole.with_max_y(self.cell(column, self.count - 1).max.y);
                painter.rect_filled(whole, 0.0, looks::ACCENT.gamma_multiply(0.25));
                let bar = whole.with_min_y(self.origin.y).with_max_y(self.origin.y + 2.0);
                painter.rect_filled(bar, 0.0, looks::ACCENT);
            }
            self.column(ui, column, step);
        }
    }

    fn in_sight(&self, left: f32, right: f32) -> Range<usize> {
        let column = |x: f32| ((x - self.origin.x - NAMES) / CELL).floor().max(0.0) as usize;
        column(left).min(self.steps.len())..(column(right) + 1).min(self.steps.len())
    }

    /// The rows that a step has marks in, and for how many different words the bank of each is asked.
    fn rows_of(&self, step: &Step) -> Vec<(usize, u64)> {
        let asked = self.memory.asked(step);
        let mut rows: Vec<(usize, u64)> = match self.rows {
            Rows::Banks => (0..).zip(asked).filter(|(_, asked)| *asked > 0).collect(),
            Rows::Addresses => {
                let addresses = step.accesses.iter().map(|access| access.address);
                let most = |address| self.memory.banks_of(address).map(|bank| asked[bank as usize]).max();
                addresses.map(|address| (address as usize, most(address).unwrap_or(0))).collect()
            }
        };
        rows.sort_unstable();
        rows.dedup();
        rows.retain(|(row, _)| *row < self.count);
        rows
    }

    fn column(&self, ui: &Ui, column: usize, step: &Step) {
        for (row, asked) in self.rows_of(step) {
            self.mark(ui, self.cell(column, row), step, asked);
        }
    }

    /// An access of a bank that is asked for so many words: a conflict where these are more than all words need.
    fn mark(&self, ui: &Ui, cell: Rect, step: &Step, asked: u64) {
        let conflict = asked > step.least;
        let dark = ui.visuals().dark_mode;
        let fill = match (conflict, dark) {
            (true, _) => looks::ACCENT,
            (false, true) => Color32::from_rgb(58, 92, 130),
            (false, false) => Color32::from_rgb(168, 196, 228),
        };
        let ink = if conflict { Color32::BLACK } else { looks::ink(ui.visuals()) };
        let painter = ui.painter();
        painter.rect_filled(cell.shrink(0.5), 1.0, fill);
        if cell.height() < 8.0 {
            // Too small for a sign: what is written has a bar on its left, a conflict one across.
            if step.written {
                painter.vline(cell.left() + 2.0, cell.y_range(), Stroke::new(2.0, ink));
            }
            if conflict {
                painter.hline(cell.x_range(), cell.center().y, Stroke::new(1.0, ink));
            }
        } else if asked > 1 && self.rows == Rows::Banks {
            if step.written {
                painter.vline(cell.left() + 2.0, cell.y_range(), Stroke::new(2.0, ink));
            }
            painter.text(
                cell.center(),
                Align2::CENTER_CENTER,
                asked.to_string(),
                FontId::monospace(10.0),
                ink,
            );
        } else {
            let radius = cell.height().min(CELL) * 0.2;
            painter.add(match step.written {
                true => Shape::circle_filled(cell.center(), radius, ink),
                false => Shape::circle_stroke(cell.center(), radius, Stroke::new(1.0, ink)),
            });
            if conflict {
                painter.line_segment([cell.left_bottom(), cell.right_top()], Stroke::new(1.0, ink));
            }
        }
    }
}

/// What a step is, in words.
fn told(memory: &SharedMemory, step: &Step) -> String {
    let addresses: Vec<String> = step.accesses.iter().map(|access| access.address.to_string()).collect();
    let what = if step.written { "written" } else { "read" };
    let first = u64::from(step.warp) * memory.banks;
    let turns = several(step.degree, "turn");
    format!(
        "after {} barriers, access {} of invocations {first} to {}: {turns}\n{what}: {}",
        step.epoch,
        step.number,
        first + memory.banks - 1,
        addresses.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::SharedAccess;

    fn step(memory: &SharedMemory, rows: Rows) -> Vec<(usize, u64)> {
        let steps = &memory.steps[..];
        let picture =
            Picture { memory, steps, rows, epoch: None, count: 64, height: CELL, origin: Pos2::ZERO };
        picture.rows_of(&steps[0])
    }

    fn memory(addresses: &[u32], item_words: u32) -> SharedMemory {
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
    fn marks_count_all_words_of_an_item() {
        // Items 0 and 8 of two words: words 0, 1 and 16, 17.
        let apart = memory(&[0, 8], 2);
        assert_eq!(step(&apart, Rows::Banks), [(0, 2), (1, 2)]);
        assert_eq!(step(&apart, Rows::Addresses), [(0, 2), (8, 2)]);
        assert_eq!((apart.steps[0].degree, apart.steps[0].least), (2, 1));
        // The highest of the marks is what the step takes.
        for (item_words, stride) in [(1, 1), (1, 2), (2, 1), (2, 3), (4, 1), (4, 4)] {
            let addresses: Vec<u32> = (0..16).map(|invocation| stride * invocation).collect();
            let memory = memory(&addresses, item_words);
            for rows in [Rows::Banks, Rows::Addresses] {
                let most = step(&memory, rows).into_iter().map(|(_, asked)| asked).max();
                assert_eq!(most, Some(memory.steps[0].degree), "{item_words} words, {stride} apart");
            }
        }
    }

    #[test]
    fn turns_that_the_words_need_are_no_conflicts_and_are_told() {
        let all: Vec<u32> = (0..16).collect();
        assert_eq!(
            summary(&memory(&all, 1), 1),
            "16 banks, 1 step: 1 turn, no bank is ever asked for two things at a time."
        );
        assert_eq!(
            summary(&memory(&all, 2), 3),
            "16 banks, 1 step of 3 work groups: 2 turns, no more than the words of its items need."
        );
        assert!(summary(&memory(&[0, 8], 2), 1).contains("1 without conflicts, which 1 step has"));
    }
}
