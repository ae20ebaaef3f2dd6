//! `grade`: what one student's shader does to the driver changes no other grade.

use std::time::{Duration, Instant};

use rasterscan_lesson::answers::Answers;
use rasterscan_lesson::file::{GALLERY, Lesson, PUZZLES};
use serde_json::Value;

use super::{Program, Ran};

/// The shader of the puzzle `horn`, solved.
const RIGHT: &str = include_str!("../../../../glsl/scan/horn/step.frag");

/// Saves the answers of a student who solves two puzzles with the same shader, the first with more statements in it.
fn save(program: &Program, name: &str, statements: &str) {
    let end = "    write_item(item);\n}";
    assert!(RIGHT.ends_with(&format!("{end}\n")));
    let mut answers = Answers::of(&PUZZLES);
    answers.solve("copy", RIGHT.replace(end, &format!("{statements}\n{end}")));
    answers.solve("horn", RIGHT);
    program.file(name, answers.to_json());
}

/// The marks of the puzzles `copy` and `horn`, and the note of the first.
fn marks(file: &Value) -> [&str; 3] {
    let of = |number: usize, field: &str| file["grades"][number][field].as_str().unwrap();
    assert_eq!((of(0, "task"), of(1, "task")), ("puzzle copy", "puzzle horn"));
    [of(0, "mark"), of(1, "mark"), of(0, "note")]
}

#[test]
fn every_student_gets_a_table() {
    let program = Program::new();
    save(&program, "ada.json", "");
    save(&program, "grace.json", "item = identity();");
    let tables = program.run("grade puzzles ada.json grace.json").ok();
    let text = String::from_utf8(tables.stdout.clone()).unwrap();
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    assert_eq!(
        (lines[0], lines[15], lines[16]),
        ("ada.json: 2 of 16 points", "", "grace.json: 1 of 16 points")
    );
    let document = program.run("grade puzzles grace.json ada.json --json").ok().json();
    assert_eq!(document["schema"], "rasterscan.grade/1");
    assert_eq!(marks(&document["files"][0])[..2], ["wrong", "right"]);
    assert_eq!(marks(&document["files"][1])[..2], ["right", "right"]);
    // The built-in puzzles are another lesson than the tour; nothing is printed before all files are read.
    let other = program.run("grade tour ada.json");
    assert!(other.stdout.is_empty());
    other.fails(1, &["ada.json: these are answers to", "not to"]);
}

/// Files of any kind in a folder: each gets its row, in the table, the spreadsheet and the page.
#[test]
fn a_folder_is_graded_whatever_is_in_it() {
    let program = Program::new();
    std::fs::create_dir_all(program.path("class/Lovelace, A. (7)")).unwrap();
    let mut ada = Answers::of(&PUZZLES);
    ada.name = "=Ada <Lovelace>".into();
    ada.solve("horn", RIGHT);
    program.file("class/Lovelace, A. (7)/answers.JSON", ada.to_json());
    program.file("class/broken.json", "{\"form\": \"rasterscan answers 1\", \"lesson\": [");
    program
        .file("class/empty.json", "")
        .file("class/picture.json", [0xFF_u8, 0xD8, 0xFF])
        .file("class/notes.txt", "x");
    let mut other = Answers::of(&rasterscan_lesson::tour::TOUR);
    other.lesson = "x".repeat(100_000);
    program.file("class/other.json", other.to_json());
    let ran = program.run("grade puzzles class --csv grades.csv --html grades.html").ok();
    let text = String::from_utf8(ran.stdout).unwrap();
    assert!(text.len() < 5000, "{} bytes", text.len());
    for line in [
        "=Ada <Lovelace> (class/Lovelace, A. (7)/answers.JSON): 1 of 16 points",
        "class/broken.json: 0 of 16 points: not answers: ",
        "class/empty.json: 0 of 16 points: not answers: ",
        "class/picture.json: 0 of 16 points: class/picture.json: expected UTF-8 text",
        "class/other.json: 0 of 16 points: these are answers to \"xxxx",
    ] {
        assert!(text.lines().any(|known| known.starts_with(line)), "{line}: {text}");
    }
    assert!(!text.contains("notes.txt"));
    let csv = String::from_utf8(program.read("grades.csv")).unwrap();
    let lines: Vec<&str> = csv.lines().collect();
    assert!(lines[0].starts_with("name,file,points,of,error,\"puzzle copy\",\"puzzle horn\""), "{csv}");
    assert!(lines[1].starts_with("\"'=Ada <Lovelace>\",") && lines[1].contains(",1,16,,0,1,"), "{csv}");
    assert_eq!(lines.len(), 6);
    let page = String::from_utf8(program.read("grades.html")).unwrap();
    assert!(page.contains("=Ada &lt;Lovelace&gt;") && !page.contains("<Lovelace>"), "{page}");
    assert!(page.contains("5 files, 1 graded, 1.0 points on average") && page.contains("<td>1 of 1</td>"));
    // No answers at all are an error.
    program
        .run("grade puzzles class/broken.json class/empty.json")
        .fails(1, &["class/broken.json: not answers"]);
    std::fs::create_dir(program.path("none")).unwrap();
    program.run("grade puzzles none").fails(1, &["none: no .json file"]);
}

