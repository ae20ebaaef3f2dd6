//! Why an algorithm is chosen: its costs against n beside those of others, from plans alone.

use egui::{
    CollapsingHeader, Context, Grid, Label, RichText, Sense, Ui, WidgetInfo, WidgetType, Window, vec2,
};
use rasterscan::Job;
use rasterscan::operator::Operator;
use rasterscan::registry::{self, Choice};
use rasterscan_drawing::chart::{self, Axis, Lines, Look, Mark, Point, Role, Scale, Series, Sheet};
use rasterscan_drawing::shape::Drawing;
use rasterscan_lesson::why::{Growth, Quantity};

use super::canvas;
use super::looks::{self, grouped};
use super::{App, job};

/// The state of the panel.
#[derive(Default)]
pub struct Why {
    /// True if the window with the larger chart is open.
    pub open: bool,
    quantity: Option<Quantity>,
    /// Algorithms by name that were added to those shown, or taken away.
    toggled: Vec<String>,
    /// The curves, with the question that they answer.
    known: Option<(String, Vec<Growth>)>,
}

/// The heights of the chart in the panel and the least in the window, in points.
const HEIGHTS: [f32; 2] = [210.0, 160.0];

impl App {
    /// The job of the controls' run, whose costs are shown, and its length in items.
    fn questioned(&self) -> Option<(Job, u64)> {
        let index = if self.beside { self.editing } else { 0 };
        let shown = self.shown[index].as_ref()?;
        let recorded = || job::of_recording(&shown.recording);
        Some((shown.job.clone().unwrap_or_else(recorded), shown.recording.request.len()))
    }

    /// The algorithms of the runs shown.
    fn chosen(&self) -> Vec<Choice> {
        let shown = self.visible().filter_map(|index| self.shown[index].as_ref());
        let problem = |shown: &super::shown::Shown| shown.recording.request.problem();
        shown.filter_map(|shown| Choice::parse(problem(shown), &shown.recording.algorithm).ok()).collect()
    }

    /// The curves of all chosen algorithms, made again if the question is another one.
    fn growths(&mut self) -> Option<(Job, u64, Vec<Growth>)> {
        let (job, now) = self.questioned()?;
        let toggled = &self.why.toggled;
        let is = |name: &str| toggled.iter().any(|known| known == name);
        let mut choices: Vec<Choice> =
            self.chosen().into_iter().filter(|choice| !is(&choice.to_string())).collect();
        for card in registry::of(job.problem) {
            // The sequential algorithm is there unless it is taken away; others are added.
            let by_default = card.name == registry::sequential(job.problem).card.name;
            let shown = choices.iter().any(|choice| choice.to_string() == card.name);
            if by_default != is(card.name) && !shown {
                choices.push(card.with_defaults());
            }
        }
        let names: Vec<String> = choices.iter().map(Choice::to_string).collect();
        let question = format!("{job} {now} {} {names:?}", self.engine.device());
        if self.why.known.as_ref().is_none_or(|(known, _)| *known != question) {
            let device = self.engine.limits();
            let growths = choices.iter().map(|choice| Growth::new(&job, choice, &device, now));
            self.why.known = Some((question, growths.collect()));
        }
        let growths = self.why.known.as_ref().map(|(_, growths)| growths.clone())?;
        Some((job, now, growths))
    }

    /// The measured time of a run shown, in milliseconds, with its clock.
    fn measured(&self, algorithm: &str) -> Option<String> {
        let shown = self.visible().filter_map(|index| self.shown[index].as_ref());
        let recording = &shown.into_iter().find(|shown| shown.recording.algorithm == algorithm)?.recording;
        let times = recording.passes.iter().map(|pass| pass.time);
        let sum: std::time::Duration = times.sum::<Option<_>>()?;
        (!sum.is_zero()).then(|| format!("{:.3} ms", sum.as_secs_f64() * 1e3))
    }
}

/// Shows the part of the right panel.
pub fn panel(app: &mut App, ui: &mut Ui) {
    CollapsingHeader::new("Why this algorithm").id_salt("why").show_unindented(ui, |ui| {
        if ui.button("Larger").on_hover_text("the same in a window, with numbers").clicked() {
            app.why.open = true;
        }
        contents(app, ui, false);
    });
}

