//! The program of one texel: its shader, run on the CPU with what the pass could read, a step at a time, with the texel's
//! own numbers in the place of names.
//!
//! A recording holds what a shader read and wrote, not how it came from one to the other. So the text itself is run again, for
//! one fragment. It counts only if it arrives at what the GPU wrote.

mod run;
mod syntax;
mod value;

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use rasterscan::plan::{Dialect, Pass, Uniform, expand};
use rasterscan::tools::record::plan_to_record;
use rasterscan::tools::registry::Choice;
use rasterscan::trace::{Place, Recording, ShaderText, Work};

use crate::guard::expand as preprocess;
use crate::scene::Scene;
use run::{Machine, Texture};
use syntax::{LINES, Part, Type, Unit};
use value::{Number, Value};

/// The program of a texel.
#[derive(Debug, Clone, PartialEq)]
pub struct Program {
    /// The path of its shader below `glsl/`.
    pub path: String,
    /// The shader's own lines.
    pub lines: Vec<ProgramLine>,
    /// The steps, in the order in which they ran.
    pub steps: Vec<Step>,
    /// True if it writes its texel.
    pub writes: bool,
}

/// A line of a shader.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramLine {
    /// The text.
    pub text: String,
    /// False if the preprocessor leaves it out in this pass.
    pub live: bool,
}

/// A step of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The line, from 1.
    pub line: usize,
    /// The step in numbers: `item = combine(ping[5] = 7, 14) = 21`.
    pub text: String,
    /// The texels that it read, of the pass's sources.
    pub reads: Vec<Place>,
}

/// The programs of all texels of a pass that draws.
pub struct Programs<'a> {
    scene: Scene<'a>,
    main: Stage<'a>,
    /// The vertex shader, if fragments get anything from it.
    vertex: Option<Stage<'a>>,
}

impl<'a> Programs<'a> {
    /// Those of a pass, from 0. Cost: building the plan, and parsing its shader.
    ///
    /// Errors, in words for the reader: work groups, whose invocations share memory; a shader that is not known.
    pub fn new(recording: &'a Recording, pass: usize) -> Result<Programs<'a>, String> {
        let scene = Scene::new(recording, pass).ok_or("There is no such pass.")?;
        match scene.pass.work {
            Work::Draw { .. } => {}
            Work::Capture { .. } => return Err("Vertices make this pass, and no texel.".into()),
            Work::Dispatch { .. } => {
                return Err(
                    "Invocations of a work group make this pass together, through shared memory.".into()
                );
            }
        }
        let main = scene.stage(".frag")?;
        let takes = main.unit.globals.iter().any(|(part, ..)| *part == Part::In);
        let vertex = if takes { Some(scene.stage(".vert")?) } else { None };
        Ok(Programs { scene, main, vertex })
    }

    /// The program of a texel: row x width + column in the first target. Cost: one fragment.
    ///
    /// Errors, in words for the reader: a texel that was not drawn; a text that arrives at other numbers than the GPU did.
    pub fn at(&self, texel: u32) -> Result<Program, String> {
        let Programs { scene, main, vertex } = self;
        let target = scene.pass.targets.first().ok_or("This pass writes nothing.")?;
        let width = scene.recording.layout(target.stream).width;
        let centre = |at: u32| Number::Float(at as f32 + 0.5);
        let place =
            vec![centre(texel % width), centre(texel / width), Number::Float(0.0), Number::Float(1.0)];
        let mut machine = scene.machine(&main.unit)?;
        machine.globals.insert("gl_FragCoord".into(), Value::Vector(place));
        if let Some(vertex) = vertex {
            machine.globals.extend(scene.outputs_of(vertex, texel)?);
        }
        let writes = machine.run()?;
        if writes {
            scene.check(&machine, &main.unit, texel as usize)?;
        }
        let line = |(number, text): (usize, &str)| ProgramLine {
            text: text.into(),
            live: main.live.contains(&(number as u32)),
        };
        let lines = (main.above + 1..).zip(main.text.text.lines()).map(line).collect();
        let mut steps = machine.steps;
        steps.iter_mut().for_each(|step| step.line -= main.above);
        Ok(Program { path: main.text.path.clone(), lines, steps, writes })
    }
}

/// A stage, parsed.
struct Stage<'a> {
    text: &'a ShaderText,
    unit: Unit,
    /// The lines above its own first one.
    above: usize,
    /// Its own lines that the preprocessor leaves.
    live: BTreeSet<u32>,
}

