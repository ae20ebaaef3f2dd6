//! Plans as text, made without a GPU.

#[path = "plans/blocks.rs"]
mod blocks;
#[path = "plans/buffers.rs"]
mod buffers;
#[path = "plans/compactions.rs"]
mod compactions;
#[path = "plans/costs.rs"]
mod costs;
#[path = "plans/dispatches.rs"]
mod dispatches;

use rasterscan::plan::{Command, ItemType, Layout, PlanError, Shader, Uniform, share_storage};
use rasterscan::{
    Api, CompactSpec, Comparison, Condition, Device, ElementType, Moves, Operator, Plan, ScanSpec,
};
use rasterscan_runner::compaction::compaction;
use rasterscan_runner::scan::choice;

fn plan(algorithm: &str, spec: &ScanSpec) -> Plan {
    choice(algorithm).plan(spec, &Device::gl33()).unwrap().unwrap()
}

#[test]
fn plans_are_what_they_were() {
    let sixteen = ScanSpec::new::<u32>(16);
    insta::assert_snapshot!("horn", plan("horn", &sixteen));
    insta::assert_snapshot!("horn_exclusive_tuple", plan("horn", &sixteen.exclusive().tuple(2)));
    insta::assert_snapshot!("blelloch", plan("blelloch", &sixteen));
    insta::assert_snapshot!(
        "hybrid_reduce_1_order_2",
        plan("hybrid:reduce=1", &sixteen.order(2).exclusive())
    );
    insta::assert_snapshot!("hybrid_hubble", plan("hybrid", &ScanSpec::new::<u32>(872_000)));
    insta::assert_snapshot!("packed_hubble", plan("packed", &ScanSpec::new::<u32>(872_000)));
    let affine = ScanSpec::new::<u64>(1000).operator(Operator::AFFINE).tuple(5).exclusive();
    insta::assert_snapshot!("packed_affine_u64_tuple", plan("packed", &affine));
}

/// A device with everything that any algorithm needs.
pub(crate) fn able() -> Device {
    let mut device = Device::gl43();
    device.compute.iter_mut().for_each(|compute| (compute.subgroup, compute.warp) = (32, 32));
    device
}

fn compacts(algorithm: &str, spec: &CompactSpec) -> Plan {
    compaction(algorithm).plan(spec, &able()).unwrap().unwrap()
}

#[test]
fn plans_of_compactions_are_what_they_were() {
    let spec = CompactSpec::new::<u32>(300);
    let both = spec.moves(Moves::Both);
    insta::assert_snapshot!("compact_horn", compacts("horn", &spec));
    insta::assert_snapshot!(
        "compact_horn_hybrid",
        compacts("horn:scan=hybrid", &CompactSpec::new::<u32>(9000))
    );
    insta::assert_snapshot!("compact_horn_packed", compacts("horn:scan=packed", &both.columns(100)));
    insta::assert_snapshot!("compact_blocks", compacts("blocks", &spec));
    insta::assert_snapshot!(
        "compact_blocks_blelloch_geometry",
        compacts("blocks:size=16,inner=blelloch,search=for,wrap=geometry", &both)
    );
    insta::assert_snapshot!("compact_blocks_hybrid", compacts("blocks:inner=hybrid", &spec));
    insta::assert_snapshot!(
        "compact_blocks_packed_quads",
        compacts("blocks:size=128,inner=packed,search=for,draw=quads", &both.columns(130))
    );
    insta::assert_snapshot!("compact_blocks_fetched", compacts("blocks:inner=packed,ends=fetched", &spec));
    let negative = Condition::new(Comparison::Less, 0i64);
    let longs = CompactSpec::new::<i64>(70_000).keep(negative).moves(Moves::Both);
    insta::assert_snapshot!("compact_geometry", compacts("geometry", &longs));
    insta::assert_snapshot!("compact_geometry_masked", compacts("geometry", &spec.masked()));
    insta::assert_snapshot!("compact_bitonic", compacts("bitonic", &CompactSpec::new::<u32>(12)));
    insta::assert_snapshot!("compact_histopyramid", compacts("histopyramid", &both));
    let indices = CompactSpec::new::<f32>(300).masked().moves(Moves::Indices);
    insta::assert_snapshot!("compact_points_masked_indices", compacts("points", &indices));
    insta::assert_snapshot!("compact_packed", compacts("packed", &spec));
    insta::assert_snapshot!("compact_packed_longs", compacts("packed", &longs.masked()));
    let bright = Condition::new(Comparison::AtLeast, 200u32);
    let hubble = CompactSpec::new::<u32>(872_000).keep(bright);
    insta::assert_snapshot!("compact_packed_hubble", compacts("packed", &hubble));
    insta::assert_snapshot!(
        "compact_nothing",
        compacts("blocks", &CompactSpec::new::<u32>(0).moves(Moves::Both))
    );
}

