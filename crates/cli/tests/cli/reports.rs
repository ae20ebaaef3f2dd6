//! The program's reports: documents, tables, help, and the levels of its messages.

use serde_json::Value;

use rasterscan::tools::problem::{self, SCAN};
use rasterscan::tools::registry::{self, Choice, Era};
use rasterscan::{Device, ElementType, Operator, ScanSpec};

use super::Program;

#[test]
fn a_scan_is_one_document() {
    let program = Program::new();
    let arguments = "scan random:n=1000 -a packed:block=4,sums=scanned --op max --exclusive --json";
    let json = program.run(arguments).ok().json();
    assert_eq!(json["schema"], "rasterscan.scan/1");
    assert_eq!(json["algorithm"], "packed");
    assert_eq!(json["parameters"]["block"], 4);
    assert_eq!(json["n"], 1000);
    assert_eq!(json["element"], "u32");
    assert_eq!(json["op"], "max");
    assert_eq!(json["kind"], "exclusive");
    assert_eq!((json["order"].as_u64(), json["tuple"].as_u64()), (Some(1), Some(1)));
    assert_eq!(json["verified"], true);
    assert!(json["passes"].as_u64().unwrap() > 1);
    assert!(json["adds"].as_u64().unwrap() > 999);
    let spec = ScanSpec::new::<u32>(1000).operator(Operator::MAX).exclusive();
    let choice = Choice::parse(SCAN, "packed:block=4,sums=scanned").unwrap();
    let counts = super::counts(&choice.plan(&spec, &Device::gl33()).unwrap().unwrap());
    assert!(counts.iter().all(|(name, count)| json[name].as_u64() == Some(*count)), "{json}\n{counts:?}");
    assert!(json["kept"].is_null() && json["keep"].is_null());
    assert!(json["time"]["ms"].as_f64().unwrap() > 0.0);
    assert!(["gpu", "wall"].contains(&json["time"]["clock"].as_str().unwrap()));
    assert!(!json["gl"]["renderer"].as_str().unwrap().is_empty());
    assert!(!json["gl"]["version"].as_str().unwrap().is_empty());

    let json = program.run("scan random:n=1000 --no-verify --json").ok().json();
    assert_eq!(json["verified"], false);
    let json = program.run("scan random:n=1000 --json --api gles").ok().json();
    assert_eq!(json["gl"]["api"], "gles");
    assert!(json["gl"]["version"].as_str().unwrap().contains("ES"));
    let json = program.run("scan random:n=10 --op affine --json").ok().json();
    assert_eq!(json["n"], 5, "affine counts pairs");
}

#[test]
fn different_jobs_have_different_documents() {
    let program = Program::new();
    program.file("flags.npy", super::npy("|b1", "(4,)", &[1, 0, 1, 0])).file("offsets.txt", "0 2");
    let jobs = [
        "random:n=4,seed=1",
        "random:n=4,seed=2",
        "random:n=4,seed=1 --seed-value 5",
        "random:n=4,seed=1 --seed-value 6",
        "random:n=4,seed=1 --segments flags.npy",
        "random:n=4,seed=1 --segments values:1,0,0,1",
        "random:n=4,seed=1 --offsets offsets.txt",
        "random:n=4,seed=1 --offsets values:0,3",
    ];
    let documents = jobs.map(|job| {
        let text = program.run(&format!("scan {job} -a sequential --json")).ok();
        let mut json = text.json();
        json.as_object_mut().unwrap().retain(|name, _| !["time", "all_cores"].contains(&name.as_str()));
        // No field comes twice.
        for field in ["seed-value", "segments", "offsets", "input"] {
            assert!(text.text().matches(&format!("\"{field}\":")).count() <= 1, "{field}: {}", text.text());
        }
        json
    });
    for (number, document) in documents.iter().enumerate() {
        assert!(!documents[..number].contains(document), "{}: {document}", jobs[number]);
    }
    let said = |number: usize, field: &str| documents[number][field].as_str().unwrap().to_owned();
    assert_eq!(said(0, "input"), "random:n=4,seed=1,max=255");
    assert_eq!(
        [said(2, "seed-value"), said(4, "segments"), said(6, "offsets")],
        ["5", "flags.npy", "offsets.txt"].map(str::to_owned)
    );
}

