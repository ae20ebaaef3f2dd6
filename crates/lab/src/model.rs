//! The cost model of the raster era: the time of a run from what its passes write and fetch, by constants that are fitted on
//! copies alone, before any algorithm is timed.
//!
//! ```text
//! time of a pass = c + ((texels written / w)^p + (texels fetched / f)^p)^(1/p) + vertices / v
//! ```
//!
//! *c* is the time of a pass that does nearly nothing; *w* and *f* are texels a second, of one word and of four, and in
//! proportion between. The exponent *p* says how far fetches hide behind writes: with 1 the two times add up, and the greater
//! p is, the more the longer of the two counts alone. A software renderer does one after the other, a GPU both at once. *v* is
//! vertices a second that are drawn, as the points of a copy are, but for the three or four that cover the screen.
//!
//! It knows no cache, no distance between a texel and what it fetches, no arithmetic, and no buffers: captured words and
//! attributes count nothing. Where a plan states the texels that it writes as a maximum, as many count, and as many vertices, as
//! are kept; fetches stated as a maximum count in full.

use std::time::Duration;

use rasterscan::plan::{Command, Cost, Pass};
use rasterscan::{Plan, tools::copy::TextureCopy};
use serde::{Deserialize, Serialize};

use crate::case::Case;
use crate::cell::{Cell, Lab, LabError, Predicted};
use crate::contender::Contender;
use crate::measure::{Protocol, median};
use crate::progress::{Listener, Progress};

/// The constants of a device, and the copies that they are fitted on. Times are in milliseconds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Model {
    /// A pass that does nearly nothing.
    pub pass_ms: f64,
    /// Writing a million texels, of one word and of four.
    pub write_ms: [f64; 2],
    /// Fetching a million texels, of one word and of four.
    pub fetch_ms: [f64; 2],
    /// The exponent.
    pub overlap: f64,
    /// Processing a million vertices.
    pub vertex_ms: f64,
    /// The copies.
    pub copies: Vec<Copied>,
}

/// A copy, and its time.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Copied {
    /// Items of 32 bits in the stream.
    pub n: u64,
    /// Items in a texel, and so words.
    pub items: u32,
    /// Fetches for each texel.
    pub fetches: u32,
    /// Vertices: one for each texel, or 0.
    pub vertices: u64,
    /// The median in milliseconds.
    pub ms: f64,
}

/// How much faster a device made for drawing writes texels.
pub const FASTER: f64 = 10.0;

/// The exponents that are tried.
const OVERLAPS: [f64; 4] = [1.0, 2.0, 4.0, 8.0];

/// The length of a copy that is nearly all start.
const SHORT: u32 = 10;

/// The copies: texels of one word and of four, with these fetches each, and points.
fn copies() -> impl Iterator<Item = TextureCopy> {
    let of = |items_per_texel| {
        [1, 2, 8, 32].map(|fetches| TextureCopy { items_per_texel, fetches, by_points: false })
    };
    let points = TextureCopy { by_points: true, ..TextureCopy::default() };
    [1, 4].into_iter().flat_map(of).chain([points])
}

/// Measures copies in `seconds`, and fits a model on them; `None` if the device runs too few, or `go_on` returned false.
///
/// Errors: as [`Lab::measure`].
pub fn measure(
    lab: &mut dyn Lab,
    seconds: Duration,
    listener: Listener<'_>,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Option<Model>, LabError> {
    let lengths = if lab.device().software { [SHORT, 16, 20] } else { [SHORT, 18, 22] };
    let mut copied = Vec::new();
    for (number, log2) in lengths.into_iter().enumerate() {
        let case = Case::scan(1 << log2);
        let contenders: Vec<Contender> = copies().map(Contender::CopyTexture).collect();
        let cell = Cell { case, contenders, phases: false, repeats: 0 };
        listener(Progress::Begins { number, of: lengths.len(), cell: &cell.case });
        let protocol = Protocol::new(lab.device().software, seconds / lengths.len() as u32);
        let measured = lab.measure(&cell, &protocol, go_on)?;
        copied.extend(copies().filter_map(|copy| {
            let row = measured.rows.iter().find(|row| row.name == copy.to_string())?;
            Some(Copied::of(copy, 1 << log2, row.ms))
        }));
    }
    Ok(if go_on() { Model::fit(copied) } else { None })
}

