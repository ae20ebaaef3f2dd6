//! The crate lampshade, on wgpu: sums, compactions and sorts of u32.
//!
//! Source: <https://github.com/samjsui/lampshade>; its name was `wgpu-primitives`. It compacts by a mask, which a generator of
//! its own makes of the condition; both are timed. It sorts indices as pairs of a key and an index, and by a range of bits
//! keys that are shifted down; both are made before the time. The clock is the crate's own, timestamps before the first
//! dispatch and after the last, if the adapter has them and is hardware; otherwise wall time, from before the first submission
//! until the device is idle.
//!
//! All of it runs on its own thread: on OpenGL, wgpu makes its own context current, and on the caller's thread the
//! caller's context must stay current.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use lampshade::{
    Compactor, Context, Error, GpuProfile, KeyValueSorter, MaskGenerator, Scanner, Sorter, U32Predicate,
};
use rasterscan::tools::problem::{COMPACT, SCAN, SORT};
use rasterscan::{Element, ElementType, Moves, ScanKind, SortSpec, device::Clock};
use rasterscan_lab::case::Case;
use wgpu::{BufferUsages, DeviceType, Features};

use crate::peer::{PeersWanted, Running};

/// The version in `Cargo.toml`.
const VERSION: &str = "0.13";

/// A thread with a case. It ends when this is dropped.
#[derive(Debug)]
pub struct Lampshade {
    /// `None` at the end.
    questions: Option<Sender<Question>>,
    answers: Receiver<Result<Answer, String>>,
    thread: Option<JoinHandle<()>>,
    parameters: Vec<(&'static str, String)>,
}

#[derive(Debug)]
enum Question {
    Results,
    Time(u32),
}

#[derive(Debug)]
enum Answer {
    Ready(Vec<(&'static str, String)>),
    Results(Vec<u32>),
    Time(Duration, Clock),
}

impl Lampshade {
    /// Errors: the reason why it is left out.
    pub fn start<T: Element>(case: &Case, wanted: &PeersWanted, numbers: &[T]) -> Result<Lampshade, String> {
        able(case)?;
        let numbers: Vec<u32> = bytemuck::cast_slice(numbers).to_vec();
        let wanted = wanted.clone();
        let (request, options) = (case.request().map_err(reason)?, case.job().options);
        let operation = match request.get::<SortSpec>() {
            Some(spec) => Operation::Sort(*spec),
            None if case.problem() == COMPACT => Operation::Compact,
            None if options.flag("exclusive") => Operation::Scan(ScanKind::Exclusive),
            None => Operation::Scan(ScanKind::Inclusive),
        };
        let (questions, asked) = channel();
        let (answered, answers) = channel();
        let thread = std::thread::spawn(move || {
            let mut bench = match Bench::new(&wanted, operation, &numbers) {
                Ok(bench) => bench,
                Err(reason) => return drop(answered.send(Err(reason))),
            };
            let mut answer = Ok(Answer::Ready(bench.parameters.clone()));
            while answered.send(answer).is_ok() {
                let Ok(question) = asked.recv() else { return };
                answer = match question {
                    Question::Results => bench.results().map(Answer::Results),
                    Question::Time(runs) => bench.time(runs).map(|(time, clock)| Answer::Time(time, clock)),
                };
            }
        });
        let (questions, thread) = (Some(questions), Some(thread));
        let mut lampshade = Lampshade { questions, answers, thread, parameters: Vec::new() };
        if let Answer::Ready(parameters) = lampshade.answer()? {
            lampshade.parameters = parameters;
        }
        Ok(lampshade)
    }

    fn ask(&mut self, question: Question) -> Result<Answer, String> {
        if let Some(questions) = &self.questions {
            // The caller may be gone.
            let _ = questions.send(question);
        }
        self.answer()
    }

    fn answer(&mut self) -> Result<Answer, String> {
        self.answers.recv().unwrap_or_else(|_| Err("it panicked".into()))
    }
}

/// Checks that the crate has the operation: sums, compactions and sorts of u32.
fn able(case: &Case) -> Result<(), String> {
    let lacks = |what: &str| Err(format!("lampshade has no {what}"));
    let (problem, options) = (case.problem(), case.job().options);
    if ![SCAN, COMPACT, SORT].contains(&problem) {
        return lacks(problem.noun);
    }
    if case.element() != ElementType::U32 {
        return lacks(&format!("{} of {}", problem.noun, case.element()));
    }
    let by_bits = options.word("bits").is_some();
    if by_bits && options.word("moves") != Some("indices") {
        return lacks("sort of keys by some of their bits");
    }
    let known = ["exclusive", "moves", "bits"];
    if let Some((option, value)) = options.iter().find(|(option, _)| !known.contains(option)) {
        return lacks(&format!("{} of {option} {}", problem.noun, value.unwrap_or_default()));
    }
    if case.n() == 0 {
        return Err("wgpu has no empty buffers".into());
    }
    Ok(())
}

impl<T: Element> Running<T> for Lampshade {
    fn parameters(&self) -> Vec<(&'static str, String)> {
        self.parameters.clone()
    }

    fn results(&mut self) -> Result<Vec<T>, String> {
        match self.ask(Question::Results)? {
            Answer::Results(values) => Ok(bytemuck::cast_slice(&values).to_vec()),
            other => Err(format!("unexpected answer: {other:?}")),
        }
    }

    fn time(&mut self, runs: u32) -> Result<(Duration, Clock), String> {
        match self.ask(Question::Time(runs))? {
            Answer::Time(time, clock) => Ok((time, clock)),
            other => Err(format!("unexpected answer: {other:?}")),
        }
    }
}

impl Drop for Lampshade {
    fn drop(&mut self) {
        self.questions = None;
        if let Some(thread) = self.thread.take() {
            // A panic has already been reported.
            let _ = thread.join();
        }
    }
}

/// The pipeline of a case, with its buffers.
struct Bench {
    context: Context,
    work: Workload,
    n: u32,
    input: wgpu::Buffer,
    output: wgpu::Buffer,
    parameters: Vec<(&'static str, String)>,
    clock: Clock,
    /// The errors that wgpu reported.
    complaint: Arc<Mutex<Option<String>>>,
}

/// The operation that is wanted.
enum Operation {
    Scan(ScanKind),
    Compact,
    Sort(SortSpec),
}

enum Workload {
    Scan { scanner: Scanner, kind: ScanKind },
    SortKeys { sorter: Box<Sorter> },
    SortPairs { sorter: Box<KeyValueSorter>, spec: SortSpec },
    Compact { generator: MaskGenerator, compactor: Box<Compactor>, mask: wgpu::Buffer, count: wgpu::Buffer },
}

const KEPT: U32Predicate = U32Predicate::NotEqual(0);

impl Bench {
    fn new(wanted: &PeersWanted, operation: Operation, numbers: &[u32]) -> Result<Bench, String> {
        let n = u32::try_from(numbers.len()).map_err(|_| "more than 2^32 - 1 items".to_owned())?;
        let context = open(wanted)?;
        let complaint = Arc::new(Mutex::new(None));
        let told = Arc::clone(&complaint);
        // Without this, wgpu would end the program.
        context.device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
            told.get_or_insert_with(|| first_line(&error));
        }));
        let buffer = |bytes: u64| {
            context.device.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size: bytes,
                usage: BufferUsages::STORAGE | BufferUsages::COPY_SRC | BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        };
        let pairs: Vec<u32> = match &operation {
            Operation::Sort(spec) if spec.moves.indices() => {
                numbers.iter().zip(0..n).flat_map(|(key, index)| [spec.rank(*key) as u32, index]).collect()
            }
            _ => Vec::new(),
        };
        let words = if pairs.is_empty() { numbers } else { &pairs };
        let bytes = size_of_val(words) as u64;
        let (input, output) = (buffer(bytes), buffer(bytes));
        let work = match operation {
            Operation::Scan(kind) => Workload::Scan { scanner: Scanner::from_context(&context), kind },
            Operation::Sort(spec) if spec.moves == Moves::Values => {
                Workload::SortKeys { sorter: Box::new(Sorter::from_context(&context)) }
            }
            Operation::Sort(spec) => {
                Workload::SortPairs { sorter: Box::new(KeyValueSorter::from_context(&context)), spec }
            }
            Operation::Compact => Workload::Compact {
                generator: MaskGenerator::from_context(&context),
                compactor: Box::new(Compactor::from_context(&context)),
                mask: buffer(bytes),
                count: buffer(4),
            },
        };
        context.queue.write_buffer(&input, 0, bytemuck::cast_slice(words));
        let info = &context.adapter_info;
        let software = info.device_type == DeviceType::Cpu;
        let timestamps = context.device.features().contains(Features::TIMESTAMP_QUERY);
        // A single item needs no dispatch, and would take no time.
        let clock = if timestamps && !software && n > 1 { Clock::Gpu } else { Clock::Wall };
        let parameters = vec![
            ("lampshade", VERSION.to_owned()),
            ("adapter", info.name.clone()),
            ("backend", info.backend.to_string()),
        ];
        let bench = Bench { context, work, n, input, output, parameters, clock, complaint };
        bench.wait()?;
        Ok(bench)
    }

