//! The radix sort that sweeps over the keys once for each digit: each tile looks back for the counts of earlier ones.
//!
//! Source: adinets2022 (CUB); the look-back is merrill2016's. Work: about 2n words moved for each digit, n to count all
//! digits, and 8 words for each digit of a tile. Steps: one pass for each digit, two before them, and, once in many runs,
//! one that clears the states.
//! Wins: where reading the keys is expensive. On an H200 `three_pass` takes 6 to 12% less time from 2^22 to 2^26 keys.
//!
//! ```text
//! counts[p][d] = how many keys have the digit d at place p, for all p at once         count
//! starts[p] = exclusive scan of counts[p]                                             start
//! for each place p, from the lowest                                                   sort
//!   for each tile in parallel, in the order of tickets
//!     count its digits; publish the counts
//!     for each digit, look back: add the counts of earlier tiles until one has its prefix, or starts[p]
//!     publish the prefixes
//!     move each key to the prefix of its digit + the keys before it in the tile with that digit
//! ```
//!
//! Deviations from adinets2022:
//! 1. Tiles are handed out by tickets, waiting ends after a bounded number of looks, and the group that misses a tile then
//!    counts it again: as in the scan `look_back`, whose states these are.
//! 2. All digits of a group look at the same few tiles at a time, so no invocation leaves the loop before others. There each
//!    digit goes back on its own.
//! 3. A state is two words, each a half of the count beside its status, as there is no access of 64 bits. Its status tells
//!    the run and the place, so the passes of all places share the states, and none is cleared between.
//! 4. The starts of a place are the prefixes of a tile before the first one, so no pass binds them.
//! 5. On a device that binds few buffers, payloads are moved in passes of their own, which find all prefixes published.

use super::{SortTiles, Tiled};
use crate::algorithm::{Algorithm, Built, Card, Era, Need, Placement, PseudoCode};
use crate::device::Device;
use crate::element::ElementType;
use crate::error::Error;
use crate::plan::{Access, AtMost, Layout, Plan, Slot, Uniform};
use crate::scan::compute::{States, spins};
use crate::sort::{SortSpec, shader};
use crate::tuning::table::sort_tiles::{COUNTED_TILES, GROUP, ROWS, SWEEP_GROUP, SWEEP_ROWS};
use crate::unsupported::Unsupported;

pub static CARD: Card = Card {
    name: "onesweep",
    problem: &crate::sort::PROBLEM,
    era: Era::Compute,
    needs: Need::Compute,
    summary: "one pass for each digit: tiles look back for the counts of earlier ones",
    sources: &["adinets2022", "merrill2016"],
    passes: "3, of which one clears, and one for each digit, of 8 bits or with serial lanes 4; 2n words",
    work: "for each digit: 2 counts and a vote for each bit",
    parameters: SortTiles::PARAMETERS,
    variants: SortTiles::VARIANTS,
    pseudo_code: |_| vec![&LISTING],
    build: |arguments| Built::of(Onesweep { tiles: SortTiles::of(arguments) }),
};

/// The radix sort with one sweep a digit.
#[derive(Debug, Clone, Copy, Default)]
pub struct Onesweep {
    /// The tiles, and the bits of a digit.
    pub tiles: SortTiles,
}

impl Algorithm<SortSpec> for Onesweep {
    fn name(&self) -> &'static str {
        "onesweep"
    }

    fn placement(&self, _: &SortSpec, device: &Device) -> Result<Placement, Error> {
        Unsupported::unless_compute(device, "onesweep")?;
        Ok(Placement::Buffer)
    }

    fn build(
        &self,
        plan: &mut Plan,
        spec: &SortSpec,
        inputs: &[Slot],
        device: &Device,
    ) -> Result<Vec<Slot>, Error> {
        let compute = Unsupported::unless_compute(device, "onesweep")?;
        self.tiles.note_parameters(plan);
        let mut streams = inputs.to_vec();
        if spec.len == 0 {
            return Ok(streams);
        }
        // Payloads need registers of their own.
        let tile = if spec.payloads == 0 { (SWEEP_GROUP, SWEEP_ROWS) } else { (GROUP, ROWS) };
        let tiled = Tiled::new(self.name(), tile, self.tiles, spec, *plan.layout(inputs[0]), device)?;
        let (digits, tiles, places) = (tiled.digits(), tiled.tiles, u64::from(tiled.places));
        let sweeps = tiled.shares().len() as u64;
        // In front of the tiles are the starts of all places.
        let (tickets, words) = (places * sweeps, (places + tiles) * digits);
        Layout::in_buffer(device, ElementType::U64, 1, 2 * tickets + words)?.check_binding(compute)?;
        let states = States::cleared(plan, tickets, words, States::RUNS / tiled.places);
        let counts = plan.zeroed("counts", places * digits);

        // Few groups add their counts to the others'; but all processors have some.
        let together = (tiles / (8 * u64::from(compute.processors))).clamp(1, COUNTED_TILES);
        let groups = tiles.div_ceil(together);
        tiled
            .dispatch(plan, "count", shader!("sort/onesweep/counts.comp"), groups)
            .define("PLACES", tiled.places)
            .set("u_rows", Uniform::Int((together * u64::from(tiled.rows)) as i32))
            .read_keys(&tiled, inputs[0])
            .bind("COUNTS", counts, Access::Update)
            .moves(0, groups * places * digits);
        let pass = tiled
            .dispatch(plan, "start", shader!("sort/onesweep/starts.comp"), places)
            .define("PLACES", tiled.places)
            .define("SPINS", 0)
            .bind("COUNTS", counts, Access::Update)
            .moves(places * digits, 3 * places * digits);
        states.bind(pass);
        for place in 0..tiled.places {
            let step = ("sort", shader!("sort/onesweep/sort.comp"));
            streams = tiled.moves(plan, step, &streams, place, |pass, number| {
                let part = u64::from(place) * sweeps + number as u64;
                states
                    .bind(pass)
                    .define("PLACES", tiled.places)
                    .define("SPINS", spins(device))
                    .set("u_part", Uniform::Int(part as i32))
                    .set("u_first", Uniform::Int(places as i32))
                    .moves(2 * tiles * digits, 4 * tiles * digits)
                    .at_most(AtMost::READ)
            });
        }
        Ok(streams)
    }
}

/// adinets2022.
static LISTING: PseudoCode = PseudoCode {
    title: "Radix sort with one sweep a digit",
    sources: &["adinets2022", "merrill2016"],
    corrected: "",
    text: "
      clear, scan/common/clear | no tile has published anything
      count                    | counts[p][d] = how many keys have digit d at place p, for all p
      start                    | starts[p] = exclusive scan of counts[p], for all p
                               | for each place p, from the lowest
                               |   for each tile in parallel, in the order of tickets
      sort                     |     count the tile's digits; publish the counts
      sort                     |     look back: add the counts of earlier tiles
      sort                     |       until one has published its prefixes, or to starts[p]
      sort                     |     publish the prefixes
      sort                     |     move each key behind the earlier ones with its digit
",
};
