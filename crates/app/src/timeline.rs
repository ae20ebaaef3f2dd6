//! The bottom panel: the run's passes on a line, and the playback buttons.

use egui::{Align2, FontId, Rect, RichText, Sense, Ui, Vec2, WidgetInfo, WidgetType, pos2, vec2};

use super::keys::Deed;
use super::looks::{self, ACCENT, colour, sign};
use super::shown::Shown;
use super::view::{SPEEDS, View};
use super::{App, counters};
use rasterscan_drawing::colour::text_on;

/// The height of a run's line, in points.
const LINE: f32 = 26.0;

/// Shows the timeline in a window of this size.
pub fn show(app: &mut App, ui: &mut Ui, window: Vec2) {
    // In a narrow window one set of counts has room, and the tour needs it.
    let sheet = (app.tour.open || app.beside) && window.x < super::panels::NARROW;
    let small = app.welcoming && (window.x < super::panels::NARROW || window.y < 560.0);
    let low = window.y < 400.0 || app.embedded || sheet || small;
    ui.add_space(2.0);
    show_line(app, ui);
    if !low {
        ui.add_space(2.0);
        egui::ScrollArea::horizontal().id_salt("counters").show(ui, |ui| {
            ui.horizontal_top(|ui| {
                for index in app.visible() {
                    if let Some(shown) = &app.shown[index] {
                        let position = app.view.position.min(shown.passes());
                        ui.vertical(|ui| {
                            if app.beside {
                                ui.label(RichText::new(&shown.recording.algorithm).strong());
                            }
                            counters::show(ui, shown, position, index);
                        });
                        ui.add_space(12.0);
                    }
                }
            });
        });
    }
    ui.add_space(2.0);
}

/// Shows the buttons and the lines, without counts.
pub fn show_line(app: &mut App, ui: &mut Ui) {
    transport(app, ui);
    let phases = app.phases();
    for index in app.visible() {
        if let Some(shown) = &app.shown[index] {
            let label = app.beside.then_some(shown.recording.algorithm.as_str());
            let position = line(ui, shown, &phases, &app.view, app.shown_last(), label, index);
            if let Some(position) = position {
                app.go(position);
            }
        }
    }
}

impl App {
    /// The phases of all visible runs: a phase has the same colour in both.
    fn phases(&self) -> Vec<String> {
        let mut phases: Vec<String> = Vec::new();
        for name in
            self.visible().filter_map(|index| self.shown[index].as_ref()).flat_map(|shown| &shown.phases)
        {
            if !phases.contains(name) {
                phases.push(name.clone());
            }
        }
        phases
    }

    /// The passes of the longer run: both lines have the same scale.
    fn shown_last(&self) -> usize {
        self.last()
    }
}

/// The playback buttons.
fn transport(app: &mut App, ui: &mut Ui) {
    let last = app.last();
    let now = ui.input(|input| input.time);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 3.0;
        let (symbol, name) = if app.view.playing { ("▮▮", "Pause") } else { ("▶", "Play") };
        let buttons = [
            ("⇤", "To the beginning", "home", Deed::Begin, app.view.position > 0),
            ("◀", "Step back", "left", Deed::Back, app.view.position > 0),
            (symbol, name, "space", Deed::Play, last > 0),
            (
                "▶",
                "Step forward",
                "right",
                Deed::Forward,
                app.view.position < last || app.view.memory.stage.is_some(),
            ),
            ("⇥", "To the end", "end", Deed::End, app.view.position < last),
        ];
        for (number, (symbol, name, key, deed, enabled)) in buttons.into_iter().enumerate() {
            // Smaller symbols for steps than for playing.
            let symbol = match number {
                1 => "◂",
                3 => "▸",
                _ => symbol,
            };
            let clicked = ui.add_enabled_ui(enabled, |ui| sign(ui, symbol, name, key, false).clicked()).inner;
            if clicked {
                app.perform(deed, now);
            }
        }
        if sign(ui, "↻", "Loop", "", app.view.looping).clicked() {
            app.view.looping = !app.view.looping;
        }
        let narrow = ui.max_rect().width() < 440.0;
        if !narrow {
            ui.add_space(8.0);
            ui.label(RichText::new("speed").color(looks::faint(ui.visuals())));
        }
        if sign(ui, "−", "Slower", "-", false).clicked() {
            app.perform(Deed::Slower, now);
        }
        let speed = egui::DragValue::new(&mut app.view.speed).range(SPEEDS).speed(0.05).suffix(" /s");
        ui.add(speed).on_hover_text("passes per second, regardless of the number of items");
        if sign(ui, "+", "Faster", "+", false).clicked() {
            app.perform(Deed::Faster, now);
        }
        // If there is no room, the picture shows the position.
        if !narrow {
            ui.add_space(8.0);
            ui.label(RichText::new(position_text(app)).strong());
        }
    });
}

fn position_text(app: &App) -> String {
    let position = app.view.position;
    let stages = app.view.memory.stages_at(position);
    let stage = app.view.memory.stage.filter(|_| stages > 0);
    let stage = stage.map_or(String::new(), |stage| format!(", stage {} of {stages}", stage + 1));
    match app.beside {
        true if !stage.is_empty() => format!("step {position} of {}{stage} of each", app.last()),
        true => format!("step {position} of {}: one pass of each per step", app.last()),
        false => {
            let phase = app.shown[0].as_ref().and_then(|shown| {
                shown.recording.passes.get(position.checked_sub(1)?).map(|pass| pass.phase.as_str())
            });
            let phase = phase.map_or(String::new(), |phase| format!(": {phase}"));
            format!("pass {position} of {}{phase}{stage}", app.last())
        }
    }
}

