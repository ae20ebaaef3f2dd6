//! `tune` and its file in the cache folder: written whole, used by every command, and ignored where it is not what it
//! should be. No test demands that a particular one is the fastest.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::{Program, Ran};

/// A run so short that it measures only the smallest block of the packed scan, which every device has.
const SHORT: &str = "tune --seconds 0 --only packed";

/// Texels in a block, rows of an invocation and an algorithm that are never the default.
const BLOCK: u32 = 2;
const ROWS: u32 = 3;
const AUTO: &str = "horn";

/// A scan with its document and the description of its plan.
fn scan(program: &Program, options: &str) -> Ran {
    program.run(&format!("scan random:n=3000 -v {options} --json")).ok()
}

/// The block that the packed scan takes.
fn block(program: &Program, options: &str) -> Value {
    let document = scan(program, &format!("-a packed {options}")).json();
    assert_eq!(document["verified"], true);
    document["parameters"]["block"].clone()
}

fn info(program: &Program, options: &str) -> Value {
    program.run(&format!("info --json {options}")).ok().json()["tuning"].clone()
}

/// Returns true if the device has compute shaders; prints "not applicable" if not.
pub fn has_compute(program: &Program) -> bool {
    let has = program.run("info --json").ok().json()["device"]["compute"] == true;
    if !has {
        println!("not applicable: the device has no compute shaders");
    }
    has
}

/// The file of the device that the tests run on.
fn file(program: &Program) -> PathBuf {
    info(program, "")["file"].as_str().expect("there is a cache folder").into()
}

fn range(of: [Option<&str>; 3], higher_order: bool, best: impl Into<Value>) -> Value {
    let [family, algorithm, parameter] = of;
    json!({
        "family": family, "algorithm": algorithm, "parameter": parameter,
        "higher_order": higher_order, "tuples": false, "from": 0, "up_to": null, "best": best.into(),
    })
}

/// A tuning for this device, as the program would write it.
fn tuning(program: &Program) -> Value {
    let gl = program.run("info --json").ok().json()["gl"].clone();
    let sam = [Some("scan"), Some("sam"), Some("vectors")];
    json!({
        "schema": "rasterscan.tuning/2",
        "renderer": gl["renderer"],
        "driver": gl["version"],
        "program": env!("CARGO_PKG_VERSION"),
        "ranges": [
            range([Some("scan"), None, None], false, AUTO),
            range([Some("compact"), None, None], false, Value::Null),
            range([None, None, None], false, 1024),
            range([Some("scan"), Some("packed"), Some("block")], false, BLOCK),
            range(sam, false, ROWS),
            range(sam, true, ROWS),
        ],
    })
}

fn keep(program: &Program, content: String) {
    std::fs::create_dir_all(program.path("cache")).unwrap();
    std::fs::write(file(program), content).unwrap();
}

#[test]
fn what_is_measured_is_kept_and_used() {
    let program = Program::new();
    let before = info(&program, "");
    assert_eq!(before["used"], false);
    assert!(before["reason"].as_str().unwrap().contains("rasterscan tune"), "{before}");
    assert!(program.names().is_empty(), "a run that only asks makes no folder");

    let tuned = program.run(SHORT).ok();
    let file = file(&program);
    assert!(tuned.stderr.contains(&format!("kept in {}", file.display())), "{}", tuned.stderr);
    let lines: Vec<&str> = tuned.text().lines().collect();
    assert!(
        lines[0].starts_with("what") && lines[1].starts_with("scan packed:block  2,048 to "),
        "{lines:?}"
    );
    assert_eq!(program.cached(), [file.file_name().unwrap().to_str().unwrap()]);
    assert_eq!(info(&program, ""), json!({"used": true, "file": file, "reason": null}));
    assert_eq!(info(&program, "--no-tuning")["used"], false);
    assert!(program.run("info").ok().text().contains("\ntuned             yes\n"));

    // It is the form that is tested below, and says what was measured.
    let mut kept: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    let like = tuning(&program);
    for field in ["schema", "renderer", "driver", "program"] {
        assert_eq!(kept[field], like[field]);
    }
    assert_eq!(kept["ranges"].as_array().unwrap().len(), 1);
    for field in ["family", "algorithm", "parameter", "higher_order", "tuples"] {
        assert_eq!(kept["ranges"][0][field], like["ranges"][3][field], "{field}");
    }
    assert_eq!(kept["ranges"][0]["from"], 2048);
    let best = kept["ranges"][0]["best"].clone();
    assert_eq!(block(&program, ""), if best.is_null() { 8.into() } else { best });
    kept["ranges"][0]["best"] = BLOCK.into();
    keep(&program, kept.to_string());
    assert_eq!(block(&program, ""), BLOCK);
}

