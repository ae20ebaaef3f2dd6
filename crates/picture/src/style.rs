//! The style of a picture: colours, numbers, arrows.

use rasterscan::trace::Place;

use rasterscan_drawing::colour::{Colour, Palette};
use rasterscan_drawing::theme::{ACCENT, Theme};

/// The look of a picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Style {
    /// The colours of values.
    pub palette: Palette,
    /// The values that the colours range over.
    pub range: ColourRange,
    /// The format of numbers.
    pub format: NumberFormat,
    /// True if all reads are drawn as faint arrows beside the lit ones, for passes whose arrows cross rarely.
    pub arrows: bool,
    /// True if rows are as long as fits best; false if textures are drawn in their own rows.
    pub fitted: bool,
    /// The other colours.
    pub theme: Theme,
}

impl Default for Style {
    fn default() -> Style {
        Style {
            palette: Palette::default(),
            range: ColourRange::Run,
            format: NumberFormat::Decimal,
            arrows: true,
            fitted: true,
            theme: Theme::PRINT,
        }
    }
}

impl Style {
    /// The colours of arrows.
    pub fn arrow_colours(&self) -> [Colour; 3] {
        [self.theme.faded(), self.theme.dim(), ACCENT]
    }
}

/// The values that the colours range over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColourRange {
    /// Those of the whole run, so that passes can be compared.
    Run,
    /// Those of each texture or buffer alone, so that small values can be told apart beside large ones.
    Stream,
}

impl ColourRange {
    /// Both ranges.
    pub const ALL: [ColourRange; 2] = [ColourRange::Run, ColourRange::Stream];

    /// The word of the command line.
    pub fn word(self) -> &'static str {
        match self {
            ColourRange::Run => "run",
            ColourRange::Stream => "stream",
        }
    }

    /// The name on the screen.
    pub fn name(self) -> &'static str {
        match self {
            ColourRange::Run => "of the whole run",
            ColourRange::Stream => "of each stream",
        }
    }
}

/// The format of numbers in texels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberFormat {
    /// Digits in base ten.
    Decimal,
    /// Digits in base sixteen.
    Hex,
    /// Digits with an exponent, as floats are written.
    Float,
}

impl NumberFormat {
    /// All formats.
    pub const ALL: [NumberFormat; 3] = [NumberFormat::Decimal, NumberFormat::Hex, NumberFormat::Float];

    /// The name on the screen.
    pub fn name(self) -> &'static str {
        match self {
            NumberFormat::Decimal => "decimal",
            NumberFormat::Hex => "hexadecimal",
            NumberFormat::Float => "scientific",
        }
    }
}

/// A texel of the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spot {
    /// True if it is of a source, false if it is of a target.
    pub source: bool,
    /// The texel, by its number among the sources or targets of the pass.
    pub place: Place,
}
