//! Finds the equations of a sentence and checks them.

use rasterscan::operator::Notation;
use rasterscan::{ElementType, Operator};
use rasterscan_lesson::Item;

/// Counts each `expression = expression` in a text whose sides are numbers. Panics at one that does not hold by the
/// operators on the CPU.
pub fn check(text: &str, element: ElementType, arity: u32) -> usize {
    let sides: Vec<&str> = text.split(" = ").collect();
    let exact = sides.windows(2).filter(|pair| holds(pair[0], pair[1], element, arity, text)).count();
    let sides: Vec<&str> = text.split(" ≈ ").collect();
    exact + sides.windows(2).filter(|pair| holds(pair[0], pair[1], element, arity, text)).count()
}

/// Returns whether this is an equation of numbers.
fn holds(left: &str, right: &str, element: ElementType, arity: u32, text: &str) -> bool {
    let (Some(left), Some(right)) = (last(left, element, arity), first(right, element, arity)) else {
        return false;
    };
    assert!(left.is_about(&right.0), "{left} is not {}: {text}", right.0);
    true
}

/// The longest expression at the end of a text.
fn last(text: &str, element: ElementType, arity: u32) -> Option<Item> {
    let starts = text.char_indices().filter(|&(at, _)| at == 0 || text[..at].ends_with([' ', '(']));
    starts.map(|(at, _)| &text[at..]).find_map(|end| match first(end, element, arity) {
        Some((item, "")) => Some(item),
        _ => None,
    })
}

/// The expression at the start of a text, and the rest.
fn first(text: &str, element: ElementType, arity: u32) -> Option<(Item, &str)> {
    for operator in Operator::ALL.into_iter().filter(|operator| operator.notation() == Notation::Call) {
        if let Some(inner) = text.strip_prefix(&format!("{}(", operator.name())) {
            let (inner, rest) = inner.split_once(')')?;
            let items: Option<Vec<Item>> =
                inner.split(", ").map(|item| Item::parse(element, arity, item)).collect();
            return Some((Item::fold(&operator, &items?)?, rest));
        }
    }
    let (mut sum, mut rest) = term(text, element, arity)?;
    let signs = [
        (" + ", Operator::ADD),
        (" × ", Operator::MUL),
        (" & ", Operator::AND),
        (" | ", Operator::OR),
        (" ^ ", Operator::XOR),
        (" then ", Operator::AFFINE),
    ];
    loop {
        if let Some((next, behind)) = rest.strip_prefix(" - ").and_then(|rest| term(rest, element, arity)) {
            sum = Item::count(u32::try_from(sum.index(0)?.checked_sub(next.index(0)?)?).ok()?);
            rest = behind;
            continue;
        }
        let found = signs.iter().find_map(|(sign, operator)| Some((operator, rest.strip_prefix(sign)?)));
        let Some((operator, behind)) = found else { return Some((sum, rest)) };
        let Some((next, behind)) = term(behind, element, arity) else { return Some((sum, rest)) };
        sum = sum.combine(operator, next)?;
        rest = behind;
    }
}

fn term(text: &str, element: ElementType, arity: u32) -> Option<(Item, &str)> {
    let end = if text.starts_with('(') { text.find(')')? + 1 } else { end_of_number(text) };
    let item = Item::parse(element, arity, &text[..end])?;
    Some((item, &text[end..]))
}

fn end_of_number(text: &str) -> usize {
    let word = text.find([' ', ',', ';', ':', ')']).unwrap_or(text.len());
    text[..word].trim_end_matches('.').len()
}

fn equations_are_found_and_judged() {
    let of = |text| check(text, ElementType::U32, 1);
    assert_eq!(of("x[7] becomes x[3] + x[7] = 11 + 14 = 25; the rest stays."), 1);
    assert_eq!(of("place 2: 3 + 1 + 7 = 11."), 1);
    assert_eq!(of("max(3, 9, 4) = 9, and 16 - 7 = 9."), 2);
    assert_eq!(of("nothing to see: x = y."), 0);
    assert!(std::panic::catch_unwind(|| of("3 + 4 = 8.")).is_err());
    assert!(std::panic::catch_unwind(|| of("so 3 - 1 = 1, as said")).is_err());
    assert_eq!(check("(2, 3) then (5, 7) = (10, 22).", ElementType::I64, 2), 1);
    assert!(
        std::panic::catch_unwind(|| check("(5, 7) then (2, 3) = (10, 22).", ElementType::I64, 2)).is_err()
    );
    assert_eq!(check("0.5 + -1.25 = -0.75.", ElementType::F32, 1), 1);
}

crate::tests![equations_are_found_and_judged,];
