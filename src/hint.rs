//! Hints for misspelt names: the known name that is nearest to an unknown one.

/// "did you mean X?" if a name is near, else all names.
pub fn hint<'a>(wrong: &str, names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.collect();
    let nearest = names
        .iter()
        .map(|name| (strsim::damerau_levenshtein(wrong, name), *name))
        .min()
        .filter(|(distance, name)| *distance <= 1 + name.len() / 3);
    match nearest {
        Some((_, name)) => format!("did you mean {name}?"),
        None => format!("expected one of {}", names.join(", ")),
    }
}
