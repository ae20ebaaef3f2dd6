//! Judges claims: each number's interval against a rule, and from these a verdict.
//!
//! ```text
//! a rule     cuts the line of numbers into ranges, each with a verdict:  | opposite | no effect | weaker | reproduced | stronger |
//! a point    has the verdict of the one range that its whole interval lies in, else it is undecided
//! a claim    has the verdict that all its points have, and is mixed if they differ: undecided, if more than one may be the outcome
//! ```
//!
//! A factor that a paper gives is reproduced from 80% to 125% of its gain: a factor of 2 from 1.80 to 2.25. Other rules state
//! their numbers. Where a point was measured while the device ran below its full speed, its verdict may be any of its rule's. A
//! claim needs all of its points, and one at least: where one was not measured, nor was the claim.

use std::collections::BTreeSet;

use super::rows::Lookup;
use crate::measure::Estimate;
use crate::report::page::{Claim, Compared, Verdict};

/// The share of a paper's gain from which on a factor is reproduced, and up to which.
const ENOUGH: f64 = 0.8;
const MORE: f64 = 1.25;
/// Gains below this are reproduced from half of them to twice as much: an interval's margin alone is nearly as wide as 80% to 125%.
const SMALL: f64 = 0.1;
/// Factors that are no difference to speak of: not the paper's effect, and not its opposite either.
const NO_EFFECT: [f64; 2] = [0.95, 1.05];

/// Ranges of a number, each with a verdict.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    /// Ends of ranges, ascending, with the verdict below.
    below: Vec<(f64, Verdict)>,
    /// The verdict above all of them.
    above: Verdict,
}

impl Rule {
    /// The rule for a factor that the paper gives: 80% to 125% of its gain. A factor below 1 is a loss. Less is weaker, down to a
    /// difference of 5%, or to where the paper's own effect begins, if that is less.
    pub fn factor(paper: f64) -> Rule {
        let ends = |gain: f64| match gain {
            small if small < SMALL => [1.0 + gain / 2.0, 1.0 + 2.0 * gain],
            _ => [1.0 + ENOUGH * gain, 1.0 + MORE * gain],
        };
        let [less, more] = NO_EFFECT;
        if paper >= 1.0 {
            let [low, high] = ends(paper - 1.0);
            Rule::of(
                &[
                    (less, Verdict::Opposite),
                    (more.min(low), Verdict::NoEffect),
                    (low, Verdict::Weaker),
                    (high, Verdict::Reproduced),
                ],
                Verdict::Stronger,
            )
        } else {
            let [low, high] = ends(1.0 / paper - 1.0);
            Rule::of(
                &[
                    (1.0 / high, Verdict::LargerLoss),
                    (1.0 / low, Verdict::Reproduced),
                    (less.max(1.0 / low), Verdict::Weaker),
                    (more, Verdict::NoEffect),
                ],
                Verdict::Opposite,
            )
        }
    }

    /// Reproduced from a difference of 5% on.
    pub fn more() -> Rule {
        Rule::directed(NO_EFFECT[1])
    }

    /// Reproduced above 1, however little, where the paper's own difference is within 5%: the interval says whether there is
    /// more.
    pub fn any_more() -> Rule {
        Rule::directed(1.0)
    }

    fn directed(enough: f64) -> Rule {
        Rule::of(&[(NO_EFFECT[0], Verdict::Opposite), (enough, Verdict::NoEffect)], Verdict::Reproduced)
    }

    /// Reproduced from `enough` on, opposite below `none`.
    pub fn at_least(none: f64, enough: f64) -> Rule {
        Rule::of(&[(none, Verdict::Opposite), (enough, Verdict::Weaker)], Verdict::Reproduced)
    }

    /// Reproduced up to `enough`, opposite above `none`.
    pub fn at_most(enough: f64, none: f64) -> Rule {
        Rule::of(&[(enough, Verdict::Reproduced), (none, Verdict::Weaker)], Verdict::Opposite)
    }

    /// Reproduced within a factor of `near` of the paper's number on both sides, weaker within `far`, else opposite.
    pub fn near(paper: f64, near: f64, far: f64) -> Rule {
        Rule::of(
            &[
                (paper / far, Verdict::Opposite),
                (paper / near, Verdict::Weaker),
                (paper * near, Verdict::Reproduced),
                (paper * far, Verdict::Weaker),
            ],
            Verdict::Opposite,
        )
    }

    /// Reproduced if it is this number, opposite if it is any other.
    pub fn exactly(paper: f64) -> Rule {
        let tolerance = 1e-9 * paper.abs().max(1.0);
        Rule::of(
            &[(paper - tolerance, Verdict::Opposite), (paper + tolerance, Verdict::Reproduced)],
            Verdict::Opposite,
        )
    }

