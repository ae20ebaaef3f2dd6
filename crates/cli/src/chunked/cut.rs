//! Problems piece by piece: the request of a piece, and what goes on from one piece to the next.

use anyhow::{Context, bail};
use rasterscan::algorithm::results::Results;
use rasterscan::scan::ScanKind;
use rasterscan::tools::problem::{InputInfo, Output};
use rasterscan::tools::{Job, Numbers, Request, Spec};
use rasterscan::{CompactSpec, HistogramSpec, Moves, ReduceSpec, ScanSpec, SortSpec};

use crate::exit::Usage;

/// Options that bind numbers of different pieces together.
const ACROSS: &str = "rows columns segments offsets keys reverse recurrence mask payload channels";

/// A problem that is solved piece by piece.
pub struct Cut {
    /// The request of the whole stream.
    pub whole: Request,
    /// The numbers of the stream, and as many as a tuple has, which stay together.
    pub len: u64,
    tuple: u64,
    /// A seed, or the edges of bins.
    beside: Option<Numbers>,
}

/// The state that goes on from one piece to the next. Scans: a carry for each order. Reductions: the result so far. Histograms: the
/// counts, of 64 bits.
pub type State = Vec<Numbers>;

impl Cut {
    /// Errors: [`Usage`], for what cannot be cut.
    pub fn new(job: &Job, given: InputInfo, beside: Option<Numbers>) -> anyhow::Result<Cut> {
        if let Some((name, _)) =
            job.options.iter().find(|(name, _)| ACROSS.split(' ').any(|one| one == *name))
        {
            bail!(Usage(format!(
                "--{name} goes across pieces; leave it out, or --chunk, --memory, --devices and --resume"
            )));
        }
        let whole = job.request(given)?;
        if whole.get::<ScanSpec>().is_some_and(|spec| spec.has_index) {
            bail!(Usage("a scan for argmin or argmax cannot be cut into pieces".into()));
        }
        let cut = Cut { whole, len: given.len, tuple: job.whole(), beside };
        if cut.has_indices() && given.len > u64::from(u32::MAX) {
            bail!(Usage(format!("indices have 32 bits, and the input has {} numbers", given.len)));
        }
        Ok(cut)
    }

    /// The length of pieces that is nearest to this one, in numbers.
    pub fn piece(&self, chunk: u64) -> u64 {
        (chunk / self.tuple * self.tuple).max(self.tuple).min(self.len.max(self.tuple))
    }

    /// The scans that a piece needs, one after the other.
    pub fn stages(&self) -> usize {
        self.whole.get::<ScanSpec>().map_or(1, |spec| spec.order as usize)
    }

    /// Returns true if a piece needs what the pieces before it leave.
    pub fn has_carry(&self) -> bool {
        self.whole.get::<ScanSpec>().is_some()
    }

    /// Returns true if the results are streams as long as the input, or nearly.
    pub fn results_are_long(&self) -> bool {
        self.whole.get::<ReduceSpec>().is_none() && self.whole.get::<HistogramSpec>().is_none()
    }

    /// The streams of results.
    pub fn outputs(&self) -> Vec<Output> {
        self.whole.outputs().into_iter().filter(|output| *output != Output::COUNT).collect()
    }

    /// Returns true if indices are among the results.
    pub fn has_indices(&self) -> bool {
        self.whole.outputs().iter().any(|output| output.name == "indices")
    }

    /// Returns true if the length of the results is known only at the end.
    pub fn is_counted(&self) -> bool {
        self.whole.get::<CompactSpec>().is_some()
    }

