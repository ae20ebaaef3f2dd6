//! Claims that are timed: blocks scanned alone, and large arrays.

use rasterscan::scan::compute::AccessPattern;
use rasterscan_drawing::number::grouped;
use rasterscan_kmodel::Model;

use super::counted::expected_gain;
use super::ranks::agreement;
use super::setup::{
    BANKS, BANKS_IN_PRINT, KEY, LARGE, LONGEST, block_sizes, large, name_of, of_blocks, of_large,
    on_banks_in_print, sizes_in_print,
};
use crate::case::Case;
use crate::report::page::Claim;
use crate::reproduce::effort::Bounds;
use crate::reproduce::paper::at;
use crate::reproduce::rows::{Lookup, PaperRows};
use crate::reproduce::statements::statement;
use crate::reproduce::unit::times;

const NO_BANKS: &str = "a software renderer has no banks of shared memory: there are no conflicts to avoid";

/// What the model leaves out.
const BESIDE_T: &str = "T leaves out the left operands that LeftRight must keep; that is not all, as with them counted it is ahead on 16 banks, where it is behind in time";

/// The names of the patterns in a case, in the order of [`AccessPattern::ALL`].
pub(super) type Names = [String; 4];

fn names_of_blocks(log2: u32) -> Names {
    AccessPattern::ALL.map(|pattern| name_of(pattern, log2))
}

fn names_of_large() -> Names {
    LARGE.map(Into::into)
}

/// The cases of claims that are about both: blocks of these sizes, then arrays from 2^20 on.
fn both(bounds: &Bounds, sizes: &[u32]) -> Vec<(String, Case, Names)> {
    let of_size = |log2: &u32| {
        let words = format!("blocks of {}", grouped(1 << log2));
        (words, of_blocks(bounds, *log2), names_of_blocks(*log2))
    };
    let own = block_sizes(bounds);
    let sizes = sizes.iter().filter(|log2| own.contains(log2)).map(of_size);
    let arrays = longer(bounds)
        .into_iter()
        .map(|log2| (format!("large arrays, {}", at(1 << log2)), of_large(log2), names_of_large()));
    sizes.chain(arrays).collect()
}

/// Large arrays whose blocks are many.
fn longer(bounds: &Bounds) -> Vec<u32> {
    large(bounds).into_iter().filter(|log2| *log2 >= 20 || bounds.software).collect()
}

fn on_hardware(found: Lookup, bounds: &Bounds) -> Lookup {
    found.on_hardware(bounds.software, NO_BANKS)
}

pub fn claims(rows: &PaperRows<'_>, bounds: &Bounds) -> Vec<Claim> {
    vec![
        blocks(rows, bounds),
        fair(rows, bounds),
        large_arrays(rows, bounds),
        fastest(rows, bounds),
        slowest(rows, bounds),
        comparable(rows, bounds),
        validates(rows, bounds),
    ]
}

fn blocks(rows: &PaperRows<'_>, bounds: &Bounds) -> Claim {
    let [_, _, padding, left_right] = names_of_blocks(LONGEST);
    let found = rows.speed([&padding, &left_right], &of_blocks(bounds, LONGEST));
    statement(KEY, "blocks")
        .judge(&[("BANKS", &BANKS), ("beside_t", &BESIDE_T)], [on_hardware(found, bounds)])
}

/// The paper's own number of banks, and today's with what the model expects there.
fn fair(rows: &PaperRows<'_>, bounds: &Bounds) -> Claim {
    let claim = statement(KEY, "fair");
    let [_, _, padding, left_right] = names_of_blocks(LONGEST);
    let cases = [(BANKS_IN_PRINT, on_banks_in_print(bounds, LONGEST)), (BANKS, of_blocks(bounds, LONGEST))];
    let points = cases.iter().enumerate().map(|(index, (banks, case))| {
        let expected = Model::new(1 << LONGEST, *banks).map_or(1.0, expected_gain);
        let found = on_hardware(rows.speed([&padding, &left_right], case), bounds);
        claim.point(index, &[("BANKS", banks), ("paper", &expected), ("times", &times(expected))], found)
    });
    claim.with_points(&[("beside_t", &BESIDE_T)], points)
}

fn large_arrays(rows: &PaperRows<'_>, bounds: &Bounds) -> Claim {
    let [_, _, padding, left_right] = names_of_large();
    let cases: Vec<Case> = longer(bounds).into_iter().map(of_large).collect();
    let found = rows.greatest_factor(&padding, &left_right, &cases);
    statement(KEY, "large_arrays").judge(&[("beside_t", &BESIDE_T)], [on_hardware(found, bounds)])
}

/// The times of the patterns in one case.
pub(super) fn all_ms(rows: &PaperRows<'_>, names: &Names, case: &Case) -> Option<[f64; 4]> {
    let [cm, no_padding, padding, left_right] = names.each_ref().map(|name| rows.ms(name, case));
    Some([cm?, no_padding?, padding?, left_right?])
}