#[test]
fn all_runs_every_scan_and_checks_each() {
    let program = Program::new();
    let json = program.run("scan random:n=1000 -a all --json -o a.txt").ok().json();
    let runs = json["runs"].as_array().unwrap();
    let names: Vec<&str> = runs.iter().map(|run| run["algorithm"].as_str().unwrap()).collect();
    let drawn = registry::of(SCAN).filter(|card| card.era != Era::Compute).map(|card| card.name);
    assert!(names.starts_with(&drawn.collect::<Vec<_>>()), "{names:?}");
    assert!(runs.iter().all(|run| run["verified"] == true && run["n"] == 1000));
    assert_eq!((&json["algorithm"], &json["verified"]), (&"all".into(), &true.into()));
    let expected = program.run("scan random:n=1000").ok().stdout;
    assert_eq!(program.read("a.txt"), expected);
}

#[test]
fn the_list_can_be_of_some_names() {
    let program = Program::new();
    let run = program.run("list histopyramid reduce").ok();
    let text = run.text();
    let named = |name: &str| text.lines().any(|line| line.starts_with(name));
    assert!(named("histopyramid") && named("two_pass") && named("Reductions"), "{text}");
    assert!(!named("look_back") && !named("Scans"), "{text}");
    program.run("list look_bock").fails(2, &["no algorithm or problem 'look_bock'; did you mean look_back?"]);
}

#[test]
fn the_list_has_every_algorithm() {
    let program = Program::new();
    let run = program.run("list").ok();
    for part in [
        "horn              a scan counts unwanted",
        "reduce_then_scan  reduce tiles",
        "histopyramid      a pyramid of counts",
        "sengupta2006",
        "parameter reduce: 0 to 30, auto, max (default auto)",
        "parameter size: a power of two from 8 to 1024 (default 64)\n                    elements in a block\n",
        "parameter search: for, while (default while)",
        "runs here",
    ] {
        assert!(run.text().contains(part), "{part}\n{}", run.text());
    }
    // Two headings, each over its family in the registry's order; beside names there is nothing in the
    // first column.
    let mut rest = run.text();
    for problem in problem::ALL.into_iter().rev() {
        let noun = problem.noun;
        let title =
            format!("{}{}s: rasterscan {problem} INPUT -a NAME\n", noun[..1].to_uppercase(), &noun[1..]);
        let (before, text) = rest.split_once(&title).unwrap();
        rest = before;
        let names = text.lines().filter(|line| !line.is_empty() && !line.starts_with(' '));
        let names: Vec<&str> = names.map(|line| line[..18].trim_end()).collect();
        let cards: Vec<&str> = registry::of(problem).map(|card| card.name).collect();
        assert_eq!(names, cards);
    }
    assert_eq!(rest, "");
}

#[test]
fn the_list_as_a_document() {
    let program = Program::new();
    let json = program.run("list --json").ok().json();
    assert_eq!(json["schema"], "rasterscan.list/1");
    assert!(json["gl"]["renderer"].is_string());
    let algorithms = json["algorithms"].as_array().unwrap();
    assert_eq!(algorithms.len(), registry::all().count());
    for algorithm in algorithms {
        for field in ["name", "family", "era", "requires"] {
            assert!(algorithm[field].is_string(), "{algorithm}");
        }
        assert!(algorithm["source"].is_array() && algorithm["supported"].is_boolean());
        assert_eq!(algorithm["supported"] == true, algorithm["reason"].is_null());
        for parameter in algorithm["parameters"].as_array().unwrap() {
            for field in ["name", "about", "default", "range"] {
                assert!(!parameter[field].is_null(), "{parameter}");
            }
        }
        let counted = algorithm["era"] != "cpu" && algorithm["supported"] == true;
        assert_eq!(algorithm["counts"].is_object(), counted, "{algorithm}");
    }
    // With no device, plans are for what OpenGL 4.3 promises.
    let json = program.run("list --json --device 99").ok().json();
    for (row, card) in json["algorithms"].as_array().unwrap().iter().zip(registry::all()) {
        let request = card.problem.plain(ElementType::U32, 1 << 20).unwrap();
        let plan = card.with_defaults().plan(&request, &Device::gl43());
        let Some(plan) = plan.unwrap() else {
            assert!(row["counts"].is_null() && card.name == "sequential");
            continue;
        };
        for (name, count) in super::counts(&plan) {
            assert_eq!(row["counts"][name].as_u64(), Some(count), "{name} of {}", card.name);
        }
    }
    let horn = &json["algorithms"][1]["counts"];
    assert_eq!((horn["passes"].as_u64(), horn["texels_written"].as_u64()), (Some(20), Some(20 << 20)));
}

