//! The scan as a problem: its options, its reference, the check of results, and its fastest algorithms.

use std::any::Any;

use super::reference::{sequential_with, verify_with};
use super::system::one_exchange_words;
use super::{Batch, CARDS, Recurrence, ScanKind, ScanSpec, Segments, SideStreams, first, option_passes};
use crate::algorithm::results::{Mismatch, Results, Verified, same};
use crate::algorithm::{Algorithm, Input, InputInfo, Output, Placement, Problem, Request, Spec};
use crate::algorithm::{Arguments, Candidates, CustomSyntax, Domain, NumberRange, Parameter, SideInput};
use crate::device::Device;
use crate::each;
use crate::element::Element;
use crate::error::Error;
use crate::limits::{MAX_LEN, MAX_ORDER, MAX_TUPLE, SpecError};
use crate::numbers::Numbers;
use crate::operator::{MOST_ELEMENTS, Operator};
use crate::plan::{Cost, ItemType, Plan, Slot};
use crate::tuning::Shape;
use crate::tuning::table::{self, Traits};

/// Prefix sums.
pub static PROBLEM: Problem = Problem {
    name: "scan",
    noun: "scan",
    summary: "Scan numbers: prefix sums, or another associative operator",
    pictures: "luma, row by row; with --channels every channel",
    examples: "\
Examples:
  rasterscan scan photo.jpg -o sums.npy
  seq 1 10 | rasterscan scan - --exclusive
  rasterscan scan random:n=1000000 -a hybrid:reduce=8 --json
  rasterscan scan random:n=2^20 -a sam --order 2 -v -o sums.npy
  rasterscan scan numbers.csv --op max -a all -o highest.csv",
    options: &[
        OPERATOR,
        Parameter {
            name: "exclusive",
            about: "Exclude each value from its own result",
            default: "",
            candidates: Candidates::NONE,
            domain: Domain::FLAG,
        },
        ORDER,
        TUPLE,
        RECURRENCE,
        Parameter {
            name: "channels",
            about: "Keep an image's channels interleaved and scan each on its own (sets --tuple)",
            default: "",
            candidates: Candidates::NONE,
            domain: Domain::FLAG,
        },
        ROWS,
        COLUMNS,
        SEGMENTS,
        OFFSETS,
        KEYS,
        Parameter {
            name: "reverse",
            about: "Scan from the last item to the first",
            default: "",
            candidates: Candidates::NONE,
            domain: Domain::FLAG,
        },
        Parameter {
            name: "seed-value",
            about: "Begin each scan with this value (one for each of --tuple; two for each with affine)",
            default: "",
            candidates: Candidates::NONE,
            domain: Domain::custom(CustomSyntax::Stream(SideInput::Values)),
        },
    ],
    alternatives: &[
        PARTS,
        &["recurrence", "order"],
        &["recurrence", "rows"],
        &["recurrence", "columns"],
        &["recurrence", "segments"],
        &["recurrence", "offsets"],
        &["recurrence", "keys"],
        &["recurrence", "seed-value"],
        &["tuple", "channels"],
    ],
    whole,
    cards: CARDS,
    request,
    fastest,
    rivals: &["packed", "hybrid", "look_back", "sam", "reduce_then_scan"],
    shapes: &[Shape::PLAIN, Shape::HIGHER_ORDER, Shape::TUPLES, Shape::BOTH],
    #[cfg(feature = "recordings")]
    read: Request::read::<ScanSpec>,
};

/// The option of problems that combine items.
pub(crate) const OPERATOR: Parameter = Parameter {
    name: "op",
    about: "The operator; affine takes pairs a, b; argmin and argmax give the index of the first smallest or largest value, of which NaN is the first, as in numpy; min and max mostly skip NaN, which numpy propagates, and results after one are not checked",
    default: "add",
    candidates: Candidates::NONE,
    domain: Domain::words(&OPERATIONS),
};

