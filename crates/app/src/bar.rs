//! The bar at the top: menus, and the buttons of the panels.

use egui::{ThemePreference, Ui};
use rasterscan_lesson::phrases::{LANGUAGES, say};

use super::files::What;
use super::keys::Deed;
use super::looks::named_as;
use super::panels::SidePanel;
use super::view::View;
use super::{Action, controls};

/// The state that the bar shows: whether the shell is a page, and which panels are open.
#[derive(Debug, Clone, Copy)]
pub struct Bar<'a> {
    /// The language, by its name in options.
    pub language: &'a str,
    pub page: bool,
    pub controls: bool,
    pub tour: bool,
    pub side: bool,
    pub beside: bool,
}

impl Bar<'_> {
    /// Shows the bar.
    pub fn show(self, ui: &mut Ui, view: &mut View) -> Option<Action> {
        let (mut action, mut language) = (None, None);
        egui::MenuBar::new().ui(ui, |ui| {
            let mut item = |ui: &mut Ui, text: &str, about: &str, done: Action| {
                let button = ui.button(say(text));
                let button = if about.is_empty() { button } else { button.on_hover_text(say(about)) };
                if button.clicked() {
                    action = Some(done);
                }
            };
            ui.menu_button(say("File"), |ui| {
                // A page's picker takes all kinds of files.
                for what in What::ALL.into_iter().filter(|what| !self.page || *what != What::OpenNumbers) {
                    item(ui, what.name(), "", Action::File(what));
                }
                ui.separator();
                if self.page {
                    item(ui, "Copy link", "", Action::Link);
                }
                item(ui, "Copy the command line", "", Action::CommandLine);
                if !self.page {
                    ui.separator();
                    item(ui, "Quit (ctrl Q)", "", Action::Deed(Deed::Quit));
                }
            });
            ui.menu_button(say("View"), |ui| {
                controls::view_menu(ui, view);
                let about = "why this algorithm: its costs beside those of others";
                item(ui, "Costs against n", about, Action::Costs);
                item(ui, "A race of processors", "work against depth", Action::Race);
                item(ui, "Presentation (F11)", "", Action::Deed(Deed::Present));
                ui.separator();
                theme(ui);
            });
            ui.menu_button(say("Help"), |ui| {
                item(ui, "Guided tour (T)", "", Action::Deed(Deed::Tour));
                item(ui, "First screen", "", Action::Welcome);
                item(ui, "Puzzles", "write shaders yourself", Action::Puzzles);
                item(ui, "Gallery", "what scans are for", Action::Gallery);
                item(ui, "Legend and keys (?)", "", Action::Deed(Deed::Legend));
                if self.page {
                    let about = "for screen readers: what is told and asked, and each pass in words";
                    item(ui, "Read as text", about, Action::Read);
                    ui.separator();
                    ui.hyperlink_to(say("Compare algorithms on this device"), "compare.html");
                    ui.hyperlink_to(say("A sample article"), "lecture.html");
                }
                ui.separator();
                // Each language by its own name.
                let known = LANGUAGES.iter().map(|language| (language.name, language.code));
                for (name, code) in [("English", "")].into_iter().chain(known) {
                    if ui.selectable_label(self.language == code, name).clicked() {
                        language = Some(Action::Language(code));
                    }
                }
            });
            ui.separator();
            let mut switch = |on: bool, text: &str, name: &str, key: &str, done: Action| {
                // The name begins with what is seen.
                let name = format!("{}: {}", say(text), say(name));
                if named_as(ui.selectable_label(on, say(text)), name, key, Some(on)).clicked() {
                    action = Some(done);
                }
            };
            let panel = |panel, on: bool| Action::Panel(panel, !on);
            switch(
                self.controls,
                "Run",
                "Controls of the run",
                "",
                panel(SidePanel::Controls, self.controls),
            );
            switch(self.tour, "Tour", "The guided tour", "T", Action::Deed(Deed::Tour));
            switch(self.side, "Explain", "About this pass", "", panel(SidePanel::Side, self.side));
            let two = "Two algorithms, pass by pass";
            switch(self.beside, "Side by side", two, "S", Action::Deed(Deed::SideBySide));
        });
        action.or(language)
    }
}

/// The choice of a theme. The signs of egui's own are not in the app's fonts.
fn theme(ui: &mut Ui) {
    let shown = ui.ctx().options(|options| options.theme_preference);
    ui.horizontal(|ui| {
        for one in [ThemePreference::System, ThemePreference::Dark, ThemePreference::Light] {
            if ui.selectable_label(shown == one, say(format!("{one:?}"))).clicked() {
                ui.ctx().set_theme(one);
            }
        }
    });
}
