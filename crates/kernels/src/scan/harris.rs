//! harris2007: blocks in shared memory, by the naive scan and up and down a balanced tree. `glsl/scan/harris/`.

use super::block::Block;
use crate::group::ARRAY_ITEMS;
use crate::{Error, GroupKernel, Item, Shared, Stage, Terms};

/// Listing 1: the naive scan of a block, in two buffers that change roles after each step.
pub fn naive(terms: &Terms<'_>) -> Result<GroupKernel, Error> {
    let block = Block::new(terms)?;
    let sums = terms.is_on("SUMMED").then(|| terms.binding("SUMS")).transpose()?;
    let (size, words) = (block.size, block.operation.words);
    Ok(Box::new(move |group| {
        let mut temp = Shared::new(ARRAY_ITEMS, 2 * size, words);
        let mut out = 0;
        group.stage(Stage::Load);
        group.each(|at| {
            if !block.exclusive {
                let item = block.load(at, at.number);
                return temp.set(at, at.number, item);
            }
            let identity = at.identity();
            temp.set(at, at.number, identity);
            if at.number > 0 {
                let item = block.load(at, at.number - 1);
                temp.set(at, at.number, item);
            }
        });
        group.barrier();
        let mut offset = 1;
        while offset < size {
            group.stage(Stage::Step(offset.ilog2() + 1));
            out = size - out;
            let from = size - out;
            group.each(|at| {
                let mut item = temp.get(at, from + at.number);
                if at.number >= offset {
                    let before = temp.get(at, from + at.number - offset);
                    item = at.combine(&before, &item);
                }
                temp.set(at, out + at.number, item);
            });
            group.barrier();
            offset *= 2;
        }
        group.stage(Stage::Store);
        group.each(|at| {
            let mut scanned = temp.get(at, out + at.number);
            block.store(at, at.number, &scanned);
            let Some(sums) = sums.filter(|_| at.number == size - 1) else { return };
            if block.exclusive {
                let last = block.load(at, size - 1);
                scanned = at.combine(&scanned, &last);
            }
            at.write(sums, block.group_of(at), &scanned, words);
        });
    }))
}

/// Listing 2: the work-efficient scan, up a balanced tree and down again, in place. With padding, the blocks A to E of
/// code as they are for "Avoiding Bank Conflicts".
pub fn work_efficient(terms: &Terms<'_>) -> Result<GroupKernel, Error> {
    let block = Block::new(terms)?;
    let sums = terms.is_on("SUMMED").then(|| terms.binding("SUMS")).transpose()?;
    let padding = terms.define("PADDING")?;
    let log_banks = terms.define_or_0("LOG_NUM_BANKS");
    let (size, words) = (block.size, block.operation.words);
    // Listing 3: with the unused addresses before it.
    let address = move |n: usize| match padding {
        0 => n,
        1 => n + (n >> log_banks),
        _ => n + (n >> log_banks) + (n >> (2 * log_banks)),
    };
    Ok(Box::new(move |group| {
        let mut temp = Shared::new(ARRAY_ITEMS, address(size - 1) + 1, words);
        group.stage(Stage::Load);
        // A: neighbours would be in banks of the same parity, halves are not.
        let own = |thread: usize| match padding {
            0 => [2 * thread, 2 * thread + 1],
            _ => [thread, thread + size / 2],
        };
        group.each(|at| {
            for n in own(at.number) {
                let item = block.load(at, n);
                temp.set(at, address(n), item);
            }
        });
        let children = |thread: usize, offset: usize| {
            [offset * (2 * thread + 1) - 1, offset * (2 * thread + 2) - 1].map(address)
        };
        let mut offset = 1usize;
        let mut nodes = size / 2;
        while nodes > 0 {
            group.barrier();
            group.stage(Stage::Up(offset.ilog2()));
            group.each(|at| {
                if at.number < nodes {
                    let [left, right] = children(at.number, offset);
                    let (a, b) = (temp.get(at, left), temp.get(at, right));
                    let sum = at.combine(&a, &b);
                    temp.set(at, right, sum);
                }
            });
            offset *= 2;
            nodes /= 2;
        }
        group.stage(Stage::Root);
        // C: keep the total, clear the last element.
        let mut total = Item::of(&[]);
        let mut first = group.invocation(0);
        total.clone_from(&temp.get(&mut first, address(size - 1)));
        let identity = first.identity();
        temp.set(&mut first, address(size - 1), identity);
        if let Some(sums) = sums {
            let group = block.group_of(&first);
            first.write(sums, group, &total, words);
        }
        let mut nodes = 1;
        while nodes < size {
            offset /= 2;
            group.barrier();
            group.stage(Stage::Down(offset.ilog2()));
            group.each(|at| {
                if at.number < nodes {
                    // D: the sum before both children comes first, then the left one.
                    let [left, right] = children(at.number, offset);
                    let child = temp.get(at, left);
                    let before = temp.get(at, right);
                    temp.set(at, left, before);
                    let before = temp.get(at, right);
                    let sum = at.combine(&before, &child);
                    temp.set(at, right, sum);
                }
            });
            nodes *= 2;
        }
        group.barrier();
        group.stage(Stage::Store);
        // E: an inclusive scan is shifted left by one, and the total inserted at the end.
        group.each(|at| {
            let [first, second] = own(at.number);
            for n in [first, second] {
                if block.exclusive {
                    let item = temp.get(at, address(n));
                    block.store(at, n, &item);
                } else if n < size - 1 {
                    let item = temp.get(at, address(n + 1));
                    block.store(at, n, &item);
                }
            }
            if !block.exclusive && at.number == 0 {
                block.store(at, size - 1, &total);
            }
        });
    }))
}
