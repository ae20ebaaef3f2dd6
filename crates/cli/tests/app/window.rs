//! A real window, on a display of its own: it opens, takes keys, and closes cleanly.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use egui_kittest::kittest::Queryable;

/// Kills the started process when dropped.
struct Ends(Child);

impl Drop for Ends {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn installed(program: &str) -> bool {
    Command::new("sh")
        .args(["-c", &format!("command -v {program}")])
        .output()
        .is_ok_and(|out| out.status.success())
}

/// A display of its own, and its name.
fn display() -> Option<(Ends, String)> {
    if let Some(missing) = ["Xvfb", "xdotool"].into_iter().find(|program| !installed(program)) {
        println!("not applicable: there is no {missing} to open a window on");
        return None;
    }
    // It chooses a number itself and writes it once it is ready. Without -noreset it would restart each time its last
    // client leaves, and drop a client that is about to connect.
    let mut server = Command::new("Xvfb")
        .args(["-displayfd", "1", "-screen", "0", "1280x900x24", "-nolisten", "tcp", "-noreset"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut number = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut number).unwrap();
    Some((Ends(server), format!(":{}", number.trim())))
}

fn rasterscan(display: Option<&str>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rasterscan"));
    command.env_remove("WAYLAND_DISPLAY").env_remove("DISPLAY").env("RASTERSCAN_CACHE", "off");
    if let Some(display) = display {
        command.env("DISPLAY", display);
    }
    command
}

fn xdotool(display: &str, arguments: &[&str]) -> String {
    let output = Command::new("xdotool").env("DISPLAY", display).args(arguments).output().unwrap();
    String::from_utf8_lossy(&output.stdout).trim().into()
}

/// All that it has written to stderr.
fn said(child: &mut Child) -> String {
    let mut stderr = String::new();
    std::io::Read::read_to_string(&mut child.stderr.take().unwrap(), &mut stderr).unwrap();
    stderr
}

/// Waits until something returns a value.
fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let begin = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(begin.elapsed() < Duration::from_secs(60), "waited for {what} in vain");
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn a_window_opens_takes_keys_and_closes() {
    let Some((_server, display)) = display() else { return };
    let mut app = Ends(rasterscan(Some(&display)).arg("app").stderr(Stdio::piped()).spawn().unwrap());
    let title = |pattern: &str| {
        let found = xdotool(&display, &["search", "--name", pattern]);
        found.lines().next().map(str::to_owned)
    };
    let window = until("the window", || {
        let ended = app.0.try_wait().unwrap();
        assert!(ended.is_none(), "it ended at once: {ended:?}, {}", said(&mut app.0));
        title("^rasterscan: horn, pass 0 of 4$")
    });
    xdotool(&display, &["windowfocus", "--sync", &window]);
    // It accepts keys once a frame is drawn.
    until("a key to be taken", || {
        xdotool(&display, &["key", "--window", &window, "End"]);
        std::thread::sleep(Duration::from_millis(200));
        title("^rasterscan: horn, pass 4 of 4$")
    });
    xdotool(&display, &["key", "--window", &window, "Left"]);
    until("a step back", || title("^rasterscan: horn, pass 3 of 4$"));
    xdotool(&display, &["key", "--window", &window, "ctrl+q"]);
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
    let Some((_server, display)) = display() else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut command = rasterscan(Some(&display));
    command.current_dir(folder.path()).args(["app", "-a", "horn"]).stderr(Stdio::piped());
    let mut app = Ends(command.spawn().unwrap());
    let window = until("the window", || {
        let found = xdotool(&display, &["search", "--name", "^rasterscan: horn"]);
        found.lines().next().map(str::to_owned)
    });
    xdotool(&display, &["windowfocus", "--sync", &window]);
    for (menu, file) in [("Export as PNG", "horn.png"), ("Export as APNG", "horn.apng")] {
        let ways = ways(&["File", menu, "Export"]);
        let path = folder.path().join(file);
        until(file, || {
            for at in &ways {
                let (x, y) = (at.x.to_string(), at.y.to_string());
                xdotool(&display, &["mousemove", "--window", &window, &x, &y, "click", "1"]);
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
    for (arguments, code, expected) in [
        ("-a sequential", 2, "runs on the CPU"),
        ("-a hron", 2, "did you mean horn?"),
        ("--size 5", 2, "expected WIDTHxHEIGHT"),
        ("values:x", 2, "is not a valid u32"),
        ("random:n=many", 2, "n cannot be 'many'"),
        ("scan none.npy", 1, "cannot read none.npy"),
        ("sort values:1", 2, "there is no problem 'sort'"),
        ("--order 2 --keep >4", 2, "--keep is for compact"),
        ("-", 2, "the app does not read standard input"),
        ("--tour 11", 2, "11 is not in 1..=10"),
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
