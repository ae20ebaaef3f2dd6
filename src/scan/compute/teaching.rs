//! Teaching parameters of a single pass: its work groups take turns, so that every run is the same, and tiles withhold
//! what they would publish, so that those after them look further back or compute it again.
//!
//! Left to itself, a device decides which tile has published what when another looks: a CPU has nearly always finished
//! the tile before, and no two runs on a GPU need be alike. With `turns=on` each group has the device for itself, tile
//! by tile. With `withhold=prefix` a tile then finds the aggregates of all tiles before it, back to the first, and with
//! `withhold=all` it finds nothing, ever. The shaders are the algorithm's own with `IN_TURNS`, `WITHHOLDS_PREFIX` or
//! `WITHHOLDS_ALL` defined.

use crate::algorithm::{Arguments, Candidates, Domain, NumberRange, Parameter};
use crate::device::Device;
use crate::named::named;
use crate::plan::{DispatchRecorder, Plan};
use crate::unsupported::Unsupported;

use super::tile::{Tile, TileOptions};

/// What a tile withholds from the tiles after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Withhold {
    /// Nothing: the algorithm as it is.
    #[default]
    Nothing,
    /// Its prefix, unless it is the first tile: those after it look further back.
    Prefix,
    /// Everything: those after it compute it again.
    All,
}

named!(Withhold { Nothing: "none", Prefix: "prefix", All: "all" });

/// The teaching parameters; by default the algorithm as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Teaching {
    /// True if work groups take turns. They do whenever something is withheld.
    pub turns: bool,
    /// What a tile withholds.
    pub withhold: Withhold,
}

/// The most turns: each is a dispatch of its own.
const MOST_TURNS: u64 = 256;

/// Loop iterations that an invocation may make on a CPU: llvmpipe ends it after 65,535.
pub(super) const ITERATIONS: u64 = 60_000;

impl Teaching {
    /// Work groups of any size: a group of one invocation makes tiles of 4 words.
    pub(super) const GROUP: Parameter = Parameter {
        domain: Domain::numbers(NumberRange { min: 1, max: 1024, powers_of_two: true }, &["auto"]),
        ..TileOptions::PARAMETERS[1]
    };

    pub(super) const TURNS: Parameter = Parameter {
        name: "turns",
        about: "for teaching: work groups run one after the other, so that every run is the same; on if anything is withheld",
        default: "off",
        candidates: Candidates::NONE,
        domain: Domain::words(&["off", "on"]),
    };

    /// The parameter, for a pass that publishes these.
    pub(super) const fn withhold(words: &'static [&'static str], about: &'static str) -> Parameter {
        Parameter {
            name: "withhold",
            about,
            default: "none",
            candidates: Candidates::NONE,
            domain: Domain::words(words),
        }
    }

    /// The parameters in these arguments.
    pub(super) fn of(arguments: &Arguments) -> Teaching {
        let on = arguments.variant("turns", &[false, true], |on| if on { "on" } else { "off" });
        let withhold = arguments.variant("withhold", &Withhold::ALL, Withhold::name);
        Teaching { turns: on.unwrap_or_default(), withhold: withhold.unwrap_or_default() }
    }

    /// Notes what differs from the default as parameters of the algorithm that is being built.
    pub(super) fn note_parameters(&self, plan: &mut Plan) {
        if self.turns {
            plan.note_parameter("turns", "on");
        }
        if self.withhold != Withhold::Nothing {
            plan.note_parameter("withhold", self.withhold.name());
        }
    }

    /// Returns true if the groups take turns.
    pub(super) fn in_turns(&self) -> bool {
        self.turns || self.withhold != Withhold::Nothing
    }

    /// The polls that are made before a group gives up: nothing is worth waiting for if everything is withheld.
    pub(super) fn spins(&self, usual: i64) -> i64 {
        if self.withhold == Withhold::All { 0 } else { usual }
    }

    /// Errors if there are more tiles than can take turns, or than one invocation can compute again.
    pub(super) fn check(
        &self,
        tile: &Tile,
        tiles: u64,
        order: u32,
        device: &Device,
    ) -> Result<(), Unsupported> {
        if !self.in_turns() {
            return Ok(());
        }
        let again = ITERATIONS / tile.iterations(order, device).max(1);
        let most = match self.withhold {
            Withhold::All if device.software => MOST_TURNS.min(again),
            _ => MOST_TURNS,
        };
        if tiles > most {
            return Err(Unsupported::request(format!(
                "work groups take turns for teaching, {tiles} here, and at most {most} can; use a shorter \
                 stream, larger tiles, or neither turns nor withhold"
            )));
        }
        Ok(())
    }

    /// Adds them to a pass of so many tiles.
    pub(super) fn apply<'p>(&self, pass: DispatchRecorder<'p>, tiles: u64) -> DispatchRecorder<'p> {
        let pass = if self.in_turns() { pass.in_turns(tiles) } else { pass };
        match self.withhold {
            Withhold::Nothing => pass,
            Withhold::Prefix => pass.define("WITHHOLDS_PREFIX", 1),
            Withhold::All => pass.define("WITHHOLDS_ALL", 1),
        }
    }
}
