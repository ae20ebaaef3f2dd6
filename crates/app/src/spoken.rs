//! Texts for screen readers. In a window they are marks in the tree of widgets, which AccessKit passes on. A page has no
//! such tree: its shell is told what to have spoken ([`App::take_spoken`](crate::App::take_spoken)).

use egui::accesskit::Live;
use egui::output::OutputEvent;
use egui::{Context, Id, Label, Response, Ui, WidgetInfo, WidgetText, WidgetType};
use rasterscan_lesson::phrases::say;

/// The texts of a frame, and the name of the field that was used in it.
#[derive(Debug, Clone, Default)]
struct Frame {
    texts: Vec<String>,
    field: Option<String>,
}

fn frame<R>(ctx: &Context, of: impl FnOnce(&mut Frame) -> R) -> R {
    ctx.data_mut(|data| of(data.get_temp_mut_or_default::<Frame>(Id::new("spoken"))))
}

/// Shows a text, and has it spoken when it changes.
pub fn told(ui: &mut Ui, text: impl Into<WidgetText>) -> Response {
    let text = text.into();
    frame(ui.ctx(), |frame| frame.texts.push(text.text().to_owned()));
    live(ui.add(Label::new(text).wrap()))
}

/// Has a text of a window spoken when it changes; a page has it from elsewhere.
pub fn live(response: Response) -> Response {
    response.ctx.accesskit_node_builder(response.id, |node| node.set_live(Live::Polite));
    response
}

/// Names a field by the label before it.
pub fn labelled(field: Response, label: &Response, name: impl Into<String>) -> Response {
    if field.gained_focus() || field.clicked() || field.changed() {
        frame(&field.ctx, |frame| frame.field = Some(name.into()));
    }
    field.labelled_by(label.id)
}

/// The texts that a page's shell is to have spoken.
#[derive(Debug, Default)]
pub struct Spoken {
    shown: Vec<String>,
    due: Vec<String>,
}

impl Spoken {
    /// Takes the texts of a frame: those that are new, after the widget that was used or has got the focus.
    pub fn take_frame(&mut self, ctx: &Context, picture: impl FnOnce() -> String) {
        let Frame { texts, field } = frame(ctx, std::mem::take);
        let event = ctx.output(|output| output.events.last().cloned());
        if let Some(event) = event {
            let info = event.widget_info();
            self.due.push(match info.typ {
                WidgetType::Image => picture(),
                _ => heard(info, field, matches!(event, OutputEvent::FocusGained(_))),
            });
        }
        self.due.extend(texts.iter().filter(|text| !self.shown.contains(text)).cloned());
        self.shown = texts;
    }

    /// Takes what is due.
    pub fn take(&mut self) -> Option<String> {
        let due = std::mem::take(&mut self.due);
        let due: Vec<String> = due.into_iter().filter(|text| !text.is_empty()).collect();
        (!due.is_empty()).then(|| due.join("\n"))
    }
}

/// A widget in words: its name and its value, and its kind when it gets the focus.
fn heard(info: &WidgetInfo, field: Option<String>, arrives: bool) -> String {
    let value = match (&info.current_text_value, info.value) {
        (Some(text), _) => Some(line_at_caret(text, info).to_owned()),
        (None, value) => value.map(|value| value.to_string()),
    };
    let kind = match info.typ {
        WidgetType::Link => "link",
        WidgetType::TextEdit => "text field",
        WidgetType::Checkbox => "check box",
        WidgetType::RadioButton => "radio button",
        WidgetType::ComboBox => "combo box",
        WidgetType::Slider => "slider",
        WidgetType::DragValue => "number field",
        WidgetType::Label | WidgetType::Other => "",
        _ => "button",
    };
    let state = match info.selected {
        Some(true) => "on",
        Some(false) => "off",
        None => "",
    };
    let kind = Some(say(kind)).filter(|_| arrives);
    let disabled = (!info.enabled).then(|| say("disabled"));
    let parts = [field, info.label.clone(), value, kind, Some(say(state)), disabled];
    let parts: Vec<String> = parts.into_iter().flatten().filter(|part| !part.trim().is_empty()).collect();
    parts.join(", ")
}

/// The line with the caret. Nobody listens to a whole shader for each letter.
fn line_at_caret<'a>(text: &'a str, info: &WidgetInfo) -> &'a str {
    let caret = info.text_selection.as_ref().map_or(0, |selection| selection.end.0);
    let before = text.char_indices().nth(caret).map_or(text.len(), |(at, _)| at);
    let begin = text[..before].rfind('\n').map_or(0, |at| at + 1);
    text[begin..].split('\n').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_heard_by_its_line() {
        let mut info = WidgetInfo::text_edit(true, "", "one\ntwö\nthree", "");
        info.text_selection = Some(egui::text::CharIndex(6)..egui::text::CharIndex(6));
        assert_eq!(heard(&info, Some("Shader".into()), true), "Shader, twö, text field");
        info.text_selection = Some(egui::text::CharIndex(13)..egui::text::CharIndex(13));
        assert_eq!(heard(&info, None, false), "three");
        let info = WidgetInfo::selected(WidgetType::Checkbox, false, true, "Arrows");
        assert_eq!(heard(&info, None, true), "Arrows, check box, on, disabled");
    }
}