#[test]
fn plans_of_blocks_are_what_they_were() {
    use rasterscan::scan::compute::{AccessPattern, Capannini};

    let two_thousand = ScanSpec::new::<u32>(2000);
    let tuples = ScanSpec::of(ElementType::U64, 3000).operator(Operator::AFFINE).tuple(3).exclusive();
    insta::assert_snapshot!("harris", blocks::plan("harris", &two_thousand));
    insta::assert_snapshot!(
        "harris_naive_order_2",
        blocks::plan("harris:variant=naive,block=128", &two_thousand.order(2))
    );
    insta::assert_snapshot!(
        "harris_affine_u64_tuple",
        blocks::plan("harris:variant=zero_conflict,banks=16", &tuples)
    );
    insta::assert_snapshot!("capannini", blocks::plan("capannini", &two_thousand));
    insta::assert_snapshot!(
        "capannini_cm",
        blocks::plan("capannini:pattern=cm,block=64", &two_thousand.exclusive())
    );
    insta::assert_snapshot!(
        "capannini_padding_tuple",
        blocks::plan("capannini:pattern=padding,block=256", &tuples)
    );
    let figure_5 = ScanSpec::of(ElementType::U32, 10_752 << 11).exclusive();
    let alone = Capannini { pattern: AccessPattern::LeftRight, block: Some(2048), banks: 16 };
    insta::assert_snapshot!(
        "capannini_figure_5",
        alone.independent_blocks(&figure_5, &Device::gl43()).unwrap()
    );
    // Longer than one binding.
    let long = ScanSpec::of(ElementType::U32, (1 << 26) + 5);
    insta::assert_snapshot!("harris_in_parts", blocks::plan("harris", &long));
}

#[test]
fn plans_of_tiles_are_what_they_were() {
    let hubble = ScanSpec::new::<u32>(872_000);
    insta::assert_snapshot!("three_phase_hubble", dispatches::plan("three_phase", &hubble));
    insta::assert_snapshot!("reduce_then_scan_hubble", dispatches::plan("reduce_then_scan", &hubble));
    let affine = ScanSpec::new::<u64>(1000).operator(Operator::AFFINE).tuple(5).exclusive();
    insta::assert_snapshot!("chained_affine_u64_tuple", dispatches::plan("chained", &affine));
    // Two parts, and two orders.
    let long = ScanSpec::new::<u32>((1 << 25) + 1);
    let small = "look_back:lanes=shared,group=128,vectors=4";
    insta::assert_snapshot!("look_back_long_order_2", dispatches::plan(small, &long.order(2)));
    insta::assert_snapshot!("sam_long_order_8", dispatches::plan("sam", &long.order(8)));
    // As on a CPU: one invocation per tile; and parts, so that no invocation loops too often.
    let device = Device { software: true, ..Device::gl43() };
    let serial = |algorithm: &str| choice(algorithm).plan(&ScanSpec::new::<u32>(30_000), &device);
    insta::assert_snapshot!("reduce_then_scan_software", serial("reduce_then_scan").unwrap().unwrap());
    insta::assert_snapshot!("sam_software", serial("sam").unwrap().unwrap());

    let compacts = |algorithm: &str, spec: &CompactSpec| compaction(algorithm).plan(spec, &Device::gl43());
    let both = CompactSpec::new::<u32>(872_000).moves(Moves::Both);
    let scatter = compacts("scatter:scan=reduce_then_scan", &both);
    insta::assert_snapshot!("compact_scatter_hubble", scatter.unwrap().unwrap());
    let select = compacts("select", &CompactSpec::new::<i64>(300).masked());
    insta::assert_snapshot!("compact_select_masked_longs", select.unwrap().unwrap());
}