/// Shows the window if it is open.
pub fn window(app: &mut App, ctx: &Context) {
    let mut open = app.why.open;
    let room = ctx.content_rect().size() - vec2(24.0, 60.0);
    let size = room.min(vec2(860.0, 640.0)).max(vec2(60.0, 60.0));
    let window = Window::new("Why this algorithm").open(&mut open).default_size(size).max_size(room);
    window.vscroll(true).show(ctx, |ui| contents(app, ui, true));
    app.why.open = open;
}

fn contents(app: &mut App, ui: &mut Ui, large: bool) {
    let Some((job, now, growths)) = app.growths() else {
        ui.weak("Nothing has been run yet.");
        return;
    };
    let adds = job.options.operator() == Operator::ADD;
    let mut quantity = app.why.quantity.unwrap_or(Quantity::Operations);
    ui.horizontal_wrapped(|ui| {
        for one in Quantity::ALL {
            ui.selectable_value(&mut quantity, one, one.name(adds)).on_hover_text(one.about());
        }
    });
    app.why.quantity = Some(quantity);
    let height = if large { (ui.available_height() * 0.6).clamp(HEIGHTS[1], 420.0) } else { HEIGHTS[0] };
    draw_chart(ui, &growths, (quantity, adds, now), height);
    legend(app, ui, &job, &growths, large);
    if large {
        table(app, ui, &growths, (adds, now));
    }
    for growth in &growths {
        if let Some((n, reason)) = &growth.refused {
            let text = format!("{} ends before n = {}: {reason}", growth.name, grouped(*n));
            ui.add(Label::new(RichText::new(text).small()).wrap());
        }
    }
    let about = format!(
        "Counts of the plans for {}, not measured: the most, where they depend on the numbers.",
        app.engine.device()
    );
    ui.add(Label::new(RichText::new(about).small().color(looks::faint(ui.visuals()))).wrap());
}

fn draw_chart(ui: &mut Ui, growths: &[Growth], (quantity, adds, now): (Quantity, bool, u64), height: f32) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    let name = quantity.name(adds);
    response
        .widget_info(|| WidgetInfo::labeled(WidgetType::Image, true, format!("Chart of {name} against n")));
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
        x: Axis { label: "n, items".into(), scale: Scale::Log2 },
        y: Axis { label: name.into(), scale: Scale::Log10 },
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

/// The algorithms with a sample of each line; a click takes one away. A menu adds others.
fn legend(app: &mut App, ui: &mut Ui, job: &Job, growths: &[Growth], large: bool) {
    let theme = looks::theme(ui.visuals());
    let toggle = |toggled: &mut Vec<String>, name: &str| match toggled.iter().position(|known| known == name)
    {
        Some(at) => drop(toggled.remove(at)),
        None => toggled.push(name.into()),
    };
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
    ui.menu_button("Add an algorithm", |ui| {
        for card in registry::of(job.problem) {
            if growths.iter().any(|growth| growth.name == card.name) {
                continue;
            }
            if ui.button(card.name).on_hover_text(card.summary).clicked() {
                toggled = Some(card.name.into());
            }
        }
    });
    if let Some(name) = toggled {
        toggle(&mut app.why.toggled, &name);
    }
}

/// The counts at the current length, and the times that were measured there.
fn table(app: &App, ui: &mut Ui, growths: &[Growth], (adds, now): (bool, u64)) {
    ui.add_space(4.0);
    ui.label(RichText::new(format!("At n = {}", grouped(now))).strong());
    let grid = Grid::new("why").num_columns(Quantity::ALL.len() + 2).spacing([16.0, 4.0]).striped(true);
    egui::ScrollArea::horizontal().show(ui, |ui| {
        grid.show(ui, |ui| {
            ui.label("");
            Quantity::ALL.into_iter().for_each(|one| _ = ui.label(one.name(adds)));
            ui.label("time of the passes here").on_hover_text("of the recorded run on this device");
            ui.end_row();
            for growth in growths {
                ui.label(&growth.name);
                for one in Quantity::ALL {
                    let count = growth.at(now).map(|costs| costs.of(one)).filter(|count| *count > 0);
                    ui.monospace(count.map_or("none".into(), grouped));
                }
                ui.label(app.measured(&growth.name).unwrap_or_else(|| "not timed".into()));
                ui.end_row();
            }
        });
    });
}
