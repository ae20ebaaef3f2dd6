//! Passes that map items by a function of the caller's.

use super::moves::GROUP;
use super::{Access, AtMost, Lanes, Layout, Map, Plan, Shader, Slot, Storage, shader};
use crate::error::Error;
use crate::limits::SpecError;
use crate::shared::Text;

/// The names of a map's streams in draws and dispatches.
const SAMPLERS: [&str; 4] = ["u_stream_0", "u_stream_1", "u_stream_2", "u_stream_3"];
pub(super) const BUFFERS: [&str; 4] = ["STREAM_0", "STREAM_1", "STREAM_2", "STREAM_3"];

impl Plan {
    /// Adds a pass that maps items, before an algorithm loads them or after it has stored them: each item of `stream` becomes
    /// one of `to`, which has as many, of any element and any number of words. The function is GLSL:
    ///
    /// ```glsl
    /// void map(uint from[FROM], int index, out uint to[TO])
    /// ```
    ///
    /// `FROM` and `TO` are the words of an item; floats are their bits (`uintBitsToFloat`), 64-bit integers two words, the
    /// lower one first. The function may read other items, too: neighbours by `source_at(index - 1)`, and up to three
    /// further streams ([`Map::stream`]) by `NAME_at(index)`, each as a number or vector of its element, and 0 outside of
    /// the stream, or the second argument if there is one. `docs/library.md` has all such functions. An error in the text is
    /// reported as `glsl/map NAME:line`. Without a driver the pass runs by the map's twin ([`Map::twin`]).
    ///
    /// Where a single pass reads the result and loads it as [`Self::unfused`] says, the map becomes part of that pass, and
    /// nothing is written in between. So names of its text should not be those of shaders: give functions of yours a prefix.
    ///
    /// ```
    /// # #[cfg(feature = "headless")]
    /// # fn main() -> Result<(), rasterscan::Error> {
    /// use rasterscan::plan::{ItemType, Plan};
    /// use rasterscan::scan::texture::Packed;
    /// use rasterscan::{Algorithm, ElementType, Gpu, Operator, ScanSpec};
    ///
    /// // The sum of the squares, as u32, of a stream of f32.
    /// let gpu = Gpu::headless()?;
    /// let part = Packed::default().plan(&ScanSpec::new::<u32>(4), gpu.device())?;
    /// let layout = *part.layout(part.input());
    /// let item = ItemType { element: ElementType::F32, operator: Operator::ADD };
    /// let mut plan = Plan::new("squares", item, layout.of(ElementType::F32));
    /// let square = "void map(uint from[FROM], int index, out uint to[TO]) {
    ///     float x = uintBitsToFloat(from[0]);
    ///     to[0] = uint(x * x);
    /// }";
    /// let squares = plan.map(plan.input(), "square", square, layout)?;
    /// let sums = plan.append_plan(&part, &[squares])?;
    /// let mut prepared = gpu.prepare(&plan.finish(sums[0]))?;
    /// let input = prepared.upload(&[1.0f32, 2.0, 3.0, 4.0])?;
    /// assert_eq!(prepared.run(&input)?.read::<u32>()?, [1, 5, 14, 30]);
    /// # Ok(())
    /// # }
    /// # #[cfg(not(feature = "headless"))]
    /// # fn main() {}
    /// ```
    ///
    /// Costs a read of each item of the first stream, those that [`Map::stream`] and [`Map::reads`] state, and a write.
    ///
    /// Errors: [`Error::Spec`] if some lie in textures and others in buffers, for more than four streams, and for a name
    /// that is none in GLSL; [`Error::Length`] for another length than the first stream's; [`Error::Plan`] for slots of
    /// another plan.
    pub fn map(&mut self, stream: Slot, name: &str, map: impl Into<Map>, to: Layout) -> Result<Slot, Error> {
        let map = map.into();
        let from = *self.layout(self.own(stream)?);
        let streams: Vec<(Slot, u64)> = [(stream, map.reads)]
            .into_iter()
            .chain(map.streams.iter().map(|(_, slot, reads)| (*slot, *reads)))
            .collect();
        for (slot, _) in &streams {
            if self.layout(self.own(*slot)?).storage != to.storage {
                return Err(SpecError::Unlike.into());
            }
        }
        let is_name = |name: &Text| {
            let in_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
            name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.chars().all(in_name)
        };
        if streams.len() > SAMPLERS.len() || !map.streams.iter().all(|(name, ..)| is_name(name)) {
            return Err(SpecError::MapStreams.into());
        }
        if from.len != to.len {
            return Err(Error::Length { what: "the mapped stream", got: to.len, expected: from.len });
        }
        let target = self.slot("mapped", to);
        if to.len == 0 {
            return Ok(target);
        }
        let path = format!("map {name}");
        let function = format!("{}#include \"{path}\"\n", aliases(&map));
        let own = |shader: Shader| {
            let own = shader.with_include("copy/map_function.glsl", function.clone());
            own.with_include(path.clone(), map.glsl.clone()).with_twin(map.twin.clone())
        };
        let [words, mapped] = [from, to].map(|layout| layout.element.words() * layout.arity);
        // Past the ends of a stream nothing is read.
        let reads_others = streams.len() > 1 || map.reads != 1;
        let at_most = if reads_others { AtMost::READ } else { AtMost::default() };
        if to.storage == Storage::Buffer {
            let groups = to.len.div_ceil(GROUP.into());
            let of = |slot: &Slot| u64::from(self.layout(*slot).words_per_texel());
            let words_read: u64 = streams.iter().map(|(slot, reads)| to.len * reads * of(slot)).sum();
            let pass = self
                .dispatch("map", own(shader!("copy/map.comp")), Lanes::Serial, GROUP, groups)
                .define("FROM", words)
                .define("TO", mapped)
                .moves(words_read, to.words())
                .at_most(at_most);
            let pass = map.uniforms.iter().fold(pass, |pass, (name, value)| pass.set(name, *value));
            BUFFERS
                .into_iter()
                .zip(streams)
                .fold(pass, |pass, (name, (slot, _))| {
                    let items = 0..pass.items(slot);
                    pass.bind_loads(name, slot, items, 1)
                })
                .bind("TARGET", target, Access::Write);
            return Ok(target);
        }
        let pass = self
            .draw("map", own(shader!("copy/map.frag")))
            .element(to.element)
            .define("FROM", words.into())
            .define("TO", mapped.into())
            .define("TARGET_ITEMS", to.items_per_texel.into())
            .at_most(at_most);
        let pass = map.uniforms.iter().fold(pass, |pass, (name, value)| pass.set(name, *value));
        SAMPLERS
            .into_iter()
            .zip(streams)
            .fold(pass, |pass, (name, (slot, reads))| pass.read(name, slot).fetches(name, to.len * reads))
            .write(target);
        Ok(target)
    }
}

/// The functions of a map's streams under the names that the caller gives them.
fn aliases(map: &Map) -> String {
    let names = ["source"].into_iter().chain(map.streams.iter().map(|(name, ..)| &**name));
    let of = |(number, name)| {
        ["at", "words", "len"].map(|f| format!("#define {name}_{f} stream_{number}_{f}\n")).concat()
    };
    (0..).zip(names).map(of).collect()
}
