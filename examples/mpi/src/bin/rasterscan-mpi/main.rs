//! Scans, compacts and sorts files of u32 by MPI: each rank its share, on a GPU of its host. `README.md` says how it starts.

mod file;
mod operators;
mod options;
mod ranks;
mod scaling;

use std::process::ExitCode;
use std::time::Instant;

use file::File;
use mpi::topology::{Communicator, SimpleCommunicator};
use options::Options;
use ranks::{Ranks, within};
use rasterscan::gl::DeviceChoice;
use rasterscan::{Comparison, Condition, Gpu, HeadlessOptions, Prepared, ScanSpec, scan};
use rasterscan_mpi::part::Part;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// The longest stream that `--verify` compares with the sequential reference, in one rank.
const VERIFIED: u64 = 1 << 24;

fn main() -> ExitCode {
    let options = match Options::parse(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(error) => {
            // One of the ranks says it.
            if std::env::var("OMPI_COMM_WORLD_RANK").map_or(true, |rank| rank == "0") {
                eprintln!("rasterscan-mpi: {error}");
            }
            return ExitCode::from(2);
        }
    };
    // Open MPI's own MPI-IO leaves files beside the input when a rank dies, for file pointers that nothing shares here; ROMIO,
    // which it has, too, does not.
    // SAFETY: there is no other thread yet.
    unsafe { std::env::set_var("OMPI_MCA_io", "^ompio") };
    let start = || {
        let universe = mpi::initialize()?;
        let world = universe.world();
        let on_host = world.split_shared(world.rank()).rank() as usize;
        Some((universe, on_host))
    };
    let Some((universe, on_host)) = within(options.deadline, "the start of MPI", start) else {
        return ExitCode::FAILURE;
    };
    let ranks = Ranks::new(universe.world(), on_host, options.deadline, options.round as usize);
    // A panic would finalise MPI, and wait for the others there.
    std::panic::set_hook(Box::new(|panic| ranks::abort(&SimpleCommunicator::world(), &panic.to_string())));
    let done = match &options.command[..] {
        "scaling" => scaling::scaling(&options, &ranks),
        _ => of_files(&options, &ranks),
    };
    if let Err(error) = done {
        ranks.abort(&error.to_string());
    }
    ranks.barrier();
    drop(ranks);
    within(options.deadline, "the end of MPI", || drop(universe));
    ExitCode::SUCCESS
}

/// A GPU of the host for each rank there, in turns; or that of RASTERSCAN_DEVICE.
fn gpu(options: &Options, ranks: &Ranks) -> Result<Gpu> {
    let with = |index: usize| -> Result<Gpu> {
        let device = DeviceChoice::Index(index);
        Ok(Gpu::headless_with(&HeadlessOptions { device, ..HeadlessOptions::from_env()? })?)
    };
    let mut devices = options.devices.clone();
    if devices.is_empty() && std::env::var_os("RASTERSCAN_DEVICE").is_none() {
        let hardware = |index: &usize| with(*index).is_ok_and(|gpu| !gpu.device().software);
        devices = (0..Gpu::device_count()?).filter(hardware).collect();
    }
    match devices.len() {
        0 => Ok(Gpu::headless_with(&HeadlessOptions::from_env()?)?),
        count => with(devices[ranks.on_host % count]),
    }
}

/// A command from a file to a file, which appears under its name when all is written and, if asked for, verified.
fn of_files(options: &Options, ranks: &Ranks) -> Result<()> {
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
        println!("{} words in {} ranks, on {}", words, ranks.count(), gpu.device());
    }
    ranks.barrier();
    let output = File::output(&part)?;
    match &options.command[..] {
        "scan" => scan_file(options, ranks, &gpu, words / arity, &input, &output)?,
        "compact" => compact_file(options, ranks, &gpu, words, &input, &output)?,
        _ => sort_file(ranks, &gpu, words, &input, &output)?,
    }
    output.sync()?;
    drop(output);
    ranks.barrier();
    if is_first {
        if options.verify {
            verify_file(options, words, &input, &part)?;
        }
        std::fs::rename(&part, &options.output).map_err(|error| format!("{}: {error}", options.output))?;
        println!("{} written after {:.3} s", options.output, began.elapsed().as_secs_f64());
    }
    Ok(())
}

