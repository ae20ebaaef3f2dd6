//! A radix sort by fragments: each step sorts by a digit, from the lowest on, and keeps the order of equal ones.
//!
//! Source: ours; the steps are harris2007's, section 39.3.3, with digits for bits, and a search for the scatter.
//! Work: for each digit a read of the keys, a scan of n / 4 counts, and a search.
//! Steps: for each digit 3, and those of the scan.
//!
//! A fragment cannot choose where it writes, so each place of the result searches for its key: in the starts of all digits
//! and blocks, which ascend, then in the block.

use std::sync::Arc;

use super::super::{SortSpec, shader};
use crate::algorithm::{Algorithm, Built, Card, Era, Need, Placement, Variants};
use crate::device::Device;
use crate::element::ElementType;
use crate::error::Error;
use crate::operator::Operator;
use crate::plan::{AtMost, ItemType, Layout, Map, Plan, Slot, Uniform};
use crate::scan::{self, AnyScan, ScanSpec};

pub static CARD: Card = Card {
    name: "radix",
    problem: &crate::sort::PROBLEM,
    era: Era::Texture,
    needs: Need::Fragments,
    summary: "digits of 4 bits: counts of blocks, their scan, and a search for each place",
    sources: &["harris2007"],
    passes: "for each 4 bits: 3, and those of the scan of n / 4 counts",
    work: "for each 4 bits: a count, and about log2 n fetches",
    parameters: &[],
    variants: Variants::DEFAULT,
    pseudo_code: |_| Vec::new(),
    build: |_| Built::of(Radix::default()),
};

/// Keys of a group, which are four texels.
const GROUP: u64 = 16;

/// Keys of a block, which are 16 groups: the counts of 15 fit into bytes.
const BLOCK: u64 = 16 * GROUP;

/// Places that share a mark.
const SPAN: u64 = 256;

/// Bits of a digit.
const DIGIT_BITS: u32 = 4;

/// The radix sort of textures.
#[derive(Debug, Clone)]
pub struct Radix {
    /// The scan of the counts.
    pub scan: AnyScan,
}

impl Default for Radix {
    fn default() -> Radix {
        Radix { scan: Arc::new(scan::texture::Packed::default()) }
    }
}

impl Algorithm<SortSpec> for Radix {
    fn name(&self) -> &'static str {
        "radix"
    }

    fn placement(&self, spec: &SortSpec, _: &Device) -> Result<Placement, Error> {
        Ok(Placement::Texture { items_per_texel: 4 / spec.element.words(), unit: 1 })
    }

    fn build(
        &self,
        plan: &mut Plan,
        spec: &SortSpec,
        inputs: &[Slot],
        device: &Device,
    ) -> Result<Vec<Slot>, Error> {
        let words = Layout::fit(device, ElementType::U32, 1, 4, spec.len, 1)?;
        let steps = Steps { radix: self, spec, words, device };
        let payload = spec.has_payload.then(|| inputs[1]);
        let mut ranks = ranks(plan, spec, inputs[0], words)?;
        let mut carried = match payload.filter(|_| !spec.moves.indices()) {
            Some(payload) => Some(payload),
            None if spec.moves.indices() => {
                let index = Map::new(INDEX).twin(|_, index, to| to[0] = index);
                Some(plan.map(ranks[0], "index", index, words)?)
            }
            None => None,
        };
        let [low, high] = spec.bits;
        for shift in (low..high).step_by(DIGIT_BITS as usize) {
            let bits = DIGIT_BITS.min(high - shift);
            // A digit may begin in the lower word and end in the higher one.
            let word = shift as usize / 32;
            let others = (0..ranks.len()).filter(|other| *other != word);
            let moved: Vec<Slot> =
                std::iter::once(ranks[word]).chain(others.map(|other| ranks[other])).chain(carried).collect();
            let moved = steps.step(plan, &moved, shift % 32, bits)?;
            ranks = match (ranks.len(), word) {
                (1, _) => vec![moved[0]],
                (_, 0) => vec![moved[0], moved[1]],
                _ => vec![moved[1], moved[0]],
            };
            carried = carried.map(|_| moved[moved.len() - 1]);
        }
        let mut results = Vec::new();
        if spec.moves.values() {
            results.push(keys(plan, spec, &ranks, *plan.layout(inputs[0]))?);
        }
        results.extend(carried);
        if let Some(payload) = payload.filter(|_| spec.moves.indices()) {
            let indices = results[results.len() - 1];
            results.push(plan.gather(payload, indices, None)?);
        }
        Ok(results)
    }
}