/// virgl hands loops to its host as they are, and llvmpipe as the host ends an invocation after 65,535 iterations. A row of
/// four items in series took 16.4 there; a group that does a part alone scans some chunks twice.
#[test]
fn sam_takes_short_parts_where_loops_are_not_unrolled() {
    let renderer = "virgl (LLVMPIPE (LLVM 15.0.6, 256 bits))".to_owned();
    let device = Device { software: true, renderer, ..Device::gl43() };
    for (log2, order) in [(20, 1), (22, 1), (20, 2), (20, 3)] {
        let spec = ScanSpec::new::<u32>(1 << log2).order(order);
        let plan = choice("sam").plan(&spec, &device).unwrap().unwrap();
        for pass in plan.passes().iter().filter(|pass| pass.phase == "scan") {
            let Command::Dispatch(dispatch) = &pass.command else { panic!("{pass:?}") };
            let of = |name: &str| dispatch.defines.iter().find(|(known, _)| *known == name).unwrap().1 as f64;
            let chunks = dispatch.uniforms.iter().find_map(|uniform| match uniform {
                ("u_chunks", Uniform::Int(chunks)) => Some(f64::from(*chunks)),
                _ => None,
            });
            let iterations = chunks.unwrap() * of("ROWS") * 16.4;
            assert!(iterations < 65_535.0, "2^{log2}, order {order}: {iterations}");
        }
    }
}

/// The name of a plan is a choice that makes the same plan.
#[test]
fn the_name_of_a_plan_asks_for_it() {
    let spec = ScanSpec::new::<u32>(5000);
    for algorithm in
        ["horn", "hybrid:reduce=3", "harris:variant=naive", "sam:vectors=2,groups=3", "look_back:vectors=1"]
    {
        let first = dispatches::plan(algorithm, &spec);
        assert_eq!(dispatches::plan(&first.name(), &spec), first, "{algorithm}");
    }
}

#[test]
fn the_auto_hybrid_leaves_4096_items_and_blelloch_one_row() {
    for (log2, expected) in [(10, 0), (12, 0), (13, 1), (20, 8), (24, 12)] {
        let plan = plan("hybrid", &ScanSpec::new::<u32>(1 << log2));
        let reduces = plan.passes().iter().filter(|pass| pass.phase == "reduce").count();
        assert_eq!(reduces, expected, "2^{log2}");
    }
    let plan = plan("blelloch", &ScanSpec::new::<u32>(1 << 20));
    let last = plan.passes().iter().rfind(|pass| pass.phase == "reduce").unwrap();
    assert_eq!(plan.layout(last.writes()[0]).height, 1);
}

#[test]
fn reduce_of_zero_is_horn() {
    for len in [1, 2, 100, 5000] {
        let spec = ScanSpec::new::<u32>(len).exclusive();
        assert_eq!(plan("hybrid:reduce=0", &spec).passes(), plan("horn", &spec).passes());
    }
}

#[test]
fn nothing_to_do_gives_the_input_back() {
    for algorithm in ["horn", "hybrid", "blelloch", "packed"] {
        let plan = plan(algorithm, &ScanSpec::new::<u32>(0).exclusive());
        assert_eq!((plan.passes().len(), plan.output()), (0, plan.input()), "{algorithm}");
    }
}

