//! Claims that are timed: blocks scanned alone, and large arrays.

use rasterscan::scan::compute::AccessPattern;
use rasterscan_drawing::number::grouped;
use rasterscan_kmodel::Model;

use super::counted::expected_gain;
use super::setup::{
    BANKS, BANKS_IN_PRINT, LARGE, LONGEST, block_sizes, large, name_of, of_blocks, of_large,
    on_banks_in_print,
};
use crate::case::Case;
use crate::report::page::Claim;
use crate::reproduce::effort::Bounds;
use crate::reproduce::judge::{self, Point, Rule, times};
use crate::reproduce::paper::at;
use crate::reproduce::rows::Rows;

const NO_BANKS: &str = "a software renderer has no banks of shared memory: there are no conflicts to avoid";

/// What the model leaves out.
const BESIDE_T: &str =
    "T leaves out the left operands that LeftRight must keep, barriers, and the trip through memory";

/// The names of the patterns in a case, in the order of [`AccessPattern::ALL`].
type Names = [String; 4];

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

fn on_hardware(point: Point, bounds: &Bounds) -> Point {
    if bounds.software { point.not_on_this_device(NO_BANKS) } else { point }
}

pub fn claims(rows: &Rows<'_>, bounds: &Bounds) -> Vec<Claim> {
    vec![
        blocks(rows, bounds),
        fair(rows, bounds),
        large_arrays(rows, bounds),
        fastest(rows, bounds),
        slowest(rows, bounds),
        comparable(rows, bounds),
    ]
}

fn blocks(rows: &Rows<'_>, bounds: &Bounds) -> Claim {
    let [_, _, padding, left_right] = names_of_blocks(LONGEST);
    let case = of_blocks(bounds, LONGEST);
    let what = format!("speed of LeftRight over that of Padding, {BANKS} banks");
    let point = Point::factor(rows, what, 1.25, [&padding, &left_right], &case);
    judge::claim(
        "On blocks of 2,048 elements, LeftRight is 25% faster than Padding.",
        "Sections I, VIII and IX, Figure 5",
        vec![on_hardware(point, bounds)],
        BESIDE_T,
    )
}

/// The paper's own number of banks, and today's with what the model expects there.
fn fair(rows: &Rows<'_>, bounds: &Bounds) -> Claim {
    let [_, _, padding, left_right] = names_of_blocks(LONGEST);
    let pair = [padding.as_str(), left_right.as_str()];
    let what = "speed of LeftRight over that of Padding, blocks of 2,048";
    let expected_on = |banks: u64| Model::new(1 << LONGEST, banks).map_or(1.0, expected_gain);
    let expected = expected_on(BANKS_IN_PRINT);
    let what_then = format!("{what}, 16 banks (numbers of 64 bits)");
    let as_in_print = Point::factor(rows, what_then, expected, pair, &on_banks_in_print(bounds))
        .says(format!("{} by T(n, k)", times(expected)));
    let expected = expected_on(BANKS);
    let what_today = format!("{what}, {BANKS} banks");
    let found = rows.estimate(|rows| rows.factor(&padding, &left_right, &of_blocks(bounds, LONGEST)));
    let today = Point::new(what_today, Some(expected), Rule::factor(expected), found, times)
        .says(format!("{} by T(n, k)", times(expected)));
    judge::claim(
        "Where the K-model expects LeftRight to be ahead, beyond k² elements, it is ahead by as much: 21% on \
         blocks of 8 k² on 16 banks, 7% on blocks of 2 k² on 32 banks.",
        "Sections VII and VIII",
        [as_in_print, today].map(|point| on_hardware(point, bounds)).into(),
        BESIDE_T,
    )
}

fn large_arrays(rows: &Rows<'_>, bounds: &Bounds) -> Claim {
    let [_, _, padding, left_right] = names_of_large();
    let cases: Vec<Case> = longer(bounds).into_iter().map(of_large).collect();
    let found = rows.greatest_factor(&padding, &left_right, &cases);
    let what = "speed of LeftRight over that of Padding, the greatest from 2^20 on";
    let point = Point::new(what, Some(1.18), Rule::factor(1.18), found, times);
    judge::claim(
        "On large arrays, LeftRight is 18% faster than Padding.",
        "Section VIII, Figure 6",
        vec![on_hardware(point, bounds)],
        BESIDE_T,
    )
}

