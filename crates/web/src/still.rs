//! Runs as still pictures, for a browser without WebGL 2: kernels in Rust make them, shapes are SVG, and the narration is
//! text.

use rasterscan_app::engine::KernelEngine;
use rasterscan_app::files::What;
use rasterscan_app::link::Opening;
use rasterscan_app::{App, examples};
use rasterscan_drawing::theme::Theme;
use serde_json::json;

/// Jobs to look at, as links.
pub fn links() -> Vec<String> {
    examples::jobs().iter().map(rasterscan::tools::Job::link).collect()
}

/// The picture of a link: `svg`, `title`, `text`, the position as `pass`, the number of passes as `last`, and as `lacks`
/// a sentence on the parts of the link that need WebGL.
///
/// Errors: as text, if the link cannot be read or run.
pub fn show(link: &str, dark: bool) -> Result<String, String> {
    let mut app = App::new(Box::new(KernelEngine));
    let (opening, lacks) = Opening::of_link(link)?.of_run();
    app.open(&opening);
    if let Some(wrong) = app.wrong() {
        return Err(wrong.message.clone());
    }
    let theme = if dark { Theme::DARK } else { Theme::LIGHT };
    let svg = app.export(What::Svg, theme)?;
    let svg = String::from_utf8(svg).map_err(|error| error.to_string())?;
    let value = json!({
        "svg": svg, "title": app.title(), "text": app.narration(), "lacks": lacks,
        "pass": app.view.position, "last": app.last(),
    });
    Ok(value.to_string())
}
