//! The options of `scan`: what may be asked for, and how it is written.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use rasterscan::registry::{Choice, ChoiceError, Family};
use rasterscan::spec::{MAX_ORDER, MAX_TUPLE};
use rasterscan::{ElementType, Operator};

/// Scan numbers: prefix sums, or another associative operator
#[derive(Debug, Args)]
#[command(after_long_help = FORMS)]
pub struct ScanOptions {
    /// A file (.npy .csv .txt .bin .png .jpg), - for standard input, or random:n=1000000,seed=7,max=255
    pub input: OsString,
    /// An algorithm of `list`, with parameters after a colon (hybrid:reduce=9); auto is the fastest
    /// here, all runs and checks every one
    #[arg(short, long, value_name = "ALGO", default_value = "auto", value_parser = parse_wanted)]
    pub algorithm: Wanted,
    /// The operator; affine takes pairs a, b
    #[arg(long, value_name = "OP", default_value = "add", value_parser = operator_parser())]
    pub op: Operator,
    /// Leave the value itself out of its own result
    #[arg(long)]
    pub exclusive: bool,
    /// Scan this many times over, 1 to 16
    #[arg(
        long,
        value_name = "Q",
        default_value_t = 1,
        value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_ORDER))
    )]
    pub order: u32,
    /// Scan this many interleaved streams, 1 to 16
    #[arg(
        long,
        value_name = "S",
        default_value_t = 1,
        conflicts_with = "channels",
        value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_TUPLE))
    )]
    pub tuple: u32,
    /// The type of the numbers; every value must fit
    #[arg(long, value_name = "TYPE", value_parser = element_parser())]
    pub dtype: Option<ElementType>,
    /// Keep an image's channels interleaved and scan each (sets --tuple)
    #[arg(long)]
    pub channels: bool,
    /// Write the values to a file: .npy, .csv, .txt or .bin
    #[arg(short, long = "out", value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// Print one JSON document in place of the values
    #[arg(long)]
    pub json: bool,
    /// Do not hold the result against the sequential reference
    #[arg(long)]
    pub no_verify: bool,
}

const FORMS: &str = "\
Input:
  .npy             u1 u2 u4 u8 i1 i2 i4 i8 f4 in either byte order, C order, read flat; f8 with --dtype f32
  .csv .txt -      numbers separated by white space or commas, with an optional header line
  .bin             little-endian, of the type that --dtype says
  .png .jpg        luma, row by row; with --channels every channel
  random:n=1000000,seed=7,max=255
                   made on the spot, the same on every machine; max is included

Output: one value a line on stdout; with -o in the format of the name's ending.
        A pipe or a device is written into; any other file appears whole or not at all.

Examples:
  rasterscan scan photo.jpg -o sums.npy
  seq 1 10 | rasterscan scan - --exclusive
  rasterscan scan random:n=1000000 -a hybrid:reduce=8 --json
  rasterscan scan numbers.csv --op max -a all -o highest.csv";

/// What `-a` asks for.
#[derive(Debug, Clone)]
pub enum Wanted {
    Auto,
    All,
    One(Choice),
}

fn parse_wanted(text: &str) -> Result<Wanted, ChoiceError> {
    match text {
        "auto" => Ok(Wanted::Auto),
        "all" => Ok(Wanted::All),
        name => Choice::parse(Family::Scan, name).map(Wanted::One),
    }
}

fn operator_parser() -> impl TypedValueParser<Value = Operator> {
    named(Operator::ALL, Operator::name)
}

fn element_parser() -> impl TypedValueParser<Value = ElementType> {
    named(ElementType::ALL, ElementType::name)
}

/// One of `all`, by its name.
fn named<T: Copy + Send + Sync + 'static, const N: usize>(
    all: [T; N],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(all.map(name))
        .try_map(move |given| all.into_iter().find(|value| name(*value) == given).ok_or("no such name"))
}
