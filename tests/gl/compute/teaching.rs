//! Teaching parameters: every run is right and the same, and tiles look where the theory says.

use rasterscan::trace::{Content, RecordedPass, Recording, StateAct};
use rasterscan::{
    ElementType, Error, Operator, ScanKind, ScanSpec,
    tools::{Numbers, Task},
};
use rasterscan_runner::data::{TestData, input};
use rasterscan_runner::scan::{Runner, choice};

use super::{KINDS, finish, plan, run};

const ALL: [&str; 6] = [
    "look_back:group=1,vectors=1,turns=on",
    "look_back:group=1,vectors=1,withhold=prefix",
    "look_back:group=1,vectors=1,withhold=all",
    "look_back:lanes=shared,group=8,vectors=1,withhold=prefix",
    "sam:group=1,vectors=1,groups=3,turns=on",
    "sam:group=1,vectors=1,groups=3,withhold=all",
];

/// Every operator, kind and short length, and tuples and orders.
fn every_result_is_right() {
    let mut runner = Runner::new();
    let device = runner.gpu.device().clone();
    let operators =
        [Operator::ADD, Operator::MIN, Operator::MAX, Operator::XOR, Operator::MUL, Operator::AFFINE];
    for algorithm in ALL {
        for len in 0..=70 {
            for (number, operator) in operators.iter().enumerate() {
                let kind = KINDS[(len + number) % 2];
                let spec = ScanSpec::new::<u32>(len).operator(operator.clone()).kind(kind);
                let Some(plan) = plan(&mut runner, algorithm, &spec, &device) else { continue };
                run::<u32>(&mut runner, algorithm, &spec, plan, "in turns");
            }
        }
        let affine = ScanSpec::of(ElementType::U32, 36).operator(Operator::AFFINE);
        for spec in [affine.clone().tuple(3).exclusive(), affine.clone().order(2), affine.exclusive().rows(9)]
        {
            let Some(plan) = plan(&mut runner, algorithm, &spec, &device) else { continue };
            run::<u32>(&mut runner, algorithm, &spec, plan, "in turns");
        }
    }
    finish(&runner, "in turns");
}

/// The tiles that each tile looked at and what it did with what it found, in its order.
fn looks(recording: &Recording, tiles: u32) -> Vec<Vec<(u32, u32, StateAct)>> {
    let pass = recording.passes.last().expect("a pass");
    let tickets = 1;
    let of = |tile| {
        let own =
            pass.states.iter().filter(move |state| state.tile == tile && state.act != StateAct::Published);
        own.map(|state| (state.index - tickets, state.status(), state.act)).collect()
    };
    (0..tiles).map(of).collect()
}

fn recorded(runner: &Runner, algorithm: &str) -> Option<Recording> {
    let spec = ScanSpec::new::<u32>(32).kind(ScanKind::Inclusive);
    let data: Vec<u32> = input(&spec, TestData::Random);
    let task = Task::new(&spec, [Numbers::of(&data)]).unwrap();
    match rasterscan::tools::record::record(&runner.gpu, &choice(algorithm), &task) {
        Ok(recording) => Some(recording),
        Err(Error::Unsupported(reason)) => {
            println!("not applicable: {reason}");
            assert!(runner.gpu.device().compute.is_none(), "{algorithm}: {reason}");
            None
        }
        Err(error) => panic!("{algorithm}: {error}"),
    }
}

/// The words that a pass wrote to each of its targets: the others are undefined.
fn written(pass: &RecordedPass) -> Vec<Vec<u32>> {
    let of_target = |(target, written): (&Content, &Option<Vec<bool>>)| {
        let written = written.as_ref().expect("a dispatch records what it writes");
        let words = target.values.words();
        let items = words.chunks(words.len() / written.len()).zip(written);
        items.filter(|(_, written)| **written).flat_map(|(item, _)| item).copied().collect()
    };
    pass.targets.iter().zip(&pass.written).map(of_target).collect()
}

