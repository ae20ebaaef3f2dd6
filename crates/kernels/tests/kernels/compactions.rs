//! Compactions: what is kept, what is moved, and how many.

use rasterscan::compact::{append, partition, texture};
use rasterscan::{Algorithm, CompactSpec, Comparison, Condition, Device, ElementType, Error, Gpu, Moves};
use rasterscan::{
    Keep, Operator, Plan,
    tools::{Numbers, Request, for_element},
};
use rasterscan_kernels::Engine;
use rasterscan_runner::compaction::{TestShape, compaction, compactions, masked, shaped, tiles};
use rasterscan_runner::data::{TestData, TestElement};
use rasterscan_runner::kernels::{self, Seen};

/// The cards of textures, but for `packed`.
const IN_TEXTURES: [&str; 6] = ["horn", "blocks", "bitonic", "histopyramid", "points", "geometry"];

/// A compaction with its input.
#[derive(Debug, Clone)]
pub struct Case {
    pub spec: CompactSpec,
    pub streams: Vec<Numbers>,
}

impl Case {
    /// An input of a shape: unwanted elements are zero or, with a mask, have a mask of zero. Of a counted stream, as many
    /// elements count as `first` says.
    pub fn shaped(spec: CompactSpec, shape: TestShape, first: u32) -> Case {
        let len = spec.len as usize;
        let mut streams = for_element!(spec.element, T => match spec.keep {
            Keep::Condition(_) => vec![Numbers::of(&shaped::<T>(len, shape).data)],
            Keep::Mask => {
                let input = masked::<T>(len, shape);
                vec![Numbers::of(&input.data), Numbers::of(&input.mask)]
            }
        });
        if spec.has_gpu_length {
            streams.push(Numbers::of(&[first]));
        }
        Case { spec, streams }
    }

    /// Extreme numbers, and numbers near each other, compared with one of them; floats with some that are no numbers.
    pub fn compared<T: TestElement>(comparison: Comparison, negated: bool, data: TestData) -> Case {
        const LEN: usize = 150;
        let mut numbers: Vec<T> =
            (0..LEN as u64).map(|index| T::number(&Operator::ADD, data, index)).collect();
        let condition = Condition::new(comparison, numbers[3]);
        if T::TYPE == ElementType::F32 {
            let floats: &mut [u32] = bytemuck::cast_slice_mut(&mut numbers);
            floats.iter_mut().step_by(11).for_each(|bits| *bits = f32::NAN.to_bits());
        }
        let condition = if negated { condition.opposite() } else { condition };
        let spec = CompactSpec::new::<T>(LEN).keep(condition).moves(Moves::Both);
        Case { spec, streams: vec![Numbers::of(&numbers)] }
    }
}

/// Compactions that take different paths through shaders. Those with a length on the GPU are left out by algorithms that
/// have none.
pub fn cases() -> Vec<Case> {
    let plain = |len: usize| CompactSpec::new::<u32>(len);
    let of = |element, len| CompactSpec::of(element, len);
    let case = |spec, shape| Case::shaped(spec, shape, 0);
    vec![
        case(plain(0).moves(Moves::Both), TestShape::Share(0)),
        case(plain(1), TestShape::Share(100)),
        case(plain(1).moves(Moves::Both), TestShape::Share(0)),
        case(plain(16).moves(Moves::Both), TestShape::Alternating),
        case(plain(700), TestShape::Clusters(5)),
        case(plain(700), TestShape::Share(1)),
        case(plain(700).moves(Moves::Both), TestShape::Runs),
        case(plain(700).moves(Moves::Both), TestShape::Share(100)),
        case(plain(700).moves(Moves::Indices), TestShape::OnlyLast),
        case(plain(700).masked().moves(Moves::Both), TestShape::Share(60)),
        case(plain(700).masked().moves(Moves::Indices), TestShape::Clusters(6)),
        case(of(ElementType::F32, 300).masked(), TestShape::Runs),
        case(of(ElementType::U64, 300).moves(Moves::Both), TestShape::Share(30)),
        case(of(ElementType::I64, 300).masked().moves(Moves::Both), TestShape::Ends),
        Case::shaped(plain(700).with_gpu_length(), TestShape::Share(70), 0),
        Case::shaped(plain(700).with_gpu_length().moves(Moves::Both), TestShape::Share(70), 401),
        Case::shaped(plain(700).masked().with_gpu_length().moves(Moves::Both), TestShape::Runs, 999),
    ]
}

/// All variants of these cards.
pub fn variants_of(cards: &[&str]) -> Vec<&'static str> {
    let all = compactions().into_iter().chain(tiles());
    all.filter(|name| cards.contains(&compaction(name).card.name)).collect()
}

/// Runs algorithms, as after `-a`, on cases by both engines.
pub fn compacted<'a>(names: &[impl AsRef<str>], cases: impl IntoIterator<Item = &'a Case>) -> Seen {
    let cases: Vec<_> =
        cases.into_iter().map(|case| (Request::from(&case.spec), &case.streams[..])).collect();
    crate::compare_all(names.iter().map(|name| compaction(name.as_ref())), cases)
}

fn in_textures() {
    let seen = compacted(&variants_of(&IN_TEXTURES), &cases());
    assert!(seen.passes > 1000 && seen.words > 100_000 && seen.reads > 1_000_000, "{seen:?}");
}

/// One algorithm for each shader that evaluates the condition.
fn comparisons_of_floats_in_textures() {
    let names = ["horn:scan=packed", "blocks", "blocks:inner=packed", "geometry", "bitonic", "points"];
    comparisons(&names, &[ElementType::F32]);
}

