//! Where each shader reads, by the formulas of the papers, held against what it wrote down itself.

use rasterscan::plan::{Layout, Uniform};
use rasterscan::trace::{Place, Reader, RecordedPass, Recording, Work};

/// A pass, and what its formulas are made of.
struct Seen<'a> {
    recording: &'a Recording,
    pass: &'a RecordedPass,
    number: usize,
}

/// Source and index.
type Expected = Vec<(u64, u64)>;

pub fn check(recording: &Recording) {
    for (number, pass) in recording.passes.iter().enumerate() {
        let seen = Seen { recording, pass, number };
        match &pass.work {
            Work::Draw { .. } | Work::Capture { .. } => seen.draw(),
            Work::Dispatch { .. } => seen.dispatch(),
        }
    }
}

impl Seen<'_> {
    fn define(&self, name: &str) -> u64 {
        let found = self.pass.defines.iter().find(|(define, _)| define == name);
        found.map_or(0, |(_, value)| *value as u64)
    }

    fn has(&self, name: &str) -> bool {
        self.pass.defines.iter().any(|(define, _)| define == name)
    }

    fn uniform(&self, name: &str) -> u64 {
        match self.pass.uniforms.iter().find(|(uniform, _)| uniform == name) {
            Some((_, Uniform::Int(value))) => *value as u64,
            other => panic!("{name}: {other:?}"),
        }
    }

    /// A distance in columns and rows, as a number of texels.
    fn distance(&self, name: &str) -> u64 {
        match self.pass.uniforms.iter().find(|(uniform, _)| uniform == name) {
            Some((_, Uniform::Int2([x, y]))) => *x as u64 + *y as u64 * self.width(0),
            None => 0,
            other => panic!("{name}: {other:?}"),
        }
    }

    fn source(&self, number: u64) -> &Layout {
        self.recording.layout(self.pass.sources[number as usize].stream)
    }

    fn width(&self, source: u64) -> u64 {
        self.source(source).width.into()
    }

    /// The number of the source of a name.
    fn named(&self, name: &str) -> u64 {
        let found = self.pass.sources.iter().position(|source| source.name == name);
        found.unwrap_or_else(|| panic!("no {name} in {}", self.path())) as u64
    }

    fn value(&self, source: u64, index: u64) -> u64 {
        let stream = self.pass.sources[source as usize].stream;
        let values = self.recording.before(self.number, stream).expect("written before");
        values.words[index as usize].into()
    }

    fn target(&self) -> &Layout {
        self.recording.layout(self.pass.targets[0].stream)
    }

    fn path(&self) -> &str {
        &self.pass.main_shader().unwrap().path
    }

    fn context(&self) -> String {
        format!(
            "{} ({}), pass {}: {}",
            self.recording.algorithm,
            self.recording.request,
            self.number + 1,
            self.path()
        )
    }

    fn reads(&self, by: Reader, reader: u64) -> Option<Vec<(u64, u64)>> {
        let reads = self.pass.reads.iter().find(|reads| reads.by == by)?;
        let places = reads.of(reader as usize)?;
        Some(places.iter().map(|place| (place.of.into(), place.index.into())).collect())
    }

    fn compare(&self, by: Reader, reader: u64, mut expected: Expected) {
        let mut got = self.reads(by, reader).unwrap_or_default();
        got.sort_unstable();
        expected.sort_unstable();
        assert_eq!(got, expected, "{}, {by:?} {reader}", self.context());
    }

    fn draw(&self) {
        if let Some(vertices) = self.vertices() {
            for (vertex, expected) in (0..).zip(vertices) {
                self.compare(Reader::Vertex, vertex, expected);
            }
        }
        if matches!(self.pass.work, Work::Capture { .. }) {
            return;
        }
        // Of what is drawn beyond the stream's end nobody asks for anything.
        for texel in 0..self.target().texels() {
            let Some(expected) = self.fragment(texel) else {
                let written = self.pass.written[0].as_ref().expect("recorded");
                assert!(!written[texel as usize], "{}: texel {texel} is written", self.context());
                continue;
            };
            self.compare(Reader::Texel, texel, expected);
        }
    }

    /// What a texel reads; `None` where it is left alone.
    fn fragment(&self, i: u64) -> Option<Expected> {
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
                // Fetched in any case; in front of the first item of a row there is the last of its padding.
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
    fn items(&self) -> u64 {
        self.source(0).items_per_texel.into()
    }

    fn packed_reduce(&self, texel: u64, tuple: u64) -> Expected {
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

    /// The texels that hold items from an index on, as many as make one.
    fn window(&self, index: i64) -> Expected {
        let items = self.items() as i64;
        let texel = index.max(0) / items;
        let next = if index < 0 { 0 } else { texel + 1 }.min((self.source(0).len as i64 - 1) / items);
        match index - texel * items {
            0 => vec![(0, texel as u64)],
            _ => vec![(0, texel as u64), (0, next as u64)],
        }
    }

    fn packed_down_sweep(&self, texel: u64, tuple: u64) -> Expected {
        let (items, size) = (self.items(), self.define("BLOCK"));
        let before_blocks = self.define("BLOCKS_BEFORE") == 1;
        let mut expected = vec![(0, texel)];
        if tuple == 1 {
            let block = texel / size;
            if before_blocks && block > 0 {
                expected.push((1, (block - 1) / items));
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

    /// What decides about elements of the stream: the mask or the values, by texels.
    fn deciding(&self) -> u64 {
        let masked = self.define("MASKED") == 1;
        self.named(if masked { "u_mask" } else { "u_values" })
    }

    fn compaction(&self, i: u64) -> Option<Expected> {
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
            "compact/packed/gather.frag" => return self.gather(i),
            other => panic!("no formula for {other}"),
        })
    }

    /// With what is read where an element is moved from.
    fn moved(&self, mut expected: Expected, from: u64) -> Expected {
        if self.define("MOVES_VALUES") == 1 {
            expected.push((self.named("u_values"), from));
        }
        expected
    }

    /// A running count, by the element's index.
    fn sum(&self, index: u64, expected: &mut Expected) -> i64 {
        let sums = self.named("u_sums");
        expected.push((sums, index / self.define("PER_TEXEL")));
        self.value(sums, index) as i64
    }

    /// roger2007, section II and figure 5.
    fn search(&self, place: u64) -> Option<Expected> {
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
                    // Whether this one is kept is asked of the stream itself.
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

    /// The element before which `rank` others of a block are kept, by its flags.
    fn search_bits(&self, place: u64) -> Option<Expected> {
        let len = self.uniform("u_len");
        let (block, texel) = (self.define("BLOCK"), self.define("WORDS") * 32);
        if place >= len {
            return None;
        }
        let words = self.define("WORDS");
        let kept = |element: u64| {
            element < len
                && self.value(0, element / 32 / words * words + element / 32 % words) >> (element % 32) & 1
                    == 1
        };
        let first = place / block * block;
        let found = (first..first + block).filter(|element| kept(*element)).nth((place - first) as usize)?;
        // One fetch for each texel of bits up to the one that holds it.
        let texels = first / texel..=found / texel;
        Some(self.moved(texels.map(|texel| (0, texel)).collect(), found))
    }

    /// A segment's texel reads what stood as far to the right as elements before its block are unwanted.
    fn concatenate(&self, place: u64) -> Option<Expected> {
        let drawn = self.pass.written[0].as_ref().expect("recorded");
        if !drawn[place as usize] {
            // Drawn by the other of the two passes, or behind the last that is kept.
            return None;
        }
        let places = self.reads(Reader::Texel, place)?;
        let from = places.first().map_or(0, |(_, index)| *index);
        assert!(from >= place, "{}: texel {place} from {from}", self.context());
        let moved = ["u_moved_values", "u_moved_indices"];
        let moved = moved.iter().filter_map(|name| self.pass.sources.iter().position(|s| s.name == *name));
        Some(moved.map(|source| (source as u64, from)).collect())
    }

    fn traverse(&self, rank: u64) -> Option<Expected> {
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

    /// The last texel of four groups whose first has no more than `rank` elements before it, and the way there.
    fn last_up_to(&self, source: u64, rank: u64, mut lower: u64, mut upper: u64) -> (u64, Expected) {
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

    fn gather(&self, texel: u64) -> Option<Expected> {
        let items = self.define("ITEMS");
        let (rank, count) = (texel * items, self.value(self.named("u_count"), 0));
        if rank >= count {
            return None;
        }
        let [bits, hints, before] = ["u_bits", "u_hints", "u_before"].map(|name| self.named(name));
        let hint = rank / self.define("HINT");
        let mut expected = vec![(hints, hint), (hints, hint + 1)];
        let (four, way) = self.last_up_to(before, rank, self.value(hints, hint), self.value(hints, hint + 1));
        expected.extend(way);
        expected.push((before, four));
        // By the flags themselves: the elements, the groups that hold them, and the texels that these are in.
        let len = self.source(bits).len * 128;
        let kept = |element: &u64| self.value(bits, element / 32) >> (element % 32) & 1 == 1;
        let wanted = (0..len).filter(kept).skip(rank as usize).take(items.min(count - rank) as usize);
        let wanted: Vec<u64> = wanted.collect();
        expected.extend((wanted[0] / 128..=wanted[wanted.len() - 1] / 128).map(|group| (bits, group)));
        if self.define("MOVES_VALUES") == 1 {
            let values = self.named("u_values");
            let mut texels: Vec<u64> = wanted.iter().map(|element| element / items).collect();
            texels.dedup();
            expected.extend(texels.into_iter().map(|texel| (values, texel)));
        }
        Some(expected)
    }

    /// What each vertex reads, where the pass places vertices.
    fn vertices(&self) -> Option<Vec<Expected>> {
        let stage = self.pass.shaders.first()?;
        let primitives = match &self.pass.work {
            Work::Draw { primitives, .. } | Work::Capture { primitives } => primitives,
            Work::Dispatch { .. } => return None,
        };
        let all = 0..primitives.vertices();
        let attributes = |vertex: u64| {
            let sources = (0..).zip(&self.pass.sources);
            sources
                .filter(|(_, source)| source.name == "attribute")
                .map(|(n, _)| (n, vertex))
                .collect::<Vec<_>>()
        };
        let segment = |block: u64| -> Expected {
            let sums = self.named("u_sums");
            let per_texel = self.define("PER_TEXEL");
            let before = (block > 0).then(|| (sums, (block - 1) / per_texel));
            before.into_iter().chain([(sums, block / per_texel)]).collect()
        };
        Some(match stage.path.as_str() {
            "common/fullscreen.vert" => return None,
            "compact/common/kept_rows.vert" => all.map(|_| vec![(self.named("u_count"), 0)]).collect(),
            "compact/points/scatter.vert" => {
                let (deciding, sums) = (self.deciding(), self.named("u_sums"));
                let mut expected: Vec<Expected> =
                    all.map(|vertex| self.moved(vec![(deciding, vertex)], vertex)).collect();
                for (vertex, expected) in (0..).zip(&mut expected) {
                    let drawn = &self.pass.drawn[vertex as usize];
                    if !drawn.is_empty() {
                        expected.push((sums, vertex / self.define("PER_TEXEL")));
                    }
                }
                expected
            }
            "compact/geometry/elements.vert" => all.map(attributes).collect(),
            "compact/blocks/segments.vert" => {
                all.map(|vertex| segment(vertex / self.define("VERTICES"))).collect()
            }
            "compact/blocks/draw_part.vert" | "compact/blocks/pass_on.vert" => {
                match self.define("CAPTURED") {
                    1 => all.map(attributes).collect(),
                    _ => all.map(|vertex| segment(vertex / self.define("VERTICES"))).collect(),
                }
            }
            other => panic!("no formula for {other}"),
        })
    }

    fn dispatch(&self) {
        let Work::Dispatch { groups, invocations, .. } = self.pass.work else { return };
        let Some(expected) = self.invocations(groups, invocations.into()) else { return self.once() };
        for (invocation, expected) in (0..).zip(expected) {
            self.compare(Reader::Invocation, invocation, expected);
        }
    }

    /// What each invocation reads; `None` where tiles go to whoever asks first.
    fn invocations(&self, groups: u64, size: u64) -> Option<Vec<Expected>> {
        let all = (0..groups).flat_map(|group| (0..size).map(move |own| (group, own)));
        let (block, exclusive, summed) =
            (self.define("BLOCK"), self.define("EXCLUSIVE") == 1, self.define("SUMMED") == 1);
        let place_of = |group: u64, i: u64| {
            let tuple = self.uniform("u_tuple");
            (group / tuple * block + i) * tuple + group % tuple
        };
        let items = |group: u64, numbers: Vec<u64>| -> Expected {
            let places = numbers.into_iter().map(|i| place_of(group, i));
            places
                .filter(|place| *place < self.uniform("u_len"))
                .map(|place| (self.named("SOURCE"), place))
                .collect()
        };
        let own = |own: u64| (own..block).step_by(size as usize).collect::<Vec<_>>();
        Some(match self.path() {
            "scan/harris/naive.comp" => {
                let read = |(group, own): (u64, u64)| {
                    let mut numbers = match (exclusive, own) {
                        (false, own) => vec![own],
                        (true, 0) => Vec::new(),
                        (true, own) => vec![own - 1],
                    };
                    if summed && exclusive && own == block - 1 {
                        numbers.push(own);
                    }
                    items(group, numbers)
                };
                all.map(read).collect()
            }
            "scan/harris/work_efficient.comp" => {
                let read = |(group, own)| match self.define("PADDING") {
                    0 => items(group, vec![2 * own, 2 * own + 1]),
                    _ => items(group, vec![own, own + block / 2]),
                };
                all.map(read).collect()
            }
            "scan/capannini/scan.comp" | "scan/capannini/cm.comp" | "scan/capannini/up_sweep.comp" => {
                all.map(|(group, number)| items(group, own(number))).collect()
            }
            "scan/capannini/down_sweep.comp" => {
                // The tree was written as far as it goes.
                let source = self.named("SOURCE");
                let tree = |group, number| -> Expected {
                    let len = self.source(source).len;
                    let places = own(number).into_iter().map(|i| place_of(group, i));
                    places.filter(|place| *place < len).map(|place| (source, place)).collect()
                };
                let before = |group, own: u64| (own == 0).then(|| (self.named("PARTIAL"), group));
                all.map(|(group, own)| tree(group, own).into_iter().chain(before(group, own)).collect())
                    .collect()
            }
            "scan/common/uniform_add.comp" => {
                let [target, increments] = ["TARGET", "INCREMENTS"].map(|name| self.named(name));
                let read = |(group, number): (u64, u64)| {
                    let places = own(number).into_iter().map(|i| place_of(group, i));
                    let places =
                        places.filter(|place| *place < self.uniform("u_len")).map(|place| (target, place));
                    places.chain((number == 0).then_some((increments, group))).collect()
                };
                all.map(read).collect()
            }
            "scan/common/clear.comp" | "compact/common/zero.comp" => all.map(|_| Vec::new()).collect(),
            "compact/scatter/flags.comp" | "compact/scatter/scatter.comp" => {
                let vector = self.define("VECTOR");
                let len = self.uniform("u_len");
                let read = |(group, own): (u64, u64)| {
                    let row = group * size + own;
                    if row * vector >= len {
                        return Vec::new();
                    }
                    // As much as one load brings.
                    let of = |name: &str| {
                        let source = self.named(name);
                        let first = row * vector;
                        (first..(first + vector).min(self.source(source).len)).map(move |item| (source, item))
                    };
                    let mut expected: Expected = of("SOURCE").collect();
                    if self.define("MASKED") == 1 {
                        expected.extend(of("MASK"));
                    }
                    if self.path().ends_with("scatter.comp") {
                        expected.push((self.named("SUMS"), row * vector));
                    }
                    expected
                };
                all.map(read).collect()
            }
            _ => return None,
        })
    }

    /// Of scans and compactions in tiles: each item of the stream is read, by one group, as long as nobody has to
    /// wait in vain; and a tile's items are written by the group that has read them.
    fn once(&self) {
        let Work::Dispatch { invocations, .. } = self.pass.work else { return };
        let source = self.named("SOURCE");
        let len = self.source(source).len;
        let reads = self.pass.reads.iter().find(|reads| reads.by == Reader::Invocation).expect("recorded");
        let group_of = |invocation: usize| invocation as u32 / invocations;
        let mut readers = vec![Vec::new(); len as usize];
        for (invocation, places) in reads.iter() {
            for place in places.iter().filter(|place| u64::from(place.of) == source) {
                readers[place.index as usize].push(group_of(invocation));
            }
        }
        for (item, readers) in readers.iter().enumerate() {
            assert!(!readers.is_empty(), "{}: nobody has read item {item}", self.context());
            let ticketed = self.pass.sources.iter().any(|source| source.name == "STATES");
            assert!(ticketed || readers.len() == 1, "{}: item {item} by {readers:?}", self.context());
        }
        let target = self.pass.targets.iter().position(|target| {
            let name = self.recording.name(target.stream);
            name.starts_with("scanned")
        });
        let (Some(of), Some(writes)) = (target, &self.pass.writes) else { return };
        for (item, readers) in readers.iter().enumerate() {
            let writers = writes.who_read(Place { of: of as u32, index: item as u32 });
            assert_eq!(writers.len(), 1, "{}: item {item}", self.context());
            assert!(readers.contains(&group_of(writers[0])), "{}: item {item}", self.context());
        }
    }
}
