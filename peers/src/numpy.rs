//! numpy, in a python3 that runs beside this program and takes commands as lines: see `numpy.py`.
//!
//! Scans are the ufuncs' `accumulate`, exclusive ones by a shift, higher orders by repetition, tuples as the rows of an
//! array of two dimensions. A compaction is `x[x != 0]`. A sort is `sort`, or the stable `argsort` where indices are moved or only
//! the highest bits count. The clock is python's, around the operation alone.

use std::ffi::OsStr;
use std::process::Command;

use rasterscan::tools::problem::COMPACT;
use rasterscan::{Element, ElementType, Operator, ScanSpec, SortSpec, device::Clock};
use rasterscan_lab::case::Case;

use crate::process::Process;

const SCRIPT: &str = include_str!("numpy.py");

/// Starts `python`, a python3 by its name or path, and waits until it has the numbers.
///
/// Errors: the reason why numpy is left out.
pub fn start<T: Element>(python: &OsStr, case: &Case, numbers: &[T]) -> Result<Process, String> {
    let request = case.request().map_err(|error| error.to_string())?;
    let mut arguments = vec![case.problem().name.to_owned(), case.element().name().to_owned()];
    if let Some(spec) = request.get::<ScanSpec>() {
        if spec.operator == Operator::AFFINE || spec.has_index {
            return Err("numpy has no such operator".into());
        }
        let (operator, kind) = (spec.operator.name(), spec.kind.name());
        arguments.extend([operator.into(), kind.into(), spec.order.to_string(), spec.tuple.to_string()]);
    } else if let Some(spec) = request.get::<SortSpec>() {
        let [low, high] = spec.bits;
        if case.element() == ElementType::F32 {
            return Err("numpy's order of floats is not total".into());
        }
        if spec.descending || high != 32 * case.element().words() {
            return Err("numpy sorts in ascending order, and here by the highest bits".into());
        }
        arguments.extend([spec.moves.name().into(), (high - low).to_string()]);
    } else if case.problem() != COMPACT {
        return Err(format!("numpy is not used for a {}", case.problem().noun));
    }
    let mut command = Command::new(python);
    let command = command.args(["-c", SCRIPT]).args(arguments);
    let (process, version) = Process::start(("python3", Clock::Wall), command, &request, numbers)?;
    if version.contains(char::is_whitespace) {
        return Err(process.nonsense(&format!("ready {version}")));
    }
    Ok(process.with(vec![("numpy", version)]))
}

#[cfg(test)]
mod tests {
    use rasterscan::tools::{Task, for_element, problem::SORT};
    use tempfile::TempDir;

    use super::*;
    use crate::peer::Running;
    use crate::timing::results;

    /// Returns true if python3 and numpy are installed.
    fn is_there() -> bool {
        match start::<u32>("python3".as_ref(), &Case::scan(0), &[]) {
            Ok(_) => true,
            Err(reason) => {
                eprintln!("not applicable: {reason}");
                false
            }
        }
    }

    fn check<T: Element>(case: &Case) {
        let streams = case.job().streams().unwrap();
        let mut numpy = start::<T>("python3".as_ref(), case, streams[0].get().unwrap())
            .unwrap_or_else(|reason| panic!("{case}: {reason}"));
        let task = Task::new(case.request().unwrap(), &streams).unwrap();
        let values: Vec<T> = Running::<T>::results(&mut numpy).unwrap();
        let verified = task
            .verify(None, &results(task.request(), &values))
            .unwrap_or_else(|wrong| panic!("{case}: {wrong}"));
        assert!(verified.holds(), "{case}");
        let (_, clock) = Running::<T>::time(&mut numpy, 3).unwrap();
        assert_eq!(clock, Clock::Wall);
    }

    fn check_any(case: &Case) {
        for_element!(case.element(), T => check::<T>(case));
    }

    #[test]
    fn its_scans_are_the_oracles() {
        if !is_there() {
            return;
        }
        for op in Operator::NAMES.into_iter().filter(|op| *op != "affine") {
            let plain = Case::scan(1000).with("op", op).unwrap();
            for case in [plain.clone(), plain.clone().order(3).tuple(4)] {
                check_any(&case);
                check_any(&case.exclusive());
            }
        }
        for element in ElementType::ALL {
            let higher = Case::scan(300).of(element).order(2).tuple(3);
            check_any(&higher);
            check_any(&higher.exclusive());
            check_any(&Case::scan(300).of(element).with("op", "min").unwrap().exclusive());
        }
        for n in [0, 1, 2] {
            check_any(&Case::scan(n).exclusive());
            check_any(&Case::scan(2 * n).order(2).tuple(2));
        }
    }

