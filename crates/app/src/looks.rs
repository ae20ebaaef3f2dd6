//! The look of the app: its few colours in light and dark, its spacing, and the buttons that all panels share.

use egui::text::{LayoutJob, TextFormat};
use egui::{
    Color32, Context, FontData, FontDefinitions, FontFamily, FontId, Id, Response, TextEdit, TextStyle, Ui,
    Visuals, WidgetInfo, WidgetType,
};
use rasterscan_drawing::number;
use rasterscan_lesson::phrases::say;

use super::panels::NARROW;

/// The colour of marks, which is the picture's.
pub const ACCENT: Color32 = {
    let rasterscan_drawing::colour::Colour(red, green, blue) = rasterscan_drawing::theme::ACCENT;
    Color32::from_rgb(red, green, blue)
};

/// The corner of a window that has not been moved.
pub const BELOW_BAR: egui::Pos2 = egui::pos2(12.0, 30.0);

/// The colours of phases, in order. The first seven are P. Tol's "bright", which colour-blind people can distinguish.
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

/// An opaque colour from sRGB.
pub fn colour([red, green, blue]: [u8; 3]) -> Color32 {
    Color32::from_rgb(red, green, blue)
}

/// A colour of the picture.
pub fn of(colour: rasterscan_drawing::colour::Colour) -> Color32 {
    Color32::from_rgb(colour.0, colour.1, colour.2)
}

/// The picture's theme.
pub fn theme(visuals: &Visuals) -> rasterscan_drawing::theme::Theme {
    if visuals.dark_mode {
        rasterscan_drawing::theme::Theme::DARK
    } else {
        rasterscan_drawing::theme::Theme::LIGHT
    }
}

/// The background of a picture.
pub fn paper(visuals: &Visuals) -> Color32 {
    of(theme(visuals).paper)
}

/// The colour of lines and arrows.
pub fn ink(visuals: &Visuals) -> Color32 {
    of(theme(visuals).ink)
}

/// The colour of secondary text.
pub fn faint(visuals: &Visuals) -> Color32 {
    of(theme(visuals).faint)
}

/// The colour of errors.
pub fn wrong(visuals: &Visuals) -> Color32 {
    if visuals.dark_mode { Color32::from_rgb(255, 138, 116) } else { Color32::from_rgb(176, 32, 16) }
}

/// The colour of a question among other texts.
pub fn asked(visuals: &Visuals) -> Color32 {
    of(theme(visuals).accent_ink())
}

/// The colour of right answers.
pub fn right(visuals: &Visuals) -> Color32 {
    if visuals.dark_mode { Color32::from_rgb(120, 200, 130) } else { Color32::from_rgb(20, 110, 40) }
}

/// The height of controls and of rows of text, in points.
pub const POINTED: f32 = 20.0;
/// That of controls for fingers.
const TOUCHED: f32 = 40.0;

/// Sets the height of controls: for fingers in a narrow window, and after the first touch.
pub fn fit_controls(ctx: &Context) {
    let touches = Id::new("touches");
    let touched =
        ctx.data(|data| data.get_temp(touches)).unwrap_or(false) || ctx.input(|input| input.any_touches());
    ctx.data_mut(|data| data.insert_temp(touches, touched));
    let narrow = ctx.content_rect().width() < NARROW;
    let height = if touched || narrow { TOUCHED } else { POINTED };
    if ctx.global_style().spacing.interact_size.y != height {
        ctx.all_styles_mut(|style| {
            style.spacing.interact_size.y = height;
            style.spacing.icon_width = height * 0.7;
            style.spacing.icon_width_inner = height * 0.4;
        });
    }
}

/// Sets the style that both themes share, once.
pub fn set(ctx: &Context) {
    ctx.set_fonts(fonts());
    ctx.all_styles_mut(|style| {
        style.spacing.item_spacing = egui::vec2(6.0, 5.0);
        style.spacing.button_padding = egui::vec2(6.0, 2.0);
        style.spacing.interact_size.y = POINTED;
        style.text_styles.insert(TextStyle::Heading, FontId::proportional(18.0));
        style.text_styles.insert(TextStyle::Body, FontId::proportional(14.0));
        style.text_styles.insert(TextStyle::Button, FontId::proportional(13.5));
        style.text_styles.insert(TextStyle::Monospace, FontId::monospace(12.0));
        style.text_styles.insert(TextStyle::Small, FontId::proportional(12.5));
        // No animations: their extra frames only move what has already moved.
        style.animation_time = 0.0;
        style.visuals.text_cursor.blink = false;
        style.interaction.tooltip_delay = 0.3;
    });
    // Text with more contrast than egui's own: this app has more to read than most.
    for (theme, ink) in [(egui::Theme::Dark, 190), (egui::Theme::Light, 60)] {
        ctx.style_mut_of(theme, |style| legible(&mut style.visuals, ink));
    }
}