/// The operators, and the operations that find an item.
const OPERATIONS: [&str; Operator::NAMES.len() + 2] = {
    let mut names = ["argmax"; Operator::NAMES.len() + 2];
    let mut number = 0;
    while number < Operator::NAMES.len() {
        names[number] = Operator::NAMES[number];
        number += 1;
    }
    names[number] = "argmin";
    names
};

/// An option of problems that take rows, columns or segments, as the next ones are.
pub(crate) const ROWS: Parameter = Parameter {
    name: "rows",
    about: "Treat each row of this many items on its own",
    default: "",
    candidates: Candidates::NONE,
    domain: Domain::numbers(WIDTH, &[]),
};

pub(crate) const COLUMNS: Parameter = Parameter {
    name: "columns",
    about: "Treat each column on its own; a row has this many items",
    default: "",
    candidates: Candidates::NONE,
    domain: Domain::numbers(WIDTH, &[]),
};

pub(crate) const SEGMENTS: Parameter = Parameter {
    name: "segments",
    about: "Treat each segment on its own: one begins where this input is not 0",
    default: "",
    candidates: Candidates::NONE,
    domain: Domain::custom(CustomSyntax::Stream(SideInput::Bits)),
};

pub(crate) const OFFSETS: Parameter = Parameter {
    name: "offsets",
    about: "Treat each segment on its own: this input has the index of each one's first item, in ascending order",
    default: "",
    candidates: Candidates::NONE,
    domain: Domain::custom(CustomSyntax::Stream(SideInput::Offsets)),
};

pub(crate) const KEYS: Parameter = Parameter {
    name: "keys",
    about: "Treat each run of equal keys on its own: this input has the key of each item",
    default: "",
    candidates: Candidates::NONE,
    domain: Domain::custom(CustomSyntax::Stream(SideInput::Keys)),
};

/// The options that divide a stream into parts; they exclude each other.
pub(crate) const PARTS: &[&str] = &["rows", "columns", "segments", "offsets", "keys"];

/// Items in a row.
const WIDTH: NumberRange = NumberRange { min: 1, max: MAX_LEN as u32, powers_of_two: false };

/// The output of a total.
const TOTAL: &str = "total";

const ORDER: Parameter = Parameter {
    name: "order",
    about: "Repeat the scan this many times",
    default: "1",
    candidates: Candidates::NONE,
    domain: Domain::numbers(NumberRange { min: 1, max: MAX_ORDER, powers_of_two: false }, &[]),
};

/// The option of problems that take interleaved streams.
pub(crate) const TUPLE: Parameter = Parameter {
    name: "tuple",
    about: "Treat the stream as this many interleaved ones",
    default: "1",
    candidates: Candidates::NONE,
    domain: Domain::numbers(NumberRange { min: 1, max: MAX_TUPLE, powers_of_two: false }, &[]),
};

const RECURRENCE: Parameter = Parameter {
    name: "recurrence",
    about: "A linear recurrence a0,a1,...:b1,b2,... in place of sums: y[i] = a0 x[i] + a1 x[i-1] ... + b1 y[i-1] ...; \
            1,2,-1 is 1:2,-1",
    default: "",
    candidates: Candidates::NONE,
    domain: Domain::custom(CustomSyntax::Text {
        reads: |text| text.parse::<Recurrence>().is_ok(),
        title: "Recurrence",
        expected: "a0,a1,...:b1,b2,..., whole numbers, at least a0 and at most 8 of each",
        examples: &["2,-1,3:0,5,1"],
    }),
};

/// The items that belong together: those of a row, of a tuple in each column, or of a tuple.
pub(crate) fn whole(options: &Arguments) -> u64 {
    let number = |name: &str| options.number(name).map(u64::from);
    let tuple = number("tuple").unwrap_or(1).max(1);
    match (number("rows"), number("columns")) {
        (Some(width), _) if width.is_multiple_of(tuple) => width,
        (_, Some(width)) => width * tuple,
        _ => tuple,
    }
}

