//! A display without a screen for tests of windows: Xvfb, xdotool, and the picture that a user would see.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A started process, killed when dropped.
pub struct Ends(pub Child);

impl Drop for Ends {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// An X server of our own, 1280 x 900, until dropped.
pub struct Screen {
    // Ended before its folder is removed.
    _server: Ends,
    /// The name for `DISPLAY`.
    pub name: String,
    folder: PathBuf,
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

impl Screen {
    /// Starts a server.
    ///
    /// Errors: the name of the program that is not installed.
    pub fn start() -> Result<Screen, &'static str> {
        if let Some(missing) = ["Xvfb", "xdotool"].into_iter().find(|program| !is_installed(program)) {
            return Err(missing);
        }
        static COUNT: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("rasterscan-screen-{}-{count}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        // It chooses a number itself and writes it once it is ready. Without -noreset it would restart each time its
        // last client leaves, and drop a client that is about to connect.
        let mut server = Command::new("Xvfb")
            .args([
                "-displayfd",
                "1",
                "-screen",
                "0",
                "1280x900x24",
                "-nolisten",
                "tcp",
                "-noreset",
                "-fbdir",
            ])
            .arg(&folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut number = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut number).unwrap();
        Ok(Screen { _server: Ends(server), name: format!(":{}", number.trim()), folder })
    }

    /// Runs xdotool, and returns what it writes.
    pub fn xdotool(&self, arguments: &[&str]) -> String {
        let output = Command::new("xdotool").env("DISPLAY", &self.name).args(arguments).output().unwrap();
        String::from_utf8_lossy(&output.stdout).trim().into()
    }

    /// The first window whose title matches.
    pub fn window(&self, title: &str) -> Option<String> {
        self.xdotool(&["search", "--name", title]).lines().next().map(str::to_owned)
    }

    /// The picture on the screen: width, height, and red, green and blue of each pixel, from the top left.
    pub fn picture(&self) -> (u32, u32, Vec<u8>) {
        // A file of X's window dump format: a header of big-endian words, a table of colours, and the pixels.
        let file = std::fs::read(self.folder.join("Xvfb_screen0")).unwrap();
        let word =
            |index: usize| u32::from_be_bytes(file[4 * index..4 * index + 4].try_into().unwrap()) as usize;
        let (header, width, height, bits, row, colours) =
            (word(0), word(4), word(5), word(11), word(12), word(19));
        assert_eq!(bits, 32, "bits per pixel");
        let pixels = &file[header + 12 * colours..];
        let rows = pixels.chunks_exact(row).take(height);
        let rgb = rows.flat_map(|row| row[..4 * width].chunks_exact(4).flat_map(|p| [p[2], p[1], p[0]]));
        (width as u32, height as u32, rgb.collect())
    }
}

/// Returns true if the shell finds a program of this name.
pub fn is_installed(program: &str) -> bool {
    Command::new("sh")
        .args(["-c", &format!("command -v {program}")])
        .output()
        .is_ok_and(|output| output.status.success())
}

/// Waits until `look` returns a value.
///
/// Panics after a minute.
pub fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let begin = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(begin.elapsed() < Duration::from_secs(60), "waited for {what} in vain");
        std::thread::sleep(Duration::from_millis(100));
    }
}
