//! Options that every scan has, whichever algorithm it is by: passes before and after it make them of a scan of one whole
//! stream.
//!
//! ```text
//! arrange   t[v] = (x[i], whether a scan begins at i), where i is the item that is visited as number v
//! scan      of t, by the algorithm; its operator takes no item across a beginning (Operator::segmented)
//! restore   y[i] = what the scan has at v, combined with the seed in front of it
//! ```
//!
//! Only those are added that an option asks for: a seed needs no `arrange`. An algorithm that takes an option itself says
//! so ([`Algorithm::takes`]). The passes read and write the stream once each, and between them an item of a split stream
//! has a further element for the flag.
//!
//! Source: sengupta2007, section 3, for the operator of segments.

use super::{Batch, Heads, ScanKind, ScanSpec, Segments, first};
use crate::algorithm::{Algorithm, Placement};
use crate::device::Device;
use crate::element::ElementType;
use crate::error::Error;
use crate::limits::MAX_TUPLE;
use crate::plan::{
    Access, AtMost, DispatchRecorder, DrawRecorder, ItemType, Lanes, Layout, Plan, Shader, Slot, Storage,
    Uniform,
};
use crate::scan::shader;
use crate::unsupported::Unsupported;

/// Adds the passes of a scan: those of the algorithm, and those around them.
pub(super) fn build<A: Algorithm<ScanSpec> + ?Sized>(
    spec: &ScanSpec,
    algorithm: &A,
    plan: &mut Plan,
    inputs: &[Slot],
    device: &Device,
) -> Result<Vec<Slot>, Error> {
    if spec.has_index {
        return first::build(spec, algorithm, plan, inputs, device);
    }
    if spec.has_total {
        let untotalled = ScanSpec { has_total: false, ..spec.clone() };
        let scanned = build(&untotalled, algorithm, plan, inputs, device)?[0];
        let total = total(spec, plan, inputs, scanned, device)?;
        return Ok(vec![scanned, total]);
    }
    if spec.recurrence.is_some() {
        let plain = ScanSpec { reversed: false, has_gpu_length: false, ..spec.clone() };
        if !algorithm.handles_natively(&plain, device) {
            let why = format!(
                "{} makes sums and no recurrences; use sam, reduce_then_scan or sequential",
                algorithm.name()
            );
            return Err(Unsupported::request(why).into());
        }
    }
    if spec.is_whole() || algorithm.handles_natively(spec, device) {
        return algorithm.build(plan, spec, inputs, device);
    }
    if spec.len == 0 {
        return Ok(vec![inputs[0]]);
    }
    if let (true, Some((length, others))) = (spec.has_gpu_length, inputs.split_last()) {
        let spec = ScanSpec { has_gpu_length: false, ..spec.clone() };
        return plan.indirect_tuples(*length, spec.len, spec.tuple, |plan| {
            build(&spec, algorithm, plan, others, device)
        });
    }
    let (seed, streams) = match (spec.has_seed, inputs.split_last()) {
        (true, Some((seed, streams))) => (Some(*seed), streams),
        _ => (None, inputs),
    };
    let layout = *plan.layout(inputs[0]);
    // A reversed scan needs flags in reverse, which only the passes around it make.
    let own =
        if spec.reversed && spec.segments != Segments::None { None } else { own(spec, algorithm, device) };
    if let Some(own) = own {
        let around =
            Around { spec, flags: None, split: false, columns: own.batch != spec.batch, layout, device };
        let mut streams = streams.to_vec();
        if around.moves() {
            streams[0] = around.arrange(plan, algorithm, &own, streams[0])?;
        }
        let scanned = algorithm.build(plan, &own, &streams, device)?;
        return if around.moves() || spec.has_seed {
            Ok(vec![around.restore(plan, spec.kind, scanned[0], seed)?])
        } else {
            Ok(scanned)
        };
    }
    let mut side_input = inputs[1..].iter().copied();
    let flags = match spec.segments {
        Segments::None => None,
        _ => side_input.next().map(|segments| flags_of(plan, segments, spec, device)).transpose()?,
    };
    // Flags are used up by a scan: each order needs them anew.
    let mut slot = inputs[0];
    for order in 1..=spec.order {
        let kind = if order == spec.order { spec.kind } else { ScanKind::Inclusive };
        let single = ScanSpec { operator: spec.operator.segmented(), order: 1, kind, ..spec.whole() };
        let columns = matches!(spec.batch, Batch::Columns(_));
        let around = Around { spec, flags, split: true, columns, layout, device };
        let scanned = plan.with_item(inner(spec), |plan| {
            let arranged = around.arrange(plan, algorithm, &single, slot)?;
            let scanned = algorithm.build(plan, &single, &[arranged], device)?[0];
            around.restore(plan, kind, scanned, seed)
        });
        slot = scanned?;
    }
    Ok(vec![slot])
}

