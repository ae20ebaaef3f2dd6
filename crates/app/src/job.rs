//! Jobs as the app shows them: those that it proposes, their streams cut to the visible length, and their errors.

use std::fmt;
use std::path::Path;

use rasterscan::tools::job::{Job, Source};
use rasterscan::tools::problem::{COMPACT, Input, InputInfo, Problem};
use rasterscan::tools::random::Random;
use rasterscan::tools::registry::{self, Card, Choice, CustomSyntax, Era, SideInput};
use rasterscan::trace::Recording;
use rasterscan::{
    Device, ElementType, Error,
    tools::{Numbers, Task},
};
use rasterscan_lesson::edit::Edits;
use rasterscan_lesson::phrases::say;

/// The most items that the app shows.
pub const MAX_SHOWN: u64 = 4096;

/// The usual number of digits.
const DIGITS: u64 = 16;

/// Sixteen random digits, about half of which are 0 for a compaction.
pub fn digits(problem: &Problem) -> Source {
    let keep = (*problem == *COMPACT).then_some(0.5);
    Source::Random { n: DIGITS, numbers: Random { seed: 7, max: 9, keep } }
}

/// A job of sixteen random digits by an algorithm, with parameters for few numbers.
pub fn usual(card: &'static Card) -> Job {
    of(card.problem, digits(card.problem)).by(small(card, DIGITS))
}

/// The usual job of a problem: bins are few.
pub fn of(problem: &'static Problem, source: Source) -> Job {
    let job = Job::new(problem, source);
    match problem.option(Input::EDGES) {
        Some(option) => Job { options: job.options.with_stream(option, few_edges()), ..job },
        None => job,
    }
}

/// The edges of few bins for digits.
pub fn few_edges() -> Source {
    Source::Values("0,2,4,6,8".into())
}

/// The algorithm that is shown by default: the first that draws.
pub fn first(problem: &'static Problem) -> Choice {
    let card = registry::of(problem).find(|card| card.era == Era::Texture);
    card.map_or_else(|| registry::sequential(problem), |card| small(card, DIGITS))
}

/// The algorithm that is shown beside the first by default.
pub fn second(problem: &'static Problem) -> Choice {
    let card = registry::of(problem).filter(|card| card.era == Era::Texture).nth(1);
    card.map_or_else(|| first(problem), |card| small(card, DIGITS))
}

/// The parameters that are fitted to few numbers.
const FITTED: [&str; 7] = ["reduce", "size", "block", "lanes", "group", "vectors", "groups"];

/// An algorithm with parameters for `n` numbers, which make several blocks or tiles. The defaults are for millions: one
/// block, tile or texture of that size would hold all numbers.
pub fn small(card: &'static Card, n: u64) -> Choice {
    let eighth = (n / 8).max(1).next_power_of_two();
    let fits = |name: &str, value: &str| {
        Choice::parse(card.problem, &format!("{}:{name}={value}", card.name)).is_ok()
    };
    // An invocation has four items. Fewer than eight invocations have lanes of their own.
    let group = (eighth / 4).clamp(1, 256).to_string();
    let few = group.len() == 1 && group != "8" && fits("group", &group);
    let parameters = card.parameters.iter().filter(|parameter| FITTED.contains(&parameter.name));
    let set = parameters.filter_map(|parameter| {
        let value = match parameter.name {
            "lanes" if few => return None,
            "lanes" => "shared".into(),
            "vectors" => "1".into(),
            "groups" => "3".into(),
            "reduce" => "2".into(),
            "block" if card.era == Era::Texture => "2".into(),
            "group" => group.clone(),
            _ => eighth.clamp(8, 512).to_string(),
        };
        let least = parameter.domain.numbers.as_ref().map(|numbers| numbers.min.to_string());
        let value = [Some(value), least].into_iter().flatten().find(|value| fits(parameter.name, value))?;
        (value != parameter.default).then(|| format!("{}={value}", parameter.name))
    });
    let set: Vec<String> = set.collect();
    Choice::parse(card.problem, &format!("{}:{}", card.name, set.join(",")))
        .unwrap_or_else(|_| card.with_defaults())
}

/// A job whose algorithm was given without parameters, with those for its few numbers.
pub fn fitted(job: &Job) -> Job {
    let plain = job.algorithm.named().filter(|choice| choice.to_string() == choice.card.name);
    match plain.zip(job.source.len()) {
        Some((choice, n)) if n <= MAX_SHOWN => job.clone().by(small(choice.card, n)),
        _ => job.clone(),
    }
}

