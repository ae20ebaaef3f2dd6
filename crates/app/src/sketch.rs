//! Passes that the user draws on the first screen: arrows from numbers to the workers of the next row.

use egui::{
    Align2, Color32, CornerRadius, FontId, Pos2, Rect, RichText, Sense, Stroke, StrokeKind, TextStyle, Ui,
    WidgetInfo, WidgetType,
};
use egui::{pos2, vec2};
use rasterscan_lesson::phrases::say;
use rasterscan_lesson::sketch::{Lack, Partial, Sketch};

use super::{looks, spoken};

/// The numbers of the first screen.
pub const NUMBERS: [u32; 8] = [3, 1, 7, 0, 4, 1, 6, 3];

/// The passes that suffice.
const ENOUGH: usize = 3;

/// The heights of the indices' row and of the goal's, in points.
const INDICES: f32 = 18.0;
const GOAL: f32 = 26.0;

/// The arrow that is there at first.
const EXAMPLE: [usize; 2] = [0, 1];

/// The largest width of a number, in points: a share of the window's height between two ends.
const MOST: (f32, [f32; 2]) = (0.1, [52.0, 96.0]);

/// The state from frame to frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SketchView {
    sketch: Sketch,
    /// The number from which an arrow is being drawn: its row and position.
    from: Option<(usize, usize)>,
    /// True if the arrows are Horn's, which were asked for.
    shown: bool,
}

impl Default for SketchView {
    fn default() -> SketchView {
        let mut sketch = Sketch::new(NUMBERS.to_vec());
        let [from, to] = EXAMPLE;
        sketch.draw(0, from, to);
        SketchView { sketch, from: None, shown: false }
    }
}