/// The scan that an algorithm takes itself once items have moved: the same without a direction or a seed, or that of rows
/// for columns.
fn own<A: Algorithm<ScanSpec> + ?Sized>(spec: &ScanSpec, algorithm: &A, device: &Device) -> Option<ScanSpec> {
    let ahead = ScanSpec { reversed: false, has_seed: false, ..spec.clone() };
    let rows = match spec.batch {
        Batch::Columns(_) => ahead.rows(spec.scan_len()),
        Batch::Whole | Batch::Rows(_) => ahead.clone(),
    };
    [ahead, rows].into_iter().find(|own| own.is_whole() || algorithm.handles_natively(own, device))
}

/// The items of the passes of a scan: with flags, if the stream is split.
pub(super) fn inner(spec: &ScanSpec) -> ItemType {
    let operator = if spec.is_split() { spec.operator.segmented() } else { spec.operator.clone() };
    ItemType { element: spec.element, operator }
}

/// The invocations of a work group of these passes, and of those that transpose.
const GROUP: u32 = 256;
const SQUARE: u32 = 128;

/// Values by their names in a shader.
type Named<T> = Vec<(&'static str, T)>;

/// The passes around one scan.
struct Around<'a> {
    spec: &'a ScanSpec,
    flags: Option<Slot>,
    /// True if items get flags.
    split: bool,
    /// True if columns become rows.
    columns: bool,
    /// The layout of the stream.
    layout: Layout,
    device: &'a Device,
}

