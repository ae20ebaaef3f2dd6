//! Scans of tiles in registers: the work on a tile, and the way in which it gets the total before it.

use super::super::Item;
use super::super::look_back;
use super::super::scene::{Scene, SceneStream};
use super::super::words::{equation, together};
use super::{Narration, about, told};
use rasterscan::tools::printable::counted;

/// The tiles of a pass, computed from the same defines as in `glsl/scan/common/tile.glsl`.
struct Tile {
    /// Items in a tile.
    items: u64,
    tuple: u64,
    /// Tiles in the bound range.
    count: u64,
}

impl Tile {
    fn of(scene: &Scene) -> Option<Tile> {
        let [tuple, vector, rows, lanes] = [
            scene.number_of("TUPLE")?,
            scene.number_of("VECTOR")?,
            scene.number_of("ROWS")?,
            scene.number_of("LANES")?,
        ];
        let (group, groups) = scene.dispatch()?;
        let distance = (tuple / vector.max(1)).max(1);
        let in_series = scene.int("u_tiles");
        let warps = if in_series.is_some() { 1 } else { group / lanes.max(1) };
        let items = warps.checked_mul(rows)?.checked_mul(lanes / distance * distance)?.checked_mul(vector)?;
        let count = match in_series {
            Some(tiles) => tiles,
            None => scene.int("u_chunks").unwrap_or(groups),
        };
        (items > 0 && tuple > 0 && items <= 1 << 32).then_some(Tile {
            items,
            tuple,
            count: count.min(1 << 31),
        })
    }

    /// The items of the first member of a tile, as far as the stream goes.
    fn members(&self, stream: &SceneStream, tile: u64, most: u64) -> Vec<Item> {
        let first = tile * self.items;
        let places = (first..first + self.items).step_by(self.tuple as usize);
        places.take(most as usize).map_while(|place| stream.item(place)).collect()
    }

    fn with_gpu_length(&self) -> String {
        match self.count {
            1 => format!("one tile holds all items, up to {}", self.items),
            count => format!("{count} tiles of {} items each", self.items),
        }
    }
}

/// Items in a full tile of a pass.
pub fn items(scene: &Scene) -> Option<u64> {
    Tile::of(scene).map(|tile| tile.items)
}

/// A result near the front of a tile as an equation, from the total before the tile.
fn result(
    scene: &Scene,
    tile: &Tile,
    number: u64,
    before: Option<Item>,
    streams: [&SceneStream; 2],
) -> Option<String> {
    let [source, target] = streams;
    let exclusive = u64::from(scene.is("EXCLUSIVE"));
    let last = (tile.members(source, number, 3).len() as u64).checked_sub(1)?;
    let own = tile.members(source, number, last + 1 - exclusive);
    let items: Vec<Item> = before.into_iter().chain(own).collect();
    let place = number * tile.items + last * tile.tuple;
    let result = target.item(place)?;
    if items.is_empty() {
        return Some(format!("position {place} takes the identity, {result}"));
    }
    Some(format!("position {place} is {}", equation(scene.operator(), &items, result)))
}

/// The total of all tiles before one; `None` for the first.
fn before(scene: &Scene, tile: &Tile, source: &SceneStream, number: u64) -> Option<Item> {
    let places = (0..number.saturating_mul(tile.items)).step_by(tile.tuple as usize);
    let items: Vec<Item> = places.map_while(|place| source.item(place)).collect();
    Item::fold(scene.operator(), &items)
}

pub fn scan_alone(scene: &Scene) -> Option<Narration> {
    let tile = Tile::of(scene)?;
    let (source, target, sums) = (scene.source("SOURCE")?, scene.written("TARGET")?, scene.written("SUMS")?);
    let text = format!(
        "each tile is scanned separately and written: {}. In the first tile {}; its total, {}, goes to sums.",
        tile.with_gpu_length(),
        result(scene, &tile, 0, None, [&source, &target])?,
        sums.item(0)?
    );
    about(&target, 0, text)
}

