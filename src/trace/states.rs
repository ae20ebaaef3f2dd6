//! The states that tiles publish while they run, as they were when they were published or found.

/// One use of a word of a state. Its content at the end of the pass is another: states change while tiles look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StateAccess {
    /// Work group × invocations in a group + the invocation's index in it.
    pub invocation: u32,
    /// The number of barriers that the group had passed.
    pub epoch: u32,
    /// The access's number among those of the invocation since that barrier, from 0.
    pub number: u32,
    /// The tile, or chunk, that the group worked on.
    pub tile: u32,
    /// The state's stream, by its number among the pass's sources.
    pub source: u32,
    /// The index in the stream.
    pub index: u32,
    /// The two words that were published or found: each is half of a word of the sum above the status in 16 bits. Where
    /// nothing was found, the sum is that of nothing, and the status the only one that was accepted, or 0.
    pub words: [u32; 2],
    /// What was done with it.
    pub act: StateAct,
}

/// What a tile does with a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StateAct {
    /// It publishes its own.
    Published,
    /// It finds another's and combines it with what it has.
    Combined,
    /// It does not find another's, and computes that tile itself.
    Missing,
}

impl StateAct {
    /// The act by its number in `glsl/scan/common/states.glsl`.
    pub(crate) fn of(number: u32) -> Option<StateAct> {
        [StateAct::Published, StateAct::Combined, StateAct::Missing]
            .into_iter()
            .find(|act| act.number() == number)
    }

    /// Its number in `glsl/scan/common/states.glsl`.
    pub(crate) fn number(self) -> u32 {
        match self {
            StateAct::Published => 1,
            StateAct::Combined => 2,
            StateAct::Missing => 3,
        }
    }
}

impl StateAccess {
    /// The status: 0 for a tile that has published nothing.
    pub fn status(&self) -> u32 {
        self.words[0] & 0xFFFF
    }

    /// The word of the sum.
    pub fn word(&self) -> u32 {
        self.words[0] >> 16 | self.words[1] & 0xFFFF_0000
    }
}
