//! What somebody may have meant who wrote a name that there is not.

/// "did you mean X?" where something is near, else all there is.
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
