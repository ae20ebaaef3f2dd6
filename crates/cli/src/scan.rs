//! `scan INPUT`: numbers in, their prefix sums out, verified.

use anyhow::bail;
use clap::Args;

use rasterscan::registry::Family;
use rasterscan::spec::{MAX_ORDER, MAX_TUPLE};
use rasterscan::{ElementType, Error, Operator, Request, ScanKind, ScanSpec};

use super::call::{Ask, Call, CallOptions, GivenOptions, Wanted, forms, operator};
use super::console::Console;
use super::device::DeviceOptions;

/// Scan numbers: prefix sums, or another associative operator
#[derive(Debug, Args)]
#[command(after_long_help = forms(IMAGES, RANDOM, EXAMPLES))]
pub struct ScanOptions {
    #[command(flatten)]
    scan: ScanArguments,
    #[command(flatten)]
    call: CallOptions,
}

/// Which scan of INPUT, and by which algorithm.
#[derive(Debug, Args)]
pub struct ScanArguments {
    /// An algorithm of `list`, with parameters after a colon (hybrid:reduce=9); auto is the fastest
    /// here, all runs and checks every one
    #[arg(
        short,
        long,
        value_name = "ALGO",
        default_value = "auto",
        value_parser = Wanted::parser(Family::Scan)
    )]
    algorithm: Wanted,
    /// The operator; affine takes pairs a, b
    #[arg(long, value_name = "OP", default_value = "add", value_parser = operator())]
    op: Operator,
    /// Leave the value itself out of its own result
    #[arg(long)]
    exclusive: bool,
    /// Scan this many times over, 1 to 16
    #[arg(
        long,
        value_name = "Q",
        default_value_t = 1,
        value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_ORDER))
    )]
    order: u32,
    /// Scan this many interleaved streams, 1 to 16
    #[arg(
        long,
        value_name = "S",
        default_value_t = 1,
        conflicts_with = "channels",
        value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_TUPLE))
    )]
    tuple: u32,
    /// Keep an image's channels interleaved and scan each (sets --tuple)
    #[arg(long)]
    channels: bool,
}

const IMAGES: &str = "luma, row by row; with --channels every channel";

const RANDOM: &str = "  \
  random:n=1000000,seed=7,max=255
                   made on the spot, the same on every machine; max is
                   included";

const EXAMPLES: &str = "\
Examples:
  rasterscan scan photo.jpg -o sums.npy
  seq 1 10 | rasterscan scan - --exclusive
  rasterscan scan random:n=1000000 -a hybrid:reduce=8 --json
  rasterscan scan random:n=2^20 -a sam --order 2 -v -o sums.npy
  rasterscan scan numbers.csv --op max -a all -o highest.csv";

pub fn run(options: &ScanOptions, device: &DeviceOptions, console: &Console) -> anyhow::Result<()> {
    let call = &options.call;
    Call { ask: options.scan.ask(&call.given), options: call, indices: None, device, console }.run()
}

impl ScanArguments {
    /// What is asked for, of this input.
    pub fn ask<'a>(&'a self, given: &'a GivenOptions) -> Ask<'a> {
        Ask {
            family: Family::Scan,
            wanted: &self.algorithm,
            given,
            request: Box::new(|element, len, channels| self.request(element, len, channels)),
            channels: self.channels,
            mask: &[],
            arguments: self.arguments(),
        }
    }

    fn request(&self, element: ElementType, len: u64, channels: u32) -> anyhow::Result<Request> {
        let arity = u64::from(self.op.arity());
        if !len.is_multiple_of(arity) {
            bail!("{} takes pairs, and {len} values are no whole number of pairs", self.op);
        }
        let tuple = if self.channels { channels } else { self.tuple };
        let spec = ScanSpec::of(element, len / arity).operator(&self.op).kind(self.kind());
        let spec = spec.order(self.order).tuple(tuple);
        spec.check().map_err(Error::from)?;
        Ok(Request::Scan(spec))
    }

    /// These options as they would be written.
    fn arguments(&self) -> String {
        let channels = if self.channels { " --channels" } else { "" };
        arguments(&self.op, self.kind(), self.order, self.tuple) + channels
    }

    fn kind(&self) -> ScanKind {
        if self.exclusive { ScanKind::Exclusive } else { ScanKind::Inclusive }
    }
}

/// The options of such a scan as they would be written, each with a space before it.
pub fn arguments(op: &Operator, kind: ScanKind, order: u32, tuple: u32) -> String {
    let mut arguments = String::new();
    if *op != Operator::ADD {
        arguments += &format!(" --op {op}");
    }
    if kind == ScanKind::Exclusive {
        arguments += " --exclusive";
    }
    if order > 1 {
        arguments += &format!(" --order {order}");
    }
    if tuple > 1 {
        arguments += &format!(" --tuple {tuple}");
    }
    arguments
}
