//! `compare`: its table and its files, every case that was asked for, what it refuses before it measures, what it says
//! of an earlier run, and what an interrupt leaves. No test demands that one is faster.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{Program, Ran, tune::has_compute};

const BASELINES: [&str; 4] = ["copy:texture", "copy:buffer", "cpu:sequential", "cpu:parallel"];

/// The least time there is: each contender is verified, and timed once or a few times.
const SHORT: &str = "--seconds 0";

fn read(program: &Program, name: &str) -> Value {
    serde_json::from_slice(&program.read(name)).unwrap()
}

/// Compares, and gives the document.
#[track_caller]
fn compared(program: &Program, arguments: &str) -> Value {
    program.run(&format!("compare {arguments} {SHORT} --json compared.json")).ok();
    read(program, "compared.json")
}

fn rows(document: &Value) -> &[Value] {
    document["rows"].as_array().unwrap()
}

fn name(row: &Value) -> &str {
    row["name"].as_str().unwrap()
}

fn number(row: &Value, field: &str) -> f64 {
    row[field].as_f64().unwrap_or_else(|| panic!("no {field} in {row}"))
}

/// The baselines that the device has, and these.
fn contenders<'a>(program: &Program, named: &[&'a str]) -> Vec<&'a str> {
    let compute = has_compute(program);
    let able = BASELINES.into_iter().filter(|name| compute || *name != "copy:buffer");
    able.chain(named.iter().copied()).collect()
}

#[test]
fn a_comparison_says_the_same_in_every_form() {
    let program = Program::new();
    let files = "--json c.json --csv c.csv --svg c.svg --png c.png";
    let run = program.run(&format!("compare scan -a horn,packed --sizes 1000,2^10 --seconds 5 {files}")).ok();
    assert_eq!(program.names(), ["c.csv", "c.json", "c.png", "c.svg"]);
    let json = read(&program, "c.json");
    let info = program.run("info --json").ok().json();
    assert_eq!(json["schema"], "rasterscan.compare/1");
    assert_eq!(json["gl"], info["gl"]);
    assert_eq!(json["machine"]["renderer"], info["gl"]["renderer"]);
    assert_eq!((&json["baseline"], &json["seconds"]), (&"copy:texture".into(), &5.0.into()));
    assert!(run.stderr.contains(json["machine"]["date"].as_str().unwrap()), "{}", run.stderr);

    let contenders = contenders(&program, &["horn", "packed"]);
    let expected: Vec<(&str, u64)> =
        [1000, 1024].iter().flat_map(|n| contenders.iter().map(|name| (*name, *n))).collect();
    let got: Vec<(&str, u64)> =
        rows(&json).iter().map(|row| (name(row), row["n"].as_u64().unwrap())).collect();
    assert_eq!(got, expected);
    rows(&json).iter().for_each(|row| check_row(row, &json));
    check_csv(std::str::from_utf8(&program.read("c.csv")).unwrap(), &json);
    check_table(&run, &json);
    check_svg(std::str::from_utf8(&program.read("c.svg")).unwrap(), &contenders);
    let png = image::load_from_memory_with_format(&program.read("c.png"), image::ImageFormat::Png).unwrap();
    let colours: BTreeSet<_> = png.to_rgb8().pixels().map(|pixel| pixel.0).collect();
    assert!(png.width() > 300 && png.height() > 300 && colours.len() > 10, "{} colours", colours.len());
}

