//! The program opens its window on a display of its own, computes what it should, shows it, and closes.

use std::io::Read;
use std::process::{Command, Stdio};

use rasterscan_runner::screen::{Ends, Screen, until};

fn screen() -> Option<Screen> {
    Screen::start()
        .map_err(|missing| println!("not applicable: there is no {missing} to open a window on"))
        .ok()
}

fn host(screen: &Screen, arguments: &[&str]) -> Ends {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rasterscan-host-winit"));
    command.env_remove("WAYLAND_DISPLAY").env("DISPLAY", &screen.name).args(arguments);
    Ends(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
}

/// Waits for the end. Returns the exit code, and all that it has written to stdout and stderr.
fn end(mut host: Ends) -> (Option<i32>, String, String) {
    let status = until("the end", || host.0.try_wait().unwrap());
    let (mut stdout, mut stderr) = (String::new(), String::new());
    host.0.stdout.take().unwrap().read_to_string(&mut stdout).unwrap();
    host.0.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    (status.code(), stdout, stderr)
}

#[test]
fn after_some_frames_the_result_is_that_of_the_cpu() {
    let Some(screen) = screen() else { return };
    let (code, stdout, stderr) = end(host(&screen, &["--frames", "300"]));
    assert_eq!((code, stderr.as_str()), (Some(0), ""), "{stdout}");
    assert!(stdout.starts_with("frame 300: ") && stdout.contains(" drops, equal to the CPU's"), "{stdout}");
    assert!(!stdout.contains(" 0 ") && stdout.lines().count() == 1, "{stdout}");
}

#[test]
fn the_window_shows_the_result_and_closes_on_escape() {
    let Some(screen) = screen() else { return };
    let mut host = host(&screen, &[]);
    let window = until("the window", || {
        assert!(host.0.try_wait().unwrap().is_none(), "it ended at once");
        screen.window("^rasterscan")
    });
    // Some hundred drops, each lit as no other part of the window is.
    until("drops", || {
        assert!(host.0.try_wait().unwrap().is_none(), "it ended");
        let lit = screen.picture().2.chunks_exact(3).filter(|pixel| pixel[2] > 150).count();
        (lit > 500).then_some(())
    });
    screen.xdotool(&["windowfocus", "--sync", &window]);
    screen.xdotool(&["key", "--window", &window, "Escape"]);
    let (code, stdout, stderr) = end(host);
    assert_eq!((code, stdout.as_str(), stderr.as_str()), (Some(0), "", ""));
}