/// The operator in these options, and the number of items in the stream.
pub(crate) fn items(arguments: &Arguments, given: InputInfo) -> Result<(Operator, u64), SpecError> {
    let operator = arguments.operator();
    let arity = u64::from(operator.arity());
    if !given.len.is_multiple_of(arity) {
        return Err(SpecError::NoPairs { operator, len: given.len });
    }
    Ok((operator, given.len / arity))
}

fn request(arguments: &Arguments, given: InputInfo) -> Result<Request, Error> {
    let (operator, len) = items(arguments, given)?;
    let channels = arguments.flag("channels").then_some(given.channels);
    let kind = if arguments.flag("exclusive") { ScanKind::Exclusive } else { ScanKind::Inclusive };
    let spec = ScanSpec {
        len,
        element: given.element,
        operator,
        kind,
        order: arguments.number("order").unwrap_or(1),
        tuple: channels.or(arguments.number("tuple")).unwrap_or(1),
        recurrence: arguments.word("recurrence").map(str::parse).transpose()?,
        batch: Batch::of(arguments),
        segments: Segments::of(arguments, given),
        reversed: arguments.flag("reverse"),
        has_seed: arguments.flag("seed-value"),
        has_gpu_length: false,
        has_total: false,
        has_index: false,
    };
    let spec = match arguments.word("op") {
        Some("argmin") => spec.argmin(),
        Some("argmax") => spec.argmax(),
        _ => spec,
    };
    spec.check()?;
    Ok(Request::new(spec))
}

pub(super) fn fastest(spec: &dyn Spec, device: &Device) -> &'static [&'static str] {
    let Some(spec) = (spec as &dyn Any).downcast_ref::<ScanSpec>() else { return &[] };
    let (is_split, one, words) = (spec.is_split(), spec.is_one_stream(), spec.item_words());
    let traits = Traits {
        len: spec.len,
        order: spec.order,
        tuple: spec.tuple,
        // An item that no texel holds lies in a buffer; a split stream's has a flag.
        words: words + if is_split { spec.element.words() } else { 0 },
        recurs: spec.recurrence.is_some(),
        by_columns: matches!(spec.batch, Batch::Columns(_)),
        is_split,
        state_words: one_exchange_words(spec).filter(|_| one),
        is_plain: one && words == 1 && !spec.element.is_float(),
        whole_texels: in_whole_texels(spec),
        ..device.traits()
    };
    table::fastest(&table::SCANS, &traits)
}

