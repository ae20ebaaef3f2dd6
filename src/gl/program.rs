//! Programs: compiled once for each expanded source, with errors that name a file and a line.

use std::cell::RefCell;

use glow::HasContext;

use super::binaries::{self, ProgramCache};
use super::bound;
use super::dispatch::has_texel_loads;
use super::functions::GlFunctions;
use super::gpu::Gpu;
use crate::device::Device;
use crate::element::ElementType;
use crate::error::Error;
use crate::operator::Operator;
use crate::plan::{
    Command, Dialect, Expanded, ItemType, Pass, Plan, Shader, Stages, Uniform, expand_between, shader,
};

/// The key of a program: equal keys share one program.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ProgramKey {
    dialect: Dialect,
    sources: Sources,
    defines: Vec<(&'static str, i64)>,
    item: ItemType,
    captured: Vec<&'static str>,
    recording: Records,
}

/// The data that a program records besides its results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Records {
    /// Nothing: the shader as it stands.
    Nothing,
    /// The fragments' reads, in two targets after the draw's own.
    Fragments {
        /// Targets of the draw itself.
        own_targets: u32,
    },
    /// The vertices' reads and positions, captured; the later stages are left out.
    Vertices,
    /// The positions of vertices from the last stage before the fragments, captured.
    Positions,
    /// The accesses of invocations, in the buffer of this binding.
    Accesses {
        /// The number of that buffer's binding.
        binding: u32,
    },
}

impl Records {
    fn captured(self) -> &'static [&'static str] {
        match self {
            Records::Vertices => &["gl_Position", "v_reads_low", "v_reads_high"],
            Records::Positions => &["gl_Position"],
            _ => &[],
        }
    }

    /// Defines of a stage, and the shaders placed before and after it.
    fn of_stage(self, kind: u32) -> (Vec<(&'static str, i64)>, Option<[Shader; 2]>) {
        let begin = shader!("common/record/begin.glsl");
        match self {
            Records::Fragments { own_targets } if kind == glow::FRAGMENT_SHADER => {
                let low = i64::from(own_targets);
                let defines = vec![("RECORDED", 1), ("RECORD_LOW", low), ("RECORD_HIGH", low + 1)];
                (defines, Some([begin, shader!("common/record/fragment.glsl")]))
            }
            Records::Vertices if kind == glow::VERTEX_SHADER => {
                (vec![("RECORDED", 1)], Some([begin, shader!("common/record/vertex.glsl")]))
            }
            Records::Accesses { binding } => (vec![("RECORDED", binding.into())], None),
            _ => (Vec::new(), None),
        }
    }
}

/// The shaders of a program.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Sources {
    Draw(Stages),
    Compute(Shader),
}

impl Sources {
    fn main(&self) -> &Shader {
        match self {
            Sources::Draw(stages) => stages.main(),
            Sources::Compute(shader) => shader,
        }
    }
}

impl ProgramKey {
    /// The key of a pass's program. The context must be current.
    pub fn of(gpu: &Gpu, plan: &Plan, pass: &Pass) -> ProgramKey {
        let dialect = pass.dialect(gpu.device().api, plan.slots());
        let mut defines = pass.defines();
        let (sources, captured) = match &pass.command {
            Command::Draw(draw) => (Sources::Draw(draw.stages.clone()), draw.captured.clone()),
            Command::Dispatch(dispatch) => {
                let lockstep = gpu.lockstep();
                if dispatch.invocations <= lockstep {
                    defines.push(("LOCKSTEP", lockstep.into()));
                }
                if has_texel_loads(gpu, plan, dispatch) {
                    defines.push(("TEXEL_LOADS", 1));
                }
                (Sources::Compute(dispatch.shader.clone()), Vec::new())
            }
        };
        let recording = Records::Nothing;
        ProgramKey { dialect, sources, defines, item: pass.item.clone(), captured, recording }
    }

