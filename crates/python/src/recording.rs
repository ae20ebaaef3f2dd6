//! Recordings as pictures and sentences.

use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use rasterscan::tools::Numbers;
use rasterscan_picture::{Pages, Style, Subject};

use crate::engine::Engine;
use crate::errors::Failure;
use crate::numbers;
use crate::request::Asked;

/// The slider's script: it shows one page.
const MOVE: &str = "for (const [page, shown] of [...this.parentElement.querySelectorAll('[data-page]')].entries()) shown.hidden = page != this.value";

/// A run with everything that it read and wrote. Page 0 is the input, page k is after pass k.
#[pyclass(frozen, module = "rasterscan")]
#[derive(Debug)]
pub struct Recording(rasterscan::trace::Recording);

impl Recording {
    /// Runs and records a task on an engine.
    ///
    /// Errors: as [`rasterscan::tools::record::record()`].
    pub fn of(engine: &Engine, Asked { job, task }: &Asked) -> Result<Recording, Failure> {
        let choice = job.choose(task.request(), engine.device())?.choice;
        Ok(Recording(match engine {
            Engine::Gl(gpu) => rasterscan::tools::record::record(gpu, &choice, task)?,
            Engine::Kernels(_) => rasterscan_kernels::record(&choice, task)?,
        }))
    }
}

#[pymethods]
impl Recording {
    /// The algorithm, with its parameters.
    #[getter]
    fn algorithm(&self) -> &str {
        &self.0.algorithm
    }

    /// The request in words.
    #[getter]
    fn request(&self) -> String {
        self.0.request.to_string()
    }

    /// The device, or the kernels, that ran it.
    #[getter]
    fn device(&self) -> &str {
        &self.0.device
    }

    /// The number of passes.
    fn __len__(&self) -> usize {
        self.0.passes.len()
    }

    /// A sentence or two on each page, with the numbers of this run.
    #[getter]
    fn narration(&self) -> Vec<String> {
        (0..=self.0.passes.len()).map(|page| rasterscan_lesson::narrate(&self.0, page)).collect()
    }

    /// The numbers of the first stream that each pass writes, as they lie in memory: padding included.
    #[getter]
    fn values<'py>(&self, py: Python<'py>) -> Vec<Bound<'py, PyAny>> {
        let written =
            self.0.passes.iter().map(|pass| pass.targets.first().map(|target| target.values.clone()));
        written.map(|values| numbers::write(py, values.unwrap_or(Numbers::U32(Vec::new())))).collect()
    }

    /// All pages as SVG.
    #[getter]
    fn pages(&self) -> Vec<String> {
        let subject = Subject::new(self.0.clone());
        let pages = Pages::new(&[&subject], Style::default());
        (0..pages.count()).map(|page| pages.svg(page, &[])).collect()
    }

    /// A page as SVG; negative ones count from the end.
    ///
    /// Errors: `IndexError`.
    #[pyo3(signature = (page=-1))]
    fn svg(&self, page: isize) -> PyResult<String> {
        let subject = Subject::new(self.0.clone());
        let pages = Pages::new(&[&subject], Style::default());
        let index = if page < 0 { page + pages.count() as isize } else { page };
        let index = usize::try_from(index).ok().filter(|index| *index < pages.count());
        let index =
            index.ok_or_else(|| PyIndexError::new_err(format!("page {page} of {}", pages.count())))?;
        Ok(pages.svg(index, &[]))
    }

    /// The pages with a slider over them, the input first, for a notebook or a page: nothing else is needed.
    fn html(&self) -> String {
        let pages = self.pages();
        let last = self.0.passes.len();
        let hidden = |page: usize| if page == 0 { "" } else { " hidden" };
        let page = |(page, svg): (usize, &String)| format!("<div data-page{}>{svg}</div>", hidden(page));
        let pages: String = pages.iter().enumerate().map(page).collect();
        format!(
            r#"<div class="rasterscan"><input type="range" min="0" max="{last}" value="0" aria-label="pass" style="width: 24em; max-width: 100%" oninput="{MOVE}">{pages}</div>"#
        )
    }

    fn _repr_html_(&self) -> String {
        self.html()
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        self.svg(-1)
    }

    /// The recording as JSON: `rasterscan trace show` and the app open it.
    ///
    /// Errors: `Error`.
    fn json(&self) -> Result<String, Failure> {
        let bytes = self.0.to_json().map_err(|error| Failure::Request(error.to_string()))?;
        String::from_utf8(bytes).map_err(|error| Failure::Request(error.to_string()))
    }

    fn __repr__(&self) -> String {
        format!("Recording({}, {}, {} passes)", self.0.algorithm, self.0.request, self.0.passes.len())
    }
}
