//! `demo`: its tables, its pictures, and the directory that it writes.

use std::process::{Command, Stdio};
use std::sync::OnceLock;

use serde_json::Value;

use rasterscan::tools::problem::{COMPACT, Problem, SCAN, SORT};
use rasterscan::tools::registry;

use super::files::program_with_stdout;
use super::{Program, Ran, names};

const FILES: [&str; 8] =
    ["compact.npy", "compact.png", "demo.json", "input.png", "scan.npy", "scan.png", "sort.npy", "sort.png"];

/// Variants that run beside the cards.
const EXTRA: &str = "blocks:inner=packed,search=for,ends=fetched";

/// The bright pixels of the image, which are those of luma 32 and more.
const KEPT: u64 = 72_928;

/// A demo with all its files in `new`, run once for several tests.
fn shared() -> &'static (Program, Ran) {
    static SHARED: OnceLock<(Program, Ran)> = OnceLock::new();
    SHARED.get_or_init(|| {
        let program = Program::new();
        let run = program.run("demo --out new").ok();
        (program, run)
    })
}

fn document() -> Value {
    serde_json::from_slice(&shared().0.read("new/demo.json")).unwrap()
}

/// The names in the first column of a table.
fn algorithms(table: &str) -> Vec<&str> {
    table.lines().skip(1).map(|row| row.split([':', ' ']).next().unwrap()).collect()
}

fn cards(problem: &'static Problem) -> Vec<&'static str> {
    let names = registry::of(problem).map(|card| card.name);
    // Blocks come twice, and so does the CPU: one loop, and all cores.
    let rows = names.flat_map(|name| match name {
        "blocks" => vec![name; 2],
        "sequential" => vec!["cpu"; 2],
        name => vec![name],
    });
    rows.collect()
}

#[test]
fn three_tables_have_every_scan_compaction_and_sort() {
    let (_, run) = shared();
    let tables: Vec<&str> = run.text().split("\n\n").collect();
    let [scans, compactions, sorts] = tables[..] else { panic!("{tables:?}") };
    assert_eq!(algorithms(scans), cards(SCAN));
    let left_out = run.stderr.matches(" is left out: ").count();
    // Not every sort is timed on all cores of the CPU.
    let once = |mut names: Vec<&'static str>| {
        names.dedup();
        names
    };
    let sorted = once(algorithms(sorts));
    assert_eq!(
        algorithms(compactions).len() + sorted.len() + left_out,
        cards(COMPACT).len() + once(cards(SORT)).len(),
        "{}",
        run.stderr
    );
    if left_out == 0 {
        assert_eq!(algorithms(compactions), cards(COMPACT));
        assert_eq!(sorted, once(cards(SORT)));
    }
    assert!(!sorts.contains("horn"), "{sorts}");
    let [first, second] = [scans, compactions].map(|table| table.lines().next().unwrap());
    assert!(first.starts_with("algorithm") && first.contains("adds"), "{first}");
    for column in ["algorithm", "passes", "texels written", "words moved", "ms", "clock", "against horn"] {
        assert!(second.contains(column), "{second}");
    }
    // What there is none of is a dash: passes on the CPU, texels in buffers.
    let cell = |table: &str, name: &str, column: usize| {
        let row = table.lines().find(|row| row.split([':', ' ']).next() == Some(name))?;
        row.split_whitespace().nth(column).map(str::to_owned)
    };
    assert_eq!(cell(scans, "cpu", 1).as_deref(), Some("-"));
    assert_eq!(cell(compactions, "cpu", 2).as_deref(), Some("-"));
    assert!(
        ["select", "scatter"]
            .map(|name| cell(compactions, name, 2))
            .iter()
            .flatten()
            .all(|texels| texels == "-")
    );
    for table in [scans, compactions] {
        // The names of `compare`, for the same loops.
        let cpu: Vec<&str> = table.lines().filter(|row| row.starts_with("cpu:")).collect();
        assert!(cpu[0].starts_with("cpu:sequential ") && cpu[1].starts_with("cpu:parallel "), "{table}");
        let horn = table.lines().find(|row| row.starts_with("horn ")).unwrap();
        assert!(horn.ends_with("1.00 x"), "{horn}");
    }
    assert!(compactions.contains(&format!("\n{EXTRA}")), "{compactions}");

    assert!(run.stderr.starts_with("Every scan, on the 872,000 luma values"), "{}", run.stderr);
    let rows = [scans, compactions, sorts].map(|table| algorithms(table).len()).iter().sum::<usize>();
    for part in [
        "keeps the 72,928 pixels (8.4%) of luma 32\nor more, in order",
        &format!("All {rows} results were read back"),
        "all 872,000 sums of each scan, all 72,928 pixels of each\ncompaction and all 872,000 of each sort",
        "from dark to\nbright",
        "compact photo.jpg --keep '>=200'",
    ] {
        assert!(run.stderr.contains(part), "{part}\n{}", run.stderr);
    }
    assert!(!run.stderr.contains('\u{1b}'), "no bar and no colour where stderr is no terminal");
}