/// The times of the patterns in one case.
fn all(rows: &Rows<'_>, names: &Names, case: &Case) -> Option<[f64; 4]> {
    let [cm, no_padding, padding, left_right] = names.each_ref().map(|name| rows.ms(name, case));
    Some([cm?, no_padding?, padding?, left_right?])
}

fn fastest(rows: &Rows<'_>, bounds: &Bounds) -> Claim {
    let point = |(words, case, names): &(String, Case, Names)| {
        let what = format!("speed of LeftRight over that of the fastest other, {words}");
        let point = Point::ratio(rows, what, Rule::more(), |rows| {
            let [cm, no_padding, padding, left_right] = all(rows, names, case)?;
            Some(cm.min(no_padding).min(padding) / left_right)
        });
        on_hardware(point.says("faster"), bounds)
    };
    judge::claim(
        "LeftRight is faster than its competitors, on blocks and on large arrays.",
        "Section VIII, Figures 5 and 6",
        both(bounds, &[LONGEST]).iter().map(point).collect(),
        "",
    )
}

fn slowest(rows: &Rows<'_>, bounds: &Bounds) -> Claim {
    let point = |(words, case, names): &(String, Case, Names)| {
        let what = format!("time of CM over that of the slowest other, {words}");
        let point = Point::ratio(rows, what, Rule::more(), |rows| {
            let [cm, no_padding, padding, left_right] = all(rows, names, case)?;
            Some(cm / no_padding.max(padding).max(left_right))
        });
        on_hardware(point.says("slower"), bounds)
    };
    judge::claim(
        "CM is the slowest pattern, from 4·k elements on.",
        "Section VII, Figure 4; section VIII",
        both(bounds, &[7, 9, LONGEST]).iter().map(point).collect(),
        "a tree has twice as many steps, and most of them keep few invocations busy",
    )
}

fn comparable(rows: &Rows<'_>, bounds: &Bounds) -> Claim {
    let sizes: Vec<u32> =
        block_sizes(bounds).into_iter().filter(|log2| 1u64 << log2 <= BANKS * BANKS).collect();
    let point = |log2: &u32| {
        let [_, _, padding, left_right] = names_of_blocks(*log2);
        let what = format!("time of Padding over that of LeftRight, blocks of {}", grouped(1 << log2));
        let case = of_blocks(bounds, *log2);
        let point = Point::ratio(rows, what, Rule::near(1.0, 1.1, 1.25), |rows| {
            rows.factor(&padding, &left_right, &case)
        });
        on_hardware(point.says("comparable"), bounds)
    };
    judge::claim(
        "Up to k² elements, 1,024 on 32 banks, Padding takes about as long as LeftRight.",
        "Section VII, Figure 4; section VIII",
        sizes.iter().map(point).collect(),
        "",
    )
}

#[cfg(test)]
mod tests {
    use rasterscan::Device;

    use super::super::setup::{KEY, cells, independent};
    use super::*;
    use crate::report::chart::Panel;
    use crate::report::page::Section;
    use crate::report::page::Verdict;
    use crate::reproduce::effort::Effort;
    use crate::reproduce::papers::capannini_2011;
    use crate::reproduce::samples;

    /// The section of a whole run on a stubbed clock.
    fn section(effort: Effort, software: bool) -> Section {
        let device = Device { software, ..Device::gl43() };
        let store = samples::run(&[KEY], &device, effort);
        capannini_2011::section(&store.rows(KEY), &Bounds::new(effort, software))
    }

    #[test]
    fn all_is_measured_on_hardware() {
        for effort in [Effort::Quick, Effort::Full] {
            let section = section(effort, false);
            assert_eq!(section.claims.len(), 12 + 6);
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
            let section = section(effort, true);
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
        let wide = cells(&bounds).into_iter().find(|cell| cell.case == on_banks_in_print(&bounds)).unwrap();
        let plan = wide.contenders[2].plan(&wide.case, &Device::gl43()).unwrap().unwrap();
        assert!(
            plan.parameters().contains(&("banks", BANKS_IN_PRINT.to_string())),
            "{:?}",
            plan.parameters()
        );
        assert_eq!(wide.contenders[2].name(), independent(AccessPattern::LeftRight, LONGEST, 16).name());
        let mut cases: Vec<String> = cells(&bounds).iter().map(|cell| cell.case.to_string()).collect();
        cases.sort_unstable();
        let all = cases.len();
        cases.dedup();
        assert_eq!(cases.len(), all);
    }
}
