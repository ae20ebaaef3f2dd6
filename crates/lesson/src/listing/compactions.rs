//! Pseudo-code of the compactions.

use super::{Text, parameter, scans, stem};

/// The listings of a compaction, by its name with parameters, and of the scan in it.
pub fn texts(algorithm: &str) -> Vec<&'static Text> {
    let scan = parameter(algorithm, "scan").map(|scan| scan.replace('+', ","));
    let own = match stem(algorithm) {
        "horn" => vec![&HORN],
        "blocks" => return blocks(algorithm, scan.as_deref()),
        "geometry" => vec![&GEOMETRY],
        "bitonic" => vec![&BITONIC],
        "histopyramid" => vec![&HISTOPYRAMID],
        "points" => vec![&POINTS],
        "packed" => vec![&PACKED],
        "scatter" => vec![&SCATTER],
        "select" => vec![&SELECT],
        _ => Vec::new(),
    };
    own.into_iter().chain(scan.iter().flat_map(|scan| scans::texts(scan))).collect()
}

fn blocks(algorithm: &str, scan: Option<&str>) -> Vec<&'static Text> {
    let inner = parameter(algorithm, "inner");
    let counts = if inner == Some("packed") { &BLOCKS_OF_BITS } else { &BLOCKS };
    let search = if parameter(algorithm, "search") == Some("for") { &SEARCH_FOR } else { &SEARCH_WHILE };
    let usual = match inner {
        Some("blelloch") => "blelloch",
        Some("packed") => "packed",
        _ => "horn",
    };
    [counts, search].into_iter().chain(scans::texts(scan.unwrap_or(usual))).collect()
}

/// roger2007, figures 2 and 3.
static HORN: Text = Text {
    title: "Compaction by scan and search",
    sources: &["roger2007", "horn2005", "sengupta2006"],
    corrected: "",
    text: "
                   | for each k in parallel
      flags        |   flag[k] = 1 if x[k] is unwanted, else 0
      scan         | pSum = inclusive scan of flag
                   | for each i in parallel
      search       |   search the j with j - pSum[j] = i and x[j] wanted,
      search       |     between i + pSum[i] and i + pSum[n - 1]
      search       |   out[i] = x[j]
      count        | count = n - pSum[n - 1]
",
};

/// roger2007, section III.
static BLOCKS: Text = Text {
    title: "Compaction in blocks",
    sources: &["roger2007"],
    corrected: "In print pSum counts the unwanted before an element; the bounds need those up to it.",
    text: "
                       | in each block of s elements, in parallel
      flags            |   flag[k] = 1 if x[k] is unwanted, else 0
      scan in blocks  !|   pSum = inclusive scan of flag
      search           |   for each i: find j, and out[i] = x[j]
      ends             | D = the last term of each block's pSum
      scan             | D = inclusive scan of D
      segments         | for each block b: a segment
      segments         |   from b s - D[b - 1] to (b + 1) s - D[b]
      left parts, lines, rectangles    | draw each segment as a line of what stands D[b - 1] places to its right
      wrapped parts, lines, rectangles |   what crosses the right edge goes on in the next row
      count            | count = n - D[last]
",
};

/// The same with flags that are bits: ours.
static BLOCKS_OF_BITS: Text = Text {
    title: "Compaction in blocks, by bits",
    sources: &["roger2007"],
    corrected: "",
    text: "
      bits             | bits = a bit for each element, 1 where it is kept
                       | in each block of s elements, in parallel
      search           |   for each i: find j in the bits, and out[i] = x[j]
      counts           | D = the unwanted of each block
      scan             | D = inclusive scan of D
      segments         | for each block b: a segment
      segments         |   from b s - D[b - 1] to (b + 1) s - D[b]
      left parts, lines, rectangles    | draw each segment as a line of what stands D[b - 1] places to its right
      wrapped parts, lines, rectangles |   what crosses the right edge goes on in the next row
      count            | count = n - D[last]
",
};

/// roger2007, figure 5.
static SEARCH_WHILE: Text = Text {
    title: "The improved dichotomic search",
    sources: &["roger2007"],
    corrected: "",
    text: "
      search   | lowerBound = i + pSum[i]
      search   | upperBound = i + pSum[s - 1]
      search   | if upperBound > s - 1
      search   |   there is no element at position i: stop here
      search   | j = (lowerBound + upperBound) / 2
      search   | found = j - pSum[j] - i
      search   | while found != 0 or x[j] is unwanted
      search   |   if found < 0
      search   |     lowerBound = j - found
      search   |   else
      search   |     upperBound = j - max(1, found)
      search   |   j = (lowerBound + upperBound) / 2
      search   |   found = j - pSum[j] - i
      search   | return x[j]
",
};

