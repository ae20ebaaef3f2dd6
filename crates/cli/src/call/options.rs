//! The options that `scan`, `compact` and `trace` share, and the parts of their help that they share.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use rasterscan::registry::{Choice, ChoiceError, Family};
use rasterscan::{ElementType, Operator};

/// INPUT, and what it is to become.
#[derive(Debug, Args)]
pub struct GivenOptions {
    /// A file (.npy .csv .txt .bin .png .jpg), - for standard input, or random:n=1000000,seed=7,max=255
    pub input: OsString,
    /// The type of the numbers; every value must fit
    #[arg(long, value_name = "TYPE", value_parser = element_parser())]
    pub dtype: Option<ElementType>,
    /// Do not hold the result against the sequential reference
    #[arg(long)]
    pub no_verify: bool,
}

/// INPUT, OUT, and what goes on between them.
#[derive(Debug, Args)]
pub struct CallOptions {
    #[command(flatten)]
    pub given: GivenOptions,
    /// Write the result to a file: .npy, .csv, .txt or .bin
    #[arg(short, long = "out", value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// Print one JSON document in place of the result
    #[arg(long)]
    pub json: bool,
}

/// What `-a` asks for.
#[derive(Debug, Clone)]
pub enum Wanted {
    Auto,
    All,
    One(Choice),
}

impl Wanted {
    /// Reads `auto`, `all`, or an algorithm of the family with its parameters.
    pub fn parser(
        family: Family,
    ) -> impl Fn(&str) -> Result<Wanted, ChoiceError> + Clone + Send + Sync + 'static {
        move |text| match text {
            "auto" => Ok(Wanted::Auto),
            "all" => Ok(Wanted::All),
            name => Choice::parse(family, name).map(Wanted::One),
        }
    }
}

fn element_parser() -> impl TypedValueParser<Value = ElementType> {
    named(ElementType::ALL, ElementType::name)
}

/// One of `all`, by its name.
pub fn named<T: Copy + Send + Sync + 'static, const N: usize>(
    all: [T; N],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(all.map(name))
        .try_map(move |given| all.into_iter().find(|value| name(*value) == given).ok_or("no such name"))
}

/// A parser of operators by their names.
pub fn operator() -> impl TypedValueParser<Value = Operator> {
    static ALL: [Operator; 8] = Operator::ALL;
    named(ALL.each_ref(), Operator::name).map(Operator::clone)
}

/// What stands below a command's options: the forms of its input and output around what is its own.
pub fn forms(images: &str, random: &str, own: &str) -> String {
    format!(
        "\
Input:
  .npy             u1 u2 u4 u8 i1 i2 i4 i8 f4, either byte order, C order,
                   read flat; f8 with --dtype f32
  .csv .txt -      numbers separated by white space or commas, with an
                   optional header line
  .bin             little-endian, of the type that --dtype says
  .png .jpg        {images}
{random}

Output: one value a line on stdout; with -o in the format of the name's
        ending. A pipe or a device is written into; any other file appears
        whole or not at all.

{own}"
    )
}
