//! Answers to a lesson as a file, and their grades. The file is JSON, made by the app and checked by `rasterscan grade`;
//! like a lesson, it is not trusted.

use serde::{Deserialize, Serialize};

use super::edit::Edits;
use super::file::Lesson;
use super::puzzle::{Failure, Puzzle, Record, Show, Verdict};
use super::tour::{MOST_REPEATED, Marked, Stop};
use super::words::shortened;

/// The form of the file.
const FORM: &str = "rasterscan answers 1";

/// The longest file, in bytes.
const MOST_BYTES: usize = 8 << 20;

/// The most answers, and the most solutions.
const MOST: usize = 64;

/// The longest name, in bytes.
pub const MOST_NAME: usize = 200;

/// The longest note of a grade, in characters: a student's shader can make a driver say as much as it likes.
const MOST_NOTE: usize = 2000;

/// A student's answers to a lesson.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answers {
    form: String,
    /// The name that the student gave.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The title of the lesson.
    pub lesson: String,
    /// The lesson's fingerprint, in hexadecimal.
    pub fingerprint: String,
    /// The answers to stops.
    #[serde(default)]
    pub answers: Vec<Answer>,
    /// The solutions of puzzles.
    #[serde(default)]
    pub solutions: Vec<Solution>,
}

/// The answer to a stop's question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// The stop, from 1.
    pub stop: usize,
    /// The seed of its numbers.
    pub seed: u64,
    /// The answer as it was typed.
    pub answer: String,
}

/// The solution of a puzzle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Solution {
    /// The name of the puzzle.
    pub puzzle: String,
    /// The shader.
    pub text: String,
}

/// The grade of one question or puzzle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grade {
    /// `stop 2` or `puzzle copy`.
    pub task: String,
    /// The heading.
    pub title: String,
    /// The mark.
    pub mark: Mark,
    /// The points that it gives.
    pub points: u32,
    /// The most points.
    pub of: u32,
    /// The reply.
    pub note: String,
}

/// A mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    /// Answered correctly, or solved.
    Right,
    /// Wrong.
    Wrong,
    /// Not answered.
    Missing,
    /// The device cannot run it; it does not count.
    Unsupported,
    /// Its check was ended after some time.
    TooLong,
    /// Its check ended the driver, or took too much memory.
    Crashed,
}

impl Mark {
    /// The word in a table.
    pub fn name(self) -> &'static str {
        match self {
            Mark::Right => "right",
            Mark::Wrong => "wrong",
            Mark::Missing => "missing",
            Mark::Unsupported => "unsupported",
            Mark::TooLong => "took too long",
            Mark::Crashed => "crashed",
        }
    }
}

impl Answers {
    /// No answers yet.
    pub fn of(lesson: &Lesson) -> Answers {
        Answers {
            form: FORM.into(),
            name: String::new(),
            lesson: lesson.title.clone(),
            fingerprint: fingerprint(lesson),
            answers: Vec::new(),
            solutions: Vec::new(),
        }
    }

    /// Sets the answer to a stop, counted from 1.
    pub fn answer(&mut self, stop: usize, seed: u64, answer: impl Into<String>) {
        self.answers.retain(|known| known.stop != stop);
        self.answers.push(Answer { stop, seed, answer: answer.into() });
    }

    /// Sets the solution of a puzzle.
    pub fn solve(&mut self, puzzle: impl Into<String>, text: impl Into<String>) {
        let puzzle = puzzle.into();
        self.solutions.retain(|known| known.puzzle != puzzle);
        self.solutions.push(Solution { puzzle, text: text.into() });
    }

