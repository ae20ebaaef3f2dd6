use super::*;
use crate::report::chart::Panel;
use crate::reproduce::effort::Effort;
use crate::reproduce::samples::{assert_all_differ, measured, open};
use rasterscan::Device;

fn of(effort: Effort, software: bool) -> Section {
    let bounds = Bounds::new(effort, software);
    let kept = measured(&cells(&bounds), &Device::gl43());
    section(&PaperRows::new(kept.iter(), software, false), &bounds)
}

#[test]
fn a_full_run_measures_every_point() {
    for software in [false, true] {
        assert!(open(&of(Effort::Full, software)).is_empty());
    }
    assert!(open(&of(Effort::Quick, false)).is_empty());
}

#[test]
fn a_quick_run_on_a_cpu_lacks_the_longer_length_alone() {
    let section = of(Effort::Quick, true);
    for claim in open(&section) {
        assert!(claim.why.to_lowercase().contains("not part of this run"), "{claim:?}");
        let lacks = claim.points.iter().filter(|point| point.ours == "-");
        assert!(lacks.clone().count() >= 1, "{claim:?}");
        let long = |what: &str| what.contains("2^20") || claim.text.contains("2^20");
        assert!(lacks.into_iter().all(|point| long(&point.what)), "{claim:?}");
    }
    assert!(section.claims.len() - open(&section).len() >= 13);
}

#[test]
fn rows_are_found_by_name_and_case() {
    for (effort, software) in [(Effort::Full, false), (Effort::Quick, true)] {
        assert_all_differ(&cells(&Bounds::new(effort, software)));
    }
}

#[test]
fn claims_say_where_they_stand_in_print() {
    let section = of(Effort::Full, false);
    for (number, claim) in section.claims.iter().enumerate() {
        assert!(claim.source.starts_with("Section") && claim.text.ends_with('.'), "{claim:?}");
        assert!(section.claims[..number].iter().all(|other| other.text != claim.text), "{claim:?}");
    }
    let paper = |words: &str| {
        let claim = section.claims.iter().find(|claim| claim.text.contains(words)).unwrap();
        claim.points.iter().map(|point| point.paper.as_str()).collect::<Vec<_>>()
    };
    assert_eq!(paper("around 3 times as fast as Horn's, at 2^18"), ["3.00x"]);
    assert_eq!(paper("around 4 times as fast as Horn's, at 2^20"), ["4.00x"]);
    assert_eq!(section.errata.len(), 5);
}

#[test]
fn every_figure_has_its_lines() {
    for (effort, software) in [(Effort::Full, false), (Effort::Quick, true)] {
        for figure in of(effort, software).figures {
            let [Panel::Lines(lines)] = &figure.panels[..] else { panic!("{}", figure.title) };
            assert!(lines.series.iter().any(|series| series.points.len() > 1), "{}", figure.title);
        }
    }
    let figures = of(Effort::Full, false).figures;
    let Panel::Lines(steps) = &figures[0].panels[0] else { panic!() };
    assert_eq!(steps.series.iter().map(|line| line.points.len()).collect::<Vec<_>>(), [11, 13]);
}
