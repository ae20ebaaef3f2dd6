//! Judges claims by rows: our figures beside the paper's, and a verdict.
//!
//! A claim of a factor is *reproduced* if ours is at least 80% of the paper's everywhere, *weaker* if it points in the
//! same direction everywhere, and *not reproduced* otherwise. Other kinds of claims say what counts.

use super::rows::Rows;
use crate::case::Case;
use crate::cell::LeftOut;
use crate::report::page::{Claim, Compared, Verdict};

/// The share of the paper's factor that is as good as all of it.
const ENOUGH: f64 = 0.8;
/// Factors from here on point up.
const MORE: f64 = 1.03;

/// A factor that a paper gives, and ours.
pub struct Factor {
    pub what: String,
    pub paper: f64,
    pub ours: Option<f64>,
    /// The reason why there is none of ours.
    pub absent: Option<String>,
}

impl Factor {
    /// The speed of `fast` relative to `slow` on a case.
    pub fn of(
        rows: &Rows<'_>,
        what: impl Into<String>,
        paper: f64,
        [slow, fast]: [&str; 2],
        case: &Case,
    ) -> Factor {
        let absent = rows.absent(slow, case).or(rows.absent(fast, case));
        Factor {
            what: what.into(),
            paper,
            ours: rows.factor(slow, fast, case),
            absent: absent.map(|left_out| format!("{}: {}", left_out.name, left_out.reason)),
        }
    }
}

/// `2.5x`, with three significant digits.
pub fn times(factor: f64) -> String {
    match factor {
        factor if factor < 0.1 => format!("{factor:.3}x"),
        factor if factor < 10.0 => format!("{factor:.2}x"),
        factor => format!("{factor:.1}x"),
    }
}

/// A comparison of two numbers, written in the same manner.
pub fn compared(
    what: impl Into<String>,
    paper: f64,
    ours: Option<f64>,
    write: impl Fn(f64) -> String,
) -> Compared {
    Compared {
        what: what.into(),
        paper: write(paper),
        ours: ours.map_or("-".into(), &write),
        ratio: ours.map(|ours| ours / paper).filter(|ratio| ratio.is_finite()),
    }
}

/// Judges a claim of factors. Those below 1 say that it does not hold yet at that point; they are shown, but not
/// judged. `explained` is added once there is a factor of ours.
pub fn factors(text: &str, factors: Vec<Factor>, explained: Option<String>) -> Claim {
    let points = factors.iter().map(|f| compared(f.what.clone(), f.paper, f.ours, times)).collect();
    let judged: Vec<(f64, f64)> =
        factors.iter().filter(|f| f.paper > 1.0).filter_map(|f| Some((f.paper, f.ours?))).collect();
    let missing: Vec<String> = factors
        .iter()
        .filter(|factor| factor.ours.is_none())
        .map(|factor| match &factor.absent {
            Some(reason) => format!("{} was left out ({reason})", factor.what),
            None => format!("{} is not part of this run", factor.what),
        })
        .collect();
    let enough = judged.iter().filter(|(paper, ours)| *ours >= ENOUGH * paper).count();
    let along = judged.iter().filter(|(_, ours)| *ours >= MORE).count();
    let (verdict, why) = match judged.len() {
        0 => {
            let unsupported =
                factors.iter().any(|factor| factor.absent.as_deref().is_some_and(is_unsupported));
            (if unsupported { Verdict::NotOnThisDevice } else { Verdict::NotMeasured }, String::new())
        }
        all if enough == all => (Verdict::Reproduced, "at least 80% of the paper's factor everywhere".into()),
        all if along == all => {
            let least = judged.iter().map(|(paper, ours)| ours / paper).fold(f64::INFINITY, f64::min);
            (
                Verdict::Weaker,
                format!("the same direction, but down to {:.0}% of the paper's factor", 100.0 * least),
            )
        }
        all => (
            Verdict::NotReproduced,
            format!("{} of {all} do not point in the paper's direction", all - along),
        ),
    };
    let explained = explained.filter(|_| !judged.is_empty());
    Claim {
        text: text.into(),
        verdict,
        why: sentences([Some(why), explained, Some(missing.join("; "))]),
        points,
    }
}

