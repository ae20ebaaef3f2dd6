//! The bottom panel: the run's passes on a line, and the playback buttons.

use egui::{Align2, FontId, Rect, RichText, Sense, Ui, WidgetInfo, WidgetType, pos2, vec2};

use super::Action;
use super::counters::{self, Counts};
use super::keys::Deed;
use super::looks::{self, ACCENT, colour, sign};
use super::runs::Runs;
use super::shown::Shown;
use super::view::{SPEEDS, View};
use rasterscan_drawing::colour::text_on;
use rasterscan_lesson::phrases::say;

/// The height of a run's line, in points.
const LINE: f32 = 26.0;

/// Shows the timeline, with the counts if there is room for them.
pub fn show(ui: &mut Ui, runs: &Runs, view: &mut View, counts: Option<Counts>) -> Option<Action> {
    ui.add_space(2.0);
    let action = show_line(ui, runs, view);
    if let Some(counts) = counts {
        ui.add_space(2.0);
        egui::ScrollArea::horizontal().id_salt("counters").show(ui, |ui| {
            ui.horizontal_top(|ui| {
                for (index, run) in runs.visible().iter().enumerate() {
                    if let Some(shown) = &run.shown {
                        let position = view.position.min(shown.passes());
                        ui.vertical(|ui| {
                            if runs.beside {
                                ui.label(RichText::new(shown.name(runs.algorithm_beside(index))).strong());
                            }
                            counters::show(ui, shown, position, counts, index);
                        });
                        ui.add_space(12.0);
                    }
                }
            });
        });
    }
    ui.add_space(2.0);
    action
}

/// Shows the buttons and the lines, without counts.
pub fn show_line(ui: &mut Ui, runs: &Runs, view: &mut View) -> Option<Action> {
    let deed = transport(ui, runs, view);
    // A phase has the same colour in both runs.
    let mut phases: Vec<&str> = Vec::new();
    for name in runs.shown().flat_map(|shown| &shown.phases) {
        if !phases.contains(&name.as_str()) {
            phases.push(name);
        }
    }
    let mut position = None;
    for (index, run) in runs.visible().iter().enumerate() {
        if let Some(shown) = &run.shown {
            let label = runs.beside.then(|| shown.name(runs.algorithm_beside(index)));
            position = position.or(line(ui, shown, &phases, view, runs.last(), label.as_deref(), index));
        }
    }
    deed.map(Action::Deed).or(position.map(|(position, step)| Action::Position(position, step)))
}

/// The playback buttons. Returns the deed of the one that is clicked.
fn transport(ui: &mut Ui, runs: &Runs, view: &mut View) -> Option<Deed> {
    let last = runs.last();
    let mut chosen = None;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 3.0;
        let (symbol, name) = if view.playing { ("▮▮", "Pause") } else { ("▶", "Play") };
        let ahead = view.position < last;
        let buttons = [
            ("⇤", "To the beginning", "home", Deed::Begin, view.position > 0),
            // Smaller symbols for steps than for playing.
            ("◂", "Step back", "left", Deed::Back, view.position > 0),
            (symbol, name, "space", Deed::Play, last > 0),
            ("▸", "Step forward", "right", Deed::Forward, ahead || view.memory.stage.is_some()),
            ("⇥", "To the end", "end", Deed::End, ahead),
        ];
        for (symbol, name, key, deed, enabled) in buttons {
            let clicked = ui.add_enabled_ui(enabled, |ui| sign(ui, symbol, name, key, false).clicked()).inner;
            if clicked {
                chosen = Some(deed);
            }
        }
        let width = ui.max_rect().width();
        let narrow = width < 440.0;
        // All buttons of a phone in one row.
        if width >= 380.0 && sign(ui, "↻", "Loop", "", view.looping).clicked() {
            view.looping = !view.looping;
        }
        if !narrow {
            ui.add_space(8.0);
            ui.label(RichText::new(say("speed")).color(looks::faint(ui.visuals())));
        }
        if sign(ui, "−", "Slower", "-", false).clicked() {
            chosen = Some(Deed::Slower);
        }
        let speed = egui::DragValue::new(&mut view.speed).range(SPEEDS).speed(0.05).suffix(" /s");
        let speed = ui.add(speed).on_hover_text(say("passes per second, regardless of the number of items"));
        let value = Some(view.speed.into());
        let name = || WidgetInfo { value, ..WidgetInfo::labeled(WidgetType::DragValue, true, say("speed")) };
        speed.widget_info(name);
        if sign(ui, "+", "Faster", "+", false).clicked() {
            chosen = Some(Deed::Faster);
        }
        // If there is no room, the picture shows the position.
        if !narrow {
            ui.add_space(8.0);
            ui.label(RichText::new(say(position_text(runs, view))).strong());
        }
    });
    chosen
}

