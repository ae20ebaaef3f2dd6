//! The packed scan: several items to a texel, blocks of several texels. `glsl/scan/packed/`.

use super::heads::Heads;
use crate::length::Length;
use crate::{Error, Fragment, FragmentKernel, Item, Source, Terms, Texel};

/// As many adjacent items as a texel has, from any one on. Positions before the stream, or past its last texel, are not
/// read; nor are their items used.
fn window_at(at: &mut Fragment<'_>, stream: Source, index: i32) -> Vec<Item> {
    let items = stream.texel_items as i32;
    let texel = index.max(0) / items;
    let skip = index - texel * items;
    let low = at.fetch_items(stream, stream.shape.texel(texel));
    if skip == 0 {
        return low;
    }
    let next = if index < 0 { 0 } else { texel + 1 };
    let high = at.fetch_items(stream, stream.shape.texel(next.min((stream.shape.len - 1) / items)));
    let item = |place: i32| match place {
        ..0 => Item::of(&[]),
        place if place >= items => high[(place - items) as usize],
        place => low[place as usize],
    };
    (0..items).map(|i| item(skip + i)).collect()
}

/// All items of a texel combined, as a balanced tree.
fn sum_of(at: &mut Fragment<'_>, items: &[Item]) -> Item {
    match items {
        [] => at.identity(),
        [item] => *item,
        _ => {
            let (left, right) = items.split_at(items.len() / 2);
            let (left, right) = (sum_of(at, left), sum_of(at, right));
            at.combine(&left, &right)
        }
    }
}

/// Each item is the sum of a block of texels or, with tuples, of tuples.
pub fn reduce(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let operation = terms.operation();
    let (source, target) = (terms.source("u_source")?, terms.target());
    let (tuple, block) = (terms.define("TUPLE")?, terms.define("BLOCK")?);
    let each = terms.has("EACH").then(|| terms.define("EACH")).transpose()?;
    let length = each.is_some().then(|| Length::new(terms)).transpose()?;
    let heads = Heads::new(terms)?;
    let (items, shape) = (source.texel_items as i32, source.shape);
    // The sum of a block of texels.
    let block_sum = move |at: &mut Fragment<'_>, number: i32| {
        let first = number * block;
        let len = match (length, each) {
            (Some(length), Some(each)) => length.items(at, shape, each),
            _ => shape.len,
        };
        let left = len - first * items;
        let mut sum = at.identity();
        if let Some(heads) = heads {
            // Items before the last beginning do not count.
            let last = (first * items + block * items).min(shape.len) - 1;
            let start = heads.node_of(heads.start_of_node(at, last)).max(first * items);
            for i in (0..block).take_while(|i| i * items < left) {
                let values = at.fetch_items(source, shape.texel(first + i));
                for (index, value) in ((first + i) * items..).zip(values) {
                    if (start..=last).contains(&index) {
                        sum = at.combine(&sum, &value);
                    }
                }
            }
        } else if left >= block * items {
            for i in 0..block {
                let values = at.fetch_items(source, shape.texel(first + i));
                let of_texel = sum_of(at, &values);
                sum = if i == 0 { of_texel } else { at.combine(&sum, &of_texel) };
            }
        } else {
            for i in 0..left.max(0) {
                let item = at.fetch_item_at(source, first * items + i);
                sum = at.combine(&sum, &item);
            }
        }
        sum
    };
    Ok(Box::new(move |at| {
        let first = target.index(at.here) * items;
        let mut sums = vec![at.identity(); items as usize];
        if tuple == 1 {
            for (number, sum) in (first..).zip(&mut sums) {
                *sum = block_sum(at, number);
            }
        } else {
            // The items of this texel that belong to one block are adjacent in its tuples, too: a window.
            for number in (first / tuple..).take_while(|number| number * tuple < first + items) {
                let windows = (0..block).map(|t| first + number * (block - 1) * tuple + t * tuple);
                for window in windows.take_while(|window| *window < shape.len) {
                    let values = window_at(at, source, window);
                    for (i, sum) in (0..).zip(&mut sums) {
                        if (first + i) / tuple == number && window + i < shape.len {
                            *sum = at.combine(sum, &values[i as usize]);
                        }
                    }
                }
            }
        }
        for (i, sum) in sums.iter().enumerate() {
            at.write_item(0, i, sum, &operation);
        }
    }))
}

/// The sums that a down-sweep starts from.
#[derive(Clone, Copy)]
struct Above {
    sums: Option<Source>,
    /// If the sums are not scanned yet: texels of them in a block, and the scanned sums of such blocks.
    added: i32,
    above: Option<Source>,
}

