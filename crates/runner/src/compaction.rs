//! The Runner for compactions: the same cases for all of them, including the reference.

use rasterscan::compact;
use rasterscan::tools::problem::COMPACT;
use rasterscan::tools::registry::Choice;
use rasterscan::{CompactSpec, Compacted, Error, Gpu, Keep, Moves, Plan, Prepared, Stream, tools::Request};

use super::data::{TestElement, mix};
use super::kernels;

/// Every compaction with the variants on its card, which change its path through the code.
pub fn compactions() -> Vec<&'static str> {
    super::variants(COMPACT, false, |_| true)
}

/// Further scans of the flags, and further variants in tiles. They do not differ in anything that depends on the
/// element or the condition, and large tiles take llvmpipe a second to compile.
pub fn tiles() -> Vec<&'static str> {
    super::variants(COMPACT, true, |_| true)
}

/// The shape of an input: the elements to keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TestShape {
    /// This percentage, anywhere.
    Share(u32),
    /// Runs of kept and of unwanted elements, from 1 to some hundred long.
    Runs,
    Alternating,
    OnlyFirst,
    OnlyLast,
    /// The first and the last element.
    Ends,
    /// One in so many: the one with this number.
    OneIn(usize, usize),
    /// Clusters with gaps between them, both of any order of magnitude; the number is a seed.
    Clusters(u64),
}

pub const SHAPES: [TestShape; 13] = [
    TestShape::Share(0),
    TestShape::Share(1),
    TestShape::Share(30),
    TestShape::Share(60),
    TestShape::Share(70),
    TestShape::Share(99),
    TestShape::Share(100),
    TestShape::Runs,
    TestShape::Alternating,
    TestShape::OnlyFirst,
    TestShape::OnlyLast,
    TestShape::Ends,
    TestShape::OneIn(64, 63),
];

impl TestShape {
    /// For each of `len` elements, whether to keep it.
    pub fn kept(self, len: usize) -> Vec<bool> {
        let mut run = (0, false);
        (0..len)
            .map(|index| match self {
                TestShape::Share(share) => mix(11, index as u64) % 100 < u64::from(share),
                TestShape::Alternating => index % 2 == 1,
                TestShape::OnlyFirst => index == 0,
                TestShape::OnlyLast => index + 1 == len,
                TestShape::Ends => index == 0 || index + 1 == len,
                TestShape::OneIn(step, number) => index % step == number,
                TestShape::Clusters(seed) => {
                    if run.0 == 0 {
                        let random = mix(seed, index as u64);
                        // Kept runs are short: most of a long gap is what a search has to pass.
                        let most = if run.1 { 23 } else { 8 };
                        run = (1 + (random >> 32) % (1 << (random % most)), !run.1);
                    }
                    run.0 -= 1;
                    run.1
                }
                TestShape::Runs => {
                    if run.0 == 0 {
                        let random = mix(12, index as u64);
                        run = (1 << (random % 9), !run.1);
                    }
                    run.0 -= 1;
                    run.1
                }
            })
            .collect()
    }
}

