//! A program by others that runs beside this one, and takes commands as lines: `numpy.py` and `cuda.cu` say which. Numbers
//! go through files in a folder of its own.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

use rasterscan::{Element, ReduceSpec, ScanSpec, device::Clock, tools::Request};
use tempfile::TempDir;

use crate::peer::Running;

/// The time limit for an answer: a slower peer hangs, or is too slow to compare.
const PATIENCE: Duration = Duration::from_secs(60);

/// The greatest length of an answer in bytes; longer lines are split.
const LONGEST: u64 = 1 << 12;

/// The program. It ends when this is dropped.
#[derive(Debug)]
pub struct Process {
    /// Its name in messages.
    name: &'static str,
    child: Child,
    commands: ChildStdin,
    /// The lines of its output.
    answers: Receiver<String>,
    /// Its current folder, through which arrays are passed.
    folder: TempDir,
    /// Its versions, and its device.
    parameters: Vec<(&'static str, String)>,
    /// The clock by which it times itself.
    clock: Clock,
}

impl Process {
    /// Starts a program, and waits until it has the numbers and, for scans and reductions, the identity. Returns it with
    /// the words in which it says that it is ready.
    ///
    /// Errors: the reason why the peer is left out.
    pub fn start<T: Element>(
        (name, clock): (&'static str, Clock),
        command: &mut Command,
        request: &Request,
        numbers: &[T],
    ) -> Result<(Process, String), String> {
        let no_file = |error: std::io::Error| format!("cannot pass it the numbers: {error}");
        let folder = tempfile::tempdir().map_err(no_file)?;
        fs::write(folder.path().join("input"), bytemuck::cast_slice(numbers)).map_err(no_file)?;
        let operator = match request.get::<ScanSpec>() {
            Some(spec) => Some(&spec.operator),
            None => request.get::<ReduceSpec>().map(|spec| &spec.operator),
        };
        let (identity, arity) =
            operator.map_or(([T::ZERO; 2], 1), |operator| (operator.identity(), operator.arity() as usize));
        fs::write(folder.path().join("identity"), bytemuck::cast_slice(&identity[..arity]))
            .map_err(no_file)?;
        let mut child = command
            // Also, it imports nothing from the caller's folder.
            .current_dir(folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("{name} cannot be started: {error}"))?;
        let (commands, said) = (child.stdin.take(), child.stdout.take());
        let (Some(commands), Some(said)) = (commands, said) else { unreachable!("both are piped") };
        // At most a few lines wait, however many come.
        let (sender, answers) = sync_channel(1);
        std::thread::spawn(move || listen(said, &sender));
        let mut process = Process { name, child, commands, answers, folder, parameters: Vec::new(), clock };
        let ready = process.answer()?;
        let words = ready.strip_prefix("ready ").ok_or_else(|| process.nonsense(&ready))?.to_owned();
        // It has read them.
        fs::remove_file(process.folder.path().join("input")).map_err(no_file)?;
        Ok((process, words))
    }

    /// The same process, which tells these versions and this device.
    pub fn with(mut self, parameters: Vec<(&'static str, String)>) -> Process {
        self.parameters = parameters;
        self
    }

    /// The identifier of the process.
    #[cfg(test)]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    fn ask(&mut self, command: &str) -> Result<String, String> {
        // If it does not read, it does not answer, either.
        let _ = writeln!(self.commands, "{command}").and_then(|()| self.commands.flush());
        self.answer()
    }

    fn answer(&mut self) -> Result<String, String> {
        let name = self.name;
        let line = self.answers.recv_timeout(PATIENCE).map_err(|error| match error {
            RecvTimeoutError::Timeout => format!("{name} has not answered for {} s", PATIENCE.as_secs()),
            RecvTimeoutError::Disconnected => format!("{name} ended without an answer"),
        })?;
        match line.strip_prefix("error ") {
            Some(reason) => Err(reason.to_owned()),
            None => Ok(line),
        }
    }

    /// The reason to leave out a peer that answers so.
    pub fn nonsense(&self, answer: &str) -> String {
        let start: String = answer.chars().take(40).collect();
        format!("{} gave an invalid answer: {start:?}", self.name)
    }

    fn run(&mut self, runs: u32) -> Result<Duration, String> {
        let answer = self.ask(&format!("run {runs}"))?;
        let all = answer.parse().map(Duration::from_nanos).map_err(|_| self.nonsense(&answer))?;
        Ok(all / runs.max(1))
    }
}

impl<T: Element> Running<T> for Process {
    fn parameters(&self) -> Vec<(&'static str, String)> {
        self.parameters.clone()
    }

    fn results(&mut self) -> Result<Vec<T>, String> {
        self.run(1)?;
        let answer = self.ask("result")?;
        if answer != "written" {
            return Err(self.nonsense(&answer));
        }
        let file = self.folder.path().join("result");
        let bytes = fs::read(&file).map_err(|error| format!("its result cannot be read: {error}"))?;
        let _ = fs::remove_file(&file);
        if bytes.len() % size_of::<T>() != 0 {
            return Err(format!("its result is not an array of {}: {} bytes", T::TYPE, bytes.len()));
        }
        Ok(bytemuck::pod_collect_to_vec(&bytes))
    }

    fn time(&mut self, runs: u32) -> Result<(Duration, Clock), String> {
        Ok((self.run(runs)?, self.clock))
    }
}

/// Forwards the output line by line, until it ends or the receiver is gone.
fn listen(said: ChildStdout, answers: &SyncSender<String>) {
    let mut said = BufReader::new(said);
    let mut line = String::new();
    while matches!(said.by_ref().take(LONGEST).read_line(&mut line), Ok(length) if length > 0) {
        if answers.send(line.trim_end().to_owned()).is_err() {
            break;
        }
        line.clear();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Makes a shell script that can be run. Another process writes it: if this one did, a program that another thread starts
/// meanwhile would have the file open for writing, too, and running the script would fail ("text file busy").
#[cfg(all(test, unix))]
pub fn write_script(path: &std::path::Path, script: &str) {
    let write = "printf %s \"$1\" >\"$0\" && chmod 755 \"$0\"";
    let text = format!("#!/bin/sh\n{script}\n");
    assert!(Command::new("sh").args(["-c", write]).arg(path).arg(text).status().unwrap().success());
}
