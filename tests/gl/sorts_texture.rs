//! The sorts of the texture era: every length and its neighbours, ties, ranges of bits, payloads that move along, and the
//! thresholds of the 0-1 principle. All inputs of 16 keys are tried in `crates/kernels/tests/zero_one.rs`.

use rasterscan::tools::problem::SORT;
use rasterscan::tools::registry::{Choice, Era};
use rasterscan::{Gpu, SortSpec, sort};
use rasterscan_runner::data::mix;

/// The texture era's sorts with the variants on their cards.
fn sorts() -> Vec<&'static str> {
    rasterscan_runner::variants(SORT, false, |card| card.era == Era::Texture)
}

/// Sorts each of these streams, of one length, with payloads that say where a key was.
fn check(gpu: &Gpu, name: &str, spec: &SortSpec, streams: &[Vec<u32>]) -> u64 {
    let plan = Choice::parse(SORT, name).unwrap().plan(spec, gpu.device()).unwrap().unwrap();
    let mut prepared = gpu.prepare(&plan).unwrap_or_else(|error| panic!("{name}, {spec}: {error}\n{plan}"));
    let payload = |number: u32| (0..spec.len as u32).map(|index| index * 4 + number).collect::<Vec<_>>();
    let mut compared = 0;
    for keys in streams {
        let mut inputs = vec![prepared.upload(keys).unwrap()];
        for number in 0..spec.payloads {
            inputs.push(prepared.upload_input(1 + number as usize, &payload(number)).unwrap());
        }
        let results = prepared.run(inputs.iter().collect::<Vec<_>>()).unwrap();
        let order = sort::sequential(spec, keys).unwrap();
        let expect = |number: usize, from: &[u32]| {
            let got: Vec<u32> = results[number].read().unwrap();
            let expected: Vec<u32> = order.iter().map(|index| from[*index as usize]).collect();
            let wrong = got.iter().zip(&expected).position(|(got, expected)| got != expected);
            let head = &keys[..keys.len().min(20)];
            assert!(
                wrong.is_none() && got.len() == expected.len(),
                "{name}, {spec}: result {number} of {head:?} is wrong from {wrong:?} on: {got:?}"
            );
            got.len() as u64
        };
        compared += expect(0, keys);
        for number in 0..spec.payloads {
            compared += expect(1 + number as usize, &payload(number));
        }
    }
    compared
}

/// Keys in any order, ties, and the highest key, which padding is made of.
fn streams(len: usize) -> Vec<Vec<u32>> {
    let number = |index: usize| mix(len as u64, index as u64) as u32;
    let of = |key: &dyn Fn(usize) -> u32| (0..len).map(key).collect::<Vec<_>>();
    vec![
        of(&number),
        of(&|index| [0, u32::MAX, u32::MAX - 1, 1 << 31][number(index) as usize % 4]),
        of(&|_| u32::MAX),
        of(&|index| index as u32),
        of(&|index| (len - index) as u32),
        of(&|index| 1 << (number(index) % 32)),
    ]
}

/// Ranges of bits that begin and end anywhere.
const BITS: [[u32; 2]; 6] = [[0, 32], [0, 1], [31, 32], [8, 24], [5, 6], [3, 10]];

fn every_length() {
    let gpu = rasterscan_runner::gpu();
    let mut compared = 0;
    for name in sorts() {
        for len in 0..=70 {
            for payloads in [0, 1, 3] {
                let [low, high] = BITS[(len + payloads as usize) % BITS.len()];
                let spec = SortSpec::new::<u32>(len).payloads(payloads).bits(low..high);
                compared += check(&gpu, name, &spec, &streams(len));
            }
        }
    }
    println!("{compared} numbers compared on {}", gpu.device().level());
    assert!(compared > 100_000, "{compared}");
}

fn lengths_around_powers_of_two() {
    let gpu = rasterscan_runner::gpu();
    let mut compared = 0;
    for name in sorts() {
        for (number, log2) in (7..=12).enumerate() {
            let power = 1usize << log2;
            for (place, len) in [power - 1, power, power + 1].into_iter().enumerate() {
                let payloads = [0, 1, 3][(number + place) % 3];
                let [low, high] = BITS[number];
                let spec = SortSpec::new::<u32>(len).payloads(payloads).bits(low..high);
                compared += check(&gpu, name, &spec, &streams(len));
            }
        }
    }
    println!("{compared} numbers compared on {}", gpu.device().level());
    assert!(compared > 1_000_000, "{compared}");
}

/// The 0-1 principle: a network that sorts every stream of zeros and ones sorts every stream. For each length, those of its
/// streams that have every one before every zero, and some others. The lengths are those around powers of two and every
/// eighth other one; all up to 1,030 if `RASTERSCAN_EVERY_LENGTH` is set, as in the nightly form.
fn thresholds() {
    let every = std::env::var_os("RASTERSCAN_EVERY_LENGTH").is_some();
    let around = |len: usize| [len - 1, len, len + 1].into_iter().any(usize::is_power_of_two);
    let tried = |len: &usize| every || len % 8 == 5 || around(*len);
    let gpu = rasterscan_runner::gpu();
    let mut compared = 0;
    // Another scan within a sort is no other network.
    for name in sorts().into_iter().filter(|name| !name.contains(':')) {
        for len in (1..=1030).filter(tried) {
            let seed = len as u64;
            let any = mix(seed, 0) as usize % len;
            let of =
                |key: &dyn Fn(usize) -> bool| (0..len).map(|index| key(index).into()).collect::<Vec<_>>();
            let streams = [
                of(&|index| index < any),
                of(&|index| index + 1 < len),
                of(&|index| index == 0),
                of(&|index| mix(seed, index as u64) & 1 == 1),
            ];
            compared += check(&gpu, name, &SortSpec::new::<u32>(len).payloads(1).bits(0..1), &streams);
        }
    }
    println!("{compared} numbers compared on {}", gpu.device().level());
    assert!(compared > if every { 8_000_000 } else { 1_000_000 }, "{compared}");
}

crate::tests![every_length, lengths_around_powers_of_two, thresholds];