impl Around<'_> {
    /// Returns true if items move.
    fn moves(&self) -> bool {
        self.columns || self.spec.reversed
    }

    /// Rows and columns of the matrix that is transposed by work groups; `None` if each item moves on its own.
    fn transposed(&self, storage: Storage) -> Option<[u64; 2]> {
        let len = self.spec.scan_len();
        let transposes = self.columns && !self.split && storage == Storage::Buffer && len > 0;
        transposes.then(|| [len, self.spec.len / len])
    }

    /// Adds the pass before the scan; returns the slot of its items.
    fn arrange<A: Algorithm<ScanSpec> + ?Sized>(
        &self,
        plan: &mut Plan,
        algorithm: &A,
        inner: &ScanSpec,
        source: Slot,
    ) -> Result<Slot, Error> {
        let (spec, device) = (self.spec, self.device);
        let placement = algorithm.placement(inner, device)?;
        let layout = placement.layout(device, spec.element, inner.operator.arity(), spec.len)?;
        let target = plan.slot("arranged", layout);
        if let Some([rows, columns]) = self.transposed(layout.storage) {
            let pass = self.transpose(plan, "arrange", source, target, [rows, columns], None)?;
            pass.moves(layout.words(), layout.words());
            return Ok(target);
        }
        if layout.storage == Storage::Buffer {
            let pass = self.dispatch(
                plan,
                "arrange",
                shader!("scan/option_passes/arrange.comp"),
                &[source, target],
            )?;
            let pass = pass.bind("SOURCE", source, Access::Read).bind("TARGET", target, Access::Write);
            match self.flags {
                Some(flags) => pass.bind("FLAGS", flags, Access::Read),
                None => pass,
            }
            // A segment begins with the first item, whatever its flag is; another item may come first in the stream.
            .moves(self.layout.words() + self.flag_words(), layout.words())
            .at_most(AtMost::READ);
            return Ok(target);
        }
        let pass = self.draw(plan, "arrange", shader!("scan/option_passes/arrange.frag"), &layout);
        let pass = pass.define("SOURCE_ITEMS", self.layout.items_per_texel.into());
        let pass = pass.read("u_source", source).fetches("u_source", spec.len);
        match self.flags {
            Some(flags) => pass.read("u_flags", flags).fetches("u_flags", spec.len),
            None => pass,
        }
        .write(target);
        Ok(target)
    }

    /// Adds the pass after the scan; returns the slot of its results, which lie as the stream does.
    fn restore(
        &self,
        plan: &mut Plan,
        kind: ScanKind,
        scanned: Slot,
        seed: Option<Slot>,
    ) -> Result<Slot, Error> {
        let (spec, layout) = (self.spec, self.layout);
        let inner = *plan.layout(scanned);
        // A flag says where an exclusive scan has no item before.
        let flags = self.flags.filter(|_| kind == ScanKind::Exclusive);
        let exclusive = i64::from(kind == ScanKind::Exclusive);
        let combined = if seed.is_some() { spec.len } else { 0 };
        let target = plan.slot("scanned", layout);
        if let Some([rows, columns]) = self.transposed(layout.storage) {
            let pass = self.transpose(plan, "restore", scanned, target, [columns, rows], seed)?;
            pass.moves(inner.words(), layout.words()).adds(combined, u64::from(combined > 0));
            return Ok(target);
        }
        if layout.storage == Storage::Buffer {
            let pass = self.dispatch(
                plan,
                "restore",
                shader!("scan/option_passes/restore.comp"),
                &[scanned, target],
            )?;
            let mut pass = pass
                .define("EXCLUSIVE", exclusive)
                .define("SEEDED", seed.is_some())
                .bind("SOURCE", scanned, Access::Read)
                .bind("TARGET", target, Access::Write);
            for (name, slot) in [("FLAGS", flags), ("SEED", seed)] {
                if let Some(slot) = slot {
                    pass = pass.bind(name, slot, Access::Read);
                }
            }
            let beside = if flags.is_some() { self.flag_words() } else { 0 };
            pass.moves(inner.words() + beside, layout.words()).adds(combined, u64::from(combined > 0));
            return Ok(target);
        }
        let pass = self.draw(plan, "restore", shader!("scan/option_passes/restore.frag"), &layout);
        let mut pass = pass
            .define("EXCLUSIVE", exclusive)
            .define("SEEDED", seed.is_some().into())
            .define("SOURCE_ITEMS", inner.items_per_texel.into())
            .read("u_source", scanned)
            .fetches("u_source", spec.len);
        for (name, slot) in [("u_flags", flags), ("u_seed", seed)] {
            if let Some(slot) = slot {
                pass = pass.read(name, slot).fetches(name, spec.len);
            }
        }
        pass.adds(combined, u64::from(combined > 0)).write(target);
        Ok(target)
    }

    fn flag_words(&self) -> u64 {
        if self.flags.is_some() { self.spec.len.div_ceil(32) } else { 0 }
    }

    /// The defines and uniforms that place items.
    fn places(&self) -> (Named<i64>, Named<Uniform>) {
        let spec = self.spec;
        let columns = match spec.batch {
            Batch::Columns(width) if self.columns => Some(width),
            _ => None,
        };
        let defines = vec![
            ("SPLIT", self.split.into()),
            ("FLAGGED", self.flags.is_some().into()),
            ("REVERSED", spec.reversed.into()),
            ("COLUMNS", columns.is_some().into()),
            ("TUPLE", spec.tuple.into()),
        ];
        let int = |value: u64| Uniform::Int(value as i32);
        let mut uniforms = vec![("u_len", int(spec.len)), ("u_scan_len", int(spec.scan_len()))];
        uniforms.extend(columns.map(|width| ("u_width", int(width))));
        (defines, uniforms)
    }

    /// A dispatch that transposes a matrix, a square of it by each group, through shared memory.
    fn transpose<'p>(
        &self,
        plan: &'p mut Plan,
        phase: &'static str,
        source: Slot,
        target: Slot,
        [rows, columns]: [u64; 2],
        seed: Option<Slot>,
    ) -> Result<DispatchRecorder<'p>, Unsupported> {
        check_bound(plan, &[source, target], self.device)?;
        let shared = self.device.compute.as_ref().map_or(0, |compute| compute.max_shared_memory);
        // A square of items, with an unused item in each row.
        let bytes = |side: u64| 4 * side * (side + 1) * plan.layout(source).words_per_texel() as u64;
        let side = if bytes(32) <= shared.into() { 32 } else { 16 };
        let [down, across] = [rows, columns].map(|len| len.div_ceil(side));
        let int = |value: u64| Uniform::Int(value as i32);
        let pass = plan
            .dispatch(
                phase,
                shader!("scan/option_passes/transpose.comp"),
                Lanes::Serial,
                SQUARE,
                down * across,
            )
            .define("SIDE", side as i64)
            .define("SPLIT", 0)
            .define("TUPLE", self.spec.tuple)
            .define("REVERSED", self.spec.reversed)
            .define("RESTORES", phase == "restore")
            .define("SEEDED", seed.is_some())
            .set("u_rows", int(rows))
            .set("u_columns", int(columns))
            .bind("SOURCE", source, Access::Read)
            .bind("TARGET", target, Access::Write);
        Ok(match seed {
            Some(seed) => pass.bind("SEED", seed, Access::Read),
            None => pass,
        })
    }

    fn draw<'p>(
        &self,
        plan: &'p mut Plan,
        phase: &'static str,
        shader: Shader,
        target: &Layout,
    ) -> DrawRecorder<'p> {
        let (defines, uniforms) = self.places();
        let pass = plan.draw(phase, shader).define("TARGET_ITEMS", target.items_per_texel.into());
        let pass = defines.into_iter().fold(pass, |pass, (name, value)| pass.define(name, value));
        uniforms.into_iter().fold(pass, |pass, (name, value)| pass.set(name, value))
    }

    /// A dispatch of an invocation for each item, with all of each slot bound at once.
    fn dispatch<'p>(
        &self,
        plan: &'p mut Plan,
        phase: &'static str,
        shader: Shader,
        slots: &[Slot],
    ) -> Result<DispatchRecorder<'p>, Unsupported> {
        let compute = Unsupported::unless_compute(self.device, "this scan")?;
        check_bound(plan, slots, self.device)?;
        let group = GROUP.min(compute.max_invocations);
        let (defines, uniforms) = self.places();
        let pass = plan.dispatch(phase, shader, Lanes::Serial, group, self.spec.len.div_ceil(group.into()));
        let pass = defines.into_iter().fold(pass, |pass, (name, value)| pass.define(name, value));
        Ok(uniforms.into_iter().fold(pass, |pass, (name, value)| pass.set(name, value)))
    }
}

