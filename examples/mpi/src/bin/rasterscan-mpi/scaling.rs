//! Weak and strong scaling: a scan of numbers made on the devices, by more and more ranks.

use std::time::{Duration, Instant};

use rasterscan::{Gpu, Operator};
use rasterscan_mpi::check::median;
use rasterscan_mpi::on_device::Pieces;
use rasterscan_mpi::part::identity;

use crate::options::Options;
use crate::ranks::Ranks;
use crate::{Result, gpu};

/// Prints the times of scans of 1, 2, 4 ... ranks, of one length in all, and of one length each.
pub fn scaling(options: &Options, ranks: &Ranks) -> Result<()> {
    let gpu = gpu(options, ranks)?;
    let items_of_one = options.items.unwrap_or(1 << 20).max(ranks.count() as u64);
    if ranks.rank() == 0 {
        println!(
            "scan of u32, the slowest rank, medians of {} rounds, verified, on {}\n",
            options.rounds.div_ceil(2),
            gpu.device()
        );
        println!(
            "| scaling | ranks | items | all totals after, ms | scanned after, ms | exchange alone, ms | efficiency |"
        );
        println!("| --- | --- | --- | --- | --- | --- | --- |");
    }
    let counts =
        std::iter::successors(Some(1), |count| Some(count * 2)).take_while(|count| *count < ranks.count());
    let counts: Vec<usize> = counts.chain([ranks.count()]).collect();
    let mut of_one = 0.0;
    for weak in [false, true] {
        // One rank is the beginning of both.
        for count in &counts[usize::from(weak)..] {
            let all = if weak { items_of_one * *count as u64 } else { items_of_one };
            // The others wait at the next one.
            ranks.barrier();
            let Some(some) = ranks.first(*count) else { continue };
            let [totals, scanned, exchange] = time_scan(options, &some, &gpu, all)?;
            if *count == 1 {
                of_one = scanned;
            }
            let ideal = if weak { of_one } else { of_one / *count as f64 };
            if ranks.rank() == 0 {
                let name = if weak { "weak" } else { "strong" };
                println!(
                    "| {name} | {count} | {all} | {totals:.3} | {scanned:.3} | {exchange:.3} | {:.2} |",
                    ideal / scanned
                );
            }
        }
    }
    Ok(())
}

/// Milliseconds until all ranks have their carries, until all have scanned, and of the exchange alone. All lies on the devices
/// before a round and after it; the second half of the rounds counts, the first half wakes the devices.
fn time_scan(options: &Options, ranks: &Ranks, gpu: &Gpu, all: u64) -> Result<[f64; 3]> {
    let share = ranks.share(all);
    let first = share.start;
    let mut pieces = Pieces::new(gpu);
    // Four ranks that made sparse buffers at the same time were reset by the driver.
    let mut part = ranks.in_turns(|| pieces.part(share, options.piece))?;
    let mut times = Vec::new();
    let mut round = || -> Result<[Duration; 3]> {
        ranks.barrier();
        let start = Instant::now();
        let total = part.reduce()?;
        let carry = ranks.exscan(&Operator::ADD, &total);
        let totals = start.elapsed();
        part.scan(&carry)?;
        gpu.finish()?;
        ranks.barrier();
        let scanned = start.elapsed();
        let start = Instant::now();
        ranks.exscan(&Operator::ADD, &identity(&Operator::ADD));
        Ok([totals, scanned, start.elapsed()])
    };
    gpu.with_current(|_| -> Result<()> {
        for number in 0..options.rounds {
            let of_round = round()?;
            if number >= options.rounds / 2 {
                times.extend(of_round.map(|time| time.as_nanos() as u64));
            }
        }
        Ok(())
    })??;
    pieces.verify(&part, first)?;
    let of_ranks = ranks.gather(&times);
    ranks.in_turns(|| {
        drop(part);
        gpu.finish()
    })?;
    Ok([0, 1, 2].map(|column| {
        let slowest = |time| of_ranks.chunks(times.len()).map(|rank| rank[time]).max().expect("a rank");
        median((column..times.len()).step_by(3).map(|time| Duration::from_nanos(slowest(time))))
    }))
}
