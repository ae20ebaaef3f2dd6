//! The values that were tuned by hand, a line each: with the devices that it was measured on, as far as they were recorded,
//! and what it gains there.
//! Measurements on the device at hand ([`Tuning`](super::Tuning)) come before these.

/// A module for each algorithm, a constant for each line: `NAME: TYPE = VALUE, DEVICE, GAIN`.
macro_rules! tuned {
    ($($(#[$doc:meta])* mod $algorithm:ident {
        $($name:ident: $type:ty = $value:expr, $device:literal, $gain:literal;)*
    })*) => {
        $(
            $(#[$doc])*
            pub mod $algorithm {
                $(#[doc = concat!($device, ": ", $gain)] pub const $name: $type = $value;)*
            }
        )*
        /// Name, devices and gain of each line.
        #[cfg(test)]
        const LINES: &[[&str; 3]] =
            &[$($([concat!(stringify!($algorithm), "::", stringify!($name)), $device, $gain],)*)*];
    };
}

tuned! {
    /// Columns that textures of one item a texel do not exceed unless they must.
    mod columns {
        NARROW: u32 = 256, "llvmpipe, H200", "2^20 texels are copied in 0.75 and scanned in 0.8 of the time of 1024; no difference on the H200";
    }

    /// Tiles of the compute era: invocations in a group, words and vectors that an invocation holds. `SERIAL_` is for lanes in
    /// series, on a CPU.
    mod tile {
        GROUP: u32 = 256, "not recorded", "where an algorithm has no line of its own";
        WORDS: u32 = 32, "not recorded", "where an algorithm has no line of its own";
        LONG: u64 = 1 << 20, "not recorded", "words from which running takes more than compiling does";
        SERIAL_GROUP: u32 = 8, "llvmpipe", "as many as run at a time with vectors of 256 bits";
        SERIAL_WORDS_OF_SHORT: u32 = 32, "llvmpipe", "look_back of u32 compiles in 0.5 s, with 96 words in 0.9";
        SERIAL_WORDS: u32 = 96, "llvmpipe", "with 128 the loops are not unrolled: look_back compiles in 10 s, and runs 1.1 times as long";
        SERIAL_WORDS_OF_OTHERS: u32 = 64, "llvmpipe", "5-tuples, loaded word by word, compile in 1.7 s with 60, in 8.5 with 96";
        VECTORS_IN_SERIES: u32 = 64, "llvmpipe", "of 24, 32 and 64 the fastest at 2^20 and 2^22 in reduce_then_scan, look_back and sam";
    }

    /// `look_back`: words up to which a stream is short or in the cache, or its tiles look back at once; group and vectors of
    /// each. Microseconds with tickets, on the H100 for (256, 4), (512, 4), (256, 8): 2^16 6.8, 7.2, 7.8; 2^18 7.6, 7.7, 8.4;
    /// 2^20 10.0, 9.3, 9.7; 2^22 16.9, 16.1, 17.2; 2^23 37.4, 36.4, 37.4; 2^24 71.1, 68.5, 65.7.
    mod look_back {
        FEW: u64 = 1 << 19, "H100", "small tiles up to here give all processors some";
        IN_CACHE: u64 = 1 << 23, "H100", "up to here large groups that hold little wait less for memory and each other";
        FLOATS_IN_CACHE: u64 = 1 << 21, "not recorded", "floats look at all tiles of a block, so their limit is lower";
        UNTICKETED: u64 = 1 << 22, "H200", "the most words for which blocks of tiles go without tickets: 2^22 f32 in 12.9 microseconds instead of 13.9; 2^24 u32 in 66.6 instead of 54.0";
        CROWDED: u64 = 1 << 22, "H200", "the most words, of select too, for which tiles look back at once; microseconds late and at once: 2^22 12.1, 11.8; 2^24 45.9, 48.3; 2^26 158, 173; 2^28 605, 673; select 2^22 12.3, 12.2; 2^23 25.7, 27.0; 2^24 with half its BYTES 44.6, 47.4; 2^26 142, 151";
        OF_FEW: (u32, u32) = (512, 2), "H200", "2^16 in 4.7 microseconds, 4.9 with (256, 4), 4.4 with (512, 1); 2^18 in 5.3, 5.6 and 5.5";
        OF_FEW_WIDE: (u32, u32) = (256, 4), "H200", "of items of several words and tuples: 2^16 u64 in 5.6 microseconds, 5.8 with OF_FEW; 2^18 in 6.2, 6.6";
        OF_CACHED: (u32, u32) = (512, 4), "H200", "2^22 in 12.0 microseconds, 12.1 with (1024, 4), 12.5 with (256, 4)";
        OF_LONG: (u32, u32) = (256, 8), "H200", "2^24 in 48.2 microseconds, 49.7 with (512, 4)";
    }

    /// `reduce_then_scan` with one exchange.
    mod one_exchange {
        GROUP: u32 = 64, "H100", "2^26 u32 of order 8 in 0.265 ms; 0.30 with 128, 0.38 with 256: large groups wait longer at barriers";
        VECTORS: u32 = 4, "H100", "8 are as fast";
        MEASURED_WORDS: u32 = 16, "H200", "words of the largest state with which orders of tuples were timed: reduce_then_scan takes 0.04 to 0.6 of sam's time";
        FEW_WORDS: u32 = 8, "H100", "words of a state: sam of order 8 and 2^24 takes 0.88 of the time with 8 (u32), 1.74 with 16 (u64)";
    }

    /// `sam`: when one exchange is faster than one for each order, and its chunks.
    mod sam {
        HIGH: u32 = 8, "H100", "order 8: equal at 2^22, 12% faster at 2^24, 14% at 2^26; 8-tuples of order 1 are 20 to 25% slower";
        SHORT: u64 = 1 << 20, "H100", "faster by 29% at order 2, 43% at order 4, 27% in 8-tuples, 17% in pairs; at 2^22 slower by 4 to 33%";
        VECTORS_OF_SHORT: u32 = 4, "H100", "2^16 in 7.7 microseconds, 9.0 with 8; 2^20 in 9.3, 10.5 with 8";
        LONG: u64 = 1 << 23, "H100", "words above which many small groups are faster";
        GROUP_OF_MANY: u32 = 128, "H100", "2^26 u32 in 0.203 ms, 0.259 with two groups of 512 a processor (a copy: 0.188); pairs 0.264 and 0.327";
        MANY_OF_SINGLES: u32 = 10, "H200", "of single words: 2^26 u32 in 0.158 ms, 0.161 with 8; 2^28 in 0.584, 0.597";
        MANY_PER_PROCESSOR: u32 = 8, "H100", "2^28 u32 in 0.76 ms, 1.13 with two of 512 (a copy: 0.73); u64 of 2^26 0.506 and 0.695";
    }

    /// The reductions: invocations in a group, and those that share the stream on each processor.
    mod reduce {
        LONG: u64 = 1 << 22, "H200", "words from which large groups are enough for all processors";
        GROUP_OF_LONG: u32 = 512, "H200", "2^22 u32 in 8.1 microseconds, 8.7 with twice as many groups of 256; 2^24 in 21.5, 22.7; 2^26 in 65.7, 68.5";
        PER_PROCESSOR: u32 = 1024, "H200", "2^22 as with 2048; 2^24 in 21.5 microseconds, 23.6 with 2048; 2^26 as with 2048";
    }

    /// `select`: bytes of an invocation, and groups.
    mod select {
        BYTES: u32 = 128, "H200", "2^26 u32 in 142 microseconds, 151 with half";
        SHORT: u64 = 1 << 24, "H200", "half the bytes up to here: 2^22 u32 in 12.3 microseconds, 12.8 with all; 2^23 in 26.8, 29.7 where tiles look back at once; 2^24 in 44.6, 46.0";
        GROUP: u32 = 512, "H200", "with the bytes above the fastest or within 3% of it from 2^20 to 2^26";
        SERIAL_GROUP: u32 = 32, "not recorded", "for lanes in series";
    }

    /// Sorts in tiles: invocations of a group, keys of each, and bits of a digit. `CPU_` is for lanes in series on a CPU,
    /// `SERIAL_` for those on a GPU.
    mod sort_tiles {
        GROUP: u32 = 256, "H200", "three_pass of 2^24 in 0.68 ms with ROWS, 0.74 with groups of 512; onesweep with indices in 1.31, 1.44 with SWEEP_GROUP";
        ROWS: u32 = 12, "H200", "as GROUP; with 16 keys 0.75 ms: fewer groups fit a processor's registers";
        SWEEP_GROUP: u32 = 512, "H200", "onesweep of 2^24 in 0.72 ms with SWEEP_ROWS, 0.76 ms with groups of 256: fewer tiles wait";
        SWEEP_ROWS: u32 = 20, "H200", "as SWEEP_GROUP; with 16 keys 0.81 ms";
        BITS: u32 = 8, "H200", "onesweep of 2^24 in 1.05 ms, 1.25 with 7 bits, 1.47 with 6: each digit is a pass";
        SERIAL_GROUP: u32 = 128, "not recorded", "with SERIAL_BITS the counts of all lanes take 8 KiB";
        SERIAL_BITS: u32 = 4, "not recorded", "as SERIAL_GROUP";
        CPU_GROUP: u32 = 8, "llvmpipe", "as many as run at a time with vectors of 256 bits";
        CPU_ROWS: u32 = 20, "llvmpipe", "2^18 as fast as with 16 and 32 (a busy machine, within 10%)";
        CPU_BITS: u32 = 4, "llvmpipe", "2^20 in 128 to 149 ms, as with 5 and 6; 8 take 4 to 11 s to compile";
        COUNTED_TILES: u64 = 16, "not recorded", "the most tiles that a group of onesweep's first pass counts";
    }

    /// `packed` scans and reductions: texels in a block, and sums that items add up.
    mod packed {
        BLOCK: u32 = 8, "H200", "the fastest from 2^20 to 2^24: larger blocks save passes, smaller ones fetches";
        BLOCK_ON_A_CPU: u32 = 4, "llvmpipe", "2^22 u32 in 8.6 ms, 10.3 with 8: loops of one length are unrolled, and have no branches";
        LONG_ON_A_CPU: u64 = 1 << 16, "llvmpipe", "items from which BLOCK_ON_A_CPU is faster";
        BLOCK_OF_LONGER: u32 = 2, "llvmpipe", "2^22 take 6% less than with 4: 4.6 n/4 fetches instead of 6.4 n/4";
        LONGER_ON_A_CPU: u64 = 1 << 20, "llvmpipe", "BLOCK_OF_LONGER takes 8% more at 2^18, as much at 2^20";
        ADDED: u32 = 4, "H100", "1 to 3% less time than 2 up to LONG";
        ADDED_OF_LONG: u32 = 2, "H100", "1 to 5% less time than 4 from LONG to 2^26";
        LONG: u64 = 1 << 22, "H100", "as ADDED";
        ALL_ADDED: u64 = 64, "H100", "2^22 takes 3% less than with a level above";
        UPPER: u32 = 8, "not recorded", "twice as many in the only block";
    }

    /// `hybrid`: items that are left to Horn's passes.
    mod hybrid {
        LEFT_TO_HORN: u64 = 4096, "H200, llvmpipe", "within 2% of the best from 2048 to 8192; sengupta2006 saw Horn's time rise past 4096";
    }

    /// `packed` compactions: elements of a result in a run and between hints.
    mod runs {
        RUN: u64 = 64, "H100", "at 2^22 to 2^24, 60% kept, runs of 128 take 8 to 10% more: more of them lie in three groups";
        HINT: u64 = 1024, "not recorded", "512 and 2048 are as fast";
        UNHINTED: u64 = 1 << 21, "not recorded", "up to here searching without hints takes less than the pass that makes them";
    }
}

/// The traits of a device that the built-in choice of an algorithm depends on.
#[derive(Debug, Clone, Default)]
pub struct Traits {
    /// The device has compute shaders.
    pub compute: bool,
    /// It runs on a CPU.
    pub software: bool,
    /// Its dispatches read buffers through textures.
    pub texture_loads: bool,
    /// Items.
    pub len: u64,
    /// The order of a scan.
    pub order: u32,
    /// Items in a tuple.
    pub tuple: u32,
    /// Words of an item, with its flag.
    pub words: u32,
    /// It is a recurrence.
    pub recurs: bool,
    /// Scans go by columns.
    pub by_columns: bool,
    /// The stream is split into scans.
    pub is_split: bool,
    /// Words of the state that one exchange carries for all orders and tuples; `None` if it is not one stream, or one
    /// exchange is not enough.
    pub state_words: Option<u32>,
    /// Its items are single words of integers, in one stream.
    pub is_plain: bool,
    /// A texel holds whole tuples.
    pub whole_texels: bool,
}

impl Traits {
    fn on_gpu(&self) -> bool {
        self.compute && !self.software
    }

    fn on_cpu(&self) -> bool {
        self.compute && self.software
    }

    /// Returns true if one exchange is enough, with a state that lanes hold easily.
    fn is_light(&self) -> bool {
        self.state_words.is_some_and(|words| words <= one_exchange::FEW_WORDS)
    }
}

/// A line of the choice of algorithms.
#[derive(Debug)]
pub struct Line {
    /// When it applies, if none before it does.
    applies: fn(&Traits) -> bool,
    /// The fastest first; one that cannot serve a request gives way to the next.
    fastest: &'static [&'static str],
    /// The devices that it was measured on.
    #[cfg_attr(not(test), expect(dead_code, reason = "for readers"))]
    devices: &'static str,
    /// What it gains.
    #[cfg_attr(not(test), expect(dead_code, reason = "for readers"))]
    gain: &'static str,
}

const fn line(
    applies: fn(&Traits) -> bool,
    fastest: &'static [&'static str],
    devices: &'static str,
    gain: &'static str,
) -> Line {
    Line { applies, fastest, devices, gain }
}

