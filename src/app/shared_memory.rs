//! Shared memory of a dispatch: who asks which bank at a time, and what the K-model says of it.

use std::ops::Range;
use std::rc::Rc;

use egui::{
    Align2, Color32, FontId, Label, Pos2, Rect, RichText, ScrollArea, Sense, Shape, Stroke, Ui, pos2, vec2,
};

use super::looks;
use super::shown::Key;
use crate::lesson::banks::{self, Predicted, SharedMemory, Step};
use crate::trace::Recording;

/// What it keeps from frame to frame.
#[derive(Debug, Clone, Default)]
pub struct SharedState {
    seen: Option<(Key, Option<Rc<Seen>>)>,
    /// Which of the work groups.
    group: usize,
    rows: Rows,
}

/// What is known of a pass, found out once.
#[derive(Debug)]
struct Seen {
    memory: SharedMemory,
    groups: Vec<u32>,
    predicted: Option<Predicted>,
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
            Rc::new(Seen { memory, groups, predicted })
        });
        state.seen = Some((key, seen));
        state.group = 0;
    }
    let Some(seen) = state.seen.as_ref().and_then(|(_, seen)| seen.clone()) else {
        ui.weak("This pass used no shared memory, or nothing was recorded of it.");
        return;
    };
    summary(ui, &seen);
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
    let group = seen.groups.get(state.group).copied().unwrap_or_default();
    let begin = seen.memory.steps.partition_point(|step| step.group < group);
    let end = seen.memory.steps.partition_point(|step| step.group <= group);
    picture(ui, &seen.memory, &seen.memory.steps[begin..end], state.rows);
    let legend = "A column is an access that a warp makes at a time. ○ read, ● written; a number is how many different \
                  addresses one bank is asked for: as many turns it takes.";
    ui.add(Label::new(RichText::new(legend).small().color(looks::faint(ui.visuals()))).wrap());
}

/// What all steps take, and what the K-model says.
fn summary(ui: &mut Ui, seen: &Seen) {
    let memory = &seen.memory;
    let (turns, least) = (memory.turns(), memory.turns_without_conflicts());
    let lost = match memory.conflicts() {
        0 => "no bank is ever asked for two things at a time".to_owned(),
        conflicts => {
            let worst = memory.worst().map_or(0, |step| step.degree);
            format!(
                "{} without conflicts, which {conflicts} steps have; the worst takes {worst}",
                looks::grouped(least)
            )
        }
    };
    let text = format!(
        "{} banks, {} steps: {} turns, {lost}.",
        memory.banks,
        looks::grouped(memory.steps.len() as u64),
        looks::grouped(turns)
    );
    ui.add(Label::new(text).wrap());
    if let Some(predicted) = seen.predicted {
        let counts = predicted.counts;
        let text = format!(
            "K-model (capannini2011), {} with n = {} and k = {}: the sums on the way up take T = {} turns in {} instructions; all \
             loads and stores, both ways, take {}.",
            predicted.pattern,
            predicted.model.n(),
            predicted.model.k(),
            counts.latency,
            counts.instructions,
            looks::grouped(predicted.whole)
        );
        ui.add(Label::new(RichText::new(text).color(looks::faint(ui.visuals()))).wrap());
    }
}

/// The steps of a work group as columns.
struct Picture<'a> {
    memory: &'a SharedMemory,
    steps: &'a [Step],
    rows: Rows,
    count: usize,
    /// The height of a row.
    height: f32,
    origin: Pos2,
}

fn picture(ui: &mut Ui, memory: &SharedMemory, steps: &[Step], rows: Rows) {
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
        let picture = Picture { memory, steps, rows, count, height, origin: rect.min };
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
            self.column(ui, column, step);
        }
    }

    fn in_sight(&self, left: f32, right: f32) -> Range<usize> {
        let column = |x: f32| ((x - self.origin.x - NAMES) / CELL).floor().max(0.0) as usize;
        column(left).min(self.steps.len())..(column(right) + 1).min(self.steps.len())
    }

    /// The different addresses that a step asks each bank for.
    fn queues(&self, step: &Step) -> Vec<Vec<u32>> {
        let mut queues = vec![Vec::new(); self.memory.banks as usize];
        for access in &step.accesses {
            let queue = &mut queues[self.memory.bank(access.address) as usize];
            if !queue.contains(&access.address) {
                queue.push(access.address);
            }
        }
        queues
    }

    fn column(&self, ui: &Ui, column: usize, step: &Step) {
        let queues = self.queues(step);
        let draw = |row: usize, asked: usize| self.mark(ui, self.cell(column, row), step, asked);
        match self.rows {
            Rows::Banks => {
                queues
                    .iter()
                    .enumerate()
                    .filter(|(_, queue)| !queue.is_empty())
                    .for_each(|(bank, queue)| draw(bank, queue.len()));
            }
            Rows::Addresses => {
                let addresses = queues
                    .iter()
                    .flat_map(|queue| queue.iter().map(|address| (*address as usize, queue.len())));
                addresses
                    .filter(|(address, _)| *address < self.count)
                    .for_each(|(address, asked)| draw(address, asked));
            }
        }
    }

    /// An access: of a bank that is asked for one thing, or for several.
    fn mark(&self, ui: &Ui, cell: Rect, step: &Step, asked: usize) {
        let conflict = step.conflicts() && asked > 1;
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
        } else if conflict && self.rows == Rows::Banks {
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
    let turns = if step.degree == 1 { "1 turn".into() } else { format!("{} turns", step.degree) };
    format!(
        "after {} barriers, access {} of invocations {first} to {}: {turns}\n{what}: {}",
        step.epoch,
        step.number,
        first + memory.banks - 1,
        addresses.join(", ")
    )
}
