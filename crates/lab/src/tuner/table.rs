//! The subjects of tuning, made from the cards of problems and algorithms, and their candidates.

use super::question::TuneQuestion;
use rasterscan::plan::{NARROW, Plan};
use rasterscan::tools::problem::{self, InputInfo, Problem, SCAN};
use rasterscan::tools::registry::{self, Arguments, Card, Choice};
use rasterscan::tuning::{Best, Shape, Subject, Tuned};
use rasterscan::{Device, ElementType, Error, Unsupported, tools::Request};

/// Items of the streams that are timed, as powers of two. Each stands for the range around it.
const SIZES: &[u32] = &[12, 16, 18, 20, 22, 24];
/// The same on CPUs, which are a hundred times slower.
const SIZES_ON_CPU: &[u32] = &[12, 14, 16, 18, 20];

/// Up to this size a level more or less decides between algorithms.
const SHORT: u32 = 16;

/// The order and the tuple that stand for all others above one. In tuples of three, members lie across texels and
/// vectors.
const HIGHER_ORDER: u32 = 4;
const TUPLE: u32 = 3;

/// A subject of tuning, and its candidates.
struct TunedSubject {
    subject: Subject,
    shapes: &'static [Shape],
    candidates: Choices,
    /// True if the best value at the largest size timed also holds beyond it.
    endless: bool,
}

#[derive(Debug, Clone, Copy)]
enum Choices {
    /// Algorithms of the subject's problem.
    Algorithms(&'static [&'static str]),
    /// Numbers of a parameter, or widths of textures: those near the built-in one are tried.
    Numbers(&'static [u32]),
}

/// The number of values tried below the built-in one, and above it: large ones take long to compile.
const BELOW: usize = 4;
const ABOVE: usize = 2;

/// The scan by which columns are tuned: its passes go over textures of one item a texel, of all heights.
const BY_COLUMNS: &str = "hybrid";
/// At least 128 columns: `blocks` and `packed` need these, and would otherwise have another layout.
const COLUMNS: &[u32] = &[128, 256, 512, 1024, 2048, 4096];

/// Subjects that are tuned together, with their part of the budget: all at the smallest size, then at the next.
struct Stage {
    weight: u32,
    targets: Vec<TunedSubject>,
}

/// The stages, made from the cards, the most valuable first: the choice of `auto`; the columns, which all algorithms
/// over textures share; the parameters of those that `auto` may choose; those of the others.
fn stages() -> [Stage; 4] {
    let auto = |problem: &&'static Problem| TunedSubject {
        subject: Subject::Algorithm(problem.name),
        shapes: problem.shapes,
        candidates: Choices::Algorithms(problem.rivals),
        endless: true,
    };
    let columns = TunedSubject {
        subject: Subject::Columns,
        shapes: &[Shape::PLAIN],
        candidates: Choices::Numbers(COLUMNS),
        endless: true,
    };
    let rivals = problem::ALL.into_iter().flat_map(|problem| {
        let card = |name: &&str| registry::of(problem).find(|card| card.name == *name);
        problem.rivals.iter().filter_map(card)
    });
    let others = registry::all().filter(|card| !card.problem.rivals.contains(&card.name));
    [
        Stage { weight: 4, targets: problem::ALL.iter().map(auto).collect() },
        Stage { weight: 2, targets: vec![columns] },
        Stage { weight: 2, targets: rivals.flat_map(parameters).collect() },
        Stage { weight: 1, targets: others.flat_map(parameters).collect() },
    ]
}

/// The parameters of an algorithm that are tuned.
fn parameters(card: &'static Card) -> impl Iterator<Item = TunedSubject> {
    let tuned = card.parameters.iter().filter(|parameter| !parameter.candidates.numbers.is_empty());
    tuned.map(|parameter| TunedSubject {
        subject: Subject::Parameter {
            problem: card.problem.name,
            algorithm: card.name,
            parameter: parameter.name,
        },
        shapes: parameter.candidates.shapes,
        candidates: Choices::Numbers(parameter.candidates.numbers),
        endless: parameter.candidates.endless,
    })
}

/// The names of all that can be tuned: `auto`, `columns`, and the algorithms with a tuned parameter.
pub fn names() -> Vec<&'static str> {
    let mut names = Vec::new();
    for target in stages().iter().flat_map(|stage| &stage.targets) {
        if !names.contains(&target.name()) {
            names.push(target.name());
        }
    }
    names
}

