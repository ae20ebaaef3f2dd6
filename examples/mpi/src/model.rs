//! The time of a scan in two parts by many ranks: a formula, ranks simulated message by message, and the tables of
//! `docs/scaling.md`.
//!
//! ```text
//! reduce   n/p items read                  at `reduce` items a second
//! exchange an exclusive scan of p totals   `link` seconds a message
//! scan     n/p items read and written      at `scan` items a second
//! ```

use std::fmt::Write;

/// The constants of a machine; seconds, and items of 4 bytes a second.
#[derive(Debug, Clone, Copy)]
pub struct Machine {
    pub name: &'static str,
    /// Items that a device reduces.
    pub reduce: f64,
    /// Items that a device scans, sums and carry given.
    pub scan: f64,
    /// The start of the passes, a total read and a carry written.
    pub start: f64,
    /// A message of one item from rank to rank.
    pub link: f64,
    /// Items to a device, and back.
    pub upload: f64,
    pub download: f64,
    /// Items that the disk of a host reads or writes.
    pub disk: f64,
    /// Devices of a host, which share its disk.
    pub devices: u64,
    /// Items of input and result that a device holds.
    pub holds: f64,
}

/// H200: `docs/results.md` (a reduction of 2^28 in 0.247 ms), `docs/limits.md` (a copy of 2^28 in 0.52 ms), README (transfers of
/// 2^24). Link, start and disk are those of common clusters, and were not measured here.
pub const H200: Machine = Machine {
    name: "H200, 8 a host",
    reduce: 268_435_456.0 / 0.247e-3,
    scan: 268_435_456.0 / 0.52e-3,
    start: 0.1e-3,
    link: 2e-6,
    upload: 16_777_216.0 / 3.1e-3,
    download: 16_777_216.0 / 2.7e-3,
    disk: 10e9 / 4.0,
    devices: 8,
    holds: 139.0 * 1_073_741_824.0 / 4.0,
};

/// How the exclusive scan of the totals goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exchange {
    /// From rank to rank: what Open MPI's `MPI_Iexscan` does unless it is told otherwise.
    Chain,
    /// In each round with a rank that is twice as far away.
    Doubling,
}

impl Exchange {
    /// Messages that wait for each other.
    pub fn steps(self, ranks: u64) -> u64 {
        match self {
            Exchange::Chain => ranks - 1,
            Exchange::Doubling => u64::from(ranks.ilog2()),
        }
    }
}

/// Seconds of a scan of data that lies on the devices: before the exchange, in it, and after it.
pub fn formula(machine: &Machine, items: f64, ranks: u64, exchange: Exchange) -> [f64; 3] {
    let own = items / ranks as f64;
    [own / machine.reduce, exchange.steps(ranks) as f64 * machine.link, own / machine.scan + machine.start]
}

/// The same, simulated: `slower(rank)` is the factor by which a rank is slower than its machine. Returns the moment at which
/// the last rank has finished.
pub fn simulate(
    machine: &Machine,
    items: f64,
    ranks: u64,
    exchange: Exchange,
    slower: impl Fn(u64) -> f64,
) -> f64 {
    let [reduce, _, scan] = formula(machine, items, ranks, exchange);
    let reduced: Vec<f64> = (0..ranks).map(|rank| reduce * slower(rank)).collect();
    // The moment at which each rank has its carry, and at which what it sends on is complete.
    let mut carried = vec![0.0f64; ranks as usize];
    match exchange {
        Exchange::Chain => {
            let mut sent = reduced[0];
            for rank in 1..ranks as usize {
                carried[rank] = sent + machine.link;
                sent = carried[rank].max(reduced[rank]);
            }
        }
        Exchange::Doubling => {
            let mut complete = reduced.clone();
            let mut distance = 1;
            while distance < ranks as usize {
                let before = complete.clone();
                for rank in distance..ranks as usize {
                    carried[rank] = carried[rank].max(before[rank - distance] + machine.link);
                    complete[rank] = before[rank].max(carried[rank]);
                }
                distance *= 2;
            }
        }
    }
    let ends = (0..ranks).map(|rank| {
        let ready = carried[rank as usize].max(reduced[rank as usize]);
        ready + scan * slower(rank)
    });
    ends.fold(0.0, f64::max)
}

