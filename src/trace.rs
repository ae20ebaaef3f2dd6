//! A recorded run: every texture and buffer after every pass, as plain data.

#[cfg(feature = "recordings")]
mod file;
mod reads;
mod recording;
mod shared;

#[cfg(feature = "recordings")]
pub use file::{FORM, FileError};
pub use reads::{Place, Reader, Reads};
pub use recording::{
    Content, MAX_RECORDED, ReadStream, RecordedPass, Recording, ShaderText, StreamInfo, Work,
};
pub use shared::SharedAccess;

use crate::element::Element;
use crate::error::Error;
use crate::plan::{Layout, Pass, Plan, Slot};

/// A run as it happened: made by [`crate::Prepared::trace`], needs no GPU to look at.
#[derive(Debug, Clone, PartialEq)]
pub struct Trace {
    pub plan: Plan,
    /// The caller's streams, in the order of [`Plan::inputs`].
    pub inputs: Vec<Write>,
    /// One for each pass.
    pub steps: Vec<Step>,
}

impl Trace {
    /// The name of a texture or a buffer in the plan.
    pub fn name(&self, slot: Slot) -> &str {
        &self.plan.slots()[slot.index()].name
    }
}

/// A pass of a recorded run.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    pub pass: Pass,
    /// What the pass wrote, one for each target.
    pub writes: Vec<Write>,
    /// What its shaders wrote down of themselves; nothing in a trace of [`crate::Prepared::trace`].
    pub recorded: Recorded,
}

/// What the shaders of a pass wrote down of themselves; its parts are told at [`RecordedPass`].
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Recorded {
    pub reads: Vec<Reads>,
    pub writes: Option<Reads>,
    /// For each target; empty where nothing was recorded.
    pub written: Vec<Option<Vec<bool>>>,
    pub drawn: Vec<Vec<[f32; 2]>>,
    pub shared: Vec<SharedAccess>,
}

/// A texture or a buffer as it was after a pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Write {
    /// Which texture of the plan it is; [`Trace::name`] says what it is called.
    pub slot: Slot,
    pub layout: Layout,
    /// The items' words, without padding.
    pub(crate) bytes: Vec<u8>,
}

impl Write {
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