/// Eight tiles of four items, each recorded twice.
fn tiles_look_where_the_theory_says() {
    const AGGREGATE: u32 = 1;
    const PREFIX: u32 = 2;
    let runner = Runner::new();
    let turns = |tile: u32| match tile {
        0 => vec![],
        _ => vec![(tile - 1, PREFIX, StateAct::Combined)],
    };
    let without_prefixes = |tile: u32| -> Vec<(u32, u32, StateAct)> {
        let status = |at| if at == 0 { PREFIX } else { AGGREGATE };
        (0..tile).rev().map(|at| (at, status(at), StateAct::Combined)).collect()
    };
    let alone = |tile: u32| (0..tile).rev().map(|at| (at, 0, StateAct::Missing)).collect();
    // Slots of a ring of 16; three groups take turns, and each carries the sum up to its last chunk.
    let ring = |tile: u32| (tile.saturating_sub(2)..tile).map(|at| (at, 1, StateAct::Combined)).collect();
    let no_ring = |tile: u32| (tile.saturating_sub(2)..tile).map(|at| (at, 1, StateAct::Missing)).collect();
    type Theory<'a> = &'a dyn Fn(u32) -> Vec<(u32, u32, StateAct)>;
    let cases: [(&str, Theory); 5] = [
        (ALL[0], &turns),
        (ALL[1], &without_prefixes),
        (ALL[2], &alone),
        (ALL[4], &ring),
        (ALL[5], &no_ring),
    ];
    for (algorithm, theory) in cases {
        let Some(first) = recorded(&runner, algorithm) else { return };
        let expected: Vec<_> = (0..8).map(theory).collect();
        assert_eq!(looks(&first, 8), expected, "{algorithm}");
        let second = recorded(&runner, algorithm).expect("as before");
        for (first, second) in first.passes.iter().zip(&second.passes) {
            assert_eq!(first.states, second.states, "{algorithm}");
            assert_eq!(first.reads, second.reads, "{algorithm}");
            assert_eq!(first.written, second.written, "{algorithm}");
            assert_eq!(written(first), written(second), "{algorithm}");
        }
    }
}

/// Blocks of four tiles, each of 32 items: what tiles publish, and which states they need, does not depend on timing.
fn the_last_tile_of_a_block_publishes_its_prefix() {
    const AGGREGATE: u32 = 1;
    const PREFIX: u32 = 2;
    const BLOCK: u32 = 4;
    const TILES: u32 = 16;
    let runner = Runner::new();
    let spec = ScanSpec::new::<u32>(32 * TILES as usize);
    let data: Vec<u32> = input(&spec, TestData::Random);
    let choice = choice("look_back:lanes=serial,group=8,vectors=1,prefixes=block,tickets=on");
    let task = Task::new(&spec, [Numbers::of(&data)]).unwrap();
    let recording = match rasterscan::tools::record::record(&runner.gpu, &choice, &task) {
        Ok(recording) => recording,
        Err(error) => {
            println!("not applicable: {error}");
            return assert!(runner.gpu.device().compute.is_none(), "{error}");
        }
    };
    let sum = |items: &[u32]| items.iter().fold(0u32, |sum, item| sum.wrapping_add(*item));
    let pass = recording.passes.last().expect("a pass");
    for tile in 0..TILES {
        let block = tile / BLOCK;
        let (begin, end) = (32 * tile as usize, 32 * (tile as usize + 1));
        let of = |act| {
            let own = pass.states.iter().filter(move |state| state.tile == tile && state.act == act);
            own.map(|state| (state.index - 1, state.status(), state.word()))
        };
        let mut expected = vec![(tile, AGGREGATE, sum(&data[begin..end]))];
        if tile % BLOCK == BLOCK - 1 {
            expected.push((TILES + block, PREFIX, sum(&data[..end])));
        }
        assert_eq!(of(StateAct::Published).collect::<Vec<_>>(), expected, "tile {tile}");
        // Others may follow, of tiles that this one has computed.
        let looked: Vec<u32> =
            of(StateAct::Combined).chain(of(StateAct::Missing)).map(|(number, ..)| number).collect();
        let needed = (block.saturating_sub(1) * BLOCK..tile).chain((block >= 2).then(|| TILES + block - 2));
        for number in needed {
            assert!(looked.contains(&number), "tile {tile} looks at {looked:?}, and needs {number}");
        }
    }
}

/// Too many turns are refused, with the most that there can be.
fn long_streams_are_refused() {
    let runner = Runner::new();
    if runner.gpu.device().compute.is_none() {
        return;
    }
    let spec = ScanSpec::new::<u32>(1 << 16);
    for algorithm in [
        "look_back:lanes=shared,group=8,vectors=1,turns=on",
        "sam:lanes=shared,group=8,vectors=1,groups=2,withhold=all",
    ] {
        let error = choice(algorithm).plan(&spec, runner.gpu.device()).unwrap_err().to_string();
        assert!(error.contains("2048 here"), "{algorithm}: {error}");
    }
}

crate::tests![
    every_result_is_right,
    tiles_look_where_the_theory_says,
    the_last_tile_of_a_block_publishes_its_prefix,
    long_streams_are_refused
];