fn check_row(row: &Value, document: &Value) {
    for (field, value) in [("family", "scan"), ("element", "u32"), ("op", "add"), ("kind", "inclusive")] {
        assert_eq!(row[field], value, "{row}");
    }
    assert_eq!(
        (&row["order"], &row["tuple"], &row["verified"]),
        (&json!(1), &json!(1), &json!(true)),
        "{row}"
    );
    assert!(row.get("share").is_none(), "a scan keeps all: {row}");
    let ms = number(row, "ms");
    if row["runs"].as_u64() >= Some(9) {
        let [low, high] = ["ms_low", "ms_high"].map(|field| number(row, field));
        assert!(0.0 < low && low <= ms && ms <= high, "{row}");
    } else {
        assert!(ms > 0.0 && row["ms_low"].is_null() && row["ms_high"].is_null(), "{row}");
    }
    assert!(row["runs"].as_u64() >= Some(1) && row["outliers"].as_u64() <= row["runs"].as_u64(), "{row}");
    let cpu = name(row).starts_with("cpu:");
    let wall = cpu || document["machine"]["software"] == true;
    assert_eq!(row["clock"], if wall { "wall" } else { "gpu" }, "{row}");
    assert_eq!(row["algorithm"], row["name"], "no parameter was named");
    assert_eq!(row["parameters"].get("block").is_some(), name(row) == "packed", "{row}");
    // Of the same length, and exactly what the document's own times say.
    let base = |other: &&Value| name(other) == "copy:texture" && other["n"] == row["n"];
    let ratio = ms / number(rows(document).iter().find(base).unwrap(), "ms");
    assert!((number(row, "ratio") / ratio - 1.0).abs() < 1e-9, "{row}");
    let phases = row["phases"].as_array().map_or(&[][..], Vec::as_slice);
    let passes: u64 = phases.iter().map(|phase| phase["passes"].as_u64().unwrap()).sum();
    assert_eq!(row["passes"].as_u64(), Some(passes), "{row}");
    assert_eq!(passes == 0, cpu, "{row}");
    assert_eq!(number(row, "words_moved") == 0.0, cpu, "{row}");
    assert_eq!(row["upload_ms"].is_null(), cpu, "{row}");
}

fn check_csv(csv: &str, document: &Value) {
    let mut lines = csv.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    let lines: Vec<&str> = lines.collect();
    assert_eq!(lines.len(), rows(document).len());
    for (line, row) in lines.iter().zip(rows(document)) {
        let cells: Vec<&str> = line.split(',').map(|cell| cell.trim_matches('"')).collect();
        assert_eq!(cells.len(), header.len(), "{line}");
        for (field, cell) in header.iter().zip(&cells) {
            match &row[*field] {
                Value::Null => assert_eq!(*cell, "", "{field}: {line}"),
                Value::Number(value) => {
                    // The last digit of what JSON says is the parser's.
                    let [value, cell] = [value.as_f64().unwrap(), cell.parse::<f64>().unwrap()];
                    assert!((value - cell).abs() <= 1e-12 * value.abs(), "{field}: {line}");
                }
                Value::String(value) => assert_eq!(cell, value, "{field}: {line}"),
                other => assert_eq!(*cell, other.to_string(), "{field}: {line}"),
            }
        }
    }
}

/// A table for each length, and in each a line for each row that ends in its ratio.
fn check_table(run: &Ran, document: &Value) {
    for (n, heading) in [(1000, "Scan of 1,000 (4,000 bytes)\n"), (1024, "Scan of 2^10 (4,096 bytes)\n")] {
        let (_, table) = run.text().split_once(heading).unwrap_or_else(|| panic!("{heading}{}", run.text()));
        let mut lines = table.lines().skip_while(|line| line.is_empty());
        let header = lines.next().unwrap();
        assert!(header.starts_with("algorithm") && header.ends_with("x copy:texture"), "{header}");
        for row in rows(document).iter().filter(|row| row["n"] == n) {
            let cells: Vec<&str> = lines.next().unwrap().split_whitespace().collect();
            let ratio = format!("{:.2}", number(row, "ratio"));
            assert_eq!((cells[0], *cells.last().unwrap()), (name(row), ratio.as_str()), "{}", run.text());
        }
        assert!(lines.next().unwrap().starts_with("not in the times: upload "), "{}", run.text());
    }
}

