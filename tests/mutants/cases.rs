//! The cases for each mutant: proofs of all scans at a few lengths, and random data for the rest. Kernels are compared on
//! the same plans and streams.

use std::collections::HashSet;

use rasterscan::compact;
use rasterscan::plan::{Command, Plan, Shader};
use rasterscan::scan;
use rasterscan::{
    CompactSpec, ElementType, Error, Gpu, Keep, Moves, Operator, ScanKind, ScanSpec,
    tools::{Numbers, for_element, proof},
};
use rasterscan_runner::compaction::{Input, TestShape, compaction, execute, masked, shaped};
use rasterscan_runner::data::{TestData, TestElement, input};
use rasterscan_runner::kernels;
use rasterscan_runner::rerecorded::{Memory, forgetful};
use rasterscan_runner::scan::choice;

/// The check of a plan; an error says what is wrong.
type Check = Box<dyn Fn(&Gpu, &Plan) -> Result<(), String>>;

/// A judge of mutants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judge {
    /// Proofs and references, which see results.
    Results,
    /// Kernels, which see what each pass writes and what a recorded run reads.
    Kernels,
}

/// A plan, and the check of its result.
pub struct Case {
    pub name: String,
    pub plan: Plan,
    /// The GLSL files of the plan's shaders.
    pub files: HashSet<String>,
    /// Changes made to the plan after its shaders.
    after: Option<Memory>,
    /// The streams of each run.
    inputs: Vec<Vec<Numbers>>,
    check: Check,
}

pub enum Outcome {
    Right,
    Wrong(String),
    NotCompiled,
}

impl Case {
    /// Runs the plan with other shaders.
    pub fn run(&self, gpu: &Gpu, judge: Judge, change: impl Fn(&Shader) -> Shader) -> Outcome {
        let plan = self.plan.clone().with_shaders(change);
        let plan = self.after.map(|memory| forgetful(&plan, memory)).unwrap_or(plan);
        let judged = match judge {
            Judge::Results => gpu.prepare(&plan).map(|_| (self.check)(gpu, &plan)),
            Judge::Kernels => self.compare(gpu, &plan),
        };
        match judged {
            Err(Error::Shader { .. }) => Outcome::NotCompiled,
            Err(other) => Outcome::Wrong(other.to_string()),
            Ok(Err(why)) => Outcome::Wrong(why),
            Ok(Ok(())) => Outcome::Right,
        }
    }

    /// Compares another form of the plan with the kernels of the plan.
    fn compare(&self, gpu: &Gpu, other: &Plan) -> Result<Result<(), String>, Error> {
        for inputs in &self.inputs {
            let inputs: Vec<&Numbers> = inputs.iter().collect();
            let trace = kernels::recorded(gpu, &self.plan, other, &inputs)?;
            if let Err(difference) = kernels::check(&self.plan, &trace, &inputs, |_, _| {}) {
                return Ok(Err(difference));
            }
        }
        Ok(Ok(()))
    }
}

/// Every case of a judge that the device can run, the fastest first.
pub fn all(gpu: &Gpu, judge: Judge) -> Vec<Case> {
    let mut cases = Cases { gpu, judge, list: Vec::new() };
    cases.textures();
    cases.compactions_in_textures();
    cases.blocks();
    cases.tiles();
    cases.parts();
    cases.compactions_in_buffers();
    cases.list
}

struct Cases<'a> {
    gpu: &'a Gpu,
    judge: Judge,
    list: Vec<Case>,
}

const ONE_WORD: (ElementType, Operator) = (ElementType::U32, Operator::INTERVAL);
const TWO_WORDS: (ElementType, Operator) = (ElementType::U64, Operator::INTERVAL);
const FOUR_WORDS: (ElementType, Operator) = (ElementType::U64, Operator::INTERVAL_PAIR);
const FLOATS: (ElementType, Operator) = (ElementType::F32, Operator::INTERVAL);
const KINDS: [ScanKind; 2] = [ScanKind::Inclusive, ScanKind::Exclusive];

fn spec((element, operator): (ElementType, Operator), tuples: u64, tuple: u32, kind: ScanKind) -> ScanSpec {
    ScanSpec::of(element, tuples * u64::from(tuple)).operator(&operator).tuple(tuple).kind(kind)
}

