//! The reads of the invocations of compute shaders.

use rasterscan::trace::{Place, Reader, Work};

use super::{Expected, Seen};

impl Seen<'_> {
    pub(super) fn dispatch(&self) {
        let Work::Dispatch { groups, invocations, .. } = self.pass.work else { return };
        let Some(expected) = self.invocations(groups, invocations.into()) else { return self.once() };
        for (invocation, expected) in (0..).zip(expected) {
            self.compare(Reader::Invocation, invocation, expected);
        }
    }

    /// The reads of each invocation; `None` if tiles go to the first group that asks.
    pub(super) fn invocations(&self, groups: u64, size: u64) -> Option<Vec<Expected>> {
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
                // Only the existing part of the tree was written.
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
                    // The items of one load.
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

    /// In scans and compactions in tiles, each item of the stream is read by one group, as long as no group waits in
    /// vain, and a tile's items are written by the group that read them.
    pub(super) fn once(&self) {
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
            assert!(!readers.is_empty(), "{}: item {item} was not read", self.context());
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
