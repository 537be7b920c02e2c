//! The groups of commands in the help: what a person wants to do.

use clap::error::ErrorKind;
use clap::{Command, Parser};
use std::ffi::OsString;

/// Groups and their commands, in the order of the help.
pub const GROUPS: &[(&str, &[&str])] = &[
    ("Look", &["triage", "records", "show", "trend"]),
    ("Label", &["label", "override"]),
    ("Decide", &["readiness", "calibration", "peer", "gate", "runbook", "risk"]),
    ("Judge", &["judge", "hook", "memories", "serve"]),
    ("Boxes", &["pull", "fleet", "box", "doctor"]),
    ("Set up", &["config", "kg", "ledger", "generate"]),
];

/// Parses the arguments of a command whose help is grouped.
pub(super) fn parse<C: Parser>(arguments: Vec<OsString>) -> Result<C, clap::Error> {
    match parse_by(C::command(), arguments.clone()) {
        // Help, and what is suggested for a wrong word, are in the order of the groups. These are made of the
        // whole help, which would be a quarter of every start.
        Err(error) if error.kind() != ErrorKind::DisplayVersion => {
            parse_by(grouped(C::command()), arguments)
        }
        parsed => parsed,
    }
}

fn parse_by<C: Parser>(mut command: Command, arguments: Vec<OsString>) -> Result<C, clap::Error> {
    let matches = command.try_get_matches_from_mut(arguments)?;
    C::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
}

/// A command whose help lists its subcommands in groups.
///
/// The library knows no groups of subcommands. So they are put in order, and each group's title
/// stands in the help above its first one.
pub fn grouped(mut command: Command) -> Command {
    let names = GROUPS.iter().flat_map(|(_, names)| names.iter());
    for (order, name) in names.enumerate() {
        if command.find_subcommand(name).is_some() {
            command = command.mut_subcommand(name, |one| one.display_order(order));
        }
    }
    let help = command.clone().render_help();
    let title = command.get_styles().get_header();
    let (mut titled, mut last) = (String::new(), None);
    for (plain, styled) in help.to_string().lines().zip(help.ansi().to_string().lines()) {
        // The options have it too.
        if plain.starts_with("  help ") {
            continue;
        }
        let group = group_of(plain);
        if let Some(name) = group.filter(|_| group != last) {
            titled += &format!(" {title}{name}{title:#}\n");
            last = group;
        }
        titled = titled + styled + "\n";
    }
    command.override_help(titled)
}

/// The group of the command that a line of the help lists.
fn group_of(line: &str) -> Option<&'static str> {
    let name = line.strip_prefix("  ")?.split(' ').next()?;
    GROUPS.iter().find(|(_, names)| names.contains(&name)).map(|(title, _)| *title)
}
