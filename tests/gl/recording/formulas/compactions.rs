//! The reads of the fragments of compactions.

use rasterscan::trace::Reader;

use super::{Expected, Seen};

impl Seen<'_> {
    /// The source that decides about elements of the stream: the mask or the values, by texels.
    pub(super) fn deciding(&self) -> u64 {
        let masked = self.define("MASKED") == 1;
        self.named(if masked { "u_mask" } else { "u_values" })
    }

    pub(super) fn compaction(&self, i: u64) -> Option<Expected> {
        Some(match self.path() {
            "compact/common/flags.frag" => {
                let per_texel = self.define("PER_TEXEL");
                (0..per_texel).map(|k| (self.deciding(), i * per_texel + k)).collect()
            }
            "compact/blocks/bits.frag" => {
                let elements = self.define("WORDS") * 32;
                (0..elements).map(|k| (self.deciding(), i * elements + k)).collect()
            }
            "compact/packed/bits.frag" => {
                let texels = 128 / self.define("ITEMS");
                (0..texels).map(|k| (self.deciding(), i * texels + k)).collect()
            }
            "compact/common/search.frag" => return self.search(i),
            "compact/common/count.frag" => {
                let sums = self.named("u_sums");
                vec![(sums, (self.source(sums).len - 1) / self.define("PER_TEXEL"))]
            }
            "compact/common/zero.frag" => Vec::new(),
            "compact/blocks/ends.frag" => {
                let (per_texel, block, len) =
                    (self.define("PER_TEXEL"), self.define("BLOCK"), self.source(0).len);
                (0..per_texel).map(|k| (0, ((i * per_texel + k + 1) * block).min(len) - 1)).collect()
            }
            "compact/blocks/counts.frag" => {
                let (block, texel) = (self.define("BLOCK"), self.define("WORDS") * 32);
                let len = self.uniform("u_len");
                let firsts = (0..4).map(|k| (i * 4 + k) * block);
                let of = |first: u64| (first..(first + block).min(len).max(first)).step_by(texel as usize);
                firsts.flat_map(of).map(|element| (0, element / texel)).collect()
            }
            "compact/blocks/search_bits.frag" => return self.search_bits(i),
            "compact/blocks/concatenate.frag" => return self.concatenate(i),
            "compact/bitonic/keys.frag" => {
                let deciding = self.deciding();
                if i < self.source(deciding).len { vec![(deciding, i)] } else { Vec::new() }
            }
            "compact/bitonic/step.frag" => vec![(0, i), (0, i ^ self.uniform("u_distance"))],
            "compact/bitonic/gather.frag" => {
                let keys = self.named("u_keys");
                let key = self.value(keys, i);
                if i >= self.uniform("u_len") || key & 0x8000_0000 != 0 {
                    return None;
                }
                self.moved(vec![(keys, i)], key)
            }
            "compact/bitonic/count.frag" => {
                let (mut lower, mut upper, mut expected) = (0, self.source(0).len, Vec::new());
                while lower < upper {
                    let middle = (lower + upper) / 2;
                    expected.push((0, middle));
                    match self.value(0, middle) & 0x8000_0000 {
                        0 => lower = middle + 1,
                        _ => upper = middle,
                    }
                }
                expected
            }
            "compact/histopyramid/reduce.frag" => (i * 4..i * 4 + 4)
                .filter(|texel| texel * 4 < self.source(0).len)
                .map(|texel| (0, texel))
                .collect(),
            "compact/histopyramid/count.frag" => vec![(0, 0)],
            "compact/histopyramid/traverse.frag" => return self.traverse(i),
            "compact/points/point.frag" => Vec::new(),
            "compact/geometry/count.frag" => {
                let first = i * self.define("RUN");
                (first..(first + self.define("RUN")).min(self.source(0).len)).map(|item| (0, item)).collect()
            }
            "compact/packed/counts.frag" => (i * 4..i * 4 + 4)
                .filter(|group| *group < self.source(0).len)
                .map(|group| (0, group))
                .collect(),
            "compact/packed/count.frag" => {
                let last = (self.source(0).len - 1) / 4;
                vec![(0, last), (1, last)]
            }
            "compact/packed/hints.frag" => {
                let last = (self.source(0).len - 1) / 4;
                self.last_up_to(0, i * self.define("HINT"), 0, last).1
            }
            "compact/packed/runs.frag" => return self.run_start(i),
            "compact/packed/gather.frag" => return self.gather(i),
            other => panic!("no formula for {other}"),
        })
    }

    /// With the reads at the position that an element is moved from.
    pub(super) fn moved(&self, mut expected: Expected, from: u64) -> Expected {
        if self.define("MOVES_VALUES") == 1 {
            expected.push((self.named("u_values"), from));
        }
        expected
    }

    /// A running count, by the element's index.
    pub(super) fn sum(&self, index: u64, expected: &mut Expected) -> i64 {
        let sums = self.named("u_sums");
        expected.push((sums, index / self.define("PER_TEXEL")));
        self.value(sums, index) as i64
    }

    /// roger2007, section II and figure 5.
    pub(super) fn search(&self, place: u64) -> Option<Expected> {
        let len = self.source(self.named("u_sums")).len;
        let (first, size) = match self.define("BLOCK") {
            0 => (0, len),
            block => (place / block * block, (len.saturating_sub(place / block * block)).min(block)),
        };
        let i = place - first;
        if i >= size {
            return None;
        }
        let mut expected = Vec::new();
        let mut lower = i as i64 + self.sum(place, &mut expected);
        let mut upper = i as i64 + self.sum(first + size - 1, &mut expected);
        if upper > size as i64 - 1 {
            return None;
        }
        let deciding = self.deciding();
        if self.define("IMPROVED") == 1 {
            loop {
                let j = (lower + upper) / 2;
                let found = j - self.sum(first + j as u64, &mut expected) - i as i64;
                let kept = || {
                    let before =
                        if j == 0 { 0 } else { self.value(self.named("u_sums"), first + j as u64 - 1) };
                    self.value(self.named("u_sums"), first + j as u64) == before
                };
                if found == 0 {
                    // The stream itself decides whether this one is kept.
                    expected.push((deciding, first + j as u64));
                    if kept() {
                        return Some(self.moved(expected, first + j as u64));
                    }
                }
                if found < 0 {
                    lower = j - found;
                } else {
                    upper = j - found.max(1);
                }
            }
        }
        for _ in 0..self.define("STEPS") {
            let middle = (lower + upper) / 2;
            if middle - self.sum(first + middle as u64, &mut expected) >= i as i64 {
                upper = middle;
            } else {
                lower = middle + 1;
            }
        }
        Some(self.moved(expected, first + upper as u64))
    }

    /// The kept element of a block with `rank` kept ones before it, by the flags.
    pub(super) fn search_bits(&self, place: u64) -> Option<Expected> {
        let len = self.uniform("u_len");
        let (block, texel) = (self.define("BLOCK"), self.define("WORDS") * 32);
        let bits = self.named("u_bits");
        let kept =
            |element: &u64| *element < len && self.value(bits, element / 32) >> (element % 32) & 1 == 1;
        let found = if self.define("DRAWN") == 1 {
            // The other of the two passes draws it, or it is past the last kept element.
            let drawn = self.pass.written[0].as_ref().expect("recorded");
            (0..len).filter(kept).nth(place as usize).filter(|_| drawn[place as usize])?
        } else if place >= len {
            return None;
        } else {
            let first = place / block * block;
            (first..first + block).filter(kept).nth((place - first) as usize)?
        };
        // One fetch for each texel of bits up to the one that holds it.
        let texels = found / block * block / texel..=found / texel;
        Some(self.moved(texels.map(|texel| (bits, texel)).collect(), found))
    }

    /// A segment's texel reads the element as far to the right as there are unwanted ones before its block.
    pub(super) fn concatenate(&self, place: u64) -> Option<Expected> {
        let drawn = self.pass.written[0].as_ref().expect("recorded");
        if !drawn[place as usize] {
            // Drawn by the other of the two passes, or past the last kept element.
            return None;
        }
        let places = self.reads(Reader::Texel, place)?;
        let from = places.first().map_or(0, |(_, index)| *index);
        assert!(from >= place, "{}: texel {place} from {from}", self.context());
        let moved = ["u_moved_values", "u_moved_indices"];
        let moved = moved.iter().filter_map(|name| self.pass.sources.iter().position(|s| s.name == *name));
        Some(moved.map(|source| (source as u64, from)).collect())
    }

    pub(super) fn traverse(&self, rank: u64) -> Option<Expected> {
        let levels = self.define("LEVELS");
        if rank >= self.value(self.named("u_count"), 0) {
            return None;
        }
        let (mut node, mut left, mut expected) = (0, rank, Vec::new());
        for level in (0..levels).rev() {
            let source = self.named(&format!("u_level_{level}"));
            expected.push((source, node));
            let len = self.source(source).len;
            let mut quarter = 0;
            loop {
                let place = node * 4 + quarter;
                let count = if place < len { self.value(source, place) } else { 0 };
                if left < count || quarter == 3 {
                    break;
                }
                left -= count;
                quarter += 1;
            }
            node = node * 4 + quarter;
        }
        Some(self.moved(expected, node))
    }

    /// The last texel of four groups whose first has at most `rank` elements before it, and the reads on the way.
    pub(super) fn last_up_to(
        &self,
        source: u64,
        rank: u64,
        mut lower: u64,
        mut upper: u64,
    ) -> (u64, Expected) {
        let mut expected = Vec::new();
        while lower < upper {
            let middle = (lower + upper).div_ceil(2);
            expected.push((source, middle));
            match self.value(source, middle * 4) <= rank {
                true => lower = middle,
                false => upper = middle - 1,
            }
        }
        (lower, expected)
    }

    /// The group that holds the element with `rank` kept elements before it, and the reads on the way.
    fn group_of(&self, rank: u64, lower: u64, upper: u64) -> (u64, Expected) {
        let before = self.named("u_before");
        let (four, mut expected) = self.last_up_to(before, rank, lower, upper);
        expected.push((before, four));
        let mut groups = four * 4..(four * 4 + 4).min(self.source(before).len);
        let group = groups.rfind(|group| self.value(before, *group) <= rank);
        (group.expect("the first one"), expected)
    }

    pub(super) fn run_start(&self, run: u64) -> Option<Expected> {
        let rank = run * self.define("RUN");
        if rank >= self.value(self.named("u_count"), 0) {
            return None;
        }
        let before = self.named("u_before");
        let groups = self.source(before).len;
        let (mut expected, mut between) = (Vec::new(), [0, (groups - 1) / 4]);
        if self.define("HINT") > 0 {
            let (hints, hint) = (self.named("u_hints"), rank / self.define("HINT"));
            expected = vec![(hints, hint), (hints, hint + 1)];
            between = [0, 1].map(|next| self.value(hints, hint + next));
        }
        let (group, way) = self.group_of(rank, between[0], between[1]);
        expected.extend(way);
        let after = (group + 1..group + 3).filter(|group| *group < groups);
        expected.extend(after.map(|group| (before, group / 4)));
        Some(expected)
    }

    pub(super) fn gather(&self, texel: u64) -> Option<Expected> {
        let items = self.define("ITEMS");
        let (rank, count) = (texel * items, self.value(self.named("u_count"), 0));
        if rank >= count {
            return None;
        }
        let [bits, runs, before] = ["u_bits", "u_runs", "u_before"].map(|name| self.named(name));
        let group_of_run = |run: u64| self.value(runs, run * 2) & 0xFF_FFFF;
        // The reads that find the group of an element.
        let way = |rank: u64| {
            let run = rank / self.define("RUN");
            let mut way = vec![(runs, run)];
            if self.value(runs, run * 2 + 1) >= 1 << 31 {
                let mut upper = (self.source(before).len - 1) / 4;
                if (run + 1) * self.define("RUN") < count {
                    way.push((runs, run + 1));
                    upper = group_of_run(run + 1) / 4;
                }
                way.extend(self.group_of(rank, group_of_run(run) / 4, upper).1);
            }
            way
        };
        let mut expected = way(rank);
        // By the flags themselves: the elements, their groups, and the texels of the groups.
        let groups = self.source(bits).len;
        let kept = |element: &u64| self.value(bits, element / 32) >> (element % 32) & 1 == 1;
        let wanted =
            (0..groups * 128).filter(kept).skip(rank as usize).take(items.min(count - rank) as usize);
        let wanted: Vec<u64> = wanted.collect();
        let (first, last) = (wanted[0], wanted[wanted.len() - 1]);
        let group = first / 128;
        expected
            .extend([group, group + 1].iter().filter(|group| **group < groups).map(|group| (bits, *group)));
        let near = wanted.len() as u64 == items && last < first + 32;
        if !near {
            // From word to word, up to eight; to what is farther by a search.
            let mut word = first / 32;
            for (rank, element) in (rank..).zip(&wanted) {
                expected.extend((word + 1..=(element / 32).min(word + 8)).map(|word| (bits, word / 4)));
                if element / 32 > word + 8 {
                    expected.extend(way(rank));
                    expected.push((bits, element / 128));
                }
                word = element / 32;
            }
        }
        if self.define("MOVES_VALUES") == 1 {
            let values = self.named("u_values");
            let texels = wanted.iter().map(|element| element / items);
            if near {
                let (first, last) = (first / items, last / items);
                let next = last.min(first + 1);
                expected.extend([first, next, last].map(|texel| (values, texel)));
                let others = texels.filter(|texel| *texel > next && *texel != last);
                expected.extend(others.map(|texel| (values, texel)));
            } else {
                expected.extend(texels.map(|texel| (values, texel)));
            }
        }
        Some(expected)
    }
}
