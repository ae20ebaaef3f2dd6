//! Options that every sort has, whichever algorithm it is by. An algorithm sorts u32 by a range of bits, ascending and stable, and
//! moves payloads with them ([`SortSpec::is_plain`]). These passes make all other sorts of that one:
//!
//! ```text
//! other elements, descending   a rank for each word of a key: u32 in the wanted order         map rank
//! length on the GPU            the highest rank for keys past it; a stable sort leaves them   map rank
//! indices                      0, 1, 2 ... as a payload, unless the sort makes them itself    map index
//! 64 bits                      a sort by the lower words, then one by the higher words
//! rows, segments               a last sort by the number of the row or segment                map row; a scan of flags
//! values                       the keys of the ranks                                          map key
//! more than one payload        those moved by the indices at the end                          gather
//! ```
//!
//! A sort by one of several words moves the others as payloads; with the index or one payload of the caller's they are four
//! streams at most, as many targets as every device has.

use super::SortSpec;
use crate::algorithm::{Algorithm, Placement, Spec};
use crate::compact::Moves;
use crate::device::Device;
use crate::element::ElementType;
use crate::error::Error;
use crate::plan::{Layout, Map, Plan, Slot, Storage};
use crate::scan::{self, ScanSpec, Segments, ceil_log2};

/// The layouts that the streams need, for an algorithm that itself needs this one.
pub(super) fn placements(spec: &SortSpec, algorithm: Placement) -> Vec<Placement> {
    let inputs = spec.inputs();
    let place = |placement: Placement, element: ElementType| match placement {
        Placement::Texture { items_per_texel, unit } => {
            Placement::Texture { items_per_texel: items_per_texel.min(4 / element.words()), unit }
        }
        other => other,
    };
    inputs.iter().map(|input| place(input.place(algorithm), input.element)).collect()
}

/// Adds the passes of a sort that is not plain.
///
/// Errors: [`Error::Unsupported`] where the device or the algorithm rules the spec out.
pub(super) fn build<A: Algorithm<SortSpec> + ?Sized>(
    spec: &SortSpec,
    algorithm: &A,
    plan: &mut Plan,
    inputs: &[Slot],
    device: &Device,
) -> Result<Vec<Slot>, Error> {
    let words =
        algorithm.placement(&of_words(spec.len), device)?.layout(device, ElementType::U32, 1, spec.len)?;
    let first_payload = 1 + usize::from(spec.segments != Segments::None);
    let payloads = &inputs[first_payload..first_payload + spec.payloads as usize];
    let by_index = spec.moves.indices() || payloads.len() > 1;
    let length = spec.has_gpu_length.then(|| inputs[inputs.len() - 1]);

    let mut words_of_keys = Vec::new();
    for (word, bits) in words_and_bits(spec).enumerate() {
        words_of_keys.push(Word {
            slot: rank(plan, spec, inputs[0], word as u32, length, words)?,
            bits,
            of_key: true,
        });
    }
    if let Some((slot, bits)) = part_numbers(plan, spec, inputs, words, device)? {
        words_of_keys.push(Word { slot, bits: [0, bits], of_key: false });
    }
    // One word alone with its index; its sort makes the index itself, if it can.
    let alone = of_words(spec.len).moves(match spec.moves.values() {
        true => Moves::Both,
        false => Moves::Indices,
    });
    let makes_index = by_index && words_of_keys.len() == 1 && algorithm.handles_natively(&alone, device);
    let mut carried = match (by_index, payloads) {
        _ if makes_index => None,
        (true, _) => Some(plan.map(inputs[0], "index", index(), words)?),
        (false, [payload]) => Some(*payload),
        (false, _) => None,
    };
    for number in 0..words_of_keys.len() {
        let [low, high] = words_of_keys[number].bits;
        if low >= high {
            continue;
        }
        // A word that was sorted by is of no more use, unless it is a part of the results.
        let others: Vec<usize> = (0..words_of_keys.len())
            .filter(|other| *other != number)
            .filter(|other| *other > number || spec.moves.values() && words_of_keys[*other].of_key)
            .collect();
        let streams: Vec<Slot> = std::iter::once(number)
            .chain(others.iter().copied())
            .map(|word| words_of_keys[word].slot)
            .chain(carried)
            .collect();
        let step = if makes_index { alone } else { of_words(spec.len).payloads(streams.len() as u32 - 1) };
        let step = step.bits(low..high);
        let sorted = algorithm.build(plan, &step, &streams, device)?;
        for (word, slot) in std::iter::once(number).chain(others).zip(&sorted) {
            words_of_keys[word].slot = *slot;
        }
        carried = sorted.last().filter(|_| makes_index || carried.is_some()).copied();
    }
    let mut results = Vec::new();
    if spec.moves.values() {
        let ranks: Vec<Slot> =
            words_of_keys.iter().filter(|word| word.of_key).map(|word| word.slot).collect();
        results.push(keys(plan, spec, &ranks, *plan.layout(inputs[0]))?);
    }
    if spec.moves.indices() {
        results.extend(carried);
    }
    match (by_index, carried) {
        (true, Some(indices)) => {
            for payload in payloads {
                results.push(plan.gather(*payload, indices, None)?);
            }
        }
        _ => results.extend(carried),
    }
    Ok(results)
}

