//! A plan as text, one line per pass: the output of `-v`, and what snapshot tests compare.

use std::fmt;

use super::{Access, Command, Dispatch, Draw, Plan, Primitives, Slot, Uniform};

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |slot: super::Slot| self.slots()[slot.index()].name.as_str();
        match self.task.as_str() {
            "" => writeln!(f, "{}", self.name())?,
            task => writeln!(f, "{}: {task}", self.name())?,
        }
        for input in self.inputs() {
            writeln!(f, "  {}: {}", name(input), self.layout(input))?;
        }
        for (index, pass) in self.passes().iter().enumerate() {
            write!(f, "  {:>2} {:<10} {}", index + 1, pass.phase, pass.main_shader().path())?;
            match &pass.command {
                Command::Draw(draw) => drawn(f, draw, &name)?,
                Command::Dispatch(dispatch) => dispatched(f, dispatch, &name)?,
            }
            match &pass.command {
                Command::Draw(_) => write!(f, "; {} fetched", pass.cost.texels_read)?,
                Command::Dispatch(_) => write!(f, "; {} words moved", pass.cost.words_moved())?,
            }
            writeln!(f, ", {} adds", pass.cost.adds)?;
        }
        let cost = self.cost();
        let results: Vec<&str> = self.outputs().iter().map(|slot| name(*slot)).collect();
        writeln!(f, "  result: {}", results.join(", "))?;
        write!(f, "  {} passes", self.passes().len())?;
        if cost.texels_written > 0 {
            write!(f, ", {} texels read, {} written", cost.texels_read, cost.texels_written)?;
        }
        write!(f, ", {} words moved, {} adds, depth {}", cost.words_moved(), cost.adds, cost.depth)
    }
}

/// Writes what a draw draws, from which slots, and into which.
fn drawn<'a>(f: &mut fmt::Formatter<'_>, draw: &Draw, name: &impl Fn(Slot) -> &'a str) -> fmt::Result {
    match draw.primitives {
        Primitives::Screen => {}
        Primitives::Rectangle => write!(f, " in a rectangle")?,
        Primitives::Points(vertices) => write!(f, " at {vertices} points")?,
        Primitives::Lines(vertices) => write!(f, " along {} lines", vertices / 2)?,
        Primitives::Triangles(vertices) => write!(f, " in {} triangles", vertices / 3)?,
    }
    settings(f, &draw.defines, &draw.uniforms)?;
    for (sampler, slot) in &draw.reads {
        write!(f, " {sampler}={}", name(*slot))?;
    }
    for slot in &draw.attributes {
        write!(f, " vertices={}", name(*slot))?;
    }
    write!(f, " -> ")?;
    for (index, slot) in draw.writes.iter().enumerate() {
        write!(f, "{}{}", if index > 0 { ", " } else { "" }, name(*slot))?;
    }
    match &draw.captured[..] {
        [] => write!(f, " {} x {}", draw.region.width, draw.region.height),
        captured => write!(f, " captures {}", captured.join(", ")),
    }
}

/// Writes what a dispatch starts, with which lanes, and over which buffers.
fn dispatched<'a>(
    f: &mut fmt::Formatter<'_>,
    dispatch: &Dispatch,
    name: &impl Fn(Slot) -> &'a str,
) -> fmt::Result {
    write!(f, " in {} groups of {}, {} lanes", dispatch.groups, dispatch.invocations, dispatch.lanes.name())?;
    settings(f, &dispatch.defines, &dispatch.uniforms)?;
    let list = |f: &mut fmt::Formatter<'_>, wanted: &[Access]| {
        for (index, b) in dispatch.bindings.iter().filter(|b| wanted.contains(&b.access)).enumerate() {
            write!(f, "{}{}", if index > 0 { ", " } else { " " }, name(b.slot))?;
            if b.items.start > 0 {
                write!(f, "[{}..{}]", b.items.start, b.items.end)?;
            }
        }
        Ok(())
    };
    list(f, &[Access::Read])?;
    write!(f, " ->")?;
    list(f, &[Access::Write, Access::Update])
}

fn settings(
    f: &mut fmt::Formatter<'_>,
    defines: &[(&'static str, i64)],
    uniforms: &[(&'static str, Uniform)],
) -> fmt::Result {
    for (define, value) in defines {
        write!(f, " {define}={value}")?;
    }
    for (uniform, value) in uniforms {
        match value {
            Uniform::Int(x) => write!(f, " {uniform}={x}")?,
            Uniform::Int2([x, y]) => write!(f, " {uniform}=({x}, {y})")?,
        }
    }
    Ok(())
}