    /// The same program, which also records.
    pub fn recording(self, recording: Records) -> ProgramKey {
        let sources = match self.sources {
            Sources::Draw(stages) if recording == Records::Vertices => {
                Sources::Draw(Stages { geometry: None, fragment: None, ..stages })
            }
            sources => sources,
        };
        let captured = match recording.captured() {
            [] => self.captured,
            captured => captured.to_vec(),
        };
        ProgramKey { sources, captured, recording, ..self }
    }

    /// Returns true if a stage's text is rewritten, so the program is one of many that are tried.
    pub fn is_edited(&self) -> bool {
        match &self.sources {
            Sources::Draw(Stages { vertex, geometry, fragment }) => {
                [Some(vertex), geometry.as_ref(), fragment.as_ref()]
                    .into_iter()
                    .flatten()
                    .any(|s| s.rewrite().is_some())
            }
            Sources::Compute(shader) => shader.rewrite().is_some(),
        }
    }

    /// The program's name for readers: its shader, element and operator.
    pub fn name(&self) -> String {
        format!("glsl/{} ({} {})", self.sources.main().path(), self.item.element, self.item.operator)
    }

    /// A compute program outside of any plan, for no particular element.
    pub fn compute(dialect: Dialect, shader: Shader, defines: Vec<(&'static str, i64)>) -> ProgramKey {
        ProgramKey {
            dialect,
            sources: Sources::Compute(shader),
            defines,
            item: ItemType { element: ElementType::U32, operator: Operator::ADD },
            captured: Vec::new(),
            recording: Records::Nothing,
        }
    }

    /// A program outside of any plan, for no particular element.
    pub fn bare(dialect: Dialect, vertex: Shader, fragment: Shader) -> ProgramKey {
        ProgramKey {
            dialect,
            sources: Sources::Draw(Stages { vertex, geometry: None, fragment: Some(fragment) }),
            defines: Vec::new(),
            item: ItemType { element: ElementType::U32, operator: Operator::ADD },
            captured: Vec::new(),
            recording: Records::Nothing,
        }
    }
}

/// A linked program. Its context deletes it.
pub struct Program {
    /// The OpenGL name.
    pub id: glow::Program,
    uniforms: RefCell<Vec<UniformSlot>>,
}

/// A uniform that some pass sets, if the program has it, and its current value: setting it again to the same value costs GPU time in a chain
/// of passes (0.7 microseconds per pass on an H200).
struct UniformSlot {
    name: String,
    location: Option<glow::UniformLocation>,
    value: Option<Value>,
}

/// The value of a uniform as last set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value {
    /// An `int`.
    Int(i32),
    /// An `ivec2`.
    Int2([i32; 2]),
    /// An `ivec4`.
    Int4([i32; 4]),
    /// A `uint`.
    Uint(u32),
    /// A `float`, as its bits: another zero or another NaN is another value.
    Float(u32),
}

impl From<Uniform> for Value {
    fn from(value: Uniform) -> Value {
        match value {
            Uniform::Int(x) => Value::Int(x),
            Uniform::Int2(xy) => Value::Int2(xy),
            Uniform::Uint(x) => Value::Uint(x),
            Uniform::Float(x) => Value::Float(x.to_bits()),
        }
    }
}

/// A program that the driver is at work on.
pub struct Started {
    program: glow::Program,
    /// The stages that it is linked of; none if it was kept.
    stages: Vec<(glow::Shader, Stage)>,
    /// The name under which its binary is kept.
    name: Option<String>,
}

/// A stage's text.
struct Stage {
    kind: u32,
    path: String,
    expanded: Expanded,
}

/// The programs that a cache keeps for a device.
#[derive(Clone, Copy)]
pub struct Kept<'a> {
    /// The cache.
    pub cache: &'a dyn ProgramCache,
    /// The device.
    pub device: &'a Device,
}

