//! roger2007: the figures whose content the text gives, pass by pass, and the improved search for every content
//! of a block.

use rasterscan::compact;
use rasterscan::trace::{Trace, Write};
use rasterscan::{CompactSpec, Gpu, Moves};
use rasterscan_runner::compaction::compaction;
use rasterscan_runner::data::mix;

fn trace(gpu: &Gpu, algorithm: &str, spec: &CompactSpec, data: &[u32]) -> Trace {
    let plan = compaction(algorithm).plan(spec, gpu.device()).unwrap().expect("a plan");
    let mut prepared = gpu.prepare(&plan).unwrap();
    let stream = prepared.upload(data).unwrap();
    prepared.trace(&stream).unwrap()
}

/// The last write of a phase.
fn after<'t>(trace: &'t Trace, phase: &str) -> &'t Write {
    let step = trace.steps.iter().rfind(|step| step.pass.phase == phase);
    &step.unwrap_or_else(|| panic!("no {phase} in {}", trace.plan)).writes[0]
}

fn words(write: &Write) -> Vec<u32> {
    write.values().unwrap()
}

/// Figures 2 and 3: crosses are zeros. The prefix sum takes log n passes, the first of which finds the unwanted
/// elements; it is the distance that each valid element moves to the left, and the search moves it.
fn figures_2_and_3_pass_by_pass() {
    let gpu = rasterscan_runner::gpu();
    let [a, b, c, d, e] = [10, 20, 30, 40, 50];
    let stream = [a, 0, b, 0, 0, c, d, e];
    let trace = trace(&gpu, "horn", &CompactSpec::new::<u32>(8), &stream);
    let steps: Vec<_> = trace.steps.iter().map(|step| (step.pass.phase, words(&step.writes[0]))).collect();
    assert_eq!(steps[0], ("flags", vec![0, 1, 0, 1, 1, 0, 0, 0]));
    assert_eq!(steps[1], ("scan", vec![0, 1, 1, 1, 2, 1, 0, 0]));
    assert_eq!(steps[2], ("scan", vec![0, 1, 1, 2, 3, 2, 2, 1]));
    assert_eq!(steps[3], ("scan", vec![0, 1, 1, 2, 3, 3, 3, 3]));
    assert_eq!((steps[4].0, &steps[4].1[..5]), ("search", &[a, b, c, d, e][..]));
    assert_eq!(steps[5], ("count", vec![5]));
    assert_eq!(steps.len(), 6);
    for (j, place) in [(0, 0), (2, 1), (5, 2), (6, 3), (7, 4)] {
        assert_eq!(j - steps[3].1[j] as usize, place, "j - pSum[j] = i");
    }
}

/// Blocks of `size` elements with these contents, a bit for each element; elements are told apart.
fn blocks_of(size: usize, contents: &[u64]) -> Vec<u32> {
    let bit = |content: u64, bit: usize| content >> bit & 1 == 1;
    let bits = contents.iter().flat_map(|content| (0..size).map(|j| bit(*content, j)));
    bits.zip(1..).map(|(kept, number)| if kept { number } else { 0 }).collect()
}

/// Checks the search in each block of a stream against figure 5, and figure 5 against the loop of figure 1.
fn check_search(gpu: &Gpu, size: usize, data: &[u32]) {
    let spec = CompactSpec::new::<u32>(data.len()).moves(Moves::Indices);
    for inner in ["hillis", "blelloch", "hybrid", "packed"] {
        for search in ["while", "for"] {
            let algorithm = format!("blocks:size={size},inner={inner},search={search}");
            let found = words(after(&trace(gpu, &algorithm, &spec, data), "search"));
            for (block, x) in data.chunks(size).enumerate() {
                let wanted: Vec<bool> = x.iter().map(|x| *x != 0).collect();
                let p_sum = p_sum(&wanted);
                let kept: Vec<usize> = (0..x.len()).filter(|&j| wanted[j]).collect();
                for i in 0..x.len() {
                    let j = figure_5(&p_sum, &wanted, i).map(|found| found.place);
                    assert_eq!(j, kept.get(i).copied(), "figure 5 at {i} of {wanted:?}");
                    let Some(j) = j else { break };
                    let got = found[block * size + i] as usize;
                    assert_eq!(got, block * size + j, "{algorithm} at {i} of block {block}: {wanted:?}");
                }
            }
        }
    }
}