fn check_svg(svg: &str, names: &[&str]) {
    let document = roxmltree::Document::parse(svg).unwrap();
    assert_eq!(document.root_element().tag_name().name(), "svg");
    let texts: Vec<&str> = document.descendants().filter_map(|node| node.text()).map(str::trim).collect();
    for name in names {
        assert!(texts.contains(name), "{name} is not in {texts:?}");
    }
}

#[test]
fn every_combination_is_a_case_once() {
    let program = Program::new();
    let arguments = "scan -a horn --sizes 1000,1002,10 --order 1,3,1 --tuple 1,3 --op add,max,add --dtype i32 --exclusive";
    let json = compared(&program, arguments);
    let of = |row: &Value| {
        assert_eq!((&row["element"], &row["kind"]), (&json!("i32"), &json!("exclusive")));
        let [n, order, tuple] = ["n", "order", "tuple"].map(|field| row[field].as_u64().unwrap());
        (n, row["op"].as_str().unwrap().to_owned(), order, tuple)
    };
    // A very slow machine leaves some out, each with a note.
    let all = rows(&json).iter().chain(json["left_out"].as_array().unwrap());
    let got: Vec<_> = all.filter(|row| name(row) == "horn").map(of).collect();
    let mut expected = BTreeSet::new();
    for n in [10u64, 1000, 1002] {
        for op in ["add", "max"] {
            for (order, tuple) in [(1, 1), (1, 3), (3, 1), (3, 3)] {
                // 10 are 12 in whole triples, and 1000 are 1002.
                expected.insert((n.next_multiple_of(tuple), op.to_owned(), order, tuple));
            }
        }
    }
    assert_eq!(got.len(), expected.len(), "a case came twice: {got:?}");
    assert_eq!(got.into_iter().collect::<BTreeSet<_>>(), expected);
}

/// Their coefficients have commas, so the option is given again for each.
#[test]
fn several_recurrences_are_cases() {
    let program = Program::new();
    let json = compared(&program, "scan -a sam --sizes 1000 --recurrence 1,2,-1 --recurrence 1:1,1");
    for recurrence in ["1:2,-1", "1:1,1"] {
        let case = |row: &&Value| row["recurrence"] == recurrence;
        let names: Vec<&str> = rows(&json).iter().filter(case).map(name).collect();
        assert_eq!(names, contenders(&program, &["sam"]), "{recurrence}");
    }
    assert_eq!(rows(&json).len(), 2 * contenders(&program, &["sam"]).len());
}

/// The model is fitted on copies, and says of each plan of draws what it would take.
#[test]
fn what_draws_is_predicted_from_copies() {
    let program = Program::new();
    let arguments = "scan -a packed,look_back --sizes 2^10 --model --seconds 1 --json m.json --csv m.csv";
    let run = program.run(&format!("compare {arguments}")).ok();
    let json = read(&program, "m.json");
    let copies = json["model"]["copies"].as_array().unwrap();
    assert!(copies.len() > 20 && copies.iter().all(|copy| number(copy, "ms") > 0.0), "{copies:?}");
    for row in rows(&json) {
        let draws = ["copy:texture", "packed"].contains(&name(row));
        assert_eq!(row.get("predicted").is_some(), draws, "{row}");
        if draws {
            let [ms, faster] = ["ms", "faster_ms"].map(|field| number(&row["predicted"], field));
            let pass = number(&json["model"], "pass_ms") * number(row, "passes");
            assert!(0.0 < pass && pass <= faster && faster <= ms, "{row}");
        }
    }
    let text = run.text();
    let line = text
        .lines()
        .skip_while(|line| !line.starts_with("Cost model, fitted on "))
        .find(|line| line.starts_with("packed "));
    assert_eq!(line.unwrap().split_whitespace().nth(1), Some("2^10"), "{text}");
    let csv = String::from_utf8(program.read("m.csv")).unwrap();
    let of_packed = csv.lines().find(|line| line.starts_with("\"packed\"")).unwrap();
    assert!(!of_packed.ends_with(','), "{csv}");
    // Without it, nothing is said of it.
    let without = compared(&program, "scan -a packed --sizes 2^10");
    assert!(
        without.get("model").is_none() && rows(&without).iter().all(|row| row.get("predicted").is_none())
    );
}

