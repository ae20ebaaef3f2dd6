//! An algorithm is a plan: plain data that says which passes run, what each reads and writes, and
//! with which uniforms. No GL here.
//!
//! [`Plan`] is recorded by an algorithm ([`crate::scan`]), printed with `Display`, and executed by
//! [`crate::Gpu::prepare`].

mod display;
mod layout;
mod pass;
mod shader;
mod slot;

pub use layout::{Layout, NARROW, Region};
pub use pass::{Command, Cost, Draw, DrawRecorder, ItemType, Pass, Uniform};
pub(crate) use shader::shader;
pub use shader::{COMMON, Expanded, Shader, expand};
pub use slot::{PingPong, Slot, SlotInfo, share_storage};

/// A recorded algorithm: its textures, its passes, and which texture holds the result.
///
/// The first slot is the input; it belongs to the caller and is only read. A plan with no passes
/// gives its input back.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    name: String,
    task: String,
    item: ItemType,
    slots: Vec<SlotInfo>,
    passes: Vec<Pass>,
    output: Slot,
}

impl Plan {
    /// An empty plan over an input of this layout. `name` is the algorithm with the parameters that
    /// it has settled on, as one would ask for it: `hybrid:reduce=8`.
    pub fn new(name: impl Into<String>, item: ItemType, input: Layout) -> Plan {
        Plan {
            name: name.into(),
            task: String::new(),
            item,
            slots: vec![SlotInfo { name: "input".into(), layout: input }],
            passes: Vec::new(),
            output: Slot(0),
        }
    }

    /// Says in words what the plan does; it is printed behind the name.
    pub fn task(self, task: impl Into<String>) -> Plan {
        Plan { task: task.into(), ..self }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn slots(&self) -> &[SlotInfo] {
        &self.slots
    }

    pub fn passes(&self) -> &[Pass] {
        &self.passes
    }

    /// The caller's stream.
    pub fn input(&self) -> Slot {
        Slot(0)
    }

    /// The slot that holds the result.
    pub fn output(&self) -> Slot {
        self.output
    }

    pub fn layout(&self, slot: Slot) -> &Layout {
        &self.slots[slot.index()].layout
    }

    /// The cost of all passes together.
    pub fn cost(&self) -> Cost {
        self.passes.iter().fold(Cost::default(), |sum, pass| sum + pass.cost)
    }

    /// Adds a texture.
    pub fn slot(&mut self, name: impl Into<String>, layout: Layout) -> Slot {
        self.slots.push(SlotInfo { name: name.into(), layout });
        Slot(self.slots.len() - 1)
    }

    /// Adds a pair of textures like `first`, which is the first source and is not written.
    pub fn ping_pong(&mut self, first: Slot) -> PingPong {
        let layout = *self.layout(first);
        let a = self.slot("ping", layout);
        let b = self.slot("pong", layout);
        PingPong::new(first, a, b)
    }

    /// Records a full-screen draw. `phase` is the step's name in the paper.
    pub fn draw(&mut self, phase: &'static str, shader: Shader) -> DrawRecorder<'_> {
        self.passes.push(Pass {
            phase,
            command: Command::Draw(Draw {
                shader,
                defines: Vec::new(),
                reads: Vec::new(),
                uniforms: Vec::new(),
                writes: Vec::new(),
                region: Region { width: 0, height: 0 },
            }),
            item: self.item,
            cost: Cost::default(),
        });
        let index = self.passes.len() - 1;
        DrawRecorder { plan: self, index }
    }

    /// Ends the recording: the result is in `slot`.
    pub fn finish(mut self, slot: Slot) -> Plan {
        self.output = slot;
        self
    }

    /// Whether every pass can be run as recorded.
    pub fn check(&self) -> Result<(), PlanError> {
        let mut written = vec![false; self.slots.len()];
        written[0] = true;
        for (index, pass) in self.passes.iter().enumerate() {
            let Command::Draw(draw) = &pass.command;
            let number = index + 1;
            let name = |slot: Slot| self.slots[slot.index()].name.clone();
            for (_, slot) in &draw.reads {
                if draw.writes.contains(slot) {
                    return Err(PlanError::ReadsItsTarget { pass: number, slot: name(*slot) });
                }
                if !written[slot.index()] {
                    return Err(PlanError::ReadsNothing { pass: number, slot: name(*slot) });
                }
            }
            if draw.writes.is_empty() {
                return Err(PlanError::NoTarget { pass: number });
            }
            for slot in &draw.writes {
                if *slot == self.input() {
                    return Err(PlanError::WritesTheInput { pass: number });
                }
                let layout = self.layout(*slot);
                if draw.region.width > layout.width || draw.region.height > layout.height {
                    return Err(PlanError::RegionTooLarge { pass: number, slot: name(*slot) });
                }
                written[slot.index()] = true;
            }
        }
        if !written[self.output.index()] {
            return Err(PlanError::NoResult);
        }
        Ok(())
    }
}

/// A mistake in the recording of a plan.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    #[error("pass {pass} reads {slot}, which it also writes")]
    ReadsItsTarget { pass: usize, slot: String },
    #[error("pass {pass} reads {slot}, which nothing has written")]
    ReadsNothing { pass: usize, slot: String },
    #[error("pass {pass} writes nothing")]
    NoTarget { pass: usize },
    #[error("pass {pass} writes the caller's input")]
    WritesTheInput { pass: usize },
    #[error("pass {pass} draws beyond the edge of {slot}")]
    RegionTooLarge { pass: usize, slot: String },
    #[error("no pass writes the result")]
    NoResult,
}