/// The scans.
pub static SCANS: [Line; 18] = [
    line(
        |t| t.on_gpu() && t.recurs && t.len >= 1 << 25,
        &["reduce_then_scan", "sam"],
        "H100 or H200",
        "2^26: 1.1 to 1.3 times as fast, as groups do not wait for each other",
    ),
    line(|t| t.recurs, &["sam", "reduce_then_scan"], "H100 or H200", "reads the stream once"),
    line(
        |t| t.on_cpu() && t.texture_loads,
        &["reduce_then_scan", "packed", "look_back"],
        "llvmpipe",
        "0.5 to 0.9 of packed's time from 2^12 to 2^22, 0.2 to 0.4 at orders of 2 to 8 and in tuples",
    ),
    line(
        |t| t.on_gpu() && t.words > 4,
        &["look_back", "reduce_then_scan"],
        "not recorded",
        "no texel holds the item",
    ),
    line(
        |t| t.on_cpu() && t.words > 4,
        &["reduce_then_scan", "look_back"],
        "not recorded",
        "no texel holds the item",
    ),
    line(
        |t| t.compute && t.by_columns,
        &["reduce_then_scan", "packed"],
        "not recorded",
        "nothing is transposed",
    ),
    line(
        |t| t.on_cpu() && t.is_split,
        &["reduce_then_scan", "packed"],
        "not recorded",
        "it takes splits itself",
    ),
    line(
        |t| {
            let measured = t.state_words.is_some_and(|words| words <= one_exchange::MEASURED_WORDS);
            let one_pass = t.is_light() && t.len <= sam::SHORT;
            t.on_gpu() && t.order > 1 && t.tuple > 1 && measured && !one_pass
        },
        &["reduce_then_scan", "look_back", "sam", "packed"],
        "H200",
        "pairs of order 8 and 4-tuples of order 4 in 0.2 of sam's time at 2^12, 0.04 and 0.13 at 2^26; pairs of order 2 in 0.14 or less from 2^22 on",
    ),
    line(
        |t| t.on_gpu() && t.len >= 1 << 24 && (t.order >= 4 || t.tuple >= 3) && t.is_light(),
        &["reduce_then_scan", "sam", "packed"],
        "H100",
        "one exchange: 1.15 to 1.45 times as fast at 2^26",
    ),
    line(
        |t| t.on_gpu() && t.len >= 1 << 26 && t.order > 1 && t.is_light(),
        &["reduce_then_scan", "sam", "packed"],
        "H200",
        "2^26: order 2 in 0.235 ms, 0.262 with sam; order 3 in 0.245, 0.327",
    ),
    line(
        |t| t.on_gpu() && t.order > 1,
        &["sam", "look_back", "packed"],
        "H100 or H200",
        "all orders in one pass",
    ),
    line(
        |t| t.on_gpu() && t.len >= 1 << 20 && [4, 8].contains(&t.tuple),
        &["sam", "look_back", "packed"],
        "H100 or H200",
        "tuples of 4: 1.1 to 1.25 times as fast from 2^22 on; of 8: 1.7 to 2.4 times from 2^20 on",
    ),
    line(
        |t| t.on_gpu() && t.is_plain && t.len >= many(t.tuple),
        &["sam", "look_back", "packed"],
        "H100 or H200",
        "many small groups: pairs 1.07 to 1.15 times as fast from 2^24 on; single words of 2^28 in 0.590 ms, 0.605 with look_back; of 2^26 in 0.158 both",
    ),
    line(Traits::on_gpu, &["look_back", "packed"], "H100 or H200", "2n words moved"),
    line(
        |t| t.on_cpu() && t.tuple > 1,
        &["reduce_then_scan", "packed"],
        "llvmpipe",
        "0.5 to 1.0 of packed's time",
    ),
    line(
        |t| t.on_cpu() && t.order >= 4,
        &["sam", "packed"],
        "llvmpipe",
        "0.6 to 0.9 of packed's time at 2^20 and 2^22 u32",
    ),
    line(
        |t| t.whole_texels,
        &["packed", "hybrid"],
        "H200, llvmpipe",
        "the fastest of the texture era; on a CPU copying a buffer takes as long as scanning packed texels",
    ),
    line(
        |_| true,
        &["hybrid", "packed"],
        "H200, llvmpipe",
        "tuples across texels are fetched twice: as fast on llvmpipe, up to 2.5 times on the H200",
    ),
];

