//! Times the scan in two parts on the GPUs of one host, a process each, beside that on the first of them and a scan in a single
//! pass there. Every sum is verified, on the device.
//!
//! ```text
//! devices --items 2^30 --devices 0,1/0,1,2,3 [--shares 1,1] [--piece 2^28] [--rounds 60] [--single sam,look_back]
//! ```
//!
//! Item `i` is a mixed `i`, a u32. All lie on the devices before a round and after it. A round lasts from the moment at
//! which this process tells the others to begin until the last has finished; the median of the second half of the rounds counts,
//! the first half wakes the devices. Totals go through this process. Long parts lie in pieces, for buffers of 2 GB and more are
//! slow on NVIDIA's driver (`docs/limits.md`). Threads in one process would wait for each other: two H200s took longer so
//! than one (`docs/scaling.md`).

use std::error::Error;
use std::io::{BufRead, BufReader, Lines, Write, stdin};
use std::ops::Range;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use rasterscan::gl::DeviceChoice;
use rasterscan::scan::compute::{LookBack, Sam};
use rasterscan::tools::limits::MAX_LEN;
use rasterscan::tools::source::whole;
use rasterscan::{Algorithm, Gpu, HeadlessOptions, Prepared, ScanSpec, Stream};
use rasterscan_mpi::check::median;
use rasterscan_mpi::on_device::Pieces;

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

struct Options {
    items: u64,
    /// Sets of devices, which scan one after the other.
    sets: Vec<Vec<usize>>,
    /// The relative lengths of the devices' parts; empty for equal ones.
    shares: Vec<f64>,
    piece: u64,
    rounds: usize,
    /// Scans in one pass, by name.
    single: Vec<String>,
    /// The items of this process's part, which is on the first device.
    part: Option<Range<u64>>,
}

impl Options {
    fn parse(mut words: impl Iterator<Item = String>) -> Result<Options> {
        let single = vec!["sam".into(), "look_back".into()];
        let (sets, shares) = (vec![vec![0, 1]], Vec::new());
        let mut options =
            Options { items: 1 << 30, sets, shares, piece: 1 << 28, rounds: 60, single, part: None };
        while let Some(name) = words.next() {
            let value = words.next().ok_or(format!("{name} needs a value"))?;
            let number =
                || whole(&value).filter(|number| *number > 0).ok_or(format!("{name}: not a number: {value}"));
            match name.as_str() {
                "--items" => options.items = number()?,
                "--devices" => {
                    let set = |set: &str| set.split(',').map(str::parse).collect();
                    options.sets = value.split('/').map(set).collect::<std::result::Result<_, _>>()?
                }
                "--shares" => {
                    options.shares =
                        value.split(',').map(str::parse).collect::<std::result::Result<_, _>>()?
                }
                "--piece" => options.piece = number()?.min(MAX_LEN),
                "--rounds" => options.rounds = number()? as usize,
                "--single" => options.single = value.split(',').map(String::from).collect(),
                "--part" => {
                    let (start, end) = value.split_once("..").ok_or("--part A..B")?;
                    options.part = Some(start.parse()?..end.parse()?);
                }
                _ => return Err(format!("unknown option {name}").into()),
            }
        }
        Ok(options)
    }

    /// The items of the part of each of some devices, in proportion to their shares.
    fn parts(&self, devices: usize) -> Vec<Range<u64>> {
        let shares = if self.shares.len() == devices { self.shares.clone() } else { vec![1.0; devices] };
        let all: f64 = shares.iter().sum();
        let ends = shares.iter().scan(0.0, |sum, share| {
            *sum += share;
            Some((self.items as f64 * (*sum / all)) as u64)
        });
        let mut ends: Vec<u64> = ends.collect();
        *ends.last_mut().expect("a device") = self.items;
        let starts = std::iter::once(0).chain(ends.iter().copied());
        starts.zip(&ends).map(|(start, end)| start..*end).collect()
    }
}

fn open(device: usize) -> Result<Gpu> {
    let device = DeviceChoice::Index(device);
    Ok(Gpu::headless_with(&HeadlessOptions { device, debug: false, ..Default::default() })?)
}

/// A line of the table.
struct Row {
    way: String,
    ms: f64,
}

/// The process of one device.
struct Process {
    child: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
}

