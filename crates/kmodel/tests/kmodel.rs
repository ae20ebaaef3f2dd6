//! The K-model's counts: the closed forms match the simulator, the simulator really scans, and the claims of
//! capannini2011 hold where they are right.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use rasterscan::operator::BuiltIn;
use rasterscan::operator::built_in::Affine;
use rasterscan::scan;
use rasterscan::{Operator, ScanKind, ScanSpec};
use rasterscan_kmodel::{
    Counts, Model, Pattern, Simulation, Step, corrected, left_right, left_right_in_print, printed, simulate,
};

/// All powers of two from 2^0 to 2^16 elements, on 1 to 64 banks, including fewer elements than banks.
fn models() -> impl Iterator<Item = Model> {
    (0..=16).flat_map(|p| (0..=6).map(move |q| Model::new(1 << p, 1 << q).unwrap()))
}

/// A scan of affine maps, which do not commute.
fn affine(pattern: Pattern, model: Model) -> Simulation<[u32; 2]> {
    simulate(pattern, model, &maps(model.n()), Affine::identity(), Affine::combine)
}

fn maps(n: u64) -> Vec<[u32; 2]> {
    (0..n as u32).map(|i| [2 * (i % 7) + 1, i.wrapping_mul(2_654_435_761)]).collect()
}

fn simulations() -> &'static [Simulation<[u32; 2]>] {
    static ALL: LazyLock<Vec<Simulation<[u32; 2]>>> = LazyLock::new(|| {
        models().flat_map(|model| Pattern::ALL.map(|pattern| affine(pattern, model))).collect()
    });
    &ALL
}

fn of(simulation: &Simulation<[u32; 2]>) -> String {
    let Simulation { pattern, model, .. } = simulation;
    format!("{pattern}, n = {}, k = {}", model.n(), model.k())
}

#[test]
fn closed_forms_are_what_the_simulator_counts() {
    let mut cases = 0;
    for simulation in simulations() {
        let expected = corrected::counts(simulation.pattern, simulation.model);
        assert_eq!(simulation.counts(), expected, "{}", of(simulation));
        cases += 1;
    }
    assert_eq!(cases, 17 * 7 * 5);
}

#[test]
fn the_simulator_scans() {
    for simulation in simulations() {
        let n = simulation.model.n();
        let spec = ScanSpec::new::<u32>(n as usize).operator(Operator::AFFINE);
        let spec = if simulation.pattern.kind() == ScanKind::Exclusive { spec.exclusive() } else { spec };
        let expected = scan::sequential(&spec, maps(n).as_flattened()).unwrap();
        assert_eq!(simulation.scanned.as_flattened(), expected, "{}", of(simulation));
    }
}

/// The printed T is right on these domains only, and a remark says why; all else in print is right from n = k on.
#[test]
fn what_is_printed_is_wrong_where_it_is_said_to_be() {
    for model in models() {
        let (n, k) = (model.n(), model.k());
        for pattern in Pattern::PAPER {
            let is_right = match pattern {
                Pattern::Cm => k == 1 || n == 1,
                Pattern::Padding => n >= k * k,
                // By chance 0 for one element on two banks.
                Pattern::NoPadding => n >= k || (n, k) == (1, 2),
                _ => n >= k,
            };
            let counts = corrected::counts(pattern, model);
            let context = format!("{pattern}, n = {n}, k = {k}");
            let printed = printed::latency(pattern, model);
            assert_eq!(printed == Some(counts.latency as f64), is_right, "{context}");
            let remark = printed::remark(pattern, model);
            assert_eq!(remark.is_none_or(str::is_empty), is_right, "{context}: {remark:?}");
            assert_eq!(printed::length(pattern, model), Some(counts.length as f64), "{context}");
            if n >= k {
                assert_eq!(printed::transactions(model), counts.transactions as f64, "{context}");
                if let Some(instructions) = printed::instructions(pattern, model) {
                    assert_eq!(instructions, counts.instructions as f64, "{context}");
                    assert_eq!(printed::efficiency(pattern, model), counts.efficiency(k), "{context}");
                }
            }
        }
    }
}

