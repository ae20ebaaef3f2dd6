//! A run as plain data: every texture and buffer after every pass.

#[cfg(feature = "recordings")]
mod file;
mod reads;
mod recording;
mod shared;
mod states;

#[cfg(feature = "recordings")]
pub use file::{FORM, FileError};
pub use reads::{Place, Reader, Reads};
pub use recording::{
    Content, MAX_RECORDED, ReadStream, RecordedPass, Recording, ShaderText, StreamInfo, Work,
};
pub use shared::SharedAccess;
pub use states::{StateAccess, StateAct};

use crate::element::Element;
use crate::error::Error;
use crate::plan::{Layout, Pass, Plan, Slot};

/// The number of a source that no draw has: a rewrite of its shaders ([`Rewrite`](crate::plan::Rewrite)) records a
/// read of it, by `record_read` of `glsl/common/record/reads.glsl`, where it stops one of them.
pub const STOPPED: u32 = 31;

/// A recorded run: made by [`crate::Prepared::trace`], readable without a GPU.
#[derive(Debug, Clone, PartialEq)]
pub struct Trace {
    /// The plan that ran.
    pub plan: Plan,
    /// The caller's streams, in the order of [`Plan::inputs`].
    pub inputs: Vec<Write>,
    /// One for each pass.
    pub steps: Vec<Step>,
}

impl Trace {
    /// The name of a texture or a buffer in the plan.
    pub fn name(&self, slot: Slot) -> &str {
        self.plan.slots().get(slot.index()).map_or("", |info| &info.name)
    }
}

/// A pass of a recorded run.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// The pass, as it is in the plan.
    pub pass: Pass,
    /// The content of each target after the pass.
    pub writes: Vec<Write>,
    /// The shaders' own records; empty in a trace of [`crate::Prepared::trace`].
    pub recorded: Recorded,
}

/// The shaders' own records of a pass; [`RecordedPass`] describes the parts.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Recorded {
    /// All reads, by kind of reader.
    pub reads: Vec<Reads>,
    /// The writes of invocations, if they were recorded.
    pub writes: Option<Reads>,
    /// For each target, which texels or items were written; empty if that was not recorded.
    pub written: Vec<Option<Vec<bool>>>,
    /// The primitives that were drawn, in texels of the first target.
    pub drawn: Vec<Vec<[f32; 2]>>,
    /// True if a shader recorded a read of [`STOPPED`].
    pub stopped: bool,
    /// The accesses to shared memory.
    pub shared: Vec<SharedAccess>,
    /// The states that tiles published and found.
    pub states: Vec<StateAccess>,
}

/// The content of a texture or a buffer after a pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Write {
    /// The slot in the plan; [`Trace::name`] gives its name.
    pub slot: Slot,
    /// The layout of its items.
    pub layout: Layout,
    /// The items' words, without padding.
    pub(crate) bytes: Vec<u8>,
}

impl Write {
    /// The content of a slot as the words of its items, without padding.
    pub fn new(slot: Slot, layout: Layout, bytes: Vec<u8>) -> Write {
        Write { slot, layout, bytes }
    }

    /// The words of the items, without padding.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The values, in the order of the stream: [`Layout::elements`] numbers.
    ///
    /// Errors: [`Error::ElementMismatch`].
    pub fn values<T: Element>(&self) -> Result<Vec<T>, Error> {
        if T::TYPE != self.layout.element {
            return Err(Error::ElementMismatch {
                what: "the texture",
                got: self.layout.element,
                expected: T::TYPE,
            });
        }
        Ok(bytemuck::pod_collect_to_vec(&self.bytes))
    }
}
