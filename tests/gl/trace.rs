//! Recordings as files: they are read back unchanged, and other content is an error.

mod damage;
mod made;

use rasterscan::tools::Numbers;
use rasterscan::tools::problem::{COMPACT, Problem, SCAN};
use rasterscan::tools::record::record;
use rasterscan::tools::registry::Choice;
use rasterscan::trace::{FileError, Place, Reader, Reads, Recording};
use rasterscan::{
    CompactSpec, ElementType, Error, Gpu, Moves, Operator, ReduceSpec, ScanSpec, SpecError,
    tools::{Request, Task},
};
use rasterscan_runner::compaction::compactions;
use rasterscan_runner::scan::algorithms;

/// The recording, written to a document and read back.
#[track_caller]
fn back(recording: &Recording) -> Recording {
    let json = recording.to_json().unwrap();
    let again =
        Recording::from_json(&json).unwrap_or_else(|error| panic!("{}: {error}", recording.algorithm));
    assert_eq!(again.to_json().unwrap(), json);
    again
}

/// The requests for each algorithm: every element, operators of pairs, several streams, both ways to keep.
fn requests(problem: &'static Problem, n: u64) -> Vec<Request> {
    match problem.name {
        "scan" => vec![
            Request::new(ScanSpec::of(ElementType::U32, n)),
            Request::new(ScanSpec::of(ElementType::I64, n).operator(Operator::AFFINE).exclusive()),
            Request::new(ScanSpec::of(ElementType::F32, n / 3 * 3).order(2).tuple(3)),
        ],
        "reduce" => vec![
            Request::new(ReduceSpec::of(ElementType::U32, n)),
            Request::new(ReduceSpec::of(ElementType::F32, n / 3 * 3).operator(Operator::MAX).tuple(3)),
        ],
        _ => vec![
            Request::new(CompactSpec::of(ElementType::F32, n)),
            Request::new(CompactSpec::of(ElementType::U64, n).masked().moves(Moves::Both)),
            Request::new(CompactSpec::of(ElementType::I32, n).masked().moves(Moves::Indices)),
        ],
    }
}

/// The streams of a request: some numbers, and a mask where there is one.
fn streams(request: &Request) -> Vec<Numbers> {
    let inputs = request.inputs();
    let text =
        |most: u64, count: u64| (0..count).map(|i| (i * 7 % most).to_string() + " ").collect::<String>();
    let values =
        Numbers::parse(request.element(), &text(5, request.len() * u64::from(inputs[0].arity))).unwrap();
    let mask = Numbers::parse(ElementType::U32, &text(3, request.len())).unwrap();
    if inputs.len() > 1 { vec![values, mask] } else { vec![values] }
}

fn recorded(gpu: &Gpu, choice: &Choice, request: &Request) -> Result<Recording, Error> {
    record(gpu, choice, &Task::new(request, streams(request))?)
}

fn every_algorithm_comes_back_as_it_was() {
    let gpu = rasterscan_runner::gpu();
    let mut count = 0;
    for (family, names) in [(SCAN, &algorithms()[..]), (COMPACT, &compactions()[..])] {
        for name in names {
            let choice = Choice::parse(family, name).unwrap();
            // Compute shaders take long to compile.
            let compute = choice.card.era == rasterscan::tools::registry::Era::Compute;
            for n in if compute { &[37][..] } else { &[0, 1, 37] }.iter().copied() {
                for request in requests(family, n) {
                    match recorded(&gpu, &choice, &request) {
                        Ok(recording) => {
                            assert_eq!(back(&recording), recording, "{name}: {request}");
                            count += 1;
                        }
                        Err(Error::Unsupported(_) | Error::Spec(SpecError::TupleDoesNotDivide { .. })) => {}
                        Err(error) => panic!("{name}: {request}: {error}"),
                    }
                }
            }
        }
    }
    assert!(count > 60, "only {count} were recorded");
}