/// The parameters that could be fitted, as they are, in words: so given, they are not fitted again.
pub fn as_they_are(values: &[(&'static str, String)]) -> Vec<String> {
    let own = values.iter().filter(|(name, _)| FITTED.contains(name));
    own.map(|(name, value)| format!("{name}={value}")).collect()
}

/// The algorithm of a job.
pub fn choice(job: &Job) -> Choice {
    job.algorithm.named().cloned().unwrap_or_else(|| first(job.problem))
}

/// The type of a job's numbers, u32 by default.
pub fn element(job: &Job) -> ElementType {
    job.element.unwrap_or(ElementType::U32)
}

/// The job of a recording, with its numbers as typed values.
pub fn of_recording(recording: &Recording) -> Job {
    let typed = |numbers: &Numbers| {
        let texts: Vec<String> = (0..numbers.len()).map(|index| numbers.decimal(index)).collect();
        Source::Values(texts.join(","))
    };
    let request = &recording.request;
    let first = recording
        .inputs
        .first()
        .map_or_else(|| Source::Values(String::new()), |content| typed(&content.values));
    let mut job = Job::of(request, first);
    job.element = Some(request.element()).filter(|element| *element != ElementType::U32);
    if let Ok(choice) = Choice::parse(request.problem(), &recording.algorithm) {
        job = job.by(choice);
    }
    for (number, input) in request.inputs().iter().enumerate().skip(1) {
        let numbers = recording.inputs.get(number).map(|content| &content.values);
        let option = request.problem().options.iter().find_map(|option| match option.domain.custom {
            Some(CustomSyntax::Stream(side_input)) if option.name == input.name => Some((option, side_input)),
            _ => None,
        });
        if let (Some((option, side_input)), Some(numbers)) = (option, numbers) {
            job.options =
                job.options.with_stream(option, typed(&side_input.read_from(numbers, request.len())));
        }
    }
    job
}

/// The content of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Loaded {
    /// The numbers.
    pub numbers: Numbers,
    /// A note for the user, for example if only a part was read.
    pub note: Option<String>,
}

/// Reads elements of a type from a file, at most a given number: the app has no file readers of its own.
pub type Load = Box<dyn FnMut(&Path, ElementType, u64) -> Result<Loaded, String>>;

/// A job with everything its run needs.
#[derive(Debug, Clone)]
pub struct Resolved {
    /// The algorithm.
    pub choice: Choice,
    /// The request with its numbers.
    pub task: Task<'static>,
    /// Notes on changes to the job, such as a length that was cut.
    pub notes: Vec<String>,
    /// Shaders that are edited.
    pub edits: Edits,
}

impl Resolved {
    /// Returns true if both give the same recording on the same device.
    pub fn is_like(&self, other: &Resolved) -> bool {
        self.choice.to_string() == other.choice.to_string()
            && self.task.request() == other.task.request()
            && self.task.inputs() == other.task.inputs()
            && self.edits == other.edits
    }
}

/// Resolves a job: its algorithm and its task.
///
/// Errors: the first field that is wrong.
pub fn resolve(job: &Job, load: &mut Load) -> Result<Resolved, Wrong> {
    let wrong = |field| move |error: Error| Wrong { field, message: error.to_string() };
    let mut notes = Vec::new();
    let arity = job.arity();
    let source = shown(&job.source, arity, &mut notes);
    let at = |message| Wrong { field: Field::Input, message };
    let Loaded { mut numbers, note } = read(&source, element(job), MAX_SHOWN * arity, load).map_err(at)?;
    notes.extend(note);
    let whole = job.whole() as usize;
    let len = numbers.len() - numbers.len() % whole;
    if len < numbers.len() {
        let rows = ["rows", "columns"].into_iter().find(|name| job.options.number(name).is_some());
        let of = rows.unwrap_or(if arity > 1 { "pairs" } else { "tuples" });
        notes.push(say(format!("{} values: using {len}, only whole {of}", numbers.len())));
        numbers.truncate(len);
    }
    let given = InputInfo::of(&numbers);
    let mut streams = vec![numbers];
    let request = job.request(given).map_err(|error| match error {
        Error::Condition(_) => wrong(Field::Option("keep"))(error),
        error => wrong(Field::Options)(error),
    })?;
    for (option, side_input, source) in job.beside() {
        let field = Field::Option(option.name);
        let flags = matches!(side_input, SideInput::Flags | SideInput::Bits | SideInput::Keys);
        let (source, most) =
            (if flags { source.with_len(request.len()) } else { source.clone() }, MAX_SHOWN * arity);
        let as_element = side_input.element(Some(given.element)).unwrap_or(given.element);
        let numbers = read(&source, as_element, most, load);
        let numbers = numbers.map_err(|message| Wrong { field, message })?.numbers;
        if flags && numbers.len() as u64 != request.len() {
            let (name, got, len) = (option.name, numbers.len(), request.len());
            let message = say(format!("the {name} has {got} numbers; expected {len}, as many as the data"));
            return Err(Wrong { field, message });
        }
        let stream = job.stream(option.name, side_input, numbers, request.len(), streams.first());
        streams.push(stream.map_err(wrong(field))?);
    }
    let request = job.request_of(given, &streams).map_err(wrong(Field::Options))?;
    let task = Task::new(request, streams).map_err(wrong(Field::Run))?;
    Ok(Resolved { choice: choice(job), task, notes, edits: Edits::default() })
}

/// The source, cut to the visible length if its length is free to choose.
fn shown(source: &Source, arity: u64, notes: &mut Vec<String>) -> Source {
    let most = MAX_SHOWN * arity;
    match source.len() {
        Some(len) if len > most && source.is_made() => {
            notes.push(say(format!("{} items are too many to show: using {MAX_SHOWN}", len / arity)));
            source.with_len(most)
        }
        _ => source.clone(),
    }
}

/// The numbers of a source, at most `most`.
///
/// Errors: as text, with what was expected.
fn read(source: &Source, element: ElementType, most: u64, load: &mut Load) -> Result<Loaded, String> {
    let loaded = match source {
        Source::File(path) if path.as_os_str().is_empty() => {
            return Err(say("expected the name of a file: .npy, .csv, .txt, .png or .jpg"));
        }
        Source::File(path) => load(path, element, most)?,
        Source::Stdin => {
            return Err(say("the app does not read standard input: give a file, or values:3,1,7"));
        }
        Source::Chosen => return Err(say("this link needs a file of numbers: choose one")),
        made => {
            let numbers = made.numbers(Some(element)).map_err(|error| error.to_string())?;
            Loaded { numbers: numbers.unwrap_or_else(|| Numbers::U32(Vec::new())), note: None }
        }
    };
    Ok(cut(loaded, most))
}

fn cut(mut loaded: Loaded, most: u64) -> Loaded {
    let len = loaded.numbers.len() as u64;
    if len > most {
        loaded.numbers.truncate(most as usize);
        let note = say(format!("using the first {most} of {len} values"));
        loaded.note = Some(loaded.note.map_or(note.clone(), |earlier| format!("{earlier}; {note}")));
    }
    loaded
}

/// Notes on parameters that an algorithm did not take as they were given: too many for this stream, for example.
pub fn adjusted(resolved: &Resolved, device: &Device) -> Vec<String> {
    let request = resolved.task.request();
    let Ok(Some(plan)) = resolved.choice.plan(request, device) else { return Vec::new() };
    let parameters = resolved.choice.parameters().into_iter().zip(resolved.choice.parameters_in(&plan));
    let changed = parameters.filter(|((_, given), (_, used))| {
        // A word, such as `auto`, leaves the number to the plan.
        given != used && given.parse::<u32>().is_ok()
    });
    let len = request.len();
    changed
        .map(|((name, given), (_, used))| {
            say(format!("{name}={given} ran as {name}={used}: the limit at n = {len}"))
        })
        .collect()
}

/// The field of the controls that is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// The numbers.
    Input,
    /// An option of the problem.
    Option(&'static str),
    /// Options that conflict with each other or with the numbers.
    Options,
    /// No field: the run itself failed.
    Run,
}

/// An error, with the field to show it beside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrong {
    /// The field.
    pub field: Field,
    /// The error for the user.
    pub message: String,
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn no_files() -> Load {
        Box::new(|path, _, _| Err(format!("no file {}", path.display())))
    }

    fn job(words: &str) -> Job {
        Job::parse(words.split(' ')).unwrap()
    }

    fn resolved(words: &str) -> Resolved {
        resolve(&job(words), &mut no_files()).unwrap()
    }

    #[test]
    fn a_job_becomes_a_task() {
        let task = |words: &str| resolved(words).task;
        let plain = resolved("scan random:n=16,max=9 -a horn");
        assert_eq!((plain.task.request().len(), plain.task.inputs().len(), plain.notes.len()), (16, 1, 0));
        let masked = task("compact random:n=16 -a horn --mask alternating");
        assert_eq!(masked.inputs()[1].words()[..4], [1, 0, 1, 0]);
        let pairs = task("scan random:n=6 -a horn --op affine");
        assert_eq!((pairs.request().len(), pairs.inputs()[0].len()), (3, 6));
        assert_eq!(resolved("reduce ones:n=4").choice.to_string(), "pairs");
    }

    #[test]
    fn small_parameters_are_ones_that_the_algorithm_takes() {
        let scan = |name: &str| {
            let problem = rasterscan::tools::problem::SCAN;
            small(problem.cards.iter().find(|card| card.name == name).unwrap(), 64).to_string()
        };
        assert_eq!(scan("horn"), "horn");
        assert_eq!(scan("hybrid"), "hybrid:reduce=2");
        assert_eq!(scan("packed"), "packed:block=2");
        assert_eq!(scan("capannini"), "capannini:block=8");
        assert_eq!(scan("look_back"), "look_back:group=2,vectors=1");
    }

    #[test]
    fn what_is_given_without_parameters_fits_its_numbers() {
        let words = |text: &str| choice(&fitted(&job(text))).to_string();
        assert_eq!(words("scan random:n=8 -a harris"), "harris:block=8");
        assert_eq!(words("scan random:n=1000 -a harris"), "harris:block=128");
        assert_eq!(words("scan random:n=8 -a harris:block=512"), "harris:block=512");
        assert_eq!(words("compact random:n=64 -a blocks"), "blocks:size=8");
    }

    #[test]
    fn what_is_too_long_or_uneven_is_cut_and_said() {
        let long = resolved("scan random:n=5000 -a horn");
        assert_eq!((long.task.request().len(), long.notes.len()), (MAX_SHOWN, 1));
        let uneven = resolved("scan random:n=16 -a horn --tuple 3");
        assert_eq!((uneven.task.request().len(), uneven.notes.len()), (15, 1));
        assert_eq!(resolved("scan values:1,2,3 -a horn --op affine").task.request().len(), 1);
        let typed = format!("scan values:{} -a horn", "1,".repeat(4100));
        let typed = resolved(&typed);
        assert_eq!(typed.notes, ["using the first 4096 of 4100 values"]);
    }

    #[test]
    fn a_parameter_that_ran_as_another_is_said() {
        let notes = |words: &str| adjusted(&resolved(words), &Device::gl43());
        let affine = notes("scan random:n=16 -a hybrid:reduce=2 --op affine");
        assert_eq!(affine, ["reduce=2 ran as reduce=1: the limit at n = 8"]);
        for words in
            ["scan random:n=16 -a hybrid:reduce=2", "scan random:n=16 -a hybrid", "scan ones -a horn"]
        {
            assert!(notes(words).is_empty(), "{words}");
        }
    }

    #[test]
    fn what_is_wrong_is_said_where_it_is() {
        let fails = |words: &str| resolve(&job(words), &mut no_files()).unwrap_err();
        assert_eq!(fails("scan values:3,x -a horn").field, Field::Input);
        assert_eq!(fails("scan a.npy -a horn").message, "no file a.npy");
        assert_eq!(fails("scan - -a horn").field, Field::Input);
        assert_eq!(fails("scan file: -a horn").field, Field::Input);
        assert_eq!(fails("compact ones:n=4 -a horn --keep >many").field, Field::Option("keep"));
        let mask = fails("compact ones:n=16 -a horn --mask values:1,0");
        assert_eq!(mask.message, "the mask has 2 numbers; expected 16, as many as the data");
        assert_eq!(fails("scan ones:n=4 -a horn --op xor --dtype f32").field, Field::Options);
        let unnamed = Job { source: Source::File("".into()), ..job("scan ones -a horn") };
        let unnamed = resolve(&unnamed, &mut no_files()).unwrap_err();
        assert!(unnamed.message.contains("expected the name of a file"));
    }
}
