//! The report as one HTML document: no script, nothing from elsewhere, light and dark, for paper and for phones.

mod anchors;
mod content;
mod document;
mod section;
mod summary;
#[cfg(test)]
mod tests;
mod values;

use maud::{Markup, html};

use anchors::Anchors;

pub use content::{Claim, Compared, Page, Section, Table, Verdict};
pub use summary::page as summary_page;
pub use values::files as value_files;

/// The file of [`summary_page`], beside the page.
pub const SUMMARY_FILE: &str = "summary.html";

/// The page as one document.
pub fn html(page: &Page) -> String {
    let anchors = Anchors::of(page);
    let sections = page.sections.iter().zip(&anchors.sections);
    let sections: Vec<Markup> =
        sections.map(|(section, anchor)| section::markup(page, section, anchor)).collect();
    document::document(
        &page.title,
        &html! {
            body {
                header {
                    h1 { (page.title) }
                    @for paragraph in &page.lead { p.lead { (paragraph) } }
                    @if !page.facts.is_empty() { (facts(&page.facts)) }
                    @if let Some(data) = &page.data {
                        p { "All rows, with every time: " a href=(data) { (data) } ". A page to print: "
                            a href=(SUMMARY_FILE) { (SUMMARY_FILE) } "." }
                    }
                    (contents(page, &anchors))
                }
                main {
                    (summary::markup(page, &anchors))
                    @for section in &sections { (section) }
                    @if has_errata(page) { (section::errata(page, anchors::ERRATA)) }
                    @for ((heading, paragraphs), anchor) in page.closing.iter().zip(&anchors.closing) {
                        section id=(anchor) aria-label=(heading) {
                            h2 { (heading) }
                            @for paragraph in paragraphs { p { (paragraph) } }
                        }
                    }
                }
            }
        },
    )
}

fn has_errata(page: &Page) -> bool {
    page.sections.iter().any(|section| !section.errata.is_empty())
}

fn facts(facts: &[(String, String)]) -> Markup {
    html! {
        dl.facts {
            @for (name, value) in facts {
                div { dt { (name) } dd { (value) } }
            }
        }
    }
}

fn contents(page: &Page, anchors: &Anchors) -> Markup {
    html! {
        nav aria-label="Contents" {
            ul {
                @if summary::is_needed(page) {
                    li { a href={ "#" (anchors::SUMMARY) } { "Summary" } }
                }
                @for (section, anchor) in page.sections.iter().zip(&anchors.sections) {
                    li { a href={ "#" (anchor) } { (section.title) } }
                }
                @if has_errata(page) {
                    li { a href={ "#" (anchors::ERRATA) } { "Errata of the papers" } }
                }
                @for ((heading, _), anchor) in page.closing.iter().zip(&anchors.closing) {
                    li { a href={ "#" (anchor) } { (heading) } }
                }
            }
        }
    }
}
