//! A paper's section: its claims, their verdicts, figures and tables.

use maud::{Markup, PreEscaped, html};

use super::anchors;
use super::boxes::{badge, boxed};
use super::content::{Claim, Section, Table};
use crate::report::chart::Figure;
use rasterscan_picture::number::significant;

pub fn markup(section: &Section, anchor: &str) -> Markup {
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
                @for figure in &section.figures { (self::figure(figure)) }
            }
            @if !section.tables.is_empty() {
                h3 { "Tables" }
                @for table in &section.tables { (boxed(&table.title, &rows(table))) }
            }
        }
    }
}

fn card(claim: &Claim, anchor: &str) -> Markup {
    html! {
        article.claim id=(anchor) {
            p { (badge(claim.verdict)) " " strong { (claim.text) } }
            @if !claim.why.is_empty() { p.why { (claim.why) } }
            @if !claim.points.is_empty() { (boxed(&claim.text, &comparisons(claim))) }
        }
    }
}

fn comparisons(claim: &Claim) -> Markup {
    html! {
        table.numbers {
            thead {
                tr {
                    th scope="col" { "what" }
                    th scope="col" { "paper" }
                    th scope="col" { "ours" }
                    th scope="col" { "ratio" }
                }
            }
            tbody {
                @for point in &claim.points {
                    tr {
                        th scope="row" { (point.what) }
                        td { (point.paper) }
                        td { (point.ours) }
                        td { (point.ratio.map_or_else(|| "–".into(), significant)) }
                    }
                }
            }
        }
    }
}

fn figure(figure: &Figure) -> Markup {
    let caption = if figure.description.is_empty() { &figure.title } else { &figure.description };
    html! {
        figure aria-label=(figure.title) {
            div.wide role="group" aria-label=(figure.title) tabindex="0" { (PreEscaped(figure.svg())) }
            figcaption { (caption) }
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