/// Items from which `sam` is the fastest of first order, by its many small groups.
fn many(tuple: u32) -> u64 {
    match tuple {
        1 => 1 << 25,
        2 => 1 << 24,
        _ => u64::MAX,
    }
}

/// The compactions.
pub static COMPACTIONS: [Line; 2] = [
    line(Traits::on_gpu, &["select", "packed"], "H200", "the fastest at every length and share kept"),
    line(|_| true, &["packed", "horn"], "H200, llvmpipe", "the fastest at every length and share kept"),
];

/// The reductions.
pub static REDUCTIONS: [Line; 2] = [
    line(
        |t| t.compute,
        &["single_pass", "two_pass", "packed"],
        "H200",
        "the fastest from 2^20 to 2^28, except at 2^26 (docs/results.md)",
    ),
    line(|_| true, &["packed", "pairs"], "H200", "3.5 to 3.7 times as fast as pairs"),
];

/// The sorts.
pub static SORTS: [Line; 3] = [
    line(
        |t| t.on_cpu() && t.len >= 1 << 18,
        &["radix", "onesweep", "three_pass"],
        "llvmpipe",
        "keys: 0.8 of onesweep's time at 2^18, 0.7 at 2^19, 0.85 at 2^20; with indices 1.1, 0.8 and 0.7; keys at 2^17 1.4; 0.2 where other programs take cores, since tiles wait for each other",
    ),
    line(
        |t| t.compute,
        &["onesweep", "three_pass", "radix"],
        "H200",
        "keys alone: up to 2^20 12% faster than three_pass, from 2^24 on 4 to 6% slower",
    ),
    line(|_| true, &["radix"], "not recorded", "the only one"),
];