/// A question, and its candidates.
pub(super) struct Inquiry {
    pub question: TuneQuestion,
    /// Its part of the budget, relative to the others.
    pub weight: u32,
    candidates: Choices,
    /// The same request at the ends of the range that the answer will hold for.
    ends: Vec<Request>,
}

/// The questions for this device, in order. `only` lists the wanted [`names`]; all if it is empty.
///
/// Errors: a name is unknown, or nothing of what is wanted runs on the device.
pub(super) fn jobs(device: &Device, only: &[&str]) -> Result<Vec<Inquiry>, Unsupported> {
    if let Some(unknown) = only.iter().find(|name| !names().contains(name)) {
        return Err(Unsupported::request(format!("{unknown} has nothing to tune")));
    }
    let sizes = if device.software { SIZES_ON_CPU } else { SIZES };
    let mut jobs = Vec::new();
    let mut obstacle = None;
    for Stage { weight, targets } in stages() {
        let wanted = targets.iter().filter(|target| only.is_empty() || only.contains(&target.name()));
        let mut able = Vec::new();
        for target in wanted {
            match target.supported(device) {
                Ok(()) => able.push(target),
                Err(error) => obstacle = obstacle.or(Some(error)),
            }
        }
        for (number, log2) in sizes.iter().enumerate() {
            for target in &able {
                // Half-way to the next in powers of two. Much shorter streams stay as they were: what costs a pass of
                // these cost the least there.
                let end = |number: usize| match sizes[number..] {
                    [size, next, ..] => 1u64 << u32::midpoint(size, next),
                    [size] if !target.endless => 2 << size,
                    _ => Tuned::NO_END,
                };
                let from = number.checked_sub(1).map_or(1 << (log2 - 1), |before| end(before) + 1);
                let up_to = end(number);
                for &shape in target.shapes {
                    let request = target.request(shape, 1 << log2)?;
                    // Different algorithms have different levels, which is no matter for long streams, and none on a CPU.
                    let same = !matches!(target.subject, Subject::Algorithm(_));
                    let matters = (same || *log2 <= SHORT) && !device.software;
                    let ends = [from, up_to].into_iter().filter(|end| matters && *end != Tuned::NO_END);
                    let ends = ends.map(|end| target.request(shape, end)).collect::<Result<_, _>>()?;
                    let question = TuneQuestion { subject: target.subject, shape, from, up_to, request };
                    jobs.push(Inquiry { question, weight, candidates: target.candidates, ends });
                }
            }
        }
    }
    match obstacle {
        Some(obstacle) if jobs.is_empty() => Err(obstacle),
        _ => Ok(jobs),
    }
}

impl TunedSubject {
    /// The name by which it can be asked for.
    fn name(&self) -> &'static str {
        match self.subject {
            Subject::Algorithm(_) => "auto",
            Subject::Columns => "columns",
            Subject::Parameter { algorithm, .. } => algorithm,
        }
    }

    fn supported(&self, device: &Device) -> Result<(), Unsupported> {
        let Subject::Parameter { problem, algorithm, .. } = self.subject else {
            return Ok(());
        };
        let Some(problem) = problem::named(problem) else { return Ok(()) };
        let card = registry::of(problem).find(|card| card.name == algorithm);
        card.map_or(Ok(()), |card| card.supported(device))
    }

    /// The request that is timed, of about `len` words.
    ///
    /// Errors: none for the shapes of the cards, as a test checks.
    fn request(&self, shape: Shape, len: u64) -> Result<Request, Unsupported> {
        let problem = match self.subject {
            Subject::Algorithm(problem) | Subject::Parameter { problem, .. } => problem::named(problem),
            Subject::Columns => None,
        };
        let problem = problem.unwrap_or(SCAN);
        let tuple = if shape.tuples { TUPLE } else { 1 };
        let options = [("order", shape.higher_order, HIGHER_ORDER), ("tuple", shape.tuples, TUPLE)];
        let mut arguments = Arguments::NONE;
        for (name, wanted, value) in options {
            if wanted {
                let taken = arguments.take(problem.options, problem.name, name, &value.to_string());
                taken.map_err(|error| Unsupported::request(error.to_string()))?;
            }
        }
        let len = len - len % u64::from(tuple);
        let given = InputInfo::new(ElementType::U32, len);
        (problem.request)(&arguments, given).map_err(|error| Unsupported::request(error.to_string()))
    }
}

/// A candidate that the device can run.
pub(super) struct Alternative {
    /// The candidate, as written on the command line, or a number of columns.
    pub name: String,
    /// The conclusion if it wins. For the built-in default, its value or algorithm, if that is known.
    pub best: Best,
    pub plan: Plan,
    /// The passes at each end of the range, where the device can run it.
    passes_at_ends: Vec<Option<usize>>,
}