pub fn add(scene: &Scene) -> Option<Narration> {
    let tile = Tile::of(scene)?;
    let (source, target, sums) = (scene.source("SOURCE")?, scene.written("TARGET")?, scene.source("SUMS")?);
    let last = tile.count.checked_sub(1)?;
    let Some(previous) = last.checked_sub(1) else {
        return told(format!(
            "there is one tile and nothing before it: {} does not change.",
            target.item(0)?
        ));
    };
    let place = last * tile.items;
    let items = [sums.item(previous * tile.tuple)?, source.item(place)?];
    told(format!(
        "the whole stream is read and written a second time, to combine each tile with the total before it. \
         Before the last tile that is {}: position {place} becomes {}.",
        items[0],
        equation(scene.operator(), &items, target.item(place)?)
    ))
}

pub fn reduce(scene: &Scene) -> Option<Narration> {
    let tile = Tile::of(scene)?;
    let (source, sums) = (scene.source("SOURCE")?, scene.written("SUMS")?);
    let items = tile.members(&source, 0, tile.items);
    let total = sums.item(0)?;
    let first = match tile.tuple {
        1 => together(scene.operator(), source.short(), 0, &items, total),
        _ => format!("{} of the first member combine to {total}", counted(items.len() as u64, "item")),
    };
    told(format!(
        "each tile is only reduced, and nothing of it is written back: {}. The first tile: {first}.",
        tile.with_gpu_length()
    ))
}

pub fn scan_from_sums(scene: &Scene) -> Option<Narration> {
    let tile = Tile::of(scene)?;
    let (source, target) = (scene.source("SOURCE")?, scene.written("TARGET")?);
    if tile.count == 1 {
        return told(format!(
            "one tile holds all items, up to {}, and nothing precedes it: {}.",
            tile.items,
            result(scene, &tile, 0, None, [&source, &target])?
        ));
    }
    let sums = scene.source("SUMS")?;
    let last = tile.count.checked_sub(1)?;
    let before = sums.item(last.checked_sub(1)?.checked_mul(tile.tuple)?)?;
    told(format!(
        "each tile is read again and scanned, starting with the total of the tiles before it, which is in \
         sums. The last tile starts with {before}: {}.",
        result(scene, &tile, last, Some(before), [&source, &target])?
    ))
}

/// Items of a state: one for each order, or coefficient, of each interleaved stream.
fn carried(scene: &Scene) -> Option<u64> {
    Some(scene.number_of("ORDER")? * scene.number_of("INTERLEAVED")?)
}

pub fn reduce_to_states(scene: &Scene) -> Option<Narration> {
    let tile = Tile::of(scene)?;
    let states = scene.written("SUMS")?;
    let carried = carried(scene)?;
    if scene.number_of("OF_STATES")? == 1 {
        return told(format!(
            "states are put together like the items that made them: {} of {} states. The last item of the first is {}.",
            counted(tile.count, "tile"),
            tile.items / carried,
            states.item(carried.checked_sub(1)?)?
        ));
    }
    told(format!(
        "each tile is only reduced, to a state of {}, as if zeros came before it: {}. The last item of the first tile's \
         state is {}.",
        counted(carried, "item"),
        tile.with_gpu_length(),
        states.item(carried.checked_sub(1)?)?
    ))
}

pub fn scan_from_states(scene: &Scene) -> Option<Narration> {
    let tile = Tile::of(scene)?;
    let target = scene.written("TARGET")?;
    let last = target.len().min(tile.count * tile.items).checked_sub(1)?;
    let last = target.item(last)?;
    if scene.number_of("OF_STATES")? == 1 {
        return told(format!(
            "each state becomes the state after all items up to its tile: advancing a state past k zeros is multiplying it \
             by the matrix's k-th power. The last item of all is {last}."
        ));
    }
    if tile.count == 1 {
        return told(format!(
            "one tile holds all items, up to {}, and nothing precedes it; its last result is {last}.",
            tile.items
        ));
    }
    told(format!(
        "each tile is read again and scanned in all orders at once, starting with the state after the tiles before it. The \
         last result is {last}."
    ))
}

