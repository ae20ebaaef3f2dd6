//! One algorithm on one input: run, read back, checked against the reference, and only then timed.

use std::cell::RefCell;
use std::time::{Duration, Instant};

use rasterscan::algorithm::results::{Results, Verified};
use rasterscan::tools::registry::{Choice, Chosen, Era};
use rasterscan::{
    Element, Error, Gpu, Plan, SortSpec, Unsupported,
    device::Clock,
    tools::{Request, Task, for_element, memory},
};
use rasterscan_drawing::number::grouped;
use rasterscan_lab::contender::Contender;
use rasterscan_lab::cpu::{self, Cpu};
use rasterscan_lab::measure::{self, Batch, Yardstick};

use super::document::{self, Counts, RequestFacts};
use super::engine::{self, Engine};
use super::exit::WrongResult;

/// The settings of a run.
pub struct RunProtocol<'a> {
    /// True if results are checked against the reference.
    pub verify: bool,
    /// The most timed runs, and the time for them: see [`measure::sample`].
    pub runs: u32,
    pub budget: Duration,
    /// The yardstick that settles before anything is timed; without one, the first runs are timed as they come.
    pub yardstick: Option<&'a RefCell<Yardstick>>,
    /// The request, for the document.
    pub asked: &'a RequestFacts,
    /// The command that runs this algorithm alone.
    pub reproduce: &'a dyn Fn(&Choice) -> String,
}

/// A run whose result is right, or was not checked on request.
pub struct Outcome {
    pub choice: Choice,
    /// The algorithm with the parameters that are not at their default: `packed:block=8`.
    pub label: String,
    pub verified: Option<Verified>,
    pub results: Results,
    /// Why nothing was timed, in words.
    pub untimed: &'static str,
    pub document: document::Run,
}

/// An algorithm with its plan on an engine. Only algorithms on the CPU need none.
///
/// Errors: as [`Choice::plan`], and another algorithm without an engine.
fn chosen(engine: Option<&Engine>, choice: &Choice, request: &Request) -> anyhow::Result<Chosen> {
    match engine {
        Some(engine) => Ok(choice.clone().chosen(request, engine.device())?),
        None if choice.card.era == Era::Cpu => Ok(Chosen { choice: choice.clone(), plan: None }),
        None => Err(Error::NoDevice(format!("{choice} needs a device")).into()),
    }
}

/// Runs an algorithm by its plan. Only algorithms on the CPU run without an engine.
///
/// Errors: the library's, and [`WrongResult`].
pub fn run(
    engine: Option<&Engine>,
    chosen: &Chosen,
    task: &Task<'_>,
    protocol: &RunProtocol<'_>,
) -> anyhow::Result<Outcome> {
    let Chosen { choice, plan } = chosen;
    let Ran { results, verified, time, all_cores, untimed } = match (engine, plan) {
        (Some(Engine::Gl(gpu)), Some(plan)) => run_plan(gpu, plan, task, choice, protocol)?,
        (Some(Engine::Kernels(_)), Some(plan)) => run_kernels(plan, task, choice, protocol)?,
        _ => run_sequential(task, choice, protocol)?,
    };
    let request = task.request();
    let parameters = parameters(chosen);
    let kept = results.count();
    let document = document::Run {
        algorithm: choice.card.name,
        parameters: document::parameters(&parameters),
        request: protocol.asked.clone(),
        // The sequential reference has no passes, and words but no texels. As in plans, everything is kept.
        counts: plan.as_ref().map_or_else(|| Counts::new(0, request.cost()), Counts::of),
        verified: verified.is_some_and(Verified::holds),
        unbounded: kept.is_none().then(|| verified.map_or(0, |verified| verified.unbounded)),
        // A compaction only moves values: no error bound applies.
        floats: (!request.is_exact() && choice.card.era != Era::Cpu).then_some(document::FLOATS),
        kept,
        time,
        all_cores,
    };
    Ok(Outcome {
        choice: choice.clone(),
        label: label(choice, &parameters),
        verified,
        results,
        untimed,
        document,
    })
}

/// The parameters of an algorithm, as in its plan.
pub fn parameters(Chosen { choice, plan }: &Chosen) -> Vec<(&'static str, String)> {
    plan.as_ref().map_or_else(|| choice.parameters(), |plan| choice.parameters_in(plan))
}

