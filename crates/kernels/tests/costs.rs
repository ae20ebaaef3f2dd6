//! The stated costs of plans are those that kernels count.

use rasterscan::plan::{Cost, Pass};
use rasterscan::registry::Choice;
use rasterscan::{Numbers, Request, ScanSpec};
use rasterscan_kernels::{Counts, Engine};

fn counted(request: &Request, choice: &Choice, streams: &[&Numbers], mut look: impl FnMut(&Pass, &Counts)) {
    let Ok(Some(plan)) = choice.plan(request, &rasterscan_kernels::device()) else { return };
    let mut engine = match Engine::new(&plan) {
        Ok(engine) => engine,
        Err(_) => return,
    };
    engine.upload(streams).unwrap();
    for number in 0..plan.passes().len() {
        let ran = engine.step(number).unwrap();
        look(&plan.passes()[number], &ran.counts);
    }
}

#[test]
fn prototype() {
    for name in rasterscan_runner::scan::algorithms()
        .into_iter()
        .chain(rasterscan_runner::scan::tiles())
        .chain(rasterscan_runner::scan::blocks())
    {
        let choice = rasterscan_runner::scan::choice(name);
        let mut differ = std::collections::BTreeMap::<String, (usize, String)>::new();
        for len in 1..300usize {
            for spec in [ScanSpec::new::<u32>(len), ScanSpec::new::<u32>(len).exclusive()] {
                let numbers = Numbers::of(&vec![1u32; len]);
                counted(&Request::from(&spec), &choice, &[&numbers], |pass, counts| {
                    let Cost { texels_read, words_read, words_written, adds, depth, .. } = pass.cost;
                    let draws = pass.shaders().len() > 1;
                    for (what, stated, counted) in [
                        ("texels", texels_read, if draws { counts.texels_read } else { 0 }),
                        ("words read", words_read, counts.words_read),
                        (
                            "words written",
                            words_written,
                            if draws { words_written } else { counts.words_written },
                        ),
                        ("adds", adds, counts.adds),
                        ("depth", depth, counts.depth),
                    ] {
                        if stated != counted {
                            let of = differ
                                .entry(format!(
                                    "{} {what} {}",
                                    pass.main_shader().path(),
                                    if stated < counted { "EXCEEDED" } else { "less" }
                                ))
                                .or_default();
                            of.0 += 1;
                            if of.0 == 1 {
                                of.1 = format!("{spec}: stated {stated}, counted {counted}");
                            }
                        }
                    }
                });
            }
        }
        println!("{name}: {differ:#?}");
    }
}