    /// Any ranges: their ends in ascending order, each with the verdict below it, and the verdict above all. Where two ends are
    /// equal, the second range is empty.
    pub fn of(below: &[(f64, Verdict)], above: Verdict) -> Rule {
        debug_assert!(below.is_sorted_by(|a, b| a.0 <= b.0), "{below:?}");
        let mut below = below.to_vec();
        below.dedup_by_key(|(end, _)| *end);
        Rule { below, above }
    }

    /// The ranges: where they begin and end, and their verdicts.
    fn ranges(&self) -> impl Iterator<Item = (f64, f64, Verdict)> + '_ {
        let begins = std::iter::once(f64::NEG_INFINITY).chain(self.below.iter().map(|(end, _)| *end));
        let ends = self.below.iter().copied().chain([(f64::INFINITY, self.above)]);
        begins.zip(ends).map(|(begin, (end, verdict))| (begin, end, verdict))
    }

    /// The verdicts of the ranges that an interval has a part in; of all ranges, if it is no interval.
    fn outcomes(&self, Estimate { low, high, .. }: Estimate) -> BTreeSet<Verdict> {
        let touched = self
            .ranges()
            .filter(|(begin, end, _)| low <= *end && high >= *begin && (high > *begin || low >= *begin));
        let verdicts: BTreeSet<Verdict> = touched.map(|(.., verdict)| verdict).collect();
        if verdicts.is_empty() { self.verdicts() } else { verdicts }
    }

    /// The verdicts of all ranges.
    fn verdicts(&self) -> BTreeSet<Verdict> {
        self.ranges().map(|(.., verdict)| verdict).collect()
    }

    /// Returns true if one number alone is reproduced.
    fn is_exact(&self) -> bool {
        let mut reproduced = self.ranges().filter(|(.., verdict)| *verdict == Verdict::Reproduced);
        reproduced.all(|(begin, end, _)| end - begin <= 3e-9 * end.abs().max(1.0))
    }

    /// The ranges with this verdict, as text: `1.80x to 2.25x`; "-" if there is none.
    fn text(&self, wanted: Verdict, write: &dyn Fn(f64) -> String) -> String {
        let ranges = self.ranges().filter(|(.., verdict)| *verdict == wanted).map(|(begin, end, _)| {
            match (begin.is_finite(), end.is_finite()) {
                (true, true) if end - begin <= 3e-9 * end.abs().max(1.0) => write(f64::midpoint(begin, end)),
                (true, true) => format!("{} to {}", write(begin), write(end)),
                (true, false) => format!("above {}", write(begin)),
                (false, true) => format!("below {}", write(end)),
                (false, false) => "always".into(),
            }
        });
        let texts: Vec<String> = ranges.collect();
        match texts.as_slice() {
            [] => "-".into(),
            // Both sides of a single number.
            [_, _] if self.ranges().count() == 3 && self.is_exact() => "any other".into(),
            texts => texts.join(" or "),
        }
    }
}

/// The reason why a number is shown, and not judged.
const SHOWN: &str = "a quick run on a software renderer shows wall times, which other programs disturb, and does not judge them";

/// A number that a claim speaks of: the paper's, ours, and what counts.
pub struct Point {
    what: String,
    paper: String,
    paper_value: Option<f64>,
    rule: Rule,
    found: Lookup,
    write: fn(f64) -> String,
}

impl Point {
    /// Any number, with the paper's or its words, if it has some.
    pub fn new(
        what: String,
        (paper, says): (Option<f64>, Option<&str>),
        rule: Rule,
        found: Lookup,
        write: fn(f64) -> String,
    ) -> Point {
        let text = says.map(str::to_owned).or(paper.map(write)).unwrap_or_else(|| "-".into());
        Point { what, paper: text, paper_value: paper, rule, found, write }
    }

    /// The verdicts that may be the outcome.
    fn outcomes(&self) -> BTreeSet<Verdict> {
        match &self.found {
            Lookup::Number(estimate) => self.rule.outcomes(*estimate),
            Lookup::Unsettled(..) => self.rule.verdicts(),
            Lookup::NotOnThisDevice(_) => [Verdict::NotOnThisDevice].into(),
            Lookup::NotMeasured(_) | Lookup::Shown(_) => [Verdict::NotMeasured].into(),
        }
    }

    fn verdict(&self) -> Verdict {
        only(&self.outcomes()).unwrap_or(Verdict::Undecided)
    }

