//! Streams piece by piece: the same results as in one, within a bound of memory, and whole or not at all.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, SystemTime};

use super::{Program, npy};

/// Numbers as raw bytes.
fn numbers(count: u32) -> Vec<u8> {
    (0..count).flat_map(|number| (number.wrapping_mul(2_654_435_761) >> 22).to_le_bytes()).collect()
}

#[test]
fn pieces_put_together_are_the_whole() {
    let program = Program::new();
    program.file("a.bin", numbers(20_000)).file("a.npy", npy("<u4", "(20000,)", &numbers(20_000)));
    let bytes: Vec<u8> = (0..9000u32).map(|number| (number % 251) as u8).collect();
    program.file("narrow.npy", npy("|u1", "(90, 100)", &bytes));
    for (arguments, pieces) in [
        ("scan a.npy", "--chunk 2^12"),
        ("scan a.bin --dtype u32 --exclusive --order 3 -a packed", "--chunk 7000"),
        ("scan a.npy --op affine --dtype i64 -a sequential", "--chunk 999"),
        ("scan a.npy --tuple 5 --seed-value 1,2,3,4,5 -a sequential", "--chunk 4099"),
        ("scan a.npy --dtype f32 --op max --exclusive", "--chunk 2^13"),
        ("scan narrow.npy -a sequential", "--chunk 1000"),
        ("scan random:n=20000,seed=3", "--chunk 3000 --devices 0,0"),
        ("scan ramp:n=20000 --order 2", "--chunk 3000 --devices 0,0,0"),
        ("compact a.npy --keep >=500", "--chunk 2^12"),
        ("compact a.npy --keep >=500 --indices=i.npy", "--chunk 6000 --devices 0,0"),
        ("compact a.npy --keep <0 -a sequential", "--chunk 6000"),
        ("sort a.npy", "--chunk 2^12"),
        ("sort a.npy --descending --indices=i.npy -a sequential", "--chunk 3000"),
        ("sort a.npy --moves indices --bits 4 -a sequential", "--chunk 3001"),
        ("reduce a.npy", "--chunk 2^12"),
        ("reduce a.npy --op argmin --tuple 2 -a sequential", "--chunk 3000"),
        ("histogram a.npy --bins 7 --range 0..1000", "--chunk 2^12 --devices 0,0"),
        ("scan a.npy --device cpu -a packed", "--chunk 2^13"),
        ("scan ones:n=0 -a sequential", "--chunk 9"),
        ("reduce ones:n=0 --op min -a sequential", "--chunk 9"),
    ] {
        let run = |more: &str| {
            let ran = program.run(&format!("{arguments} {more} -o out.npy")).ok();
            let indices = program.path("i.npy").exists().then(|| program.read("i.npy"));
            (program.read("out.npy"), indices, ran.stderr)
        };
        let (whole, indices, _) = run("");
        let (by_pieces, more, stderr) = run(pieces);
        assert!(whole == by_pieces && indices == more, "{arguments} {pieces}");
        assert!(stderr.contains("piece") && stderr.contains("verified"), "{stderr}");
        let (text, binary) =
            ("-a sequential --chunk 4000 -o out.txt", "-a sequential --chunk 4000 -o out.bin");
        if arguments == "scan a.npy" {
            program.run(&format!("{arguments} {text}")).ok();
            program.run(&format!("{arguments} {binary}")).ok();
            let printed = program.run(&format!("{arguments} -a sequential --chunk 4000")).ok();
            assert!(program.read("out.bin") == whole[128..] && program.read("out.txt") == printed.stdout);
            let piped = program.run(&format!("{arguments} -a sequential --chunk 4000 --format npy")).ok();
            assert!(piped.stdout == whole);
        }
    }
}

#[test]
fn a_document_says_which_devices_did_which_pieces() {
    let program = Program::new();
    let json = program.run("reduce ones:n=2^16 --chunk 2^12 --devices 0,0 --json").ok().json();
    assert_eq!(json["result"], serde_json::json!([65536]));
    assert_eq!((json["n"].as_u64(), json["pieces"].as_u64()), (Some(65536), Some(16)));
    let devices = json["devices"].as_array().unwrap();
    let pieces: u64 = devices.iter().map(|device| device["pieces"].as_u64().unwrap()).sum();
    assert_eq!((devices.len(), pieces, &json["verified"]), (2, 16, &true.into()));
    assert!(devices.iter().all(|device| device["failed"].is_null()));
}

