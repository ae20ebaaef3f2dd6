//! A job prepared on the visitor's device, for a script that runs it: to measure what a run costs in a page.

use rasterscan::tools::job::words_of_link;
use rasterscan::tools::task::{Ready, Task};
use rasterscan::{Gpu, Unsupported, tools::Job};
use rasterscan_app::job;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// A job with its plan compiled and its numbers on the device. Its first run was verified.
#[wasm_bindgen]
pub struct PreparedJob {
    gpu: Gpu,
    ready: Ready,
}

#[wasm_bindgen]
impl PreparedJob {
    /// Prepares the job of a link in a context of its own, and verifies its result.
    ///
    /// Errors: as text.
    #[wasm_bindgen(constructor)]
    pub fn new(link: &str) -> Result<PreparedJob, JsValue> {
        prepare(link).map_err(JsValue::from)
    }

    /// Issues all passes, and does not wait.
    ///
    /// Errors: as text.
    pub fn run(&mut self) -> Result<(), JsValue> {
        self.ready.run().map(drop).map_err(|error| error.to_string().into())
    }

    /// Waits until everything issued is done.
    ///
    /// Errors: as text.
    pub fn finish(&self) -> Result<(), JsValue> {
        self.gpu.finish().map_err(|error| error.to_string().into())
    }
}

fn prepare(link: &str) -> Result<PreparedJob, String> {
    let words = words_of_link(link);
    let job = Job::parse(words.iter().map(String::as_str)).map_err(|error| error.to_string())?;
    // Not the app's way, which cuts streams to what can be shown.
    let choice = job::choice(&job);
    let made = || {
        let task = Task::of_job(&job)?;
        let gpu = Gpu::headless()?;
        let Some(plan) = choice.plan(task.request(), gpu.device())? else {
            return Err(Unsupported::request(format!("{choice} runs on the CPU")).into());
        };
        let mut ready = task.prepare(&gpu, &plan)?;
        let results = task.run(&mut ready)?;
        let verified = task.verify(Some(plan.cost().depth), &results);
        Ok((PreparedJob { gpu, ready }, verified))
    };
    let (prepared, verified) = made().map_err(|error: rasterscan::Error| error.to_string())?;
    verified.map_err(|mismatch| mismatch.to_string())?;
    Ok(prepared)
}
