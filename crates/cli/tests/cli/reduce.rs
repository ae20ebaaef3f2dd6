//! `reduce`: one number, or one for each member of a tuple; and what follows for a problem from its folder.

use rasterscan::tools::problem::REDUCE;
use rasterscan::tools::registry;

use super::Program;

#[test]
fn one_number_comes_out_or_one_a_member() {
    let program = Program::new();
    for (arguments, expected) in [
        ("values:3,1,7,0,4", "15"),
        ("values:3,1,7,0,4 --op max", "7"),
        ("values:-3,1 --op min", "-3"),
        ("values:1,2,3,4,5,6 --tuple 3", "5 7 9"),
        // 2 x + 3, then 7 x + 5.
        ("values:2,3,7,5 --op affine", "14 26"),
        ("values:", "0"),
        ("values: --op mul", "1"),
        ("values: --op max --dtype i32 --tuple 2", "-2147483648 -2147483648"),
        ("values:1.5,2.25", "3.75"),
        ("ramp:n=1001", "500500"),
        ("values:18446744073709551615,2", "1"),
        // The first of equal ones; with tuples the index in the whole stream.
        ("values:3,1,7,1,7 --op argmin", "1"),
        ("values:3,1,7,1,7 --op argmax", "2"),
        ("values:1.5,-inf,2 --op argmin", "1"),
        ("values:1,9,3,4,1,0 --op argmin --tuple 3", "0 4 5"),
        ("values: --op argmax", "4294967295"),
    ] {
        for algorithm in ["auto", "sequential", "pairs", "packed:block=2", "all"] {
            let run = program.run(&format!("reduce {arguments} -a {algorithm}")).ok();
            assert_eq!(run.values(), expected, "{arguments} -a {algorithm}");
            assert!(run.stderr.contains("verified"), "{}", run.stderr);
        }
    }
    assert_eq!(program.run_with("reduce -", "1 2 3").ok().values(), "6");
    let so_far = program.run("scan values:3,1,7,1 --op argmin -a all").ok();
    assert_eq!(so_far.values(), "0 1 1 1");
}

/// Each problem names the option that it has; a reduction prints all in its document, and a scan has only the indices.
#[test]
fn streams_that_are_written_nowhere_are_named_with_the_option_that_writes_them() {
    let program = Program::new();
    for (arguments, says) in [
        ("reduce random:n=9 --op argmax", "the values are written nowhere; --json prints them"),
        ("reduce random:n=9 --op argmax --chunk 4", "the values are written nowhere; --json prints them"),
        ("reduce values:3,1 --keys values:1,1", "the keys are written nowhere; --json prints them"),
        ("scan values:3,1 --op argmax", "the values are written nowhere\n"),
        ("compact random:n=9 --moves both", "the indices are written nowhere; --indices=FILE writes them"),
        (
            "sort random:n=9 --moves both --chunk 4",
            "the indices are written nowhere; --indices=FILE writes them",
        ),
        (
            "sort values:3,1 --payload values:1,2",
            "the payload values are written nowhere; --payload-out FILE",
        ),
    ] {
        let run = program.run(&format!("{arguments} -a sequential -o out.txt")).ok();
        assert!(run.stderr.contains(says), "{arguments}: {}", run.stderr);
        assert_eq!(run.stderr.matches("nowhere").count(), 1, "{arguments}: {}", run.stderr);
        let json = program.run(&format!("{arguments} -a sequential -o out.txt --json")).ok();
        assert!(!json.stderr.contains("nowhere"), "{}", json.stderr);
    }
}