#[test]
fn slots_that_never_meet_share_storage() {
    // Sixteen orders of Horn's scan need two textures, as one does.
    let spec = ScanSpec::new::<u32>(1000).order(16);
    let storage = share_storage(&plan("horn", &spec));
    assert_eq!(storage.iter().flatten().max(), Some(&1));
    // The hybrid keeps its sums until the down-sweep has used them, and shares the rest.
    let plan = plan("hybrid:reduce=2", &ScanSpec::new::<u32>(1000));
    let storage = share_storage(&plan);
    for pass in plan.passes() {
        let target = storage[pass.writes()[0].index()];
        assert!(pass.reads().all(|slot| storage[slot.index()] != target), "{plan}");
    }
}

#[test]
fn a_plan_that_cannot_run_says_why() {
    let item = ItemType { element: ElementType::U32, operator: Operator::ADD };
    let layout = Layout::fit(&Device::gl33(), ElementType::U32, 1, 1, 64, 2).unwrap();
    let shader = || Shader::new("own.frag", "void main() {}");
    let start = || {
        let mut plan = Plan::new("test", item.clone(), layout);
        let slot = plan.slot("a", layout);
        (plan, slot)
    };

    let (mut plan, a) = start();
    let input = plan.input();
    plan.draw("step", shader()).read("u_source", input).write(a);
    plan.draw("step", shader()).read("u_source", a).write(a);
    let error = plan.finish(a).check().unwrap_err();
    assert_eq!(error, PlanError::ReadsItsTarget { pass: 2, slot: "a".into() });

    let (mut plan, a) = start();
    let b = plan.slot("b", layout);
    plan.draw("step", shader()).read("u_source", a).write(b);
    let error = plan.finish(b).check().unwrap_err();
    assert_eq!(error, PlanError::ReadsNothing { pass: 1, slot: "a".into() });

    let (mut plan, a) = start();
    let input = plan.input();
    plan.draw("step", shader()).write(input);
    assert_eq!(plan.finish(a).check().unwrap_err(), PlanError::WritesTheInput { pass: 1 });

    let (mut plan, a) = start();
    plan.draw("step", shader());
    assert_eq!(plan.finish(a).check().unwrap_err(), PlanError::NoTarget { pass: 1 });

    let (mut plan, a) = start();
    let region = rasterscan::plan::Region { width: 9, height: 1 };
    plan.draw("step", shader()).write(a).region(region);
    let error = plan.finish(a).check().unwrap_err();
    assert_eq!(error, PlanError::RegionTooLarge { pass: 1, slot: "a".into() });

    let (plan, a) = start();
    assert_eq!(plan.finish(a).check().unwrap_err(), PlanError::NoResult);
}

#[test]
fn floats_need_float_targets() {
    let device = Device { api: Api::Gles, version: (3, 0), float_targets: false, ..Device::gl33() };
    let error = choice("horn").plan(&ScanSpec::new::<f32>(8), &device).unwrap_err().to_string();
    assert!(error.contains("EXT_color_buffer_float"), "{error}");
    assert!(choice("horn").plan(&ScanSpec::new::<u32>(8), &device).is_ok());
}

#[test]
fn a_job_chooses_one_algorithm_with_its_plan() {
    use rasterscan::{
        Error,
        tools::{Job, problem::InputInfo},
    };

    let device = Device::gl33();
    let choose = |text: &str| {
        let job = Job::parse(text.split(' ')).unwrap();
        let request = job.request(InputInfo::new(ElementType::U32, 16)).unwrap();
        job.choose(&request, &device)
    };
    for (job, name) in [("scan ramp:n=16", "packed"), ("reduce ramp:n=16 -a pairs", "pairs")] {
        let chosen = choose(job).unwrap();
        assert_eq!(chosen.choice.card.name, name);
        assert_eq!(chosen.plan.unwrap().scopes()[0].algorithm, name);
    }
    assert!(choose("compact ramp:n=16 -a sequential").unwrap().plan.is_none());
    assert!(matches!(choose("scan ramp:n=16 -a all"), Err(Error::Unsupported(_))));
    assert!(matches!(choose("scan ramp:n=16 -a sam"), Err(Error::Unsupported(_))));
}