/// Returns true if a reason is about the device, and not about the time.
fn is_unsupported(reason: &str) -> bool {
    !reason.contains("the time")
}

/// A claim that the caller judged; if it could not, with the reason of the first absent row.
pub fn claim(
    text: &str,
    points: Vec<Compared>,
    judged: Option<(Verdict, String)>,
    absent: &[Option<&LeftOut>],
) -> Claim {
    let absent: Vec<&LeftOut> = absent.iter().flatten().copied().collect();
    let (verdict, why) = judged.unwrap_or_else(|| match absent.first() {
        Some(left_out) if is_unsupported(&left_out.reason) => {
            (Verdict::NotOnThisDevice, format!("{}: {}", left_out.name, left_out.reason))
        }
        Some(left_out) => (Verdict::NotMeasured, format!("{}: {}", left_out.name, left_out.reason)),
        None => (Verdict::NotMeasured, "not part of this run, or not reached yet".into()),
    });
    Claim { text: text.into(), verdict, why: sentences([Some(why)]), points }
}

/// Joins parts as sentences, each with a capital letter and a full stop.
fn sentences<const N: usize>(parts: [Option<String>; N]) -> String {
    let sentence = |part: String| {
        let mut letters = part.chars();
        let first: String = letters.next().map(|first| first.to_uppercase().collect()).unwrap_or_default();
        let rest: String = letters.collect();
        let stop = if rest.ends_with('.') { "" } else { "." };
        format!("{first}{rest}{stop}")
    };
    parts.into_iter().flatten().filter(|part| !part.is_empty()).map(sentence).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn factor(paper: f64, ours: Option<f64>) -> Factor {
        Factor { what: "at 1".into(), paper, ours, absent: None }
    }

    fn verdict(all: Vec<Factor>) -> Verdict {
        factors("faster", all, None).verdict
    }

    #[test]
    fn factors_are_judged_by_the_weakest() {
        assert_eq!(verdict(vec![factor(4.0, Some(3.2)), factor(2.0, Some(5.0))]), Verdict::Reproduced);
        assert_eq!(verdict(vec![factor(4.0, Some(3.1)), factor(2.0, Some(5.0))]), Verdict::Weaker);
        assert_eq!(verdict(vec![factor(4.0, Some(1.0)), factor(2.0, Some(5.0))]), Verdict::NotReproduced);
        assert_eq!(verdict(vec![factor(4.0, None), factor(2.0, Some(5.0))]), Verdict::Reproduced);
        assert_eq!(verdict(vec![factor(0.03, Some(3.0)), factor(6.0, Some(6.0))]), Verdict::Reproduced);
        assert_eq!(verdict(vec![factor(4.0, None)]), Verdict::NotMeasured);
        let absent = |reason: &str| vec![Factor { absent: Some(reason.into()), ..factor(4.0, None) }];
        assert_eq!(verdict(absent("sam: needs compute shaders")), Verdict::NotOnThisDevice);
        assert_eq!(verdict(absent("sam: the time was up")), Verdict::NotMeasured);
    }

    #[test]
    fn reasons_are_sentences() {
        let claim =
            factors("faster", vec![factor(4.0, Some(2.0)), factor(2.0, None)], Some("so it is.".into()));
        let expected = "The same direction, but down to 50% of the paper's factor. So it is. At 1 is not part of \
                        this run.";
        assert_eq!(claim.why, expected);
        assert_eq!(claim.points[0].ratio, Some(0.5));
        assert_eq!((claim.points[1].paper.as_str(), claim.points[1].ours.as_str()), ("2.00x", "-"));
    }
}
