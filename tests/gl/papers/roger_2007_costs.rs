//! roger2007, section III-D: the complexities, from the counts of plans. No GPU is needed.

use rasterscan::{CompactSpec, Device, ElementType, Plan};
use rasterscan_runner::compaction::compaction;

fn plan(algorithm: &str, n: u64) -> Plan {
    let spec = CompactSpec::of(ElementType::U32, n);
    compaction(algorithm).plan(&spec, &Device::gl33()).unwrap().expect("a plan")
}

/// Texels read and written for each element.
fn texels(algorithm: &str, n: u64) -> f64 {
    let cost = plan(algorithm, n).cost();
    (cost.texels_read + cost.texels_written) as f64 / n as f64
}

const LENGTHS: [u64; 7] = [1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20, 1 << 22, 1 << 24];
const SIZES: [u64; 8] = [8, 16, 32, 64, 128, 256, 512, 1024];

/// O(n + n log s): with Blelloch's scans the cost of an element does not depend on n, and each doubling of s
/// adds a step of the search. What is left is the part of a block in an element, which is some texels / s.
fn blocks_cost_n_and_n_log_s() {
    for (search, step) in [("for", 1.0), ("while", 2.0)] {
        // Figure 5 looks at an element in each round as well.
        let cost = |s: u64, n: u64| texels(&format!("blocks:size={s},inner=blelloch,search={search}"), n);
        for s in SIZES {
            let longest = cost(s, 1 << 24);
            for n in LENGTHS {
                let off = (cost(s, n) - longest).abs();
                assert!(
                    off < 4.0 / s as f64,
                    "blocks of {s}, {search}: off by {off} texels per element at {n}"
                );
            }
        }
        for pair in SIZES.windows(2) {
            let grown = cost(pair[1], 1 << 20) - cost(pair[0], 1 << 20);
            let tolerance = 8.0 / pair[0] as f64;
            assert!((grown - step).abs() < tolerance, "{search}, {pair:?}: {grown} texels an element");
        }
    }
}

/// The paper's default scans blocks and counts with Hillis and Steele's scan: n / s counts take log2(n / s)
/// passes of three texels, which is all that grows with n.
fn hillis_and_steele_over_blocks_hardly_grow() {
    for s in SIZES {
        for n in LENGTHS {
            let grown = texels(&format!("blocks:size={s}"), 2 * n) - texels(&format!("blocks:size={s}"), n);
            assert!(grown >= 0.0 && grown < 3.5 / s as f64, "blocks of {s} at {n}: {grown}");
        }
    }
}

/// Section IV's untested scan: in blocks of 64, the hybrid saves nearly as many texels as Blelloch's, in three more passes than
/// Hillis and Steele's instead of six more.
fn the_hybrid_in_blocks_is_between() {
    let of = |inner: &str| plan(&format!("blocks:inner={inner},scan=horn"), 1 << 20);
    let hillis = of("hillis");
    for (inner, passes, saved) in [("hybrid", 3, 3.0), ("blelloch", 6, 6.0 - 2.95)] {
        let other = of(inner);
        assert_eq!(other.passes().len(), hillis.passes().len() + passes, "{inner}");
        let texels = hillis.cost().texels_written - other.cost().texels_written;
        let saved_here = texels as f64 / f64::from(1 << 20);
        assert!((saved_here - saved).abs() < 0.01, "{inner}: {saved_here}");
    }
}

/// O(n log n) for the methods before: each doubling of n adds a step of the search to each element, and with
/// Horn's scan a pass over all of them, which reads two texels and writes one.
fn horn_costs_n_log_n() {
    for (algorithm, step) in [("horn", 4.0), ("horn:scan=blelloch", 1.0), ("horn:scan=packed", 1.0)] {
        for n in LENGTHS {
            let grown = texels(algorithm, 2 * n) - texels(algorithm, n);
            let off = grown - step;
            // Items of the packed scan add up sums: all of them at 2^12, blocks of 4 texels up to 2^22, then of 2.
            let right = match (algorithm, n.ilog2()) {
                ("horn:scan=packed", 12) => (3.9..4.1).contains(&off),
                ("horn:scan=packed", 22) => (-0.3..-0.2).contains(&off),
                // At 2^12 the rows of a texture still grow, and with them what is left to Horn's scan.
                _ => off.abs() < 0.1,
            };
            assert!(right, "{algorithm} at {n}: {grown}");
        }
    }
    // So the advantage of blocks grows with the stream, as table I shows.
    let ratio = |n: u64| texels("horn", n) / texels("blocks", n);
    assert!(LENGTHS.windows(2).all(|pair| ratio(pair[1]) > ratio(pair[0])));
    assert!(ratio(1 << 12) > 1.0 && ratio(1 << 22) > 2.0);
}