/// A claim on all four times, in these cases.
fn of_all(
    rows: &PaperRows<'_>,
    bounds: &Bounds,
    name: &str,
    cases: &[(String, Case, Names)],
    number: fn([f64; 4]) -> f64,
) -> Claim {
    let claim = statement(KEY, name);
    let point = |(words, case, names): &(String, Case, Names)| {
        let found = rows.estimate(|rows| all_ms(rows, names, case).map(number));
        claim.point(0, &[("words", words)], on_hardware(found, bounds))
    };
    claim.with_points(&[], cases.iter().map(point))
}

fn fastest(rows: &PaperRows<'_>, bounds: &Bounds) -> Claim {
    of_all(rows, bounds, "fastest", &both(bounds, &[LONGEST]), |[cm, no_padding, padding, left_right]| {
        cm.min(no_padding).min(padding) / left_right
    })
}

fn slowest(rows: &PaperRows<'_>, bounds: &Bounds) -> Claim {
    let cases = both(bounds, &[7, 9, LONGEST]);
    of_all(rows, bounds, "slowest", &cases, |[cm, no_padding, padding, left_right]| {
        cm / no_padding.max(padding).max(left_right)
    })
}

/// The model with all that it leaves out, which helps it: by T alone, CM is behind Padding and LeftRight from 2^7 on, too.
fn validates(rows: &PaperRows<'_>, bounds: &Bounds) -> Claim {
    let claim = statement(KEY, "validates");
    let point = |(banks, log2, case): (u64, u32, Case)| {
        let names = names_of_blocks(log2);
        let found = rows.estimate(|rows| agreement(log2, banks, all_ms(rows, &names, &case)?));
        let fills = [("elements", &grouped(1 << log2) as _), ("banks", &banks as _)];
        claim.point(0, &fills, on_hardware(found, bounds))
    };
    let today = block_sizes(bounds).into_iter().map(|log2| (BANKS, log2, of_blocks(bounds, log2)));
    let in_print = sizes_in_print(bounds).into_iter();
    let in_print = in_print.map(|log2| (BANKS_IN_PRINT, log2, on_banks_in_print(bounds, log2)));
    claim.with_points(&[], today.chain(in_print).map(point))
}

fn comparable(rows: &PaperRows<'_>, bounds: &Bounds) -> Claim {
    let claim = statement(KEY, "comparable");
    let sizes = block_sizes(bounds).into_iter().filter(|log2| 1 << log2 <= BANKS * BANKS);
    let point = |log2: u32| {
        let [_, _, padding, left_right] = names_of_blocks(log2);
        let found = rows.speed([&padding, &left_right], &of_blocks(bounds, log2));
        claim.point(0, &[("elements", &grouped(1 << log2))], on_hardware(found, bounds))
    };
    claim.with_points(&[], sizes.map(point))
}

#[cfg(test)]
mod tests {
    use rasterscan::Device;

    use super::super::setup::{cells, independent};
    use super::*;
    use crate::report::chart::Panel;
    use crate::report::page::Verdict;
    use crate::reproduce::effort::Effort;
    use crate::reproduce::samples::section;

    #[test]
    fn all_is_measured_on_hardware() {
        for effort in [Effort::Quick, Effort::Full] {
            let section = section(KEY, effort, false);
            assert_eq!(section.claims.len(), 12 + 7);
            for point in section.claims.iter().flat_map(|claim| &claim.points) {
                let missing = matches!(point.verdict, Verdict::NotMeasured | Verdict::NotOnThisDevice);
                assert!(!missing && point.value.is_some(), "{point:?}");
            }
            for table in &section.tables {
                assert!(table.rows.iter().flatten().all(|cell| cell != "not measured"), "{table:?}");
            }
        }
    }

    #[test]
    fn a_software_renderer_has_no_banks_and_draws_what_it_measures() {
        for effort in [Effort::Quick, Effort::Full] {
            let section = section(KEY, effort, true);
            assert!(section.claims[12..].iter().all(|claim| claim.verdict == Verdict::NotOnThisDevice));
            for panel in section.figures.iter().flat_map(|figure| &figure.panels) {
                let Panel::Lines(lines) = panel else { panic!() };
                assert!(lines.series.iter().all(|series| series.points.len() > 1), "{}", lines.title);
            }
        }
    }

    /// Wide numbers are for the banks of the paper, and no other cell is as its case.
    #[test]
    fn the_paper_s_banks_have_a_cell_of_their_own() {
        let bounds = Bounds::new(Effort::Full, false);
        let wide =
            cells(&bounds).into_iter().find(|cell| cell.case == on_banks_in_print(&bounds, LONGEST)).unwrap();
        let plan = wide.contenders[3].plan(&wide.case, &Device::gl43()).unwrap().unwrap();
        assert!(
            plan.parameters().contains(&("banks", BANKS_IN_PRINT.to_string())),
            "{:?}",
            plan.parameters()
        );
        assert_eq!(wide.contenders[3].name(), independent(AccessPattern::LeftRight, LONGEST, 16).name());
        let mut cases: Vec<String> = cells(&bounds).iter().map(|cell| cell.case.to_string()).collect();
        cases.sort_unstable();
        let all = cases.len();
        cases.dedup();
        assert_eq!(cases.len(), all);
    }
}
