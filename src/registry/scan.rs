//! The cards of the scans.

use super::choice::{Arguments, Value};
use super::{Algorithm, Card, Era, Family, Need, Numbers, Parameter, Range};
use crate::plan::Lanes;
use crate::scan::compute::{
    AccessPattern, Capannini, Chained, Harris, LookBack, ReduceThenScan, Sam, ThreePhase, TileOptions,
    Variant,
};
use crate::scan::texture::{Horn, Hybrid, Packed, Reduce};

/// In the order in which `list` and `demo` show them.
pub const CARDS: &[Card] = &[
    Card {
        name: "sequential",
        family: Family::Scan,
        era: Era::Cpu,
        needs: Need::Nothing,
        summary: "one element after the other, on the CPU: the oracle",
        sources: &["sengupta2006"],
        parameters: &[],
        build: |_| Algorithm::Sequential,
    },
    Card {
        name: "horn",
        family: Family::Scan,
        era: Era::Texture,
        needs: Need::Fragments,
        summary: "ping-pong between two textures, ceil(log2 n) full passes",
        sources: &["horn2005", "hillis1986", "sengupta2006"],
        parameters: &[],
        build: |_| Algorithm::Scan(Box::new(Horn)),
    },
    Card {
        name: "hybrid",
        family: Family::Scan,
        era: Era::Texture,
        needs: Need::Fragments,
        summary: "halve the stream R times, Horn on what is left, sweep down again",
        sources: &["sengupta2006"],
        parameters: &[REDUCE],
        build: |arguments| {
            let reduce = reduce(arguments);
            Algorithm::Scan(Box::new(Hybrid { reduce }))
        },
    },
    Card {
        name: "blelloch",
        family: Family::Scan,
        era: Era::Texture,
        needs: Need::Fragments,
        summary: "the hybrid with the most reduce passes: down to one row",
        sources: &["blelloch1990", "sengupta2006"],
        parameters: &[],
        build: |_| Algorithm::Scan(Box::new(Hybrid::BLELLOCH)),
    },
    Card {
        name: "packed",
        family: Family::Scan,
        era: Era::Texture,
        needs: Need::Fragments,
        summary: "four words a texel, blocks of texels, every result written once",
        sources: &["blelloch1990", "sengupta2006"],
        parameters: &[Parameter {
            name: "block",
            about: "texels (with tuples: tuples) in a block; auto is tuned, or 8",
            default: "auto",
            range: Range {
                numbers: Some(Numbers { min: 2, max: 64, powers_of_two: true }),
                words: &["auto"],
            },
        }],
        build: |arguments| {
            let block = match arguments.value("block") {
                Some(Value::Number(block)) => Some(block),
                _ => None,
            };
            Algorithm::Scan(Box::new(Packed { block }))
        },
    },
    Card {
        name: "harris",
        family: Family::Scan,
        era: Era::Compute,
        needs: Need::Compute,
        summary: "scan blocks in shared memory, scan their sums, add those to the blocks: 4n words",
        sources: &["harris2007", "hillis1986", "blelloch1990"],
        parameters: HARRIS,
        build: |arguments| {
            let variant = match arguments.value("variant") {
                Some(Value::Word(word)) => Variant::ALL.into_iter().find(|variant| variant.name() == word),
                _ => None,
            };
            let mut harris = Harris { block: block(arguments), ..Harris::default() };
            harris.variant = variant.unwrap_or(harris.variant);
            harris.banks = banks(arguments).unwrap_or(harris.banks);
            Algorithm::Scan(Box::new(harris))
        },
    },
    Card {
        name: "capannini",
        family: Family::Scan,
        era: Era::Compute,
        needs: Need::Compute,
        summary: "a tree in each block whose sums always lie in different banks: 4n words",
        sources: &["capannini2011", "harris2007", "hillis1986"],
        parameters: CAPANNINI,
        build: |arguments| {
            let pattern = match arguments.value("pattern") {
                Some(Value::Word(word)) => {
                    AccessPattern::ALL.into_iter().find(|pattern| pattern.name() == word)
                }
                _ => None,
            };
            let mut capannini = Capannini { block: block(arguments), ..Capannini::default() };
            capannini.pattern = pattern.unwrap_or(capannini.pattern);
            capannini.banks = banks(arguments).unwrap_or(capannini.banks);
            Algorithm::Scan(Box::new(capannini))
        },
    },
    Card {
        name: "three_phase",
        family: Family::Scan,
        era: Era::Compute,
        needs: Need::Compute,
        summary: "scan tiles, scan their sums, add those to the tiles: 4n words",
        sources: &["maleki2016"],
        parameters: TILE,
        build: |arguments| Algorithm::Scan(Box::new(ThreePhase { tile: tile(arguments) })),
    },
    Card {
        name: "reduce_then_scan",
        family: Family::Scan,
        era: Era::Compute,
        needs: Need::Compute,
        summary: "add up tiles, scan their sums, scan the tiles from there: 3n words",
        sources: &["maleki2016"],
        parameters: TILE,
        build: |arguments| Algorithm::Scan(Box::new(ReduceThenScan { tile: tile(arguments) })),
    },
    Card {
        name: "chained",
        family: Family::Scan,
        era: Era::Compute,
        needs: Need::Compute,
        summary: "one pass, 2n words: each tile waits for the one before it",
        sources: &["maleki2016"],
        parameters: TILE,
        build: |arguments| Algorithm::Scan(Box::new(Chained { tile: tile(arguments) })),
    },
    Card {
        name: "look_back",
        family: Family::Scan,
        era: Era::Compute,
        needs: Need::Compute,
        summary: "one pass, 2n words: each tile adds up what earlier ones have published; last bits of floats vary",
        sources: &["merrill2016", "maleki2016"],
        parameters: TILE,
        build: |arguments| Algorithm::Scan(Box::new(LookBack { tile: tile(arguments) })),
    },
    Card {
        name: "sam",
        family: Family::Scan,
        era: Era::Compute,
        needs: Need::Compute,
        summary: "one pass, 2n words at any order: groups that stay, and carry sums from chunk to chunk",
        sources: &["maleki2016"],
        parameters: SAM,
        build: |arguments| {
            let groups = match arguments.value("groups") {
                Some(Value::Number(groups)) => Some(groups),
                _ => None,
            };
            Algorithm::Scan(Box::new(Sam { tile: tile(arguments), groups }))
        },
    },
];

