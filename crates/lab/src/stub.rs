//! A lab without a device: plans are built for a plain one, and their times come from a formula of their counts.

use std::time::Duration;

use rasterscan::{Device, Error, device::Clock};

use crate::cell::{Cell, Lab, LabError, LeftOut, Measured, Pace, Phase, Row};
use crate::contender::Contender;
use crate::machine::Machine;
use crate::measure::sleeper::{COPY, Sleeper};
use crate::measure::{self, Laps, Patience, Protocol, Yardstick};

/// The machine of the stub.
pub fn machine() -> Machine {
    Machine {
        renderer: "a stub".into(),
        version: "1".into(),
        api: "gl".into(),
        software: false,
        processors: None,
        memory: None,
        clocks: None,
        cpu: "a CPU".into(),
        cores: 2,
        cpu_mhz: Some(3000.0),
        load: Some(0.1),
        system: "linux".into(),
        program: "0.0.0".into(),
        date: "2026-01-01T00:00:00Z".into(),
    }
}

/// A lab on a device on which a pass takes 5 microseconds, and a word moved a tenth of a nanosecond.
#[derive(Debug)]
pub struct StubLab {
    device: Device,
    /// A device that sleeps, with the yardstick that watches it; without, the device is always awake.
    asleep: Option<(Sleeper, Yardstick)>,
}

impl StubLab {
    /// A lab on a device that is always awake.
    pub fn new(device: Device) -> StubLab {
        StubLab { device, asleep: None }
    }

    /// A lab on a device that falls asleep while references are computed.
    pub fn asleep(device: Device, sleeper: &Sleeper) -> StubLab {
        let yardstick = Yardstick::of(sleeper.clone(), "a copy", Patience::on(Clock::Gpu));
        StubLab { device, asleep: Some((sleeper.clone(), yardstick)) }
    }

    /// The times of rows, which come from a formula.
    fn laps(&mut self, times: &[Duration], protocol: &Protocol) -> Result<Vec<Laps>, LabError> {
        let Some((sleeper, yardstick)) = &mut self.asleep else {
            let laps = |time: &Duration| Laps {
                times: (0..9).map(|run| *time + Duration::from_nanos(run)).collect(),
                yardstick: vec![COPY; 9],
            };
            return Ok(times.iter().map(laps).collect());
        };
        sleeper.rest();
        let time = |number: usize| Ok::<_, Error>(sleeper.work(times[number]));
        Ok(measure::interleaved(times.len(), protocol, Some(yardstick), || true, time)?)
    }
}

impl Lab for StubLab {
    fn device(&self) -> &Device {
        &self.device
    }

    fn pace(&self) -> Option<Pace> {
        match &self.asleep {
            Some((_, yardstick)) => Pace::of(yardstick),
            None => Some(Pace { work: "a copy".into(), best_ms: 0.3, tolerance: 0.03 }),
        }
    }

    fn measure(
        &mut self,
        cell: &Cell,
        protocol: &Protocol,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Measured, LabError> {
        let mut measured = Measured::default();
        if !go_on() {
            return Ok(measured);
        }
        let mut times = Vec::new();
        for contender in &cell.contenders {
            let plan = match contender {
                // Runs where compute shaders do.
                Contender::Peer(_) => Contender::CopyBuffer.plan(&cell.case, &self.device).map(|_| None),
                own => own.plan(&cell.case, &self.device),
            };
            match plan {
                Ok(plan) => {
                    let mut row = Row::of(contender, cell, plan.as_ref());
                    row.verified = true;
                    row.clock = if matches!(contender, Contender::Cpu(_)) { "wall" } else { "gpu" }.into();
                    // A loop on the CPU: a nanosecond an item.
                    let nanos = if row.passes == 0 {
                        cell.case.n()
                    } else {
                        5_000 * row.passes as u64 + row.words_moved / 10
                    };
                    times.push(Duration::from_nanos(nanos));
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
        for (row, laps) in measured.rows.iter_mut().zip(self.laps(&times, protocol)?) {
            row.take(&laps);
            if protocol.in_pairs {
                row.keep_samples(&laps);
                // Of what is kept, a nanosecond an item.
                row.readback_ms = Some(1e-6 * cell.case.n() as f64 * cell.case.share().unwrap_or(1.0));
            }
            row.distinct = (cell.repeats > 0).then_some(1 + u32::from(row.name.ends_with("prefixes=every")));
        }
        Ok(measured)
    }
}
