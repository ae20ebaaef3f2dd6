//! The bar at the top: menus, and the buttons of the panels.

use egui::Ui;

use super::files::What;
use super::keys::Deed;
use super::looks::{self, named};
use super::{App, Wish};

/// Shows the bar.
pub fn show(app: &mut App, ui: &mut Ui) {
    egui::MenuBar::new().ui(ui, |ui| {
        ui.menu_button("File", |ui| {
            for what in What::ALL {
                if ui.button(what.name()).clicked() {
                    app.begin(what, looks::theme(ui.visuals()));
                }
            }
            ui.separator();
            if app.page && ui.button("Copy link").clicked() {
                app.wishes.push(Wish::CopyLink);
            }
            if ui.button("Copy the command line").clicked() {
                let command = app.command();
                ui.ctx().copy_text(command.clone());
                app.tell(Ok(format!("copied: {command}")));
            }
            if app.page {
                return;
            }
            ui.separator();
            if ui.button("Quit (ctrl Q)").clicked() {
                let now = ui.input(|input| input.time);
                app.perform(Deed::Quit, now);
            }
        });
        ui.menu_button("View", |ui| {
            super::controls::view_menu(app, ui);
            ui.separator();
            egui::widgets::global_theme_preference_buttons(ui);
        });
        ui.menu_button("Help", |ui| {
            let now = ui.input(|input| input.time);
            if ui.button("Guided tour (T)").clicked() {
                app.perform(Deed::Tour, now);
            }
            if ui.button("Puzzles").on_hover_text("write shaders yourself").clicked() {
                app.teach(rasterscan_lesson::file::PUZZLES.clone());
            }
            if ui.button("Legend and keys (?)").clicked() {
                app.perform(Deed::Legend, now);
            }
            if app.page {
                ui.separator();
                ui.hyperlink_to("Compare algorithms on this device", "compare.html");
                ui.hyperlink_to("A sample article", "lecture.html");
            }
        });
        ui.separator();
        panel_buttons(app, ui);
    });
}

fn panel_buttons(app: &mut App, ui: &mut Ui) {
    let now = ui.input(|input| input.time);
    let narrow = ui.ctx().content_rect().width() < super::panels::WIDE;
    // The tour replaces the controls.
    let button = ui.selectable_label(app.panels.controls && !app.tour.open, "Run");
    if named(button, "Controls of the run", "").clicked() {
        app.panels.controls = app.tour.open || !app.panels.controls;
        app.tour.close();
        app.panels.side &= !(narrow && app.panels.controls);
    }
    let button = ui.selectable_label(app.tour.open, "Tour");
    if named(button, "The guided tour", "T").clicked() {
        app.perform(Deed::Tour, now);
    }
    let side = ui.toggle_value(&mut app.panels.side, "Explain");
    if named(side, "About this pass", "").clicked() && narrow && app.panels.side {
        app.panels.controls = false;
    }
    let button = ui.selectable_label(app.beside, "Side by side");
    if named(button, "Two algorithms, pass by pass", "S").clicked() {
        app.perform(Deed::Beside, now);
    }
}