impl Cases<'_> {
    /// The lengths of a judge. Kernels see each pass, so that two lengths show them what results show in all; recording is
    /// slow.
    fn lens<const LENS: usize>(&self, all: [u64; LENS]) -> Vec<u64> {
        let most = if self.judge == Judge::Kernels { 2 } else { LENS };
        all.into_iter().take(most).collect()
    }

    fn push(
        &mut self,
        name: String,
        plan: Result<Option<Plan>, Error>,
        after: Option<Memory>,
        inputs: Vec<Vec<Numbers>>,
        check: impl Fn(&Gpu, &Plan) -> Result<(), String> + 'static,
    ) {
        match plan {
            Ok(plan) => {
                let plan = plan.expect("a plan");
                let files = files(&plan);
                self.list.push(Case { name, plan, files, after, inputs, check: Box::new(check) });
            }
            Err(Error::Unsupported(_)) => {}
            Err(other) => panic!("{name}: {other}"),
        }
    }

    fn proof(&mut self, algorithm: &str, spec: ScanSpec, after: Option<Memory>) {
        let plan = choice(algorithm).plan(&spec, self.gpu.device());
        self.proof_by(algorithm, spec, plan, after);
    }

    fn proof_by(
        &mut self,
        algorithm: &str,
        spec: ScanSpec,
        plan: Result<Option<Plan>, Error>,
        after: Option<Memory>,
    ) {
        let name = format!("{algorithm}, {spec}");
        for_element!(spec.element, T => {
            let data: Vec<T> = proof::input(&spec).expect("a proof");
            let inputs = vec![vec![Numbers::of(&data)]];
            self.push(name, plan, after, inputs, move |gpu, plan| {
                proof::check(&spec, &result(gpu, plan, &data)?).map_err(|mismatch| mismatch.to_string())
            });
        })
    }

    /// A scan without a proof, on random numbers.
    fn random<T: TestElement>(&mut self, algorithm: &str, spec: ScanSpec) {
        let plan = choice(algorithm).plan(&spec, self.gpu.device());
        let data: Vec<T> = input(&spec, TestData::Random);
        let inputs = vec![vec![Numbers::of(&data)]];
        self.push(format!("{algorithm}, {spec}"), plan, None, inputs, move |gpu, plan| {
            let result = result(gpu, plan, &data)?;
            let verified = scan::verify(&spec, plan.cost().depth, &data, &result);
            verified.map(|_| ()).map_err(|mismatch| mismatch.to_string())
        });
    }

    fn textures(&mut self) {
        let algorithms = ["horn", "hybrid", "hybrid:reduce=1", "packed:block=2", "packed:block=16"];
        for len in self.lens([257, 64, 1, 2, 3, 5, 31, 65, 1000]) {
            for algorithm in algorithms {
                for kind in KINDS {
                    for item in [ONE_WORD, TWO_WORDS, FOUR_WORDS] {
                        self.proof(algorithm, spec(item, len, 1, kind), None);
                    }
                }
            }
        }
        for tuples in self.lens([200, 1, 2, 9, 33]) {
            for algorithm in algorithms {
                for (tuple, kind) in
                    [(3, KINDS[0]), (3, KINDS[1]), (4, KINDS[0]), (5, KINDS[1]), (2, KINDS[0])]
                {
                    self.proof(algorithm, spec(ONE_WORD, tuples, tuple, kind), None);
                    self.proof(algorithm, spec(TWO_WORDS, tuples, tuple, kind), None);
                }
            }
        }
    }

    fn blocks(&mut self) {
        let algorithms = [
            "harris:variant=naive,block=16",
            "harris:variant=work_efficient,block=16",
            "harris:variant=padded,block=64,banks=16",
            "harris:variant=zero_conflict,block=512,banks=16",
            "capannini:pattern=cm,block=64",
            "capannini:pattern=left_right,block=64",
            "capannini:pattern=padding,block=64,banks=16",
            "capannini:pattern=no_padding,block=64",
        ];
        for algorithm in algorithms {
            for kind in KINDS {
                for len in self.lens([1000, 1, 15, 16, 17, 64, 65]) {
                    self.proof(algorithm, spec(ONE_WORD, len, 1, kind), None);
                }
                self.proof(algorithm, spec(ONE_WORD, 100, 3, kind), None);
            }
            self.proof(algorithm, spec(TWO_WORDS, 1000, 1, KINDS[0]), None);
            self.proof(algorithm, spec(FOUR_WORDS, 300, 1, KINDS[1]), None);
        }
    }

    fn tiles(&mut self) {
        for algorithm in ["three_phase", "reduce_then_scan", "chained", "look_back", "sam"] {
            for (options, item, tuple, kind) in [
                ("vectors=1", ONE_WORD, 1, KINDS[0]),
                ("lanes=shared,group=8,vectors=2", ONE_WORD, 1, KINDS[1]),
                ("lanes=shared,group=16,vectors=1", ONE_WORD, 3, KINDS[0]),
                ("lanes=shared,group=8,vectors=1", ONE_WORD, 6, KINDS[1]),
                ("vectors=2", TWO_WORDS, 3, KINDS[1]),
                ("lanes=shared,group=8,vectors=1", FOUR_WORDS, 1, KINDS[0]),
            ] {
                let text = format!("{algorithm}:{options}");
                for tuples in self.lens([300, 1, 7, 31, 32, 33, 1000]) {
                    self.proof(&text, spec(item.clone(), tuples, tuple, kind), None);
                }
            }
        }
        for algorithm in ["chained", "look_back", "sam"] {
            let groups = if algorithm == "sam" { ",groups=64" } else { "" };
            for (options, tuple) in
                [("vectors=1", 1), ("lanes=shared,group=8,vectors=1", 1), ("vectors=1", 3)]
            {
                let text = format!("{algorithm}:{options}{groups}");
                for memory in [Memory::AllBut { percent: 50, seed: 1 }, Memory::Nothing] {
                    self.proof(&text, spec(TWO_WORDS, 200, tuple, KINDS[0]), Some(memory));
                }
            }
        }
        for groups in [1, 2, 7] {
            let text = format!("sam:lanes=shared,group=8,vectors=1,groups={groups}");
            self.proof(&text, spec(FLOATS, 1000, 1, KINDS[1]), None);
            self.proof(&text, spec(FLOATS, 200, 3, KINDS[0]), None);
            let affine = ScanSpec::new::<u32>(700).operator(Operator::AFFINE);
            self.random::<u32>(&text, affine.order(2));
            self.random::<u32>(&text, affine.with_len(1200).order(3).tuple(3).exclusive());
        }
        // Lanes are added in another way if the order does not matter.
        for (options, tuple) in
            [("lanes=shared,group=8,vectors=2", 1), ("lanes=shared,group=8,vectors=1", 3), ("vectors=1", 1)]
        {
            for len in [600, 33 * 3] {
                let spec = ScanSpec::new::<u64>(len).tuple(tuple);
                self.random::<u64>(&format!("reduce_then_scan:{options}"), spec);
            }
        }
    }

    /// Streams that are bound in parts.
    fn parts(&mut self) {
        let mut device = self.gpu.device().clone();
        let Some(compute) = &mut device.compute else { return };
        compute.max_binding = 4096;
        for algorithm in [
            "harris:variant=naive,block=16",
            "capannini:pattern=left_right,block=32",
            "three_phase:vectors=1",
            "reduce_then_scan:vectors=1",
            "reduce_then_scan:lanes=shared,group=8,vectors=1",
            "chained:vectors=1",
            "look_back:vectors=1",
            "sam:vectors=1,groups=64",
        ] {
            for (tuple, kind) in [(1, KINDS[0]), (3, KINDS[1])] {
                let spec = spec(ONE_WORD, 3000, tuple, kind);
                let plan = choice(algorithm).plan(&spec, &device);
                self.proof_by(&format!("{algorithm} in parts"), spec, plan, None);
            }
        }
        for algorithm in ["chained:vectors=1", "look_back:vectors=1", "sam:vectors=1,groups=64"] {
            let spec = spec(ONE_WORD, 3000, 1, KINDS[0]);
            let memory = Some(Memory::AllBut { percent: 50, seed: 2 });
            let plan = choice(algorithm).plan(&spec, &device);
            self.proof_by(&format!("{algorithm} in parts, forgetful"), spec, plan, memory);
        }
    }

    fn compaction<T: TestElement>(&mut self, algorithm: &str, spec: CompactSpec, after: Option<Memory>) {
        let shapes = [
            TestShape::Share(60),
            TestShape::Runs,
            TestShape::OnlyLast,
            TestShape::OnlyFirst,
            TestShape::Share(0),
            TestShape::Share(100),
        ];
        let len = spec.len as usize;
        let of = |shape| match spec.keep {
            Keep::Mask => masked(len, shape),
            Keep::Condition(_) => shaped(len, shape),
        };
        let inputs: Vec<Input<T>> = shapes.map(of).into();
        let streams = |input: &Input<T>| match spec.keep {
            Keep::Mask => vec![Numbers::of(&input.data), Numbers::of(&input.mask)],
            Keep::Condition(_) => vec![Numbers::of(&input.data)],
        };
        let numbers = inputs.iter().map(streams).collect();
        let plan = compaction(algorithm).plan(&spec, self.gpu.device());
        self.push(format!("{algorithm}, {spec}"), plan, after, numbers, move |gpu, plan| {
            let mut prepared = gpu.prepare(plan).map_err(|error| error.to_string())?;
            for Input { data, mask, of } in &inputs {
                let expected = compact::sequential(&spec, data, mask).expect("a spec");
                let got = execute(&mut prepared, &spec, data, mask).map_err(|error| error.to_string())?;
                let values = spec.moves.values().then_some(&got.values[..]);
                let indices = spec.moves.indices().then_some(&got.indices[..]);
                let verified = expected.verify(got.count, values, indices);
                verified.map_err(|mismatch| format!("{of}: {mismatch}"))?;
            }
            Ok(())
        });
    }

    fn compactions_in_textures(&mut self) {
        for len in self.lens([1000, 65, 1, 2, 9, 64, 300]) {
            for algorithm in [
                "horn",
                "horn:scan=packed",
                "blocks:size=8,inner=hillis,search=for",
                "blocks:size=16,inner=blelloch,search=while,draw=quads",
                "blocks:size=32,inner=hybrid",
                "blocks:size=64,inner=packed,search=for,wrap=geometry",
                "blocks:size=32,inner=packed,ends=fetched",
                "blocks:size=8,inner=packed,search=while",
                "blocks:size=256,inner=blelloch,search=for,wrap=geometry,ends=fetched",
                "geometry",
                "bitonic",
                "histopyramid",
                "points",
                "packed",
            ] {
                self.compaction::<u32>(
                    algorithm,
                    CompactSpec::new::<u32>(len as usize).moves(Moves::Both),
                    None,
                );
                let masked = CompactSpec::new::<u64>(len as usize).masked().moves(Moves::Values);
                self.compaction::<u64>(algorithm, masked, None);
            }
        }
        // Past a second level of counts of 128 or 256, and other rows than the source's.
        for algorithm in ["packed", "points", "horn", "histopyramid", "geometry", "blocks"] {
            self.compaction::<u32>(algorithm, CompactSpec::new::<u32>(40_000).moves(Moves::Both), None);
            self.compaction::<u32>(algorithm, CompactSpec::new::<u32>(3000).columns(37), None);
        }
    }

    fn compactions_in_buffers(&mut self) {
        for algorithm in [
            "scatter:scan=reduce_then_scan",
            "select:vectors=3",
            "select:lanes=shared,group=8,vectors=5",
            "select:lanes=shared,group=64,vectors=1",
            "select:lanes=serial,group=16,vectors=1",
        ] {
            for len in self.lens([1000, 1, 31, 33]) {
                self.compaction::<u32>(
                    algorithm,
                    CompactSpec::new::<u32>(len as usize).moves(Moves::Both),
                    None,
                );
            }
            let masked = CompactSpec::new::<u64>(700).masked().moves(Moves::Values);
            self.compaction::<u64>(algorithm, masked, None);
        }
        for algorithm in ["select:vectors=1", "select:lanes=shared,group=8,vectors=1"] {
            for memory in [Memory::AllBut { percent: 50, seed: 1 }, Memory::Nothing] {
                let spec = CompactSpec::new::<u32>(200).moves(Moves::Both);
                self.compaction::<u32>(algorithm, spec, Some(memory));
            }
        }
    }
}

fn result<T: TestElement>(gpu: &Gpu, plan: &Plan, data: &[T]) -> Result<Vec<T>, String> {
    let run = || {
        let mut prepared = gpu.prepare(plan)?;
        let stream = prepared.upload(data)?;
        prepared.run(&stream)?.read()
    };
    run().map_err(|error| error.to_string())
}

/// The files of a plan's shaders, except those of elements and operators.
fn files(plan: &Plan) -> HashSet<String> {
    let mut found = HashSet::new();
    for pass in plan.passes() {
        let lanes = match &pass.command {
            Command::Dispatch(dispatch) => Some(format!("common/lanes/{}.glsl", dispatch.lanes.name())),
            _ => None,
        };
        for shader in pass.shaders() {
            found.insert(shader.path().to_owned());
            let mut texts = vec![shader.source()];
            while let Some(text) = texts.pop() {
                for line in text.lines().filter_map(|line| line.trim().strip_prefix("#include ")) {
                    let path = match line.trim() {
                        "<lanes>" => lanes.clone().unwrap_or_default(),
                        quoted => quoted.trim_matches('"').to_owned(),
                    };
                    let text = shader.included(&path);
                    texts.extend(text.filter(|_| found.insert(path)));
                }
            }
        }
    }
    found
}
