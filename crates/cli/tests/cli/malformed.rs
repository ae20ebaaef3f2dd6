//! A thousand malformed inputs: each run ends within seconds, with a result or one error, and leaves no half-written
//! file.

use std::process::Output;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use assert_cmd::Command;
use rasterscan_fuzz::{Dice, damaged, repair_png};

use super::{Program, npy};

const INPUTS: usize = 1000;

/// Runs side by side.
const WORKERS: usize = 2;

/// A kind of input: a file, or INPUT itself.
struct Kind {
    /// The file's name; INPUT itself if `None`.
    file: Option<&'static str>,
    /// One of these, with INPUT in the place of `{}`.
    commands: &'static [&'static str],
    corpus: Vec<Vec<u8>>,
    words: &'static [&'static str],
}

const NUMBERS: &[&str] = &[
    "scan {}",
    "scan {} --dtype f32",
    "scan {} --dtype i64 --op max",
    "compact {} --keep >=2",
    "scan {} --tuple 2",
];

const BINARY: &[&str] = &["scan {} --dtype u32", "scan {} --dtype i64 --order 3", "compact {} --dtype f32"];

const IMAGE: &[&str] = &["scan {}", "scan {} --channels", "compact {} --keep >=128 --indices"];

const MASK: &[&str] = &["compact random:n=6 --mask {}"];

fn kinds() -> Vec<Kind> {
    let numbers = |descr: &str| npy(descr, "(2, 3)", &[1, 2, 3, 4].repeat(12)[..6 * size(descr)]);
    let text = ["1 2\t3\r\n4,5\n", "x, y\n-1, 2\n3,4", "1.5 -inf 1e3\nnan", "18446744073709551615\n0.50e1"];
    let text: Vec<Vec<u8>> = text.map(|text| text.as_bytes().to_vec()).to_vec();
    let words = &["inf", "NaN", "e", ",", "\n", "\u{feff}", "0x", "-"];
    let header = &["'descr'", "'<u4'", "'>f8'", "'|b1'", "True", "(6,)", "()", "}"];
    let kind = |file, commands, corpus, words| Kind { file: Some(file), commands, corpus, words };
    let npy = |descr: &[&str]| descr.iter().map(|descr| numbers(descr)).collect::<Vec<_>>();
    vec![
        kind("a.npy", NUMBERS, npy(&["|u1", "<u2", ">i4", "<f4", ">u8", "<f8"]), header),
        kind("a.csv", NUMBERS, text.clone(), words),
        kind("a.txt", NUMBERS, text, words),
        kind("a.bin", BINARY, vec![(0..=255).collect(), vec![0; 24], vec![0xFF; 41]], &[]),
        kind("a.png", IMAGE, images("png"), &["PLTE", "tRNS", "IDAT", "IEND"]),
        kind("a.jpg", IMAGE, images("jpg"), &[]),
        kind("a.npy", MASK, npy(&["|b1", "|u1", "<u4"]), header),
        kind("a.png", MASK, images("png"), &["PLTE", "IDAT"]),
        kind("a.json", &["trace show {}"], recordings(), &["null", "\"phase\":", "\"len\":", ",", "}"]),
        Kind {
            file: None,
            commands: NUMBERS,
            corpus: ["random:n=9,seed=1,max=7", "random:keep=0.5", "-", "a.npy", "random", "2^20"]
                .map(|input| input.as_bytes().to_vec())
                .to_vec(),
            words: &["n=", "seed=", "max=", "keep=", ",", "random:", "2^"],
        },
    ]
}

fn size(descr: &str) -> usize {
    usize::from(descr.as_bytes()[2] - b'0')
}

fn images(ending: &str) -> Vec<Vec<u8>> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../files/tests/corpus/images");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let wanted = paths.iter().filter(|path| path.extension().is_some_and(|found| found == ending));
    wanted.map(|path| std::fs::read(path).unwrap()).collect()
}

/// Short ones of the app's examples.
fn recordings() -> Vec<Vec<u8>> {
    let mut recordings: Vec<Vec<u8>> = rasterscan_app::examples::jobs()
        .iter()
        .map(|job| rasterscan_kernels::record_job(job).unwrap().to_json().unwrap())
        .collect();
    recordings.retain(|recording| recording.len() < 11_000);
    recordings
}

#[cfg(unix)]
#[test]
fn a_thousand_malformed_inputs_end_well() {
    let kinds = kinds();
    let (next, sound) = (AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| {
                loop {
                    let case = next.fetch_add(1, Ordering::Relaxed);
                    if case >= INPUTS {
                        break;
                    }
                    sound.fetch_add(usize::from(run(&kinds[case % kinds.len()], case)), Ordering::Relaxed);
                }
            });
        }
    });
    let sound = sound.into_inner();
    println!("{sound} of {INPUTS} were still sound");
    assert!((INPUTS / 20..INPUTS * 3 / 4).contains(&sound), "{sound} of {INPUTS} were still sound");
}

/// Runs a case; whether it had a result.
#[cfg(unix)]
fn run(kind: &Kind, case: usize) -> bool {
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt;
    use std::os::unix::process::ExitStatusExt;
    let program = Program::new();
    let dice = &mut Dice::new(case as u64);
    let mut bytes = damaged(dice, &kind.corpus, kind.words);
    if dice.below(4) > 0 {
        repair_png(&mut bytes);
    }
    let input: OsString = match kind.file {
        Some(name) => {
            program.file(name, &bytes);
            name.into()
        }
        // No argument has a zero.
        None => OsString::from_vec(bytes.iter().copied().filter(|byte| *byte != 0).collect()),
    };
    let before = program.names();
    let arguments = kind.commands[dice.below(kind.commands.len())];
    let shows = arguments.starts_with("trace");
    let out = if shows { "out.apng" } else { "out.npy" };
    let words = arguments.split(' ').map(|word| if word == "{}" { input.clone() } else { word.into() });
    let mut arguments: Vec<OsString> = words.chain(["-o".into(), out.into()]).collect();
    if !shows {
        // No driver is opened, which would be slow and has faults of its own.
        arguments.extend(["-a", "sequential", "--device", "99"].map(OsString::from));
    }
    // Seconds of the processor, which no other program takes away.
    let limits = "ulimit -t 5 && ulimit -v 500000 && exec \"$@\"";
    let mut command = Command::new("sh");
    command.current_dir(program.folder.path()).env("RASTERSCAN_CACHE", "off").env_remove("RASTERSCAN_DEVICE");
    command.args(["-c", limits, "sh", env!("CARGO_BIN_EXE_rasterscan")]).args(&arguments);
    let Output { status, stderr, .. } = command.timeout(Duration::from_secs(300)).output().unwrap();
    let stderr = String::from_utf8_lossy(&stderr);
    let tells =
        || format!("case {case}: {arguments:?} of {} bytes {:02X?}\n{status}\n{stderr}", bytes.len(), bytes);
    assert_eq!(status.signal(), None, "{}", tells());
    assert!(!stderr.contains("panicked"), "{}", tells());
    match status.code() {
        Some(0) => assert!(program.path(out).exists(), "{}", tells()),
        Some(1 | 2 | 4) => {
            assert_eq!(stderr.matches("rasterscan: error: ").count(), 1, "{}", tells());
            assert_eq!(program.names(), before, "{}", tells());
        }
        _ => panic!("{}", tells()),
    }
    status.success()
}
