//! Facts about the machine that this program runs on, from the system's files and clock.

use std::process::Command;
use std::time::SystemTime;

use rasterscan::Device;

use crate::document::Gl;
use crate::machine::Machine;

/// The machine, at this moment.
pub fn machine(device: &Device) -> Machine {
    let Gl { renderer, version, api } = Gl::of(device);
    let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let fact = |name: &str| {
        let line = cpu.lines().find(|line| line.split(':').next().is_some_and(|key| key.trim() == name));
        line.and_then(|line| line.split_once(':')).map(|(_, value)| value.trim().to_owned())
    };
    let load = std::fs::read_to_string("/proc/loadavg").ok();
    let [memory, clocks] = if device.software { [None, None] } else { of_driver(&device.renderer) };
    Machine {
        renderer,
        version,
        api,
        software: device.software,
        processors: device.compute.as_ref().filter(|_| !device.software).map(|compute| compute.processors),
        memory,
        clocks,
        cpu: fact("model name").unwrap_or_else(|| std::env::consts::ARCH.into()),
        cores: std::thread::available_parallelism().map_or(1, usize::from),
        cpu_mhz: fact("cpu MHz").and_then(|mhz| mhz.parse().ok()),
        load: load.and_then(|load| load.split_whitespace().next()?.parse().ok()),
        system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        program: env!("CARGO_PKG_VERSION").into(),
        date: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
    }
}

/// What NVIDIA's tool tells of the first GPU of this name: its memory, and its clocks.
fn of_driver(renderer: &str) -> [Option<String>; 2] {
    let query = "--query-gpu=name,memory.total,clocks.sm,clocks.max.sm,clocks.mem,clocks.max.mem";
    let told = Command::new("nvidia-smi").args([query, "--format=csv,noheader"]).output();
    let text =
        told.map_or_else(|_| String::new(), |output| String::from_utf8_lossy(&output.stdout).into_owned());
    let lines = text.lines().map(|line| line.split(", ").collect::<Vec<&str>>());
    match lines.filter(|line| line.len() == 6).find(|line| renderer.contains(line[0])).as_deref() {
        Some([_, memory, sm, most_sm, of_memory, most_of_memory]) => [
            Some((*memory).to_owned()),
            Some(format!(
                "processors {sm} of {most_sm}, memory {of_memory} of {most_of_memory}, before the run"
            )),
        ],
        _ => [None, None],
    }
}

/// Bytes of memory that a program can take without hurting others; `None` if the system does not tell.
pub fn free_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    Some(line.split_whitespace().next()?.parse::<u64>().ok()? * 1024)
}
