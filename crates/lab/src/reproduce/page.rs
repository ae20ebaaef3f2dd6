//! The report: a page for people, and a summary for the terminal.

use super::effort::{Bounds, Effort};
use super::papers::PAPERS;
use super::rows::{PROCESSES, PaperRows};
use super::store::Store;
use crate::measure::EXPLANATION;
use crate::report::page::{Claim, Compared, Page, Section, Verdict};

/// The page made from the rows of a store.
pub fn page(store: &Store) -> Page {
    let bounds = Bounds::new(store.effort, store.machine.software);
    let sections: Vec<Section> = PAPERS
        .iter()
        .filter(|paper| store.keys.iter().any(|key| key == paper.key))
        .map(|paper| {
            let mut section = (paper.section)(&store.rows(paper.key), &bounds);
            // Marks of Markdown, which mean nothing on a page.
            section.notes.extend(unsettled(store, paper.key));
            let texts = section.notes.iter_mut().chain(section.claims.iter_mut().map(|claim| &mut claim.why));
            texts.for_each(|text| *text = text.replace('`', ""));
            section
        })
        .collect();
    let mut lead = vec![
        format!(
            "{} Every result was verified against a sequential reference before anything was timed.",
            measured(sections.iter().flat_map(|section| &section.claims))
        ),
        format!(
            "Each number of a claim that was timed has an interval, and a verdict speaks of the whole interval. Reproduced: within the range \
             that stands beside it; for a factor, 80% to 125% of the paper's gain. Stronger: above. Larger loss: above, where the paper \
             claims a loss. Weaker: the same direction, but less. No effect: no difference of 5%. Opposite: not the paper's direction. \
             Undecided: the interval lies in more than one range, or the device ran below its full speed. A claim has the verdict that all \
             its numbers have, and is mixed if they differ; it needs all of them. Not testable today: the claim's reason says what has changed."
        ),
        format!(
            "Bars in figures and intervals are of 95%, over {PROCESSES} processes and their rounds, which are pairs; those of \
             claims are wider by another {:.0}% on each side{}, for what one run cannot see of the next. \
             A value without one has an interval narrower than its last digit.",
            100.0 * PaperRows::margin(store.machine.software),
            if store.machine.software {
                String::new()
            } else {
                format!(" (wall time by {:.0}%)", 100.0 * PaperRows::margin(true))
            }
        ),
    ];
    if store.effort == Effort::Quick {
        lead.push("This is a quick run: shorter streams than in the papers, and less time for each.".into());
    }
    if !store.complete {
        lead.push(
            "This run was interrupted, or is still going on; claims that were not measured yet are marked. `rasterscan \
             reproduce --resume` continues it."
                .into(),
        );
    }
    Page {
        title: "Scan and compaction: five papers, measured again".into(),
        lead,
        facts: store.facts(),
        sections,
        closing: explanation(),
        data: Some("report.json".into()),
    }
}

/// How many claims were counted and timed, in a sentence or two.
fn measured<'a>(claims: impl Iterator<Item = &'a Claim>) -> String {
    let claims: Vec<&Claim> = claims.collect();
    let judged = |claim: &&&Claim| claim.verdict.is_outcome() || claim.verdict == Verdict::Undecided;
    let counted = |claim: &&&Claim| claim.points.iter().all(|point| point.interval == "exact");
    let judged: Vec<&&Claim> = claims.iter().filter(judged).collect();
    let exact = judged.iter().copied().filter(counted).count();
    format!(
        "Of {} claims, {exact} were counted and {} timed, as the paper did it and as far as this device allows; the paper's number stands \
         beside ours. The other {} have a reason in the place of a verdict.",
        claims.len(),
        judged.len() - exact,
        claims.len() - judged.len(),
    )
}

/// Slow rows that a note names.
const SLOW_NAMED: usize = 4;

/// A note on the rows of a paper that were measured while the device was slow, if any.
fn unsettled(store: &Store, key: &str) -> Option<String> {
    let pace = store.yardstick.as_ref()?;
    let rows = store.rows(key);
    let mut slow: Vec<String> = rows
        .all()
        .filter_map(|row| {
            Some(format!("{} ({}), {:.2} times slower", row.name, row.case, pace.slowdown(row)?))
        })
        .collect();
    let more = slow.len().saturating_sub(SLOW_NAMED);
    slow.truncate(SLOW_NAMED);
    slow.extend((more > 0).then(|| format!("and {more} more, which report.json marks")));
    let why = if rows.software() {
        "while other programs ran, too"
    } else {
        "while the device ran below its full speed"
    };
    (!slow.is_empty())
        .then(|| format!("Measured {why}: {}. The yardstick is {}.", slow.join("; "), pace.work))
}

/// [`EXPLANATION`], heading by heading, without the marks of Markdown.
fn explanation() -> Vec<(String, Vec<String>)> {
    let mut chapters: Vec<(String, Vec<String>)> = Vec::new();
    for paragraph in EXPLANATION.split("\n\n") {
        let text = paragraph.replace(['`', '*'], "");
        if let Some(heading) = text.strip_prefix("## ") {
            chapters.push((heading.trim().into(), Vec::new()));
        } else if let Some((_, paragraphs)) = chapters.last_mut() {
            // Items of a list are paragraphs of their own.
            let items = text.split("\n- ").map(|item| item.trim_start_matches("- "));
            for item in items.flat_map(numbered) {
                paragraphs.push(item.split_whitespace().collect::<Vec<_>>().join(" "));
            }
        }
    }
    chapters
}

/// The items of a numbered list.
fn numbered(text: &str) -> Vec<String> {
    let mut items: Vec<String> = Vec::new();
    for line in text.lines() {
        let begins = line.split_once(". ").is_some_and(|(number, _)| number.parse::<u32>().is_ok());
        match items.last_mut() {
            Some(last) if !begins => {
                last.push(' ');
                last.push_str(line.trim());
            }
            _ => items.push(line.into()),
        }
    }
    items
}

/// The claims of a page, for the document.
pub fn claims(page: &Page) -> Vec<Claim> {
    page.sections.iter().flat_map(|section| section.claims.clone()).collect()
}

/// Our number with its interval, or that there is none.
fn here(point: &Compared) -> String {
    match (point.ours.as_str(), point.interval.as_str()) {
        ("-", _) => "not measured".into(),
        (ours, "exact") => format!("{ours} here"),
        (ours, interval) => format!("{ours} ({interval}) here"),
    }
}

/// Every claim in a line or two, for the terminal.
pub fn summary(page: &Page) -> String {
    let claims = claims(page);
    let mut text = String::new();
    let mut key = "";
    for claim in &claims {
        if claim.key != key {
            text += &format!("{}{}\n", if key.is_empty() { "" } else { "\n" }, claim.key);
            key = &claim.key;
        }
        text += &format!("  {:<18} {}\n", claim.verdict.label(), claim.text);
        for point in &claim.points {
            let verdict = if claim.verdict == Verdict::Mixed {
                format!(": {}", point.verdict.label())
            } else {
                String::new()
            };
            text +=
                &format!("{:21}{}: {}, {} in the paper{verdict}\n", "", point.what, here(point), point.paper);
        }
    }
    let count = |verdict| claims.iter().filter(|claim| claim.verdict == verdict).count();
    let counts =
        Verdict::ALL.map(|verdict| (verdict, count(verdict))).into_iter().filter(|(_, count)| *count > 0);
    let counts: Vec<String> =
        counts.map(|(verdict, count)| format!("{}: {count}", verdict.label())).collect();
    format!("{text}\n{}\n", counts.join(", "))
}
