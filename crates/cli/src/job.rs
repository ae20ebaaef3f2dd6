//! A job on the command line: INPUT, the algorithm and the problem's options as arguments, made from the problem's
//! cards.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::builder::{OsStringValueParser, PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, Subcommand, value_parser};

use rasterscan::ElementType;
use rasterscan::tools::job::{Job, JobError, Source, Wanted};
use rasterscan::tools::problem::{self, Output, Problem};
use rasterscan::tools::registry::{Arguments, ChoiceError, CustomSyntax, Parameter, SideInput};

use rasterscan_files::Format;

use crate::console::called;
use crate::device::DeviceOptions;
use crate::input::READ;

/// The command that runs a job on a device.
pub fn command(job: &Job, device: &DeviceOptions) -> String {
    format!("{} {job}{}", called(), device.arguments())
}

/// A subcommand for each problem: a job, and the options that a library job does not have.
#[derive(Debug, Clone)]
pub struct ForProblem<O> {
    pub job: Job,
    /// The format of INPUT, where its name and its bytes do not tell it.
    pub format: Option<Format>,
    /// True if the result is checked against the reference.
    pub verify: bool,
    /// The files for streams beside the first one.
    pub beside: NamedFiles,
    /// The options of the subcommand alone.
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
        let (problem, matches) = found.ok_or_else(|| clap::Error::new(ErrorKind::MissingSubcommand))?;
        let (job, beside) = of_matches(problem, matches)?;
        let verify = !matches.get_flag("no_verify");
        let format = matches.get_one("input_format").copied();
        Ok(ForProblem { job, format, verify, beside, own: O::from_arg_matches(matches)? })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The arguments of a job.
fn arguments(command: Command, problem: &'static Problem) -> Command {
    let input = Arg::new("input").value_name("INPUT").required(true).value_parser(input());
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
        let conflicts = problem.conflicts().filter(|(one, _)| *one == option.name);
        let argument = argument(option).conflicts_with_all(conflicts.map(|(_, other)| other));
        command = command.arg(argument);
    }
    if moves(problem) {
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
    if problem.option(PAYLOAD).is_some() {
        command = command.arg(
            Arg::new("payload-out")
                .long("payload-out")
                .value_name("FILE")
                .requires(PAYLOAD)
                .value_parser(value_parser!(PathBuf))
                .help("Write the moved payload to a file: .npy, .csv, .txt or .bin"),
        );
    }
    let dtype = Arg::new("dtype").long("dtype").value_name("TYPE");
    let dtype = dtype
        .value_parser(element())
        .help("The element type; every value must fit, and an integer must be exact in f32");
    let format = Arg::new("input_format").long("input-format").value_name("FORMAT");
    let format = format
        .value_parser(self::format(&READ))
        .help("The format of INPUT [default: from its name; of standard input from its first bytes, or txt]");
    let verify = Arg::new("no_verify").long("no-verify").action(ArgAction::SetTrue);
    command
        .arg(dtype)
        .arg(format)
        .arg(verify.help("Do not check the result against the sequential reference"))
}

/// A parser of a format, by one of these endings of its files' names.
pub fn format(endings: &'static [&'static str]) -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(endings)
        .try_map(|ending| Format::of_name(&Path::new("file").with_extension(ending)).ok_or("no such format"))
}

/// Files by the names of the streams that they get: indices, a payload.
pub type NamedFiles = Vec<(&'static str, PathBuf)>;

/// The option of a stream that moves with the keys of a sort, and the name of the moved one.
const PAYLOAD: &str = "payload";

/// The option that names the file of a stream beside the first one, if there is one.
pub fn file_option(problem: &Problem, stream: &Output) -> Option<&'static str> {
    match stream.name {
        "indices" if moves(problem) => Some("--indices=FILE"),
        PAYLOAD => Some("--payload-out FILE"),
        _ => None,
    }
}

/// Returns true if the results of a problem are values, indices, or both.
fn moves(problem: &Problem) -> bool {
    problem.option("moves").is_some()
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
        (Some(CustomSyntax::Stream(_)), _) => argument.value_parser(input()),
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

/// The job, and the files for streams beside the first one.
fn of_matches(problem: &'static Problem, matches: &ArgMatches) -> Result<(Job, NamedFiles), clap::Error> {
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
    let indices = (moves(problem) && matches.contains_id("indices"))
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
    let payload = problem.option(PAYLOAD).and_then(|_| matches.get_one::<PathBuf>("payload-out").cloned());
    let files = [("indices", indices.flatten()), (PAYLOAD, payload)];
    Ok((job, files.into_iter().filter_map(|(name, file)| Some((name, file?))).collect()))
}

/// A parser of an INPUT that keeps its text.
fn input() -> impl TypedValueParser<Value = OsString> {
    OsStringValueParser::new().try_map(|text| source(&text).map(|_| text))
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