/// The fonts of the app. `crates/app/assets/README.md` says where they are from, and which signs they have. From its second
/// frame on, the app has them anyway.
pub fn fonts() -> FontDefinitions {
    let mut fonts = FontDefinitions::empty();
    let text: &[u8] = include_bytes!("../assets/fonts/Ubuntu-Light-subset.ttf");
    let code: &[u8] = include_bytes!("../assets/fonts/Hack-Regular-subset.ttf");
    for (name, font) in [("text", text), ("code", code)] {
        fonts.font_data.insert(name.into(), FontData::from_static(font).into());
    }
    let order = |names: [&str; 2]| names.map(str::to_owned).to_vec();
    fonts.families.insert(FontFamily::Proportional, order(["text", "code"]));
    fonts.families.insert(FontFamily::Monospace, order(["code", "text"]));
    fonts
}

/// Sets the colours of text, and the frame of the widget that has the keyboard's focus.
fn legible(visuals: &mut Visuals, ink: u8) {
    visuals.widgets.noninteractive.fg_stroke.color = Color32::from_gray(ink);
    visuals.weak_text_color = Some(faint(visuals));
    visuals.error_fg_color = wrong(visuals);
    let (link, warning, focus) = match visuals.dark_mode {
        true => ([0x5A, 0xAA, 0xFF], [0xFF, 0x9E, 0x3D], [0xFF, 0xC0, 0x80]),
        false => ([0x00, 0x5A, 0xA8], [0x96, 0x46, 0x00], [0x8A, 0x2A, 0x00]),
    };
    visuals.hyperlink_color = colour(link);
    visuals.warn_fg_color = colour(warning);
    visuals.widgets.active.bg_stroke = egui::Stroke::new(2.0, colour(focus));
    // Fields and buttons have an edge that is seen.
    let edge = if visuals.dark_mode { 112 } else { 138 };
    visuals.widgets.inactive.bg_stroke = egui::Stroke::new(1.0, Color32::from_gray(edge));
}

/// A button with a symbol; `name` is its name, and `key` the key that does the same.
pub fn sign(ui: &mut Ui, sign: &str, name: &str, key: &str, on: bool) -> Response {
    let high = ui.spacing().interact_size.y;
    let button = egui::Button::new(sign).selected(on).min_size(egui::vec2((high * 0.9).max(24.0), high));
    named_as(ui.add(button), say(name), key, on.then_some(true))
}

/// The button of what comes next, among others.
pub fn primary<'a>(ui: &Ui, text: String) -> egui::Button<'a> {
    let selection = &ui.visuals().selection;
    egui::Button::new(egui::RichText::new(text).color(selection.stroke.color)).fill(selection.bg_fill)
}

/// A field of a line, as high as other controls.
pub fn line<'a>(ui: &Ui, text: &'a mut String) -> TextEdit<'a> {
    let above = 2.0 + (ui.spacing().interact_size.y - POINTED) / 2.0;
    TextEdit::singleline(text).margin(egui::Margin::symmetric(4, above as i8))
}

/// Gives a widget a name for screen readers, and a tooltip with its key.
pub fn named(response: Response, name: &str, key: &str) -> Response {
    named_as(response, say(name), key, None)
}

/// The same with a name in the app's language, for a widget that may be on or off.
pub fn named_as(response: Response, name: String, key: &str, selected: Option<bool>) -> Response {
    let enabled = response.enabled();
    response
        .widget_info(|| WidgetInfo { selected, ..WidgetInfo::labeled(WidgetType::Button, enabled, &name) });
    match key {
        "" => response.on_hover_text(name),
        key => response.on_hover_text(format!("{name} ({})", say(key))),
    }
}

/// A paragraph, with `code` in letters of one width.
pub fn prose(ui: &Ui, text: &str) -> LayoutJob {
    let mut job = LayoutJob::default();
    for (number, part) in text.split('`').enumerate() {
        let style = if number % 2 == 0 { TextStyle::Body } else { TextStyle::Monospace };
        job.append(part, 0.0, TextFormat::simple(style.resolve(ui.style()), ui.visuals().text_color()));
    }
    job
}

/// A count with its thousands apart, as the language has them.
pub fn grouped(count: u64) -> String {
    say(number::grouped(count))
}

#[cfg(test)]
mod tests {
    use skrifa::{FontRef, MetadataProvider};

    use super::*;

