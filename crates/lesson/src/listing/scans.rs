//! Pseudo-code of the scans.

use super::{Text, parameter, stem};

/// The listings of a scan, by its name with parameters.
pub fn texts(algorithm: &str) -> Vec<&'static Text> {
    match stem(algorithm) {
        "horn" => vec![&HORN],
        "hybrid" | "blelloch" => vec![&HYBRID],
        "packed" => vec![&PACKED],
        "harris" if parameter(algorithm, "variant") == Some("naive") => vec![&LARGE_ARRAYS, &NAIVE],
        "harris" => vec![&LARGE_ARRAYS, &WORK_EFFICIENT],
        "capannini" if parameter(algorithm, "pattern") == Some("cm") => vec![&BLOCKS_OF_CM, &CM],
        "capannini" if parameter(algorithm, "pattern") == Some("left_right") => vec![&BLOCKS_OF_TREES, &TREE],
        "capannini" => vec![&BLOCKS_OF_TREES, &TREE_IN_PLACE],
        "three_phase" => vec![&THREE_PHASE],
        "reduce_then_scan" => vec![&REDUCE_THEN_SCAN],
        "chained" => vec![&CHAINED],
        "look_back" => vec![&LOOK_BACK],
        "sam" => vec![&SAM],
        _ => Vec::new(),
    }
}

/// sengupta2006, algorithm 2.
static HORN: Text = Text {
    title: "Horn's scan",
    sources: &["sengupta2006", "horn2005", "hillis1986"],
    corrected: "In print the loop runs from 1 to log2 n with offsets of 2^i, one step late, and exclusive scans are left \
                out.",
    text: "
      scan/horn/step exclusive  !| if exclusive, first: x[k] = x[k - 1]
      scan/horn/step exclusive  !|   and x[0] = 0
                                !| for d = 0 to ceil(log2 n) - 1
      scan/horn/step             |   for all k in parallel
      scan/horn/step             |     if k >= 2^d
      scan/horn/step             |       x[k] = x[k - 2^d] + x[k]
      scan/horn/step             |     else
      scan/horn/step             |       x[k] = x[k]
",
};

/// sengupta2006, algorithms 3 and 4, and section 2.4.
static HYBRID: Text = Text {
    title: "Reduce, scan, down-sweep",
    sources: &["sengupta2006", "blelloch1990"],
    corrected: "In print i starts at 1 in the reduce; place 0 needs its sum as well.",
    text: "
                                    | for d = 1 to R
      scan/hybrid/reduce           !|   for i = 0 to n/2^d - 1 in parallel
      scan/hybrid/reduce            |     a(d)[i] = a(d-1)[2i] + a(d-1)[2i + 1]
      scan/horn/step                | Horn's scan of a(R)
                                    | for d = R - 1 down to 0
      scan/hybrid/down_sweep        |   for i = 0 to n/2^d - 1 in parallel
      scan/hybrid/down_sweep        |     if i > 0
      scan/hybrid/down_sweep        |       if i is odd
      scan/hybrid/down_sweep        |         a(d)[i] = a(d+1)[i/2]
      scan/hybrid/down_sweep        |       else
      scan/hybrid/down_sweep        |         a(d)[i] = a(d)[i] + a(d+1)[i/2 - 1]
      scan/hybrid/down_sweep        |     else
      scan/hybrid/down_sweep        |       a(d)[i] = a(d)[i]
                                    | the last of them, if the scan is exclusive
      scan/hybrid/down_sweep exclusive |   even i: a(0)[i] = a(1)[i/2 - 1]
      scan/hybrid/down_sweep exclusive |   odd i:  a(0)[i] = a(1)[i/2 - 1] + a(0)[i - 1]
",
};

/// Our own; blocks as in blelloch1990, levels as in sengupta2006.
static PACKED: Text = Text {
    title: "The packed scan",
    sources: &["blelloch1990", "sengupta2006"],
    corrected: "",
    text: "
                                         | while a(d) is longer than a block
      scan/packed/reduce                 |   for each block b in parallel
      scan/packed/reduce                 |     a(d+1)[b] = the sum of the block's items
                                         | for each level, the top one first
      scan/packed/down_sweep             |   for each i in block b in parallel
      scan/packed/down_sweep inclusive   |     a(d)[i] = a(d+1)[b - 1] + the items of b up to i
      scan/packed/down_sweep exclusive   |     the last of them, if exclusive: + those before i
",
};

/// harris2007, "Arrays of Arbitrary Size".
static LARGE_ARRAYS: Text = Text {
    title: "Arrays of arbitrary size",
    sources: &["harris2007"],
    corrected: "",
    text: "
      scan blocks   | for each block j in parallel
      scan blocks   |   OUT[j] = scan of IN[j]
      scan blocks   |   SUMS[j] = sum of IN[j]
                    | if there are several blocks
      sums          |   INCR = scan of SUMS, in the same way
      uniform add   |   for each block j in parallel
      uniform add   |     add INCR[j] to all items of OUT[j]
",
};

