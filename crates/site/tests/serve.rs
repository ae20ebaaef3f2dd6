//! The server of the page, as a process: it serves the files of its folder to this machine, and nothing stops it.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The longest wait for an answer.
const LONGEST: Duration = Duration::from_secs(30);

/// A server of a folder with a page and a module, and a file beside the folder; it ends with the test.
struct Server {
    process: Child,
    port: u16,
    parent: tempfile::TempDir,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Server {
    fn new() -> Server {
        Server::started(Command::new(env!("CARGO_BIN_EXE_rasterscan-site")))
    }

    fn started(mut command: Command) -> Server {
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join("folder");
        fs::create_dir(&folder).unwrap();
        for path in [folder.join("index.html"), folder.join("module.wasm"), parent.path().join("beside")] {
            fs::write(path, "content").unwrap();
        }
        command.args(["--serve", "--port", "0", "--folder"]).arg(&folder);
        let mut process = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let port = line.trim().strip_prefix("http://127.0.0.1:").and_then(|port| port.strip_suffix('/'));
        let port = port.unwrap_or_else(|| panic!("{line:?}")).parse().unwrap();
        Server { process, port, parent }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.parent.path().join("folder").join(name)
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(LONGEST)).unwrap();
        stream
    }

    /// Opens a connection and asks for a path.
    fn ask(&self, path: &str) -> TcpStream {
        self.send(&format!("GET {path} HTTP/1.1\r\nHost: localhost:{}\r\n\r\n", self.port))
    }

    fn send(&self, text: &str) -> TcpStream {
        let mut stream = self.connect();
        stream.write_all(text.as_bytes()).unwrap();
        stream
    }

    fn status(&self, path: &str) -> String {
        head(&self.ask(path)).swap_remove(0)
    }
}

const OK: &str = "http/1.1 200 ok";
const NOT_FOUND: &str = "http/1.1 404 not found";

/// The status and the other lines of an answer's head.
fn head(stream: &TcpStream) -> Vec<String> {
    let lines = BufReader::new(stream).lines().map(|line| line.expect("an answer").to_lowercase());
    lines.take_while(|line| !line.is_empty()).collect()
}

/// Browsers open several connections at once, and keep them open for later requests.
#[test]
fn connections_that_stay_open_hold_up_no_other() {
    let server = Server::new();
    for connections in 1..64 {
        let opened: Vec<TcpStream> = (0..connections).map(|_| server.ask("/module.wasm")).collect();
        for stream in &opened {
            assert_eq!(head(stream)[0], OK);
        }
    }
}

#[test]
fn files_of_the_folder_alone_are_served_and_each_has_its_type() {
    let server = Server::new();
    for (path, status, kind) in [
        ("/", OK, "text/html"),
        ("/index.html?embed=1&scan", OK, "text/html"),
        ("/module.wasm", OK, "application/wasm"),
        ("/missing", NOT_FOUND, ""),
        ("/../beside", NOT_FOUND, ""),
        ("/%2e%2e/beside", NOT_FOUND, ""),
        ("/..%2fbeside", NOT_FOUND, ""),
    ] {
        let head = head(&server.ask(path));
        assert_eq!(head[0], status, "{path}");
        let found = head.iter().find_map(|line| line.strip_prefix("content-type: "));
        assert_eq!(found.unwrap_or_default(), kind, "{path}");
    }
}

#[test]
fn a_packed_file_is_sent_to_browsers_that_unpack() {
    let server = Server::new();
    fs::write(server.path("module.wasm.gz"), "packed").unwrap();
    let host = format!("Host: localhost:{}", server.port);
    for (accepts, encoding) in [("gzip, br", Some("gzip")), ("identity", None)] {
        let asked = format!("GET /module.wasm HTTP/1.1\r\n{host}\r\nAccept-Encoding: {accepts}\r\n\r\n");
        let head = head(&server.send(&asked));
        assert!(head.contains(&"content-type: application/wasm".into()), "{head:?}");
        assert_eq!(head.iter().find_map(|line| line.strip_prefix("content-encoding: ")), encoding);
    }
}

#[test]
fn hidden_files_are_not_served() {
    let server = Server::new();
    fs::write(server.path(".env"), "secret").unwrap();
    fs::create_dir_all(server.path(".git")).unwrap();
    fs::write(server.path(".git/config"), "secret").unwrap();
    for path in ["/.env", "/%2eenv", "/.git/config", "/.git/", "/.git", "/./.env"] {
        assert_eq!(server.status(path), NOT_FOUND, "{path}");
    }
}