    fn compared(&self) -> Compared {
        let estimate = self.found.estimate();
        let write = self.write;
        let interval = |estimate: Estimate| match estimate.low == estimate.high {
            true => "exact".to_owned(),
            false => format!("{} to {}", write(estimate.low), write(estimate.high)),
        };
        Compared {
            what: self.what.clone(),
            paper: self.paper.clone(),
            ours: estimate.map_or_else(|| "-".into(), |estimate| write(estimate.value)),
            interval: estimate.map_or_else(|| "-".into(), interval),
            reproduced: self.rule.text(Verdict::Reproduced, &write),
            opposite: self.rule.text(Verdict::Opposite, &write),
            verdict: self.verdict(),
            value: estimate,
            paper_value: self.paper_value,
        }
    }
}

/// The one verdict that may be the outcome.
fn only(outcomes: &BTreeSet<Verdict>) -> Option<Verdict> {
    outcomes.first().copied().filter(|_| outcomes.len() == 1)
}

/// The verdict on two points.
fn both(one: Verdict, other: Verdict) -> Verdict {
    match (one, other) {
        _ if one == other => one,
        // At least the paper's effect at both.
        _ if one.holds() && other.holds() => Verdict::Reproduced,
        _ => Verdict::Mixed,
    }
}

/// Judges a claim by its points. `source` says where the paper of `key` has it; `explained` is added to the reasons if a number
/// was found; `untestable` is the reason why no number decides, empty for most claims.
pub fn claim(
    key: &str,
    text: String,
    source: &str,
    points: &[Point],
    explained: &str,
    untestable: &str,
) -> Claim {
    let mut compared: Vec<Compared> = points.iter().map(Point::compared).collect();
    let (verdict, why) = match untestable {
        "" => verdict(points),
        reason => {
            compared.iter_mut().for_each(|point| point.verdict = Verdict::NotTestable);
            (Verdict::NotTestable, reason.into())
        }
    };
    let judged = verdict.is_outcome() || verdict == Verdict::Undecided;
    Claim {
        key: key.into(),
        text,
        source: source.into(),
        verdict,
        why: sentences([why, if judged { explained.into() } else { String::new() }]),
        points: compared,
    }
}

/// The verdict on all points, with the reason.
fn verdict(points: &[Point]) -> (Verdict, String) {
    let of = |wanted: Verdict| points.iter().find(|point| point.verdict() == wanted);
    if let Some(Lookup::NotOnThisDevice(reason)) = of(Verdict::NotOnThisDevice).map(|point| &point.found) {
        return (Verdict::NotOnThisDevice, reason.clone());
    }
    if let Some(point) = of(Verdict::NotMeasured) {
        let reason = match &point.found {
            Lookup::NotMeasured(reason) => reason,
            _ => SHOWN,
        };
        let what = if points.len() > 1 { format!("{}: ", point.what) } else { String::new() };
        return (Verdict::NotMeasured, format!("{what}{reason}"));
    }
    let outcomes = points
        .iter()
        .map(Point::outcomes)
        .reduce(|all, own| all.iter().flat_map(|one| own.iter().map(|other| both(*one, *other))).collect());
    match outcomes {
        None => (Verdict::NotMeasured, "none of its sizes is part of this run".into()),
        Some(outcomes) => match only(&outcomes) {
            Some(verdict) => (verdict, differences(points)),
            None => (Verdict::Undecided, undecided(points)),
        },
    }
}

/// Counts the points by their verdicts, if these differ, and names those that are alone.
fn differences(points: &[Point]) -> String {
    let told = Verdict::ALL.into_iter().filter_map(|verdict| {
        let own: Vec<&Point> = points.iter().filter(|point| point.verdict() == verdict).collect();
        match own.as_slice() {
            [] => None,
            [one] => Some(format!("{} at 1 ({})", verdict.label(), one.what)),
            own => Some(format!("{} at {}", verdict.label(), own.len())),
        }
    });
    let told: Vec<String> = told.collect();
    if told.len() < 2 { String::new() } else { format!("of {} points: {}", points.len(), told.join(", ")) }
}

/// Names a point whose interval lies in more than one range, or that was measured on a slow device.
fn undecided(points: &[Point]) -> String {
    let unsettled = points.iter().find_map(|point| match &point.found {
        Lookup::Unsettled(_, why) => Some(why.clone()),
        _ => None,
    });
    if let Some(why) = unsettled {
        return format!("the clock had not settled: {why}");
    }
    let wide = points.iter().find(|point| point.verdict() == Verdict::Undecided);
    wide.map_or_else(String::new, |point| {
        let may_be: Vec<&str> = point.outcomes().into_iter().map(Verdict::label).collect();
        let interval = point.compared().interval;
        format!(
            "{}: the interval, {interval}, lies in more than one range: {}",
            point.what,
            may_be.join(", ")
        )
    })
}

