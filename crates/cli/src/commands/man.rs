//! `man`: the manual page, all commands in one.

use std::io;

use clap::Args;
use clap_mangen::Man;

use crate::output;

/// Print the manual page (read it with `rasterscan man | man -l -`)
#[derive(Debug, Args)]
pub struct ManOptions {}

pub fn run(_: &ManOptions, command: clap::Command) -> anyhow::Result<()> {
    output::to_stdout(&page(command)?)
}

fn page(mut command: clap::Command) -> io::Result<Vec<u8>> {
    command.build();
    // With subcommands of subcommands, which have options of their own.
    let own = |command: &clap::Command| -> Vec<clap::Command> {
        command.get_subcommands().filter(|command| command.get_name() != "help").cloned().collect()
    };
    let subcommands = own(&command).into_iter().flat_map(|command| {
        let inner = own(&command);
        [command].into_iter().chain(inner)
    });
    let subcommands: Vec<clap::Command> = subcommands.collect();
    let man = Man::new(command);
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    for subcommand in subcommands {
        page.extend(section(subcommand)?);
    }
    page.extend(surroundings(&man)?);
    man.render_version_section(&mut page)?;
    Ok(page)
}

/// The text below the help, under its own title and line by line.
fn surroundings(man: &Man) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    man.render_extra_section(&mut text)?;
    Ok(titled(&text, "ENVIRONMENT AND EXIT CODES"))
}

/// A help text with a title; its lines are kept as they are, not filled.
fn titled(text: &[u8], title: &str) -> Vec<u8> {
    let text = String::from_utf8_lossy(text);
    let lines = text.replace(".SH EXTRA\n", &format!(".SH {title}\n.nf\n"));
    (lines + ".fi\n").into_bytes()
}

/// A subcommand as one section; the sections of its own page become subsections. Options that every command takes are
/// left to the page's own list.
fn section(command: clap::Command) -> io::Result<Vec<u8>> {
    let has_forms = command.get_after_long_help().is_some();
    let name = command.get_bin_name().and_then(|name| name.split_once(' '));
    let title = format!(".SH {}\n", name.map_or(command.get_name(), |(_, name)| name).to_uppercase());
    let globals: Vec<clap::Id> = command
        .get_arguments()
        .filter(|argument| argument.is_global_set())
        .map(|argument| argument.get_id().clone())
        .collect();
    let command =
        globals.into_iter().fold(command, |command, id| command.mut_arg(id, |argument| argument.hide(true)));
    let man = Man::new(command);
    let mut text = Vec::new();
    man.render_description_section(&mut text)?;
    man.render_synopsis_section(&mut text)?;
    man.render_options_section(&mut text)?;
    if has_forms {
        let mut extra = Vec::new();
        man.render_extra_section(&mut extra)?;
        text.extend(titled(&extra, "FORMS AND EXAMPLES"));
    }
    let text = String::from_utf8_lossy(&text).replace(".SH ", ".SS ");
    Ok((title + &text).into_bytes())
}
