//! Where scans of a split stream begin anew, for scans whose items are texels: rows need a division, and flags a table of a
//! texel for 8 items.
//!
//! ```text
//! last[w]  = the index of the last bit set in word w of the flags, or 0         last heads
//! before   = exclusive max scan of last                                         scan
//! table[g] = the flags of 8 items, and how far before them their scan begins    starts
//! ```
//!
//! The scan of an item begins at the last of its group's flags up to it, else as far before as the table says: one fetch of
//! one word. So items need no flags beside them, and a pass writes as many words as one over a whole stream.
//!
//! Source: ours; sengupta2007, section 3, packs a flag beside each item.

use crate::algorithm::Algorithm;
use crate::device::Device;
use crate::element::ElementType;
use crate::error::Error;
use crate::operator::Operator;
use crate::plan::{AtMost, DrawRecorder, ItemType, Layout, Plan, Slot, Uniform};
use crate::scan::{Heads, ScanSpec, option_passes, shader};

/// The most items between two flags that 24 bits count.
const FAR: u64 = 1 << 24;

/// Where the scans begin; adds the passes of the table, which takes the place of flags. `words_scan` scans the words of the
/// flags.
///
/// Errors: as [`Algorithm::build`] of the scan of words.
pub(super) fn heads(
    plan: &mut Plan,
    spec: &ScanSpec,
    inputs: &[Slot],
    device: &Device,
    words_scan: &dyn Algorithm<ScanSpec>,
) -> Result<Heads, Error> {
    let flags = match option_passes::heads(plan, spec, inputs, device)? {
        Heads::Flags(flags) if spec.len > 0 => flags,
        other => return Ok(other),
    };
    let words = spec.len.div_ceil(32);
    let scan = ScanSpec::of(ElementType::U32, words).operator(Operator::MAX).exclusive();
    let last = plan
        .slot("last heads", words_scan.placement(&scan, device)?.layout(device, ElementType::U32, 1, words)?);
    let item = ItemType { element: ElementType::U32, operator: Operator::MAX };
    let before = plan.with_item(item, |plan| {
        plan.draw("last heads", shader!("scan/option_passes/last_heads.frag"))
            .read("u_flags", flags)
            .fetches("u_flags", words)
            .write(last);
        plan.append(words_scan, &scan, &[last], device)
    })?[0];
    let groups = spec.len.div_ceil(8);
    let far = spec.len > FAR;
    // In the rows of the items: neighbouring fragments then read neighbouring texels. With rows of its own the table took
    // as long to fetch as the items (2^24, H200).
    let items = plan.layout(inputs[0]).of(ElementType::U32);
    let width = items.width * items.items_per_texel;
    let rows = Layout { arity: 1 + u32::from(far), items_per_texel: 1, width, ..items };
    let table = plan.slot("starts", rows.reduced(groups, 8, 1));
    plan.draw("starts", shader!("scan/option_passes/starts.frag"))
        .define("FAR", far.into())
        .element(ElementType::U32)
        .read("u_flags", flags)
        .read("u_before", before)
        .fetches("u_flags", groups)
        .fetches("u_before", groups)
        // The first groups have nothing before them.
        .at_most(AtMost::READ)
        .write(table);
    Ok(Heads::Flags(table))
}

/// The nodes of one level of a tree over a stream.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nodes {
    /// Items of the stream.
    pub items: u64,
    /// Items of the stream in a node.
    pub each: u64,
}

impl Nodes {
    /// The items of a stream.
    pub fn of_stream(items: u64) -> Nodes {
        Nodes { items, each: 1 }
    }
}

/// Tells a pass over nodes where scans begin. It looks this up `lookups` times.
pub(super) fn bind_to(pass: DrawRecorder<'_>, heads: Heads, nodes: Nodes, lookups: u64) -> DrawRecorder<'_> {
    let Nodes { items, each } = nodes;
    let int = |value: u64| Uniform::Int(value as i32);
    let pass = match heads {
        Heads::None => return pass,
        Heads::Every(width) => pass.define("FLAGGED", 0).set("u_width", int(width)),
        Heads::Flags(table) => pass
            .define("FLAGGED", 1)
            .define("FAR", (items > FAR).into())
            .read("u_heads", table)
            .fetches("u_heads", lookups),
    };
    // Where a scan begins, an item has fewer before it.
    let pass = pass.at_most(AtMost::READ | AtMost::ADDS);
    pass.define("HEADS", 1).set("u_items", int(items)).set("u_node", int(each.ilog2().into()))
}
