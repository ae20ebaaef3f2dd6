//! The reductions of the compute era: work groups whose warps combine pieces of the stream in registers.
//!
//! Where the order matters, each warp takes pieces that follow each other, each group the pieces of its warps, so the
//! groups' results are in the order of the stream. Else warps side by side load pieces side by side: 2^24 u32 take
//! 0.0210 ms instead of 0.0215, 2^26 0.0640 instead of 0.0657 (H200). There are as many groups as the device runs at once,
//! however long the stream is. Their results are few, and one group combines them.

pub(crate) mod single_pass;
pub(crate) mod two_pass;

pub use single_pass::SinglePass;
pub use two_pass::TwoPass;

use super::{ReduceSpec, left};
use crate::algorithm::{Candidates, Parameter, Variants};
use crate::device::Device;
use crate::error::Error;
use crate::plan::{Access, AtMost, DispatchRecorder, Layout, Plan, Shader, Slot, Uniform};
use crate::reduce::shader;
use crate::scan::compute::TileOptions;
use crate::scan::compute::tile::{BoundPart, StreamWords, Tile, Tuples};
use crate::tuning::table::reduce::{GROUP_OF_LONG, LONG, PER_PROCESSOR};
use crate::unsupported::Unsupported;

/// The parameters of both reductions.
const PARAMETERS: &[Parameter] = &[
    TileOptions::PARAMETERS[0],
    TileOptions::PARAMETERS[1],
    Parameter { candidates: Candidates::NONE, ..TileOptions::PARAMETERS[2] },
    TileOptions::GROUPS,
];

/// The parameters that tests try with both reductions.
const VARIANTS: Variants = Variants {
    all: &["vectors=1", "lanes=shared,group=8,vectors=1,groups=3"],
    some: &["", "lanes=serial,group=16,vectors=1,groups=5", "lanes=subgroup", "vectors=2,groups=7"],
};

/// Loop iterations that an invocation may make on a CPU: llvmpipe ends it after 65,535.
const ITERATIONS: u64 = 60_000;

/// Adds the pass of a single group that combines the sums of `groups`.
fn finish(plan: &mut Plan, tile: &Tile, sums: Slot, result: Slot, groups: u64) {
    let words = groups * tile.sum_words();
    let pass = plan.dispatch(
        "finish",
        shader!("reduce/two_pass/finish.comp", "reduce/common/finish.glsl"),
        tile.lanes,
        tile.group,
        1,
    );
    pass.define("TUPLE", tile.tuple)
        .define("LANES", tile.lane_count)
        .bind("SUMS", sums, Access::Read)
        .bind("RESULT", result, Access::Write)
        .set("u_sums", Uniform::Int(groups as i32))
        .moves(words, tile.sum_words())
        .adds(finish_adds(tile, groups), finish_depth(tile, groups));
}

/// The work after the groups' sums in a pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ends {
    /// Nothing: another pass combines them.
    Sums,
    /// The last group to finish combines them.
    Finish,
}

/// Uses of the operator to combine the sums of `groups` in one group.
fn finish_adds(tile: &Tile, groups: u64) -> u64 {
    u64::from(tile.tuple) * (groups + tile.adds_of_lanes() + u64::from(tile.warps() - 1))
}

/// The longest chain of them.
fn finish_depth(tile: &Tile, groups: u64) -> u64 {
    groups.div_ceil(tile.group.into()) + tile.depth()
}

/// Builds the reduction of an empty stream: a combination of no groups.
fn identity(
    plan: &mut Plan,
    spec: &ReduceSpec,
    source: Slot,
    options: TileOptions,
    device: &Device,
) -> Result<Vec<Slot>, Error> {
    let layout = *plan.layout(source);
    let tile = Tile::new(device, options, StreamWords::of(&layout), spec.tuple, Tuples::Strided)?;
    let result = plan.slot("sum", left(layout, spec));
    finish(plan, &tile, source, result, 0);
    Ok(vec![result])
}

/// A stream that is divided among work groups.
struct Shared {
    tile: Tile,
    /// The layout of the stream.
    layout: Layout,
    /// The parts that are bound at a time, each with its number of groups.
    parts: Vec<(BoundPart, u64)>,
    /// The number of items that count, if it is on the GPU.
    length: Option<Slot>,
}