/// An algorithm with the parameters that are not at their default.
pub fn label(choice: &Choice, parameters: &[(&str, String)]) -> String {
    let defaults = choice.card.parameters.iter().map(|parameter| parameter.default);
    let settled = parameters.iter().zip(defaults).filter(|((_, value), default)| value != default);
    let settled: Vec<String> = settled.map(|((name, value), _)| format!("{name}={value}")).collect();
    let colon = if settled.is_empty() { "" } else { ":" };
    format!("{}{colon}{}", choice.card.name, settled.join(","))
}

/// A check as text; `None` if there was none.
pub fn checked(verified: Option<Verified>) -> String {
    match verified {
        None => "not verified".into(),
        Some(verified) if verified.unbounded > 0 => {
            format!(
                "{} {} of {} cannot be checked (overflow or NaN)",
                if verified.holds() { "verified, but" } else { "not verified:" },
                grouped(verified.unbounded),
                grouped(verified.compared + verified.unbounded)
            )
        }
        Some(_) => "verified".into(),
    }
}

/// Why one of several algorithms has no outcome; the others still run.
#[derive(Debug)]
pub enum Without {
    /// The device or the request rules it out.
    Unsupported(Unsupported),
    /// Its result is wrong, or a shader does not compile.
    Failed(anyhow::Error),
}

/// Does the same as [`run`], but what concerns only this algorithm is not an error.
pub fn attempt(
    engine: Option<&Engine>,
    choice: &Choice,
    task: &Task<'_>,
    protocol: &RunProtocol<'_>,
) -> anyhow::Result<Result<Outcome, Without>> {
    alone(chosen(engine, choice, task.request()).and_then(|chosen| run(engine, &chosen, task, protocol)))
}

/// Separates errors of one algorithm from those of all.
fn alone<T>(ran: anyhow::Result<T>) -> anyhow::Result<Result<T, Without>> {
    let error = match ran {
        Ok(ran) => return Ok(Ok(ran)),
        Err(error) => error,
    };
    let unsupported = |cause: &(dyn std::error::Error + 'static)| match cause.downcast_ref() {
        Some(Error::Unsupported(reason)) => Some(reason.clone()),
        _ => None,
    };
    if let Some(reason) = error.chain().find_map(unsupported) {
        return Ok(Err(Without::Unsupported(reason)));
    }
    let shader = |cause: &(dyn std::error::Error + 'static)| {
        matches!(cause.downcast_ref(), Some(Error::Shader { .. }))
    };
    match error.is::<WrongResult>() || error.chain().any(shader) {
        true => Ok(Err(Without::Failed(error))),
        false => Err(error),
    }
}

/// The error of several algorithms of which some failed: a wrong result first, since it is the worst.
///
/// Errors: if any failed.
pub fn none_failed(failures: Vec<anyhow::Error>, of: usize) -> anyhow::Result<()> {
    let count = failures.len();
    let (wrong, others): (Vec<_>, Vec<_>) = failures.into_iter().partition(|error| error.is::<WrongResult>());
    match wrong.into_iter().chain(others).next() {
        None => Ok(()),
        Some(error) if count == 1 => Err(error),
        Some(error) => Err(error.context(format!("{count} of {of} algorithms failed"))),
    }
}

struct Ran {
    results: Results,
    verified: Option<Verified>,
    /// The time of the plan; on the CPU, of one loop.
    time: Option<document::Time>,
    all_cores: Option<document::Time>,
    untimed: &'static str,
}

fn run_plan(
    gpu: &Gpu,
    plan: &Plan,
    task: &Task<'_>,
    choice: &Choice,
    protocol: &RunProtocol<'_>,
) -> anyhow::Result<Ran> {
    tracing::info!("plan: {plan}");
    let mut ready = task.prepare(gpu, plan)?;
    let start = Instant::now();
    let results = task.run(&mut ready)?;
    let first = start.elapsed();
    tracing::debug!("{choice}: first run and readback took {first:?}");
    let verified = check(task, Some(plan), &results, &choice.to_string(), choice, protocol)?;
    let mut clock = Clock::Wall;
    let mut yardstick = protocol.yardstick.map(RefCell::borrow_mut);
    if let Some(yardstick) = &mut yardstick {
        yardstick.warm_up(|| true)?;
    }
    let mut readings = Vec::new();
    let sampled = measure::sample(protocol.runs, protocol.budget, || {
        if let Some(yardstick) = &mut yardstick {
            readings.push(yardstick.read()?);
        }
        let timing = ready.time(1)?;
        clock = timing.clock;
        Ok::<_, Error>(timing.total)
    })?;
    // Without a yardstick, that is unknown.
    let settled = yardstick.is_some_and(|yardstick| yardstick.is_settled(&readings));
    let time = document::Time::new(sampled.median, clock, sampled.runs, Some(settled));
    Ok(Ran { results, verified, time: Some(time), all_cores: None, untimed: "" })
}

