//! The right panel: what this pass does, in words and in the shader's own text.

use egui::Ui;

use crate::trace::Recording;

/// What the right panel keeps from frame to frame.
#[derive(Debug, Clone, Default)]
pub struct SideState {}

/// Shows a pass, or the run before its first.
pub fn show(ui: &mut Ui, recording: &Recording, pass: Option<usize>, _: &mut SideState) {
    let Some(pass) = pass.and_then(|pass| recording.passes.get(pass)) else {
        ui.label(format!("{}: {}", recording.algorithm, recording.request));
        return;
    };
    ui.strong(&pass.phase);
    if let Some(shader) = pass.main_shader() {
        ui.weak(&shader.path);
        ui.add(egui::Label::new(egui::RichText::new(&shader.text).monospace()).wrap());
    }
}