impl Model {
    /// The constants, fitted to the copies; `None` without short ones, or without two kinds of fetches for each width.
    pub fn fit(copies: Vec<Copied>) -> Option<Model> {
        let on_screen: Vec<Copied> = copies.iter().filter(|copy| copy.vertices == 0).copied().collect();
        let short = on_screen.iter().filter(|copy| copy.n == 1 << SHORT).map(|copy| copy.ms);
        let pass_ms = short.min_by(f64::total_cmp)?;
        let fits = OVERLAPS.into_iter().filter_map(|overlap| {
            let [one, four] = [1, 4].map(|items| {
                let long = on_screen.iter().filter(|copy| copy.items == items && copy.n > 1 << SHORT);
                rates(long, pass_ms, overlap)
            });
            let ([write_one, fetch_one], [write_four, fetch_four]) = (one?, four?);
            let (write_ms, fetch_ms) = ([write_one, write_four], [fetch_one, fetch_four]);
            Some(Model { pass_ms, write_ms, fetch_ms, overlap, vertex_ms: 0.0, copies: on_screen.clone() })
        });
        let error = |model: &Model| model.errors().map(|error| error.ln().powi(2)).sum::<f64>();
        let mut model = fits.min_by(|one, other| error(one).total_cmp(&error(other)))?;
        let by_points = copies.iter().filter(|copy| copy.vertices > 0 && copy.n > 1 << SHORT);
        let mut each: Vec<f64> = by_points
            .map(|copy| (copy.ms - model.pass(&copy.cost(), 1.0)).max(0.0) / (copy.vertices as f64 / 1e6))
            .collect();
        if !each.is_empty() {
            model.vertex_ms = median(&mut each);
        }
        Some(Model { copies, ..model })
    }

    /// The predicted times of the copies, relative to their own.
    fn errors(&self) -> impl Iterator<Item = f64> {
        self.copies.iter().map(|copy| self.pass(&copy.cost(), 1.0) / copy.ms)
    }

    /// The median and the greatest error of the copies, as shares of their times.
    pub fn misses_copies(&self) -> [f64; 2] {
        let mut errors: Vec<f64> = self.errors().map(|error| (error - 1.0).abs()).collect();
        let greatest = errors.iter().copied().fold(0.0, f64::max);
        [median(&mut errors), greatest]
    }

    /// The time of a pass on a device that writes texels `faster` times as fast.
    fn pass(&self, cost: &Cost, faster: f64) -> f64 {
        let per_texel = |[one, four]: [f64; 2], texels: u64, words: u64| {
            let width = if texels > 0 { words as f64 / texels as f64 } else { 1.0 };
            let each = one + (four - one) * (width.clamp(1.0, 4.0) - 1.0) / 3.0;
            (each * texels as f64 / 1e6).powf(self.overlap)
        };
        let written = per_texel(self.write_ms.map(|ms| ms / faster), cost.texels_written, cost.words_written);
        let fetched = per_texel(self.fetch_ms, cost.texels_read, cost.words_read);
        let vertices = self.vertex_ms * cost.vertices as f64 / 1e6;
        self.pass_ms + (written + fetched).powf(1.0 / self.overlap) + vertices
    }

    /// The times of a plan's run that keeps this share of the elements; `None` unless all of its passes are draws.
    pub fn predict(&self, plan: &Plan, kept: f64) -> Option<Predicted> {
        let draws = |pass: &Pass| matches!(pass.command, Command::Draw(_));
        let costs = || plan.passes().iter().map(|pass| expected(pass, kept));
        let [ms, faster_ms] = [1.0, FASTER].map(|faster| costs().map(|cost| self.pass(&cost, faster)).sum());
        plan.passes().iter().all(draws).then_some(Predicted { ms, faster_ms })
    }
}

/// The cost of a pass, if it writes and draws this share of a stated maximum.
fn expected(pass: &Pass, kept: f64) -> Cost {
    let share = if pass.at_most.written { kept } else { 1.0 };
    let of = |number: u64| (number as f64 * share) as u64;
    let Cost { texels_written, words_written, vertices, .. } = pass.cost;
    let [texels_written, words_written, vertices] = [texels_written, words_written, vertices].map(of);
    Cost { texels_written, words_written, vertices, ..pass.cost }
}

