//! A job on the command line: INPUT, the algorithm and the problem's options as arguments, made from the problem's
//! cards; and its numbers, read from their sources.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use anyhow::bail;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, Subcommand, value_parser};

use rasterscan::job::{Job, JobError, Source, Wanted};
use rasterscan::problem::{self, COMPACT, InputInfo, Problem};
use rasterscan::registry::{Arguments, Choice, ChoiceError, CustomSyntax, Parameter, SideInput};

use rasterscan::{ElementType, Numbers, Request};
use rasterscan_files::ReadOptions;

use crate::console::Console;
use crate::console::called;
use crate::device::DeviceOptions;
use crate::exit::Usage;
use crate::input;

/// A job from the command line, with the options that a library job does not have.
#[derive(Debug, Clone)]
pub struct GivenJob {
    pub job: Job,
    /// True if the result is checked against the reference.
    pub verify: bool,
    /// The file for a compaction's indices, if they are wanted beside the values.
    pub indices: Option<PathBuf>,
}

/// A job's request and its numbers.
pub struct LoadedJob {
    pub request: Request,
    /// The input first, then the masks.
    pub streams: Vec<Numbers>,
}

impl GivenJob {
    /// The request, if it is known before any number is generated. Files beside generated numbers are read first.
    pub fn request_of_made(&self) -> anyhow::Result<Option<Request>> {
        let job = &self.job;
        let is_file = |(_, _, source): (_, _, &Source)| source.len().is_none();
        let made = job.source.is_made() && !job.beside().any(is_file);
        let Some(len) = job.source.len().filter(|_| made) else { return Ok(None) };
        let element = job.element.or(job.source.element()).unwrap_or(ElementType::U32);
        Ok(Some(job.request(InputInfo { element, len, channels: 1 })?))
    }

    /// Reads or generates all numbers.
    ///
    /// Errors name the file.
    pub fn load(&self, console: &Console) -> anyhow::Result<LoadedJob> {
        let job = &self.job;
        let beside: Vec<_> = job.beside().collect();
        // Masks first: they are smaller, and their faults are found sooner.
        let flags = |side_input| matches!(side_input, SideInput::Flags | SideInput::Bits);
        let mut masks = Vec::new();
        for (option, side_input, source) in &beside {
            masks.push(if flags(*side_input) { Some(input::flags(option.name, source)?) } else { None });
        }
        let options = ReadOptions { element: job.element, channels: job.options.flag("channels") };
        let data = input::read(&job.source, &options)?;
        if let Some(note) = &data.note {
            console.note(format!("{}: {note}", input::name(&job.source)));
        }
        let given = InputInfo { channels: data.channels, ..InputInfo::of(&data.numbers) };
        let request = job.request(given)?;
        let mut streams = vec![data.numbers];
        for ((option, side_input, source), mask) in beside.into_iter().zip(masks) {
            let numbers = match mask {
                Some(mask) => mask,
                None => {
                    let element = side_input.element(Some(given.element));
                    input::read(source, &ReadOptions { element, channels: false })?.numbers
                }
            };
            let (name, len, expected) = (option.name, numbers.len(), request.len());
            if flags(side_input) && len as u64 != expected {
                bail!("the {name} {source} has {len} values, but the input has {expected}");
            }
            streams.push(side_input.stream(name, numbers, expected)?);
        }
        Ok(LoadedJob { request, streams })
    }

    /// The command that runs this choice on these numbers.
    pub fn command(&self, choice: &Choice, device: &DeviceOptions) -> String {
        command(&self.job.clone().by(choice.clone()), device)
    }
}

/// The command that runs a job on a device.
pub fn command(job: &Job, device: &DeviceOptions) -> String {
    format!("{} {job}{}", called(), device.arguments())
}

/// A subcommand for each problem, with a job and some options of its own.
#[derive(Debug, Clone)]
pub struct ForProblem<O> {
    pub given: GivenJob,
    pub own: O,
}

