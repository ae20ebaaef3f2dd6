//! merrill2016: decoupled look-back. Each tile is read once and written once, and finds the sum before it from what the
//! tiles before it have published. `glsl/scan/look_back/` and `glsl/scan/common/look_back.glsl`.
//!
//! A tile finds its prefix in one of two ways: from the nearest prefix (`nearest_prefix.rs`), or from that of a certain
//! tile (`prefix_of_block.rs`). In both, the group computes a tile that is missing itself.

use super::nearest_prefix::NearestPrefix;
use super::prefix_of_block::PrefixOfBlock;
use super::splits::WarpRows;
use super::states::{States, Use};
use super::tile::{Held, Tile};
use crate::{Error, Group, GroupKernel, Invocation, Item, Terms, Warps};

/// The scan of a stream.
pub fn scan(terms: &Terms<'_>) -> Result<GroupKernel, Error> {
    let tile = Tile::new(terms)?;
    let look_back = LookBack::new(terms, tile)?;
    Ok(Box::new(move |group| {
        let Some(mut found) = look_back.next_tile(group) else { return };
        let tile = &look_back.tiles;
        let before: Vec<Vec<Item>> =
            (0..group.size).map(|n| found.prefix[tile.members_of(n)].to_vec()).collect();
        tile.store(group, &mut found.held, found.ticket, &before);
    }))
}

/// Tiles over whose sums a look-back goes: of items, or of counts.
pub trait Tiles {
    /// A tile in a group's registers.
    type Held;

