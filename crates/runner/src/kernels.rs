//! The two engines, held together: each pass of a plan as OpenGL ran it, and as its kernels do from the same memory.

mod single_pass;

use std::borrow::Cow;
use std::fmt::Debug;

use rasterscan::operator::Rounding;
use rasterscan::plan::{Command, Cost, Draw, Plan, Slot};
use rasterscan::trace::{Place, Reads, Recorded, SharedAccess, StateAct, Step, Trace, Write};
use rasterscan::{
    Error, Gpu,
    tools::{Numbers, for_element},
};
use rasterscan_kernels::Engine;
use single_pass::{Known, is_single_pass};

/// The passes, words and reads that a comparison has seen.
#[derive(Debug, Default, Clone, Copy)]
pub struct Seen {
    pub passes: usize,
    pub words: usize,
    pub reads: usize,
    /// States of other tiles that OpenGL's tiles have found, and that they have missed.
    pub found: usize,
    pub missed: usize,
}

impl std::ops::AddAssign for Seen {
    fn add_assign(&mut self, other: Seen) {
        self.passes += other.passes;
        self.words += other.words;
        self.reads += other.reads;
        self.found += other.found;
        self.missed += other.missed;
    }
}

/// Runs a plan on these inputs by both engines, and compares them pass by pass. `None` if the device cannot record it.
/// `look` gets each pass with the counts of its kernels.
///
/// # Panics
///
/// At the first difference.
pub fn compare(gpu: &Gpu, plan: &Plan, inputs: &[&Numbers], look: impl FnMut(&Step, &Cost)) -> Option<Seen> {
    compare_with(gpu, plan, plan, inputs, look)
}

/// The same where OpenGL runs another form of the plan, such as one whose tiles forget to publish.
///
/// # Panics
///
/// At the first difference.
pub fn compare_with(
    gpu: &Gpu,
    plan: &Plan,
    of_gl: &Plan,
    inputs: &[&Numbers],
    look: impl FnMut(&Step, &Cost),
) -> Option<Seen> {
    let trace = match recorded(gpu, plan, of_gl, inputs) {
        Ok(trace) => trace,
        Err(Error::Unsupported(reason)) => {
            println!("not applicable: {}: {reason}", plan.name());
            return None;
        }
        Err(error) => panic!("{}: {error}\n{plan}", plan.name()),
    };
    let fail = |difference| -> ! { panic!("{}, {difference}\n{plan}", plan.name()) };
    let seen = check(plan, &trace, inputs, look).unwrap_or_else(|difference| fail(difference));
    if trace.steps.iter().any(is_single_pass) {
        let bounds = Bounds::new(plan, inputs);
        single_pass::try_schedules(plan, inputs, |engine| same_results(&trace, engine, Some(&bounds)));
    }
    Some(seen)
}

