//! The prefix of a tile from the nearest one that is published, and the sums of all tiles between: merrill2016.
//! `glsl/scan/common/nearest_prefix.glsl`.
//!
//! Every tile publishes its sum, and later in the same place its prefix. The lanes of the first warp look at as many tiles
//! at a time.

use super::look_back::{LookBack, TileWithPrefix, Tiles};
use crate::group::doubling;
use crate::{Group, Item, Terms};

/// For teaching: what tiles withhold.
pub struct NearestPrefix {
    withholds_prefix: bool,
    withholds_all: bool,
}

impl NearestPrefix {
    /// The way of a pass.
    pub fn new(terms: &Terms<'_>) -> NearestPrefix {
        let [withholds_prefix, withholds_all] =
            ["WITHHOLDS_PREFIX", "WITHHOLDS_ALL"].map(|name| terms.has(name));
        NearestPrefix { withholds_prefix, withholds_all }
    }

    /// Finds the prefix of a tile: in rounds if tiles are missing, which the group computes.
    pub fn find<T: Tiles>(
        &self,
        pass: &LookBack<T>,
        group: &mut Group<'_>,
        ticket: usize,
    ) -> TileWithPrefix<T::Held> {
        let (tiles, states) = (&pass.tiles, &pass.states);
        let (tuple, lanes) = (tiles.tuple(), tiles.warps().lanes);
        let tile = pass.first + ticket;
        // The last of the tiles that still count.
        let mut end = tile.checked_sub(1).filter(|_| !pass.is_first(tile));
        let mut held = tiles.held(group);
        let mut total = pass.no_sums();
        let mut prefix = vec![pass.no_sums(); group.size];
        let mut wanted = tile;
        let mut publishes = !self.withholds_all;
        // Each round computes a tile before this one.
        for round in 0.. {
            if round > tile + 2 {
                group.fail(|| format!("tile {tile} looks back without end"));
                break;
            }
            pass.compute(group, &mut held, wanted);
            let status = if pass.is_complete(tile) { pass.prefix } else { pass.aggregate };
            group.first(lanes, |at| {
                for m in (at.number..tuple).step_by(lanes) {
                    total[m] = tiles.total(at, &held, m);
                    if publishes {
                        states.publish(at, tile, tile * tuple + m, status, &total[m]);
                    }
                }
            });
            publishes = false;
            if wanted != tile {
                group.barrier();
                group.each(|at| {
                    let sums = prefix[at.number].iter_mut().zip(&total);
                    sums.for_each(|(sum, total)| *sum = tiles.add(at, total, sum));
                });
                end = wanted.checked_sub(1).filter(|_| !pass.is_complete(wanted));
            }
            let missing = end.and_then(|end| look_back(pass, group, tile, end, &mut prefix[..lanes]));
            let found = missing.is_none() && wanted == tile;
            if found && !self.withholds_prefix && !pass.is_complete(tile) {
                group.first(lanes, |at| {
                    for m in (at.number..tuple).step_by(lanes) {
                        let sum = tiles.add(at, &prefix[at.number][m], &total[m]);
                        states.publish(at, tile, tile * tuple + m, pass.prefix, &sum);
                    }
                });
            }
            group.barrier();
            if found {
                break;
            }
            group.barrier();
            end = None;
            wanted = missing.unwrap_or(tile);
        }
        TileWithPrefix { ticket, held, prefix: prefix.swap_remove(0), total }
    }
}

/// Looks back for `tile` from the tile `end` as far as the first warp can, and combines what it finds in front of the prefix of each
/// lane. Returns the tile that is missing, if one is.
fn look_back<T: Tiles>(
    pass: &LookBack<T>,
    group: &mut Group<'_>,
    tile: usize,
    mut end: usize,
    prefix: &mut [Vec<Item>],
) -> Option<usize> {
    let (tiles, states, warps) = (&pass.tiles, &pass.states, pass.tiles.warps());
    let lanes = warps.lanes;
    loop {
        let accepted = [pass.aggregate, pass.prefix];
        // For each lane the status of its tile, and the sums; before the first tile is a prefix of nothing.
        let seen: Vec<Option<(u32, Vec<Item>)>> = group.first(lanes, |at| {
            let Some(other) = end.checked_sub(at.number) else { return Some((pass.prefix, pass.no_sums())) };
            states.look(at, pass.of(tile, other, true), &pass.numbers(other), &accepted)
        });
        let status = |lane: usize| seen[lane].as_ref().map_or(0, |(status, _)| *status);
        let stops: Vec<bool> = (0..lanes).map(|lane| status(lane) != pass.aggregate).collect();
        let stop = warps.first_where(group, &stops)[0];
        let statuses: Vec<u32> = (0..lanes).map(status).collect();
        let found = stop == lanes || warps.word_at(group, &statuses, |_| stop as i32)[0] == pass.prefix;
        // Those that count: all before the stop, and the stop if it is a prefix.
        let counted = if stop < lanes && found { stop + 1 } else { stop };
        for (lane, seen) in seen.iter().enumerate() {
            let (Some(other), mut at) = (end.checked_sub(lane), group.invocation(lane)) else { continue };
            for (m, number) in pass.numbers(other).into_iter().enumerate() {
                match seen {
                    Some((status, sums)) if lane < counted => {
                        states.combined(&mut at, tile, number, *status, &sums[m]);
                    }
                    _ if lane == stop => states.missing(&mut at, tile, number, 0, &tiles.none()),
                    _ => {}
                }
            }
        }
        for m in 0..tiles.tuple() {
            let sums = (0..lanes).map(|lane| match &seen[lane] {
                Some((_, sums)) if lane < counted => sums[m],
                _ => tiles.none(),
            });
            let mut sums: Vec<Item> = sums.collect();
            for distance in doubling(1, lanes) {
                let earlier = warps.down(group, &sums, tiles.words(), distance);
                group.first(lanes, |at| {
                    let n = at.number;
                    if n + distance < lanes {
                        sums[n] = tiles.add(at, &earlier[n], &sums[n]);
                    }
                });
            }
            let whole = warps.at(group, &sums, tiles.words(), |_| 0);
            group.first(lanes, |at| {
                let sum = &mut prefix[at.number][m];
                *sum = tiles.add(at, &whole[at.number], sum);
            });
        }
        if stop < lanes {
            return if found { None } else { end.checked_sub(stop) };
        }
        end = end.checked_sub(lanes)?;
    }
}
