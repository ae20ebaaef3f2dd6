//! Runs: their start, at once or when typing stops, and the recordings shown for them.

use egui::Ui;
use rasterscan::Job;
use rasterscan::record::plan_to_record;

use rasterscan_lesson::edit::Edits;

use super::App;
use super::engine::{Engine, KernelEngine};
use super::job::{self, Field, Resolved, Wrong};
use super::shown::Shown;

/// The delay between the last edit of a text and its run, in seconds.
const PAUSE: f64 = 0.4;

impl App {
    /// Makes the run that the controls ask for: by kernels, if the engine cannot. If they cannot, either, the current run
    /// stays. If the engine is not done, the run stays due, and goes on in the next frame.
    pub(super) fn run(&mut self, index: usize) {
        self.unfinished[index] = None;
        self.go_on(index);
    }

    /// Goes on with a run that the engine has not finished, or begins one.
    fn go_on(&mut self, index: usize) {
        self.due[index] = None;
        let job = self.jobs[index].clone();
        let resolved = match self.unfinished[index].take() {
            Some(resolved) => Ok(resolved),
            None => job::resolve(&job, &mut self.load).map(|resolved| self.editor.edited(index, resolved)),
        };
        let resolved = match resolved {
            Ok(resolved) if !resolved.edits.is_empty() => return self.go_on_edited(job, resolved),
            resolved => resolved,
        };
        let outcome = resolved.and_then(|resolved| match self.engine.run(&resolved) {
            Ok(None) => {
                self.unfinished[index] = Some(resolved);
                Ok(None)
            }
            Ok(Some(recording)) => {
                let adjusted = job::adjusted(&resolved, &self.engine.limits());
                let notes = resolved.notes.into_iter().chain(adjusted).collect();
                Ok(Some(Shown::of_run(recording, job, notes)))
            }
            Err(message) if !self.lacks(&resolved) => Err(Wrong { field: Field::Run, message }),
            Err(message) => match KernelEngine.run(&resolved) {
                Ok(Some(recording)) => {
                    let adjusted = job::adjusted(&resolved, &KernelEngine.limits());
                    let notes = resolved.notes.into_iter().chain(adjusted).collect();
                    Ok(Some(Shown::of_run(recording, job, notes).instead_of_the_device(message)))
                }
                _ => Err(Wrong { field: Field::Run, message }),
            },
        });
        match outcome {
            Ok(None) => self.due[index] = Some(f64::MIN),
            Ok(Some(shown)) => self.put(index, shown),
            Err(wrong) => self.wrong[index] = Some(wrong),
        }
    }

    /// Returns true if the engine cannot run this for what it lacks; false if it should, and fails.
    fn lacks(&mut self, resolved: &Resolved) -> bool {
        let Resolved { choice, request, .. } = resolved;
        self.engine.unsupported(choice.card).is_some()
            || plan_to_record(choice, request, &self.engine.limits()).is_err()
    }

    /// Returns true while a run is due or unfinished: the last run is still shown.
    pub fn is_busy(&self) -> bool {
        self.visible().any(|index| self.due[index].is_some())
    }

    /// Goes on with a run of edited shaders, after one of the algorithm's own, which it is compared with. If the text is
    /// wrong, the last run stays.
    fn go_on_edited(&mut self, job: Job, resolved: Resolved) {
        let own = Resolved { edits: Edits::default(), ..resolved.clone() };
        let known = self.editor.own_run(&own);
        let outcome = match (&known, resolved.edits.check()) {
            (_, Err(wrong)) => Err(wrong),
            (None, Ok(())) => self.engine.run(&own),
            (Some(_), Ok(())) => self.engine.run(&resolved),
        };
        match (known, outcome) {
            (_, Ok(None)) => {}
            (None, Ok(Some(recording))) => {
                self.editor.keep_own(own, recording);
                return self.go_on_edited(job, resolved);
            }
            (Some(own), Ok(Some(recording))) => {
                let spot = self.editor.take_run(&own, &recording);
                self.put(0, Shown::of_run(recording, job, resolved.notes));
                self.view.cameras[0].pinned = spot;
                if std::mem::take(&mut self.editor.arrives) {
                    self.go(spot.map_or(usize::MAX, |(pass, _)| pass));
                }
                return;
            }
            (_, Err(wrong)) => {
                self.due[0] = None;
                self.editor.refuse(wrong);
                return;
            }
        }
        self.unfinished[0] = Some(resolved);
        self.due[0] = Some(f64::MIN);
    }

    pub(super) fn put(&mut self, index: usize, shown: Shown) {
        if index == 0 {
            self.view.range = shown.usual_range();
            // The same stage of a run with other numbers, but not of another scan.
            let stages = |shown: &Shown| shown.stages_at(self.view.position);
            if self.shown[0].as_ref().map(stages) != Some(stages(&shown)) || stages(&shown) == 0 {
                self.view.memory.stage = None;
            }
        }
        self.wrong[index] = None;
        self.due[index] = None;
        self.view.cameras[index] = Default::default();
        self.shown[index] = Some(shown);
    }

    /// Applies the controls to a run. Side by side, both runs have the same data and options.
    pub(super) fn set(&mut self, index: usize, job: Job, now: f64, typing: bool) {
        let only_the_algorithm = self.jobs[index].asks_the_same(&job);
        self.jobs[index] = job;
        self.edited(index, now, typing);
        if self.beside && !only_the_algorithm {
            self.follow(1 - index);
            self.edited(1 - index, now, typing);
        }
    }

    /// Copies everything but the algorithm from the other run.
    pub(super) fn follow(&mut self, index: usize) {
        let other = self.jobs[1 - index].clone();
        let choice = match other.problem == self.jobs[index].problem {
            true => job::choice(&self.jobs[index]),
            // A different algorithm than the first, if there is one.
            false => job::second(other.problem),
        };
        self.jobs[index] = other.by(choice);
    }

    /// Schedules a run after a change of the controls: at once, or when the typing stops.
    pub(super) fn edited(&mut self, index: usize, now: f64, typing: bool) {
        self.unfinished[index] = None;
        self.due[index] = Some(if typing { now + PAUSE } else { now });
    }

    pub(super) fn run_what_is_due(&mut self, ui: &Ui) {
        let now = ui.input(|input| input.time);
        for index in self.visible() {
            match self.due[index] {
                Some(due) if due <= now => {
                    self.go_on(index);
                    if self.due[index].is_some() {
                        ui.ctx().request_repaint();
                        // An engine works on one job at a time.
                        break;
                    }
                }
                Some(due) => ui.ctx().request_repaint_after_secs((due - now) as f32),
                None => {}
            }
        }
        if !self.is_busy() {
            if let Some(position) = self.wanted.take() {
                self.go(position);
            }
            if let Some(opening) = self.opening.take() {
                self.adjust(&opening);
            }
        }
    }
}