    #[test]
    fn its_compactions_are_the_oracles() {
        if !is_there() {
            return;
        }
        for element in ElementType::ALL {
            for (n, share) in [(0, 0.5), (1000, 0.0), (1000, 0.6), (1000, 1.0)] {
                check_any(&Case::compact(n, share).of(element));
            }
        }
    }

    #[test]
    fn its_sorts_are_the_oracles() {
        if !is_there() {
            return;
        }
        for element in ElementType::ALL.into_iter().filter(|element| !element.is_float()) {
            let all = (32 * element.words()).to_string();
            for (n, moves) in
                [(0, "both"), (1, "indices"), (5000, "values"), (5000, "indices"), (5000, "both")]
            {
                for bits in [&all, "16", "9", "20"] {
                    let case = Case::new(SORT, n).of(element).with("moves", moves).unwrap();
                    check_any(&case.with("bits", bits).unwrap());
                }
            }
        }
    }

    #[test]
    fn what_numpy_cannot_do_is_a_reason() {
        let sort = |element, option, text| Case::new(SORT, 4).of(element).with(option, text).unwrap();
        for (case, expected) in [
            (Case::scan(2).with("op", "affine").unwrap(), "no such operator"),
            (sort(ElementType::F32, "moves", "values"), "is not total"),
            (sort(ElementType::U32, "descending", ""), "ascending"),
            (sort(ElementType::U32, "bits", "0..16"), "the highest bits"),
        ] {
            let reason = start::<u32>("python3".as_ref(), &case, &[1, 2, 3, 4]).unwrap_err();
            assert!(reason.contains(expected), "{reason}");
        }
    }

    #[test]
    fn no_python_is_a_reason() {
        let reason = start::<u32>("there/is/no/python3".as_ref(), &Case::scan(1), &[1]).unwrap_err();
        assert!(reason.starts_with("python3 cannot be started"), "{reason}");
    }

    /// A fake python: a shell script.
    #[cfg(unix)]
    fn fake(folder: &TempDir, script: &str) -> std::path::PathBuf {
        let path = folder.path().join("python3");
        crate::process::write_script(&path, script);
        path
    }

    #[cfg(unix)]
    #[test]
    fn whoever_dies_or_talks_nonsense_is_left_out() {
        let folder = tempfile::tempdir().unwrap();
        for (script, expected) in [
            ("exit 0", "ended without an answer"),
            ("kill -9 $$", "ended without an answer"),
            ("echo error python3 has no numpy", "python3 has no numpy"),
            ("echo hello; sleep 60", "an invalid answer: \"hello\""),
            ("exec yes ready or not", "an invalid answer: \"ready or not\""),
            ("exec tr '\\0' x </dev/zero", "an invalid answer: \"xxx"),
        ] {
            let python = fake(&folder, script);
            let reason = start::<u32>(python.as_os_str(), &Case::scan(1), &[1]).unwrap_err();
            assert!(reason.contains(expected), "{script}: {reason}");
        }
        for (script, expected) in [
            ("echo ready 1", "ended without an answer"),
            ("echo ready 1; read it; echo soon", "an invalid answer: \"soon\""),
            ("echo ready 1; read it; echo 5", "ended without an answer"),
            ("echo ready 1; read it; echo 5; read it; echo 5", "an invalid answer: \"5\""),
            ("echo ready 1; read it; echo 5; read it; echo written", "cannot be read"),
            (
                "echo ready 1; read it; echo 5; read it; printf abc >result; echo written",
                "not an array of u32: 3 bytes",
            ),
        ] {
            let python = fake(&folder, script);
            let mut numpy = start::<u32>(python.as_os_str(), &Case::scan(1), &[1]).unwrap();
            let reason = Running::<u32>::results(&mut numpy).err().unwrap();
            assert!(reason.contains(expected), "{script}: {reason}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn no_child_is_left_behind() {
        let folder = tempfile::tempdir().unwrap();
        let python = fake(&folder, "echo ready 1; exec sleep 60");
        let numpy = start::<u32>(python.as_os_str(), &Case::scan(1), &[1]).unwrap();
        let process = std::path::PathBuf::from(format!("/proc/{}", numpy.id()));
        let known = process.exists();
        drop(numpy);
        assert!(!process.exists(), "it still runs");
        if !known {
            eprintln!("not applicable: this system does not show its processes");
        }
    }
}
