//! `Gpu`: an engine, and the thread that it lives on.

use std::process;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};
use rasterscan::plan::Layout;
use rasterscan::tools::registry;
use rasterscan::tools::{Numbers, conformance, each};
use rasterscan::{ElementType, HeadlessOptions, Level};
use rasterscan_lab::case::Case;
use rasterscan_lab::cell::{Cell, Lab, LabError};
use rasterscan_lab::contender::Contender;
use rasterscan_lab::gpu::GpuLab;
use rasterscan_lab::host;
use rasterscan_lab::measure::Protocol;
use rasterscan_lab::selftest::SelftestReport;

use crate::current;
use crate::engine::Engine;
use crate::errors::Failure;
use crate::here::Here;
use crate::numbers;
use crate::operator::Operator;
use crate::recording::Recording;
use crate::request::Asked;
use crate::stream::{Prepared, Stream};

/// The stack of our thread, that of a main thread: drivers compile shaders on it.
const STACK: usize = 8 << 20;

/// The time between looks for Ctrl-C.
const SLICE: Duration = Duration::from_millis(100);

/// Work for a thread of ours; `None` ends it.
type Work = Option<Box<dyn FnOnce(&Engine) + Send>>;

/// A thread of ours, what it waits for, and the process that has it.
type Ours = (Sender<Work>, JoinHandle<()>, u32);

static THREADS: Mutex<Vec<Ours>> = Mutex::new(Vec::new());

/// Where an engine lives.
#[derive(Debug)]
enum Home {
    /// On a thread of ours, in the process of this number.
    Thread(Sender<Work>, u32),
    /// On the thread of the caller's context.
    Here(Here<Engine>),
    /// Nowhere: kernels have no state.
    Kernels,
}

impl Drop for Home {
    fn drop(&mut self) {
        if let Home::Thread(jobs, _) = self {
            drop(jobs.send(None));
        }
    }
}

/// Ends all threads of ours, and waits for them. Drivers end when the process does, and some are not safe beside a context
/// that is still there.
#[pyfunction]
pub fn close(py: Python<'_>) {
    let threads = std::mem::take(&mut *THREADS.lock().unwrap_or_else(PoisonError::into_inner));
    // A process that was forked has none of its parent's threads.
    for (jobs, thread, _) in threads.into_iter().filter(|(.., made_in)| *made_in == process::id()) {
        drop(jobs.send(None));
        drop(py.detach(|| thread.join()));
    }
}

/// An engine that is opened when it is first needed.
#[pyclass(frozen, subclass, module = "rasterscan._native")]
#[derive(Debug)]
pub struct Gpu {
    device: Option<String>,
    api: Option<String>,
    home: Mutex<Option<Arc<Home>>>,
}

impl Gpu {
    /// Runs work on the engine, and waits for it without the GIL.
    ///
    /// Errors: those of the engine, and of the work.
    pub fn on<R: Send + 'static>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&Engine) -> Result<R, Failure> + Send + 'static,
    ) -> Result<R, Failure> {
        match &*self.home(py)? {
            Home::Kernels => py.detach(|| work(&Engine::kernels())),
            Home::Here(engine) => work(&*engine.get()?),
            Home::Thread(_, made_in) if *made_in != process::id() => Err(Failure::Context(
                "this Gpu was opened in another process; open one in this process (multiprocessing: use spawn, not fork)".into(),
            )),
            Home::Thread(jobs, _) => {
                let (sender, mut answer) = mpsc::channel();
                let ended = || Failure::Context("the thread of this Gpu has ended; open another one".into());
                let job = Box::new(move |engine: &Engine| drop(sender.send(work(engine))));
                jobs.send(Some(job)).map_err(|_| ended())?;
                loop {
                    // A receiver belongs to one thread at a time.
                    let (receiver, result) = py.detach(move || {
                        let result = answer.recv_timeout(SLICE);
                        (answer, result)
                    });
                    answer = receiver;
                    match result {
                        Ok(result) => return result,
                        Err(RecvTimeoutError::Timeout) => py.check_signals()?,
                        Err(RecvTimeoutError::Disconnected) => return Err(ended()),
                    }
                }
            }
        }
    }

    fn home(&self, py: Python<'_>) -> Result<Arc<Home>, Failure> {
        // Another thread may hold the lock while it waits for a driver, and the GIL for its warning.
        py.detach(|| {
            let mut home = self.home.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(home) = &*home {
                return Ok(home.clone());
            }
            let opened = Arc::new(self.opened()?);
            *home = Some(opened.clone());
            Ok(opened)
        })
    }

    fn opened(&self) -> Result<Home, Failure> {
        let in_environment = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let device = self.device.clone().or_else(|| in_environment("RASTERSCAN_DEVICE"));
        let api = self.api.clone().or_else(|| in_environment("RASTERSCAN_API"));
        let named = device.is_some() || api.is_some();
        if device.as_deref() == Some("cpu") {
            return Ok(Home::Kernels);
        }
        let mut options = HeadlessOptions { debug: false, ..HeadlessOptions::default() };
        if let Some(api) = api {
            let level: Level = api.parse().map_err(Failure::Request)?;
            (options.api, options.newest, options.or_es) = (level.api, level.newest, false);
        }
        if let Some(device) = device {
            options.device = device.parse().map_err(|error| Failure::Request(format!("{error}, or cpu")))?;
        }
        match start(options) {
            Ok(jobs) => Ok(Home::Thread(jobs, process::id())),
            Err(failure) if !named && failure.is_without_driver() => {
                Python::attach(|py| warn(py, &failure.to_string()))?;
                Ok(Home::Kernels)
            }
            Err(failure) => Err(failure),
        }
    }
}

