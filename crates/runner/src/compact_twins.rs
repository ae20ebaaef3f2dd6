//! CPU twins of the compactions' shaders: the results of a pass from its inputs, by the papers' pseudo-code. They
//! work on the values of a recording, so each pass is checked on its own.
//!
//! For each item of a target, a twin returns the value that the pass writes, or nothing. An item that is not written
//! must keep the value of an earlier pass; without one, it is undefined and not compared.

mod blocks;
mod dispatches;
mod packed;
mod rivals;
pub mod searching;

use std::collections::HashMap;

use rasterscan::plan::{Command, Draw, Layout, Pass, Plan, Slot, Uniform};
use rasterscan::trace::{Trace, Write};
use rasterscan::{CompactSpec, Condition, Element, ElementType, Keep};

use super::twins;

/// The first wrong pass of a recording, in words; `None` if all are right.
pub fn first_wrong(trace: &Trace, spec: &CompactSpec) -> Option<String> {
    let given = Given::of(trace, spec);
    let mut slots: HashMap<Slot, Words> =
        trace.inputs.iter().map(|input| (input.slot, Words::of(input))).collect();
    for (number, step) in trace.steps.iter().enumerate() {
        let path = step.pass.main_shader().path();
        let expected = match &step.pass.command {
            Command::Draw(draw) => {
                twin(&Seen { plan: &trace.plan, pass: &step.pass, draw, slots: &slots, given: &given })
            }
            Command::Dispatch(dispatch) => {
                dispatches::twin(&trace.plan, &step.pass, dispatch, &slots, &given)
            }
            _ => panic!("{path} has no twin"),
        };
        assert_eq!(expected.len(), step.writes.len(), "{path}: targets of the twin");
        let mut written = Vec::new();
        for (write, expected) in step.writes.iter().zip(expected) {
            let got = Words::of(write);
            // The messages between work groups depend on timing.
            if ["states", "carries"].contains(&trace.name(write.slot)) {
                written.push((write.slot, got));
                continue;
            }
            assert_eq!(expected.len(), got.len(), "{path}: items of the twin");
            let before = slots.get(&write.slot);
            for (index, expected) in expected.into_iter().enumerate() {
                let (word, expected) = match (expected, before) {
                    (Some(expected), _) => ("its twin says", expected),
                    (None, Some(before)) => ("its twin leaves", before.item(index).to_vec()),
                    (None, None) => continue,
                };
                if got.item(index) != expected {
                    return Some(format!(
                        "{} ({}, {}): item {index} of {} is {:?}, {word} {expected:?} (as words)",
                        number + 1,
                        step.pass.phase,
                        path,
                        trace.name(write.slot),
                        got.item(index),
                    ));
                }
            }
            written.push((write.slot, got));
        }
        slots.extend(written);
    }
    None
}

/// A stream of a recording, as words.
pub struct Words {
    per_item: usize,
    words: Vec<u32>,
}

impl Words {
    pub fn of(write: &Write) -> Words {
        fn words<T: Element>(write: &Write) -> Vec<u32> {
            bytemuck::cast_slice(&write.values::<T>().expect("the element of the trace")).to_vec()
        }
        let layout = &write.layout;
        let words = match layout.element {
            ElementType::U32 => words::<u32>(write),
            ElementType::I32 => words::<i32>(write),
            ElementType::F32 => words::<f32>(write),
            ElementType::U64 => words::<u64>(write),
            ElementType::I64 => words::<i64>(write),
        };
        Words { per_item: (layout.element.words() * layout.arity) as usize, words }
    }

    /// Items, not words.
    pub(crate) fn len(&self) -> usize {
        self.words.len() / self.per_item
    }

    pub fn item(&self, index: usize) -> &[u32] {
        &self.words[index * self.per_item..(index + 1) * self.per_item]
    }

    /// All words, of items of any type.
    fn all(&self) -> &[u32] {
        &self.words
    }
}

/// The request of a compaction.
struct Given<'a> {
    spec: &'a CompactSpec,
    /// The stream.
    values: Words,
    /// For each element, whether it is kept.
    kept: Vec<bool>,
}

impl Given<'_> {
    fn of<'a>(trace: &Trace, spec: &'a CompactSpec) -> Given<'a> {
        fn held<T: Element>(condition: Condition, input: &Write) -> Vec<bool> {
            let values = input.values::<T>().expect("the element of the spec");
            values.iter().map(|value| condition.holds(*value)).collect()
        }
        let input = &trace.inputs[0];
        let kept = match spec.keep {
            Keep::Mask => trace.inputs[1].values::<u32>().unwrap().iter().map(|mask| *mask != 0).collect(),
            Keep::Condition(condition) => match spec.element {
                ElementType::U32 => held::<u32>(condition, input),
                ElementType::I32 => held::<i32>(condition, input),
                ElementType::F32 => held::<f32>(condition, input),
                ElementType::U64 => held::<u64>(condition, input),
                ElementType::I64 => held::<i64>(condition, input),
            },
        };
        Given { spec, values: Words::of(input), kept }
    }
}

