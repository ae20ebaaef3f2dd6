//! The lab on a device: prepares and verifies the contenders, and times them in turns.
//!
//! Everything that a cell needs is on the device at once. A contender that is too slow for the budget, judging by a
//! shorter stream, is not even started.

use std::any::Any;
use std::collections::HashMap;
use std::fmt;
use std::time::Duration;

use rasterscan::tools::clock::Instant;

use rasterscan::algorithm::results::{self, Mismatch};
use rasterscan::scan;
use rasterscan::tools::task::{self, Task};
use rasterscan::{
    Device, Element, Error, Gpu, ScanSpec, Unsupported,
    device::Clock,
    tools::{Numbers, for_element},
};

use crate::case::Case;
use crate::cell::{Cell, Lab, LabError, LeftOut, Measured, Pace, Phase, Row, Wrong};
use crate::contender::Contender;
use crate::cpu::{self, Cpu};
use crate::document::milliseconds;
use crate::measure::{self, Batch, Laps, Protocol, Yardstick};

/// A lab on a device.
pub struct GpuLab<'a> {
    gpu: &'a Gpu,
    /// The bytes of memory that are free, if that is known.
    free_memory: fn() -> Option<u64>,
    /// Starts other work on the device, which ends when this is dropped.
    load: Box<dyn Fn() -> Option<Box<dyn Any>> + 'a>,
    /// The last length and time of each contender, by its name and all of the case except the length.
    paces: HashMap<String, (u64, Duration)>,
    /// Made for the first cell.
    yardstick: Option<Yardstick>,
    /// Digests of results that were verified before, by [`verified_key`].
    verified: HashMap<String, String>,
    /// The streams of the last case, and what they are of.
    streams: Option<(String, Vec<Numbers>)>,
}

/// The least time for a cell, whatever its share: short runs are worth timing more than once.
const LEAST_BUDGET: Duration = Duration::from_millis(100);

/// Up to this length, a run is mostly launch: its time says little about longer ones.
const SHORT: u64 = 1 << 16;

/// A readback that is shorter than this is timed so many times; the median counts.
const SHORT_READBACK: Duration = Duration::from_millis(20);
const READBACKS: usize = 5;

/// Runs in which each pass is timed alone, for its median.
const PHASE_RUNS: usize = 5;

