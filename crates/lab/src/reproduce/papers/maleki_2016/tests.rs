//! The claims on a stubbed clock, and the paper's numbers against its tables.

use rasterscan::Device;

use super::counted::factor;
use super::tables::{crossing_in_print, greatest_in_print};
use super::*;
use crate::report::page::{Claim, Verdict};
use crate::reproduce::printed::printed;
use crate::reproduce::samples::{assert_all_differ, measured};
use crate::reproduce::unit::times;
use rasterscan::ElementType;

const FULL: Bounds = Bounds { quick: false, software: false, texture: 24, compute: 27 };
const QUICK_ON_CPU: Bounds = Bounds { quick: true, software: true, texture: 18, compute: 18 };

fn section_of(bounds: &Bounds, device: &Device) -> Section {
    section(&PaperRows::new(measured(&cells(bounds), device).iter(), bounds.software, bounds.quick), bounds)
}

fn claim_of<'a>(section: &'a Section, words: &str) -> &'a Claim {
    section.claims.iter().find(|claim| claim.text.contains(words)).unwrap()
}

#[test]
fn a_full_run_measures_every_point() {
    let section = section_of(&FULL, &Device::gl43());
    assert_eq!(section.claims.len(), 42);
    assert_all_differ(&cells(&FULL));
    for claim in &section.claims {
        let elsewhere = match claim.text.as_str() {
            text if text.starts_with("The architectural factor has") || text.starts_with("On the K40") => {
                Some(Verdict::NotTestable)
            }
            text if text.contains("energy") => Some(Verdict::NotOnThisDevice),
            _ => None,
        };
        if let Some(verdict) = elsewhere {
            assert_eq!(claim.verdict, verdict);
            continue;
        }
        assert!(!matches!(claim.verdict, Verdict::NotMeasured | Verdict::NotOnThisDevice), "{claim:?}");
        assert!(claim.points.iter().all(|point| point.value.is_some()), "{claim:?}");
        assert!(claim.points.iter().all(|point| point.paper != "-" && point.reproduced != "-"), "{claim:?}");
    }
    // No cell of ours in a table is empty; of the paper's own, some are.
    let ours = &section.tables[..6];
    assert!(ours[0].rows.iter().chain(&ours[4].rows).all(|row| row[1] != "-" || row[0].ends_with("2^28")));
    assert!(ours[1].rows.iter().all(|row| row[1..4].iter().all(|cell| cell != "-")));
    assert_eq!(section.tables.len(), 6 + 14 + 1);
    assert_eq!(section.figures.len(), 6);
}

#[test]
fn what_is_counted_is_as_in_the_paper() {
    let section = section_of(&QUICK_ON_CPU, &Device { software: true, ..Device::gl43() });
    for (words, points) in [
        ("Words moved for each item", 5),
        ("a constant amount of auxiliary memory", 5),
        ("reads and writes each item 2q times", 6),
        ("other associative operators", 3),
        ("The architectural factor af", 4),
        ("264 GB/s, 78.6%", 2),
    ] {
        let claim = claim_of(&section, words);
        assert_eq!((claim.verdict, claim.points.len()), (Verdict::Reproduced, points), "{claim:?}");
    }
    // The sums of 64 members for each chunk are 8% of the traffic.
    let both = claim_of(&section, "orders and tuple values at the same time");
    assert_eq!((both.verdict, both.points[2].ours.as_str()), (Verdict::Mixed, "2.16"));
    assert_eq!(claim_of(&section, "same bits").verdict, Verdict::Reproduced, "the stub's runs are all alike");
    assert_eq!(format!("{:.2}", factor("C1060 Tesla").unwrap()), "7.32");
}

