//! Scans of linear systems ([`crate::scan::system`]): what `glsl/scan/common/linear.glsl` needs to scan all orders of a sum at once, or a recurrence. `sam` and
//! `reduce_then_scan` do it.

use std::sync::Arc;

use super::tile::{StreamWords, Tile, TileOptions, Tuples, UNROLLED};
use crate::algorithm::{Arguments, Candidates, Domain, Parameter};
use crate::device::Device;
use crate::element::ElementType;
use crate::named::named;
use crate::plan::{Access, DispatchRecorder, Lanes, Layout, Plan, Slot};
use crate::scan::system::{MOST_CARRIED, System};
use crate::scan::{Heads, ScanSpec};
use crate::unsupported::Unsupported;

/// How work groups exchange the sums of tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Exchange {
    /// Once for recurrences and where it is faster, if that is possible; else once for each order.
    #[default]
    Auto,
    /// Once for all orders. For adds of integers; recurrences have no other way.
    Once,
    /// Once for each order, as in the paper.
    Each,
}

named!(Exchange { Auto: "auto", Once: "once", Each: "each" });

impl Exchange {
    /// The parameter of an algorithm that has both.
    pub(super) const fn parameter(about: &'static str) -> Parameter {
        let domain = Domain::words(Exchange::WORDS);
        Parameter { name: "exchange", about, default: "auto", candidates: Candidates::NONE, domain }
    }

    /// The caller's choice in these arguments.
    pub(super) fn of(arguments: &Arguments) -> Exchange {
        arguments.variant("exchange", &Exchange::ALL, Exchange::name).unwrap_or_default()
    }

    /// Notes the choice as a parameter of the algorithm that is being built.
    pub(super) fn note_parameters(self, plan: &mut Plan) {
        if self != Exchange::Auto {
            plan.note_parameter("exchange", self.name());
        }
    }
}

/// Returns true if one exchange is needed: for a recurrence over one stream.
pub(super) fn handles_natively(spec: &ScanSpec) -> bool {
    spec.recurrence.is_some() && spec.is_one_stream()
}

impl System {
    /// The linear system of a scan, if one exchange is to do for it: by the caller's choice or, without one, if the scan is a
    /// recurrence or this is so `by_default`.
    ///
    /// Errors: one exchange is asked for or needed, and is not enough.
    pub fn of_one_exchange(
        choice: Exchange,
        spec: &ScanSpec,
        heads: Heads,
        by_default: impl FnOnce(&System) -> bool,
    ) -> Result<Option<System>, Unsupported> {
        let recurs = spec.recurrence.is_some();
        let once = choice != Exchange::Each;
        if !once && !recurs {
            return Ok(None);
        }
        let system = System::of(spec);
        let carried = system.as_ref().map_or(0, System::order) * spec.tuple;
        let fitting = system.filter(|_| once && heads == Heads::None && carried <= MOST_CARRIED);
        if choice == Exchange::Auto && !recurs {
            return Ok(fitting.filter(by_default));
        }
        let refusal = || {
            Unsupported::request(match recurs {
                true => format!(
                    "a recurrence needs exchange=once, and at most {MOST_CARRIED} coefficients times the tuple; this \
                     one has {carried}"
                ),
                false => format!(
                    "one exchange is enough for adds of integers in one stream, where the order times the tuple is at \
                     most {MOST_CARRIED}; use exchange=each"
                ),
            })
        };
        fitting.map(Some).ok_or_else(refusal)
    }

