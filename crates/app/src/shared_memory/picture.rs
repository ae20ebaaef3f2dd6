//! The accesses to shared memory as a picture: a column for each access of a warp, a row for each bank or address.

use std::ops::Range;

use egui::{Align2, Color32, FontId, Pos2, Rect, ScrollArea, Sense, Shape, Stroke, Ui, pos2, vec2};
use rasterscan_lesson::banks::{BankStep, SharedMemory};
use rasterscan_lesson::phrases::say;
use rasterscan_lesson::shared::Span;

use super::several;
use crate::looks;

/// The meaning of a row of the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Rows {
    /// A row for each bank.
    #[default]
    Banks,
    /// A row for each address.
    Addresses,
}

/// The size of a step and a bank, in points; rows are lower if there are many.
const CELL: f32 = 14.0;
/// The greatest height of the picture, in points.
const HEIGHT: f32 = 300.0;

/// The steps of a work group as columns.
struct Picture<'a> {
    memory: &'a SharedMemory,
    steps: &'a [BankStep],
    rows: Rows,
    /// The stage shown.
    span: Option<&'a Span>,
    count: usize,
    /// The height of a row.
    height: f32,
    origin: Pos2,
}

/// Draws the steps; `seek` scrolls those of the stage into view.
pub fn picture(
    ui: &mut Ui,
    memory: &SharedMemory,
    steps: &[BankStep],
    rows: Rows,
    span: Option<&Span>,
    seek: bool,
) {
    let highest =
        steps.iter().flat_map(|step| &step.accesses).map(|access| access.address).max().unwrap_or(0);
    let count = match rows {
        Rows::Banks => memory.banks as usize,
        // More rows could not be told apart.
        Rows::Addresses => (highest as usize + 1).min(4096),
    };
    let height = if rows == Rows::Banks { CELL } else { (2.0 * HEIGHT / count as f32).clamp(3.0, CELL) };
    let size = vec2(NAMES + steps.len() as f32 * CELL, HEAD + count as f32 * height);
    ScrollArea::both().id_salt("banks").max_height(HEIGHT).auto_shrink([false, true]).show(ui, |ui| {
        let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
        let picture = Picture { memory, steps, rows, span, count, height, origin: rect.min };
        if let Some(first) = steps.iter().position(|step| seek && picture.is_now(step)) {
            let columns = picture.cell(first, 0).expand2(vec2(2.0 * CELL, 0.0)).x_range();
            ui.scroll_to_rect(Rect::from_x_y_ranges(columns, ui.clip_rect().y_range()), None);
        }
        picture.draw(ui);
        let pointed = response.hover_pos().and_then(|at| picture.step_at(at));
        if let Some(step) = pointed {
            response.on_hover_text_at_pointer(say(told(memory, step)));
        }
    });
}

/// Room for the names of rows, and of columns.
const NAMES: f32 = 30.0;
const HEAD: f32 = 14.0;

impl Picture<'_> {
    fn is_now(&self, step: &BankStep) -> bool {
        self.span.is_some_and(|span| span.holds(step.epoch, step.number))
    }

    fn step_at(&self, at: Pos2) -> Option<&BankStep> {
        let column = (at.x - self.origin.x - NAMES) / CELL;
        if column < 0.0 { None } else { self.steps.get(column as usize) }
    }

    fn cell(&self, column: usize, row: usize) -> Rect {
        let corner = vec2(NAMES + column as f32 * CELL, HEAD + row as f32 * self.height);
        Rect::from_min_size(self.origin + corner, vec2(CELL, self.height))
    }

    /// Draws the visible part.
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
                // A barrier, or the next warp.
                let whole = self.cell(column, 0).with_max_y(self.cell(column, self.count - 1).max.y);
                let stroke = Stroke::new(1.0, faint.gamma_multiply(0.6));
                painter.vline(whole.left(), self.origin.y..=whole.bottom(), stroke);
                let head = pos2(whole.left() + 2.0, self.origin.y + HEAD / 2.0);
                painter.text(head, Align2::LEFT_CENTER, step.epoch.to_string(), font.clone(), faint);
            }
            if self.is_now(step) {
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

    /// The rows with a mark of a step, and the number of different words that each row's bank is asked for.
    fn rows_of(&self, step: &BankStep) -> Vec<(usize, u64)> {
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

    fn column(&self, ui: &Ui, column: usize, step: &BankStep) {
        for (row, asked) in self.rows_of(step) {
            self.mark(ui, self.cell(column, row), step, asked);
        }
    }

    /// Draws an access to a bank that is asked for `asked` words: a conflict if an even spread needs fewer turns.
    fn mark(&self, ui: &Ui, cell: Rect, step: &BankStep, asked: u64) {
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
            // Too small for a symbol: a write has a bar on the left, a conflict one across.
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

/// A step in words.
fn told(memory: &SharedMemory, step: &BankStep) -> String {
    let addresses: Vec<String> = step.accesses.iter().map(|access| access.address.to_string()).collect();
    let what = if step.written { "written" } else { "read" };
    let first = u64::from(step.warp) * memory.banks;
    let turns = several(step.degree, "turn");
    format!(
        "after {}, access {} of invocations {first} to {}: {turns}\n{what}: {}",
        several(u64::from(step.epoch), "barrier"),
        step.number,
        first + memory.banks - 1,
        addresses.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared_memory::tests::memory;

    fn step(memory: &SharedMemory, rows: Rows) -> Vec<(usize, u64)> {
        let steps = &memory.steps[..];
        let picture =
            Picture { memory, steps, rows, span: None, count: 64, height: CELL, origin: Pos2::ZERO };
        picture.rows_of(&steps[0])
    }

    #[test]
    fn marks_count_all_words_of_an_item() {
        // Items 0 and 8 of two words: words 0, 1 and 16, 17.
        let apart = memory(&[0, 8], 2);
        assert_eq!(step(&apart, Rows::Banks), [(0, 2), (1, 2)]);
        assert_eq!(step(&apart, Rows::Addresses), [(0, 2), (8, 2)]);
        assert_eq!((apart.steps[0].degree, apart.steps[0].least), (2, 1));
        // The highest mark is the step's degree.
        for (item_words, stride) in [(1, 1), (1, 2), (2, 1), (2, 3), (4, 1), (4, 4)] {
            let addresses: Vec<u32> = (0..16).map(|invocation| stride * invocation).collect();
            let memory = memory(&addresses, item_words);
            for rows in [Rows::Banks, Rows::Addresses] {
                let most = step(&memory, rows).into_iter().map(|(_, asked)| asked).max();
                assert_eq!(most, Some(memory.steps[0].degree), "{item_words} words, {stride} apart");
            }
        }
    }
}