    /// The request of so many numbers, in one of the [stages](Self::stages). That of a scan has its carry in its first numbers:
    /// see [`Self::lead`].
    pub fn request(&self, numbers: u64, stage: usize) -> Request {
        let whole = &self.whole;
        if let Some(spec) = whole.get::<ScanSpec>() {
            let len = numbers / u64::from(spec.operator.arity());
            let mut spec = spec.with_len(len).kind(self.kind(spec, stage)).order(1);
            spec.has_seed = false;
            return Request::new(spec);
        }
        if let Some(spec) = whole.get::<ReduceSpec>() {
            return Request::new(spec.with_len(numbers / u64::from(spec.operator.arity())));
        }
        if let Some(spec) = whole.get::<SortSpec>() {
            // Runs are merged by their keys.
            let moves = if spec.moves == Moves::Values { Moves::Values } else { Moves::Both };
            return Request::new(spec.with_len(numbers).moves(moves));
        }
        if let Some(spec) = whole.get::<CompactSpec>() {
            return Request::new(spec.with_len(numbers));
        }
        match whole.get::<HistogramSpec>() {
            Some(spec) => Request::new(HistogramSpec::of(spec.element, numbers, spec.bins)),
            None => whole.clone(),
        }
    }

    /// The request that the results are checked against, with the carry of a scan beside its numbers.
    pub fn checked(&self, numbers: u64, stage: usize) -> Request {
        let request = self.request(numbers, stage);
        request.get::<ScanSpec>().map_or_else(|| request.clone(), |spec| Request::new(spec.with_seed()))
    }

    /// Puts a carry in front of a scan's piece, combined with its first tuple: a device then needs no pass for it. Returns the
    /// tuple that was there.
    ///
    /// Errors: memory.
    pub fn lead(&self, carry: &Numbers, numbers: &mut Numbers) -> anyhow::Result<Numbers> {
        let first = &numbers.words()[..carry.words().len()];
        let first = Numbers::of_bytes(numbers.element(), bytemuck::cast_slice(first));
        begin(numbers, &self.after(carry, &first)?);
        Ok(first)
    }

    /// The results of a scan whose piece has a carry in front.
    pub fn led(&self, stage: usize, carry: &Numbers, results: Results) -> Results {
        match self.whole.get().map(|spec| self.kind(spec, stage)) {
            Some(ScanKind::Exclusive) => Results::new(results.into_streams().map(|(output, mut numbers)| {
                begin(&mut numbers, carry);
                (output, numbers)
            })),
            _ => results,
        }
    }

    fn kind(&self, spec: &ScanSpec, stage: usize) -> ScanKind {
        if stage + 1 == self.stages() { spec.kind } else { ScanKind::Inclusive }
    }

    /// The reduction that gives the total of a piece, for those who wait for its carry.
    pub fn total(&self, numbers: u64) -> Option<ReduceSpec> {
        let spec = self.whole.get::<ScanSpec>()?;
        let len = numbers / u64::from(spec.operator.arity());
        Some(ReduceSpec::of(spec.element, len).operator(&spec.operator).tuple(spec.tuple))
    }

    /// The streams beside a piece's numbers; `carry` is that of its stage.
    pub fn beside(&self, carry: Option<&Numbers>) -> Option<Numbers> {
        carry.or(self.beside.as_ref()).cloned()
    }

    /// The state before the first piece.
    ///
    /// Errors: memory.
    pub fn first(&self) -> anyhow::Result<State> {
        let Some(total) = self.total(0) else { return Ok(Vec::new()) };
        let identity = total.solve(&[&Numbers::of_bytes(total.element, &[])])?;
        let carry = self.beside.clone().or(identity.first().cloned()).context("a carry")?;
        Ok(vec![carry; self.stages()])
    }

    /// The carry after a piece whose input and results, of a stage, are given.
    ///
    /// Errors: memory.
    pub fn carry_after(&self, stage: usize, input: &Numbers, results: &Results) -> anyhow::Result<Numbers> {
        let total = self.total(0).context("a scan")?;
        let tuple = total.tuple as usize * total.operator.arity() as usize;
        let last = tail(results.first().context("a result")?, tuple);
        let kind = self.whole.get().map(|spec| self.kind(spec, stage));
        if kind == Some(ScanKind::Exclusive) {
            combined(&total, &last, &tail(input, tuple))
        } else {
            Ok(last)
        }
    }

    /// The carry after one, and the total of the piece in between.
    ///
    /// Errors: memory.
    pub fn after(&self, carry: &Numbers, total: &Numbers) -> anyhow::Result<Numbers> {
        combined(&self.total(0).context("a scan")?, carry, total)
    }