/// The steps of one sort.
struct Steps<'a> {
    radix: &'a Radix,
    spec: &'a SortSpec,
    words: Layout,
    device: &'a Device,
}

impl Steps<'_> {
    /// Sorts streams of u32 by a digit of the first one.
    fn step(&self, plan: &mut Plan, streams: &[Slot], shift: u32, bits: u32) -> Result<Vec<Slot>, Error> {
        let len = self.spec.len;
        let blocks = len.div_ceil(BLOCK);
        let digits = 1u64 << bits;
        let by_count = ItemType { element: ElementType::U32, operator: Operator::ADD };
        plan.with_item(by_count, |plan| {
            let groups = len.div_ceil(GROUP);
            let layout = Layout::fit(self.device, ElementType::U32, 4, 1, groups, 1)?;
            let counts = plan.slot("counts", layout);
            plan.draw("count", shader!("sort/radix/counts.frag"))
                .define("DIGITS", digits as i64)
                .set("u_shift", Uniform::Int(shift as i32))
                .read("u_keys", streams[0])
                .fetches("u_keys", self.words.texels())
                .adds(len, GROUP)
                .write(counts);
            let before = plan.slot("before", layout);
            plan.draw("add", shader!("sort/radix/before.frag"))
                .read("u_counts", counts)
                .fetches("u_counts", groups * 15 / 2)
                .at_most(AtMost::READ)
                .write(before);

            let spec = ScanSpec::of(ElementType::U32, digits * blocks).exclusive();
            let placement = self.radix.scan.placement(&spec, self.device)?;
            let numbers = plan.slot("numbers", placement.layout(self.device, ElementType::U32, 1, spec.len)?);
            plan.draw("spread", shader!("sort/radix/spread.frag"))
                .define("DIGITS", digits as i64)
                .define("BLOCKS", blocks as i64)
                .read("u_counts", counts)
                .fetches("u_counts", spec.len)
                .read("u_before", before)
                .fetches("u_before", spec.len)
                .write(numbers);
            let starts = plan.append(&*self.radix.scan, &spec, &[numbers], self.device)?[0];
            let marks =
                plan.slot("marks", Layout::fit(self.device, ElementType::U32, 1, 1, len.div_ceil(SPAN), 1)?);
            let turns = u64::from(scan::ceil_log2(spec.len));
            plan.draw("mark", shader!("sort/radix/marks.frag"))
                .define("SPAN", SPAN as i64)
                .read("u_starts", starts)
                .fetches("u_starts", len.div_ceil(SPAN) * turns)
                .at_most(AtMost::READ)
                .write(marks);

            let targets: Vec<Slot> = streams.iter().map(|_| plan.slot("sorted", self.words)).collect();
            let mut pass = plan
                .draw("gather", shader!("sort/radix/gather.frag"))
                .define("BLOCKS", blocks as i64)
                .define("SPAN", SPAN as i64)
                .define("DIGITS", digits as i64)
                .define("FURTHER", streams.len() as i64 - 1)
                .set("u_shift", Uniform::Int(shift as i32))
                .read("u_starts", starts)
                .fetches("u_starts", len * (turns + 2))
                .read("u_marks", marks)
                .fetches("u_marks", 2 * self.words.texels())
                .read("u_before", before)
                .fetches("u_before", 4 * len)
                .read("u_keys", streams[0])
                .fetches("u_keys", 4 * len)
                .at_most(AtMost::READ);
            for (name, slot) in ["u_first", "u_second"].into_iter().zip(&streams[1..]) {
                pass = pass.read(name, *slot).fetches(name, len);
            }
            targets.iter().fold(pass, |pass, target| pass.write(*target));
            Ok(targets)
        })
    }
}