/// The histograms.
pub static HISTOGRAMS: [Line; 2] = [
    line(
        |t| t.compute,
        &["atomic", "sorted"],
        "H200",
        "70 times as fast as sorted at 2^20, 180 times at 2^24",
    ),
    line(|_| true, &["sorted"], "not recorded", "the only one"),
];

/// The algorithms of the first line that applies.
pub fn fastest(lines: &'static [Line], traits: &Traits) -> &'static [&'static str] {
    lines.iter().find(|line| (line.applies)(traits)).map_or(&[], |line| line.fastest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_says_where_it_was_measured_and_what_it_gains() {
        let choices = [&SCANS[..], &COMPACTIONS, &REDUCTIONS, &SORTS, &HISTOGRAMS];
        let choices = choices.into_iter().flatten().map(|line| [line.fastest[0], line.devices, line.gain]);
        for [name, devices, gain] in LINES.iter().copied().chain(choices) {
            let known =
                |device: &str| ["H100", "H200", "H100 or H200", "llvmpipe", "not recorded"].contains(&device);
            assert!(devices.split(", ").all(known), "{name}: {devices}");
            assert!(!gain.is_empty() && !gain.ends_with('.'), "{name}: {gain}");
        }
    }

    #[test]
    fn every_request_has_a_line() {
        for lines in [&SCANS[..], &COMPACTIONS, &REDUCTIONS, &SORTS, &HISTOGRAMS] {
            let (last, others) = lines.split_last().unwrap();
            assert!((last.applies)(&Traits::default()) && !(others[0].applies)(&Traits::default()));
        }
    }
}
