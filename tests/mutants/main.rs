//! Changes the shaders of scans and compactions, one change at a time, and counts the changes that no test detects.
//!
//!     cargo test --locked --test mutants -- [--kernels] [TEXT]...
//!
//! changes the files whose paths contain one of the texts; without any, all. `--list` only lists the changes. Each
//! mutant runs the proofs and, where these do not apply, random data of a few lengths, until one fails. With `--kernels`
//! it is recorded instead, on some of these lengths, and compared with its kernels. It is *killed* if one fails, or if it
//! crashes its process, or never ends. One that does not compile is not counted. The rest have *survived*: either they do
//! the same as the original, or a test is missing. `results.md` beside this file tells which, for those examined so far.

mod cases;
mod mutate;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use cases::{Case, Judge, Outcome};
use mutate::Mutant;
use rasterscan::plan::{Shader, common_files};
use rasterscan::{compact, scan};
use rasterscan_runner::harness::Level;

/// The options of a worker, and of the judge.
const WORKER: &str = "--worker";
const KERNELS: &str = "--kernels";
/// The prefix of a verdict on a worker's output.
const MARK: &str = "\u{1}";
/// The time limit of a mutant. Most take a second.
const PATIENCE: Duration = Duration::from_secs(300);
/// The mutants that a worker runs before it is replaced, because its context keeps all programs.
const TERM: usize = 100;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |option: &str| arguments.iter().any(|argument| argument == option);
    let judge = if has(KERNELS) { Judge::Kernels } else { Judge::Results };
    if has(WORKER) {
        return work(judge);
    }
    let texts: Vec<&String> = arguments.iter().filter(|argument| !argument.starts_with('-')).collect();
    let gpu = rasterscan_runner::gpu();
    let all = mutants(&cases::all(&gpu, judge));
    drop(gpu);
    let wanted =
        |mutant: &Mutant| texts.is_empty() || texts.iter().any(|text| mutant.path.contains(&***text));
    let queue: VecDeque<usize> = (0..all.len()).filter(|&number| wanted(&all[number])).collect();
    println!("{} mutants", queue.len());
    if has("--list") {
        return queue.iter().for_each(|&number| println!("{number} {}", place(&all[number])));
    }
    let begin = Instant::now();
    let verdicts = run(&all, queue, judge);
    print!("{}", report(&all, &verdicts));
    println!("in {:.0} s", begin.elapsed().as_secs_f64());
}

/// Every mutant of every file that some case uses, in an order that is the same in all processes.
fn mutants(cases: &[Case]) -> Vec<Mutant> {
    let shaders = cases.iter().flat_map(|case| case.plan.passes().iter().flat_map(|pass| pass.shaders()));
    let own =
        shaders.flat_map(|shader| std::iter::once((shader.path(), shader.source())).chain(shader.includes()));
    let used: BTreeSet<&str> = cases.iter().flat_map(|case| case.files.iter().map(String::as_str)).collect();
    let files: BTreeMap<&str, &str> = common_files()
        .chain(scan::SHADER_FILES.files())
        .chain(compact::SHADER_FILES.files())
        .collect::<Vec<_>>()
        .into_iter()
        .chain(own)
        .collect();
    let mut functions = mutate::Functions::new();
    files.values().for_each(|text| mutate::functions(text, &mut functions));
    // Elements and operators are tested for their arithmetic.
    let arithmetic = ["common/element", "common/operator", "common/record", "common/fullscreen"];
    let changed = files.iter().filter(|(path, _)| used.contains(*path));
    let changed = changed.filter(|(path, _)| !arithmetic.iter().any(|folder| path.starts_with(folder)));
    changed.flat_map(|(path, text)| mutate::mutants(path, text, &functions)).collect()
}

/// The shader with a mutant instead of the original file.
fn mutated(shader: &Shader, mutant: &Mutant) -> Shader {
    if shader.path() == mutant.path {
        return shader.with_source(mutant.text.clone());
    }
    shader.with_include(mutant.path.clone(), mutant.text.clone())
}

// --- What runs the workers -----------------------------------------------------------------------

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    /// Killed by a wrong result, or an error.
    Killed,
    /// It crashed the process.
    Crashed,
    /// It never ended.
    Hung,
    NotCompiled,
    Survived,
}

/// The verdict on each mutant.
fn run(all: &[Mutant], queue: VecDeque<usize>, judge: Judge) -> BTreeMap<usize, (Verdict, String)> {
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    let (queue, verdicts) = (Mutex::new(queue), Mutex::new(BTreeMap::new()));
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                let mut worker: Option<Worker> = None;
                loop {
                    let Some(number) = queue.lock().expect("no panic").pop_front() else { break };
                    let mut with = worker.take().unwrap_or_else(|| Worker::start(judge));
                    let (verdict, why) = with.judge(number);
                    eprintln!("{number} {verdict:?} {} {why}", place(&all[number]));
                    let ends = matches!(verdict, Verdict::Crashed | Verdict::Hung) || with.judged >= TERM;
                    worker = (!ends).then_some(with);
                    verdicts.lock().expect("no panic").insert(number, (verdict, why));
                }
            });
        }
    });
    verdicts.into_inner().expect("no panic")
}

