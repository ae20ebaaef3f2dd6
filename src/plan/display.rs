//! A plan as text: one line a pass. What `-v` prints and what snapshot tests compare.

use std::fmt;

use super::{Command, Plan, Primitives, Uniform};

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |slot: super::Slot| self.slots()[slot.index()].name.as_str();
        match self.task.as_str() {
            "" => writeln!(f, "{}", self.name)?,
            task => writeln!(f, "{}: {task}", self.name)?,
        }
        for input in self.inputs() {
            writeln!(f, "  {}: {}", name(input), self.layout(input))?;
        }
        for (index, pass) in self.passes().iter().enumerate() {
            let Command::Draw(draw) = &pass.command;
            write!(f, "  {:>2} {:<10} {}", index + 1, pass.phase, draw.stages.main().path)?;
            match draw.primitives {
                Primitives::Screen => {}
                Primitives::Rectangle => write!(f, " in a rectangle")?,
                Primitives::Points(vertices) => write!(f, " at {vertices} points")?,
                Primitives::Lines(vertices) => write!(f, " along {} lines", vertices / 2)?,
                Primitives::Triangles(vertices) => write!(f, " in {} triangles", vertices / 3)?,
            }
            for (define, value) in &draw.defines {
                write!(f, " {define}={value}")?;
            }
            for (uniform, value) in &draw.uniforms {
                match value {
                    Uniform::Int(x) => write!(f, " {uniform}={x}")?,
                    Uniform::Int2([x, y]) => write!(f, " {uniform}=({x}, {y})")?,
                }
            }
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
                [] => write!(f, " {} x {}", draw.region.width, draw.region.height)?,
                captured => write!(f, " captures {}", captured.join(", "))?,
            }
            writeln!(f, "; {} fetched, {} adds", pass.cost.texels_read, pass.cost.adds)?;
        }
        let cost = self.cost();
        let results: Vec<&str> = self.outputs().iter().map(|slot| name(*slot)).collect();
        writeln!(f, "  result: {}", results.join(", "))?;
        write!(
            f,
            "  {} passes, {} texels read, {} written, {} words moved, {} adds, depth {}",
            self.passes().len(),
            cost.texels_read,
            cost.texels_written,
            cost.words_moved(),
            cost.adds,
            cost.depth
        )
    }
}
