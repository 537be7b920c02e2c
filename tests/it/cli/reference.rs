//! docs/commands.md, which follows from the commands themselves.

use super::help::commands;
use clap::{Arg, ArgAction, Command};

/// Options that every command has; the reference names them once.
const GLOBAL: &str = "Global options";

/// Text for a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

/// The form of an option or argument, as it is typed.
fn form(arg: &Arg) -> String {
    let names = [
        arg.get_short().map(|short| format!("-{short}")),
        arg.get_long().map(|long| format!("--{long}")),
    ];
    let names = names.into_iter().flatten().collect::<Vec<_>>().join(", ");
    let values = match arg.get_action() {
        ArgAction::Set | ArgAction::Append => {
            let names = arg.get_value_names().unwrap_or_default();
            names.iter().map(|name| name.to_string()).collect::<Vec<_>>().join(" ")
        }
        _ => String::new(),
    };
    cell(&format!("`{}`", [names, values].join(" ").trim()))
}

/// What an option does, with its values and its default.
fn meaning(arg: &Arg) -> String {
    let mut text = arg.get_help().map(ToString::to_string).unwrap_or_default();
    let values: Vec<_> = arg.get_possible_values();
    if !values.is_empty() && !arg.is_hide_possible_values_set() {
        let names: Vec<_> = values.iter().map(|v| format!("`{}`", v.get_name())).collect();
        text += &format!("; {}", names.join(", "));
    }
    let defaults = arg.get_default_values();
    let hidden = arg.is_hide_default_value_set() || matches!(arg.get_action(), ArgAction::SetTrue);
    if !defaults.is_empty() && !hidden {
        let names: Vec<_> = defaults.iter().map(|v| v.to_string_lossy()).collect();
        text += &format!("; default `{}`", names.join(" "));
    }
    cell(&text)
}

fn options(command: &Command, global: bool) -> String {
    let shown = |arg: &&Arg| {
        !arg.is_hide_set()
            && !["help", "version"].contains(&arg.get_id().as_str())
            && (arg.get_help_heading() == Some(GLOBAL)) == global
    };
    let rows: Vec<_> = command
        .get_arguments()
        .filter(shown)
        .map(|arg| format!("| {} | {} |\n", form(arg), meaning(arg)))
        .collect();
    match rows.is_empty() {
        true => String::new(),
        false => format!("| option | effect |\n|---|---|\n{}\n", rows.concat()),
    }
}

fn reference() -> String {
    let mut text = "# Commands\n\nEvery command with its options, as `foureyes COMMAND --help` has them. How to read logs, what the console and\nthe demo do, and what output looks like is in [usage.md](usage.md), exit codes in\n[exit-codes.md](exit-codes.md), JSON in [json.md](json.md).\n\n".to_owned();
    let mut group = None;
    commands(&mut |name, command| {
        let top = name.split(' ').nth(1);
        let now =
            foureyes::cli::GROUPS.iter().find(|(_, names)| names.contains(&top.unwrap_or("")));
        if group != now.map(|(title, _)| title) {
            group = now.map(|(title, _)| title);
            text += &format!("## {}\n\n", group.unwrap_or(&""));
        }
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        let usage = command.clone().render_usage().to_string();
        let usage = usage.trim_start_matches("Usage:").trim().to_owned();
        if !command.is_hide_set() {
            text += &format!("### `{name}`\n\n{about}.\n\n");
            if !command.is_subcommand_required_set() || top.is_none() {
                text += &format!("```text\n{usage}\n```\n\n");
            }
            text += &options(command, false);
            if top.is_none() {
                text += "These work with every command; `hook` has no demo:\n\n";
                text += &options(command, true);
            }
        }
    });
    text.trim_end().to_owned() + "\n"
}

#[test]
fn reference_follows_from_the_commands() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/commands.md");
    let text = reference();
    if std::env::var_os("UPDATE_ASSETS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let stored = std::fs::read_to_string(&path).unwrap();
    assert!(stored == text, "docs/commands.md differs: run once with UPDATE_ASSETS=1");
}