/// Figure 5 for all 256 contents of a block of 8, and for all that a shorter last block can hold.
fn figure_5_for_every_content_of_8() {
    let gpu = rasterscan_runner::gpu();
    let all: Vec<u64> = (0..256).collect();
    let stream = blocks_of(8, &all);
    check_search(&gpu, 8, &stream);
    for last in 1..8 {
        for content in 0..1 << last {
            let front = [0b1010_0111, content];
            check_search(&gpu, 8, &blocks_of(8, &front)[..8 + last]);
        }
    }
}

/// Figure 5 for 10,000 random contents of a block of 64, of every density.
fn figure_5_for_10_000_contents_of_64() {
    let gpu = rasterscan_runner::gpu();
    let content = |block: u64| {
        let kept = |j: u64| mix(21, 64 * block + j) % 100 < mix(22, block) % 101;
        (0..64).fold(0, |bits, j| bits | u64::from(kept(j)) << j)
    };
    let contents: Vec<u64> = (0..10_000).map(content).collect();
    check_search(&gpu, 64, &blocks_of(64, &contents));
}

/// "j - pSum[j] is contracting", so the bounds may be tightened; and the loop then takes at most as many rounds as one
/// that halves s positions, and less than half as many on average.
fn the_bounds_may_be_tightened() {
    let (mut rounds, mut searches) = (0, 0);
    let contents = (0..256).map(|content| (8usize, content));
    let contents = contents.chain((0..300).map(|block| (64, mix(23, block))));
    for (size, content) in contents {
        let wanted: Vec<bool> = (0..size).map(|j| content >> j & 1 == 1).collect();
        let p_sum = p_sum(&wanted);
        let distance = |a: usize, b: i64| (a as i64 - b).abs();
        for (i, j_i) in (0..size).filter(|&j| wanted[j]).enumerate() {
            for (j, sum) in p_sum.iter().enumerate() {
                let estimate = j as i64 - *sum as i64;
                assert!(distance(j, j_i as i64) >= distance(i, estimate), "{j} for {i} of {wanted:?}");
            }
            let found = figure_5(&p_sum, &wanted, i).unwrap();
            assert!(i + p_sum[i] <= j_i && j_i <= i + p_sum[size - 1], "the starting bounds");
            assert!(found.rounds <= size.trailing_zeros() as usize, "{} rounds", found.rounds);
            if size == 64 {
                rounds += found.rounds;
                searches += 1;
            }
        }
    }
    println!("{:.2} rounds on average in blocks of 64", rounds as f64 / searches as f64);
    assert!(2 * rounds < 6 * searches);
}

/// Figure 6, in blocks of 16: the last terms of the blocks' sums are a stream of their own, whose scan is the
/// displacement of each block.
fn figure_6_displacements_of_blocks() {
    let gpu = rasterscan_runner::gpu();
    let contents = [0xFFFF, 0x0000, 0x00F3, 0x8001, 0x7FFE];
    let stream = blocks_of(16, &contents);
    for inner in ["hillis", "blelloch", "hybrid", "packed"] {
        let algorithm = format!("blocks:size=16,inner={inner}");
        // A last block of 9: four of its elements are kept.
        let data = [&stream[..], &[1, 0, 0, 2, 3, 0, 0, 0, 4]].concat();
        let trace = trace(&gpu, &algorithm, &CompactSpec::new::<u32>(data.len()), &data);
        let unwanted = after(&trace, if inner == "packed" { "counts" } else { "ends" });
        assert_eq!(words(unwanted), [0, 16, 10, 14, 2, 5], "{inner}");
        let segments = words(after(&trace, "segments"));
        let segments: Vec<&[u32]> = segments.chunks(6).map(|ends| &ends[..3]).collect();
        let expected = [[0, 16, 0], [16, 16, 0], [16, 22, 16], [22, 24, 26], [24, 38, 40], [38, 42, 42]];
        assert_eq!(segments, expected, "{inner}: start, end and displacement of each block");
        assert_eq!(words(after(&trace, "count")), [42]);
    }
}

