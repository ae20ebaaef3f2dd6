//! The keys and their actions, in one table that the legend shows, too. They are off while typing.

use egui::{Key, Modifiers, Ui};

use super::App;

/// An action of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deed {
    /// Play or pause.
    Play,
    /// One pass forward.
    Forward,
    /// One pass back.
    Back,
    /// To before the first pass.
    Begin,
    /// To after the last pass.
    End,
    /// Double the speed.
    Faster,
    /// Halve the speed.
    Slower,
    /// To the start, with the whole picture in view.
    Reset,
    /// Show two algorithms, or one.
    SideBySide,
    /// Fit the picture into its pane.
    Fit,
    /// Zoom to one pixel per number.
    OneToOne,
    /// Open or close the legend.
    Legend,
    /// Open or close the tour.
    Tour,
    /// Show the picture and the narration alone, large.
    Present,
    /// Close what is open.
    Close,
    /// Close the app.
    Quit,
}

/// A key and its action.
pub struct KeyBinding {
    modifiers: Modifiers,
    keys: &'static [Key],
    /// The key as the legend writes it.
    pub written: &'static str,
    deed: Deed,
    /// The action in words.
    pub about: &'static str,
}

const fn binding(keys: &'static [Key], written: &'static str, deed: Deed, about: &'static str) -> KeyBinding {
    KeyBinding { modifiers: Modifiers::NONE, keys, written, deed, about }
}

const fn with_command(
    keys: &'static [Key],
    written: &'static str,
    deed: Deed,
    about: &'static str,
) -> KeyBinding {
    KeyBinding { modifiers: Modifiers::COMMAND, ..binding(keys, written, deed, about) }
}

/// All keys, in the order of the legend.
pub const BINDINGS: &[KeyBinding] = &[
    binding(&[Key::Space], "space", Deed::Play, "play, pause"),
    binding(&[Key::ArrowRight], "right", Deed::Forward, "one pass forward, or one stage of shared memory"),
    binding(&[Key::ArrowLeft], "left", Deed::Back, "one pass back, or one stage"),
    binding(&[Key::Home], "home", Deed::Begin, "before the first pass"),
    binding(&[Key::End], "end", Deed::End, "after the last pass"),
    binding(&[Key::Plus, Key::Equals], "+", Deed::Faster, "twice as fast"),
    binding(&[Key::Minus], "-", Deed::Slower, "half as fast"),
    binding(&[Key::R], "R", Deed::Reset, "back to the start, whole picture in view"),
    binding(&[Key::S], "S", Deed::SideBySide, "two algorithms side by side"),
    binding(&[Key::F], "F", Deed::Fit, "fit the picture into its pane"),
    binding(&[Key::Num1], "1", Deed::OneToOne, "one pixel per number"),
    binding(&[Key::T], "T", Deed::Tour, "the guided tour"),
    binding(&[Key::Questionmark], "?", Deed::Legend, "legend of marks and colours"),
    binding(&[Key::F11], "F11", Deed::Present, "presentation mode: large, without panels"),
    with_command(&[Key::Q], "ctrl Q", Deed::Quit, "close the window"),
    binding(&[Key::Escape], "esc", Deed::Close, "close what is open, unpin a texel"),
];

/// Performs the actions of this frame's keys.
pub fn take(app: &mut App, ui: &Ui) {
    if ui.ctx().text_edit_focused() {
        return;
    }
    // A focused button takes the keys that press it.
    let focused = ui.ctx().memory(|memory| memory.focused().is_some());
    // Those of the last frame: this one has not shown any yet.
    let popup = egui::Popup::is_any_open(ui.ctx());
    let digits = app.tour.takes_digits(ui.ctx());
    let mut deeds = Vec::new();
    ui.input_mut(|input| {
        for binding in BINDINGS {
            if focused && binding.deed == Deed::Play || digits && binding.deed == Deed::OneToOne {
                continue;
            }
            for key in binding.keys {
                for _ in 0..input.count_and_consume_key(binding.modifiers, *key) {
                    deeds.push(binding.deed);
                }
            }
        }
    });
    if focused && deeds.iter().any(|deed| matches!(deed, Deed::Forward | Deed::Back)) {
        // Arrows step: they do not move the focus, too.
        ui.memory_mut(|memory| memory.move_focus(egui::FocusDirection::None));
    }
    for deed in deeds {
        if popup && deed == Deed::Close {
            egui::Popup::close_all(ui.ctx());
            continue;
        }
        app.perform(deed, ui.input(|input| input.time));
    }
}

impl App {
    /// Performs an action.
    pub(super) fn perform(&mut self, deed: Deed, now: f64) {
        let last = self.last();
        // A later move counts, not the position that an unfinished run was asked for.
        self.wanted = None;
        match deed {
            Deed::Play => self.view.toggle(last),
            Deed::Forward => self.view.step(true, last),
            Deed::Back => self.view.step(false, last),
            Deed::Begin => self.view.go(0, last),
            Deed::End => self.view.go(last, last),
            Deed::Faster => self.view.hurry(true),
            Deed::Slower => self.view.hurry(false),
            Deed::Reset => self.view.reset(),
            Deed::SideBySide => self.toggle_beside(now),
            Deed::Fit => self.view.fit(),
            Deed::OneToOne => self.view.one_to_one(self.pixels_per_point),
            Deed::Present => self.present(!self.is_presenting()),
            Deed::Legend => self.panels.legend = !self.panels.legend,
            Deed::Tour if self.tour.open => self.tour.close(),
            Deed::Tour => {
                self.welcoming = false;
                self.tour.open = true;
            }
            Deed::Close => self.close(),
            Deed::Quit => self.wishes.push(super::Wish::Quit),
        }
    }

    fn toggle_beside(&mut self, now: f64) {
        self.welcoming = false;
        self.beside = !self.beside;
        self.wrong[1] = None;
        self.editing = usize::from(self.beside);
        let stale = self.shown[1].is_none() || !self.jobs[0].asks_the_same(&self.jobs[1]);
        if self.beside && stale {
            self.follow(1);
            self.edited(1, now, false);
        }
    }

    fn close(&mut self) {
        if self.dialog.take().is_some() || std::mem::take(&mut self.panels.legend) {
            return;
        }
        if std::mem::take(&mut self.why.open) || self.notice.take().is_some() {
            return;
        }
        if self.presentation {
            self.present(false);
            return;
        }
        if std::mem::take(&mut self.welcoming) {
            return;
        }
        if self.tour.open {
            self.tour.close();
            return;
        }
        for camera in &mut self.view.cameras {
            camera.pinned = None;
        }
    }
}