#[test]
fn the_list_needs_no_device() {
    let program = Program::new();
    let run = program.run("list --device 99").ok();
    assert!(run.text().contains("unknown whether it runs here"));
    assert!(run.stderr.contains("there is no device 99"));
    let json = program.run("list --json --device 99").ok().json();
    assert!(json["gl"].is_null());
    assert_eq!(json["algorithms"][0]["supported"], true, "the CPU is always there");
    assert!(json["algorithms"][1]["supported"].is_null());
    assert!(json["algorithms"][1]["reason"].as_str().unwrap().contains("no device 99"));
}

#[test]
fn info_shows_the_device_and_its_limits() {
    let program = Program::new();
    let run = program.run("info").ok();
    for part in ["device", "largest texture", "timer queries", "--device 0", "packed"] {
        assert!(run.text().contains(part), "{part}\n{}", run.text());
    }
    let json = program.run("info --json").ok().json();
    assert_eq!(json["schema"], "rasterscan.info/1");
    assert!(!json["devices"].as_array().unwrap().is_empty());
    // Horn has one item a texel, and never more than 2^30 of them.
    let side = json["device"]["max_texture_size"].as_u64().unwrap();
    let horn = &json["algorithms"][1];
    assert_eq!((&horn["name"], &horn["family"]), (&"horn".into(), &"scan".into()));
    assert_eq!(horn["longest"].as_u64(), Some((side * side).min(1 << 30)));
    // Each algorithm once, in its family.
    let named =
        |row: &Value| (row["family"].as_str().unwrap().to_owned(), row["name"].as_str().unwrap().to_owned());
    let listed: Vec<_> = json["algorithms"].as_array().unwrap().iter().map(named).collect();
    let cards = registry::all().map(|card| (card.problem.name.to_owned(), card.name.to_owned()));
    assert_eq!(listed, cards.collect::<Vec<_>>());
    // What compute shaders can do, where there are any.
    let limits = &json["device"]["compute_limits"];
    assert_eq!(limits.is_object(), json["device"]["compute"] == true);
    assert_eq!(run.text().contains("\nstorage bindings "), limits.is_object(), "{}", run.text());
    if limits.is_object() {
        // What OpenGL 4.3 promises, or ES 3.1.
        for (name, least) in [
            ("max_binding", 1 << 24),
            ("max_bindings", 4),
            ("max_shared_memory", 16384),
            ("max_invocations", 128),
        ] {
            assert!(limits[name].as_u64() >= Some(least), "{name}: {limits}");
        }
        let [subgroup, warp] = ["subgroup", "warp"].map(|name| limits[name].as_u64());
        assert!(subgroup != Some(0) && warp != Some(0), "{limits}");
        let lanes = limits["lanes"].as_str().unwrap();
        assert!(run.text().contains(&format!("lanes=auto means lanes={lanes}\n")), "{}", run.text());
        assert_eq!(run.text().contains("subgroups         none"), subgroup.is_none(), "{}", run.text());
    }
    let mut rest = run.text();
    for problem in problem::ALL.into_iter().rev() {
        let (before, text) = rest.split_once(&format!("\nruns {}s ", problem.noun)).unwrap();
        rest = before;
        let names: Vec<&str> = text.lines().filter_map(|line| line.split_whitespace().next()).collect();
        assert_eq!(names, registry::of(problem).map(|card| card.name).collect::<Vec<_>>());
    }
}

#[test]
fn quiet_and_verbose() {
    let program = Program::new();
    let run = program.run("scan random:n=100 -a horn").ok();
    assert!(run.stderr.contains("horn: 7 passes"), "{}", run.stderr);
    assert!(run.stderr.contains("clock), verified"), "{}", run.stderr);
    let unchecked = program.run("scan random:n=100 -a horn --no-verify").ok();
    assert!(unchecked.stderr.contains("clock), not verified"), "{}", unchecked.stderr);
    let quiet = program.run("scan random:n=100 -a horn -q").ok();
    assert_eq!(quiet.stderr, "");
    assert_eq!(quiet.text(), run.text());
    let verbose = program.run("scan random:n=100 -a horn -v").ok();
    assert!(verbose.stderr.contains("7 scan       scan/horn/step.frag"), "{}", verbose.stderr);
    assert_eq!(verbose.text(), run.text());
}