/// Shows a run's passes as marks on a line, by phase; returns the position that was clicked or dragged to.
fn line(
    ui: &mut Ui,
    shown: &Shown,
    phases: &[String],
    view: &View,
    last: usize,
    label: Option<&str>,
    index: usize,
) -> Option<usize> {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), LINE), Sense::click_and_drag());
    let name = format!("Timeline {}", index + 1);
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Slider, true, &name));
    let rect = match label {
        // The name precedes the line if there is room for both.
        Some(label) if rect.width() > 360.0 => {
            let at = rect.left_center();
            let faint = looks::faint(ui.visuals());
            ui.painter().text(at, Align2::LEFT_CENTER, label, FontId::proportional(12.0), faint);
            rect.with_min_x(rect.left() + 130.0)
        }
        _ => rect,
    };
    let rect = rect.shrink2(vec2(6.0, 3.0));
    // Room for the start, narrower than that of a pass.
    let begin = 10.0f32;
    let wide = (rect.width() - begin) / last.max(1) as f32;
    let end_of = |position: usize| rect.left() + begin + position as f32 * wide;
    marks(ui, shown, phases, rect, &end_of);
    let position = view.position;
    // Stages have ticks in their passes; the whole pass is at its end.
    let stage_end = |pass: usize, stage: usize, of: usize| {
        end_of(pass) + (end_of(pass + 1) - end_of(pass)) * (stage + 1) as f32 / (of + 1) as f32
    };
    for (pass, of) in view.memory.stages.iter().enumerate().filter(|(pass, _)| *pass < shown.passes()) {
        let of = (*of).min(shown.stages_at(pass + 1));
        for stage in (0..of).filter(|_| wide / (of + 1) as f32 > 4.0) {
            let stroke = egui::Stroke::new(1.0, looks::paper(ui.visuals()));
            let low = rect.with_min_y(rect.bottom() - 7.0);
            ui.painter().vline(stage_end(pass, stage, of), low.y_range(), stroke);
        }
    }
    let at = match (view.memory.stage, view.memory.stages_at(position)) {
        (Some(stage), of) if of > 0 && position <= shown.passes() => {
            stage_end(position - 1, stage.min(of - 1), of)
        }
        _ => end_of(position.min(shown.passes())).min(rect.right()),
    };
    let ink = looks::ink(ui.visuals());
    let head = Rect::from_center_size(pos2(at, rect.center().y), vec2(3.0, rect.height() + 6.0));
    ui.painter().rect_filled(head.expand(1.0), 2.0, looks::paper(ui.visuals()));
    ui.painter().rect_filled(head, 2.0, if position > shown.passes() { ink } else { ACCENT });
    let pointer = response
        .interact_pointer_pos()
        .filter(|_| response.clicked() || response.is_pointer_button_down_on());
    if let Some(hover) = response.hover_pos().filter(|_| !response.dragged()) {
        let pass = ((hover.x - rect.left() - begin) / wide).floor();
        if pass >= 0.0 && (pass as usize) < shown.passes() {
            let pass = pass as usize;
            let phase = &shown.recording.passes[pass].phase;
            response.on_hover_text_at_pointer(format!("pass {}: {phase}", pass + 1));
        }
    }
    pointer.map(|at| ((at.x - rect.left() - begin) / wide + 0.5).floor().clamp(0.0, last as f32) as usize)
}

/// Draws a bar for each phase with its name, and a mark at the end of each pass.
fn marks(ui: &Ui, shown: &Shown, phases: &[String], rect: Rect, end_of: &dyn Fn(usize) -> f32) {
    let painter = ui.painter();
    let base = ui.visuals().widgets.noninteractive.bg_stroke.color;
    painter.rect_filled(rect.with_max_x(end_of(0) - 1.0), 2.0, base);
    let mut from = 0;
    while from < shown.passes() {
        let phase = shown.phase(from);
        let same = (from..shown.passes()).take_while(|pass| shown.phase(*pass) == phase).count();
        let colour_of = phases.iter().position(|name| *name == shown.phases[phase]).unwrap_or(0);
        let fill = looks::phase(colour_of);
        let bar = Rect::from_x_y_ranges(end_of(from)..=end_of(from + same) - 1.0, rect.y_range());
        painter.rect_filled(bar, 2.0, colour(fill));
        let ink = colour(text_on(fill));
        for pass in from + 1..from + same {
            painter.vline(
                end_of(pass) - 0.5,
                bar.y_range(),
                egui::Stroke::new(1.0, looks::paper(ui.visuals())),
            );
        }
        let name = painter.layout_no_wrap(shown.phases[phase].clone(), FontId::proportional(11.0), ink);
        if name.size().x + 8.0 < bar.width() {
            let at = pos2(bar.left() + 5.0, bar.center().y - name.size().y / 2.0);
            // On its own background, because marks of passes run through it.
            let ground = Rect::from_min_size(at, name.size()).expand2(vec2(2.0, 0.0));
            painter.rect_filled(ground, 0.0, colour(fill));
            painter.galley(at, name, ink);
        }
        from += same;
    }
}