    fn submit(&mut self) -> Result<(), String> {
        let Bench { context, work, n, input, output, .. } = self;
        let mut encoder = context.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        match work {
            Workload::Scan { scanner, kind: ScanKind::Inclusive } => {
                scanner.record_scan(&mut encoder, input, output, *n)
            }
            Workload::Scan { scanner, kind: ScanKind::Exclusive } => {
                scanner.record_exclusive_scan(&mut encoder, input, output, *n)
            }
            Workload::SortKeys { sorter } => sorter.record_sort(&mut encoder, input, output, *n),
            Workload::SortPairs { sorter, spec } => {
                sorter.record_sort_with_key_bits(&mut encoder, input, output, *n, bits(spec))
            }
            Workload::Compact { generator, compactor, mask, count } => generator
                .record_mask(&mut encoder, input, mask, *n, KEPT)
                .and_then(|()| compactor.record_compact(&mut encoder, input, mask, output, count, *n)),
        }
        .map_err(reason)?;
        context.queue.submit([encoder.finish()]);
        Ok(())
    }

    /// Waits for the device, and returns the errors up to then.
    fn wait(&self) -> Result<(), String> {
        self.context.device.poll(wgpu::PollType::wait_indefinitely()).map_err(reason)?;
        let complaint = self.complaint.lock().unwrap_or_else(PoisonError::into_inner).clone();
        complaint.map_or(Ok(()), Err)
    }

