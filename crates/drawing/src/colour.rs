//! Colours of values, of the text on them, and of the parts that all pictures share.
//!
//! Colour never carries a fact alone: a value that is not a finite number also has a [`sign`], and if there is room,
//! the number itself is written on its colour.

use std::fmt;

/// Red, green and blue, as sRGB.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Colour(pub u8, pub u8, pub u8);

impl Colour {
    /// A grey of this brightness.
    pub const fn grey(level: u8) -> Colour {
        Colour(level, level, level)
    }

    /// The colour at a share of the way to another: 0 is this one, 1 the other.
    pub fn towards(self, other: Colour, share: f32) -> Colour {
        let mix = |a: u8, b: u8| (f32::from(a) + (f32::from(b) - f32::from(a)) * share).round() as u8;
        Colour(mix(self.0, other.0), mix(self.1, other.1), mix(self.2, other.2))
    }
}

impl From<[u8; 3]> for Colour {
    fn from([red, green, blue]: [u8; 3]) -> Colour {
        Colour(red, green, blue)
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02X}{:02X}{:02X}", self.0, self.1, self.2)
    }
}

/// Text and lines on paper.
pub const INK: Colour = Colour(0x1F, 0x23, 0x28);
/// Secondary text.
pub const GREY: Colour = Colour(0x5A, 0x5A, 0x5A);
/// Rules and grids.
pub const GRID: Colour = Colour(0xE1, 0xE4, 0xE8);
/// The background.
pub const PAPER: Colour = Colour(0xFF, 0xFF, 0xFF);

/// Colours for low and high numbers, all from dark to light.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Palette {
    /// Violet, green, yellow.
    #[default]
    Viridis,
    /// Blue, grey, yellow: these look the same to most people who cannot tell red from green.
    Cividis,
    /// From black to white.
    Grey,
}

/// The colour of NaN.
const NAN: [u8; 3] = [0xC2, 0x18, 0x5B];
/// The colours of the infinities.
const INFINITY: [u8; 3] = [0xE6, 0x51, 0x00];
const MINUS_INFINITY: [u8; 3] = [0x8B, 0x1A, 0x1A];

impl Palette {
    /// All palettes.
    pub const ALL: [Palette; 3] = [Palette::Viridis, Palette::Cividis, Palette::Grey];

    /// The word of the command line.
    pub fn name(self) -> &'static str {
        match self {
            Palette::Viridis => "viridis",
            Palette::Cividis => "cividis",
            Palette::Grey => "grey",
        }
    }

    /// The colour at a share of the way from the lowest (0) to the highest (1). Shares beyond an end have the end's
    /// colour.
    pub fn at(self, share: f64) -> [u8; 3] {
        let share = if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) };
        let colour = match self {
            Palette::Viridis => colorous::VIRIDIS.eval_continuous(share),
            Palette::Cividis => colorous::CIVIDIS.eval_continuous(share),
            Palette::Grey => {
                // Neither black nor white, which are ink and paper.
                let grey = (56.0 + share * (232.0 - 56.0)).round() as u8;
                return [grey; 3];
            }
        };
        [colour.r, colour.g, colour.b]
    }
}

/// Colours for the numbers between a lowest and a highest one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    /// The colours of the values.
    pub palette: Palette,
    /// The least finite number; 0 if there is none.
    pub low: f64,
    /// The greatest finite number; 0 if there is none.
    pub high: f64,
    /// True if colours go by logarithms, which needs numbers that are not negative.
    pub log: bool,
}

impl Scale {
    /// The scale from the least to the greatest finite number among these.
    pub fn of(palette: Palette, values: impl IntoIterator<Item = f64>) -> Scale {
        let finite = values.into_iter().filter(|value| value.is_finite());
        let ends = finite.fold(None, |ends, value| match ends {
            None => Some((value, value)),
            Some((low, high)) => Some((value.min(low), value.max(high))),
        });
        let (low, high) = ends.unwrap_or((0.0, 0.0));
        Scale { palette, low, high, log: false }
    }

    /// The share of the way from the lowest number (0) to the highest (1): one half if these are the same.
    pub fn share(&self, value: f64) -> f64 {
        // Halves, whose difference is finite.
        let at = |value: f64| if self.log { value.max(0.0).ln_1p() } else { value / 2.0 };
        let (low, high, value) = (at(self.low), at(self.high), at(value));
        if high > low { (value - low) / (high - low) } else { 0.5 }
    }

    /// The colour of a number; NaN and the infinities have colours of their own.
    pub fn colour(&self, value: f64) -> [u8; 3] {
        match value {
            f64::INFINITY => INFINITY,
            f64::NEG_INFINITY => MINUS_INFINITY,
            _ if value.is_nan() => NAN,
            _ => self.palette.at(self.share(value)),
        }
    }
}

