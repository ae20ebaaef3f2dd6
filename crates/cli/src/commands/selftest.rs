//! `selftest`: checks the cases of conformance on this driver, and prints a report that can be sent.

use std::time::{Duration, Instant};

use clap::Args;

use rasterscan::tools::conformance;
use rasterscan_drawing::number::grouped;
use rasterscan_lab::host;
use rasterscan_lab::selftest::SelftestReport;

use crate::console::Console;
use crate::device::DeviceOptions;
use crate::{job, output, stop};

/// Check every algorithm on this driver, and print a report to send in
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct SelftestOptions {
    /// Time to check, in seconds; the cases are mixed, so even a short time covers some of everything
    #[arg(long, value_name = "S", default_value = "60", value_parser = crate::measuring::seconds)]
    seconds: Duration,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Each case is a job: an algorithm with its parameters, an element, the options
of its problem, and a length. Its result is checked against the sequential
reference. A wrong case is printed as the command that reproduces it alone.

Exit codes: 0 all correct, 3 something is wrong, 4 no usable OpenGL.

Examples:
  rasterscan selftest
  rasterscan selftest --seconds 600 --json > report.json
  rasterscan results report.json -o devices.md
  rasterscan selftest --device software";

pub fn run(options: &SelftestOptions, device: &DeviceOptions, console: &Console) -> anyhow::Result<()> {
    let gpu = device.open()?;
    let jobs = conformance::jobs();
    let stop = stop::gracefully();
    let mut report = SelftestReport::new(host::machine(gpu.device()), jobs.len());
    let bar = console.timed_progress(jobs.len(), options.seconds);
    let start = Instant::now();
    for (number, job) in jobs.iter().enumerate() {
        if start.elapsed() > options.seconds && number > 0 || stop.wanted() {
            break;
        }
        bar.set_position(number as u64);
        bar.set_message(job.algorithm.to_string());
        let verdict = conformance::check(&gpu, job);
        report.add(job, verdict, || job::command(job, device));
    }
    bar.finish_and_clear();
    let printed = match options.json {
        true => output::json_to_stdout(&report),
        false => output::text_to_stdout(&report.text()),
    };
    stop.end();
    printed?;
    match report.wrong.first() {
        None => Ok(()),
        Some(first) => Err(crate::exit::Failed(format!(
            "{} of {} cases failed; the first: {}",
            grouped(report.wrong.len() as u64),
            grouped(report.checked as u64),
            first.command
        ))
        .into()),
    }
}