impl<'a> GpuLab<'a> {
    /// A lab on this device, with no limit on memory.
    pub fn new(gpu: &'a Gpu) -> GpuLab<'a> {
        GpuLab {
            gpu,
            free_memory: || None,
            load: Box::new(|| None),
            paces: HashMap::new(),
            yardstick: None,
            verified: HashMap::new(),
            streams: None,
        }
    }

    /// Takes results as verified that are the same to the bit as these rows', which the same program verified on the same
    /// device. All others are verified against the reference.
    pub fn with_verified<'r>(self, rows: impl Iterator<Item = &'r Row>) -> GpuLab<'a> {
        let rows = rows.filter(|row| row.verified);
        let verified = rows.filter_map(|row| Some((verified_key(&row.name, &row.case), row.digest.clone()?)));
        GpuLab { verified: verified.collect(), ..self }
    }

    /// Has this work beside runs whose results are compared with each other, so that timing differs between them.
    pub fn with_load(self, load: impl Fn() -> Option<Box<dyn Any>> + 'a) -> GpuLab<'a> {
        GpuLab { load: Box::new(load), ..self }
    }

    /// Leaves out cells that need more memory than `free_memory` returns.
    pub fn with_memory(self, free_memory: fn() -> Option<u64>) -> GpuLab<'a> {
        GpuLab { free_memory, ..self }
    }

    fn measure_as<T: Element>(
        &mut self,
        cell: &Cell,
        protocol: &Protocol,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Measured, LabError> {
        let case = &cell.case;
        let start = Instant::now();
        let request = case.request()?;
        if let Some(reason) = self.too_large::<T>(cell) {
            return Ok(Measured::nothing(cell, &reason));
        }
        let (words, streams) = self.streams_of(case)?;
        let numbers: &[T] = streams[0].get()?;
        let task = Task::new(&request, &streams)?;
        let mut measured = Measured::default();
        let mut ready: Vec<ReadyContender<T>> = Vec::new();
        for contender in &cell.contenders {
            if !go_on() {
                return Ok(measured);
            }
            let outcome = match self.too_slow(contender, case, protocol) {
                Some(reason) => Ok(Err(reason)),
                None => self.prepare(contender, cell, numbers, &task),
            };
            match outcome? {
                Ok(contender) => ready.push(contender),
                Err(reason) => measured.left_out.push(LeftOut::new(contender.name(), case, reason)),
            }
        }
        // The time left, now that numbers are generated and results verified; a part of it is for the phases.
        let left = protocol.budget.saturating_sub(start.elapsed());
        let for_phases = if cell.phases { left / 5 } else { Duration::ZERO };
        let budget = (left - for_phases).max(LEAST_BUDGET);
        let mut laps = vec![Laps::default(); ready.len()];
        let mut yardstick = match self.yardstick.take() {
            Some(yardstick) => yardstick,
            None => Yardstick::new(self.gpu)?,
        };
        for Turns { on_gpu, numbers: turns } in self.turns(&ready) {
            let budget = budget.mul_f64(turns.len() as f64 / ready.len() as f64);
            let rest = Protocol { budget, ..*protocol };
            let yardstick = on_gpu.then_some(&mut yardstick);
            let own = measure::interleaved(turns.len(), &rest, yardstick, &mut *go_on, |number| {
                ready[turns[number]].time(self.gpu, &task, numbers)
            })?;
            for (number, own) in turns.into_iter().zip(own) {
                laps[number] = own;
            }
        }
        self.yardstick = Some(yardstick);
        let each = for_phases / ready.len().max(1) as u32;
        let load = if cell.repeats > 0 { (self.load)() } else { None };
        for (mut contender, laps) in ready.into_iter().zip(laps) {
            // An interrupted run may have no times.
            let Some(summary) = contender.row.take(&laps) else { continue };
            if protocol.in_pairs {
                contender.row.keep_samples(&laps);
            }
            if cell.repeats > 0 && go_on() {
                contender.row.distinct = contender.distinct(cell.repeats)?;
                contender.row.beside_load = load.is_some();
            }
            contender.row.clock = contender.clock.name().into();
            if cell.phases && go_on() {
                contender.time_phases(each)?;
            }
            self.paces.insert(pace_key(&contender.name, case), (case.n(), summary.median));
            measured.rows.push(contender.row);
        }
        self.streams = Some((words, streams));
        Ok(measured)
    }

    /// The streams of a case: those of the last one if it had the same, since large ones take a second to make.
    fn streams_of(&mut self, case: &Case) -> Result<(String, Vec<Numbers>), Error> {
        let job = case.job();
        let words = format!("{} {:?} {}", job.source, job.element, job.beside().count());
        match self.streams.take() {
            Some((known, streams)) if known == words && job.beside().count() == 0 => Ok((words, streams)),
            // The memory of the last ones is free before.
            _ => job.streams().map(|streams| (words, streams)),
        }
    }

    /// The contenders that run in turns with each other. A GPU that has to wait for the CPU's algorithms falls back to
    /// its low clock, so these have turns of their own. A software renderer is the CPU, too: there, all run in turns.
    fn turns<T>(&self, ready: &[ReadyContender<T>]) -> Vec<Turns> {
        let apart =
            |number: &usize| matches!(ready[*number].engine, Engine::Cpu(..)) && !self.gpu.device().software;
        let (cpu, gpu) = (0..ready.len()).partition(apart);
        // The GPU last, so that it is still warm when its passes are timed.
        let groups = [Turns { on_gpu: false, numbers: cpu }, Turns { on_gpu: true, numbers: gpu }];
        groups.into_iter().filter(|group| !group.numbers.is_empty()).collect()
    }

    /// The reason, if a cell needs more memory than is free, by a rough estimate: the numbers, the reference's result,
    /// a result and room to copy it; and for contenders that run on the CPU, a few streams each.
    fn too_large<T: Element>(&self, cell: &Cell) -> Option<String> {
        let stream = cell.case.elements() * size_of::<T>() as u64;
        let own = cell
            .contenders
            .iter()
            .filter(|contender| self.gpu.device().software || matches!(contender, Contender::Cpu(_)));
        let needed = stream.saturating_mul(5 + 3 * own.count() as u64);
        let free = (self.free_memory)()?;
        let [needed_gb, free_gb] = [needed, free].map(|bytes| bytes as f64 / 1e9);
        (needed > free).then(|| {
            format!("the cell needs about {needed_gb:.1} GB of memory, and {free_gb:.1} GB are free")
        })
    }

    /// The reason, if a contender would take too long, judging by shorter streams: the work of all is at least linear.
    fn too_slow(&self, contender: &Contender, case: &Case, protocol: &Protocol) -> Option<String> {
        let (n, time) = self.paces.get(&pace_key(&contender.name(), case))?;
        let expected = time.as_secs_f64() * case.n() as f64 / (*n).max(SHORT) as f64;
        let budget = protocol.budget.max(LEAST_BUDGET);
        // It runs to be verified, to warm up, and at least once to be timed.
        (case.n() > *n && 3.0 * expected > budget.as_secs_f64()).then(|| {
            format!("it would take about {expected:.1} s per run, more than the time for this length allows")
        })
    }

    /// Prepares, runs and verifies a contender. What the device cannot run is not an error, but a reason.
    fn prepare<T: Element>(
        &self,
        contender: &Contender,
        cell: &Cell,
        numbers: &[T],
        task: &Task<'_>,
    ) -> Result<Result<ReadyContender<T>, String>, LabError> {
        match self.ready(contender, cell, numbers, task) {
            // Those of the driver are mostly out of memory: others may still fit.
            Err(LabError::Library(error @ (Error::Unsupported(_) | Error::Gl { .. }))) => {
                Ok(Err(error.to_string()))
            }
            ready => ready.map(Ok),
        }
    }

    fn ready<T: Element>(
        &self,
        contender: &Contender,
        cell: &Cell,
        numbers: &[T],
        task: &Task<'_>,
    ) -> Result<ReadyContender<T>, LabError> {
        let plan = contender.plan(&cell.case, self.gpu.device())?;
        let mut row = Row::of(contender, cell, plan.as_ref());
        let engine = match (&plan, contender) {
            (Some(plan), _) => {
                let prepared = self.gpu.prepare(plan)?;
                self.gpu.finish()?;
                let start = Instant::now();
                let streams = task.upload(&prepared)?;
                self.gpu.finish()?;
                row.upload_ms = Some(milliseconds(start.elapsed()));
                Engine::Plan(Box::new(task::Ready { prepared, streams }))
            }
            (None, Contender::Cpu(cpu)) => Engine::Cpu(*cpu, cpu::Room::default()),
            (None, _) => return Err(Error::from(Unsupported::request("it has no plan")).into()),
        };
        let mut ready = ReadyContender {
            launched: matches!(contender, Contender::Launched(_)),
            name: contender.name(),
            row,
            engine,
            clock: Clock::Wall,
            batch: Batch::default(),
        };
        let known = self.verified.get(&verified_key(&ready.name, &cell.case));
        let wrong = |mismatch| {
            let (contender, case) = (contender.clone(), cell.case.clone());
            LabError::Wrong(Box::new(Wrong { contender, case, mismatch }))
        };
        ready.row.verified = ready.verify(self.gpu, contender, task, numbers, known)?.map_err(wrong)?;
        Ok(ready)
    }
}