/// Scans a share on each rank: totals, their exclusive scan, and the share begun with it.
fn scan_file(
    options: &Options,
    ranks: &Ranks,
    gpu: &Gpu,
    len: u64,
    input: &File,
    output: &File,
) -> Result<()> {
    let operator = &options.operator;
    let arity = u64::from(operator.arity());
    let share = ranks.share(len);
    let spec = spec(options);
    let read = |reduce: &Prepared, range: std::ops::Range<u64>| {
        let mut words = vec![0; ((range.end - range.start) * arity) as usize];
        input.read((share.start + range.start) * arity, &mut words)?;
        Ok::<_, Box<dyn std::error::Error + Send + Sync>>(reduce.upload(&words)?)
    };
    let piece = (options.piece / arity).max(1);
    let mut part = Part::<u32>::new(gpu, &spec, share.end - share.start, piece, read)?;
    let total = part.reduce()?;
    part.scan(&ranks.exscan(operator, &total))?;
    let mut place = share.start * arity;
    for scanned in part.scanned() {
        let words: Vec<u32> = scanned.read()?;
        output.write(place, &words)?;
        place += words.len() as u64;
    }
    Ok(())
}

fn spec(options: &Options) -> ScanSpec {
    let spec = ScanSpec::new::<u32>(0).operator(&options.operator);
    if options.exclusive { spec.exclusive() } else { spec }
}

/// The condition of a compaction.
fn kept(options: &Options) -> Condition {
    Condition::new(Comparison::Greater, options.above)
}

/// Compacts a share on each rank. An exclusive scan of the counts says where each rank's elements lie, and they move so that
/// every rank writes as many.
fn compact_file(
    options: &Options,
    ranks: &Ranks,
    gpu: &Gpu,
    len: u64,
    input: &File,
    output: &File,
) -> Result<()> {
    let share = ranks.share(len);
    let mut kept_here = Vec::new();
    let mut first = share.start;
    while first < share.end {
        let mut words = vec![0u32; options.piece.min(share.end - first) as usize];
        input.read(first, &mut words)?;
        kept_here.extend(gpu.compact(&words, kept(options))?);
        first += words.len() as u64;
    }
    let own = kept_here.len() as u64;
    let (before, all) = ranks.sums(own);
    let of_rank = |rank: usize| (u128::from(all) * rank as u128 / ranks.count() as u128) as u64;
    let common = |rank: usize| {
        let (start, end) = (of_rank(rank).max(before), of_rank(rank + 1).min(before + own));
        end.saturating_sub(start)
    };
    let counts: Vec<u64> = (0..ranks.count()).map(common).collect();
    output.write(of_rank(ranks.rank()), &ranks.exchange(&kept_here, &counts))
}

/// Sorts by samples: each rank sorts its share and takes regular samples of it; among all samples are the splitters, each
/// rank gets what lies between two of them, and sorts it. A key counts with its rank and place, so that equal keys are
/// split, too: no rank gets more than two shares, at most 2^30 keys.
fn sort_file(ranks: &Ranks, gpu: &Gpu, len: u64, input: &File, output: &File) -> Result<()> {
    let share = ranks.share(len);
    let mut keys = vec![0u32; (share.end - share.start) as usize];
    input.read(share.start, &mut keys)?;
    let keys = gpu.sort(&keys)?;
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
fn verify_file(options: &Options, words: u64, input: &File, part: &str) -> Result<()> {
    if words > VERIFIED {
        println!("not verified: more than {VERIFIED} words");
        return Ok(());
    }
    let mut data = vec![0u32; words as usize];
    input.read(0, &mut data)?;
    let expected = match &options.command[..] {
        "scan" => {
            scan::sequential(&spec(options).with_len(words / u64::from(options.operator.arity())), &data)?
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
        return Err(format!("wrong: word {wrong:?}; {} words, expected {}", got.len(), expected.len()).into());
    }
    println!("verified: {} words as by the sequential reference", got.len());
    Ok(())
}
