//! A plan: plain data that says which passes run, what each reads and writes, and with which uniforms. No GL here.
//!
//! An algorithm builds a [`Plan`] ([`crate::scan`]). `Display` prints it, and [`crate::Gpu::prepare`] gets it ready to
//! run. `Plan::check` refuses a pass that reads a slot which no earlier pass writes, binds a slot that it writes a
//! second time, or binds items past a slot's end.

mod compose;
mod dispatch;
mod dispatch_recorder;
mod display;
mod fuse;
mod indirect;
mod item;
mod lanes;
mod map;
mod moves;
mod parts;
mod pass;
mod recorder;
mod shader;
mod slot;
mod storage;
mod streams;
mod twin;

pub use crate::error::PlanError;
pub use crate::layout::{Layout, Storage};
pub use crate::texels::{PLANE, Rectangle, Region};
pub use crate::tuning::table::columns::NARROW;
pub use dispatch::{Access, Binding, Construct, Dispatch, Indirect};
pub use dispatch_recorder::DispatchRecorder;
pub use item::{ItemType, Uniform};
pub use lanes::Lanes;
pub use pass::{AtMost, Command, Cost, Draw, Pass, Primitives, Stages};
pub use recorder::DrawRecorder;
pub use shader::{Dialect, Expanded, Library, Rewrite, Shader, common_files, expand};
pub(crate) use shader::{File, Sources, expand_between, glsl_files, shader};
pub use slot::{PingPong, Slot, SlotInfo};
pub use storage::share_storage;
pub use twin::{ItemsAt, Map, MapTwin};

use std::fmt;
use std::sync::Arc;

use indirect::{Counting, Cover};

use crate::device::{Compute, Device};
use crate::element::ElementType;
use crate::unsupported::Unsupported;

/// An algorithm as data: its textures and buffers, its passes, and the slots of the results.
///
/// The first slots are the inputs; they belong to the caller and are only read. A scan has one input and one result; a
/// compaction may also read a mask, and also returns the count of kept elements. A plan without passes may return its
/// input.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    task: String,
    item: ItemType,
    /// The algorithm, and its inner algorithms.
    scopes: Vec<Scope>,
    /// The scope that new passes belong to.
    scope: usize,
    slots: Vec<SlotInfo>,
    inputs: usize,
    passes: Vec<Pass>,
    outputs: Vec<Slot>,
    /// The items that new passes cover.
    cover: Cover,
    /// Set once a slot of another plan was used.
    has_others_slot: bool,
    /// Buffers that a pass may bind: as many as every device with compute shaders does, or as the one does that it is for.
    bindings: u32,
}

/// Buffers that OpenGL ES 3.1 guarantees to bind at once.
const BINDINGS: u32 = 4;

impl Plan {
    /// An empty plan of the algorithm `name` over an input of this layout.
    pub fn new(name: impl Into<String>, item: ItemType, input: Layout) -> Plan {
        let scope = Scope { algorithm: name.into(), parameters: Vec::new(), outer: None };
        let mut plan = Plan {
            task: String::new(),
            item,
            scopes: vec![scope],
            scope: 0,
            slots: vec![SlotInfo::new("input", input)],
            inputs: 1,
            passes: Vec::new(),
            outputs: Vec::new(),
            cover: Cover::All,
            has_others_slot: false,
            bindings: BINDINGS,
        };
        plan.outputs = vec![plan.input()];
        plan
    }

    /// A further input of the caller's. To be added before any other slot.
    ///
    /// # Panics
    ///
    /// If the plan already has slots of its own.
    pub fn further_input(&mut self, name: impl Into<String>, layout: Layout) -> Slot {
        assert_eq!(self.slots.len(), self.inputs, "inputs come before all other slots");
        self.inputs += 1;
        self.slot(name, layout)
    }

    /// Describes in words what the plan does; printed after the name.
    pub fn task(self, task: impl Into<String>) -> Plan {
        Plan { task: task.into(), ..self }
    }

