//! The keys and their actions, in one table that the legend shows, too. They are off while typing.

use egui::{Key, Modifiers, Ui};

/// An action of a key, as [`BINDINGS`] words it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deed {
    Play,
    Forward,
    Back,
    Begin,
    End,
    Faster,
    Slower,
    Reset,
    SideBySide,
    Fit,
    OneToOne,
    Legend,
    Values,
    Tour,
    NextStop,
    StopBefore,
    Present,
    Close,
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
    binding(&[Key::PageDown], "page down", Deed::NextStop, "the next stop of the tour"),
    binding(&[Key::PageUp], "page up", Deed::StopBefore, "the stop before it"),
    binding(&[Key::Questionmark], "?", Deed::Legend, "legend of marks and colours"),
    binding(&[Key::V], "V", Deed::Values, "the values of the row, as text"),
    binding(&[Key::F11], "F11", Deed::Present, "presentation mode: large, without panels"),
    KeyBinding {
        modifiers: Modifiers::COMMAND,
        ..binding(&[Key::Q], "ctrl Q", Deed::Quit, "close the window")
    },
    binding(&[Key::Escape], "esc", Deed::Close, "close what is open, unpin a texel"),
];

/// The deeds of this frame's keys; with `digits`, these are an answer that is typed. Escape closes an open menu first.
pub fn deeds(ui: &Ui, digits: bool) -> Vec<Deed> {
    let mut deeds = Vec::new();
    if ui.ctx().text_edit_focused() {
        return deeds;
    }
    // A focused button takes the keys that press it.
    let focused = ui.ctx().memory(|memory| memory.focused().is_some());
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
    // Those of the last frame: this one has not shown any yet.
    if deeds.contains(&Deed::Close) && egui::Popup::is_any_open(ui.ctx()) {
        egui::Popup::close_all(ui.ctx());
        deeds.retain(|deed| *deed != Deed::Close);
    }
    deeds
}
