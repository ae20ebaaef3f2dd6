//! Reports side by side: of two, the claims with another verdict and the numbers whose intervals do not meet; of many, all
//! verdicts.

use std::fmt::Write as _;

use super::page::{claims, page};
use super::store::Store;
use crate::report::page::{Claim, Compared};
use crate::table::{self, distinct};

/// What differs between two reports, for the terminal. Both are judged again.
pub fn diff(first: &Store, second: &Store) -> String {
    let mut text = format!("A: {}\nB: {}\n", first.machine.line(), second.machine.line());
    let [first, second] = [first, second].map(|store| claims(&page(store)));
    let pairs: Vec<(&Claim, &Claim)> = first
        .iter()
        .filter_map(|one| {
            Some((one, second.iter().find(|other| other.key == one.key && other.text == one.text)?))
        })
        .collect();
    let mut verdicts = table::plain();
    verdicts.set_header(["paper", "A", "B", "claim"]);
    let mut others = 0;
    for (one, other) in pairs.iter().filter(|(one, other)| one.verdict != other.verdict) {
        let [a, b] = [one.verdict.label(), other.verdict.label()];
        verdicts.add_row([one.key.as_str(), a, b, one.text.as_str()]);
        others += 1;
    }
    let _ = writeln!(text, "\n{others} of {} verdicts differ.", pairs.len());
    if others > 0 {
        text += &format!("\n{}", table::render(verdicts));
    }
    let mut numbers = table::plain();
    numbers.set_header(["paper", "number", "A", "B", "B over A"]);
    let (mut apart, mut compared) = (0, 0);
    for (one, other) in &pairs {
        for (a, b) in both(one, other) {
            let (Some(of_a), Some(of_b)) = (a.value, b.value) else { continue };
            compared += 1;
            if of_a.low <= of_b.high && of_b.low <= of_a.high {
                continue;
            }
            apart += 1;
            let told = |point: &Compared| format!("{} ({})", point.ours, point.interval);
            let what = format!("{} [{}]", a.what, one.text);
            let ratio = rasterscan_drawing::number::significant(of_b.value / of_a.value);
            numbers.add_row([one.key.clone(), what, told(a), told(b), ratio]);
        }
    }
    let _ = writeln!(text, "\n{apart} of {compared} numbers differ by more than their intervals.");
    if apart > 0 {
        text += &format!("\n{}", table::render(numbers));
    }
    text
}

/// Markdown: a line for each report, and a table with a line for each claim and a column for each report. All are judged again.
pub fn verdicts(stores: &[Store]) -> String {
    let judged: Vec<Vec<Claim>> = stores.iter().map(|store| claims(&page(store))).collect();
    let lines = distinct(judged.iter().flatten().map(|claim| (&claim.key, &claim.text)));
    let row = |cells: &mut dyn Iterator<Item = String>| {
        let cells: Vec<String> = cells.map(|cell| cell.replace('|', "\\|")).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let commit = |store: &Store| store.commit.clone().unwrap_or_else(|| "unknown".into());
    let name =
        |store: &Store| format!("{}, {}, {}", store.machine.renderer, store.effort.name(), commit(store));
    let mut text = String::new();
    for store in stores {
        text += &format!("- {}: {}; commit {}\n", store.run(), store.machine.line(), commit(store));
    }
    text += "\n";
    text += &row(&mut ["paper".to_owned(), "claim".into()].into_iter().chain(stores.iter().map(name)));
    text += &row(&mut std::iter::repeat_n("---".to_owned(), 2 + stores.len()));
    for (key, words) in lines {
        let verdict = |claims: &Vec<Claim>| {
            let own = claims.iter().find(|claim| claim.key == *key && claim.text == *words);
            own.map_or_else(|| "-".to_owned(), Claim::told)
        };
        text += &row(&mut [key.to_owned(), words.to_owned()].into_iter().chain(judged.iter().map(verdict)));
    }
    text
}

/// The points that both have.
fn both<'a>(one: &'a Claim, other: &'a Claim) -> impl Iterator<Item = (&'a Compared, &'a Compared)> {
    one.points
        .iter()
        .filter_map(|point| Some((point, other.points.iter().find(|other| other.what == point.what)?)))
}