/// The words of the unsigned numbers that lie in the order of the keys, the lower word first.
fn ranks(plan: &mut Plan, spec: &SortSpec, keys: Slot, words: Layout) -> Result<Vec<Slot>, Error> {
    if spec.element == ElementType::U32 && !spec.descending {
        return Ok(vec![keys]);
    }
    let mut ranks = Vec::new();
    for word in 0..spec.element.words() {
        let rank = order(spec, word, true);
        let glsl = format!(
            "void map(uint from[FROM], int index, out uint to[TO]) {{\n    uint key = from[{word}];\n    to[0] = {};\n}}\n",
            rank.0
        );
        let twin = rank.1;
        let map = Map::new(glsl).twin(move |from, _, to| to[0] = twin(from[word as usize]));
        ranks.push(plan.map(keys, "rank", map, words)?);
    }
    Ok(ranks)
}

/// The keys of ranks: the inverse of [`ranks`].
fn keys(plan: &mut Plan, spec: &SortSpec, ranks: &[Slot], to: Layout) -> Result<Slot, Error> {
    if spec.element == ElementType::U32 && !spec.descending {
        return Ok(ranks[0]);
    }
    let names = ["from[0]", "high_at(index)"];
    let orders: Vec<_> = (0..spec.element.words()).map(|word| order(spec, word, false)).collect();
    let mut glsl = String::from("void map(uint from[FROM], int index, out uint to[TO]) {\n    uint key;\n");
    for (word, (order, name)) in orders.iter().zip(names).enumerate() {
        glsl += &format!("    key = {name};\n    to[{word}] = {};\n", order.0);
    }
    glsl += "}\n";
    let map = Map::new(glsl);
    let map = match ranks {
        [_, high] => map.stream("high", *high, 1),
        _ => map,
    };
    plan.map(ranks[0], "key", map, to)
}

/// The order of a word of keys among unsigned numbers, or a word of keys of its order: in GLSL, of `key`, and in Rust.
fn order(spec: &SortSpec, word: u32, to_rank: bool) -> (String, fn(u32) -> u32) {
    let signed = match spec.element {
        ElementType::I32 => true,
        ElementType::I64 => word == 1,
        _ => false,
    };
    match (spec.element, signed, spec.descending) {
        (ElementType::F32, _, false) if to_rank => {
            ("(key >> 31) == 0u ? key ^ 0x80000000u : ~key".into(), |key| {
                if key >> 31 == 0 { key ^ 1 << 31 } else { !key }
            })
        }
        (ElementType::F32, _, true) if to_rank => {
            ("(key >> 31) == 0u ? ~key ^ 0x80000000u : key".into(), |key| {
                if key >> 31 == 0 { !key ^ 1 << 31 } else { key }
            })
        }
        (ElementType::F32, _, false) => ("(key >> 31) == 1u ? key ^ 0x80000000u : ~key".into(), |key| {
            if key >> 31 == 1 { key ^ 1 << 31 } else { !key }
        }),
        (ElementType::F32, _, true) => ("(key >> 31) == 0u ? ~key ^ 0x80000000u : key".into(), |key| {
            if key >> 31 == 0 { !key ^ 1 << 31 } else { key }
        }),
        (_, true, false) => ("key ^ 0x80000000u".into(), |key| key ^ 1 << 31),
        (_, true, true) => ("~key ^ 0x80000000u".into(), |key| !key ^ 1 << 31),
        (_, false, false) => ("key".into(), |key| key),
        (_, false, true) => ("~key".into(), |key| !key),
    }
}

const INDEX: &str = "void map(uint from[FROM], int index, out uint to[TO]) {\n    to[0] = uint(index);\n}\n";
