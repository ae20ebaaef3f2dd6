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

/// The colours of a picture, other than those of values, and the width of its painter's letters.
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

    /// The colour of arrows that are not lit.
    pub fn faded(&self) -> Colour {
        self.ink.towards(self.paper, 0.62)
    }

    /// The colour of arrows of reads that were not used.
    pub fn dim(&self) -> Colour {
        self.ink.towards(self.paper, 0.5)
    }

    /// Returns whether the paper is bright.
    pub fn is_light(&self) -> bool {
        self.paper.0 > 127
    }
}

/// The colour of marks, visible on every palette: on changed numbers, on the texel pointed at, on points and lines.
pub const ACCENT: Colour = Colour(0xF0, 0x5A, 0x28);

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
