//! All verdicts at a glance: how many of each a paper has, and each claim with a link to it.

use maud::{Markup, html};

use super::anchors::{self, Anchors};
use super::content::{Claim, Page, Section, Verdict};
use super::document::{badge, boxed, document};

/// Returns true if there are claims at all.
pub fn is_needed(page: &Page) -> bool {
    page.sections.iter().any(|section| !section.claims.is_empty())
}

pub fn markup(page: &Page, anchors: &Anchors) -> Markup {
    if !is_needed(page) {
        return html! {};
    }
    html! {
        section id=(anchors::SUMMARY) aria-label="Summary" {
            h2 { "Summary" }
            (boxed("Verdicts by paper", &counts(page, anchors)))
            (boxed("All claims", &claims(page, anchors)))
        }
    }
}

/// The verdicts alone, in a document of its own that fits on a sheet of paper.
pub fn page(page: &Page) -> String {
    let anchors = Anchors::of(page);
    document(
        &format!("{}: summary", page.title),
        &html! {
            body.sheet {
                h1 { (page.title) }
                p { @for (name, value) in &page.facts { span.fact { (name) ": " (value) } " " } }
                p {
                    @for verdict in present(page) {
                        (badge(verdict)) " " (count(page, verdict)) " "
                    }
                }
                div.columns {
                    @for (section, _) in with_claims(page, &anchors) {
                        h2 { (section.key) }
                        ul {
                            @for claim in &section.claims { li { (badge(claim.verdict)) " " (claim.text) (holds(claim)) } }
                        }
                    }
                }
            }
        },
    )
}

/// At how many of its numbers a mixed claim holds.
fn holds(claim: &Claim) -> Markup {
    html! { @if let Some(at) = claim.holds_at() { span.fact { " " (at) } } }
}

/// The verdicts that a claim has.
fn present(page: &Page) -> impl Iterator<Item = Verdict> {
    Verdict::ALL.into_iter().filter(|verdict| count(page, *verdict) > 0)
}

/// The claims with a verdict.
fn count(page: &Page, verdict: Verdict) -> usize {
    page.sections.iter().flat_map(|section| &section.claims).filter(|claim| claim.verdict == verdict).count()
}

/// The sections that claim something.
fn with_claims<'a>(page: &'a Page, anchors: &'a Anchors) -> impl Iterator<Item = (&'a Section, &'a String)> {
    page.sections.iter().zip(&anchors.sections).filter(|(section, _)| !section.claims.is_empty())
}

fn counts(page: &Page, anchors: &Anchors) -> Markup {
    let of =
        |section: &Section, verdict| section.claims.iter().filter(|claim| claim.verdict == verdict).count();
    let shown = |count: usize| if count == 0 { "·".into() } else { count.to_string() };
    html! {
        table.counts {
            caption { "Verdicts by paper" }
            thead {
                tr {
                    th scope="col" { "paper" }
                    @for verdict in present(page) { th scope="col" { (badge(verdict)) } }
                }
            }
            tbody {
                @for (section, anchor) in with_claims(page, anchors) {
                    tr {
                        th scope="row" { a href={ "#" (anchor) } { (section.title) } }
                        @for verdict in present(page) { td { (shown(of(section, verdict))) } }
                    }
                }
            }
            tfoot {
                tr {
                    th scope="row" { "all" }
                    @for verdict in present(page) {
                        td { (shown(page.sections.iter().map(|section| of(section, verdict)).sum())) }
                    }
                }
            }
        }
    }
}

fn claims(page: &Page, anchors: &Anchors) -> Markup {
    html! {
        table.words {
            caption { "All claims" }
            thead {
                tr { th scope="col" { "verdict" } th scope="col" { "claim" } th scope="col" { "paper" } }
            }
            tbody {
                @for (section, anchor) in with_claims(page, anchors) {
                    @for (i, claim) in section.claims.iter().enumerate() {
                        tr {
                            td { (badge(claim.verdict)) (holds(claim)) }
                            td { a href={ "#" (anchors::claim(anchor, i)) } { (claim.text) } }
                            td { a href={ "#" (anchor) } { (section.key) } }
                        }
                    }
                }
            }
        }
    }
}