    /// The algorithm with the parameters that it uses, as on the command line: `hybrid:reduce=8`.
    pub fn name(&self) -> String {
        self.scopes[0].to_string()
    }

    /// The parameters that the algorithm uses, by name: those that were given and those that it has chosen for this
    /// spec and device.
    pub fn parameters(&self) -> &[(&'static str, String)] {
        &self.scopes[0].parameters
    }

    /// The algorithm, followed by its inner algorithms in the order in which they were appended.
    pub fn scopes(&self) -> &[Scope] {
        &self.scopes
    }

    /// Notes the value of a parameter that the algorithm uses. A second value for a name replaces the first.
    pub fn note_parameter(&mut self, parameter: &'static str, value: impl fmt::Display) {
        let parameters = &mut self.scopes[self.scope].parameters;
        parameters.retain(|(name, _)| *name != parameter);
        parameters.push((parameter, value.to_string()));
    }

    /// Begins a step by another algorithm; [`Self::leave`] takes the returned value and ends it.
    pub(crate) fn enter(&mut self, algorithm: &str, item: ItemType) -> Outer {
        let outer = Outer { scope: self.scope, item: std::mem::replace(&mut self.item, item) };
        self.scopes.push(Scope {
            algorithm: algorithm.into(),
            parameters: Vec::new(),
            outer: Some(self.scope),
        });
        self.scope = self.scopes.len() - 1;
        outer
    }

    /// Adds passes whose items are of another kind.
    pub(crate) fn with_item<R>(&mut self, item: ItemType, add: impl FnOnce(&mut Plan) -> R) -> R {
        let outer = std::mem::replace(&mut self.item, item);
        let added = add(self);
        self.item = outer;
        added
    }

    /// Ends a step; later passes belong to the outer algorithm.
    pub(crate) fn leave(&mut self, outer: Outer) {
        self.scope = outer.scope;
        self.item = outer.item;
    }

    /// Errors if the device cannot run the passes, for reasons that concern every algorithm: draws into textures of
    /// floats, unreliable vertex numbers, too many buffers in a pass.
    pub(crate) fn check_device(&mut self, device: &Device) -> Result<(), Unsupported> {
        self.bindings = device.compute.as_ref().map_or(BINDINGS, Compute::bindings);
        for pass in &self.passes {
            match &pass.command {
                Command::Draw(draw) => {
                    draw.check_vertices(device)?;
                    let float = |slot: &Slot| {
                        let layout = self.layout(*slot);
                        layout.storage == Storage::Texture && layout.element.is_float()
                    };
                    if !device.float_targets && draw.writes.iter().any(float) {
                        let lacks = "this device cannot render to floats (it lacks EXT_color_buffer_float); \
                                     choose an integer type, or an algorithm over buffers";
                        return Err(Unsupported::feature(lacks));
                    }
                }
                Command::Dispatch(dispatch) => dispatch.check_bindings(device)?,
            }
        }
        Ok(())
    }

    /// The element and the operator of all passes that do not set their own.
    pub fn item(&self) -> &ItemType {
        &self.item
    }

    /// All textures and buffers, the inputs first.
    pub fn slots(&self) -> &[SlotInfo] {
        &self.slots
    }

    /// The passes, in the order in which they run.
    pub fn passes(&self) -> &[Pass] {
        &self.passes
    }

    /// The caller's stream; the first one if the plan reads several.
    pub fn input(&self) -> Slot {
        self.nth_slot(0)
    }

    /// All of the caller's streams.
    pub fn inputs(&self) -> impl ExactSizeIterator<Item = Slot> + use<> {
        let slots: Vec<Slot> = (0..self.inputs).map(|index| self.nth_slot(index)).collect();
        slots.into_iter()
    }

    /// Returns true if a slot is one of the caller's streams.
    pub fn is_input(&self, slot: Slot) -> bool {
        self.own(slot).is_ok() && slot.index() < self.inputs
    }

    /// The slot that holds the result; the first one if there are several.
    pub fn output(&self) -> Slot {
        self.outputs[0]
    }

    /// All slots that hold a result. Their names say what they hold.
    pub fn outputs(&self) -> &[Slot] {
        &self.outputs
    }

    /// The layout of a slot.
    ///
    /// # Panics
    ///
    /// If it is a slot of another plan.
    pub fn layout(&self, slot: Slot) -> &Layout {
        assert!(self.own(slot).is_ok(), "{}", PlanError::OtherPlan);
        &self.slots[slot.index()].layout
    }

    /// The bytes of GPU memory that the prepared plan takes, besides its inputs: textures and buffers that live at different
    /// times share them. Drivers may round up.
    pub fn bytes(&self) -> u64 {
        let storage = share_storage(self);
        let count = storage.iter().flatten().max().map_or(0, |last| last + 1);
        let of = |number: usize| {
            let slot = storage.iter().position(|piece| *piece == Some(number));
            slot.map_or(0, |slot| self.slots[slot].layout.bytes())
        };
        (0..count).map(of).sum()
    }

    /// The cost of all passes.
    pub fn cost(&self) -> Cost {
        self.passes.iter().fold(Cost::default(), |sum, pass| sum + pass.cost)
    }

    /// Adds a texture or a buffer.
    pub fn slot(&mut self, name: impl Into<String>, layout: Layout) -> Slot {
        self.slots.push(SlotInfo::new(name, layout));
        self.nth_slot(self.slots.len() - 1)
    }

    /// Adds a texture or a buffer whose words are bits, which pictures show in hexadecimal.
    pub fn slot_of_bits(&mut self, name: impl Into<String>, layout: Layout) -> Slot {
        let slot = self.slot(name, layout);
        self.slots[slot.index()].bits = true;
        slot
    }

    /// Gives a slot another name, by which listings, recordings and [`Outputs::get`](crate::Outputs::get) know it.
    pub fn rename(&mut self, slot: Slot, name: impl Into<String>) {
        match self.own(slot) {
            Ok(slot) => self.slots[slot.index()].name = name.into(),
            Err(_) => self.has_others_slot = true,
        }
    }

    /// Adds a buffer of `items` u32, all zero. Every run must leave it all zero again, so a counter needs no pass that
    /// clears it.
    pub fn zeroed(&mut self, name: impl Into<String>, items: u64) -> Slot {
        let slot = self.slot(name, Layout::buffer(ElementType::U32, 1, items));
        self.slots[slot.index()].zeroed = true;
        slot
    }

    /// Adds a buffer with these words, which no pass may write.
    ///
    /// # Panics
    ///
    /// If there are not as many words as the layout has.
    pub fn constant(&mut self, name: impl Into<String>, layout: Layout, words: Arc<[u32]>) -> Slot {
        assert_eq!(words.len() as u64, layout.words(), "the words are those of the layout");
        let slot = self.slot(name, layout);
        self.slots[slot.index()].content = Some(words);
        slot
    }

    /// Adds a pair of textures like `first`, which is the first source and is not written.
    pub fn ping_pong(&mut self, first: Slot) -> PingPong {
        let first = self.own_or_noted(first);
        let layout = *self.layout(first);
        let a = self.slot("ping", layout);
        let b = self.slot("pong", layout);
        PingPong::new(first, a, b)
    }

    /// Adds a draw over the rows of its targets: all of them, by one triangle over the screen; or, in [`Self::indirect`], those
    /// that count, by a rectangle. `phase` is the step's name in the paper.
    pub fn draw(&mut self, phase: &'static str, fragment: Shader) -> DrawRecorder<'_> {
        let cover = self.cover;
        let (primitives, vertex) = cover.rows();
        let pass = self.primitives(phase, primitives, vertex, Some(fragment));
        match cover {
            Cover::All => pass,
            Cover::Counted(Counting { capacity, .. }) => {
                pass.set("u_capacity", Uniform::Int(capacity as i32)).knows_length().fetches("u_length", 4)
            }
        }
    }

    /// Adds a draw of vertices that the vertex stage places: a rectangle, points, lines, triangles. If its shaders ask how
    /// many items count, call [`DrawRecorder::knows_length`].
    pub fn draw_vertices(
        &mut self,
        phase: &'static str,
        primitives: Primitives,
        vertex: Shader,
        fragment: Shader,
    ) -> DrawRecorder<'_> {
        self.primitives(phase, primitives, vertex, Some(fragment))
    }

    /// Adds a capture: `primitives` go through the vertex stage, and its output, or the points that a geometry stage
    /// makes of it, goes into buffers.
    pub fn capture(
        &mut self,
        phase: &'static str,
        primitives: Primitives,
        vertex: Shader,
    ) -> DrawRecorder<'_> {
        self.primitives(phase, primitives, vertex, None)
    }

