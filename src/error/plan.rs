//! Mistakes in a plan.

/// A mistake in a plan. `pass` counts from 1, `slot` is a name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// A slot that is not the plan's.
    #[error("the plan uses a slot of another plan; use slots that this one returned")]
    OtherPlan,
    /// A feedback loop.
    #[error("pass {pass} reads {slot}, which it also writes; write to another slot")]
    ReadsItsTarget {
        /// The pass, counted from 1.
        pass: usize,
        /// The slot's name.
        slot: String,
    },
    /// A read of undefined memory.
    #[error("pass {pass} reads {slot}, which no earlier pass writes; add one, or read another slot")]
    ReadsNothing {
        /// The pass, counted from 1.
        pass: usize,
        /// The slot's name.
        slot: String,
    },
    /// A pass without targets.
    #[error("pass {pass} writes nothing; give it a target")]
    NoTarget {
        /// The pass, counted from 1.
        pass: usize,
    },
    /// A target that belongs to the caller.
    #[error("pass {pass} writes the caller's input; write to a slot of the plan instead")]
    WritesTheInput {
        /// The pass, counted from 1.
        pass: usize,
    },
    /// A storage binding of a texture.
    #[error("pass {pass} binds {slot} as a buffer, but it is a texture; use a slot with Layout::buffer")]
    BindsATexture {
        /// The pass, counted from 1.
        pass: usize,
        /// The slot's name.
        slot: String,
    },
    /// A region, or a range of items, that exceeds the slot.
    #[error("pass {pass} draws or binds beyond the end of {slot}; make the slot larger")]
    RegionTooLarge {
        /// The pass, counted from 1.
        pass: usize,
        /// The slot's name.
        slot: String,
    },
    /// An attribute or a capture of a texture.
    #[error(
        "pass {pass} takes attributes from {slot} or captures into it, but it is a texture; use a slot with \
         Layout::buffer"
    )]
    NotABuffer {
        /// The pass, counted from 1.
        pass: usize,
        /// The slot's name.
        slot: String,
    },
    /// A render target that is a buffer.
    #[error("pass {pass} draws into {slot}, but it is a buffer; use a slot with Layout::fit")]
    NotATexture {
        /// The pass, counted from 1.
        pass: usize,
        /// The slot's name.
        slot: String,
    },
    /// A mixture of draw and capture.
    #[error("pass {pass} must either draw all its targets, or capture all of them without a fragment stage")]
    CapturesAndDraws {
        /// The pass, counted from 1.
        pass: usize,
    },
    /// An output slot that is neither written nor an input.
    #[error("no pass writes the result; finish the plan with a slot that a pass writes")]
    NoResult,
}