impl Started {
    /// Asks the driver to compile and link a program, or takes the binary that is kept. Does not wait for it: drivers
    /// compile several programs at a time.
    ///
    /// Errors: [`Error::Include`], [`Error::Gl`].
    pub fn new(gl: &GlFunctions, key: &ProgramKey, kept: Option<Kept>) -> Result<Started, Error> {
        let stages = stages(key)?;
        // An edited text is one of many that are tried.
        let name = kept.filter(|_| !key.is_edited()).map(|Kept { device, .. }| {
            let texts: Vec<_> = stages.iter().map(|stage| (stage.kind, &*stage.expanded.source)).collect();
            binaries::name_of(device, &texts, &key.captured)
        });
        if let (Some(Kept { cache, .. }), Some(name)) = (kept, &name) {
            // SAFETY: the context is current.
            if let Some(program) = unsafe { binaries::find(gl, cache, name) } {
                return Ok(Started { program, stages: Vec::new(), name: Some(name.clone()) });
            }
        }
        Started::compiling(gl, key, stages, name)
    }

    /// Asks the driver to compile and link these stages.
    fn compiling(
        gl: &GlFunctions,
        key: &ProgramKey,
        stages: Vec<Stage>,
        name: Option<String>,
    ) -> Result<Started, Error> {
        let failed = |what| Error::Gl { during: "compiling", what };
        // SAFETY: the context is current.
        unsafe {
            let program = gl.create_program().map_err(failed)?;
            let mut started = Started { program, stages: Vec::new(), name };
            for stage in stages {
                let shader = match gl.create_shader(stage.kind) {
                    Ok(shader) => shader,
                    Err(what) => {
                        started.discard(gl);
                        return Err(failed(what));
                    }
                };
                gl.shader_source(shader, &stage.expanded.source);
                gl.compile_shader(shader);
                gl.attach_shader(program, shader);
                started.stages.push((shader, stage));
            }
            if !key.captured.is_empty() {
                gl.transform_feedback_varyings(program, &key.captured, glow::SEPARATE_ATTRIBS);
            }
            if started.name.is_some() {
                gl.program_binary_retrievable_hint(program, true);
            }
            gl.link_program(program);
            Ok(started)
        }
    }

    /// Returns true if [`Self::finish`] does not wait. The driver must have a way to tell.
    pub fn is_complete(&self, gl: &glow::Context) -> bool {
        // SAFETY: the context is current, and the program is ours.
        unsafe { gl.get_program_completion_status(self.program) }
    }

    /// Waits for the program, and keeps its binary if it is a new one.
    ///
    /// Errors: [`Error::Shader`].
    pub fn finish(self, gl: &GlFunctions, key: &ProgramKey, kept: Option<Kept>) -> Result<Program, Error> {
        let program = self.program;
        // SAFETY: the context is current; the program and its shaders are ours.
        unsafe {
            let linked = gl.get_program_link_status(program);
            let was_kept = self.stages.is_empty();
            if linked {
                if let (Some(Kept { cache, .. }), Some(name), false) = (kept, &self.name, was_kept) {
                    binaries::keep(gl, cache, name, program);
                }
                self.delete_shaders(gl);
                return Ok(Program { id: program, uniforms: RefCell::default() });
            }
            if was_kept {
                // The driver refuses it.
                delete(gl, program);
                return Started::compiling(gl, key, stages(key)?, self.name)?.finish(gl, key, kept);
            }
            let error = self.error(gl, key);
            self.discard(gl);
            Err(error)
        }
    }

    /// Why it is not linked.
    ///
    /// # Safety
    ///
    /// The context must be current.
    unsafe fn error(&self, gl: &glow::Context, key: &ProgramKey) -> Error {
        // SAFETY: by the caller's promise; the objects are ours.
        unsafe {
            for (shader, stage) in &self.stages {
                if !gl.get_shader_compile_status(*shader) {
                    if let Some(error) = operator_error(gl, key) {
                        return error;
                    }
                    let ItemType { element, operator } = &key.item;
                    let shader_is = format!("glsl/{} ({element} {operator})", stage.path);
                    let log = stage.expanded.locate(&gl.get_shader_info_log(*shader));
                    return Error::Shader { shader: shader_is, log };
                }
            }
            Error::Shader { shader: key.name(), log: gl.get_program_info_log(self.program) }
        }
    }