/// A word by which keys are sorted.
struct Word {
    slot: Slot,
    /// The bits of it that count.
    bits: [u32; 2],
    /// True for a word of the keys, false for the number of a row or segment.
    of_key: bool,
}

/// The plain sort of streams as long as those of another one.
fn of_words(len: u64) -> SortSpec {
    SortSpec::of(ElementType::U32, len)
}

/// The bits that count of each word of a key, the lower word first.
fn words_and_bits(spec: &SortSpec) -> impl Iterator<Item = [u32; 2]> {
    let bits = spec.bits;
    (0..spec.element.words()).map(move |word| bits.map(|bit| bit.saturating_sub(32 * word).min(32)))
}

/// A word of the number in whose order the keys come out.
fn rank(
    plan: &mut Plan,
    spec: &SortSpec,
    keys: Slot,
    word: u32,
    length: Option<Slot>,
    to: Layout,
) -> Result<Slot, Error> {
    let order = Order::of(spec, word);
    if order == Order::UNSIGNED && spec.element.words() == 1 && length.is_none() {
        return Ok(keys);
    }
    let is_past = if length.is_some() { "uint(index) >= length_at(0)" } else { "false" };
    let glsl = format!(
        "void map(uint from[FROM], int index, out uint to[TO]) {{\n    uint key = from[{word}];\n    \
         to[0] = {is_past} ? 0xFFFFFFFFu : {};\n}}\n",
        order.glsl_rank()
    );
    let map = match length {
        Some(length) => Map::new(glsl).stream("length", length, 1),
        None => Map::new(glsl),
    };
    let is_counted = length.is_some();
    let map = map.twin_with_streams(move |from, items, index, to| {
        let is_past = is_counted && items(1, 0).is_some_and(|length| index >= length[0]);
        to[0] = if is_past { u32::MAX } else { order.rank(from[word as usize]) };
    });
    plan.map(keys, "rank", map, to)
}

/// The keys of ranks: the inverse of [`rank`].
fn keys(plan: &mut Plan, spec: &SortSpec, ranks: &[Slot], to: Layout) -> Result<Slot, Error> {
    let orders: Vec<Order> = (0..spec.element.words()).map(|word| Order::of(spec, word)).collect();
    if orders == [Order::UNSIGNED] {
        return Ok(ranks[0]);
    }
    let names = ["from[0]", "high_at(index)"];
    let lines: String = (0..)
        .zip(names)
        .zip(&orders)
        .map(|((word, name), order)| format!("    rank = {name};\n    to[{word}] = {};\n", order.glsl_key()))
        .collect();
    let glsl =
        format!("void map(uint from[FROM], int index, out uint to[TO]) {{\n    uint rank;\n{lines}}}\n");
    let map = match ranks {
        [_, high] => Map::new(glsl).stream("high", *high, 1),
        _ => Map::new(glsl),
    };
    let map = map.twin_with_streams(move |from, items, index, to| {
        for (word, order) in orders.iter().enumerate() {
            let rank = match word {
                0 => from[0],
                _ => items(1, index.into()).map_or(0, |high| high[0]),
            };
            to[word] = order.key(rank);
        }
    });
    plan.map(ranks[0], "key", map, to)
}