/// harris2007, algorithm 2 and listing 1.
static NAIVE: Text = Text {
    title: "The naive scan of a block",
    sources: &["harris2007", "hillis1986"],
    corrected: "In print the condition is k >= 2^d, listing 1 adds to what the other buffer held, and exclusive scans \
                are left to listing 1.",
    text: "
      exclusive@load  !| if exclusive: x[in][k] = IN[k - 1]
      exclusive@load  !|   and x[in][0] = 0
      @step            | for d = 1 to log2 n
      @step            |   forall k in parallel
      @step           !|     if k >= 2^(d-1)
      @step           !|       x[out][k] = x[in][k - 2^(d-1)] + x[in][k]
      @step            |     else
      @step            |       x[out][k] = x[in][k]
      @step            |   swap(in, out)
",
};

/// harris2007, algorithms 3 and 4.
static WORK_EFFICIENT: Text = Text {
    title: "The work-efficient scan of a block",
    sources: &["harris2007", "blelloch1990"],
    corrected: "In print the way down runs from log2 n, one level too high, and inclusive scans are left out.",
    text: "
      @up               | for d = 0 to log2 n - 1
      @up               |   for k from 0 to n - 1 by 2^(d+1) in parallel
      @up               |     x[k + 2^(d+1) - 1] = x[k + 2^d - 1] + x[k + 2^(d+1) - 1]
      @root             | x[n - 1] = 0
      @down            !| for d = log2 n - 1 down to 0
      @down             |   for k from 0 to n - 1 by 2^(d+1) in parallel
      @down             |     t = x[k + 2^d - 1]
      @down             |     x[k + 2^d - 1] = x[k + 2^(d+1) - 1]
      @down             |     x[k + 2^(d+1) - 1] = t + x[k + 2^(d+1) - 1]
      inclusive@store  !| if inclusive: OUT[k] = x[k + 1]
      inclusive@store  !|   and OUT[n - 1] = the total
",
};

/// capannini2011, section VIII.
static BLOCKS_OF_TREES: Text = Text {
    title: "Large arrays",
    sources: &["capannini2011"],
    corrected: "",
    text: "
      scan blocks                         | a single block: up its tree and down again
                                          | for each block j in parallel
      up-sweep@up                         |   lines 1-6 of the tree over in[j]
      up-sweep@store                      |   partial[j] = the root
      sums                                | partial = scan of partial, in the same way
                                          | for each block j in parallel
      down-sweep@root                     |   the root = partial[j]
      down-sweep@down, down-sweep@store   |   lines 8-15 of the tree, to out[j]
",
};

/// capannini2011, algorithms 2 and 3.
static TREE: Text = Text {
    title: "A tree without conflicts",
    sources: &["capannini2011", "harris2007"],
    corrected: "In print the sum overwrites a left operand that the way down still needs, which here moves to the place of \
                the right one; and inclusive scans are left out.",
    text: "
      @up                        | 1  for d = 0 to log2 n - 1
      @up                        | 2    for i = 0 to n/2^(d+1) - 1 in parallel
      @up                        | 3      x = A[LEFTRIGHT(2i, d)]
      @up                        | 4      y = A[LEFTRIGHT(2i + 1, d)]
      @up                        | 5      A[LEFTRIGHT(i, d + 1)] = x + y
      @up                       !| 6      a left operand in that place moves to the other
      scan/capannini/scan@root   | 7  the root = 0
      @down                      | 8  for d = log2 n - 1 down to 0
      @down                      | 9    for i = 0 to n/2^(d+1) - 1 in parallel
      @down                      | 11     before = A[LEFTRIGHT(i, d + 1)]
      @down                      | 12     the left child takes before
      @down                      | 13     the right child takes before + the left operand
      inclusive@store           !|    if inclusive: out[k] = A[k + 1]
      inclusive@store           !|      and out[n - 1] = the total
",
};

/// capannini2011, algorithm 2.
static TREE_IN_PLACE: Text = Text {
    title: "A tree in place",
    sources: &["capannini2011", "harris2007"],
    corrected: "In print inclusive scans are left out.",
    text: "
      @up                        | 1  for d = 0 to log2 n - 1
      @up                        | 2    for k = 0 to n - 1 by 2^(d+1) in parallel
      @up                        | 3      i = k + 2^d - 1
      @up                        | 4      A[i + 2^d] = A[i + 2^d] + A[i]
      scan/capannini/scan@root   | 7  A[n - 1] = 0
      @down                      | 8  for d = log2 n - 1 down to 0
      @down                      | 9    for k = 0 to n - 1 by 2^(d+1) in parallel
      @down                      | 10     i = k + 2^d - 1
      @down                      | 11     temp = A[i]
      @down                      | 12     A[i] = A[i + 2^d]
      @down                      | 13     A[i + 2^d] = A[i + 2^d] + temp
      inclusive@store           !|    if inclusive: out[k] = A[k + 1]
      inclusive@store           !|      and out[n - 1] = the total
",
};

