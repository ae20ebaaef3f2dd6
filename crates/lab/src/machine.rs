//! The machine, in a few facts, without which a figure is of little use.

use serde::{Deserialize, Serialize};

/// The machine that was measured on, and the date.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// The name of the renderer.
    pub renderer: String,
    /// `GL_VERSION`, the driver's own version included.
    pub version: String,
    /// `gl` or `gles`.
    pub api: String,
    /// True if the renderer is software, and so the clock is wall time.
    pub software: bool,
    /// Processors of the GPU that run work groups; `None` if that is not known.
    #[serde(default)]
    pub processors: Option<u32>,
    /// The GPU's memory, as its driver's tool tells; `None` without one.
    #[serde(default)]
    pub memory: Option<String>,
    /// The GPU's clocks at the start, and the highest ones, likewise.
    #[serde(default)]
    pub clocks: Option<String>,
    /// The model of the CPU.
    pub cpu: String,
    /// Cores that the program may use.
    pub cores: usize,
    /// The frequency of the CPU at the start; `None` if the system does not tell.
    pub cpu_mhz: Option<f64>,
    /// Processes that wanted to run, over the minute before the start; `None` likewise.
    pub load: Option<f64>,
    /// The operating system and the architecture.
    pub system: String,
    /// The version of rasterscan.
    pub program: String,
    /// The date, in UTC: `2026-11-21T10:00:00Z`.
    pub date: String,
}

impl Machine {
    /// Returns true if times taken on both can be compared: everything except the moment is the same.
    pub fn is_like(&self, other: &Machine) -> bool {
        let still = |machine: &Machine| Machine {
            cpu_mhz: None,
            load: None,
            clocks: None,
            date: String::new(),
            ..machine.clone()
        };
        still(self) == still(other)
    }

    /// One line for people.
    pub fn line(&self) -> String {
        let mhz = self.cpu_mhz.map_or(String::new(), |mhz| format!(" at {:.1} GHz", mhz / 1e3));
        let load = self.load.map_or(String::new(), |load| format!(", load {load:.2}"));
        let clock = if self.software { "wall time" } else { "the GPU's clock" };
        format!(
            "{}, {}; {clock}; CPU {}{mhz}, {} cores{load}; rasterscan {}, {}",
            self.renderer, self.version, self.cpu, self.cores, self.program, self.date
        )
    }

    /// The same as a list of facts.
    pub fn facts(&self) -> Vec<(String, String)> {
        let mut facts = vec![
            ("Renderer".to_owned(), self.renderer.clone()),
            ("Driver".into(), format!("{} ({})", self.version, self.api)),
            (
                "Clock".into(),
                if self.software { "wall time around a finish" } else { "timer queries of the GPU" }.into(),
            ),
            ("CPU".into(), format!("{}, {} cores", self.cpu, self.cores)),
        ];
        facts.extend(self.processors.map(|count| ("GPU processors".into(), count.to_string())));
        facts.extend(self.memory.clone().map(|memory| ("GPU memory".into(), memory)));
        facts.extend(self.clocks.clone().map(|clocks| ("GPU clocks".into(), clocks)));
        facts.extend(self.cpu_mhz.map(|mhz| ("CPU frequency".into(), format!("{mhz:.0} MHz at the start"))));
        facts.extend(
            self.load.map(|load| ("Load".into(), format!("{load:.2} processes in the minute before"))),
        );
        facts.push(("System".into(), self.system.clone()));
        facts.push(("Program".into(), format!("rasterscan {}", self.program)));
        facts.push(("Date".into(), self.date.clone()));
        facts
    }
}
