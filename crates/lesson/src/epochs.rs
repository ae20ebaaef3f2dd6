//! The stages of a work group that scans a block, from barrier to barrier.
//!
//! A recording numbers the intervals between barriers by the barriers that the group has passed: the *epoch*. The loop
//! of the shader that an epoch belongs to follows from the size of the block: the shaders of `glsl/scan/harris/` and
//! `glsl/scan/capannini/` pass a barrier after each level or step.

use std::fmt;

use rasterscan::trace::Recording;

use super::scene::Scene;

/// A part of the scan of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// The items of the block, or its tree, are loaded into shared memory.
    Load,
    /// A level of the up-sweep, by the d of the pseudo-code: from 0, where neighbours are combined.
    Up(u32),
    /// The root is set to the total before the block.
    Root,
    /// A level of the down-sweep, by the d of the pseudo-code: down to 0.
    Down(u32),
    /// A step of a scan without a tree, by the d of the pseudo-code: from 1.
    Step(u32),
    /// The results are stored from shared memory.
    Store,
}

impl Stage {
    /// The name in the marks of the pseudo-code.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Load => "load",
            Stage::Up(_) => "up",
            Stage::Root => "root",
            Stage::Down(_) => "down",
            Stage::Step(_) => "step",
            Stage::Store => "store",
        }
    }

    /// Returns whether it belongs to the loops that combine items, the only ones that the K-model counts.
    pub fn is_counted(self) -> bool {
        matches!(self, Stage::Up(_) | Stage::Down(_) | Stage::Step(_))
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stage::Load => write!(f, "the block is loaded"),
            Stage::Up(d) => write!(f, "up-sweep, d = {d}"),
            Stage::Root => write!(f, "the root is set"),
            Stage::Down(d) => write!(f, "down-sweep, d = {d}"),
            Stage::Step(d) => write!(f, "the loop, d = {d}"),
            Stage::Store => write!(f, "the result is stored"),
        }
    }
}

/// The stages of a pass's groups in each epoch, from 0; empty if they are not known. Most epochs have one stage.
pub fn stages(recording: &Recording, pass: usize) -> Vec<Vec<Stage>> {
    let known = || {
        let scene = Scene::new(recording, pass)?;
        let block = scene.positive("BLOCK").filter(|block| block.is_power_of_two())?;
        of_shader(scene.shader(), block.trailing_zeros())
    };
    known().unwrap_or_default()
}

fn of_shader(shader: &str, levels: u32) -> Option<Vec<Vec<Stage>>> {
    let up = || (0..levels).map(|d| vec![Stage::Up(d)]);
    let down = || (0..levels).rev().map(|d| vec![Stage::Down(d)]);
    let steps = |barriers| (1..=levels).flat_map(move |d| vec![vec![Stage::Step(d)]; barriers]);
    let loops: Vec<Vec<Stage>> = match shader {
        "scan/harris/naive.comp" => steps(1).collect(),
        // In place: a barrier separates the loads of a step from its stores.
        "scan/capannini/cm.comp" => steps(2).collect(),
        "scan/harris/work_efficient.comp" => {
            // The invocation that computes the root's sum clears it at once.
            let mut up: Vec<Vec<Stage>> = up().collect();
            up.last_mut()?.push(Stage::Root);
            up.into_iter().chain(down()).collect()
        }
        "scan/capannini/scan.comp" => up().chain([vec![Stage::Root]]).chain(down()).collect(),
        "scan/capannini/up_sweep.comp" => up().collect(),
        "scan/capannini/down_sweep.comp" => [vec![Stage::Root]].into_iter().chain(down()).collect(),
        _ => return None,
    };
    Some([vec![vec![Stage::Load]], loops, vec![vec![Stage::Store]]].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_of_four_by_hand() {
        let told = |shader| -> Vec<String> {
            let stages = of_shader(shader, 2).unwrap();
            stages
                .iter()
                .map(|of| of.iter().map(|stage| stage.name()).collect::<Vec<_>>().join("+"))
                .collect()
        };
        assert_eq!(told("scan/harris/naive.comp"), ["load", "step", "step", "store"]);
        assert_eq!(told("scan/capannini/cm.comp"), ["load", "step", "step", "step", "step", "store"]);
        assert_eq!(
            told("scan/harris/work_efficient.comp"),
            ["load", "up", "up+root", "down", "down", "store"]
        );
        assert_eq!(told("scan/capannini/scan.comp"), ["load", "up", "up", "root", "down", "down", "store"]);
        assert_eq!(told("scan/capannini/up_sweep.comp"), ["load", "up", "up", "store"]);
        assert_eq!(told("scan/capannini/down_sweep.comp"), ["load", "root", "down", "down", "store"]);
        assert_eq!(of_shader("scan/look_back/scan.comp", 2), None);
    }
}
