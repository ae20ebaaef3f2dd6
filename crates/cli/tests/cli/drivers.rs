//! Drivers that fail in their first calls, one that is too old, and the real one with other functions in between: each gives a
//! message and an exit code, and never a crash or a hang.

use std::process::Command;

use super::{Program, Ran};

/// A libEGL whose first functions do this.
fn fake_driver(program: &Program, does: &str) {
    let source = format!(
        "#include <unistd.h>\n\
         void *eglGetProcAddress(const char *name) {{ (void)name; return 0; }}\n\
         const char *eglQueryString(void *display, int name) {{ (void)display; (void)name; {does} return 0; }}\n"
    );
    build_driver(program, &source);
}

fn build_driver(program: &Program, source: &str) {
    std::fs::create_dir(program.path("fake")).unwrap();
    program.file("fake/egl.c", source);
    // A linker is there wherever Rust is.
    let built = Command::new("cc")
        .args(["-shared", "-fPIC", "-o", "libEGL.so.1", "egl.c"])
        .current_dir(program.path("fake"))
        .status()
        .expect("a C compiler");
    assert!(built.success());
}

/// The real libEGL behind one that has no list of devices, and whose contexts need a surface; with `FAKE_EDIT`, it changes the
/// text that is named there, up to a `|`, to what follows in every shader that has it.
#[cfg(target_os = "linux")]
const PROXY: &str = r#"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
typedef void *(*Find)(const char *);
typedef unsigned (*MakeCurrent)(void *, void *, void *, void *);
static void *real(const char *name) {
    static void *library;
    if (!library) library = dlopen(getenv("FAKE_REAL"), RTLD_NOW | RTLD_LOCAL);
    return library ? dlsym(library, name) : 0;
}
static const char *without(const char *text, const char *word) {
    char *copy = text ? strdup(text) : 0;
    for (char *at = copy; at && (at = strstr(at, word)); at++) *at = 'x';
    return copy;
}
const char *eglQueryString(void *display, int name) {
    const char *text = ((const char *(*)(void *, int))real("eglQueryString"))(display, name);
    if (getenv("FAKE_DEVICES")) return text;
    return without(without(text, "EGL_EXT_device"), "EGL_KHR_surfaceless_context");
}
unsigned eglMakeCurrent(void *display, void *draw, void *read, void *context) {
    if (context && !draw && !getenv("FAKE_DEVICES")) return 0;
    return ((MakeCurrent)real("eglMakeCurrent"))(display, draw, read, context);
}
static void (*source)(unsigned, int, const char *const *, const int *);
static void edited(unsigned shader, int count, const char *const *texts, const int *lengths) {
    const char *edit = getenv("FAKE_EDIT"), *bar = edit ? strchr(edit, '|') : 0;
    char *text = strndup(texts[0], lengths ? (size_t)lengths[0] : strlen(texts[0]));
    char *word = bar ? strndup(edit, bar - edit) : 0, *at = word ? strstr(text, word) : 0;
    if (at) memcpy(at, bar + 1, strlen(bar + 1));
    const char *only = text;
    source(shader, 1, &only, 0);
}
void *eglGetProcAddress(const char *name) {
    void *found = ((Find)real("eglGetProcAddress"))(name);
    if (!strcmp(name, "eglQueryString")) return eglQueryString;
    if (!strcmp(name, "eglMakeCurrent")) return eglMakeCurrent;
    if (!strcmp(name, "glShaderSource") && getenv("FAKE_EDIT")) { source = found; return edited; }
    return found;
}
"#;

/// Builds a libEGL in front of the real one; `None` where that is not found.
#[cfg(target_os = "linux")]
pub fn proxy(program: &Program, source: &str) -> Option<String> {
    let folders = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"];
    let real = folders.map(|folder| format!("{folder}/libEGL.so.1"));
    let real = real.into_iter().find(|path| std::path::Path::new(path).exists())?;
    build_driver(program, source);
    Some(real)
}

