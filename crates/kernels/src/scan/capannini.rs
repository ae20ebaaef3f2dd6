//! capannini2011: blocks in shared memory, by the method of the Connection Machine and by a tree, whose access pattern
//! is the address of each node's sum. `glsl/scan/capannini/`.

use super::block::Block;
use crate::group::ARRAY_ITEMS;
use crate::{Error, Group, GroupKernel, Item, Shared, Stage, Terms};

/// Algorithm 1, in place: `a[k] <- a[k - 2^(d-1)] + a[k]`. The sums of a step wait until all are computed.
pub fn cm(terms: &Terms<'_>) -> Result<GroupKernel, Error> {
    let block = Block::new(terms)?;
    let partial = terms.is_on("SUMMED").then(|| terms.binding("PARTIAL")).transpose()?;
    let (size, words) = (block.size, block.operation.words);
    Ok(Box::new(move |group| {
        let mut items = Shared::new(ARRAY_ITEMS, size, words);
        let own = |thread: usize| (thread..size).step_by(block.group);
        group.stage(Stage::Load);
        group.each(|at| {
            for k in own(at.number) {
                let item = block.load(at, k);
                items.set(at, k, item);
            }
        });
        group.barrier();
        let offsets = std::iter::successors(Some(1), |offset| Some(2 * offset));
        for offset in offsets.take_while(|offset| *offset < size) {
            group.stage(Stage::Step(offset.ilog2() + 1));
            let sums = group.map(|at| {
                let thread = at.number;
                let sum = |k: usize| {
                    let item = items.get(at, k);
                    if k < offset {
                        return item;
                    }
                    let before = items.get(at, k - offset);
                    at.combine(&before, &item)
                };
                own(thread).map(sum).collect::<Vec<_>>()
            });
            group.barrier();
            group.each(|at| {
                for (k, sum) in own(at.number).zip(&sums[at.number]) {
                    items.set(at, k, *sum);
                }
            });
            group.barrier();
        }
        group.stage(Stage::Store);
        group.each(|at| {
            for k in own(at.number) {
                let scanned = match (block.exclusive, k) {
                    (false, _) => items.get(at, k),
                    (true, 0) => at.identity(),
                    (true, _) => items.get(at, k - 1),
                };
                block.store(at, k, &scanned);
            }
            if let Some(partial) = partial.filter(|_| at.number == 0) {
                let total = items.get(at, size - 1);
                at.write(partial, block.group_of(at), &total, words);
            }
        });
    }))
}

/// Where the sums of a tree lie. A sum replaces one of its operands; the other one's address keeps the left child's sum,
/// which the way down needs.
#[derive(Clone, Copy)]
enum Pattern {
    /// It replaces its right operand.
    NoPadding,
    /// The same with an unused address after each row of banks.
    Padding { log_banks: u32 },
    /// LEFTRIGHT: it replaces its left or its right operand, so that neighbours are in different banks.
    LeftRight { log_banks: u32 },
}

impl Pattern {
    fn new(terms: &Terms<'_>) -> Result<Pattern, Error> {
        let log_banks = terms.define("LOG_BANKS")? as u32;
        Ok(match terms.define("PATTERN")? {
            0 => Pattern::NoPadding,
            1 => Pattern::Padding { log_banks },
            _ => Pattern::LeftRight { log_banks },
        })
    }

    /// The address of node `x` of level `m`.
    fn address(self, x: usize, m: u32) -> usize {
        let last = ((x + 1) << m) - 1;
        match self {
            Pattern::NoPadding => last,
            Pattern::Padding { log_banks } => last + (last >> log_banks),
            Pattern::LeftRight { log_banks } => {
                // Below x come its low bits, from the highest on, again and again.
                let low = |bit: u32| x >> (log_banks - 1 - bit % log_banks) & 1;
                (0..m).fold(x, |address, bit| address << 1 | low(bit))
            }
        }
    }
}

/// A block with its tree.
struct Tree {
    block: Block,
    pattern: Pattern,
    levels: u32,
}

/// A node: its address, that of the child which is elsewhere, and whether it replaces its left child.
struct Node {
    place: usize,
    other: usize,
    left: bool,
}

impl Tree {
    fn new(terms: &Terms<'_>) -> Result<Tree, Error> {
        let levels = terms.define("LOG_BLOCK")? as u32;
        Ok(Tree { block: Block::new(terms)?, pattern: Pattern::new(terms)?, levels })
    }

    /// The shared memory of a group.
    fn memory(&self) -> Shared {
        let last = self.block.size - 1;
        let padding = match self.pattern {
            Pattern::Padding { log_banks } => last >> log_banks,
            _ => 0,
        };
        Shared::new(ARRAY_ITEMS, self.block.size + padding, self.block.operation.words)
    }

    /// The items of an invocation.
    fn own(&self, thread: usize) -> impl Iterator<Item = usize> {
        (thread..self.block.size).step_by(self.block.group)
    }

    fn address(&self, i: usize) -> usize {
        self.pattern.address(i, 0)
    }

    fn root(&self) -> usize {
        self.pattern.address(0, self.levels)
    }

    /// Node `i` of the level above `level`.
    fn node(&self, i: usize, level: u32) -> Node {
        let [left, right] = [2 * i, 2 * i + 1].map(|child| self.pattern.address(child, level));
        let place = self.pattern.address(i, level + 1);
        Node { place, other: left + right - place, left: place == left }
    }

