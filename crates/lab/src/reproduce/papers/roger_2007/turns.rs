//! Figure 5, counted: the turns of the improved search, by the share kept and by the size of blocks.
//!
//! The kernels of the shaders search, and a test counts what they read; `crates/lab/papers/roger2007.turns.tsv` keeps the counts.

use std::sync::LazyLock;

use super::setup::{BEST, KEY};
use crate::report::chart::{Figure, Mark, Panel, Point, Role, Scale, Series};
use crate::report::page::{Claim, Table};
use crate::reproduce::paper::{axis, lines};
use crate::reproduce::printed::{Printed, parse};
use crate::reproduce::rows::Lookup;
use crate::reproduce::statements::statement;

static COUNTED: LazyLock<Vec<Printed>> =
    LazyLock::new(|| parse(include_str!("../../../../papers/roger2007.turns.tsv")));

/// The sizes of blocks whose turns are counted for each share: the best one, and the largest.
pub const BY_SHARE: [u32; 2] = [BEST, 1024];

/// The counts by the share kept in percent, then by the size of blocks.
fn counted() -> [&'static Printed; 2] {
    let [by_share, by_size] = &COUNTED[..] else { unreachable!("the file has two tables") };
    [by_share, by_size]
}

/// A count of the second table, which a test makes.
fn at_size(size: u32, column: &str) -> f64 {
    counted()[1].at(size.into(), column).unwrap_or(f64::NAN)
}

pub fn claims() -> [Claim; 2] {
    let fewer = statement(KEY, "fewer_turns");
    let gain = |size: u32| {
        let [halving, improved] = ["halving", "improved"].map(|column| at_size(size, column));
        let fills = [("size", &size as _), ("halving", &halving as _), ("improved", &improved as _)];
        fewer.point(0, &fills, Lookup::exactly(halving / improved))
    };
    let most = statement(KEY, "most_turns");
    let worst = |size: u32| {
        let all = counted()[0].column(&format!("most, {size}"));
        let turns = all.into_iter().fold(0.0, |most: f64, (_, turns)| most.max(turns));
        let (steps, end) = (size.ilog2(), f64::from(size.ilog2()) + 0.5);
        most.point(0, &[("size", &size), ("paper", &steps), ("end", &end)], Lookup::exactly(turns))
    };
    let fills = ["charged", "fetched"].map(|column| at_size(BEST, column));
    [
        fewer.with_points(&[("charged", &fills[0]), ("fetched", &fills[1])], BY_SHARE.map(gain)),
        most.with_points(&[], BY_SHARE.map(worst)),
    ]
}

pub fn tables() -> impl Iterator<Item = Table> {
    counted().into_iter().map(Printed::as_counted)
}

