//! A lesson on paper: one HTML page with its pictures inside. Kernels make the runs, a device the pieces of the gallery.

use std::fmt::Write;

use anyhow::{Context, anyhow};
use base64::Engine;
use rasterscan::Gpu;
use rasterscan::trace::{Place, Recording};
use rasterscan_drawing::pixels;
use rasterscan_drawing::svg::escaped;
use rasterscan_drawing::theme::Theme;
use rasterscan_lesson::file::Lesson;
use rasterscan_lesson::puzzle::Puzzle;
use rasterscan_lesson::reference::{About, filled};
use rasterscan_lesson::tour::{Question, Stop};
use rasterscan_picture::{Pages, Spot, Style, Subject};

/// The page, for numbers of this seed. With `key`, the answers follow on a page of their own.
pub fn page(lesson: &Lesson, seed: u64, key: bool, gpu: Option<&Gpu>) -> anyhow::Result<String> {
    let title = escaped(&lesson.title);
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title}</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n<p class=\"name\">Name:</p>\n"
    );
    paragraphs(&mut page, &lesson.text);
    let mut answers = String::new();
    for (number, stop) in (1..).zip(&lesson.stops) {
        let question = self::stop(&mut page, number, stop, seed, gpu)
            .with_context(|| format!("stop {number} ({:?})", stop.title))?;
        if let Some(Question { answer, explanation, .. }) = question {
            let answer = escaped(&answer.to_string());
            let _ = writeln!(answers, "<dt>{number}. <b>{answer}</b></dt><dd>{}</dd>", escaped(&explanation));
        }
    }
    for puzzle in &lesson.puzzles {
        self::puzzle(&mut page, puzzle);
    }
    paragraphs(&mut page, &lesson.end);
    if key {
        let _ = writeln!(page, "<section class=\"key\">\n<h2>Key</h2>\n<dl>\n{answers}</dl>\n</section>");
    }
    Ok(page + "</body>\n</html>\n")
}

fn paragraphs(page: &mut String, texts: &[String]) {
    texts.iter().for_each(|text| _ = writeln!(page, "<p>{}</p>", escaped(text)));
}

/// Adds a stop. Returns its question.
fn stop(
    page: &mut String,
    number: usize,
    stop: &Stop,
    seed: u64,
    gpu: Option<&Gpu>,
) -> anyhow::Result<Option<Question>> {
    if let (Some(piece), Some(gpu)) = (stop.gallery, gpu) {
        let exhibit = (piece.run)(gpu)?;
        let png = pixels::paint(&exhibit.picture, 2.0)?.png()?;
        let data = base64::engine::general_purpose::STANDARD.encode(png);
        let picture = format!("<img alt=\"{}\" src=\"data:image/png;base64,{data}\">", escaped(piece.shows));
        return section(page, number, stop, About::Piece(&exhibit.facts), &[picture]);
    }
    let job = stop.job(seed);
    let record = |job| rasterscan_kernels::record_job(job).map(Subject::new);
    let mut subjects = vec![record(&job)?];
    if let Some(beside) = &stop.beside {
        let choice = rasterscan::tools::registry::Choice::parse(job.problem, beside)?;
        subjects.push(record(&job.clone().by(choice))?);
    }
    let recording: &Recording = &subjects[0].recording;
    let theme = Theme { letters: 1.0, ..Theme::LIGHT };
    let range = subjects[0].usual_range();
    let style = Style { theme, range, fitted: !stop.texture_rows, ..Style::default() };
    let spot = stop.pin.map(|index| Spot { source: false, place: Place { of: 0, index } });
    // Each run is a picture of its own: two side by side are too wide for paper.
    let picture = |subject| {
        let svg = Pages::new(&[subject], style).svg(stop.position, &[spot]);
        svg[svg.find("<svg").unwrap_or(0)..].to_owned()
    };
    let pictures: Vec<String> = subjects.iter().map(picture).collect();
    section(page, number, stop, About::Run(recording), &pictures)
}

/// Adds a stop with its pictures. Returns its question.
fn section(
    page: &mut String,
    number: usize,
    stop: &Stop,
    about: About<'_>,
    pictures: &[String],
) -> anyhow::Result<Option<Question>> {
    let fill = |text: &String| filled(about, text).map_err(anyhow::Error::msg);
    let texts: Vec<String> = stop.text.iter().map(fill).collect::<Result<_, _>>()?;
    let _ = writeln!(page, "<section>\n<h2>{number}. {}</h2>", escaped(&stop.title));
    paragraphs(page, &texts);
    for picture in pictures {
        let _ = writeln!(page, "<figure>{picture}</figure>");
    }
    let question = match &stop.question {
        None => None,
        Some(_) => {
            let question = stop.question(about);
            Some(question.ok_or_else(|| anyhow!("the question cannot be asked of its run"))?)
        }
    };
    if let Some(question) = &question {
        let points = rasterscan::tools::printable::counted(stop.points.into(), "point");
        let text = escaped(&question.text);
        let _ = writeln!(
            page,
            "<p class=\"question\">{text} <span>({points})</span></p>\n<p class=\"room\">Answer:</p>"
        );
    }
    page.push_str("</section>\n");
    Ok(question)
}

fn puzzle(page: &mut String, puzzle: &Puzzle) {
    let _ = writeln!(page, "<section>\n<h2>{}</h2>", escaped(&puzzle.title));
    paragraphs(page, &puzzle.text);
    let _ =
        writeln!(page, "<pre>{}</pre>\n<p class=\"room\">Your lines:</p>\n</section>", code(&puzzle.start));
}

/// A shader's text; [`escaped`] makes spaces of the ends of lines.
fn code(text: &str) -> String {
    text.lines().map(|line| escaped(line) + "\n").collect()
}

const STYLE: &str = "
body { margin: 2em auto; max-width: 46em; padding: 0 1em; font: 11pt/1.45 Georgia, serif; color: #000; background: #fff; }
h1, h2 { font-family: system-ui, sans-serif; line-height: 1.2; }
section { break-inside: avoid; margin-top: 2em; }
figure { margin: 1em 0; }
figure svg, figure img { max-width: 100%; height: auto; max-height: 22em; }
pre { font-size: 8.5pt; line-height: 1.3; overflow-wrap: anywhere; white-space: pre-wrap; border-left: 3px solid #ccc; padding-left: 1em; }
.name { border-bottom: 1px solid #888; padding-bottom: 0.3em; }
.question { font-weight: bold; }
.question span { font-weight: normal; }
.room { border: 1px solid #aaa; min-height: 4.5em; padding: 0.3em 0.6em; color: #666; }
.key { break-before: page; }
dd { margin: 0 0 0.6em 1.5em; }
@page { margin: 18mm; }
";