/// Compares a recording of a plan by OpenGL with what its kernels do, each pass and the whole. `look` gets each pass with
/// the counts of its kernels.
///
/// Errors: the first difference.
pub fn check(
    plan: &Plan,
    trace: &Trace,
    inputs: &[&Numbers],
    mut look: impl FnMut(&Step, &Cost),
) -> Result<Seen, String> {
    let told = |error: rasterscan_kernels::Error| error.to_string();
    let mut engine = Engine::new(plan).map_err(told)?;
    engine.upload(inputs).map_err(told)?;
    let mut seen = Seen::default();
    let mut known = [Known::new(), Known::new()];
    for (number, step) in trace.steps.iter().enumerate() {
        engine.set_schedule(single_pass::schedule(step));
        let ran = engine.step(number).map_err(told)?;
        let in_pass =
            |difference| format!("pass {} ({}): {difference}", number + 1, step.pass.main_shader().path());
        if same_step(step, &ran.step, &ran.step).is_err() {
            // Sums of a last tile may depend on what lies past the end of the stream.
            let other = with_other_padding(plan, inputs, &trace.steps[..=number]).map_err(told)?;
            same_step(step, &ran.step, &other).map_err(in_pass)?;
        }
        for (step, known) in
            [step, &ran.step].into_iter().zip(&mut known).filter(|(step, _)| is_single_pass(step))
        {
            single_pass::check_legal(step, known).map_err(in_pass)?;
        }
        look(step, &ran.cost);
        seen.passes += 1;
        seen.words += step.writes.iter().map(|write| write.bytes().len() / 4).sum::<usize>();
        seen.reads += step.recorded.reads.iter().map(|reads| reads.total() as usize).sum::<usize>();
        let acts = |act| step.recorded.states.iter().filter(|state| state.act == act).count();
        seen.found += acts(StateAct::Combined);
        seen.missed += acts(StateAct::Missing);
        leave_as(&mut engine, &ran.step, step).map_err(told)?;
    }
    let mut engine = Engine::new(plan).map_err(told)?;
    // Past the items that count, results may come from memory that the run has not written: it is the same in both. What the
    // run must write is not there before it.
    for step in trace.steps.iter().rev().filter(|step| !is_single_pass(step)) {
        for (number, write) in step.writes.iter().enumerate() {
            let slot = &plan.slots()[write.slot.index()];
            if slot.content.is_some() || slot.zeroed {
                continue;
            }
            let mut before = words(write);
            // A geometry stage captures as many items as it emits, which no recording tells.
            let emits = |draw: &Draw| draw.stages.geometry.is_some() && draw.stages.fragment.is_none();
            if matches!(&step.pass.command, Command::Draw(draw) if emits(draw)) {
                engine.set(write.slot, &before).map_err(told)?;
                continue;
            }
            let written = step.recorded.written.get(number).and_then(Option::as_deref);
            let written = written.filter(|_| records(step));
            for (texel, words) in before.chunks_mut(write.layout.words_per_texel() as usize).enumerate() {
                if written.is_none_or(|written| written.get(texel) == Some(&true)) {
                    words.fill(PADDING);
                }
            }
            engine.set(write.slot, &before).map_err(told)?;
        }
    }
    engine.upload(inputs).map_err(told)?;
    // Timing decides which sums come together first on the way to the nearest prefix.
    let bounds =
        trace.steps.iter().any(single_pass::finds_nearest_prefixes).then(|| Bounds::new(plan, inputs));
    // No result may depend on it.
    engine.fill_padding(PADDING);
    for run in 0..2 {
        engine.run().map_err(told)?;
        same_results(trace, &engine, bounds.as_ref())
            .map_err(|difference| format!("run {run}: {difference}"))?;
    }
    Ok(seen)
}

/// Lets the next pass start from what OpenGL left. Where the kernels have left the same, what they left past the last item
/// stays, too: it is in no recording.
fn leave_as(engine: &mut Engine, ran: &Step, step: &Step) -> Result<(), rasterscan_kernels::Error> {
    let differ = step.writes.iter().zip(&ran.writes).filter(|(write, own)| write.bytes() != own.bytes());
    differ.map(|(write, _)| write).try_for_each(|write| engine.set(write.slot, &words(write)))
}

/// How far apart floats may be that two runs of a plan combine in different orders: both have so many roundings of the same
/// magnitudes, as in the bounds of the library's references.
struct Bounds {
    /// Roundings on the longest way to a result; none if the operator is exact, infinitely many if they are not known.
    roundings: f64,
    /// The plan, run on magnitudes.
    magnitudes: Engine,
}

impl Bounds {
    fn new(plan: &Plan, inputs: &[&Numbers]) -> Bounds {
        let depth = plan.cost().depth as f64;
        let roundings = match plan.item().operator.rounding() {
            Rounding::Exact => 0.0,
            Rounding::Sum | Rounding::Product => depth,
            Rounding::Affine => 2.0 * depth,
            _ => f64::INFINITY,
        };
        let magnitude = |numbers: &&Numbers| match numbers.get::<f32>() {
            Ok(floats) => Numbers::of(&floats.iter().map(|x| x.abs()).collect::<Vec<_>>()),
            Err(_) => (*numbers).clone(),
        };
        let inputs: Vec<Numbers> = inputs.iter().map(magnitude).collect();
        let mut magnitudes = Engine::new(plan).unwrap();
        magnitudes.upload(&inputs.iter().collect::<Vec<_>>()).unwrap();
        magnitudes.run().unwrap();
        Bounds { roundings, magnitudes }
    }

    /// The bounds of the words of a result.
    fn of(&self, slot: Slot) -> impl Fn(usize) -> f64 + use<> {
        let magnitudes = self.magnitudes.get(slot);
        let relative = 2.0 * (self.roundings * f64::from(f32::EPSILON) / 2.0).exp_m1();
        let lost = self.roundings * VANISHES;
        move |word| relative * f64::from(f32::from_bits(magnitudes.words()[word])) + lost
    }
}

