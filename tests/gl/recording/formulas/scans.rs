//! The reads of the fragments of scans.

use super::{Expected, Seen};

impl Seen<'_> {
    /// The reads of a texel; `None` if it is not drawn.
    pub(super) fn fragment(&self, i: u64) -> Option<Expected> {
        let tuple = self.define("TUPLE").max(1);
        Some(match self.path() {
            "scan/horn/step.frag" => {
                let (offset, moved) = (self.distance("u_offset"), self.distance("u_moved"));
                let Some(right) = i.checked_sub(moved) else { return Some(Vec::new()) };
                let alone = match self.has("BLOCK") {
                    true => right % self.width(0) % self.define("BLOCK") < offset,
                    false => right < offset,
                };
                if alone { vec![(0, right)] } else { vec![(0, right), (0, right - offset)] }
            }
            "scan/hybrid/reduce.frag" => {
                let first = i / tuple * 2 * tuple + i % tuple;
                vec![(0, first), (0, first + tuple)]
            }
            "scan/hybrid/down_sweep.frag" => {
                let (pair, odd, member) = (i / tuple / 2, i / tuple % 2 == 1, i % tuple);
                // Always fetched; before the first item of a row comes the last of its padding.
                let before = match pair {
                    0 => self.width(1) + member - tuple,
                    _ => (pair - 1) * tuple + member,
                };
                match (self.define("EXCLUSIVE") == 1, odd) {
                    (false, true) => vec![(0, i), (1, pair * tuple + member)],
                    (false, false) => vec![(0, i), (1, before)],
                    (true, true) => vec![(0, i - tuple), (1, before)],
                    (true, false) => vec![(1, before)],
                }
            }
            "scan/packed/reduce.frag" => self.packed_reduce(i, tuple),
            "scan/packed/down_sweep.frag" => self.packed_down_sweep(i, tuple),
            _ => return self.compaction(i),
        })
    }

    /// Items in a packed texel.
    pub(super) fn items(&self) -> u64 {
        self.source(0).items_per_texel.into()
    }

    pub(super) fn packed_reduce(&self, texel: u64, tuple: u64) -> Expected {
        let (items, block, len) = (self.items(), self.define("BLOCK"), self.source(0).len);
        let sums = (texel * items..(texel + 1) * items).filter(|sum| *sum < self.target().len);
        let mut expected = Vec::new();
        if tuple == 1 {
            for sum in sums {
                let first = sum * block;
                match len.saturating_sub(first * items) {
                    left if left >= block * items => expected.extend((first..first + block).map(|t| (0, t))),
                    left => expected.extend((0..left).map(|item| (0, first + item / items))),
                }
            }
            return expected;
        }
        // Windows as wide as a texel, for all sums of one block at a time.
        let first = texel * items;
        let mut number = first / tuple;
        while number * tuple < first + items {
            let mut window = first + number * (block - 1) * tuple;
            for _ in 0..block {
                if window < len {
                    expected.extend(self.window(window as i64));
                }
                window += tuple;
            }
            number += 1;
        }
        expected
    }

    /// The texels that hold a texel's worth of items from an index on.
    pub(super) fn window(&self, index: i64) -> Expected {
        let items = self.items() as i64;
        let texel = index.max(0) / items;
        let next = if index < 0 { 0 } else { texel + 1 }.min((self.source(0).len as i64 - 1) / items);
        match index - texel * items {
            0 => vec![(0, texel as u64)],
            _ => vec![(0, texel as u64), (0, next as u64)],
        }
    }

    pub(super) fn packed_down_sweep(&self, texel: u64, tuple: u64) -> Expected {
        let (items, size) = (self.items(), self.define("BLOCK"));
        let before_blocks = self.define("SUMS") == 1;
        let mut expected = vec![(0, texel)];
        if tuple == 1 {
            let block = texel / size;
            match self.define("ADDED") {
                0 if before_blocks && block > 0 => expected.push((1, (block - 1) / items)),
                0 => {}
                added => {
                    // The whole texels of sums before the block's own, and that one unless the block is its first.
                    let (own, above) = (block / items, self.define("ABOVE") == 1);
                    let begin = if above { own / added * added } else { 0 };
                    if begin > 0 {
                        expected.push((self.named("u_above"), (begin / added - 1) / items));
                    }
                    expected.extend((begin..block.div_ceil(items)).map(|t| (1, t)));
                }
            }
            expected.extend((block * size..texel).map(|t| (0, t)));
            return expected;
        }
        let first = texel * items;
        let block = first / (tuple * size);
        let start = block * tuple * size;
        if before_blocks && block > 0 {
            expected.extend((0..items).map(|i| (1, ((block - 1) * tuple + (first + i) % tuple) / items)));
        }
        let mut window = (start + (first - start) % tuple) as i64 - tuple as i64;
        if window + items as i64 <= start as i64 {
            window += tuple as i64;
        }
        while window < first as i64 {
            expected.extend(self.window(window));
            window += tuple as i64;
        }
        expected
    }
}
