//! Maps in the loads of the passes that read them: their results are computed where they are loaded, and not stored.

use std::sync::Arc;

use super::{Access, AtMost, Binding, Command, Pass, Plan, Shader, Slot, Storage};

/// A map that is part of a pass.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Fused {
    /// The sampler that the pass would read, and the slot that the map would write.
    sampler: &'static str,
    mapped: Slot,
    /// The map, and the pass that reads its result, each on its own.
    apart: Arc<[Pass; 2]>,
}

impl Plan {
    /// The same plan with each map in a pass of its own, as it is where a map is not fused ([`Self::map`]).
    ///
    /// [`Self::finish`] fuses a map into the pass that reads its result if that is the only one and loads it in one of two
    /// ways: a dispatch by `common/source.glsl`, as the scans and reductions in a single pass and the compaction
    /// `select` do, or a draw by `common/source_texels.glsl`, as the scan `horn` and the reductions do. A dispatch must
    /// load the whole stream, and the device must bind the map's streams in place of the result. Then the
    /// pass reads these streams, once for each time that it would read the result, if that moves no more words than two
    /// passes; its listing and its costs say so.
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
        let streams = map.reads().count();
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
        let is_size = |(name, _): &&(&str, i64)| ["FROM", "TO"].contains(name);
        let layout = self.layout(mapped);
        let (sampler, [replaced, by], loads) = match (&mut fused.command, &map.command) {
            (Command::Dispatch(dispatch), Command::Dispatch(of_map)) => {
                let of = |binding: &Binding| binding.slot == mapped;
                let (1, Some(at)) = (
                    dispatch.bindings.iter().filter(|b| of(b)).count(),
                    dispatch.bindings.iter().position(of),
                ) else {
                    return None;
                };
                let loads =
                    dispatch.bindings[at].name == "SOURCE" && dispatch.bindings[at].items == (0..layout.len);
                if !loads
                    || dispatch.bindings.len() - 1 + streams
                        > dispatch.bindings.len().max(self.bindings as usize)
                    || !dispatch.shader.includes_file("common/loads.glsl")
                {
                    return None;
                }
                let read = of_map.bindings.iter().filter(|b| b.access == Access::Read).cloned();
                dispatch.bindings.splice(at..=at, read);
                dispatch.uniforms.extend(&of_map.uniforms);
                dispatch.defines.extend(of_map.defines.iter().filter(is_size));
                ("", ["common/loads.glsl", "copy/mapped_loads.glsl"], (layout.words(), layout.len))
            }
            (Command::Draw(draw), Command::Draw(of_map)) => {
                let ("u_source", _) = draw.reads.iter().find(|(_, slot)| *slot == mapped)? else {
                    return None;
                };
                let fragment = draw.stages.fragment.as_ref()?;
                // Other streams' fetches are not told apart from those of the mapped one.
                if draw.reads.len() > 1 || layout.planes() > 1 || layout.storage == Storage::Buffer {
                    return None;
                }
                if !fragment.includes_file("common/source_texels.glsl") {
                    return None;
                }
                draw.reads = of_map.reads.iter().filter(|(name, _)| *name != "u_length").copied().collect();
                draw.defines.extend(of_map.defines.iter().filter(is_size));
                draw.uniforms.extend(of_map.uniforms.iter().filter(|(name, _)| *name != "u_capacity"));
                draw.defines.push(("MAPPED_ITEMS", layout.items_per_texel.into()));
                let items = pass.cost.texels_read * u64::from(layout.items_per_texel);
                (
                    "u_source",
                    ["common/source_texels.glsl", "copy/mapped_texels.glsl"],
                    (pass.cost.words_read, items),
                )
            }
            _ => return None,
        };
        // Reads of the result that become reads of the map's streams.
        let (words, items) = loads;
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
        fused.change_shaders(own);
        fused.fused = Some(Fused { sampler, mapped, apart: Arc::new([map.clone(), pass.clone()]) });
        fused.offer_streams(&self.slots);
        Some((reader, fused))
    }
}

impl Pass {
    /// The map that is part of the pass, by its name.
    pub(super) fn map_name(&self) -> Option<&str> {
        let [map, _] = &*self.fused.as_ref()?.apart;
        map.main_shader().map_name()
    }

    /// The sampler of a stream that the pass computes instead of reading it, and the stream's slot.
    pub(crate) fn computed(&self) -> Option<(&'static str, Slot)> {
        self.fused
            .as_ref()
            .filter(|fused| !fused.sampler.is_empty())
            .map(|fused| (fused.sampler, fused.mapped))
    }

    /// Puts other slots in the place of all that the pass names.
    pub(super) fn change_slots(&mut self, change: &impl Fn(&mut Slot)) {
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
            let mut apart = (*fused.apart).clone();
            apart.iter_mut().for_each(|pass| pass.change_slots(change));
            fused.apart = Arc::new(apart);
        }
    }
}
