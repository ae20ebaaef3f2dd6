//! The commands from a file to a file: each rank does its share.

use std::ops::Range;
use std::time::Instant;

use rasterscan::{Comparison, Condition, Gpu, Prepared, ScanSpec, scan};
use rasterscan_mpi::part::Part;

use crate::file::File;
use crate::options::Options;
use crate::ranks::Ranks;
use crate::{Result, gpu};

/// The longest stream that `--verify` compares with the sequential reference, in one rank.
const VERIFIED: u64 = 1 << 24;

/// Runs a command; its output appears under its name when all is written and, if asked for, verified.
pub fn run(options: &Options, ranks: &Ranks) -> Result<()> {
    let began = Instant::now();
    let gpu = gpu(options, ranks)?;
    let is_first = ranks.rank() == 0;
    let arity = u64::from(if options.command == "scan" { options.operator.arity() } else { 1 });
    let input = File::input(&options.input)?;
    let words = match options.items {
        Some(items) => items * arity,
        None => input.bytes()? / 4,
    };
    if options.items.is_none() && input.bytes()? % (4 * arity) != 0 {
        return Err(format!("{}: not a whole number of items of {} bytes", options.input, 4 * arity).into());
    }
    let part = format!("{}.part", options.output);
    if is_first {
        std::fs::File::create(&part).map_err(|error| format!("{part}: {error}"))?;
        let ranks = if ranks.count() == 1 { "1 rank".into() } else { format!("{} ranks", ranks.count()) };
        println!("{words} words in {ranks}, on {}", gpu.device());
    }
    ranks.barrier();
    let output = File::output(&part)?;
    let command = Command { options, ranks, gpu, words, input };
    match &options.command[..] {
        "scan" => command.scan(&output)?,
        "compact" => command.compact(&output)?,
        _ => command.sort(&output)?,
    }
    output.sync()?;
    drop(output);
    ranks.barrier();
    if is_first {
        if options.verify {
            command.verify(&part)?;
        }
        std::fs::rename(&part, &options.output).map_err(|error| format!("{}: {error}", options.output))?;
        println!("{} written after {:.3} s", options.output, began.elapsed().as_secs_f64());
    }
    Ok(())
}

/// A command of a rank.
struct Command<'c> {
    options: &'c Options,
    ranks: &'c Ranks,
    gpu: Gpu,
    /// The length of the input.
    words: u64,
    input: File,
}

