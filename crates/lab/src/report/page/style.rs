//! The style sheet: a fixed part, and the colours that pictures have on a dark page.

use std::fmt::Write;

use crate::report::chart::theme;

const FIXED: &str = include_str!("style.css");

pub fn sheet() -> String {
    let mut sheet = format!("\n{FIXED}@media screen and (prefers-color-scheme: dark) {{\n");
    for (day, night) in theme() {
        for part in ["fill", "stroke"] {
            let _ = writeln!(sheet, "  svg [{part}=\"{day}\"] {{ {part}: {night} }}");
        }
    }
    sheet + "}\n"
}