/// The errors of CM and Padding, from n = k on.
#[test]
fn what_is_missing_in_print() {
    for model in models().filter(|model| model.n() >= model.k()) {
        let (n, k) = (model.n() as f64, model.k() as f64);
        let missing =
            |pattern| corrected::latency(pattern, model) as f64 - printed::latency(pattern, model).unwrap();
        assert_eq!(missing(Pattern::Cm), 1.0 - 1.0 / k);
        let log_k = f64::from(model.log_k());
        let below = if n < k * k { n / k - 1.0 + log_k - (n * (k + log_k) / (k * k) - 1.0) } else { 0.0 };
        assert_eq!(missing(Pattern::Padding), below);
        assert_eq!(missing(Pattern::NoPadding), 0.0);
    }
}

/// LEFTRIGHT(i, d + 1) is LEFTRIGHT(2i, d) or LEFTRIGHT(2i + 1, d): the scan is in place. The addresses of a level are
/// distinct and below n, and any k consecutive ones lie in k banks.
#[test]
fn left_right_is_in_place_and_free_of_conflicts() {
    for h in 0..=10 {
        for p in 0..=16 {
            assert!(is_in_place(left_right, h, p), "n = 2^{p}, k = 2^{h}");
            check_levels(left_right, h, p);
        }
    }
}

/// Equation 2 has no conflicts, but is in place only up to k² elements.
#[test]
fn equation_2_is_in_place_up_to_k_squared() {
    for h in 0..=10 {
        for p in 0..=16 {
            assert_eq!(is_in_place(left_right_in_print, h, p), p <= 2 * h || h == 0, "n = 2^{p}, k = 2^{h}");
            check_levels(left_right_in_print, h, p);
            for d in 0..=p {
                for i in 0..1 << (p - d) {
                    let (right, print) = (left_right(h, i, d), left_right_in_print(h, i, d));
                    assert_eq!((right ^ print) % (1 << h), 0, "the bank is the same");
                    assert!(right == print || d > h, "n = 2^{p}, k = 2^{h}, level {d}, node {i}");
                }
            }
        }
    }
}

type Address = fn(u32, u64, u32) -> u64;

fn is_in_place(address: Address, h: u32, p: u32) -> bool {
    (0..p).all(|d| {
        (0..1 << (p - d - 1))
            .all(|i| [2 * i, 2 * i + 1].map(|child| address(h, child, d)).contains(&address(h, i, d + 1)))
    })
}

fn check_levels(address: Address, h: u32, p: u32) {
    let (n, k) = (1u64 << p, 1u64 << h);
    for d in 0..=p {
        let level: Vec<u64> = (0..n >> d).map(|i| address(h, i, d)).collect();
        let distinct: BTreeSet<u64> = level.iter().copied().collect();
        assert_eq!(distinct.len(), level.len(), "n = {n}, k = {k}, level {d}");
        assert!(distinct.last() < Some(&n), "n = {n}, k = {k}, level {d}");
        let banks: Vec<u64> = level.iter().map(|address| address % k).collect();
        // They repeat after k, so that any k consecutive ones are a rotation of the first k.
        assert!(banks.iter().zip(banks.iter().skip(k as usize)).all(|(bank, next)| bank == next));
        let first: BTreeSet<_> = banks.iter().take(k as usize).collect();
        assert_eq!(first.len(), level.len().min(k as usize), "n = {n}, k = {k}, level {d}");
    }
}

/// Section VI: of k sums the first half are left-sums, the others right-sums; of fewer than k all are left-sums.
#[test]
fn which_sums_go_to_the_left() {
    for model in models().filter(|model| model.k() > 1) {
        let (h, k) = (model.log_k(), model.k());
        for d in 1..=model.log_n() {
            for i in 0..model.n() >> d {
                let left = left_right(h, i, d) == left_right(h, 2 * i, d - 1);
                assert_eq!(left, i % k < k / 2, "k = {k}, d = {d}, i = {i}");
            }
        }
    }
}

#[test]
fn who_is_free_of_conflicts() {
    for simulation in simulations() {
        let (n, k) = (simulation.model.n(), simulation.model.k());
        let free = match simulation.pattern {
            Pattern::Cm | Pattern::LeftRight => true,
            Pattern::NoPadding => n <= k || k == 1,
            Pattern::Padding => n <= k * k || k == 1,
            Pattern::DoublePadding => n <= k.pow(3) || k == 1,
        };
        let counts = simulation.counts();
        assert_eq!(counts.conflicts() == 0, free, "{}", of(simulation));
        // If stores of results have no conflict, no access has one; moving in and out never has.
        let steps = || simulation.steps.iter().chain(&simulation.down);
        let degree =
            steps().flat_map(|step| [&step.loads, &step.results, &step.kept]).map(|t| t.degree()).max();
        assert_eq!(degree.unwrap_or(1) == 1, free, "{}", of(simulation));
        assert_eq!(simulation.transfers.degree(), 1, "{}", of(simulation));
    }
}

