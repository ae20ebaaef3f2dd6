//! Why an algorithm is chosen: its costs against n beside those of others, from plans alone.

use egui::{
    CollapsingHeader, Context, Grid, Label, RichText, Sense, Ui, WidgetInfo, WidgetType, Window, vec2,
};
use rasterscan::operator::Operator;
use rasterscan::tools::Job;
use rasterscan::tools::registry::{self, Choice};
use rasterscan_drawing::chart::{self, Axis, Lines, Look, Mark, Point, Role, Scale, Series, Sheet};
use rasterscan_drawing::shape::Drawing;
use rasterscan_lesson::phrases::say;
use rasterscan_lesson::why::{Growth, Quantity};

use super::looks::{self, grouped};
use super::runs::Runs;
use super::shown::Shown;
use super::{canvas, job};

/// The state of the panel.
#[derive(Default)]
pub struct Why {
    /// True if the window with the larger chart is open.
    pub open: bool,
    quantity: Quantity,
    /// Algorithms by name that were added to those shown, or taken away.
    toggled: Vec<String>,
    /// The curves, with the question that they answer.
    known: Option<(String, Vec<Growth>)>,
}

/// The heights of the chart in the panel and the least in the window, in points.
const HEIGHTS: [f32; 2] = [210.0, 160.0];

impl Why {
    /// Shows the part of the right panel.
    pub fn panel(&mut self, ui: &mut Ui, runs: &Runs) {
        CollapsingHeader::new(say("Why this algorithm")).id_salt("why").show_unindented(ui, |ui| {
            if ui.button(say("Larger")).on_hover_text(say("the same in a window, with numbers")).clicked() {
                self.open = true;
            }
            self.contents(ui, runs, false);
        });
    }

    /// Shows the window if it is open.
    pub fn window(&mut self, ctx: &Context, runs: &Runs) {
        let mut open = self.open;
        let room = ctx.content_rect().size() - vec2(24.0, 60.0);
        let size = room.min(vec2(860.0, 640.0)).max(vec2(60.0, 60.0));
        let window = Window::new(say("Why this algorithm")).open(&mut open).default_size(size).max_size(room);
        let window = window.default_pos(looks::BELOW_BAR);
        window.vscroll(true).show(ctx, |ui| self.contents(ui, runs, true));
        self.open = open;
    }

    fn contents(&mut self, ui: &mut Ui, runs: &Runs, large: bool) {
        let Some((job, now, growths)) = self.growths(runs) else {
            ui.weak(say("Nothing has been run yet."));
            return;
        };
        let adds = job.options.operator() == Operator::ADD;
        ui.horizontal_wrapped(|ui| {
            for one in Quantity::ALL {
                ui.selectable_value(&mut self.quantity, one, say(one.name(adds)))
                    .on_hover_text(say(one.about()));
            }
        });
        let height = if large { (ui.available_height() * 0.6).clamp(HEIGHTS[1], 420.0) } else { HEIGHTS[0] };
        draw_chart(ui, &growths, self.quantity, adds, now, height);
        if let Some(name) = legend(ui, &job, &growths, large) {
            match self.toggled.iter().position(|known| *known == name) {
                Some(at) => drop(self.toggled.remove(at)),
                None => self.toggled.push(name),
            }
        }
        if large {
            table(ui, runs, &growths, adds, now);
        }
        for growth in &growths {
            if let Some((n, reason)) = &growth.refused {
                let text =
                    format!("{}: {reason}", say(format!("{} ends before n = {}", growth.name, grouped(*n))));
                ui.add(Label::new(RichText::new(text).small()).wrap());
            }
        }
        let about = format!(
            "{}: {}",
            runs.engine.device(),
            say("counts of the plans, not measured; the most, where they depend on the numbers.")
        );
        ui.add(Label::new(RichText::new(about).small().color(looks::faint(ui.visuals()))).wrap());
    }

    /// The job of the controls' run, whose costs are shown, its length in items, and the curves of all chosen algorithms,
    /// made again if the question is another one.
    fn growths(&mut self, runs: &Runs) -> Option<(Job, u64, Vec<Growth>)> {
        let shown = runs.both[runs.chosen()].shown.as_ref()?;
        let job = shown.job.clone().unwrap_or_else(|| job::of_recording(&shown.recording));
        let now = shown.recording.request.len();
        let is = |name: &str| self.toggled.iter().any(|known| known == name);
        let chosen = |shown: &Shown| Choice::parse(job.problem, &shown.recording.algorithm).ok();
        let mut choices: Vec<Choice> = runs.shown().filter_map(chosen).collect();
        choices.retain(|choice| !is(&choice.to_string()));
        for card in registry::of(job.problem) {
            // The sequential algorithm is there unless it is taken away; others are added.
            let by_default = card.name == registry::sequential(job.problem).card.name;
            let shown = choices.iter().any(|choice| choice.to_string() == card.name);
            if by_default != is(card.name) && !shown {
                choices.push(card.with_defaults());
            }
        }
        let names: Vec<String> = choices.iter().map(Choice::to_string).collect();
        let question = format!("{job} {now} {} {names:?}", runs.engine.device());
        if self.known.as_ref().is_none_or(|(known, _)| *known != question) {
            let device = runs.engine.limits();
            let growths = choices.iter().map(|choice| Growth::new(&job, choice, &device, now));
            self.known = Some((question, growths.collect()));
        }
        let growths = self.known.as_ref().map(|(_, growths)| growths.clone())?;
        Some((job, now, growths))
    }
}