    fn results(&mut self) -> Result<Vec<u32>, String> {
        self.submit()?;
        self.wait()?;
        let len = match &self.work {
            Workload::Scan { .. } | Workload::SortKeys { .. } => self.n,
            Workload::SortPairs { spec, .. } => {
                let pairs = self.read(&self.output, 2 * self.n)?;
                let values = pairs.iter().step_by(2).take(if spec.moves.values() { pairs.len() } else { 0 });
                return Ok(values.chain(pairs.iter().skip(1).step_by(2)).copied().collect());
            }
            Workload::Compact { count, .. } => {
                self.read(count, 1)?.first().copied().unwrap_or_default().min(self.n)
            }
        };
        self.read(&self.output, len)
    }

    fn read(&self, buffer: &wgpu::Buffer, len: u32) -> Result<Vec<u32>, String> {
        if len == 0 {
            return Ok(Vec::new());
        }
        let Context { device, queue, .. } = &self.context;
        let size = u64::from(len) * 4;
        let readable = device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size,
            usage: BufferUsages::MAP_READ | BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.copy_buffer_to_buffer(buffer, 0, &readable, 0, size);
        queue.submit([encoder.finish()]);
        let (sender, mapped) = channel();
        readable.map_async(wgpu::MapMode::Read, .., move |result| drop(sender.send(result)));
        self.wait()?;
        mapped.recv().map_err(reason)?.map_err(reason)?;
        let range = readable.get_mapped_range(..).map_err(reason)?;
        Ok(bytemuck::pod_collect_to_vec(&range))
    }

    fn time(&mut self, runs: u32) -> Result<(Duration, Clock), String> {
        if self.clock == Clock::Gpu {
            // One at a time, as the crate does it.
            let time = pollster::block_on(self.profile()).map_err(reason)?;
            self.wait()?;
            return Ok((time, Clock::Gpu));
        }
        let start = Instant::now();
        for _ in 0..runs {
            self.submit()?;
        }
        self.wait()?;
        Ok((start.elapsed() / runs.max(1), Clock::Wall))
    }

