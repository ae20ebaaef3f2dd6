//! Plans made of plans: one plan's passes become part of another's, and streams move into other layouts.

use super::{Layout, Map, Plan, Primitives, Rectangle, Slot, Storage, Uniform, shader};
use crate::element::ElementType;
use crate::error::Error;
use crate::limits::SpecError;
use crate::unsupported::Unsupported;

impl Plan {
    /// Adds all passes of another plan, which reads `inputs`, slots of this plan. Returns its results, in its order.
    ///
    /// An input in another layout than the part reads moves into that one first ([`Self::relayout`]): a pass more, and the words
    /// of the stream once more. Scratch memory is shared between parts where their lives do not overlap.
    ///
    /// Errors: [`Error::Inputs`]; [`Error::ElementMismatch`] or [`Error::Length`] if an input holds other elements;
    /// [`Error::Plan`] if one is a slot of another plan.
    pub fn append_plan(&mut self, part: &Plan, inputs: &[Slot]) -> Result<Vec<Slot>, Error> {
        let expected = part.inputs().len();
        if inputs.len() != expected {
            return Err(Error::Inputs { got: inputs.len(), expected });
        }
        self.all_own(inputs)?;
        self.has_others_slot |= part.has_others_slot;
        self.bindings = self.bindings.max(part.bindings);
        let mut slots = Vec::with_capacity(part.slots.len());
        for (wanted, given) in part.inputs().zip(inputs) {
            if let Some(items) = part.slots[wanted.index()].offsets_into {
                self.note_offsets(*given, items);
            }
            let (own, wanted) = (*self.layout(*given), part.layout(wanted));
            slots.push(if own == *wanted { *given } else { self.relayout(*given, None, *wanted)? });
        }
        for slot in &part.slots[expected..] {
            self.slots.push(slot.again());
            slots.push(self.nth_slot(self.slots.len() - 1));
        }
        let scopes = self.scopes.len();
        for scope in &part.scopes {
            let outer = scope.outer.map_or(self.scope, |outer| scopes + outer);
            self.scopes.push(super::Scope { outer: Some(outer), ..scope.clone() });
        }
        let here = |slot: &mut Slot| *slot = slots[slot.index()];
        for pass in &part.passes {
            let mut pass = pass.clone();
            pass.scope += scopes;
            pass.change_slots(&here);
            self.passes.push(pass);
        }
        Ok(part.outputs.iter().map(|slot| slots[slot.index()]).collect())
    }

    /// The same plan for inputs in other layouts, such as those of textures that the caller owns: each that differs is
    /// moved into it first ([`Self::relayout`]), from a rectangle if there is one.
    ///
    /// Errors: as [`Self::relayout`], and [`Error::Inputs`].
    pub fn for_inputs(&self, inputs: &[(Layout, Option<Rectangle>)]) -> Result<Plan, Error> {
        let layouts: Vec<Layout> = inputs.iter().map(|(layout, _)| *layout).collect();
        self.behind(&layouts, |plan, number, slot, wanted| match inputs[number].1 {
            // A whole input moves where the passes are appended.
            None => Ok(slot),
            rectangle => plan.relayout(slot, rectangle, wanted),
        })
    }

    /// The same plan for a first input that is a channel of a texture of the caller's, counted from 0. A map ([`Self::map`])
    /// takes it from each texel of `pixels`, a [`Layout::pixels`]. Numbers of the plan's own element are taken as they are.
    ///
    /// Texels may also be read as floats ([`Gpu::wrap_pixels`](crate::Gpu::wrap_pixels)): normalised integers are from 0 to 1, or
    /// from -1. A plan of u32 gets such a number times `levels`, rounded: with 255 the bytes of `RGBA8`.
    ///
    /// [`Prepared::set`](crate::Prepared::set) can change the channel, an `int` named `u_channel`.
    ///
    /// Errors: as [`Self::map`]; [`Error::ElementMismatch`] for plans of other elements; [`Error::Spec`] if texels have no such
    /// channel.
    pub fn for_channel(&self, pixels: Layout, channel: u32, levels: u32) -> Result<Plan, Error> {
        if channel >= pixels.arity {
            return Err(SpecError::Channel { channel, channels: pixels.arity }.into());
        }
        let others = self.inputs().skip(1).map(|slot| *self.layout(slot));
        let layouts: Vec<Layout> = [pixels].into_iter().chain(others).collect();
        self.behind(&layouts, |plan, number, slot, wanted| {
            if number > 0 {
                return Ok(slot);
            }
            let levels = match (pixels.element, wanted.element) {
                (own, wanted) if own == wanted => 0.0,
                (ElementType::F32, ElementType::U32) => levels as f32,
                (got, expected) => {
                    return Err(Error::ElementMismatch { what: "the texture", got, expected });
                }
            };
            // A draw reads the texture. A buffer is filled where the passes are appended.
            let to = match wanted.storage {
                Storage::Texture => wanted,
                Storage::Buffer => Layout { element: wanted.element, arity: 1, ..pixels },
            };
            let map = Map::new(shader!("copy/channel.glsl").source().to_owned())
                .set("u_channel", channel as i32)
                .set("u_levels", levels)
                .twin(move |from, _, to| {
                    let bits = from[channel as usize];
                    let scaled = || (f32::from_bits(bits) * levels + 0.5) as u32;
                    to[0] = if levels == 0.0 { bits } else { scaled() };
                });
            plan.map(slot, "channel", map, to)
        })
    }

