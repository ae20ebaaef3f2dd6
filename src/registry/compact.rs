//! The cards of the compactions.

use super::choice::{Arguments, Value};
use super::{Algorithm, Card, Era, Family, Need, Numbers, Parameter, Range};
use crate::compact::compute::{Scatter, Select};
use crate::compact::texture::{
    Bitonic, Blocks, Draw, Ends, Geometry, Histopyramid, Horn, Inner, Packed, Points, Search, Wrap,
};
use crate::scan::compute::Scanning;
use crate::scan::texture::Counting;

/// In the order in which `list` and `demo` show them.
pub const CARDS: &[Card] = &[
    Card {
        name: "sequential",
        family: Family::Compact,
        era: Era::Cpu,
        needs: Need::Nothing,
        summary: "one element after the other, on the CPU: the oracle",
        sources: &["roger2007"],
        parameters: &[],
        build: |_| Algorithm::Sequential,
    },
    Card {
        name: "horn",
        family: Family::Compact,
        era: Era::Texture,
        needs: Need::Fragments,
        summary: "a scan counts the unwanted, then each place searches the whole stream",
        sources: &["horn2005", "sengupta2006", "roger2007"],
        parameters: &[
            Parameter {
                name: "scan",
                about: "what counts: horn is Horn's, hybrid Sengupta's compaction",
                default: "horn",
                range: Range::words(&["horn", "blelloch", "hybrid", "packed"]),
            },
            Parameter { about: "of scan=hybrid: reduce passes, as of the scan", ..super::scan::REDUCE },
        ],
        build: |arguments| {
            let scan = word(arguments, "scan", &Counting::ALL, Counting::name).unwrap_or_default();
            let scan = match scan {
                Counting::Hybrid(_) => Counting::Hybrid(super::scan::reduce(arguments)),
                other => other,
            };
            Algorithm::Compact(Box::new(Horn { scan }))
        },
    },
    Card {
        name: "blocks",
        family: Family::Compact,
        era: Era::Texture,
        needs: Need::Fragments,
        summary: "blocks are compacted each alone, and concatenated by drawing lines",
        sources: &["roger2007"],
        parameters: &[
            Parameter {
                name: "size",
                about: "elements in a block",
                default: "64",
                range: Range {
                    numbers: Some(Numbers { min: 8, max: 1024, powers_of_two: true }),
                    words: &[],
                },
            },
            Parameter {
                name: "inner",
                about: "the scan in blocks; packed counts bits instead",
                default: "hillis",
                range: Range::words(&["hillis", "blelloch", "packed"]),
            },
            Parameter {
                name: "search",
                about: "a loop of fixed length, or one that ends when the element is found",
                default: "while",
                range: Range::words(&["for", "while"]),
            },
            Parameter {
                name: "wrap",
                about: "segments that cross the right edge: all drawn twice, or split by a geometry shader (GL 3.3, ES 3.2)",
                default: "twice",
                range: Range::words(&["twice", "geometry"]),
            },
            Parameter {
                name: "ends",
                about: "the segments' ends: captured once by transform feedback, or fetched by each draw",
                default: "captured",
                range: Range::words(&["captured", "fetched"]),
            },
            Parameter {
                name: "draw",
                about: "what segments are; auto is lines where the device draws them exactly",
                default: "auto",
                range: Range::words(&["auto", "lines", "quads"]),
            },
        ],
        build: |arguments| {
            let defaults = Blocks::default();
            Algorithm::Compact(Box::new(Blocks {
                size: match arguments.value("size") {
                    Some(Value::Number(size)) => size,
                    _ => defaults.size,
                },
                inner: word(arguments, "inner", &Inner::ALL, Inner::name).unwrap_or(defaults.inner),
                search: word(arguments, "search", &Search::ALL, Search::name).unwrap_or(defaults.search),
                wrap: word(arguments, "wrap", &Wrap::ALL, Wrap::name).unwrap_or(defaults.wrap),
                ends: word(arguments, "ends", &Ends::ALL, Ends::name).unwrap_or(defaults.ends),
                draw: word(arguments, "draw", &Draw::ALL, Draw::name),
            }))
        },
    },
    Card {
        name: "geometry",
        family: Family::Compact,
        era: Era::Texture,
        needs: Need::Geometry,
        summary: "a geometry shader drops the unwanted, transform feedback writes the rest",
        sources: &["roger2007"],
        parameters: &[],
        build: |_| Algorithm::Compact(Box::new(Geometry)),
    },
    Card {
        name: "bitonic",
        family: Family::Compact,
        era: Era::Texture,
        needs: Need::Fragments,
        summary: "sorts by whether an element is kept, then by its index",
        sources: &["govindaraju2005", "roger2007"],
        parameters: &[],
        build: |_| Algorithm::Compact(Box::new(Bitonic)),
    },
    Card {
        name: "histopyramid",
        family: Family::Compact,
        era: Era::Texture,
        needs: Need::Fragments,
        summary: "a pyramid of counts; each place of the result walks down from its top",
        sources: &["ziegler2006"],
        parameters: &[],
        build: |_| Algorithm::Compact(Box::new(Histopyramid)),
    },
    Card {
        name: "points",
        family: Family::Compact,
        era: Era::Texture,
        needs: Need::Fragments,
        summary: "each element is a point, moved to its place by the vertex stage",
        sources: &["horn2005", "roger2007"],
        parameters: &[],
        build: |_| Algorithm::Compact(Box::new(Points)),
    },
    Card {
        name: "packed",
        family: Family::Compact,
        era: Era::Texture,
        needs: Need::Fragments,
        summary: "flags as bits, counts of 128, four elements of the result a texel",
        sources: &["roger2007"],
        parameters: &[],
        build: |_| Algorithm::Compact(Box::new(Packed)),
    },
    Card {
        name: "scatter",
        family: Family::Compact,
        era: Era::Compute,
        needs: Need::Compute,
        summary: "a scan of flags gives each element its place, and it goes there",
        sources: &["harris2007"],
        parameters: &[Parameter {
            name: "scan",
            about: "what counts",
            default: "look_back",
            range: Range::words(&["three_phase", "reduce_then_scan", "chained", "look_back", "sam"]),
        }],
        build: |arguments| {
            let scan = word(arguments, "scan", &Scanning::ALL, Scanning::name).unwrap_or_default();
            Algorithm::Compact(Box::new(Scatter { scan }))
        },
    },
    Card {
        name: "select",
        family: Family::Compact,
        era: Era::Compute,
        needs: Need::Compute,
        summary: "one pass: each tile finds out how many earlier ones keep, and moves what it keeps",
        sources: &["merrill2016"],
        parameters: super::scan::TILE,
        build: |arguments| Algorithm::Compact(Box::new(Select { tile: super::scan::tile(arguments) })),
    },
];

/// The variant that a parameter names, if it is given.
fn word<T: Copy>(
    arguments: &Arguments,
    parameter: &str,
    variants: &[T],
    name: fn(T) -> &'static str,
) -> Option<T> {
    match arguments.value(parameter)? {
        Value::Word(word) => variants.iter().copied().find(|variant| name(*variant) == word),
        Value::Number(_) => None,
    }
}
