//! Files: a picker, bytes that were dropped or picked, the lesson that the address names, and downloads. Nothing leaves the
//! visitor's machine.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use eframe::egui::Context;
use js_sys::{Array, Uint8Array};
use rasterscan::ElementType;

use rasterscan_app::MOST_LESSON_BYTES;
use rasterscan_app::job::{Load, Loaded};
use rasterscan_files::{ByteSource, Data, Format, read_shrunk};
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{Blob, HtmlAnchorElement, HtmlInputElement, RequestCredentials, RequestInit, Response, Url};

/// A file that the visitor gave to the page.
pub struct ChosenFile {
    /// Its name.
    pub name: String,
    /// Its content, or why it cannot be read.
    pub bytes: Result<Vec<u8>, String>,
}

/// The files that the visitor gave to the page, by name. Clones share them.
#[derive(Clone, Default)]
pub struct Files {
    known: Rc<RefCell<HashMap<PathBuf, Vec<u8>>>>,
    /// Picked or fetched, and not taken yet.
    picked: Rc<RefCell<Vec<ChosenFile>>>,
}

impl Files {
    /// Keeps a file, so that jobs can name it.
    pub fn keep(&self, name: &str, bytes: Vec<u8>) {
        self.known.borrow_mut().insert(name.into(), bytes);
    }

    /// The reader for jobs.
    pub fn load(&self) -> Load {
        let files = self.clone();
        Box::new(move |path, element, most| {
            let known = files.known.borrow();
            let bytes =
                known.get(path).ok_or("this page does not have the file: choose it, or drop it here")?;
            numbers(path, bytes, element, most).map_err(|error| format!("{}: {error}", path.display()))
        })
    }

    /// Lets the visitor pick a file, and draws a frame when there is one.
    pub fn pick(&self, ctx: &Context) {
        let (picked, ctx) = (self.picked.clone(), ctx.clone());
        let Some(input) = element::<HtmlInputElement>("input") else { return };
        input.set_type("file");
        input.set_accept(".json,.toml,.npy,.csv,.txt,.bin,.png,.jpg,.jpeg");
        let source = input.clone();
        let chosen = Closure::once_into_js(move || {
            let Some(file) = source.files().and_then(|files| files.get(0)) else { return };
            spawn_local(async move {
                let bytes = JsFuture::from(file.array_buffer()).await;
                let bytes = bytes.map(|buffer| Uint8Array::new(&buffer).to_vec());
                let bytes = bytes.map_err(|_| format!("{}: the browser cannot read it", file.name()));
                picked.borrow_mut().push(ChosenFile { name: file.name(), bytes });
                ctx.request_repaint();
            });
        });
        input.set_onchange(Some(chosen.unchecked_ref()));
        input.click();
    }

    /// Fetches a lesson or a language, without the visitor's cookies, and draws a frame when it is there.
    pub fn fetch(&self, address: String, ctx: &Context) {
        let (picked, ctx) = (self.picked.clone(), ctx.clone());
        spawn_local(async move {
            let bytes = fetched(&address).await.map_err(|error| format!("{address}: {error}"));
            picked.borrow_mut().push(ChosenFile { name: address, bytes });
            ctx.request_repaint();
        });
    }

    /// Takes the files that came since the last call.
    pub fn take_picked(&self) -> Vec<ChosenFile> {
        std::mem::take(&mut self.picked.borrow_mut())
    }
}

/// The bytes of a lesson or a language at an address, absolute or relative to the page.
async fn fetched(address: &str) -> Result<Vec<u8>, String> {
    if !address.ends_with(".toml") {
        return Err("its address ends with .toml".into());
    }
    let unreachable = |_| "the browser cannot fetch it; another site must allow that".to_owned();
    let options = RequestInit::new();
    options.set_credentials(RequestCredentials::Omit);
    let window = web_sys::window().ok_or("no window")?;
    let fetch = JsFuture::from(window.fetch_with_str_and_init(address, &options));
    let response: Response = fetch.await.and_then(JsCast::dyn_into).map_err(unreachable)?;
    if !response.ok() {
        return Err(format!("the server answers {}", response.status()));
    }
    // A browser may hold a blob outside of the page's memory, so its size is known before it is read.
    let blob = JsFuture::from(response.blob().map_err(unreachable)?);
    let blob: Blob = blob.await.and_then(JsCast::dyn_into).map_err(unreachable)?;
    if blob.size() > MOST_LESSON_BYTES as f64 {
        return Err(format!("it has {} bytes; at most {MOST_LESSON_BYTES}", blob.size()));
    }
    let buffer = JsFuture::from(blob.array_buffer()).await.map_err(unreachable)?;
    Ok(Uint8Array::new(&buffer).to_vec())
}

fn numbers(path: &Path, bytes: &[u8], element: ElementType, most: u64) -> Result<Loaded, String> {
    let format = Format::of_name(path).ok_or("expected .npy, .csv, .txt, .bin, .png or .jpg")?;
    let data = read_shrunk(&mut ByteSource::in_memory(bytes), format, element, most);
    let Data { numbers, note, .. } = data.map_err(|error| error.to_string())?;
    Ok(Loaded { numbers, note })
}

/// A new element of the page, in no place.
fn element<T: JsCast>(name: &str) -> Option<T> {
    let document = web_sys::window()?.document()?;
    document.create_element(name).ok()?.dyn_into().ok()
}

/// Saves bytes as a download.
pub fn download(name: &str, bytes: &[u8]) -> Result<(), JsValue> {
    let parts = Array::of1(&Uint8Array::from(bytes));
    let blob = Blob::new_with_u8_array_sequence(&parts)?;
    let url = Url::create_object_url_with_blob(&blob)?;
    if let Some(anchor) = element::<HtmlAnchorElement>("a") {
        anchor.set_href(&url);
        anchor.set_download(name);
        anchor.click();
    }
    // The browser has taken the content by the time the click returns.
    Url::revoke_object_url(&url)
}
