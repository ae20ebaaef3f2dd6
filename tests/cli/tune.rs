//! `tune` and its file in the cache folder: written whole, used by every command, and ignored where it is not what it
//! should be. Which rows are the fastest is nowhere demanded.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::{Program, Ran, names};

/// So short that only the smallest scan is measured.
const SHORT: &str = "tune --seconds 0";

/// A number of rows that nobody takes by default.
const ROWS: u32 = 3;

/// What `scan` says of its plan.
fn plan(program: &Program, options: &str) -> Ran {
    program.run(&format!("scan random:n=1000 -a sam -v {options} --json")).ok()
}

fn info(program: &Program, options: &str) -> Value {
    program.run(&format!("info --json {options}")).ok().json()["tuning"].clone()
}

/// Whether the device can be tuned at all; said where not.
fn has_compute(program: &Program) -> bool {
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

/// A tuning for this device, as the program would write it, with [`ROWS`] throughout.
fn tuning(program: &Program) -> Value {
    let gl = program.run("info --json").ok().json()["gl"].clone();
    let range = |higher_order| json!({"up_to": null, "higher_order": higher_order, "rows": ROWS});
    json!({
        "schema": "rasterscan.tuning/1",
        "renderer": gl["renderer"],
        "driver": gl["version"],
        "program": env!("CARGO_PKG_VERSION"),
        "sam": [range(false), range(true)],
    })
}

fn keep(program: &Program, content: String) {
    std::fs::create_dir_all(program.path("cache")).unwrap();
    std::fs::write(file(program), content).unwrap();
}

#[test]
fn what_is_measured_is_kept_and_used() {
    let program = Program::new();
    if !has_compute(&program) {
        return;
    }
    let before = info(&program, "");
    assert_eq!(before["used"], false);
    assert!(before["reason"].as_str().unwrap().contains("rasterscan tune"), "{before}");
    assert!(program.names().is_empty(), "who only asks makes no folder");

    let tuned = program.run(SHORT).ok();
    let file = file(&program);
    assert!(tuned.stderr.contains(&format!("kept in {}", file.display())), "{}", tuned.stderr);
    let lines: Vec<&str> = tuned.text().lines().collect();
    assert!(lines[0].starts_with("32-bit words") && lines[1].starts_with("up to 131,072"), "{lines:?}");
    assert_eq!(names(&program.path("cache")), [file.file_name().unwrap().to_str().unwrap()]);
    assert_eq!(info(&program, ""), json!({"used": true, "file": file, "reason": null}));
    assert_eq!(info(&program, "--no-tuning")["used"], false);
    assert!(program.run("info").ok().text().contains("\ntuned             yes\n"));

    // It is the form that is tested below, and says what was measured.
    let mut kept: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    let like = tuning(&program);
    for field in ["schema", "renderer", "driver", "program"] {
        assert_eq!(kept[field], like[field]);
    }
    assert_eq!(kept["sam"][0]["up_to"], 1 << 17);
    let rows = kept["sam"][0]["rows"].as_u64().unwrap();
    assert!(plan(&program, "").stderr.contains(&format!(" ROWS={rows} ")));
    kept["sam"][0]["rows"] = ROWS.into();
    keep(&program, kept.to_string());
    let scanned = plan(&program, "");
    assert!(scanned.stderr.contains(&format!(" ROWS={ROWS} ")), "{}", scanned.stderr);
    assert_eq!(scanned.json()["verified"], true);
}

#[test]
fn a_tuning_decides_what_is_left_open_and_nothing_else() {
    let program = Program::new();
    if !has_compute(&program) {
        return;
    }
    keep(&program, tuning(&program).to_string());
    let tuned = format!(" ROWS={ROWS} ");
    assert!(plan(&program, "").stderr.contains(&tuned));
    assert!(plan(&program, "--order 3").stderr.contains(&tuned));
    assert!(!plan(&program, "--no-tuning").stderr.contains(&tuned));
    let chosen = program.run("scan random:n=1000 -a sam:rows=5 -v --json").ok();
    assert!(chosen.stderr.contains(" ROWS=5 "), "{}", chosen.stderr);
    let mut off = program.command("scan random:n=1000 -a sam -v --json");
    let off = Ran::of("off", off.env("RASTERSCAN_CACHE", "off").output().unwrap()).ok();
    assert!(!off.stderr.contains(&tuned), "{}", off.stderr);
}

#[test]
fn a_file_that_is_not_what_it_should_be_is_ignored_with_a_note() {
    let program = Program::new();
    if !has_compute(&program) {
        return;
    }
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
        (own[..own.len() / 2].to_owned(), "damaged"),
        (own.replace(&format!("\"rows\":{ROWS}"), "\"rows\":0"), "damaged"),
        (with("renderer", "another GPU"), "another device or version (another GPU,"),
        (with("schema", "rasterscan.tuning/2"), "newer version"),
    ] {
        std::fs::write(&file, content).unwrap();
        let scanned = plan(&program, "");
        for part in [says, "ignored", "`rasterscan tune`", "delete", file.to_str().unwrap()] {
            assert!(scanned.stderr.contains(part), "{says}: no '{part}' in\n{}", scanned.stderr);
        }
        assert!(!scanned.stderr.contains(&format!(" ROWS={ROWS} ")), "{}", scanned.stderr);
        assert_eq!(scanned.json()["verified"], true);
    }
    let state = info(&program, "");
    assert!(state["used"] == false && state["reason"].as_str().unwrap().contains("newer"), "{state}");
    assert!(!plan(&program, "--no-tuning").stderr.contains("ignored"));
    assert_eq!(program.run("scan random:n=9 -q").ok().stderr, "", "quiet is quiet");
    // The next tuning puts that right.
    assert!(!program.run(SHORT).ok().stderr.contains("ignored"));
    assert_eq!(info(&program, "")["used"], true);
}

