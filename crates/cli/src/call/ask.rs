//! What is asked for: a family's request of the numbers that INPUT gives.

use rasterscan::registry::{Choice, Family};
use rasterscan::{ElementType, Request};

use super::{GivenOptions, Wanted, quoted};
use crate::called;
use crate::console::Console;
use crate::device::DeviceOptions;
use crate::input::{Input, Random};
use rasterscan_files::{Data, ReadOptions};

/// What to ask of a stream, by its element, its length, and the channels that are interleaved in it.
pub type Requests<'a> = Box<dyn Fn(ElementType, u64, u32) -> anyhow::Result<Request> + 'a>;

/// An algorithm and its request, as the command line says them.
pub struct Ask<'a> {
    pub family: Family,
    pub wanted: &'a Wanted,
    pub given: &'a GivenOptions,
    pub request: Requests<'a>,
    /// Whether an image's channels are kept.
    pub channels: bool,
    /// The second stream of a compaction that has one.
    pub mask: &'a [u32],
    /// The family's own options as they would be written, each with a space before it.
    pub arguments: String,
}

impl Ask<'_> {
    /// What INPUT says.
    pub fn input(&self) -> anyhow::Result<Input> {
        Input::parse(&self.given.input, self.family)
    }

    /// What is asked of numbers that need not be made to know it.
    pub fn request_of_random(&self, random: &Random) -> anyhow::Result<Request> {
        (self.request)(self.given.dtype.unwrap_or(random.element()), random.n, 1)
    }

    /// The numbers, and what is asked of them.
    pub fn read(&self, input: &Input, console: &Console) -> anyhow::Result<(Data, Request)> {
        let data = input.read(&ReadOptions { element: self.given.dtype, channels: self.channels })?;
        if let Some(note) = &data.note {
            console.note(format!("{}: {note}", input.name()));
        }
        let request = (self.request)(data.numbers.element(), data.numbers.len() as u64, data.channels)?;
        Ok((data, request))
    }

    /// The command that runs this choice on this input.
    pub fn command(&self, input: &Input, choice: &Choice, device: &DeviceOptions) -> String {
        let (family, input) = (self.family.name(), quoted(&input.argument()));
        let mut command = format!("{} {family} {input} -a {choice}{}", called(), self.arguments);
        if let Some(element) = self.given.dtype {
            command += &format!(" --dtype {element}");
        }
        command + &device.arguments()
    }
}
