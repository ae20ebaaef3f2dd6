//! Passes that map items by a function of the caller's.

use super::moves::GROUP;
use super::{Access, Lanes, Layout, Map, Plan, Shader, Slot, Storage, Uniform, shader};
use crate::element::Channel;
use crate::error::Error;
use crate::limits::SpecError;

impl Plan {
    /// Adds a pass that maps items, before an algorithm loads them or after it has stored them: each item of `stream` becomes
    /// one of `to`, which has as many, of any element and any number of words. The function is GLSL:
    ///
    /// ```glsl
    /// void map(uint from[FROM], int index, out uint to[TO])
    /// ```
    ///
    /// `FROM` and `TO` are the words of an item; floats are their bits (`uintBitsToFloat`), 64-bit integers two words, the
    /// lower one first. An error in the text is reported as `glsl/map NAME:line`. Without a driver the pass runs by the
    /// map's twin ([`Map::twin`]).
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
    /// Costs a read and a write of each item.
    ///
    /// Errors: [`Error::Spec`] if one lies in a texture and the other in a buffer; [`Error::Length`] for another length.
    pub fn map(&mut self, stream: Slot, name: &str, map: impl Into<Map>, to: Layout) -> Result<Slot, Error> {
        let from = *self.layout(self.own(stream)?);
        if from.storage != to.storage {
            return Err(SpecError::Unlike.into());
        }
        if from.len != to.len {
            return Err(Error::Length { what: "the mapped stream", got: to.len, expected: from.len });
        }
        let target = self.slot("mapped", to);
        if to.len == 0 {
            return Ok(target);
        }
        let path = format!("map {name}");
        let (include, map) = (format!("#include \"{path}\"\n"), map.into());
        let own = |shader: Shader| {
            let own = shader.with_include("copy/map.glsl", include.clone());
            own.with_include(path.clone(), map.glsl.clone()).with_twin(map.twin.clone())
        };
        let [words, mapped] = [from, to].map(|layout| layout.element.words() * layout.arity);
        if to.storage == Storage::Buffer {
            let groups = to.len.div_ceil(GROUP.into());
            self.dispatch("map", own(shader!("copy/map.comp")), Lanes::Serial, GROUP, groups)
                .define("FROM", words)
                .define("TO", mapped)
                .set("u_len", Uniform::Int(to.len as i32))
                .bind("SOURCE", stream, Access::Read)
                .bind("TARGET", target, Access::Write)
                .moves(from.words(), to.words());
            return Ok(target);
        }
        let channel = match from.element.channel() {
            Channel::U32 => 0,
            Channel::I32 => 1,
            Channel::F32 => 2,
        };
        self.draw("map", own(shader!("copy/map.frag")))
            .element(to.element)
            .define("FROM", words.into())
            .define("TO", mapped.into())
            .define("SOURCE_CHANNEL", channel)
            .define("SOURCE_ITEMS", from.items_per_texel.into())
            .define("TARGET_ITEMS", to.items_per_texel.into())
            .read("u_source", stream)
            .fetches("u_source", to.len)
            .write(target);
        Ok(target)
    }
}