/// Between 1 and 1.05, by rank: devices of one model differ by some percent.
pub fn jitter(rank: u64) -> f64 {
    let mixed = (rank + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    1.0 + 0.05 * ((mixed ^ mixed >> 29) >> 40) as f64 / (1u64 << 24) as f64
}

/// A number in four digits or so.
fn short(number: f64) -> String {
    let decimals = (3 - number.max(1.0).log10() as i32).max(0) as usize;
    format!("{number:.decimals$}")
}

/// The table of so many items, by ranks.
pub fn strong(machine: &Machine, items: f64) -> String {
    let mut table = String::from(
        "| ranks | items a rank | devices, ms | chain, ms | doubling, ms | simulated, chain and doubling, ms | with transfers, s | file to file, s |\n\
         | --- | --- | --- | --- | --- | --- | --- | --- |\n",
    );
    for ranks in [1u64, 2, 4, 8, 64, 256, 1024] {
        let own = items / ranks as f64;
        let [reduce, doubling, scan] = formula(machine, items, ranks, Exchange::Doubling);
        let [_, chain, _] = formula(machine, items, ranks, Exchange::Chain);
        let simulated = [Exchange::Chain, Exchange::Doubling]
            .map(|exchange| simulate(machine, items, ranks, exchange, jitter) * 1e3);
        let transfers = own / machine.upload + own / machine.download;
        let hosts = ranks.div_ceil(machine.devices) as f64;
        // Reading and writing take turns at the disk.
        let disk = 2.0 * items / hosts / machine.disk;
        let held = if 2.0 * own > machine.holds { " in pieces" } else { "" };
        writeln!(
            table,
            "| {ranks} | {own:.2e}{held} | {} | {} | {} | {} and {} | {} | {:.0} |",
            short((reduce + scan) * 1e3),
            short(chain * 1e3),
            short(doubling * 1e3),
            short(simulated[0]),
            short(simulated[1]),
            short(reduce + scan + doubling + transfers),
            reduce + scan + doubling + transfers + disk,
        )
        .expect("a string");
    }
    table
}

/// The table of the lengths from which on the exchange takes less than a tenth of the scan.
pub fn thresholds(machine: &Machine) -> String {
    let mut table = String::from(
        "| ranks | chain: items a rank | in all | doubling: items a rank | in all |\n| --- | --- | --- | --- | --- |\n",
    );
    for ranks in [2u64, 8, 64, 1024] {
        write!(table, "| {ranks} |").expect("a string");
        for exchange in [Exchange::Chain, Exchange::Doubling] {
            let [_, exchanged, start] = formula(machine, 0.0, ranks, exchange);
            let own = (10.0 * exchanged - start).max(0.0) / (1.0 / machine.reduce + 1.0 / machine.scan);
            let all = own * ranks as f64;
            let cells = if own > 0.0 { format!(" {own:.1e} | {all:.1e} |") } else { " any | any |".into() };
            table.push_str(&cells);
        }
        table.push('\n');
    }
    table
}

/// The table of speeds beside one device, in words moved alone.
pub fn bounds() -> String {
    let mut table = String::from(
        "| devices | beside the same two parts on one | beside one pass of 2n words on one |\n| --- | --- | --- |\n",
    );
    for devices in [1, 2, 4, 8] {
        let (two_parts, single) = (f64::from(devices), 2.0 * f64::from(devices) / 3.0);
        writeln!(table, "| {devices} | {two_parts:.0} | {single:.2} |").expect("a string");
    }
    table
}
