use super::*;
use crate::contender::Contender;
use crate::report::chart::{Panel, Role};
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
    let section = of(Effort::Full, false);
    assert!(open(&section).is_empty(), "{:?}", open(&section));
    for (number, claim) in section.claims.iter().enumerate() {
        assert!(section.claims[..number].iter().all(|other| other.text != claim.text), "{claim:?}");
        assert!(claim.text.ends_with('.') && !claim.text.contains('`'), "{}", claim.text);
        assert!(
            ["Section", "Table", "Figure"].iter().any(|word| claim.source.starts_with(word)),
            "{claim:?}"
        );
    }
}

#[test]
fn shorter_runs_lack_the_longer_lengths_alone() {
    for (effort, software, longest) in
        [(Effort::Quick, false, 22), (Effort::Full, true, 22), (Effort::Quick, true, 18)]
    {
        let section = of(effort, software);
        for claim in open(&section) {
            let too_long = |text: &str| (longest + 1..=24).any(|log2| text.contains(&format!("2^{log2}")));
            let lacks = claim.points.iter().filter(|point| point.ours == "-");
            for point in lacks {
                assert!(too_long(&point.what) || too_long(&claim.text), "{claim:?}");
            }
        }
        assert!(section.claims.len() - open(&section).len() >= 9, "{effort:?}");
    }
}

#[test]
fn rows_are_found_by_name_and_case() {
    for (effort, software) in [(Effort::Full, false), (Effort::Quick, false), (Effort::Quick, true)] {
        assert_all_differ(&cells(&Bounds::new(effort, software)));
    }
    for name in cells(&Bounds::new(Effort::Full, false)).iter().flat_map(|cell| contenders(cell.case.n())) {
        assert_eq!(Contender::known(compacted(1 << 20).problem(), name).name(), name);
    }
}

#[test]
fn the_papers_numbers_stand_at_their_sizes() {
    let section = of(Effort::Full, false);
    let points = |words: &str| {
        let claim = section.claims.iter().find(|claim| claim.text.contains(words)).unwrap();
        claim.points.iter().map(|point| format!("{} {}", point.what, point.paper)).collect::<Vec<_>>()
    };
    assert_eq!(points("Blocks are 5.5"), ["at 2^18 5.50x", "at 2^20 7.80x", "at 2^22 9.10x"]);
    assert_eq!(points("Blocks are 1.5 "), ["at 2^18 1.50x", "at 2^20 1.90x", "at 2^22 2.00x"]);
    assert_eq!(points("0.37 times"), ["at 2^18 0.32x", "at 2^20 0.37x", "at 2^22 0.36x", "at 2^24 0.35x"]);
    assert_eq!(points("twice as fast as the hybrid"), ["at 2^20 1.95x (7.8 over 4)"]);
    assert_eq!(section.tables.iter().map(|table| table.rows.len()).collect::<Vec<_>>(), [4, 4, 4, 10, 8]);
    for table in &section.tables {
        assert!(table.rows.iter().all(|row| row.len() == table.header.len()), "{}", table.title);
    }
}

#[test]
fn figures_are_in_the_order_of_the_paper() {
    for (effort, software) in [(Effort::Full, false), (Effort::Quick, true)] {
        let figures = of(effort, software).figures;
        let numbers: Vec<&str> = figures.iter().map(|figure| &figure.title[..9]).collect();
        assert_eq!(
            numbers,
            ["Figure 5:", "Figure 8:", "Figure 9:", "Figure 10", "Figure 11", "Figure 12", "Figure 13"]
        );
        for panel in figures.iter().flat_map(|figure| &figure.panels) {
            match panel {
                Panel::Lines(lines) => assert!(lines.series.iter().all(|line| !line.points.is_empty())),
                Panel::Bars(bars) => {
                    assert_eq!(bars.bars.len(), 8);
                    assert!(bars.bars.iter().all(|bar| bar.segments.len() == 5));
                }
            }
        }
    }
    let figures = of(Effort::Full, false).figures;
    let Panel::Lines(speed_ups) = &figures[6].panels[1] else { panic!() };
    for line in speed_ups.series.iter().filter(|line| line.role == Role::Paper) {
        let own = line.name.trim_end_matches(" (paper)");
        assert!(speed_ups.series.iter().any(|other| other.name == own && other.role == Role::Data), "{own}");
    }
}
