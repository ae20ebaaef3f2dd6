//! Single passes, whose tiles look at each other's states. What OpenGL's tiles found is replayed by the kernels, which then
//! must do the same; under other schedules the results must be the same.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rasterscan::plan::{Command, Plan};
use rasterscan::tools::Numbers;
use rasterscan::trace::{Place, Reads, Recorded, StateAccess, StateAct, Step, Write};
use rasterscan_kernels::{Engine, Schedule};

use super::same_accesses;

/// Whether a step's groups look at each other's states, so that timing decides what they read.
pub fn is_single_pass(step: &Step) -> bool {
    states_of(step).is_some() && step.pass.phase != "clear"
}

/// Whether a step's tiles add up what they find up to the nearest prefix, so that timing decides the bits of floats.
pub fn finds_nearest_prefixes(step: &Step) -> bool {
    let Command::Dispatch(dispatch) = &step.pass.command else { return false };
    let by_block = dispatch.defines.iter().any(|(name, _)| *name == "BLOCK");
    step.pass.main_shader().path() == "scan/look_back/scan.comp" && !by_block
}

/// The number of the states among the bindings.
fn states_of(step: &Step) -> Option<u32> {
    let Command::Dispatch(dispatch) = &step.pass.command else { return None };
    dispatch.bindings.iter().position(|binding| binding.name == "STATES").map(|number| number as u32)
}

/// Excludes from the comparison what timing decides among the states that a pass left: the tickets in front of them, since it
/// varies how many groups ask in vain, and the slots of a ring in which several tiles published, since a tile that is late
/// may overwrite the sum of a later one (others then miss it, and compute it).
///
/// Errors: such a slot holds what no tile published there.
pub fn leave_out_timing(step: &Step, left: &Write, written: &mut [bool]) -> Result<(), String> {
    let Command::Dispatch(dispatch) = &step.pass.command else { return Ok(()) };
    let tickets = dispatch.defines.iter().find(|(name, _)| *name == "TICKETS");
    let tickets = tickets.map_or(0, |(_, tickets)| *tickets as usize);
    written.iter_mut().take(tickets).for_each(|written| *written = false);
    let mut published: BTreeMap<u32, Vec<&StateAccess>> = BTreeMap::new();
    for state in step.recorded.states.iter().filter(|state| state.act == StateAct::Published) {
        published.entry(state.index).or_default().push(state);
    }
    for (index, of_place) in published {
        if of_place.iter().any(|state| state.tile != of_place[0].tile) {
            let place = index as usize;
            let words: [u32; 2] = bytemuck::pod_read_unaligned(&left.bytes()[8 * place..8 * (place + 1)]);
            // A state is written in halves: each may be of another tile, and readers notice.
            let is_published = |half: usize| of_place.iter().any(|state| state.words[half] == words[half]);
            if !(is_published(0) && is_published(1)) {
                return Err(format!("state {index} is {words:x?}, which no tile has published there"));
            }
            written[place] = false;
        }
    }
    Ok(())
}

/// The schedule by which kernels repeat a recorded step.
pub fn schedule(step: &Step) -> Schedule {
    let of_step = is_single_pass(step).then(|| Schedule::of(step)).flatten();
    of_step.unwrap_or_default()
}

/// The recording of a step without what depends on polls: reads of states are listed elsewhere, and barriers count only if
/// something is found in shared memory after them.
pub fn settled(step: &Step) -> Recorded {
    let mut settled = step.recorded.clone();
    let states = states_of(step);
    let others = |reads: &Reads| {
        let keep =
            |places: &[Place]| places.iter().copied().filter(|place| Some(place.of) != states).collect();
        Reads::new(reads.by, (0..reads.len()).map(|reader| reads.of(reader).map(keep)).collect())
    };
    settled.reads = settled.reads.iter().map(others).collect();
    let Command::Dispatch(dispatch) = &step.pass.command else { return settled };
    let mut epochs: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    for access in &settled.shared {
        epochs.entry(access.invocation / dispatch.invocations).or_default().insert(access.epoch);
    }
    let numbers: HashMap<(u32, u32), u32> = epochs
        .iter()
        .flat_map(|(group, epochs)| epochs.iter().zip(0..).map(|(epoch, number)| ((*group, *epoch), number)))
        .collect();
    // Sums that `sam` combines where some are missing are not used.
    let forgets = step.pass.main_shader().path().starts_with("scan/sam/")
        && settled.states.iter().any(|state| state.act == StateAct::Missing);
    for access in &mut settled.shared {
        access.epoch = numbers[&(access.invocation / dispatch.invocations, access.epoch)];
        if forgets {
            access.words = [0; 4];
        }
    }
    settled
}