/// Stops that show pieces of the gallery, whose answers are facts.
#[test]
fn a_lesson_of_the_gallery_is_checked_printed_and_graded() {
    let program = Program::new();
    let whole = Lesson::parse(GALLERY).unwrap();
    let stops: String =
        GALLERY.split("[[stop]]").skip(5).take(2).map(|stop| format!("[[stop]]{stop}")).collect();
    let text = format!("title = 'Two'\n{stops}");
    let lesson = Lesson::parse(&text).unwrap();
    assert_eq!(lesson.stops[..], whole.stops[4..6]);
    program.file("two.toml", &text);
    program.file("wrong.toml", text.replace("answer = \"systems\"", "answer = \"system\""));
    assert_eq!(
        program.run("lesson check two.toml").ok().stdout,
        b"two.toml: 2 stops and 0 puzzles, all right\n"
    );
    let says = "stop 2 (\"Chains of equations\"): question: answer: 'system' is no fact of the piece; it has: systems";
    program.run("lesson check wrong.toml").fails(1, &[says]);
    program.run("lesson print two.toml --key -o two.html").ok();
    let page = String::from_utf8(program.read("two.html")).unwrap();
    assert!(page.matches("<img alt=").count() == 2 && page.contains("src=\"data:image/png;base64,iVBOR"));
    assert!(page.contains("are all 400 keys in their places?") && page.contains("2. <b>2340</b>"));
    let mut answers = Answers::of(&lesson);
    answers.answer(1, 0, "20");
    answers.answer(2, 0, "780");
    program.file("ada.json", answers.to_json());
    let document = program.run("grade two.toml ada.json --json").ok().json();
    let grades = &document["files"][0]["grades"];
    assert_eq!((&grades[0]["mark"], &grades[1]["mark"]), (&"right".into(), &"wrong".into()), "{grades}");
    assert!(grades[1]["note"].as_str().unwrap().contains("There are three."), "{grades}");
}

/// The faults that the runs of a lesson show are named before anything is graded or shown.
#[test]
fn lessons_are_checked_and_printed() {
    let program = Program::new();
    let scans = include_str!("../../../lesson/lessons/scans.toml");
    program.file("scans.toml", scans);
    program.file("wrong.toml", scans.replace("position = 1", "position = 99").replace("{length}", "{addz}"));
    let right = program.run("lesson check scans.toml").ok();
    assert_eq!(right.stdout, b"scans.toml: 2 stops and 2 puzzles, all right\n");
    let says = [
        "stop 1 (\"One step\"): text, paragraph 1: 'addz' is no reference",
        "stop 2 (\"How much is read\"): position = 99: the run has 6 passes",
    ];
    program.run("lesson check wrong.toml").fails(1, &says);
    program.file("ada.json", Answers::of(&PUZZLES).to_json());
    program.run("grade wrong.toml ada.json").fails(1, &says);
    program.run("lesson print scans.toml -o handout.html").ok();
    let page = String::from_utf8(program.read("handout.html")).unwrap();
    assert_eq!((page.matches("<svg").count(), page.matches("Answer:").count()), (3, 2));
    assert!(page.contains("Horn&#39;s scan of 16 numbers.") || page.contains("Horn's scan of 16 numbers."));
    assert!(page.contains("What will position 9 hold?") && !page.contains("<h2>Key</h2>"));
    let key = program.run("lesson print scans.toml --key --seed 5").ok();
    let key = String::from_utf8(key.stdout).unwrap();
    assert!(key.contains("<h2>Key</h2>") && key.contains("<dt>2. <b>"));
    // Every stop of the tour has its picture.
    let tour = String::from_utf8(program.run("lesson print tour --key").ok().stdout).unwrap();
    assert!(tour.matches("<figure>").count() >= 15 && tour.matches("<dt>").count() == 14, "{}", tour.len());
}