/// Runs a plan by its kernels. Their time says nothing of a GPU, and is not taken.
fn run_kernels(
    plan: &Plan,
    task: &Task<'_>,
    choice: &Choice,
    protocol: &RunProtocol<'_>,
) -> anyhow::Result<Ran> {
    tracing::info!("plan: {plan}");
    let results = rasterscan_kernels::run(plan, task).map_err(engine::error_of)?;
    let verified = check(task, Some(plan), &results, &choice.to_string(), choice, protocol)?;
    Ok(Ran { results, verified, time: None, all_cores: None, untimed: "by kernels in Rust, not timed" })
}

/// Solves by the reference, which is written to be read and is not timed. The times are those of the CPU's loops, the
/// rows `cpu:sequential` and `cpu:parallel` of `compare`.
fn run_sequential(task: &Task<'_>, choice: &Choice, protocol: &RunProtocol<'_>) -> anyhow::Result<Ran> {
    let results = task.solve()?;
    let verified = check(task, None, &results, &choice.to_string(), choice, protocol)?;
    let time = |cpu| for_element!(task.request().element(), T => time_loop::<T>(cpu, task, choice, protocol));
    let (one, all_cores) = (time(Cpu::Sequential)?, time(Cpu::Parallel)?);
    let untimed = "not timed: the CPU has no loop for this request";
    Ok(Ran { results, verified, time: one, all_cores, untimed })
}

/// The time of a loop on the CPU, whose result is checked first; `None` if there is no loop for the request.
fn time_loop<T: Element>(
    cpu: Cpu,
    task: &Task<'_>,
    choice: &Choice,
    protocol: &RunProtocol<'_>,
) -> anyhow::Result<Option<document::Time>> {
    let request = task.request();
    if cpu::check(cpu, request).is_err() {
        return Ok(None);
    }
    let input: &[T] = task.inputs()[0].get()?;
    // Without memory for the loop's values and for their copy in the check, the reference alone is the result. A sort also
    // has indices, and pairs twice as long as the keys.
    let streams = if request.get::<SortSpec>().is_some() { 6 } else { 2 };
    if memory::room::<T>(streams * input.len(), "the values of a loop").is_err() {
        return Ok(None);
    }
    let mut room = cpu::Room::default();
    cpu::run(cpu, request, input, &mut room);
    let name = Contender::Cpu(cpu).name();
    check(task, None, &room.results(request), &name, choice, protocol)?;
    // Several at a time where one is too short for the clock, as in `compare`.
    let mut batch = Batch::default();
    let sampled = measure::sample(protocol.runs, protocol.budget, || {
        batch.time(|runs| {
            let start = Instant::now();
            for _ in 0..runs {
                cpu::run(cpu, request, input, std::hint::black_box(&mut room));
            }
            Ok::<_, anyhow::Error>(start.elapsed() / runs)
        })
    })?;
    Ok(Some(document::Time::new(sampled.median, Clock::Wall, sampled.runs, None)))
}

/// Checks results, which are those of `name`, against the reference.
fn check(
    task: &Task<'_>,
    plan: Option<&Plan>,
    results: &Results,
    name: &str,
    choice: &Choice,
    protocol: &RunProtocol<'_>,
) -> Result<Option<Verified>, WrongResult> {
    if !protocol.verify {
        return Ok(None);
    }
    let verified = task.verify(plan.map(|plan| plan.cost().depth), results);
    verified.map(Some).map_err(|mismatch| WrongResult {
        algorithm: name.into(),
        mismatch: Box::new(mismatch),
        command: (protocol.reproduce)(choice),
    })
}

#[cfg(test)]
mod tests {
    use rasterscan::tools::problem::COMPACT;
    use rasterscan::tools::registry;
    use rasterscan::{CompactSpec, Moves, SpecError, tools::Numbers};

