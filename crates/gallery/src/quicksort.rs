//! Quicksort by segmented scans: all parts of the recursion are split at once, in one stream.
//!
//! A segment holds the keys of a part, and every key knows the index of its segment's first item, its pivot. Segmented sums of
//! the keys below the pivot and of those equal to it, from both ends, give each key its new place and the first item of its
//! new segment. A scatter moves both. So a level of the recursion is a fixed number of passes over all keys, whatever the
//! sizes of its parts, and the sort ends after as many steps as the recursion is deep.

use rasterscan::plan::Map;
use rasterscan::{ElementType, Gpu, Plan, ReduceSpec, ScanSpec};
use rasterscan_drawing::colour::{Colour, GREY, PAPER, Palette};
use rasterscan_drawing::shape::{Drawing, Shape, Write};

use crate::{Exhibit, Fact, GalleryError, Piece, beside, check};

pub const PIECE: Piece = Piece {
    name: "quicksort",
    title: "Quicksort by segmented scans",
    shows: "A row is a level of the recursion, from the random keys above to the sorted ones below. Keys in full colour have come \
            to their places.",
    step: "Two segmented scans, one from each end, count the keys of a segment that are below its pivot and equal to it, before \
           and after each key.",
    text: include_str!("text/quicksort.txt"),
    job: "scan values:1,0,1,1,0,0,1,0,1,1,0,1 --segments values:1,0,0,0,0,1,0,0,1,0,0,0 -a horn",
    sources: &["blelloch1990"],
    run,
};

/// Keys; less than 2^16, so that two counts fit into a word.
const KEYS: usize = 400;

/// 1 for a key below its pivot, 2^16 for one that is equal to it, else 0.
const CLASS: &str = "void map(uint from[FROM], int index, out uint to[TO]) {
    uint pivot = source_at(int(head_at(index)));
    to[0] = from[0] < pivot ? 1u : from[0] == pivot ? 1u << 16 : 0u;
}";

/// The new place of a key, or with `u_head` the first place of its new segment.
const PLACE: &str = "
uniform int u_head;

void map(uint from[FROM], int index, out uint to[TO]) {
    uint side = class_at(index), head = head_at(index), all = from[0] + after_at(index);
    uint below = from[0] & 0xFFFFu, equal = from[0] >> 16, begin, rank;
    if (side == 1u) {
        begin = head;
        rank = below - 1u;
    } else if (side == 1u << 16) {
        begin = head + (all & 0xFFFFu);
        rank = equal - 1u;
    } else {
        begin = head + (all & 0xFFFFu) + (all >> 16);
        rank = uint(index) - head - below - equal;
    }
    to[0] = u_head == 1 ? begin : begin + rank;
}";

const NOT_EQUAL: &str =
    "void map(uint from[FROM], int index, out uint to[TO]) { to[0] = from[0] == 1u << 16 ? 0u : 1u; }";

/// A step: keys and the heads of their segments before it, and both after it; and the keys that are unequal to their pivots.
fn plan(gpu: &Gpu) -> Result<Plan, rasterscan::Error> {
    let segmented = ScanSpec::new::<u32>(KEYS).by_key::<u32>();
    let forwards = gpu.plan_auto(&segmented)?;
    let backwards = gpu.plan_auto(&segmented.reversed().exclusive())?;
    let sum = gpu.plan_auto(&ReduceSpec::new::<u32>(KEYS))?;

    let layout = beside(gpu.device(), forwards.layout(forwards.input()), ElementType::U32, 1, KEYS)?;
    let mut plan = Plan::new("quicksort", forwards.item().clone(), layout);
    let (keys, heads) = (plan.input(), plan.further_input("heads", layout));
    let class = plan.map(keys, "class", Map::new(CLASS).reads(2).stream("head", heads, 1), layout)?;
    let before = plan.append_plan(&forwards, &[class, heads])?[0];
    let after = plan.append_plan(&backwards, &[class, heads])?[0];
    let mut moved = Vec::new();
    for head in [0, 1] {
        let place =
            Map::new(PLACE).stream("class", class, 1).stream("head", heads, 1).stream("after", after, 1);
        moved.push(plan.map(before, "place", place.set("u_head", head), layout)?);
    }
    let new_keys = plan.scatter(keys, moved[0], None, layout)?;
    let new_heads = plan.scatter(moved[1], moved[0], None, layout)?;
    let unequal = plan.map(class, "unequal", NOT_EQUAL, layout)?;
    let unequal = plan.append_plan(&sum, &[unequal])?[0];
    Ok(plan.finish_with(vec![new_keys, new_heads, unequal]))
}

