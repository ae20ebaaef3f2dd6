//! A plan as text, one line per pass: the output of `-v`, and what snapshot tests compare.

use std::fmt;

use super::{Access, Command, Dispatch, Draw, Plan, Primitives, Slot, Uniform};
use crate::printable::counted;

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
            if let Some(map) = pass.map_name() {
                write!(f, " with {map}")?;
            }
            match &pass.command {
                Command::Draw(draw) => drawn(f, draw, &name)?,
                Command::Dispatch(dispatch) => dispatched(f, dispatch, &name)?,
            }
            match &pass.command {
                Command::Draw(_) => write!(f, "; {} fetched", counted(pass.cost.texels_read, "texel"))?,
                Command::Dispatch(_) => write!(f, "; {} moved", counted(pass.cost.words_moved(), "word"))?,
            }
            writeln!(f, ", {}", counted(pass.cost.adds, "add"))?;
        }
        let cost = self.cost();
        let results: Vec<&str> = self.outputs().iter().map(|slot| name(*slot)).collect();
        writeln!(f, "  result: {}", results.join(", "))?;
        write!(f, "  {}", counted(self.passes().len() as u64, "pass"))?;
        if cost.texels_written > 0 {
            write!(f, ", {} read, {} written", counted(cost.texels_read, "texel"), cost.texels_written)?;
        }
        let (words, adds) = (counted(cost.words_moved(), "word"), counted(cost.adds, "add"));
        write!(f, ", {words} moved, {adds}, depth {}", cost.depth)
    }
}

/// Writes what a draw draws, from which slots, and into which.
fn drawn<'a>(f: &mut fmt::Formatter<'_>, draw: &Draw, name: &impl Fn(Slot) -> &'a str) -> fmt::Result {
    match draw.primitives {
        Primitives::Screen => {}
        Primitives::Rectangle => write!(f, " in a rectangle")?,
        Primitives::Points(vertices) => write!(f, " at {}", counted(vertices, "point"))?,
        Primitives::Lines(vertices) => write!(f, " along {}", counted(vertices / 2, "line"))?,
        Primitives::Triangles(vertices) => write!(f, " in {}", counted(vertices / 3, "triangle"))?,
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
    let groups = counted(dispatch.groups, "group");
    write!(f, " in {groups} of {}, {} lanes", dispatch.invocations, dispatch.lanes.name())?;
    if let Some(runs @ 2..) = dispatch.first_of_runs {
        write!(f, ", once in {runs} runs")?;
    }
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
        write!(f, " {uniform}={value}")?;
    }
    Ok(())
}