/// Results of another run stay until they are measured again.
#[test]
fn a_tuning_is_added_to_what_is_kept() {
    let program = Program::new();
    keep(&program, tuning(&program).to_string());
    program.run(SHORT).ok();
    let kept: Value = serde_json::from_slice(&std::fs::read(file(&program)).unwrap()).unwrap();
    let of = |name: Value| {
        let ranges = kept["ranges"].as_array().unwrap();
        ranges.iter().filter(|range| range["algorithm"] == name).cloned().collect::<Vec<_>>()
    };
    assert_eq!((of("sam".into()).len(), of(Value::Null).len()), (2, 3));
    assert!(of("packed".into()).iter().all(|range| range["up_to"].is_u64()), "{kept}");
    assert_eq!(scan(&program, "").json()["algorithm"], AUTO);
}

#[test]
fn a_tuning_decides_what_is_left_open_and_nothing_else() {
    let program = Program::new();
    keep(&program, tuning(&program).to_string());
    // The fastest algorithm.
    let auto = scan(&program, "-a auto");
    assert_eq!((&auto.json()["algorithm"], &auto.json()["verified"]), (&json!(AUTO), &json!(true)));
    assert_ne!(scan(&program, "-a auto --no-tuning").json()["algorithm"], AUTO);
    assert_ne!(scan(&program, "-a auto --tuple 2").json()["algorithm"], AUTO, "of other scans");
    // A parameter.
    assert_eq!(block(&program, ""), BLOCK);
    assert_eq!(scan(&program, "-a packed:block=auto").json()["parameters"]["block"], BLOCK);
    assert_eq!(scan(&program, "-a packed:block=4").json()["parameters"]["block"], 4);
    assert_ne!(block(&program, "--no-tuning"), BLOCK);
    let mut off = program.command("scan random:n=3000 -a packed --json");
    let off = Ran::of("off", off.env("RASTERSCAN_CACHE", "off").output().unwrap()).ok();
    assert_ne!(off.json()["parameters"]["block"], BLOCK);
    // The width of textures.
    let wide = |options: &str| program.run(&format!("scan random:n=2^20 -a hybrid -v {options} --json")).ok();
    assert!(wide("").stderr.contains("in 1024 x 1024 texels"), "{}", wide("").stderr);
    assert!(wide("--no-tuning").stderr.contains("in 256 x 4096 texels"));
    assert_eq!(wide("").json()["verified"], true);
    // How much an invocation takes, which a plan's name leaves out.
    if has_compute(&program) {
        let tuned = format!(" ROWS={ROWS} ");
        assert!(scan(&program, "-a sam").stderr.contains(&tuned));
        assert!(scan(&program, "-a sam --order 3").stderr.contains(&tuned));
        assert!(scan(&program, "-a sam:vectors=auto").stderr.contains(&tuned));
        assert!(!scan(&program, "-a sam --no-tuning").stderr.contains(&tuned));
        assert!(scan(&program, "-a sam:vectors=5").stderr.contains(" ROWS=5 "));
    }
}