#[test]
fn a_problem_says_which_lengths_are_whole() {
    for (job, whole, arity) in [
        ("scan - --rows 12 --tuple 3", 12, 1),
        ("scan - --columns 5 --tuple 2", 10, 1),
        ("scan - --op affine --tuple 3", 6, 2),
        ("reduce - --op affine --tuple 4", 8, 2),
        ("compact -", 1, 1),
    ] {
        let parsed = rasterscan::tools::Job::parse(job.split(' ')).unwrap();
        assert_eq!((parsed.whole(), parsed.arity()), (whole, arity), "{job}");
    }
}

#[test]
fn auto_is_packed_unless_tuples_lie_across_its_texels() {
    use rasterscan::tools::registry::auto;

    let pick = |spec: ScanSpec| auto(&spec, &Device::gl33()).unwrap().choice.card.name;
    let spec = ScanSpec::new::<u32>(960);
    assert_eq!([1, 4, 8].map(|tuple| pick(spec.tuple(tuple))), ["packed"; 3]);
    assert_eq!([2, 3, 5].map(|tuple| pick(spec.tuple(tuple))), ["hybrid"; 3]);
    // Too long for the hybrid, but not for packed.
    assert_eq!(pick(ScanSpec::of(ElementType::U32, (3 << 26) + 3).tuple(3)), "packed");
    assert_eq!(pick(ScanSpec::new::<u64>(960).operator(Operator::AFFINE).tuple(3)), "packed");
}

#[test]
fn auto_uses_compute_shaders_where_these_are_faster() {
    use rasterscan::tools::registry::auto;

    let hardware = Device::gl43();
    let software = Device { software: true, ..Device::gl43() };
    // Its shaders cannot read buffers as textures.
    let software_es = Device { api: Api::Gles, version: (3, 1), max_buffer_texels: 0, ..software.clone() };
    let pick = |spec: ScanSpec| {
        [&hardware, &software, &software_es].map(|device| auto(&spec, device).unwrap().choice.card.name)
    };
    let spec = ScanSpec::new::<u32>(960);
    assert_eq!(pick(spec.clone()), ["look_back", "reduce_then_scan", "packed"]);
    assert_eq!(pick(spec.order(2)), ["sam", "reduce_then_scan", "packed"]);
    assert_eq!(pick(spec.order(8)), ["sam", "reduce_then_scan", "sam"]);
    assert_eq!(pick(spec.tuple(2)), ["look_back", "reduce_then_scan", "reduce_then_scan"]);
    assert_eq!(pick(spec.tuple(8).order(8)), ["sam", "reduce_then_scan", "reduce_then_scan"]);
    // One exchange for all orders or tuples, where the state has at most 8 words.
    let long = |element| ScanSpec::of(element, 1 << 24);
    let u32s = long(ElementType::U32);
    let triples = ScanSpec::of(ElementType::U32, (1 << 24) + 2).tuple(3);
    for spec in [u32s.order(4), u32s.order(8), triples, u32s.tuple(8), long(ElementType::U64).order(4)] {
        assert_eq!(pick(spec.clone())[0], "reduce_then_scan", "{spec}");
    }
    let others = [
        u32s.order(2),
        long(ElementType::U64).order(8),
        long(ElementType::F32).order(8),
        u32s.order(4).rows(1 << 10),
    ];
    for spec in others.into_iter().chain([u32s.order(8).operator(Operator::MAX)]) {
        assert_eq!(pick(spec.clone())[0], "sam", "{spec}");
    }
    let recurrence = |len| ScanSpec::of(ElementType::U32, len).recurrence("1:2,-1".parse().unwrap());
    assert_eq!([1 << 24, 1 << 25].map(|len| pick(recurrence(len))[0]), ["sam", "reduce_then_scan"]);
    // Longer than a buffer.
    assert_eq!(pick(ScanSpec::of(ElementType::U32, 1 << 29)), ["packed"; 3]);
    assert_eq!(pick(ScanSpec::of(ElementType::U32, 1 << 29).order(8)), ["packed"; 3]);
}