    /// Loads the block.
    fn load(&self, group: &mut Group<'_>, tree: &mut Shared) {
        group.stage(Stage::Load);
        group.each(|at| {
            for i in self.own(at.number) {
                let item = self.block.load(at, i);
                tree.set(at, self.address(i), item);
            }
        });
    }

    /// Lines 1 to 6: afterwards the sum of all is at the root.
    fn up_sweep(&self, group: &mut Group<'_>, tree: &mut Shared) {
        for level in 0..self.levels {
            group.barrier();
            group.stage(Stage::Up(level));
            let nodes = self.block.size >> (level + 1);
            group.each(|at| {
                if at.number >= nodes {
                    return;
                }
                // First the operand that the sum replaces, then the other.
                let node = self.node(at.number, level);
                let own = tree.get(at, node.place);
                let other = tree.get(at, node.other);
                if node.left {
                    let sum = at.combine(&own, &other);
                    tree.set(at, node.place, sum);
                    tree.set(at, node.other, own);
                } else {
                    let sum = at.combine(&other, &own);
                    tree.set(at, node.place, sum);
                }
            });
        }
        group.barrier();
    }

    /// Lines 8 to 15: from the sum before the block at the root to the sum before each item.
    fn down_sweep(&self, group: &mut Group<'_>, tree: &mut Shared) {
        for level in (0..self.levels).rev() {
            group.barrier();
            group.stage(Stage::Down(level));
            let nodes = self.block.size >> (level + 1);
            group.each(|at| {
                if at.number >= nodes {
                    return;
                }
                let node = self.node(at.number, level);
                let before = tree.get(at, node.place);
                let left = tree.get(at, node.other);
                let after = at.combine(&before, &left);
                let [own, other] = if node.left { [before, after] } else { [after, before] };
                tree.set(at, node.other, other);
                if !node.left {
                    tree.set(at, node.place, own);
                }
            });
        }
        group.barrier();
    }

    /// Stores the results: as they are, or shifted left by one with the total at the end.
    fn store(&self, group: &mut Group<'_>, tree: &Shared, total: &Item) {
        let (block, last) = (&self.block, self.block.size - 1);
        group.stage(Stage::Store);
        group.each(|at| {
            for i in self.own(at.number) {
                if block.exclusive {
                    let before = tree.get(at, self.address(i));
                    block.store(at, i, &before);
                } else if i < last {
                    let sum = tree.get(at, self.address(i + 1));
                    block.store(at, i, &sum);
                }
            }
            if !block.exclusive && at.number == 0 {
                block.store(at, last, total);
            }
        });
    }
}

/// Algorithm 2: a block scanned on its own.
pub fn scan(terms: &Terms<'_>) -> Result<GroupKernel, Error> {
    let of = Tree::new(terms)?;
    Ok(Box::new(move |group| {
        let mut tree = of.memory();
        of.load(group, &mut tree);
        of.up_sweep(group, &mut tree);
        // Line 7.
        group.stage(Stage::Root);
        let mut first = group.invocation(0);
        let total = tree.get(&mut first, of.root());
        let identity = first.identity();
        tree.set(&mut first, of.root(), identity);
        of.down_sweep(group, &mut tree);
        of.store(group, &tree, &total);
    }))
}

/// Algorithm 2, lines 1 to 6: the tree of a block as it is, for the way down, and its total.
pub fn up_sweep(terms: &Terms<'_>) -> Result<GroupKernel, Error> {
    let of = Tree::new(terms)?;
    let (target, partial) = (terms.binding("TARGET")?, terms.binding("PARTIAL")?);
    let words = of.block.operation.words;
    Ok(Box::new(move |group| {
        let number = group.index as usize;
        let mut tree = of.memory();
        of.load(group, &mut tree);
        of.up_sweep(group, &mut tree);
        group.stage(Stage::Store);
        // In full: there are sums past the stream's end, too.
        group.each(|at| {
            for i in of.own(at.number) {
                let node = tree.get(at, of.address(i));
                at.write(target, of.block.place(number, i), &node, words);
            }
        });
        let mut first = group.invocation(0);
        let total = tree.get(&mut first, of.root());
        first.write(partial, number, &total, words);
    }))
}

/// Algorithm 2, lines 8 to 15: the scan of a block, from its tree and the sum before it.
pub fn down_sweep(terms: &Terms<'_>) -> Result<GroupKernel, Error> {
    let of = Tree::new(terms)?;
    let (source, partial) = (terms.binding("SOURCE")?, terms.binding("PARTIAL")?);
    let words = of.block.operation.words;
    Ok(Box::new(move |group| {
        let number = group.index as usize;
        let mut tree = of.memory();
        group.stage(Stage::Load);
        group.each(|at| {
            for i in of.own(at.number) {
                let node = at.read(source, of.block.place(number, i), words);
                tree.set(at, of.address(i), node);
            }
        });
        group.barrier();
        group.stage(Stage::Root);
        let mut first = group.invocation(0);
        let mut total = first.identity();
        let before = first.read(partial, number, words);
        if !of.block.exclusive {
            let sum = tree.get(&mut first, of.root());
            total = first.combine(&before, &sum);
        }
        tree.set(&mut first, of.root(), before);
        of.down_sweep(group, &mut tree);
        of.store(group, &tree, &total);
    }))
}