/// The order of a word of keys, made that of unsigned numbers by bits that are flipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Order {
    /// The bits to flip: the sign of signed numbers, and all bits once more where the highest key comes first.
    flips: u32,
    /// True if those of negative numbers are flipped but for the sign: of floats.
    is_float: bool,
}

impl Order {
    const UNSIGNED: Order = Order { flips: 0, is_float: false };

    fn of(spec: &SortSpec, word: u32) -> Order {
        let is_highest = word + 1 == spec.element.words();
        let is_signed = !matches!(spec.element, ElementType::U32 | ElementType::U64);
        let sign = if is_highest && is_signed { 1 << 31 } else { 0 };
        Order {
            flips: if spec.descending { !sign } else { sign },
            is_float: spec.element == ElementType::F32,
        }
    }

    fn rank(self, key: u32) -> u32 {
        key ^ self.flips ^ if self.is_float && key >> 31 == 1 { 0x7FFF_FFFF } else { 0 }
    }

    /// [`Self::rank`] of `key`.
    fn glsl_rank(self) -> String {
        let negative = if self.is_float { " ^ (key >> 31 == 1u ? 0x7FFFFFFFu : 0u)" } else { "" };
        format!("key ^ {:#X}u{negative}", self.flips).replace("0X", "0x")
    }

    fn key(self, rank: u32) -> u32 {
        let key = rank ^ self.flips;
        key ^ if self.is_float && key >> 31 == 1 { 0x7FFF_FFFF } else { 0 }
    }

    /// [`Self::key`] of `rank`.
    fn glsl_key(self) -> String {
        let flipped = format!("(rank ^ {:#X}u)", self.flips).replace("0X", "0x");
        match self.is_float {
            true => format!("{flipped} ^ ({flipped} >> 31 == 1u ? 0x7FFFFFFFu : 0u)"),
            false => flipped,
        }
    }
}

/// The number of each place.
fn index() -> Map {
    Map::new("void map(uint from[FROM], int index, out uint to[TO]) {\n    to[0] = uint(index);\n}\n")
        .twin(|_, index, to| to[0] = index)
}

/// The number of the row or segment of each key, and the bits of it; `None` if the stream is sorted as a whole.
fn part_numbers(
    plan: &mut Plan,
    spec: &SortSpec,
    inputs: &[Slot],
    to: Layout,
    device: &Device,
) -> Result<Option<(Slot, u32)>, Error> {
    if let Some(width) = spec.row {
        let glsl = format!(
            "void map(uint from[FROM], int index, out uint to[TO]) {{\n    to[0] = uint(index) / {width}u;\n}}\n"
        );
        let row = Map::new(glsl).twin(move |_, index, to| to[0] = index / width as u32);
        let rows = spec.len / width;
        return Ok(Some((plan.map(inputs[0], "row", row, to)?, ceil_log2(rows))));
    }
    let most = match spec.segments {
        Segments::None => return Ok(None),
        Segments::Offsets(count) => count.min(spec.len),
        Segments::Flags | Segments::Keys(_) => spec.len,
    };
    let flags = scan::flags_of(plan, inputs[1], &spec.scan(), device)?;
    let head = Map::new(
        "void map(uint from[FROM], int index, out uint to[TO]) {\n    to[0] = flags_at(index >> 5) >> (index & 31) & 1u;\n}\n",
    )
    .stream("flags", flags, 1)
    .twin_with_streams(|_, items, index, to| {
        to[0] = items(1, (index / 32).into()).map_or(0, |word| word[0] >> (index % 32) & 1);
    });
    let sum = ScanSpec::of(ElementType::U32, spec.len);
    let by = scan::fastest_in(to.storage, &sum, device)?;
    let layout = match to.storage {
        Storage::Buffer => to,
        Storage::Texture => by.placement(&sum, device)?.layout(device, ElementType::U32, 1, spec.len)?,
    };
    let heads = plan.map(inputs[0], "head", head, layout)?;
    let numbers = plan.append(&*by, &sum, &[heads], device)?[0];
    // Keys before the first segment have number 0.
    Ok(Some((numbers, ceil_log2(most + 1))))
}