/// roger2007, section III-B, for loops of fixed length.
static SEARCH_FOR: Text = Text {
    title: "The dichotomic search of fixed length",
    sources: &["roger2007"],
    corrected: "",
    text: "
      search   | lowerBound = i + pSum[i]
      search   | upperBound = i + pSum[s - 1]
      search   | if upperBound > s - 1
      search   |   there is no element at position i: stop here
      search   | repeat log2 s times
      search   |   j = (lowerBound + upperBound) / 2
      search   |   if j - pSum[j] >= i
      search   |     upperBound = j
      search   |   else
      search   |     lowerBound = j + 1
      search   | return x[upperBound]
",
};

/// roger2007, section V-B.
static GEOMETRY: Text = Text {
    title: "Compaction by the geometry engine",
    sources: &["roger2007"],
    corrected: "",
    text: "
      filter   | for each element k, as a point, in order
      filter   |   if x[k] is wanted, append x[k]
      count    | count = how many are wanted, added up in runs
",
};

/// govindaraju2005, as roger2007 names it.
static BITONIC: Text = Text {
    title: "Compaction by sorting",
    sources: &["govindaraju2005", "roger2007"],
    corrected: "",
    text: "
                | for each k in parallel
      keys      |   key[k] = k, and 2^31 more if x[k] is unwanted
                | for run = 2, 4, .. n
                |   for distance = run/2, run/4, .. 1
      sort      |     for each k in parallel
      sort      |       compare key[k] with key[k xor distance]
      sort      |       keep the smaller if k is the first of the two and its run ascends,
      sort      |         or if neither is so; else the greater
                | for each i in parallel
      gather    |   if key[i] is wanted, out[i] = x[key[i]]
      count     | count = where the unwanted keys begin
",
};

/// ziegler2006.
static HISTOPYRAMID: Text = Text {
    title: "HistoPyramid",
    sources: &["ziegler2006"],
    corrected: "",
    text: "
                 | for each element in parallel
      flags      |   level(0) = 1 if it is kept, else 0
      reduce     | level(d + 1)[i] = level(d)[4i] + .. + level(d)[4i + 3]
      count      | count = the sum at the top
                 | for each i below the count, in parallel
      traverse   |   from the top, at each level
      traverse   |     go to the quarter where the running sum passes i
      traverse   |     take what is before it from i
      traverse   |   out[i] = x[where that ends]
",
};

/// The scatter by vertices that horn2005 and roger2007 name.
static POINTS: Text = Text {
    title: "Scatter by points",
    sources: &["horn2005", "roger2007"],
    corrected: "",
    text: "
      flags     | flag[k] = 1 if x[k] is unwanted, else 0
      scan      | pSum = inclusive scan of flag
                | for each element k, as a point
      scatter   |   if x[k] is wanted, draw x[k] at place k - pSum[k]
      scatter   |   else draw it where nothing is
      count     | count = n - pSum[n - 1]
",
};

/// Ours; the search as in roger2007.
static PACKED: Text = Text {
    title: "The packed compaction",
    sources: &["roger2007"],
    corrected: "",
    text: "
               | for each group g of 128 elements
      bits     |   bits[g] = a bit for each, 1 where it is kept
      counts   |   count[g] = how many bits are set
      scan     | before = exclusive scan of count
      count    | the count = before[last] + count[last]
      hints    | for each run of 256 places: hint = the groups where it begins
               | for each texel of the result, in parallel
      gather   |   g = the last group between its hints with before[g] <= its first place
      gather   |   skip the bits of g that belong to earlier places
      gather   |   the next bits that are set are its elements
",
};

/// harris2007, on applications of scan.
static SCATTER: Text = Text {
    title: "Scan, then scatter",
    sources: &["harris2007", "sengupta2006"],
    corrected: "",
    text: "
                | for each k in parallel
      flags     |   flag[k] = 1 if x[k] is wanted, else 0
      scan      | place = exclusive scan of flag
                | for each k in parallel
      scatter   |   if x[k] is wanted, out[place[k]] = x[k]
",
};

/// merrill2016.
static SELECT: Text = Text {
    title: "Select",
    sources: &["merrill2016"],
    corrected: "",
    text: "
      clear    | no tile has published anything
               | for each tile in parallel, in the order of tickets
      select   |   load the tile, count what is kept, publish the count
      select   |   look back: how many do all tiles before keep?
      select   |   write what is kept behind that many
",
};