#[cfg(target_os = "linux")]
pub fn with_proxy(program: &Program, real: &str, arguments: &str, more: &[(&str, &str)]) -> Ran {
    let mut command = program.command(arguments);
    command.env("LD_LIBRARY_PATH", program.path("fake")).env("FAKE_REAL", real);
    // Without a window system, Mesa's default display needs this.
    command.env("EGL_PLATFORM", "surfaceless").envs(more.iter().copied());
    command.timeout(std::time::Duration::from_secs(120));
    Ran::of(arguments, command.output().unwrap())
}

/// ANGLE is such a driver.
#[cfg(target_os = "linux")]
#[test]
fn a_driver_that_lists_no_devices() {
    let program = Program::new();
    let Some(real) = proxy(&program, PROXY) else {
        println!("not applicable: libEGL.so.1 is elsewhere");
        return;
    };
    let run = |arguments: &str| with_proxy(&program, &real, arguments, &[]);
    for options in ["", "--api gles", "--device auto", "--device 0"] {
        let ran = run(&format!("scan values:3,1,7 -a packed {options}")).ok();
        assert_eq!(ran.values(), "3 4 11", "{options}");
    }
    let info = run("info --json").ok().json();
    assert_eq!(info["devices"].as_array().map(Vec::len), Some(1), "{info}");
    run("info --device 1").fails(4, &["there is no device 1", "EGL lists no devices"]);
    // The kind is known by its name.
    let software = info["gl"]["renderer"].as_str().unwrap().contains("llvmpipe");
    let [right, wrong] = if software { ["software", "hardware"] } else { ["hardware", "software"] };
    run(&format!("info --device {right}")).ok();
    run(&format!("info --device {wrong}")).fails(4, &["this system's OpenGL draws in", "use auto"]);
}

/// A driver is there, so that none need be installed.
#[cfg(target_os = "linux")]
#[test]
fn a_driver_without_the_api() {
    let program = Program::new();
    let mut command = program.command("scan values:1,2");
    command.env("RASTERSCAN_DEVICE", "auto").env("MESA_GL_VERSION_OVERRIDE", "2.1");
    let ran = Ran::of("scan values:1,2", command.output().unwrap());
    if ran.code == Some(0) {
        println!("not applicable: this driver cannot be made an old one");
        return;
    }
    assert!(!ran.stderr.contains("install"), "{}", ran.stderr);
    ran.fails(4, &["OpenGL 3.3 is needed", "hint: this driver has OpenGL ES", "--api gles"]);
}

/// `-a all` goes on after an algorithm that is wrong or does not compile.
#[cfg(target_os = "linux")]
#[test]
fn all_algorithms_run_whatever_fails() {
    let program = Program::new();
    let Some(real) = proxy(&program, PROXY) else {
        println!("not applicable: libEGL.so.1 is elsewhere");
        return;
    };
    let run = |arguments: &str, edit: &str| {
        let more = [("FAKE_DEVICES", "1"), ("FAKE_EDIT", edit), ("RASTERSCAN_CACHE", "off")];
        with_proxy(&program, &real, arguments, &more)
    };
    let plain = run("scan ones:n=600 -a all -q", "no such text|").ok();
    let sums: Vec<String> = (1..=600).map(|sum: u32| sum.to_string()).collect();
    assert_eq!(plain.values(), sums.join(" "));
    // The steps of Horn's scan add nothing, or do not compile.
    let wrong = ("bool alone = left.y < 0;|bool alone = left.y < 9;", 3, "is wrong");
    let broken = ("bool alone = left.y < 0;|bool alone = left.y ? 0;", 4, "does not compile");
    for (edit, code, says) in [wrong, broken] {
        let ran = run("scan ones:n=600 -a all", edit);
        assert!(
            ran.stderr.contains("horn failed: ") && ran.stderr.contains("\nlook_back: "),
            "{}",
            ran.stderr
        );
        assert_eq!(ran.values(), sums.join(" "), "the result is that of an algorithm that is right");
        assert!(ran.code == Some(code) && ran.stderr.contains(says), "{:?}\n{}", ran.code, ran.stderr);
        assert_eq!(ran.stderr.matches("rasterscan: error:").count(), 1, "{}", ran.stderr);
        let json = run("scan ones:n=600 -a all --json", edit).json();
        assert!(json["verified"] == false && json["failed"][0]["algorithm"] == "horn", "{json}");
        assert!(json["runs"].as_array().unwrap().len() > 3, "{json}");
    }
}