    use super::*;

    #[test]
    fn what_is_ruled_out_is_no_error_and_all_else_is() {
        let reason = Unsupported::request("too long");
        let error = anyhow::Error::from(Error::from(reason.clone())).context("while trying");
        assert!(matches!(alone::<()>(Err(error)), Ok(Err(Without::Unsupported(same))) if same == reason));
        assert!(matches!(alone(Ok(7)), Ok(Ok(7))));
        assert!(alone::<()>(Err(Error::from(SpecError::Order(0)).into())).is_err());
        let shader = || Error::Shader { shader: "glsl/a.comp".into(), log: "a.comp:1: no".into() };
        assert!(matches!(alone::<()>(Err(shader().into())), Ok(Err(Without::Failed(_)))));
    }

    #[test]
    fn the_cpu_is_timed_by_its_loops_and_the_reference_is_not() {
        let spec = CompactSpec::new::<u32>(100);
        let protocol = RunProtocol {
            verify: true,
            runs: 3,
            budget: Duration::from_secs(60),
            yardstick: None,
            asked: &RequestFacts::of(&Request::from(&spec)),
            reproduce: &|choice| choice.to_string(),
        };
        let choice = registry::sequential(COMPACT);
        let chosen = Chosen { choice: choice.clone(), plan: None };
        let input = Numbers::from((0..100u32).collect::<Vec<_>>());
        let plain = run(None, &chosen, &Task::new(&spec, [&input]).unwrap(), &protocol).unwrap();
        let runs = [plain.document.time, plain.document.all_cores].map(|time| time.map(|time| time.runs));
        assert_eq!(runs, [Some(3); 2]);
        assert!(plain.verified.is_some_and(Verified::holds));
        // No loop moves indices, or goes by a mask.
        let (mask, both) = (spec.masked(), spec.moves(Moves::Both));
        for task in [Task::new(&mask, [&input, &input]), Task::new(&both, [&input])] {
            let untimed = run(None, &chosen, &task.unwrap(), &protocol).unwrap();
            assert!(untimed.document.time.is_none() && untimed.document.all_cores.is_none());
            assert_eq!(untimed.results.count(), Some(99));
        }
    }

    #[test]
    fn a_wrong_result_is_an_error_with_the_command_that_shows_it() {
        let spec = CompactSpec::new::<u32>(3).moves(Moves::Both);
        let mut protocol = RunProtocol {
            verify: true,
            runs: 1,
            budget: Duration::ZERO,
            yardstick: None,
            asked: &RequestFacts::of(&Request::from(&spec)),
            reproduce: &|choice| format!("rasterscan compact a.npy -a {choice}"),
        };
        let choice = registry::sequential(COMPACT);
        let input = Numbers::from(vec![3u32, 0, 7]);
        let answer = |values: Vec<u32>| {
            let streams: [Numbers; 3] = [values.into(), vec![0u32, 2].into(), vec![2u32].into()];
            Results::new(Request::from(&spec).outputs().into_iter().zip(streams))
        };
        let run = |expected, protocol: &RunProtocol<'_>| {
            let task = Task::new(&spec, [&input]).unwrap().expecting(expected);
            attempt(None, &choice, &task, protocol)
        };
        assert_eq!(run(answer(vec![3, 7]), &protocol).unwrap().unwrap().results.count(), Some(2));
        let Err(Without::Failed(error)) = run(answer(vec![3, 8]), &protocol).unwrap() else {
            panic!("it is wrong");
        };
        let wrong: &WrongResult = error.downcast_ref().unwrap();
        assert_eq!((wrong.mismatch.index, wrong.mismatch.got.as_str()), (1, "7"));
        assert_eq!(wrong.command, "rasterscan compact a.npy -a sequential");
        // Of several failures the wrong result is told, whatever failed first.
        let shader = Error::Shader { shader: "glsl/a.comp".into(), log: "a.comp:1: no".into() };
        let told = none_failed(vec![shader.into(), error], 9).unwrap_err();
        assert!(
            told.to_string() == "2 of 9 algorithms failed" && told.downcast_ref::<WrongResult>().is_some()
        );
        assert!(none_failed(Vec::new(), 9).is_ok());
        protocol.verify = false;
        assert_eq!(run(answer(vec![3, 8]), &protocol).unwrap().unwrap().verified, None);
    }
}
