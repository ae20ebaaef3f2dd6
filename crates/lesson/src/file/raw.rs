//! The tables of a lesson file as they stand, and what becomes of them.

use std::ops::Range;

use rasterscan::plan::Shader;
use rasterscan::tools::job::{Job, Wanted};
use rasterscan::{Device, tools::Task};
use rasterscan_gallery::Piece;
use serde::Deserialize;

use super::super::guard;
use super::super::preprocessed::{Defines, preprocessed};
use super::super::puzzle::{Measure, Puzzle};
use super::super::tour::{OwnQuestion, QuestionSource, Stop, built_in_question};
use super::{Lesson, PUZZLES, algorithm, job};

/// The most stops and the most puzzles.
const MOST: usize = 64;

/// The most paragraphs, hints, cases or mistakes.
const MOST_OF_ONE: usize = 32;

/// The longest text of a line, in bytes.
const LONGEST: usize = 4096;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawLesson {
    title: String,
    #[serde(default)]
    text: Vec<String>,
    #[serde(default)]
    end: Vec<String>,
    #[serde(default)]
    stop: Vec<RawStop>,
    #[serde(default)]
    puzzle: Vec<RawPuzzle>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawStop {
    title: String,
    text: Vec<String>,
    job: Option<String>,
    gallery: Option<String>,
    #[serde(default)]
    position: usize,
    answered: Option<usize>,
    beside: Option<String>,
    pin: Option<u32>,
    stage: Option<usize>,
    answered_stage: Option<usize>,
    #[serde(default)]
    texture_rows: bool,
    points: Option<u32>,
    question: Option<RawQuestion>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawQuestion {
    builtin: Option<String>,
    text: Option<String>,
    answer: Option<String>,
    hint: Option<String>,
    explanation: Option<String>,
    #[serde(default)]
    mistakes: Vec<RawMistake>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawMistake {
    answer: String,
    hint: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawPuzzle {
    builtin: Option<String>,
    name: Option<String>,
    title: Option<String>,
    text: Option<Vec<String>>,
    job: Option<String>,
    shader: Option<String>,
    start: Option<String>,
    #[serde(default)]
    gaps: Vec<RawGap>,
    cases: Option<Vec<String>>,
    hints: Option<Vec<String>>,
    #[serde(default)]
    count: Measure,
    than: Option<String>,
    #[serde(default)]
    beat: bool,
    points: Option<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawGap {
    of: String,
    by: String,
}

/// Reads a file.
pub fn read(text: &str) -> Result<Lesson, String> {
    let raw: RawLesson = toml::from_str(text).map_err(|error| located(text, &error))?;
    if raw.stop.len() > MOST || raw.puzzle.len() > MOST {
        return Err(format!("a lesson has at most {MOST} stops and {MOST} puzzles"));
    }
    check([&raw.title].into_iter().chain(&raw.text).chain(&raw.end))
        .map_err(|wrong| format!("lesson: {wrong}"))?;
    let mut stops = Vec::new();
    for (number, stop) in raw.stop.into_iter().enumerate() {
        let about = format!("stop {} ({:?})", number + 1, stop.title);
        stops.push(self::stop(stop).map_err(|wrong| format!("{about}: {wrong}"))?);
    }
    let mut puzzles: Vec<Puzzle> = Vec::new();
    for (number, puzzle) in raw.puzzle.into_iter().enumerate() {
        let name = puzzle.builtin.as_ref().or(puzzle.name.as_ref()).cloned().unwrap_or_default();
        let about = |wrong: String| format!("puzzle {} ({name:?}): {wrong}", number + 1);
        let puzzle = self::puzzle(puzzle).map_err(about)?;
        if puzzles.iter().any(|known| known.name == puzzle.name) {
            return Err(about("the name is given twice".into()));
        }
        puzzles.push(puzzle);
    }
    if stops.is_empty() && puzzles.is_empty() {
        return Err("the lesson has neither a [[stop]] nor a [[puzzle]]".into());
    }
    let fingerprint = text
        .bytes()
        .fold(0xCBF2_9CE4_8422_2325, |sum: u64, byte| (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3));
    Ok(Lesson { title: raw.title, text: raw.text, end: raw.end, stops, puzzles, fingerprint })
}

/// An error with its line and column.
pub fn located(text: &str, error: &toml::de::Error) -> String {
    let place = error.span().and_then(|span| text.get(..span.start)).map(|before| {
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        (before.matches('\n').count() + 1, before[start..].chars().count() + 1)
    });
    let message = error.message().lines().collect::<Vec<_>>().join("; ");
    match place {
        Some((line, column)) => format!("line {line}, column {column}: {message}"),
        None => message,
    }
}

/// Errors if there are too many texts, or one is too long.
fn check<'a>(texts: impl Iterator<Item = &'a String>) -> Result<(), String> {
    for (number, text) in texts.enumerate() {
        if number > MOST_OF_ONE {
            return Err(format!("more than {MOST_OF_ONE} texts"));
        }
        if text.len() > LONGEST {
            return Err(format!("a text of {} bytes; at most {LONGEST}", text.len()));
        }
    }
    Ok(())
}

fn stop(raw: RawStop) -> Result<Stop, String> {
    check([&raw.title].into_iter().chain(&raw.text))?;
    let gallery =
        raw.gallery.as_deref().map(piece).transpose().map_err(|wrong| format!("gallery: {wrong}"))?;
    let text = match (&raw.job, gallery) {
        (Some(job), None) => job,
        (None, Some(piece)) => piece.job,
        _ => return Err("expected job, or gallery".into()),
    };
    let job = job(text).map_err(|wrong| format!("job: {wrong}"))?;
    if gallery.is_some() && (raw.position != 0 || raw.beside.is_some() || raw.pin.is_some()) {
        return Err("a piece of the gallery has a title, a text and a question; leave the others out".into());
    }
    if let Some(beside) = &raw.beside {
        algorithm(&job, beside).map_err(|wrong| format!("beside: {wrong}"))?;
    }
    Ok(Stop {
        title: raw.title,
        text: raw.text,
        job,
        gallery,
        position: raw.position,
        answered: raw.answered.unwrap_or(usize::MAX),
        beside: raw.beside,
        pin: raw.pin,
        stage: raw.stage,
        answered_stage: raw.answered_stage,
        texture_rows: raw.texture_rows,
        points: points(raw.points.or(raw.question.is_none().then_some(0)))?,
        question: raw
            .question
            .map(|raw| question(raw, gallery.is_some()))
            .transpose()
            .map_err(|wrong| format!("question: {wrong}"))?,
    })
}

/// A piece of the gallery.
fn piece(name: &str) -> Result<&'static Piece, String> {
    let names = || rasterscan_gallery::ALL.map(|piece| piece.name).join(", ");
    rasterscan_gallery::named(name).ok_or_else(|| format!("there is no piece '{name}'; expected {}", names()))
}

fn points(points: Option<u32>) -> Result<u32, String> {
    match points.unwrap_or(1) {
        points @ 0..=1000 => Ok(points),
        points => Err(format!("points: {points} is more than 1000")),
    }
}

/// Reads a question; that of a piece is the lesson's own.
fn question(raw: RawQuestion, of_piece: bool) -> Result<QuestionSource, String> {
    let RawQuestion { builtin, text, answer, hint, explanation, mistakes } = raw;
    if of_piece && builtin.is_some() {
        return Err("a builtin question is about a run; expected text and answer".into());
    }
    if let Some(name) = builtin {
        if text.is_some()
            || answer.is_some()
            || hint.is_some()
            || explanation.is_some()
            || !mistakes.is_empty()
        {
            return Err("a builtin question has texts of its own; leave the others out".into());
        }
        return built_in_question(&name).map(QuestionSource::BuiltIn);
    }
    let (Some(text), Some(answer)) = (text, answer) else {
        return Err("expected builtin, or text and answer".into());
    };
    let question = OwnQuestion {
        text,
        answer,
        hint: hint.unwrap_or_else(|| "Look at the picture again.".into()),
        explanation: explanation.unwrap_or_default(),
        mistakes: mistakes.into_iter().map(|mistake| (mistake.answer, mistake.hint)).collect(),
    };
    check(question.texts())?;
    Ok(QuestionSource::Custom(question))
}

fn puzzle(raw: RawPuzzle) -> Result<Puzzle, String> {
    let points = raw.points.map(|given| points(Some(given))).transpose()?;
    if let Some(name) = raw.builtin {
        let own = raw.name.is_some() || raw.title.is_some() || raw.text.is_some() || raw.job.is_some();
        if own || raw.shader.is_some() || raw.start.is_some() || !raw.gaps.is_empty() || raw.cases.is_some() {
            return Err("a builtin puzzle takes only points".into());
        }
        let known = PUZZLES
            .puzzle(&name)
            .cloned()
            .ok_or_else(|| format!("there is no such puzzle; expected {}", PUZZLES.puzzle_names()))?;
        return Ok(Puzzle { points: points.unwrap_or(known.points), ..known });
    }
    let needed = |what: Option<String>, name: &str| what.ok_or_else(|| format!("expected {name}"));
    let name = needed(raw.name, "name")?;
    if name.is_empty()
        || name.len() > 32
        || !name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
    {
        return Err("name: expected lower-case letters, digits and _".into());
    }
    let (title, text) = (needed(raw.title, "title")?, raw.text.unwrap_or_default());
    let (hints, cases) = (raw.hints.unwrap_or_default(), raw.cases.unwrap_or_default());
    check([&title].into_iter().chain(&text))?;
    check(hints.iter().chain(&cases))?;
    let job = job(&needed(raw.job, "job")?).map_err(|wrong| format!("job: {wrong}"))?;
    let cases = cases.iter().map(|case| self::job(case).map_err(|wrong| format!("case {case:?}: {wrong}")));
    let cases = cases.collect::<Result<Vec<Job>, String>>()?;
    let shader = needed(raw.shader, "shader")?;
    let own = shader_of(&job, &shader)?;
    let own_text = match &raw.start {
        Some(_) if !raw.gaps.is_empty() => return Err("expected start or gaps, not both".into()),
        Some(start) => start.clone(),
        None => preprocessed(&own, &Defines::of([&job].into_iter().chain(&cases), &shader)),
    };
    let (start, gaps) =
        with_gaps(&own_text, &raw.gaps).map_err(|wrong| format!("gaps: {wrong} in glsl/{shader}"))?;
    if start.len() > guard::MOST_BYTES {
        return Err(format!("start has {} bytes; at most {}", start.len(), guard::MOST_BYTES));
    }
    let than = raw.than.map(|than| algorithm(&job, &than).map_err(|wrong| format!("than: {wrong}")));
    Ok(Puzzle {
        name,
        title,
        text,
        shader,
        cases,
        start,
        gaps,
        hints,
        measure: raw.count,
        than: than.transpose()?,
        beat: raw.beat,
        points: points.unwrap_or(1),
        job,
    })
}

/// A text with its gaps, and the lines of each.
fn with_gaps(text: &str, gaps: &[RawGap]) -> Result<(String, Vec<Range<usize>>), String> {
    let place = |gap: &RawGap| match text.match_indices(&gap.of).collect::<Vec<_>>()[..] {
        [(place, _)] => Ok(place),
        _ => Err(format!("{:?} is not exactly once", gap.of)),
    };
    let mut places = gaps.iter().map(|gap| Ok((place(gap)?, gap))).collect::<Result<Vec<_>, String>>()?;
    places.sort_by_key(|(place, _)| *place);
    let (mut start, mut from, mut lines) = (String::new(), 0, Vec::new());
    for (place, gap) in places {
        let before = text.get(from..place).ok_or_else(|| format!("{:?} begins in another", gap.of))?;
        start.push_str(before);
        let first = start.matches('\n').count();
        start.push_str(&gap.by);
        lines.push(first..first + gap.by.trim_end_matches('\n').matches('\n').count() + 1);
        from = place + gap.of.len();
    }
    start.push_str(&text[from..]);
    Ok((start, lines))
}

/// The shader of this path that a job's passes use. Plans need no device, so a capable one stands in.
fn shader_of(job: &Job, path: &str) -> Result<Shader, String> {
    let Wanted::Algorithm(choice) = &job.algorithm else { return Err("expected one algorithm".into()) };
    let plan = Task::of_job(job).and_then(|task| choice.plan(task.request(), &Device::gl43()));
    let plan = plan.map_err(|error| error.to_string())?;
    let plan = plan.ok_or_else(|| format!("{choice} has no shaders"))?;
    let stages = || plan.passes().iter().flat_map(|pass| pass.shaders());
    stages().find(|shader| shader.path() == path).cloned().ok_or_else(|| {
        let mut paths: Vec<&str> = stages().map(Shader::path).collect();
        paths.sort_unstable();
        paths.dedup();
        format!("shader: the run does not use {path:?}; it uses {}", paths.join(", "))
    })
}