#[test]
fn patterns_are_compared_in_place_of_random_numbers() {
    let program = Program::new();
    let json = compared(&program, "compact -a horn --pattern ones,ends,long_runs --sizes 1000");
    for pattern in ["ones", "ends", "long_runs"] {
        let case = |row: &&Value| row["pattern"] == pattern && row.get("share").is_none();
        let names: Vec<&str> = rows(&json).iter().filter(case).map(name).collect();
        assert_eq!(names, contenders(&program, &["horn"]), "{pattern}");
    }
}

#[test]
fn compactions_are_compared_at_every_share() {
    let program = Program::new();
    let arguments = "compact -a horn,blocks:size=32,search=for --share 0.1,0.9 --sizes 1000 --dtype u32,f32";
    let json = compared(&program, arguments);
    for share in [0.1, 0.9] {
        for element in ["u32", "f32"] {
            let case = |row: &&Value| row["share"] == share && row["element"] == element;
            let names: Vec<&str> = rows(&json).iter().filter(case).map(name).collect();
            assert_eq!(names, contenders(&program, &["horn", "blocks:size=32,search=for"]));
        }
    }
    let blocks = rows(&json).iter().find(|row| row["algorithm"] == "blocks").unwrap();
    assert_eq!((&blocks["parameters"]["size"], &blocks["parameters"]["search"]), (&json!(32), &json!("for")));
    for row in rows(&json) {
        assert_eq!(
            (&row["family"], &row["n"], &row["verified"]),
            (&json!("compact"), &json!(1000), &json!(true))
        );
    }
}

#[test]
fn nothing_at_all_can_be_compared() {
    let program = Program::new();
    for family in ["scan", "compact"] {
        let json = compared(&program, &format!("{family} --sizes 0 --svg none.svg --png none.png"));
        assert!(rows(&json).len() > BASELINES.len() && rows(&json).iter().all(|row| row["n"] == 0), "{json}");
        roxmltree::Document::parse(std::str::from_utf8(&program.read("none.svg")).unwrap()).unwrap();
        image::load_from_memory(&program.read("none.png")).unwrap();
    }
}

#[test]
fn another_baseline() {
    let program = Program::new();
    let json = compared(&program, "scan -a horn,sequential --sizes 100 --baseline cpu:sequential");
    assert_eq!(json["baseline"], "cpu:sequential");
    // Which the registry's own algorithm on the CPU is.
    let own: Vec<&Value> = rows(&json).iter().filter(|row| name(row) == "cpu:sequential").collect();
    assert_eq!(own.len(), 1);
    assert_eq!(own[0]["ratio"], 1.0);
}

#[test]
fn sorts_by_few_bits_stand_beside_a_counting_sort() {
    let program = Program::new();
    let by = |bits: u32| {
        let moves = "--moves both --baseline cpu:counting";
        compared(&program, &format!("sort -a bitonic --sizes 100 {moves} --bits {bits}"))
    };
    let own = |json: &Value, list: &str| {
        json[list].as_array().unwrap().iter().find(|row| name(row) == "cpu:counting").cloned()
    };
    let json = by(16);
    let counting = own(&json, "rows").unwrap();
    assert_eq!((&counting["bits"], &counting["ratio"]), (&"16..32".into(), &1.0.into()));
    assert!(rows(&json).iter().any(|row| name(row) == "cpu:parallel"), "{json}");
    let reason = own(&by(17), "left_out").unwrap()["reason"].clone();
    assert!(reason.as_str().unwrap().contains("at most 16 bits"), "{reason}");
}

