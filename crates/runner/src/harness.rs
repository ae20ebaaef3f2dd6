//! Runs tests in processes: one worker per core, one context per worker, one test after another in each.
//!
//! Mesa's llvmpipe crashes when two contexts of one process draw at the same time, so tests cannot run in the threads of
//! one process. A process per test would compile every shader again. So this program starts itself as workers and gives
//! each the next test as soon as it is free. A worker that fails a test, or dies in one, is replaced.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, PipeReader, Write};
use std::process::{Child, ChildStdin, Command, ExitCode, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// A test; a panic is a failure.
#[derive(Clone, Copy)]
pub struct Test {
    /// Its path: `conformance::blocks::edges`.
    pub name: &'static str,
    /// The command that runs it, by its path.
    pub run: fn(&str),
}

/// Lists the tests of a module, after those of its submodules. A missing test or module is dead code, which clippy
/// reports. `run for each of names` adds tests of these names, which `run` gets.
#[macro_export]
macro_rules! tests {
    (in $($module:ident),+; $($test:ident),* $(,)?) => {
        pub(crate) fn tests(list: &mut Vec<$crate::harness::Test>) {
            $($module::tests(list);)+
            $(list.push($crate::harness::Test { name: concat!(module_path!(), "::", stringify!($test)), run: |_| $test() });)*
        }
    };
    ($($test:ident),+ $(,)? $(; $run:ident for each of $names:expr)?) => {
        pub(crate) fn tests(list: &mut Vec<$crate::harness::Test>) {
            $(list.push($crate::harness::Test { name: concat!(module_path!(), "::", stringify!($test)), run: |_| $test() });)+
            $(list.extend($names.map(|name| $crate::harness::Test {
                name: format!("{}::{name}", module_path!()).leak(),
                run: |path| $run(path.rsplit("::").next().unwrap_or_default()),
            }));)?
        }
    };
}

/// A level of OpenGL to which Mesa is limited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// The best level of the device, in the API that `RASTERSCAN_API` names.
    Native,
    /// The same where Mesa does not optimise what it makes of shaders: for tests whose shaders take longer to compile than
    /// to run.
    Unoptimised,
    /// OpenGL 3.3 without compute shaders.
    Gl33,
    /// OpenGL ES 3.0.
    Gles30,
    /// The best OpenGL ES of the device, for the dialect of its compute shaders.
    Gles,
    /// Another driver: Mesa's softpipe, which numbers at most 4,096 vertices of a draw.
    Softpipe,
}

impl Level {
    pub const ALL: [Level; 6] =
        [Level::Native, Level::Unoptimised, Level::Gl33, Level::Gles30, Level::Gles, Level::Softpipe];

    fn name(self) -> &'static str {
        match self {
            Level::Native | Level::Unoptimised => "native",
            Level::Gl33 => "gl33",
            Level::Gles30 => "gles30",
            Level::Gles => "gles",
            Level::Softpipe => "softpipe",
        }
    }

    /// The variables of the environment that limit Mesa.
    pub fn environment(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Level::Native => &[],
            Level::Unoptimised => &[NO_OPTIMISING],
            Level::Gl33 => &[
                ("RASTERSCAN_DEVICE", "software"),
                ("RASTERSCAN_LEVEL", "gl33"),
                ("MESA_GL_VERSION_OVERRIDE", "3.3"),
                ("MESA_EXTENSION_OVERRIDE", "-GL_ARB_compute_shader -GL_ARB_shader_storage_buffer_object"),
                NO_OPTIMISING,
            ],
            Level::Gles30 => &[
                ("RASTERSCAN_DEVICE", "software"),
                ("RASTERSCAN_LEVEL", "gles30"),
                ("RASTERSCAN_API", "gles"),
                ("MESA_GLES_VERSION_OVERRIDE", "3.0"),
                NO_OPTIMISING,
            ],
            Level::Gles => &[("RASTERSCAN_DEVICE", "software"), ("RASTERSCAN_API", "gles"), NO_OPTIMISING],
            Level::Softpipe => &[
                ("RASTERSCAN_DEVICE", "software"),
                ("RASTERSCAN_LEVEL", "softpipe"),
                ("LIBGL_ALWAYS_SOFTWARE", "1"),
                ("GALLIUM_DRIVER", "softpipe"),
            ],
        }
    }
}

/// For Mesa's llvmpipe. Other drivers do not know it.
const NO_OPTIMISING: (&str, &str) = ("GALLIVM_PERF", "nopt");

