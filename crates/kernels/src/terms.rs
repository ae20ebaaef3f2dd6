//! The terms of a pass: the defines, uniforms, sources, bindings and targets that a plan gives to its shaders.

use std::rc::Rc;

use rasterscan::plan::{Access, Command, Layout, MapTwin, Pass, Plan, Slot, Uniform};

use crate::{Error, Operation};

/// The terms of a pass, by the names that its shaders have for them. A kernel looks them up once.
pub struct Terms<'p> {
    plan: &'p Plan,
    pass: &'p Pass,
    number: usize,
    shader: &'p str,
    operation: Rc<Operation>,
    run: u32,
}

/// The columns, rows and items of a texture: `<sampler>_shape`.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    /// Columns.
    pub width: i32,
    /// Rows.
    pub height: i32,
    /// Items.
    pub len: i32,
}

/// Column and row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Texel {
    /// The column.
    pub x: i32,
    /// The row.
    pub y: i32,
}

impl Shape {
    /// The shape of a layout.
    pub fn of(layout: &Layout) -> Shape {
        Shape { width: layout.width as i32, height: layout.height as i32, len: layout.len as i32 }
    }

    /// The texel at an index: `texel_at` and `texel_in`.
    pub fn texel(&self, index: i32) -> Texel {
        Texel { x: index % self.width, y: index / self.width }
    }

    /// The index of a texel.
    pub fn index(&self, texel: Texel) -> i32 {
        texel.y * self.width + texel.x
    }

    /// The texel `distance` texels to the left: (d % width, d / width). Its row is negative if there is none.
    pub fn left_of(&self, texel: Texel, [x, y]: [i32; 2]) -> Texel {
        let left = Texel { x: texel.x - x, y: texel.y - y };
        if left.x < 0 { Texel { x: left.x + self.width, y: left.y - 1 } } else { left }
    }
}

/// A texture, or a buffer as one, that a draw reads.
#[derive(Debug, Clone, Copy)]
pub struct Source {
    /// The number among the pass's sources.
    pub(crate) number: u32,
    pub(crate) slot: usize,
    /// Its shape.
    pub shape: Shape,
    /// Words of items in a texel.
    pub texel_words: usize,
    /// Items in a texel.
    pub texel_items: usize,
}

/// A part of a buffer that a dispatch binds.
#[derive(Debug, Clone, Copy)]
pub struct Binding {
    /// The number among the pass's bindings.
    pub(crate) number: u32,
    /// The number among its targets, if it is written.
    pub(crate) target: Option<u32>,
    pub(crate) slot: usize,
    /// The first item that is bound.
    pub(crate) first: usize,
    /// Items that are bound.
    pub len: usize,
    /// Words of an item.
    pub item_words: usize,
    /// Whether it reaches to the end of the buffer, so that the last vector may reach past it.
    pub(crate) to_the_end: bool,
}