/// Starts the thread that owns a context.
fn start(options: HeadlessOptions) -> Result<Sender<Work>, Failure> {
    let (jobs, wanted) = mpsc::channel::<Work>();
    let (opened, answer) = mpsc::channel();
    let run = move || match Engine::headless(&options) {
        Ok(engine) => {
            drop(opened.send(Ok(())));
            wanted.into_iter().map_while(|work| work).for_each(|work| work(&engine));
        }
        Err(failure) => drop(opened.send(Err(failure))),
    };
    let spawned = thread::Builder::new().name("rasterscan".into()).stack_size(STACK).spawn(run);
    let thread = spawned.map_err(|error| Failure::Context(format!("no thread for the context: {error}")))?;
    let mut threads = THREADS.lock().unwrap_or_else(PoisonError::into_inner);
    threads.retain(|(_, thread, _)| !thread.is_finished());
    threads.push((jobs.clone(), thread, process::id()));
    drop(threads);
    answer
        .recv()
        .unwrap_or_else(|_| Err(Failure::Context("the driver ended the thread of its context".into())))?;
    Ok(jobs)
}

/// Says once that kernels run in place of a driver.
fn warn(py: Python<'_>, reason: &str) -> PyResult<()> {
    let category = py.import("rasterscan.errors")?.getattr("NoDriverWarning")?;
    let reason = reason.split([';', '\n']).next().unwrap_or_default();
    let text = format!("{reason}: kernels in Rust run instead, on one core, with the same results");
    py.import("warnings")?.call_method1("warn", (text, category, 3))?;
    Ok(())
}

#[pymethods]
impl Gpu {
    #[new]
    #[pyo3(signature = (device=None, api=None))]
    fn new(device: Option<String>, api: Option<String>) -> Gpu {
        Gpu { device, api, home: Mutex::default() }
    }