/// Errors if a slot cannot be bound as a whole.
pub(crate) fn check_bound(plan: &Plan, slots: &[Slot], device: &Device) -> Result<(), Unsupported> {
    let compute = Unsupported::unless_compute(device, "this scan")?;
    let longest = slots.iter().map(|slot| 4 * plan.layout(*slot).words()).max().unwrap_or(0);
    if longest > compute.max_binding {
        return Err(Unsupported::too_large(format!(
            "this request binds {longest} bytes at a time to move items, and this device binds {}; use a shorter \
             stream",
            compute.max_binding
        )));
    }
    Ok(())
}

/// Adds the pass that gives the total of a scan.
pub(super) fn total(
    spec: &ScanSpec,
    plan: &mut Plan,
    inputs: &[Slot],
    scanned: Slot,
    device: &Device,
) -> Result<Slot, Error> {
    let source = inputs[0];
    let from = *plan.layout(scanned);
    let side_input = &inputs[1..];
    let seed = side_input.first().copied().filter(|_| spec.has_seed);
    let length = side_input.last().copied().filter(|_| spec.has_gpu_length);
    let exclusive = spec.kind == ScanKind::Exclusive;
    let adds = u64::from(exclusive) * u64::from(spec.tuple);
    let (arity, words) = (spec.operator.arity(), u64::from(spec.item_words() * spec.tuple));
    let defines = [("SPLIT", 0), ("FLAGGED", 0), ("REVERSED", spec.reversed.into()), ("COLUMNS", 0)]
        .into_iter()
        .chain([
            ("TUPLE", spec.tuple.into()),
            ("EXCLUSIVE", exclusive.into()),
            ("SEEDED", seed.is_some().into()),
        ]);
    if from.storage == Storage::Buffer {
        let to = Layout::in_buffer(device, spec.element, arity, spec.tuple.into())?;
        let target = plan.slot("total", to);
        let pass = plan
            .dispatch("total", shader!("scan/option_passes/total.comp"), Lanes::Serial, MAX_TUPLE, 1)
            .set("u_len", Uniform::Int(spec.len as i32))
            .bind("SCANNED", scanned, Access::Read)
            .bind("TOTAL", target, Access::Write);
        let pass = defines.fold(pass, |pass: DispatchRecorder<'_>, (name, value)| pass.define(name, value));
        let pass = if exclusive { pass.bind("SOURCE", source, Access::Read) } else { pass };
        let pass = seed.into_iter().fold(pass, |pass, seed| pass.bind("SEED", seed, Access::Read));
        let pass = pass.over_length(length, 0);
        pass.moves(words * (1 + u64::from(exclusive)), words).adds(adds, u64::from(exclusive));
        return Ok(target);
    }
    let to = Layout::fit(device, spec.element, arity, 1, spec.tuple.into(), spec.tuple)?;
    let target = plan.slot("total", to);
    let pass = plan
        .draw("total", shader!("scan/option_passes/total.frag"))
        .define("SOURCE_ITEMS", from.items_per_texel.into())
        .set("u_len", Uniform::Int(spec.len as i32))
        .read("u_scanned", scanned)
        .fetches("u_scanned", spec.tuple.into());
    let mut pass = defines.fold(pass, |pass: DrawRecorder<'_>, (name, value)| pass.define(name, value));
    for (name, slot) in [("u_source", exclusive.then_some(source)), ("u_seed", seed), ("u_length", length)] {
        if let Some(slot) = slot {
            pass = pass.read(name, slot).fetches(name, spec.tuple.into());
        }
    }
    let pass = if length.is_some() { pass.define("COUNTED", 1) } else { pass };
    pass.adds(adds, u64::from(exclusive)).write(target);
    Ok(target)
}

/// The places where a split scan begins anew, of a spec that an algorithm takes itself; adds the pass that makes flags of
/// offsets.
///
/// Errors: the device lacks compute shaders for that pass.
pub(super) fn heads(
    plan: &mut Plan,
    spec: &ScanSpec,
    inputs: &[Slot],
    device: &Device,
) -> Result<Heads, Error> {
    Ok(match (spec.batch, spec.segments) {
        (Batch::Rows(width), _) => Heads::Every(width),
        (Batch::Whole | Batch::Columns(_), Segments::None) => Heads::None,
        _ => Heads::Flags(flags_of(plan, inputs[1], spec, device)?),
    })
}

/// The flags of a spec's segments, from the stream that says where they begin; adds the pass that makes them of offsets or
/// keys.
///
/// Errors: as [`heads`].
pub(crate) fn flags_of(
    plan: &mut Plan,
    segments: Slot,
    spec: &ScanSpec,
    device: &Device,
) -> Result<Slot, Error> {
    match spec.segments {
        Segments::None | Segments::Flags => Ok(segments),
        Segments::Offsets(_) => flags_at(plan, segments, spec, device),
        Segments::Keys(_) => flags_of_keys(plan, segments, device),
    }
}

/// Adds the pass that sets a bit where a key differs from the one before.
fn flags_of_keys(plan: &mut Plan, keys: Slot, device: &Device) -> Result<Slot, Error> {
    let layout = *plan.layout(keys);
    let words = layout.len.div_ceil(32);
    // Each word but the first needs the key before its own.
    let read = layout.len + words.saturating_sub(1);
    if layout.storage == Storage::Buffer {
        let compute = Unsupported::unless_compute(device, "this scan")?;
        check_bound(plan, &[keys], device)?;
        let flags = plan.slot("flags", Layout::in_buffer(device, ElementType::U32, 1, words)?);
        let group = GROUP.min(compute.max_invocations);
        let groups = words.div_ceil(group.into());
        plan.dispatch("keys", shader!("scan/option_passes/keys.comp"), Lanes::Serial, group, groups)
            .define("WORDS", layout.element.words())
            .set("u_len", Uniform::Int(layout.len as i32))
            .bind("KEYS", keys, Access::Read)
            .bind("FLAGS", flags, Access::Write)
            .moves(read * u64::from(layout.element.words()), words);
        return Ok(flags);
    }
    let to = Placement::Texture { items_per_texel: 1, unit: 1 }.layout(device, ElementType::U32, 1, words)?;
    let flags = plan.slot("flags", to);
    plan.draw("keys", shader!("scan/option_passes/keys.frag"))
        .element(layout.element)
        .define("KEYS", layout.items_per_texel.into())
        .read("u_keys", keys)
        .fetches("u_keys", read)
        .at_most(AtMost::READ)
        .write(flags);
    Ok(flags)
}

/// Adds the pass that sets a bit at each offset: every word finds its own among the offsets by bisection.
fn flags_at(plan: &mut Plan, offsets: Slot, spec: &ScanSpec, device: &Device) -> Result<Slot, Error> {
    plan.note_offsets(offsets, spec.len);
    let words = spec.len.div_ceil(32);
    let count = plan.layout(offsets).len;
    let steps = u64::from(count.max(1).ilog2() + 1);
    if plan.layout(offsets).storage == Storage::Buffer {
        let layout = Layout::in_buffer(device, ElementType::U32, 1, words)?;
        let flags = plan.slot("flags", layout);
        let compute = Unsupported::unless_compute(device, "this scan")?;
        let group = GROUP.min(compute.max_invocations);
        plan.dispatch(
            "flags",
            shader!("scan/option_passes/flags.comp"),
            Lanes::Serial,
            group,
            words.div_ceil(group.into()),
        )
        .set("u_offsets", Uniform::Int(count as i32))
        .set("u_words", Uniform::Int(words as i32))
        .bind("OFFSETS", offsets, Access::Read)
        .bind("FLAGS", flags, Access::Write)
        .moves(words * steps + count, words);
        return Ok(flags);
    }
    let layout =
        Placement::Texture { items_per_texel: 1, unit: 1 }.layout(device, ElementType::U32, 1, words)?;
    let flags = plan.slot("flags", layout);
    plan.draw("flags", shader!("scan/option_passes/flags.frag"))
        .element(ElementType::U32)
        .set("u_count", Uniform::Int(count as i32))
        .read("u_offsets", offsets)
        .fetches("u_offsets", layout.texels() * steps + count)
        .write(flags);
    Ok(flags)
}