    fn primitives(
        &mut self,
        phase: &'static str,
        primitives: Primitives,
        vertex: Shader,
        fragment: Option<Shader>,
    ) -> DrawRecorder<'_> {
        self.passes.push(Pass {
            phase,
            command: Command::Draw(Draw {
                primitives,
                stages: Stages { vertex, geometry: None, fragment },
                defines: Vec::new(),
                reads: Vec::new(),
                attributes: Vec::new(),
                uniforms: Vec::new(),
                writes: Vec::new(),
                captured: Vec::new(),
                region: Region { width: 0, height: 0 },
            }),
            item: self.item.clone(),
            scope: self.scope,
            cost: Cost::default(),
            at_most: AtMost::default(),
            fused: None,
        });
        let index = self.passes.len() - 1;
        DrawRecorder { plan: self, index }.count_vertices()
    }

    /// Completes the plan: the result is in `slot`.
    pub fn finish(self, slot: Slot) -> Plan {
        self.finish_with(vec![slot])
    }

    /// Completes the plan: the results are in `slots`.
    ///
    /// # Panics
    ///
    /// If `slots` is empty.
    pub fn finish_with(mut self, slots: Vec<Slot>) -> Plan {
        assert!(!slots.is_empty(), "a plan has a result");
        self.outputs = slots.into_iter().map(|slot| self.own_or_noted(slot)).collect();
        self.offer_streams();
        self.fuse();
        self
    }

    /// The same plan with other shaders: `change` maps each stage of each pass. For experiments with the sources of an
    /// algorithm, and for tests that break them.
    pub fn with_shaders(self, change: impl Fn(&Shader) -> Shader) -> Plan {
        self.with_shaders_of(|_| true, change)
    }

    /// The same plan with other shaders in some passes.
    pub(crate) fn with_shaders_of(
        mut self,
        changes: impl Fn(&Pass) -> bool,
        change: impl Fn(&Shader) -> Shader,
    ) -> Plan {
        let passes = self.passes.iter_mut().filter(|pass| changes(pass));
        passes.for_each(|pass| pass.change_shaders(&change));
        self
    }

    /// Errors if a pass cannot run as it stands.
    pub fn check(&self) -> Result<(), PlanError> {
        if self.has_others_slot {
            return Err(PlanError::OtherPlan);
        }
        // A slot without items need not be written.
        let mut written: Vec<bool> = self
            .slots
            .iter()
            .map(|slot| slot.layout.len == 0 || slot.zeroed || slot.content.is_some())
            .collect();
        written[..self.inputs].fill(true);
        for (index, pass) in self.passes.iter().enumerate() {
            let draw = match &pass.command {
                Command::Draw(draw) => draw,
                Command::Dispatch(dispatch) => {
                    self.check_dispatch(index + 1, dispatch, &written)?;
                    pass.writes().iter().for_each(|slot| written[slot.index()] = true);
                    continue;
                }
            };
            let number = index + 1;
            let name = |slot: Slot| self.slots[slot.index()].name.clone();
            for slot in pass.reads() {
                if draw.writes.contains(&slot) {
                    return Err(PlanError::ReadsItsTarget { pass: number, slot: name(slot) });
                }
                if !written[slot.index()] {
                    return Err(PlanError::ReadsNothing { pass: number, slot: name(slot) });
                }
            }
            let texture = |slot: &Slot| self.layout(*slot).storage == Storage::Texture;
            if let Some(slot) = draw.attributes.iter().find(|slot| texture(slot)) {
                return Err(PlanError::NotABuffer { pass: number, slot: name(*slot) });
            }
            if draw.writes.is_empty() {
                return Err(PlanError::NoTarget { pass: number });
            }
            let captures = draw.stages.fragment.is_none();
            if draw.captured.len() != if captures { draw.writes.len() } else { 0 } {
                return Err(PlanError::CapturesAndDraws { pass: number });
            }
            for slot in &draw.writes {
                if self.is_input(*slot) {
                    return Err(PlanError::WritesTheInput { pass: number });
                }
                match (captures, texture(slot)) {
                    (true, true) => return Err(PlanError::NotABuffer { pass: number, slot: name(*slot) }),
                    (false, false) => return Err(PlanError::NotATexture { pass: number, slot: name(*slot) }),
                    _ => {}
                }
                let layout = self.layout(*slot);
                if draw.region.width > layout.width || draw.region.height > layout.height {
                    return Err(PlanError::RegionTooLarge { pass: number, slot: name(*slot) });
                }
                written[slot.index()] = true;
            }
        }
        if !self.outputs.iter().all(|slot| written[slot.index()]) {
            return Err(PlanError::NoResult);
        }
        Ok(())
    }

    fn check_dispatch(&self, pass: usize, dispatch: &Dispatch, written: &[bool]) -> Result<(), PlanError> {
        let mut writes = false;
        for Binding { slot, access, items, .. } in &dispatch.bindings {
            let name = || self.slots[slot.index()].name.clone();
            let others = dispatch.bindings.iter().filter(|other| other.slot == *slot).count();
            if *access != Access::Read {
                writes = true;
                if others > 1 {
                    return Err(PlanError::ReadsItsTarget { pass, slot: name() });
                }
                if self.is_input(*slot) {
                    return Err(PlanError::WritesTheInput { pass });
                }
            }
            if *access != Access::Write && !written[slot.index()] {
                return Err(PlanError::ReadsNothing { pass, slot: name() });
            }
            let layout = self.layout(*slot);
            if layout.storage == Storage::Texture {
                return Err(PlanError::BindsATexture { pass, slot: name() });
            }
            if items.end > layout.len {
                return Err(PlanError::RegionTooLarge { pass, slot: name() });
            }
        }
        if writes { Ok(()) } else { Err(PlanError::NoTarget { pass }) }
    }
}

/// An algorithm in a plan: the plan's own, or a step of another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scope {
    /// The name on the command line.
    pub algorithm: String,
    /// The parameters that it uses, by name.
    pub parameters: Vec<(&'static str, String)>,
    /// The index of the scope that this one is a step of; `None` for the whole plan.
    pub outer: Option<usize>,
}

impl Scope {
    /// The text as a parameter's value of another algorithm, where `+` replaces the comma: `look_back:group=8+vectors=1`.
    pub fn as_argument(&self) -> String {
        self.to_string().replace(',', "+")
    }
}

impl fmt::Display for Scope {
    /// As on the command line: `hybrid:reduce=8`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.algorithm)?;
        for (index, (name, value)) in self.parameters.iter().enumerate() {
            write!(f, "{}{name}={value}", if index == 0 { ":" } else { "," })?;
        }
        Ok(())
    }
}

/// The scope and item that a step by another algorithm interrupts.
pub(crate) struct Outer {
    scope: usize,
    item: ItemType,
}