/// Section V: the down-sweep has the conflicts of the up-sweep (i), and loads those of stores (ii).
#[test]
fn one_sweep_and_one_kind_of_access_stand_for_all() {
    for simulation in simulations() {
        if simulation.pattern == Pattern::Cm {
            assert_eq!(simulation.whole(), 3 * simulation.counts().latency, "two loads, one store");
            continue;
        }
        let of = of(simulation);
        for (up, down) in simulation.steps.iter().zip(simulation.down.iter().rev()) {
            assert_eq!(up.number, down.number);
            // Two operands are loaded, then stored in the down-sweep.
            assert_eq!((&up.loads, &up.loads), (&down.loads, &down.results), "{of}");
            assert_eq!(up.loads.latency, 2 * up.results.latency, "{of}");
        }
        let Counts { latency, instructions, .. } = simulation.counts();
        let keeps = simulation.pattern == Pattern::LeftRight;
        assert_eq!(simulation.whole(), 7 * latency + if keeps { instructions } else { 0 }, "{of}");
    }
}

/// "left operands, then right operands", as algorithm 3 is written, finds two of each in a bank.
#[test]
fn algorithm_3_as_printed_has_conflicts_when_it_loads() {
    let (h, k) = (4, 16u64);
    for d in 1..=4 {
        let degree = |address: &dyn Fn(u64) -> u64| {
            let banks: Vec<u64> = (0..k).map(|i| address(i) % k).collect();
            banks.iter().map(|bank| banks.iter().filter(|other| *other == bank).count()).max()
        };
        assert_eq!(degree(&|i| left_right(h, 2 * i, d - 1)), Some(2));
        assert_eq!(degree(&|i| left_right(h, 2 * i + 1, d - 1)), Some(2));
        assert_eq!(degree(&|i| left_right(h, i, d)), Some(1));
    }
}

/// After it, two lists with different scans leave the same memory: no down-sweep can scan both.
#[test]
fn algorithm_3_as_printed_loses_what_the_way_down_needs() {
    let swept = |mut memory: Vec<u32>| {
        for d in 0..3 {
            for i in 0..8 >> (d + 1) {
                let operand = |i| memory[left_right(2, i, d) as usize];
                memory[left_right(2, i, d + 1) as usize] = operand(2 * i).max(operand(2 * i + 1));
            }
        }
        memory
    };
    let (one, other) = (vec![1, 5, 9, 9, 9, 9, 9, 9], vec![2, 5, 9, 9, 9, 9, 9, 9]);
    assert_eq!(swept(one.clone()), swept(other.clone()));
    let spec = ScanSpec::new::<u32>(8).operator(Operator::MAX).exclusive();
    assert_ne!(scan::sequential(&spec, &one).unwrap(), scan::sequential(&spec, &other).unwrap());
    // Ours keeps the operand.
    let model = Model::new(8, 4).unwrap();
    for input in [one, other] {
        let scanned = simulate(Pattern::LeftRight, model, &input, 0, u32::max).scanned;
        assert_eq!(scanned, scan::sequential(&spec, &input).unwrap());
    }
}

#[test]
fn histograms_add_up() {
    for simulation in simulations() {
        let n = simulation.model.n();
        for step in simulation.steps.iter().chain(&simulation.down) {
            let Step { loads, results, kept, .. } = step;
            for tally in [loads, results, kept] {
                assert_eq!(tally.banks.len() as u64, simulation.model.k());
                assert_eq!(tally.banks.iter().sum::<u64>(), tally.length);
                assert_eq!(tally.degrees.values().sum::<u64>(), tally.instructions);
                let latency: u64 = tally.degrees.iter().map(|(degree, count)| degree * count).sum();
                assert_eq!(latency, tally.latency);
            }
        }
        for step in &simulation.steps {
            let d = step.number;
            let operations = match simulation.pattern {
                Pattern::Cm => n - (1 << (d - 1)),
                _ => n >> d,
            };
            assert_eq!(step.results.length, operations, "{}, step {d}", of(simulation));
        }
    }
}