const BANKS: Parameter = Parameter {
    name: "banks",
    about: "banks of shared memory that addresses are spread over; 16 in the papers' half-warps",
    default: "32",
    range: Range { numbers: Some(Numbers { min: 16, max: 32, powers_of_two: true }), words: &[] },
};

const HARRIS: &[Parameter] = &[
    Parameter {
        name: "variant",
        about: "naive: listing 1, no tree; work_efficient: listing 2; padded, zero_conflict: with listing 3's macros",
        default: "padded",
        range: Range::words(&["naive", "work_efficient", "padded", "zero_conflict"]),
    },
    Parameter {
        name: "block",
        about: "elements (with tuples: tuples) of a block; auto is tuned, or 512, or what the device has room for",
        default: "auto",
        range: Range { numbers: Some(Numbers { min: 2, max: 2048, powers_of_two: true }), words: &["auto"] },
    },
    BANKS,
];

const CAPANNINI: &[Parameter] = &[
    Parameter {
        name: "pattern",
        about: "where sums lie: cm has no tree, the trees differ in their conflicts, left_right has none",
        default: "left_right",
        range: Range::words(&["cm", "no_padding", "padding", "left_right"]),
    },
    Parameter {
        name: "block",
        about: "elements (with tuples: tuples) of a block; auto is tuned, or 1024, or what the device has room for",
        default: "auto",
        range: Range { numbers: Some(Numbers { min: 32, max: 2048, powers_of_two: true }), words: &["auto"] },
    },
    BANKS,
];

const LANES: Parameter = Parameter {
    name: "lanes",
    about: "how invocations exchange values; serial is for CPUs, subgroup and warp need extensions",
    default: "auto",
    range: Range::words(&["auto", "serial", "shared", "subgroup", "warp"]),
};

const GROUP: Parameter = Parameter {
    name: "group",
    about: "invocations in a work group",
    default: "auto",
    range: Range { numbers: Some(Numbers { min: 8, max: 1024, powers_of_two: true }), words: &["auto"] },
};

const ROWS: Parameter = Parameter {
    name: "rows",
    about: "vectors that an invocation takes, of 16 bytes or whole tuples; auto is tuned, or built in",
    default: "auto",
    range: Range { numbers: Some(Numbers { min: 1, max: 64, powers_of_two: false }), words: &["auto"] },
};

/// The parameters of all algorithms that take the stream in tiles.
pub(super) const TILE: &[Parameter] = &[LANES, GROUP, ROWS];

const SAM: &[Parameter] = &[
    LANES,
    GROUP,
    ROWS,
    Parameter {
        name: "groups",
        about: "work groups that stay",
        default: "auto",
        range: Range { numbers: Some(Numbers { min: 1, max: 4096, powers_of_two: false }), words: &["auto"] },
    },
];

fn block(arguments: &Arguments) -> Option<u32> {
    match arguments.value("block") {
        Some(Value::Number(block)) => Some(block),
        _ => None,
    }
}

fn banks(arguments: &Arguments) -> Option<u32> {
    match arguments.value("banks") {
        Some(Value::Number(banks)) => Some(banks),
        _ => None,
    }
}

pub(super) fn tile(arguments: &Arguments) -> TileOptions {
    let number = |name| match arguments.value(name) {
        Some(Value::Number(number)) => Some(number),
        _ => None,
    };
    let lanes = match arguments.value("lanes") {
        Some(Value::Word(word)) => Lanes::ALL.into_iter().find(|lanes| lanes.name() == word),
        _ => None,
    };
    TileOptions { lanes, group: number("group"), rows: number("rows") }
}

/// Of the hybrid, and of the compaction that counts with it.
pub(super) const REDUCE: Parameter = Parameter {
    name: "reduce",
    about: "reduce passes; 0 is Horn, max ends in one row, auto is tuned, or leaves 4096 items",
    default: "auto",
    range: Range {
        numbers: Some(Numbers { min: 0, max: 30, powers_of_two: false }),
        words: &["auto", "max"],
    },
};

pub(super) fn reduce(arguments: &Arguments) -> Reduce {
    match arguments.value("reduce") {
        Some(Value::Number(steps)) => Reduce::Steps(steps),
        Some(Value::Word("max")) => Reduce::Max,
        _ => Reduce::Auto,
    }
}
