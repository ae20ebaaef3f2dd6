//! Numbers as text, in the units of claims.

use rasterscan_drawing::number::grouped;

/// How a unit of the files of claims writes a number; `None`: there is no such unit.
pub fn named(unit: &str) -> Option<fn(f64) -> String> {
    Some(match unit {
        "times" => times,
        "whole" => whole,
        "number" => |number| format!("{number:.2}"),
        "percent" => |share| format!("{:.0}%", 100.0 * share),
        "tenths of a percent" => |share| format!("{:.1}%", 100.0 * share),
        "of a hundred" => |share| format!("{share:.1}%"),
        // 1 is no conflict.
        "ways" => |degree| if degree == 1.0 { "none".into() } else { format!("{degree:.0}-way") },
        "elements" => |n| if n.is_finite() { whole(n) } else { "never".into() },
        "power of two" => |n| or_none(n, ["no length", "every length"], |n| format!("2^{:.1}", n.log2())),
        "size" => size,
        _ => return None,
    })
}

/// `2.50x`, with three significant digits.
pub fn times(factor: f64) -> String {
    match factor {
        factor if factor.is_infinite() => "never".into(),
        factor if factor < 0.1 => format!("{factor:.3}x"),
        factor if factor < 10.0 => format!("{factor:.2}x"),
        factor if factor < 100.0 => format!("{factor:.1}x"),
        factor => format!("{factor:.0}x"),
    }
}

/// A number that was counted, without a unit.
pub fn whole(number: f64) -> String {
    grouped(number.max(0.0).round() as u64)
}

/// A size of tuples or an order, or none.
pub fn size(size: f64) -> String {
    or_none(size, ["every size", "no size up to 8"], |size| format!("{size:.1}"))
}

/// The place from which on something holds: 0 if it always does, infinite if it never does.
fn or_none(place: f64, [all, none]: [&str; 2], write: impl Fn(f64) -> String) -> String {
    match place {
        place if place <= 0.0 => all.into(),
        place if place.is_infinite() => none.into(),
        place => write(place),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_that_are_none() {
        let of = |unit: &str, number| named(unit).unwrap()(number);
        assert_eq!([of("elements", f64::INFINITY), of("elements", 65_536.0)], ["never", "65,536"]);
        assert_eq!(
            [of("size", 0.0), of("size", 4.6), of("size", f64::INFINITY)],
            ["every size", "4.6", "no size up to 8"]
        );
        assert_eq!([of("power of two", 0.0), of("power of two", 4096.0)], ["no length", "2^12.0"]);
        assert_eq!([of("ways", 1.0), of("ways", 16.0)], ["none", "16-way"]);
        assert!(named("miles").is_none());
    }
}