fn position_text(runs: &Runs, view: &View) -> String {
    let position = view.position;
    let stages = view.memory.stages_at(position);
    let stage = view.memory.stage.filter(|_| stages > 0);
    let tiles = runs.shown().any(|shown| view.memory.shows_tiles(shown, position));
    let noun = if tiles { "moment" } else { "stage" };
    let stage = stage.map_or(String::new(), |stage| format!(", {noun} {} of {stages}", stage + 1));
    match runs.beside {
        true if !stage.is_empty() => format!("step {position} of {}{stage} of each", runs.last()),
        true => format!("step {position} of {}: one pass of each per step", runs.last()),
        false => {
            let phase = runs.both[0].shown.as_ref().and_then(|shown| {
                shown.recording.passes.get(position.checked_sub(1)?).map(|pass| pass.phase.as_str())
            });
            let phase = phase.map_or(String::new(), |phase| format!(": {phase}"));
            format!("pass {position} of {}{phase}{stage}", runs.last())
        }
    }
}

/// Shows a run's passes as marks on a line, by phase; returns the position that was clicked or dragged to, and the step within
/// its pass.
fn line(
    ui: &mut Ui,
    shown: &Shown,
    phases: &[&str],
    view: &View,
    last: usize,
    label: Option<&str>,
    index: usize,
) -> Option<(usize, Option<usize>)> {
    let size = vec2(ui.available_width(), LINE.max(ui.spacing().interact_size.y));
    let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    let name = say(format!("Timeline {}", index + 1));
    response.widget_info(|| WidgetInfo::slider(true, view.position as f64, &name));
    let rect = match label {
        // The name precedes the line if there is room for both.
        Some(label) if rect.width() > 360.0 => {
            let at = rect.left_center();
            let faint = looks::faint(ui.visuals());
            ui.painter().text(at, Align2::LEFT_CENTER, label, FontId::proportional(13.0), faint);
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
        let of = (*of).min(shown.stages_at(pass + 1).max(shown.moments_at(pass + 1)));
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
            response.on_hover_text_at_pointer(say(format!("pass {}: {phase}", pass + 1)));
        }
    }
    pointer.map(|at| {
        let along = ((at.x - rect.left() - begin) / wide).clamp(0.0, last as f32);
        // Within a pass that has steps, the nearest of them.
        let pass = (along as usize).min(last.saturating_sub(1));
        let of = view.memory.stages_at(pass + 1);
        let step = ((along - pass as f32) * (of + 1) as f32).round() as usize;
        match step {
            _ if of == 0 => ((along + 0.5) as usize, None),
            0 => (pass, None),
            step if step > of => (pass + 1, None),
            step => (pass + 1, Some(step - 1)),
        }
    })
}

/// Draws a bar for each phase with its name, and a mark at the end of each pass.
fn marks(ui: &Ui, shown: &Shown, phases: &[&str], rect: Rect, end_of: &dyn Fn(usize) -> f32) {
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
        let name = painter.layout_no_wrap(shown.phases[phase].clone(), FontId::proportional(12.0), ink);
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
