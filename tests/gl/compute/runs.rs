//! Runs of one prepared plan: the states of tiles are cleared before the first of many, and no run takes what an earlier
//! one has published for its own.

use glow::HasContext;
use rasterscan::plan::{Command, Pass, Uniform};
use rasterscan::tools::problem::{COMPACT, SCAN};
use rasterscan::tools::registry::Choice;
use rasterscan::tools::task::Task;
use rasterscan::{
    CompactSpec, Element, ElementType, Plan, ScanSpec,
    tools::{Numbers, Request},
};
use rasterscan_runner::data::mix;
use rasterscan_runner::rerecorded::{changed, redefine};

use super::SINGLE_PASS;

const LEN: u64 = 3003;

/// Requests of so many items, with an algorithm for each.
fn choices(len: u64) -> Vec<(Choice, Request)> {
    let len = len as usize;
    let scan = ScanSpec::new::<u32>(len);
    let of = |text: &str, spec: ScanSpec| (Choice::parse(SCAN, text).unwrap(), Request::from(&spec));
    let mut all: Vec<_> = SINGLE_PASS.iter().map(|text| of(text, scan.clone())).collect();
    all.push(of("look_back:vectors=1,tickets=off", scan.tuple(3)));
    all.push(of("look_back:vectors=1", ScanSpec::new::<u64>(len).order(2)));
    all.push(of("sam:vectors=1,groups=2", scan.order(3)));
    all.push(of("sam:exchange=once,vectors=1,groups=7", scan.order(3)));
    let select = ["select:vectors=1", "select:vectors=1,tickets=off"]
        .map(|text| Choice::parse(COMPACT, text).unwrap());
    all.extend(select.map(|select| (select, Request::from(&CompactSpec::new::<u32>(len)))));
    all
}

/// One of two inputs, which differ in every tile.
fn numbers<T: Element>(run: u64) -> Vec<T> {
    (0..LEN).map(|i| T::wrapped((mix(run % 2, i) % 5) as i64)).collect()
}

/// The plan with tiles that publish nothing while the uniform `u_silent` is 1, and groups that do not wait for it.
fn with_silence(plan: &Plan) -> Plan {
    const STATES: &str = "scan/common/states.glsl";
    changed(plan, |dispatch| {
        if dispatch.defines.iter().all(|define| define.0 != "SPINS") {
            return;
        }
        let text = dispatch.shader.included(STATES).expect("the states of tiles");
        let text = text.replace("void publish(", "void publish_aloud(")
            + "uniform int u_silent;
               void publish(int number, uint status, Sum sum) {
                   if (u_silent == 0) { publish_aloud(number, status, sum); }
               }";
        dispatch.shader = dispatch.shader.with_include(STATES, text);
        dispatch.uniforms.push(("u_silent", Uniform::Int(0)));
        redefine(dispatch, "SPINS", 0);
    })
}

/// Runs with both inputs in turns. If there is an uniform `u_silent`, every other run is silent: then all that could be
/// found is of the run before, and wrong.
fn check(plan: &Plan, request: &Request, what: &str) {
    let gpu = rasterscan_runner::gpu();
    let mut prepared = gpu.prepare(plan).unwrap_or_else(|error| panic!("{what}: {error}"));
    let long = plan.item().element == ElementType::U64;
    let inputs = [0, 1].map(|run| match long {
        true => [Numbers::from(numbers::<u64>(run))],
        false => [Numbers::from(numbers::<u32>(run))],
    });
    let tasks = [0, 1].map(|run| Task::new(request, &inputs[run]).unwrap());
    let streams = [0, 1].map(|run| tasks[run].upload(&prepared).unwrap());
    for run in 0..20 {
        let task = &tasks[run % 2];
        let streams: Vec<_> = streams[run % 2].iter().map(|stream| &**stream).collect();
        // Other plans have none.
        let _ = prepared.set("u_silent", Uniform::Int(run as i32 % 2));
        // A trace begins anew, as does the run after it.
        if run == 9 {
            prepared.trace(&streams).unwrap();
        }
        // The caller may change the program, if it says that it calls OpenGL: between runs, or between calls from within.
        if run % 4 == 1 {
            // SAFETY: the context is current.
            gpu.with_current(|gl| unsafe { gl.use_program(None) }).unwrap();
        }
        let mut once = || task.read(prepared.run(&streams).unwrap()).unwrap();
        let results = match run % 4 {
            3 => gpu.with_current(|gl| {
                once();
                // SAFETY: the context is current.
                unsafe { gl.use_program(None) };
                once()
            }),
            _ => Ok(once()),
        };
        let results = results.unwrap();
        let verified = task.verify(Some(plan.cost().depth), &results);
        verified.unwrap_or_else(|wrong| panic!("{what}, run {run}: {wrong}\n{plan}"));
    }
}