    /// The tile of a stream whose lanes have runs of whole tuples.
    ///
    /// Errors: as [`Tile::new`].
    pub fn tile(
        &self,
        options: TileOptions,
        stream: &Layout,
        tuple: u32,
        device: &Device,
    ) -> Result<Tile, Unsupported> {
        let words = StreamWords::of(stream);
        let of_rows = |vectors| {
            Tile::of_any_group(device, TileOptions { vectors, ..options }, words, 1, Tuples::Strided)
        };
        let tile = of_rows(options.vectors)?;
        // A run is of whole tuples.
        let step = (1..=tuple).find(|vectors| (vectors * tile.vector).is_multiple_of(tuple)).unwrap_or(tuple);
        if tile.lanes == Lanes::Serial {
            return of_rows(Some(
                tile.vectors.next_multiple_of(step).min(TileOptions::MOST_VECTORS / step * step),
            ));
        }
        // The tile turns in shared memory.
        let fits = |tile: &Tile| self.check_shared_memory(tile, tuple, device).is_ok();
        let most = if options.vectors.is_some() { tile.vectors } else { tile.vectors.min(8) };
        let mut vectors = most.next_multiple_of(step);
        while vectors > step && options.vectors.is_none() && !fits(&of_rows(Some(vectors))?) {
            vectors -= step;
        }
        of_rows(Some(vectors))
    }

    /// Items in a run of a tile, in tuples.
    pub fn run(tile: &Tile, tuple: u32) -> u64 {
        (tile.vectors * tile.vector / tuple).into()
    }

    /// Errors if a group needs more shared memory than there is.
    pub fn check_shared_memory(&self, tile: &Tile, tuple: u32, device: &Device) -> Result<(), Unsupported> {
        let compute = Unsupported::unless_compute(device, "this algorithm")?;
        tile.check_shared_memory(compute, self.shared_items(tile, tuple))
    }

    /// Adds the buffer that the shader reads: the coefficients of a recurrence, the powers of 0 to `group - 1` runs of
    /// `run` tuples each, and those of 0 to `chunks - 1` times `group` runs.
    pub fn powers_of(
        &self,
        plan: &mut Plan,
        element: ElementType,
        group: u32,
        run: u64,
        chunks: u32,
    ) -> Slot {
        let mut items: Vec<u64> = Vec::new();
        if let System::Recurrence(recurrence) = self {
            let [forward, feedback] = [recurrence.forward(), recurrence.feedback()];
            items.extend(forward.iter().chain(feedback).map(|coefficient| *coefficient as u64));
            // The shader multiplies as many as a state has.
            items.resize(items.len() + self.order() as usize - feedback.len(), 0);
        }
        items.extend(self.powers(run, group).chain(self.powers(run * u64::from(group), chunks)).flatten());
        let words: Arc<[u32]> = match element.words() {
            1 => items.iter().map(|item| *item as u32).collect(),
            _ => items.iter().flat_map(|item| [*item as u32, (*item >> 32) as u32]).collect(),
        };
        plan.constant("powers", Layout::buffer(element, 1, items.len() as u64), words)
    }

