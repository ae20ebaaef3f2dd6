//! Numbers as text, for tables, charts and messages.

/// A number with three significant digits, and commas between thousands: 0.00123, 12.3, 1,230; very large and very
/// small ones as 1.23×10⁹.
pub fn significant(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return if value == 0.0 { "0".into() } else { "–".into() };
    }
    let scientific = format!("{value:.2e}");
    let Some((digits, exponent)) = scientific.split_once('e') else { return scientific };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if !(-4..=6).contains(&exponent) {
        return format!("{}×{}", digits.replace('-', "−"), power(10, exponent));
    }
    let rounded: f64 = scientific.parse().unwrap_or(value);
    decimal(rounded, (2 - exponent).max(0) as usize)
}

/// A number with so many decimals, and commas between thousands.
pub fn decimal(value: f64, decimals: usize) -> String {
    let text = format!("{:.decimals$}", value.abs());
    let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    let sign = if value < 0.0 && text.contains(|c: char| ('1'..='9').contains(&c)) { "−" } else { "" };
    format!("{sign}{}{rest}", thousands(whole))
}

/// The digits of a whole number with commas between thousands.
pub fn thousands(digits: &str) -> String {
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A base with a raised exponent: 2¹⁰.
pub fn power(base: u32, exponent: i32) -> String {
    const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let digits = exponent.unsigned_abs().to_string();
    let raised = digits.chars().filter_map(|digit| digit.to_digit(10)).map(|digit| RAISED[digit as usize]);
    let sign = (exponent < 0).then_some('⁻');
    base.to_string().chars().chain(sign).chain(raised).collect()
}

/// 872000 as 872,000.
pub fn grouped(number: u64) -> String {
    thousands(&number.to_string())
}

/// Milliseconds with three significant digits, more above a thousand.
pub fn milliseconds(ms: f64) -> String {
    let decimals = match ms {
        0.0..1.0 => 3,
        1.0..10.0 => 2,
        10.0..100.0 => 1,
        _ => 0,
    };
    format!("{ms:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_count() {
        let cases = [
            (0.0, "0"),
            (0.00123456, "0.00123"),
            (0.99999, "1.00"),
            (9.996, "10.0"),
            (12.34, "12.3"),
            (1234.0, "1,230"),
            (-1_234_567.0, "−1,230,000"),
            (1.234e9, "1.23×10⁹"),
            (-1.234e-9, "−1.23×10⁻⁹"),
            (f64::NAN, "–"),
        ];
        for (value, text) in cases {
            assert_eq!(significant(value), text);
        }
    }

    #[test]
    fn exponents_are_raised() {
        assert_eq!([power(2, 0), power(2, 10), power(10, -3)], ["2⁰", "2¹⁰", "10⁻³"]);
    }

    #[test]
    fn numbers_are_grouped_by_thousands() {
        let cases =
            [(0, "0"), (999, "999"), (1000, "1,000"), (872000, "872,000"), (1 << 30, "1,073,741,824")];
        for (number, text) in cases {
            assert_eq!(grouped(number), text);
        }
    }

    #[test]
    fn milliseconds_have_three_digits() {
        let cases = [(0.0123, "0.012"), (6.789, "6.79"), (67.89, "67.9"), (1234.5, "1234")];
        for (ms, text) in cases {
            assert_eq!(milliseconds(ms), text);
        }
    }
}