#[test]
fn what_cannot_be_cut_is_refused_before_anything_is_read() {
    let program = Program::new();
    program.file("a.txt", "3 1 7").file("a.bin", [0; 12]).file("a.npy", npy("<u4", "(3,)", &[0; 12]));
    for (arguments, code, says) in [
        ("scan ones:n=8 --rows 4 --chunk 4", 2, "--rows goes across pieces; leave it out"),
        ("scan ones:n=8 --reverse --chunk 4", 2, "--reverse goes across pieces"),
        ("scan ones:n=8 --recurrence 1:1 --chunk 4", 2, "--recurrence goes across pieces"),
        ("reduce ones:n=8 --keys ones:n=8 --chunk 4", 2, "--keys goes across pieces"),
        ("compact ones:n=8 --mask ones:n=8 --chunk 4", 2, "--mask goes across pieces"),
        ("sort ones:n=8 --payload ones:n=8 --memory 1G", 2, "--payload goes across pieces"),
        ("scan ones:n=8 --op argmin --chunk 4", 2, "cannot be cut into pieces"),
        ("histogram ones:n=8 --bins 3 --chunk 4", 1, "range"),
        ("scan ones:n=8 -a all --chunk 4", 2, "-a all compares algorithms on one stream"),
        ("scan a.txt --chunk 4", 1, "a.txt: it is read as a whole; piece by piece"),
        ("scan a.bin --chunk 4", 2, "give --dtype"),
        ("scan - --chunk 4", 2, "cannot be read piece by piece"),
        ("scan values:3,1 --chunk 4", 2, "cannot be read piece by piece"),
        ("scan ones:n=9 --tuple 2 --chunk 4", 1, "2"),
        ("scan ones:n=8 --chunk 0", 2, "such as 2^26"),
        ("scan ones:n=8 --memory 1", 2, "--memory is too small: this device needs"),
        ("scan ones:n=8 --devices x", 2, "expected numbers such as 0,1, or all"),
        ("scan ones:n=8 --devices 0 --device cpu", 2, "--device cpu is none"),
        ("scan ones:n=8 --devices 0,99", 4, "99"),
        ("scan ones:n=8 --resume", 2, "write it to a file, -o FILE"),
        ("compact ones:n=8 --chunk 4 -a sequential --format npy", 2, "write it to a file"),
        ("compact ones:n=2^33 --chunk 2^20 --moves indices", 2, "indices have 32 bits"),
        // No piece of this length, of a stream that no memory holds.
        ("scan ones:n=2^40 --chunk 2^30 -a horn", 4, "2^30"),
        ("reduce ones:n=2^30 -a single_pass", 4, "shorter stream"),
    ] {
        let says = says.replace("2^30", "1073741824");
        program.run(arguments).fails(code, &[&says]);
    }
    // Of a file, too: what its header says is enough.
    let long = File::create(program.path("long.bin")).unwrap();
    long.set_len(1 << 32).unwrap();
    program.run("reduce long.bin --dtype u32 -a single_pass").fails(4, &["shorter stream"]);
    long.set_len(1 << 33).unwrap();
    program
        .run("reduce long.bin --dtype u32")
        .fails(4, &["too many values: 2147483648", "--chunk and --memory"]);
    assert_eq!(program.names(), ["a.bin", "a.npy", "a.txt", "long.bin"]);
}

/// The bound holds for two lengths, one of which is four times the other.
#[cfg(target_os = "linux")]
#[test]
fn memory_stays_below_its_bound_whatever_the_length_is() {
    let program = Program::new();
    for (arguments, bound) in [
        ("scan ones -o out.bin", 400u64),
        ("compact random --keep >=9 -a packed -o out.bin", 420),
        ("reduce ones", 360),
        ("sort random -o out.bin", 420),
    ] {
        let mut chunks = Vec::new();
        for n in ["2^22", "2^24"] {
            let arguments = arguments.replace("ones", &format!("ones:n={n}"));
            let arguments = arguments.replace("random", &format!("random:n={n}"));
            let json = program.run(&format!("{arguments} --memory {bound}M --json")).ok().json();
            let memory = json["memory"].as_u64().unwrap();
            assert!(memory <= bound << 20, "{arguments}: {} MB", memory >> 20);
            chunks.push((json["chunk"].as_u64().unwrap(), json["pieces"].as_u64().unwrap()));
        }
        assert!(chunks[1].1 > 1, "{arguments}: {chunks:?}");
    }
}

