//! The faults of a lesson that its text does not show: what its runs lack. Kernels make the runs, so no device is needed.

use rasterscan::tools::job::{Job, Wanted};
use rasterscan::trace::Recording;
use rasterscan_kernels::record_job;

use super::super::puzzle::{Failure, Show};
use super::super::reference::{About, filled};
use super::super::shared;
use super::super::tour::{QuestionSource, Stop};
use super::{Lesson, algorithm};

/// The seeds of the numbers that a lesson is tried with: students can ask for others.
const SEEDS: [u64; 2] = [0, 1];

/// All faults, each with its stop or puzzle and its field.
pub fn faults(lesson: &Lesson) -> Vec<String> {
    let mut faults: Vec<String> = Vec::new();
    let mut note = |fault: String| {
        if !faults.contains(&fault) {
            faults.push(fault);
        }
    };
    for (number, stop) in (1..).zip(&lesson.stops).filter(|(_, stop)| stop.gallery.is_none()) {
        let mut of_stop = |fault: String| note(format!("stop {number} ({:?}): {fault}", stop.title));
        for seed in SEEDS {
            match record_job(&stop.job(seed)) {
                Ok(recording) => of_run(stop, &recording, &mut of_stop),
                Err(error) => of_stop(format!("job: {error}")),
            }
        }
        if let Some(beside) = &stop.beside {
            let beside = algorithm(&stop.job, beside).map(|choice| stop.job.clone().by(choice));
            if let Err(error) = beside.and_then(|job| record_job(&job).map_err(|error| error.to_string())) {
                of_stop(format!("beside: {error}"));
            }
        }
    }
    for (number, puzzle) in (1..).zip(&lesson.puzzles) {
        let than = puzzle.than.iter().map(|choice| {
            let job = Job { algorithm: Wanted::Algorithm(choice.clone()), ..puzzle.job.clone() };
            ("than".to_owned(), job)
        });
        let cases = (1..).zip(&puzzle.cases).map(|(number, case)| (format!("case {number}"), case.clone()));
        for (field, job) in [("job".to_owned(), puzzle.job.clone())].into_iter().chain(cases).chain(than) {
            if let Err(error) = record_job(&job) {
                note(format!("puzzle {number} ({:?}): {field}: {error}", puzzle.name));
            }
        }
    }
    faults
}

/// The faults of the stops that show pieces of the gallery, which need a device.
pub fn faults_of_pieces(lesson: &Lesson, show: &mut Show<'_>) -> Vec<String> {
    let mut faults = Vec::new();
    for (number, stop) in (1..).zip(&lesson.stops) {
        let Some(piece) = stop.gallery else { continue };
        let mut note = |fault: String| faults.push(format!("stop {number} ({:?}): {fault}", stop.title));
        match show(piece) {
            Ok(exhibit) => of_texts(stop, About::Piece(&exhibit.facts), &mut note),
            Err(Failure::Unsupported(wrong) | Failure::Error(wrong)) => note(format!("gallery: {wrong}")),
        }
    }
    faults
}

/// The faults of a stop in a run of its own.
fn of_run(stop: &Stop, recording: &Recording, note: &mut impl FnMut(String)) {
    let passes = recording.passes.len();
    let answered = Some(stop.answered).filter(|answered| *answered != usize::MAX);
    for (field, position) in [("position", Some(stop.position)), ("answered", answered)] {
        if let Some(position) = position.filter(|position| *position > passes) {
            note(format!("{field} = {position}: the run has {passes} passes"));
        }
    }
    let before = stop.position.min(passes).checked_sub(1);
    if let (Some(pin), Some(pass)) = (stop.pin, before) {
        let target = recording.passes[pass].targets.first();
        let texels = target.map_or(0, |target| recording.layout(target.stream).texels());
        if u64::from(pin) >= texels {
            note(format!("pin = {pin}: the target of pass {} has {texels} texels", pass + 1));
        }
    }
    let behind = stop.answered.min(passes).checked_sub(1);
    for (field, stage, pass) in
        [("stage", stop.stage, before), ("answered_stage", stop.answered_stage, behind)]
    {
        let stages = pass.map_or(0, |pass| shared::spans(recording, pass).len());
        if let Some(stage) = stage.filter(|stage| !(1..=stages).contains(stage)) {
            note(format!("{field} = {stage}: the pass has {stages} stages"));
        }
    }
    of_texts(stop, About::Run(recording), note);
}

/// The faults of a stop's texts and its question.
fn of_texts(stop: &Stop, about: About<'_>, note: &mut impl FnMut(String)) {
    for (number, paragraph) in (1..).zip(&stop.text) {
        if let Err(wrong) = filled(about, paragraph) {
            note(format!("text, paragraph {number}: {wrong}"));
        }
    }
    match &stop.question {
        None => {}
        Some(QuestionSource::Custom(question)) => {
            if let Err(wrong) = question.ask(about) {
                note(format!("question: {wrong}"));
            }
        }
        Some(QuestionSource::BuiltIn(question)) if stop.question(about).is_none() => {
            note(format!("question: '{}' cannot be asked of this run", question.name));
        }
        Some(QuestionSource::BuiltIn(_)) => {}
    }
}
