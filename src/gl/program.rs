//! Programs: compiled once for each expanded source, with errors that name a file and a line.

use std::cell::RefCell;

use glow::HasContext;

use super::gpu::Gpu;
use crate::element::ElementType;
use crate::error::Error;
use crate::operator::Operator;
use crate::plan::{Command, Dialect, ItemType, Pass, Plan, Shader, Stages, Uniform, expand_between, shader};

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

/// A uniform that some pass sets, and its current value: setting it again to the same value costs GPU time in a chain
/// of passes (0.7 microseconds per pass on an H200).
struct UniformSlot {
    name: String,
    location: glow::UniformLocation,
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
}

impl From<Uniform> for Value {
    fn from(value: Uniform) -> Value {
        match value {
            Uniform::Int(x) => Value::Int(x),
            Uniform::Int2(xy) => Value::Int2(xy),
        }
    }
}

impl Program {
    /// Compiles and links the program.
    pub fn compile(gl: &glow::Context, key: &ProgramKey) -> Result<Program, Error> {
        let mut compiled = Vec::new();
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
        let result = stages
            .into_iter()
            .filter_map(|(kind, shader)| Some((kind, shader?)))
            .try_for_each(|(kind, shader)| {
                compiled.push(compile(gl, kind, key, shader)?);
                Ok(())
            })
            .and_then(|()| link(gl, key, &compiled));
        for shader in compiled {
            // SAFETY: the context is current, and the shader is its own.
            unsafe { gl.delete_shader(shader) };
        }
        result
    }

    /// The number of a uniform, for [`Self::set`]; `None` if the program has no such uniform.
    pub fn uniform(&self, gl: &glow::Context, name: &str) -> Option<usize> {
        let mut uniforms = self.uniforms.borrow_mut();
        if let Some(index) = uniforms.iter().position(|uniform| uniform.name == name) {
            return Some(index);
        }
        // SAFETY: the context is current, and the program is its own.
        let location = unsafe { gl.get_uniform_location(self.id, name) }?;
        uniforms.push(UniformSlot { name: name.into(), location, value: None });
        Some(uniforms.len() - 1)
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

    /// Sets a uniform of this program, which must be in use, unless it already has that value.
    pub fn set(&self, gl: &glow::Context, uniform: usize, value: Value) {
        let uniform = &mut self.uniforms.borrow_mut()[uniform];
        if uniform.value.replace(value) == Some(value) {
            return;
        }
        let location = Some(&uniform.location);
        // SAFETY: the context is current, and the location is of this program.
        unsafe {
            match value {
                Value::Int(x) => gl.uniform_1_i32(location, x),
                Value::Int2([x, y]) => gl.uniform_2_i32(location, x, y),
                Value::Int4([x, y, z, w]) => gl.uniform_4_i32(location, x, y, z, w),
            }
        }
    }
}

fn compile(gl: &glow::Context, kind: u32, key: &ProgramKey, shader: &Shader) -> Result<glow::Shader, Error> {
    let (mut defines, around) = key.recording.of_stage(kind);
    defines.extend(&key.defines);
    let expanded = expand_between(shader, key.dialect, &key.item, &defines, around)?;
    let failed = |log| Error::Shader {
        shader: format!("glsl/{} ({} {})", shader.path(), key.item.element, key.item.operator),
        log,
    };
    // SAFETY: the context is current.
    unsafe {
        let id = gl.create_shader(kind).map_err(failed)?;
        gl.shader_source(id, &expanded.source);
        gl.compile_shader(id);
        if gl.get_shader_compile_status(id) {
            return Ok(id);
        }
        let log = expanded.locate(&gl.get_shader_info_log(id));
        gl.delete_shader(id);
        Err(failed(log))
    }
}

fn link(gl: &glow::Context, key: &ProgramKey, shaders: &[glow::Shader]) -> Result<Program, Error> {
    let failed = |log| Error::Shader { shader: format!("glsl/{}", key.sources.main().path()), log };
    // SAFETY: the context is current, and the shaders are its own.
    unsafe {
        let program = gl.create_program().map_err(failed)?;
        for &shader in shaders {
            gl.attach_shader(program, shader);
        }
        if !key.captured.is_empty() {
            gl.transform_feedback_varyings(program, &key.captured, glow::SEPARATE_ATTRIBS);
        }
        gl.link_program(program);
        for &shader in shaders {
            gl.detach_shader(program, shader);
        }
        if gl.get_program_link_status(program) {
            return Ok(Program { id: program, uniforms: RefCell::default() });
        }
        let log = gl.get_program_info_log(program);
        gl.delete_program(program);
        Err(failed(log))
    }
}
