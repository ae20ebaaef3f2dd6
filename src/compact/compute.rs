//! The compactions of the compute era: invocations that write anywhere, over buffers.
//!
//! They need no search: an invocation that knows the position of an element writes it there. `scatter` counts with any
//! scan of flags. `select` is `look_back` with counts instead of items: a tile is decided
//! (`compact/common/buffers.glsl`), counted, and moved to follow the elements that all earlier tiles keep. Where lanes
//! can vote, a vote gives each lane its position among its neighbours.

pub(crate) mod scatter;
pub(crate) mod select;

pub use scatter::Scatter;
pub use select::Select;

use crate::algorithm::Placement;
use crate::compact::{CompactSpec, Keep, shader};
use crate::device::Device;
use crate::element::ElementType;
use crate::error::Error;
use crate::plan::{Access, AtMost, DispatchRecorder, Lanes, Layout, Plan, Slot, Uniform};
use crate::unsupported::Unsupported;

/// The slots that every compaction has.
#[derive(Clone, Copy)]
struct Compaction {
    spec: CompactSpec,
    /// The caller's stream.
    source: Slot,
    mask: Option<Slot>,
    /// The number of elements that count, if it is on the GPU.
    length: Option<Slot>,
    /// The results that the request moves.
    values: Option<Slot>,
    indices: Option<Slot>,
    /// A single u32.
    count: Slot,
}

/// Adds a compaction to a plan: `steps` writes the results, including the count. Returns all results.
fn build(
    plan: &mut Plan,
    spec: &CompactSpec,
    inputs: &[Slot],
    device: &Device,
    steps: impl FnOnce(&mut Plan, &Compaction) -> Result<(), Error>,
) -> Result<Vec<Slot>, Error> {
    let layout = *plan.layout(inputs[0]);
    layout.check_binding(Unsupported::unless_compute(device, "this compaction")?)?;
    let values = spec.moves.values().then(|| plan.slot("values", layout));
    let indices = spec.moves.indices().then(|| plan.slot("indices", layout.of(ElementType::U32)));
    let count = plan.slot("count", Layout::buffer(ElementType::U32, 1, 1));
    if spec.len == 0 {
        plan.dispatch("count", shader!("compact/common/zero.comp"), Lanes::Serial, 1, 1)
            .bind("COUNT", count, Access::Write)
            .moves(0, 1);
    } else {
        let (source, last) = (inputs[0], inputs.last().copied());
        let mask = inputs.get(1).copied().filter(|_| spec.keep == Keep::Mask);
        let length = last.filter(|_| spec.has_gpu_length);
        steps(plan, &Compaction { spec: *spec, source, mask, length, values, indices, count })?;
    }
    Ok(values.into_iter().chain(indices).chain([count]).collect())
}

/// The placement of the streams of a compaction by compute shaders.
///
/// Errors: no compute shaders, or a request for columns.
fn placement(spec: &CompactSpec, device: &Device, name: &str) -> Result<Placement, Error> {
    Unsupported::unless_compute(device, name)?;
    match spec.columns {
        Some(_) => Err(Unsupported::request(
            "columns need a result in a texture, and this one is in a buffer; choose another algorithm, such \
             as packed",
        )
        .into()),
        None => Ok(Placement::Buffer),
    }
}

impl Compaction {
    /// Elements in 16 bytes.
    fn vector(&self) -> u32 {
        4 / self.spec.element.words()
    }

    /// Words in an element.
    fn words(&self) -> u64 {
        self.spec.element.words().into()
    }

    /// Lets a pass decide which elements are kept, `vector` at a time (`glsl/compact/common/buffers.glsl`).
    fn decide<'p>(&self, pass: DispatchRecorder<'p>, vector: u32) -> DispatchRecorder<'p> {
        let pass = pass
            .element(self.spec.element)
            .bind_loads("SOURCE", self.source, 0..self.spec.len, vector * self.spec.element.words())
            .define("VECTOR", vector)
            .set("u_len", Uniform::Int(self.spec.len as i32))
            .over_length(self.length, 0);
        match (self.spec.keep, self.mask) {
            (Keep::Condition(condition), _) => {
                let (name, value) = condition.uniform();
                pass.define("MASKED", false)
                    .define("COMPARISON", condition.code())
                    .set(name, value)
                    .moves(self.spec.len * self.words(), 0)
            }
            (Keep::Mask, mask) => {
                // The stream itself is only read to be moved.
                let reads = if self.values.is_some() { self.words() } else { 0 };
                let pass =
                    pass.define("MASKED", true).define("COMPARISON", 0).moves(self.spec.len * (1 + reads), 0);
                mask.into_iter()
                    .fold(pass, |pass, mask| pass.bind_loads("MASK", mask, 0..self.spec.len, vector))
            }
        }
    }

    /// Lets a pass move the kept elements.
    fn moves<'p>(&self, pass: DispatchRecorder<'p>) -> DispatchRecorder<'p> {
        let pass = pass
            .define("MOVES_VALUES", self.values.is_some())
            .define("MOVES_INDICES", self.indices.is_some());
        let words = self.values.map_or(0, |_| self.words()) + u64::from(self.indices.is_some());
        let values = self.values.map(|slot| ("VALUES", slot));
        let indices = self.indices.map(|slot| ("INDICES", slot));
        values
            .into_iter()
            .chain(indices)
            .fold(pass, |pass, (name, slot)| pass.bind(name, slot, Access::Write))
            .bind("COUNT", self.count, Access::Write)
            .set("u_last", Uniform::Int(1))
            .moves(0, self.spec.len * words + 1)
            .at_most(AtMost::WRITTEN)
    }
}