impl SketchView {
    /// Shows the numbers, the passes and what is still missing. Returns true if Horn's scan is to be watched.
    pub fn show(&mut self, ui: &mut Ui) -> bool {
        let count = self.sketch.numbers.len();
        let room = ui.available_width();
        let (share, [least, most]) = MOST;
        let most = (ui.clip_rect().height() * share).clamp(least, most);
        let step = (room / (count as f32 + 2.0)).min(most * 1.25);
        let (cell, drop) = (step * 0.8, (step * 1.25).clamp(44.0, most * 1.16));
        let rows = self.sketch.passes().max(ENOUGH) + 1;
        let height = drop * (rows - 1) as f32 + cell * 0.75;
        let (whole, _) = ui.allocate_exact_size(vec2(room, INDICES + height + GOAL), Sense::hover());
        let left = whole.center().x - step * count as f32 / 2.0 + step * 0.5;
        let rect_of = |row: usize, at: usize| {
            let top = whole.top() + INDICES + drop * row as f32;
            let corner = pos2(left + step * at as f32 - cell / 2.0, top);
            Rect::from_min_size(corner, vec2(cell, cell * 0.75))
        };
        self.arrows(ui, rect_of);
        let mut released = None;
        for row in 0..rows {
            let done = self.sketch.after(row);
            let is_made = row <= self.sketch.passes();
            let name = if row == 0 { "start".into() } else { format!("pass {row}") };
            self.label(ui, &name, rect_of(row, 0), is_made);
            for (at, partial) in done.iter().enumerate() {
                let rect = rect_of(row, at);
                let response =
                    ui.interact(rect.expand(step * 0.1), ui.id().with((row, at)), Sense::click_and_drag());
                let value = if is_made { partial.value.to_string() } else { String::new() };
                let name = say(format!("row {row}, position {at}: {value}"));
                response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, &name));
                self.number(ui, rect, row, at, is_made.then_some(partial), response.hovered());
                if response.drag_started() && row <= self.sketch.passes() {
                    self.from = Some((row, at));
                }
                let pointed =
                    ui.input(|input| input.pointer.interact_pos()).is_some_and(|place| rect.contains(place));
                if pointed && ui.input(|input| input.pointer.any_released()) {
                    released = Some((row, at, response.clicked()));
                } else if response.clicked() {
                    // By a key, or by a screen reader.
                    released = Some((row, at, true));
                }
            }
        }
        let goal = Sketch::horn(self.sketch.numbers.clone()).after(usize::MAX);
        for (at, sum) in goal.iter().enumerate() {
            let [above, below] = [whole.top(), whole.bottom()].map(|y| pos2(rect_of(0, at).center().x, y));
            let (index, font) = (FontId::monospace(11.0), FontId::proportional(13.0));
            let colour = looks::faint(ui.visuals());
            ui.painter().text(above, Align2::CENTER_TOP, at, index, colour);
            ui.painter().text(below, Align2::CENTER_BOTTOM, sum.value, font, colour);
        }
        let goal = rect_of(0, 0).with_min_y(whole.bottom() - 16.0).with_max_y(whole.bottom());
        self.label(ui, "goal", goal, false);
        match (released, self.from) {
            (Some((row, at, _)), Some((from, source))) if row == from + 1 => {
                self.sketch.draw(from, source, at);
                (self.from, self.shown) = (None, false);
            }
            // A click chooses where an arrow begins; the next one where it ends.
            (Some((row, at, true)), _) if row <= self.sketch.passes() => self.from = Some((row, at)),
            _ if ui.input(|input| input.pointer.any_released()) => self.from = None,
            _ => {}
        }
        if let (Some((row, at)), Some(place)) = (self.from, ui.input(|input| input.pointer.interact_pos()))
            && ui.input(|input| input.pointer.any_down())
        {
            arrow(ui, rect_of(row, at).center_bottom(), place, looks::ACCENT);
            ui.ctx().request_repaint();
        }
        self.verdict(ui);
        self.buttons(ui)
    }

    /// The name of a row, left of it.
    fn label(&self, ui: &Ui, text: &str, first: Rect, is_made: bool) {
        let place = first.left_center() - vec2(6.0, 0.0);
        let visuals = ui.visuals();
        let colour = if is_made { looks::ink(visuals) } else { looks::faint(visuals) };
        ui.painter().text(place, Align2::RIGHT_CENTER, say(text), FontId::proportional(12.0), colour);
    }

    fn number(&self, ui: &Ui, rect: Rect, row: usize, at: usize, partial: Option<&Partial>, hovered: bool) {
        let visuals = ui.visuals();
        let is_whole = |partial: &&Partial| {
            partial.counts.iter().enumerate().all(|(place, count)| *count == u32::from(place <= at))
        };
        let whole = partial.filter(is_whole).is_some();
        let chosen = self.from == Some((row, at));
        let stroke = match () {
            () if chosen || hovered => Stroke::new(2.0, looks::ACCENT),
            () if whole => Stroke::new(2.0, looks::right(visuals)),
            () if partial.is_none() => Stroke::new(1.0, looks::faint(visuals).gamma_multiply(0.4)),
            () => Stroke::new(1.0, looks::faint(visuals)),
        };
        ui.painter().rect(rect, CornerRadius::same(3), looks::paper(visuals), stroke, StrokeKind::Inside);
        let Some(partial) = partial else { return };
        let colour = if whole { looks::right(visuals) } else { looks::ink(visuals) };
        let font = FontId::proportional((rect.height() * 0.5).clamp(13.0, 22.0));
        ui.painter().text(rect.center(), Align2::CENTER_CENTER, partial.value, font, colour);
    }

    fn arrows(&self, ui: &Ui, rect_of: impl Fn(usize, usize) -> Rect) {
        for pass in 0..self.sketch.passes() {
            for to in 0..self.sketch.numbers.len() {
                let end = rect_of(pass + 1, to).center_top();
                let own = rect_of(pass, to).center_bottom();
                ui.painter().line_segment([own, end], Stroke::new(1.0, looks::faint(ui.visuals())));
                if let Some(from) = self.sketch.arrow(pass, to) {
                    arrow(ui, rect_of(pass, from).center_bottom(), end, looks::ACCENT);
                }
            }
        }
    }

    /// The last row in words.
    fn verdict(&self, ui: &mut Ui) {
        let passes = self.sketch.passes();
        let lacks = self.sketch.lacks();
        let is_example = self.sketch == SketchView::default().sketch;
        let (text, colour) = match (passes, lacks.first()) {
            _ if passes == 0 || is_example => (
                "Drag from a number down to another worker, as the arrow from 3 to the worker of 1: it adds the number to its \
                 own. All arrows of a row run at the same time, in one pass."
                    .into(),
                looks::ink(ui.visuals()),
            ),
            (_, Some(lack)) => (told(&self.sketch, lack, lacks.len()), looks::ink(ui.visuals())),
            (ENOUGH, None) if self.shown => (
                "Horn's answer of 2005: reach back 1, then 2, then 4. After each pass, twice as many numbers are in every sum."
                    .into(),
                looks::right(ui.visuals()),
            ),
            (ENOUGH, None) => (
                "All eight sums in three passes. This is how Horn scanned on a GPU in 2005.".into(),
                looks::right(ui.visuals()),
            ),
            (passes, None) => {
                (format!("All eight sums, in {passes} passes. Three are enough."), looks::right(ui.visuals()))
            }
        };
        ui.vertical_centered(|ui| spoken::told(ui, RichText::new(say(text)).size(14.0).color(colour)));
    }

    fn buttons(&mut self, ui: &mut Ui) -> bool {
        let mut watched = false;
        ui.add_space(4.0);
        let room = ui.available_width();
        let [undo, again, answer, watch] =
            ["Take back the last pass", "Begin again", "Show an answer", "Watch a GPU do it"].map(say);
        let font = TextStyle::Button.resolve(ui.style());
        let beside = 2.0 * ui.spacing().button_padding.x + ui.spacing().item_spacing.x;
        let width = |text: &String| {
            let text = ui.painter().layout_no_wrap(text.clone(), font.clone(), Color32::PLACEHOLDER);
            text.size().x + beside
        };
        let all: f32 = [&undo, &again, &answer, &watch].map(width).iter().sum();
        ui.horizontal_wrapped(|ui| {
            ui.add_space(((room - all) / 2.0).max(0.0));
            let any = self.sketch.passes() > 0;
            if ui.add_enabled(any, egui::Button::new(undo)).clicked() {
                self.sketch.undo();
            }
            if ui.add_enabled(any, egui::Button::new(again)).clicked() {
                *self = SketchView::default();
            }
            if ui.button(answer).clicked() {
                *self = SketchView { sketch: Sketch::horn(NUMBERS.to_vec()), from: None, shown: true };
            }
            watched = ui.add(looks::primary(ui, watch)).clicked();
        });
        watched
    }
}