/// Contenders that are timed in turns.
struct Turns {
    /// True if the yardstick runs in their rounds.
    on_gpu: bool,
    numbers: Vec<usize>,
}

impl fmt::Debug for GpuLab<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GpuLab").field("device", self.gpu.device()).finish_non_exhaustive()
    }
}

impl Lab for GpuLab<'_> {
    fn device(&self) -> &Device {
        self.gpu.device()
    }

    fn pace(&self) -> Option<Pace> {
        self.yardstick.as_ref().and_then(Pace::of)
    }

    fn measure(
        &mut self,
        cell: &Cell,
        protocol: &Protocol,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Measured, LabError> {
        for_element!(cell.case.element(), T => self.measure_as::<T>(cell, protocol, go_on))
    }
}

/// All that determines a contender's pace, except the length.
fn pace_key(name: &str, case: &Case) -> String {
    format!("{name} {}", case.with_len(0))
}

/// All that a result depends on.
fn verified_key(name: &str, case: &Case) -> String {
    format!("{name} {} {case}", case.element())
}

/// A digest of results, to the bit.
fn digest<'n>(streams: impl Iterator<Item = &'n [u32]>) -> String {
    let words = streams.flat_map(|words| {
        std::iter::once(words.len() as u64).chain(words.chunks(2).map(|pair| match pair {
            [low, high] => u64::from(*high) << 32 | u64::from(*low),
            _ => u64::from(pair[0]),
        }))
    });
    let mixed = words.fold(0x9E37_79B9_7F4A_7C15u64, |state, word| {
        (state ^ word).wrapping_mul(0xBF58_476D_1CE4_E5B9).rotate_left(29)
    });
    format!("{mixed:016x}")
}

/// A verified contender, which may be timed.
struct ReadyContender<T> {
    name: String,
    /// True if its launches are timed, too.
    launched: bool,
    row: Row,
    engine: Engine<T>,
    clock: Clock,
    batch: Batch,
}

enum Engine<T> {
    Plan(Box<task::Ready>),
    /// A loop on the CPU, with room for its results.
    Cpu(Cpu, cpu::Room<T>),
}

