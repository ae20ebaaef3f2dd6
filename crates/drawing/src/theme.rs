//! The colours of paper, ink and marks, for files and for windows.

use crate::colour::{Colour, GREY, PAPER};

/// The colours of a drawing, other than those of values, and the width of its painter's letters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Theme {
    /// The background.
    pub paper: Colour,
    /// Text, lines and arrows.
    pub ink: Colour,
    /// Secondary text.
    pub faint: Colour,
    /// The width of the painter's letters relative to the bundled font's.
    pub letters: f64,
}

impl Theme {
    /// White paper, for files.
    pub const PRINT: Theme = Theme { paper: PAPER, ink: Colour::grey(40), faint: GREY, letters: 1.0 };
    /// A light window.
    pub const LIGHT: Theme =
        Theme { paper: Colour::grey(250), ink: Colour::grey(40), faint: Colour::grey(100), letters: 0.88 };
    /// A dark window.
    pub const DARK: Theme =
        Theme { paper: Colour::grey(22), ink: Colour::grey(225), faint: Colour::grey(150), letters: 0.88 };

    /// The colour of arrows that are not lit: three times as bright or dark as the paper.
    pub fn faded(&self) -> Colour {
        self.ink.towards(self.paper, if self.is_light() { 0.5 } else { 0.62 })
    }

    /// The colour of arrows of reads that were not used.
    pub fn dim(&self) -> Colour {
        self.ink.towards(self.paper, 0.5)
    }

    /// The accent as the colour of letters: dark enough on light paper.
    pub fn accent_ink(&self) -> Colour {
        if self.is_light() { ACCENT.towards(Colour::grey(0), 0.3) } else { ACCENT }
    }

    /// Returns whether the paper is bright.
    pub fn is_light(&self) -> bool {
        self.paper.0 > 127
    }
}

/// The colour of marks, visible on every palette: on changed numbers, on the texel pointed at, on points and lines.
pub const ACCENT: Colour = Colour(0xF0, 0x5A, 0x28);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::colour::Palette;

    /// Linear red, green and blue as the three kinds of colour blindness see them (Machado, Oliveira and Fernandes 2009,
    /// at full severity), after full colour vision.
    const VISIONS: [[[f64; 3]; 3]; 4] = [
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
    ];

    /// A colour as it is seen, in CIE L*a*b*.
    fn seen(colour: Colour, vision: &[[f64; 3]; 3]) -> [f64; 3] {
        let linear = [colour.0, colour.1, colour.2].map(|channel| {
            let value = f64::from(channel) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        });
        let product = |row: &[f64; 3], of: &[f64; 3]| row.iter().zip(of).map(|(a, b)| a * b).sum::<f64>();
        let light = [0, 1, 2].map(|row| product(&vision[row], &linear).clamp(0.0, 1.0));
        let share = |row: [f64; 3], white: f64| {
            let value = product(&row, &light) / white;
            if value > 0.008856 { value.cbrt() } else { 7.787 * value + 16.0 / 116.0 }
        };
        let x = share([0.4124, 0.3576, 0.1805], 0.9505);
        let y = share([0.2126, 0.7152, 0.0722], 1.0);
        let z = share([0.0193, 0.1192, 0.9505], 1.089);
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    /// The distance of two colours as they are seen; above 10 they differ at a glance.
    fn distance(a: Colour, b: Colour, vision: &[[f64; 3]; 3]) -> f64 {
        let [a, b] = [a, b].map(|colour| seen(colour, vision));
        a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
    }

    #[test]
    fn lit_arrows_and_frames_are_seen_with_any_colour_vision() {
        for (number, vision) in VISIONS.iter().enumerate() {
            for theme in [Theme::PRINT, Theme::LIGHT, Theme::DARK] {
                for other in [theme.paper, theme.faded(), theme.dim()] {
                    let distance = distance(ACCENT, other, vision);
                    assert!(distance > 40.0, "vision {number}, {other:?}: {distance:.1}");
                }
            }
            for palette in Palette::ALL {
                for step in 0..=100 {
                    let [red, green, blue] = palette.at(f64::from(step) / 100.0);
                    let distance = distance(ACCENT, Colour(red, green, blue), vision);
                    assert!(distance > 14.0, "vision {number}, {palette:?} at {step} %: {distance:.1}");
                }
            }
        }
    }
}