#[test]
fn the_document_has_what_the_tables_have() {
    let json = document();
    assert_eq!(json["schema"], "rasterscan.demo/1");
    assert!(!json["gl"]["renderer"].as_str().unwrap().is_empty());
    let rows = |key: &str| json[key].as_array().unwrap().clone();
    let [scans, compactions, sorts] = ["runs", "compactions", "sorts"].map(rows);
    assert_eq!(scans.len(), cards(SCAN).len() - 1, "a run on the CPU has two times");
    assert!(compactions.len() >= 8 && sorts.len() >= 4);
    assert!(sorts.iter().all(|run| run["against_horn"].is_null()));
    for run in scans.iter().chain(&compactions).chain(&sorts) {
        assert_eq!((&run["verified"], &run["n"]), (&true.into(), &872_000.into()), "{run}");
        // The CPU has no loop that sorts with indices.
        if !(sorts.contains(run) && run["algorithm"] == "sequential") {
            let samples = run["time"]["runs"].as_u64().unwrap();
            assert!((1..=5).contains(&samples), "{run}");
            assert_eq!(run["all_cores"]["ms"].is_f64(), run["algorithm"] == "sequential", "{run}");
        }
        for field in ["passes", "texels_written", "words_read", "words_written", "vertices"] {
            assert!(run[field].is_u64(), "{field}: {run}");
        }
    }
    for run in &compactions {
        assert_eq!(
            (&run["keep"], &run["moves"], &run["kept"]),
            (&">=32".into(), &"values".into(), &KEPT.into())
        );
    }
    let inner: Vec<_> = compactions.iter().filter_map(|run| run["parameters"]["inner"].as_str()).collect();
    assert_eq!(inner, ["hillis", "packed"]);
    let horn = compactions.iter().find(|run| run["algorithm"] == "horn").unwrap();
    assert_eq!(horn["against_horn"], 1.0);
}

#[test]
fn the_files_are_of_the_picture_beside_them() {
    let (program, run) = shared();
    assert_eq!(names(&program.path("new")), FILES);
    let says =
        "Wrote input.png, scan.png, scan.npy, compact.png, compact.npy, sort.png, sort.npy, demo.json to new";
    assert!(run.stderr.contains(says), "{}", run.stderr);
    let again = Program::new();
    let input = program.path("new/input.png").display().to_string();
    again.run(&format!("scan {input} -a sequential -o scan.npy")).ok();
    assert!(again.read("scan.npy") == program.read("new/scan.npy"));
    again.run(&format!("compact {input} -a sequential --keep >=32 -o compact.npy")).ok();
    assert!(again.read("compact.npy") == program.read("new/compact.npy"));
    again.run(&format!("sort {input} -a sequential -o sort.npy")).ok();
    assert!(again.read("sort.npy") == program.read("new/sort.npy"));
    let picture = image::open(program.path("new/scan.png")).unwrap();
    assert_eq!((picture.width(), picture.height()), (1000, 872));
}

#[test]
fn before_and_after_in_one_picture() {
    let (program, _) = shared();
    let input = image::open(program.path("new/input.png")).unwrap().into_luma8();
    let picture = image::open(program.path("new/compact.png")).unwrap().into_rgb8();
    let (width, height) = input.dimensions();
    assert_eq!(picture.height(), height);
    // The right half is as wide as the left one, and there is a gap.
    let start = picture.width() - width;
    assert!(start > width && start < width + 100, "{start}");

    // What is dark is grey and as it was; what is bright is in its order on the right, in its own colour.
    let mut bright = Vec::new();
    for (x, y, pixel) in input.enumerate_pixels() {
        let luma = pixel.0[0];
        let shown = *picture.get_pixel(x, y);
        if luma >= 32 {
            bright.push(shown);
        } else {
            assert_eq!(shown.0, [luma; 3], "{x}, {y}");
        }
    }
    assert_eq!(bright.len() as u64, KEPT);
    let right = |index: usize| *picture.get_pixel(start + index as u32 % width, index as u32 / width);
    assert!(bright.iter().enumerate().all(|(index, pixel)| right(index) == *pixel));
    let nothing = right(bright.len());
    assert!((bright.len()..(width * height) as usize).all(|index| right(index) == nothing));
    assert!(nothing.0.iter().all(|channel| *channel < 20));
    // The first rows have another colour than the last.
    let ratio = |pixel: image::Rgb<u8>| f64::from(pixel.0[0]) / f64::from(pixel.0[2]);
    assert!(ratio(bright[0]) < 1.0 && ratio(bright[bright.len() - 1]) > 1.0);
}

#[test]
fn no_command_is_the_demo() {
    let program = Program::new();
    let run = program.run("").ok();
    assert!(program.names().is_empty(), "it writes nothing");
    let rows = run.text().lines().count();
    assert_eq!(rows, shared().1.text().lines().count());
    assert!(!run.stderr.contains("Wrote"));
}

#[test]
fn the_demo_keeps_what_else_is_in_its_directory() {
    let program = Program::new();
    std::fs::create_dir(program.path("out")).unwrap();
    program.file("out/mine", "x").file("out/demo.json", "old").file("file", "");
    let quiet = program.run("demo -q --api gles --out out").ok();
    assert!(quiet.stderr.is_empty(), "{}", quiet.stderr);
    assert!(quiet.text().lines().count() >= 14);
    let mut expected = [&FILES[..], &["mine"]].concat();
    expected.sort_unstable();
    assert_eq!(names(&program.path("out")), expected);
    assert_ne!(program.read("out/demo.json"), b"old");
    assert_eq!(program.names(), ["file", "out"], "nothing is left beside it");
    program.run("demo --out file").fails(1, &["file", "not a directory"]);
    program.run("demo --out none/out").fails(1, &["none/out", "no directory none"]);
}

#[test]
fn the_demo_writes_its_directory_whoever_reads_its_table() {
    let program = Program::new();
    let mut child = Command::new(env!("CARGO_BIN_EXE_rasterscan"))
        .env("RASTERSCAN_CACHE", "off")
        .current_dir(program.folder.path())
        .args(["demo", "--out", "closed", "-q"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(names(&program.path("closed")), FILES);
    #[cfg(target_os = "linux")]
    {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let status = program_with_stdout(&program, &["demo", "--out", "full"], full.into());
        assert_eq!(status.code(), Some(1));
        assert_eq!(names(&program.path("full")), FILES);
    }
}
