//! The OpenGL device that a command runs on, and a hint for when there is none.

use std::cell::RefCell;
use std::io::{IsTerminal, Write};
use std::str::FromStr;
use std::sync::mpsc::{RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::ProgressBar;

use rasterscan::{
    Api, Error, Gpu, HeadlessOptions, Level,
    gl::{DeviceChoice, Transfer, TransferKind},
};

use super::cache::Cache;
use super::exit::Usage;
use super::{console, probe};

/// The remedy where no device can be used.
const INSTALL: &str = if cfg!(windows) {
    "install the graphics driver of the GPU's maker, since Windows' own has OpenGL 1.1\n      \
     Without a GPU: put Mesa's opengl32.dll, which draws in software, beside the program"
} else if cfg!(target_vendor = "apple") {
    "OpenGL 3.3 came with macOS 10.9, and needs a session on a Mac with a GPU"
} else {
    "install a driver and libEGL; Mesa's software renderer is enough\n      \
     Debian, Ubuntu: apt-get install libegl1 libgl1-mesa-dri\n      \
     Fedora: dnf install mesa-libEGL mesa-dri-drivers"
};

/// The default API.
const GL: Level = Level { api: Api::Gl, newest: None };

/// The device options of the command line.
#[derive(Debug, Args)]
pub struct DeviceArguments {
    /// The GL device: its number in `info`, software, hardware, or auto (hardware before software); or cpu: no driver, but
    /// kernels in Rust [default: RASTERSCAN_DEVICE, or auto]
    #[arg(long, global = true, value_name = "DEVICE", display_order = 800)]
    device: Option<NamedDevice>,
    /// The API: gl, desktop OpenGL, or gles, OpenGL ES; with a version, as in gl3.3 or gles3.0, nothing newer is used
    /// [default: RASTERSCAN_API, or gl]
    #[arg(long, global = true, value_name = "API", display_order = 801)]
    api: Option<Level>,
    /// Ignore the results of `tune` on this device [default: use them, unless RASTERSCAN_CACHE is off]
    #[arg(long, global = true, display_order = 802)]
    no_tuning: bool,
}

/// A device as the command line names it.
#[derive(Debug, Clone, Copy)]
enum NamedDevice {
    Gl(DeviceChoice),
    Cpu,
}

impl FromStr for NamedDevice {
    type Err = String;

    fn from_str(text: &str) -> Result<NamedDevice, String> {
        match text {
            "cpu" => Ok(NamedDevice::Cpu),
            _ => text.parse().map(NamedDevice::Gl).map_err(|error: String| format!("{error}, or cpu")),
        }
    }
}

impl DeviceArguments {
    /// The chosen device; the environment fills in what the command line leaves out.
    ///
    /// Errors: [`Usage`], with the name of a variable whose value is unknown.
    pub fn resolve(&self) -> Result<DeviceOptions, Usage> {
        let auto = NamedDevice::Gl(DeviceChoice::Auto);
        let wanted = self.device.map_or_else(|| from_environment("RASTERSCAN_DEVICE", auto), Ok)?;
        let in_environment = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        Ok(DeviceOptions {
            device: match wanted {
                NamedDevice::Gl(device) => device,
                NamedDevice::Cpu => DeviceChoice::Auto,
            },
            cpu: matches!(wanted, NamedDevice::Cpu),
            named: self.device.is_some()
                || self.api.is_some()
                || in_environment("RASTERSCAN_DEVICE")
                || in_environment("RASTERSCAN_API"),
            api: self.api.map_or_else(|| from_environment("RASTERSCAN_API", GL), Ok)?,
            or_es: self.api.is_none() && !in_environment("RASTERSCAN_API"),
            #[cfg(feature = "window")]
            chosen: self.device.is_some() || self.api.is_some(),
            tuning: !self.no_tuning && !matches!(Cache::from_environment(), Cache::Off),
        })
    }
}

/// An observer of compilations: on a terminal, it names those that take longer than a second; with -v, each one as it
/// begins.
fn announced() -> impl Fn(Option<&str>) {
    let running: RefCell<Option<Sender<()>>> = RefCell::default();
    let wanted = std::io::stderr().is_terminal() && tracing::enabled!(tracing::Level::WARN);
    move |name| {
        // This tells the waiting thread that the previous compilation has ended.
        let ended = running.borrow_mut().take();
        drop(ended);
        let Some(name) = name else { return };
        tracing::info!("compiling {name}");
        if !wanted || tracing::enabled!(tracing::Level::INFO) {
            return;
        }
        let (sender, end) = std::sync::mpsc::channel::<()>();
        let name = name.to_owned();
        std::thread::spawn(move || {
            if end.recv_timeout(Duration::from_secs(1)) == Err(RecvTimeoutError::Timeout) {
                let _ = writeln!(std::io::stderr().lock(), "compiling {name}");
            }
        });
        *running.borrow_mut() = Some(sender);
    }
}

/// Shows transfers that take longer than a second as a bar.
struct TransferBar {
    delay: Duration,
    make: Box<dyn Fn(Transfer) -> ProgressBar>,
    running: Option<(TransferKind, Instant, Option<ProgressBar>)>,
}

impl TransferBar {
    /// Takes the state of a transfer. Returns the position of the bar if there is one.
    fn take(&mut self, transfer: Transfer) -> Option<u64> {
        let Transfer { kind, bytes, of } = transfer;
        let ended = self.running.take_if(|(running, ..)| bytes == of || *running != kind);
        if let Some((.., Some(bar))) = ended {
            bar.finish_and_clear();
        }
        if bytes == of {
            return None;
        }
        let (_, began, bar) = self.running.get_or_insert_with(|| (kind, Instant::now(), None));
        if bar.is_none() && began.elapsed() < self.delay {
            return None;
        }
        let bar = bar.get_or_insert_with(|| (self.make)(transfer));
        bar.set_position(bytes as u64);
        Some(bar.position())
    }
}

/// An observer of transfers, which draws on a terminal.
fn shown() -> impl Fn(Transfer) {
    let quiet = !tracing::enabled!(tracing::Level::WARN);
    let make = move |transfer: Transfer| {
        console::bar(quiet, transfer.of as u64, "{bar:30} {bytes} of {total_bytes} {msg}")
            .with_message(if transfer.kind == TransferKind::Upload { "to the GPU" } else { "from the GPU" })
    };
    let bar = TransferBar { delay: Duration::from_secs(1), make: Box::new(make), running: None };
    let bar = RefCell::new(bar);
    move |transfer| {
        bar.borrow_mut().take(transfer);
    }
}

/// Warns if the driver may run out of addresses (`ulimit -v`). Drivers do not check for that, and end the process.
fn warn_of_a_small_address_space() {
    /// Bytes of addresses for the driver, and for each of its threads: a stack, and the part of the heap that it reserves.
    /// Mesa 22 and 25 need less for a million items.
    #[cfg(unix)]
    const NEEDED: (u64, u64) = (1 << 30, (8 + 64) << 20);
    #[cfg(unix)]
    if let Some(limit) = rustix::process::getrlimit(rustix::process::Resource::As).current {
        let threads = std::thread::available_parallelism().map_or(1, |threads| threads.get() as u64);
        if limit < NEEDED.0 + threads * NEEDED.1 {
            tracing::warn!(
                "the address space is limited to {} MB (ulimit -v): a driver that needs more ends the program \
                 without a message",
                limit >> 20
            );
        }
    }
}

/// The value of a variable; `default` if it is unset or empty.
fn from_environment<T: FromStr<Err = String>>(name: &str, default: T) -> Result<T, Usage> {
    match std::env::var_os(name) {
        Some(value) if !value.is_empty() => {
            value.to_string_lossy().parse().map_err(|what| Usage(format!("{name}: {what}")))
        }
        _ => Ok(default),
    }
}

/// The device that a command runs on.
#[derive(Debug, Clone)]
pub struct DeviceOptions {
    pub device: DeviceChoice,
    /// True if the kernels in Rust run plans, and no driver is opened.
    pub cpu: bool,
    /// True if the command line or the environment names the device or the API.
    pub named: bool,
    pub api: Level,
    /// True if neither the command line nor the environment names the API.
    pub or_es: bool,
    /// True if the command line names the device or the API; the environment does not count.
    #[cfg(feature = "window")]
    pub chosen: bool,
    /// True if the device's tuning sets the parameters that are left to algorithms.
    pub tuning: bool,
}

impl DeviceOptions {
    /// Opens the device with its tuning.
    ///
    /// Errors: as [`Gpu::headless_with`], with a hint if there is no device.
    pub fn open(&self) -> anyhow::Result<Gpu> {
        let gpu = self.open_untuned()?;
        if self.tuning { Cache::from_environment().tune(gpu) } else { Ok(gpu) }
    }

    /// Opens the device without its tuning.
    pub fn open_untuned(&self) -> anyhow::Result<Gpu> {
        self.needs_driver()?;
        warn_of_a_small_address_space();
        let gpu = self.try_open()?;
        tracing::info!("device: {}, {}", gpu.device(), gpu.device().driver);
        gpu.on_compile(announced());
        gpu.on_transfer(shown());
        if let Some(programs) = Cache::from_environment().programs() {
            gpu.set_program_cache(programs)?;
        }
        Ok(gpu)
    }

    /// An error where the kernels are asked for, for commands that look at drivers.
    ///
    /// Errors: [`Usage`].
    pub fn needs_driver(&self) -> Result<(), Usage> {
        let told = "--device cpu opens no driver, and this command looks at one; expected a GL device, or one of demo, scan, \
                    compact, reduce, trace and app";
        if self.cpu { Err(Usage(told.into())) } else { Ok(()) }
    }

    /// Tries the driver in a process of its own, without opening it here.
    ///
    /// Errors: [`Error::NoDevice`], if it crashes or hangs; a variable that says nothing known.
    pub fn try_driver(&self) -> anyhow::Result<()> {
        let [device, api] = self.words();
        probe::check(&device, &api)
    }

    fn try_open(&self) -> anyhow::Result<Gpu> {
        self.try_driver()?;
        Gpu::headless_with(&self.headless()).map_err(|error| match error {
            Error::NoDevice(reason) => Error::NoDevice(format!("{reason}\n{}", self.hint())).into(),
            other => other.into(),
        })
    }

    /// The same as options of the library.
    pub fn headless(&self) -> HeadlessOptions {
        HeadlessOptions { device: self.device, or_es: self.or_es, ..self.api.into() }
    }

    /// The device and the API, as written on the command line.
    fn words(&self) -> [String; 2] {
        let device = match self.device {
            DeviceChoice::Auto => "auto".into(),
            DeviceChoice::Software => "software".into(),
            DeviceChoice::Hardware => "hardware".into(),
            DeviceChoice::Index(index) => index.to_string(),
        };
        [device, self.api.to_string()]
    }

    fn other_api(&self) -> Level {
        let api = if self.api.api == Api::Gl { Api::Gles } else { Api::Gl };
        Level { api, newest: None }
    }

    /// The options that make this choice again, each with a space before it.
    pub fn arguments(&self) -> String {
        let [device, api] = self.words();
        if self.cpu {
            return " --device cpu".into();
        }
        let device =
            if self.device == DeviceChoice::Auto { String::new() } else { format!(" --device {device}") };
        let device = if self.api == GL { device } else { format!("{device} --api {api}") };
        if self.tuning { device } else { device + " --no-tuning" }
    }

    /// A hint for when no device can be used.
    fn hint(&self) -> String {
        match Gpu::device_count() {
            // `auto` has tried every device, and `info` would only fail again.
            Ok(1..) if self.device != DeviceChoice::Auto => {
                format!(
                    "hint: `{} info --device auto` lists the devices of this machine",
                    crate::console::called()
                )
            }
            _ => {
                match Gpu::headless_with(&DeviceOptions { api: self.other_api(), ..self.clone() }.headless())
                {
                    // A driver is there.
                    Ok(gpu) => format!(
                        "hint: this driver has {}: use --api {}",
                        gpu.device().level(),
                        self.other_api()
                    ),
                    Err(_) => format!("hint: {INSTALL}"),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bar(delay: Duration) -> TransferBar {
        TransferBar { delay, make: Box::new(|_| ProgressBar::hidden()), running: None }
    }

    #[test]
    fn a_transfer_has_a_bar_once_it_takes_long_and_until_it_ends() {
        let told = |bar: &mut TransferBar, kind, bytes| bar.take(Transfer { kind, bytes, of: 9 });
        let mut short = bar(Duration::from_secs(3600));
        assert_eq!([1, 5, 9].map(|bytes| told(&mut short, TransferKind::Upload, bytes)), [None; 3]);
        let mut long = bar(Duration::ZERO);
        assert_eq!(
            [1, 5, 9].map(|bytes| told(&mut long, TransferKind::Upload, bytes)),
            [Some(1), Some(5), None]
        );
        assert!(long.running.is_none());
        // One that never ends gives way to the next.
        assert_eq!(
            [told(&mut long, TransferKind::Upload, 2), told(&mut long, TransferKind::Read, 3)],
            [Some(2), Some(3)]
        );
        assert!(matches!(long.running, Some((TransferKind::Read, ..))));
    }
}
