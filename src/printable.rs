//! Text for people: names from elsewhere, such as those of files and devices, made safe for a terminal, and plurals.

use std::borrow::Cow;
use std::path::Path;

/// The text with its control characters escaped: an escape becomes `\u{1b}`, a line break `
/// `.
///
/// Invisible characters that reverse the direction of the surrounding text are escaped too: they can make one name look
/// like another.
pub fn printable(text: &str) -> Cow<'_, str> {
    without(text, acts)
}

/// A path, likewise. Parts that are not Unicode become U+FFFD.
pub fn printable_path(path: &Path) -> String {
    printable(&path.to_string_lossy()).into_owned()
}

/// A message, likewise, except for line breaks and tabs.
pub fn printable_lines(text: &str) -> Cow<'_, str> {
    without(text, |c| acts(c) && c != '\n' && c != '\t')
}

/// A number with a noun in the right form: `1 pass`, `2 passes`, `3 copies`, `4 keys`.
pub fn counted(number: u64, noun: &str) -> String {
    match noun.strip_suffix('y').filter(|stem| !stem.ends_with('e')) {
        _ if number == 1 => format!("1 {noun}"),
        Some(stem) => format!("{number} {stem}ies"),
        None if noun.ends_with('s') || noun.ends_with('x') => format!("{number} {noun}es"),
        None => format!("{number} {noun}s"),
    }
}

fn without(text: &str, acts: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&acts) {
        return Cow::Borrowed(text);
    }
    let mut clean = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if acts(c) { clean.extend(c.escape_default()) } else { clean.push(c) }
    }
    Cow::Owned(clean)
}

/// Returns true if a terminal acts on the character instead of showing it.
fn acts(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{61C}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nouns_follow_their_number() {
        let of = |number, noun| counted(number, noun);
        assert_eq!([of(1, "pass"), of(2, "pass"), of(0, "texel")], ["1 pass", "2 passes", "0 texels"]);
        assert_eq!([of(1, "copy"), of(3, "copy"), of(4, "key")], ["1 copy", "3 copies", "4 keys"]);
    }

    #[test]
    fn nothing_that_a_terminal_obeys_is_left() {
        assert!(matches!(printable("llvmpipe (LLVM 15.0.6), 256 bits, größer"), Cow::Borrowed(_)));
        assert_eq!(printable("a\u{1b}[2Jb\nc\td\r\u{7}\u{7f}"), "a\\u{1b}[2Jb\\nc\\td\\r\\u{7}\\u{7f}");
        assert_eq!(printable_lines("a\u{1b}[2Jb\nc\td\r"), "a\\u{1b}[2Jb\nc\td\\r");
        assert_eq!(printable_path(Path::new("a\nb")), "a\\nb");
        assert_eq!(printable("\u{9b}31m, \u{202e}gnp.exe"), "\\u{9b}31m, \\u{202e}gnp.exe");
    }
}
