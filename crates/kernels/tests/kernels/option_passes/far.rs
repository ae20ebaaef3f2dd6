//! Tables of heads in the form for streams that are too long to be compared.

use rasterscan::plan::{Command, Layout, Plan, Uniform};
use rasterscan::{ElementType, ScanSpec};
use rasterscan_runner::kernels;
use rasterscan_runner::scan::choice;

use super::enough;

/// The table of a stream of more than 2^24 items, over a short one.
fn tables_of_long_streams() {
    let gpu = rasterscan_runner::gpu();
    let spec = ScanSpec::new::<u32>(900).segmented();
    let usual = choice("horn").plan(&spec, gpu.device()).unwrap().unwrap();
    let of = |path| usual.passes().iter().find(|pass| pass.main_shader().path() == path).unwrap();
    let [starts, step] = ["scan/option_passes/starts.frag", "scan/horn/step.frag"].map(of);
    let (Command::Draw(of_starts), Command::Draw(of_step)) = (&starts.command, &step.command) else {
        panic!("{usual}");
    };
    let slot = |number: usize| *usual.layout(of_starts.reads[number].1);
    let mut plan = Plan::new("far", usual.item().clone(), *usual.layout(usual.input()));
    let [flags, before] = [("flags", 0), ("before", 1)].map(|(name, of)| plan.further_input(name, slot(of)));
    let table = plan.slot("table", Layout { arity: 2, ..*usual.layout(of_starts.writes[0]) });
    plan.draw("starts", starts.main_shader().clone())
        .define("FAR", 1)
        .element(ElementType::U32)
        .read("u_flags", flags)
        .read("u_before", before)
        .write(table);
    let scanned = plan.slot("scanned", *usual.layout(usual.output()));
    let input = plan.input();
    let mut pass = plan.draw("step", step.main_shader().clone());
    for (name, value) in of_step.defines.iter().filter(|(name, _)| *name != "FAR") {
        pass = pass.define(name, *value);
    }
    for (name, value) in of_step.uniforms.iter().filter(|(name, _)| *name != "u_offset") {
        pass = pass.set(name, *value);
    }
    pass.define("FAR", 1)
        .set("u_offset", Uniform::Int2([5, 0]))
        .read("u_source", input)
        .read("u_heads", table)
        .write(scanned);
    let plan = plan.finish(scanned);
    // Beginnings far apart, and several to a word.
    let begins = |item: u32| item % 300 == 290 || (400..410).contains(&item);
    let word = |word: u32| (0..32).map(|bit| u32::from(begins(32 * word + bit)) << bit).sum::<u32>();
    let last = |word: u32| (0..32 * word).rev().find(|item| begins(*item)).unwrap_or(0);
    let [words, before] = [(0..29).map(word).collect::<Vec<_>>(), (0..29).map(last).collect()];
    let inputs = [crate::values(ElementType::U32, 900), words.into(), before.into()];
    let seen = kernels::compare(&gpu, &plan, &inputs.iter().collect::<Vec<_>>(), |_, _| {});
    enough(seen.unwrap_or_default(), 500);
}

crate::tests![tables_of_long_streams];