impl Above {
    /// The sum before a block; with tuples, `index` is a member of the block's first tuple.
    fn before(&self, at: &mut Fragment<'_>, block: i32, tuple: i32, index: i32) -> Item {
        let mut sum = at.identity();
        let Some(sums) = self.sums else { return sum };
        if self.added == 0 {
            return if block > 0 { at.fetch_item_at(sums, (block - 1) * tuple + index) } else { sum };
        }
        let items = sums.texel_items as i32;
        let texel = block / items;
        let begin = if self.above.is_some() { texel - texel % self.added } else { 0 };
        if let Some(above) = self.above.filter(|_| begin > 0) {
            sum = at.fetch_item_at(above, begin / self.added - 1);
        }
        for i in begin..texel {
            let values = at.fetch_items(sums, sums.shape.texel(i));
            let of_texel = sum_of(at, &values);
            sum = at.combine(&sum, &of_texel);
        }
        let left = (block % items) as usize;
        if left > 0 {
            let last = at.fetch_items(sums, sums.shape.texel(texel));
            for item in &last[..left] {
                sum = at.combine(&sum, item);
            }
        }
        sum
    }
}

/// Each item is the sum of the blocks before its own, the items before it in its block, and (inclusive) itself.
pub fn down_sweep(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let operation = terms.operation();
    let values = terms.source("u_values")?;
    let (tuple, block) = (terms.define("TUPLE")?, terms.define("BLOCK")?);
    let exclusive = terms.is_on("EXCLUSIVE");
    let added = terms.define_or_0("ADDED");
    let source = |wanted: bool, name| wanted.then(|| terms.source(name)).transpose();
    let above = Above {
        sums: source(terms.is_on("SUMS"), "u_sums")?,
        added,
        above: source(added != 0 && terms.is_on("ABOVE"), "u_above")?,
    };
    let heads = Heads::new(terms)?;
    let leaves = terms.is_on("LEAVES");
    let (items, shape) = (values.texel_items as i32, values.shape);
    Ok(Box::new(move |at| {
        let (here, texel) = (at.here, shape.index(at.here));
        let own = at.fetch_items(values, here);
        let left = |before: i32| Texel { x: here.x - before, y: here.y };
        let mut results = Vec::with_capacity(own.len());
        if let Some(heads) = heads {
            let first = texel * items;
            let starts = match leaves.then(|| heads.starts_of_leaves(at, first, own.len())).flatten() {
                Some(starts) => starts,
                None => (first..first + items).map(|i| heads.node_of(heads.start_of_node(at, i))).collect(),
            };
            let number = texel / block;
            let mut sum = above.before(at, number, 1, 0);
            if starts[0] >= number * block * items {
                sum = at.identity();
            }
            for before in (1..=texel % block).rev() {
                let values = at.fetch_items(values, left(before));
                for (index, value) in ((texel - before) * items..).zip(values) {
                    if index >= starts[0] {
                        sum = at.combine(&sum, &value);
                    }
                }
            }
            for (i, value) in own.iter().enumerate() {
                if starts[i] >= first + i as i32 {
                    sum = at.identity();
                }
                let next = at.combine(&sum, value);
                results.push(if exclusive { sum } else { next });
                sum = next;
            }
        } else if tuple == 1 {
            let mut sum = above.before(at, texel / block, 1, 0);
            for before in (1..=texel % block).rev() {
                let values = at.fetch_items(values, left(before));
                let of_texel = sum_of(at, &values);
                sum = at.combine(&sum, &of_texel);
            }
            for value in &own {
                let next = at.combine(&sum, value);
                results.push(if exclusive { sum } else { next });
                sum = next;
            }
        } else {
            // The items before those of this texel form, tuple by tuple, a window as wide as a texel.
            let first = texel * items;
            let number = first / (tuple * block);
            let start = number * tuple * block;
            for i in 0..items {
                results.push(above.before(at, number, tuple, (first + i) % tuple));
            }
            // The leftmost window may reach into the block with only its last items.
            let mut window = start + (first - start) % tuple - tuple;
            if window + items <= start {
                window += tuple;
            }
            while window < first {
                let before = window_at(at, values, window);
                for (i, sum) in (0..).zip(&mut results) {
                    if window + i >= start {
                        *sum = at.combine(sum, &before[i as usize]);
                    }
                }
                window += tuple;
            }
            if !exclusive {
                for (sum, value) in results.iter_mut().zip(&own) {
                    *sum = at.combine(sum, value);
                }
            }
        }
        for (i, result) in results.iter().enumerate() {
            at.write_item(0, i, result, &operation);
        }
    }))
}
