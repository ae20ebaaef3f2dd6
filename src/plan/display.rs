//! A plan as text: one line a pass. What `-v` prints and what snapshot tests compare.

use std::fmt;

use super::{Command, Plan, Uniform};

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |slot: super::Slot| self.slots()[slot.index()].name.as_str();
        match self.task.as_str() {
            "" => writeln!(f, "{}", self.name)?,
            task => writeln!(f, "{}: {task}", self.name)?,
        }
        writeln!(f, "  {}: {}", name(self.input()), self.layout(self.input()))?;
        for (index, pass) in self.passes().iter().enumerate() {
            let Command::Draw(draw) = &pass.command;
            write!(f, "  {:>2} {:<10} {}", index + 1, pass.phase, draw.shader.path)?;
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
            write!(f, " -> ")?;
            for (index, slot) in draw.writes.iter().enumerate() {
                write!(f, "{}{}", if index > 0 { ", " } else { "" }, name(*slot))?;
            }
            writeln!(
                f,
                " {} x {}; {} fetched, {} adds",
                draw.region.width, draw.region.height, pass.cost.texels_read, pass.cost.adds
            )?;
        }
        let cost = self.cost();
        writeln!(f, "  result: {}", name(self.output()))?;
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
