//! The settings of the View menu, as options.

use clap::Args;

use rasterscan_app::App;
use rasterscan_picture::colour::Palette;
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
    rows: bool,
    /// Draw arrows only for the texel under the pointer
    #[arg(long)]
    no_arrows: bool,
    /// The width of a number in points, 0.25 to 160 [default: fit everything]
    #[arg(long, value_name = "ZOOM", value_parser = zoom)]
    zoom: Option<f32>,
    /// The offset of the picture from the centre, in points
    #[arg(long, value_name = "X,Y", value_parser = pan, allow_hyphen_values = true)]
    pan: Option<[f32; 2]>,
}

impl LookOptions {
    /// Applies the options to the app's view.
    pub fn apply(&self, app: &mut App) {
        let view = &mut app.view;
        view.palette = self.palette.unwrap_or(view.palette);
        view.range = self.colours.unwrap_or(view.range);
        view.format = self.numbers.unwrap_or(view.format);
        view.in_a_row &= !self.rows;
        view.arrows &= !self.no_arrows;
        let camera = &mut view.cameras[0];
        camera.zoom = self.zoom.or(camera.zoom);
        camera.pan = self.pan.map_or(camera.pan, Into::into);
    }
}

fn zoom(text: &str) -> Result<f32, String> {
    let zoom = text.parse().ok().filter(|zoom| (0.25..=160.0).contains(zoom));
    zoom.ok_or_else(|| "expected 0.25 to 160".into())
}

fn pan(text: &str) -> Result<[f32; 2], String> {
    let expected = || "expected X,Y in points".to_owned();
    let (x, y) = text.split_once(',').ok_or_else(expected)?;
    let number =
        |text: &str| text.parse().ok().filter(|number: &f32| number.is_finite()).ok_or_else(expected);
    Ok([number(x)?, number(y)?])
}
