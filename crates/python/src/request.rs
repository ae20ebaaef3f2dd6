//! From keyword arguments to a task. The options are the library's: a keyword is a word of its grammar of jobs, so this
//! module knows none of them.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyRange, PyString, PyTuple};
use rasterscan::ElementType;
use rasterscan::algorithm::{CustomSyntax, InputInfo, Parameter, SideInput};
use rasterscan::tools::problem::{self, Request};
use rasterscan::tools::{Job, Numbers, Task};

use crate::errors::Failure;
use crate::numbers;
use crate::operator::Operator;

/// A job and its task.
#[derive(Debug)]
pub struct Asked {
    pub job: Job,
    pub task: Task<'static>,
}

/// The options of a problem, each with its default and a line of help.
///
/// Errors: `RequestError` for an unknown problem.
#[pyfunction]
pub fn options(problem: &str) -> Result<Vec<(String, &'static str, &'static str)>, Failure> {
    // An incomplete job says which problems there are.
    let job = Job::parse([problem, "file:"])?;
    let about = |option: &'static Parameter| (option.name.replace('-', "_"), option.default, option.about);
    Ok(job.problem.options.iter().map(about).collect())
}

/// The numbers in an item of an operator: 1, or 2 of affine; 1 of an unknown name, which is refused later.
#[pyfunction]
pub fn arity(op: &Bound<'_, PyAny>) -> u32 {
    match op.cast::<Operator>() {
        Ok(own) => own.get().operator.arity(),
        Err(_) => op
            .extract::<String>()
            .ok()
            .and_then(|name| rasterscan::Operator::named(&name))
            .map_or(1, |operator| operator.arity()),
    }
}

impl Asked {
    /// The task of a job in words that makes its own numbers.
    ///
    /// Errors: words that are no job, and as [`Task::of_job`].
    pub fn of_words(words: &[String]) -> Result<Asked, Failure> {
        let job = Job::parse(words.iter().map(String::as_str))?;
        let task = Task::of_job(&job)?;
        Ok(Asked { job, task })
    }

    /// The task of an array and keywords.
    ///
    /// Errors: as [`Words::of`] and [`Words::beside`].
    pub fn of_array(
        problem: &str,
        array: &Bound<'_, PyAny>,
        keywords: &Bound<'_, PyDict>,
    ) -> Result<Asked, Failure> {
        let words = Words::of(problem, keywords)?;
        let first = numbers::read(array, words.dtype)?;
        let Beside { request, streams } = words.beside(first.element(), first.len() as u64, Some(&first))?;
        let task = Task::new(request, std::iter::once(first).chain(streams))?;
        Ok(Asked { job: words.job, task })
    }
}

/// Keywords as a job, and what no word holds.
#[derive(Debug)]
pub struct Words<'py> {
    pub job: Job,
    /// The type that the array is converted to.
    dtype: Option<ElementType>,
    /// The arrays of options that are streams.
    arrays: Vec<(String, Bound<'py, PyAny>)>,
    operator: Option<rasterscan::Operator>,
}

/// A request, and the streams that it reads beside the first.
#[derive(Debug)]
pub struct Beside {
    pub request: Request,
    pub streams: Vec<Numbers>,
}

impl<'py> Words<'py> {
    /// Reads keywords. A value is a flag (`True`), an array for an option that is a stream, and for all others a text, as the
    /// program's option takes it, `algorithm` too; `range(8, 24)` and `(8, 24)` are `8..24`. `None` and `False` leave an option
    /// out.
    ///
    /// Errors: as [`Job::parse`].
    pub fn of(problem: &str, keywords: &Bound<'py, PyDict>) -> Result<Words<'py>, Failure> {
        let mut words: Vec<String> = [problem, "file:"].map(String::from).into();
        let (mut dtype, mut arrays, mut operator) = (None, Vec::new(), None);
        let known = problem::named(problem);
        for (name, value) in keywords {
            let name = name.extract::<String>()?.replace('_', "-");
            if let Ok(own) = value.cast::<Operator>() {
                operator = Some(own.get().operator.clone());
                continue;
            }
            if value.is_none() || value.extract::<bool>().is_ok_and(|set| !set) {
                continue;
            }
            if name == "dtype" {
                dtype = Some(numbers::element(&value)?);
                continue;
            }
            words.push(format!("--{name}"));
            let domain = known.and_then(|problem| problem.option(&name)).map(|option| option.domain);
            match domain.and_then(|domain| domain.custom) {
                _ if domain.is_some_and(|domain| domain.is_flag()) => {}
                Some(CustomSyntax::Stream(SideInput::Values)) => words.push(typed(&value)?),
                Some(CustomSyntax::Stream(_)) if !value.is_instance_of::<PyString>() => {
                    words.push("file:".into());
                    arrays.push((name, value));
                }
                _ => words.push(text(&value)?),
            }
        }
        let job = Job::parse(words.iter().map(String::as_str))?;
        Ok(Words { job, dtype, arrays, operator })
    }

    /// The request for a first stream of so many numbers, with its other streams.
    ///
    /// Errors: as the library's for its options; arrays as [`numbers::read`].
    pub fn beside(&self, element: ElementType, len: u64, first: Option<&Numbers>) -> Result<Beside, Failure> {
        let arity = self.operator.as_ref().map_or(self.job.arity(), |operator| operator.arity().into());
        if self.operator.is_some() && !len.is_multiple_of(arity) {
            return Err(Failure::Request(format!(
                "{len} numbers are not a whole number of items of {arity}"
            )));
        }
        let items = len / arity;
        // The first one only has to be there.
        let mut streams = vec![Numbers::U32(Vec::new())];
        for (option, side, source) in self.job.beside() {
            let element = side.element(Some(element));
            let numbers = match self.arrays.iter().find(|(name, _)| name == option.name) {
                Some((_, array)) => numbers::read(array, element)?,
                None => source.numbers(element)?.ok_or_else(|| {
                    Failure::Request(format!(
                        "{}: pass an array, or numbers such as values:1,0,1",
                        option.name
                    ))
                })?,
            };
            streams.push(self.job.stream(option.name, side, numbers, items, first)?);
        }
        // The library's options know no operator of the caller's: with one, an item is a number to them.
        let len = if self.operator.is_some() { items } else { len };
        let request = self.job.request_of(InputInfo::new(element, len), &streams)?;
        streams.remove(0);
        let request = match &self.operator {
            None => request,
            Some(operator) => request
                .by_operator(operator.clone())
                .ok_or_else(|| Failure::Request(format!("a {} has no operator", request.problem().noun)))?,
        };
        Ok(Beside { request, streams })
    }
}

/// Numbers as they are typed.
fn typed(value: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(text) = value.extract() {
        return Ok(text);
    }
    let list = value.py().import("numpy")?.call_method1("ravel", (value,))?.call_method0("tolist")?;
    let words: Vec<String> =
        list.try_iter()?.map(|item| Ok(item?.str()?.to_string())).collect::<PyResult<_>>()?;
    Ok(words.join(","))
}

/// A value as the program's option takes it.
fn text(value: &Bound<'_, PyAny>) -> PyResult<String> {
    let bounds = match (value.cast::<PyRange>(), value.cast::<PyTuple>()) {
        (Ok(range), _) => vec![range.getattr("start")?, range.getattr("stop")?],
        (_, Ok(pair)) => pair.iter().collect(),
        _ => vec![value.clone()],
    };
    let words: Vec<String> =
        bounds.iter().map(|bound| Ok(bound.str()?.to_string())).collect::<PyResult<_>>()?;
    Ok(words.join(".."))
}