    /// The file.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("texts and numbers can be written") + "\n"
    }

    /// Reads a file.
    ///
    /// Errors: with line and column.
    pub fn parse(text: &str) -> Result<Answers, String> {
        if text.len() > MOST_BYTES {
            return Err(format!("the answers have {} bytes; at most {MOST_BYTES}", text.len()));
        }
        let answers: Answers = serde_json::from_str(text).map_err(|error| format!("not answers: {error}"))?;
        if answers.form != FORM {
            return Err(format!("the form is {:?}; expected {FORM:?}", answers.form));
        }
        if answers.name.len() > MOST_NAME {
            return Err(format!("the name has {} bytes; at most {MOST_NAME}", answers.name.len()));
        }
        if answers.answers.len() > MOST || answers.solutions.len() > MOST {
            return Err(format!("more than {MOST} answers or solutions"));
        }
        Ok(answers)
    }

    /// Errors if they are answers to another lesson.
    pub fn check(&self, lesson: &Lesson) -> Result<(), String> {
        match self.fingerprint == fingerprint(lesson) {
            true => Ok(()),
            false if self.lesson == lesson.title => {
                Err("these are answers to another version of the lesson".into())
            }
            false => {
                let title = shortened(&self.lesson, MOST_REPEATED);
                Err(format!("these are answers to {title:?}, not to {:?}", lesson.title))
            }
        }
    }

    /// Grades the answers to every task of the lesson from a number on: its stops, then its puzzles. Each is checked when
    /// its grade is asked for, by a run of its own.
    ///
    /// Errors: as [`Self::check`].
    pub fn grade(
        &self,
        lesson: &Lesson,
        from: usize,
        record: &mut Record,
        show: &mut Show,
    ) -> Result<impl Iterator<Item = Grade>, String> {
        self.check(lesson)?;
        Ok(numbers(lesson).skip(from).map(move |number| {
            let (mark, note) = match lesson.stops.get(number) {
                Some(stop) => {
                    let given = self.answers.iter().rfind(|answer| answer.stop == number + 1);
                    given.map(|given| of_stop(stop, given, record, show))
                }
                None => {
                    let puzzle = &lesson.puzzles[number - lesson.stops.len()];
                    let given = self.solutions.iter().rfind(|solution| solution.puzzle == puzzle.name);
                    given.map(|given| of_puzzle(puzzle, given, record))
                }
            }
            .unwrap_or((Mark::Missing, String::new()));
            grade(lesson, number, mark, note)
        }))
    }
}

/// The number of tasks in a lesson: its stops with a question, and its puzzles.
pub fn tasks(lesson: &Lesson) -> usize {
    numbers(lesson).count()
}

/// The numbers of the tasks among all stops and puzzles. A stop that is only read is none.
fn numbers(lesson: &Lesson) -> impl Iterator<Item = usize> {
    let asks = |number: &usize| lesson.stops.get(*number).is_none_or(|stop| stop.question.is_some());
    (0..lesson.stops.len() + lesson.puzzles.len()).filter(asks)
}

/// The grades of a student whose answers cannot be read.
pub fn ungraded(lesson: &Lesson) -> Vec<Grade> {
    numbers(lesson).map(|number| grade(lesson, number, Mark::Missing, String::new())).collect()
}

/// The grade of a task, by its number among the tasks, whose check did not come to its end. A stop runs no text of a
/// student: it does not count.
pub fn stopped(lesson: &Lesson, task: usize, mark: Mark, note: String) -> Grade {
    let number = numbers(lesson).nth(task).expect("a task of the lesson");
    let mark = if number < lesson.stops.len() { Mark::Unsupported } else { mark };
    grade(lesson, number, mark, note)
}

fn of_stop(stop: &Stop, given: &Answer, record: &mut Record, show: &mut Show) -> (Mark, String) {
    let question = match stop.gallery {
        None => record(&stop.job(given.seed), &Edits::default()).map(|recording| stop.question(&recording)),
        Some(piece) => show(piece).map(|exhibit| stop.question(&exhibit.facts[..])),
    };
    let question = match question {
        Ok(question) => question,
        Err(Failure::Unsupported(reason) | Failure::Error(reason)) => return (Mark::Unsupported, reason),
    };
    match question.map(|question| question.check(&given.answer)) {
        None => (Mark::Unsupported, "the question does not fit its run".into()),
        Some(Marked::Right(text)) => (Mark::Right, text),
        Some(Marked::Wrong(text) | Marked::NoNumber(text)) => {
            (Mark::Wrong, format!("{:?}: {text}", shortened(&given.answer, MOST_REPEATED)))
        }
    }
}

fn of_puzzle(puzzle: &Puzzle, given: &Solution, record: &mut Record) -> (Mark, String) {
    let verdict = puzzle.judge(&given.text, record);
    let mark = match &verdict {
        Verdict::Unsupported(_) => Mark::Unsupported,
        verdict if verdict.is_solved() => Mark::Right,
        _ => Mark::Wrong,
    };
    (mark, verdict.to_string())
}

/// The grade of a task, by its number from 0: the stops come first.
fn grade(lesson: &Lesson, number: usize, mark: Mark, note: String) -> Grade {
    let (task, title, of) = match lesson.stops.get(number) {
        Some(stop) => (format!("stop {}", number + 1), &stop.title, stop.points),
        None => {
            let puzzle = &lesson.puzzles[number - lesson.stops.len()];
            (format!("puzzle {}", puzzle.name), &puzzle.title, puzzle.points)
        }
    };
    let points = if mark == Mark::Right { of } else { 0 };
    Grade { task, title: title.clone(), mark, points, of, note: shortened(&note, MOST_NOTE) }
}

fn fingerprint(lesson: &Lesson) -> String {
    format!("{:016x}", lesson.fingerprint)
}