/// The plans that count are those that ran: on a software renderer, scans in one pass read each tile twice.
#[test]
fn plans_are_those_of_the_device() {
    let of_claim = |words: &str, device: Option<Device>| {
        let section = section(&PaperRows::new([].iter(), true, true).on(device), &QUICK_ON_CPU);
        let claim = claim_of(&section, words);
        claim.points.iter().map(|point| (point.what.clone(), point.ours.clone())).collect::<Vec<_>>()
    };
    let of = |device: Option<Device>| of_claim("Words moved for each item", device);
    let on_cpu = Device { software: true, ..Device::gl43() };
    let software = of(Some(on_cpu.clone()));
    assert_eq!(software[2], ("chained, as StreamScan, on this device".into(), "3.00".into()));
    assert_eq!(of(None)[2], ("chained, as StreamScan, on a GPU with OpenGL 4.3".into(), "2.00".into()));
    assert!(of(Some(Device::gl33())).iter().all(|(_, ours)| ours == "-"));
    let max = |device: Device| of_claim("other associative operators", Some(device)).swap_remove(0).1;
    assert_eq!([on_cpu, Device::gl43(), Device::gl33()].map(max), ["3.03", "2.01", "-"]);
}

/// A table has all scans that are compared, and what reports of older programs lack is empty.
#[test]
fn bits_and_the_price_of_their_order_stand_side_by_side() {
    let table = |bounds: &Bounds| section_of(bounds, &Device::gl43()).tables.swap_remove(4);
    let full = table(&FULL);
    assert_eq!(
        full.header[1..5],
        ["in 100 runs at 2^20", "in 3 runs at 2^26", "run beside other work", "ms at 2^26"]
    );
    assert_eq!(
        full.rows.iter().map(|row| row[1].as_str()).collect::<Vec<_>>(),
        ["1", "2", "1", "1", "1", "1"]
    );
    assert!(full.rows.iter().any(|row| row[5] == "1.00x") && full.rows.iter().all(|row| row[5] != "-"));
    let quick = table(&QUICK_ON_CPU);
    assert_eq!(quick.header[1..3], ["in 100 runs at 2^18", "run beside other work"]);
    let nothing = section(&PaperRows::new([].iter(), false, false), &FULL).tables.swap_remove(4);
    assert!(nothing.rows.iter().all(|row| row[1..6].iter().all(|cell| cell == "-")));
}

/// One result in all runs does not refute that they may vary.
#[test]
fn bits_that_may_vary_and_do_not_are_undecided() {
    let verdict = |results: u32| {
        let mut kept = measured(&cells(&FULL), &Device::gl43());
        let rows = kept.iter_mut().flat_map(|cell| &mut cell.rows);
        rows.filter(|row| row.distinct.is_some()).for_each(|row| row.distinct = Some(results));
        let section = section(&PaperRows::new(kept.iter(), false, false), &FULL);
        [claim_of(&section, "same bits").verdict, claim_of(&section, "may vary").verdict]
    };
    assert_eq!(verdict(1), [Verdict::Reproduced, Verdict::Undecided]);
    assert_eq!(verdict(98), [Verdict::Opposite, Verdict::Reproduced]);
}

/// What a quick run on the CPU does not reach, it does not judge.
#[test]
fn a_quick_run_on_the_cpu_is_short() {
    let cells = cells(&QUICK_ON_CPU);
    assert!(cells.len() <= 8, "{}", cells.len());
    assert!(cells.iter().all(|cell| cell.case.n() <= 1 << 16 || cell.repeats > 0));
    let section = section_of(&QUICK_ON_CPU, &Device { software: true, ..Device::gl43() });
    for claim in &section.claims {
        let exact = claim.points.iter().all(|point| point.interval == "exact");
        assert!(exact || !claim.verdict.is_outcome() && claim.verdict != Verdict::Undecided, "{claim:?}");
    }
}

