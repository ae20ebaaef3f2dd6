//! The runs: their start, at once or when typing stops, and the recordings shown for them.

use rasterscan::tools::record::plan_to_record;
use rasterscan::{Device, tools::Job};
use rasterscan_lesson::edit::Edits;
use rasterscan_lesson::phrases::say;
use rasterscan_lesson::puzzle::{Failure, Puzzle, Verdict};

use super::editor::Editor;
use super::engine::{Engine, KernelEngine};
use super::job::{self, Field, Load, Resolved, Wrong};
use super::shown::Shown;

/// The delay between the last edit of a text and its run, in seconds.
const PAUSE: f64 = 0.4;

/// The most items that kernels run for the first picture, within a frame.
const MOST_AT_ONCE: u64 = 512;

/// A run: its job, and what came of it.
pub struct Run {
    /// The job of the controls.
    pub job: Job,
    /// The recording shown, which stays until the next is there.
    pub shown: Option<Shown>,
    /// The error of the last job, if it failed.
    pub wrong: Option<Wrong>,
    /// The time at which the job runs.
    pub due: Option<f64>,
    /// The job that the engine works on, with its numbers.
    unfinished: Option<Resolved>,
}

impl Run {
    /// Has the job run at a time.
    pub fn schedule(&mut self, at: f64) {
        (self.unfinished, self.due) = (None, Some(at));
    }

    /// Shows a recording.
    pub fn put(&mut self, shown: Shown) {
        (self.wrong, self.due, self.shown) = (None, None, Some(shown));
    }
}

/// The first run, the one beside it, and what makes them.
pub struct Runs {
    /// The engine.
    pub engine: Box<dyn Engine>,
    /// The reader for files of numbers.
    pub load: Load,
    /// Both runs; the second is shown side by side with the first.
    pub both: [Run; 2],
    /// True if two runs are shown side by side.
    pub beside: bool,
    /// Of two runs, the one that the controls and the explanations are for.
    pub editing: usize,
}

impl Runs {
    /// Runs of two jobs, the first of which is due.
    pub fn new(engine: Box<dyn Engine>, jobs: [Job; 2]) -> Runs {
        let load: Load = Box::new(|path, _, _| {
            Err(format!("cannot read {}: this app has no file readers", path.display()))
        });
        let mut both = jobs.map(|job| Run { job, shown: None, wrong: None, due: None, unfinished: None });
        both[0].schedule(f64::MIN);
        Runs { engine, load, both, beside: false, editing: 0 }
    }

    /// The visible runs.
    pub fn visible(&self) -> &[Run] {
        &self.both[..=usize::from(self.beside)]
    }

    /// The visible recordings.
    pub fn shown(&self) -> impl Iterator<Item = &Shown> {
        self.visible().iter().filter_map(|run| run.shown.as_ref())
    }

    /// The number of the run that the controls and the explanations are for.
    pub fn chosen(&self) -> usize {
        if self.beside { self.editing } else { 0 }
    }

    /// The algorithm of the run beside another; `None` if one run is shown.
    pub fn algorithm_beside(&self, index: usize) -> Option<&str> {
        let other = self.both[1 - index].shown.as_ref().filter(|_| self.beside)?;
        Some(other.recording.algorithm.as_str())
    }

    /// The number of passes of the longer run shown.
    pub fn last(&self) -> usize {
        self.shown().map(|shown| shown.passes()).max().unwrap_or(0)
    }

    /// The reason why kernels made the run, and not the engine; `None` if the engine made it.
    pub fn instead(&self) -> Option<&str> {
        let done = self.visible().iter().filter(|run| run.due.is_none());
        done.filter_map(|run| run.shown.as_ref()).find_map(|shown| shown.instead.as_deref())
    }

    /// Returns true while a run is due or unfinished: the last run is still shown.
    pub fn is_busy(&self) -> bool {
        self.visible().iter().any(|run| run.due.is_some())
    }

    /// Goes on with a run that the engine has not finished, or begins one. If it fails, the recording shown stays. If the
    /// engine is not done, the run stays due, and goes on in the next frame. Returns the recording once it is there.
    pub fn go_on(&mut self, index: usize, editor: &mut Editor) -> Option<Shown> {
        let run = &mut self.both[index];
        run.due = None;
        let job = run.job.clone();
        let resolved = match run.unfinished.take() {
            Some(resolved) => Ok(resolved),
            None => job::resolve(&job, &mut self.load).map(|resolved| editor.edited(index, resolved)),
        };
        let resolved = resolved.map_err(|wrong| self.both[index].wrong = Some(wrong)).ok()?;
        let own = resolved.edits.is_empty();
        let outcome = match own {
            true => self.record(&resolved, job),
            false => self.record_edited(&resolved, job, editor),
        };
        let run = &mut self.both[index];
        match outcome {
            Ok(None) => (run.unfinished, run.due) = (Some(resolved), Some(f64::MIN)),
            Ok(shown) => return shown,
            Err(message) if own => run.wrong = Some(Wrong { field: Field::Run, message }),
            Err(message) => editor.refuse(message),
        }
        None
    }

