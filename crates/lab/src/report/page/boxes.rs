//! Pieces that several parts of a page share.

use maud::{Markup, html};

use super::content::Verdict;

/// A verdict with its symbol.
pub fn badge(verdict: Verdict) -> Markup {
    html! {
        span class={ "badge " (verdict.class()) } {
            span aria-hidden="true" { (verdict.symbol()) }
            " " (verdict.label())
        }
    }
}

/// A table in a box of its own, which scrolls if the table is wider than the page.
pub fn boxed(label: &str, table: &Markup) -> Markup {
    html! {
        div.wide role="group" aria-label=(label) tabindex="0" { (table) }
    }
}
