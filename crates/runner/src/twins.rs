//! CPU twins of the shaders: the results of a pass from its inputs, by the papers' pseudo-code. They work on the
//! values of a recording, so each pass is checked on its own.

use std::collections::HashMap;

use rasterscan::plan::{Command, Layout, Pass, Plan, Slot, Uniform};
use rasterscan::trace::{Trace, Write};
use rasterscan::{Element, Operator};

use super::compute_twins::{self, Written};

pub type Items<T> = Vec<[T; 2]>;

/// The first wrong pass of a recording, in words; `None` if all are right.
pub fn first_wrong<T: Element>(trace: &Trace) -> Option<String> {
    let mut textures: HashMap<Slot, Items<T>> = HashMap::new();
    textures.insert(trace.inputs[0].slot, read(&trace.inputs[0]));
    for (number, step) in trace.steps.iter().enumerate() {
        let expected = match &step.pass.command {
            // Dispatches without a twin are not checked here; the caller checks the final result.
            Command::Dispatch(dispatch) => {
                for binding in &dispatch.bindings {
                    let slot = &trace.plan.slots()[binding.slot.index()];
                    if let Some(words) = slot.content.as_ref().filter(|_| slot.layout.element == T::TYPE) {
                        let constants: Vec<T> = bytemuck::pod_collect_to_vec(words);
                        let items = constants.into_iter().map(|constant| [constant, T::ZERO]);
                        textures.insert(binding.slot, items.collect());
                    }
                }
                compute_twins::of_dispatch(&step.pass, dispatch, &textures).unwrap_or_default()
            }
            _ => {
                let items = of_pass(&trace.plan, &step.pass, &textures);
                vec![Written { slot: step.writes[0].slot, first: 0, items }]
            }
        };
        // States of tiles may be of another type.
        let readable = step.writes.iter().filter(|write| write.layout.element == T::TYPE);
        textures.extend(readable.map(|write| (write.slot, read(write))));
        for Written { slot, first, items } in expected {
            let got = &textures[&slot][first..];
            if let Some(index) = (0..items.len()).find(|&i| !close(items[i], got[i])) {
                return Some(format!(
                    "{} ({}, {}): item {} of {} is {:?}, its twin says {:?}",
                    number + 1,
                    step.pass.phase,
                    step.pass.main_shader().path(),
                    first + index,
                    trace.name(slot),
                    got[index],
                    items[index]
                ));
            }
        }
    }
    None
}

/// The results of a scan's pass from its inputs.
pub fn of_pass<T: Element>(plan: &Plan, pass: &Pass, textures: &HashMap<Slot, Items<T>>) -> Items<T> {
    twin(plan, pass, &inputs(plan, pass, textures))
}

/// Returns true if items are equal; for floats, as near as contracted arithmetic allows.
fn close<T: Element>(a: [T; 2], b: [T; 2]) -> bool {
    a.iter().zip(&b).all(|(x, y)| {
        let (p, q) = (x.to_f64(), y.to_f64());
        x == y
            || (p.is_nan() && q.is_nan())
            || (T::TYPE.is_float() && (p - q).abs() <= 1e-5 * p.abs().max(q.abs()) + 1e-37)
    })
}

fn read<T: Element>(write: &Write) -> Items<T> {
    let values: Vec<T> = write.values().expect("the element of the trace");
    let arity = write.layout.arity as usize;
    values.chunks_exact(arity).map(|chunk| [chunk[0], if arity == 2 { chunk[1] } else { T::ZERO }]).collect()
}

struct Input<'a, T> {
    layout: Layout,
    items: &'a Items<T>,
}

fn inputs<'a, T: Element>(
    plan: &Plan,
    pass: &Pass,
    textures: &'a HashMap<Slot, Items<T>>,
) -> Vec<(&'static str, Input<'a, T>)> {
    let Command::Draw(draw) = &pass.command else { panic!("the twins know draws") };
    draw.reads
        .iter()
        .map(|&(name, slot)| {
            let layout = *plan.layout(slot);
            (name, Input { layout, items: &textures[&slot] })
        })
        .collect()
}