fn no_run_takes_the_states_of_an_earlier_one() {
    let gpu = rasterscan_runner::gpu();
    if gpu.device().compute.is_none() {
        println!("not applicable: {} has no compute shaders", gpu.device().level());
        return;
    }
    for (choice, request) in choices(LEN) {
        let plan = choice.plan(&request, gpu.device()).unwrap().unwrap();
        let what = format!("{choice}, {request}");
        let cleared = |pass: &Pass| pass.first_of_runs().is_some_and(|runs| runs > 100);
        assert!(plan.passes().iter().any(cleared), "{what} is cleared in every run");
        check(&plan, &request, &what);
        check(&with_silence(&plan), &request, &format!("{what}, in silence"));
        for runs in [1, 3] {
            let often = changed(&plan, |dispatch| {
                if dispatch.first_of_runs.is_some() {
                    dispatch.first_of_runs = Some(runs);
                }
            });
            check(&often, &request, &format!("{what}, cleared once in {runs} runs"));
        }
    }
}

/// Runs have 1,024 numbers, whatever their statuses could tell apart.
fn after_the_last_number_of_a_run_comes_the_first() {
    let gpu = rasterscan_runner::gpu();
    let spec = ScanSpec::new::<u32>(LEN as usize);
    let choice = Choice::parse(SCAN, "look_back:vectors=1").unwrap();
    let Ok(Some(plan)) = choice.plan(Request::from(&spec), gpu.device()) else {
        println!("not applicable: {} has no compute shaders", gpu.device().level());
        return;
    };
    let mut prepared = gpu.prepare(&plan).unwrap();
    let inputs = [0, 1].map(numbers::<u32>);
    let streams = inputs.each_ref().map(|input| prepared.upload(input).unwrap());
    let expected = inputs.each_ref().map(|input| rasterscan::scan::sequential(&spec, input).unwrap());
    for run in 0..1030 {
        let scanned = prepared.run(&streams[run % 2]).unwrap();
        if !(2..=1020).contains(&run) {
            let scanned: Vec<u32> = scanned.read().unwrap();
            assert!(scanned == expected[run % 2], "run {run}");
        }
    }
}

/// A status has 16 bits: the two kinds of sums, or the turn of the ring, and the run.
fn statuses_tell_all_runs_apart() {
    let gpu = rasterscan_runner::gpu();
    if gpu.device().compute.is_none() {
        println!("not applicable: {} has no compute shaders", gpu.device().level());
        return;
    }
    let mut rings = 0;
    for len in [3, LEN, 3 << 18, 3 << 23] {
        for (choice, request) in choices(len) {
            // Many tiles without tickets are refused on a CPU; their statuses are the same.
            if len > LEN && choice.to_string().contains("tickets=off") {
                continue;
            }
            let plan = choice.plan(&request, gpu.device()).unwrap().unwrap();
            let mut runs = plan.passes().iter().filter_map(Pass::first_of_runs);
            let runs = u64::from(runs.next().expect("states are cleared"));
            for pass in plan.passes() {
                let Command::Dispatch(dispatch) = &pass.command else { continue };
                let of = |name: &str| dispatch.defines.iter().find(|define| define.0 == name);
                if of("TICKETS").is_none() {
                    continue;
                }
                let uniform = |name: &str| {
                    dispatch.uniforms.iter().find(|uniform| uniform.0 == name).map(|uniform| {
                        match uniform.1 {
                            Uniform::Int(value) => value as u64,
                            _ => 0,
                        }
                    })
                };
                let (Some((_, ring)), Some(turns)) = (of("RING"), uniform("u_ring_turns")) else {
                    assert!(runs << 2 <= 1 << 16, "{choice}: {runs} runs");
                    continue;
                };
                let chunks = uniform("u_first").unwrap() + uniform("u_chunks").unwrap();
                assert!((chunks - 1) / (*ring as u64) + 1 < turns, "{choice}, {len} items: {turns} turns");
                // Of longer streams, only what is about to be overwritten has the same tag.
                assert!(runs == 1 || runs * turns <= 0xFFFF, "{choice}, {len} items: {runs} runs of {turns}");
                rings += 1;
            }
        }
    }
    assert!(rings > 4, "{rings} rings");
}

crate::tests![
    no_run_takes_the_states_of_an_earlier_one,
    after_the_last_number_of_a_run_comes_the_first,
    statuses_tell_all_runs_apart
];