#[test]
fn a_file_that_is_not_what_it_should_be_is_ignored_with_a_note() {
    let program = Program::new();
    let tuning = tuning(&program);
    keep(&program, tuning.to_string());
    let file = file(&program);
    let with = |field: &str, value: &str| {
        let mut changed = tuning.clone();
        changed[field] = value.into();
        changed.to_string()
    };
    let own = tuning.to_string();
    for (content, says) in [
        (String::new(), "damaged"),
        (own[..own.len() / 2].to_owned(), "damaged"),
        (own.replace(&format!("\"best\":{BLOCK}"), "\"best\":0"), "damaged (scan packed:block cannot be 0)"),
        (
            own.replace(&format!("\"best\":\"{AUTO}\""), "\"best\":\"sort\""),
            "damaged (scan auto cannot be sort)",
        ),
        (with("renderer", "another GPU"), "another device or version (another GPU,"),
        // What a terminal would act on is escaped.
        (with("driver", "a\0b\u{202e}c\u{1b}[2J"), "a\\u{0}b\\u{202e}c\\u{1b}[2J"),
        (with("schema", "rasterscan.tuning/1"), "older version"),
        (with("schema", "rasterscan.tuning/3"), "newer version"),
    ] {
        std::fs::write(&file, content).unwrap();
        let scanned = scan(&program, "-a packed");
        for part in [says, "ignored", "`rasterscan tune`", "delete", file.to_str().unwrap()] {
            assert!(scanned.stderr.contains(part), "{says}: no '{part}' in\n{}", scanned.stderr);
        }
        assert_ne!(scanned.json()["parameters"]["block"], BLOCK);
        assert_eq!(scanned.json()["verified"], true);
    }
    let state = info(&program, "");
    assert!(state["used"] == false && state["reason"].as_str().unwrap().contains("newer"), "{state}");
    assert!(!scan(&program, "--no-tuning").stderr.contains("ignored"));
    assert_eq!(program.run("scan random:n=9 -q").ok().stderr, "", "quiet is quiet");
    // The next tuning puts that right.
    assert!(!program.run(SHORT).ok().stderr.contains("ignored"));
    assert_eq!(info(&program, "")["used"], true);
}

#[test]
fn a_dry_run_keeps_nothing() {
    let program = Program::new();
    let json = program.run("tune --seconds 0 --dry-run --json").ok().json();
    assert!(program.names().is_empty());
    assert_eq!(json["schema"], "rasterscan.tune/2");
    assert!(json["gl"]["renderer"].is_string() && json["file"].is_null());
    let measured = json["measured"].as_array().unwrap();
    let first = &measured[0];
    for (field, value) in
        [("family", json!("scan")), ("algorithm", Value::Null), ("from", 2048.into()), ("order", 1.into())]
    {
        assert_eq!(first[field], value, "{field}");
    }
    for row in measured {
        let [ms, default] = [&row["time"]["ms"], &row["default_ms"]].map(|ms| ms.as_f64().unwrap());
        // The rule of choice, not a matter of the machine: another wins only if it is faster.
        assert!(if row["best"] == row["default"] { ms == default } else { ms < default }, "{row}");
        assert!(row["time"]["runs"].as_u64().unwrap() >= 7, "{row}");
    }
    let left_out = json["left_out"].as_array().unwrap();
    assert!(measured.len() + left_out.len() > 20, "every question is answered or left out");
    assert!(left_out.iter().all(|left_out| left_out["reason"] == "no time was left"));
}

#[test]
fn only_what_is_asked_for_is_measured() {
    let program = Program::new();
    let run = |only: &str| program.run(&format!("tune --seconds 0 --dry-run --json --only {only}"));
    let json = run("packed,columns").ok().json();
    for row in ["measured", "left_out"].iter().flat_map(|list| json[list].as_array().unwrap()) {
        assert!(row["algorithm"] == "packed" || row["family"].is_null(), "{row}");
    }
    run("horn").fails(2, &["horn", "packed"]);
    run("").fails(2, &["--only"]);
}

#[test]
fn what_cannot_be_kept_is_not_measured() {
    let program = Program::new();
    let with = |cache: &str, arguments: &str| {
        let mut command = program.command(arguments);
        Ran::of(arguments, command.env("RASTERSCAN_CACHE", cache).output().unwrap())
    };
    program.file("file", "");
    // As the superuser too.
    with("file", "tune").fails(1, &["cannot write file/tuning-", "RASTERSCAN_CACHE can name another folder"]);
    with("file/deeper", "tune").fails(1, &["cannot write file/deeper/tuning-", "RASTERSCAN_CACHE"]);
    with("off", "tune").fails(2, &["RASTERSCAN_CACHE is off", "--dry-run"]);
    for seconds in ["-1", "soon", "1e9", ""] {
        with("cache", &format!("tune --seconds={seconds}")).fails(2, &["seconds"]);
    }
    // Where it cannot be read there is none.
    with("file", "scan random:n=9").ok();
    assert_eq!(program.names(), ["file"]);
}

