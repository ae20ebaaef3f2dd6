//! One exchange for all orders, and linear recurrences.
//!
//! Such a scan multiplies the stream by a matrix over integers that wrap. The shader's steps do not depend on values, so it
//! multiplies by some matrix, too; which one, the impulses tell: a run for each position of a stream, with 1 there and 0
//! elsewhere, has the matrix's columns as results. If all are right, every input of this length comes out right. Longer
//! streams get random numbers of 64 bits, which a wrong entry leaves as they are by one chance in 2^k, where 2^k does not
//! divide its error.

use rasterscan::{ElementType, Recurrence, ScanSpec};
use rasterscan_runner::data::TestData;
use rasterscan_runner::rerecorded::{Memory, forgetful};
use rasterscan_runner::scan::Runner;

use super::{KINDS, finish, plan, run};

/// Lanes in series, in one warp and in several; few items, so that there are many chunks. Groups in turns are more than a
/// group has invocations, and so look at others' chunks in batches.
const ALGORITHMS: [&str; 9] = [
    "sam:exchange=once,vectors=1,groups=3",
    "sam:exchange=once,lanes=shared,group=8,vectors=2,groups=3",
    "sam:exchange=once,vectors=1,groups=20,turns=on",
    "sam:exchange=once,lanes=subgroup,group=64,vectors=1,groups=3",
    "sam:exchange=once,lanes=warp,group=128,vectors=1,groups=3",
    "reduce_then_scan:exchange=once,vectors=1",
    "reduce_then_scan:exchange=once,lanes=shared,group=8,vectors=2",
    "reduce_then_scan:exchange=once,lanes=subgroup,group=64,vectors=1",
    "reduce_then_scan:exchange=once,lanes=warp,group=128,vectors=1",
];

const SIGNATURES: [&str; 4] = ["2,-1,3:0,5,1", "1:1,1", "1,-1:", "1,2,3,4,5,6,7,8:8,-7,6,-5,4,-3,2,-1"];

fn recurrence(signature: &str) -> Recurrence {
    signature.parse().expect("a signature")
}

/// Sums of these orders, and recurrences. A program takes llvmpipe up to a second to compile: lanes in series have them
/// all, the others one of each kind.
fn specs(algorithm: &str, len: u64) -> Vec<ScanSpec> {
    let plain = ScanSpec::of(ElementType::I64, len);
    let sums = [3, 2, 8, 16].map(|order| plain.order(order));
    let recurrences = SIGNATURES.map(|signature| plain.recurrence(recurrence(signature)));
    if algorithm == ALGORITHMS[0] {
        return sums.into_iter().chain(recurrences).collect();
    }
    vec![sums[0].clone(), recurrences[0].clone()]
}

/// The length of some chunks, the last of them cut.
fn impulses_prove_every_input() {
    let mut runner = Runner::new();
    for algorithm in ALGORITHMS {
        for spec in
            [ScanSpec::new::<u32>(0).order(3), ScanSpec::new::<u32>(0).recurrence(recurrence("1,2:1,-3"))]
        {
            // Two and a half chunks of 32 items; of a subgroup's group, a part of one.
            for len in [81usize] {
                for position in 0..len {
                    let mut impulse = vec![0u32; len];
                    impulse[position] = 1;
                    let spec = spec.with_len(len as u64);
                    runner.data(algorithm, &spec, &impulse, &format!("1 at {position}"));
                }
            }
        }
    }
    finish(&runner, "impulses prove every input");
}

/// Every kind and tuple, in some chunks and in many.
fn orders_and_recurrences_are_right() {
    let mut runner = Runner::new();
    for algorithm in ALGORITHMS {
        // Turns are few.
        let long = if algorithm.contains("turns") { 1500 } else { 70_001 };
        // Each length is a program of its own.
        let short = specs(algorithm, 3001).into_iter().step_by(3);
        for (number, spec) in specs(algorithm, long).into_iter().chain(short).enumerate() {
            runner.case::<i64>(algorithm, &spec.kind(KINDS[number % 2]), TestData::Random);
        }
        let plain = ScanSpec::new::<u32>(4800);
        let fibonacci = plain.recurrence(recurrence("1:1,1"));
        for spec in
            [plain.tuple(8), plain.order(2).tuple(3).exclusive(), fibonacci.tuple(3), fibonacci.reversed()]
        {
            runner.case::<u32>(algorithm, &spec, TestData::Random);
        }
    }
    finish(&runner, "orders and recurrences are right");
}

/// Groups find nothing, or a third of what chunks publish: they scan those chunks themselves.
fn missing_chunks_are_scanned_again() {
    let mut runner = Runner::new();
    let device = runner.gpu.device().clone();
    let waits = |algorithm: &&str| algorithm.starts_with("sam") && !algorithm.contains("turns");
    for algorithm in ALGORITHMS.into_iter().filter(waits) {
        for spec in specs(ALGORITHMS[1], 1200) {
            let Some(plan) = plan(&mut runner, algorithm, &spec, &device) else { continue };
            for memory in [Memory::Nothing, Memory::AThird] {
                let of = format!("groups know {memory:?}");
                run::<i64>(&mut runner, algorithm, &spec, forgetful(&plan, memory), &of);
            }
        }
    }
    finish(&runner, "missing chunks are scanned again");
}

crate::tests![impulses_prove_every_input, orders_and_recurrences_are_right, missing_chunks_are_scanned_again,];
