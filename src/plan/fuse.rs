//! Maps in the loads of the passes that read them: their results are computed where they are loaded, and not stored.

use std::sync::Arc;

use super::pass::Fused;
use super::{Access, AtMost, Binding, Command, Dispatch, Draw, Layout, Pass, Plan, Shader, Slot, Storage};

/// A stream that shaders load through files of its own, in whose place others can compute it.
struct Computed {
    buffer: &'static str,
    /// The file with its loads in a dispatch, and the one that computes them.
    loads: [&'static str; 2],
    sampler: &'static str,
    /// The same for the texels of a draw.
    texels: [&'static str; 2],
}

const COMPUTED: [Computed; 2] = [
    Computed {
        buffer: "SOURCE",
        loads: ["common/loads.glsl", "copy/mapped_loads.glsl"],
        sampler: "u_source",
        texels: ["common/source_texels.glsl", "copy/mapped_texels.glsl"],
    },
    Computed {
        buffer: "MASK",
        loads: ["common/mask_loads.glsl", "copy/mapped_mask_loads.glsl"],
        sampler: "u_mask",
        texels: ["common/mask_texels.glsl", "copy/mapped_mask_texels.glsl"],
    },
];

/// The defines of a map's function.
const SIZES: [&str; 2] = ["FROM", "TO"];

impl Plan {
    /// The same plan with each map in a pass of its own, as it is where a map is not fused ([`Self::map`]).
    ///
    /// [`Self::finish`] fuses a map into the pass that reads its result if that is the only one, and loads it by one of these
    /// files: a dispatch by `common/source.glsl`, as scans and reductions in a single pass do and the compaction `select`; a
    /// fragment stage, which reads nothing else, by `common/source_texels.glsl`, as the scan `horn` and the reductions do;
    /// and a mask by `common/mask_loads.glsl` and `common/mask_texels.glsl`. A dispatch must load the whole stream, and the
    /// device must bind the map's streams in place of the result. Then the pass reads these streams, once for each time that
    /// it would read the result, if that moves no more words than two passes; its listing and its costs say so.
    pub fn unfused(&self) -> Plan {
        let passes = self.passes.iter().flat_map(|pass| match &pass.fused {
            Some(fused) => fused.apart.to_vec(),
            None => vec![pass.clone()],
        });
        Plan { passes: passes.collect(), ..self.clone() }
    }

    /// Makes each map part of the pass that reads its result, where that is possible.
    pub(super) fn fuse(&mut self) {
        let mut number = 0;
        while number < self.passes.len() {
            match self.fused(number) {
                Some((reader, pass)) => {
                    self.passes[reader] = pass;
                    self.passes.remove(number);
                }
                None => number += 1,
            }
        }
    }

    /// The pass that a map can be part of, by its number, with the map in it.
    fn fused(&self, number: usize) -> Option<(usize, Pass)> {
        let map = &self.passes[number];
        let [mapped] = map.writes()[..] else { return None };
        if map.main_shader().map_name().is_none() || self.outputs.contains(&mapped) {
            return None;
        }
        let mut touching =
            (0..self.passes.len()).filter(|pass| *pass != number && self.passes[*pass].touches(mapped));
        let (reader, None) = (touching.next()?, touching.next()) else { return None };
        let pass = &self.passes[reader];
        let written_since = self.passes.get(number..=reader)?.iter().skip(1).flat_map(Pass::writes);
        let reads: Vec<Slot> = map.reads().collect();
        if pass.fused.is_some() || written_since.into_iter().any(|slot| reads.contains(&slot)) {
            return None;
        }
        let mut fused = pass.clone();
        let layout = self.layout(mapped);
        let (sampler, [replaced, by], (words, items)) = match (&mut fused.command, &map.command) {
            (Command::Dispatch(dispatch), Command::Dispatch(of_map)) => {
                let files = self.compute_loads(dispatch, of_map, mapped)?;
                (None, files, (layout.words(), layout.len))
            }
            (Command::Draw(draw), Command::Draw(of_map)) => {
                let (sampler, files) = compute_texels(draw, of_map, layout, mapped)?;
                let items = pass.cost.texels_read * u64::from(layout.items_per_texel);
                (Some(sampler), files, (pass.cost.words_read, items))
            }
            _ => return None,
        };
        // Reads of the result become reads of the map's streams.
        let instead = |reads: u64| (u128::from(reads) * u128::from(items)).div_ceil(layout.len.into()) as u64;
        fused.cost.words_read = pass.cost.words_read.saturating_sub(words) + instead(map.cost.words_read);
        fused.cost.texels_read = instead(map.cost.texels_read);
        if fused.cost.words_moved() > (pass.cost + map.cost).words_moved() {
            return None;
        }
        fused.at_most = pass.at_most | map.at_most | AtMost::READ;
        let text = format!("#include <streams>\n#include \"{by}\"\n");
        let function = map.main_shader().clone();
        let own = |shader: &Shader| match shader.includes_file(replaced) {
            true => function
                .includes()
                .fold(shader.with_include(replaced, text.clone()), |shader, (path, text)| {
                    shader.with_include(path.to_owned(), text.to_owned())
                }),
            false => shader.clone(),
        };
        fused.change_shaders(&own);
        fused.fused = Some(Fused { sampler, mapped, apart: Arc::new([map.clone(), pass.clone()]) });
        fused.offer_streams(&self.slots);
        Some((reader, fused))
    }

    /// Lets a dispatch compute what it loads from a slot: it binds the map's streams in its place. Returns the file of its
    /// loads, and the one that takes its place.
    fn compute_loads(
        &self,
        dispatch: &mut Dispatch,
        of_map: &Dispatch,
        mapped: Slot,
    ) -> Option<[&'static str; 2]> {
        let mut bound =
            (0..dispatch.bindings.len()).filter(|number| dispatch.bindings[*number].slot == mapped);
        let (number, None) = (bound.next()?, bound.next()) else { return None };
        let Binding { name, items, .. } = &dispatch.bindings[number];
        let files = COMPUTED.iter().find(|computed| computed.buffer == *name)?.loads;
        let streams = of_map.bindings.iter().filter(|binding| binding.access == Access::Read);
        let (before, after) =
            (dispatch.bindings.len(), dispatch.bindings.len() - 1 + streams.clone().count());
        if *items != (0..self.layout(mapped).len)
            || after > before.max(self.bindings as usize)
            || !dispatch.shader.includes_file(files[0])
        {
            return None;
        }
        dispatch.bindings.splice(number..=number, streams.cloned());
        dispatch.uniforms.extend(&of_map.uniforms);
        dispatch.defines.extend(of_map.defines.iter().filter(|(name, _)| SIZES.contains(name)));
        Some(files)
    }
}

/// Lets a draw compute the texels that it fetches from a slot: it reads the map's streams in its place. Returns the sampler,
/// the file that declares it, and the one that takes its place.
fn compute_texels(
    draw: &mut Draw,
    of_map: &Draw,
    layout: &Layout,
    mapped: Slot,
) -> Option<(&'static str, [&'static str; 2])> {
    // Other streams' fetches would not be told apart from those of the mapped one.
    let [(name, slot)] = draw.reads[..] else { return None };
    let Computed { sampler, texels, .. } = COMPUTED.iter().find(|computed| computed.sampler == name)?;
    let in_texels = slot == mapped && layout.storage == Storage::Texture && layout.planes() == 1;
    if !in_texels || !draw.stages.fragment.as_ref()?.includes_file(texels[0]) {
        return None;
    }
    draw.reads = of_map.reads.iter().filter(|(name, _)| *name != "u_length").copied().collect();
    draw.uniforms.extend(of_map.uniforms.iter().filter(|(name, _)| *name != "u_capacity"));
    draw.defines.extend(of_map.defines.iter().filter(|(name, _)| SIZES.contains(name)));
    draw.defines.push(("MAPPED_ITEMS", layout.items_per_texel.into()));
    Some((sampler, *texels))
}

impl Pass {
    /// The map that is part of the pass, by its name.
    pub(super) fn map_name(&self) -> Option<&str> {
        let [map, _] = &*self.fused.as_ref()?.apart;
        map.main_shader().map_name()
    }

    /// The sampler of a stream that the pass computes instead of reading it, and the stream's slot.
    pub(crate) fn computed(&self) -> Option<(&'static str, Slot)> {
        let fused = self.fused.as_ref()?;
        Some((fused.sampler?, fused.mapped))
    }

    /// Puts other slots in the place of all that the pass names.
    pub(super) fn change_slots(&mut self, change: &dyn Fn(&mut Slot)) {
        match &mut self.command {
            Command::Draw(draw) => {
                draw.reads.iter_mut().for_each(|(_, slot)| change(slot));
                draw.attributes.iter_mut().chain(&mut draw.writes).for_each(change);
            }
            Command::Dispatch(dispatch) => {
                dispatch.bindings.iter_mut().for_each(|Binding { slot, .. }| change(slot));
                dispatch.indirect.iter_mut().for_each(|indirect| change(&mut indirect.groups));
            }
        }
        if let Some(fused) = &mut self.fused {
            change(&mut fused.mapped);
        }
        self.change_apart(|pass| pass.change_slots(change));
    }
}