pub fn clear(scene: &Scene) -> Option<Narration> {
    let states = scene.written("STATES")?;
    told(format!(
        "all {} are set to {}: no tile has been taken, and none has published anything.",
        counted(scene.int("u_states")?, "state"),
        states.item(0)?
    ))
}

/// The last tile of a single pass: the total before it, and one of its results.
fn single(scene: &Scene, tile: &Tile) -> Option<(Option<Item>, String)> {
    let (source, target) = (scene.source("SOURCE")?, scene.written("TARGET")?);
    let number = tile.count.checked_sub(1)?;
    // If only a part of the stream is bound, the total before it is at the end of the previous part.
    let whole = SceneStream { first: 0, ..source };
    let shifted = source.first / tile.items + number;
    let before = before(scene, tile, &whole, shifted);
    Some((before, result(scene, tile, number, before, [&source, &target])?))
}

/// The last tile as recorded: what it published and where it looked.
fn story(scene: &Scene, tile: &Tile) -> Option<String> {
    if tile.count < 2 {
        return None;
    }
    let tiles = look_back::tiles(scene.recording, scene.number)?;
    let turns = if tiles.in_turns { "Work groups take turns. " } else { "" };
    let of = format!("{} tiles of {} items. ", tile.count, tile.items);
    let of = if matches!(tiles.kind, look_back::Kind::Sam { .. }) { String::new() } else { of };
    Some(format!("{turns}{of}{}", tiles.sentence(tiles.tiles.len().checked_sub(1)?)?))
}

pub fn chained(scene: &Scene) -> Option<Narration> {
    one_pass(scene, "has nothing before it to wait for", |before| {
        format!(
            "waits until the one before it has published its prefix, {before}, and then publishes its own"
        )
    })
}

pub fn look_back(scene: &Scene) -> Option<Narration> {
    one_pass(scene, "has nothing before it to look back at", |before| {
        format!(
            "publishes its own total at once, and then looks back over what the tiles before it have published, \
             {before} in total"
        )
    })
}

/// A single pass whose last tile gets the total before it in some way, or is the only one.
fn one_pass(scene: &Scene, alone: &str, way: impl Fn(Item) -> String) -> Option<Narration> {
    let tile = Tile::of(scene)?;
    let (before, result) = single(scene, &tile)?;
    let does = match (story(scene, &tile), before) {
        (Some(story), _) => format!("{story} There"),
        (None, before) => {
            let which = match tile.count {
                1 => "The only tile".into(),
                count => format!("The last of {count} tiles of {} items", tile.items),
            };
            format!("{which} {}; there", before.map_or_else(|| alone.to_owned(), way))
        }
    };
    told(format!("in one pass, each item is read once and written once. {does}, {result}."))
}

pub fn sam(scene: &Scene) -> Option<Narration> {
    let tile = Tile::of(scene)?;
    let groups = scene.dispatch()?.1;
    let target = scene.written("TARGET")?;
    let order = scene.number_of("ORDER")?;
    let part = if scene.step().1 > 1 { scene.stepped("part") } else { String::new() };
    let head = format!(
        "{part}{} {} {} of {} items, one after the other; the running total is carried from chunk to chunk",
        counted(groups, "work group"),
        if groups == 1 { "stays resident and takes" } else { "stay resident and take" },
        counted(tile.count, "chunk"),
        tile.items
    );
    if order > 1 {
        let last = target.len().min(tile.count * tile.items).checked_sub(1)?;
        return told(format!(
            "{head}. All {order} orders are computed while a chunk is in registers; the last result is {}.",
            target.item(last)?
        ));
    }
    let (before, result) = single(scene, &tile)?;
    if let Some(story) = story(scene, &tile) {
        return told(format!("{head}. {story} There, {result}."));
    }
    let carried = match before {
        Some(before) => format!("From {before}, which was carried to the last chunk"),
        None => "In the first chunk".into(),
    };
    told(format!("{head}. {carried}, {result}."))
}