/// Starts a run.
fn start(program: &Program, arguments: &str) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rasterscan"));
    command.current_dir(program.path("")).args(arguments.split_whitespace());
    command.env("RASTERSCAN_CACHE", "off").stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits until a run has come so far.
fn wait(child: &mut Child, begun: impl Fn() -> bool) {
    while !begun() {
        assert!(child.try_wait().unwrap().is_none(), "it ended at once");
        sleep(Duration::from_millis(1));
    }
}

fn lines(journal: &Path) -> usize {
    fs::read_to_string(journal).map_or(0, |text| text.lines().count())
}

/// Writes `a.bin` anew, as if it had been changed at this time.
fn rewrite(program: &Program, bytes: &[u8], time: SystemTime) {
    program.file("a.bin", bytes);
    File::options().write(true).open(program.path("a.bin")).unwrap().set_modified(time).unwrap();
}

#[test]
fn an_interrupted_run_goes_on_where_it_was() {
    let program = Program::new();
    program.file("a.bin", numbers(1 << 20));
    for (job, chunk) in [
        ("scan a.bin --dtype u32 --order 2", 2048),
        ("compact a.bin --dtype u32 --keep >=900 --indices=i.npy", 2048),
        ("reduce a.bin --dtype u32 --op argmax", 1024),
        ("histogram a.bin --dtype u32", 1024),
        ("sort a.bin --dtype u32 --indices=i.npy", 2048),
    ] {
        let arguments = format!("{job} -a sequential --chunk {chunk} --resume -o out.npy");
        program.run(&format!("{job} -a sequential -o whole.npy")).ok();
        let indices = program.path("i.npy");
        let expected = (program.read("whole.npy"), fs::read(&indices).ok());
        let _ = fs::remove_file(&indices);
        let journal = program.path("out.npy.journal");
        // Killed twice, and the second time after more pieces.
        for pieces in [4, 9] {
            let before = lines(&journal);
            let mut child = start(&program, &arguments);
            // Going on, it first reads what was done.
            wait(&mut child, || lines(&journal) >= pieces && (before == 0 || lines(&journal) > 2));
            child.kill().unwrap();
            child.wait().unwrap();
            assert!(!program.path("out.npy").exists() && !indices.exists());
        }
        let is_sort = job.starts_with("sort");
        if is_sort {
            // In the merge, too: it has written more than a header.
            let part = program.path("out.npy.part");
            let mut child = start(&program, &arguments);
            wait(&mut child, || fs::metadata(&part).is_ok_and(|part| part.len() > 128));
            child.kill().unwrap();
            child.wait().unwrap();
            assert!(part.exists() && program.path("out.npy.runs").exists());
            // All numbers are in runs; still they must be those of the input.
            let time = fs::metadata(program.path("a.bin")).unwrap().modified().unwrap();
            rewrite(&program, &[&[1], &numbers(1 << 20)[1..]].concat(), time);
            program.run(&arguments).fails(1, &["its input has other numbers now"]);
            rewrite(&program, &numbers(1 << 20), time);
        }
        let ran = program.run(&format!("{arguments} --json")).ok().json();
        let least = if is_sort { ran["pieces"].as_u64().unwrap() } else { 3 };
        assert!(ran["resumed"].as_u64().unwrap() >= least, "{ran}");
        assert!(program.read("out.npy") == expected.0 && fs::read(&indices).ok() == expected.1, "{job}");
        let left: Vec<String> = program.names();
        let of_a_run = [".part", ".journal", ".runs"];
        assert!(left.iter().all(|name| of_a_run.iter().all(|ending| !name.ends_with(ending))), "{left:?}");
        for name in ["out.npy", "i.npy"] {
            let _ = fs::remove_file(program.path(name));
        }
    }
}