    /// An engine in the context that is current on this thread: the caller's.
    #[classmethod]
    fn adopt(class: &Bound<'_, PyType>) -> PyResult<Py<PyAny>> {
        let gpu = class.call0()?;
        let engine = Here::new("Gpu", Engine::Gl(rasterscan::Gpu::current().map_err(Failure::from)?));
        let here = gpu.cast::<Gpu>()?.get();
        *here.home.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(Home::Here(engine)));
        Ok(gpu.unbind())
    }

    /// Opens the engine now, and says what it is.
    #[getter]
    fn renderer(&self, py: Python<'_>) -> Result<String, Failure> {
        self.on(py, |engine| Ok(engine.device().renderer.clone()))
    }

    /// `gl`, or `kernels` if there is no driver.
    #[getter]
    fn engine(&self, py: Python<'_>) -> Result<&'static str, Failure> {
        self.on(py, |engine| Ok(engine.name()))
    }

    /// Results by name.
    fn solve<'py>(
        &self,
        py: Python<'py>,
        problem: &str,
        array: &Bound<'py, PyAny>,
        keywords: &Bound<'py, PyDict>,
        verify: bool,
    ) -> PyResult<Bound<'py, PyDict>> {
        let Asked { job, task } = Asked::of_array(problem, array, keywords)?;
        let own = keywords.get_item("op")?.and_then(|op| op.cast_into::<Operator>().ok());
        own.iter().filter(|_| verify).try_for_each(|own| own.get().can_verify())?;
        let results = self.on(py, move |engine| engine.run(&job, &task, verify));
        let results = match own {
            Some(own) => own.get().reported(results),
            None => results,
        }?;
        numbers::dict(py, results.into_streams().map(|(output, numbers)| (output.name, numbers)))
    }

    /// Each value as often as its length says.
    fn expand<'py>(
        &self,
        py: Python<'py>,
        values: &Bound<'py, PyAny>,
        lengths: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (values, lengths) =
            (numbers::read(values, None)?, numbers::read(lengths, Some(ElementType::U32))?);
        let expanded = self.on(py, move |engine| {
            let gpu = engine.gpu("repeat")?;
            Ok(each!(&values, values => Numbers::from(gpu.expand(values, lengths.get()?)?)))
        })?;
        Ok(numbers::write(py, expanded))
    }

    /// A stream in a buffer by its name in OpenGL: `length` numbers from byte 0. Nothing is copied. The buffer belongs to the
    /// context of this `Gpu`, and must not be deleted or made smaller while the stream is used.
    fn buffer(
        slf: &Bound<'_, Self>,
        name: u32,
        length: u64,
        dtype: &Bound<'_, PyAny>,
    ) -> Result<Stream, Failure> {
        let layout = Layout::buffer(numbers::element(dtype)?, 1, length);
        Stream::new(slf, move |engine| current::buffer(engine.gpu("a buffer")?, name, &layout))
    }

    /// A stream in a 2-D texture by its name in OpenGL, row by row, of 1, 2 or 4 channels of 32 bits, each a number or half of
    /// one. Nothing is copied. The texture belongs to the context of this `Gpu`, and must not be deleted while the stream is used.
    #[pyo3(signature = (name, width, height, dtype, channels=1))]
    fn texture(
        slf: &Bound<'_, Self>,
        name: u32,
        width: u32,
        height: u32,
        dtype: &Bound<'_, PyAny>,
        channels: u32,
    ) -> Result<Stream, Failure> {
        let element = numbers::element(dtype)?;
        if ![1, 2, 4].contains(&channels) || channels < element.words() || width == 0 || height == 0 {
            return Err(Failure::Request(format!(
                "no texture of {width} x {height} texels of {channels} channels holds {element}"
            )));
        }
        let layout = Layout::texture(element, channels, width, height);
        Stream::new(slf, move |engine| current::texture(engine.gpu("a texture")?, name, &layout))
    }

    /// Compiles the plan of a problem for streams like this one.
    #[pyo3(signature = (problem, stream, **keywords))]
    fn prepare(
        slf: &Bound<'_, Self>,
        problem: &str,
        stream: &Stream,
        keywords: Option<&Bound<'_, PyDict>>,
    ) -> Result<Prepared, Failure> {
        let none = PyDict::new(slf.py());
        Prepared::new(slf, problem, stream, keywords.unwrap_or(&none))
    }

    /// The recording of a job in words.
    fn record_job(&self, py: Python<'_>, words: Vec<String>) -> Result<Recording, Failure> {
        let asked = Asked::of_words(&words)?;
        self.on(py, move |engine| Recording::of(engine, &asked))
    }

    /// The recording of a job on an array.
    fn record_array(
        &self,
        py: Python<'_>,
        problem: &str,
        array: &Bound<'_, PyAny>,
        keywords: &Bound<'_, PyDict>,
    ) -> Result<Recording, Failure> {
        let asked = Asked::of_array(problem, array, keywords)?;
        self.on(py, move |engine| Recording::of(engine, &asked))
    }

    /// The rows of a comparison, as JSON.
    fn measure(
        &self,
        py: Python<'_>,
        problem: &str,
        size: u64,
        dtype: Option<&Bound<'_, PyAny>>,
        algorithms: Option<Vec<String>>,
        seconds: f64,
    ) -> PyResult<String> {
        let problem = rasterscan::tools::Job::parse([problem, "file:"]).map_err(Failure::from)?.problem;
        let mut case = Case::new(problem, size);
        if let Some(dtype) = dtype {
            case = case.of(numbers::element(dtype)?);
        }
        let contenders = match algorithms {
            Some(names) => names.iter().map(|name| Contender::parse(problem, name)).collect::<Result<_, _>>(),
            None => {
                let all = registry::of(problem).skip(1).map(|card| Contender::parse(problem, card.name));
                all.chain(Contender::baselines(problem).into_iter().map(Ok)).collect()
            }
        };
        let contenders: Vec<Contender> = contenders.map_err(|error| Failure::Request(error.to_string()))?;
        let budget =
            Duration::try_from_secs_f64(seconds).map_err(|error| Failure::Request(error.to_string()))?;
        let measured = self.on(py, move |engine| {
            let mut lab = GpuLab::new(engine.gpu("a measurement")?);
            let cell = Cell { case, contenders, phases: false, repeats: 0 };
            let protocol = Protocol::new(lab.device().software, budget);
            lab.measure(&cell, &protocol, &mut || true).map_err(|error| match error {
                LabError::Wrong(wrong) => {
                    Failure::Wrong { algorithm: wrong.contender.name(), mismatch: wrong.mismatch }
                }
                LabError::Library(error) => error.into(),
                other => Failure::Request(other.to_string()),
            })
        })?;
        Ok(serde_json::to_string(&measured).map_err(|error| Failure::Request(error.to_string()))?)
    }

    /// The report of a self-test, as JSON and as text.
    fn check(&self, py: Python<'_>, seconds: f64) -> Result<(String, String), Failure> {
        let budget =
            Duration::try_from_secs_f64(seconds).map_err(|error| Failure::Request(error.to_string()))?;
        self.on(py, move |engine| {
            let gpu = engine.gpu("a self-test")?;
            let jobs = conformance::jobs();
            let mut report = SelftestReport::new(host::machine(gpu.device()), jobs.len());
            let start = Instant::now();
            for job in &jobs {
                if start.elapsed() > budget && report.checked > 0 {
                    break;
                }
                report.add(job, conformance::check(gpu, job), || format!("rasterscan {}", job.shell()));
            }
            let json = serde_json::to_string(&report).map_err(|error| Failure::Request(error.to_string()))?;
            Ok((json, report.text()))
        })
    }
}
