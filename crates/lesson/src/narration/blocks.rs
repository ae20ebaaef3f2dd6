//! Scans of blocks in shared memory, harris2007 and capannini2011, and the uniform add.

use super::super::Item;
use super::super::banks;
use super::super::scene::{Scene, SceneStream};
use super::super::words::{capital, equation, together};
use super::{Narration, about};
use rasterscan::tools::printable::counted;

/// The layout of blocks: tuples in a block, items in a tuple.
struct Block {
    size: u64,
    tuple: u64,
    groups: u64,
}

impl Block {
    fn of(scene: &Scene) -> Option<Block> {
        let tuple = scene.int("u_tuple")?.max(1);
        Some(Block { size: scene.positive("BLOCK")?, tuple, groups: scene.dispatch()?.1 })
    }

    /// At most `count` items of a group from its item `first` on, as far as the stream goes.
    fn items(&self, stream: &SceneStream, group: u64, first: u64, count: u64) -> Vec<Item> {
        (first..first + count).map_while(|number| self.item(stream, group, number)).collect()
    }

    fn item(&self, stream: &SceneStream, group: u64, number: u64) -> Option<Item> {
        if number >= self.size {
            return None;
        }
        stream.item(self.place(group, number))
    }

    fn place(&self, group: u64, number: u64) -> u64 {
        let first = (group / self.tuple).saturating_mul(self.size).saturating_add(number);
        first.saturating_mul(self.tuple).saturating_add(group % self.tuple)
    }

    fn log(&self) -> u32 {
        self.size.trailing_zeros()
    }

    fn grouped(&self) -> String {
        match self.groups {
            1 => format!("one work group scans the only block of {}", self.size),
            groups => format!("{groups} work groups scan a block of {} each", self.size),
        }
    }
}

/// A sentence on a scan of blocks: `how` it is done, a result of the first block, its total if it is written, and the
/// conflicts.
fn scanned(scene: &Scene, sums: &str, how: String) -> Option<Narration> {
    let block = Block::of(scene)?;
    let (source, target) = (scene.source("SOURCE")?, scene.written("TARGET")?);
    let exclusive = u64::from(scene.is("EXCLUSIVE"));
    let most = block.items(&source, 0, 0, 3).len() as u64;
    let number = most.checked_sub(1)?;
    let items = block.items(&source, 0, 0, number + 1 - exclusive);
    let result = block.item(&target, 0, number)?;
    let text = if items.is_empty() {
        format!("nothing precedes position 0, so it takes the identity, {result}")
    } else if items.len() == 1 && exclusive == 1 {
        format!("position {} takes the item before it, {result}", block.place(0, number))
    } else {
        format!(
            "position {} of the result: {}",
            block.place(0, number),
            equation(scene.operator(), &items, result)
        )
    };
    let total = match scene.written(sums) {
        Some(totals) => format!("; the first block's total, {}, goes to {}", totals.item(0)?, totals.name),
        None => String::new(),
    };
    let price = banks::predicted(scene.recording, scene.number).map(|model| model.told_price());
    let price = price.filter(|price| !price.is_empty()).map_or_else(String::new, |price| format!(" {price}"));
    let text = format!("{how}. {}{total}.{}{price}", capital(&text), conflicts(scene));
    about(&target, block.place(0, number), text)
}

/// The conflicts of the recorded accesses to shared memory; empty if none were recorded.
fn conflicts(scene: &Scene) -> String {
    let Some(memory) = banks::of(scene.recording, scene.number) else { return String::new() };
    let banks = memory.banks;
    match memory.worst() {
        Some(step) if step.conflicts() => format!(
            " Its accesses take {} turns of the {banks} banks; without conflicts, {} would do. The worst takes {}.",
            memory.turns(),
            memory.turns_without_conflicts(),
            step.degree
        ),
        // A warp's items can have more words than there are banks.
        Some(_) if memory.turns() > memory.steps.len() as u64 => format!(
            " Its accesses take {} turns of the {banks} banks, no more than their words need.",
            memory.turns()
        ),
        Some(_) => format!(" None of the {banks} banks is ever asked for two words at a time."),
        None => String::new(),
    }
}

pub fn naive(scene: &Scene) -> Option<Narration> {
    let block = Block::of(scene)?;
    let how =
        format!("{}, in {} of doubling distance", block.grouped(), counted(block.log().into(), "step"),);
    scanned(scene, "SUMS", how)
}

