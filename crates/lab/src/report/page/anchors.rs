//! The ids of a page: readable, and no two the same.

use super::content::Page;

/// The id of the summary.
pub const SUMMARY: &str = "summary";

/// The id of the errata.
pub const ERRATA: &str = "errata";

#[derive(Debug, Clone, PartialEq)]
pub struct Anchors {
    pub sections: Vec<String>,
    pub closing: Vec<String>,
}

impl Anchors {
    pub fn of(page: &Page) -> Anchors {
        let mut taken = vec![SUMMARY.to_owned(), ERRATA.into()];
        let mut free = |text: &str| {
            let plain = plain(text);
            let numbered = (2..).map(|i| format!("{plain}-{i}"));
            let found = std::iter::once(plain.clone()).chain(numbered).find(|name| !taken.contains(name));
            let found = found.unwrap_or(plain);
            taken.push(found.clone());
            found
        };
        let sections = page.sections.iter().map(|section| free(&section.key)).collect();
        let closing = page.closing.iter().map(|(heading, _)| free(heading)).collect();
        Anchors { sections, closing }
    }
}

/// The id of a section's claim, counted from zero. No section's own id has a full stop.
pub fn claim(section: &str, index: usize) -> String {
    format!("{section}.{}", index + 1)
}

/// Lower-case letters and digits, with hyphens for everything between them.
fn plain(text: &str) -> String {
    let lower = text.to_lowercase();
    let words = lower.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let joined = words.collect::<Vec<_>>().join("-");
    if joined.is_empty() { "section".into() } else { joined }
}