#[test]
fn what_the_device_cannot_do_is_left_out_with_the_reason() {
    let program = Program::new();
    let Some(run) = program.without("compute") else { return };
    let compared =
        run("compare scan -a horn,sam --sizes 100,200 --seconds 0 --baseline copy:buffer --json a.json").ok();
    let json = read(&program, "a.json");
    let reason = |left_out: &&Value| left_out["reason"].as_str().unwrap().contains("compute shaders");
    let left_out: Vec<(&str, &Value)> = json["left_out"]
        .as_array()
        .unwrap()
        .iter()
        .filter(reason)
        .map(|left_out| (name(left_out), &left_out["n"]))
        .collect();
    let of = |n: u32| [("copy:buffer", n), ("sam", n)].map(|(name, n)| (name, json!(n)));
    let expected = [of(100), of(200)].concat();
    assert_eq!(left_out, expected.iter().map(|(name, n)| (*name, n)).collect::<Vec<_>>());
    // There is no baseline for the others.
    assert!(rows(&json).iter().all(|row| row["ratio"].is_null() && name(row) != "sam"), "{json}");
    assert_eq!(compared.stderr.matches("sam is left out").count(), 1, "once is enough: {}", compared.stderr);
}

/// Refused before anything else is said or written.
#[track_caller]
fn refused(program: &Program, arguments: &str, code: i32, says: &[&str]) {
    let run = program.run(&format!("compare {arguments}"));
    assert!(run.stderr.starts_with("rasterscan: error: "), "{arguments}: it had begun\n{}", run.stderr);
    run.fails(code, says);
}

#[test]
fn what_makes_no_sense_is_refused_before_it_is_measured() {
    let program = Program::new();
    for (arguments, says) in [
        ("", "<scan|compact|reduce|sort|histogram>"),
        ("sum", "[possible values: scan, compact, reduce, sort, histogram]"),
        ("scan --sizes many", "'many' is not a length: expected a whole number, a power such as 2^20"),
        ("scan --sizes 10,,20", "'' is not a length"),
        ("scan --sizes 2^10..2^8", "the range 2^10..2^8 is empty"),
        ("scan --sizes 0..2^8", "does not grow"),
        ("scan -a horm", "horn"),
        ("scan -a horn,packed:size=3", "block"),
        ("scan -a packed:block=3", "block"),
        ("scan -a ,", "no algorithm is named"),
        ("scan --algorithms=", "no algorithm is named"),
        ("compact -a look_back", "there is no"),
        ("scan -a horn --baseline packed", "the baseline packed is not one of the contenders"),
        ("scan -a horn --baseline copy:textur", "copy:texture"),
        ("compact --op add", "--op is for scan"),
        ("compact --order 2", "--order is for scan"),
        ("compact --tuple 2", "--tuple is for scan"),
        ("compact --exclusive", "--exclusive is for scan"),
        ("compact --share 0.5,1.5", "expected a share from 0 to 1"),
        ("compact --share half", "expected a share from 0 to 1"),
        ("compact --pattern runs --share 0.5", "cannot be used with"),
        ("compact --pattern stripes", "long_runs"),
        ("scan --order 0", "--order"),
        ("scan --tuple 99", "--tuple"),
        ("scan --dtype u33", "u32"),
        ("scan --op sum", "add"),
        ("scan --recurrence 1:2:3", "expected a0,a1,...:b1,b2,..."),
        ("compact --recurrence 1:1", "--recurrence is for scan"),
        ("scan --seconds=-1", "seconds"),
    ] {
        refused(&program, &format!("{arguments} --json a.json"), 2, &[says]);
    }
    refused(&program, "scan --dtype f32 --op and", 4, &["and", "f32"]);
    assert!(program.names().is_empty(), "{:?}", program.names());
}

/// More than any stream holds is known before the shorter ones are measured, whatever it is rounded up to.
#[test]
fn lengths_beyond_every_device_are_refused_at_once() {
    let program = Program::new();
    for arguments in [
        "scan --sizes 1000,2^40",
        "scan --sizes 2^10..2^40 --op affine",
        "compact --sizes 1073741825",
        "scan --sizes 18446744073709551615 --tuple 7",
        "scan --sizes 2^30 --tuple 7",
    ] {
        refused(&program, &format!("{arguments} --json a.json"), 4, &["values are too many for a stream"]);
    }
    assert!(program.names().is_empty());
}