impl Given<'_> {
    /// Targets for what the spec moves, from the index in the stream that each position takes its element from.
    fn moved(&self, from: &[Option<usize>]) -> Vec<Target> {
        let value = |j: usize| self.values.item(j).to_vec();
        let index = |j: usize| vec![j as u32];
        let target = |item: &dyn Fn(usize) -> Vec<u32>| from.iter().map(|j| j.map(item)).collect();
        let values = self.spec.moves.values().then(|| target(&value));
        values.into_iter().chain(self.spec.moves.indices().then(|| target(&index))).collect()
    }
}

/// The values that a pass writes to the items of a target; `None` for an item that it does not write.
type Target = Vec<Option<Vec<u32>>>;

/// A target of one word per item, all of them written.
fn all(words: impl IntoIterator<Item = usize>) -> Vec<Target> {
    vec![words.into_iter().map(|word| Some(vec![word as u32])).collect()]
}

/// A pass and its inputs.
struct Seen<'a> {
    plan: &'a Plan,
    pass: &'a Pass,
    draw: &'a Draw,
    slots: &'a HashMap<Slot, Words>,
    given: &'a Given<'a>,
}

impl Seen<'_> {
    fn path(&self) -> &str {
        self.draw.stages.main().path()
    }

    /// Elements in the stream.
    fn len(&self) -> usize {
        self.given.kept.len()
    }

    /// The layout of the first target.
    fn target(&self) -> &Layout {
        self.plan.layout(self.draw.writes[0])
    }

    fn reads(&self, sampler: &str) -> Option<&Words> {
        let (_, slot) = self.draw.reads.iter().find(|(name, _)| *name == sampler)?;
        Some(&self.slots[slot])
    }

    fn read(&self, sampler: &str) -> &Words {
        self.reads(sampler).unwrap_or_else(|| panic!("{} does not read {sampler}", self.path()))
    }

    fn defined(&self, name: &str) -> Option<usize> {
        self.draw.defines.iter().find(|(known, _)| *known == name).map(|(_, value)| *value as usize)
    }

    fn define(&self, name: &str) -> usize {
        self.defined(name).unwrap_or_else(|| panic!("{} has no {name}", self.path()))
    }

    fn uniform(&self, name: &str) -> usize {
        match self.draw.uniforms.iter().find(|(known, _)| *known == name) {
            Some((_, Uniform::Int(value))) => *value as usize,
            other => panic!("{}: {name} is {other:?}", self.path()),
        }
    }

    fn moved(&self, from: &[Option<usize>]) -> Vec<Target> {
        self.given.moved(from)
    }
}

fn twin(pass: &Seen<'_>) -> Vec<Target> {
    match pass.path() {
        "compact/common/zero.frag" => all([0]),
        "compact/common/flags.frag" => searching::flags(pass),
        "compact/common/search.frag" => searching::search(pass),
        "compact/common/count.frag" => searching::count(pass),
        "compact/blocks/bits.frag" => blocks::bits(pass),
        "compact/blocks/search_bits.frag" => blocks::search_bits(pass),
        "compact/blocks/counts.frag" => blocks::counts(pass),
        "compact/blocks/ends.frag" => blocks::ends(pass),
        "compact/blocks/segments.vert" => blocks::segments(pass),
        "compact/blocks/concatenate.frag" => blocks::concatenate(pass),
        "compact/geometry/keep.geom" => rivals::keep(pass),
        "compact/geometry/count.frag" => rivals::count_runs(pass),
        "compact/bitonic/keys.frag" => rivals::keys(pass),
        "compact/bitonic/step.frag" => rivals::step(pass),
        "compact/bitonic/gather.frag" => rivals::gather_keys(pass),
        "compact/bitonic/count.frag" => rivals::count_keys(pass),
        "compact/histopyramid/reduce.frag" => rivals::reduce(pass),
        "compact/histopyramid/count.frag" => rivals::top(pass),
        "compact/histopyramid/traverse.frag" => rivals::traverse(pass),
        "compact/points/point.frag" => rivals::scatter(pass),
        "compact/packed/bits.frag" => blocks::bits(pass),
        "compact/packed/counts.frag" => packed::counts(pass),
        "compact/packed/count.frag" => packed::count(pass),
        "compact/packed/hints.frag" => packed::hints(pass),
        "compact/packed/runs.frag" => packed::runs(pass),
        "compact/packed/gather.frag" => packed::gather(pass),
        path if path.starts_with("scan/") => scan(pass),
        other => panic!("{other} has no twin"),
    }
}

/// A pass of a scan, here always of single u32.
fn scan(pass: &Seen<'_>) -> Vec<Target> {
    let items = |words: &Words| words.all().iter().map(|word| [*word, 0]).collect();
    let textures = pass.pass.reads().map(|slot| (slot, items(&pass.slots[&slot]))).collect();
    let result = twins::of_pass::<u32>(pass.plan, pass.pass, &textures);
    all(result.into_iter().map(|item| item[0] as usize))
}