impl<'p> Terms<'p> {
    pub(crate) fn new(
        plan: &'p Plan,
        number: usize,
        shader: &'p str,
        operation: &Rc<Operation>,
        run: u32,
    ) -> Terms<'p> {
        let pass = &plan.passes()[number];
        Terms { plan, pass, number, shader, operation: Rc::clone(operation), run }
    }

    fn missing(&self, name: &str) -> Error {
        Error::NoName { pass: self.number + 1, shader: self.shader.into(), name: name.into() }
    }

    fn given(&self, name: &str) -> Option<i64> {
        let defines = match &self.pass.command {
            Command::Draw(draw) => &draw.defines,
            Command::Dispatch(dispatch) => &dispatch.defines,
            _ => return None,
        };
        // A later one takes the place of an earlier one of the same name.
        defines.iter().rev().find(|(given, _)| *given == name).map(|(_, value)| *value)
    }

    /// Whether a `#define` is given: `#ifdef`.
    pub fn has(&self, name: &str) -> bool {
        self.given(name).is_some()
    }

    /// The value of a `#define`.
    ///
    /// Errors: [`Error::NoName`].
    pub fn define(&self, name: &str) -> Result<i32, Error> {
        self.given(name).map(|value| value as i32).ok_or_else(|| self.missing(name))
    }

    /// The value of a `#define`, or 0 where it is not given.
    pub fn define_or_0(&self, name: &str) -> i32 {
        self.given(name).unwrap_or(0) as i32
    }

    /// Whether a `#define` is given and not 0.
    pub fn is_on(&self, name: &str) -> bool {
        self.given(name).is_some_and(|value| value != 0)
    }

    fn uniform(&self, name: &str) -> Result<Uniform, Error> {
        let uniforms = match &self.pass.command {
            Command::Draw(draw) => &draw.uniforms,
            Command::Dispatch(dispatch) => &dispatch.uniforms,
            _ => return Err(self.missing(name)),
        };
        let found = uniforms.iter().rev().find(|(given, _)| *given == name);
        found.map(|(_, value)| *value).ok_or_else(|| self.missing(name))
    }

    /// An `int` uniform.
    ///
    /// Errors: [`Error::NoName`].
    pub fn int(&self, name: &str) -> Result<i32, Error> {
        match self.uniform(name)? {
            Uniform::Int(value) => Ok(value),
            _ => Err(self.missing(name)),
        }
    }

    /// An `ivec2` uniform.
    ///
    /// Errors: [`Error::NoName`].
    pub fn int2(&self, name: &str) -> Result<[i32; 2], Error> {
        match self.uniform(name)? {
            Uniform::Int2(value) => Ok(value),
            _ => Err(self.missing(name)),
        }
    }

    /// The texture that a draw reads under a name.
    ///
    /// Errors: [`Error::NoName`].
    pub fn source(&self, name: &str) -> Result<Source, Error> {
        let Command::Draw(draw) = &self.pass.command else { return Err(self.missing(name)) };
        let found = draw.reads.iter().position(|(given, _)| *given == name);
        let number = found.ok_or_else(|| self.missing(name))?;
        let slot = draw.reads[number].1;
        let layout = self.plan.layout(slot);
        Ok(Source {
            number: number as u32,
            slot: slot.index(),
            shape: Shape::of(layout),
            texel_words: layout.words_per_texel() as usize,
            texel_items: layout.items_per_texel as usize,
        })
    }

    /// The buffer that a dispatch binds under a name.
    ///
    /// Errors: [`Error::NoName`].
    pub fn binding(&self, name: &str) -> Result<Binding, Error> {
        let Command::Dispatch(dispatch) = &self.pass.command else { return Err(self.missing(name)) };
        let found = dispatch.bindings.iter().position(|binding| binding.name == name);
        let number = found.ok_or_else(|| self.missing(name))?;
        let binding = &dispatch.bindings[number];
        let layout = self.plan.layout(binding.slot);
        let written = |binding: &rasterscan::plan::Binding| binding.access != Access::Read;
        let before = dispatch.bindings[..number].iter().filter(|binding| written(binding)).count();
        Ok(Binding {
            number: number as u32,
            target: written(binding).then_some(before as u32),
            slot: binding.slot.index(),
            first: binding.items.start as usize,
            len: (binding.items.end - binding.items.start) as usize,
            item_words: layout.words_per_texel() as usize,
            to_the_end: binding.items.end == layout.len,
        })
    }

    /// The shape of the first target: `u_target_shape`.
    pub fn target(&self) -> Shape {
        let target = match &self.pass.command {
            Command::Draw(draw) => draw.writes.first().copied(),
            _ => None,
        };
        target.map_or(Shape { width: 1, height: 1, len: 0 }, |slot: Slot| Shape::of(self.plan.layout(slot)))
    }

    /// The function of a map in Rust.
    ///
    /// Errors: [`Error::NoName`].
    pub fn map(&self) -> Result<MapTwin, Error> {
        self.pass.main_shader().twin().cloned().ok_or_else(|| self.missing("twin"))
    }

    /// Element and operator of the pass.
    pub fn operation(&self) -> Rc<Operation> {
        Rc::clone(&self.operation)
    }

    /// Work groups that were asked for: `u_groups`; 0 for a draw.
    pub fn groups(&self) -> i32 {
        match &self.pass.command {
            Command::Dispatch(dispatch) => dispatch.groups as i32,
            _ => 0,
        }
    }

    /// Invocations in a work group: `GROUP`; 0 for a draw.
    pub fn invocations(&self) -> usize {
        match &self.pass.command {
            Command::Dispatch(dispatch) => dispatch.invocations as usize,
            _ => 0,
        }
    }

    /// The lanes of a dispatch.
    pub fn lanes(&self) -> rasterscan::plan::Lanes {
        match &self.pass.command {
            Command::Dispatch(dispatch) => dispatch.lanes,
            _ => rasterscan::plan::Lanes::Serial,
        }
    }

    /// Runs since the states were cleared: `u_run`.
    pub fn run(&self) -> i32 {
        self.run as i32
    }
}