/// As many numbers as rows, columns or segments, empty ones included.
#[test]
fn rows_columns_and_segments_have_a_result_each() {
    let program = Program::new();
    program.file("offsets.txt", "0 2 2 6");
    for (arguments, expected) in [
        ("--rows 3", "11 5"),
        ("--columns 3", "3 5 8"),
        ("--columns 3 --op max", "3 4 7"),
        ("--rows 6 --tuple 2", "14 2"),
        ("--segments values:0,0,1,0,0,1", "4 11 1"),
        ("--offsets values:0,2,2,6", "4 0 12 0"),
        ("--offsets offsets.txt --op min", "1 4294967295 0 4294967295"),
        ("--offsets values:3", "5"),
        ("--keys values:-1,-1,7,7,7,-1", "4 11 1"),
    ] {
        for algorithm in ["auto", "sequential", "pairs", "packed", "all"] {
            let run = program.run(&format!("reduce values:3,1,7,0,4,1 -a {algorithm} {arguments}")).ok();
            assert_eq!(run.values(), expected, "{arguments} -a {algorithm}");
            assert!(run.stderr.contains("verified"), "{}", run.stderr);
        }
    }
    assert_eq!(program.run("reduce values: --rows 3").ok().values(), "");
    assert_eq!(program.run("reduce values: --columns 2 --op mul").ok().values(), "1 1");
    let run = program.run("reduce values:1,2,3 -a packed --segments values:1,1,0").ok();
    assert!(run.stderr.contains("2 segments"), "{}", run.stderr);
    let run = program.run("reduce values:1,2,3 -a packed --keys values:1.5,2.5,2.5 --json").ok();
    let document = run.json();
    assert_eq!(
        (&document["result"], &document["result_keys"]),
        (&serde_json::json!([1, 5]), &serde_json::json!([1.5, 2.5]))
    );
    program.run("reduce values:1,2,3 --keys values:1,2").fails(1, &["keys", "2", "3"]);
    assert_eq!(program.run("scan values:1,2,3 --keys values:1,2,2").ok().values(), "1 2 5");
    program.run("reduce values:1,2,3 --offsets values:2,1").fails(1, &["offset 1 is 1", "expected 2 to 3"]);
    program.run("reduce values:1,2,3 --rows 2").fails(1, &["3 items", "rows of 2"]);
    program.run("reduce values:1,2,3 --rows 3 --offsets values:0").fails(2, &["--rows", "--offsets"]);
}

#[test]
fn what_makes_no_sense_is_refused() {
    let program = Program::new();
    program.run("reduce values:1,2,3 --exclusive").fails(2, &["--exclusive"]);
    program.run("reduce values:1,2,3 --op affine").fails(1, &["takes pairs", "3 values"]);
    program.run("reduce values:1,2,3 --tuple 2").fails(1, &["tuples of 2"]);
    program.run("reduce values:1,2,3 --op sum").fails(2, &["'sum'", "add, mul"]);
    program.run("reduce values:1,x").fails(2, &["'x'"]);
    program.run("reduce values:1 -a horn").fails(2, &["there is no algorithm 'horn'"]);
    program.run("reduce values:1.5 --op xor").fails(4, &["'xor' works on integers"]);
}

/// Too little address space for gigabytes of numbers: a run that makes them ends with another error.
#[cfg(target_os = "linux")]
const LITTLE: &str = "ulimit -v 1400000";

#[cfg(target_os = "linux")]
#[test]
fn what_no_device_holds_is_refused_before_it_is_made() {
    // A buffer ends 4 numbers before that.
    let program = Program::new();
    let run = program.run_after(LITTLE, "reduce ones:n=2^30 -a single_pass");
    if run.stderr.contains("compute shaders") {
        return println!("not applicable: the device has no compute shaders");
    }
    run.fails(4, &["1073741824 items are more than a buffer can hold"]);
}

#[cfg(target_os = "linux")]
#[test]
fn info_promises_only_textures_that_can_be_had() {
    let program = Program::new();
    let json = program.run_after(LITTLE, "info --json").ok().json();
    let packed = |limit: &&serde_json::Value| limit["name"] == "packed" && limit["family"] == "reduce";
    let longest =
        json["algorithms"].as_array().unwrap().iter().find(packed).unwrap()["longest"].as_u64().unwrap();
    let Some(bytes) = json["device"]["max_texture_bytes"].as_u64() else {
        return println!("not applicable: the device states no limit");
    };
    // Four numbers a texel.
    assert!(4 * longest <= bytes, "{longest} numbers, {bytes} bytes");
    let more = longest + (1 << 20);
    program
        .run_after(LITTLE, &format!("reduce ones:n={more} -a packed"))
        .fails(4, &["allocates at most", &bytes.to_string()]);
}

