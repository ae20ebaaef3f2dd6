//! The report: a page for people, and a summary for the terminal.

use super::effort::{Bounds, Effort};
use super::papers::PAPERS;
use super::rows::{PROCESSES, PaperRows};
use super::store::Store;
use crate::measure::EXPLANATION;
use crate::report::page::{Claim, Compared, Page, Verdict};
use crate::table;

/// The page made from the rows of a store.
pub fn page(store: &Store) -> Page {
    let bounds = Bounds::new(store.effort, store.machine.software);
    let sections = PAPERS
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
        "Each claim was measured as the paper measured it, as far as this device allows; the paper's number stands beside \
         ours. Every result was verified against a sequential reference before anything was timed."
            .to_owned(),
        format!(
            "Each number of a claim that was timed has an interval, and a verdict speaks of the whole interval. Reproduced: within the range \
             that stands beside it; for a factor, 80% to 125% of the paper's gain. Stronger: above. Weaker: the same \
             direction, but less, or no difference of 5%. Opposite: not the paper's direction. Undecided: the interval lies in more than one \
             range, or the device ran below its full speed. A claim is as strong as its weakest point, and one of several sizes needs all of them."
        ),
        format!(
            "Bars in figures and intervals are of 95%, over {PROCESSES} processes and their rounds, which are pairs; those of \
             claims are wider by another {:.0}% on each side, for what one run cannot see of the next. \
             A value without one has an interval narrower than its last digit.",
            100.0 * PaperRows::margin(store.machine.software)
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
            text += &format!("{:21}{}: {}, {} in the paper\n", "", point.what, here(point), point.paper);
        }
    }
    let mut counts = table::plain();
    counts.add_row(Verdict::ALL.map(|verdict| {
        let count = claims.iter().filter(|claim| claim.verdict == verdict).count();
        format!("{}: {count}", verdict.label())
    }));
    format!("{text}\n{}", table::render(counts))
}
