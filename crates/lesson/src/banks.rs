//! The accesses of a dispatch to the banks of shared memory, in the order in which warps make them, and their bank
//! conflicts.
//!
//! Source: harris2007, "Avoiding Bank Conflicts"; capannini2011, section III. Of k banks, word a lies in bank a mod k,
//! and k consecutive invocations make an access together. A bank serves one address at a time, so a step takes as many
//! turns as its busiest bank has different addresses to serve: its *degree*. Requests for the same address are served
//! together.
//!
//! ```
//! use rasterscan::trace::SharedAccess;
//! use rasterscan_lesson::banks::SharedMemory;
//!
//! // Four invocations, four banks: every other address, as a tree in place has them after one level.
//! let access = |invocation: u32| SharedAccess {
//!     invocation, epoch: 1, number: 0, array: 0, address: 2 * invocation, written: false, words: [0; 4],
//! };
//! let accesses: Vec<SharedAccess> = (0..4).map(access).collect();
//! let memory = SharedMemory::new(&accesses, 4, 4, 1);
//! assert_eq!(memory.steps[0].degree, 2); // addresses 0 and 4 share bank 0, 2 and 6 bank 2
//! assert_eq!((memory.turns(), memory.turns_without_conflicts()), (2, 1));
//! ```

use std::collections::BTreeMap;

use rasterscan::tools::printable::counted;
use rasterscan::trace::{Recording, SharedAccess, Work};
use rasterscan_kmodel::{Counts, Model, Pattern, corrected, simulate};

use super::listing::parameter;
use super::scene::Scene;
use super::shared::{self, Stage};

/// Banks of shared memory, if a shader does not define how many it is made for: those of today's GPUs.
pub const BANKS: u64 = 32;

/// The accesses of a dispatch, step by step.
#[derive(Debug, Clone, PartialEq)]
pub struct SharedMemory {
    /// Number of banks, and of invocations that make an access together.
    pub banks: u64,
    /// Words at one address.
    pub item_words: u32,
    /// The steps, sorted by work group, then warp, then time.
    pub steps: Vec<BankStep>,
}

/// One access that a warp makes at a time.
#[derive(Debug, Clone, PartialEq)]
pub struct BankStep {
    /// The work group, from 0.
    pub group: u32,
    /// The warp in its group, from 0: `banks` invocations each.
    pub warp: u32,
    /// Barriers that the group had passed.
    pub epoch: u32,
    /// The number of the access since the barrier, from 0.
    pub number: u32,
    /// The number of the shared array.
    pub array: u32,
    /// True if it is a store.
    pub written: bool,
    /// The accesses, sorted by invocation.
    pub accesses: Vec<SharedAccess>,
    /// Turns that the step takes: different words in the busiest bank.
    pub degree: u64,
    /// Turns that the same words would take if they were spread evenly over all banks.
    pub least: u64,
}

impl BankStep {
    /// Returns whether a bank is asked for more words than an even spread needs.
    pub fn conflicts(&self) -> bool {
        self.degree > self.least
    }
}

/// The K-model's counts for one block of the same size, on as many banks, with the same access pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Predicted {
    /// The access pattern.
    pub pattern: Pattern,
    /// The size of the block, and the number of banks.
    pub model: Model,
    /// The part of the scan that the pass does.
    pub way: Sweep,
    /// T, W, l and G of the paper, for the stores of sums in the up-sweep, or in all steps of CM. A pass that only does
    /// the down-sweep stores no sums.
    pub counts: Counts,
    /// The turns of all loads and stores of the pass's part.
    pub whole: u64,
}

/// The price of an access pattern in the K-model, for a block and a part of its scan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Price {
    /// The turns of all loads and stores.
    pub turns: u64,
    /// Words of shared memory that stay free.
    pub padding: u64,
    /// Stores more than in place: of the left operands that sums replace. Loads are as many in every tree.
    pub kept: u64,
}

/// The part of a block's scan that a pass does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sweep {
    /// Up the tree.
    Up,
    /// Down the tree.
    Down,
    /// Up the tree and down again.
    Both,
    /// Steps over all items, without a tree.
    Steps,
}

/// The recorded turns of a work group, to compare with the K-model's counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Taken {
    /// Turns of the stores of sums, as [`Counts::latency`].
    pub sums: u64,
    /// Turns of all loads and stores of the loops. [`Predicted::whole`] is near: in the down-sweep, the shaders of
    /// harris2007 load an operand twice and LeftRight does not store what is already in place; CM stores unchanged
    /// items.
    pub whole: u64,
}