#[test]
fn verified_is_what_was_compared() {
    let program = Program::new();
    let run = |text: &str, more: &str| program.run_with(&format!("scan - {more}"), text).ok();
    // Of what is no number nothing can be demanded, nor of what follows it.
    let none = run("nan 1 2", "--json");
    assert_eq!(none.json()["unbounded"], 3);
    assert_eq!(none.json()["verified"], false);
    let says = "not verified: 3 of 3 cannot be checked (overflow or NaN)";
    assert!(none.stderr.contains(says), "{}", none.stderr);
    assert_eq!(run("nan 1 2", "--json -a all").json()["verified"], false);
    let some = run("1 nan 2 3", "--json");
    assert_eq!((&some.json()["verified"], &some.json()["unbounded"]), (&true.into(), &3.into()));
    let says = "verified, but 3 of 4 cannot be checked (overflow or NaN)";
    assert!(some.stderr.contains(says), "{}", some.stderr);
    assert_eq!(run("", "--json").json()["verified"], true, "nothing is right about nothing");
}

#[cfg(target_os = "linux")]
#[test]
fn colours_only_on_terminals_that_want_them() {
    let program = Program::new();
    // `script` lends a terminal, to stderr as well.
    let colours = |name: &str, value: &str| {
        let inner = format!("{} scan random:n=9 -a horn -v", env!("CARGO_BIN_EXE_rasterscan"));
        let mut command = std::process::Command::new("script");
        command.current_dir(program.folder.path()).args(["-qec", &inner, "/dev/null"]);
        command.env_remove("NO_COLOR").env("RASTERSCAN_CACHE", "off").env("TERM", "xterm").env(name, value);
        let output = command.output().ok().filter(|output| output.status.success())?;
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains("4 passes"), "{text}");
        Some(text.contains('\u{1b}'))
    };
    let Some(plain) = colours("UNRELATED", "1") else {
        println!("not applicable: there is no `script` that lends a terminal");
        return;
    };
    assert!(plain, "no colours on a terminal");
    assert_eq!(colours("NO_COLOR", "1"), Some(false));
    assert_eq!(colours("NO_COLOR", ""), Some(true), "an empty NO_COLOR is none");
    let forced =
        program.command("scan random:n=9 -v").env("CLICOLOR_FORCE", "1").env("NO_COLOR", "1").output();
    assert!(!String::from_utf8(forced.unwrap().stderr).unwrap().contains('\u{1b}'));
}

#[test]
fn completions_for_every_shell() {
    let program = Program::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let run = program.run(&format!("completions {shell}")).ok();
        assert!(run.text().contains("rasterscan") && run.text().contains("exclusive"), "{shell}");
        assert!(run.text().contains("compact") && run.text().contains("indices"), "{shell}");
    }
}

#[test]
fn the_manual_has_every_command_and_exit_code() {
    let program = Program::new();
    let run = program.run("man").ok();
    for part in [
        ".TH",
        ".SH SCAN",
        ".SH COMPACT",
        ".SH DEMO",
        "exclusive",
        "indices",
        "RASTERSCAN_DEVICE",
        "did not match",
    ] {
        assert!(run.text().contains(part), "{part}");
    }
}

#[test]
fn help_and_version_are_data() {
    let program = Program::new();
    let help = program.run("--help").ok();
    for part in [
        "demo",
        "info",
        "list",
        "scan",
        "compact",
        "reduce",
        "sort",
        "histogram",
        "results",
        "selftest",
        "completions",
        "man",
        "Exit codes",
    ] {
        assert!(help.text().contains(part), "{part}");
    }
    assert!(program.run("scan --help").ok().text().contains("little-endian"));
    let compact = program.run("compact --help").ok();
    for part in [
        "--keep <KEEP>",
        "--mask <MASK>",
        "--moves <MOVES>",
        "--indices[=<FILE>]",
        "little-endian",
        "keep=0.6",
        "'>=200'",
    ] {
        assert!(compact.text().contains(part), "{part}\n{}", compact.text());
    }
    let version = concat!("rasterscan ", env!("CARGO_PKG_VERSION"), "\n");
    assert_eq!(program.run("--version").ok().text(), version);
}