    /// Takes the results of a piece that begins at number `at`. Returns what is written now, in the order of the results'
    /// streams.
    ///
    /// Errors: memory.
    pub fn fold(&self, state: &mut State, at: u64, results: Results) -> anyhow::Result<Vec<Numbers>> {
        if let Some(spec) = self.whole.get::<ReduceSpec>() {
            let numbers: Vec<Numbers> = results.into_streams().map(|(_, numbers)| numbers).collect();
            *state = match (&state[..], &numbers[..]) {
                ([before], [now]) => vec![combined(spec, before, now)?],
                ([places, before], [indices, now]) => {
                    let now_at = shifted(indices, at);
                    let first = spec.with_len(2 * u64::from(spec.tuple)).solve(&[&joined(before, now)])?;
                    let chosen = first.get("indices").context("an index")?.words();
                    let both = [places.words(), now_at.words()].concat();
                    let places: Vec<u32> = chosen.iter().map(|index| both[*index as usize]).collect();
                    vec![places.into(), first.get("values").context("a value")?.clone()]
                }
                (_, [indices, now]) => vec![shifted(indices, at), now.clone()],
                _ => numbers,
            };
            return Ok(Vec::new());
        }
        if self.whole.get::<HistogramSpec>().is_some() {
            let counts = results.first().context("counts")?.words();
            let before = match &state[..] {
                [Numbers::U64(before)] => before.clone(),
                _ => vec![0; counts.len()],
            };
            let sums = before.iter().zip(counts).map(|(before, count)| before + u64::from(*count));
            *state = vec![sums.collect::<Vec<u64>>().into()];
            return Ok(Vec::new());
        }
        let written = results.into_streams().map(|(output, numbers)| match output.name {
            "indices" => shifted(&numbers, at),
            _ => numbers,
        });
        Ok(written.collect())
    }

    /// The results that are there only at the end: those of a reduction or a histogram.
    ///
    /// Errors: memory.
    pub fn results(&self, state: State) -> anyhow::Result<Option<Vec<(Output, Numbers)>>> {
        let outputs = self.whole.outputs();
        if self.whole.get::<ReduceSpec>().is_some() {
            if state.is_empty() {
                let none = Numbers::of_bytes(self.whole.element(), &[]);
                return Ok(Some(self.request(0, 0).solve(&[&none])?.into_streams().collect()));
            }
            return Ok(Some(outputs.into_iter().zip(state).collect()));
        }
        let Some(spec) = self.whole.get::<HistogramSpec>() else { return Ok(None) };
        let counts = match state.into_iter().next() {
            Some(Numbers::U64(counts)) => counts,
            _ => vec![0; spec.bins as usize],
        };
        let narrow: Result<Vec<u32>, _> = counts.iter().map(|count| u32::try_from(*count)).collect();
        Ok(Some(vec![(outputs[0], narrow.map_or_else(|_| counts.into(), Numbers::from))]))
    }

    /// The edges of a histogram's bins.
    pub fn edges(&self) -> Option<&Numbers> {
        self.whole.get::<HistogramSpec>().and(self.beside.as_ref())
    }
}

/// Two results of a reduction as one.
fn combined(spec: &ReduceSpec, before: &Numbers, now: &Numbers) -> anyhow::Result<Numbers> {
    let both = spec.with_len(2 * u64::from(spec.tuple)).solve(&[&joined(before, now)])?;
    both.first().cloned().context("a result")
}

fn joined(one: &Numbers, other: &Numbers) -> Numbers {
    Numbers::of_bytes(one.element(), bytemuck::cast_slice(&[one.words(), other.words()].concat()))
}

/// Replaces the first numbers.
pub fn begin(numbers: &mut Numbers, first: &Numbers) {
    numbers.words_mut()[..first.words().len()].copy_from_slice(first.words());
}

/// The last `count` numbers.
fn tail(numbers: &Numbers, count: usize) -> Numbers {
    let words = numbers.words();
    let from = words.len() - count * numbers.element().words() as usize;
    Numbers::of_bytes(numbers.element(), bytemuck::cast_slice(&words[from..]))
}

/// Indices in a piece as indices in the stream.
fn shifted(indices: &Numbers, at: u64) -> Numbers {
    indices.words().iter().map(|index| index + at as u32).collect::<Vec<u32>>().into()
}