/// Joins parts as sentences, each with a capital letter and a full stop.
fn sentences<const N: usize>(parts: [String; N]) -> String {
    let sentence = |part: String| {
        let mut letters = part.chars();
        let first: String = letters.next().map(|first| first.to_uppercase().collect()).unwrap_or_default();
        let rest: String = letters.collect();
        let stop = if rest.ends_with('.') { "" } else { "." };
        format!("{first}{rest}{stop}")
    };
    parts.into_iter().filter(|part| !part.is_empty()).map(sentence).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::unit::times;

    fn point(rule: Rule, low: f64, high: f64) -> Point {
        let value = f64::midpoint(low, high);
        Point::new(
            "at 1".into(),
            (Some(4.0), None),
            rule,
            Lookup::Number(Estimate { value, low, high }),
            times,
        )
    }

    fn claim(points: Vec<Point>, explained: &str) -> Claim {
        super::claim("a paper", "faster".into(), "section 1", &points, explained, "")
    }

    fn verdict(points: Vec<Point>) -> Verdict {
        claim(points, "").verdict
    }

    #[test]
    fn an_interval_in_one_range_decides() {
        let of = |low: f64, high: f64| verdict(vec![point(Rule::factor(4.0), low, high)]);
        assert_eq!(of(3.5, 4.5), Verdict::Reproduced);
        assert_eq!(of(5.0, 9.0), Verdict::Stronger);
        assert_eq!(of(1.1, 3.3), Verdict::Weaker);
        assert_eq!(of(0.96, 1.04), Verdict::NoEffect);
        assert_eq!(of(0.5, 0.9), Verdict::Opposite);
        assert_eq!(of(3.3, 3.5), Verdict::Undecided);
        assert_eq!(of(0.9, 5.0), Verdict::Undecided);
    }

    #[test]
    fn a_loss_is_the_gain_of_the_other() {
        let of = |low: f64, high: f64| verdict(vec![point(Rule::factor(0.5), low, high)]);
        assert_eq!(of(0.46, 0.54), Verdict::Reproduced);
        assert_eq!(of(0.2, 0.3), Verdict::LargerLoss);
        assert_eq!(of(0.6, 0.9), Verdict::Weaker);
        assert_eq!(of(0.96, 1.04), Verdict::NoEffect);
        assert_eq!(of(1.1, 1.2), Verdict::Opposite);
    }

    /// An effect of the paper's that is within 5% is not taken for none.
    #[test]
    fn small_effects_are_reproduced() {
        let of = |paper: f64, factor: f64| verdict(vec![point(Rule::factor(paper), factor, factor)]);
        assert_eq!([1.01, 1.03, 1.06, 1.09].map(|ours| of(1.04, ours)), {
            [Verdict::NoEffect, Verdict::Reproduced, Verdict::Reproduced, Verdict::Stronger]
        });
        assert_eq!([0.99, 0.97, 0.9].map(|ours| of(0.96, ours)), {
            [Verdict::NoEffect, Verdict::Reproduced, Verdict::LargerLoss]
        });
        let directed = |rule: Rule| verdict(vec![point(rule, 1.02, 1.03)]);
        assert_eq!([Rule::more(), Rule::any_more()].map(directed), [Verdict::NoEffect, Verdict::Reproduced]);
    }

    #[test]
    fn rules_of_two_sides_refuse_both() {
        let of = |low: f64, high: f64| verdict(vec![point(Rule::near(65_536.0, 2.0, 8.0), low, high)]);
        assert_eq!(of(40_000.0, 90_000.0), Verdict::Reproduced);
        assert_eq!(of(1_024.0, 1_024.0), Verdict::Opposite, "near 65,536 is not 1,024");
        assert_eq!(of(10_000.0, 20_000.0), Verdict::Weaker);
        assert_eq!(of(1e6, 1e7), Verdict::Opposite);
        assert_eq!(verdict(vec![point(Rule::exactly(460.0), 460.0, 460.0)]), Verdict::Reproduced);
        assert_eq!(verdict(vec![point(Rule::exactly(460.0), 459.0, 459.0)]), Verdict::Opposite);
        assert_eq!(verdict(vec![point(Rule::at_most(1.1, 1.5), 1.0, 1.05)]), Verdict::Reproduced);
        assert_eq!(verdict(vec![point(Rule::at_least(1.0, 1.5), 1.2, 1.3)]), Verdict::Weaker);
    }

    #[test]
    fn a_claim_has_the_verdict_of_all_its_points() {
        let rule = || Rule::factor(4.0);
        let (weak, good, strong) =
            (|| point(rule(), 2.0, 2.1), || point(rule(), 3.9, 4.1), || point(rule(), 8.0, 9.0));
        assert_eq!(verdict(vec![strong(), good()]), Verdict::Reproduced, "at least the paper's effect");
        assert_eq!(verdict(vec![weak(), weak()]), Verdict::Weaker);
        let mixed = claim(vec![strong(), good(), good(), weak()], "");
        assert_eq!((mixed.verdict, mixed.told().as_str()), (Verdict::Mixed, "mixed, holds at 3 of 4"));
        assert_eq!(mixed.why, "Of 4 points: reproduced at 2, stronger at 1 (at 1), weaker at 1 (at 1).");
        // The outcome of the wide one: weaker or reproduced.
        let wide = || point(rule(), 3.0, 4.0);
        assert_eq!(verdict(vec![wide(), good()]), Verdict::Undecided);
        assert_eq!(verdict(vec![wide(), weak()]), Verdict::Undecided);
        let mixed = claim(vec![wide(), weak(), weak(), weak(), good()], "");
        let why = "Of 5 points: reproduced at 1 (at 1), weaker at 3, undecided at 1 (at 1).";
        assert_eq!((mixed.verdict, mixed.why.as_str()), (Verdict::Mixed, why));
        let losses = vec![point(Rule::factor(0.5), 0.5, 0.5), point(Rule::factor(0.5), 0.1, 0.1)];
        assert_eq!(verdict(losses), Verdict::Mixed, "a larger loss is no better");
    }

    #[test]
    fn what_cannot_be_tested_has_its_numbers_and_no_verdict_of_theirs() {
        let reason = "cards have changed";
        let points = [point(Rule::factor(4.0), 3.9, 4.1)];
        let judged = super::claim("a paper", "faster".into(), "section 1", &points, "So.", reason);
        assert_eq!((judged.verdict, judged.why.as_str()), (Verdict::NotTestable, "Cards have changed."));
        assert_eq!(
            (judged.points[0].verdict, judged.points[0].ours.as_str()),
            (Verdict::NotTestable, "4.00x")
        );
    }

    #[test]
    fn a_claim_without_points_is_not_measured() {
        let judged = claim(Vec::new(), "So.");
        let why = "None of its sizes is part of this run.";
        assert_eq!((judged.verdict, judged.why.as_str()), (Verdict::NotMeasured, why));
        let nothing = Estimate { value: f64::NAN, low: f64::NAN, high: f64::NAN };
        let none = Point::new("at 2".into(), (None, None), Rule::factor(4.0), Lookup::Number(nothing), times);
        assert_eq!(verdict(vec![none]), Verdict::Undecided);
    }

    #[test]
    fn a_claim_of_three_sizes_needs_three() {
        let missing =
            |found: Lookup| Point::new("at 2".into(), (Some(4.0), None), Rule::factor(4.0), found, times);
        let good = || point(Rule::factor(4.0), 3.9, 4.1);
        let judged = claim(vec![good(), missing(Lookup::NotMeasured("the time was up".into()))], "So.");
        assert_eq!((judged.verdict, judged.why.as_str()), (Verdict::NotMeasured, "At 2: the time was up."));
        let judged = claim(vec![good(), missing(Lookup::NotOnThisDevice("no shaders".into()))], "So.");
        assert_eq!((judged.verdict, judged.why.as_str()), (Verdict::NotOnThisDevice, "No shaders."));
        let slow = Lookup::Unsettled(Estimate::exactly(4.0), "slow".into());
        let judged = claim(vec![good(), missing(slow)], "So.");
        assert_eq!(
            (judged.verdict, judged.why.as_str()),
            (Verdict::Undecided, "The clock had not settled: slow. So.")
        );
    }

    #[test]
    fn rules_are_told_in_numbers() {
        let told = claim(vec![point(Rule::factor(2.0), 1.9, 2.1)], "because").points.remove(0);
        assert_eq!((told.reproduced.as_str(), told.opposite.as_str()), ("1.80x to 2.25x", "below 0.95x"));
        assert_eq!((told.ours.as_str(), told.interval.as_str()), ("2.00x", "1.90x to 2.10x"));
        let told = claim(vec![point(Rule::exactly(2.0), 2.0, 2.0)], "").points.remove(0);
        assert_eq!((told.reproduced.as_str(), told.opposite.as_str()), ("2.00x", "any other"));
        assert_eq!(told.interval, "exact");
    }
}
