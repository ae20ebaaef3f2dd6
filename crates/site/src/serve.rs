//! A file server for one folder, on the loopback address alone.

use std::fs::File;
use std::path::{Component, Path};

use anyhow::{Result, anyhow};
use tiny_http::{Header, Method, Request, Response, Server};

/// Serves a folder until the process ends. Prints the address first.
///
/// Errors: the port is taken.
pub fn serve(folder: &Path, port: u16) -> Result<()> {
    let server =
        Server::http(("127.0.0.1", port)).map_err(|error| anyhow!("cannot serve on port {port}: {error}"))?;
    let address = server.server_addr();
    println!("http://{address}/");
    for request in server.incoming_requests() {
        // A visitor who leaves before the answer is no error.
        let _ = answer(folder, request);
    }
    Ok(())
}

fn answer(folder: &Path, request: Request) -> std::io::Result<()> {
    let path = request.url().split(['?', '#']).next().unwrap_or_default().trim_start_matches('/');
    let path = Path::new(if path.is_empty() { "index.html" } else { path });
    let inside = path.components().all(|part| matches!(part, Component::Normal(_)));
    let reads = [Method::Get, Method::Head].contains(request.method());
    match File::open(folder.join(path)) {
        Ok(file) if inside && reads => {
            let kind = Header::from_bytes("Content-Type", kind(path))
                .map_err(|()| std::io::ErrorKind::InvalidData)?;
            request.respond(Response::from_file(file).with_header(kind))
        }
        _ => request.respond(Response::from_string("not found\n").with_status_code(404)),
    }
}

/// The media type of a file. Browsers compile a module while it arrives only if it is `application/wasm`.
fn kind(path: &Path) -> &'static str {
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("json") => "application/json",
        _ => "application/octet-stream",
    }
}