/// The measured time of a run shown, in milliseconds.
fn measured(runs: &Runs, algorithm: &str) -> Option<String> {
    let recording = &runs.shown().find(|shown| shown.recording.algorithm == algorithm)?.recording;
    let times = recording.passes.iter().map(|pass| pass.time);
    let sum: std::time::Duration = times.sum::<Option<_>>()?;
    (!sum.is_zero()).then(|| format!("{:.3} ms", sum.as_secs_f64() * 1e3))
}

fn draw_chart(ui: &mut Ui, growths: &[Growth], quantity: Quantity, adds: bool, now: u64, height: f32) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    let name = say(quantity.name(adds));
    response.widget_info(|| {
        WidgetInfo::labeled(WidgetType::Image, true, say(format!("Chart of {name} against n")))
    });
    let series = |growth: &Growth| Series {
        name: growth.name.clone(),
        points: growth
            .costs
            .iter()
            .map(|costs| Point::new(costs.n as f64, costs.of(quantity) as f64))
            .collect(),
        role: Role::Data,
    };
    let refused = growths.iter().enumerate().filter(|(_, growth)| growth.refused.is_some());
    let ends = refused.map(|(series, _)| Mark::End { series });
    let now = Mark::Vertical { at: now as f64, label: format!("n = {}", grouped(now)) };
    let lines = Lines {
        title: String::new(),
        x: Axis { label: say("n, items"), scale: Scale::Log2 },
        y: Axis { label: name, scale: Scale::Log10 },
        series: growths.iter().map(series).collect(),
        marks: ends.chain([now]).collect(),
    };
    let mut drawing = Drawing::new(0.0, 0.0);
    let theme = looks::theme(ui.visuals());
    let sheet = Sheet::window((rect.left().into(), rect.right().into()), rect.bottom().into(), theme);
    let look = |number, _: &Series| {
        let stroke = chart::stroke(number, &theme);
        Look::bare(stroke, stroke.colour)
    };
    lines.draw(&sheet, look, &mut drawing, rect.top().into());
    canvas::paint_drawing(ui.painter(), &drawing);
}

/// The algorithms with a sample of each line; a click takes one away. A menu adds others. Returns the name of the one that
/// is added or taken away.
fn legend(ui: &mut Ui, job: &Job, growths: &[Growth], large: bool) -> Option<String> {
    let theme = looks::theme(ui.visuals());
    let mut toggled = None;
    let row = |ui: &mut Ui| {
        for (number, growth) in growths.iter().enumerate() {
            ui.horizontal(|ui| {
                let (rect, _) = ui.allocate_exact_size(vec2(26.0, 16.0), Sense::hover());
                let line = chart::stroke(number, &theme);
                let mut drawing = Drawing::new(0.0, 0.0);
                let y = f64::from(rect.center().y);
                drawing.line(vec![(rect.left().into(), y), (rect.right().into(), y)], line);
                canvas::paint_drawing(ui.painter(), &drawing);
                ui.add(Label::new(&growth.name).truncate());
                let away = ui.small_button("×");
                if looks::named(away, &format!("Without {}", growth.name), "").clicked() {
                    toggled = Some(growth.name.clone());
                }
            });
        }
    };
    if large {
        ui.horizontal_wrapped(row)
    } else {
        ui.vertical(row)
    };
    ui.menu_button(say("Add an algorithm"), |ui| {
        for card in registry::of(job.problem) {
            if growths.iter().any(|growth| growth.name == card.name) {
                continue;
            }
            if ui.button(card.name).on_hover_text(say(card.summary)).clicked() {
                toggled = Some(card.name.into());
            }
        }
    });
    toggled
}

/// The counts at the current length, and the times that were measured there.
fn table(ui: &mut Ui, runs: &Runs, growths: &[Growth], adds: bool, now: u64) {
    ui.add_space(4.0);
    ui.label(RichText::new(say(format!("At n = {}", grouped(now)))).strong());
    let grid = Grid::new("why").num_columns(Quantity::ALL.len() + 2).spacing([16.0, 4.0]).striped(true);
    egui::ScrollArea::horizontal().show(ui, |ui| {
        grid.show(ui, |ui| {
            ui.label("");
            Quantity::ALL.into_iter().for_each(|one| _ = ui.label(say(one.name(adds))));
            ui.label(say("time of the passes here")).on_hover_text(say("of the recorded run on this device"));
            ui.end_row();
            for growth in growths {
                ui.label(&growth.name);
                for one in Quantity::ALL {
                    let count = growth.at(now).map(|costs| costs.of(one)).filter(|count| *count > 0);
                    ui.monospace(count.map_or_else(|| say("none"), grouped));
                }
                ui.label(measured(runs, &growth.name).unwrap_or_else(|| say("not timed")));
                ui.end_row();
            }
        });
    });
}