impl<T: Element> ReadyContender<T> {
    /// Runs once, and checks the result against the reference. Returns whether the two agree wherever they can be
    /// compared, or the first difference.
    fn verify(
        &mut self,
        gpu: &Gpu,
        contender: &Contender,
        task: &Task<'_>,
        numbers: &[T],
        known: Option<&String>,
    ) -> Result<Result<bool, Mismatch>, Error> {
        let mut is_known = |digest: String| known == Some(&*self.row.digest.insert(digest));
        Ok(match &mut self.engine {
            Engine::Plan(ready) => match contender {
                Contender::CopyTexture(_) | Contender::CopyBuffer => {
                    let copy: Vec<T> = ready.run()?.first().read()?;
                    results::same("element", numbers, &copy).map(|_| true)
                }
                Contender::IndependentBlocks(capannini) => {
                    let block = capannini.block.unwrap_or(rasterscan::scan::compute::Capannini::BLOCK);
                    let sums: Vec<T> = ready.run()?.first().read()?;
                    if is_known(digest(std::iter::once(bytemuck::cast_slice(&sums)))) {
                        return Ok(Ok(true));
                    }
                    results::same("element", &blocks(task, numbers, block as usize), &sums).map(|_| true)
                }
                _ => {
                    let mut times = Vec::new();
                    let results = loop {
                        let outputs = ready.run()?;
                        // Otherwise reading would wait for the run, and include its time.
                        gpu.finish()?;
                        let start = Instant::now();
                        let results = task.read(outputs)?;
                        times.push(start.elapsed());
                        if times[0] >= SHORT_READBACK || times.len() >= READBACKS {
                            break results;
                        }
                    };
                    self.row.readback_ms =
                        measure::Summary::of(&times).map(|summary| milliseconds(summary.median));
                    if is_known(digest(results.streams().map(|(_, numbers)| numbers.words()))) {
                        return Ok(Ok(true));
                    }
                    let verified = task.verify(Some(ready.plan().cost().depth), &results);
                    verified.map(|verified| verified.holds())
                }
            },
            Engine::Cpu(cpu, room) => {
                cpu::run(*cpu, task.request(), numbers, room);
                let verified = task.verify(None, &room.results(task.request()));
                verified.map(|verified| verified.holds())
            }
        })
    }

    /// The time of a run: the mean of several if one is too short for the clock.
    fn time(&mut self, gpu: &Gpu, task: &Task<'_>, numbers: &[T]) -> Result<Duration, Error> {
        let (engine, clock) = (&mut self.engine, &mut self.clock);
        if self.launched
            && let Engine::Plan(ready) = engine
        {
            gpu.finish()?;
            let start = Instant::now();
            ready.run()?;
            gpu.finish()?;
            return Ok(start.elapsed());
        }
        self.batch.time(|runs| match engine {
            Engine::Plan(ready) => {
                let timing = ready.time(runs)?;
                *clock = timing.clock;
                Ok(timing.total)
            }
            Engine::Cpu(cpu, room) => {
                let start = Instant::now();
                for _ in 0..runs {
                    cpu::run(*cpu, task.request(), numbers, std::hint::black_box(&mut *room));
                }
                Ok(start.elapsed() / runs)
            }
        })
    }

    /// The number of different results of so many runs; `None` on the CPU.
    fn distinct(&mut self, runs: u32) -> Result<Option<u32>, Error> {
        let Engine::Plan(ready) = &mut self.engine else { return Ok(None) };
        let mut seen: Vec<Vec<T>> = Vec::new();
        for _ in 0..runs {
            let result: Vec<T> = ready.run()?.first().read()?;
            let same = |known: &Vec<T>| {
                bytemuck::cast_slice::<T, u8>(known) == bytemuck::cast_slice::<T, u8>(&result)
            };
            if !seen.iter().any(same) {
                seen.push(result);
            }
        }
        Ok(Some(seen.len() as u32))
    }

    fn time_phases(&mut self, budget: Duration) -> Result<(), Error> {
        let Engine::Plan(ready) = &mut self.engine else { return Ok(()) };
        let phases = measure::phases(ready, PHASE_RUNS, budget)?;
        self.row.phases.extend(phases.into_iter().map(Phase::from));
        Ok(())
    }
}

/// The scan of each block alone.
fn blocks<T: Element>(task: &Task<'_>, numbers: &[T], block: usize) -> Vec<T> {
    let Some(spec) = task.request().get::<ScanSpec>() else { return Vec::new() };
    let scan = |numbers: &[T]| {
        let spec = spec.with_len(numbers.len() as u64);
        scan::sequential(&spec, numbers).unwrap_or_default()
    };
    numbers.chunks(block).flat_map(scan).collect()
}
