//! The counted costs of every algorithm, compared exactly: no plan gets dearer unnoticed.
//!
//! `tests/snapshots/costs.txt` has the counts of the last release. A plan that costs anything else fails here, and
//! `UPDATE_COSTS=1` accepts what is meant.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

use rasterscan::tools::conformance::algorithms;
use rasterscan::tools::problem;
use rasterscan::tools::registry::{self, Choice};
use rasterscan::{Device, ElementType, Error, ScanSpec};

use super::able;

/// In blocks and tiles: less than one, some, and many.
const LENGTHS: [u64; 3] = [1000, 1 << 16, (1 << 22) + 3];

/// A GPU with everything, and a renderer on a CPU.
fn devices() -> [(&'static str, Device); 2] {
    let software = Device { software: true, ..Device::gl43() };
    [("GPU", able()), ("CPU", software)]
}

/// One line for each plan: passes, texels read and written, words read and written, vertices.
fn costs() -> String {
    let mut text = String::from("plan: passes, texels read, written, words read, written, vertices\n");
    let mut add = |name: String, choice: &Choice, request: rasterscan::tools::Request, device: &Device| {
        let plan = match choice.plan(request, device) {
            Ok(Some(plan)) => plan,
            Ok(None) | Err(Error::Unsupported(_)) => return,
            Err(error) => panic!("{name}: {error}"),
        };
        let cost = plan.cost();
        let counts = [
            plan.passes().len() as u64,
            cost.texels_read,
            cost.texels_written,
            cost.words_read,
            cost.words_written,
            cost.vertices,
        ];
        writeln!(text, "{name}: {}", counts.map(|count| count.to_string()).join(" ")).unwrap();
    };
    for (of, device) in devices() {
        for problem in problem::ALL {
            // By default, and with parameters that select other code.
            let mut names: Vec<String> = registry::of(problem).map(|card| card.name.to_owned()).collect();
            names.extend(algorithms(problem, false).into_iter().filter(|name| name.contains(':')));
            for algorithm in names {
                let choice = Choice::parse(problem, &algorithm).unwrap();
                for len in LENGTHS {
                    let name = format!("{of} {} {algorithm} {len}", problem.name);
                    add(name, &choice, problem.plain(ElementType::U32, len).unwrap(), &device);
                }
                if problem.name != "scan" {
                    continue;
                }
                let plain = ScanSpec::new::<u32>(1 << 20);
                for (what, spec) in [
                    ("order 8", plain.order(8)),
                    ("tuple 8", plain.tuple(8)),
                    ("u64", ScanSpec::new::<u64>(1 << 20)),
                    ("rows of 1000", ScanSpec::new::<u32>(1_000_000).rows(1000)),
                ] {
                    let name = format!("{of} scan {algorithm} {}, {what}", spec.len);
                    add(name, &choice, (&spec).into(), &device);
                }
            }
        }
    }
    text
}

/// Lines of `now` that `before` does not have, with what it has in their place.
fn changes(before: &str, now: &str) -> Vec<String> {
    let named = |text: &str, name: &str| {
        text.lines().find(|line| line.rsplit_once(':').is_some_and(|line| line.0 == name)).map(str::to_owned)
    };
    let names = |text: &str| -> Vec<String> {
        text.lines().filter_map(|line| Some(line.rsplit_once(':')?.0.to_owned())).collect()
    };
    let gone = names(before).into_iter().filter(|name| named(now, name).is_none());
    let changed = names(now).into_iter().filter(|name| named(before, name) != named(now, name));
    let told = |text: &str, name: &str| {
        named(text, name).map_or("nothing".into(), |line| line[name.len() + 1..].trim().to_owned())
    };
    let line = |name: String| format!("{name}: {} before, {} now", told(before, &name), told(now, &name));
    gone.chain(changed).map(line).collect()
}

#[test]
fn no_plan_gets_dearer_unnoticed() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots/costs.txt");
    let now = costs();
    if env::var_os("UPDATE_COSTS").is_some() {
        fs::write(&path, &now).unwrap();
    }
    let before = fs::read_to_string(&path).expect("the costs of the last release");
    let changes = changes(&before, &now);
    assert!(
        changes.is_empty(),
        "plans cost other than before; UPDATE_COSTS=1 accepts it:\n{}",
        changes.join("\n")
    );
}

#[test]
fn changes_are_found() {
    let before = "plan: passes\na: 1 2\nb, 8: 3 4\nc: 5\n";
    assert_eq!(changes(before, before), [""; 0]);
    let now = "plan: passes\na: 1 3\nb, 8: 3 4\nd: 1\n";
    assert_eq!(
        changes(before, now),
        ["c: 5 before, nothing now", "a: 1 2 before, 1 3 now", "d: nothing before, 1 now"]
    );
}