    /// # Safety
    ///
    /// The context must be current.
    unsafe fn delete_shaders(&self, gl: &glow::Context) {
        for (shader, _) in &self.stages {
            // SAFETY: by the caller's promise; the shaders are attached, and ours.
            unsafe {
                gl.detach_shader(self.program, *shader);
                gl.delete_shader(*shader);
            }
        }
    }

    /// Gives it up.
    ///
    /// # Safety
    ///
    /// The context must be current.
    pub unsafe fn discard(self, gl: &GlFunctions) {
        // SAFETY: by the caller's promise; the objects are ours.
        unsafe {
            self.delete_shaders(gl);
            delete(gl, self.program);
        }
    }
}

/// Deletes a program of ours. If it is current, it is unbound: otherwise it would stay current, and nothing that saves the
/// current program could make it current again.
///
/// # Safety
///
/// The context must be current.
pub unsafe fn delete(gl: &GlFunctions, program: glow::Program) {
    // SAFETY: by the caller's promise.
    unsafe {
        let was_whole = bound::program(gl).is_ok();
        gl.delete_program(program);
        gl.forget_program();
        if was_whole && bound::program(gl).is_err() {
            gl.use_program(None);
        }
    }
}

/// The fault in an operator of the caller's, if its text does not compile by itself: a shader that contains it may
/// only fail further down, in a file of the library's.
///
/// # Safety
///
/// The context must be current.
unsafe fn operator_error(gl: &glow::Context, key: &ProgramKey) -> Option<Error> {
    let ItemType { element, operator } = &key.item;
    let operator = operator.values().unwrap_or(operator);
    if operator.is_built_in() {
        return None;
    }
    let item = ItemType { element: *element, operator: operator.clone() };
    let text =
        "#include \"common/item.glsl\"\nvoid main() { Item item = combine(identity(), identity()); }\n";
    let expanded = expand_between(&Shader::new("use.frag", text), key.dialect, &item, &[], None).ok()?;
    // SAFETY: by the caller's promise; the shader is ours.
    let log = unsafe {
        let shader = gl.create_shader(glow::FRAGMENT_SHADER).ok()?;
        gl.shader_source(shader, &expanded.source);
        gl.compile_shader(shader);
        let log = (!gl.get_shader_compile_status(shader)).then(|| gl.get_shader_info_log(shader));
        gl.delete_shader(shader);
        log?
    };
    // The library's files compile: what is wrong in them is missing in the operator, at its end.
    let end = format!("operator {operator}:{}", operator.glsl().lines().count());
    let lines = expanded.locate(&log);
    let lines: Vec<String> = lines
        .lines()
        .map(|line| match line.strip_prefix("glsl/").and_then(|rest| rest.split_once(": ")) {
            Some((_, message)) => format!("{end}: {message}"),
            None => line.to_owned(),
        })
        .collect();
    Some(Error::Shader { shader: format!("operator {operator} ({element})"), log: lines.join("\n") })
}

/// The texts of a program's stages, in the order in which data flows.
fn stages(key: &ProgramKey) -> Result<Vec<Stage>, Error> {
    // ES cannot link a program without a fragment stage, not even for captures.
    let nothing = shader!("common/nothing.frag");
    let stages = match &key.sources {
        Sources::Draw(Stages { vertex, geometry, fragment }) => [
            (glow::VERTEX_SHADER, Some(vertex)),
            (glow::GEOMETRY_SHADER, geometry.as_ref()),
            (glow::FRAGMENT_SHADER, fragment.as_ref().or(Some(&nothing))),
        ],
        Sources::Compute(shader) => {
            [(glow::COMPUTE_SHADER, Some(shader)), (glow::NONE, None), (glow::NONE, None)]
        }
    };
    let stages = stages.into_iter().filter_map(|(kind, shader)| Some((kind, shader?)));
    stages
        .map(|(kind, shader)| {
            let (mut defines, around) = key.recording.of_stage(kind);
            defines.extend(&key.defines);
            let expanded = expand_between(shader, key.dialect, &key.item, &defines, around)?;
            Ok(Stage { kind, path: shader.path().into(), expanded })
        })
        .collect()
}

