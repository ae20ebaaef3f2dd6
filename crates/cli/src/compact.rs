//! `compact INPUT`: numbers in, those that are wanted out, in their order, verified.

use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::Args;

use rasterscan::registry::Family;
use rasterscan::spec::ConditionError;
use rasterscan::{CompactSpec, Condition, ElementType, Moves, Request};

use super::call::{Ask, Call, CallOptions, GivenOptions, Wanted, forms, quoted};
use super::console::Console;
use super::device::DeviceOptions;
use super::input::Mask;

/// Keep some of the numbers, in their order, and remove the rest
#[derive(Debug, Args)]
#[command(after_long_help = forms("luma, row by row", RANDOM, KEEP_AND_EXAMPLES))]
pub struct CompactOptions {
    #[command(flatten)]
    compact: CompactArguments,
    #[command(flatten)]
    call: CallOptions,
}

/// Which compaction of INPUT, and by which algorithm.
#[derive(Debug, Args)]
pub struct CompactArguments {
    /// An algorithm of `list`, with parameters after a colon (blocks:size=32,search=for); auto is the
    /// fastest here, all runs and checks every one
    #[arg(
        short,
        long,
        value_name = "ALGO",
        default_value = "auto",
        value_parser = Wanted::parser(Family::Compact)
    )]
    algorithm: Wanted,
    /// What to keep: nonzero, or >T, >=T, <T, <=T, ==T, !=T with a number of the input's type, in quotes
    /// [default: nonzero]
    #[arg(long, value_name = "COND", conflicts_with = "mask", value_parser = condition)]
    keep: Option<String>,
    /// Keep the elements for which this mask is not zero: a .npy of bool or u1, or a .png, whose luma
    /// counts; as long as the input
    #[arg(long, value_name = "FILE")]
    mask: Option<PathBuf>,
    /// Give where the kept values stood, counted from 0, in place of the values; with =FILE, beside them
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    indices: Option<Option<PathBuf>>,
}

const RANDOM: &str = "  \
  random:n=1000000,seed=7,max=255,keep=0.6
                   made on the spot, the same on every machine; max is
                   included; keep is the share that is not zero";

const KEEP_AND_EXAMPLES: &str = "\
Keep:
  nonzero          what is not zero, NaN included
  '>=200'          what compares so with a number of the input's type:
                   > >= < <= == != (in quotes: a shell reads > and < itself)

Examples:
  rasterscan compact photo.jpg --keep '>=200' -o bright.npy
  seq 1 10 | rasterscan compact - --keep '>7'
  rasterscan compact photo.jpg --keep '>=200' -o bright.npy --indices=places.npy
  rasterscan compact values.npy --mask wanted.npy --indices
  rasterscan compact random:n=1000000,keep=0.6 -a blocks:size=32,search=for --json
  rasterscan compact random:n=2^20,keep=0.6 -a select -v -o kept.npy";

/// Says before any input is read what is a condition for no element at all.
fn condition(text: &str) -> Result<String, ConditionError> {
    match Condition::parse(ElementType::F32, text) {
        Err(error @ ConditionError::Syntax(_)) => Err(error),
        _ => Ok(text.into()),
    }
}

pub fn run(options: &CompactOptions, device: &DeviceOptions, console: &Console) -> anyhow::Result<()> {
    let CompactOptions { compact, call } = options;
    let mask = compact.mask()?;
    let (ask, indices) = (compact.ask(&call.given, mask.as_ref()), compact.indices_file());
    Call { ask, options: call, indices, device, console }.run()
}

impl CompactArguments {
    /// The mask, where there is one.
    pub fn mask(&self) -> anyhow::Result<Option<Mask>> {
        self.mask.as_deref().map(Mask::read).transpose()
    }

    /// Where indices go that are wanted beside the values.
    pub fn indices_file(&self) -> Option<&Path> {
        self.indices.iter().flatten().next().map(PathBuf::as_path)
    }

    /// What is asked for, of this input and with this mask.
    pub fn ask<'a>(&'a self, given: &'a GivenOptions, mask: Option<&'a Mask>) -> Ask<'a> {
        Ask {
            family: Family::Compact,
            wanted: &self.algorithm,
            given,
            request: Box::new(move |element, len, _| self.request(element, len, mask)),
            channels: false,
            mask: mask.map_or(&[], |mask| &mask.flags),
            arguments: self.arguments(),
        }
    }

    fn request(&self, element: ElementType, len: u64, mask: Option<&Mask>) -> anyhow::Result<Request> {
        let moves = match self.indices {
            None => Moves::Values,
            Some(None) => Moves::Indices,
            Some(Some(_)) => Moves::Both,
        };
        let spec = CompactSpec::of(element, len).moves(moves);
        Ok(Request::Compact(match (mask, &self.keep) {
            (Some(mask), _) if mask.flags.len() as u64 != len => bail!(
                "the mask {} has {} values, and the input has {len}",
                mask.path.display(),
                mask.flags.len()
            ),
            (Some(_), _) => spec.masked(),
            (None, Some(keep)) => spec.keep(Condition::parse(element, keep)?),
            (None, None) => spec,
        }))
    }

    /// These options as they would be written.
    fn arguments(&self) -> String {
        let mut arguments = String::new();
        if let Some(keep) = &self.keep {
            arguments += &format!(" --keep {}", quoted(keep));
        }
        if let Some(mask) = &self.mask {
            arguments += &format!(" --mask {}", quoted(&mask.to_string_lossy()));
        }
        match &self.indices {
            None => {}
            Some(None) => arguments += " --indices",
            Some(Some(file)) => arguments += &format!(" --indices={}", quoted(&file.to_string_lossy())),
        }
        arguments
    }
}
