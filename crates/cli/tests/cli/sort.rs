//! `sort`: keys in their order, their indices, and a payload that moves with them.

use super::Program;

#[test]
fn keys_come_out_in_their_order() {
    let program = Program::new();
    for (arguments, expected) in [
        ("values:3,1,7,0", "0 1 3 7"),
        ("values:3,1,7,0 --descending", "7 3 1 0"),
        ("values:3,-1,7,-1 --moves indices", "1 3 0 2"),
        ("values:3,1,7,1 --moves indices --descending", "2 0 1 3"),
        ("values:", ""),
        ("values: --moves indices --dtype f32", ""),
        ("values:0.0,nan,-0.0,-inf,-nan,2.5", "-NaN -inf -0.0 0.0 2.5 NaN"),
        ("values:18446744073709551615,1,4294967296", "1 4294967296 18446744073709551615"),
        // By the two lowest bits; by the highest one.
        ("values:7,4,6,1 --bits 0..2", "4 1 6 7"),
        ("values:2147483648,5,1 --bits 1", "5 1 2147483648"),
        ("values:3,1,7,0,4,1 --rows 3", "1 3 7 0 1 4"),
        ("values:3,1,7,0,4,1 --segments values:0,0,1,0,0,1", "1 3 0 4 7 1"),
        ("values:3,1,7,0,4,1 --offsets values:0,2,2,6 --moves indices", "1 0 3 5 4 2"),
    ] {
        for algorithm in ["auto", "sequential", "radix", "all"] {
            let run = program.run(&format!("sort {arguments} -a {algorithm}")).ok();
            assert_eq!(run.values(), expected, "{arguments} -a {algorithm}");
            assert!(run.stderr.contains("verified"), "{}", run.stderr);
        }
    }
    assert_eq!(program.run_with("sort -", "3 1 2").ok().values(), "1 2 3");
    // A text keeps the sign of NaN, so that it can be sorted once more.
    program.run("sort values:nan,1,-nan -o sorted.csv").ok();
    assert_eq!(program.run("sort sorted.csv --descending").ok().values(), "NaN 1.0 -NaN");
    let timed = program.run("sort random:n=1000 -a sequential").ok();
    assert!(timed.stderr.contains("ms in one loop"), "{}", timed.stderr);
}

/// Each result in a file of its own; without a file, the first one on stdout.
#[test]
fn indices_and_payloads_go_to_their_own_files() {
    let program = Program::new();
    program.file("payload.txt", "10 11 12 13");
    for algorithm in ["sequential", "radix"] {
        let run =
            |arguments: &str| program.run(&format!("sort values:3,1,7,0 -a {algorithm} {arguments}")).ok();
        let all = run("--payload payload.txt --payload-out moved.csv --indices=where.txt -o keys.txt");
        assert_eq!(all.values(), "");
        for (file, expected) in
            [("keys.txt", "0\n1\n3\n7\n"), ("where.txt", "3\n1\n0\n2\n"), ("moved.csv", "13\n11\n10\n12\n")]
        {
            assert_eq!(program.read(file), expected.as_bytes(), "{file}");
        }
        assert!(all.stderr.contains("4 payload values written to moved.csv"), "{}", all.stderr);
        assert_eq!(run("--payload payload.txt --payload-out moved.txt").values(), "0 1 3 7");
        assert_eq!(program.read("moved.txt"), b"13\n11\n10\n12\n");
        assert_eq!(run("--indices").values(), "3 1 0 2");
        // A fact is told where it is set.
        for (arguments, direction) in [("", None), (" --descending", Some(&"descending".into()))] {
            let document = run(&format!("--moves both --json{arguments}")).json();
            assert_eq!((&document["moves"], document.get("direction")), (&"both".into(), direction));
        }
    }
    program.run("sort values:1,2 --payload-out a.txt").fails(2, &["--payload"]);
    program
        .run("sort values:1,2 --payload values:1,2 --payload-out a.txt -o a.txt")
        .fails(2, &["values and payload cannot both go to a.txt"]);
    program.run("sort values:1,2 --indices --moves both").fails(2, &["--moves"]);
}

#[test]
fn wrong_requests_are_refused() {
    let program = Program::new();
    program.run("sort values:1,2,3 --payload values:1,2").fails(1, &["payload", "2", "3"]);
    program.run("sort values:1,2,3 --rows 2").fails(1, &["3 items", "rows of 2"]);
    program.run("sort values:1,2,3 --rows 3 --offsets values:0").fails(2, &["--rows", "--offsets"]);
    program.run("sort values:1,2,3 --offsets values:2,1").fails(1, &["offset 1 is 1", "expected 2 to 3"]);
    program.run("sort values:1,2,3 --bits 8..33").fails(2, &["8..33", "0 to 32"]);
    program.run("sort values:1,2,3 --bits 33").fails(2, &["0 to 32"]);
    program.run("sort values:1,2,3 --bits 0").fails(2, &["'0'", "a number of bits"]);
    program.run("sort values:1,2,3 --bits few").fails(2, &["'few'", "a number of bits"]);
    program.run("sort values:1,2,3 -a horn").fails(2, &["there is no algorithm 'horn'"]);
}