#[cfg(unix)]
#[test]
fn links_are_followed_inside_the_folder_alone() {
    use std::os::unix::fs::symlink;
    let server = Server::new();
    let beside = server.parent.path().join("beside");
    fs::write(server.path(".env"), "secret").unwrap();
    symlink(&beside, server.path("out.html")).unwrap();
    symlink("../beside", server.path("relative.html")).unwrap();
    symlink(server.parent.path(), server.path("up")).unwrap();
    symlink(".env", server.path("env.html")).unwrap();
    symlink("index.html", server.path("inside.html")).unwrap();
    for path in ["/out.html", "/relative.html", "/up/beside", "/up/", "/env.html"] {
        assert_eq!(server.status(path), NOT_FOUND, "{path}");
    }
    assert_eq!(server.status("/inside.html"), OK);
    // The index of a folder is a file like any other.
    fs::create_dir(server.path("inner")).unwrap();
    symlink(&beside, server.path("inner/index.html")).unwrap();
    assert_eq!(server.status("/inner/"), NOT_FOUND);
}

#[cfg(unix)]
#[test]
fn a_pipe_in_the_folder_stops_nothing() {
    let server = Server::new();
    assert!(Command::new("mkfifo").arg(server.path("pipe.html")).status().unwrap().success());
    // As many as the threads that may wait for files.
    let asked: Vec<TcpStream> = (0..600).map(|_| server.ask("/pipe.html")).collect();
    assert_eq!(server.status("/module.wasm"), OK);
    assert_eq!(head(&asked[0])[0], NOT_FOUND);
}

/// A name that leads to the loopback address is no reason to trust the page that asks by it.
#[test]
fn only_requests_to_a_name_of_this_machine_are_answered() {
    let server = Server::new();
    let port = server.port;
    let misdirected = "http/1.1 421 misdirected request";
    for (hosts, expected) in [
        (format!("Host: localhost:{port}"), OK),
        (format!("Host: LocalHost:{port}"), OK),
        (format!("Host: 127.0.0.1:{port}"), OK),
        (format!("Host: [::1]:{port}"), OK),
        (format!("Host: evil.example:{port}"), misdirected),
        (format!("Host: localhost.evil.example:{port}"), misdirected),
        (format!("Host: localhost:{port}@evil.example:{port}"), misdirected),
        (format!("Host: localhost:{}", port ^ 1), misdirected),
        ("Host: localhost".into(), misdirected),
        ("Host: [::1]".into(), misdirected),
        ("Host:".into(), misdirected),
        ("Accept: */*".into(), misdirected),
        (format!("Host: localhost:{port}\r\nHost: evil.example:{port}"), misdirected),
    ] {
        let head = head(&server.send(&format!("GET / HTTP/1.1\r\n{hosts}\r\n\r\n")));
        assert_eq!(head[0], expected, "{hosts}");
    }
    let absolute = format!("GET http://evil.example:{port}/ HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n");
    assert_eq!(head(&server.send(&absolute))[0], misdirected);
}

/// Connections without a request, with half of one, and after one.
#[test]
fn a_connection_that_asks_for_nothing_is_closed() {
    let server = Server::new();
    let begun = Instant::now();
    let half = format!("GET / HTTP/1.1\r\nHost: localhost:{}\r\n", server.port);
    for mut stream in [server.connect(), server.send(&half), server.ask("/")] {
        let mut rest = Vec::new();
        stream.read_to_end(&mut rest).expect("the server closes the connection");
    }
    assert!(begun.elapsed() < LONGEST / 2, "{:?}", begun.elapsed());
}

/// 60 connections, where the process may have 32 files open.
#[cfg(unix)]
#[test]
fn running_out_of_descriptors_stops_nothing() {
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -n 32; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_rasterscan-site")]);
    let mut server = Server::started(command);
    let opened: Vec<TcpStream> = (0..60).map(|_| server.ask("/module.wasm")).collect();
    for (number, stream) in opened.iter().enumerate() {
        assert_eq!(head(stream)[0], OK, "connection {number}");
    }
    drop(opened);
    assert_eq!(server.status("/"), OK);
    assert!(server.process.try_wait().unwrap().is_none());
}
