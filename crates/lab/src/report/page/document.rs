//! What all documents have around their body: the head, with the style.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::style;

/// A document with this title and this body.
pub fn document(title: &str, body: &Markup) -> String {
    let document = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                style { (PreEscaped(style::sheet())) }
            }
            (body)
        }
    };
    document.into_string() + "\n"
}