/// Each command of the sample assignment, as it stands in its text; but measuring takes no time here, and the app draws a
/// picture in place of a window.
#[test]
fn the_sample_assignment_runs() {
    let program = Program::new();
    let file = "crates/lesson/lessons/assignment.toml";
    let text = include_str!("../../../lesson/lessons/assignment.toml");
    std::fs::create_dir_all(program.path("crates/lesson/lessons")).unwrap();
    std::fs::create_dir(program.path("answers")).unwrap();
    program.file(file, text);
    let lesson = Lesson::checked(text).unwrap();
    let mut ada = Answers::of(&lesson);
    ada.name = "Ada".into();
    for (number, stop) in (1..).zip(&lesson.stops) {
        let recording = rasterscan_kernels::record_job(&stop.job(3)).unwrap();
        if let Some(question) = stop.question(&recording) {
            ada.answer(number, 3, question.answer.to_string());
        }
    }
    for (puzzle, text) in [
        ("horn", RIGHT),
        ("reduce", include_str!("../../../../glsl/scan/hybrid/reduce.frag")),
        ("down_sweep", include_str!("../../../../glsl/scan/hybrid/down_sweep.frag")),
        ("search", include_str!("../../../../glsl/compact/common/search.frag")),
    ] {
        ada.solve(puzzle, text);
    }
    program.file("answers/ada.json", ada.to_json());
    let document = include_str!("../../../../docs/assignment.md");
    let commands: Vec<&str> = document.lines().filter_map(|line| line.strip_prefix("rasterscan ")).collect();
    assert_eq!(commands.len(), 7, "{commands:?}");
    for command in commands {
        let command = command.replace("--seconds 20", "--seconds 0");
        let picture = if command.starts_with("app ") { " --size 640x400 --screenshot app.png" } else { "" };
        program.run(&format!("{command}{picture}")).ok();
    }
    for made in ["trace.json", "scans.csv", "scans.svg", "compactions.csv", "handout.html", "grades.html"] {
        assert!(!program.read(made).is_empty(), "{made}");
    }
    let grades = String::from_utf8(program.read("grades.csv")).unwrap();
    assert!(grades.contains("\"Ada\",\"answers/ada.json\",13,13,,"), "{grades}");
}

/// The largest texts that the guard lets pass, of each kind that compilers take long for.
#[test]
fn what_passes_the_guard_is_graded_in_time() {
    let program = Program::new();
    let times = |count: usize, text: &str| text.repeat(count);
    let cases: String = (0..256).map(|case| format!("case {case}: i = {case} ^ right.y; break; ")).collect();
    let all = [
        ("loops", format!("{} item = combine(item, item);", times(10, "for (int i = 0; i < 2; i++) "))),
        (
            "array",
            "int z[512]; for (int i = 0; i < 512; i++) { z[i] = i; } if (z[right.x] == 7) item = identity();"
                .into(),
        ),
        ("vector", format!("ivec4 v = ivec4(right, right); {}", times(300, "v[v.x & 3] += 1; "))),
        ("switch", format!("int i = 0; switch (right.x) {{ {cases} }} if (i == 7777) item = identity();")),
    ];
    for (name, statements) in &all {
        save(&program, name, statements);
    }
    let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
    let document =
        program.run(&format!("grade puzzles {} --json --seconds 120", names.join(" "))).ok().json();
    for (name, file) in names.iter().zip(document["files"].as_array().unwrap()) {
        let [mark, other, note] = marks(file);
        assert!(["right", "wrong"].contains(&mark) && !note.contains("at most"), "{name}: {mark}: {note}");
        assert_eq!(other, "right");
    }
}