fn with_driver(program: &Program, arguments: &str) -> Ran {
    let mut command = program.command(arguments);
    command.env("LD_LIBRARY_PATH", program.path("fake")).env("RASTERSCAN_PROBE", "1");
    Ran::of(arguments, command.output().unwrap())
}

#[cfg(target_os = "linux")]
#[test]
fn a_driver_that_crashes() {
    let program = Program::new();
    fake_driver(&program, "__builtin_trap();");
    let crashes = "no usable OpenGL: the OpenGL driver crashes in its first calls (signal ";
    for arguments in ["scan random:n=9 --device auto", "info", "compact random:n=9 --device software"] {
        with_driver(&program, arguments).fails(4, &[crashes, "-a sequential"]);
    }
    let ran = with_driver(&program, "scan values:3,1 -a horn").ok();
    assert!(
        ran.stderr.contains(crashes) && ran.stderr.contains("kernels in Rust run instead"),
        "{}",
        ran.stderr
    );
    assert_eq!(program.cached(), [""; 0], "what crashes is not remembered");
    // What needs no driver has none.
    assert_eq!(with_driver(&program, "scan random:n=3,max=0 -a sequential").ok().values(), "0 0 0");
    assert_eq!(with_driver(&program, "compact random:n=3,max=0 -a sequential").ok().values(), "");
}

#[cfg(target_os = "linux")]
#[test]
fn a_driver_that_hangs() {
    let program = Program::new();
    fake_driver(&program, "for (;;) pause();");
    with_driver(&program, "scan random:n=9 --device auto")
        .fails(4, &["no usable OpenGL", "does not answer its first calls"]);
    assert_eq!(with_driver(&program, "scan random:n=3,max=0 -a sequential").ok().values(), "0 0 0");
}

/// A driver that has worked is not tried again; another one is, and so is the same with other settings.
#[test]
fn a_driver_that_works_is_remembered() {
    let program = Program::new();
    let run = |device: &str, more: (&str, &str)| {
        let mut command = program.command(&format!("scan random:n=3,max=0 {device}"));
        let output = command.env("RASTERSCAN_PROBE", "30").env(more.0, more.1).output().unwrap();
        assert_eq!(Ran::of(device, output).ok().values(), "0 0 0");
        program.cached().len()
    };
    let none = ("UNRELATED", "1");
    assert_eq!(run("", none), 1);
    assert_eq!(run("", none), 1);
    assert_eq!(run("--api gles", none), 2);
    assert_eq!(run("", ("MESA_DEBUG", "silent")), 3);
}

/// Binaries of programs are kept in the cache, where the driver gives them away; damaged ones are compiled again.
#[test]
fn compiled_programs_are_kept() {
    let program = Program::new();
    let programs = program.path("cache").join("programs");
    let run = |arguments: &str| assert_eq!(program.run(arguments).ok().values(), "1 3 6 10");
    let off = "scan values:1,2,3,4 -a horn";
    let output = program.command(off).env("RASTERSCAN_CACHE", "off").output().unwrap();
    assert_eq!(Ran::of(off, output).ok().values(), "1 3 6 10");
    assert!(!program.path("cache").exists(), "it is off");
    run("scan values:1,2,3,4 -a horn");
    if !programs.exists() {
        println!("not applicable: this driver gives no binaries");
        return;
    }
    let first = super::names(&programs);
    assert!(!first.is_empty());
    run("scan values:1,2,3,4 -a horn");
    assert_eq!(super::names(&programs), first);
    for name in &first {
        std::fs::write(programs.join(name), "damaged").unwrap();
    }
    run("scan values:1,2,3,4 -a horn");
    assert!(first.iter().all(|name| std::fs::read(programs.join(name)).unwrap() != b"damaged"));
}

