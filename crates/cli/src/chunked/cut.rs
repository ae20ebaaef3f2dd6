//! Problems piece by piece: the request of a piece, and what goes on from one piece to the next.

use anyhow::{Context, bail};
use rasterscan::algorithm::results::Results;
use rasterscan::scan::ScanKind;
use rasterscan::tools::problem::{InputInfo, Output};
use rasterscan::tools::{Job, Numbers, Request, Spec};
use rasterscan::{CompactSpec, HistogramSpec, Moves, ReduceSpec, ScanSpec, SortSpec};

use crate::exit::Usage;

/// Options that bind numbers of different pieces together.
const ACROSS: [&str; 10] = [
    "rows",
    "columns",
    "segments",
    "offsets",
    "keys",
    "reverse",
    "recurrence",
    "mask",
    "payload",
    "channels",
];

/// A problem that is solved piece by piece.
pub struct Cut {
    /// The request of the whole stream.
    pub whole: Request,
    /// A seed, or the edges of bins.
    beside: Option<Numbers>,
}

/// What goes on from one piece to the next. Scans: a carry for each order. Reductions: the result so far. Histograms: the
/// counts, of 64 bits.
pub type State = Vec<Numbers>;

impl Cut {
    /// Errors: [`Usage`], for what cannot be cut.
    pub fn new(job: &Job, given: InputInfo, beside: Option<Numbers>) -> anyhow::Result<Cut> {
        let across = job.options.iter().find(|(name, _)| ACROSS.contains(name));
        if let Some((name, _)) = across {
            let told = format!(
                "--{name} goes across pieces; leave it out, or --chunk, --memory, --devices and --resume"
            );
            bail!(Usage(told));
        }
        let whole = job.request(given)?;
        if whole.get::<ScanSpec>().is_some_and(|spec| spec.has_index) {
            bail!(Usage("a scan for argmin or argmax cannot be cut into pieces".into()));
        }
        let has_indices = whole.outputs().iter().any(|output| output.name == "indices");
        if has_indices && given.len > u64::from(u32::MAX) {
            bail!(Usage(format!("indices have 32 bits, and the input has {} numbers", given.len)));
        }
        Ok(Cut { whole, beside })
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

    /// Returns true if the length of the results is known only at the end.
    pub fn is_counted(&self) -> bool {
        self.whole.get::<CompactSpec>().is_some()
    }

    /// The request of so many numbers, in one of the [stages](Self::stages).
    pub fn request(&self, numbers: u64, stage: usize) -> Request {
        let whole = &self.whole;
        if let Some(spec) = whole.get::<ScanSpec>() {
            let last = stage + 1 == spec.order as usize;
            let kind = if last { spec.kind } else { ScanKind::Inclusive };
            let len = numbers / u64::from(spec.operator.arity());
            return Request::new(spec.with_len(len).kind(kind).order(1).with_seed());
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

    /// The carry after a piece whose results and input, of one stage, are given.
    ///
    /// Errors: memory.
    pub fn carry_after(
        &self,
        input: &Numbers,
        results: &Results,
        is_exclusive: bool,
    ) -> anyhow::Result<Numbers> {
        let total = self.total(0).context("a scan")?;
        let tuple = total.tuple as usize * total.operator.arity() as usize;
        let last = tail(results.first().context("a result")?, tuple);
        if is_exclusive { combined(&total, &last, &tail(input, tuple)) } else { Ok(last) }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Every problem, cut at each place, against its reference.
    #[test]
    fn pieces_put_together_are_the_whole() {
        for words in [
            "scan values:3,1,7,0,4,1,6,3,9,2,5,8",
            "scan values:3,1,7,0,4,1,6,3,9,2,5,8 --exclusive --tuple 2 --op max",
            "scan values:3,1,7,0,4,1,6,3,9,2,5,8 --order 3 --exclusive",
            "scan values:3,1,7,0,4,1,6,3,9,2,5,8 --op affine --dtype i64 --order 2",
            "scan values:3,1,7,0,4,1,6,3,9,2,5,8 --seed-value 5 --exclusive",
            "reduce values:3,1,7,0,4,1,6,3,9,2,5,8 --op mul --tuple 2",
            "reduce values:3,1,7,0,4,1,7,0,9,0,9,8 --op argmin --tuple 2",
            "reduce values:3,9,7,0,4,1,7,0,9,0,9,8 --op argmax",
            "reduce values:3,1,7,0,4,1,6,3,9,2,5,8 --op affine",
            "compact values:3,0,7,0,4,1,6,3,0,2,5,0 --moves both",
            "histogram values:3,1,7,0,4,1,6,3,9,2,5,8 --bins 3 --range 0..8",
        ] {
            let job = Job::parse(words.split(' ')).unwrap();
            let streams = job.streams().unwrap();
            let cut = Cut::new(&job, InputInfo::of(&streams[0]), streams.get(1).cloned()).unwrap();
            let inputs: Vec<&Numbers> = streams.iter().collect();
            let whole = cut.whole.solve(&inputs).unwrap();
            for at in [4usize, 8] {
                let mut state = cut.first().unwrap();
                let mut written: Vec<(&str, Vec<u32>)> = Vec::new();
                let wide = streams[0].element().words() as usize;
                for piece in [0..at, at..12] {
                    let begin = piece.start as u64;
                    let bytes = &streams[0].words()[piece.start * wide..piece.end * wide];
                    let mut numbers = Numbers::of_bytes(streams[0].element(), bytemuck::cast_slice(bytes));
                    let mut results = None;
                    for stage in 0..cut.stages() {
                        let request = cut.request(numbers.len() as u64, stage);
                        let beside = cut.beside(state.get(stage).filter(|_| cut.has_carry()));
                        let inputs: Vec<&Numbers> = [&numbers].into_iter().chain(&beside).collect();
                        let solved = request.solve(&inputs).unwrap();
                        if cut.has_carry() {
                            let kind = request.get::<ScanSpec>().unwrap().kind;
                            let after =
                                cut.carry_after(&numbers, &solved, kind == ScanKind::Exclusive).unwrap();
                            let total = cut.total(numbers.len() as u64).unwrap().solve(&[&numbers]).unwrap();
                            let by_total = cut.after(&state[stage], total.first().unwrap()).unwrap();
                            assert_eq!(after, by_total, "{words}");
                            state[stage] = after;
                            numbers = solved.first().unwrap().clone();
                        }
                        results = Some(solved);
                    }
                    let results = results.unwrap();
                    let names: Vec<&str> = results.streams().map(|(output, _)| output.name).collect();
                    let now = cut.fold(&mut state, begin, results).unwrap();
                    for (name, numbers) in names.into_iter().zip(now) {
                        match written.iter_mut().find(|(other, _)| *other == name) {
                            Some((_, words)) => words.extend(numbers.words()),
                            None => written.push((name, numbers.words().to_vec())),
                        }
                    }
                }
                if let Some(results) = cut.results(state).unwrap() {
                    written =
                        results.iter().map(|(of, numbers)| (of.name, numbers.words().to_vec())).collect();
                }
                for (output, numbers) in whole.streams() {
                    let found = written.iter().find(|(name, _)| *name == output.name).unwrap();
                    assert_eq!(found.1, numbers.words(), "{words}, {}, cut at {at}", output.name);
                }
            }
        }
    }
}