/// A candidate that the device or the request rules out.
pub(super) struct Refusal {
    pub name: String,
    pub reason: String,
}

impl Alternative {
    /// Whether it has no further level at the ends of the range, compared with the default and with the size that is timed:
    /// blocks or tiles that are best there may need one further on, which is two passes more.
    fn has_the_same_levels(&self, default: &Alternative) -> bool {
        let more = |mine: usize, its: usize| mine as i64 - its as i64;
        let here = more(self.plan.passes().len(), default.plan.passes().len());
        let mut ends = self.passes_at_ends.iter().zip(&default.passes_at_ends);
        ends.all(|(mine, its)| its.is_none_or(|its| mine.is_some_and(|mine| more(mine, its) < here + 2)))
    }

    /// Returns true if it does exactly the same as another; the names may differ.
    fn is(&self, other: &Alternative) -> bool {
        self.plan.passes() == other.plan.passes() && self.plan.slots() == other.plan.slots()
    }
}

type Attempt = Result<Alternative, Refusal>;

fn plan(choice: &Choice, request: &Request, device: &Device) -> Result<Plan, Error> {
    let plan = choice.plan(request, device)?;
    Ok(plan.ok_or_else(|| Unsupported::request(format!("{choice} runs on the CPU")))?)
}

/// Parses a name of the table. All are in the registry, as a test checks.
fn parse(problem: &Problem, text: &str) -> Result<Choice, Unsupported> {
    Choice::parse(problem, text).map_err(|error| Unsupported::request(error.to_string()))
}

/// The candidates of a question.
pub(super) struct Field {
    /// The built-in default.
    pub default: Alternative,
    /// The others, the likeliest first; none does the same as another.
    pub rivals: Vec<Alternative>,
    pub refused: Vec<Refusal>,
}

impl Field {
    /// Drops attempts that do the same as another, and those that have a further level at an end of the range.
    fn new(default: Alternative, attempts: impl Iterator<Item = Attempt>) -> Field {
        let mut field = Field { default, rivals: Vec::new(), refused: Vec::new() };
        for attempt in attempts {
            match attempt {
                Ok(way) if way.is(&field.default) || field.rivals.iter().any(|rival| rival.is(&way)) => {}
                Ok(way) if !way.has_the_same_levels(&field.default) => {}
                Ok(way) => field.rivals.push(way),
                Err(refusal) => field.refused.push(refusal),
            }
        }
        field
    }
}

impl Inquiry {
    /// The candidates.
    ///
    /// Errors: the device or the request rules out the built-in default.
    pub fn field(&self, device: &Device) -> Result<Field, Error> {
        match self.candidates {
            Choices::Algorithms(names) => self.algorithms(names, device),
            Choices::Numbers(values) => self.values(values, device),
        }
    }

    /// A candidate of this question.
    ///
    /// Errors: the device or the request rules it out.
    fn candidate(
        &self,
        name: String,
        best: Best,
        choice: &Choice,
        device: &Device,
    ) -> Result<Alternative, Error> {
        let passes_at = |request| plan(choice, request, device).ok().map(|plan| plan.passes().len());
        let passes_at_ends = self.ends.iter().map(passes_at).collect();
        Ok(Alternative { name, best, plan: plan(choice, &self.question.request, device)?, passes_at_ends })
    }

    /// A candidate beside the built-in one.
    fn attempt(&self, name: String, best: Best, choice: &Choice, device: &Device) -> Attempt {
        let refused = |error: Error| Refusal { name: name.clone(), reason: error.to_string() };
        self.candidate(name.clone(), best, choice, device).map_err(refused)
    }

    fn algorithms(&self, names: &[&str], device: &Device) -> Result<Field, Error> {
        let request = &self.question.request;
        let auto = registry::auto(request, device)?.choice;
        let way = |choice: &Choice| (choice.to_string(), Best::Algorithm(choice.card.name));
        let (name, best) = way(&auto);
        let default = self.candidate(name, best, &auto, device)?;
        let rivals = names.iter().filter(|name| **name != auto.card.name);
        let rivals = rivals.filter_map(|name| Choice::parse(request.problem(), name).ok());
        let able = rivals.filter(|choice| choice.card.supported(device).is_ok());
        let attempts = able.map(|choice| {
            let (name, best) = way(&choice);
            self.attempt(name, best, &choice, device)
        });
        Ok(Field::new(default, attempts))
    }