fn everything_in_it_comes_back_as_it_was() {
    let recording = made::everything();
    assert_eq!(back(&recording), recording);
    // Equality does not cover NaN and signed zeros; words do.
    let strange =
        made::drawn(&[f32::NAN, -f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -0.0, 1e-45, f32::MAX]);
    let words = |recording: &Recording| -> Vec<u32> {
        recording.passes[0].drawn.iter().flatten().flatten().map(|x| x.to_bits()).collect()
    };
    assert_eq!(words(&back(&strange)), words(&strange));
    let values = made::scan_of(Numbers::of(&[f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -0.0]));
    assert_eq!(back(&values), values);
    let values = made::scan_of(Numbers::of(&[i64::MIN, i64::MAX, -1, 0]));
    assert_eq!(back(&values), values);
    let values = made::scan_of(Numbers::of(&[u64::MAX, (1 << 53) + 1]));
    assert_eq!(back(&values), values);
}

fn a_file_is_written_whole_and_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.json");
    let recording = made::everything();
    recording.save(&path).unwrap();
    assert_eq!(Recording::load(&path).unwrap(), recording);
    let other = made::scan_of(Numbers::of(&[1u32]));
    other.save(&path).unwrap();
    assert_eq!(Recording::load(&path).unwrap(), other);
    let names = || std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(names(), 1, "nothing else is left");

    let missing = folder.path().join("none").join("a.json");
    let error = other.save(&missing).unwrap_err();
    assert!(matches!(error, FileError::Write { .. }) && error.to_string().contains("none/a.json"), "{error}");
    let error = Recording::load(&missing).unwrap_err();
    assert!(matches!(error, FileError::Read { .. }) && error.to_string().contains("none/a.json"), "{error}");
    assert!(matches!(other.save(folder.path()), Err(FileError::Write { .. })));
    assert!(matches!(Recording::load(folder.path()), Err(FileError::Read { .. })));
    let mut permissions = std::fs::metadata(&path).unwrap().permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(&path, permissions).unwrap();
    assert!(recording.save(&path).unwrap_err().to_string().contains("read-only"));
    assert_eq!(Recording::load(&path).unwrap(), other, "it is unchanged");
    assert_eq!(names(), 1, "nothing else is left");
}

#[cfg(unix)]
fn links_stay_and_what_is_no_file_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let (file, link) = (folder.path().join("a.json"), folder.path().join("link.json"));
    std::fs::write(&file, "old").unwrap();
    std::os::unix::fs::symlink("a.json", &link).unwrap();
    let recording = made::everything();
    recording.save(&link).unwrap();
    assert!(link.is_symlink() && !file.is_symlink());
    assert_eq!(Recording::load(&file).unwrap(), recording);
    recording.save("/dev/null").unwrap();
    assert!(!std::fs::metadata("/dev/null").unwrap().is_file());
}

/// Horn's scan of `n` values with the reads of its shaders: each texel reads itself and the one that it adds.
fn horn(n: u32) -> Recording {
    let mut recording = made::scan_of(Numbers::of(&(0..n).collect::<Vec<u32>>()));
    let pass = recording.passes[0].clone();
    for step in 0..n.ilog2() {
        let mut pass = pass.clone();
        let places = |texel: u32| {
            let earlier = texel.checked_sub(1 << step);
            Some(earlier.into_iter().chain([texel]).map(|index| Place { of: 0, index }).collect())
        };
        pass.reads = vec![Reads::new(Reader::Texel, (0..n).map(places).collect())];
        pass.written = vec![Some(vec![true; n as usize])];
        recording.passes.push(pass);
    }
    recording.passes.remove(0);
    recording
}

fn a_recording_of_4096_is_small() {
    let recording = horn(4096);
    assert_eq!(recording.passes.len(), 12);
    let json = recording.to_json().unwrap();
    assert!(json.len() < 2_000_000, "{} bytes", json.len());
    assert_eq!(Recording::from_json(&json).unwrap(), recording);
}

crate::tests![
    in damage;
    every_algorithm_comes_back_as_it_was,
    everything_in_it_comes_back_as_it_was,
    a_file_is_written_whole_and_read_again,
    links_stay_and_what_is_no_file_is_not_replaced,
    a_recording_of_4096_is_small,
];
