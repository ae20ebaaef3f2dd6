//! Linear systems: all orders of a sum, or a recurrence, with one reduction and one scan.
//!
//! ```text
//! for each tile in parallel                              reduce
//!   states[tile] = the state that the tile makes of zeros
//! scan states, in the same manner: A^tile takes the place of A
//! for each tile in parallel                              scan
//!   scan the tile, beginning with states[tile - 1]
//! ```
//!
//! About 3n words at every order, and no group waits for another, as they do in `sam`.

use super::ReduceThenScan;
use crate::device::Device;
use crate::plan::{Access, AtMost, DispatchRecorder, Lanes, Layout, Plan, Shader, Slot};
use crate::scan::compute::tile::{BoundPart, Tile, TileOptions};
use crate::scan::system::System;
use crate::scan::{ScanKind, ScanSpec, shader};
use crate::tuning::table::one_exchange::{GROUP, VECTORS};
use crate::unsupported::Unsupported;

/// A stream of items, or one of states, that a system goes over.
struct Level<'s> {
    of: Linear<'s>,
    tile: Tile,
    parts: Vec<BoundPart>,
    tiles: u64,
    /// Tuples of the whole stream in what a lane has.
    run: u64,
    /// Whether what it goes over are states.
    of_states: bool,
    powers: Slot,
}

/// The parts common to all levels of a scan.
#[derive(Clone, Copy)]
struct Linear<'s> {
    system: &'s System,
    /// Interleaved streams.
    tuple: u32,
    /// The tile of states: one for each invocation.
    of_states: Tile,
}

impl ReduceThenScan {
    /// Adds a scan of a linear system over interleaved streams.
    pub(super) fn system(
        &self,
        plan: &mut Plan,
        spec: &ScanSpec,
        source: Slot,
        system: &System,
        device: &Device,
    ) -> Result<Slot, Unsupported> {
        let (layout, tuple) = (*plan.layout(source), spec.tuple);
        let (tile, of_states) = self.tiles(system, &layout, tuple, device)?;
        let run = System::run(&tile, tuple);
        let of = Linear { system, tuple, of_states };
        let level = Level::new(plan, &layout, of, tile, run, false, device)?;
        level.scan(plan, source, spec.kind, device)
    }

    /// The tile of the stream, and the one of states.
    ///
    /// Errors: as [`Tile::new`], and if one needs more shared memory than there is.
    pub(super) fn tiles(
        &self,
        system: &System,
        stream: &Layout,
        tuple: u32,
        device: &Device,
    ) -> Result<(Tile, Tile), Unsupported> {
        let mut options = self.tile;
        if options.lanes.unwrap_or(Lanes::best(device)) != Lanes::Serial {
            options.group.get_or_insert(GROUP);
            options.vectors.get_or_insert(VECTORS);
        }
        let tile = system.tile(options, stream, tuple, device)?;
        let of_group = |group| {
            let options = TileOptions { lanes: Some(tile.lanes), group, vectors: Some(1) };
            let of_states = options.whole(device, stream.element.words(), 1)?;
            Ok(of_states.with_items_of_lanes(system.order() * tuple))
        };
        let fits = |tile: &Tile| system.check_shared_memory(tile, tuple, device);
        let mut of_states = of_group(self.tile.group)?;
        while self.tile.group.is_none() && of_states.group > tile.group && fits(&of_states).is_err() {
            of_states = of_group(Some(of_states.group / 2))?;
        }
        fits(&tile).and(fits(&of_states))?;
        Ok((tile, of_states))
    }
}

