//! The settings of the View menu, as options.

use clap::Args;

use rasterscan_app::view::Look;
use rasterscan_drawing::colour::Palette;
use rasterscan_picture::{ColourRange, NumberFormat};

use crate::job::named;

/// The look of numbers and texels.
#[derive(Debug, Clone, Args)]
pub struct LookOptions {
    /// The palette, from low to high numbers [default: viridis]
    #[arg(long, value_name = "PALETTE", value_parser = named(Palette::ALL, Palette::name))]
    palette: Option<Palette>,
    /// The range of the colours: the whole run, or each stream alone [default: by the run]
    #[arg(long, value_name = "RANGE", value_parser = named(ColourRange::ALL, ColourRange::word))]
    colours: Option<ColourRange>,
    /// The format of numbers [default: decimal]
    #[arg(long, value_name = "FORMAT", value_parser = named(NumberFormat::ALL, NumberFormat::name))]
    numbers: Option<NumberFormat>,
    /// Draw the rows of small textures below each other, not in one line
    #[arg(long)]
    wrapped: bool,
    /// Draw arrows only for the texel under the pointer
    #[arg(long)]
    no_arrows: bool,
    /// The width of a number in points, 0.25 to 160 [default: fit everything]
    #[arg(long, value_name = "ZOOM", value_parser = Look::zoom)]
    zoom: Option<f32>,
    /// The offset of the picture from the centre, in points
    #[arg(long, value_name = "X,Y", value_parser = Look::pan, allow_hyphen_values = true)]
    pan: Option<[f32; 2]>,
}

impl LookOptions {
    /// The settings for the app.
    pub fn look(&self) -> Look {
        let LookOptions { palette, colours, numbers, wrapped, no_arrows, zoom, pan } = self.clone();
        Look { palette, colours, numbers, rows: wrapped, no_arrows, zoom, pan }
    }
}