/// Floats up to this a driver may round to zero.
const VANISHES: f64 = f32::MIN_POSITIVE as f64;

/// Compares the results: floats within bounds, if there are some.
fn same_results(trace: &Trace, engine: &Engine, bounds: Option<&Bounds>) -> Result<(), String> {
    for slot in engine.plan().outputs() {
        let last = trace.steps.iter().rev().find(|step| step.writes.iter().any(|w| w.slot == *slot));
        let Some(step) = last else { continue };
        let Some(position) = step.writes.iter().position(|write| write.slot == *slot) else { continue };
        let write = &step.writes[position];
        let of = &Write::new(*slot, write.layout, bytemuck::cast_slice(engine.get(*slot).words()).to_vec());
        let written = step.recorded.written.get(position).and_then(Option::as_deref);
        match bounds {
            Some(bounds) => same_words(write, of, of, written, bounds.of(*slot))?,
            None => same_words(write, of, of, written, |_| VANISHES)?,
        }
    }
    Ok(())
}

/// For padding: a number as an integer and as a float.
const PADDING: u32 = 0x4F5A_C137;

/// The last of these passes as kernels run it, with other words past the ends of buffers.
fn with_other_padding(
    plan: &Plan,
    inputs: &[&Numbers],
    steps: &[Step],
) -> Result<Step, rasterscan_kernels::Error> {
    let Some((step, before)) = steps.split_last() else { panic!("no passes") };
    let mut engine = Engine::new(plan)?;
    engine.upload(inputs)?;
    for (number, step) in before.iter().enumerate() {
        let ran = engine.step(number)?;
        leave_as(&mut engine, &ran.step, step)?;
    }
    engine.fill_padding(PADDING);
    engine.set_schedule(single_pass::schedule(step));
    Ok(engine.step(before.len())?.step)
}

/// A recording of a plan by OpenGL, which runs `of_gl`, another form of it; with the slots of the plan.
///
/// Errors: as [`Gpu::prepare`] and [`rasterscan::Prepared::record`].
pub fn recorded(gpu: &Gpu, plan: &Plan, of_gl: &Plan, inputs: &[&Numbers]) -> Result<Trace, Error> {
    let mut prepared = gpu.prepare(of_gl)?;
    let streams = inputs.iter().enumerate().map(|(number, numbers)| {
        for_element!(numbers.element(), T => prepared.upload_input::<T>(number, numbers.get()?))
    });
    let streams = streams.collect::<Result<Vec<_>, Error>>()?;
    let mut trace = prepared.record(streams.iter().collect::<Vec<_>>())?;
    for (step, pass) in trace.steps.iter_mut().zip(plan.passes()) {
        for (write, slot) in step.writes.iter_mut().zip(pass.writes()) {
            *write = Write::new(slot, write.layout, write.bytes().to_vec());
        }
    }
    Ok(trace)
}

fn words(write: &Write) -> Vec<u32> {
    bytemuck::pod_collect_to_vec(write.bytes())
}

/// Compares what a pass left, and what it read. Where the kernels differ from `other`, values are undefined.
fn same_step(gl: &Step, kernels: &Step, other: &Step) -> Result<(), String> {
    let single = is_single_pass(gl);
    for (number, (left, right)) in gl.writes.iter().zip(&kernels.writes).enumerate() {
        // States depend on timing, unless it was recorded.
        if single && has_no_record(gl) && is_states(gl, number) {
            continue;
        }
        // A shader that records nothing writes everything.
        let mut written = gl.recorded.written.get(number).cloned().flatten().filter(|_| records(gl));
        if let (true, Some(written)) = (single && target_name(gl, number) == Some("STATES"), &mut written) {
            single_pass::leave_out_timing(gl, left, written)?;
        }
        same_words(left, right, &other.writes[number], written.as_deref(), |_| VANISHES)?;
    }
    if has_no_record(gl) {
        return Ok(());
    }
    if single {
        single_pass::same_states(gl, kernels, other)?;
    }
    let [a, b, other] = [gl, kernels, other].map(|step| match has_a_last_group(step) {
        None if single => Cow::Owned(single_pass::settled(step)),
        None => Cow::Borrowed(&step.recorded),
        Some(invocations) => Cow::Owned(over_groups(&step.recorded, invocations)),
    });
    let (a, b, other) = (&*a, &*b, &*other);
    if a.written != b.written {
        let at = a.written.iter().zip(&b.written).position(|(a, b)| a != b);
        return Err(format!("other texels or items of target {at:?} are written"));
    }
    same_lists("reads", &a.reads, &b.reads)?;
    same_lists("writes", a.writes.as_slice(), b.writes.as_slice())?;
    if a.drawn != b.drawn {
        return Err(format!("OpenGL draws {:?}, the kernels {:?}", a.drawn, b.drawn));
    }
    let key = |access: &SharedAccess| {
        ((access.invocation, access.epoch, access.array, access.address, access.written), access.words)
    };
    let keys = |recorded: &Recorded| recorded.shared.iter().map(key).collect();
    let what = "accesses to shared memory ((invocation, barriers, array, address, written), words)";
    same_accesses(what, [a, b, other].map(keys))
}