/// The depth of the recursion, on the CPU; the keys become sorted.
fn sorted_by_the_cpu(keys: &mut Vec<u32>) -> usize {
    let Some(pivot) = keys.first().copied() else { return 0 };
    let mut below: Vec<u32> = keys.iter().copied().filter(|key| *key < pivot).collect();
    let mut above: Vec<u32> = keys.iter().copied().filter(|key| *key > pivot).collect();
    let equal = vec![pivot; keys.len() - below.len() - above.len()];
    let deepest = sorted_by_the_cpu(&mut below).max(sorted_by_the_cpu(&mut above));
    *keys = [below, equal, above].concat();
    1 + deepest
}

fn run(gpu: &Gpu) -> Result<Exhibit, GalleryError> {
    let random = |i: u32| (i.wrapping_mul(2_654_435_761) ^ i << 13).wrapping_mul(2_246_822_519) >> 16;
    let keys: Vec<u32> = (0..KEYS as u32).map(|i| random(i) % KEYS as u32).collect();
    let mut expected = keys.clone();
    let depth = sorted_by_the_cpu(&mut expected);

    let mut step = gpu.prepare(&plan(gpu)?)?;
    let mut from = vec![step.upload_input(0, &keys)?, step.upload_input(1, &[0u32; KEYS])?];
    let mut rows = vec![keys];
    loop {
        let mut to = step.new_outputs()?;
        step.run_into(from.iter().collect::<Vec<_>>(), to.iter().collect::<Vec<_>>())?;
        rows.push(to[0].read()?);
        let unequal = to[2].read::<u32>()?[0];
        to.truncate(2);
        from = to;
        if unequal == 0 || rows.len() > KEYS {
            break;
        }
    }
    let sorted = &rows[rows.len() - 1];
    check(*sorted == expected && sorted.is_sorted(), || "the keys are not sorted".into())?;
    check(rows.len() - 1 == depth, || format!("{} steps, expected {depth}", rows.len() - 1))?;
    let in_place = |row: &Vec<u32>| row.iter().zip(&expected).filter(|(key, last)| key == last).count();
    let facts = vec![
        Fact::count("keys", KEYS),
        Fact::count("steps, and the depth of the recursion", depth),
        Fact::count("passes of a step", step.plan().passes().len()),
        Fact::counts("keys in their places, by step", rows.iter().map(in_place)),
    ];
    Ok(Exhibit { facts, picture: picture(&rows, &expected) })
}

fn picture(rows: &[Vec<u32>], sorted: &[u32]) -> Drawing {
    const HIGH: usize = 14;
    const GAP: f64 = 4.0;
    const LEFT: f64 = 34.0;
    let mut drawing =
        Drawing::new(LEFT + KEYS as f64 + 8.0, 8.0 + rows.len() as f64 * (HIGH as f64 + GAP) + GAP);
    for (number, row) in rows.iter().enumerate() {
        let top = 8.0 + number as f64 * (HIGH as f64 + GAP);
        let write = Write { size: 9.0, ..Write::right(GREY) };
        drawing.text((LEFT - 8.0, top + 10.0), &number.to_string(), &write);
        let colour = |(key, last): (&u32, &u32)| {
            let full = Colour::from(Palette::Viridis.at(f64::from(*key) / KEYS as f64));
            if key == last { full } else { full.towards(PAPER, 0.6) }
        };
        let line: Vec<Colour> = row.iter().zip(sorted).map(colour).collect();
        let colours = line.repeat(HIGH);
        drawing.shapes.push(Shape::Cells { at: (LEFT, top), side: 1.0, columns: KEYS, colours });
    }
    drawing
}