pub fn figure() -> Figure {
    let panel = |size: u32| {
        let line = |how: &str| {
            let points = counted()[0].column(&format!("{how}, {size}")).into_iter();
            Series {
                name: how.into(),
                points: points.map(|(x, y)| Point::new(x, y)).collect(),
                role: Role::Data,
            }
        };
        let [x, y] = [("elements kept, %", Scale::Linear), ("turns", Scale::LinearFromZero)]
            .map(|(label, scale)| axis(label, scale));
        let mut panel = lines(format!("Blocks of {size}"), x, y, ["improved", "halving"].map(line));
        let fixed = format!("a loop of fixed length: {}", size.ilog2());
        panel.marks.push(Mark::Horizontal { at: size.ilog2().into(), label: fixed });
        Panel::Lines(panel)
    };
    Figure {
        title: "Figure 5: turns of the search against the share kept, counted".into(),
        description: "Mean turns until an element is found: by the improved search of figure 5, and by halving between the same \
                      first bounds; the mark is the loop of older GPUs."
            .into(),
        panels: BY_SHARE.map(panel).into(),
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use rasterscan::tools::Task;
    use rasterscan::tools::registry::Choice;
    use rasterscan_kernels::{Engine, device};

    use super::*;
    use crate::case::Case;
    use crate::report::page::Verdict;
    use crate::reproduce::papers::roger_2007::setup::{SHARE, SIZES, sized};

    /// Elements of a count: 16 of the largest blocks.
    const ELEMENTS: u64 = 1 << 14;

    /// Turns of the search for each element that is found, and texels that the pass fetches for each element of the stream.
    struct Turns {
        improved: Vec<u32>,
        halving: Vec<u32>,
        charged: f64,
        fetched: f64,
    }

    /// What the kernel of the shader reads, and halvings of the bounds that it begins with.
    fn turns(share: f64, size: u32) -> Turns {
        let case = Case::compact(ELEMENTS, share);
        let task = Task::of_job(&case.job()).unwrap();
        let choice = Choice::parse(case.problem(), &sized(size)).unwrap();
        let plan = choice.plan(task.request(), &device()).unwrap().unwrap();
        let mut engine = Engine::new(&plan).unwrap();
        engine.upload(&task.inputs()).unwrap();
        let search = engine.plan().passes().iter().position(|pass| pass.phase == "search").unwrap();
        for number in 0..search {
            engine.cost(number).unwrap();
        }
        let ran = engine.step(search).unwrap();
        let sums = engine.get(ran.step.pass.reads().next().unwrap());
        let sums: &[u32] = sums.get().unwrap();
        let reads = &ran.step.recorded.reads[0];
        // The first two reads of the sums are the bounds; a place without an element makes no other.
        let of_sums = |place: usize| {
            reads.of(place).unwrap_or_default().iter().filter(|read| read.of == 0).count() as u32
        };
        let found = |place: &usize| of_sums(*place) > 2;
        let places: Vec<usize> = (0..ELEMENTS as usize).filter(found).collect();
        let halvings = |place: &usize| {
            let block = place / size as usize * size as usize;
            let (i, at) = ((place - block) as u32, |j: u32| sums[block + j as usize]);
            let (mut lower, mut upper, mut turns) = (i + at(i), i + at(size - 1), 0);
            while lower < upper {
                let j = u32::midpoint(lower, upper);
                if j >= i + at(j) {
                    upper = j
                } else {
                    lower = j + 1
                }
                turns += 1;
            }
            turns
        };
        let each = |texels: u64| texels as f64 / ELEMENTS as f64;
        Turns {
            improved: places.iter().map(|place| of_sums(*place) - 2).collect(),
            halving: places.iter().map(halvings).collect(),
            charged: each(ran.step.pass.cost.texels_read),
            fetched: each(ran.cost.texels_read),
        }
    }

    fn mean(turns: &[u32]) -> String {
        format!("{:.2}", f64::from(turns.iter().sum::<u32>()) / turns.len() as f64)
    }

    fn most(turns: &[u32]) -> u32 {
        turns.iter().copied().max().unwrap()
    }

    /// Counted again, with `UPDATE_COSTS` set written.
    #[test]
    fn the_file_has_what_the_kernels_count() {
        let mut text = String::from("# Turns by share | kernels | turns of the search by the share kept");
        text += ", mean and most, for each element that is found\nkept, %";
        for size in BY_SHARE {
            write!(text, "\timproved, {size}\tmost, {size}\thalving, {size}").unwrap();
        }
        for percent in (10..=100).step_by(10) {
            write!(text, "\n{percent}").unwrap();
            for size in BY_SHARE {
                let Turns { improved, halving, .. } = turns(f64::from(percent) / 100.0, size);
                write!(text, "\t{}\t{}\t{}", mean(&improved), most(&improved), mean(&halving)).unwrap();
            }
        }
        text += "\n\n# Turns by size | kernels | turns of the search by the size of blocks, 60% kept, and texels that its pass \
                 fetches for each element: those that the plan charges, which are the most, and those fetched\n";
        text += "blocks of\timproved\tmost\thalving\tfixed length\tcharged\tfetched\n";
        for size in SIZES {
            let Turns { improved, halving, charged, fetched } = turns(SHARE, size);
            let [mean, halving] = [&improved, &halving].map(|turns| mean(turns));
            let (most, fixed) = (most(&improved), size.ilog2());
            writeln!(text, "{size}\t{mean}\t{most}\t{halving}\t{fixed}\t{charged:.2}\t{fetched:.2}").unwrap();
        }
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/papers/roger2007.turns.tsv");
        if std::env::var_os("UPDATE_COSTS").is_some() {
            std::fs::write(path, &text).unwrap();
        }
        assert_eq!(std::fs::read_to_string(path).unwrap(), text, "UPDATE_COSTS=1 writes it");
    }

    #[test]
    fn tightened_bounds_save_turns() {
        for claim in claims() {
            assert_eq!(claim.verdict, Verdict::Reproduced, "{claim:?}");
        }
        // Found by another simulation, with other numbers.
        let near = |size, column, other: f64| (at_size(size, column) - other).abs() < 0.15;
        assert!(near(64, "improved", 3.09) && near(64, "halving", 4.24));
        assert!(near(1024, "improved", 5.47) && near(1024, "halving", 8.07));
    }
}