impl Program {
    /// Compiles and links a program.
    ///
    /// Errors: [`Error::Include`], [`Error::Shader`], [`Error::Gl`].
    pub fn compile(gl: &GlFunctions, key: &ProgramKey) -> Result<Program, Error> {
        Started::new(gl, key, None)?.finish(gl, key, None)
    }

    /// The number of a uniform, for [`Self::set`]; `None` if the program has no such uniform. The context must be current
    /// when a name is asked for the first time.
    pub fn uniform(&self, gl: &glow::Context, name: &str) -> Option<usize> {
        let mut uniforms = self.uniforms.borrow_mut();
        let index = uniforms.iter().position(|uniform| uniform.name == name).unwrap_or_else(|| {
            // SAFETY: the context is current, and the program is its own.
            let location = unsafe { gl.get_uniform_location(self.id, name) };
            uniforms.push(UniformSlot { name: name.into(), location, value: None });
            uniforms.len() - 1
        });
        uniforms[index].location.is_some().then_some(index)
    }

    /// The primitives that a program with a geometry stage emits: points, lines or triangles.
    pub fn geometry_output(&self, gl: &glow::Context) -> u32 {
        // SAFETY: the context is current, and the program is linked, with a geometry stage.
        match unsafe { gl.get_program_parameter_i32(self.id, glow::GEOMETRY_OUTPUT_TYPE) } as u32 {
            glow::LINE_STRIP => glow::LINES,
            glow::TRIANGLE_STRIP => glow::TRIANGLES,
            _ => glow::POINTS,
        }
    }

    /// Checks the uniforms of a program with a caller's text: those that are `given`, and that every other one is among
    /// `set`. Programs are shared, so that one left alone would have the value that another plan gave it.
    ///
    /// Errors: [`Error::UniformType`], [`Error::UnsetUniform`].
    pub fn check_uniforms(
        &self,
        gl: &glow::Context,
        given: &[(&'static str, Uniform)],
        set: &[usize],
    ) -> Result<(), Error> {
        let uniforms = self.uniforms.borrow();
        // SAFETY: the context is current, and the numbers are those of the program's uniforms.
        for number in 0..unsafe { gl.get_active_uniforms(self.id) } {
            // SAFETY: as above.
            let Some(own) = (unsafe { gl.get_active_uniform(self.id, number) }) else { continue };
            // SAFETY: as above. Members of blocks have no location.
            if unsafe { gl.get_uniform_location(self.id, &own.name) }.is_none() {
                continue;
            }
            if !set.iter().any(|index| uniforms[*index].name == own.name) {
                return Err(Error::UnsetUniform { name: own.name });
            }
            let Some((name, value)) = given.iter().rev().find(|(name, _)| *name == own.name) else {
                continue;
            };
            let expected = match own.utype {
                glow::INT => "int",
                glow::INT_VEC2 => "ivec2",
                glow::UNSIGNED_INT => "uint",
                glow::FLOAT => "float",
                _ => "another type",
            };
            if expected != value.glsl_type() {
                return Err(Error::UniformType { name: (*name).into(), got: value.glsl_type(), expected });
            }
        }
        Ok(())
    }

    /// Sets a uniform of this program, which must be in use, unless it already has that value.
    pub fn set(&self, gl: &glow::Context, uniform: usize, value: Value) {
        let uniform = &mut self.uniforms.borrow_mut()[uniform];
        if uniform.value.replace(value) == Some(value) {
            return;
        }
        let location = uniform.location.as_ref();
        // SAFETY: the context is current, and the location is of this program.
        unsafe {
            match value {
                Value::Int(x) => gl.uniform_1_i32(location, x),
                Value::Int2([x, y]) => gl.uniform_2_i32(location, x, y),
                Value::Int4([x, y, z, w]) => gl.uniform_4_i32(location, x, y, z, w),
                Value::Uint(x) => gl.uniform_1_u32(location, x),
                Value::Float(x) => gl.uniform_1_f32(location, f32::from_bits(x)),
            }
        }
    }
}
