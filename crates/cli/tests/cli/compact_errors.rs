//! Everything that can be wrong with a `compact` or its input: one error, its exit code, no output.

use serde_json::Value;

use super::{Program, npy};

#[test]
fn masks_at_fault() {
    let program = Program::new();
    let fails = |mask: &str, code: i32, says: &[&str]| {
        program.run_with(&format!("compact - --mask {mask} -o out.txt"), "1 2 3").fails(code, says);
    };
    program.file("short.npy", npy("|b1", "(2,)", &[1, 1]));
    program.file("long.npy", npy("|b1", "(2, 2)", &[1; 4]));
    program.file("u4.npy", npy("<u4", "(3,)", &[0; 12]));
    program.file("cut.npy", npy("|b1", "(3,)", &[1; 2]));
    program.file("a.png", "no image").file("a.jpg", "no image").file("a.txt", "1 1 1");
    fails("short.npy", 1, &["short.npy has 2 values", "the input has 3"]);
    fails("long.npy", 1, &["long.npy has 4 values", "the input has 3"]);
    fails("u4.npy", 1, &["u4.npy", "bool or u1", "<u4"]);
    fails("cut.npy", 1, &["cut.npy", "(truncated?)"]);
    fails("none.npy", 1, &["none.npy", "No such file"]);
    for mask in ["a.jpg", "a.txt"] {
        fails(mask, 1, &[mask, ".npy of bool or u1, or a .png"]);
    }
    fails("a.png", 1, &["a.png"]);
    fails("long.npy --keep >1", 2, &["--keep", "--mask"]);
    // Said before a device is asked for.
    program.run("compact random:n=9 --mask short.npy --device 99").fails(1, &["2 values", "has 9"]);
    assert!(!program.path("out.txt").exists());
}

#[test]
fn conditions_at_fault() {
    let program = Program::new();
    let fails = |keep: &str, dtype: &str, says: &[&str]| {
        let mut command = program.command(&format!("compact - --dtype {dtype}"));
        let output = command.args(["--keep", keep]).write_stdin("1 2 3").output().unwrap();
        super::Ran::of(keep, output).fails(2, says);
    };
    fails("< -1", "u32", &["'< -1' does not fit u32", "'-1'"]);
    fails(">4294967296", "u32", &["does not fit u32", "'4294967296'"]);
    fails(">1.5", "i64", &["does not fit i64", "'1.5'"]);
    fails(">1e40", "f32", &["does not fit f32"]);
    fails("==nan", "f32", &["does not fit f32"]);
    fails(">", "f32", &["does not fit f32"]);
    for keep in ["bright", "", "3", "=3", "=>3"] {
        fails(keep, "u32", &["expected nonzero, or >, >="]);
    }
    // What is no condition at all is said before the input is read.
    program.run("compact none.npy --keep bright").fails(2, &["invalid value 'bright'"]);
    program.run("compact random:n=9 --keep <-1 --device 99").fails(2, &["does not fit u32"]);
}

#[test]
fn names_and_options_at_fault() {
    let program = Program::new();
    let fails = |arguments: &str, says: &[&str]| {
        program.run(&format!("compact random:n=3 {arguments}")).fails(2, says);
    };
    fails("-a bloks", &["'bloks'", "did you mean blocks?"]);
    fails("-a hybrid", &["no algorithm 'hybrid'"]);
    fails("-a blocks:sise=8", &["no parameter 'sise'", "did you mean size?"]);
    for size in ["4", "63", "2048", "0", "-8", "x"] {
        fails(&format!("-a blocks:size={size}"), &["size cannot be", "a power of two from 8 to 1024"]);
    }
    fails("-a blocks:size=8,size=16", &["size is given twice"]);
    fails("-a blocks:wrap=thrice", &["wrap cannot be 'thrice'", "twice, geometry"]);
    fails("-a horn:scan=sengupta", &["scan cannot be 'sengupta'", "horn, hybrid, blelloch, packed"]);
    fails("-a bitonic:size=8", &["bitonic takes none"]);
    fails("--channels", &["--channels"]);
    fails("--tuple 2", &["--tuple"]);
    fails("--op max", &["--op"]);
    fails("--indices where.txt", &["where.txt"]);
    fails("-o a.txt --indices=a.txt", &["values and indices cannot both go to"]);
    fails("-o a.txt --indices=./a.txt", &["values and indices cannot both go to"]);
    program.run("compact").fails(2, &["<INPUT>"]);
    program.run("compact random:n=3 -o a.txt --indices=none/b.txt").fails(1, &["none/b.txt", "no directory"]);
    program.run("compact random:n=3 -o a.txt --indices=b.xyz").fails(1, &["b.xyz", ".npy, .csv"]);
    assert!(program.names().is_empty());
}

#[test]
fn one_file_that_cannot_be_written_leaves_the_other() {
    let program = Program::new();
    program.file("a.txt", "old").file("b.txt", "old");
    program.run_with("compact - -o a.txt --indices=b.txt", "1 x").fails(1, &["'x' is not a number"]);
    program.run("compact random:n=1073741825 -o a.txt --indices=b.txt").fails(4, &["too many values"]);
    assert_eq!((program.read("a.txt"), program.read("b.txt")), (b"old".into(), b"old".into()));
    assert_eq!(program.names(), ["a.txt", "b.txt"]);
    program.run_with("compact - -o a.txt --indices=b.txt", "0 7").ok();
    assert_eq!((program.read("a.txt"), program.read("b.txt")), (b"7\n".into(), b"1\n".into()));
    assert_eq!(program.names(), ["a.txt", "b.txt"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_is_full_for_the_second_file_leaves_the_first() {
    let program = Program::new();
    program.file("a.txt", "old");
    // 2000 bytes of ones, 3890 of indices, and room for 3072.
    let arguments = "compact random:n=1000,max=1,keep=1 -a sequential --device 99 -o a.txt --indices=b.txt";
    program
        .run_after("trap '' XFSZ; ulimit -f 6", arguments)
        .fails(1, &["cannot write b.txt", "File too large"]);
    assert_eq!(program.names(), ["a.txt"]);
    assert_eq!(program.read("a.txt"), b"old");
}

#[test]
fn what_this_level_of_opengl_cannot_do() {
    let program = Program::new();
    let Some(run) = program.without("geometry") else { return };
    let lacks = ["needs geometry shaders", "this is OpenGL ES 3.0"];
    run("compact random:n=9 -a geometry").fails(4, &lacks);
    run("compact random:n=9 -a blocks:wrap=geometry").fails(4, &["blocks:wrap=geometry", lacks[0], lacks[1]]);
    let all = run("compact random:n=9 -a all --json").ok();
    assert_eq!(all.json()["skipped"][0]["algorithm"], "geometry");
    assert!(all.stderr.contains("geometry is left out: geometry needs"), "{}", all.stderr);
    let list = run("list --json").ok().json();
    let geometry =
        list["algorithms"].as_array().unwrap().iter().find(|row| row["name"] == "geometry").unwrap();
    assert_eq!((&geometry["supported"], &geometry["counts"]), (&false.into(), &Value::Null));
}

#[test]
fn what_runs_on_the_cpu_needs_no_device() {
    let program = Program::new();
    let run = program.run_with("compact - -a sequential --device 99", "0 5").ok();
    assert_eq!(run.values(), "5");
    program
        .run("compact random:n=9 --device 99")
        .fails(4, &["no device 99", "`--device cpu` and `-a sequential` need none"]);
}