#[test]
fn without_compute_shaders_what_is_timed_is_not_judged() {
    let section = section_of(&FULL, &Device::gl33());
    let is_counted = |claim: &&Claim| claim.text.ends_with("every element just once.");
    for claim in section.claims[6..].iter().filter(|claim| !is_counted(claim)) {
        if claim.text.contains("the authors' code") || claim.text.starts_with("On the K40") {
            assert_eq!(claim.verdict, Verdict::NotTestable, "{claim:?}");
            continue;
        }
        assert_eq!(claim.verdict, Verdict::NotOnThisDevice, "{claim:?}");
        let why = match &claim.text {
            text if text.contains("energy") => "energy",
            _ => "compute shaders",
        };
        assert!(claim.why.contains(why), "{claim:?}");
    }
}

/// Sums of whole numbers up to 255 are exact up to 2^24 in any order.
#[test]
fn float_sums_are_long_enough_to_round() {
    for bounds in [FULL, QUICK_ON_CPU] {
        let sum: f64 = floats(&bounds).job().streams().unwrap()[0]
            .get::<f32>()
            .unwrap()
            .iter()
            .map(|v| f64::from(*v))
            .sum();
        assert!(sum > 1.9 * (1 << 24) as f64, "{sum}");
    }
}

#[test]
fn the_sentences_of_the_text_are_near_its_tables() {
    let [u32, u64] = ELEMENTS;
    for (shape, said) in [
        (Shape::Order(2), 1.52),
        (Shape::Order(5), 1.78),
        (Shape::Order(8), 1.87),
        (Shape::Tuple(2), 0.83),
        (Shape::Tuple(5), 1.2),
        (Shape::Tuple(8), 1.34),
    ] {
        let table = titan(u32).speed("CUB", shape, LARGEST).unwrap();
        assert!((table / said - 1.0f64).abs() < 0.05, "{shape:?}: {table} {said}");
    }
    let twice = |library: &str, log2| titan(u32).speed(library, Shape::Order(1), log2).map(times);
    assert_eq!([22, 24, 26].map(|log2| twice("THRUST", log2).unwrap()), ["3.03x", "2.33x", "2.21x"]);
    assert_eq!([22, 24].map(|log2| twice("CUDPP", log2).unwrap()), ["1.85x", "1.91x"]);
    assert_eq!(twice("CUDPP", 26), None, "not printed");
    let cub = |log2| titan(u32).speed("CUB", Shape::Order(1), log2).map(times).unwrap();
    assert_eq!([24, 26, 27, 28].map(cub), ["0.97x", "1.00x", "1.00x", "1.03x"]);
    // The claims on the K40.
    let [_, _, k40, k40_u64] = &APPENDIX;
    let over = |appendix: &Appendix, shape| times(1.0 / appendix.speed("CUB", shape, LARGEST).unwrap());
    assert_eq!(over(k40, Shape::Order(1)), "1.54x");
    assert_eq!([2, 5, 8].map(|order| over(k40, Shape::Order(order))), ["1.23x", "1.06x", "1.02x"]);
    assert_eq!([2, 5, 8].map(|size| over(k40, Shape::Tuple(size))), ["1.23x", "1.08x", "0.93x"]);
    assert_eq!(over(k40_u64, Shape::Tuple(5)), "0.86x");
    assert!(k40.speed("CUDPP", Shape::Order(1), 20).unwrap() > 1.0);
    // Values of one length are not those of another.
    assert_eq!(titan(u32).speed("CUB", Shape::Order(2), 18).map(times).unwrap(), "1.28x");
    assert_eq!(titan(u32).speed("CUB", Shape::Order(8), 18).map(times).unwrap(), "1.95x");
    assert_eq!(titan(u64).throughput("SAM", Shape::Tuple(8), 22), Some(9.0));
}