/// A process that runs mutants, because an access outside an array may do anything.
struct Worker {
    process: Child,
    lines: Receiver<String>,
    judged: usize,
}

impl Worker {
    fn start(judge: Judge) -> Worker {
        let mut command = Command::new(std::env::current_exe().expect("this program"));
        if judge == Judge::Kernels {
            // Recording shaders take longer to compile than to run.
            command.arg(KERNELS).envs(Level::Unoptimised.environment().iter().copied());
        }
        let mut process = command
            .arg(WORKER)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("a worker");
        let output = BufReader::new(process.stdout.take().expect("it was asked for"));
        let (sender, lines) = mpsc::channel();
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Worker { process, lines, judged: 0 }
    }

    fn judge(&mut self, number: usize) -> (Verdict, String) {
        self.judged += 1;
        let orders = self.process.stdin.as_mut().expect("it was asked for");
        let _ = writeln!(orders, "{number}");
        let end = Instant::now() + PATIENCE;
        loop {
            match self.lines.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(line) => {
                    let Some((_, verdict)) = line.split_once(MARK) else { continue };
                    let (verdict, why) = verdict.split_once(' ').unwrap_or((verdict, ""));
                    let verdict = match verdict {
                        "killed" => Verdict::Killed,
                        "not-compiled" => Verdict::NotCompiled,
                        _ => Verdict::Survived,
                    };
                    return (verdict, why.into());
                }
                Err(RecvTimeoutError::Timeout) => return (Verdict::Hung, String::new()),
                Err(RecvTimeoutError::Disconnected) => return (Verdict::Crashed, String::new()),
            }
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The position and the change of a mutant.
fn place(Mutant { path, line, was, change: (before, after), .. }: &Mutant) -> String {
    format!("`glsl/{path}:{line}` `{was}`: `{before}` -> `{after}`")
}

/// The number of killed mutants of each file, and all survivors.
fn report(all: &[Mutant], verdicts: &BTreeMap<usize, (Verdict, String)>) -> String {
    let mut files: BTreeMap<&str, BTreeMap<Verdict, usize>> = BTreeMap::new();
    for (number, (verdict, _)) in verdicts {
        *files.entry(&all[*number].path).or_default().entry(*verdict).or_default() += 1;
    }
    let mut report = String::from("| file | mutants | killed | by a crash | by no end | survived |\n");
    report += "| --- | --- | --- | --- | --- | --- |\n";
    let mut row = |name: &str, counts: &BTreeMap<Verdict, usize>| {
        let of = |verdict| counts.get(&verdict).copied().unwrap_or(0);
        let [killed, crashed, hung, survived] =
            [Verdict::Killed, Verdict::Crashed, Verdict::Hung, Verdict::Survived].map(of);
        let mutants = killed + crashed + hung + survived;
        report += &format!("| {name} | {mutants} | {killed} | {crashed} | {hung} | {survived} |\n");
    };
    let mut total = BTreeMap::new();
    for (path, counts) in &files {
        row(&format!("`glsl/{path}`"), counts);
        counts.iter().for_each(|(verdict, count)| *total.entry(*verdict).or_default() += count);
    }
    row("all", &total);
    report += "\nSurvivors:\n\n";
    for (number, _) in verdicts.iter().filter(|(_, (verdict, _))| *verdict == Verdict::Survived) {
        report += &format!("- {}\n", place(&all[*number]));
    }
    report
}

// --- What a worker does --------------------------------------------------------------------------

fn work(judge: Judge) {
    let gpu = rasterscan_runner::gpu();
    let cases = cases::all(&gpu, judge);
    let all = mutants(&cases);
    for line in std::io::stdin().lines() {
        let line = line.expect("a number");
        let mutant = &all[line.parse::<usize>().expect("a number")];
        let mut verdict = "survived".to_owned();
        for case in cases.iter().filter(|case| case.files.contains(&mutant.path)) {
            match case.run(&gpu, judge, |shader| mutated(shader, mutant)) {
                Outcome::Right => continue,
                Outcome::NotCompiled => verdict = "not-compiled".into(),
                Outcome::Wrong(why) => {
                    // If the original fails now, the mutant wrote outside an array.
                    let sane = matches!(case.run(&gpu, judge, Shader::clone), Outcome::Right);
                    verdict = format!("killed by {}: {}", case.name, why.lines().next().unwrap_or(""));
                    if !sane {
                        std::process::exit(1);
                    }
                }
            }
            break;
        }
        println!("{MARK}{verdict}");
    }
}
