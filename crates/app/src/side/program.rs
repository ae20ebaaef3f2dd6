//! The program of one texel, or of two: its shader's lines with the texel's own numbers, a step at a time.

use egui::{Color32, Frame, Label, RichText, Ui};
use rasterscan::trace::{Place, Recording};
use rasterscan_lesson::phrases::say;
use rasterscan_lesson::program::{Program, Programs};

use super::code::ground;
use super::glsl::coloured;
use crate::looks::{self, sign};
use crate::shown::Key;

/// The programs of some texels of a pass.
type Made = (Key, Vec<u32>, Vec<Result<Program, String>>);

/// The state of this part from frame to frame.
#[derive(Debug, Clone, Default)]
pub struct ProgramPanel {
    /// The programs of the texels shown, made once.
    made: Option<Made>,
    /// The steps that are done; all if there are fewer.
    done: Option<usize>,
    /// A second texel, to compare.
    other: Option<u32>,
}

/// The colours of the texels' numbers.
fn colours(ui: &Ui) -> [Color32; 2] {
    [looks::ACCENT, looks::of(looks::theme(ui.visuals()).ink)]
}

impl ProgramPanel {
    /// Shows the program of a texel of a pass's first target. Returns the texel that is to be shown instead.
    pub fn show(&mut self, ui: &mut Ui, recording: &Recording, pass: usize, texel: u32) -> Option<u32> {
        let target = recording.passes[pass].targets.first()?;
        let texels = recording.layout(target.stream).texels() as u32;
        let wanted: Vec<u32> = [Some(texel), self.other].into_iter().flatten().collect();
        let key = Key::of(recording, Some(pass));
        let made = match self.made.take() {
            Some((known, of, made)) if known == key && of == wanted => made,
            _ => match Programs::new(recording, pass) {
                Ok(programs) => wanted.iter().map(|texel| programs.at(*texel)).collect(),
                Err(why) => vec![Err(why)],
            },
        };
        let steps = made.iter().flatten().map(|program| program.steps.len()).max().unwrap_or(0);
        let next = if steps > 0 { self.controls(ui, texel, texels, steps) } else { None };
        for (number, (program, texel)) in made.iter().zip(&wanted).enumerate() {
            ui.horizontal_wrapped(|ui| {
                let item = items(recording, target.stream, *texel);
                ui.label(RichText::new(item).strong().color(colours(ui)[number % 2]));
                match program {
                    Err(why) => _ = ui.weak(say(why)),
                    Ok(Program { writes: false, .. }) => _ = ui.weak(say("is not written by this pass")),
                    Ok(_) => {}
                }
            });
        }
        let programs: Vec<&Program> = made.iter().flatten().collect();
        if let Some(first) = programs.first() {
            lines(ui, first, &programs, self.done.unwrap_or(steps).min(steps));
        }
        self.made = Some((key, wanted, made));
        next
    }

    /// The buttons. Returns the texel that is to be shown.
    fn controls(&mut self, ui: &mut Ui, texel: u32, texels: u32, steps: usize) -> Option<u32> {
        let mut next = None;
        let done = self.done.unwrap_or(steps).min(steps);
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 3.0;
            let signs = [
                ("⇤", "To the first line", done > 0, 0),
                ("◂", "One line back", done > 0, done.saturating_sub(1)),
                ("▸", "One line on", done < steps, done + 1),
                ("⇥", "To the last line", done < steps, steps),
            ];
            for (symbol, name, enabled, to) in signs {
                if ui.add_enabled_ui(enabled, |ui| sign(ui, symbol, name, "", false).clicked()).inner {
                    self.done = Some(to);
                }
            }
            ui.label(say(format!("step {done} of {steps}")));
            ui.add_space(8.0);
            let (before, after) = (texel.checked_sub(1), Some(texel + 1).filter(|next| *next < texels));
            for (text, to) in [("Texel before", before), ("Texel after", after)] {
                if ui.add_enabled(to.is_some(), egui::Button::new(say(text)).small()).clicked() {
                    next = to;
                }
            }
            let other = after.or(before);
            if ui.selectable_label(self.other.is_some(), say("Compare")).clicked() {
                self.other = if self.other.is_some() { None } else { other };
            }
            if let Some(other) = &mut self.other {
                ui.add(
                    egui::DragValue::new(other)
                        .range(0..=texels.saturating_sub(1))
                        .prefix(say("with texel") + " "),
                );
            }
        });
        next
    }
}

/// A texel by the items that it holds.
fn items(recording: &Recording, stream: usize, texel: u32) -> String {
    let (name, many) = (recording.name(stream), recording.layout(stream).items_per_texel.max(1));
    match many {
        1 => format!("{name}[{texel}]"),
        _ => format!("{name}[{}..{}]", texel * many, (texel + 1) * many),
    }
}

/// The lines that the preprocessor leaves, those that ran with their numbers below them.
fn lines(ui: &mut Ui, of: &Program, programs: &[&Program], done: usize) {
    ui.spacing_mut().item_spacing.y = 0.0;
    let (ground, colours) = (ground(ui), colours(ui));
    let now = done.checked_sub(1).and_then(|last| of.steps.get(last.min(of.steps.len() - 1)));
    let ran = |line: usize| programs.iter().any(|program| program.steps.iter().any(|step| step.line == line));
    for (number, line) in (1..).zip(&of.lines) {
        if !line.live {
            continue;
        }
        let at = now.is_some_and(|step| step.line == number);
        let frame = Frame::new().fill(if at { ground } else { Color32::TRANSPARENT });
        frame.inner_margin(egui::vec2(2.0, 1.0)).show(ui, |ui| {
            ui.set_width(ui.available_width());
            let indent = line.text.len() - line.text.trim_start().len();
            let text = line.text.trim();
            ui.horizontal_top(|ui| {
                ui.add_space(indent as f32 * 4.0);
                // Lines that no texel here ran are not lit.
                match ran(number) {
                    true => _ = ui.add(Label::new(coloured(ui, text)).wrap()),
                    false => {
                        let text = RichText::new(text).monospace().color(looks::faint(ui.visuals()));
                        ui.add(Label::new(text).wrap());
                    }
                }
            });
            for (program, colour) in programs.iter().zip(colours) {
                let so_far = &program.steps[..done.min(program.steps.len())];
                let Some(step) = so_far.iter().rev().find(|step| step.line == number) else { continue };
                ui.horizontal_top(|ui| {
                    ui.add_space(indent as f32 * 4.0 + 12.0);
                    ui.add(Label::new(RichText::new(&step.text).monospace().strong().color(colour)).wrap());
                });
            }
        });
    }
}

/// The texel of a pass that a panel is about: the pinned one, or that of the narration's example; of the first target.
pub fn texel_of(pinned: Option<Place>, example: Option<Place>) -> u32 {
    pinned.or(example).filter(|place| place.of == 0).map_or(0, |place| place.index)
}