/// The text of a value that is not finite; `None` for all others.
pub fn sign(value: f64) -> Option<&'static str> {
    match value {
        f64::INFINITY => Some("inf"),
        f64::NEG_INFINITY => Some("-inf"),
        _ if value.is_nan() => Some("NaN"),
        _ => None,
    }
}

/// Black or white, whichever is the easier to read on a colour: the contrast is never below 4.5.
pub fn text_on(colour: [u8; 3]) -> [u8; 3] {
    let light = luminance(colour);
    if ratio(light, 0.0) >= ratio(1.0, light) { [0; 3] } else { [255; 3] }
}

/// The least contrast of text that everyone can read, as WCAG 2 asks for.
pub const LEAST_CONTRAST: f64 = 4.5;

/// The contrast of two colours as WCAG 2 defines it, 1 to 21.
pub fn contrast(a: Colour, b: Colour) -> f64 {
    let [a, b] = [a, b].map(|colour| luminance([colour.0, colour.1, colour.2]));
    ratio(a.max(b), a.min(b))
}

/// Relative luminance as WCAG 2 defines it, 0 to 1.
fn luminance(colour: [u8; 3]) -> f64 {
    let linear = |channel: u8| {
        let value = f64::from(channel) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    let [red, green, blue] = colour.map(linear);
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/// The contrast of a lighter on a darker luminance, 1 to 21.
fn ratio(lighter: f64, darker: f64) -> f64 {
    (lighter + 0.05) / (darker + 0.05)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn low_is_dark_and_high_is_light() {
        for palette in Palette::ALL {
            let scale = Scale::of(palette, [3.0, f64::NAN, -1.0, f64::INFINITY, 7.0]);
            assert_eq!((scale.low, scale.high), (-1.0, 7.0));
            let lights: Vec<f64> = (-1..=7).map(|x| luminance(scale.colour(f64::from(x)))).collect();
            assert!(lights.is_sorted_by(|a, b| a < b), "{palette:?}: {lights:?}");
            // Beyond the ends, as at them.
            assert_eq!(scale.colour(-1e300), scale.colour(-1.0));
            assert_eq!(scale.colour(1e300), scale.colour(7.0));
        }
        assert_eq!(Scale::of(Palette::Viridis, [0.0, 1.0]).colour(0.0), [68, 1, 84]);
        assert_eq!(Scale::of(Palette::Viridis, [0.0, 1.0]).colour(1.0), [253, 231, 37]);
    }

    #[test]
    fn a_constant_stream_and_none_have_a_colour() {
        let constant = Scale::of(Palette::Grey, [5.0, 5.0]);
        assert_eq!(constant.colour(5.0), Palette::Grey.at(0.5));
        let none = Scale::of(Palette::Grey, [f64::NAN]);
        assert_eq!((none.low, none.high, none.colour(0.0)), (0.0, 0.0, Palette::Grey.at(0.5)));
        let widest = Scale::of(Palette::Grey, [f64::MIN, f64::MAX]);
        assert_eq!(widest.share(0.0), 0.5);
    }

    #[test]
    fn what_is_no_finite_number_has_a_colour_and_a_sign_of_its_own() {
        let scale = Scale::of(Palette::Viridis, [0.0, 1.0]);
        let strange = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
        assert_eq!(strange.map(sign), [Some("NaN"), Some("inf"), Some("-inf")]);
        assert_eq!(sign(0.0), None);
        let colours = strange.map(|value| scale.colour(value));
        for (i, colour) in colours.iter().enumerate() {
            assert!(!colours[..i].contains(colour));
            for palette in Palette::ALL {
                let steps = (0..=1000).map(|step| palette.at(f64::from(step) / 1000.0));
                let near = |other: &[u8; 3]| colour.iter().zip(other).all(|(a, b)| a.abs_diff(*b) < 40);
                assert!(!steps.into_iter().any(|other| near(&other)), "{palette:?} has {colour:?}");
            }
        }
    }

    #[test]
    fn text_is_readable_on_every_colour() {
        let mut colours: Vec<[u8; 3]> = (0..=255).map(|grey| [grey; 3]).collect();
        colours.extend([NAN, INFINITY, MINUS_INFINITY]);
        for palette in Palette::ALL {
            colours.extend((0..=100).map(|step| palette.at(f64::from(step) / 100.0)));
        }
        for colour in colours {
            let (text, under) = (luminance(text_on(colour)), luminance(colour));
            assert!(ratio(text.max(under), text.min(under)) >= 4.5, "{colour:?}");
        }
    }
}