/// Options beside those of a job.
pub trait MoreOptions: Args {
    /// The summary of the subcommand, in a line.
    fn about(problem: &'static Problem) -> String;

    /// The text below its options.
    fn below(problem: &'static Problem) -> String;
}

impl<O: MoreOptions> Subcommand for ForProblem<O> {
    fn augment_subcommands(command: Command) -> Command {
        problem::ALL.into_iter().fold(command, |command, problem| {
            // After the arguments, which set a text of their own.
            let own = O::augment_args(arguments(Command::new(problem.name), problem));
            let own = own.about(O::about(problem)).long_about(None).after_long_help(O::below(problem));
            command.subcommand(own)
        })
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        problem::named(name).is_some()
    }
}

impl<O: MoreOptions> FromArgMatches for ForProblem<O> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let found = matches.subcommand().and_then(|(name, own)| Some((problem::named(name)?, own)));
        let (problem, own) = found.ok_or_else(|| clap::Error::new(ErrorKind::MissingSubcommand))?;
        let given = of_matches(problem, own)?;
        Ok(ForProblem { given, own: O::from_arg_matches(own)? })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The arguments of a job.
fn arguments(command: Command, problem: &'static Problem) -> Command {
    let input = Arg::new("input").value_name("INPUT").required(true).value_parser(value_parser!(OsString));
    let input = input.help(
        "A file (.npy .csv .txt .bin .png .jpg), - for standard input, values:3,1,7, or random:n=1000000,seed=7,max=255",
    );
    let algorithm =
        Arg::new("algorithm").short('a').long("algorithm").value_name("ALGO").default_value("auto");
    let algorithm = algorithm.value_parser(move |text: &str| Wanted::parse(problem, text)).help(
        "An algorithm from `list`, with parameters after a colon (packed:block=4); auto is the fastest on this \
         device, all runs and checks every one",
    );
    let mut command = command.arg(input).arg(algorithm);
    for option in problem.options {
        let conflicts = problem.conflicts.iter().filter(|(one, _)| *one == option.name);
        let argument = argument(option).conflicts_with_all(conflicts.map(|(_, other)| *other));
        command = command.arg(argument);
    }
    if *problem == *COMPACT {
        command = command.arg(
            Arg::new("indices")
                .long("indices")
                .value_name("FILE")
                .num_args(0..=1)
                .require_equals(true)
                .conflicts_with("moves")
                .value_parser(value_parser!(PathBuf))
                .help("Same as --moves indices; with =FILE, same as --moves both, with the indices written there"),
        );
    }
    let dtype = Arg::new("dtype").long("dtype").value_name("TYPE");
    let dtype = dtype
        .value_parser(element())
        .help("The element type; every value must fit, and an integer must be exact in f32");
    let verify = Arg::new("no_verify").long("no-verify").action(ArgAction::SetTrue);
    command.arg(dtype).arg(verify.help("Do not check the result against the sequential reference"))
}

/// An option of a problem as an argument.
pub fn argument(option: &'static Parameter) -> Arg {
    let argument = Arg::new(option.name).long(option.name).help(about(option));
    if option.domain.is_flag() {
        return argument.action(ArgAction::SetTrue);
    }
    let argument = argument.value_name(option.name.to_uppercase());
    let argument = match option.default {
        "" => argument,
        default => argument.default_value(default),
    };
    match (option.domain.custom, option.domain.numbers) {
        (Some(CustomSyntax::Stream(SideInput::Values)), _) => {
            argument.value_parser(value_parser!(String)).allow_hyphen_values(true)
        }
        (Some(CustomSyntax::Stream(_)), _) => argument.value_parser(value_parser!(OsString)),
        (Some(CustomSyntax::Text { reads, expected, .. }), _) => {
            argument
                .value_parser(move |text: &str| {
                    if reads(text) { Ok(text.to_owned()) } else { Err(format!("expected {expected}")) }
                })
                .allow_hyphen_values(true)
        }
        (None, Some(range)) if option.domain.words.is_empty() => argument.value_parser(
            value_parser!(u32)
                .range(i64::from(range.min)..=i64::from(range.max))
                .map(|number| number.to_string()),
        ),
        _ => argument.value_parser(PossibleValuesParser::new(option.domain.words).map(|word| word)),
    }
}

/// The help text of an option, with its range of numbers.
pub fn about(option: &Parameter) -> String {
    match option.domain.numbers {
        Some(range) => format!("{}, {} to {}", option.about, range.min, range.max),
        None => option.about.into(),
    }
}

/// The values of a given option, as written; for a flag, empty text.
pub fn given(option: &Parameter, matches: &ArgMatches) -> Option<Vec<OsString>> {
    if option.domain.is_flag() {
        return matches.get_flag(option.name).then(|| vec![OsString::new()]);
    }
    match option.domain.custom {
        Some(CustomSyntax::Stream(side_input)) if side_input != SideInput::Values => {
            Some(matches.get_many::<OsString>(option.name)?.cloned().collect())
        }
        _ => Some(matches.get_many::<String>(option.name)?.map(OsString::from).collect()),
    }
}

fn of_matches(problem: &'static Problem, matches: &ArgMatches) -> Result<GivenJob, clap::Error> {
    let wrong = |error: JobError| clap::Error::raw(ErrorKind::ValueValidation, format!("{error}\n"));
    let choice = |error: ChoiceError| wrong(error.into());
    let mut options = Arguments::NONE;
    for option in problem.options {
        let Some(text) = given(option, matches).and_then(|values| values.into_iter().next()) else {
            continue;
        };
        options = match option.domain.custom {
            Some(CustomSyntax::Stream(side_input)) if side_input != SideInput::Values => {
                options.with_stream(option, source(&text).map_err(wrong)?)
            }
            _ => options
                .set(problem.options, problem.name, option.name, &text.to_string_lossy())
                .map_err(choice)?,
        };
    }
    let indices = (*problem == *COMPACT && matches.contains_id("indices"))
        .then(|| matches.get_one::<PathBuf>("indices").cloned());
    if let Some(file) = &indices {
        let moves = if file.is_some() { "both" } else { "indices" };
        options = options.set(problem.options, problem.name, "moves", moves).map_err(choice)?;
    }
    let source =
        matches.get_one::<OsString>("input").map(|input| source(input)).transpose().map_err(wrong)?;
    let job = Job {
        problem,
        source: source.unwrap_or(Source::Stdin),
        algorithm: matches.get_one::<Wanted>("algorithm").cloned().unwrap_or(Wanted::Auto),
        options,
        element: matches.get_one::<ElementType>("dtype").copied(),
    };
    Ok(GivenJob { job, verify: !matches.get_flag("no_verify"), indices: indices.flatten() })
}

/// Parses INPUT; a file name need not be valid text.
pub fn source(input: &OsStr) -> Result<Source, JobError> {
    match input.to_str() {
        Some(text) => Ok(Source::parse(text)?),
        None => Ok(Source::File(input.into())),
    }
}

/// The stream of an option: an INPUT, or numbers that are typed in.
pub fn stream(option: &Parameter, text: &OsStr) -> Result<Source, JobError> {
    match option.domain.custom {
        Some(CustomSyntax::Stream(SideInput::Values)) => {
            Ok(Source::Values(text.to_string_lossy().into_owned()))
        }
        _ => source(text),
    }
}

/// A parser of element types.
pub fn element() -> impl TypedValueParser<Value = ElementType> {
    named(ElementType::ALL, ElementType::name)
}

/// A parser of one of `all`, by its name.
pub fn named<T: Copy + Send + Sync + 'static, const N: usize>(
    all: [T; N],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(all.map(name))
        .try_map(move |given| all.into_iter().find(|value| name(*value) == given).ok_or("no such name"))
}

/// Checks the inputs before anything is done. Errors: two are standard input, or one cannot be read.
pub fn check(job: &Job) -> anyhow::Result<()> {
    input::check(&job.source)?;
    job.beside().try_for_each(|(option, _, source)| match source {
        Source::Stdin if job.source == Source::Stdin => {
            let name = option.name;
            Err(Usage(format!("INPUT and --{name} cannot both be standard input")).into())
        }
        source => input::check(source),
    })
}
