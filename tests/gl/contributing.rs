//! The worked example of CONTRIBUTING.md, built outside the crate: a scan, its shader, its use in another algorithm,
//! and its recording.

use rasterscan::algorithm::Placement;
use rasterscan::plan::{Plan, Shader, Slot, Uniform};
use rasterscan::scan::{self, Round, rounds};
use rasterscan::trace::Reader;
use rasterscan::{
    Algorithm, CompactSpec, Compacted, Device, Error, Operator, ScanKind, ScanSpec, compact, tools::Numbers,
};
use rasterscan_kernels::{Engine, Fragment, FragmentKernel, Kernel, Terms};
use rasterscan_runner::data::{TestData, TestElement, input};

const GUIDE: &str = include_str!("../../CONTRIBUTING.md");

/// The first code block in this language that contains a text, without the indent of its list.
fn code(language: &str, with: &str) -> String {
    let blocks = GUIDE.split("```").skip(1).step_by(2);
    let mut blocks =
        blocks.filter_map(|block| block.strip_prefix(language)).filter(|block| block.contains(with));
    let block = blocks.next().unwrap_or_else(|| panic!("CONTRIBUTING.md has no {language} with {with}"));
    block.lines().map(|line| line.strip_prefix("   ").unwrap_or(line)).collect::<Vec<_>>().join("\n")
}

fn ceil_log2(n: u64) -> u32 {
    n.max(1).next_power_of_two().trailing_zeros()
}

// Outside the crate, the shader is text from the guide, not a file below glsl/.
macro_rules! shader {
    ($path:literal) => {
        Shader::new($path, code("glsl", "Sklansky"))
    };
}

// From here to the end of `steps` as in CONTRIBUTING.md; a test compares them.

/// Sklansky's scan.
#[derive(Debug, Clone, Copy, Default)]
pub struct Sklansky;

impl Algorithm<ScanSpec> for Sklansky {
    fn name(&self) -> &'static str {
        "sklansky"
    }

    fn placement(&self, _: &ScanSpec, _: &Device) -> Result<Placement, Error> {
        Ok(Placement::Texture { items_per_texel: 1, unit: 1 })
    }

    fn build(
        &self,
        plan: &mut Plan,
        spec: &ScanSpec,
        inputs: &[Slot],
        _: &Device,
    ) -> Result<Vec<Slot>, Error> {
        rounds(spec, inputs[0], |source, round| steps(plan, source, round))
    }
}

fn steps(plan: &mut Plan, source: Slot, round: Round) -> Result<Slot, Error> {
    let (len, tuple) = (plan.layout(source).len, u64::from(round.tuple));
    let tuples = len / tuple;
    let exclusive = round.kind == ScanKind::Exclusive;
    // An exclusive scan of a single tuple still has to write identities.
    let passes = ceil_log2(tuples).max(u32::from(exclusive));
    let mut values = plan.ping_pong(source);
    for d in 0..passes {
        // Tuples whose bit d is set.
        let added = ((tuples >> (d + 1)) << d) + (tuples % (2 << d)).saturating_sub(1 << d);
        plan.draw("scan", shader!("scan/sklansky/step.frag"))
            .define("TUPLE", tuple as i64)
            .define("MOVED", i64::from(exclusive && d == 0))
            .set("u_step", Uniform::Int(d as i32))
            .read("u_source", values.source())
            .fetches("u_source", len + added * tuple)
            .adds(added * tuple, 1)
            .write(values.target());
        values.swap();
    }
    Ok(values.source())
}

fn the_guide_shows_this_code() {
    let own = include_str!("contributing.rs");
    let shown = code("rust", "impl Algorithm<ScanSpec> for Sklansky");
    let shown = &shown[shown.find("/// Sklansky's scan.").expect("its first line")..];
    assert!(own.contains(shown.trim()), "CONTRIBUTING.md shows other code than this test runs:\n{shown}");
}

fn it_scans<T: TestElement>(operator: &Operator) {
    let gpu = rasterscan_runner::gpu();
    for len in [0, 1, 2, 3, 17, 255, 256, 257, 1000] {
        for (order, tuple) in [(1, 1), (3, 1), (1, 3), (2, 2)] {
            for kind in [ScanKind::Inclusive, ScanKind::Exclusive] {
                let len = len / tuple as usize * tuple as usize;
                let spec = ScanSpec::new::<T>(len).operator(operator).kind(kind).order(order).tuple(tuple);
                let data: Vec<T> = input(&spec, TestData::Random);
                let plan = Sklansky.plan(&spec, gpu.device()).unwrap();
                let mut scan = gpu.prepare(&plan).unwrap();
                let stream = scan.upload(&data).unwrap();
                let got: Vec<T> = scan.run(&stream).unwrap().read().unwrap();
                let depth = plan.cost().depth.div_ceil(order.into());
                scan::verify(&spec, depth, &data, &got).unwrap_or_else(|error| panic!("{spec}: {error}"));
            }
        }
    }
}

