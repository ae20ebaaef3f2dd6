//! How the picture looks at first: what the View menu sets, on the command line.

use clap::Args;

use rasterscan_app::App;
use rasterscan_app::colour::Palette;
use rasterscan_app::view::{ColourRange, NumberFormat};

use crate::job::named;

/// How numbers and texels look.
#[derive(Debug, Clone, Args)]
pub struct LookOptions {
    /// Colours from low to high numbers [default: viridis]
    #[arg(long, value_name = "PALETTE", value_parser = named(Palette::ALL, Palette::name))]
    palette: Option<Palette>,
    /// What colours range over: the whole run, or each stream alone [default: by the run]
    #[arg(long, value_name = "RANGE", value_parser = named(ColourRange::ALL, ColourRange::word))]
    colours: Option<ColourRange>,
    /// How numbers are written [default: decimal]
    #[arg(long, value_name = "FORMAT", value_parser = named(NumberFormat::ALL, NumberFormat::name))]
    numbers: Option<NumberFormat>,
    /// The rows of small textures as they lie, not one after the other
    #[arg(long)]
    rows: bool,
    /// No arrows but those of the texel that is pointed at
    #[arg(long)]
    no_arrows: bool,
    /// Points that a number is wide, 0.25 to 160 [default: all in sight]
    #[arg(long, value_name = "ZOOM", value_parser = zoom)]
    zoom: Option<f32>,
    /// How far the picture is from the middle, in points
    #[arg(long, value_name = "X,Y", value_parser = pan, allow_hyphen_values = true)]
    pan: Option<[f32; 2]>,
}

impl LookOptions {
    /// Makes the app look so.
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