/// Compares the accesses of OpenGL and of the kernels, which are places with words. Words that are others on other
/// padding do not count.
fn same_accesses<P: Ord + Debug, W: Ord + Debug>(what: &str, of: [Vec<(P, W)>; 3]) -> Result<(), String> {
    let [a, b, other] = of.map(|mut all| {
        all.sort_unstable();
        all
    });
    let differ = |(n, (a, b)): &(usize, (&_, &_))| {
        let (x, y): (&(P, W), &(P, W)) = (a, b);
        x != y && (other.get(*n) == Some(y) || x.0 != y.0)
    };
    match a.iter().zip(&b).enumerate().find(differ) {
        Some((_, (a, b))) => Err(format!("{what}: {a:x?}, the kernels {b:x?}")),
        None if a.len() != b.len() => Err(format!("{} {what}, the kernels {}", a.len(), b.len())),
        None => Ok(()),
    }
}

/// The invocations in a group, if timing decides which group takes the last ticket and does more than others.
fn has_a_last_group(step: &Step) -> Option<usize> {
    let Command::Dispatch(dispatch) = &step.pass.command else { return None };
    let has = dispatch.bindings.iter().any(|binding| binding.name == "TICKET");
    has.then_some(dispatch.invocations as usize)
}

/// The work of all groups together, by each invocation's number in its group. Some groups pass more barriers than others
/// before the last one goes on, so these do not count.
fn over_groups(recorded: &Recorded, invocations: usize) -> Recorded {
    let together = |reads: &Reads| {
        let mut lists = vec![None::<Vec<Place>>; invocations];
        for (reader, places) in reads.iter() {
            lists[reader % invocations].get_or_insert_default().extend(places);
        }
        Reads::new(reads.by, lists)
    };
    let mut all = recorded.clone();
    all.reads = recorded.reads.iter().map(together).collect();
    all.writes = recorded.writes.as_ref().map(together);
    for access in &mut all.shared {
        (access.invocation, access.epoch) = (access.invocation % invocations as u32, 0);
    }
    all
}

/// Whether a target of a dispatch has what tiles publish or groups carry.
fn is_states(step: &Step, target: usize) -> bool {
    matches!(target_name(step, target), Some("STATES" | "CARRIES"))
}

/// The name under which a dispatch binds its target with this number.
fn target_name(step: &Step, number: usize) -> Option<&'static str> {
    let Command::Dispatch(dispatch) = &step.pass.command else { return None };
    let mut targets =
        dispatch.bindings.iter().filter(|binding| binding.access != rasterscan::plan::Access::Read);
    targets.nth(number).map(|binding| binding.name)
}

/// Whether the shader of a dispatch records what it reads and writes: that of the groups of other dispatches does not.
fn records(step: &Step) -> bool {
    step.pass.main_shader().path() != "common/groups.comp"
}

/// A device with few bindings runs a dispatch without recording it.
fn has_no_record(step: &Step) -> bool {
    matches!(step.pass.command, Command::Dispatch(_)) && step.recorded.written.is_empty()
}