/// Figure 7: "Segments 5, 16 and 20 have to be split". Twenty-one blocks of 16, counted from 1, whose segments
/// are in rows of 64; drawn twice, and split by the geometry engine where there is one.
fn figure_7_segments_5_16_and_20_are_split() {
    let gpu = rasterscan_runner::gpu();
    let lengths = [15, 15, 15, 15, 16, 5, 5, 5, 5, 5, 5, 5, 5, 4, 4, 9, 16, 16, 16, 16, 3];
    let contents = lengths.map(|length| (1u64 << length) - 1);
    let data = blocks_of(16, &contents);
    let spec = CompactSpec::new::<u32>(data.len()).columns(64);
    let kept = compact::sequential(&spec, &data, &[]).unwrap().values;
    for parameters in ["draw=lines", "draw=quads", "draw=lines,wrap=geometry", "draw=quads,wrap=geometry"] {
        let algorithm = format!("blocks:size=16,{parameters}");
        if parameters.contains("geometry") && !gpu.device().geometry {
            println!("not applicable: {algorithm}");
            continue;
        }
        let trace = trace(&gpu, &algorithm, &spec, &data);
        let captured = words(after(&trace, "segments"));
        let ends: Vec<&[u32]> =
            captured.chunks(captured.len() / lengths.len()).map(|ends| &ends[..3]).collect();
        let split: Vec<usize> = (1..=ends.len())
            .filter(|number| {
                let [start, end, _] = *ends[number - 1] else { unreachable!() };
                start / 64 != (end - 1) / 64
            })
            .collect();
        assert_eq!(split, [5, 16, 20], "{algorithm}");
        if parameters.contains("geometry") {
            let phase = if parameters.contains("quads") { "rectangles" } else { "lines" };
            assert_eq!(words(after(&trace, phase))[..kept.len()], kept, "{algorithm}");
            continue;
        }
        // The second draw adds what is right of the edge, and leaves the rest as it is.
        let left = words(after(&trace, "left parts"));
        let whole = words(after(&trace, "wrapped parts"));
        assert_eq!(whole[..kept.len()], kept, "{algorithm}");
        let wrapped: Vec<usize> = (0..kept.len()).filter(|&place| left[place] != whole[place]).collect();
        let expected: Vec<usize> = split
            .iter()
            .flat_map(|number| {
                let [start, end, _] = *ends[number - 1] else { unreachable!() };
                (start as usize / 64 + 1) * 64..end as usize
            })
            .collect();
        assert_eq!(wrapped, expected, "{algorithm}");
    }
}

/// The result of figure 5, and the rounds of its loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Found {
    place: usize,
    rounds: usize,
}

/// roger2007, figure 5, line by line: the search at the i-th position in a block x of size s. `p_sum` is the
/// inclusive count of unwanted elements.
fn figure_5(p_sum: &[usize], wanted: &[bool], i: usize) -> Option<Found> {
    let s = p_sum.len() as i64;
    let p_sum = |j: i64| p_sum[j as usize] as i64;
    let unwanted = |j: i64| !wanted[j as usize];
    let i = i as i64;
    let mut rounds = 0;

    let mut lower_bound = i + p_sum(i);
    let mut upper_bound = i + p_sum(s - 1);
    if upper_bound > s - 1 {
        return None;
    }
    let mut j = (lower_bound + upper_bound) / 2;
    let mut found = j - p_sum(j) - i;
    while found != 0 || unwanted(j) {
        if found < 0 {
            lower_bound = j - found;
        } else {
            upper_bound = j - found.max(1);
        }
        j = (lower_bound + upper_bound) / 2;
        found = j - p_sum(j) - i;
        rounds += 1;
        assert!(rounds <= s as usize, "figure 5 does not end at {i} of {s}");
    }
    Some(Found { place: j as usize, rounds })
}

/// The inclusive running count of unwanted elements.
fn p_sum(wanted: &[bool]) -> Vec<usize> {
    let mut unwanted = 0;
    let count = |wanted: &bool| {
        unwanted += usize::from(!wanted);
        unwanted
    };
    wanted.iter().map(count).collect()
}

crate::tests![
    figures_2_and_3_pass_by_pass,
    figure_5_for_every_content_of_8,
    figure_5_for_10_000_contents_of_64,
    the_bounds_may_be_tightened,
    figure_6_displacements_of_blocks,
    figure_7_segments_5_16_and_20_are_split,
];