/// The condition is the same part in all of them.
fn comparisons_of_integers_in_textures() {
    comparisons(&["points", "geometry"], &[ElementType::U32, ElementType::U64, ElementType::I64]);
}

/// Runs algorithms on every comparison, and on each that must not hold.
pub fn comparisons(names: &[&str], elements: &[ElementType]) {
    let mut cases = Vec::new();
    for element in elements {
        for (comparison, negated) in Comparison::ALL.into_iter().flat_map(|c| [(c, false), (c, true)]) {
            for data in [TestData::Extreme, TestData::Near] {
                cases.push(for_element!(*element, T => Case::compared::<T>(comparison, negated, data)));
            }
        }
    }
    let seen = compacted(names, &cases);
    let least = cases.len() * names.len();
    // A geometry stage is not everywhere.
    assert!(2 * seen.passes > least && seen.reads > 50 * least, "{seen:?}");
}

/// Lengths around blocks and rows, in rows of the stream and in rows so short that nearly every segment crosses an edge.
fn edges_of_blocks() {
    let mut seen = Seen::default();
    for name in variants_of(&["blocks"]) {
        let parameters = compaction(name).parameters();
        let size =
            parameters.iter().find(|(name, _)| *name == "size").and_then(|(_, size)| size.parse().ok());
        let size: usize = size.expect("blocks have a size");
        let mut cases = Vec::new();
        for len in [size - 1, size, size + 1, 3 * size + 5] {
            let spec = CompactSpec::new::<u32>(len).moves(Moves::Both);
            cases.push(Case::shaped(spec, TestShape::Share(70), 0));
            cases.push(Case::shaped(spec.columns(size as u32 + 3), TestShape::Share(70), 0));
            cases.push(Case::shaped(spec.columns(size as u32), TestShape::Share(100), 0));
        }
        seen += compacted(&[name], &cases);
    }
    assert!(seen.passes > 500 && seen.reads > 30_000, "{seen:?}");
}

/// Every way to join small blocks, whose segments cross edges.
fn every_wrap() {
    let mut names = Vec::new();
    for inner in ["hillis", "packed", "packed,found=drawn"] {
        for search in ["for", "while"] {
            for wrap in ["twice", "geometry"] {
                for ends in ["captured", "fetched"] {
                    for draw in ["lines", "quads"] {
                        names.push(format!(
                            "blocks:size=8,inner={inner},search={search},wrap={wrap},ends={ends},draw={draw}"
                        ));
                    }
                }
            }
        }
    }
    let spec = CompactSpec::new::<u32>(150).columns(11).moves(Moves::Both);
    let cases = [TestShape::Share(70), TestShape::Runs].map(|shape| Case::shaped(spec, shape, 0));
    let seen = compacted(&names, &cases);
    // A geometry stage is not everywhere.
    assert!(seen.passes > 300 && seen.reads > 20_000, "{seen:?}");
}

/// Both sides of a condition, one after the other; and kept elements after those of another stream.
pub fn sides_and_bases<A: Algorithm<CompactSpec>>(algorithm: &A) -> Seen {
    let gpu = rasterscan_runner::gpu();
    let both = |gpu: &Gpu, plan: Result<Plan, Error>, streams: &[&Numbers]| match plan {
        Ok(plan) => kernels::compare(gpu, &plan, streams, |_, _| {}).unwrap_or_default(),
        Err(Error::Unsupported(reason)) => {
            println!("not applicable: {}: {reason}", algorithm.name());
            Seen::default()
        }
        Err(other) => panic!("{}: {other}", algorithm.name()),
    };
    let mut seen = Seen::default();
    let Case { spec, streams } = Case::compared::<f32>(Comparison::Less, false, TestData::Extreme);
    seen += both(&gpu, partition(algorithm, &spec, gpu.device()), &[&streams[0]]);
    let spec = CompactSpec::new::<u32>(150).masked().moves(Moves::Both);
    let Case { spec, streams } = Case::shaped(spec, TestShape::Share(60), 0);
    for base in [0u32, 3, 120, 300] {
        let streams = [&streams[0], &streams[1], &Numbers::of(&[base])];
        seen += both(&gpu, append(algorithm, &spec, 200, gpu.device()), &streams);
    }
    seen
}

/// The results of `geometry` lie in attributes, where neither is possible.
fn sides_and_bases_in_textures() {
    let mut seen = Seen::default();
    seen += sides_and_bases(&texture::HornCompaction::default());
    seen += sides_and_bases(&texture::Blocks::default());
    seen += sides_and_bases(&texture::Bitonic);
    seen += sides_and_bases(&texture::Histopyramid);
    seen += sides_and_bases(&texture::Points::default());
    assert!(seen.passes > 100 && seen.reads > 10_000, "{seen:?}");
}

/// A dispatch that records no write, so that a comparison would not see its word.
fn nothing_in_buffers() {
    let spec = CompactSpec::new::<u32>(0);
    for name in ["scatter", "select"] {
        let plan = compaction(name).plan(&spec, &Device::gl43()).unwrap().expect("a plan");
        let mut engine = Engine::new(&plan).unwrap();
        let count = *plan.outputs().last().expect("a count");
        engine.set(count, &[7]).unwrap();
        engine.upload(&[&Numbers::of::<u32>(&[])]).unwrap();
        engine.run().unwrap();
        assert_eq!(engine.get(count).get::<u32>().unwrap(), [0], "{name}");
    }
}

crate::tests![
    nothing_in_buffers,
    in_textures,
    comparisons_of_floats_in_textures,
    comparisons_of_integers_in_textures,
    edges_of_blocks,
    every_wrap,
    sides_and_bases_in_textures,
];
