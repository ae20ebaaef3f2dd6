//! The engine: runs the passes of a plan with kernels.

use std::cell::OnceCell;
use std::rc::Rc;

use rasterscan::plan::{Cost, Pass, Plan, Slot};
use rasterscan::trace::{Reader, Reads, Recorded, Step, Trace, Write};
use rasterscan::{Unsupported, tools::Numbers};

use crate::call::{Call, no_twin};
use crate::draw;
use crate::group::{Group, Paused};
use crate::machine::{Log, Machine};
use crate::memory::Memory;
use crate::operands::Operands;
use crate::schedule::{Schedule, Watch};
use crate::{Error, Kernel, MOST_WORDS, Operation, Terms};

/// A plan with its memory, ready to run. What passes leave in it stays for the next run, as with
/// [`rasterscan::Prepared`].
#[derive(Debug)]
pub struct Engine {
    plan: Plan,
    machine: Machine,
    operations: Vec<Rc<Operation>>,
    /// Runs since passes for the first of many were run.
    run: u32,
    /// How many such runs there are.
    runs: u32,
    own: Vec<(&'static str, Kernel)>,
}

/// A pass that was run: what it wrote, and what it did.
#[derive(Debug)]
pub struct Ran {
    /// The pass, the content of its targets and, of a recorded run, all its reads.
    pub step: Step,
    /// Its cost, counted as the plan states it ([`Pass::cost`]).
    pub cost: Cost,
}

impl Engine {
    /// Prepares a plan.
    ///
    /// Errors: [`Error::Plan`]; [`Error::Unsupported`] if a shader has no kernel, such as a caller's own, or an operator has
    /// no twin.
    pub fn new(plan: &Plan) -> Result<Engine, Error> {
        Engine::with(plan, &[])
    }