impl<'s> Level<'s> {
    fn new(
        plan: &mut Plan,
        stream: &Layout,
        of: Linear<'s>,
        tile: Tile,
        run: u64,
        of_states: bool,
        device: &Device,
    ) -> Result<Level<'s>, Unsupported> {
        let parts = tile.parts(stream, device)?;
        let tiles = tile.count(stream.len);
        let powers = of.system.powers_of(plan, stream.element, tile.group, run, 0);
        Ok(Level { of, tile, parts, tiles, run, of_states, powers })
    }

    /// The level of this one's states.
    fn states(&self, plan: &mut Plan, states: &Layout, device: &Device) -> Result<Level<'s>, Unsupported> {
        let run = self.run * u64::from(self.tile.group);
        Level::new(plan, states, self.of, self.of.of_states, run, true, device)
    }

    /// Items in a state.
    fn carried(&self) -> u32 {
        self.of.system.order() * self.of.tuple
    }

    fn scan(
        &self,
        plan: &mut Plan,
        source: Slot,
        kind: ScanKind,
        device: &Device,
    ) -> Result<Slot, Unsupported> {
        let layout = *plan.layout(source);
        // A single tile has nothing before it, and reads no states.
        let states = if self.tiles > 1 {
            let states = self.reduce(plan, source);
            let of_states = *plan.layout(states);
            let upper = self.states(plan, &of_states, device)?;
            upper.scan(plan, states, ScanKind::Inclusive, device)?
        } else {
            source
        };
        let target = plan.slot(if self.of_states { "scanned states" } else { "scanned" }, layout);
        let state_words = u64::from(self.carried() * layout.element.words());
        for part in &self.parts {
            let shader = shader!(
                "scan/reduce_then_scan/linear_scan.comp",
                "scan/reduce_then_scan/states.glsl",
                "scan/common/linear.glsl"
            );
            self.dispatch(plan, "scan", shader, part)
                .bind_loads("SOURCE", source, part.items.clone(), self.tile.load())
                .bind("SUMS", states, Access::Read)
                .bind_part("TARGET", target, Access::Write, part.items.clone())
                .define("EXCLUSIVE", kind == ScanKind::Exclusive)
                .moves(
                    part.words
                        + part.tiles * self.of.system.words_read(&self.tile, layout.element)
                        + part.tiles_after_the_first() * state_words,
                    part.words,
                )
                .adds(
                    part.tiles * self.of.system.adds(&self.tile, self.of.tuple),
                    self.of.system.depth(&self.tile, self.of.tuple),
                )
                .at_most(AtMost::READ | AtMost::ADDS);
        }
        Ok(target)
    }

    /// Adds the pass for the states that tiles make of zeros.
    fn reduce(&self, plan: &mut Plan, source: Slot) -> Slot {
        let element = plan.layout(source).element;
        let carried = u64::from(self.carried());
        let states = plan.slot("tile states", Layout::buffer(element, 1, self.tiles * carried));
        for part in &self.parts {
            let shader = shader!(
                "scan/reduce_then_scan/linear_reduce.comp",
                "scan/reduce_then_scan/states.glsl",
                "scan/common/linear.glsl"
            );
            self.dispatch(plan, "reduce", shader, part)
                .bind_loads("SOURCE", source, part.items.clone(), self.tile.load())
                .bind("SUMS", states, Access::Write)
                // No result is written here.
                .define("EXCLUSIVE", false)
                .moves(
                    part.words + part.tiles * self.of.system.words_to_reduce(&self.tile, element),
                    part.tiles * carried * u64::from(element.words()),
                )
                .adds(
                    part.tiles * self.of.system.adds_to_reduce(&self.tile, self.of.tuple),
                    self.of.system.depth(&self.tile, self.of.tuple),
                )
                .at_most(AtMost::READ | AtMost::ADDS);
        }
        states
    }

    fn dispatch<'p>(
        &self,
        plan: &'p mut Plan,
        phase: &'static str,
        shader: Shader,
        part: &BoundPart,
    ) -> DispatchRecorder<'p> {
        let pass = self.tile.dispatch(plan, phase, shader, part).define("OF_STATES", self.of_states);
        self.of.system.bind_to(pass, self.powers, self.of.tuple)
    }
}
