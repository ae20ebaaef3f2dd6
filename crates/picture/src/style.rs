//! The style of a picture: colours, numbers, arrows.

use rasterscan::trace::Place;

use crate::colour::{Colour, Palette};

/// The look of a picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Style {
    /// The colours of values.
    pub palette: Palette,
    /// The values that the colours range over.
    pub range: ColourRange,
    /// The format of numbers.
    pub format: NumberFormat,
    /// Whether all reads are drawn as arrows where there are few texels.
    pub arrows: bool,
    /// Whether the rows of small textures stand one after the other, as papers draw them.
    pub in_a_row: bool,
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
            in_a_row: true,
            theme: Theme::PRINT,
        }
    }
}

/// The few colours of a picture beside those of values, and how wide its painter's letters are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Theme {
    /// The background.
    pub paper: Colour,
    /// Text, lines and arrows.
    pub ink: Colour,
    /// Text beside.
    pub faint: Colour,
    /// The width of the painter's letters against the bundled font's.
    pub letters: f64,
}

impl Theme {
    /// White paper, for files.
    pub const PRINT: Theme = Theme {
        paper: crate::colour::PAPER,
        ink: Colour::grey(40),
        faint: crate::colour::GREY,
        letters: 1.0,
    };
    /// A light window.
    pub const LIGHT: Theme =
        Theme { paper: Colour::grey(250), ink: Colour::grey(40), faint: Colour::grey(100), letters: 0.88 };
    /// A dark window.
    pub const DARK: Theme =
        Theme { paper: Colour::grey(22), ink: Colour::grey(225), faint: Colour::grey(150), letters: 0.88 };

    /// Whether the paper is bright.
    pub fn is_light(&self) -> bool {
        self.paper.0 > 127
    }
}

/// Marks what has changed, is pointed at, or is drawn: seen on every palette.
pub const ACCENT: Colour = Colour(0xF0, 0x5A, 0x28);

/// The values that the colours range over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColourRange {
    /// Those of the whole run, so that passes can be compared.
    Run,
    /// Those of each texture or buffer alone, so that small ones are seen beside large ones.
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
    /// Digits to the base of ten.
    Decimal,
    /// Digits to the base of sixteen.
    Hex,
    /// With an exponent, as floats are.
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
    /// Whether it is of a source, or of a target.
    pub source: bool,
    /// The texel, by its number among the sources or targets of the pass.
    pub place: Place,
}
