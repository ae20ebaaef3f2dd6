//! numpy's arrays, to and from numbers: one copy in, none out.

use numpy::{Element as NumpyElement, IntoPyArray, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rasterscan::tools::{Numbers, each, for_element};
use rasterscan::{Element, ElementType};

use crate::errors::Failure;

/// numpy's name of an element.
pub fn dtype(element: ElementType) -> &'static str {
    match element {
        ElementType::U32 => "uint32",
        ElementType::I32 => "int32",
        ElementType::F32 => "float32",
        ElementType::U64 => "uint64",
        ElementType::I64 => "int64",
    }
}

/// The element that a dtype of numpy is, or is widened to.
fn element_of(dtype: &Bound<'_, PyAny>) -> PyResult<Option<ElementType>> {
    let (kind, bytes): (String, usize) =
        (dtype.getattr("kind")?.extract()?, dtype.getattr("itemsize")?.extract()?);
    Ok(match (&*kind, bytes) {
        ("b", _) | ("u", 1 | 2 | 4) => Some(ElementType::U32),
        ("i", 1 | 2 | 4) => Some(ElementType::I32),
        ("u", 8) => Some(ElementType::U64),
        ("i", 8) => Some(ElementType::I64),
        ("f", 2 | 4) => Some(ElementType::F32),
        _ => None,
    })
}

/// The numbers of anything that numpy makes an array of, in C order, converted to an element if one is given.
///
/// Errors: `RequestError` for numbers that are no element, or do not fit.
pub fn read(numbers: &Bound<'_, PyAny>, wanted: Option<ElementType>) -> Result<Numbers, Failure> {
    let numpy = numbers.py().import("numpy")?;
    let array = numpy.call_method1("asarray", (numbers,))?.call_method1("reshape", (-1,))?;
    let of = array.getattr("dtype")?;
    let is_double =
        of.getattr("kind")?.extract::<String>()? == "f" && of.getattr("itemsize")?.extract::<usize>()? == 8;
    if is_double && wanted == Some(ElementType::F32) {
        let doubles = contiguous(&array, "float64")?;
        let doubles: PyReadonlyArray1<'_, f64> = doubles.extract()?;
        return Ok(Numbers::narrow(doubles.as_slice().map_err(PyErr::from)?)?);
    }
    let element = element_of(&of)?
        .or_else(|| (is_double && array.len().is_ok_and(|len| len == 0)).then_some(ElementType::F32));
    let element = element.ok_or_else(|| {
        let remedy = if is_double { "; dtype=\"float32\" rounds them" } else { "" };
        Failure::Request(format!(
            "{of} is not an element: expected {}, or what widens to them{remedy}",
            ElementType::ALL.map(dtype).join(", ")
        ))
    })?;
    let array = contiguous(&array, dtype(element))?;
    let numbers = for_element!(element, T => slice::<T>(&array)?);
    Ok(match wanted {
        Some(wanted) => numbers.convert(wanted)?,
        None => numbers,
    })
}

/// The array itself if it is contiguous, in this machine's byte order and of this type; otherwise a copy that is.
fn contiguous<'py>(array: &Bound<'py, PyAny>, dtype: &str) -> PyResult<Bound<'py, PyAny>> {
    let numpy = array.py().import("numpy")?;
    numpy.call_method1("ascontiguousarray", (array, dtype))
}

fn slice<T: Element + NumpyElement>(array: &Bound<'_, PyAny>) -> Result<Numbers, Failure> {
    let array: PyReadonlyArray1<'_, T> = array.extract()?;
    Ok(Numbers::of(array.as_slice().map_err(PyErr::from)?))
}

/// The numbers as an array that owns them.
pub fn write(py: Python<'_>, numbers: Numbers) -> Bound<'_, PyAny> {
    each!(numbers, values => values.into_pyarray(py).into_any())
}

/// An element by numpy's name, or by anything that `numpy.dtype` takes.
///
/// Errors: `TypeError` as numpy's, `RequestError` for a type that is no element.
pub fn element(dtype: &Bound<'_, PyAny>) -> Result<ElementType, Failure> {
    let numpy = dtype.py().import("numpy")?;
    let known = numpy.call_method1("dtype", (dtype,))?;
    let name: String = known.getattr("name")?.extract()?;
    let found = ElementType::ALL.into_iter().find(|element| self::dtype(*element) == name);
    found.ok_or_else(|| {
        let all = ElementType::ALL.map(self::dtype).join(", ");
        Failure::Request(format!("dtype cannot be {name}; expected {all}"))
    })
}

/// Arrays by the names of their streams.
pub fn dict<'py>(
    py: Python<'py>,
    streams: impl Iterator<Item = (&'static str, Numbers)>,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (name, numbers) in streams {
        dict.set_item(name, write(py, numbers))?;
    }
    Ok(dict)
}
