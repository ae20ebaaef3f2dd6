//! The panels that fit into the window, and the size in points at which a window counts as small.

use std::rc::Rc;

use egui::{CentralPanel, Panel, Ui};

use super::{App, canvas, controls, side, tour, why};

/// Below this width, in points, one panel is shown at a time.
pub const NARROW: f32 = 620.0;
/// From this width on, in points, all panels fit.
pub const WIDE: f32 = 1000.0;
/// The share of a narrow window that the tour takes.
const SHEET: f32 = 0.45;
/// The least size of a window, in points.
const LEAST: egui::Vec2 = egui::vec2(320.0, 240.0);

/// A panel beside the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SidePanel {
    /// The controls, on the left.
    Controls,
    /// The explanations, on the right.
    Side,
}

/// The open panels. A window without room for all of them hides some, and shows them again when it has room.
#[derive(Debug, Clone, Copy)]
pub struct Panels {
    /// True if the controls are shown where all panels fit.
    controls: bool,
    /// True if the explanations are shown where all panels fit.
    side: bool,
    /// The panel shown where one fits beside the picture.
    one: Option<SidePanel>,
    /// The panel shown where one hides the picture.
    over: Option<SidePanel>,
    /// The legend, a window.
    pub legend: bool,
}

impl Default for Panels {
    fn default() -> Panels {
        Panels { controls: true, side: true, one: Some(SidePanel::Controls), over: None, legend: false }
    }
}

impl Panels {
    /// Returns true if a panel is shown in a window of this width, in points.
    pub fn shows(&self, panel: SidePanel, width: f32) -> bool {
        if width < NARROW {
            return self.over == Some(panel);
        }
        match panel {
            _ if width < WIDE => self.one == Some(panel),
            SidePanel::Controls => self.controls,
            SidePanel::Side => self.side,
        }
    }

    /// Opens the explanations, or what takes their place, in a window of any width.
    pub fn open_side(&mut self) {
        (self.side, self.one, self.over) = (true, Some(SidePanel::Side), Some(SidePanel::Side));
    }

    /// Opens or closes a panel, in a window of this width.
    pub fn set(&mut self, panel: SidePanel, open: bool, width: f32) {
        let shown = open.then_some(panel);
        if width < NARROW {
            // Closed to see the picture, which says nothing about a window with room for both.
            self.over = shown;
        } else if shown.is_some() || self.one == Some(panel) {
            self.one = shown;
        }
        if open || width >= NARROW {
            match panel {
                SidePanel::Controls => self.controls = open,
                SidePanel::Side => self.side = open,
            }
        }
    }
}

impl App {
    /// Shrinks points in a small window on a monitor with a large scale, which otherwise has room for little more than
    /// a button. Points shrink until the panels have enough of them, or until a point is a pixel.
    pub(super) fn keep_legible(&mut self, ctx: &egui::Context) {
        let zoom = ctx.zoom_factor();
        let native = ctx.pixels_per_point() / zoom;
        let size = ctx.content_rect().size() * zoom;
        let enough = (size.x / LEAST.x).min(size.y / LEAST.y).min(1.0);
        let wanted = enough.max((1.0 / native).min(1.0));
        // A zoom that the user set stays.
        let ours = self.shrunk || zoom == 1.0;
        if ours && (wanted - zoom).abs() > 0.01 {
            self.shrunk = wanted < 1.0;
            ctx.set_zoom_factor(wanted);
        }
    }

    /// Shows as many of the controls, the picture and the explanations as fit.
    pub(super) fn panels(&mut self, ui: &mut Ui, size: egui::Vec2) {
        let narrow = size.x < NARROW;
        // The tour replaces the controls, which it sets itself.
        let touring = self.tour.open && !narrow;
        let [controls, side] =
            [SidePanel::Controls, SidePanel::Side].map(|panel| self.panels.shows(panel, size.x));
        if self.tour.open && narrow {
            // Below the picture, which keeps more than half of the window.
            let sheet = Panel::bottom("tour's sheet").resizable(false).exact_size((size.y * SHEET).floor());
            let recording = self.recording();
            let wish = sheet.show(ui, |ui| tour::sheet(ui, &mut self.tour, recording.as_deref())).inner;
            wish.into_iter().for_each(|wish| self.follow_tour(wish));
            self.follow_puzzle();
        }
        if narrow && (controls || side) {
            CentralPanel::default().show(ui, |ui| match controls {
                true => controls::show(self, ui),
                false => self.show_side(ui),
            });
            return;
        }
        if touring {
            let panel = Panel::left("tour").default_size(250.0).size_range(190.0..=400.0);
            let recording = self.recording();
            let wish = panel.show(ui, |ui| tour::show(ui, &mut self.tour, recording.as_deref())).inner;
            wish.into_iter().for_each(|wish| self.follow_tour(wish));
            self.follow_puzzle();
        } else if controls {
            let panel = Panel::left("controls").default_size(236.0).size_range(190.0..=340.0);
            panel.show(ui, |ui| controls::show(self, ui));
        }
        if side {
            // In a window of medium width, both leave room for the picture.
            let (wide, most) = if size.x < WIDE { (220.0, 300.0) } else { (300.0, 560.0) };
            let panel = match self.editor.is_open() {
                true => Panel::right("editor").default_size(wide * 1.5).size_range(200.0..=most * 1.5),
                false => Panel::right("side").default_size(wide).size_range(200.0..=most),
            };
            panel.show(ui, |ui| self.show_side(ui));
        }
        // The shell has cleared the window with the background colour: no need to fill it again.
        CentralPanel::no_frame().show(ui, |ui| canvas::show(self, ui));
    }

    fn show_side(&mut self, ui: &mut Ui) {
        let index = if self.beside { self.editing } else { 0 };
        if self.editor.is_open() {
            self.show_editor(ui);
            return;
        }
        let Some(shown) = &self.shown[index] else {
            ui.weak("Nothing has been run yet.");
            return;
        };
        let recording = Rc::clone(&shown.recording);
        let pass = self.view.position.min(recording.passes.len()).checked_sub(1);
        let edited = egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            if self.beside {
                // Of two runs, the one that was clicked last.
                ui.label(egui::RichText::new(&recording.algorithm).strong());
            }
            why::panel(self, ui);
            side::show(ui, &recording, pass, &mut self.view.memory.stage, &mut self.side)
        });
        if let Some(shader) = edited.inner.filter(|_| index == 0) {
            self.edit(&shader.path, &shader.text);
        }
    }
}