/// The counts of the packed passes, checked against the shaders invocation by invocation.
#[test]
fn packed_counts_are_what_the_shaders_do() {
    for (block, tuple, kind) in
        [(2, 2, 1), (2, 3, 1), (8, 5, 1), (4, 1, 1), (2, 2, 0), (8, 3, 0), (4, 16, 0), (4, 1, 0)]
    {
        for (tuples, sums) in
            [1, 2, 7, 8, 9, 40, 333, 5003].into_iter().flat_map(|n| [(n, "scanned"), (n, "added")])
        {
            let kind = [rasterscan::ScanKind::Exclusive, rasterscan::ScanKind::Inclusive][kind];
            let spec = ScanSpec::new::<u32>(tuples * tuple).tuple(tuple as u32).kind(kind);
            let plan = plan(&format!("packed:block={block},sums={sums}"), &spec);
            for pass in plan.passes().iter().filter(|pass| pass.phase == "down-sweep") {
                let Command::Draw(draw) = &pass.command else { panic!("a dispatch") };
                let define = |name: &str| draw.defines.iter().find(|(known, _)| *known == name).unwrap().1;
                let before = match (define("SUMS"), define("ADDED"), define("ABOVE")) {
                    (0, 0, 0) => Before::Nothing,
                    (1, 0, 0) => Before::Scanned,
                    (1, _, 0) => Before::Added(i64::MAX),
                    (1, texels, 1) => Before::Added(texels),
                    other => panic!("{other:?}"),
                };
                let len = plan.layout(pass.writes()[0]).len as i64;
                let exclusive = pass.writes()[0] == plan.output() && kind == rasterscan::ScanKind::Exclusive;
                let (fetched, added) = walk(len, define("BLOCK"), tuple as i64, before, exclusive);
                assert_eq!((pass.cost.texels_read, pass.cost.adds), (fetched, added), "{plan}");
            }
        }
    }
}

/// The sums before the blocks of a down-sweep.
#[derive(Clone, Copy, PartialEq)]
enum Before {
    Nothing,
    Scanned,
    /// Added up in blocks of so many texels.
    Added(i64),
}

/// `down_sweep.frag` over `len` items of one word: texels fetched, uses of the operator.
fn walk(len: i64, block: i64, tuple: i64, before: Before, exclusive: bool) -> (u64, u64) {
    let (mut fetched, mut added) = (0, 0);
    let blocks_before = before == Before::Scanned;
    for texel in 0..(len + 3) / 4 {
        fetched += 1;
        let first = texel * 4;
        if tuple == 1 {
            fetched += u64::from(blocks_before && texel >= block) + (texel % block) as u64;
            // Three for a texel's sum, one to join it to the rest; then four for its own items.
            added += 4 * (texel % block) as u64 + 4;
            if let Before::Added(texels) = before {
                let sums = texel / block;
                let begin = sums / 4 / texels * texels;
                fetched += u64::from(begin > 0) + ((sums + 3) / 4 - begin) as u64;
                added += (sums - begin * 4) as u64;
            }
            continue;
        }
        let start = first / (tuple * block) * tuple * block;
        fetched += if blocks_before && start > 0 { 4 } else { 0 };
        let mut window = start + (first - start) % tuple - tuple;
        if window + 4 <= start {
            window += tuple;
        }
        while window < first {
            fetched += if window >= 0 && window % 4 == 0 { 1 } else { 2 };
            added += (0..4).filter(|i| window + i >= start).count() as u64;
            window += tuple;
        }
        added += if exclusive { 0 } else { 4 };
    }
    (fetched, added)
}
