//! Judges claims: each number's interval against a rule, and from these a verdict.
//!
//! ```text
//! a rule     cuts the line of numbers into ranges, each with a verdict:  | opposite | weaker | reproduced | stronger |
//! a point    has the verdict of the one range that its whole interval lies in, else it is undecided
//! a claim    has the verdict of its weakest point: undecided, if more than one may be the outcome
//! ```
//!
//! A factor that a paper gives is reproduced from 80% to 125% of its gain: a factor of 2 from 1.80 to 2.25. Other rules state
//! their numbers. A claim of several sizes needs all of them. Where a point was measured while the device ran below its
//! full speed, there is no verdict.

use super::rows::Lookup;
use crate::measure::Estimate;
use crate::report::page::{Claim, Compared, Verdict};

/// The share of a paper's gain from which on a factor is reproduced, and up to which.
const ENOUGH: f64 = 0.8;
const MORE: f64 = 1.25;
/// Gains below this are reproduced from half of them to twice as much: an interval's margin alone is nearly as wide as 80% to 125%.
const SMALL: f64 = 0.1;
/// From here to 1, a factor is no difference to speak of: not the paper's effect, and not its opposite either.
const NO_DIFFERENCE: f64 = 0.95;

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
    /// loss of 5% in the paper's place of a gain.
    pub fn factor(paper: f64) -> Rule {
        let ends = |gain: f64| match gain {
            small if small < SMALL => [1.0 + gain / 2.0, 1.0 + 2.0 * gain],
            _ => [1.0 + ENOUGH * gain, 1.0 + MORE * gain],
        };
        if paper >= 1.0 {
            let [low, high] = ends(paper - 1.0);
            Rule::of(
                &[(NO_DIFFERENCE, Verdict::Opposite), (low, Verdict::Weaker), (high, Verdict::Reproduced)],
                Verdict::Stronger,
            )
        } else {
            let [low, high] = ends(1.0 / paper - 1.0);
            Rule::of(
                &[
                    (1.0 / high, Verdict::Stronger),
                    (1.0 / low, Verdict::Reproduced),
                    (1.0 / NO_DIFFERENCE, Verdict::Weaker),
                ],
                Verdict::Opposite,
            )
        }
    }

    /// Reproduced above 1, however little: the interval says whether there is more. Weaker if there is no difference of 5%.
    pub fn more() -> Rule {
        Rule::at_least(NO_DIFFERENCE, 1.0)
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

    /// Any ranges: their ends in ascending order, each with the verdict below it, and the verdict above all.
    pub fn of(below: &[(f64, Verdict)], above: Verdict) -> Rule {
        debug_assert!(below.is_sorted_by(|a, b| a.0 < b.0), "{below:?}");
        Rule { below: below.to_vec(), above }
    }

    /// The ranges: where they begin and end, and their verdicts.
    fn ranges(&self) -> impl Iterator<Item = (f64, f64, Verdict)> + '_ {
        let begins = std::iter::once(f64::NEG_INFINITY).chain(self.below.iter().map(|(end, _)| *end));
        let ends = self.below.iter().copied().chain([(f64::INFINITY, self.above)]);
        begins.zip(ends).map(|(begin, (end, verdict))| (begin, end, verdict))
    }

    /// The weakest and the strongest verdict of the ranges that an interval has a part in.
    fn outcomes(&self, estimate: Estimate) -> (Verdict, Verdict) {
        let Estimate { low, high, .. } = estimate;
        let touched = self
            .ranges()
            .filter(|(begin, end, _)| low <= *end && high >= *begin && (high > *begin || low >= *begin));
        let mut verdicts: Vec<Verdict> = touched.map(|(.., verdict)| verdict).collect();
        verdicts.sort_unstable();
        let ends = verdicts.first().copied().zip(verdicts.last().copied());
        ends.unwrap_or((Verdict::Opposite, Verdict::Stronger))
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

    /// The weakest and the strongest verdict that may be the outcome.
    fn outcomes(&self) -> (Verdict, Verdict) {
        match &self.found {
            Lookup::Number(estimate) => self.rule.outcomes(*estimate),
            Lookup::Unsettled(..) => (Verdict::Opposite, Verdict::Stronger),
            Lookup::NotOnThisDevice(_) => (Verdict::NotOnThisDevice, Verdict::NotOnThisDevice),
            Lookup::NotMeasured(_) | Lookup::Shown(_) => (Verdict::NotMeasured, Verdict::NotMeasured),
        }
    }

    fn verdict(&self) -> Verdict {
        let (weakest, strongest) = self.outcomes();
        if weakest == strongest { weakest } else { Verdict::Undecided }
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

/// Judges a claim by its points, of which there is at least one. `source` says where the paper of `key` has it; `explained` is
/// added to the reasons if a number was found.
pub fn claim(key: &str, text: String, source: &str, points: Vec<Point>, explained: &str) -> Claim {
    let of = |wanted: Verdict| points.iter().find(|point| point.verdict() == wanted);
    let (verdict, why) = if let Some(Lookup::NotOnThisDevice(reason)) =
        of(Verdict::NotOnThisDevice).map(|point| &point.found)
    {
        (Verdict::NotOnThisDevice, reason.clone())
    } else if let Some(point) = of(Verdict::NotMeasured) {
        let reason = match &point.found {
            Lookup::NotMeasured(reason) => reason,
            _ => SHOWN,
        };
        let what = if points.len() > 1 { format!("{}: ", point.what) } else { String::new() };
        (Verdict::NotMeasured, format!("{what}{reason}"))
    } else {
        let outcomes = points.iter().map(Point::outcomes);
        let least = outcomes.reduce(|all, point| (all.0.min(point.0), all.1.min(point.1)));
        match least.unwrap_or((Verdict::Opposite, Verdict::Opposite)) {
            (weakest, strongest) if weakest == strongest => (weakest, weakest_point(&points, weakest)),
            _ => (Verdict::Undecided, undecided(&points)),
        }
    };
    let judged = !matches!(verdict, Verdict::NotOnThisDevice | Verdict::NotMeasured);
    Claim {
        key: key.into(),
        text,
        source: source.into(),
        verdict,
        why: sentences([why, if judged { explained.into() } else { String::new() }]),
        points: points.iter().map(Point::compared).collect(),
    }
}

/// Names the points that decide, if not all of them do.
fn weakest_point(points: &[Point], verdict: Verdict) -> String {
    let decide: Vec<&str> =
        points.iter().filter(|point| point.verdict() == verdict).map(|point| point.what.as_str()).collect();
    if points.len() == 1 || decide.len() == points.len() {
        String::new()
    } else {
        format!("{} of {} points: {}", decide.len(), points.len(), decide.join("; "))
    }
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
        let (weakest, strongest) = point.outcomes();
        let interval = point.compared().interval;
        format!(
            "{}: the interval, {interval}, lies in more than one range, from {} to {}",
            point.what,
            weakest.label(),
            strongest.label()
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
        super::claim("a paper", "faster".into(), "section 1", points, explained)
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
        assert_eq!(of(0.5, 0.9), Verdict::Opposite);
        assert_eq!(of(3.3, 3.5), Verdict::Undecided);
        assert_eq!(of(0.9, 5.0), Verdict::Undecided);
    }

    #[test]
    fn a_loss_is_the_gain_of_the_other() {
        let of = |low: f64, high: f64| verdict(vec![point(Rule::factor(0.5), low, high)]);
        assert_eq!(of(0.46, 0.54), Verdict::Reproduced);
        assert_eq!(of(0.2, 0.3), Verdict::Stronger);
        assert_eq!(of(0.6, 0.9), Verdict::Weaker);
        assert_eq!(of(1.1, 1.2), Verdict::Opposite);
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
    fn a_claim_is_as_strong_as_its_weakest_point() {
        let rule = || Rule::factor(4.0);
        let (weak, good, strong) =
            (|| point(rule(), 2.0, 2.1), || point(rule(), 3.9, 4.1), || point(rule(), 8.0, 9.0));
        assert_eq!(verdict(vec![strong(), good()]), Verdict::Reproduced);
        assert_eq!(verdict(vec![strong(), good(), weak()]), Verdict::Weaker);
        // However the wide one turns out, the other is weaker.
        let wide = || point(rule(), 3.0, 4.0);
        assert_eq!(verdict(vec![wide(), good()]), Verdict::Undecided);
        assert_eq!(verdict(vec![wide(), weak()]), Verdict::Weaker);
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
