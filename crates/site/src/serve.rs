//! A file server for one folder, on the loopback address alone.
//!
//! Pages of other sites reach that address, too, under a name of their own (DNS rebinding): only requests to a name of
//! this machine are answered.

use std::convert::Infallible;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use http_body_util::{Either, Full};
use hyper::body::{Bytes, Incoming};
use hyper::header::HOST;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tower_http::services::ServeDir;
use tower_http::services::fs::{Backend, DefaultServeDirFallback, ServeFileSystemResponseBody, TokioBackend};

/// The time that a request's head may take, and that a connection may stay open without one.
const PATIENCE: Duration = Duration::from_secs(5);

/// The time between two tries to take a connection, where the system gives none.
const PAUSE: Duration = Duration::from_millis(50);

/// The most connections at a time; others wait.
const MOST_CONNECTIONS: usize = 256;

type Files = ServeDir<DefaultServeDirFallback, Inside>;
type Body = Either<ServeFileSystemResponseBody, Full<Bytes>>;

/// Serves a folder until the process ends. Prints the address first.
///
/// Errors: there is no such folder, or the port is taken.
pub fn serve(folder: &Path, port: u16) -> Result<()> {
    let folder = fs::canonicalize(folder).with_context(|| format!("cannot serve {}", folder.display()))?;
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
        let listener = TcpListener::bind(("127.0.0.1", port)).await;
        let listener = listener.with_context(|| format!("cannot serve on port {port}"))?;
        let port = listener.local_addr()?.port();
        println!("http://127.0.0.1:{port}/");
        // Media types are those of the files' endings: browsers compile a module while it arrives only if it is
        // `application/wasm`.
        let files = ServeDir::with_backend(&folder, Inside(folder.as_path().into())).precompressed_gzip();
        answer(&listener, &files, port).await
    })
}

async fn answer(listener: &TcpListener, files: &Files, port: u16) -> Result<()> {
    let room = Arc::new(Semaphore::new(most_connections()));
    loop {
        let place = room.clone().acquire_owned().await?;
        // It fails if there is no descriptor for it, or if the other side is gone already.
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        let files = TowerToHyperService::new(files.clone());
        let service = service_fn(move |request| answered(request, files.clone(), port));
        let mut server = http1::Builder::new();
        server.timer(TokioTimer::new()).header_read_timeout(PATIENCE);
        // The last one makes room for those that wait.
        server.keep_alive(room.available_permits() > 0);
        let connection = server.serve_connection(TokioIo::new(stream), service);
        tokio::spawn(async move {
            // An error here is the other side's.
            let _ = connection.await;
            drop(place);
        });
    }
}

/// So many that each has a descriptor for itself and one for a file.
fn most_connections() -> usize {
    #[cfg(unix)]
    {
        /// Descriptors of the runtime, and those that the process began with.
        const OTHERS: u64 = 12;
        let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
        let room = limit.map_or(MOST_CONNECTIONS as u64, |limit| limit.saturating_sub(OTHERS) / 2);
        room.clamp(1, MOST_CONNECTIONS as u64) as usize
    }
    #[cfg(not(unix))]
    MOST_CONNECTIONS
}

async fn answered(
    request: Request<Incoming>,
    files: TowerToHyperService<Files>,
    port: u16,
) -> Result<Response<Body>, Infallible> {
    if !is_for_here(&request, port) {
        let mut refused =
            Response::new(Either::Right(format!("expected a request to http://localhost:{port}/\n").into()));
        *refused.status_mut() = StatusCode::MISDIRECTED_REQUEST;
        return Ok(refused);
    }
    Ok(files.call(request).await?.map(Either::Left))
}

/// Returns true if the host that a request names is this machine.
fn is_for_here(request: &Request<Incoming>, port: u16) -> bool {
    let is_here = |host: &str| {
        let (name, given) = match host.rsplit_once(':') {
            Some((name, given)) if !given.ends_with(']') => (name, given.parse().ok()),
            _ => (host, Some(80)),
        };
        let is_local = ["localhost", "127.0.0.1", "[::1]"].iter().any(|own| own.eq_ignore_ascii_case(name));
        is_local && given == Some(port)
    };
    let mut hosts = request.headers().get_all(HOST).iter().map(|host| host.to_str().unwrap_or_default());
    let is_named_once = hosts.next().is_some_and(is_here) && hosts.next().is_none();
    is_named_once && request.uri().authority().is_none_or(|host| is_here(host.as_str()))
}

/// The regular files and the folders inside a folder, given by its canonical path: no link leads out, and no name begins
/// with a dot.
#[derive(Debug, Clone)]
struct Inside(Arc<Path>);

impl Inside {
    /// The path of a file or folder without links.
    async fn find(&self, path: PathBuf) -> io::Result<PathBuf> {
        self.shown(&path)?;
        let found = tokio::fs::canonicalize(path).await?;
        self.shown(&found)?;
        // A pipe would be waited for, and a device may have no end.
        let about = tokio::fs::metadata(&found).await?;
        if about.is_file() || about.is_dir() { Ok(found) } else { Err(ErrorKind::NotFound.into()) }
    }

    /// Errors if a path is outside, or has a hidden part.
    fn shown(&self, path: &Path) -> io::Result<()> {
        let inner = path.strip_prefix(&self.0).map_err(|_| ErrorKind::NotFound)?;
        let is_hidden = |part: &std::ffi::OsStr| part.as_encoded_bytes().starts_with(b".");
        if inner.iter().any(is_hidden) { Err(ErrorKind::NotFound.into()) } else { Ok(()) }
    }
}

type Later<T> = Pin<Box<dyn Future<Output = io::Result<T>> + Send>>;

impl Backend for Inside {
    type File = <TokioBackend as Backend>::File;
    type Metadata = <TokioBackend as Backend>::Metadata;
    type OpenFuture = Later<Self::File>;
    type MetadataFuture = Later<Self::Metadata>;

    fn open(&self, path: PathBuf) -> Self::OpenFuture {
        let inside = self.clone();
        Box::pin(async move { TokioBackend.open(inside.find(path).await?).await })
    }

    fn metadata(&self, path: PathBuf) -> Self::MetadataFuture {
        let inside = self.clone();
        Box::pin(async move { TokioBackend.metadata(inside.find(path).await?).await })
    }
}
