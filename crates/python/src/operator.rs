//! Operators in GLSL, with a twin in Python for the reference.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::types::{PySlice, PyTuple};
use rasterscan::ElementType;
use rasterscan::operator::{Definition, OperatorError};
use rasterscan::tools::Numbers;

use crate::errors::Failure;
use crate::numbers;

/// An associative operator of one's own, for `op=` of scans and reductions.
///
/// `glsl` defines `Item combine(Item left, Item right)`, where `left` is the earlier item. An item has as many numbers as
/// `identity`, an array whose dtype says on which element the operator works; a tuple of arrays defines it on several. An
/// item of one number is an `Element` in GLSL, of two a `struct` of `a` and `b`, of more a `struct` of the array `e`;
/// `element_add`, `element_less` and others work on elements. `commutes` says whether the order of the two is free.
///
/// `twin(left, right)` computes the same from two arrays, for `verify=True` and for the engine without a driver. It is
/// called for each item, which takes a microsecond or two.
///
/// With a twin the identity is tried on small numbers, or on 256 or more items of `domain` if not every number is one:
/// `domain=range(7)` for residues modulo 7. Items of several numbers are rows.
///
/// Errors: `RequestError`, if the identity changes an item; what the twin raises.
#[pyclass(frozen, module = "rasterscan")]
#[derive(Debug)]
pub struct Operator {
    pub operator: rasterscan::Operator,
    has_twin: bool,
    raised: Raised,
}

/// The first exception that a twin raised and no call has reported.
type Raised = Arc<Mutex<Option<PyErr>>>;

#[pymethods]
impl Operator {
    #[new]
    #[pyo3(signature = (name, glsl, identity, twin=None, commutes=false, domain=None))]
    fn new(
        name: String,
        glsl: String,
        identity: &Bound<'_, PyAny>,
        twin: Option<Py<PyAny>>,
        commutes: bool,
        domain: Option<&Bound<'_, PyAny>>,
    ) -> Result<Operator, Failure> {
        let identities = match identity.cast::<PyTuple>() {
            Ok(several) => several.iter().collect(),
            Err(_) => vec![identity.clone()],
        };
        let mut definition = Definition::new(name, glsl).commutes(commutes);
        for identity in identities {
            let identity = numbers::read(&identity, None)?;
            let (element, words) = (identity.element(), identity.words());
            definition = definition.identity(element, words);
            for item in domain
                .map(|domain| samples(domain, element))
                .transpose()?
                .iter()
                .flat_map(|items| items.words().chunks(words.len().max(1)))
            {
                definition = definition.sample(element, item);
            }
        }
        let raised = Raised::default();
        let has_twin = twin.is_some();
        if let Some(twin) = twin {
            let raised = raised.clone();
            definition = definition.twin(move |element, left, right, result| {
                match Python::attach(|py| combine(py, &twin, element, [left, right])) {
                    Ok(numbers) if numbers.words().len() == result.len() => {
                        result.copy_from_slice(numbers.words())
                    }
                    Ok(numbers) => {
                        let items = result.len() / element.words() as usize;
                        let what = format!("the twin returned {} numbers; expected {items}", numbers.len());
                        keep(&raised, Failure::Request(what).into());
                    }
                    Err(error) => keep(&raised, error.into()),
                }
            });
        }
        let operator = rasterscan::Operator::new(definition);
        let operator = operator.map_err(|error| match error {
            OperatorError::WrongIdentity { .. } => Failure::Request(format!(
                "{error}; if that is not an item, say which numbers are: domain=range(7)"
            )),
            error => error.into(),
        });
        Ok(Operator { operator: reported(&raised, operator)?, has_twin, raised })
    }

    fn __repr__(&self) -> String {
        format!("Operator({:?})", self.operator.name())
    }
}

impl Operator {
    /// The results of a call, unless its twin raised; wrong ones name the operator.
    pub fn reported<T>(&self, results: Result<T, Failure>) -> Result<T, Failure> {
        reported(&self.raised, results).map_err(|failure| match failure {
            Failure::Wrong { algorithm, mismatch } => {
                let name = self.operator.name();
                let why = match self.operator.counterexample() {
                    Some(example) => format!("it is not associative: {example}"),
                    None => "its GLSL and its twin differ, or one of them is not associative".into(),
                };
                Failure::Wrong {
                    algorithm: format!("{algorithm} with the operator {name} ({why})"),
                    mismatch,
                }
            }
            other => other,
        })
    }

    /// Errors: a check of results without a twin.
    pub fn can_verify(&self) -> Result<(), Failure> {
        let reason = || {
            format!("the operator {} has no twin to check its results with; pass twin=", self.operator.name())
        };
        self.has_twin.then_some(()).ok_or_else(|| Failure::Request(reason()))
    }
}

/// Some items of a domain, spread over it.
fn samples(domain: &Bound<'_, PyAny>, element: ElementType) -> Result<Numbers, Failure> {
    let step = (domain.len()? / 256).max(1);
    let some = domain.get_item(PySlice::new(domain.py(), 0, isize::MAX, step as isize))?;
    numbers::read(&some, Some(element))
}

fn reported<T>(raised: &Raised, results: Result<T, Failure>) -> Result<T, Failure> {
    let raised = raised.lock().unwrap_or_else(PoisonError::into_inner).take();
    raised.map_or(results, |error| Err(error.into()))
}

fn keep(raised: &Raised, error: PyErr) {
    raised.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
}

fn combine(
    py: Python<'_>,
    twin: &Py<PyAny>,
    element: ElementType,
    items: [&[u32]; 2],
) -> Result<Numbers, Failure> {
    let array = |words: &[u32]| {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
        numbers::write(py, Numbers::of_bytes(element, &bytes))
    };
    let result = twin.bind(py).call1((array(items[0]), array(items[1])))?;
    let numpy = py.import("numpy")?;
    // As numpy has it: integers wrap.
    let result =
        numpy.call_method1("asarray", (result,))?.call_method1("astype", (numbers::dtype(element),))?;
    numbers::read(&result, Some(element))
}
