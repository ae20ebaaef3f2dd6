//! The Runner: runs the same cases with all algorithms of the registry, including the reference, and reports a
//! failure completely: the index, the values, the pass, and the command that reproduces it.

use rasterscan::scan;
use rasterscan::tools::problem::SCAN;
use rasterscan::tools::registry::{Card, Choice};
use rasterscan::{
    ElementType, Error, Gpu, ScanSpec,
    tools::{Request, proof},
};

use super::data::{TestData, TestElement, input};
use super::kernels;

/// Runs cases and counts them.
pub struct Runner {
    pub gpu: Gpu,
    pub run: u64,
    /// The reasons why an algorithm or a device ruled cases out, with the number of cases of each.
    pub not_applicable: Vec<(String, u64)>,
    pub unbounded: u64,
    pub compared: u64,
    /// True if floats without any bound are expected. Otherwise there must be none.
    pub expects_unbounded: bool,
}

/// Every scan with the variants on its card, which change its path through the code.
pub fn algorithms() -> Vec<&'static str> {
    super::variants(SCAN, false, |_| true)
}

/// Further variants of the scans of blocks. Each takes llvmpipe a quarter of a second to compile, so these do not run
/// with every operator on every element: they differ only in addresses.
pub fn blocks() -> Vec<&'static str> {
    super::variants(SCAN, true, |card| !in_tiles(card))
}

/// Further variants of the scans in tiles. The larger the tile, the longer a driver compiles: the defaults take
/// llvmpipe two seconds for each element, operator and tuple.
pub fn tiles() -> Vec<&'static str> {
    super::variants(SCAN, true, in_tiles)
}

/// Returns true if work groups process the stream in tiles.
pub fn in_tiles(card: &Card) -> bool {
    card.parameters.iter().any(|parameter| parameter.name == "vectors")
}