/// The times to write and to fetch a million texels: the least squares of the copies' relative errors.
fn rates<'c>(copies: impl Iterator<Item = &'c Copied>, pass_ms: f64, overlap: f64) -> Option<[f64; 2]> {
    // (time of a texel)^p = write^p + fetches^p fetch^p, which is linear in the two.
    let mut sums = [0.0; 5];
    for copy in copies {
        let texels = copy.n as f64 / f64::from(copy.items) / 1e6;
        let each = ((copy.ms - pass_ms).max(0.0) / texels).powf(overlap);
        if each > 0.0 {
            let (one, fetches) = (1.0 / each, f64::from(copy.fetches).powf(overlap) / each);
            for (sum, more) in
                sums.iter_mut().zip([one * one, one * fetches, fetches * fetches, one, fetches])
            {
                *sum += more;
            }
        }
    }
    let [aa, ab, bb, a, b] = sums;
    let determinant = aa * bb - ab * ab;
    // Copies of one kind do not tell the two apart.
    if determinant <= 1e-9 * aa * bb {
        return None;
    }
    let rates = match [(a * bb - b * ab) / determinant, (b * aa - a * ab) / determinant] {
        [write, fetch] if write >= 0.0 && fetch >= 0.0 => [write, fetch],
        [write, _] if write < 0.0 => [0.0, b / bb],
        _ => [a / aa, 0.0],
    };
    rates.iter().all(|rate| rate.is_finite()).then(|| rates.map(|rate| rate.powf(1.0 / overlap)))
}

impl Copied {
    /// A copy of `n` items, and its time.
    fn of(copy: TextureCopy, n: u64, ms: f64) -> Copied {
        let TextureCopy { items_per_texel: items, fetches, by_points } = copy;
        Copied { n, items, fetches, vertices: if by_points { n } else { 0 }, ms }
    }

    /// The cost of the copy's pass.
    fn cost(&self) -> Cost {
        let texels = self.n.div_ceil(self.items.into());
        let fetched = texels * u64::from(self.fetches);
        Cost {
            texels_read: fetched,
            texels_written: texels,
            words_read: fetched * u64::from(self.items),
            words_written: texels * u64::from(self.items),
            vertices: self.vertices,
            ..Cost::default()
        }
    }
}

#[cfg(all(test, feature = "report"))]
mod tests {
    use rasterscan::Device;
    use rasterscan::tools::problem::SCAN;

    use super::*;
    use crate::cell::set_ratios;
    use crate::compare::{self, CompareDocument, text};
    use crate::stub::{self, StubLab};

    /// A model of these constants, without copies.
    fn model(overlap: f64) -> Model {
        let [write_ms, fetch_ms] = [[0.08, 0.3], [0.02, 0.1]];
        Model { pass_ms: 0.005, write_ms, fetch_ms, overlap, vertex_ms: 0.5, copies: Vec::new() }
    }

    #[test]
    fn the_constants_are_found_again_from_their_copies() {
        for overlap in OVERLAPS {
            let known = model(overlap);
            let timed =
                [SHORT, 18, 22].into_iter().flat_map(|log2| copies().map(move |copy| (1 << log2, copy)));
            let timed = timed.map(|(n, copy)| {
                let mut copied = Copied::of(copy, n, 0.0);
                copied.ms = known.pass(&copied.cost(), 1.0);
                let plan = copy.plan(&Case::scan(n).stream(), &Device::gl43()).unwrap();
                assert_eq!(plan.passes()[0].cost, copied.cost(), "{copy} of {n}");
                copied
            });
            let found = Model::fit(timed.collect()).unwrap();
            assert_eq!(found.overlap, overlap);
            for (found, known) in [
                (found.pass_ms, known.pass_ms),
                (found.write_ms[0], known.write_ms[0]),
                (found.write_ms[1], known.write_ms[1]),
                (found.fetch_ms[0], known.fetch_ms[0]),
                (found.fetch_ms[1], known.fetch_ms[1]),
                (found.vertex_ms, known.vertex_ms),
            ] {
                assert!((found / known - 1.0).abs() < 0.03, "{overlap}: {found}, expected {known}");
            }
            assert!(found.misses_copies()[1] < 0.03, "{:?}", found.misses_copies());
        }
    }

    /// By hand: texels of two words are a third of the way from one to four.
    #[test]
    fn a_pass_takes_as_long_as_the_formula_says() {
        let cost = Cost {
            texels_written: 1_000_000,
            words_written: 2_000_000,
            texels_read: 2_000_000,
            words_read: 4_000_000,
            vertices: 1_000_000,
            ..Cost::default()
        };
        let (written, fetched) = (0.08 + 0.22 / 3.0, 2.0 * (0.02 + 0.08 / 3.0));
        let expected = 0.005 + f64::hypot(written, fetched) + 0.5;
        assert!((model(2.0).pass(&cost, 1.0) - expected).abs() < 1e-9, "{}", model(2.0).pass(&cost, 1.0));
    }