    fn values(&self, values: &[u32], device: &Device) -> Result<Field, Error> {
        let request = &self.question.request;
        let (algorithm, parameter) = match self.question.subject {
            Subject::Parameter { algorithm, parameter, .. } => (algorithm, Some(parameter)),
            _ => (BY_COLUMNS, None),
        };
        let choice = parse(request.problem(), algorithm)?;
        let mut default = self.candidate(choice.to_string(), Best::BuiltIn, &choice, device)?;

        let mut attempts: Vec<(usize, Attempt)> = Vec::new();
        for (place, &value) in values.iter().enumerate() {
            let best = Best::Value(value);
            attempts.push((
                place,
                match parameter {
                    Some(parameter) => {
                        let choice = parse(request.problem(), &format!("{algorithm}:{parameter}={value}"))?;
                        self.attempt(choice.to_string(), best, &choice, device)
                    }
                    None => {
                        let device = with_columns(device, value);
                        self.attempt(format!("{value} columns"), best, &choice, &device)
                    }
                },
            ));
        }
        // The built-in value is the one that does the same; textures may be too small to tell.
        let same = |(_, way): &(usize, Attempt)| way.as_ref().is_ok_and(|way| way.is(&default));
        let built_in = match parameter {
            Some(_) => attempts.iter().position(same),
            None => values.iter().position(|columns| *columns == NARROW),
        };
        if let Some(built_in) = built_in {
            default.best = Best::Value(values[built_in]);
            attempts.retain(|(place, _)| place + BELOW >= built_in && *place <= built_in + ABOVE);
            attempts.sort_by_key(|(place, _)| place.abs_diff(built_in));
        }
        Ok(Field::new(default, attempts.into_iter().map(|(_, attempt)| attempt)))
    }
}

/// The device, tuned to textures of this width at every size.
fn with_columns(device: &Device, columns: u32) -> Device {
    let mut device = device.clone();
    let (subject, shape, best) = (Subject::Columns, Shape::PLAIN, Best::Value(columns));
    device.tuning.record(Tuned { subject, shape, from: 0, up_to: Tuned::NO_END, best });
    device
}

#[cfg(test)]
mod tests {
    use super::*;
    use rasterscan::device::Compute;
    use rasterscan::tools::registry::Era;

    /// A GPU with as much shared memory as most have: less would not hold every candidate.
    fn gpu() -> Device {
        let device = Device::gl43();
        let compute = device.compute.map(|compute| Compute { max_shared_memory: 48 << 10, ..compute });
        Device { compute, ..device }
    }

    /// The same whose lanes exchange values.
    fn with_lanes() -> Device {
        let compute = gpu().compute.map(|compute| Compute { subgroup: 32, warp: 32, ..compute });
        Device { compute, ..gpu() }
    }

    fn software() -> Device {
        Device { software: true, ..gpu() }
    }

    #[test]
    fn every_question_has_candidates_that_do_what_is_built_in() {
        for device in [gpu(), with_lanes(), software(), Device::gl33()] {
            for job in jobs(&device, &[]).unwrap() {
                let TuneQuestion { subject, request, .. } = &job.question;
                let what = format!("{subject}, {request}, {device}");
                // With one exchange for all orders, sam's tiles are as large as they can be.
                let lanes = device.compute.as_ref().is_some_and(|compute| compute.warp > 0);
                if lanes && job.question.shape.higher_order && subject.to_string().contains("sam") {
                    continue;
                }
                let field = job.field(&device).unwrap();
                let refused = field.refused.first().map(|refusal| (&refusal.name, &refusal.reason));
                assert_eq!(refused, None, "{what}");
                assert_ne!(field.default.best, Best::BuiltIn, "{what}: the built-in default is no candidate");
                // All others may have a further level at an end of the range.
                let few = matches!(subject, Subject::Algorithm(_)) && request.words() <= 1 << SHORT;
                let small = *subject == Subject::Columns || few;
                let runs = |card: &&Card| card.era != Era::Cpu && card.supported(&device).is_ok();
                let alone = registry::of(request.problem()).filter(runs).count() == 1;
                assert!(!field.rivals.is_empty() || small || alone, "{what}: nothing to choose from");
                assert!(field.rivals.len() <= BELOW + ABOVE, "{what}");
            }
        }
    }

