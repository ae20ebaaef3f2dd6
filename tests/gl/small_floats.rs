//! The smallest floats, and the sign of a zero sum: each algorithm does what the table in `docs/library.md` says.

use rasterscan::tools::problem::{REDUCE, SCAN};
use rasterscan::tools::registry::{self, Choice};
use rasterscan::{
    Error, ReduceSpec, ScanSpec,
    tools::{Numbers, Request, task::Task},
};

const DOCUMENT: &str = include_str!("../../docs/library.md");

/// Both columns of an algorithm's row.
fn documented(algorithm: &str) -> (f32, f32) {
    let name = format!("`{algorithm}`");
    let row = DOCUMENT.lines().find(|line| line.starts_with("| `") && line.contains(&name));
    let row = row.unwrap_or_else(|| panic!("{algorithm} has no row in docs/library.md"));
    let cells: Vec<&str> = row.split('|').map(str::trim).collect();
    (cells[2].parse().unwrap(), cells[3].parse().unwrap())
}

/// The results of a request by add.
fn results(choice: &Choice, request: Request, data: &[f32]) -> Result<Vec<f32>, Error> {
    let gpu = rasterscan_runner::gpu();
    let inputs = [Numbers::from(data.to_vec())];
    let plan = choice.plan(request.clone(), gpu.device())?;
    let task = Task::new(request, &inputs)?;
    let results = match &plan {
        Some(plan) => task.run(&mut task.prepare(&gpu, plan)?)?,
        None => task.solve()?,
    };
    let depth = plan.map(|plan| plan.cost().depth);
    let verified = task.verify(depth, &results);
    verified.unwrap_or_else(|wrong| panic!("a check allows both: {choice}: {wrong}"));
    Ok(results.first().unwrap().get::<f32>()?.to_vec())
}

fn what_is_documented_holds() {
    let renderer = rasterscan_runner::gpu().device().renderer.clone();
    if !renderer.starts_with("llvmpipe") {
        return println!("not applicable: the table is llvmpipe's, and this is {renderer}");
    }
    let mut seen = 0;
    for card in registry::of(SCAN).chain(registry::of(REDUCE)) {
        let (tiny, zero) = documented(card.name);
        let scans = card.problem.name == SCAN.name;
        let choice = card.with_defaults();
        let of = |data: &[f32]| {
            let request = match scans {
                true => Request::from(&ScanSpec::new::<f32>(data.len())),
                false => Request::from(&ReduceSpec::new::<f32>(data.len())),
            };
            results(&choice, request, data)
        };
        let Ok(sums) = of(&[1.4e-45; 1000]) else { continue };
        let last = *sums.last().unwrap();
        // As they are printed in the table: with two digits.
        assert_eq!(format!("{last:.1e}"), format!("{tiny:.1e}"), "{choice}: 1,000 x 1.4e-45");
        let signs: Vec<u32> = of(&[-0.0; 1000]).unwrap().iter().map(|sum| sum.to_bits()).collect();
        assert!(signs.iter().all(|sign| *sign == zero.to_bits()), "{choice}: 1,000 x -0.0, not {zero:?}");
        if scans {
            let spec = ScanSpec::new::<f32>(1000).exclusive();
            let sums = results(&choice, Request::from(&spec), &[-0.0; 1000]).unwrap();
            assert_eq!(sums[0].to_bits(), 0.0f32.to_bits(), "{choice}: the first one, exclusive");
        }
        seen += 1;
    }
    assert!(seen >= 7, "{seen} algorithms");
}

crate::tests![what_is_documented_holds];
