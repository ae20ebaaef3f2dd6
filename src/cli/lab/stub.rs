//! A lab without a device: plans are made for a plain one, and their times are what a formula says of their counts.

use std::time::Duration;

use rasterscan::Device;
use rasterscan::measure::{Protocol, Summary};

use super::{Cell, Contender, Lab, LeftOut, Machine, Measured, Phase, Row, gpu::row};

/// The machine that it is on.
pub fn machine() -> Machine {
    Machine {
        renderer: "a stub".into(),
        version: "1".into(),
        api: "gl".into(),
        software: false,
        cpu: "a CPU".into(),
        cores: 2,
        cpu_mhz: Some(3000.0),
        load: Some(0.1),
        system: "linux".into(),
        program: "0.0.0".into(),
        date: "2026-01-01T00:00:00Z".into(),
    }
}

/// A device on which a pass takes 5 microseconds, and a word moved a tenth of a nanosecond.
pub struct StubLab {
    device: Device,
}

impl StubLab {
    pub fn new(device: Device) -> StubLab {
        StubLab { device }
    }
}

impl Lab for StubLab {
    fn device(&self) -> &Device {
        &self.device
    }

    fn measure(
        &mut self,
        cell: &Cell,
        _: &Protocol,
        go_on: &mut dyn FnMut() -> bool,
    ) -> anyhow::Result<Measured> {
        let mut measured = Measured::default();
        if !go_on() {
            return Ok(measured);
        }
        for contender in &cell.contenders {
            match contender.plan(&cell.case, &self.device) {
                Ok(plan) => {
                    let mut row: Row = row(contender, cell, plan.as_ref());
                    row.verified = true;
                    row.clock = if matches!(contender, Contender::Cpu(_) | Contender::Peer(_)) {
                        "wall"
                    } else {
                        "gpu"
                    }
                    .into();
                    // A loop on the CPU: a nanosecond an item.
                    let nanos = if row.passes == 0 {
                        cell.case.n
                    } else {
                        5_000 * row.passes as u64 + row.words_moved / 10
                    };
                    let times: Vec<Duration> = (0..9).map(|run| Duration::from_nanos(nanos + run)).collect();
                    row.take(Summary::of(&times).expect("some times"));
                    if let Some(plan) = plan.filter(|_| cell.phases) {
                        let names = plan.passes().iter().map(|pass| pass.phase);
                        row.phases =
                            names.map(|name| Phase { name: name.into(), passes: 1, ms: 0.01 }).collect();
                    }
                    measured.rows.push(row);
                }
                Err(error) => {
                    let reason = error.to_string();
                    measured.left_out.push(LeftOut::new(contender.name(), &cell.case, reason));
                }
            }
        }
        Ok(measured)
    }
}