    /// The run that an engine has begun, by kernels, if nothing is shown in its place: the same values and reads, at once.
    pub fn meanwhile(&self, index: usize) -> Option<Shown> {
        let run = &self.both[index];
        let resolved = run.unfinished.as_ref().filter(|_| run.shown.is_none())?;
        let few = resolved.edits.is_empty() && resolved.task.request().len() <= MOST_AT_ONCE;
        let recording = few.then(|| KernelEngine.run(resolved).ok()).flatten()??;
        let mut shown = Shown::of_run(recording, run.job.clone(), Vec::new());
        shown.instead = Some(say("the device is at work"));
        Some(shown)
    }

    /// Returns true while kernels' run stands in for one that the engine has begun.
    pub fn is_meanwhile(&self) -> bool {
        let [first, _] = &self.both;
        first.due.is_some() && first.shown.as_ref().is_some_and(|shown| shown.instead.is_some())
    }

    /// Records a run: by kernels, if the engine lacks what it needs.
    fn record(&mut self, resolved: &Resolved, job: Job) -> Result<Option<Shown>, String> {
        let shown = |recording, device: &Device| {
            let notes = resolved.notes.iter().cloned().chain(job::adjusted(resolved, device));
            Shown::of_run(recording, job, notes.collect())
        };
        match self.engine.run(resolved) {
            Ok(recording) => Ok(recording.map(|recording| shown(recording, &self.engine.limits()))),
            Err(message) if !self.lacks(resolved) => Err(message),
            Err(message) => match KernelEngine.run(resolved) {
                Ok(Some(recording)) => {
                    let mut shown = shown(recording, &KernelEngine.limits());
                    shown.instead = Some(message);
                    Ok(Some(shown))
                }
                _ => Err(message),
            },
        }
    }

    /// Returns true if the engine cannot run this for what it lacks; false if it should, and fails.
    fn lacks(&mut self, resolved: &Resolved) -> bool {
        let Resolved { choice, task, .. } = resolved;
        self.engine.unsupported(choice.card).is_some()
            || plan_to_record(choice, task.request(), &self.engine.limits()).is_err()
    }

    /// Records a run of edited shaders, after one of the algorithm's own, which it is compared with.
    fn record_edited(
        &mut self,
        resolved: &Resolved,
        job: Job,
        editor: &mut Editor,
    ) -> Result<Option<Shown>, String> {
        resolved.edits.check()?;
        let own = Resolved { edits: Edits::default(), ..resolved.clone() };
        let limits = self.engine.limits();
        editor.note_functions(|| plan_to_record(&own.choice, own.task.request(), &limits).ok());
        let own = match editor.own_run(&own) {
            Some(known) => known,
            None => match self.engine.run(&own)? {
                Some(recording) => editor.keep_own(own, recording),
                None => return Ok(None),
            },
        };
        let Some(recording) = self.engine.run(resolved)? else { return Ok(None) };
        let first_wrong = editor.take_run(&own, &recording);
        let mut shown = Shown::of_run(recording, job, resolved.notes.clone());
        shown.first_wrong = first_wrong;
        Ok(Some(shown))
    }

    /// Checks a text that solves a puzzle, with all the puzzle's runs.
    pub fn judge(&mut self, puzzle: &Puzzle, text: &str) -> Verdict {
        let (engine, load) = (&mut self.engine, &mut self.load);
        puzzle.judge(text, &mut |job, edits| {
            let resolved = job::resolve(job, load).map_err(|wrong| Failure::Error(wrong.message))?;
            let resolved = Resolved { edits: edits.clone(), ..resolved };
            loop {
                if let Some(recording) = engine.run(&resolved).map_err(Failure::Error)? {
                    return Ok(recording);
                }
            }
        })
    }

    /// Gives a run another job. Side by side, both runs have the same data and options.
    pub fn set(&mut self, index: usize, job: Job, now: f64, typing: bool) {
        let at = if typing { now + PAUSE } else { now };
        let only_the_algorithm = self.both[index].job.asks_the_same(&job);
        self.both[index].job = job;
        self.both[index].schedule(at);
        if self.beside && !only_the_algorithm {
            self.follow(1 - index);
            self.both[1 - index].schedule(at);
        }
    }

    /// Shows one run or two.
    pub fn toggle_beside(&mut self, now: f64) {
        self.beside = !self.beside;
        self.both[1].wrong = None;
        self.editing = usize::from(self.beside);
        let stale = self.both[1].shown.is_none() || !self.both[0].job.asks_the_same(&self.both[1].job);
        if self.beside && stale {
            self.follow(1);
            self.both[1].schedule(now);
        }
    }

    /// Copies everything but the algorithm from the other run.
    fn follow(&mut self, index: usize) {
        let other = self.both[1 - index].job.clone();
        let choice = match other.problem == self.both[index].job.problem {
            true => job::choice(&self.both[index].job),
            // A different algorithm than the first, if there is one.
            false => job::second(other.problem),
        };
        self.both[index].job = other.by(choice);
    }
}