/// The accesses of a pass; `None` if none were recorded.
pub fn of(recording: &Recording, pass: usize) -> Option<SharedMemory> {
    let scene = Scene::new(recording, pass)?;
    let Work::Dispatch { invocations, .. } = scene.pass.work else { return None };
    if scene.pass.shared.is_empty() {
        return None;
    }
    Some(SharedMemory::new(&scene.pass.shared, invocations, number(&scene), item_words(recording)))
}

fn item_words(recording: &Recording) -> u32 {
    let item = recording.request.item();
    item.operator.item_words(item.element)
}

/// The number of banks that a shader is made for, or the one asked for if the shader does not depend on it.
pub(super) fn number(scene: &Scene) -> u64 {
    let log = scene.number_of("LOG_NUM_BANKS").or_else(|| scene.number_of("LOG_BANKS"));
    let defined = log.filter(|log| *log <= 10).map(|log| 1 << log);
    let asked = || parameter(&scene.recording.algorithm, "banks")?.parse().ok();
    defined.or_else(|| asked().filter(|banks| (1..=1024).contains(banks))).unwrap_or(BANKS)
}

/// The K-model's counts for a pass that scans blocks; `None` for any other pass, and for items of more than one word,
/// which the model does not cover.
pub fn predicted(recording: &Recording, pass: usize) -> Option<Predicted> {
    let scene = Scene::new(recording, pass)?;
    if item_words(recording) != 1 {
        return None;
    }
    let model =
        Model::new(scene.number_of("BLOCK").filter(|block| *block <= 1 << 16)?, number(&scene)).ok()?;
    let spans = shared::spans(recording, pass);
    let has = |wanted: fn(&Stage) -> bool| spans.iter().any(|span| wanted(&span.stage));
    let up = has(|stage| matches!(stage, Stage::Up(_)));
    let way = match (up, has(|stage| matches!(stage, Stage::Down(_)))) {
        (true, true) => Sweep::Both,
        (true, false) => Sweep::Up,
        (false, true) => Sweep::Down,
        (false, false) if has(|stage| matches!(stage, Stage::Step(_))) => Sweep::Steps,
        (false, false) => return None,
    };
    let pattern = match (scene.define("PADDING"), scene.define("PATTERN")) {
        _ if way == Sweep::Steps => Pattern::Cm,
        (Some(0), _) | (_, Some(0)) => Pattern::NoPadding,
        (Some(1), _) | (_, Some(1)) => Pattern::Padding,
        (Some(_), _) => Pattern::DoublePadding,
        (_, Some(_)) => Pattern::LeftRight,
        (None, None) => return None,
    };
    let whole = price(pattern, model, way).turns;
    Some(Predicted { pattern, model, way, counts: corrected::counts(pattern, model), whole })
}

fn price(pattern: Pattern, model: Model, way: Sweep) -> Price {
    let elements: Vec<u64> = (0..model.n()).collect();
    let run = simulate(pattern, model, &elements, 0, u64::wrapping_add);
    let (up, down) = match way {
        Sweep::Up => (&run.steps[..], &[][..]),
        Sweep::Down => (&[][..], &run.down[..]),
        Sweep::Both | Sweep::Steps => (&run.steps[..], &run.down[..]),
    };
    let steps = up.iter().chain(down);
    let tallies = steps.clone().flat_map(|step| [&step.loads, &step.results, &step.kept]);
    Price {
        turns: tallies.map(|tally| tally.latency).sum(),
        padding: run.words - model.n(),
        kept: steps.map(|step| step.kept.instructions).sum(),
    }
}

impl Predicted {
    /// The prices of the ways to store a tree, by their names in the paper, for the same block; empty for CM, which has none.
    pub fn prices(&self) -> Vec<(&'static str, Price)> {
        use Pattern::{DoublePadding, LeftRight, NoPadding, Padding};
        let double = (self.pattern == DoublePadding).then_some(DoublePadding);
        let all = [NoPadding, Padding].into_iter().chain(double).chain([LeftRight]);
        let all = all.filter(|_| self.pattern != Pattern::Cm);
        all.map(|pattern| (pattern.label(), self.price(pattern))).collect()
    }

    fn price(&self, pattern: Pattern) -> Price {
        price(pattern, self.model, self.way)
    }