/// A driver that waits for ever, crashes or takes all memory where a shader has a certain name in it, and is else the
/// system's.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn trap(program: &Program) {
    let real = std::process::Command::new("cc").arg("-print-file-name=libEGL.so.1").output().unwrap().stdout;
    let real = std::fs::canonicalize(String::from_utf8(real).unwrap().trim()).expect("the system's libEGL");
    std::fs::create_dir(program.path("trap")).unwrap();
    program.file("trap/none.c", "").file(
        "trap/egl.c",
        r#"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void (*real)(unsigned, int, const char *const *, const int *);

static void source(unsigned shader, int count, const char *const *texts, const int *lengths) {
    for (int i = 0; i < count; i++) {
        size_t length = lengths ? (size_t)lengths[i] : strlen(texts[i]);
        if (memmem(texts[i], length, "wait_for_ever", 13)) {
            close(open("waiting", O_CREAT | O_WRONLY, 0666));
            for (;;) pause();
        }
        if (memmem(texts[i], length, "crash_here", 10)) __builtin_trap();
        if (memmem(texts[i], length, "take_all_memory", 15)) {
            for (long taken = 0; taken < 64; taken++) memset(malloc(1 << 28), 1, 1 << 28);
            for (;;) pause();
        }
    }
    real(shader, count, texts, lengths);
}

void *eglGetProcAddress(const char *name) {
    void *(*of)(const char *) = (void *(*)(const char *))dlsym(RTLD_NEXT, "eglGetProcAddress");
    if (strcmp(name, "glShaderSource")) return of(name);
    *(void **)&real = of(name);
    return source;
}
"#,
    );
    let folder = program.path("trap");
    let cc = |arguments: &str| {
        let mut command = std::process::Command::new("cc");
        command.current_dir(&folder).args(["-shared", "-fPIC"]).args(arguments.split_whitespace());
        assert!(command.status().unwrap().success(), "the C compiler failed");
    };
    cc("-Wl,-soname,libreal.so -o libreal.so none.c");
    cc("-Wl,--no-as-needed -o libEGL.so.1 egl.c libreal.so -ldl");
    std::fs::remove_file(folder.join("libreal.so")).unwrap();
    std::os::unix::fs::symlink(real, folder.join("libreal.so")).unwrap();
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[test]
fn what_ends_the_driver_ends_one_grade() {
    let program = Program::new();
    trap(&program);
    for (name, trap) in [
        ("waits", "wait_for_ever"),
        ("crashes", "crash_here"),
        ("takes", "take_all_memory"),
        ("right", "harmless"),
    ] {
        save(&program, name, &format!("int {trap} = 0;"));
    }
    let arguments = "grade puzzles waits crashes takes right --json --seconds 30 --memory 2000";
    let mut command = program.command(arguments);
    let output = command.env("LD_LIBRARY_PATH", program.path("trap")).output().unwrap();
    let document = Ran::of(arguments, output).ok().json();
    let files: Vec<[&str; 3]> = document["files"].as_array().unwrap().iter().map(marks).collect();
    let found: Vec<&[&str]> = files.iter().map(|marks| &marks[..2]).collect();
    assert_eq!(
        found,
        [["too_long", "right"], ["crashed", "right"], ["crashed", "right"], ["right", "right"]]
    );
    assert_eq!(files[0][2], "Checking it took more than 30 s.");
    assert!(files[2][2].contains("or it took more than 2000 MB of memory"), "{}", files[2][2]);
}

/// The tables of those before come at once, and the process that waits ends with the program.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[test]
fn tables_come_as_they_are_complete_and_no_process_is_left() {
    use std::io::{BufRead, BufReader};
    let program = Program::new();
    trap(&program);
    save(&program, "right", "");
    save(&program, "waits", "int wait_for_ever = 0;");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_rasterscan"));
    command.current_dir(program.folder.path()).args([
        "grade",
        "puzzles",
        "right",
        "waits",
        "--seconds",
        "600",
        "-q",
    ]);
    command.env("LD_LIBRARY_PATH", program.path("trap")).env("RASTERSCAN_CACHE", "off");
    let mut grading = command.stdout(std::process::Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(grading.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line, "right: 2 of 16 points\n");
    let children = || {
        let own = std::fs::canonicalize(program.folder.path()).unwrap();
        let processes = std::fs::read_dir("/proc").unwrap().flatten();
        processes
            .filter(|process| std::fs::read_link(process.path().join("cwd")).is_ok_and(|cwd| cwd == own))
            .count()
    };
    let begun = Instant::now();
    let wait_while = |is_so: &dyn Fn() -> bool| {
        while is_so() {
            assert!(begun.elapsed() < Duration::from_secs(60), "{} processes", children());
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    wait_while(&|| !program.path("waiting").exists());
    assert_eq!(children(), 2);
    // SIGKILL leaves no time to say anything.
    grading.kill().unwrap();
    grading.wait().unwrap();
    wait_while(&|| children() > 0);
}

/// The program's file is gone by the time that it starts itself.
#[cfg(target_os = "linux")]
#[test]
fn where_no_process_can_be_started_it_says_so() {
    let program = Program::new();
    save(&program, "ada.json", "");
    std::fs::copy(env!("CARGO_BIN_EXE_rasterscan"), program.path("copy")).unwrap();
    let fifo = program.path("lesson.toml");
    assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let mut command = std::process::Command::new(program.path("copy"));
    command.current_dir(program.folder.path()).args(["grade", "lesson.toml", "ada.json"]);
    command
        .env("RASTERSCAN_CACHE", "off")
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped());
    let grading = command.spawn().unwrap();
    // It opens once the other side does.
    let mut lesson = std::fs::File::options().write(true).open(&fifo).unwrap();
    std::fs::remove_file(program.path("copy")).unwrap();
    let text = include_str!("../../../lesson/lessons/puzzles.toml");
    std::io::Write::write_all(&mut lesson, text.as_bytes()).unwrap();
    drop(lesson);
    let ran = Ran::of("grade lesson.toml ada.json", grading.wait_with_output().unwrap()).ok();
    assert!(ran.stderr.contains("without limits on time and memory"), "{}", ran.stderr);
    assert!(ran.stdout.starts_with(b"ada.json: 2 of 16 points\n"));
}
