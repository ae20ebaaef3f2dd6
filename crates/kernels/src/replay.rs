//! A pass of a recording, run again by its kernels on what was there before it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use rasterscan::plan::{ItemType, Uniform};
use rasterscan::trace::Recording;

use crate::call::Call;
use crate::machine::{Log, Machine};
use crate::memory::Memory;
use crate::operands::Operands;
use crate::schedule::{Schedule, Watch};
use crate::{Kernel, MOST_WORDS, Operation};

/// The largest define of any shader: a recording may come from a file of any origin.
const MOST_DEFINED: i64 = 1 << 16;
/// The most levels of a tree.
const MOST_LEVELS: i64 = 16;
/// The most items of a tile.
const MOST_HELD: i64 = 1 << 22;
/// The most items of a stream that is recorded, and padding.
const MOST_ITEMS: i32 = 1 << 24;

/// The operands of a recorded pass's items, by its kernels on the same content. Of a pass whose tiles look at each
/// other's states, they find what they found. `only` is the texel or the group that is of interest; more may run.
///
/// `None` if a shader has no kernel, or the recording does not hold together. Whether the kernels do what a shader did is
/// for the caller to see: the shader may have been edited, or a driver wrong.
pub fn replay(recording: &Recording, pass: usize, only: Option<usize>) -> Option<Operands> {
    let mut call = Call::recorded(recording, pass)?;
    let sane = |value: i32| (0..=MOST_ITEMS).contains(&value);
    let sound = call.defines.iter().all(|(_, value)| (0..=MOST_DEFINED).contains(value))
        && call.uniforms.iter().all(|(_, value)| match value {
            Uniform::Int(value) => sane(*value),
            Uniform::Int2(values) => values.iter().all(|value| sane(*value)),
            _ => false,
        })
        && call.defines.iter().all(|(name, value)| !name.starts_with("LOG_") || *value <= MOST_LEVELS)
        && product(&call, &["GROUP", "ROWS", "VECTOR"]) <= MOST_HELD
        && product(&call, &["ORDER", "ORDER", "INTERLEAVED"]) <= MOST_DEFINED
        && call.invocations <= 1 << 12
        && call.groups <= 1 << 20
        && call.stages.iter().all(|(_, kernel)| matches!(kernel, Kernel::Group(_)) == (call.invocations > 0));
    let recorded = &recording.passes[pass];
    let states = &recorded.states;
    // Tiles that look at others need them.
    call.only = only.filter(|_| states.is_empty());
    // The items are those of the stream that is scanned, or of the result.
    let stream = call.streams.iter().find(|stream| stream.name == "SOURCE").map(|stream| stream.slot);
    let element = recording.layout(stream.or(call.writes.first().copied())?).element;
    let operation = Operation::new(&ItemType { element, operator: recorded.operator.clone() })?;
    if !sound || operation.words > MOST_WORDS {
        return None;
    }
    let mut memory: Vec<Memory> = recording.streams.iter().map(|stream| Memory::new(stream.layout)).collect();
    let touched = call.streams.iter().map(|stream| stream.slot).chain(call.writes.iter().copied());
    for stream in touched.chain(call.attributes.iter().copied()) {
        if let Some(content) = recording.before(pass, stream) {
            memory[stream].fill(content.words());
        }
    }
    let mut watch = Watch::default();
    let groups = if call.turns.is_some() { 0 } else { call.groups as usize };
    let first = call.int("u_first").unwrap_or(0);
    if let Some(writes) = &recorded.writes {
        watch.set(Schedule::replay(states, writes, groups, call.invocations, first).unwrap_or_default());
    }
    let log = Log { operands: Some(Operands::default()), ..Log::default() };
    let mut machine =
        Machine { memory, operation: Rc::new(operation), log, watch, fault: Default::default(), moves: None };
    // Numbers that no plan has may lead a kernel anywhere.
    let ran = catch_unwind(AssertUnwindSafe(|| machine.run(&call, 0)));
    ran.ok()?.ok()?;
    machine.log.operands
}

/// The product of some defines, as far as they are given.
fn product(call: &Call<'_>, names: &[&str]) -> i64 {
    names.iter().map(|name| call.define(name).unwrap_or(1).max(1)).product()
}
