//! Answers to a lesson as a file, and their grades. The file is JSON, made by the app and checked by `rasterscan grade`;
//! like a lesson, it is not trusted.

use serde::{Deserialize, Serialize};

use super::edit::Edits;
use super::file::Lesson;
use super::puzzle::{Failure, Record, Verdict};
use super::tour::Marked;

/// The form of the file.
const FORM: &str = "rasterscan answers 1";

/// The longest file, in bytes.
const MOST_BYTES: usize = 8 << 20;

/// The most answers, and the most solutions.
const MOST: usize = 64;

/// A student's answers to a lesson.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answers {
    form: String,
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Grade {
    /// `stop 2` or `puzzle copy`.
    pub task: String,
    /// The heading.
    pub title: String,
    /// `right`, `wrong`, `missing`, or `unsupported` where the device cannot run it.
    pub mark: Mark,
    /// The points that it gives.
    pub points: u32,
    /// The most points.
    pub of: u32,
    /// The reply.
    pub note: String,
}

/// A mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
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
}

impl Mark {
    /// The word in a table.
    pub fn name(self) -> &'static str {
        match self {
            Mark::Right => "right",
            Mark::Wrong => "wrong",
            Mark::Missing => "missing",
            Mark::Unsupported => "unsupported",
        }
    }
}

impl Answers {
    /// No answers yet.
    pub fn of(lesson: &Lesson) -> Answers {
        Answers {
            form: FORM.into(),
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
        if answers.answers.len() > MOST || answers.solutions.len() > MOST {
            return Err(format!("more than {MOST} answers or solutions"));
        }
        Ok(answers)
    }

    /// Grades the answers: every stop and every puzzle of the lesson, in its order.
    ///
    /// Errors: if they are answers to another lesson.
    pub fn grade(&self, lesson: &Lesson, record: &mut Record) -> Result<Vec<Grade>, String> {
        if self.fingerprint != fingerprint(lesson) {
            return Err(match self.lesson == lesson.title {
                true => "these are answers to another version of the lesson".into(),
                false => format!("these are answers to {:?}, not to {:?}", self.lesson, lesson.title),
            });
        }
        let mut grades = Vec::new();
        for (number, stop) in (1..).zip(&lesson.stops) {
            let given = self.answers.iter().rfind(|answer| answer.stop == number);
            let (mark, note) = match given {
                None => (Mark::Missing, String::new()),
                Some(given) => match record(&stop.job(given.seed), &Edits::default()) {
                    Err(Failure::Unsupported(reason) | Failure::Error(reason)) => (Mark::Unsupported, reason),
                    Ok(recording) => match stop.question(&recording) {
                        None => (Mark::Unsupported, "the question does not fit its run".into()),
                        Some(question) => match question.check(&given.answer) {
                            Marked::Right(text) => (Mark::Right, text),
                            Marked::Wrong(text) | Marked::NoNumber(text) => {
                                (Mark::Wrong, format!("{:?}: {text}", given.answer))
                            }
                        },
                    },
                },
            };
            grades.push(grade(format!("stop {number}"), &stop.title, stop.points, mark, note));
        }
        for puzzle in &lesson.puzzles {
            let given = self.solutions.iter().rfind(|solution| solution.puzzle == puzzle.name);
            let (mark, note) = match given {
                None => (Mark::Missing, String::new()),
                Some(given) => {
                    let verdict = puzzle.judge(&given.text, record);
                    let mark = match &verdict {
                        Verdict::Unsupported(_) => Mark::Unsupported,
                        verdict if verdict.is_solved() => Mark::Right,
                        _ => Mark::Wrong,
                    };
                    (mark, verdict.to_string())
                }
            };
            grades.push(grade(format!("puzzle {}", puzzle.name), &puzzle.title, puzzle.points, mark, note));
        }
        Ok(grades)
    }
}

fn grade(task: String, title: &str, of: u32, mark: Mark, note: String) -> Grade {
    let points = if mark == Mark::Right { of } else { 0 };
    Grade { task, title: title.into(), mark, points, of, note }
}

fn fingerprint(lesson: &Lesson) -> String {
    format!("{:016x}", lesson.fingerprint)
}