impl Command<'_> {
    /// The words of the input from the `first` on.
    fn read(&self, first: u64, count: u64) -> Result<Vec<u32>> {
        let mut words = vec![0; count as usize];
        self.input.read(first, &mut words)?;
        Ok(words)
    }

    /// The scan, without its length.
    fn spec(&self) -> ScanSpec {
        let spec = ScanSpec::new::<u32>(0).operator(&self.options.operator);
        if self.options.exclusive { spec.exclusive() } else { spec }
    }

    /// Scans a share on each rank: totals, their exclusive scan, and the share begun with it.
    fn scan(&self, output: &File) -> Result<()> {
        let Command { options, ranks, gpu, .. } = self;
        let arity = u64::from(options.operator.arity());
        let share = ranks.share(self.words / arity);
        let piece = (options.piece / arity).max(1);
        let input = |reduce: &Prepared, items: Range<u64>| -> Result<_> {
            let words = self.read((share.start + items.start) * arity, (items.end - items.start) * arity)?;
            Ok(reduce.upload(&words)?)
        };
        let mut part = Part::<u32>::new(gpu, &self.spec(), share.end - share.start, piece, input)?;
        let total = part.reduce()?;
        part.scan(&ranks.exscan(&options.operator, &total))?;
        let mut first = share.start * arity;
        for scanned in part.scanned() {
            let words: Vec<u32> = scanned.read()?;
            output.write(first, &words)?;
            first += words.len() as u64;
        }
        Ok(())
    }

    /// Compacts a share on each rank. An exclusive scan of the counts says where each rank's elements lie, and they move so
    /// that every rank writes as many.
    fn compact(&self, output: &File) -> Result<()> {
        let Command { options, ranks, gpu, .. } = self;
        let share = ranks.share(self.words);
        let above = Condition::new(Comparison::Greater, options.above);
        let mut kept = Vec::new();
        let mut first = share.start;
        while first < share.end {
            let words = self.read(first, options.piece.min(share.end - first))?;
            kept.extend(gpu.compact(&words, above)?);
            first += words.len() as u64;
        }
        let own = kept.len() as u64;
        let (before, all) = ranks.sums(own);
        let common = |rank: usize| {
            let (start, end) = (ranks.start(rank, all), ranks.start(rank + 1, all));
            end.min(before + own).saturating_sub(start.max(before))
        };
        let counts: Vec<u64> = (0..ranks.count()).map(common).collect();
        output.write(ranks.share(all).start, &ranks.exchange(&kept, &counts))
    }

    /// Sorts by samples: each rank sorts its share and takes regular samples of it; among all samples are the splitters, each
    /// rank gets what lies between two of them, and sorts it. A key counts with its rank and place, so that equal keys are
    /// split, too: no rank gets more than two shares, at most 2^30 keys.
    fn sort(&self, output: &File) -> Result<()> {
        let Command { ranks, gpu, .. } = self;
        let share = ranks.share(self.words);
        let keys = gpu.sort(&self.read(share.start, share.end - share.start)?)?;
        let count = ranks.count();
        let tag = |key: u32| u64::from(key) << 32 | ranks.rank() as u64;
        let sample = |number: usize| match keys.len() {
            0 => [u64::MAX; 2],
            len => [tag(keys[number * len / count]), (number * len / count) as u64],
        };
        let samples = ranks.gather(&(0..count).flat_map(sample).collect::<Vec<_>>());
        let mut samples: Vec<[u64; 2]> = samples
            .chunks_exact(2)
            .map(|sample| [sample[0], sample[1]])
            .filter(|sample| sample[0] != u64::MAX)
            .collect();
        samples.sort_unstable();
        let end = |rank: usize| {
            if rank + 1 == count || samples.is_empty() {
                return keys.len();
            }
            let splitter = samples[(rank + 1) * samples.len() / count];
            // Among keys as the splitter's own, places decide.
            let [below, up_to] = [
                keys.partition_point(|key| tag(*key) < splitter[0]),
                keys.partition_point(|key| tag(*key) <= splitter[0]),
            ];
            (splitter[1] as usize).clamp(below, up_to)
        };
        let ends: Vec<usize> = (0..count).map(end).collect();
        let starts = std::iter::once(0).chain(ends.iter().copied());
        let counts: Vec<u64> = starts.zip(&ends).map(|(start, end)| (end - start) as u64).collect();
        let sorted = gpu.sort(&ranks.exchange(&keys, &counts))?;
        let (before, _) = ranks.sums(sorted.len() as u64);
        output.write(before, &sorted)
    }

    /// Compares the result in `part` with the sequential reference.
    fn verify(&self, part: &str) -> Result<()> {
        let Command { options, words, .. } = self;
        if *words > VERIFIED {
            println!("not verified: more than {VERIFIED} words");
            return Ok(());
        }
        let mut data = self.read(0, *words)?;
        let expected = match &options.command[..] {
            "scan" => {
                let items = words / u64::from(options.operator.arity());
                scan::sequential(&self.spec().with_len(items), &data)?
            }
            "compact" => data.into_iter().filter(|word| *word > options.above).collect(),
            _ => {
                data.sort_unstable();
                data
            }
        };
        let result = File::input(part)?;
        let mut got = vec![0u32; (result.bytes()? / 4) as usize];
        result.read(0, &mut got)?;
        if got != expected {
            let wrong = got.iter().zip(&expected).position(|(got, expected)| got != expected);
            return Err(
                format!("wrong: word {wrong:?}; {} words, expected {}", got.len(), expected.len()).into()
            );
        }
        println!("verified: {} words as by the sequential reference", got.len());
        Ok(())
    }
}
