//! The bar at the top: menus, and the buttons of the panels.

use egui::Ui;

use super::files::What;
use super::keys::Deed;
use super::looks::{self, named};
use super::panels::SidePanel;
use super::{App, Wish};

/// Shows the bar.
pub fn show(app: &mut App, ui: &mut Ui) {
    egui::MenuBar::new().ui(ui, |ui| {
        ui.menu_button("File", |ui| {
            // A page's picker takes all kinds of files.
            let page = app.page;
            for what in What::ALL.into_iter().filter(|what| !page || *what != What::OpenNumbers) {
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
                app.report(Ok(format!("copied: {command}")));
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
            if ui
                .button("Costs against n")
                .on_hover_text("why this algorithm: its costs beside those of others")
                .clicked()
            {
                app.why.open = true;
            }
            if ui.button("Presentation (F11)").clicked() {
                app.present(true);
            }
            ui.separator();
            egui::widgets::global_theme_preference_buttons(ui);
        });
        ui.menu_button("Help", |ui| {
            let now = ui.input(|input| input.time);
            if ui.button("Guided tour (T)").clicked() {
                app.perform(Deed::Tour, now);
            }
            if ui.button("First screen").clicked() {
                app.welcome();
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
    let width = ui.ctx().content_rect().width();
    // The tour replaces the controls.
    let controls = app.panels.shows(SidePanel::Controls, width) && !app.tour.open && !app.welcoming;
    let button = ui.selectable_label(controls, "Run");
    if named(button, "Controls of the run", "").clicked() {
        app.panels.set(SidePanel::Controls, !controls, width);
        app.tour.close();
        app.welcoming = false;
    }
    let button = ui.selectable_label(app.tour.open, "Tour");
    if named(button, "The guided tour", "T").clicked() {
        app.perform(Deed::Tour, now);
    }
    let side = app.panels.shows(SidePanel::Side, width) && !app.welcoming;
    if named(ui.selectable_label(side, "Explain"), "About this pass", "").clicked() {
        app.panels.set(SidePanel::Side, !side, width);
        app.welcoming = false;
    }
    let button = ui.selectable_label(app.beside, "Side by side");
    if named(button, "Two algorithms, pass by pass", "S").clicked() {
        app.perform(Deed::SideBySide, now);
    }
}