#[test]
fn a_run_does_not_go_on_with_another_input_or_job() {
    let program = Program::new();
    program.file("a.bin", numbers(1 << 18));
    let modified = || fs::metadata(program.path("a.bin")).unwrap().modified().unwrap();
    let time = modified();
    let run = "scan a.bin --dtype u32 -a sequential --chunk 1024 --resume -o out.npy";
    let journal = program.path("out.npy.journal");
    let mut child = start(&program, run);
    wait(&mut child, || lines(&journal) > 3);
    child.kill().unwrap();
    child.wait().unwrap();
    let other = run.replace("-a sequential", "-a sequential --exclusive");
    program.run(&other).fails(1, &["it was another job", "remove out.npy.journal to begin anew"]);
    program.run(&run.replace("1024", "2048")).fails(1, &["its pieces had another length"]);
    // Another number at the beginning; with the old time, only the digest tells.
    let mut bytes = numbers(1 << 18);
    bytes[5] ^= 1;
    rewrite(&program, &bytes, time + Duration::from_secs(9));
    program.run(run).fails(1, &["its input has changed since"]);
    rewrite(&program, &bytes, time);
    program.run(run).fails(1, &["its input has other numbers now"]);
    program.file("a.bin", &bytes[..1 << 19]);
    program.run(run).fails(1, &["its input has changed since"]);
    assert!(!program.path("out.npy").exists());
    fs::remove_file(&journal).unwrap();
    program.run(run).ok();
    assert_eq!(program.names(), ["a.bin", "out.npy"]);
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_without_a_journal_leaves_nothing() {
    for (job, signal) in [("scan", "TERM"), ("sort", "TERM")] {
        let program = Program::new();
        program.file("out.npy", "old");
        let mut child =
            start(&program, &format!("{job} random:n=2^24 -a sequential --chunk 2^12 -o out.npy"));
        let unfinished = |name: &String| name.starts_with(".rasterscan-");
        wait(&mut child, || {
            let found = program.names().into_iter().find(unfinished);
            let len = |name: String| fs::metadata(program.path(&name)).map_or(0, |found| found.len());
            found.is_some_and(|name| job == "sort" || len(name) > 1 << 16)
        });
        let kill = format!("kill -{signal} {}", child.id());
        assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
        assert!(!child.wait().unwrap().success());
        assert_eq!((program.names(), program.read("out.npy")), (vec!["out.npy".to_owned()], b"old".to_vec()));
    }
}

#[test]
fn a_full_disk_and_an_input_that_ends_early_are_told_in_a_line() {
    let program = Program::new();
    if cfg!(target_os = "linux") {
        program
            .run("scan ones:n=9000 -a sequential --chunk 1000 -o /dev/full")
            .fails(1, &["cannot write /dev/full"]);
        program
            .run("compact ones:n=9 -a sequential --chunk 4 --resume -o out.npy --indices=/dev/null")
            .fails(2, &["write it to a file"]);
        program
            .run_after("ulimit -f 64", "scan ones:n=2^20 -a sequential --chunk 2^12 -o out.npy")
            .fails(1, &["cannot write out.npy: File too large"]);
    }
    program.file("cut.npy", npy("<u4", "(9000,)", &numbers(8000)));
    program
        .run("scan cut.npy -a sequential --chunk 1000 -o out.npy")
        .fails(1, &["cut.npy: the header promises <u4", "32000 bytes follow (truncated?)"]);
    program.file("long.npy", npy("<u4", "(7000,)", &numbers(8000)));
    program.run("scan long.npy -a sequential --chunk 1000 -o out.npy").fails(1, &["32000 bytes follow"]);
    // Cut while it is read.
    program.file("a.bin", numbers(1 << 18));
    let journal = program.path("out.npy.journal");
    let mut child = start(&program, "scan a.bin --dtype u32 -a sequential --chunk 1024 --resume -o out.npy");
    wait(&mut child, || lines(&journal) > 3);
    File::options().write(true).open(program.path("a.bin")).unwrap().set_len(999).unwrap();
    let ran = super::Ran::of("cut", child.wait_with_output().unwrap());
    ran.fails(1, &["a.bin: it changed while it was read: it had 1048576 bytes, and now ends after"]);
    assert!(!program.path("out.npy").exists());
}
