//! Every scan inside every compaction whose counts have a layout for it.

use rasterscan::tools::problem::{COMPACT, SCAN};
use rasterscan::tools::registry::Era;
use rasterscan::{CompactSpec, Moves, tools::registry};
use rasterscan_runner::compaction::{CompactRunner, TestShape};
use rasterscan_runner::scan::in_tiles;

fn every_scan_counts() {
    let mut runner = CompactRunner::new();
    let mut pairs = 0;
    for card in registry::of(COMPACT) {
        for parameter in card.parameters {
            let scans = parameter.domain.inner.iter().flat_map(|inner| inner.cards());
            for scan in scans {
                // Small tiles and blocks, so that there are several.
                let small = match scan {
                    scan if in_tiles(scan) => ":vectors=1",
                    scan if scan.parameters.iter().any(|p| p.name == "banks") => ":block=32",
                    _ => "",
                };
                let algorithm = format!("{}:{}={}{small}", card.name, parameter.name, scan.name);
                for len in [1, 257, 3000] {
                    let spec = CompactSpec::new::<u32>(len).moves(Moves::Both);
                    runner.shapes::<u32>(&algorithm, &spec);
                }
                // A scan that is right with the other parameters at their defaults can be wrong with another word of one.
                for other in card.parameters.iter().filter(|other| other.name != parameter.name) {
                    for word in other.domain.words.iter().filter(|word| **word != other.default) {
                        let algorithm = format!("{algorithm},{}={word}", other.name);
                        runner.case::<u32>(&algorithm, 700, TestShape::Share(30), Moves::Both);
                    }
                }
                pairs += 1;
            }
        }
    }
    // horn, blocks and points by all scans of textures, packed by one, scatter by all of buffers.
    let scans = |era: Era| registry::of(SCAN).filter(|card| card.era == era).count();
    assert_eq!(pairs, 3 * scans(Era::Texture) + 1 + scans(Era::Compute));
    runner.finish("every scan inside of every compaction");
}

crate::tests![every_scan_counts];
