//! The terms of a pass: the defines, uniforms, sources, bindings and targets that a plan gives to its shaders.

use std::rc::Rc;

use rasterscan::plan::{Layout, MapTwin, Uniform};

use crate::call::{Bound, Call};
use crate::{Error, Operation};

/// The terms of a pass, by the names that its shaders have for them. A kernel looks them up once.
pub struct Terms<'p> {
    call: &'p Call<'p>,
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
    pub(crate) fn new(call: &'p Call<'p>, shader: &'p str, operation: &Rc<Operation>, run: u32) -> Terms<'p> {
        Terms { call, shader, operation: Rc::clone(operation), run }
    }

    fn missing(&self, name: &str) -> Error {
        Error::NoName { pass: self.call.number + 1, shader: self.shader.into(), name: name.into() }
    }

    /// Whether a `#define` is given: `#ifdef`.
    pub fn has(&self, name: &str) -> bool {
        self.call.define(name).is_some()
    }

    /// The value of a `#define`.
    ///
    /// Errors: [`Error::NoName`].
    pub fn define(&self, name: &str) -> Result<i32, Error> {
        self.call.define(name).map(|value| value as i32).ok_or_else(|| self.missing(name))
    }

    /// The value of a `#define`, or 0 where it is not given.
    pub fn define_or_0(&self, name: &str) -> i32 {
        self.call.define(name).unwrap_or(0) as i32
    }

    /// Whether a `#define` is given and not 0.
    pub fn is_on(&self, name: &str) -> bool {
        self.call.define(name).is_some_and(|value| value != 0)
    }

    /// An `int` uniform.
    ///
    /// Errors: [`Error::NoName`].
    pub fn int(&self, name: &str) -> Result<i32, Error> {
        self.call.int(name).ok_or_else(|| self.missing(name))
    }

    /// A `uint` uniform.
    ///
    /// Errors: [`Error::NoName`].
    pub fn uint(&self, name: &str) -> Result<u32, Error> {
        match self.call.uniform(name) {
            Some(Uniform::Uint(value)) => Ok(value),
            _ => Err(self.missing(name)),
        }
    }

    /// An `ivec2` uniform.
    ///
    /// Errors: [`Error::NoName`].
    pub fn int2(&self, name: &str) -> Result<[i32; 2], Error> {
        match self.call.uniform(name) {
            Some(Uniform::Int2(value)) => Ok(value),
            _ => Err(self.missing(name)),
        }
    }

    /// The number of a stream under a name, and the stream.
    fn stream(&self, name: &str) -> Result<(usize, &Bound<'p>), Error> {
        let mut streams = self.call.streams.iter().enumerate();
        streams.find(|(_, stream)| stream.name == name).ok_or_else(|| self.missing(name))
    }

    /// The texture that a draw reads under a name.
    ///
    /// Errors: [`Error::NoName`].
    pub fn source(&self, name: &str) -> Result<Source, Error> {
        let (number, Bound { slot, layout, .. }) = self.stream(name)?;
        Ok(Source {
            number: number as u32,
            slot: *slot,
            shape: Shape::of(layout),
            texel_words: layout.words_per_texel() as usize,
            texel_items: layout.items_per_texel as usize,
        })
    }

    /// The buffer that a dispatch binds under a name.
    ///
    /// Errors: [`Error::NoName`].
    pub fn binding(&self, name: &str) -> Result<Binding, Error> {
        let (number, bound) = self.stream(name)?;
        let before = self.call.streams[..number].iter().filter(|stream| stream.written).count();
        Ok(Binding {
            number: number as u32,
            target: bound.written.then_some(before as u32),
            slot: bound.slot,
            first: bound.items.start as usize,
            len: (bound.items.end - bound.items.start) as usize,
            item_words: bound.layout.words_per_texel() as usize,
            to_the_end: bound.items.end == bound.layout.len,
        })
    }

    /// The shape of the first target: `u_target_shape`.
    pub fn target(&self) -> Shape {
        self.call.target.as_ref().map_or(Shape { width: 1, height: 1, len: 0 }, Shape::of)
    }

    /// The function of a map in Rust.
    ///
    /// Errors: [`Error::NoName`].
    pub fn map(&self) -> Result<MapTwin, Error> {
        self.call.twin.cloned().ok_or_else(|| self.missing("twin"))
    }

    /// Element and operator of the pass.
    pub fn operation(&self) -> Rc<Operation> {
        Rc::clone(&self.operation)
    }

    /// Work groups that were asked for: `u_groups`; 0 for a draw.
    pub fn groups(&self) -> i32 {
        self.call.groups as i32
    }

    /// Invocations in a work group: `GROUP`; 0 for a draw.
    pub fn invocations(&self) -> usize {
        self.call.invocations as usize
    }

    /// The lanes of a dispatch.
    pub fn lanes(&self) -> rasterscan::plan::Lanes {
        self.call.lanes
    }

    /// Runs since the states were cleared: `u_run`.
    pub fn run(&self) -> i32 {
        self.run as i32
    }
}