pub fn work_efficient(scene: &Scene) -> Option<Narration> {
    let block = Block::of(scene)?;
    let padding = match scene.define("PADDING")? {
        0 => String::new(),
        1 => format!(
            ", with a slot left free after every {}",
            1u64 << scene.number_of("LOG_NUM_BANKS")?.min(32)
        ),
        _ => format!(
            ", with a slot left free after every {0}, and another after every {0} x {0}",
            1u64 << scene.number_of("LOG_NUM_BANKS")?.min(16)
        ),
    };
    let how = format!(
        "{}: {} up a tree, and down again{padding}",
        block.grouped(),
        counted(block.log().into(), "level"),
    );
    scanned(scene, "SUMS", how)
}

pub fn cm(scene: &Scene) -> Option<Narration> {
    let block = Block::of(scene)?;
    let how = format!(
        "{}, as on the Connection Machine, in {} over all its items",
        block.grouped(),
        counted(block.log().into(), "step"),
    );
    scanned(scene, "PARTIAL", how)
}

/// The positions of the combined items of a tree.
fn pattern(scene: &Scene) -> Option<&'static str> {
    Some(match scene.define("PATTERN")? {
        0 => "each sum replaces its right operand",
        1 => "each sum replaces its right operand, and a slot is free after every row of banks",
        _ => "each sum replaces its left or its right operand, so that neighbours never share a bank",
    })
}

pub fn tree(scene: &Scene) -> Option<Narration> {
    let block = Block::of(scene)?;
    scanned(scene, "PARTIAL", format!("{}, up a tree and down again: {}", block.grouped(), pattern(scene)?))
}

pub fn up_sweep(scene: &Scene) -> Option<Narration> {
    let block = Block::of(scene)?;
    let (source, partial) = (scene.source("SOURCE")?, scene.written("PARTIAL")?);
    let (items, total) = (block.items(&source, 0, 0, block.size), partial.item(0)?);
    let total = match block.tuple {
        1 => together(scene.operator(), source.short(), 0, &items, total),
        _ => format!("its {} combine to {total}", counted(items.len() as u64, "item")),
    };
    let text = format!(
        "{} go up a tree of {} items each: {}. The first root: {total}, which is written to partial.{}",
        counted(block.groups, "work group"),
        block.size,
        pattern(scene)?,
        conflicts(scene)
    );
    about(&partial, 0, text)
}

pub fn down_sweep(scene: &Scene) -> Option<Narration> {
    let block = Block::of(scene)?;
    let (before, target) = (scene.source("PARTIAL")?, scene.written("TARGET")?);
    // If any group has something before it, the last one has.
    let group = block.groups.checked_sub(1)?;
    let start = before.item(group)?;
    let result = block.item(&target, group, 0)?;
    let place = block.place(group, 0);
    let text = match (scene.is("EXCLUSIVE"), leaves(scene)) {
        (false, Some(source)) => {
            let items = [start, block.item(&source, group, 0)?];
            format!(
                "the first result there, at position {place}, is {}",
                equation(scene.operator(), &items, result)
            )
        }
        _ => format!("the first result there, at position {place}, is {result}"),
    };
    let text = format!(
        "{} come down their trees, each from the total before its block. Before the last block that is \
         {start}, and {text}.{}",
        counted(block.groups, "work group"),
        conflicts(scene)
    );
    about(&target, place, text)
}

/// The stream that the tree of a down-sweep was built from.
fn leaves<'a>(scene: &Scene<'a>) -> Option<SceneStream<'a>> {
    let tree = scene.source("SOURCE")?.number;
    let earlier = (0..scene.number).rev().filter_map(|number| Scene::new(scene.recording, number));
    let maker = earlier
        .into_iter()
        .find(|earlier| earlier.written("TARGET").is_some_and(|target| target.number == tree));
    maker?.source("SOURCE")
}

pub fn uniform_add(scene: &Scene) -> Option<Narration> {
    let block = Block::of(scene)?;
    let (before, after) = (scene.source("TARGET")?, scene.written("TARGET")?);
    let increments = scene.source("INCREMENTS")?;
    let group = block.groups.checked_sub(1)?;
    let items = [increments.item(group)?, block.item(&before, group, 0)?];
    let text = format!(
        "the total before each block is combined with all items of the block, in place. Before the last \
         block it is {}: position {} becomes {}.",
        items[0],
        block.place(group, 0),
        equation(scene.operator(), &items, block.item(&after, group, 0)?)
    );
    about(&after, block.place(group, 0), text)
}