const HELP: &str = "\
Usage: gl [TEXT]... [OPTIONS]

Runs the tests whose names contain one of the texts; without any, all.

  --level LEVELS    native (default), gl33, gles30, gles, softpipe, several with commas, or all
  --exact           a TEXT must be a whole name
  --skip TEXT       skips tests whose names contain the text; may be repeated
  --jobs N          workers at a time; default: one per core
  --list            prints the names and stops
  --show-output     prints what tests print, failed or not
";

/// The line on a worker's output that precedes a result.
const MARK: &str = "\u{1}";

/// The memory in bytes at which a worker is replaced: its driver keeps every compiled program.
const MOST_MEMORY: u64 = 2 << 30;

#[derive(Default)]
struct Options {
    texts: Vec<String>,
    skipped: Vec<String>,
    levels: Vec<Level>,
    exact: bool,
    list: bool,
    show_output: bool,
    jobs: Option<usize>,
}

impl Options {
    /// Errors: an unknown or malformed argument.
    fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Options, String> {
        let mut options = Options::default();
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or(format!("{argument}: missing value"));
            match argument.as_str() {
                "--level" => options.levels = levels_named(&value()?)?,
                "--skip" => options.skipped.push(value()?),
                "--jobs" | "--test-threads" => {
                    let text = value()?;
                    options.jobs =
                        Some(text.parse().map_err(|_| format!("--jobs {text}: expected a number"))?);
                }
                "--exact" => options.exact = true,
                "--list" => options.list = true,
                "--show-output" | "--nocapture" => options.show_output = true,
                other if other.starts_with('-') => return Err(format!("unknown option {other}\n\n{HELP}")),
                _ => options.texts.push(argument),
            }
        }
        if options.levels.is_empty() {
            options.levels = levels_named("native")?;
        }
        Ok(options)
    }

    fn wants(&self, name: &str) -> bool {
        let matches = |text: &String| if self.exact { name == text } else { name.contains(text.as_str()) };
        (self.texts.is_empty() || self.texts.iter().any(matches)) && !self.skipped.iter().any(matches)
    }
}

fn levels_named(text: &str) -> Result<Vec<Level>, String> {
    if text == "all" {
        return Ok(Level::ALL.to_vec());
    }
    let names: Vec<&str> = text.split(',').collect();
    match names.iter().find(|name| !Level::ALL.iter().any(|level| level.name() == **name)) {
        Some(name) => Err(format!("--level {name}: expected native, gl33, gles30, gles, softpipe or all")),
        None => Ok(Level::ALL.into_iter().filter(|level| names.contains(&level.name())).collect()),
    }
}

/// The remaining tests, and the results of the others.
struct State {
    queue: VecDeque<(Test, Level)>,
    done: Vec<Done>,
}

struct Done {
    test: Test,
    level: Level,
    passed: bool,
    time: Duration,
    output: String,
}

/// Runs the tests that the command line names, each on the requested levels that `levels` allows it.
pub fn main(tests: &[Test], levels: impl Fn(&str) -> Vec<Level>) -> ExitCode {
    let mut arguments = std::env::args().skip(1).peekable();
    if arguments.peek().is_some_and(|first| first == "--worker") {
        work(tests);
    }
    if std::env::args().any(|argument| argument == "--help") {
        print!("{HELP}");
        return ExitCode::SUCCESS;
    }
    let options = match Options::parse(arguments) {
        Ok(options) => options,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(2);
        }
    };
    let mut queue = VecDeque::new();
    for &level in &options.levels {
        let wanted =
            tests.iter().filter(|test| options.wants(short(test)) && levels(short(test)).contains(&level));
        queue.extend(wanted.map(|test| (*test, level)));
    }
    if options.list {
        queue.iter().for_each(|(test, level)| println!("{} [{}]", short(test), level.name()));
        return ExitCode::SUCCESS;
    }
    run(queue, &options)
}

/// A name without that of this program.
fn short(test: &Test) -> &'static str {
    test.name.split_once("::").map_or(test.name, |(_, rest)| rest)
}

