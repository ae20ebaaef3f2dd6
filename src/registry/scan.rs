//! The cards of the scans.

use super::choice::{Arguments, Value};
use super::{Algorithm, Card, Era, Family, Need, Numbers, Parameter, Range};
use crate::plan::Lanes;
use crate::scan::compute::{LookBack, TileOptions};
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
        parameters: &[Parameter {
            name: "reduce",
            about: "reduce passes; 0 is Horn, max ends in one row, auto leaves 4096 items",
            default: "auto",
            range: Range {
                numbers: Some(Numbers { min: 0, max: 30, powers_of_two: false }),
                words: &["auto", "max"],
            },
        }],
        build: |arguments| {
            let reduce = match arguments.value("reduce") {
                Some(Value::Number(steps)) => Reduce::Steps(steps),
                Some(Value::Word("max")) => Reduce::Max,
                _ => Reduce::Auto,
            };
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
            about: "texels (with tuples: tuples) in a block",
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
        name: "look_back",
        family: Family::Scan,
        era: Era::Compute,
        needs: Need::Compute,
        summary: "one pass: each tile adds up what earlier tiles have published (floats: last bits may vary)",
        sources: &["merrill2016", "maleki2016"],
        parameters: TILE,
        build: |arguments| Algorithm::Scan(Box::new(LookBack { tile: tile(arguments) })),
    },
];

/// The parameters of all algorithms that take the stream in tiles.
const TILE: &[Parameter] = &[
    Parameter {
        name: "lanes",
        about: "how invocations exchange values; serial is for CPUs, subgroup and warp need extensions",
        default: "auto",
        range: Range::words(&["auto", "serial", "shared", "subgroup", "warp"]),
    },
    Parameter {
        name: "group",
        about: "invocations in a work group",
        default: "auto",
        range: Range { numbers: Some(Numbers { min: 8, max: 1024, powers_of_two: true }), words: &["auto"] },
    },
    Parameter {
        name: "rows",
        about: "vectors of 16 bytes (of tuples: whole ones) that an invocation takes",
        default: "auto",
        range: Range { numbers: Some(Numbers { min: 1, max: 64, powers_of_two: false }), words: &["auto"] },
    },
];

fn tile(arguments: &Arguments) -> TileOptions {
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
