//! What others made beside our own: the program `rasterscan-peers`, started for each cell once our contenders are done with it.

use std::io::Read;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};

use rasterscan::Device;
use rasterscan_lab::case::Case;
use rasterscan_lab::cell::{Cell, Lab, LabError, LeftOut, Measured, Pace};
use rasterscan_lab::measure::Protocol;
use rasterscan_lab::peers::{NAMES, parse};

use crate::exit::Usage;

/// Names the program.
const VARIABLE: &str = "RASTERSCAN_PEERS";

/// How much longer than its share of the time it may take: it starts python and wgpu, and verifies.
const PATIENCE: Duration = Duration::from_secs(180);

/// The longest document: a row has less than a thousand bytes.
const MOST_BYTES: u64 = 1 << 20;

/// The program that measures peers.
#[derive(Debug, Clone)]
pub struct Program(PathBuf);

impl Program {
    /// The one that the environment names, or that lies beside this program.
    ///
    /// Errors: there is none, with what to do.
    pub fn find() -> anyhow::Result<Program> {
        let named = std::env::var_os(VARIABLE).filter(|value| !value.is_empty()).map(PathBuf::from);
        let path = match named {
            Some(path) => path,
            None => {
                let own = std::env::current_exe().context("cannot tell where this program lies")?;
                own.with_file_name(format!("rasterscan-peers{}", std::env::consts::EXE_SUFFIX))
            }
        };
        if !path.is_file() {
            bail!(Usage(format!(
                "--peers needs the program rasterscan-peers, and {} is not there; in the folder of the sources \
                 `cargo build --release --manifest-path peers/Cargo.toml --target-dir target` builds it beside \
                 ./run's rasterscan, and {VARIABLE} names one elsewhere",
                path.display()
            )));
        }
        Ok(Program(path))
    }

    /// Measures the peers on a case. `go_on` is asked while they are at work.
    ///
    /// Errors: why they are left out.
    fn measure(
        &self,
        case: &Case,
        device: &Device,
        budget: Duration,
        go_on: &mut dyn FnMut() -> bool,
    ) -> anyhow::Result<Measured> {
        let mut command = Command::new(&self.0);
        command.arg("--seconds").arg(budget.as_secs_f64().to_string());
        command.arg("--renderer").arg(&device.renderer).args(device.software.then_some("--software"));
        command.arg("--").arg(serde_json::to_string(case)?);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = Running(command.spawn().context("rasterscan-peers cannot be started")?);
        let stdout = child.0.stdout.take();
        let reader = thread::spawn(move || {
            let mut bytes = Vec::new();
            stdout.map(|stdout| stdout.take(MOST_BYTES).read_to_end(&mut bytes));
            bytes
        });
        let start = Instant::now();
        let status = loop {
            if let Some(status) = child.0.try_wait()? {
                break status;
            }
            if !go_on() {
                bail!("interrupted");
            }
            let took = start.elapsed();
            if took > budget + PATIENCE {
                bail!("rasterscan-peers has not answered for {} s", took.as_secs());
            }
            thread::sleep(Duration::from_millis(5));
        };
        let bytes = reader.join().unwrap_or_default();
        if !status.success() {
            bail!("rasterscan-peers failed ({status})");
        }
        parse(&bytes, case).context("rasterscan-peers gave no answer")
    }
}

/// A child that does not outlive this.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A lab, and the peers beside it. They have a cell after all others and to themselves: in a process of their own, they do not
/// run in turns with these.
pub struct WithPeers<L> {
    pub lab: L,
    pub program: Program,
    /// The cases that they have had: they do not run on the device that is watched, so a second look at it is of no use.
    pub done: Vec<Case>,
}

impl<L: Lab> Lab for WithPeers<L> {
    fn device(&self) -> &Device {
        self.lab.device()
    }

    fn pace(&self) -> Option<Pace> {
        self.lab.pace()
    }

    fn measure(
        &mut self,
        cell: &Cell,
        protocol: &Protocol,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Measured, LabError> {
        if self.done.contains(&cell.case) {
            return self.lab.measure(cell, protocol, go_on);
        }
        let all = cell.contenders.len() + NAMES.len();
        let share = |count: usize| protocol.budget.mul_f64(count as f64 / all as f64);
        let own = Protocol { budget: share(cell.contenders.len()), ..*protocol };
        let mut measured = self.lab.measure(cell, &own, go_on)?;
        if !go_on() {
            return Ok(measured);
        }
        let peers = self.program.measure(&cell.case, self.lab.device(), share(NAMES.len()), go_on);
        let peers = peers.unwrap_or_else(|error| {
            let reason = format!("{error:#}");
            let left_out = |name: &str| LeftOut::new(name.into(), &cell.case, reason.clone());
            Measured { rows: Vec::new(), left_out: NAMES.iter().copied().map(left_out).collect() }
        });
        measured.rows.extend(peers.rows);
        measured.left_out.extend(peers.left_out);
        self.done.push(cell.case.clone());
        Ok(measured)
    }
}