#[test]
fn the_tables_have_less_than_the_abstract() {
    let order = greatest_in_print(Shape::Order(8)).unwrap();
    assert_eq!((times(order.speed).as_str(), order.items), ("2.20x", "2^28"));
    assert!(order.most < 2.9, "before rounding: {}", order.most);
    let tuple = greatest_in_print(Shape::Tuple(8)).unwrap();
    assert_eq!((times(tuple.speed).as_str(), tuple.items), ("2.26x", "2^25"));
    assert!(tuple.most < 2.6, "before rounding: {}", tuple.most);
    for size in [2, 3, 4, 5] {
        assert!(greatest_in_print(Shape::Order(size)).unwrap().speed < order.speed);
        let smaller = greatest_in_print(Shape::Tuple(size));
        assert!(smaller.is_none_or(|smaller| smaller.speed < tuple.speed), "3 and 4 are not printed");
    }
    let section = section_of(&QUICK_ON_CPU, &Device { software: true, ..Device::gl43() });
    let table = &section.tables[2];
    // Only where CUB's one digit is a 2 or less.
    for row in &table.rows {
        let up_to: f64 = row[5].parse().unwrap();
        assert!(up_to <= 0.2, "{row:?}");
    }
}

#[test]
fn errata_are_in_the_tables() {
    let column = |table: &str, column: &str| printed(KEY, table).column(column);
    let (k40, titan) = (column("Table A.8", "CUB5"), column("Table A.6", "CUB5"));
    let same = k40.iter().filter(|value| titan.contains(value)).count();
    assert_eq!((same, k40.len(), titan.len()), (24, 25, 25));
    let faster = column("Table A.8", "CUB4").iter().zip(&k40).filter(|(four, five)| five.1 > four.1).count();
    assert!(faster > 14, "{faster}");
    let [_, _, short, long] = &APPENDIX;
    let ahead =
        |appendix: &Appendix, order| appendix.speed("CUB", Shape::Order(order), LARGEST).unwrap() > 1.0;
    assert_eq!([2, 3, 4, 5, 8].map(|order| ahead(long, order)), [false, true, true, false, true]);
    assert_eq!([2, 3, 4, 5, 8].map(|order| ahead(short, order)), [false; 5]);
    let best = |library| [29, 30].map(|log2| APPENDIX[0].throughput(library, Shape::Order(1), log2));
    assert_eq!(best("CUB"), best("SAM"));
    let crossings =
        APPENDIX.each_ref().map(|appendix| crossing_in_print(appendix, &[1, 2, 5, 8], Shape::Tuple).unwrap());
    assert!(crossings.iter().all(|size| (2.0..8.0).contains(size)), "{crossings:?}");
}

#[test]
fn a_crossing_is_where_sam_gets_ahead_for_good() {
    assert_eq!(crossing(&[(1.0, 1.1), (2.0, 1.2)]), 0.0);
    assert_eq!(crossing(&[(1.0, 1.1), (2.0, 0.9)]), f64::INFINITY);
    assert_eq!(crossing(&[(1.0, 0.5), (4.0, 2.0)]), 2.0);
    assert_eq!(crossing(&[(1.0, 2.0), (2.0, 0.5), (8.0, 2.0)]), 4.0);
}

/// A device on which SAM is as fast as the others, within the margin: no crossing is sure.
#[test]
fn near_a_tie_a_crossing_is_anywhere() {
    let kept = measured(&cells(&FULL), &Device::gl43());
    let rows = PaperRows::new(kept.iter(), false, false);
    let of = |speeds: [f64; 3]| {
        let case = sums_of(ElementType::U32, 20);
        crossing_of(&rows, &[1, 2, 8], |rows, place| {
            rows.ms(SAM, &case)?;
            Some(speeds[[1, 2, 8].iter().position(|known| *known == place)?])
        })
    };
    let sure = of([0.5, 0.8, 1.6]).estimate().unwrap();
    assert!((sure.value - 3.125).abs() < 1e-6 && sure.low > 2.9 && sure.high < 3.4, "{sure:?}");
    let tie = of([1.01, 1.01, 1.01]).estimate().unwrap();
    assert_eq!((tie.value, tie.low, tie.high), (0.0, 0.0, f64::INFINITY));
}