/// Builds a reduction: the identity for an empty stream, else `steps`, which get the divided stream and the slots of
/// the groups' sums and of the result. Notes the options that were chosen.
fn build(
    plan: &mut Plan,
    spec: &ReduceSpec,
    inputs: &[Slot],
    options: TileOptions,
    groups: Option<u32>,
    device: &Device,
    steps: impl FnOnce(&mut Plan, &Shared, [Slot; 2]),
) -> Result<Vec<Slot>, Error> {
    options.note_parameters(plan);
    groups.iter().for_each(|groups| plan.note_parameter("groups", groups));
    let source = inputs[0];
    if spec.len == 0 {
        return identity(plan, spec, source, options, device);
    }
    let length = inputs.last().copied().filter(|_| spec.has_gpu_length);
    let shared = Shared { length, ..Shared::new(options, groups, *plan.layout(source), spec, device)? };
    let sums = shared.sums(plan);
    let result = plan.slot("sum", left(shared.layout, spec));
    steps(plan, &shared, [sums, result]);
    Ok(vec![result])
}

impl Shared {
    fn new(
        options: TileOptions,
        groups: Option<u32>,
        layout: Layout,
        spec: &ReduceSpec,
        device: &Device,
    ) -> Result<Shared, Unsupported> {
        let compute = Unsupported::unless_compute(device, "this reduction")?;
        let large = layout.words() >= LONG && options.leave_groups_to_a_gpu(device);
        let group = options.group.or(large.then(|| GROUP_OF_LONG.min(compute.max_invocations)));
        let options = TileOptions { group, ..options };
        let tile = Tile::new(device, options, StreamWords::of(&layout), spec.tuple, Tuples::Strided)?;
        let parts = tile.parts(&layout, device)?.into_iter().map(|part| {
            let tiles = part.tiles.max(1);
            let per_processor = if device.software { 1 } else { (PER_PROCESSOR / tile.group).max(1) };
            let usual = u64::from(per_processor * compute.processors);
            let least = if device.software { tiles * tile.iterations(1, device) / ITERATIONS + 1 } else { 1 };
            let groups = groups.map_or(usual, u64::from).max(least).min(tiles);
            (part, groups)
        });
        let shared = Shared { tile, layout, parts: parts.collect(), length: None };
        shared.check_finish(device)?;
        Ok(shared)
    }

    /// Errors if one group cannot combine the sums of all on a CPU, in the iterations that its invocations may make.
    fn check_finish(&self, device: &Device) -> Result<(), Unsupported> {
        let words = if device.unrolls_loops() { 0 } else { self.tile.sum_words() };
        let each = self.groups() / u64::from(self.tile.group) + 1;
        if !device.software || each * (2 * u64::from(self.tile.tuple) + words) <= ITERATIONS {
            return Ok(());
        }
        Err(Unsupported::too_large(format!(
            "{} work groups have more sums than one group can combine on a CPU; take larger groups, or more rows",
            self.groups()
        )))
    }

    /// Groups of all parts: the number of sums for each member.
    fn groups(&self) -> u64 {
        self.parts.iter().map(|(_, groups)| groups).sum()
    }

    /// A buffer for the groups' sums.
    fn sums(&self, plan: &mut Plan) -> Slot {
        self.tile.sums(plan, &self.layout, self.groups())
    }

    /// Adds a dispatch for each part of the stream, which `more` completes.
    fn reduce(
        &self,
        plan: &mut Plan,
        shader: Shader,
        source: Slot,
        sums: Slot,
        ends: Ends,
        more: impl Fn(DispatchRecorder<'_>),
    ) {
        let commutes = plan.item().operator.commutes();
        let mut first = 0;
        for (part, groups) in &self.parts {
            let tiles = part.tiles.div_ceil(*groups);
            let pass = self.tile.dispatch_over(plan, "reduce", shader.clone(), part, *groups);
            let pass = pass
                .over_length(self.length, part.items.start)
                .bind_loads("SOURCE", source, part.items.clone(), self.tile.load())
                // The sums that a group reads were written in this same pass.
                .bind("SUMS", sums, Access::Write)
                .define("COMMUTES", commutes)
                .set("u_first_sum", Uniform::Int(first as i32))
                .moves(part.words, groups * self.tile.sum_words());
            let (adds, depth) = (part.tiles * self.tile.reduce_adds(commutes), tiles * self.tile.depth());
            first += groups;
            // The last group to finish may combine all sums.
            let pass = match ends == Ends::Finish && first == self.groups() {
                true => pass
                    .moves(first * self.tile.sum_words(), self.tile.sum_words())
                    .adds(adds + finish_adds(&self.tile, first), depth + finish_depth(&self.tile, first)),
                false => pass.adds(adds, depth),
            };
            more(pass.at_most(AtMost::ADDS));
        }
    }
}