    /// Registers and shared memory for a tile.
    fn held(&self, group: &Group<'_>) -> Self::Held;
    /// Loads a tile by its number among those that are bound.
    fn load(&self, group: &mut Group<'_>, held: &mut Self::Held, tile: usize);
    /// Scans the loaded tile, so that its total is known.
    fn scan(&self, group: &mut Group<'_>, held: &mut Self::Held);
    /// The total of a member of tuples.
    fn total(&self, at: &mut Invocation<'_>, held: &Self::Held, member: usize) -> Item;
    /// The sum of nothing: `no_sum`.
    fn none(&self) -> Item;
    /// An earlier sum and a later one: `add_sums`.
    fn add(&self, at: &mut Invocation<'_>, left: &Item, right: &Item) -> Item;
    /// Words of a sum.
    fn words(&self) -> usize;
    /// Sums of a tile: members of tuples.
    fn tuple(&self) -> usize;
    /// The lanes of a warp.
    fn warps(&self) -> Warps;
    /// Rows of whole pieces of warps, if the stream is split into such.
    fn warp_rows(&self) -> Option<WarpRows>;
}

impl Tiles for Tile {
    type Held = Held;

    fn held(&self, group: &Group<'_>) -> Held {
        self.held(group)
    }

    fn load(&self, group: &mut Group<'_>, held: &mut Held, tile: usize) {
        self.load(group, held, tile);
    }

    fn scan(&self, group: &mut Group<'_>, held: &mut Held) {
        self.scan(group, held);
    }

    fn total(&self, at: &mut Invocation<'_>, held: &Held, member: usize) -> Item {
        self.total(at, held, member)
    }

    fn none(&self) -> Item {
        self.operation.identity()
    }

    fn add(&self, at: &mut Invocation<'_>, left: &Item, right: &Item) -> Item {
        at.combine(left, right)
    }

    fn words(&self) -> usize {
        self.operation.words
    }

    fn tuple(&self) -> usize {
        self.tuple
    }

    fn warps(&self) -> Warps {
        self.totals.warps
    }

    fn warp_rows(&self) -> Option<WarpRows> {
        self.warp_rows
    }
}

/// The look-back of a pass.
pub struct LookBack<T> {
    /// The tiles.
    pub tiles: T,
    pub(super) states: States,
    /// The number of the first tile that is bound in the whole stream.
    pub(super) first: usize,
    /// Tiles that are bound.
    groups: i32,
    /// Warps in a group.
    pub(super) warps_in_group: usize,
    /// The statuses of a tile's sums, and of the sums of the tile and of all before it.
    pub(super) aggregate: u32,
    pub(super) prefix: u32,
    way: PrefixSearch,
}

enum PrefixSearch {
    Nearest(NearestPrefix),
    Block(PrefixOfBlock),
}

/// A tile with its prefix.
pub struct TileWithPrefix<H> {
    /// Its number among those that are bound.
    pub ticket: usize,
    /// The tile, scanned.
    pub held: H,
    /// The sums of all tiles before it, for each member of tuples.
    pub prefix: Vec<Item>,
    /// The sums of the tile.
    pub total: Vec<Item>,
}

impl<T: Tiles> LookBack<T> {
    /// The look-back of a pass over these tiles.
    pub fn new(terms: &Terms<'_>, tiles: T) -> Result<LookBack<T>, Error> {
        let run = terms.run() as u32;
        Ok(LookBack {
            states: States::new(terms, tiles.words())?,
            first: terms.int("u_first")? as usize,
            groups: terms.groups(),
            warps_in_group: terms.invocations() / tiles.warps().lanes,
            aggregate: run << 2 | 1,
            prefix: run << 2 | 2,
            way: match terms.is_on("BLOCK") {
                true => PrefixSearch::Block(PrefixOfBlock::new(terms)?),
                false => PrefixSearch::Nearest(NearestPrefix::new(terms)),
            },
            tiles,
        })
    }

    /// Takes the next tile, loads and scans it, and finds its prefix; `None` if there are no more.
    pub fn next_tile(&self, group: &mut Group<'_>) -> Option<TileWithPrefix<T::Held>> {
        let mut ticket = group.index;
        if self.states.has_tickets() {
            ticket = self.states.take_ticket(&mut group.invocation(0));
            group.barrier();
        }
        let ticket = usize::try_from(ticket).ok().filter(|_| ticket < self.groups)?;
        Some(match &self.way {
            PrefixSearch::Nearest(way) => way.find(self, group, ticket),
            PrefixSearch::Block(way) => way.find(self, group, ticket),
        })
    }

    /// Whether the sum of a tile is that of all before it, too: of the first, and of one in which a row begins.
    pub(super) fn is_complete(&self, tile: usize) -> bool {
        let Some(rows) = self.tiles.warp_rows() else { return tile == 0 };
        let piece = tile.saturating_sub(self.first) * self.warps_in_group;
        rows.begins_within(piece, piece + self.warps_in_group - 1)
    }

    /// Whether nothing before a tile counts for it.
    pub(super) fn is_first(&self, tile: usize) -> bool {
        match self.tiles.warp_rows() {
            Some(rows) => rows.begins_at(tile.saturating_sub(self.first) * self.warps_in_group),
            None => tile == 0,
        }
    }

    /// The numbers of the states of a tile, or of the one with this number.
    pub(super) fn numbers(&self, number: usize) -> Vec<usize> {
        (number * self.tiles.tuple()..(number + 1) * self.tiles.tuple()).collect()
    }

    /// The use of the states of a tile by another.
    pub(super) fn of(&self, tile: usize, other: usize, polls_together: bool) -> Use {
        Use { tile, may_miss: other >= self.first, polls_together }
    }

    /// Sums of nothing.
    pub(super) fn no_sums(&self) -> Vec<Item> {
        vec![self.tiles.none(); self.tiles.tuple()]
    }

    /// Loads and scans a tile by its number in the whole stream.
    pub(super) fn compute(&self, group: &mut Group<'_>, held: &mut T::Held, tile: usize) {
        let Some(bound) = tile.checked_sub(self.first) else {
            return group.fail(|| format!("computes tile {tile} again, which is not bound"));
        };
        self.tiles.load(group, held, bound);
        self.tiles.scan(group, held);
    }
}