pub fn compaction(text: &str) -> Choice {
    Choice::parse(COMPACT, text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Runs cases and counts them.
pub struct CompactRunner {
    pub gpu: Gpu,
    pub run: u64,
    pub compared: u64,
    /// The reasons why an algorithm or a device ruled cases out, with the number of cases of each.
    pub not_applicable: Vec<(String, u64)>,
}

impl CompactRunner {
    /// Runs on the context that all tests of a worker share.
    #[allow(clippy::new_without_default, reason = "an OpenGL context is not a default")]
    pub fn new() -> CompactRunner {
        CompactRunner { gpu: super::gpu(), run: 0, compared: 0, not_applicable: Vec::new() }
    }

    /// Runs one case: the unwanted elements are zero.
    pub fn case<T: TestElement>(&mut self, algorithm: &str, len: usize, shape: TestShape, moves: Moves) {
        self.inputs::<T>(algorithm, &CompactSpec::new::<T>(len).moves(moves), &[shaped(len, shape)]);
    }

    /// Runs all shapes one after the other on one prepared plan, so that each finds the leftovers of the last. If the
    /// spec has a mask, the mask has the shape and the elements are arbitrary.
    pub fn shapes<T: TestElement>(&mut self, algorithm: &str, spec: &CompactSpec) {
        let len = spec.len as usize;
        let inputs: Vec<Input<T>> = SHAPES
            .iter()
            .map(|&shape| match spec.keep {
                Keep::Condition(_) => shaped(len, shape),
                Keep::Mask => masked(len, shape),
            })
            .collect();
        self.inputs(algorithm, spec, &inputs);
    }

    /// Runs one case with the caller's data; `mask` is used if the spec has one.
    pub fn data<T: TestElement>(
        &mut self,
        algorithm: &str,
        spec: &CompactSpec,
        data: &[T],
        mask: &[u32],
        of: &str,
    ) {
        self.inputs(algorithm, spec, &[Input { data: data.into(), mask: mask.into(), of: of.into() }]);
    }

    /// Runs cases on one prepared plan.
    pub fn inputs<T: TestElement>(&mut self, algorithm: &str, spec: &CompactSpec, inputs: &[Input<T>]) {
        let plan = match compaction(algorithm).plan(spec, self.gpu.device()) {
            Ok(plan) => plan,
            Err(Error::Unsupported(reason)) => {
                return self.count_not_applicable(reason.to_string(), inputs.len() as u64);
            }
            Err(other) => panic!("{algorithm}, {spec}: {other}"),
        };
        let Some(plan) = plan else {
            inputs.iter().for_each(|input| self.oracle(spec, input));
            return;
        };
        let mut prepared =
            self.gpu.prepare(&plan).unwrap_or_else(|error| panic!("{algorithm}, {spec}: {error}\n{plan}"));
        for Input { data, mask, of } in inputs {
            let expected = compact::sequential(spec, data, mask).unwrap();
            let got = execute(&mut prepared, spec, data, mask)
                .unwrap_or_else(|error| panic!("{algorithm}, {spec}, {of}: {error}\n{plan}"));
            self.run += 1;
            let values = spec.moves.values().then_some(&got.values[..]);
            let indices = spec.moves.indices().then_some(&got.indices[..]);
            match expected.verify(got.count, values, indices) {
                Ok(compared) => self.compared += compared,
                Err(mismatch) => {
                    let columns = spec.columns.map_or("".into(), |columns| format!(", {columns} columns"));
                    let pass = self.first_wrong(&plan, spec, data, mask);
                    panic!(
                        "\n{algorithm} is wrong: {spec}{columns}, {of}\n  {mismatch}\n  first wrong pass: \
                         {pass}\n  again with: {}\n{plan}\n",
                        command(algorithm, spec, data, mask)
                    );
                }
            }
        }
    }

    /// Checks the reference against its definition.
    fn oracle<T: TestElement>(&mut self, spec: &CompactSpec, input: &Input<T>) {
        let kept = compact::sequential(spec, &input.data, &input.mask).unwrap();
        assert!(kept.indices.iter().zip(&kept.values).all(|(index, value)| {
            bytemuck::bytes_of(value) == bytemuck::bytes_of(&input.data[*index as usize])
        }));
        assert!(kept.indices.is_sorted_by(|a, b| a < b));
        self.run += 1;
    }

    /// The first pass whose output differs from that of its kernels on the same inputs.
    fn first_wrong<T: TestElement>(
        &self,
        plan: &Plan,
        spec: &CompactSpec,
        data: &[T],
        mask: &[u32],
    ) -> String {
        let trace = self.gpu.prepare(plan).and_then(|mut prepared| {
            let streams = upload(&prepared, spec, data, mask)?;
            prepared.trace(streams.iter().collect::<Vec<_>>())
        });
        match trace {
            Err(error) => format!("unknown, because the recording failed: {error}"),
            Ok(trace) => kernels::first_wrong(&trace)
                .unwrap_or_else(|| "none: each pass is right for its inputs".into()),
        }
    }

    fn count_not_applicable(&mut self, reason: String, cases: u64) {
        match self.not_applicable.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, count)) => *count += cases,
            None => self.not_applicable.push((reason, cases)),
        }
    }

    /// Prints the counts, and fails if nothing was compared.
    pub fn finish(&self, what: &str) {
        let level = self.gpu.device().level();
        println!("{what} on {level}: {} cases, {} numbers compared", self.run, self.compared);
        for (reason, count) in &self.not_applicable {
            println!("  not applicable, {count} cases: {reason}");
        }
        assert!(self.compared > 0, "{what}: nothing was compared");
    }
}

