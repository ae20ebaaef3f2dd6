//! The maxima that no input reaches, and why.

/// Numbers of a shader's cost that are stated as maxima and never reached.
pub struct Gap {
    pub path: &'static str,
    pub numbers: &'static [&'static str],
    pub why: &'static str,
}

impl Gap {
    pub fn is_of(&self, path: &str, number: &str) -> bool {
        self.path == path && self.numbers.contains(&number)
    }
}

const fn gap(path: &'static str, numbers: &'static [&'static str], why: &'static str) -> Gap {
    Gap { path, numbers, why }
}

const FETCHED: &[&str] = &["texels read", "words read"];

const ONE_SEARCH: &str = "the places of a texel share a search, and what is left to search shrinks";

/// Of tiles and their depths.
const FIRST_LANES: &str = "the first lanes of a warp are counted as if they had lanes before them";
const ALL_LEVELS: &str =
    "the longest chains of all levels are counted, and no result has the longest one on each level";

pub const GAPS: &[Gap] = &[
    gap("sort/radix/gather.frag", FETCHED, ONE_SEARCH),
    gap("sort/radix/gather_pairs.frag", FETCHED, ONE_SEARCH),
    gap("compact/packed/gather.frag", FETCHED, "the last texel of a result has no group after its own"),
    gap(
        "compact/packed/runs.frag",
        FETCHED,
        "the first and the last runs look at fewer groups than the others",
    ),
    gap(
        "compact/select/select.comp",
        &["adds", "depth"],
        "masks count flags, and the operator adds no numbers of them",
    ),
    gap("reduce/single_pass/reduce.comp", &["depth"], ALL_LEVELS),
    gap("reduce/two_pass/finish.comp", &["depth"], ALL_LEVELS),
    gap("reduce/two_pass/reduce.comp", &["depth"], ALL_LEVELS),
    gap("scan/capannini/scan.comp", &["depth"], ALL_LEVELS),
    gap("scan/chained/scan.comp", &["adds"], FIRST_LANES),
    gap("scan/chained/scan.comp", &["depth"], ALL_LEVELS),
    gap("scan/look_back/scan.comp", &["adds"], FIRST_LANES),
    gap("scan/look_back/scan.comp", &["depth"], ALL_LEVELS),
    gap(
        "scan/packed/reduce.frag",
        &["depth"],
        "a texel is counted as a chain of its items, and is added as a tree",
    ),
    gap("scan/reduce_then_scan/columns_scan.comp", &["adds"], "the first row has nothing before it"),
    gap(
        "scan/reduce_then_scan/columns_scan.comp",
        &["depth"],
        "a whole band is counted, and these have fewer rows",
    ),
    gap("scan/reduce_then_scan/linear_reduce.comp", &["depth"], ALL_LEVELS),
    gap(
        "scan/reduce_then_scan/linear_scan.comp",
        &["words read"],
        "lanes of a warp read the same powers of the matrix",
    ),
    gap(
        "scan/reduce_then_scan/linear_scan.comp",
        &["adds"],
        "the first warp has none before it, and adds nothing for it",
    ),
    gap("scan/reduce_then_scan/linear_scan.comp", &["depth"], ALL_LEVELS),
    gap("scan/reduce_then_scan/reduce.comp", &["adds"], FIRST_LANES),
    gap("scan/reduce_then_scan/reduce.comp", &["depth"], ALL_LEVELS),
    gap("scan/reduce_then_scan/reduce_in_series.comp", &["depth"], ALL_LEVELS),
    gap("scan/reduce_then_scan/scan.comp", &["adds"], FIRST_LANES),
    gap("scan/reduce_then_scan/scan.comp", &["depth"], ALL_LEVELS),
    gap(
        "scan/reduce_then_scan/scan_in_series.comp",
        &["adds"],
        "a group's tile is counted, and an invocation's shares no totals",
    ),
    gap("scan/reduce_then_scan/scan_in_series.comp", &["depth"], ALL_LEVELS),
    gap(
        "scan/sam/scan.comp",
        &["words read"],
        "the first chunks read the sums of fewer groups than the others",
    ),
    gap("scan/sam/scan.comp", &["adds"], FIRST_LANES),
    gap("scan/sam/scan.comp", &["depth"], ALL_LEVELS),
    gap(
        "scan/three_phase/add.comp",
        &["adds"],
        "only in split streams, where the first items of each scan do not add",
    ),
    gap("scan/three_phase/scan.comp", &["adds"], FIRST_LANES),
    gap("scan/three_phase/scan.comp", &["depth"], ALL_LEVELS),
];