/// Compares the states that were published and used, and those that were read: OpenGL may have looked at more of them.
pub fn same_states(gl: &Step, kernels: &Step, other: &Step) -> Result<(), String> {
    let key = |state: &StateAccess| {
        let act = match state.act {
            StateAct::Published => 0,
            StateAct::Combined => 1,
            StateAct::Missing => 2,
        };
        ((state.tile, act, state.index, state.invocation, state.source), state.words)
    };
    let keys = |step: &Step| step.recorded.states.iter().map(key).collect();
    let what = "uses of states ((tile, published/combined/missing, index, invocation, binding), words)";
    same_accesses(what, [gl, kernels, other].map(keys))?;
    let states = states_of(gl);
    let read = |step: &Step, reader: usize| -> BTreeSet<Place> {
        let reads = step.recorded.reads.iter().filter_map(|reads| reads.of(reader)).flatten();
        reads.copied().filter(|place| Some(place.of) == states).collect()
    };
    let readers = kernels.recorded.reads.iter().map(Reads::len).max().unwrap_or(0);
    for reader in 0..readers {
        if let Some(place) = read(kernels, reader).difference(&read(gl, reader)).next() {
            return Err(format!("invocation {reader}: only the kernel reads state {}", place.index));
        }
    }
    Ok(())
}

/// The states that tiles have published, by their index: the tile, and the words.
pub type Known = HashMap<u32, Vec<(u32, [u32; 2])>>;

/// Checks that tiles use only what earlier tiles have published, in this step or before.
pub fn check_legal(step: &Step, known: &mut Known) -> Result<(), String> {
    let states = &step.recorded.states;
    for state in states.iter().filter(|state| state.act == StateAct::Published) {
        known.entry(state.index).or_default().push((state.tile, state.words));
    }
    for state in states.iter().filter(|state| state.act == StateAct::Combined) {
        let all = known.get(&state.index).map_or(&[][..], Vec::as_slice);
        if !all.iter().any(|(tile, words)| *tile < state.tile && *words == state.words) {
            return Err(format!("tile {} finds {:x?} in state {}", state.tile, state.words, state.index));
        }
    }
    Ok(())
}

/// Runs a plan under schedules that no driver may show. `same` compares the results of the engine.
pub fn try_schedules(plan: &Plan, inputs: &[&Numbers], mut same: impl FnMut(&Engine) -> Result<(), String>) {
    for schedule in Schedule::adversarial([1, 2]) {
        let fail = |error: String| -> ! { panic!("{}, {schedule:?}: {error}\n{plan}", plan.name()) };
        let mut engine = Engine::new(plan).unwrap_or_else(|error| fail(error.to_string()));
        engine.upload(inputs).unwrap_or_else(|error| fail(error.to_string()));
        engine.set_schedule(schedule.clone());
        let trace = engine.record().unwrap_or_else(|error| fail(error.to_string()));
        let mut known = Known::new();
        for step in trace.steps.iter().filter(|step| is_single_pass(step)) {
            check_legal(step, &mut known).unwrap_or_else(|error| fail(error));
        }
        same(&engine).unwrap_or_else(|error| fail(error));
        // A second run finds what the first has left.
        engine.restart();
        for _ in 0..2 {
            engine.run().unwrap_or_else(|error| fail(error.to_string()));
            same(&engine).unwrap_or_else(|error| fail(error));
        }
    }
}