    async fn profile(&mut self) -> Result<Duration, Error> {
        let Bench { work, n, input, output, .. } = self;
        let elapsed = |profile: GpuProfile| profile.gpu_elapsed;
        match work {
            Workload::Scan { scanner, kind: ScanKind::Inclusive } => {
                scanner.profile_scan_gpu_to_gpu(input, output, *n).await.map(elapsed)
            }
            Workload::Scan { scanner, kind: ScanKind::Exclusive } => {
                scanner.profile_exclusive_scan_gpu_to_gpu(input, output, *n).await.map(elapsed)
            }
            Workload::SortKeys { sorter } => {
                sorter.profile_sort_gpu_to_gpu(input, output, *n).await.map(elapsed)
            }
            Workload::SortPairs { sorter, spec } => {
                sorter.profile_sort_gpu_to_gpu_with_key_bits(input, output, *n, bits(spec)).await.map(elapsed)
            }
            Workload::Compact { generator, compactor, mask, count } => {
                let masked = generator.profile_mask_gpu_to_gpu(input, mask, *n, KEPT).await?;
                let compacted = compactor.profile_compact_gpu_to_gpu(input, mask, output, count, *n).await?;
                Ok(elapsed(masked) + elapsed(compacted))
            }
        }
    }
}

/// The bits of the keys that a sort is given.
fn bits(spec: &SortSpec) -> u32 {
    spec.bits[1] - spec.bits[0]
}

/// The adapter that best matches the device of the other contenders: software only for software, the same name if there
/// is one, and on OpenGL only as a last resort. `WGPU_BACKEND` limits the choice.
fn open(wanted: &PeersWanted) -> Result<Context, String> {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
    let adapters = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::all()));
    let alike =
        |adapter: &wgpu::Adapter| (adapter.get_info().device_type == DeviceType::Cpu) == wanted.software;
    let adapter = adapters.into_iter().filter(alike).max_by_key(|adapter| {
        let info = adapter.get_info();
        (wanted.renderer.contains(&info.name), info.backend != wgpu::Backend::Gl)
    });
    let kind = if wanted.software { "in software" } else { "of hardware" };
    let adapter = adapter.ok_or_else(|| format!("wgpu finds no adapter {kind}"))?;
    let info = adapter.get_info();
    if !adapter.get_downlevel_capabilities().flags.contains(wgpu::DownlevelFlags::COMPUTE_SHADERS) {
        return Err(format!("wgpu has no compute shaders on {} ({})", info.name, info.backend));
    }
    // The features that the crate itself requests; both fail on some integrated NVIDIA, and timestamps on Apple's GPUs.
    let integrated = info.vendor == 0x10de && info.device_type == DeviceType::IntegratedGpu;
    let features = match info.backend {
        wgpu::Backend::Vulkan if integrated => Features::empty(),
        wgpu::Backend::Metal => Features::SUBGROUP,
        _ => Features::SUBGROUP | Features::TIMESTAMP_QUERY,
    };
    let descriptor = wgpu::DeviceDescriptor {
        required_features: features & adapter.features(),
        required_limits: adapter.limits(),
        memory_hints: wgpu::MemoryHints::Performance,
        ..Default::default()
    };
    let (device, queue) = pollster::block_on(adapter.request_device(&descriptor)).map_err(reason)?;
    Ok(Context { adapter_info: info, device, queue })
}

fn reason(error: impl std::fmt::Display) -> String {
    first_line(&error)
}

fn first_line(error: &impl std::fmt::Display) -> String {
    error.to_string().lines().next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timing::results;
    use rasterscan::tools::Task;

    #[test]
    fn the_version_is_the_one_that_is_asked_for() {
        let asked = format!("lampshade = {{ version = \"{VERSION}\"");
        assert!(include_str!("../Cargo.toml").contains(&asked));
    }

    #[test]
    fn what_it_cannot_do_is_a_reason() {
        for case in [
            Case::scan(8).of(ElementType::F32),
            Case::scan(8).with("op", "max").unwrap(),
            Case::scan(8).order(2),
            Case::scan(8).tuple(2),
            Case::new(rasterscan::tools::problem::REDUCE, 8),
            Case::scan(0),
            Case::new(SORT, 8).with("descending", "").unwrap(),
            Case::new(SORT, 8).with("bits", "16").unwrap(),
        ] {
            assert!(able(&case).is_err(), "{case}");
        }
        assert_eq!(able(&Case::compact(8, 0.5)), Ok(()));
    }

    #[test]
    fn its_results_are_the_oracles() {
        let exclusive = |n| Case::scan(n).exclusive();
        let mut cases = vec![Case::compact(1000, 0.0), Case::compact(5000, 0.6), Case::compact(1, 1.0)];
        for n in [1, 2, 1000, 1 << 17] {
            cases.extend([Case::scan(n), exclusive(n), Case::new(SORT, n)]);
            let moving = |moves| Case::new(SORT, n).with("moves", moves).unwrap();
            cases.extend([
                moving("both"),
                moving("indices"),
                moving("indices").with("bits", "9..25").unwrap(),
            ]);
        }
        for case in cases {
            let streams = case.job().streams().unwrap();
            let numbers: &[u32] = streams[0].get().unwrap();
            // In software, where tests run.
            let mut lampshade = match Lampshade::start(
                &case,
                &PeersWanted { software: true, ..PeersWanted::default() },
                numbers,
            ) {
                Ok(lampshade) => lampshade,
                Err(reason) => return eprintln!("not applicable: {reason}"),
            };
            let task = Task::new(case.request().unwrap(), &streams).unwrap();
            let values: Vec<u32> = lampshade.results().unwrap_or_else(|reason| panic!("{case}: {reason}"));
            let verified = task
                .verify(None, &results(task.request(), &values))
                .unwrap_or_else(|wrong| panic!("{case}: {wrong}"));
            assert!(verified.holds(), "{case}");
            Running::<u32>::time(&mut lampshade, 3).unwrap();
        }
    }
}
