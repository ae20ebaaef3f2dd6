//! How the app looks: its few colours in light and dark, its spacing, and the buttons that all panels share.

use egui::{Color32, Context, FontId, Response, TextStyle, Ui, Visuals, WidgetInfo, WidgetType};

/// What marks what has changed, is pointed at, or is drawn: seen on every palette.
pub const ACCENT: Color32 = Color32::from_rgb(0xF0, 0x5A, 0x28);

/// Of phases, in the order in which they come; the first seven are P. Tol's "bright", which the colour-blind can tell apart.
const PHASES: [[u8; 3]; 10] = [
    [0x44, 0x77, 0xAA],
    [0xCC, 0xBB, 0x44],
    [0x22, 0x88, 0x33],
    [0xEE, 0x66, 0x77],
    [0x66, 0xCC, 0xEE],
    [0xAA, 0x33, 0x77],
    [0xBB, 0xBB, 0xBB],
    [0xEE, 0x99, 0x44],
    [0x33, 0x55, 0x77],
    [0x99, 0xCC, 0x99],
];

/// The colour of a phase, by its number.
pub fn phase(number: usize) -> [u8; 3] {
    PHASES[number % PHASES.len()]
}

pub fn colour([red, green, blue]: [u8; 3]) -> Color32 {
    Color32::from_rgb(red, green, blue)
}

/// What is drawn behind a picture.
pub fn paper(visuals: &Visuals) -> Color32 {
    if visuals.dark_mode { Color32::from_gray(22) } else { Color32::from_gray(250) }
}

/// Lines and arrows on it.
pub fn ink(visuals: &Visuals) -> Color32 {
    if visuals.dark_mode { Color32::from_gray(225) } else { Color32::from_gray(40) }
}

/// What is said beside.
pub fn faint(visuals: &Visuals) -> Color32 {
    if visuals.dark_mode { Color32::from_gray(150) } else { Color32::from_gray(100) }
}

/// What is wrong.
pub fn wrong(visuals: &Visuals) -> Color32 {
    if visuals.dark_mode { Color32::from_rgb(255, 138, 116) } else { Color32::from_rgb(176, 32, 16) }
}

/// Sets what both themes share, once.
pub fn set(ctx: &Context) {
    ctx.all_styles_mut(|style| {
        style.spacing.item_spacing = egui::vec2(6.0, 5.0);
        style.spacing.button_padding = egui::vec2(6.0, 2.0);
        style.spacing.interact_size.y = 20.0;
        style.text_styles.insert(TextStyle::Heading, FontId::proportional(15.0));
        style.text_styles.insert(TextStyle::Body, FontId::proportional(13.0));
        style.text_styles.insert(TextStyle::Button, FontId::proportional(13.0));
        style.text_styles.insert(TextStyle::Monospace, FontId::monospace(12.0));
        style.text_styles.insert(TextStyle::Small, FontId::proportional(11.0));
        // Frames that only move what has moved already are drawn for nothing.
        style.animation_time = 0.0;
        style.visuals.text_cursor.blink = false;
        style.interaction.tooltip_delay = 0.3;
    });
    // There is more to read here than in most apps.
    for (theme, ink) in [(egui::Theme::Dark, 190), (egui::Theme::Light, 60)] {
        ctx.style_mut_of(theme, |style| {
            style.visuals.widgets.noninteractive.fg_stroke.color = Color32::from_gray(ink);
        });
    }
}

/// A button with a sign on it; `name` is what it is called, and `key` the key that does the same.
pub fn sign(ui: &mut Ui, sign: &str, name: &str, key: &str, on: bool) -> Response {
    let button = egui::Button::new(sign).selected(on).min_size(egui::vec2(24.0, 20.0));
    named(ui.add(button), name, key)
}

/// Gives a widget a name for those who cannot see it, and a tooltip with its key.
pub fn named(response: Response, name: &str, key: &str) -> Response {
    let enabled = response.enabled();
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, enabled, name));
    match key {
        "" => response.on_hover_text(name),
        key => response.on_hover_text(format!("{name} ({key})")),
    }
}

/// A number as people read it: 65 536 in groups of three.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}