#[test]
fn documents_and_files_are_those_of_every_problem() {
    let program = Program::new();
    let json = program.run("reduce random:n=5000 --op max -a all --json").ok().json();
    assert_eq!((&json["schema"], &json["op"]), (&"rasterscan.reduce/1".into(), &"max".into()));
    assert_eq!((&json["n"], &json["tuple"], &json["verified"]), (&5000.into(), &1.into(), &true.into()));
    let ran = json["runs"].as_array().unwrap().len() + json["skipped"].as_array().unwrap().len();
    assert_eq!(ran, registry::of(REDUCE).count());
    let result =
        |arguments: &str| program.run(&format!("reduce {arguments} --json")).ok().json()["result"].clone();
    for algorithm in ["auto", "sequential", "all"] {
        assert_eq!(result(&format!("values:1,2,3,4 --tuple 2 -a {algorithm}")), serde_json::json!([4, 6]));
    }
    assert_eq!(result("values:18446744073709551615"), serde_json::json!([u64::MAX]));
    let found = program.run("reduce values:3,1,7,1 --op argmax --json").ok().json();
    assert_eq!(
        [&found["op"], &found["indices"], &found["result"]],
        [&"argmax".into(), &serde_json::json!([2]), &serde_json::json!([7])]
    );
    assert_eq!(result("values:1.5,-inf"), serde_json::json!(["-inf"]));
    // What a check of floats allows is said where it is allowed: of sums, by OpenGL.
    let floats = |line: &str| program.run(line).ok().json()["floats"].clone();
    for line in ["reduce ones:n=50 --dtype f32 --json", "scan ones:n=50 -a horn --dtype f32 --json"] {
        assert!(floats(line).as_str().is_some_and(|text| text.contains("count as 0")), "{line}");
    }
    for line in ["reduce ones:n=50 --json", "scan ones:n=50 -a sequential --dtype f32 --json"] {
        assert!(floats(line).is_null(), "{line}");
    }
    program.run("reduce random:n=5000 -o sum.npy").ok();
    assert_eq!(
        program.run("reduce sum.npy").ok().values(),
        program.run("reduce random:n=5000").ok().values()
    );
    program.run("trace reduce ramp:n=16 -a pairs -o run.json").ok();
    program.run("trace show run.json -o pictures").ok();
    assert!(program.names().contains(&"pictures".into()));
    let compared =
        program.run("compare reduce --sizes 1000 --op add,max,argmin --seconds 1 --csv a.csv").ok();
    assert!(
        compared.text().contains("single_pass") || compared.text().contains("packed"),
        "{}",
        compared.text()
    );
    let csv = String::from_utf8(program.read("a.csv")).unwrap();
    assert!(csv.starts_with("name,algorithm,n,element,op,tuple,share,pattern,passes,"), "{csv}");
    assert!(csv.contains(",1000,u32,max,1,") && csv.contains(",1000,u32,argmin,1,"), "{csv}");
    assert!(csv.contains("cpu:parallel"), "{csv}");
}

/// The CPU's loop moves values alone, and says so.
#[test]
fn what_the_cpu_has_no_loop_for_is_left_out() {
    let program = Program::new();
    let run = program.run("compare compact --sizes 500 --moves both,indices --seconds 1 -a horn").ok();
    assert!(run.text().contains("horn") && run.text().contains("moves both"), "{}", run.text());
    assert!(run.stderr.contains("compactions that move only values"), "{}", run.stderr);
}

#[test]
fn a_selftest_has_each_algorithm_first_and_ends_when_its_time_is_over() {
    let program = Program::new();
    let json = program.run("selftest --seconds 2 --json").ok().json();
    assert_eq!(json["schema"], "rasterscan.selftest/2");
    assert!(json["checked"].as_u64().unwrap() >= 1 && json["cases"].as_u64().unwrap() > 1000, "{json}");
    assert_eq!(json["wrong"].as_array().unwrap().len(), 0, "{json}");
    assert!(json["algorithms"][0]["compared"].as_u64().unwrap() > 0, "{json}");
    let report = program.run("selftest --seconds 0").ok();
    assert!(report.text().contains("all of them are correct"), "{}", report.text());
    program.run("selftest --seconds=-1").fails(2, &["seconds"]);
}