impl ScanSpec {
    /// The further streams, of [`Spec::inputs`]; the segments are [`Segments::of_inputs`].
    fn beside<'a, T: Element>(
        &self,
        inputs: &[&'a Numbers],
        segments: &'a [u32],
    ) -> Result<SideStreams<'a, T>, Error> {
        let seed = inputs.get(1 + usize::from(self.segments != Segments::None)).filter(|_| self.has_seed);
        Ok(SideStreams { segments, seed: seed.map_or(Ok(&[][..]), |seed| seed.get())? })
    }

    /// The items that count, if an input says.
    fn counted(&self, inputs: &[&Numbers]) -> Option<u64> {
        Input::valid(self.has_gpu_length, inputs, self.len)
    }

    /// The total of the items that count.
    fn total<T: Element>(&self, inputs: &[&Numbers], input: &[T]) -> Result<Numbers, Error> {
        let tuple = self.tuple as usize * self.operator.arity() as usize;
        let beside: SideStreams<'_, T> = self.beside(inputs, &[])?;
        let all = sequential_with(&ScanSpec { kind: ScanKind::Inclusive, ..self.clone() }, input, beside)?;
        let count =
            self.counted(inputs).map_or(all.len(), |valid| valid as usize * self.operator.arity() as usize);
        // The last tuple that is visited, whose members are visited in their order.
        let last: Vec<T> = match (count >= tuple, self.reversed) {
            (false, _) if self.has_seed => beside.seed.to_vec(),
            (false, _) => self.operator.identity::<T, MOST_ELEMENTS>()[..self.operator.arity() as usize]
                .repeat(self.tuple as usize),
            (true, false) => all[count - tuple..count].to_vec(),
            (true, true) => {
                all[..tuple].chunks(self.operator.arity() as usize).rev().flatten().copied().collect()
            }
        };
        Ok(Numbers::of(&last))
    }

    /// Checks the total of floats, which follows from the last results: bit by bit if these are inclusive.
    fn verify_total<T: Element>(
        &self,
        got: &[T],
        results: &Results,
        verified: Verified,
    ) -> Result<Verified, Mismatch> {
        let tuple = self.tuple as usize * self.operator.arity() as usize;
        let Some(total) = results.get("total").filter(|_| self.has_total) else { return Ok(verified) };
        let total: &[T] = total.get().unwrap_or_default();
        if self.kind == ScanKind::Exclusive || self.reversed || got.len() < tuple {
            return Ok(Verified { unbounded: verified.unbounded + total.len() as u64, ..verified });
        }
        let compared = same("element of the total", &got[got.len() - tuple..], total)?;
        Ok(Verified { compared: verified.compared + compared, ..verified })
    }

    /// Names and values of options that are set.
    fn options(&self) -> impl Iterator<Item = (&'static str, String)> {
        let recurrence = self.recurrence.as_ref().map(|of| ("recurrence", of.to_string()));
        let reversed = self.reversed.then(|| ("direction", "reverse".to_owned()));
        let counted = self.has_gpu_length.then(|| ("length", "on the GPU".to_owned()));
        let seeded = self.has_seed.then(|| ("seed-value", "given".to_owned()));
        let totalled = self.has_total.then(|| ("total", "given".to_owned()));
        [recurrence, self.batch.fact(), self.segments.fact(), reversed, seeded, counted, totalled]
            .into_iter()
            .flatten()
    }
}

/// Returns true if no tuple lies across the texels of the packed scan.
fn in_whole_texels(spec: &ScanSpec) -> bool {
    spec.tuple == 1 || spec.tuple.is_multiple_of((4 / spec.item_words()).max(1))
}