    #[test]
    fn what_needs_a_further_level_at_an_end_of_its_range_is_no_candidate() {
        let named = |only, subject: &str, up_to| {
            let jobs = jobs(&Device::gl43(), &[only]).unwrap();
            let job = jobs.into_iter().find(|job| {
                let TuneQuestion { subject: of, shape, up_to: end, .. } = &job.question;
                (of.to_string(), *shape, *end) == (subject.to_string(), Shape::PLAIN, up_to)
            });
            let rivals = job.unwrap().field(&Device::gl43()).unwrap().rivals;
            rivals.into_iter().map(|way| way.name).collect::<Vec<_>>()
        };
        // 4,096 items are two levels of blocks of 64 as of 512, but 16,384 are three.
        let blocks = named("harris", "scan harris:block", 1 << 14);
        assert!(blocks.contains(&"harris:block=256".into()), "{blocks:?}");
        assert!(!blocks.contains(&"harris:block=64".into()), "{blocks:?}");
        // At the start of the range it has one pass, and at the end three.
        let algorithms = named("auto", "scan auto", 1 << 14);
        assert!(!algorithms.contains(&"reduce_then_scan".into()), "{algorithms:?}");
        let algorithms = named("auto", "scan auto", 1 << 17);
        assert!(algorithms.contains(&"reduce_then_scan".into()), "{algorithms:?}");
    }

    #[test]
    fn what_is_found_is_what_plans_do() {
        for device in [gpu(), with_lanes(), software()] {
            for job in jobs(&device, &[]).unwrap() {
                let TuneQuestion { subject, shape, from, up_to, ref request } = job.question;
                for way in job.field(&device).unwrap().rivals {
                    let mut tuned = device.clone();
                    tuned.tuning.record(Tuned { subject, shape, from, up_to, best: way.best });
                    let auto = match subject {
                        Subject::Algorithm(_) => registry::auto(request, &tuned).unwrap().choice,
                        Subject::Columns => parse(request.problem(), BY_COLUMNS).unwrap(),
                        Subject::Parameter { algorithm, .. } => parse(request.problem(), algorithm).unwrap(),
                    };
                    let plan = plan(&auto, request, &tuned).unwrap();
                    let auto = Alternative {
                        name: auto.to_string(),
                        best: way.best,
                        plan,
                        passes_at_ends: Vec::new(),
                    };
                    assert!(auto.is(&way), "{}, {request}:\n{}\n{}", way.name, auto.plan, way.plan);
                }
            }
        }
    }

    #[test]
    fn ranges_meet_and_the_smallest_sizes_come_first() {
        let jobs = jobs(&Device::gl43(), &[]).unwrap();
        let first = &jobs[0].question;
        assert_eq!((first.subject, first.shape), (Subject::Algorithm(SCAN.name), Shape::PLAIN));
        assert_eq!((first.from, first.up_to, first.request.len()), (1 << 11, 1 << 14, 1 << 12));
        for (number, job) in jobs.iter().enumerate() {
            let TuneQuestion { subject, shape, from, up_to, ref request } = job.question;
            assert!((from..=up_to).contains(&request.words()), "{subject}");
            let same = |other: &&Inquiry| other.question.subject == subject && other.question.shape == shape;
            match jobs[number + 1..].iter().find(same) {
                Some(next) => assert_eq!(next.question.from, up_to + 1, "{subject}"),
                None => {
                    let steps = matches!(subject, Subject::Parameter { parameter: "reduce", .. });
                    assert_eq!(up_to, if steps { 1 << 25 } else { Tuned::NO_END }, "{subject}");
                }
            }
        }
        assert!(jobs.windows(2).all(|pair| pair[0].weight >= pair[1].weight));
    }

    #[test]
    fn only_what_is_wanted_and_runs_is_asked() {
        let subjects = |device: &Device, only: &[&str]| {
            let jobs = jobs(device, only).map_err(|error| error.to_string())?;
            Ok::<_, String>(jobs.iter().map(|job| job.question.subject.to_string()).collect::<Vec<_>>())
        };
        let packed = subjects(&Device::gl33(), &["packed", "sam"]).unwrap();
        assert_eq!(packed, ["scan packed:block", "reduce packed:block"].repeat(SIZES.len()));
        assert_eq!(subjects(&software(), &["columns"]).unwrap(), ["texture columns"; SIZES_ON_CPU.len()]);
        assert!(subjects(&Device::gl33(), &["sam"]).unwrap_err().contains("needs compute shaders"));
        assert!(subjects(&Device::gl33(), &["horn"]).unwrap_err().contains("nothing to tune"));
        let all = subjects(&Device::gl33(), &[]).unwrap();
        assert!(!all.iter().any(|subject| subject.contains("vectors")), "{all:?}");
        assert_eq!(names()[..5], ["auto", "columns", "packed", "hybrid", "look_back"]);
    }
}
