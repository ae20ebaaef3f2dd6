//! Saved runs as still pictures, for a browser without WebGL 2: shapes as SVG, and the narration as text.

use rasterscan_app::engine::NoGpu;
use rasterscan_app::files::What;
use rasterscan_app::link::Opening;
use rasterscan_app::{App, saved};
use rasterscan_picture::Theme;
use serde_json::json;

/// The saved runs, as links.
pub fn links() -> Vec<String> {
    saved::jobs().iter().map(rasterscan::Job::link).collect()
}

/// The picture of a link, without a GPU: `svg`, `title`, `text`, and the number of passes as `last`.
///
/// Errors: as text, if the link cannot be read or there is no saved run for it.
pub fn show(link: &str, dark: bool) -> Result<String, String> {
    let mut app = App::new(Box::new(NoGpu("this browser offers no WebGL 2".into())));
    app.open(&Opening::of_link(link)?);
    let theme = if dark { Theme::DARK } else { Theme::LIGHT };
    let svg = app.export(What::Svg, theme)?;
    let svg = String::from_utf8(svg).map_err(|error| error.to_string())?;
    let value = json!({ "svg": svg, "title": app.title(), "text": app.narration(), "last": app.last() });
    Ok(value.to_string())
}