    /// The same plan for inputs of these layouts. `lead` adds passes between an input, by its number, and the layout that the
    /// plan wants.
    fn behind(
        &self,
        layouts: &[Layout],
        mut lead: impl FnMut(&mut Plan, usize, Slot, Layout) -> Result<Slot, Error>,
    ) -> Result<Plan, Error> {
        let expected = self.inputs().len();
        let Some((first, side_input)) = layouts.split_first().filter(|_| layouts.len() == expected) else {
            return Err(Error::Inputs { got: layouts.len(), expected });
        };
        let mut plan = Plan::new(self.scopes[0].algorithm.clone(), self.item.clone(), *first);
        plan.scopes[0].parameters.clone_from(&self.scopes[0].parameters);
        plan = plan.task(self.task.clone());
        for (slot, layout) in self.slots[1..].iter().zip(side_input) {
            plan.further_input(slot.name.clone(), *layout);
        }
        let mut slots: Vec<Slot> = plan.inputs().collect();
        for (number, (slot, wanted)) in slots.iter_mut().zip(self.inputs()).enumerate() {
            *slot = lead(&mut plan, number, *slot, *self.layout(wanted))?;
        }
        let outputs = plan.append_plan(self, &slots)?;
        Ok(plan.finish_with(outputs))
    }

    /// Adds a pass that moves a stream into another layout: of another width, with other items in a texel, from a
    /// rectangle of a texture, or from a texture to a buffer or back. Returns the new slot.
    ///
    /// A rectangle is read row by row. The texels after the last item become zero. Reads and writes the words of the
    /// stream once.
    ///
    /// Errors: [`Error::ElementMismatch`]; [`Error::Length`] if the numbers of elements differ; [`Error::Spec`] if the
    /// rectangle exceeds the texture, or a buffer is to be read by a rectangle; [`Error::Unsupported`] from a buffer to a
    /// buffer, and from a buffer of items of other than 1, 2 or 4 words; [`Error::Plan`] for another plan's slot.
    pub fn relayout(&mut self, from: Slot, rectangle: Option<Rectangle>, to: Layout) -> Result<Slot, Error> {
        let own = *self.layout(self.own(from)?);
        if own.element != to.element {
            let what = "the stream to move into another layout";
            return Err(Error::ElementMismatch { what, got: own.element, expected: to.element });
        }
        let in_texel = |layout: &Layout| layout.arity * layout.items_per_texel;
        let whole = Rectangle { x: 0, y: 0, width: own.width, height: own.height };
        let elements = match rectangle {
            None => own.elements(),
            Some(part) => {
                let fits =
                    |from: u32, len: u32, most: u32| from.checked_add(len).is_some_and(|end| end <= most);
                let inside = fits(part.x, part.width, own.width) && fits(part.y, part.height, own.height);
                if !inside || own.storage != Storage::Texture {
                    let layout = own.to_string();
                    return Err(SpecError::Rectangle { rectangle: part, layout }.into());
                }
                u64::from(part.width) * u64::from(part.height) * u64::from(in_texel(&own))
            }
        };
        if elements != to.elements() {
            let what = "the stream to move into another layout";
            return Err(Error::Length { what, got: elements, expected: to.elements() });
        }
        if own.storage == Storage::Buffer {
            // A buffer is read as a texture, whose texels have 1, 2 or 4 words.
            let refused = match (to.storage, own.words_per_texel()) {
                (Storage::Buffer, _) => {
                    Some("items of a buffer lie one after the other in any buffer: use it as it is")
                }
                (Storage::Texture, 1 | 2 | 4) => None,
                _ => Some(
                    "items of 3 words, or of more than 4, cannot move from a buffer to a texture: map them to others first",
                ),
            };
            if let Some(reason) = refused {
                return Err(Unsupported::request(reason).into());
            }
        }
        let part = rectangle.unwrap_or(whole);
        let slot = self.slot("relayout", to);
        if elements == 0 {
            return Ok(slot);
        }
        let from_buffer = own.storage == Storage::Buffer;
        let pass = match to.storage {
            Storage::Texture => self
                .draw("relayout", shader!("copy/relayout.frag"))
                .define("FROM_BUFFER", from_buffer.into())
                .define("TARGET_ELEMENTS", in_texel(&to).into())
                .set("u_elements", Uniform::Int(elements as i32)),
            Storage::Buffer => {
                self.capture("relayout", Primitives::Points(elements), shader!("copy/relayout.vert"))
            }
        };
        // Small texels of the target share those of the source.
        let fetched_at_once = match to.storage {
            Storage::Texture => in_texel(&own).min(in_texel(&to)),
            Storage::Buffer => in_texel(&own),
        };
        let pass = pass
            .element(own.element)
            .define("SOURCE_ELEMENTS", in_texel(&own).into())
            .set("u_origin", Uniform::Int2([part.x as i32, part.y as i32]))
            .set("u_columns", Uniform::Int(part.width.max(1) as i32))
            .read("u_source", from)
            .fetches("u_source", elements.div_ceil(u64::from(fetched_at_once)));
        match to.storage {
            Storage::Texture => pass.write(slot),
            Storage::Buffer => pass.capture("v_words", slot),
        };
        Ok(slot)
    }
}