    /// The price of the pass's pattern, beside the tree that stores sums in place; empty for CM, which has no tree.
    pub fn told_price(&self) -> String {
        let own = self.price(self.pattern);
        let place = self.price(Pattern::NoPadding).turns;
        match self.pattern {
            Pattern::Cm => String::new(),
            Pattern::NoPadding => {
                let [padding, kept] =
                    [Pattern::Padding, Pattern::LeftRight].map(|pattern| self.price(pattern));
                format!(
                    "The price of fewer conflicts, by the K-model: in place it is {place} turns; Padding takes {} and {} of \
                     padding, LeftRight {} and {} more.",
                    padding.turns,
                    counted(padding.padding, "word"),
                    kept.turns,
                    counted(kept.kept, "store")
                )
            }
            Pattern::LeftRight => format!(
                "The price, by the K-model: no word of padding and no load more, but {} more, of the left operands that sums \
                 replace; with them it is {} turns, in place {place}.",
                counted(own.kept, "store"),
                own.turns
            ),
            Pattern::Padding | Pattern::DoublePadding => format!(
                "The price, by the K-model: {} of padding beside {}; it saves {} of the {place} turns in place.",
                counted(own.padding, "word"),
                self.model.n(),
                place.saturating_sub(own.turns)
            ),
        }
    }
}

/// The turns of a work group in the loops of its block's scan; `None` if the loops are not known.
pub fn taken(recording: &Recording, pass: usize, memory: &SharedMemory, group: u32) -> Option<Taken> {
    let spans = shared::spans(recording, pass);
    if spans.is_empty() {
        return None;
    }
    let mut taken = Taken { sums: 0, whole: 0 };
    for step in memory.of_group(group) {
        let span = spans.iter().find(|span| span.holds(step.epoch, step.number));
        let Some(stage) = span.map(|span| span.stage).filter(|stage| stage.is_counted()) else { continue };
        taken.whole += step.degree;
        // A tree stores a sum after loading its two operands; a later store is the operand that the sum displaced.
        let sum = match stage {
            Stage::Up(_) => step.written && step.number == 2,
            stage => step.written && matches!(stage, Stage::Step(_)),
        };
        taken.sums += if sum { step.degree } else { 0 };
    }
    Some(taken)
}

impl SharedMemory {
    /// Groups accesses into steps. A work group has `invocations`; an address holds `item_words`. Zero counts as one.
    pub fn new(accesses: &[SharedAccess], invocations: u32, banks: u64, item_words: u32) -> SharedMemory {
        let (invocations, banks, item_words) = (invocations.max(1), banks.max(1), item_words.max(1));
        let mut steps: BTreeMap<_, Vec<SharedAccess>> = BTreeMap::new();
        for access in accesses {
            let (group, own) = (access.invocation / invocations, access.invocation % invocations);
            let warp = (u64::from(own) / banks) as u32;
            let key = (group, warp, access.epoch, access.number, access.array, access.written);
            steps.entry(key).or_default().push(*access);
        }
        let step = |((group, warp, epoch, number, array, written), mut accesses): (_, Vec<SharedAccess>)| {
            accesses.sort_by_key(|access| access.invocation);
            let asked = asked(&accesses, banks, item_words);
            let degree = asked.iter().copied().max().unwrap_or(0);
            let least = asked.iter().sum::<u64>().div_ceil(banks);
            BankStep { group, warp, epoch, number, array, written, accesses, degree, least }
        };
        SharedMemory { banks, item_words, steps: steps.into_iter().map(step).collect() }
    }

    /// The bank of the first word at an address.
    pub fn bank(&self, address: u32) -> u64 {
        u64::from(address) * u64::from(self.item_words) % self.banks
    }

    /// The banks that the words at an address lie in.
    pub fn banks_of(&self, address: u32) -> impl Iterator<Item = u64> + use<> {
        let (banks, words) = (self.banks, u64::from(self.item_words));
        (0..words).map(move |word| (u64::from(address) * words + word) % banks)
    }

    /// The number of different words that a step asks each bank for. The largest is the step's degree.
    pub fn asked(&self, step: &BankStep) -> Vec<u64> {
        asked(&step.accesses, self.banks, self.item_words)
    }

    /// The steps of a work group.
    pub fn of_group(&self, group: u32) -> &[BankStep] {
        let begin = self.steps.partition_point(|step| step.group < group);
        let end = self.steps.partition_point(|step| step.group <= group);
        &self.steps[begin..end]
    }

    /// The turns of all steps together.
    pub fn turns(&self) -> u64 {
        self.steps.iter().map(|step| step.degree).sum()
    }

    /// The turns of all steps if none had a conflict.
    pub fn turns_without_conflicts(&self) -> u64 {
        self.steps.iter().map(|step| step.least).sum()
    }

    /// The number of steps with a conflict.
    pub fn conflicts(&self) -> usize {
        self.steps.iter().filter(|step| step.conflicts()).count()
    }