/// The first result that is not a sum yet, in words.
fn told(sketch: &Sketch, lack: &Lack, all: usize) -> String {
    let sum = |places: &[usize]| {
        let numbers: Vec<String> = places.iter().map(|place| sketch.numbers[*place].to_string()).collect();
        numbers.join(" + ")
    };
    let position = lack.position;
    let first = match (&lack.missing[..], &lack.excess[..]) {
        ([], excess) => format!("Position {position} has {} too much", sum(excess)),
        (missing, []) => format!("Position {position} still lacks {}", sum(missing)),
        (missing, excess) => {
            format!("Position {position} lacks {}, and has {} too much", sum(missing), sum(excess))
        }
    };
    let rest = match all {
        1 => ". All other sums are there.".into(),
        all => format!("; {} of {} sums are not there yet.", all, sketch.numbers.len()),
    };
    first + &rest
}

/// An arrow from one point to another.
fn arrow(ui: &Ui, from: Pos2, to: Pos2, colour: egui::Color32) {
    let stroke = Stroke::new(2.0, colour);
    let along = (to - from).normalized() * 8.0;
    let across = along.rot90() * 0.5;
    ui.painter().line_segment([from, to], stroke);
    ui.painter().line_segment([to - along + across, to], stroke);
    ui.painter().line_segment([to - along - across, to], stroke);
}