#[test]
fn outputs_that_cannot_be_written_are_told_before_anything_is_measured() {
    let program = Program::new();
    std::fs::create_dir(program.path("folder")).unwrap();
    for option in ["--json", "--csv", "--svg", "--png"] {
        let says = ["cannot write none/a", "there is no directory none"];
        refused(&program, &format!("scan {option} none/a"), 1, &says);
        refused(&program, &format!("scan {option} folder"), 1, &["cannot write folder", "it is a directory"]);
    }
    refused(&program, "scan --json a.json --csv a.csv --svg a.svg --png none/a", 1, &["cannot write none/a"]);
    assert_eq!(program.names(), ["folder"]);
}

#[test]
fn how_it_is_measured_is_explained_without_a_device() {
    let program = Program::new();
    for arguments in ["compare --explain --device 99", "compare scan --explain --device 99 --json a.json"] {
        let run = program.run(arguments).ok();
        assert_eq!(run.text(), rasterscan_lab::measure::EXPLANATION);
    }
    assert!(program.names().is_empty());
}

// --- Against an earlier run ----------------------------------------------------------------------

/// A comparison, and what became of the rows that `which` picks by their names.
fn scaled(document: &Value, which: impl Fn(&str) -> bool, factor: f64) -> String {
    let mut scaled = document.clone();
    for row in scaled["rows"].as_array_mut().unwrap() {
        if which(row["name"].as_str().unwrap()) {
            for field in ["ms", "ms_low", "ms_high"] {
                row[field] = (row[field].as_f64().unwrap() * factor).into();
            }
        }
    }
    scaled.to_string()
}

/// Two runs of a machine differ, but not by this much.
const FAR: f64 = 1e3;

#[test]
fn what_became_slower_or_faster_is_told() {
    let program = Program::new();
    // Each row needs nine runs, which take longer beside other work.
    let settled = |further: &str, json: &str| {
        let mut seconds = 2;
        loop {
            let _ = std::fs::remove_file(program.path(json));
            let arguments = format!("scan -a horn,packed --sizes 1000 --seconds {seconds}");
            let run = program.run(&format!("compare {arguments} {further} --json {json}"));
            if seconds > 60 || rows(&read(&program, json)).iter().all(|row| !row["ms_low"].is_null()) {
                return run;
            }
            seconds *= 2;
        }
    };
    settled("", "compared.json").ok();
    let old = read(&program, "compared.json");
    let all = rows(&old).len();
    let others: Vec<&str> = rows(&old).iter().map(name).filter(|name| !name.starts_with("copy:")).collect();
    let is_copy = |name: &str| name.starts_with("copy:");
    let against = |old: String| {
        program.file("old.json", old);
        settled("--against old.json", "new.json")
    };

    let faster = against(scaled(&old, |name| !is_copy(name), FAR)).ok();
    let (_, table) = faster.text().split_once("\nfaster").unwrap_or_else(|| panic!("{}", faster.text()));
    for name in &others {
        assert!(table.contains(&format!("\n{name} ")), "{name}\n{table}");
    }
    let says = format!("0 of {all} rows became slower by more than the noise, {} faster\n", others.len());
    assert!(faster.text().ends_with(&says), "{}", faster.text());

    let slower = against(scaled(&old, |name| name == "horn", 1.0 / FAR));
    assert_eq!(slower.code, Some(5), "{}", slower.stderr);
    let (_, table) = slower.text().split_once("\nslower").unwrap_or_else(|| panic!("{}", slower.text()));
    assert!(table.contains("\nhorn  "), "{table}");
    assert!(
        slower.stderr.contains("error: ") && slower.stderr.contains("became slower"),
        "{}",
        slower.stderr
    );
    // What was measured is kept all the same.
    assert_eq!(rows(&read(&program, "new.json")).len(), all);

    // The machine itself is slower: copies show it, and the comparison allows for it.
    let machine = against(scaled(&old, is_copy, 1.0 / FAR)).ok();
    assert!(machine.text().contains("the machine itself has changed"), "{}", machine.text());

    // Rows that are not there any more, and another machine.
    let mut other = old.clone();
    other["machine"]["renderer"] = "another GPU".into();
    other["rows"][0]["n"] = 999.into();
    let other = against(scaled(&other, |_| true, FAR)).ok();
    assert!(other.text().contains("of another machine or version: another GPU, "), "{}", other.text());
    assert!(other.text().contains("1 row of the old comparison was not measured"), "{}", other.text());
}