impl Process {
    fn new(options: &Options, device: usize, part: &Range<u64>) -> Result<Process> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["--devices", &device.to_string(), "--piece", &options.piece.to_string()]);
        command.args(["--part", &format!("{}..{}", part.start, part.end)]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let input = child.stdin.take().ok_or("no standard input")?;
        let output = BufReader::new(child.stdout.take().ok_or("no standard output")?).lines();
        Ok(Process { child, input, output })
    }

    fn tell(&mut self, line: impl std::fmt::Display) -> Result<()> {
        Ok(self.input.write_all(format!("{line}\n").as_bytes())?)
    }

    fn hear(&mut self) -> Result<String> {
        Ok(self.output.next().ok_or("a process of a device has ended; it says why above")??)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// The scan in two parts on these devices.
fn two_parts(options: &Options, devices: &[usize]) -> Result<Row> {
    let parts = options.parts(devices.len());
    // One after the other: four that made sparse buffers at the same time were reset by the driver.
    let mut processes = Vec::new();
    for (device, part) in devices.iter().zip(&parts) {
        let mut process = Process::new(options, *device, part)?;
        process.hear()?;
        processes.push(process);
    }
    let mut times = Vec::new();
    let mut reduced = Vec::new();
    for _ in 0..options.rounds {
        let start = Instant::now();
        for process in &mut processes {
            process.tell("reduce")?;
        }
        let mut carry = 0u32;
        for process in &mut processes {
            let total: u32 = process.hear()?.parse()?;
            process.tell(carry)?;
            carry = carry.wrapping_add(total);
        }
        reduced.push(start.elapsed());
        for process in &mut processes {
            process.hear()?;
        }
        times.push(start.elapsed());
    }
    for process in &mut processes {
        process.tell("verify")?;
    }
    for process in &mut processes {
        process.hear()?;
    }
    let half = options.rounds / 2;
    let ms = median(times.split_off(half));
    println!(
        "devices {devices:?}: all totals after {:.3} ms, scanned after {ms:.3}",
        median(reduced.split_off(half))
    );
    Ok(Row { way: format!("two-part scan, devices {devices:?}"), ms })
}

/// The work of a device's process.
fn serve(options: &Options, part: Range<u64>) -> Result<()> {
    let gpu = open(options.sets[0][0])?;
    let mut pieces = Pieces::new(&gpu);
    let first = part.start;
    let mut scan = pieces.part(part, options.piece)?;
    println!("ready");
    let mut lines = stdin().lines();
    let mut rounds = || -> Result<()> {
        while lines.next().transpose()?.is_some_and(|line| line == "reduce") {
            println!("{}", scan.reduce()?[0]);
            let carry = lines.next().transpose()?.ok_or("no carry")?;
            scan.scan(&[carry.parse()?])?;
            gpu.finish()?;
            println!("done");
        }
        Ok(())
    };
    gpu.with_current(|_| rounds())??;
    pieces.verify(&scan, first)?;
    println!("verified");
    Ok(())
}

/// The scans of all pieces in one pass on the first device, each from 0: a scan of the whole takes no less.
fn single_pass(options: &Options, name: &str) -> Result<Row> {
    let gpu = &open(options.sets[0][0])?;
    let piece = options.piece.min(options.items);
    let plan = |len: u64| {
        let spec = ScanSpec::new::<u32>(0).with_len(len);
        let plan = match name {
            "look_back" => LookBack::default().plan(&spec, gpu.device()),
            _ => Sam::default().plan(&spec, gpu.device()),
        };
        gpu.prepare(&plan?)
    };
    let mut prepared: Vec<(u64, Prepared)> = Vec::new();
    let mut scans: Vec<(usize, u64, Stream, Vec<Stream>)> = Vec::new();
    let mut pieces = Pieces::new(gpu);
    let mut first = 0;
    while first < options.items {
        let len = piece.min(options.items - first);
        if prepared.last().is_none_or(|(of_len, _)| *of_len != len) {
            prepared.push((len, plan(len)?));
        }
        let (_, of_len) = &prepared[prepared.len() - 1];
        let input = pieces.of(*of_len.input_layout(0).expect("an input"))?.fill(first)?;
        scans.push((prepared.len() - 1, first, input, of_len.new_outputs()?));
        first += len;
    }
    gpu.finish()?;
    let mut round = || -> Result<Duration> {
        let start = Instant::now();
        for (of_len, _, input, outputs) in &scans {
            prepared[*of_len].1.run_into(input, outputs)?;
        }
        gpu.finish()?;
        Ok(start.elapsed())
    };
    let mut times: Vec<Duration> =
        gpu.with_current(|_| (0..options.rounds).map(|_| round()).collect::<Result<_>>())??;
    for (_, first, _, outputs) in &scans {
        pieces.of(*outputs[0].layout())?.verify(&outputs[0], *first, 0)?;
    }
    let way = format!("{name}, {} x {piece} items, each from 0", scans.len());
    Ok(Row { way, ms: median(times.split_off(options.rounds / 2)) })
}

fn main() -> Result<()> {
    let options = Options::parse(std::env::args().skip(1))?;
    if let Some(part) = options.part.clone() {
        let device = options.sets[0][0];
        return serve(&options, part).map_err(|error| format!("devices: device {device}: {error}").into());
    }
    let first = options.sets[0][0];
    println!("{} u32 on {}", options.items, open(first)?.device());
    let mut rows = Vec::new();
    for name in &options.single {
        rows.push(single_pass(&options, name)?);
    }
    rows.sort_by(|a, b| a.ms.total_cmp(&b.ms));
    for devices in [vec![first]].iter().chain(&options.sets) {
        rows.push(two_parts(&options, devices)?);
    }
    let (single, one) = (rows[0].ms, rows[options.single.len()].ms);
    println!("\n| items | way | ms | the same two parts on one device | one pass there |");
    println!("| --- | --- | --- | --- | --- |");
    for Row { way, ms } in &rows {
        println!("| {} | {way} | {ms:.3} | {:.2} | {:.2} |", options.items, one / ms, single / ms);
    }
    Ok(())
}