#[test]
fn a_driver_that_is_too_old_is_named_with_what_is_needed() {
    let program = Program::new();
    let run = |arguments: &str, (name, value): (&str, &str)| {
        let mut command = program.command(arguments);
        command.env("RASTERSCAN_DEVICE", "software").env(name, value);
        Ran::of(arguments, command.output().unwrap())
    };
    let old = run("scan random:n=9", ("MESA_GL_VERSION_OVERRIDE", "2.1"));
    if old.code == Some(0) {
        println!("not applicable: this driver cannot be made an old one");
        return;
    }
    old.fails(4, &["OpenGL 3.3 is needed, and the driver has OpenGL 2.1"]);
    let old = run("scan random:n=9 --api gles", ("MESA_GLES_VERSION_OVERRIDE", "2.0"));
    old.fails(4, &["OpenGL ES 3.0 is needed, and the driver has OpenGL ES 2.0"]);
}

/// Neither a display that is not there nor none at all matters.
#[cfg(target_os = "linux")]
#[test]
fn no_display_is_needed() {
    let program = Program::new();
    for display in [None, Some(":987")] {
        let mut command = program.command("scan values:3,1,7");
        for name in ["DISPLAY", "WAYLAND_DISPLAY"] {
            match display {
                Some(display) => command.env(name, display),
                None => command.env_remove(name),
            };
        }
        assert_eq!(Ran::of("scan", command.output().unwrap()).ok().values(), "3 4 11", "{display:?}");
    }
}

/// Some drivers offer a newer OpenGL than shading language.
#[test]
fn compute_shaders_need_a_language_that_has_them() {
    let program = Program::new();
    let run = |arguments: &str| {
        let mut command = program.command(arguments);
        command.env("MESA_GL_VERSION_OVERRIDE", "4.3").env("MESA_GLSL_VERSION_OVERRIDE", "330");
        Ran::of(arguments, command.output().unwrap())
    };
    let info = run("info --json").ok().json();
    if info["gl"]["version"] != "4.3" {
        println!("not applicable: this driver's version cannot be set");
        return;
    }
    assert_eq!(run("scan values:3,1,7").ok().values(), "3 4 11");
    run("scan values:3,1,7 -a sam")
        .fails(4, &["sam needs compute shaders", "OpenGL 4.3 with an older shading language"]);
    run("scan values:3,1,7 -a all -q").ok();
}

/// A screenshot is drawn on the device and by the API of the command line.
#[test]
fn a_screenshot_needs_only_the_api_that_is_asked_for() {
    let program = Program::new();
    let run = |arguments: &str| {
        let mut command = program.command(arguments);
        command.env("RASTERSCAN_DEVICE", "software").env("MESA_GL_VERSION_OVERRIDE", "2.1");
        Ran::of(arguments, command.output().unwrap())
    };
    let gl = run("app scan values:3,1,7 -a horn --screenshot gl.png --api gl");
    if gl.code == Some(0) {
        println!("not applicable: this driver cannot be made an old one");
        return;
    }
    assert_eq!(gl.stderr.matches("no usable OpenGL").count(), 1, "{}", gl.stderr);
    gl.fails(4, &["OpenGL 3.3 is needed"]);
    run("app scan values:3,1,7 -a horn --screenshot gles.png --api gles").ok();
    assert!(program.path("gles.png").exists() && !program.path("gl.png").exists());
}
