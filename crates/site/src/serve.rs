//! A file server for one folder, on the loopback address alone.

use std::path::Path;

use anyhow::{Context, Result};
use axum::Router;
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tower_http::services::ServeDir;

/// Serves a folder until the process ends. Prints the address first.
///
/// Errors: the port is taken.
pub fn serve(folder: &Path, port: u16) -> Result<()> {
    runtime()?.block_on(async {
        let listener = listen(port).await?;
        println!("http://{}/", listener.local_addr()?);
        answer(listener, folder).await
    })
}

fn runtime() -> std::io::Result<Runtime> {
    Builder::new_current_thread().enable_io().build()
}

async fn listen(port: u16) -> Result<TcpListener> {
    TcpListener::bind(("127.0.0.1", port)).await.with_context(|| format!("cannot serve on port {port}"))
}

/// Media types are those of the files' endings: browsers compile a module while it arrives only if it is
/// `application/wasm`.
async fn answer(listener: TcpListener, folder: &Path) -> Result<()> {
    Ok(axum::serve(listener, Router::new().fallback_service(ServeDir::new(folder))).await?)
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader, Write};
    use std::net::{SocketAddr, TcpStream};
    use std::sync::mpsc::channel;
    use std::time::Duration;

    use super::*;

    /// A server of a folder with two files, until the tests end.
    fn served() -> SocketAddr {
        let (tell, told) = channel();
        std::thread::spawn(move || {
            let parent = tempfile::tempdir().unwrap();
            let folder = parent.path().join("folder");
            std::fs::create_dir(&folder).unwrap();
            for path in [folder.join("index.html"), folder.join("module.wasm"), parent.path().join("beside")]
            {
                std::fs::write(path, "content").unwrap();
            }
            runtime().unwrap().block_on(async {
                let listener = listen(0).await.unwrap();
                tell.send(listener.local_addr().unwrap()).unwrap();
                answer(listener, &folder).await.unwrap();
            });
        });
        told.recv().unwrap()
    }

    /// Opens a connection and asks for a path.
    fn ask(address: SocketAddr, path: &str) -> TcpStream {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        stream.write_all(format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n").as_bytes()).unwrap();
        stream
    }

    /// The status and the other lines of an answer's head.
    fn head(stream: &TcpStream) -> Vec<String> {
        let lines = BufReader::new(stream).lines().map(|line| line.expect("an answer").to_lowercase());
        lines.take_while(|line| !line.is_empty()).collect()
    }

    /// Browsers open several connections at once, and keep them open for later requests.
    #[test]
    fn connections_that_stay_open_hold_up_no_other() {
        let address = served();
        for connections in 1..64 {
            let opened: Vec<TcpStream> = (0..connections).map(|_| ask(address, "/module.wasm")).collect();
            for stream in &opened {
                assert_eq!(head(stream)[0], "http/1.1 200 ok");
            }
        }
    }

    #[test]
    fn files_of_the_folder_alone_are_served_and_each_has_its_type() {
        let address = served();
        for (path, status, kind) in [
            ("/", "200 ok", "text/html"),
            ("/index.html?embed=1&scan", "200 ok", "text/html"),
            ("/module.wasm", "200 ok", "application/wasm"),
            ("/missing", "404 not found", ""),
            ("/../beside", "404 not found", ""),
            ("/%2e%2e/beside", "404 not found", ""),
        ] {
            let head = head(&ask(address, path));
            assert_eq!(head[0], format!("http/1.1 {status}"), "{path}");
            let found = head.iter().find_map(|line| line.strip_prefix("content-type: "));
            assert_eq!(found.unwrap_or_default(), kind, "{path}");
        }
    }
}