#[test]
fn what_is_no_earlier_comparison_is_refused_at_once() {
    let program = Program::new();
    let own = compared(&program, "scan -a horn --sizes 10").to_string();
    for (content, says) in [
        (String::new(), "not a document of `compare --json`"),
        (own[..own.len() / 2].to_owned(), "not a document of `compare --json`"),
        (own.replace("rasterscan.compare/1", "rasterscan.scan/1"), "its schema is rasterscan.scan/1"),
        (
            own.replace("rasterscan.compare/1", "rasterscan.compare/2"),
            "written by a newer version of this program",
        ),
        (own.replace("\"ms_low\":", "\"low\":"), "damaged (missing field `ms_low`"),
        (own.replace("\"element\":\"u32\"", "\"element\":\"u33\""), "unknown element u33"),
    ] {
        program.file("old.json", content);
        refused(&program, "scan --against old.json", 1, &["cannot compare against old.json: ", says]);
    }
    refused(&program, "scan --against none.json", 1, &["cannot read none.json: "]);
}

// --- An interrupt --------------------------------------------------------------------------------

#[cfg(unix)]
#[test]
fn an_interrupted_comparison_keeps_the_cases_that_are_whole() {
    use std::time::{Duration, Instant};
    // At once, and somewhere in the middle.
    for wait in [0, 200, 1000].map(Duration::from_millis) {
        let program = Program::new();
        let files = "--json a.json --csv a.csv --svg a.svg --png a.png";
        let start = Instant::now();
        let run = program.interrupt(
            &format!("compare scan -a horn,packed --sizes 10,100,1000,2^16..2^20 --seconds 600 {files}"),
            || start.elapsed() >= wait,
        );
        assert_eq!(program.names(), ["a.csv", "a.json", "a.png", "a.svg"], "{wait:?}");
        let json = read(&program, "a.json");
        let cases: BTreeSet<u64> = rows(&json).iter().map(|row| row["n"].as_u64().unwrap()).collect();
        assert!(run.stderr.contains(&format!("interrupted: {} of 8 cases", cases.len())), "{}", run.stderr);
        assert!(cases.len() < 8, "it went on to the end");
        for case in &cases {
            let of_case = rows(&json).iter().filter(|row| row["n"] == *case);
            let names: Vec<&str> = of_case.map(name).collect();
            assert_eq!(names, contenders(&program, &["horn", "packed"]), "{case}");
            let heading =
                if *case < 1024 { format!("Scan of {case}") } else { format!("2^{}", case.ilog2()) };
            assert!(run.text().contains(&heading.replace("1000", "1,000")), "{heading}\n{}", run.text());
        }
        // Down to the phases, which are timed at last.
        rows(&json).iter().for_each(|row| check_row(row, &json));
        assert_eq!(
            program.read("a.csv").iter().filter(|byte| **byte == b'\n').count(),
            rows(&json).len() + 1
        );
        roxmltree::Document::parse(std::str::from_utf8(&program.read("a.svg")).unwrap()).unwrap();
        image::load_from_memory(&program.read("a.png")).unwrap();
    }
}
