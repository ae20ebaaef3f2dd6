//! `histogram`: numbers in bins.

use super::Program;

#[test]
fn numbers_are_counted_in_bins() {
    let program = Program::new();
    program.file("edges.txt", "0 2 4 6");
    for (arguments, expected) in [
        ("values:3,1,7,0,4,1,6,3 --edges edges.txt", "3 2 1"),
        ("values:3,1,7,0,4,1,6,3 --edges values:1,1,4", "0 4"),
        ("values:-3,1,-1 --edges values:-1,0,2", "1 1"),
        ("values:0.5,-0.0,nan,1,7,.25 --edges values:0,0.5,2", "2 2"),
        ("values: --edges ramp:n=3", "0 0"),
        // As numpy.histogram: the last bin has the greatest number, too.
        ("values:-3,0,1,2,2,5,7,7,9,12 --bins 10", "1 0 2 2 0 1 2 0 1 1"),
        ("values:3,1,7,0,4,1,6,3 --bins 4 --range 1..7", "2 2 1 2"),
        ("values:0.5,nan,1,7.5,.25 --bins 2", "3 1"),
        ("values:5,5 --range 0..9", "0 0 0 0 0 2 0 0 0 0"),
        ("values: --bins 2", "0 0"),
    ] {
        for algorithm in ["auto", "sequential", "sorted", "all"] {
            let run = program.run(&format!("histogram {arguments} -a {algorithm}")).ok();
            assert_eq!(run.values(), expected, "{arguments} -a {algorithm}");
            assert!(run.stderr.contains("verified"), "{}", run.stderr);
        }
    }
    // Without edges, a bin for each value of 8 bits.
    let of_bytes = program.run("histogram values:255,0,7,7,256").ok().values();
    let mut expected = ["0"; 256];
    (expected[0], expected[7], expected[255]) = ("1", "2", "1");
    assert_eq!(of_bytes, expected.join(" "));
    let document = program.run("histogram ramp:n=9 --edges values:0,5,9 --json").ok().json();
    assert_eq!((&document["bins"], &document["edges"]), (&2.into(), &"values:0,5,9".into()));
    assert_eq!(document["result"].to_string(), "[5,4]");
    let document = program.run("histogram values:0.0,1 --bins 2 --json").ok().json();
    assert_eq!(document["result_edges"].to_string(), "[0,0.5,1.0000001]");
}

#[test]
fn wrong_bins_are_refused() {
    let program = Program::new();
    program.run("histogram values:1 --edges values:0,3,1").fails(1, &["edge 2 is 1, after 3"]);
    program.run("histogram values:1 --edges values:3").fails(2, &["2 edges", "not 0"]);
    program.run("histogram values:1.5 --edges values:0,nan").fails(1, &["edge 1 is NaN"]);
    program.run("histogram values:1 --edges values:0,0.5").fails(2, &["0.5"]);
    program
        .run("histogram values:1 --edges 0,2,4")
        .fails(1, &["cannot read 0,2,4 (values:0,2,4 are numbers)"]);
    program.run("histogram values:1 --edges values:0,2 --bins 2").fails(2, &["--edges", "--bins"]);
    program.run("histogram values:1 --bins 0").fails(2, &["0"]);
    program.run("histogram values:1 --range 3").fails(2, &["two numbers with .. between"]);
    program.run("histogram values:1 --range 3..1").fails(1, &["cannot span 3..1"]);
    program.run("histogram values:0,4294967295 --bins 2").fails(1, &["below the greatest u32"]);
    program.run("histogram values:0,inf --bins 2").fails(1, &["cannot span 0..inf"]);
    program.run("histogram values:1 --dtype u64").fails(4, &["u32, i32 or f32, not u64"]);
}

#[test]
fn recordings_and_comparisons_follow() {
    let program = Program::new();
    program.run("trace histogram ramp:n=16 --edges values:0,2,9 -a sorted -o run.json").ok();
    program.run("trace show run.json -o pictures").ok();
    assert!(program.names().contains(&"pictures".into()));
    let run = program.run("compare histogram --sizes 1000 --edges ramp:n=17 --seconds 1 --csv a.csv").ok();
    assert!(run.text().contains("sorted"), "{}", run.text());
    let csv = String::from_utf8(program.read("a.csv")).unwrap();
    assert!(csv.contains("sorted"), "{csv}");
}