    /// The step that loses the most turns; the first of several.
    pub fn worst(&self) -> Option<&BankStep> {
        self.steps.iter().rev().max_by_key(|step| step.degree - step.least)
    }

    /// The work groups with accesses, each once, in ascending order.
    pub fn groups(&self) -> Vec<u32> {
        let mut groups: Vec<u32> = self.steps.iter().map(|step| step.group).collect();
        groups.dedup();
        groups
    }
}

/// The number of different words that each bank is asked for.
fn asked(accesses: &[SharedAccess], banks: u64, item_words: u32) -> Vec<u64> {
    let item_words = u64::from(item_words);
    let mut words: Vec<u64> = accesses
        .iter()
        .flat_map(|access| (0..item_words).map(move |word| u64::from(access.address) * item_words + word))
        .collect();
    words.sort_unstable();
    words.dedup();
    let mut asked = vec![0; banks as usize];
    words.iter().for_each(|word| asked[(word % banks) as usize] += 1);
    asked
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access(invocation: u32, (epoch, number): (u32, u32), address: u32) -> SharedAccess {
        SharedAccess { invocation, epoch, number, array: 0, address, written: false, words: [0; 4] }
    }

    fn degrees(accesses: &[SharedAccess], item_words: u32) -> Vec<u64> {
        let memory = SharedMemory::new(accesses, 64, 16, item_words);
        memory.steps.iter().map(|step| step.degree).collect()
    }

    #[test]
    fn strides_of_powers_of_two_conflict_and_odd_ones_do_not() {
        let strided = |stride: u32| -> Vec<SharedAccess> {
            (0..16).map(|invocation| access(invocation, (0, 0), invocation * stride)).collect()
        };
        let degree = |stride| degrees(&strided(stride), 1)[0];
        assert_eq!([1, 2, 3, 4, 8, 16, 17, 32].map(degree), [1, 2, 1, 4, 8, 16, 1, 16]);
    }

    #[test]
    fn one_address_is_answered_once() {
        let same: Vec<SharedAccess> = (0..16).map(|invocation| access(invocation, (0, 0), 5)).collect();
        assert_eq!(degrees(&same, 1), [1]);
    }

    #[test]
    fn warps_times_and_arrays_are_apart() {
        // 16 banks: invocations 0 and 15 are together, 16 is not, and 64 is of another group.
        let together =
            |others: [SharedAccess; 2]| degrees(&[&others[..], &[access(0, (0, 0), 0)]].concat(), 1).len();
        assert_eq!(together([access(15, (0, 0), 16), access(7, (0, 0), 32)]), 1);
        assert_eq!(together([access(16, (0, 0), 16), access(64, (0, 0), 16)]), 3);
        assert_eq!(together([access(1, (1, 0), 16), access(1, (0, 1), 16)]), 3);
        let other_array = SharedAccess { array: 1, ..access(1, (0, 0), 16) };
        let written = SharedAccess { written: true, ..access(1, (0, 0), 16) };
        assert_eq!(together([other_array, written]), 3);
    }

    #[test]
    fn long_items_take_turns_without_being_in_conflict() {
        let neighbours: Vec<SharedAccess> =
            (0..16).map(|invocation| access(invocation, (0, 0), invocation)).collect();
        let memory = SharedMemory::new(&neighbours, 16, 16, 2);
        assert_eq!((memory.turns(), memory.turns_without_conflicts(), memory.conflicts()), (2, 2, 0));
        let apart: Vec<SharedAccess> =
            (0..8).map(|invocation| access(invocation, (0, 0), 8 * invocation)).collect();
        let memory = SharedMemory::new(&apart, 16, 16, 2);
        assert_eq!((memory.turns(), memory.turns_without_conflicts(), memory.conflicts()), (8, 1, 1));
        assert_eq!(memory.worst().unwrap().degree, 8);
        // Item 8 j is words 16 j and 16 j + 1.
        assert_eq!(memory.asked(&memory.steps[0])[..3], [8, 8, 0]);
        assert!(memory.banks_of(9).eq([2, 3]));
    }

    #[test]
    fn numbers_that_make_no_sense_do_no_harm() {
        let wild =
            SharedAccess { address: u32::MAX, invocation: u32::MAX, ..access(0, (u32::MAX, u32::MAX), 0) };
        assert_eq!(SharedMemory::new(&[wild], 0, 0, 0).turns(), 1);
        assert_eq!(SharedMemory::new(&[], 32, 32, 1).worst(), None);
    }
}
