//! Streams that stay on the GPU, textures and buffers of the caller's among them; and plans that run on them.

use std::cell::RefCell;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use rasterscan::tools::job::Wanted;
use rasterscan::tools::{Numbers, for_element};
use rasterscan::{Unsupported, gl, plan::Layout};

use crate::engine::Engine;
use crate::errors::Failure;
use crate::gpu::Gpu;
use crate::here::Here;
use crate::numbers;
use crate::request::{Beside, Words};

/// Numbers in a texture or a buffer.
#[pyclass(frozen, module = "rasterscan")]
#[derive(Debug)]
pub struct Stream {
    gpu: Py<Gpu>,
    stream: Arc<Here<gl::Stream>>,
    layout: Layout,
    /// The names in OpenGL.
    texture: Option<u32>,
    buffer: Option<u32>,
}

/// A stream on its way from the thread of its context.
type Made = (Here<gl::Stream>, Layout, Option<u32>, Option<u32>);

fn made(stream: gl::Stream) -> Made {
    let (texture, buffer) =
        (stream.texture().map(|name| name.0.get()), stream.buffer().map(|name| name.0.get()));
    let layout = *stream.layout();
    (Here::new("Stream", stream), layout, texture, buffer)
}

impl Stream {
    fn of(gpu: Py<Gpu>, (stream, layout, texture, buffer): Made) -> Stream {
        Stream { gpu, stream: Arc::new(stream), layout, texture, buffer }
    }

    /// A stream that `make` makes on the thread of the context.
    ///
    /// Errors: those of the engine, and of `make`.
    pub fn new(
        gpu: &Bound<'_, Gpu>,
        make: impl FnOnce(&Engine) -> Result<gl::Stream, Failure> + Send + 'static,
    ) -> Result<Stream, Failure> {
        let stream = gpu.get().on(gpu.py(), move |engine| make(engine).map(made))?;
        Ok(Stream::of(gpu.clone().unbind(), stream))
    }
}

#[pymethods]
impl Stream {
    /// The name of its texture in OpenGL; `None` if it lies in a buffer.
    #[getter]
    fn texture(&self) -> Option<u32> {
        self.texture
    }

    /// The name of its buffer in OpenGL; `None` if it lies in a texture.
    #[getter]
    fn buffer(&self) -> Option<u32> {
        self.buffer
    }

    /// numpy's name of its numbers' type.
    #[getter]
    fn dtype(&self) -> &'static str {
        numbers::dtype(self.layout.element)
    }

    /// Columns and rows of its texture, in texels.
    #[getter]
    fn size(&self) -> (u32, u32) {
        (self.layout.width, self.layout.height)
    }

    /// Consecutive items in a texel.
    #[getter]
    fn items_per_texel(&self) -> u32 {
        self.layout.items_per_texel
    }

    fn __len__(&self) -> usize {
        self.layout.elements() as usize
    }

    /// The numbers as an array, or the first ones. Waits for the GPU.
    #[pyo3(signature = (count=None))]
    fn read<'py>(&self, py: Python<'py>, count: Option<u64>) -> PyResult<Bound<'py, PyAny>> {
        let (stream, element) = (self.stream.clone(), self.layout.element);
        let read = self.gpu.get().on(py, move |_| {
            let stream = stream.get()?;
            Ok(for_element!(element, T => Numbers::from(match count {
                Some(count) => stream.read_first::<T>(count)?,
                None => stream.read::<T>()?,
            })))
        })?;
        Ok(numbers::write(py, read))
    }

    fn __repr__(&self) -> String {
        format!("Stream({})", self.layout)
    }
}

/// A plan that is compiled, with its memory. A call runs it and reads nothing back.
#[pyclass(frozen, module = "rasterscan")]
#[derive(Debug)]
pub struct Prepared {
    gpu: Py<Gpu>,
    ready: Arc<Here<Ready>>,
    algorithm: String,
}

/// A plan with the streams beside the first.
type Ready = (RefCell<gl::Prepared>, Vec<gl::Stream>);

impl Prepared {
    /// The plan of a request of streams like this one. Arrays among the keywords are uploaded.
    ///
    /// Errors: as for an array, and [`Unsupported`] if only the CPU can serve the request.
    pub fn new(
        gpu: &Bound<'_, Gpu>,
        problem: &str,
        stream: &Stream,
        keywords: &Bound<'_, PyDict>,
    ) -> Result<Prepared, Failure> {
        let words = Words::of(problem, keywords)?;
        let layout = stream.layout;
        let Beside { request, streams } = words.beside(layout.element, layout.elements(), None)?;
        let job = words.job;
        let (ready, algorithm) = gpu.get().on(gpu.py(), move |engine| {
            let context = engine.gpu("a stream")?;
            let mut plan = match job.algorithm {
                Wanted::Auto => context.plan_auto(&request)?,
                _ => job.choose(&request, context.device())?.plan.ok_or_else(|| {
                    rasterscan::Error::from(Unsupported::request("this algorithm runs on the CPU, and takes arrays"))
                })?,
            };
            let mut layouts: Vec<_> = plan.inputs().map(|slot| (*plan.layout(slot), None)).collect();
            if layouts[0].0 != layout {
                layouts[0].0 = layout;
                plan = plan.for_inputs(&layouts)?;
            }
            let prepared = context.prepare(&plan)?;
            let upload = |(number, numbers): (usize, &Numbers)| {
                for_element!(numbers.element(), T => prepared.upload_input::<T>(number + 1, numbers.get()?))
            };
            let beside = streams.iter().enumerate().map(upload).collect::<Result<Vec<_>, _>>()?;
            Ok((Here::new("Prepared", (RefCell::new(prepared), beside)), plan.name()))
        })?;
        Ok(Prepared { gpu: gpu.clone().unbind(), ready: Arc::new(ready), algorithm })
    }
}

#[pymethods]
impl Prepared {
    /// Runs the plan on a stream like the one that it was prepared for. The results, by name, stay on the GPU until the next
    /// run; of a compaction, `count` says how many of the others count.
    fn __call__<'py>(&self, py: Python<'py>, stream: &Stream) -> PyResult<Bound<'py, PyDict>> {
        let (ready, input) = (self.ready.clone(), stream.stream.clone());
        let results = self.gpu.get().on(py, move |_| {
            let (ready, input) = (ready.get()?, input.get()?);
            let (prepared, beside) = &*ready;
            let mut prepared = prepared.borrow_mut();
            let names: Vec<String> = prepared
                .plan()
                .outputs()
                .iter()
                .map(|slot| prepared.plan().slots()[slot.index()].name.clone())
                .collect();
            let inputs: Vec<&gl::Stream> = std::iter::once(&*input).chain(beside).collect();
            let outputs = prepared.run(&inputs)?;
            let results: Vec<_> =
                names.into_iter().zip(outputs.streams().map(|stream| made(stream.clone()))).collect();
            Ok(results)
        })?;
        let dict = PyDict::new(py);
        let only = results.len() == 1;
        for (name, result) in results {
            let name = if only { "values" } else { &name };
            dict.set_item(name, Stream::of(self.gpu.clone_ref(py), result))?;
        }
        Ok(dict)
    }

    /// The algorithm, with its parameters.
    #[getter]
    fn algorithm(&self) -> &str {
        &self.algorithm
    }
}