impl<'a> Scene<'a> {
    /// The stage whose file ends so, with all that it includes.
    fn stage(&self, ending: &str) -> Result<Stage<'a>, String> {
        let text = self.pass.shaders.iter().find(|shader| shader.path.ends_with(ending));
        let text = text.ok_or("This pass has no fragment shader.")?;
        let unknown = || format!("The files that glsl/{} includes are not known.", text.path);
        let problem = self.recording.request.problem();
        let choice = Choice::parse(problem, &self.recording.algorithm).map_err(|_| unknown())?;
        let plan = plan_to_record(&choice, &self.recording.request, &rasterscan_kernels::device());
        let plan = plan.map_err(|_| unknown())?;
        // The same pass, or another one with the same shader.
        let mut found = plan.passes().get(self.number).into_iter().chain(plan.passes());
        let known = |pass: &'_ Pass| {
            let shader = pass.shaders().into_iter().find(|shader| shader.path() == text.path)?.clone();
            Some((pass.item.clone(), shader))
        };
        let (item, shader) = found.find_map(known).ok_or_else(unknown)?;
        let defines = self.pass.defines.iter().filter(|(name, _)| !name.starts_with("RECORD"));
        let defines: String = defines.map(|(name, value)| format!("#define {name} {value}\n")).collect();
        let shader = shader.with_source(format!("{defines}{}", text.text));
        let composed = expand(&shader, Dialect::Gl, &item, &[]).map_err(|error| error.to_string())?;
        let tokens = preprocess::expand(&composed.source).map_err(|wrong| wrong.to_string())?.tokens;
        let lines = tokens.iter().map(|token| token.at.line);
        Ok(Stage {
            text,
            unit: syntax::parse(&tokens)?,
            above: defines.lines().count(),
            live: lines.filter(|line| *line < LINES).collect(),
        })
    }

    /// A machine with the uniforms and the textures of the pass.
    fn machine<'m>(&'m self, unit: &'m Unit) -> Result<Machine<'m>, String> {
        let mut textures = HashMap::new();
        let mut globals: HashMap<Rc<str>, Value> = HashMap::new();
        let shape = |stream: usize| {
            let layout = self.recording.layout(stream);
            let log = layout.width_log2().map_or(-1, |log| log as i32);
            let numbers = [layout.width as i32, log, layout.height as i32, layout.len as i32];
            Value::Vector(numbers.map(Number::Int).to_vec())
        };
        for (part, kind, name, _) in &unit.globals {
            if *part != Part::Uniform {
                continue;
            }
            let source = |name: &str| (0..).zip(&self.pass.sources).find(|(_, source)| source.name == name);
            let value = match kind {
                Type::Sampler(..) => {
                    let (of, source) = source(name).ok_or_else(|| format!("{name} is not bound."))?;
                    let words =
                        self.recording.before(self.number, source.stream).map_or(&[][..], |of| of.words());
                    let layout = self.recording.layout(source.stream);
                    let (name_of, kind) = (self.recording.name(source.stream), kind.clone());
                    textures.insert(name.clone(), Texture { of, name: name_of, layout, words, kind });
                    Value::Sampler(name.clone())
                }
                _ => match (name.strip_suffix("_shape"), self.uniform(name).and_then(value_of)) {
                    (_, Some(value)) => value,
                    (Some("u_target"), _) => shape(self.pass.targets[0].stream),
                    (Some(of), _) => shape(source(of).ok_or_else(|| format!("{of} is not bound."))?.1.stream),
                    _ => return Err(format!("The recording has no value of {name}.")),
                },
            };
            globals.insert(name.clone(), value);
        }
        let mut machine = Machine::new(unit, textures);
        machine.globals = globals;
        Ok(machine)
    }

    /// The outputs of the vertex that decides for a texel: the last one of its primitive.
    fn outputs_of(&self, stage: &Stage, texel: u32) -> Result<Vec<(Rc<str>, Value)>, String> {
        if self.pass.shaders.iter().any(|shader| shader.path.ends_with(".geom")) {
            return Err("A geometry shader made the vertices of this texel.".into());
        }
        let vertex = *self.pass.drawers(texel).last().ok_or("Nothing was drawn over this texel.")?;
        let unit = &stage.unit;
        let mut machine = self.machine(unit)?;
        machine.globals.insert("gl_VertexID".into(), Value::Number(Number::Int(vertex as i32)));
        for (part, of, name, _) in &unit.globals {
            if *part == Part::In {
                machine.globals.insert(name.clone(), self.attribute(unit, of, name, vertex)?);
            }
        }
        machine.run()?;
        let outputs = unit.globals.iter().filter(|(part, ..)| *part == Part::Out);
        Ok(outputs.filter_map(|(_, _, name, _)| machine.globals.remove_entry(name)).collect())
    }

    /// The item of a buffer that a vertex has.
    fn attribute(&self, unit: &Unit, of: &Type, name: &Rc<str>, vertex: usize) -> Result<Value, String> {
        let number = unit.locations.get(name).copied().unwrap_or(0);
        let source = self.pass.sources.iter().filter(|source| source.name == "attribute").nth(number);
        let stream = source.ok_or_else(|| format!("{name} is not bound."))?.stream;
        let words = self.recording.before(self.number, stream).map_or(&[][..], |of| of.words());
        let count = self.recording.layout(stream).words_per_texel() as usize;
        let (kind, size) = match of {
            Type::Scalar(kind) => (*kind, 1),
            Type::Vector(kind, size) => (*kind, *size),
            _ => return Err(format!("{name} has another type.")),
        };
        let word = |i| words.get(vertex * count + i).copied().filter(|_| i < count).unwrap_or(0);
        Ok(Value::of_numbers((0..size).map(|i| Number::of_word(kind, word(i))).collect()))
    }

    /// Errors if the machine wrote other words than the GPU.
    fn check(&self, machine: &Machine, unit: &Unit, texel: usize) -> Result<(), String> {
        let mut outputs: HashMap<usize, Vec<u32>> = HashMap::new();
        for (part, _, name, _) in &unit.globals {
            if *part != Part::Out {
                continue;
            }
            let first = unit.locations.get(name).copied().unwrap_or(0);
            let words = |value: &Value| value.numbers().iter().map(|number| number.word()).collect();
            match machine.globals.get(name) {
                Some(Value::Array(values)) => {
                    outputs.extend(values.iter().enumerate().map(|(i, value)| (first + i, words(value))));
                }
                Some(value) => drop(outputs.insert(first, words(value))),
                None => {}
            }
        }
        let mut location = 0;
        for target in &self.pass.targets {
            let layout = self.recording.layout(target.stream);
            let in_texel = layout.words_per_texel() as usize;
            let got: Vec<u32> = (0..layout.planes() as usize)
                .filter_map(|plane| outputs.get(&(location + plane)))
                .flat_map(|words| words.iter().take(layout.format().words as usize).copied())
                .collect();
            location += layout.planes() as usize;
            let words = target.values.words();
            let expected = &words[words.len().min(texel * in_texel)..words.len().min((texel + 1) * in_texel)];
            if got.get(..expected.len()) != Some(expected) {
                return Err(match machine.reads_padding {
                    true => "It reads past the end of a stream, of which the recording has nothing.".into(),
                    false => "Run on the CPU, this text arrives at other numbers than the GPU wrote.".into(),
                });
            }
        }
        Ok(())
    }
}

/// The value of a uniform; `None` for one of a type that no recording has.
fn value_of(uniform: Uniform) -> Option<Value> {
    Some(match uniform {
        Uniform::Int(value) => Value::Number(Number::Int(value)),
        Uniform::Int2(values) => Value::Vector(values.map(Number::Int).to_vec()),
        Uniform::Uint(value) => Value::Number(Number::Uint(value)),
        Uniform::Float(value) => Value::Number(Number::Float(value)),
        _ => return None,
    })
}
