//! `--chunk`, `--memory`, `--devices` and `--resume`.

use std::collections::BTreeMap;

use anyhow::bail;
use clap::Args;
use rasterscan::Gpu;
use rasterscan::gl::DeviceChoice;

use super::device::Opened;
use super::size;
use crate::device::DeviceOptions;
use crate::exit::Usage;

/// Options of a job that is done piece by piece.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Streams longer than a device or memory")]
pub struct ChunkOptions {
    /// Read, solve, check and write pieces of this many numbers, such as 2^26; the input is a .npy or .bin file, or generated
    #[arg(long, value_name = "N", value_parser = size::length, conflicts_with = "memory")]
    pub chunk: Option<u64>,
    /// The same, with pieces as long as this much memory allows, such as 800M; it holds whatever the length of the input is
    #[arg(long, value_name = "SIZE", value_parser = size::bytes)]
    memory: Option<u64>,
    /// The same, on several devices of this machine: their numbers in `info`, such as 0,1, or all
    #[arg(long, value_name = "LIST", value_parser = devices)]
    devices: Option<Devices>,
    /// The same; when interrupted, keep what is done in OUT.part and OUT.journal, and go on from there the next time
    #[arg(long)]
    pub resume: bool,
}

/// Devices of this machine.
#[derive(Debug, Clone)]
enum Devices {
    All,
    These(Vec<usize>),
}

/// Reads a list of devices.
fn devices(text: &str) -> Result<Devices, String> {
    let numbers = || text.split(',').map(|number| number.parse().ok()).collect::<Option<Vec<usize>>>();
    match text {
        "all" => Ok(Devices::All),
        _ => numbers().map(Devices::These).ok_or_else(|| "expected numbers such as 0,1, or all".into()),
    }
}

impl ChunkOptions {
    /// Returns true if any is given.
    pub fn are_given(&self) -> bool {
        self.chunk.is_some() || self.memory.is_some() || self.devices.is_some() || self.resume
    }

    /// The memory that is allowed, in bytes.
    pub fn memory(&self) -> u64 {
        self.memory.unwrap_or(size::MEMORY)
    }

    /// The devices to open.
    pub fn devices(&self, device: &DeviceOptions) -> anyhow::Result<Vec<DeviceOptions>> {
        let numbers = match &self.devices {
            None => return Ok(vec![device.clone()]),
            Some(_) if device.cpu => {
                bail!(Usage("--devices are GL devices, and --device cpu is none".into()))
            }
            Some(Devices::These(numbers)) => numbers.clone(),
            Some(Devices::All) => (0..Gpu::device_count()?.max(1)).collect(),
        };
        let one = |index| DeviceOptions { device: DeviceChoice::Index(index), named: true, ..device.clone() };
        Ok(numbers.into_iter().map(one).collect())
    }

    /// Leaves out software beside hardware, if all devices are wanted.
    pub fn retain_wanted(&self, opened: &mut BTreeMap<usize, Opened>) {
        let is_hardware = |device: &Opened| !device.is_software;
        if matches!(self.devices, Some(Devices::All)) && opened.values().any(is_hardware) {
            opened.retain(|_, device| is_hardware(device));
        }
    }
}