    /// Tells a pass of the system, for a stream of tuples.
    pub fn bind_to<'p>(&self, pass: DispatchRecorder<'p>, powers: Slot, tuple: u32) -> DispatchRecorder<'p> {
        let pass = pass
            .bind("POWERS", powers, Access::Read)
            .define("RUNS", true)
            .define("INTERLEAVED", tuple)
            .define("ORDER", self.order());
        match self {
            System::Sums(_) => pass.define("RECURS", false),
            System::Recurrence(recurrence) => {
                pass.define("RECURS", true).define("FORWARD", recurrence.forward().len() as i64)
            }
        }
    }

    /// 32-bit words of the powers that a group reads for a tile.
    pub fn words_read(&self, tile: &Tile, element: ElementType) -> u64 {
        let powers = tile.lane_count.ilog2() + 3;
        u64::from(tile.group * powers * element.words()) * self.weights()
    }

    /// Uses of the operator to scan a tile: those that move a state by an item, or by a power of A.
    pub fn adds(&self, tile: &Tile, tuple: u32) -> u64 {
        let [group, lanes, warps, tuple] = [tile.group, tile.lane_count, tile.warps(), tuple].map(u64::from);
        // Along the warps: by the lanes of the first one, or by each invocation.
        let before_warps = match warps {
            1 => 0,
            _ if lanes >= warps => lanes * u64::from(super::ceil_log2(warps)),
            _ => group * (warps - 1) / 2 + 1,
        };
        // Before a run: its warp, and its tile.
        let powers = tile.adds_of_lanes() + before_warps + 2 * group;
        (2 * u64::from(self.order()) + self.forward()) * tile.items() + powers * tuple * self.products()
    }

    /// The same to gather the states of `readers` tiles, and the one that is carried.
    pub fn adds_to_gather(&self, tile: &Tile, tuple: u32, readers: u64) -> u64 {
        let (group, tuple) = (u64::from(tile.group), u64::from(tuple));
        let batches = readers / group + 1;
        let carried = tuple * u64::from(self.order());
        let powers = readers + 1 + (batches - 1) * group;
        powers * tuple * self.products() + carried * (tile.adds_of_lanes() + u64::from(tile.warps()))
    }

    /// The longest chain of uses of the operator in a tile.
    pub fn depth(&self, tile: &Tile, tuple: u32) -> u64 {
        let powers = u64::from(super::ceil_log2(tile.lane_count.into()) + tile.warps() + 2);
        let order = u64::from(self.order());
        order * (2 * System::run(tile, tuple) + powers + 1) + powers + self.forward()
    }

    /// The same from the state before a tile to that after it, with those of `readers` tiles between.
    pub fn depth_to_gather(&self, tile: &Tile, tuple: u32, readers: u64) -> u64 {
        let batches = readers / u64::from(tile.group) + 1;
        let lanes = u64::from(super::ceil_log2(tile.lane_count.into()) + tile.warps());
        self.depth(tile, tuple) + u64::from(self.order()) * (batches + 1) + lanes
    }

    /// Forward coefficients of a recurrence, each of which takes part in a result.
    fn forward(&self) -> u64 {
        match self {
            System::Sums(_) => 0,
            System::Recurrence(recurrence) => recurrence.forward().len() as u64,
        }
    }

    /// 32-bit words of the powers that a group reads to reduce a tile: each lane reads one.
    pub fn words_to_reduce(&self, tile: &Tile, element: ElementType) -> u64 {
        let coefficients = match self {
            System::Sums(_) => 0,
            System::Recurrence(_) => self.forward() + u64::from(self.order()),
        };
        u64::from(element.words()) * (u64::from(tile.group) * self.weights() + coefficients)
    }

    /// Uses of the operator to reduce a tile: each lane moves the state of its run on to the end of the tile.
    pub fn adds_to_reduce(&self, tile: &Tile, tuple: u32) -> u64 {
        let tuple = u64::from(tuple);
        let order = u64::from(self.order());
        order * tile.items()
            + u64::from(tile.group) * tuple * self.products()
            + order * tuple * (tile.adds_of_lanes() + u64::from(tile.warps() - 1))
    }

    /// The most loop iterations in which one invocation scans a tile; as in [`Tile::iterations`], a fifth at most was left of
    /// states of up to eight items, whose loops Mesa unrolls.
    pub fn iterations(&self, tile: &Tile, tuple: u32, device: &Device) -> u64 {
        let [order, tuple, items] = [self.order(), tuple, tile.vectors * tile.vector].map(u64::from);
        let powers = u64::from(tile.lane_count.ilog2() + tile.warps() + 4);
        let products = powers * (self.weights() + tuple * self.products() + 2 * order * tuple);
        let all = items * (16 + 4 * order) + products;
        match device.unrolls_loops() {
            true if order * tuple <= 8 => all / UNROLLED,
            true => all,
            false => 4 * all,
        }
    }

    /// Items in shared memory besides a tile's own: those that are carried and gathered, and a tile that is turned.
    fn shared_items(&self, tile: &Tile, tuple: u32) -> u32 {
        let items = tile.items() as u32;
        let turned = if tile.lanes == Lanes::Serial { 0 } else { items + items / 8 };
        (3 * tile.warps() + 3) * self.order() * tuple + turned
    }

    /// Weights of a power.
    fn weights(&self) -> u64 {
        self.one().len() as u64
    }

    /// Products of a power and a state.
    fn products(&self) -> u64 {
        let order = u64::from(self.order());
        match self {
            System::Sums(_) => order * (order + 1) / 2,
            System::Recurrence(_) => order * order,
        }
    }
}