fn run(queue: VecDeque<(Test, Level)>, options: &Options) -> ExitCode {
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    let (all, begin) = (queue.len(), Instant::now());
    let state = Mutex::new(State { queue, done: Vec::new() });
    println!("running {all} tests");
    if all == 0 {
        println!("no test here has such a name: --list shows them");
    }
    std::thread::scope(|scope| {
        for _ in 0..options.jobs.unwrap_or(cores).clamp(1, all.max(1)) {
            scope.spawn(|| employ(&state, options));
        }
    });
    let mut done = state.into_inner().expect("no thread has panicked").done;
    // Again: at the end of a long log they are found.
    for failed in done.iter().filter(|done| !done.passed) {
        println!("\n---- {} [{}] ----\n{}", short(&failed.test), failed.level.name(), failed.output);
    }
    done.sort_by_key(|done| std::cmp::Reverse(done.time));
    println!("\nthe longest:");
    for long in done.iter().take(10) {
        println!("  {:6.1} s  {} [{}]", long.time.as_secs_f64(), short(&long.test), long.level.name());
    }
    let failed = done.iter().filter(|done| !done.passed).count();
    let verdict = if failed == 0 && done.len() == all { "ok" } else { "FAILED" };
    println!(
        "\ntest result: {verdict}. {} passed; {failed} failed; finished in {:.1} s",
        done.len() - failed,
        begin.elapsed().as_secs_f64()
    );
    if verdict == "ok" { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Gives the next test to one worker after another, until none is left.
fn employ(state: &Mutex<State>, options: &Options) {
    let mut worker: Option<Worker> = None;
    loop {
        let Some((test, level)) = state.lock().expect("no thread has panicked").queue.pop_front() else {
            break;
        };
        let mut with = match worker.take() {
            Some(worker) if worker.level == level => worker,
            _ => Worker::start(level),
        };
        let begin = Instant::now();
        let (output, passed) = with.give(&test);
        let time = begin.elapsed();
        let verdict = if passed { "ok" } else { "FAILED" };
        println!("test {} [{}] ... {verdict} <{:.1} s>", short(&test), level.name(), time.as_secs_f64());
        // At once: a run that is cut short has told why a test failed.
        if !passed || options.show_output {
            print!("{output}");
        }
        // A failed test's leftovers do not affect the next.
        worker = (passed && with.memory() < MOST_MEMORY).then_some(with);
        state.lock().expect("no thread has panicked").done.push(Done { test, level, passed, time, output });
    }
}

/// A process that runs tests.
struct Worker {
    level: Level,
    process: Child,
    orders: ChildStdin,
    output: BufReader<PipeReader>,
}

impl Worker {
    fn start(level: Level) -> Worker {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        let mut process = Command::new(std::env::current_exe().expect("this program"))
            .arg("--worker")
            .envs(level.environment().iter().copied())
            .stdin(Stdio::piped())
            .stdout(writer.try_clone().expect("a pipe"))
            .stderr(writer)
            .spawn()
            .expect("a worker");
        let orders = process.stdin.take().expect("it was asked for");
        Worker { level, process, orders, output: BufReader::new(reader) }
    }

    /// Its memory in bytes, if the system tells (Linux does).
    fn memory(&self) -> u64 {
        const PAGE: u64 = 4096;
        let sizes = std::fs::read_to_string(format!("/proc/{}/statm", self.process.id())).unwrap_or_default();
        sizes.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok()).map_or(0, |pages| pages * PAGE)
    }

    /// Runs a test in it. Returns its output, and whether the test passed.
    fn give(&mut self, test: &Test) -> (String, bool) {
        // The output of a dead worker ends.
        let _ = writeln!(self.orders, "{}", test.name);
        let mut output = String::new();
        loop {
            let mut line = Vec::new();
            let read = self.output.read_until(b'\n', &mut line);
            let line = String::from_utf8_lossy(&line);
            if !matches!(read, Ok(1..)) {
                let status =
                    self.process.wait().map_or_else(|error| error.to_string(), |status| status.to_string());
                return (format!("{output}\nthe process that ran it ended: {status}\n"), false);
            }
            match line.split_once(MARK) {
                Some((before, verdict)) => {
                    output.push_str(before);
                    return (output, verdict.trim_end() == "ok");
                }
                None => output.push_str(&line),
            }
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // It ends when its orders end, unless it hangs.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Runs as a worker: reads a test's name per line from standard input, and prints a verdict for each.
fn work(tests: &[Test]) -> ! {
    for name in std::io::stdin().lines() {
        let name = name.expect("a name");
        let test = tests.iter().find(|test| test.name == name).expect("a test of this program");
        let verdict =
            if std::panic::catch_unwind(|| (test.run)(test.name)).is_ok() { "ok" } else { "FAILED" };
        println!("{MARK}{verdict}");
    }
    // The context of this thread ends with the process.
    std::process::exit(0)
}
