//! Drivers that fail in their first calls, and one that is too old: each gives a message and an exit code, and never a
//! crash or a hang.

use std::process::Command;

use super::{Program, Ran};

/// A libEGL whose first functions do this.
fn fake_driver(program: &Program, does: &str) {
    let source = format!(
        "#include <unistd.h>\n\
         void *eglGetProcAddress(const char *name) {{ (void)name; return 0; }}\n\
         const char *eglQueryString(void *display, int name) {{ (void)display; (void)name; {does} return 0; }}\n"
    );
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
    for arguments in ["scan random:n=9", "info", "compact random:n=9 --device software"] {
        let says =
            ["no usable OpenGL: the OpenGL driver crashes in its first calls (signal ", "-a sequential"];
        with_driver(&program, arguments).fails(4, &says);
    }
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
    with_driver(&program, "scan random:n=9")
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