impl Spec for ScanSpec {
    fn problem(&self) -> &'static Problem {
        &PROBLEM
    }

    fn len(&self) -> u64 {
        self.len
    }

    fn item(&self) -> ItemType {
        ItemType { element: self.element, operator: self.operator.clone() }
    }

    fn check(&self) -> Result<(), SpecError> {
        ScanSpec::check(self)
    }

    fn inputs(&self) -> Vec<Input> {
        let (element, arity) = (self.element, self.operator.arity());
        let input = Input::items("input", element, arity, self.len);
        let seed =
            Input { own_texels: Some(1), ..Input::items("seed-value", element, arity, self.tuple.into()) };
        let length = self.has_gpu_length.then(Input::length);
        [Some(input), self.segments.input(self.len), self.has_seed.then_some(seed), length]
            .into_iter()
            .flatten()
            .collect()
    }

    fn outputs(&self) -> Vec<Output> {
        let (element, arity) = (self.element, self.operator.arity());
        let mut outputs: Vec<Output> = first::outputs(element, arity, self.has_index).collect();
        if self.has_total {
            outputs.push(Output { name: TOTAL, ..outputs[0] });
        }
        outputs
    }

    fn check_inputs(&self, inputs: &[&Numbers]) -> Result<(), Error> {
        self.segments.check(self.len, inputs)
    }

    fn placements<A: Algorithm<Self> + ?Sized>(
        &self,
        algorithm: &A,
        device: &Device,
    ) -> Result<Vec<Placement>, Error> {
        // The passes around an algorithm leave it a scan of a whole stream.
        let own =
            if self.is_whole() || algorithm.handles_natively(self, device) { self } else { &self.whole() };
        let placement = algorithm.placement(own, device)?;
        Ok(self.inputs().iter().map(|input| input.place(placement)).collect())
    }

    fn build<A: Algorithm<Self> + ?Sized>(
        &self,
        algorithm: &A,
        plan: &mut Plan,
        inputs: &[Slot],
        device: &Device,
    ) -> Result<Vec<Slot>, Error> {
        option_passes::build(self, algorithm, plan, inputs, device)
    }

    fn shape(&self) -> Shape {
        Shape::new(self.order, self.tuple)
    }

    fn solve(&self, inputs: &[&Numbers]) -> Result<Results, Error> {
        each!(inputs[0], input => {
            let segments = self.segments.of_inputs(inputs)?;
            let beside = self.beside(inputs, &segments)?;
            if self.has_index {
                let (values, indices) = self.first(input, beside)?;
                return Ok(Results::new(self.outputs().into_iter().zip([indices.into(), values.into()])));
            }
            let mut results = sequential_with(self, input, beside)?;
            let total = self.has_total.then(|| self.total(inputs, input)).transpose()?;
            if let Some(valid) = self.counted(inputs) {
                results.truncate(valid as usize * self.operator.arity() as usize);
            }
            Ok(Results::new(self.outputs().into_iter().zip([Some(results.into()), total].into_iter().flatten())))
        })
    }

    fn valid(&self, output: &Output, inputs: &[&Numbers]) -> Option<u64> {
        self.counted(inputs).filter(|_| output.name != TOTAL)
    }

    fn of_gpu_length(&self) -> Option<Request> {
        Some(Request::new(self.with_gpu_length()))
    }

    fn by_operator(&self, operator: Operator) -> Option<Request> {
        Some(Request::new(self.operator(operator)))
    }

    fn cost(&self) -> Cost {
        let order = u64::from(self.order);
        let words = self.words() * order;
        let adds = self.len.saturating_sub(u64::from(self.tuple)) * order;
        Cost { words_read: words, words_written: words, adds, ..Cost::default() }
    }

    fn is_exact(&self) -> bool {
        !self.operator.has_floats(self.element)
    }

    fn verify(
        &self,
        inputs: &[&Numbers],
        depth: Option<u64>,
        results: &Results,
    ) -> Result<Verified, Mismatch> {
        let depth = depth.map_or(self.len, |depth| depth / u64::from(self.order));
        each!(inputs[0], input => {
            let got = results.get("values").and_then(|got| got.get().ok()).unwrap_or_default();
            let refused = |error: Error| Mismatch::exact("element", 0, error.to_string(), "a result".into());
            let segments = self.segments.of_inputs(inputs).map_err(refused)?;
            let beside = self.beside(inputs, &segments).map_err(refused)?;
            if self.has_index {
                let indices = results.get("indices").and_then(|got| got.get().ok()).unwrap_or_default();
                return first::verify(input, got, indices, |input| self.first(input, beside).ok());
            }
            let verified = verify_with(self, depth, input, beside, got)?;
            self.verify_total(got, results, verified)
        })
    }

    fn arguments(&self) -> Arguments {
        let exclusive = self.kind == ScanKind::Exclusive;
        Arguments::NONE
            .with(&OPERATOR, self.operator.operation(self.has_index))
            .with_flag("exclusive", exclusive)
            .with(&ORDER, self.order)
            .with(&TUPLE, self.tuple)
            .with(&RECURRENCE, self.recurrence.as_ref().map(Recurrence::to_string).unwrap_or_default())
            .with(&ROWS, self.batch.width_of(Batch::Rows))
            .with(&COLUMNS, self.batch.width_of(Batch::Columns))
            .with_flag("reverse", self.reversed)
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        [
            ("op", self.operator.operation(self.has_index).to_owned()),
            ("kind", self.kind.name().into()),
            ("order", self.order.to_string()),
            ("tuple", self.tuple.to_string()),
        ]
        .into_iter()
        .chain(self.options())
        .collect()
    }

    fn equals(&self, other: &dyn Spec) -> bool {
        (other as &dyn Any).downcast_ref() == Some(self)
    }

    #[cfg(feature = "recordings")]
    fn to_json(&self) -> Result<serde_json::Value, serde_json::Error> {
        serde_json::to_value(self)
    }
}