    /// Prepares a plan with shaders of the caller's, whose kernels these are, by the paths of the shaders.
    ///
    /// Errors: as [`Self::new`].
    pub fn with(plan: &Plan, own: &[(&'static str, Kernel)]) -> Result<Engine, Error> {
        plan.check()?;
        // A kernel reads what a plan binds: maps run in passes of their own.
        let plan = &plan.unfused();
        let item_words =
            |slot: &rasterscan::plan::SlotInfo| slot.layout.words_per_texel() / slot.layout.items_per_texel;
        if let Some(slot) = plan.slots().iter().find(|slot| item_words(slot) as usize > MOST_WORDS) {
            let (name, words) = (&slot.name, item_words(slot));
            let reason = format!(
                "items of {name} have {words} words, and kernels take at most {MOST_WORDS}; run it on a device with a driver"
            );
            return Err(Unsupported::too_large(reason).into());
        }
        let mut operations: Vec<Rc<Operation>> = Vec::new();
        for (number, pass) in plan.passes().iter().enumerate() {
            Call::of(plan, number, own)?;
            let operation = Operation::new(&pass.item).ok_or_else(|| {
                no_twin(&format!("the operator {}, of pass {}", pass.item.operator, number + 1), "twin")
            })?;
            operations.push(operation.into());
        }
        let mut memory: Vec<Memory> = plan.slots().iter().map(|slot| Memory::new(slot.layout)).collect();
        for (memory, slot) in memory.iter_mut().zip(plan.slots()) {
            if let Some(content) = &slot.content {
                memory.fill(content);
            }
        }
        let operation = match operations.first() {
            Some(operation) => Rc::clone(operation),
            None => Operation::new(plan.item()).ok_or_else(|| no_twin("the operator", "twin"))?.into(),
        };
        let machine = Machine {
            memory,
            operation,
            log: Log::default(),
            watch: Watch::default(),
            fault: OnceCell::new(),
            moves: None,
        };
        let runs = plan.passes().iter().filter_map(Pass::first_of_runs).min().unwrap_or(1);
        Ok(Engine { plan: plan.clone(), machine, operations, run: 0, runs, own: own.to_vec() })
    }

    /// The plan.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Fills the inputs, in the order of [`Plan::inputs`].
    ///
    /// Errors: [`Error::Length`].
    pub fn upload(&mut self, inputs: &[&Numbers]) -> Result<(), Error> {
        let slots = self.plan.inputs();
        if slots.len() != inputs.len() {
            let what = "the list of streams".into();
            return Err(Error::Length { what, got: inputs.len(), expected: slots.len() });
        }
        for (slot, numbers) in slots.zip(inputs) {
            let (got, expected) = (numbers.element(), self.plan.layout(slot).element);
            if got != expected {
                return Err(rasterscan::Error::ElementMismatch { what: "the stream", got, expected }.into());
            }
            self.set(slot, numbers.words())?;
        }
        Ok(())
    }

    /// Fills a slot with the words of its items, such as those that another engine left.
    ///
    /// Errors: [`Error::Length`].
    pub fn set(&mut self, slot: Slot, words: &[u32]) -> Result<(), Error> {
        let expected = self.plan.slots()[slot.index()].layout.words() as usize;
        if words.len() != expected {
            let what = self.plan.slots()[slot.index()].name.clone();
            return Err(Error::Length { what, got: words.len(), expected });
        }
        self.machine.memory[slot.index()].fill(words);
        Ok(())
    }

    /// Fills what lies past the ends of buffers with a word: what depends on it is undefined.
    pub fn fill_padding(&mut self, word: u32) {
        self.machine.memory.iter_mut().for_each(|memory| memory.fill_padding(word));
    }

    /// Sets what tiles of single passes find of each other, from the next pass on. A replay is of one pass, and of one run.
    pub fn set_schedule(&mut self, schedule: Schedule) {
        self.machine.watch.set(schedule);
    }

    /// Moves one read of the pass that is run next, by its number from 0, to a neighbour's place: for tests that must notice.
    #[doc(hidden)]
    pub fn move_read(&mut self, number: u64) {
        self.machine.moves = Some(number);
    }

    /// The content of a slot.
    pub fn get(&self, slot: Slot) -> Numbers {
        let memory = &self.machine.memory[slot.index()];
        Numbers::of_bytes(memory.layout.element, bytemuck::cast_slice(&memory.items()))
    }

    /// Runs all passes.
    ///
    /// Errors: [`Error::Fault`], [`Error::NoName`].
    pub fn run(&mut self) -> Result<(), Error> {
        let run = self.run;
        for number in 0..self.plan.passes().len() {
            if run == 0 || self.plan.passes()[number].first_of_runs().is_none() {
                // After a fault, states are as they happened to be: the next run clears them.
                self.issue(number, run, Log::default()).inspect_err(|_| self.run = 0)?;
            }
        }
        self.run = (run + 1) % self.runs;
        Ok(())
    }

    /// Lets the next run be a first one, with the passes that are for the first of many.
    pub fn restart(&mut self) {
        self.run = 0;
    }

    /// Runs all passes as in a first run, and records what each reads and writes.
    ///
    /// Errors: as [`Self::run`].
    pub fn record(&mut self) -> Result<Trace, Error> {
        let inputs: Vec<Write> = self.plan.inputs().map(|slot| self.write(slot)).collect();
        let passes = 0..self.plan.passes().len();
        let steps = passes.map(|number| Ok(self.step(number)?.step)).collect::<Result<_, Error>>()?;
        Ok(Trace { plan: self.plan.clone(), inputs, steps })
    }

    /// Runs one pass, as in a first run, and records it.
    ///
    /// Errors: as [`Self::run`].
    pub fn step(&mut self, number: usize) -> Result<Ran, Error> {
        self.step_with(number, None)
    }

    fn step_with(&mut self, number: usize, operands: Option<Operands>) -> Result<Ran, Error> {
        self.run = 0;
        let log = Log { lists: true, counts_reads: true, operands, ..Log::default() };
        let recorded = self.issue(number, 0, log)?;
        let pass = self.plan.passes()[number].clone();
        let writes = pass.writes().into_iter().map(|slot| self.write(slot)).collect();
        Ok(Ran { step: Step { pass, writes, recorded }, cost: self.machine.log.counts })
    }

    /// Runs one pass, as in a first run, and counts what it costs.
    ///
    /// Errors: as [`Self::run`].
    pub fn cost(&mut self, number: usize) -> Result<Cost, Error> {
        self.run = 0;
        self.issue(number, 0, Log { counts_reads: true, ..Log::default() })?;
        Ok(self.machine.log.counts)
    }

    /// Runs one pass, as in a first run, and records it, and what it made its items of.
    ///
    /// Errors: as [`Self::run`].
    pub fn operands(&mut self, number: usize) -> Result<(Ran, Operands), Error> {
        let ran = self.step_with(number, Some(Operands::default()))?;
        Ok((ran, self.machine.log.operands.take().unwrap_or_default()))
    }

    fn write(&self, slot: Slot) -> Write {
        let words = self.machine.memory[slot.index()].items();
        Write::new(slot, *self.plan.layout(slot), bytemuck::cast_slice(&words).to_vec())
    }

    fn issue(&mut self, number: usize, run: u32, log: Log) -> Result<Recorded, Error> {
        self.machine.operation = Rc::clone(&self.operations[number]);
        self.machine.log = log;
        self.machine.fault = OnceCell::new();
        if number == 0 {
            self.machine.watch.clear();
        }
        let call = Call::of(&self.plan, number, &self.own)?;
        self.machine.run(&call, run)
    }
}

impl Machine {
    /// Runs a pass.
    pub(crate) fn run(&mut self, call: &Call<'_>, run: u32) -> Result<Recorded, Error> {
        let recorded = if call.invocations > 0 {
            dispatched(self, call, run)?;
            of_dispatch(call, self)
        } else {
            of_draw(call, draw::draw(self, call, run)?)
        };
        let Some((reader, fault)) = self.fault.take() else { return Ok(recorded) };
        let by = match call.invocations {
            0 => format!("texel or vertex {reader}"),
            _ => format!("invocation {reader}"),
        };
        Err(Error::Fault { pass: call.number + 1, shader: call.path().into(), by, fault })
    }
}

fn of_draw(draw: &Call<'_>, drawn: draw::Drawn) -> Recorded {
    let mut recorded = Recorded { drawn: drawn.primitives, ..Recorded::default() };
    if let Some(fragments) = drawn.fragments {
        let written: Vec<bool> = fragments.iter().map(Option::is_some).collect();
        recorded.written = vec![Some(written); draw.writes.len()];
        recorded.reads.push(Reads::new(Reader::Texel, fragments));
    }
    if let Some(vertices) = drawn.vertices {
        recorded.reads.push(Reads::new(Reader::Vertex, vertices));
    }
    // A pass that reads nothing has no reads to show.
    recorded.reads.retain(|reads| reads.total() > 0);
    recorded
}

fn dispatched(machine: &mut Machine, dispatch: &Call<'_>, run: u32) -> Result<(), Error> {
    let operation = machine.operation();
    let Some((path, Kernel::Group(bind))) = dispatch.stages.first() else {
        return Err(no_twin(&format!("pass {}", dispatch.number + 1), "kernel"));
    };
    let kernel = bind(&Terms::new(dispatch, path, &operation, run))?;
    let groups = match dispatch.indirect {
        None => dispatch.groups,
        Some(_) if dispatch.turns.is_some() => {
            let reason = "groups that take turns are all started, and this pass computes how many to start";
            return Err(Unsupported::request(reason).into());
        }
        Some((slot, entry)) => match machine.memory[slot].words().get(4 * entry..) {
            Some([x, y, ..]) => u64::from(*x) * u64::from(*y),
            _ => {
                machine.fail(|| "starts groups by an entry past the end of a buffer".into());
                0
            }
        },
    };
    let size = dispatch.invocations as usize;
    let invocations = dispatch.groups as usize * size;
    if machine.log.lists {
        machine.log.reads = vec![None; invocations];
        machine.log.writes = vec![None; invocations];
    }
    if let Some(turns) = dispatch.turns {
        for turn in 0..turns {
            let mut group = Group::new(machine, (turn % dispatch.groups) as i32, size);
            group.turn = turn as usize;
            kernel(&mut group);
        }
        return Ok(());
    }
    // The extra groups of a full row return at once.
    let mut order = machine.watch.order(groups.min(dispatch.groups) as usize);
    order.retain(|group| dispatch.only.is_none_or(|only| only == *group));
    let mut beginning = order.into_iter().peekable();
    let mut paused: Vec<Paused> = Vec::new();
    loop {
        let begins = beginning.peek().is_some() && (paused.is_empty() || machine.watch.begins());
        let lowest = (0..paused.len()).min_by_key(|number| paused[*number].ticket());
        let mut group = match (begins, lowest) {
            (false, Some(lowest)) => Group::resumed(machine, paused.swap_remove(lowest), size),
            _ => match beginning.next() {
                Some(index) => Group::new(machine, index as i32, size),
                None => break,
            },
        };
        kernel(&mut group);
        paused.extend(group.paused());
    }
    Ok(())
}

fn of_dispatch(dispatch: &Call<'_>, machine: &mut Machine) -> Recorded {
    if !machine.log.lists {
        return Recorded::default();
    }
    let log = &mut machine.log;
    let mut shared = std::mem::take(&mut log.shared);
    shared.sort_by_key(|access| (access.invocation, access.epoch, access.number));
    let mut states = std::mem::take(&mut log.states);
    states.sort_by_key(|state| (state.tile, state.epoch, state.number, state.invocation));
    let targets = dispatch.streams.iter().filter(|stream| stream.written);
    let written = targets.zip(0u32..).map(|(stream, number)| {
        let mut written = vec![false; stream.layout.len as usize];
        for place in log.writes.iter().flatten().flatten().filter(|place| place.of == number) {
            written[place.index as usize] = true;
        }
        Some(written)
    });
    Recorded {
        written: written.collect(),
        reads: vec![Reads::new(Reader::Invocation, std::mem::take(&mut log.reads))],
        writes: Some(Reads::new(Reader::Invocation, std::mem::take(&mut log.writes))),
        drawn: Vec::new(),
        stopped: false,
        shared,
        states,
    }
}