/// Elements that are zero if unwanted, and nonzero otherwise.
pub fn elements<T: TestElement>(kept: &[bool]) -> Vec<T> {
    use super::data::TestData;
    let value = |index: usize| {
        let value = T::number(&rasterscan::Operator::ADD, TestData::Random, index as u64);
        if value == T::ZERO { T::ONE } else { value }
    };
    kept.iter().enumerate().map(|(index, kept)| if *kept { value(index) } else { T::ZERO }).collect()
}

/// The input of a case.
pub struct Input<T> {
    pub data: Vec<T>,
    /// The mask, as long as the data, or empty without one.
    pub mask: Vec<u32>,
    /// The input in words.
    pub of: String,
}

/// An input whose unwanted elements are zero.
pub fn shaped<T: TestElement>(len: usize, shape: TestShape) -> Input<T> {
    Input { data: elements(&shape.kept(len)), mask: Vec::new(), of: format!("{shape:?}") }
}

/// An input of arbitrary elements, with a mask whose kept words have various nonzero values.
pub fn masked<T: TestElement>(len: usize, shape: TestShape) -> Input<T> {
    let nonzero = [1, 2, 0x8000_0000, 0xFFFF_FFFF, 0x0001_0000, 0x7F80_0000];
    let mask = shape.kept(len).into_iter().enumerate();
    let mask = mask.map(|(index, kept)| if kept { nonzero[index % nonzero.len()] } else { 0 }).collect();
    let data = elements(&TestShape::Share(50).kept(len));
    Input { data, mask, of: format!("a mask: {shape:?}") }
}

/// The results of a run.
pub struct Got<T> {
    pub count: u64,
    pub values: Vec<T>,
    pub indices: Vec<u32>,
}

pub fn upload<T: TestElement>(
    prepared: &Prepared,
    spec: &CompactSpec,
    data: &[T],
    mask: &[u32],
) -> Result<Vec<Stream>, Error> {
    let mut streams = vec![prepared.upload(data)?];
    if spec.keep == Keep::Mask {
        streams.push(prepared.upload_input(1, mask)?);
    }
    Ok(streams)
}

pub fn execute<T: TestElement>(
    prepared: &mut Prepared,
    spec: &CompactSpec,
    data: &[T],
    mask: &[u32],
) -> Result<Got<T>, Error> {
    let streams = upload(prepared, spec, data, mask)?;
    let kept = Compacted::try_from(prepared.run(&streams.iter().collect::<Vec<_>>())?)?;
    Ok(Got { count: kept.read_count()?, values: kept.read_values()?, indices: kept.read_indices()? })
}

/// Writes the data to files, and returns the command that reproduces the failure.
fn command<T: TestElement>(algorithm: &str, spec: &CompactSpec, data: &[T], mask: &[u32]) -> String {
    let name = format!("failed-{}-{}-{}", algorithm.replace([':', ',', '='], "-"), spec.element, spec.len);
    let folder = std::env::temp_dir();
    let file = folder.join(format!("{name}.bin"));
    std::fs::write(&file, bytemuck::cast_slice::<T, u8>(data)).unwrap();
    let mut masks = Vec::new();
    if spec.keep == Keep::Mask {
        let mask: Vec<u8> = mask.iter().map(|&word| u8::from(word != 0)).collect();
        let path = folder.join(format!("{name}-mask.npy"));
        std::fs::write(&path, npy_of_bytes(&mask)).unwrap();
        masks.push(("mask", path));
    }
    super::command(&Request::from(spec), algorithm, file, &masks)
}

fn npy_of_bytes(bytes: &[u8]) -> Vec<u8> {
    let mut header = format!("{{'descr': '|u1', 'fortran_order': False, 'shape': ({},), }}", bytes.len());
    while (header.len() + 11) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let mut file = b"\x93NUMPY\x01\x00".to_vec();
    file.extend((header.len() as u16).to_le_bytes());
    file.extend(header.as_bytes());
    file.extend(bytes);
    file
}