pub fn choice(text: &str) -> Choice {
    Choice::parse(SCAN, text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

impl Runner {
    /// Runs on the context that all tests of a worker share.
    #[allow(clippy::new_without_default, reason = "an OpenGL context is not a default")]
    pub fn new() -> Runner {
        Runner {
            gpu: super::gpu(),
            run: 0,
            not_applicable: Vec::new(),
            unbounded: 0,
            compared: 0,
            expects_unbounded: false,
        }
    }

    /// Runs one case; a wrong result panics with everything about it.
    pub fn case<T: TestElement>(&mut self, algorithm: &str, spec: &ScanSpec, pattern: TestData) {
        let data: Vec<T> = input(spec, pattern);
        self.data(algorithm, spec, &data, &format!("{pattern:?} data"));
    }

    /// Runs one case with the caller's data.
    pub fn data<T: TestElement>(&mut self, algorithm: &str, spec: &ScanSpec, data: &[T], of: &str) {
        let choice = choice(algorithm);
        let plan = match choice.plan(spec, self.gpu.device()) {
            Ok(plan) => plan,
            Err(Error::Unsupported(reason)) => return self.count_not_applicable(reason.to_string()),
            Err(other) => panic!("{algorithm}, {spec}: {other}"),
        };
        self.plan(algorithm, spec, plan, data, of);
    }

    /// Runs one case with the caller's plan; `None` is the reference.
    pub fn plan<T: TestElement>(
        &mut self,
        algorithm: &str,
        spec: &ScanSpec,
        plan: Option<rasterscan::Plan>,
        data: &[T],
        of: &str,
    ) {
        let (result, depth) = match &plan {
            None => (scan::sequential(spec, data).unwrap(), spec.len),
            Some(plan) => {
                let result = self.execute(plan, data).unwrap_or_else(|error| {
                    panic!("{algorithm}, {spec}, {of}: {error}\n{plan}");
                });
                (result, plan.cost().depth.div_ceil(u64::from(spec.order)))
            }
        };
        self.run += 1;
        match scan::verify(spec, depth, data, &result) {
            Ok(verified) => {
                self.compared += verified.compared;
                self.unbounded += verified.unbounded;
            }
            Err(mismatch) => {
                let pass = plan.map_or("(no passes)".into(), |plan| self.first_wrong(&plan, data));
                panic!(
                    "\n{algorithm} is wrong: {spec}, {of}\n  {mismatch}\n  first wrong pass: {pass}\n  \
                     again with: {}\n",
                    command(algorithm, spec, data)
                );
            }
        }
    }

    /// Proves a scan at one length, by a run on intervals ([`rasterscan::tools::proof`]).
    pub fn proof(&mut self, algorithm: &str, spec: &ScanSpec) {
        let plan = choice(algorithm).plan(spec, self.gpu.device());
        let plan = plan.unwrap_or_else(|error| panic!("{algorithm}, {spec}: {error}")).expect("a plan");
        self.proof_by(algorithm, spec, &plan, "as planned");
    }

    /// Proves a scan with the caller's plan.
    pub fn proof_by(&mut self, algorithm: &str, spec: &ScanSpec, plan: &rasterscan::Plan, of: &str) {
        match spec.element {
            ElementType::U32 => self.proof_of::<u32>(algorithm, spec, plan, of),
            ElementType::I32 => self.proof_of::<i32>(algorithm, spec, plan, of),
            ElementType::F32 => self.proof_of::<f32>(algorithm, spec, plan, of),
            ElementType::U64 => self.proof_of::<u64>(algorithm, spec, plan, of),
            ElementType::I64 => self.proof_of::<i64>(algorithm, spec, plan, of),
        }
    }

    fn proof_of<T: TestElement>(
        &mut self,
        algorithm: &str,
        spec: &ScanSpec,
        plan: &rasterscan::Plan,
        of: &str,
    ) {
        let Some(data) = proof::input::<T>(spec) else { panic!("{spec} cannot be proven") };
        let result = self.execute(plan, &data);
        let result = result.unwrap_or_else(|error| panic!("{algorithm}, {spec}, {of}: {error}\n{plan}"));
        if let Err(mismatch) = proof::check(spec, &result) {
            let pass = self.first_wrong(plan, &data);
            panic!(
                "\n{algorithm} is wrong: {spec}, {of}\n  {mismatch}\n  first wrong pass: {pass}\n{plan}\n"
            );
        }
        self.run += 1;
        self.compared += spec.elements();
    }

    fn execute<T: TestElement>(&self, plan: &rasterscan::Plan, data: &[T]) -> Result<Vec<T>, Error> {
        let mut prepared = self.gpu.prepare(plan)?;
        let stream = prepared.upload(data)?;
        prepared.run(&stream)?.read()
    }

    /// The first pass whose output differs from that of its kernels on the same inputs.
    fn first_wrong<T: TestElement>(&self, plan: &rasterscan::Plan, data: &[T]) -> String {
        let trace = self.gpu.prepare(plan).and_then(|mut prepared| {
            let stream = prepared.upload(data)?;
            prepared.trace(&stream)
        });
        match trace {
            Err(error) => format!("unknown, because the recording failed: {error}"),
            Ok(trace) => kernels::first_wrong(&trace)
                .unwrap_or_else(|| "none: each pass is right for its inputs".into()),
        }
    }

    pub fn count_not_applicable(&mut self, reason: String) {
        match self.not_applicable.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, count)) => *count += 1,
            None => self.not_applicable.push((reason, 1)),
        }
    }

    /// Prints the counts, and fails if nothing was compared or if most of it could not be checked.
    pub fn finish(&self, what: &str) {
        println!(
            "{what} on {}: {} cases, {} numbers compared, {} unbounded",
            self.gpu.device().level(),
            self.run,
            self.compared,
            self.unbounded
        );
        for (reason, count) in &self.not_applicable {
            println!("  not applicable, {count} cases: {reason}");
        }
        assert!(self.compared > 0, "{what}: nothing was compared");
        assert!(self.expects_unbounded || self.unbounded == 0, "{what}: some could not be checked");
        assert!(self.unbounded <= self.compared, "{what}: most of it could not be checked");
    }
}

/// The command line that runs a failed case again, on a file of its data.
fn command<T: TestElement>(algorithm: &str, spec: &ScanSpec, data: &[T]) -> String {
    let name = format!(
        "failed-{}-{}-{}-{}.bin",
        algorithm.replace([':', '=', ','], "-"),
        spec.operator,
        spec.element,
        spec.len
    );
    let path = std::env::temp_dir().join(name);
    let written = std::fs::write(&path, bytemuck::cast_slice(data));
    let command = super::command(&Request::from(spec), algorithm, path, &[]);
    match written {
        Ok(()) => command,
        Err(error) => format!("{command} (but its data could not be written: {error})"),
    }
}