fn twin<T: Element>(plan: &Plan, pass: &Pass, inputs: &[(&str, Input<'_, T>)]) -> Items<T> {
    let Command::Draw(draw) = &pass.command else { panic!("the twins know draws") };
    let given = |name: &str| draw.defines.iter().find(|(known, _)| *known == name).map(|d| d.1 as usize);
    let define =
        |name: &str| given(name).unwrap_or_else(|| panic!("{} has no {name}", draw.stages.main().path()));
    let input = |name: &str| &inputs.iter().find(|(known, _)| *known == name).expect(name).1;
    let places = |name: &str, width: u32| {
        let found = draw.uniforms.iter().find(|(known, _)| *known == name);
        let Some((_, Uniform::Int2([x, y]))) = found else { panic!("no {name}") };
        *y as usize * width as usize + *x as usize
    };
    let operator = &pass.item.operator;
    let len = plan.layout(draw.writes[0]).len as usize;
    match draw.stages.main().path() {
        "scan/horn/step.frag" => {
            let source = input("u_source");
            let moved = match define("MOVED") {
                0 => 0,
                _ => places("u_moved", source.layout.width),
            };
            let offset = places("u_offset", source.layout.width);
            let blocks = source.items.chunks(given("BLOCK").unwrap_or(usize::MAX));
            blocks.flat_map(|block| horn(operator, block, offset, moved)).collect()
        }
        "scan/hybrid/reduce.frag" => reduce(operator, input("u_source").items, define("TUPLE"), 2, len),
        "scan/hybrid/down_sweep.frag" => down_sweep_pairs(
            operator,
            input("u_values").items,
            input("u_sums").items,
            define("TUPLE"),
            define("EXCLUSIVE") == 1,
            given("BLOCK").unwrap_or(usize::MAX),
        ),
        "scan/packed/reduce.frag" => {
            let source = input("u_source");
            let block = block(define("BLOCK"), define("TUPLE"), &source.layout);
            reduce(operator, source.items, define("TUPLE"), block, len)
        }
        "scan/packed/down_sweep.frag" => {
            let values = input("u_values");
            let tuple = define("TUPLE");
            let block = block(define("BLOCK"), tuple, &values.layout);
            let sums = (define("SUMS") == 1).then(|| input("u_sums").items);
            let scanned = match define("ADDED") {
                0 => sums.cloned(),
                added => {
                    let above = (define("ABOVE") == 1).then(|| input("u_above").items);
                    let all = values.items.len().div_ceil(block);
                    let items = above.map_or(all, |_| added * values.layout.items_per_texel as usize);
                    sums.map(|sums| down_sweep_blocks(operator, sums, above, tuple, items, false))
                }
            };
            let exclusive = define("EXCLUSIVE") == 1;
            down_sweep_blocks(operator, values.items, scanned.as_ref(), tuple, block, exclusive)
        }
        other => panic!("{other} has no twin"),
    }
}

/// Tuples in a block of the packed scan.
fn block(block: usize, tuple: usize, layout: &Layout) -> usize {
    if tuple == 1 { block * layout.items_per_texel as usize } else { block }
}

/// sengupta2006, algorithm 2, one step.
fn horn<T: Element>(operator: &Operator, x: &[[T; 2]], offset: usize, moved: usize) -> Items<T> {
    (0..x.len())
        .map(|k| match (k.checked_sub(moved), k.checked_sub(moved + offset)) {
            (None, _) => operator.identity(),
            (Some(right), None) => x[right],
            (Some(right), Some(left)) => combine(operator, x[left], x[right]),
        })
        .collect()
}

/// sengupta2006, algorithm 3, one step: with blocks of 2. The packed scan has longer ones.
fn reduce<T: Element>(operator: &Operator, x: &Items<T>, tuple: usize, block: usize, len: usize) -> Items<T> {
    (0..len)
        .map(|i| {
            let first = i / tuple * block * tuple + i % tuple;
            let places = (0..block).map(|k| first + k * tuple).filter(|&place| place < x.len());
            fold(operator, places.map(|place| x[place]))
        })
        .collect()
}

fn combine<T: Element>(operator: &Operator, left: [T; 2], right: [T; 2]) -> [T; 2] {
    operator.combine(left, right).expect("a twin")
}

fn fold<T: Element>(operator: &Operator, items: impl Iterator<Item = [T; 2]>) -> [T; 2] {
    items.reduce(|sum, item| combine(operator, sum, item)).unwrap_or_else(|| operator.identity())
}

/// sengupta2006, algorithm 4, one step, word by word; and its exclusive form. Blocks of `block` tuples are
/// arrays of their own.
fn down_sweep_pairs<T: Element>(
    operator: &Operator,
    a: &Items<T>,
    above: &Items<T>,
    tuple: usize,
    exclusive: bool,
    block: usize,
) -> Items<T> {
    (0..a.len())
        .map(|place| {
            let (i, member) = (place / tuple % block, place % tuple);
            let blocks_before = place / tuple / block;
            let above = |i: usize| above[(blocks_before * block.div_ceil(2) + i) * tuple + member];
            match (i, i % 2 != 0, exclusive) {
                (0, _, false) => a[place],
                (0, _, true) => operator.identity(),
                (_, true, false) => above(i / 2),
                (_, false, false) => combine(operator, above(i / 2 - 1), a[place]),
                (1, true, true) => a[place - tuple],
                (_, true, true) => combine(operator, above(i / 2 - 1), a[place - tuple]),
                (_, false, true) => above(i / 2 - 1),
            }
        })
        .collect()
}

fn down_sweep_blocks<T: Element>(
    operator: &Operator,
    a: &Items<T>,
    above: Option<&Items<T>>,
    tuple: usize,
    block: usize,
    exclusive: bool,
) -> Items<T> {
    (0..a.len())
        .map(|place| {
            let (i, member) = (place / tuple, place % tuple);
            let before = (i / block).checked_sub(1).and_then(|b| Some(above?[b * tuple + member]));
            let end = if exclusive { i } else { i + 1 };
            let own = (i / block * block..end).map(|k| a[k * tuple + member]);
            fold(operator, before.into_iter().chain(own))
        })
        .collect()
}
