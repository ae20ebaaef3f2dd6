//! A real window, on a display of its own: it opens, takes keys, and closes cleanly.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use egui_kittest::kittest::Queryable;
use rasterscan_runner::screen::{Ends, Screen, until};

fn screen() -> Option<Screen> {
    Screen::start()
        .map_err(|missing| println!("not applicable: there is no {missing} to open a window on"))
        .ok()
}

fn rasterscan(display: Option<&str>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rasterscan"));
    command.env_remove("WAYLAND_DISPLAY").env_remove("DISPLAY").env("RASTERSCAN_CACHE", "off");
    if let Some(display) = display {
        command.env("DISPLAY", display);
    }
    command
}

/// All that it has written to stderr.
fn said(child: &mut Child) -> String {
    let mut stderr = String::new();
    std::io::Read::read_to_string(&mut child.stderr.take().unwrap(), &mut stderr).unwrap();
    stderr
}

#[test]
fn a_window_opens_takes_keys_and_closes() {
    let Some(screen) = screen() else { return };
    let mut app = Ends(rasterscan(Some(&screen.name)).arg("app").stderr(Stdio::piped()).spawn().unwrap());
    let window = until("the window", || {
        let ended = app.0.try_wait().unwrap();
        assert!(ended.is_none(), "it ended at once: {ended:?}, {}", said(&mut app.0));
        screen.window("^rasterscan: horn, pass 3 of 3$")
    });
    screen.xdotool(&["windowfocus", "--sync", &window]);
    // It accepts keys once a frame is drawn.
    until("a key to be taken", || {
        screen.xdotool(&["key", "--window", &window, "Home"]);
        std::thread::sleep(Duration::from_millis(200));
        screen.window("^rasterscan: horn, pass 0 of 3$")
    });
    screen.xdotool(&["key", "--window", &window, "Right"]);
    until("a step", || screen.window("^rasterscan: horn, pass 1 of 3$"));
    screen.xdotool(&["key", "--window", &window, "ctrl+q"]);
    let status = until("the end", || app.0.try_wait().unwrap());
    assert_eq!((status.code(), said(&mut app.0).as_str()), (Some(0), ""));
}

/// The centres of widgets to click in turn, in a window of the size that the program opens.
fn ways(names: &[&str]) -> Vec<egui::Pos2> {
    let mut stage = super::Stage::of([1280.0, 800.0]);
    let way = |(number, name): (usize, &&str)| {
        let at = stage.harness.get_by_label(name).rect().center();
        // The last click is the window's: it writes a file.
        if number + 1 < names.len() {
            stage.click(name);
        }
        at
    };
    names.iter().enumerate().map(way).collect()
}

#[test]
fn the_window_exports_what_it_shows() {
    let Some(screen) = screen() else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut command = rasterscan(Some(&screen.name));
    command.current_dir(folder.path()).args(["app", "-a", "horn"]).stderr(Stdio::piped());
    let mut app = Ends(command.spawn().unwrap());
    let window = until("the window", || screen.window("^rasterscan: horn"));
    screen.xdotool(&["windowfocus", "--sync", &window]);
    for (menu, file) in [("Export as PNG", "horn.png"), ("Export as APNG", "horn.apng")] {
        let ways = ways(&["File", menu, "Export"]);
        let path = folder.path().join(file);
        until(file, || {
            for at in &ways {
                let (x, y) = (at.x.to_string(), at.y.to_string());
                screen.xdotool(&["mousemove", "--window", &window, &x, &y, "click", "1"]);
                std::thread::sleep(Duration::from_millis(400));
            }
            let ended = app.0.try_wait().unwrap();
            assert!(ended.is_none(), "it ended: {ended:?}, {}", said(&mut app.0));
            path.exists().then_some(())
        });
        let image = image::ImageReader::open(&path).unwrap().with_guessed_format().unwrap().decode().unwrap();
        assert!(image.width() > 1000, "{file}: {} x {}", image.width(), image.height());
    }
}

#[test]
fn without_a_display_there_is_one_clear_error() {
    for display in [None, Some(":4999")] {
        let output = rasterscan(display).arg("app").output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(4), "{stderr}");
        assert!(stderr.starts_with("rasterscan: error: no usable OpenGL: no display"), "{stderr}");
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
        assert!(!stderr.contains(".rs"), "no source location: {stderr}");
    }
    let output = rasterscan(None).args(["app", "--device", "0"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "a window has its own device");
}

#[test]
fn a_screenshot_is_a_picture_of_the_size_that_was_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let shot = |arguments: &str| {
        let mut command = rasterscan(None);
        command.current_dir(folder.path()).args(["app", "--screenshot", "a.png"]);
        command.args(arguments.split_whitespace()).output().unwrap()
    };
    let output = shot("-a points --pass 2 --size 400x300 --theme light");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let image = image::open(folder.path().join("a.png")).unwrap();
    assert_eq!((image.width(), image.height()), (400, 300));
    let wide = "-a horn --pass 1 --size 960x540";
    assert!(shot(wide).status.success());
    let usual = image::open(folder.path().join("a.png")).unwrap();
    assert!(shot(&format!("{wide} --present")).status.success());
    assert!(image::open(folder.path().join("a.png")).unwrap() != usual, "the picture alone");
    for (arguments, code, expected) in [
        ("-a sequential", 2, "runs on the CPU"),
        ("-a hron", 2, "did you mean horn?"),
        ("--size 5", 2, "expected WIDTHxHEIGHT"),
        ("values:x", 2, "is not a valid u32"),
        ("random:n=many", 2, "n cannot be 'many'"),
        ("scan none.npy", 1, "cannot read none.npy"),
        ("sum values:1", 2, "there is no problem 'sum'"),
        ("--order 2 --keep >4", 2, "--keep is for compact"),
        ("-", 2, "the app does not read standard input"),
        ("--tour 15", 2, "15 is not in 1..=14"),
        ("--pass 9", 2, "the last pass of this run is 4"),
        ("random:n=16,max=2^40", 2, "does not fit u32"),
        ("--zoom 0", 2, "expected 0.25 to 160"),
        ("--pan 1", 2, "expected X,Y in points"),
        ("--trace none.json", 1, "none.json"),
        ("none.png", 1, "cannot read none.png"),
    ] {
        let output = shot(arguments);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments}: {stderr}");
        assert!(stderr.contains(expected), "{arguments}: {stderr}");
    }
    assert!(!Path::new(&folder.path().join("a.png.part")).exists());
}
