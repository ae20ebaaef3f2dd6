//! Runs as texts and still pictures, for who reads and for a browser without WebGL 2: kernels in Rust make them, shapes are
//! SVG.

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

/// The app at a link, in the language of a catalogue, and a sentence on what is left out.
fn app(link: &str, catalogue: &str) -> Result<(App, &'static str), String> {
    let mut app = App::new(Box::new(KernelEngine));
    let (opening, lacks) = Opening::of_link(link)?.of_run();
    if let Some(language) = opening.language.as_deref().filter(|_| !catalogue.is_empty()) {
        app.use_language(language);
        app.speak(language, catalogue)?;
    }
    app.open(&opening);
    match app.wrong() {
        Some(wrong) => Err(wrong.message.clone()),
        None => Ok((app, lacks)),
    }
}

/// The run of a link: see [`crate::still`].
pub fn show(link: &str, catalogue: &str, dark: bool) -> Result<String, String> {
    let (app, lacks) = app(link, catalogue)?;
    let theme = if dark { Theme::DARK } else { Theme::LIGHT };
    let svg = app.export(What::Svg, theme)?;
    let svg = String::from_utf8(svg).map_err(|error| error.to_string())?;
    let stop = app.reading().map(|stop| {
        let question = stop.question.map(|question| app.say(&question.text));
        json!({ "title": stop.title, "text": stop.text, "question": question })
    });
    let job = app.opening().job.map(|job| job.to_string());
    let stops: Vec<String> = app.tour.lesson().stops.iter().map(|stop| app.say(&stop.title)).collect();
    let value = json!({
        "svg": svg, "title": app.title(), "told": app.narration(), "history": app.history(), "lacks": app.say(lacks),
        "pass": app.view.position, "job": job, "stop": stop, "stops": stops,
    });
    Ok(value.to_string())
}

/// The reply to an answer: see [`crate::reply`].
pub fn reply(link: &str, catalogue: &str, given: &str) -> Result<String, String> {
    let (app, _) = app(link, catalogue)?;
    let question = app.reading().and_then(|stop| stop.question).ok_or("there is no question")?;
    Ok(question.check(given).words().map(|words| app.say(words)).join(". "))
}
