//! Numbers as words: equations, lists, plurals.

use super::Item;
use rasterscan::operator::{Notation, Operator, Rounding};

/// The digits of a count, with commas between thousands.
pub fn grouped(count: u64) -> String {
    match count {
        ..1000 => count.to_string(),
        _ => format!("{},{:03}", grouped(count / 1000), count % 1000),
    }
}

/// Items combined by an operator, as written: `3 + 5`, `max(3, 5)`, `(2, 1) then (3, 0)`.
pub fn expression(operator: &Operator, terms: &[String]) -> String {
    match operator.notation() {
        Notation::Between(sign) => terms.join(&format!(" {sign} ")),
        _ => format!("{operator}({})", terms.join(", ")),
    }
}

/// The operands and the result: `3 + 5 = 8`. Floats combined in another order differ by rounding; a remark tells of
/// integer overflow.
pub fn equation(operator: &Operator, items: &[Item], result: Item) -> String {
    let Some(expected) = Item::fold(operator, items) else { return result.to_string() };
    if items.len() == 1 && expected == result {
        return result.to_string();
    }
    let terms: Vec<String> = items.iter().map(Item::to_string).collect();
    let left = expression(operator, &terms);
    if expected == result {
        format!("{left} = {result}{}", wrapped(operator, items, result))
    } else if expected.is_about(&result) {
        format!("{left} ≈ {result}")
    } else {
        format!("{left} = {expected}, but the recording says {result}")
    }
}

/// A remark if a sum or a product does not fit into its integer.
fn wrapped(operator: &Operator, items: &[Item], result: Item) -> &'static str {
    let floats = items.iter().map(|item| item.to_f64(0));
    let exact: f64 = match operator.rounding() {
        Rounding::Sum => floats.sum(),
        Rounding::Product => floats.product(),
        _ => return "",
    };
    let words = result.element().words();
    let room = if words == 1 { 2f64.powi(31) } else { 2f64.powi(62) };
    if result.element().is_float() || (exact - result.to_f64(0)).abs() < room {
        ""
    } else if words == 1 {
        " (truncated to 32 bits)"
    } else {
        " (truncated to 64 bits)"
    }
}

/// The total of a run of neighbours: an equation if they are few, else the run's ends and the result.
pub fn together(operator: &Operator, name: &str, first: u64, items: &[Item], result: Item) -> String {
    if items.len() <= 4 {
        return equation(operator, items, result);
    }
    let last = first + items.len() as u64 - 1;
    let come_to = match operator.name() {
        "add" => "add up to",
        "mul" => "multiply to",
        "min" => "have the minimum",
        "max" => "have the maximum",
        _ => "combine to",
    };
    let expected = Item::fold(operator, items).unwrap_or(result);
    let mismatch = if expected.is_about(&result) || result.element().is_float() {
        String::new()
    } else {
        format!(", but should be {expected}")
    };
    format!("{name}[{first}] to {name}[{last}] {come_to} {result}{mismatch}")
}

/// A sentence with its first letter capitalized.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A text that a student typed, as far as a reply repeats it: so many characters.
pub fn shortened(text: &str, most: usize) -> String {
    let mut letters = text.chars();
    let shown: String = letters.by_ref().take(most).collect();
    if letters.next().is_some() { shown + "…" } else { shown }
}

/// The first few of a list, and dots if there are more.
pub fn listed(items: impl Iterator<Item = Item>, most: usize) -> String {
    let mut items = items.peekable();
    let mut shown: Vec<String> = items.by_ref().take(most).map(|item| item.to_string()).collect();
    if items.peek().is_some() {
        shown.push("…".into());
    }
    shown.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use rasterscan::tools::Numbers;

    fn items<T: rasterscan::Element>(numbers: &[T]) -> Vec<Item> {
        let values = Numbers::of(numbers);
        (0..numbers.len() as u64).filter_map(|index| Item::at(&values, 1, index)).collect()
    }

    #[test]
    fn equations_are_true_or_say_so() {
        let of = |operator: &Operator, numbers: &[u32], result| {
            equation(operator, &items(numbers), Item::count(result))
        };
        assert_eq!(of(&Operator::ADD, &[11, 14], 25), "11 + 14 = 25");
        assert_eq!(of(&Operator::MAX, &[11, 14, 2], 14), "max(11, 14, 2) = 14");
        assert_eq!(of(&Operator::XOR, &[6, 3], 5), "6 ^ 3 = 5");
        assert_eq!(of(&Operator::ADD, &[u32::MAX, 2], 1), "4294967295 + 2 = 1 (truncated to 32 bits)");
        assert_eq!(of(&Operator::ADD, &[3], 3), "3");
        assert_eq!(of(&Operator::ADD, &[3, 4], 8), "3 + 4 = 7, but the recording says 8");
        let floats = items(&[0.1f32, 0.2, 0.3]);
        let of = |sum: f32| equation(&Operator::ADD, &floats, items(&[sum])[0]);
        assert_eq!(of(0.6), "0.1 + 0.2 + 0.3 = 0.6");
        assert_eq!(of(0.6f32.next_up()), "0.1 + 0.2 + 0.3 ≈ 0.6000001");
    }

    #[test]
    fn long_runs_are_cut_short_and_still_checked() {
        let many = items(&[1u32; 9]);
        let text = |result| together(&Operator::ADD, "x", 8, &many, Item::count(result));
        assert_eq!(text(9), "x[8] to x[16] add up to 9");
        assert_eq!(text(8), "x[8] to x[16] add up to 8, but should be 9");
        assert_eq!(listed(many.into_iter(), 3), "1, 1, 1, …");
        assert_eq!(["", "étage 2", "x[1]"].map(capital), ["", "Étage 2", "X[1]"]);
    }
}
