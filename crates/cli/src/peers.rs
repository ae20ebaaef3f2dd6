//! Other implementations beside ours: starts the program `rasterscan-peers` for each cell, after our contenders.

use std::collections::BTreeSet;
use std::io::Read;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};

use rasterscan::Device;
use rasterscan_lab::case::Case;
use rasterscan_lab::cell::{Cell, Lab, LabError, LeftOut, Measured, Pace};
use rasterscan_lab::contender::Contender;
use rasterscan_lab::measure::Protocol;
use rasterscan_lab::peers::parse;

use crate::cache::Cache;
use crate::exit::Usage;

/// The variable that names the program.
const VARIABLE: &str = "RASTERSCAN_PEERS";

/// The time that it may take beyond its share: it starts python and wgpu, builds a program with nvcc, and verifies.
const PATIENCE: Duration = Duration::from_secs(180);

/// The longest document; a row has less than a thousand bytes.
const MOST_BYTES: u64 = 1 << 20;

/// The program that measures peers.
#[derive(Debug, Clone)]
pub struct Program(PathBuf);

impl Program {
    /// Finds the program that the environment names, or the one beside this program.
    ///
    /// Errors: there is none; the text says what to do.
    pub fn find() -> anyhow::Result<Program> {
        let named = std::env::var_os(VARIABLE).filter(|value| !value.is_empty()).map(PathBuf::from);
        let path = match named {
            Some(path) => path,
            None => {
                let own = std::env::current_exe().context("cannot find the path of this program")?;
                own.with_file_name(format!("rasterscan-peers{}", std::env::consts::EXE_SUFFIX))
            }
        };
        if !path.is_file() {
            bail!(Usage(format!(
                "--peers needs the program rasterscan-peers, and {} does not exist; in the source folder, \
                 `cargo build --release --manifest-path peers/Cargo.toml --target-dir target` builds it beside \
                 ./run's rasterscan, and {VARIABLE} names one elsewhere",
                path.display()
            )));
        }
        Ok(Program(path))
    }

    /// The command for these peers.
    fn command(&self, names: &[&str], device: &Device) -> Command {
        let mut command = Command::new(&self.0);
        command.args(names.iter().flat_map(|name| ["--peer", name]));
        command.arg("--renderer").arg(&device.renderer).args(device.software.then_some("--software"));
        if let Some(folder) = Cache::from_environment().folder() {
            command.arg("--cache").arg(folder);
        }
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    /// Builds what the peers of these cells need, as many programs at a time as there are cores, so that no time to measure
    /// is spent on it. Without a folder for caches, nothing could be kept.
    ///
    /// Errors: the program cannot be started. A peer that cannot be built says so when it is measured.
    pub fn prepare<'a>(&self, cells: impl Iterator<Item = &'a Cell>, device: &Device) -> anyhow::Result<()> {
        if Cache::from_environment().folder().is_none() {
            return Ok(());
        }
        let mut names = BTreeSet::new();
        let mut cases = BTreeSet::new();
        for cell in cells {
            let own = peers_of(cell);
            if !own.is_empty() {
                names.extend(own);
                cases.insert(serde_json::to_string(&cell.case)?);
            }
        }
        if !cases.is_empty() {
            let names: Vec<&str> = names.into_iter().collect();
            let mut command = self.command(&names, device);
            command
                .arg("--prepare")
                .arg("--")
                .args(cases)
                .status()
                .context("cannot start rasterscan-peers")?;
        }
        Ok(())
    }

    /// Measures the peers on a case. `go_on` is called while they run.
    ///
    /// Errors: the reason why they are left out.
    fn measure(
        &self,
        names: &[&str],
        case: &Case,
        device: &Device,
        budget: Duration,
        go_on: &mut dyn FnMut() -> bool,
    ) -> anyhow::Result<Measured> {
        let mut command = self.command(names, device);
        command.arg("--seconds").arg(budget.as_secs_f64().to_string());
        command.arg("--").arg(serde_json::to_string(case)?);
        command.stdout(Stdio::piped());
        let mut child = Running(command.spawn().context("cannot start rasterscan-peers")?);
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
                bail!("rasterscan-peers did not answer within {} s", took.as_secs());
            }
            thread::sleep(Duration::from_millis(5));
        };
        let bytes = reader.join().unwrap_or_default();
        if !status.success() {
            bail!("rasterscan-peers failed ({status})");
        }
        parse(&bytes, case).context("rasterscan-peers gave no valid answer")
    }
}

/// The peers among the contenders of a cell.
fn peers_of(cell: &Cell) -> Vec<&'static str> {
    cell.contenders.iter().filter_map(Contender::peer).collect()
}

/// A child process that is killed on drop.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A lab with the peers beside it. Peers run after all others in each cell, in a process of their own, not in turns
/// with them.
pub struct WithPeers<L> {
    pub lab: L,
    pub program: Program,
    /// The least time to measure each peer.
    pub least: Duration,
    /// The cases that the peers have run: the yardstick does not watch them, so a second measurement is of no use.
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
        let mut own = cell.clone();
        own.contenders.retain(|contender| contender.peer().is_none());
        let names = if self.done.contains(&cell.case) { Vec::new() } else { peers_of(cell) };
        let all = cell.contenders.len();
        let share = |count: usize| protocol.budget.mul_f64(count as f64 / all as f64);
        let budget = share(own.contenders.len());
        let mut measured = match own.contenders.is_empty() {
            true => Measured::default(),
            false => self.lab.measure(&own, &Protocol { budget, ..*protocol }, go_on)?,
        };
        if names.is_empty() || !go_on() {
            return Ok(measured);
        }
        let budget = share(names.len()).max(self.least * names.len() as u32);
        let peers = self.program.measure(&names, &cell.case, self.lab.device(), budget, go_on);
        let peers = peers.unwrap_or_else(|error| {
            let reason = format!("{error:#}");
            let left_out = |name: &str| LeftOut::new(name.into(), &cell.case, reason.clone());
            Measured { rows: Vec::new(), left_out: names.iter().copied().map(left_out).collect() }
        });
        measured.rows.extend(peers.rows);
        measured.left_out.extend(peers.left_out);
        self.done.push(cell.case.clone());
        Ok(measured)
    }
}