/// Compares words. A pass combines the same items in the same order in both engines: its floats are equal, but for what
/// vanishes. `apart` is how far apart floats may be.
fn same_words(
    gl: &Write,
    kernels: &Write,
    other: &Write,
    written: Option<&[bool]>,
    apart: impl Fn(usize) -> f64,
) -> Result<(), String> {
    let (a, b, other) = (words(gl), words(kernels), words(other));
    if a.len() != b.len() {
        return Err(format!("{} words, the kernels {}", a.len(), b.len()));
    }
    let layout = gl.layout;
    let float = layout.element.is_float();
    let close = |word: usize, a: u32, b: u32| {
        let (x, y) = (f64::from(f32::from_bits(a)), f64::from(f32::from_bits(b)));
        a == b || float && (x == y || (x.is_nan() && y.is_nan()) || (x - y).abs() <= apart(word))
    };
    let in_texel = layout.words_per_texel() as usize;
    for (word, (a, b)) in a.iter().zip(&b).enumerate() {
        let texel = word / in_texel;
        let is_written = written.is_none_or(|written| written.get(texel) == Some(&true));
        if is_written && !close(word, *a, *b) && *b == other[word] {
            return Err(format!("word {word} (texel {texel}) is {a:#x}, the kernel says {b:#x}"));
        }
    }
    Ok(())
}

fn same_lists(what: &str, gl: &[Reads], kernels: &[Reads]) -> Result<(), String> {
    let kinds = |lists: &[Reads]| lists.iter().map(|reads| reads.by).collect::<Vec<_>>();
    if kinds(gl) != kinds(kernels) {
        return Err(format!("{what} by {:?}, the kernels' by {:?}", kinds(gl), kinds(kernels)));
    }
    for (a, b) in gl.iter().zip(kernels) {
        for reader in 0..a.len().max(b.len()) {
            let (x, y) = (a.sorted(reader), b.sorted(reader));
            if x != y {
                return Err(format!("{what} of {:?} {reader}: {x:?}, the kernel's {y:?}", a.by));
            }
        }
    }
    Ok(())
}

/// The first pass of a recording whose output differs from that of its kernels on the same inputs, in words; `None` if all
/// are right. States of single passes, which depend on timing, are left out.
///
/// # Panics
///
/// If the plan has shaders without kernels.
pub fn first_wrong(trace: &Trace) -> Option<String> {
    let mut engine =
        Engine::new(&trace.plan).unwrap_or_else(|error| panic!("{}: {error}", trace.plan.name()));
    let inputs: Vec<Numbers> =
        trace.inputs.iter().map(|write| Numbers::of_bytes(write.layout.element, write.bytes())).collect();
    let inputs: Vec<&Numbers> = inputs.iter().collect();
    engine.upload(&inputs).expect("as long as the slots");
    for (number, step) in trace.steps.iter().enumerate() {
        engine.set_schedule(single_pass::schedule(step));
        let ran = match engine.step(number) {
            Ok(ran) => ran.step,
            Err(error) => return Some(format!("{} ({}): {error}", number + 1, step.pass.phase)),
        };
        // A geometry stage captures as many items as it emits: those that are the same whatever was there before.
        let emits = |draw: &Draw| draw.stages.geometry.is_some() && draw.stages.fragment.is_none();
        let other = match &ran.pass.command {
            Command::Draw(draw) if emits(draw) => {
                for write in &step.writes {
                    engine
                        .set(write.slot, &vec![PADDING; write.bytes().len() / 4])
                        .expect("as long as the slot");
                }
                engine.step(number).expect("it ran before").step
            }
            _ => ran.clone(),
        };
        for (target, (got, right)) in step.writes.iter().zip(&ran.writes).enumerate() {
            let states = is_single_pass(step) && is_states(step, target);
            let written = ran.recorded.written.get(target).and_then(Option::as_deref);
            let differs =
                |other: &Step| same_words(got, right, &other.writes[target], written, |_| VANISHES).err();
            // Sums of a last tile may depend on what lies past the end of the stream.
            let difference = match differs(&other).filter(|_| !states) {
                Some(_) => {
                    let other = with_other_padding(&trace.plan, &inputs, &trace.steps[..=number]);
                    differs(&other.expect("it ran before"))
                }
                None => None,
            };
            if let Some(difference) = difference {
                let (phase, path) = (step.pass.phase, ran.pass.main_shader().path());
                return Some(format!(
                    "{} ({phase}, {path}): {} {difference}",
                    number + 1,
                    trace.name(got.slot)
                ));
            }
        }
        leave_as(&mut engine, &ran, step).expect("as long as the slots");
    }
    None
}
