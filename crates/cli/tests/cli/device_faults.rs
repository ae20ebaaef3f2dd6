//! A device that fails in the middle of a run: `device_fault.c` stands between the program and the driver. The others do its
//! pieces, and of the last one the error is that of the run.

use std::collections::BTreeSet;
use std::fs;

use super::drivers::{proxy, with_proxy};
use super::{Program, Ran};

/// The ways to fail, and what the program says then.
const FAULTS: [(&str, &str); 2] = [("memory", "out of memory"), ("lost", "the OpenGL context was lost in ")];

struct Stage {
    program: Program,
    real: String,
    /// Steps that a context makes before it is open.
    to_open: usize,
}

impl Stage {
    /// `None` where there is nothing to stand in front of.
    fn new() -> Option<Stage> {
        let program = Program::new();
        let real = proxy(&program, include_str!("device_fault.c"));
        if real.is_none() {
            println!("not applicable: libEGL.so.1 is elsewhere");
        }
        let mut stage = Stage { program, real: real?, to_open: 0 };
        while !stage.run("info --device 0", stage.to_open + 1, "lost", &[]).1.is_empty() {
            stage.to_open += 1;
        }
        Some(stage)
    }

    /// Runs with a fault at a step, and returns the step's name, too; an empty one if none failed.
    fn run(&self, arguments: &str, step: usize, fault: &str, more: &[(&str, &str)]) -> (Ran, String) {
        let fired = self.program.path("fired");
        let _ = fs::remove_file(&fired);
        let step = step.to_string();
        let faults =
            [("FAKE_DEVICES", "1"), ("FAULT_AT", &step), ("FAULT_WITH", fault), ("FAULT_FIRED", "fired")];
        let ran = with_proxy(&self.program, &self.real, arguments, &[&faults, more].concat());
        (ran, fs::read_to_string(&fired).unwrap_or_default())
    }

    /// Checks that a run ended with one line that says why, and that its result is not there.
    fn fails(&self, (ran, step): (Ran, String), says: &str) {
        assert!(!step.is_empty(), "{}: nothing failed", ran.arguments);
        ran.fails(4, &[says]);
        let names = self.program.names();
        assert!(names.iter().all(|name| ["fake", "fired", "whole.npy"].contains(&&name[..])), "{names:?}");
    }
}

/// Each step of the first pieces: totals and scans, uploaded, computed and read.
#[test]
fn others_do_the_pieces_of_a_device_that_fails() {
    let Some(stage) = Stage::new() else { return };
    for (number, job) in [
        "scan random:n=40000 -a packed --exclusive --order 2",
        "compact random:n=40000 --keep >=9 -a select",
        "reduce random:n=40000 -a two_pass",
        "sort random:n=40000 -a onesweep",
    ]
    .into_iter()
    .enumerate()
    {
        stage.program.run(&format!("{job} -o whole.npy")).ok();
        let whole = stage.program.read("whole.npy");
        let mut steps = BTreeSet::new();
        for step in stage.to_open + 1..stage.to_open + 15 {
            let (fault, says) = FAULTS[(step + number) % 2];
            let arguments = format!("{job} --chunk 2^12 --devices 0,0 -o out.npy --json");
            let (ran, name) = stage.run(&arguments, step, fault, &[]);
            let what = format!("{job}, {fault} at step {step}, {name}");
            assert_eq!(ran.code, Some(0), "{what}\n{}", ran.stderr);
            assert!(stage.program.read("out.npy") == whole, "{what}");
            let json = ran.json();
            let devices = json["devices"].as_array().unwrap();
            let failed: Vec<usize> = (0..2).filter(|device| !devices[*device]["failed"].is_null()).collect();
            assert_eq!(
                (failed.len(), name.is_empty(), &json["verified"]),
                (1, false, &true.into()),
                "{what}"
            );
            let why = devices[failed[0]]["failed"].as_str().unwrap();
            let note = format!("device {} failed, and the others did its pieces: {why}\n", failed[0]);
            assert!(why.contains(says) && ran.stderr.contains(&note), "{what}: {why}\n{}", ran.stderr);
            let pieces: u64 = devices.iter().map(|device| device["pieces"].as_u64().unwrap()).sum();
            assert_eq!(Some(pieces), json["pieces"].as_u64(), "{what}");
            steps.insert(name);
        }
        let computes = ["glDispatchCompute", "glDrawArrays"].iter().any(|name| steps.contains(*name));
        let reads = ["glMapBufferRange", "glReadPixels"].iter().any(|name| steps.contains(*name));
        assert!(computes && reads && steps.contains("glBufferSubData"), "{job}: {steps:?}");
    }
}

#[test]
fn the_error_of_the_last_device_is_that_of_the_run() {
    let Some(stage) = Stage::new() else { return };
    for (fault, says) in FAULTS {
        for step in [1, stage.to_open + 1, stage.to_open + 4, stage.to_open + 9] {
            for arguments in [
                "scan random:n=40000 -a packed -o out.npy",
                "scan random:n=40000 -a packed --chunk 2^12 -o out.npy",
                "sort random:n=40000 -a onesweep --chunk 2^12 --devices 0,0 -o out.npy",
            ] {
                stage.fails(stage.run(arguments, step, fault, &[("FAULT_ALL", "1")]), says);
            }
        }
    }
}

/// Times are those of runs that a device has done.
#[test]
fn a_device_that_fails_while_it_is_timed_is_an_error() {
    let Some(stage) = Stage::new() else { return };
    for (fault, says) in FAULTS {
        for more in [&[][..], &[("FAULT_HARDWARE", "1")]] {
            for step in (stage.to_open + 1..).step_by(3) {
                let arguments = "scan random:n=4000 -a packed -o out.npy";
                let (ran, name) = stage.run(arguments, step, fault, more);
                if name.is_empty() {
                    assert!(step > stage.to_open + 20, "only {step} steps were found: the search is broken");
                    fs::remove_file(stage.program.path("out.npy")).unwrap();
                    break;
                }
                stage.fails((ran, name), says);
            }
        }
    }
}