fn sklansky_scans_every_kind_of_item() {
    it_scans::<u32>(&Operator::ADD);
    it_scans::<i64>(&Operator::AFFINE);
    it_scans::<f32>(&Operator::MAX);
}

fn sklansky_counts_in_a_compaction() {
    let gpu = rasterscan_runner::gpu();
    let data: Vec<u32> = (0..5000).map(|i| if i % 7 < 3 { 0 } else { i }).collect();
    let spec = CompactSpec::new::<u32>(data.len());
    let horn = compact::texture::HornCompaction { scan: std::sync::Arc::new(Sklansky) };
    let plan = horn.plan(&spec, gpu.device()).unwrap();
    assert_eq!(plan.name(), "horn:scan=sklansky");
    let inside: Vec<&str> = plan
        .passes()
        .iter()
        .filter(|pass| plan.scopes()[pass.scope].algorithm == "sklansky")
        .map(|pass| pass.phase)
        .collect();
    assert_eq!(inside, ["scan"; 13], "its passes are known as its own");
    let mut compaction = gpu.prepare(&plan).unwrap();
    let stream = compaction.upload(&data).unwrap();
    let kept = Compacted::try_from(compaction.run([&stream]).unwrap()).unwrap();
    let expected: Vec<u32> = data.iter().copied().filter(|value| *value != 0).collect();
    assert_eq!(kept.read_values::<u32>().unwrap(), expected);
}

/// Each pass records what every texel reads: itself, and if the step's bit is set, the last tuple to its left.
fn sklansky_is_recorded_with_its_reads() {
    let gpu = rasterscan_runner::gpu();
    let data: Vec<u32> = (0..16).collect();
    let plan = Sklansky.plan(&ScanSpec::new::<u32>(16), gpu.device()).unwrap();
    let mut scan = gpu.prepare(&plan).unwrap();
    let stream = scan.upload(&data).unwrap();
    let trace = scan.record([&stream]).unwrap();
    assert_eq!(trace.steps.len(), 4);
    let mut engine = Engine::with(&plan, &[("scan/sklansky/step.frag", Kernel::Fragment(step))]).unwrap();
    engine.upload(&[&Numbers::of(&data)]).unwrap();
    let by_kernels = engine.record().unwrap();
    for (d, step) in trace.steps.iter().enumerate() {
        let reads: Vec<Vec<u32>> = (0..16)
            .map(|texel| {
                let reads = step.recorded.reads.iter().filter(|reads| reads.by == Reader::Texel);
                reads.flat_map(|reads| reads.of(texel).unwrap_or_default()).map(|place| place.index).collect()
            })
            .collect();
        assert_eq!(step.recorded.reads, by_kernels.steps[d].recorded.reads, "pass {}", d + 1);
        assert_eq!(step.writes, by_kernels.steps[d].writes, "pass {}", d + 1);
        for (texel, reads) in (0..16u32).zip(reads) {
            let mut expected = vec![texel];
            if texel >> d & 1 == 1 {
                expected.push((texel >> d << d) - 1);
            }
            assert_eq!(reads, expected, "pass {}, texel {texel}", d + 1);
        }
    }
}

/// An item whose block of 2^u_step tuples is the second of two takes the last one of the first.
fn step(terms: &Terms<'_>) -> Result<FragmentKernel, rasterscan_kernels::Error> {
    let (operation, source) = (terms.operation(), terms.source("u_source")?);
    let (tuple, step) = (terms.define("TUPLE")?, terms.int("u_step")?);
    let moved = terms.define("MOVED")? * tuple;
    let value_at = move |at: &mut Fragment<'_>, index: i32| match index - moved {
        ..0 => at.identity(),
        index => at.fetch_item(source, source.shape.texel(index), 0),
    };
    Ok(Box::new(move |at| {
        let index = source.shape.index(at.here);
        let block = (index / tuple) >> step;
        let mut item = value_at(at, index);
        if block % 2 == 1 {
            let left = value_at(at, ((block << step) - 1) * tuple + index % tuple);
            item = at.combine(&left, &item);
        }
        at.write_item(0, 0, &item, &operation);
    }))
}

crate::tests![
    the_guide_shows_this_code,
    sklansky_scans_every_kind_of_item,
    sklansky_counts_in_a_compaction,
    sklansky_is_recorded_with_its_reads,
];
