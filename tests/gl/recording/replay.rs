//! Values recomputed from the recorded reads, and the elements of the input in each.

use std::collections::{HashMap, HashSet};

use rasterscan::Numbers;
use rasterscan::trace::{Place, RecordedPass, Recording, Work};
use rasterscan::{Element, ElementType, ScanKind, ScanSpec};

/// An item, and the items of the input combined in it: those of one member of all tuples, from the first up to before
/// the second.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Known<T> {
    value: [T; 2],
    member: u64,
    from: u64,
    to: u64,
}

/// Recomputes every value of a scan. Returns their number.
pub fn check(recording: &Recording) -> usize {
    match recording.request.element() {
        ElementType::U32 => Replay::<u32>::of(recording).run(),
        ElementType::I64 => Replay::<i64>::of(recording).run(),
        other => panic!("{other} is not among the cases"),
    }
}

struct Replay<'a, T> {
    recording: &'a Recording,
    spec: &'a ScanSpec,
    input: Vec<[T; 2]>,
    /// The known items, by stream and item; a missing one is padding, or combines no element.
    known: HashMap<(usize, u64), Known<T>>,
    /// Undefined values, and values computed from them.
    junk: HashSet<(usize, u64)>,
    made: usize,
}

fn items<T: Element>(values: &Numbers, arity: usize) -> Vec<[T; 2]> {
    let numbers = values.get::<T>().unwrap();
    numbers.chunks_exact(arity).map(|item| [item[0], item.get(1).copied().unwrap_or(T::ZERO)]).collect()
}

