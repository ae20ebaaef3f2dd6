//! The options of all problems together, for commands that take any of them: each option once, with its problems.

use std::ffi::OsString;

use clap::{ArgAction, ArgMatches, Args, Command, FromArgMatches};
use rasterscan::tools::problem::{self, Problem};
use rasterscan::tools::registry::{Arguments, CustomSyntax, Parameter, SideInput};

use super::exit::Usage;
use super::job;

/// The given options; with `SEVERAL`, each takes values separated by commas, or is given again where a value may have
/// commas.
///
/// Several values mean all combinations. Then an option for a stream takes one value, and those for masks, offsets, ranges
/// and conditions are left out: a command that combines generates its numbers, and sets the share that is kept.
#[derive(Debug, Clone, Default)]
pub struct AnyOptions<const SEVERAL: bool = false>(Vec<(&'static Parameter, Vec<OsString>)>);

/// All options, except `channels`, which is for pictures, each with the problems that have it.
fn all(several: bool) -> Vec<(&'static Parameter, Vec<&'static str>)> {
    let mut all: Vec<(&Parameter, Vec<&str>)> = Vec::new();
    for problem in problem::ALL {
        let of_generated = |option: &Parameter| match option.domain.custom {
            Some(CustomSyntax::Stream(side_input)) => {
                matches!(side_input, SideInput::Bits | SideInput::Edges | SideInput::Values)
            }
            // No row of a table names a range.
            Some(CustomSyntax::Text { .. }) | None => !["keep", "range"].contains(&option.name),
        };
        let wanted = |option: &&Parameter| option.name != "channels" && (!several || of_generated(option));
        for option in problem.options.iter().filter(wanted) {
            match all.iter_mut().find(|(known, _)| known.name == option.name) {
                Some((_, problems)) => problems.push(problem.name),
                None => all.push((option, vec![problem.name])),
            }
        }
    }
    all
}

impl<const SEVERAL: bool> Args for AnyOptions<SEVERAL> {
    fn augment_args(command: Command) -> Command {
        all(SEVERAL).into_iter().fold(command, |command, (option, problems)| {
            let text = matches!(option.domain.custom, Some(CustomSyntax::Text { .. }));
            let again = if SEVERAL && text { "; may be given again" } else { "" };
            let help = format!("{}{again} ({})", job::about(option), problems.join(", "));
            let argument = job::argument(option).help(help).default_value(None::<&str>);
            let several = SEVERAL && !option.domain.is_flag() && !option.domain.is_stream();
            command.arg(match several {
                true if text => argument.action(ArgAction::Append),
                true => {
                    let name = format!("{},...", option.name.to_uppercase());
                    argument.value_name(name).value_delimiter(',').action(ArgAction::Append)
                }
                false => argument,
            })
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<const SEVERAL: bool> FromArgMatches for AnyOptions<SEVERAL> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let given =
            all(SEVERAL).into_iter().filter_map(|(option, _)| Some((option, job::given(option, matches)?)));
        Ok(AnyOptions(given.collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl<const SEVERAL: bool> AnyOptions<SEVERAL> {
    /// Returns true if no option was given.
    #[cfg(feature = "window")]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns true if a problem has all given options.
    #[cfg(feature = "window")]
    pub fn are_of(&self, problem: &Problem) -> bool {
        self.0.iter().all(|(option, _)| problem.option(option.name).is_some())
    }

    /// Checks that the problem has all given options.
    fn check(&self, problem: &Problem) -> Result<(), Usage> {
        let Some((alien, _)) = self.0.iter().find(|(option, _)| problem.option(option.name).is_none()) else {
            return Ok(());
        };
        let of = problem::ALL.into_iter().filter(|problem| problem.option(alien.name).is_some());
        let of: Vec<&str> = of.map(|problem| problem.name).collect();
        Err(Usage(format!("--{} is for {}", alien.name, of.join(" and "))))
    }

    /// Every combination of the values, as options of a problem; without values, one with nothing set.
    ///
    /// Errors: an option that the problem does not have, and a value that it does not take. Options that name streams
    /// are left out: see [`Self::streams`].
    pub fn combinations(&self, problem: &'static Problem) -> anyhow::Result<Vec<Arguments>> {
        self.check(problem)?;
        let mut all = vec![Arguments::NONE];
        let plain = self.0.iter().filter(|(option, _)| !option.domain.is_stream());
        for (option, values) in plain {
            let with = |options: &Arguments| {
                let set = |value: &OsString| {
                    options.set(problem.options, problem.name, option.name, &value.to_string_lossy())
                };
                values.iter().map(set).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(with).collect::<Result<_, _>>()?;
        }
        Ok(all)
    }

    /// The options that name a stream, with their values.
    pub fn streams(&self) -> impl Iterator<Item = (&'static Parameter, &OsString)> {
        let streams = self.0.iter().filter(|(option, _)| option.domain.is_stream());
        streams.filter_map(|(option, values)| Some((*option, values.last()?)))
    }
}
