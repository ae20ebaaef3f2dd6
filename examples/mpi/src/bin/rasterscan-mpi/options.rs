//! The options of the command line.

use std::time::Duration;

use rasterscan::Operator;
use rasterscan::tools::source::whole;

use crate::{Result, operators};

const USAGE: &str = "\
rasterscan-mpi scan    --in FILE --out FILE [--operator add|max|affine|matrix|segmented] [--exclusive yes]
rasterscan-mpi compact --in FILE --out FILE --above N
rasterscan-mpi sort    --in FILE --out FILE
rasterscan-mpi scaling [--items 2^20] [--rounds 60]
each: [--deadline 60 (s)] [--devices 0,1] [--piece 2^28] [--message 2^24]; files: [--items N] [--verify yes]";

/// The request of the command line.
pub struct Options {
    pub command: String,
    pub input: String,
    pub output: String,
    pub operator: Operator,
    pub exclusive: bool,
    pub above: u32,
    /// Items that the input must have, or of a scaling.
    pub items: Option<u64>,
    pub rounds: u64,
    pub verify: bool,
    pub deadline: Duration,
    /// Devices of each host; found if there are none.
    pub devices: Vec<usize>,
    /// Words of a piece on a device.
    pub piece: u64,
    /// Elements of a message from rank to rank.
    pub message: u64,
}

impl Options {
    /// Reads the words after the program. Errors: what is wrong with them, or how they go.
    pub fn parse(mut words: impl Iterator<Item = String>) -> Result<Options> {
        let command = words
            .next()
            .filter(|word| ["scan", "compact", "sort", "scaling"].contains(&&word[..]))
            .ok_or(USAGE)?;
        let mut options = Options {
            command,
            input: String::new(),
            output: String::new(),
            operator: Operator::ADD,
            exclusive: false,
            above: 0,
            items: None,
            rounds: 60,
            verify: false,
            deadline: Duration::from_secs(60),
            devices: Vec::new(),
            piece: 1 << 28,
            message: 1 << 24,
        };
        while let Some(name) = words.next() {
            let value = words.next().ok_or(format!("{name} needs a value"))?;
            let number = || whole(&value).ok_or(format!("{name}: '{value}' is not a number"));
            let one_or_more = || number().map(|number| number.max(1));
            match &name[..] {
                "--in" => options.input = value,
                "--out" => options.output = value,
                "--operator" => options.operator = operators::named(&value)?,
                "--exclusive" => options.exclusive = value == "yes",
                "--above" => options.above = u32::try_from(number()?)?,
                "--items" => options.items = Some(number()?),
                "--rounds" => options.rounds = one_or_more()?,
                "--verify" => options.verify = value == "yes",
                "--deadline" => options.deadline = Duration::from_secs(one_or_more()?),
                "--devices" => {
                    options.devices =
                        value.split(',').map(str::parse).collect::<std::result::Result<_, _>>()?
                }
                "--piece" => options.piece = one_or_more()?,
                "--message" => options.message = one_or_more()?,
                _ => return Err(format!("unknown option {name}\n{USAGE}").into()),
            }
        }
        if options.command != "scaling" && (options.input.is_empty() || options.output.is_empty()) {
            return Err("--in and --out are needed".into());
        }
        Ok(options)
    }
}