/// "The vertex shader processes 2 ceil(n / s) elements", and all of them again in each draw.
fn two_vertices_a_block() {
    for n in [1u64, 63, 64, 65, 1000, 1 << 20, (1 << 20) + 1] {
        for s in SIZES {
            let ends = 2 * n.div_ceil(s);
            for (wrap, draws) in [("geometry", &["lines"][..]), ("twice", &["left parts", "wrapped parts"])] {
                let plan = plan(&format!("blocks:size={s},wrap={wrap},draw=lines"), n);
                let drawn: Vec<_> = plan.passes().iter().filter(|pass| pass.cost.vertices > 0).collect();
                let phases: Vec<_> = drawn.iter().map(|pass| pass.phase).collect();
                assert_eq!(phases, [&["segments"], draws].concat());
                assert!(drawn.iter().all(|pass| pass.cost.vertices == ends), "{plan}");
            }
        }
    }
    // "The skipped fragment program": one vertex an element for the geometry engine, and for points.
    assert_eq!(plan("geometry", 1000).cost().vertices, 1000);
    assert_eq!(plan("points", 1000).cost().vertices, 1000);
}

/// "Line drawing: O(n)": what is drawn is written once, whatever the size of the blocks.
fn concatenation_writes_each_element_once() {
    for n in [1000, 1 << 16] {
        for algorithm in ["blocks", "blocks:wrap=geometry", "blocks:size=8,inner=packed", "points"] {
            let plan = plan(algorithm, n);
            let values = |pass: &&rasterscan::plan::Pass| pass.writes().contains(&plan.output());
            let written: u64 = plan.passes().iter().filter(values).map(|pass| pass.cost.texels_written).sum();
            assert_eq!(written, n, "{algorithm}");
        }
    }
}

/// Sorting takes k (k + 1) / 2 passes over all keys, k = log2 n: an order of magnitude more than the others.
fn sorting_is_an_order_of_magnitude_behind() {
    for log2 in [12u64, 16, 20] {
        let plan = plan("bitonic", 1 << log2);
        let sorts = plan.passes().iter().filter(|pass| pass.phase == "sort").count() as u64;
        assert_eq!(sorts, log2 * (log2 + 1) / 2);
    }
    assert!(texels("bitonic", 1 << 20) > 10.0 * texels("blocks", 1 << 20));
}

/// The purpose of each: the pyramid costs log4 n per element, and the packed compaction the least of all.
fn the_rivals() {
    for n in LENGTHS {
        let grown = texels("histopyramid", 4 * n) - texels("histopyramid", n);
        assert!((grown - 1.0).abs() < 0.01, "histopyramid at {n}: {grown}");
        let (points, packed) = (texels("points", n), texels("packed", n));
        // The packed scan that counts for the points gets other blocks of sums after 2^12 and 2^22, and costs less then.
        let grown = texels("points", 4 * n) - points;
        let right = match n.ilog2() {
            12 => (-3.3..-3.2).contains(&grown),
            20 => (0.0..0.012).contains(&grown),
            22 => (-0.3..-0.2).contains(&grown),
            _ => grown.abs() < 0.01,
        };
        assert!(right, "points at {n}: {grown}");
        for other in ["horn:scan=packed", "blocks", "blocks:inner=packed", "histopyramid", "points"] {
            assert!(packed < texels(other, n), "{other} at {n}");
        }
    }
}

crate::tests![
    blocks_cost_n_and_n_log_s,
    hillis_and_steele_over_blocks_hardly_grow,
    the_hybrid_in_blocks_is_between,
    horn_costs_n_log_n,
    two_vertices_a_block,
    concatenation_writes_each_element_once,
    sorting_is_an_order_of_magnitude_behind,
    the_rivals,
];