impl<'a, T: Element> Replay<'a, T> {
    fn of(recording: &'a Recording) -> Replay<'a, T> {
        let spec: &ScanSpec = recording.request.get().expect("a scan");
        let input = items::<T>(&recording.inputs[0].values, spec.operator.arity() as usize);
        let mut replay =
            Replay { recording, spec, input, known: HashMap::new(), junk: HashSet::new(), made: 0 };
        for (index, value) in (0..).zip(&replay.input) {
            let (member, from) = (index % u64::from(spec.tuple), index / u64::from(spec.tuple));
            let known = Known { value: *value, member, from, to: from + 1 };
            replay.known.insert((recording.inputs[0].stream, index), known);
        }
        replay
    }

    fn combine(&self, left: [T; 2], right: [T; 2]) -> [T; 2] {
        self.spec.operator.combine(left, right).expect("a twin")
    }

    /// All input items of a member, combined.
    fn sum(&self, member: u64, from: u64, to: u64) -> [T; 2] {
        let tuple = u64::from(self.spec.tuple);
        let items = (from..to).map(|i| self.input[(i * tuple + member) as usize]);
        items.fold(self.spec.operator.identity(), |sum, item| self.combine(sum, item))
    }

    fn run(mut self) -> usize {
        for (number, pass) in self.recording.passes.iter().enumerate() {
            if pass.phase == "clear" {
                continue;
            }
            let mut made = Vec::new();
            for (of, target) in pass.targets.iter().enumerate() {
                let layout = self.recording.layout(target.stream);
                match self.recording.name(target.stream) {
                    // The published values of tiles, with a status beside each.
                    "states" | "carries" => continue,
                    _ if layout.element != T::TYPE => panic!("{layout}"),
                    _ => {}
                }
                let got = items::<T>(&target.values, self.spec.operator.arity() as usize);
                for (index, value) in (0..).zip(got) {
                    let place =
                        Place { of: of as u32, index: (index / u64::from(layout.items_per_texel)) as u32 };
                    let written = pass.written[of].as_ref().expect("recorded");
                    if !written[place.index as usize] {
                        continue;
                    }
                    let read = self.read_for(pass, place);
                    match self.explain(&read, value) {
                        Some(known) => made.push(((target.stream, index), known)),
                        // A tree's inner node, or a sum past the end of the stream, may combine no element.
                        None if self.may_be_anything(pass, place, index) => {
                            self.junk.insert((target.stream, index));
                        }
                        None => panic!(
                            "{} ({}), pass {}: item {index} of {} is {value:?}, which is no combination of {read:?}",
                            self.recording.algorithm,
                            self.recording.request,
                            number + 1,
                            self.recording.name(target.stream)
                        ),
                    }
                }
            }
            self.made += made.len();
            for (place, known) in made {
                self.known.insert(place, known);
            }
        }
        self.complete();
        self.made
    }

    /// Returns true if a value is unused: a tree in the storage of a result, the sum of a tile that reaches past the
    /// stream's end, anything past that, and values computed from any of these. Results are never unused.
    fn may_be_anything(&self, pass: &RecordedPass, place: Place, index: u64) -> bool {
        let stream = pass.targets[place.of as usize].stream;
        let layout = self.recording.layout(stream);
        let past = index / u64::from(self.spec.tuple) >= self.spec.tuples();
        let last = self.recording.name(stream) == "sums" && index + u64::from(self.spec.tuple) >= layout.len;
        let read_junk = self.items_read(pass, place).iter().any(|item| self.junk.contains(item));
        past || last || read_junk || pass.main_shader().unwrap().path.ends_with("up_sweep.comp")
    }

    /// The items read for an item; in a compute shader, by the whole group that wrote it.
    fn places_read(&self, pass: &RecordedPass, place: Place) -> Vec<Place> {
        let Work::Dispatch { invocations, .. } = pass.work else { return pass.read_for(place) };
        let writers = pass.writes.as_ref().unwrap().who_read(place);
        let groups: Vec<usize> = writers.iter().map(|writer| writer / invocations as usize).collect();
        let reads = pass.reads[0].iter();
        let of_group = reads.filter(|(reader, _)| groups.contains(&(reader / invocations as usize)));
        of_group.flat_map(|(_, places)| places.to_vec()).collect()
    }

    /// The same as streams and items.
    fn items_read(&self, pass: &RecordedPass, place: Place) -> Vec<(usize, u64)> {
        let places = self.places_read(pass, place);
        let items = places.into_iter().flat_map(|Place { of, index }| {
            let stream = pass.sources[of as usize].stream;
            let per_texel = u64::from(self.recording.layout(stream).items_per_texel);
            (u64::from(index) * per_texel..(u64::from(index) + 1) * per_texel).map(move |item| (stream, item))
        });
        items.collect()
    }

    /// The known values that were read for an item.
    fn read_for(&self, pass: &RecordedPass, place: Place) -> Vec<Known<T>> {
        let known = self.items_read(pass, place).into_iter().flat_map(|(stream, item)| {
            match self.recording.name(stream) {
                "states" => self.published(pass, stream, item),
                _ => self.known.get(&(stream, item)).copied().into_iter().collect(),
            }
        });
        known.collect()
    }

    /// The published values of a tile, read from the states after the pass: sums of some elements, which are identified
    /// here.
    fn published(&self, pass: &RecordedPass, stream: usize, index: u64) -> Vec<Known<T>> {
        let words = u64::from(self.spec.item_words());
        let tickets = pass.defines.iter().find(|(name, _)| name == "TICKETS").unwrap().1 as u64;
        let Some(number) = index.checked_sub(tickets) else { return Vec::new() };
        let first = (tickets + number / words * words) as usize;
        let states = pass.targets.iter().find(|target| target.stream == stream).unwrap();
        let halves = states.values.words()[first * 2..(first + words as usize) * 2].chunks_exact(2);
        let sum: Vec<u32> = halves.map(|halves| halves[0] >> 16 | (halves[1] & 0xFFFF_0000)).collect();
        let sum: Vec<T> = bytemuck::pod_collect_to_vec(&sum);
        let value = [sum[0], sum.get(1).copied().unwrap_or(T::ZERO)];
        let mut found = Vec::new();
        for member in 0..u64::from(self.spec.tuple) {
            for from in 0..self.spec.tuples() {
                let mut sum = self.spec.operator.identity();
                for to in from..self.spec.tuples() {
                    let tuple = u64::from(self.spec.tuple);
                    sum = self.combine(sum, self.input[(to * tuple + member) as usize]);
                    if sum == value {
                        found.push(Known { value: sum, member, from, to: to + 1 });
                    }
                }
            }
        }
        found
    }

    /// The combination that gives a value: items that were read, each beginning where the previous one ends.
    fn explain(&self, read: &[Known<T>], value: [T; 2]) -> Option<Known<T>> {
        if value == self.spec.operator.identity() {
            let member = read.first().map_or(0, |known| known.member);
            return Some(Known { value, member, from: 0, to: 0 });
        }
        read.iter().find_map(|first| self.chain(read, *first, value))
    }

    fn chain(&self, read: &[Known<T>], so_far: Known<T>, value: [T; 2]) -> Option<Known<T>> {
        if so_far.value == value {
            return Some(so_far);
        }
        // The longest steps first: few chains fail.
        let mut next: Vec<&Known<T>> = read
            .iter()
            .filter(|known| known.member == so_far.member && known.from == so_far.to && known.to > known.from)
            .collect();
        next.sort_by_key(|known| std::cmp::Reverse(known.to));
        next.dedup_by_key(|known| known.to);
        next.into_iter().find_map(|known| {
            let value_of_both = self.combine(so_far.value, known.value);
            self.chain(read, Known { value: value_of_both, to: known.to, ..so_far }, value)
        })
    }

    /// Checks that each result combines all elements up to its own, and nothing else.
    fn complete(&self) {
        let output = self.recording.outputs[0];
        for index in 0..self.spec.len {
            let (member, own) = (index % u64::from(self.spec.tuple), index / u64::from(self.spec.tuple));
            let to = own + u64::from(self.spec.kind == ScanKind::Inclusive);
            let known =
                self.known.get(&(output, index)).unwrap_or_else(|| panic!("result {index} is not known"));
            let sum = self.sum(member, 0, to);
            assert_eq!(known.value, sum, "{}: result {index}", self.recording.algorithm);
            if sum != self.spec.operator.identity::<T, 2>() {
                let got = (known.member, known.from, known.to);
                assert_eq!(got, (member, 0, to), "{}: result {index}", self.recording.algorithm);
            }
        }
    }
}

/// Checks the moved elements of a compaction against the recorded reads. Returns their number.
pub fn moved(recording: &Recording) -> usize {
    let mut held = 0;
    for pass in &recording.passes {
        for (of, target) in pass.targets.iter().enumerate() {
            let name = recording.name(target.stream);
            if !["values", "compacted blocks"].contains(&name) || matches!(pass.work, Work::Capture { .. }) {
                continue;
            }
            let layout = recording.layout(target.stream);
            let Some(written) = &pass.written[of] else { panic!("{name} is recorded") };
            for (item, value) in target.values.words().iter().enumerate() {
                let place = item as u32 / layout.items_per_texel;
                if !written[place as usize] {
                    continue;
                }
                let read = pass.read_for(Place { of: of as u32, index: place });
                let found = read.iter().any(|place| {
                    let stream = pass.sources[place.of as usize].stream;
                    let per_texel = recording.layout(stream).items_per_texel;
                    let before = recording.before(recording.passes.len(), stream).expect("read");
                    let items = place.index * per_texel..(place.index + 1) * per_texel;
                    items.into_iter().any(|item| before.words().get(item as usize) == Some(value))
                });
                // Zeros follow the last element of the last texel.
                assert!(found || *value == 0, "{}: {name}[{item}] = {value}", recording.algorithm);
                held += 1;
            }
        }
    }
    held
}
