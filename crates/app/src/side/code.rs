//! Pseudo-code with the lines that a pass executes: on a background of their own, with a mark in front.

use egui::{CollapsingHeader, Color32, Frame, Label, RichText, Ui, WidgetInfo, WidgetType};
use rasterscan_lesson::listing::{At, Listing, Section};
use rasterscan_lesson::phrases::say;

use super::super::looks;

/// Shows all sections.
pub fn listing(ui: &mut Ui, listing: &Listing, lit: &[At]) {
    let some = !lit.is_empty();
    for (number, section) in listing.sections.iter().enumerate() {
        let lit: Vec<usize> = lit.iter().filter(|at| at.section == number).map(|at| at.line).collect();
        // Where a part is at work, the others are only named.
        if some && lit.is_empty() {
            CollapsingHeader::new(say(section.title)).show(ui, |ui| part(ui, section, &lit));
            continue;
        }
        ui.horizontal_wrapped(|ui| {
            ui.strong(say(section.title));
            ui.label(RichText::new(section.sources.join(", ")).small().color(looks::faint(ui.visuals())));
        });
        part(ui, section, &lit);
        ui.add_space(4.0);
    }
}

/// Shows the lines of a section, and what was corrected in them.
fn part(ui: &mut Ui, section: &Section, lit: &[usize]) {
    ui.scope(|ui| lines(ui, section, lit));
    if !section.corrected.is_empty() {
        let text = format!("* {}", say(format!("corrected. {}", section.corrected)));
        ui.add(Label::new(RichText::new(text).small().color(looks::faint(ui.visuals()))).wrap());
    }
}

fn lines(ui: &mut Ui, section: &Section, lit: &[usize]) {
    ui.spacing_mut().item_spacing.y = 0.0;
    let ground = ground(ui);
    for (number, line) in section.lines.iter().enumerate() {
        let at = lit.contains(&number);
        let mark = if at { "»" } else { " " };
        let star = if line.corrected { " *" } else { "" };
        let text = line.text.trim_start();
        let indent = 2 + line.text.len() - text.len();
        let name = format!("{mark} {text}{star}");
        let text = RichText::new(format!("{text}{star}")).monospace();
        let text = if at { text.strong() } else { text.color(looks::faint(ui.visuals())) };
        let frame = Frame::new().fill(if at { ground } else { Color32::TRANSPARENT });
        frame.inner_margin(egui::vec2(2.0, 1.0)).show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.horizontal_top(|ui| {
                ui.spacing_mut().item_spacing.x = 0.0;
                let font = egui::TextStyle::Monospace.resolve(ui.style());
                let ink = ui.visuals().strong_text_color();
                let mark = ui.painter().layout_no_wrap(mark.into(), font, ink);
                let wide = mark.size().x;
                ui.painter().galley(ui.cursor().min, mark, ink);
                // A long line continues below its own start.
                ui.add_space(indent as f32 * wide);
                let label = ui.add(Label::new(text).wrap());
                label.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, &name));
            });
        });
    }
}

/// The background of highlighted lines.
pub(super) fn ground(ui: &Ui) -> Color32 {
    if ui.visuals().dark_mode { Color32::from_rgb(66, 52, 24) } else { Color32::from_rgb(255, 236, 196) }
}
