//! The parts that documents share: the head, with the style, and pieces of several parts.

use std::fmt::Write;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::content::Verdict;
use crate::report::chart::theme;

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
                style { (PreEscaped(sheet())) }
            }
            (body)
        }
    };
    document.into_string() + "\n"
}

/// The style sheet: a fixed part, and the colours that pictures have on a dark page.
fn sheet() -> String {
    let fixed = include_str!("style.css");
    let mut sheet = format!("\n{fixed}@media screen and (prefers-color-scheme: dark) {{\n");
    for (day, night) in theme() {
        for part in ["fill", "stroke"] {
            let _ = writeln!(sheet, "  svg [{part}=\"{day}\"] {{ {part}: {night} }}");
        }
    }
    sheet + "}\n"
}

/// A verdict with its symbol.
pub fn badge(verdict: Verdict) -> Markup {
    let (label, class, symbol) = verdict.looks();
    html! {
        span class={ "badge " (class) } {
            span aria-hidden="true" { (symbol) }
            " " (label)
        }
    }
}

/// A table in a box of its own, which scrolls if the table is wider than the page.
pub fn boxed(label: &str, table: &Markup) -> Markup {
    html! {
        div.wide role="group" aria-label=(label) tabindex="0" { (table) }
    }
}
