//! A lab without a device: plans are made for a plain one, and their times are what a formula says of their counts.

use std::time::Duration;

use rasterscan::Device;
use rasterscan::measure::{Protocol, Summary};

use super::{Cell, Contender, Lab, LeftOut, Measured, Phase, Row, gpu::row};

/// A device on which a pass takes 5 microseconds, and a word moved a tenth of a nanosecond.
pub struct StubLab {
    pub device: Device,
    /// Cells that were asked for.
    pub cells: usize,
    /// After so many cells nothing more is measured.
    pub most: usize,
}

impl StubLab {
    pub fn new(device: Device) -> StubLab {
        StubLab { device, cells: 0, most: usize::MAX }
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
        if self.cells >= self.most || !go_on() {
            return Ok(measured);
        }
        self.cells += 1;
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
                Err(error) => measured.left_out.push(LeftOut {
                    name: contender.name(),
                    case: cell.case.clone(),
                    reason: error.to_string(),
                }),
            }
        }
        Ok(measured)
    }
}
