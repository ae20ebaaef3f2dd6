//! The processes in which answers are checked: the program itself, called again. Each takes a student's answers, and has a
//! limit on its memory and for each answer a limit on its time. What ends one leaves the other answers alone.
//!
//! ```text
//! stdin     a line, the task: the lesson, the answers, and the first task to grade; its end ends the process
//! stdout    a line when the device is open, and one for each grade
//! ```

use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use anyhow::{Context, bail};
use serde::{Deserialize, Serialize};

use rasterscan_lesson::answers::{Answers, Grade};

use super::record;
use crate::device::DeviceOptions;
use crate::lesson::{LessonText, show};
use crate::{probe, stop};

/// The time that a device may take to open.
const PATIENCE: Duration = Duration::from_secs(60);

/// The task of a process that grades.
#[derive(Debug, Serialize, Deserialize)]
pub struct Task {
    pub lesson: LessonText,
    pub answers: Answers,
    /// The number of the first stop or puzzle.
    pub from: usize,
    /// The most memory, in MB.
    pub memory: u64,
}

/// A line from a process.
#[derive(Debug, Serialize, Deserialize)]
pub enum Line {
    /// The device is open.
    Ready,
    Grade(Box<Grade>),
}

/// The end of a process before its next line.
#[derive(Debug)]
pub enum End {
    /// This one, after the time that it had.
    TooLong,
    Itself(ExitStatus),
}

/// Grades what stdin says, in the process started for that.
pub fn child(device: &DeviceOptions) -> anyhow::Result<()> {
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line).context("cannot read the task")?;
    let task: Task = serde_json::from_str(&line).context("not a task")?;
    limit_memory(task.memory);
    stop::with_parent().context("cannot wait for the end of the parent")?;
    let lesson = task.lesson.parse()?;
    let gpu = device.open()?;
    say(&Line::Ready)?;
    let mut record = record(&gpu);
    let mut show = show(&gpu);
    let grades =
        task.answers.grade(&lesson, task.from, &mut record, &mut show).map_err(anyhow::Error::msg)?;
    for grade in grades {
        say(&Line::Grade(Box::new(grade)))?;
    }
    Ok(())
}

fn say(line: &Line) -> anyhow::Result<()> {
    let mut text = serde_json::to_vec(line)?;
    text.push(b'\n');
    crate::output::to_stdout(&text)
}

/// Limits the memory that a process may write to, where the system has such a limit: of Unix systems, Linux keeps it.
/// Address space without memory is not counted; drivers reserve much of it. A crash writes no core.
fn limit_memory(megabytes: u64) {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, getrlimit, setrlimit};
        for (resource, most) in [(Resource::Data, megabytes.saturating_mul(1 << 20)), (Resource::Core, 0)] {
            let mut limit = getrlimit(resource);
            let lower = |limit: Option<u64>| Some(limit.map_or(most, |limit| limit.min(most)));
            (limit.current, limit.maximum) = (lower(limit.current), lower(limit.maximum));
            // It was lowered, which any process may do.
            let _ = setrlimit(resource, limit);
        }
    }
    #[cfg(not(unix))]
    let _ = megabytes;
}

/// A process that grades; ended when dropped.
#[derive(Debug)]
pub struct Process {
    child: Child,
    lines: Receiver<Line>,
    /// It ends the process, however this one ends.
    _pipe: ChildStdin,
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Process {
    /// Starts a process, and waits until its device is open. `None` if no process can be started, with the reason.
    ///
    /// Errors: the device cannot be opened within the limits. What the process can say itself, it has said.
    pub fn start(
        paths: [&Path; 2],
        device: &DeviceOptions,
        task: &Task,
    ) -> anyhow::Result<Result<Process, io::Error>> {
        let words = device.arguments();
        let started = std::env::current_exe().and_then(|program| {
            let mut command = Command::new(program);
            command.arg("grade").args(paths).arg("--child").args(words.split_whitespace());
            // The driver was tried before.
            command.env(probe::VARIABLE, "off");
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()
        });
        let mut child = match started {
            Ok(child) => child,
            Err(error) => return Ok(Err(error)),
        };
        let (mut pipe, stdout) = match (child.stdin.take(), child.stdout.take()) {
            (Some(pipe), Some(stdout)) => (pipe, stdout),
            _ => bail!("a process without pipes"),
        };
        let (sender, lines) = channel();
        let read = move || {
            // A driver may print lines of its own.
            let lines = BufReader::new(stdout).lines().map_while(Result::ok);
            for line in lines.filter_map(|line| serde_json::from_str(&line).ok()) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        };
        std::thread::Builder::new().name("grades".into()).spawn(read).context("cannot start a thread")?;
        let mut text = serde_json::to_vec(task)?;
        text.push(b'\n');
        // If it has ended already, the wait below finds out.
        let _ = pipe.write_all(&text);
        let mut process = Process { child, lines, _pipe: pipe };
        match process.line(PATIENCE)? {
            Ok(_) => Ok(Ok(process)),
            Err(End::Itself(status)) => match status.code() {
                Some(code) if code > 0 => std::process::exit(code),
                _ => bail!(
                    "the OpenGL driver crashes ({status}) with at most {} MB of memory; see --memory",
                    task.memory
                ),
            },
            Err(End::TooLong) => bail!("the OpenGL driver does not answer (waited {PATIENCE:?})"),
        }
    }

    /// The next line, if it comes in time.
    pub fn line(&mut self, most: Duration) -> anyhow::Result<Result<Line, End>> {
        match self.lines.recv_timeout(most) {
            Ok(line) => Ok(Ok(line)),
            Err(RecvTimeoutError::Timeout) => Ok(Err(End::TooLong)),
            Err(RecvTimeoutError::Disconnected) => {
                Ok(Err(End::Itself(self.child.wait().context("cannot wait for a process")?)))
            }
        }
    }
}