#[test]
fn a_dry_run_keeps_nothing() {
    let program = Program::new();
    if !has_compute(&program) {
        return;
    }
    let json = program.run("tune --seconds 0 --dry-run --json").ok().json();
    assert!(program.names().is_empty());
    assert_eq!(json["schema"], "rasterscan.tune/1");
    assert!(json["gl"]["renderer"].is_string() && json["file"].is_null());
    let measured = json["sam"]["measured"].as_array().unwrap();
    assert_eq!(measured[0]["n"], 1 << 16);
    for row in measured {
        assert!((1..=64).contains(&row["rows"].as_u64().unwrap()), "{row}");
        let [ms, default] = [&row["time"]["ms"], &row["default_ms"]].map(|ms| ms.as_f64().unwrap());
        // The rule of choice, not a matter of the machine: another wins only if it is faster.
        assert!(if row["rows"] == row["default_rows"] { ms == default } else { ms < default }, "{row}");
        assert!(row["time"]["runs"].as_u64().unwrap() >= 7, "{row}");
    }
    let left_out = json["sam"]["left_out"].as_array().unwrap();
    assert_eq!(measured.len() + left_out.len(), 10);
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
    with("file", "tune").fails(1, &["cannot write file/tuning-", "RASTERSCAN_CACHE"]);
    with("file/deeper", "tune").fails(1, &["cannot write file/deeper/tuning-"]);
    with("off", "tune").fails(2, &["RASTERSCAN_CACHE is off", "--dry-run"]);
    for seconds in ["-1", "soon", "1e9", ""] {
        with("cache", &format!("tune --seconds={seconds}")).fails(2, &["seconds"]);
    }
    // Where it cannot be read there is none.
    with("file", "scan random:n=9").ok();
    assert_eq!(program.names(), ["file"]);
}

#[test]
fn without_compute_shaders_there_is_nothing_to_tune() {
    let program = Program::new();
    let run = |arguments: &str| {
        let mut command = program.command(arguments);
        command.env("RASTERSCAN_API", "gles").env("MESA_GLES_VERSION_OVERRIDE", "3.0");
        Ran::of(arguments, command.output().unwrap())
    };
    if run("info --json").ok().json()["device"]["compute"] == true {
        println!("not applicable: the driver offers no older OpenGL");
        return;
    }
    run("tune").fails(4, &["sam needs compute shaders (OpenGL 4.3 or OpenGL ES 3.1)"]);
    assert!(program.names().is_empty());
}

#[cfg(unix)]
#[test]
fn a_stopped_tuning_leaves_nothing_behind() {
    let program = Program::new();
    if !has_compute(&program) {
        return;
    }
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_rasterscan"))
        .current_dir(program.folder.path())
        .env("RASTERSCAN_CACHE", program.path("cache"))
        .args(["tune", "--seconds", "600", "-q"])
        .spawn()
        .unwrap();
    while program.names().is_empty() {
        assert!(child.try_wait().unwrap().is_none(), "it ended at once");
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    let kill = format!("kill -TERM {}", child.id());
    assert!(std::process::Command::new("sh").args(["-c", &kill]).status().unwrap().success());
    assert!(!child.wait().unwrap().success());
    assert!(names(&program.path("cache")).is_empty());
}
