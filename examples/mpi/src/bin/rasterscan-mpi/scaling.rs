//! Weak and strong scaling: a scan of numbers on the devices, by more and more ranks.

use std::time::Instant;

use rasterscan::{Gpu, Operator, Prepared, ScanSpec};
use rasterscan_mpi::check::{items, median, verify};
use rasterscan_mpi::part::{Part, identity};

use crate::options::Options;
use crate::ranks::Ranks;
use crate::{Result, gpu};

/// Prints the times of scans of 1, 2, 4 ... ranks, of one length in all, and of one length each.
pub fn scaling(options: &Options, ranks: &Ranks) -> Result<()> {
    let gpu = gpu(options, ranks)?;
    let items_of_one = options.items.unwrap_or(1 << 20).max(ranks.count() as u64);
    if ranks.rank() == 0 {
        println!(
            "scan of u32, the slowest rank, medians of {} rounds, on {}\n",
            options.rounds,
            gpu.device()
        );
        println!(
            "| scaling | ranks | items | ms | exchange ms | efficiency |\n| --- | --- | --- | --- | --- | --- |"
        );
    }
    let counts =
        std::iter::successors(Some(1), |count| Some(count * 2)).take_while(|count| *count < ranks.count());
    let counts: Vec<usize> = counts.chain([ranks.count()]).collect();
    for weak in [false, true] {
        let mut of_one = None;
        for count in &counts {
            let all = if weak { items_of_one * *count as u64 } else { items_of_one };
            // The others wait at the next one.
            ranks.barrier();
            let Some(some) = ranks.first(*count) else { continue };
            let (ms, exchange) = time_scan(options, &some, &gpu, all)?;
            let of_one = *of_one.get_or_insert(ms);
            let ideal = if weak { of_one } else { of_one / *count as f64 };
            if ranks.rank() == 0 {
                let name = if weak { "weak" } else { "strong" };
                println!("| {name} | {count} | {all} | {ms:.3} | {exchange:.3} | {:.2} |", ideal / ms);
            }
        }
    }
    Ok(())
}

/// The time of a scan of data on the devices, and that of the exchange alone, both of the slowest rank.
fn time_scan(options: &Options, ranks: &Ranks, gpu: &Gpu, all: u64) -> Result<(f64, f64)> {
    let share = ranks.share(all);
    let input = |reduce: &Prepared, range: std::ops::Range<u64>| {
        reduce.upload(&items(share.start + range.start..share.start + range.end))
    };
    let spec = ScanSpec::new::<u32>(0);
    let mut part = Part::<u32>::new(gpu, &spec, share.end - share.start, options.piece, input)?;
    let (mut times, mut exchanges) = (Vec::new(), Vec::new());
    for _ in 0..options.rounds {
        ranks.barrier();
        let start = Instant::now();
        let total = part.reduce()?;
        part.scan(&ranks.exscan(&Operator::ADD, &total))?;
        gpu.finish()?;
        ranks.barrier();
        times.push(start.elapsed());
        ranks.exscan(&Operator::ADD, &identity(&Operator::ADD));
        exchanges.push(ranks.waited.get());
    }
    verify(share.start, part.scanned())?;
    // The first rounds wake the devices.
    let half = times.len() / 2;
    let own = [times.split_off(half), exchanges.split_off(half)].map(|times| median(times).to_bits());
    let all = ranks.gather(&own);
    let slowest =
        |column: usize| all.chunks(2).map(|of_rank| f64::from_bits(of_rank[column])).fold(0.0, f64::max);
    Ok((slowest(0), slowest(1)))
}