#[test]
fn without_compute_shaders_the_rest_is_tuned() {
    let program = Program::new();
    let Some(run) = program.without("compute") else { return };
    run("tune --only sam").fails(4, &["sam needs compute shaders (OpenGL 4.3 or OpenGL ES 3.1)"]);
    let json = run("tune --seconds 0 --dry-run --json").ok().json();
    assert_eq!(json["measured"].as_array().unwrap().len(), 1);
    for row in json["left_out"].as_array().unwrap() {
        assert_ne!(row["parameter"], "vectors");
    }
}

/// Two runs at a time, each with an answer of its own: neither is lost.
#[test]
fn two_tunings_at_the_same_time_keep_the_answers_of_both() {
    let program = Program::new();
    let start = |only: &str| {
        std::process::Command::new(env!("CARGO_BIN_EXE_rasterscan"))
            .current_dir(program.folder.path())
            .env("RASTERSCAN_CACHE", program.path("cache"))
            .env("RASTERSCAN_PROBE", "off")
            .args(["tune", "--seconds", "0", "-q", "--only", only])
            .spawn()
            .unwrap()
    };
    // Both have read the cache before either keeps anything, since keeping waits for this lock.
    std::fs::create_dir(program.path("cache")).unwrap();
    #[cfg(unix)]
    let held = {
        let folder = std::fs::File::open(program.path("cache")).unwrap();
        folder.lock().unwrap();
        folder
    };
    let mut children = ["packed", "columns"].map(start);
    #[cfg(unix)]
    {
        // Long enough for both to reach the lock; if not, they still keep their answers one after the other.
        std::thread::sleep(std::time::Duration::from_secs(2));
        assert!(program.cached().is_empty(), "nothing is written while another process writes");
        drop(held);
    }
    for child in &mut children {
        assert!(child.wait().unwrap().success());
    }
    let files = program.cached();
    assert_eq!(files.len(), 1, "{files:?}");
    let kept: Value =
        serde_json::from_slice(&std::fs::read(program.path("cache").join(&files[0])).unwrap()).unwrap();
    let algorithms: Vec<&Value> =
        kept["ranges"].as_array().unwrap().iter().map(|range| &range["algorithm"]).collect();
    assert_eq!(algorithms.len(), 2, "{kept}");
    assert!(algorithms.contains(&&json!("packed")) && algorithms.contains(&&Value::Null), "{kept}");
}

/// Waits until there is something of this name, and ends the program by a signal. Gives what is in the cache.
#[cfg(unix)]
fn stopped(program: &Program, signal: &str, there: impl Fn(&[String]) -> bool) -> Vec<String> {
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_rasterscan"))
        .current_dir(program.folder.path())
        .env("RASTERSCAN_CACHE", program.path("cache"))
        .env("RASTERSCAN_PROBE", "off")
        .args(["tune", "--seconds", "600", "-q"])
        .spawn()
        .unwrap();
    while !there(&program.cached()) {
        assert!(child.try_wait().unwrap().is_none(), "it ended at once");
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    // Tests that run in the background have interrupts ignored, and so has the program then.
    let signal = if super::ignores_interrupts() { "TERM" } else { signal };
    let kill = format!("kill -{signal} {}", child.id());
    assert!(std::process::Command::new("sh").args(["-c", &kill]).status().unwrap().success());
    assert!(!child.wait().unwrap().success());
    program.cached()
}

/// At any moment of an interrupt, a file is there as a whole or not at all.
#[cfg(unix)]
#[test]
fn a_stopped_tuning_leaves_nothing_unfinished_behind() {
    let program = Program::new();
    let left = stopped(&program, "TERM", |_| true);
    assert!(left.len() <= 1 && left.iter().all(|name| name.ends_with(".json")), "{left:?}");
}

#[cfg(unix)]
#[test]
fn a_stopped_tuning_keeps_what_it_has_measured() {
    let program = Program::new();
    let kept = |names: &[String]| names.iter().any(|name| name.ends_with(".json"));
    let left = stopped(&program, "INT", kept);
    assert!(kept(&left), "{left:?}");
    assert_eq!(info(&program, "")["used"], true);
}