    #[test]
    fn a_stated_maximum_counts_as_far_as_elements_are_kept() {
        let plan = |case: Case, name: &str| {
            let contender = Contender::parse(case.problem(), name).unwrap();
            contender.plan(&case, &Device::gl43()).unwrap().unwrap()
        };
        let predict = |plan: &Plan, kept| model(1.0).predict(plan, kept).unwrap().ms;
        let points = plan(Case::compact(1 << 20, 0.6), "points");
        // Of the only pass that states one: a vertex and a texel for each element.
        let saved = 0.4 * (0.5 + 0.08) * 1.048576;
        let less = predict(&points, 1.0) - predict(&points, 0.6);
        assert!((less / saved - 1.0).abs() < 1e-3, "{less}, expected {saved}");
        let horn = plan(Case::scan(1 << 20), "horn");
        assert_eq!(predict(&horn, 0.6), predict(&horn, 1.0));
    }

    #[test]
    fn without_copies_of_a_kind_there_is_no_model() {
        let all = |items, ms| {
            [1, 2, 4].map(|fetches| Copied {
                n: 1 << 20,
                items,
                fetches,
                vertices: 0,
                ms: ms * f64::from(fetches),
            })
        };
        let short = Copied { n: 1 << SHORT, items: 1, fetches: 1, vertices: 0, ms: 0.01 };
        let with = |copies: &[&[Copied]]| Model::fit(copies.concat());
        assert!(with(&[&[short], &all(1, 1.0), &all(4, 0.5)]).is_some());
        assert_eq!(with(&[&[short], &all(1, 1.0)]), None);
        assert_eq!(with(&[&all(1, 1.0), &all(4, 0.5)]), None);
    }

    #[test]
    fn fetches_hide_behind_writes_as_far_as_the_copies_say() {
        let cost = |fetched| Cost {
            texels_written: 1_000_000,
            words_written: 1_000_000,
            texels_read: fetched,
            words_read: fetched,
            ..Cost::default()
        };
        let more =
            |overlap| model(overlap).pass(&cost(2_000_000), 1.0) - model(overlap).pass(&cost(1_000_000), 1.0);
        assert!((more(1.0) - 0.02).abs() < 1e-9 && more(8.0) < 0.001, "{} {}", more(1.0), more(8.0));
    }

    /// The stub's passes take 5 microseconds, and 0.1 ns for each word: what a model of copies can say of it, it must.
    #[test]
    fn a_device_that_keeps_to_the_model_is_predicted() {
        let mut lab = StubLab::new(Device::gl43());
        let names = ["copy:texture", "horn", "hybrid", "packed", "look_back"];
        let contenders = names.map(|name| Contender::parse(SCAN, name).unwrap()).into();
        let cells = [Cell { case: Case::scan(1 << 22), contenders, phases: false, repeats: 0 }];
        let mut comparison = CompareDocument::new(stub::machine(), "copy:texture", Duration::from_secs(1));
        let seconds = Duration::from_secs(1);
        let model = measure(&mut lab, seconds, &mut |_| {}, &mut || true).unwrap().unwrap();
        assert_eq!((model.overlap, model.copies.len()), (1.0, 3 * copies().count()));
        comparison.model = Some(model);
        compare::measure(&cells, &mut lab, seconds, &mut comparison, &mut |_| {}, &mut || true).unwrap();
        set_ratios(&mut comparison.rows, "copy:texture");
        for row in &comparison.rows {
            let Some(predicted) = row.predicted else { continue };
            assert!((predicted.ms / row.ms - 1.0).abs() < 0.02, "{}: {} {}", row.name, predicted.ms, row.ms);
            assert!(predicted.faster_ms < predicted.ms && predicted.faster_ms > predicted.ms / FASTER);
        }
        let with: Vec<&str> =
            comparison.rows.iter().filter(|row| row.predicted.is_some()).map(|row| &*row.name).collect();
        assert_eq!(with, names[..4], "the model knows no dispatches");
        insta::assert_snapshot!(text::text(&comparison));
        let read = compare::parse(&serde_json::to_vec(&comparison).unwrap()).unwrap();
        assert_eq!(read, comparison);
        let interrupted = measure(&mut lab, seconds, &mut |_| {}, &mut || false).unwrap();
        assert_eq!(interrupted, None);
    }
}