/// The same for the method of the Connection Machine, which has no way down.
static BLOCKS_OF_CM: Text = Text {
    title: "Large arrays",
    sources: &["capannini2011"],
    corrected: "",
    text: "
                    | for each block j in parallel
      scan blocks   |   out[j] = scan of in[j]
      scan blocks   |   partial[j] = its total
      sums          | partial = scan of partial, in the same way
                    | for each block j in parallel
      uniform add   |   add partial[j] to all items of out[j]
",
};

/// capannini2011, algorithm 1.
static CM: Text = Text {
    title: "The work-inefficient scan (CM)",
    sources: &["capannini2011", "hillis1986"],
    corrected: "In print the condition is 2^d <= k, and exclusive scans are left out.",
    text: "
      @step             | for d = 1 to log2 n
      @step             |   for all k in parallel
      @step            !|     if 2^(d-1) <= k < n
      @step             |       A[k] = A[k] + A[k - 2^(d-1)]
      exclusive@store  !| if exclusive: out[k] = A[k - 1]
      exclusive@store  !|   and out[0] = 0
",
};

/// maleki2016, section 4.2.
static THREE_PHASE: Text = Text {
    title: "Three phases",
    sources: &["maleki2016"],
    corrected: "",
    text: "
                                      | for each tile in parallel
      scan, scan/three_phase/scan     |   write the scanned tile
      scan, scan/three_phase/scan     |   sums[tile] = its sum
      sums                            | scan sums, in the same way
                                      | for each tile in parallel
      add, scan/three_phase/add       |   result = sums[tile - 1] + what was written
",
};

/// maleki2016, section 2.1.
static REDUCE_THEN_SCAN: Text = Text {
    title: "Reduce, then scan",
    sources: &["maleki2016"],
    corrected: "",
    text: "
                                                  | for each tile in parallel
      reduce, scan/reduce_then_scan/reduce, scan/reduce_then_scan/reduce_in_series |   sums[tile] = sum of the tile
      sums                                        | scan sums, in the same way
                                                  | for each tile in parallel
      scan, scan/reduce_then_scan/scan, scan/reduce_then_scan/scan_in_series       |   write sums[tile - 1] + the scanned tile
",
};

/// maleki2016, section 2.1, on StreamScan.
static CHAINED: Text = Text {
    title: "The chained scan",
    sources: &["maleki2016"],
    corrected: "",
    text: "
      clear, scan/common/clear   | no tile has published anything
                                 | for each tile in parallel, in the order of tickets
      scan, scan/chained/scan    |   load and scan the tile
      scan, scan/chained/scan    |   wait for the prefix of tile - 1
      scan, scan/chained/scan    |   publish that plus the tile's sum
      scan, scan/chained/scan    |   write prefix + scanned
",
};

/// merrill2016.
static LOOK_BACK: Text = Text {
    title: "Decoupled look-back",
    sources: &["merrill2016", "maleki2016"],
    corrected: "",
    text: "
      clear, scan/common/clear     | no tile has published anything
                                   | for each tile in parallel, in the order of tickets
      scan, scan/look_back/scan    |   load and scan the tile
      scan, scan/look_back/scan    |   publish its aggregate
      scan, scan/look_back/scan    |   look back: add up the aggregates of earlier tiles
      scan, scan/look_back/scan    |     until one has published its prefix
      scan, scan/look_back/scan    |   publish the prefix
      scan, scan/look_back/scan    |   write prefix + scanned
",
};

/// maleki2016, chapter 4.
static SAM: Text = Text {
    title: "SAM",
    sources: &["maleki2016"],
    corrected: "In print all orders share one array of sums, which a fast group could overwrite too early.",
    text: "
      clear, scan/common/clear   | no chunk has published anything
                                 | k groups, each: for its chunks, one after the other
      scan, scan/sam/scan        |   load the chunk
      scan, scan/sam/scan        |   for each order
      scan, scan/sam/scan        |     scan the chunk
      scan, scan/sam/scan       !|     publish its sum, in an array of this order
      scan, scan/sam/scan        |     read the sums of the chunks since the group's last one
      scan, scan/sam/scan        |     add them to what is carried, and that to the chunk
      scan, scan/sam/scan        |   write the chunk
",
};
