//! The app in a page, for wasm32-unknown-unknown. `index.html` starts it; `crates/site` builds and serves the folder.
//!
//! | file | what it does |
//! | --- | --- |
//! | `page.rs` | the app in eframe's shell, with the page's state in its address |
//! | `address.rs` | the address: reading, writing, Back and Forward |
//! | `engine.rs` | the visitor's GPU |
//! | `files.rs` | files by picker and drop, downloads |
//! | `measure.rs` | comparing algorithms on the visitor's device, in a worker |
//! | `still.rs` | runs as texts and still pictures |
//! | `prepared.rs` | a job for scripts to run |
//! | `selftest.rs` | the cases of conformance on the visitor's device |

#![cfg(target_family = "wasm")]
#![deny(missing_docs, unsafe_code)]

mod address;
mod engine;
mod files;
mod measure;
mod page;
mod prepared;
mod selftest;
mod still;

use std::sync::atomic::Ordering::Relaxed;

use eframe::{WebOptions, WebRunner};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};
use web_sys::HtmlCanvasElement;

/// Lets a panic say on the console where it came from.
#[wasm_bindgen(start)]
pub fn prepare() {
    console_error_panic_hook::set_once();
}

/// Starts the app on a canvas, in the state that the page's address holds.
#[wasm_bindgen]
pub async fn start(canvas: HtmlCanvasElement) -> Result<(), JsValue> {
    let runner = WebRunner::new();
    let begin = |context: &eframe::CreationContext<'_>| -> Result<Box<dyn eframe::App>, _> {
        Ok(Box::new(page::Page::new(context)))
    };
    runner.start(canvas, WebOptions::default(), Box::new(begin)).await?;
    // It runs as long as the page.
    std::mem::forget(runner);
    Ok(())
}

/// The number of frames that the app has drawn.
#[wasm_bindgen]
pub fn frames() -> u32 {
    page::FRAMES.load(Relaxed)
}

/// Runs `count` cases of conformance from number `first` on. Returns a report as JSON: the device, the number of all
/// cases, how many are right, the numbers compared, how many do not apply, and each failure with its job as a link.
///
/// Errors: no WebGL 2.
#[wasm_bindgen]
pub fn selftest(first: usize, count: usize) -> Result<String, JsValue> {
    selftest::run(first, count).map_err(|error| error.to_string().into())
}

/// Records jobs here and compares every texel and every read with those of kernels in Rust. Returns a report as JSON.
///
/// Errors: no WebGL 2.
#[wasm_bindgen]
pub fn recordings() -> Result<String, JsValue> {
    selftest::recordings().map_err(|error| error.to_string().into())
}

/// Jobs to look at, as links.
#[wasm_bindgen]
pub fn examples() -> Vec<String> {
    still::links()
}

/// The run of a link as text and as a still picture, made without WebGL, in the language of a catalogue, as JSON:
/// `svg`, `title` and `told` at the position `pass`, `history` with each position's narration and values, the words of the `job`,
/// and as `lacks` a sentence on the parts of the link that are left out. With a stop of the tour, `stop` has its `title`,
/// `text` and `question`. `stops` are the titles of all.
///
/// Errors: as text, if the link cannot be read or run.
#[wasm_bindgen]
pub fn still(link: &str, catalogue: &str, dark: bool) -> Result<String, JsValue> {
    still::show(link, catalogue, dark).map_err(JsValue::from)
}

/// The reply to an answer to the question of a link's stop.
///
/// Errors: as [`still`]; the link asks no question.
#[wasm_bindgen]
pub fn reply(link: &str, catalogue: &str, given: &str) -> Result<String, JsValue> {
    still::reply(link, catalogue, given).map_err(JsValue::from)
}

/// Compares all algorithms of a problem on this device: `sizes` are the logarithms of the lengths. `told` is called with
/// each step. Waits for the device, so it belongs into a worker. Returns JSON: the `document`, a chart as `svg`, and a
/// `table`.
///
/// Errors: as text.
#[wasm_bindgen]
pub fn compare(
    problem: &str,
    sizes: &[u32],
    seconds: f64,
    cores: usize,
    system: String,
    date: String,
    told: &js_sys::Function,
) -> Result<String, JsValue> {
    let host = measure::Host { cores, system, date };
    measure::run(problem, sizes, seconds, host, told).map_err(JsValue::from)
}

/// Checks cases of conformance on this device for so many seconds. `told` is called with each step. Waits for the device,
/// so it belongs into a worker. Returns JSON: the `document`, and a `table`.
///
/// Errors: as text.
#[wasm_bindgen]
pub fn check(
    seconds: f64,
    cores: usize,
    system: String,
    date: String,
    told: &js_sys::Function,
) -> Result<String, JsValue> {
    let host = measure::Host { cores, system, date };
    measure::check(seconds, host, told).map_err(JsValue::from)
}
