//! A paper's section: its claims, their verdicts, figures and tables.

use maud::{Markup, PreEscaped, html};

use super::anchors;
use super::content::{Claim, Page, Section, Table};
use super::document::{badge, boxed};
use super::values;
use crate::report::chart::Figure;

pub fn markup(page: &Page, section: &Section, anchor: &str) -> Markup {
    html! {
        section id=(anchor) aria-label=(section.title) {
            h2 { (section.title) }
            @if !section.citation.is_empty() { p.citation { (section.citation) } }
            @for note in &section.notes { p { (note) } }
            @if !section.claims.is_empty() {
                h3 { "Claims" }
                @for (i, claim) in section.claims.iter().enumerate() { (card(claim, &anchors::claim(anchor, i))) }
            }
            @if !section.figures.is_empty() {
                h3 { "Figures" }
                @for (i, figure) in section.figures.iter().enumerate() {
                    (self::figure(figure, page.data.as_ref().map(|_| values::file(&section.key, i))))
                }
            }
            @if !section.tables.is_empty() {
                h3 { "Tables" }
                @for table in &section.tables { (boxed(&table.title, &rows(table))) }
            }
        }
    }
}

/// The errors in print of all papers.
pub fn errata(page: &Page, anchor: &str) -> Markup {
    html! {
        section id=(anchor) aria-label="Errata" {
            h2 { "Errata of the papers" }
            p { "Errors in print, and what is right. The algorithms here are the corrected ones." }
            @for section in page.sections.iter().filter(|section| !section.errata.is_empty()) {
                h3 { (section.key) }
                dl.errata {
                    @for (place, text) in &section.errata { dt { (place) } dd { (text) } }
                }
            }
        }
    }
}

fn card(claim: &Claim, anchor: &str) -> Markup {
    html! {
        article.claim id=(anchor) {
            p { (badge(claim.verdict)) " " strong { (claim.text) } }
            @if !claim.source.is_empty() || !claim.why.is_empty() {
                p.why { @if !claim.source.is_empty() { (claim.source) ". " } (claim.why) }
            }
            @if !claim.points.is_empty() { (boxed(&claim.text, &comparisons(claim))) }
        }
    }
}

fn comparisons(claim: &Claim) -> Markup {
    html! {
        table.numbers {
            thead {
                tr {
                    @for title in ["what", "paper", "here", "95% interval", "verdict", "reproduced", "opposite"] {
                        th scope="col" { (title) }
                    }
                }
            }
            tbody {
                @for point in &claim.points {
                    tr {
                        th scope="row" { (point.what) }
                        td { (point.paper) }
                        td { (point.ours) }
                        td { (point.interval) }
                        td { (point.verdict.label()) }
                        td { (point.reproduced) }
                        td { (point.opposite) }
                    }
                }
            }
        }
    }
}

fn figure(figure: &Figure, file: Option<String>) -> Markup {
    let caption = if figure.description.is_empty() { &figure.title } else { &figure.description };
    let tables = values::tables(figure);
    html! {
        figure aria-label=(figure.title) {
            div.wide role="group" aria-label=(figure.title) tabindex="0" { (PreEscaped(figure.svg())) }
            figcaption {
                (caption)
                @if let Some(file) = file { " " a href=(file) { "Values as CSV" } "." }
            }
            @if !tables.is_empty() {
                details {
                    summary { "Values" }
                    @for table in &tables { (boxed(&table.title, &rows(table))) }
                }
            }
        }
    }
}

fn rows(table: &Table) -> Markup {
    html! {
        table.numbers {
            caption { (table.title) }
            thead { tr { @for cell in &table.header { th scope="col" { (cell) } } } }
            tbody {
                @for row in &table.rows {
                    tr {
                        @for (i, cell) in row.iter().enumerate() {
                            @if i == 0 { th scope="row" { (cell) } } @else { td { (cell) } }
                        }
                    }
                }
            }
        }
    }
}
