//! Fuzzing of all readers of foreign files: files of a corpus are damaged and read, and must give a value or an error.
//!
//! Inputs with a new outcome from the reader join the corpus.
//! Each target is a unit test `fuzz` beside its reader. It runs a fixed number of cases, always the same ones; with
//! `RASTERSCAN_FUZZ_SECONDS`, as many as fit in that time. `RASTERSCAN_FUZZ_INPUT` names a file to read instead.

#![deny(unsafe_code)]

mod mutate;

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

pub use mutate::{Dice, damaged, repair_png};

/// The time limit for an input.
const LONGEST: Duration = Duration::from_secs(30);

/// The most inputs that join a corpus, and their greatest length in bytes.
const MOST_FOUND: usize = 500;
const LONGEST_FOUND: usize = 1 << 17;

/// A fuzzing target.
pub struct Fuzz<'a> {
    /// The target's name.
    pub name: &'a str,
    /// Valid files.
    pub corpus: Vec<Vec<u8>>,
    /// Words of the format.
    pub words: &'a [&'a str],
    /// Repairs what would hide all further damage, such as checksums.
    pub repair: fn(&mut Vec<u8>),
    /// The number of cases if no time is given.
    pub cases: u64,
}

impl Fuzz<'_> {
    /// Reads damaged files; `read` returns the outcome of each in words.
    pub fn run(self, read: impl Fn(&[u8]) -> String) {
        if let Some(path) = std::env::var_os("RASTERSCAN_FUZZ_INPUT") {
            println!("{}: {}", self.name, read(&std::fs::read(path).unwrap()));
            return;
        }
        let seconds =
            std::env::var("RASTERSCAN_FUZZ_SECONDS").ok().map(|seconds| seconds.parse::<f64>().unwrap());
        let Fuzz { name, mut corpus, words, repair, cases } = self;
        assert!(!corpus.is_empty(), "{name} has no corpus");
        let mut outcomes = BTreeSet::new();
        for file in &corpus {
            outcomes.insert(outcome(&read(file)));
        }
        let (start, sound) = (Instant::now(), corpus.len());
        let mut case = 0;
        while seconds.map_or(case < cases, |seconds| start.elapsed().as_secs_f64() < seconds) {
            let dice = &mut Dice::new(case);
            let mut bytes = mutate::damaged(dice, &corpus, words);
            if dice.below(8) > 0 {
                repair(&mut bytes);
            }
            let begun = Instant::now();
            let said = catch_unwind(AssertUnwindSafe(|| read(&bytes)));
            let took = begun.elapsed();
            let said = said.ok().filter(|_| took < LONGEST);
            let Some(said) = said else { panic!("{}", failure(name, case, &bytes, took)) };
            let new = outcomes.insert(outcome(&said));
            if new && bytes.len() <= LONGEST_FOUND && corpus.len() < sound + MOST_FOUND {
                corpus.push(bytes);
            }
            case += 1;
        }
        println!("{name}: {case} damaged files in {:.1?}, {} outcomes", start.elapsed(), outcomes.len());
        assert!(outcomes.len() > 3, "{name}: all files have the same few outcomes: {outcomes:?}");
    }
}

/// An outcome without its numbers and names.
fn outcome(said: &str) -> String {
    let letters = said.chars().filter(|c| c.is_ascii_alphabetic() || c.is_ascii_whitespace());
    letters.take(80).collect()
}

fn failure(name: &str, case: u64, bytes: &[u8], took: Duration) -> String {
    let path = std::env::temp_dir().join(format!("rasterscan-fuzz-{name}-{case}"));
    let kept = std::fs::write(&path, bytes);
    format!(
        "{name}: case {case} failed after {took:?} on {} bytes, which are in {} ({kept:?}); again with\n\
         RASTERSCAN_FUZZ_INPUT={} cargo test -p {} {name}::",
        bytes.len(),
        path.display(),
        path.display(),
        std::env::var("CARGO_PKG_NAME").unwrap_or_default()
    )
}