    fn luminance(colour: Color32) -> f64 {
        let linear = |value: u8| {
            let value = f64::from(value) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(colour.r()) + 0.7152 * linear(colour.g()) + 0.0722 * linear(colour.b())
    }

    fn contrast(a: Color32, b: Color32) -> f64 {
        let (a, b) = (luminance(a) + 0.05, luminance(b) + 0.05);
        a.max(b) / a.min(b)
    }

    /// The characters in sources and catalogues below a folder.
    fn characters(folder: &std::path::Path, into: &mut std::collections::BTreeSet<char>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                characters(&path, into);
            } else if path.extension().is_some_and(|extension| extension == "rs" || extension == "toml") {
                into.extend(std::fs::read_to_string(&path).unwrap().chars().filter(|c| !c.is_control()));
            }
        }
    }

    #[test]
    fn the_fonts_have_all_signs_of_the_texts() {
        let mut all = std::collections::BTreeSet::new();
        let crates = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for name in [
            "app/src",
            "drawing/src",
            "gallery/src",
            "lesson/src",
            "lesson/languages",
            "lesson/lessons",
            "picture/src",
        ] {
            characters(&crates.join(name), &mut all);
        }
        assert!(all.len() > 130 && all.contains(&'ß'), "{all:?}");
        let data = fonts().font_data;
        let has =
            |c: char| data.values().any(|font| FontRef::new(&font.font).unwrap().charmap().map(c).is_some());
        let missing: String = all.iter().filter(|c| !has(**c)).collect();
        assert_eq!(missing, "");
    }

    #[test]
    fn code_in_a_paragraph_has_letters_of_one_width() {
        let ctx = Context::default();
        set(&ctx);
        let mut fonts = Vec::new();
        let _ = ctx.run_ui(egui::RawInput::default(), |ui| {
            let job = prose(ui, "Read `left` first.");
            assert_eq!(job.text, "Read left first.");
            fonts = job.sections.into_iter().map(|section| section.format.font_id.family).collect();
        });
        let (text, code) = (FontFamily::Proportional, FontFamily::Monospace);
        assert_eq!(fonts, [text.clone(), code, text]);
    }

    #[test]
    fn all_text_has_contrast_in_both_themes() {
        let ctx = Context::default();
        set(&ctx);
        for theme in [egui::Theme::Dark, egui::Theme::Light] {
            let visuals = &ctx.style_of(theme).visuals;
            let mut pairs: Vec<(String, Color32, Color32)> = Vec::new();
            let grounds =
                [visuals.panel_fill, visuals.window_fill, visuals.faint_bg_color.blend(visuals.panel_fill)];
            let texts = [
                ("text", visuals.text_color()),
                ("strong", visuals.strong_text_color()),
                ("weak", visuals.weak_text_color()),
                ("link", visuals.hyperlink_color),
                ("warning", visuals.warn_fg_color),
                ("error", visuals.error_fg_color),
                ("ink", ink(visuals)),
                ("faint", faint(visuals)),
                ("wrong", wrong(visuals)),
            ];
            for (name, text) in texts {
                for ground in grounds.into_iter().chain([paper(visuals), visuals.extreme_bg_color]) {
                    pairs.push((name.into(), text, ground));
                }
            }
            let widgets = &visuals.widgets;
            for (name, widget) in [
                ("inactive", widgets.inactive),
                ("hovered", widgets.hovered),
                ("active", widgets.active),
                ("open", widgets.open),
            ] {
                pairs.push((name.into(), widget.text_color(), widget.weak_bg_fill));
                pairs.push((name.into(), widget.text_color(), visuals.panel_fill));
            }
            pairs.push(("selected".into(), visuals.selection.stroke.color, visuals.selection.bg_fill));
            for (name, text, ground) in &pairs {
                let found = contrast(*text, *ground);
                assert!(found >= 4.5, "{theme:?} {name}: {text:?} on {ground:?} is {found:.2}");
            }
            // The frame of the focus is no text: 3 is enough, beside the panel and the button.
            let focus = widgets.active.bg_stroke;
            assert!(
                focus.width >= 2.0 && contrast(focus.color, visuals.panel_fill) >= 3.0,
                "{theme:?} {focus:?}"
            );
            assert!(contrast(focus.color, widgets.active.weak_bg_fill) >= 3.0, "{theme:?} {focus:?}");
        }
        for number in 0..PHASES.len() {
            let fill = phase(number);
            let text = colour(rasterscan_drawing::colour::text_on(fill));
            assert!(
                contrast(text, colour(fill)) >= 4.5,
                "phase {number}: {:.2}",
                contrast(text, colour(fill))
            );
        }
    }
}
