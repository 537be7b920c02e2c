//! The help of every command.

use clap::CommandFactory;
use std::collections::HashMap;

/// Calls back for a command and all below it, with its whole name.
fn each(command: &clap::Command, name: &str, then: &mut impl FnMut(&str, &clap::Command)) {
    then(name, command);
    for below in command.get_subcommands().filter(|c| c.get_name() != "help") {
        each(below, &format!("{name} {}", below.get_name()), then);
    }
}

pub(super) fn commands(then: &mut impl FnMut(&str, &clap::Command)) {
    let root = foureyes::cli::Cli::command().term_width(100);
    let mut root = foureyes::cli::grouped(root);
    root.build();
    each(&root, "foureyes", then);
}

#[test]
fn the_help_of_every_command_is_as_it_was_edited() {
    let mut all = String::new();
    commands(&mut |name, command| {
        let help = command.clone().term_width(100).render_long_help();
        all += &format!("==== {name}\n\n{help}\n");
    });
    for banned in
        ["in place of", "anew", "was heard", "to hold", "all the same", "of ours", "whatever"]
    {
        assert!(!all.contains(banned), "{banned}: say it plainly");
    }
    insta::with_settings!({ snapshot_path => "../snapshots", prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("help", all);
    });
}

#[test]
fn program_shows_commands_and_suggests_them_in_the_order_of_the_groups() {
    let home = super::Home::new();
    for words in [&["help"][..], &["--help"], &["-h"]] {
        let ran = home.run(words);
        let places: Vec<_> = foureyes::cli::GROUPS
            .iter()
            .map(|(title, _)| ran.out.find(&format!("\n {title}\n")))
            .collect();
        assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{}", ran.out);
    }
    let ran = home.run(&["ledge"]);
    assert!(ran.code == 64 && ran.err.contains("'judge', 'fleet', 'ledger'"), "{}", ran.err);
    assert_eq!(home.run(&["triage", "--help", "--json"]).code, 0);
}

/// Completion scripts and the heads of manual pages show the same sentence.
#[test]
fn every_command_has_a_description_of_its_own_in_the_imperative() {
    let mut known: HashMap<String, String> = HashMap::new();
    commands(&mut |name, command| {
        let about = command.get_about().unwrap_or_else(|| panic!("{name} has none")).to_string();
        let first = about.split(' ').next().unwrap();
        assert!(first.starts_with(|c: char| c.is_ascii_uppercase()), "{name}: {about}");
        assert!(!["The", "A", "Which", "What", "How"].contains(&first), "{name}: {about}");
        assert!(!about.ends_with('.'), "{name}: {about}");
        if let Some(other) = known.insert(about.clone(), name.to_owned()) {
            panic!("{name} and {other}: {about}");
        }
    });
}

fn document(path: &str) -> String {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(root.join(path)).unwrap()
}

#[test]
fn every_schema_is_documented() {
    let text = document("docs/json.md");
    let assets = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
    for file in std::fs::read_dir(assets).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        let named = !name.ends_with(".schema.json") || text.contains(&format!("`{name}`"));
        assert!(named, "{name} is not in docs/json.md");
    }
}

/// The table has the groups of the help, each with all of its commands.
#[test]
fn the_table_of_the_readme_has_every_command() {
    let text = document("README.md");
    let row = |line: &str| -> Option<(String, Vec<String>)> {
        let (title, names) = line.strip_prefix("| ")?.strip_suffix(" |")?.split_once(" | `")?;
        let names = names.strip_suffix('`')?.split("`, `").map(str::to_owned);
        Some((title.to_owned(), names.collect()))
    };
    let table = text.split("\n## Commands\n").nth(1).unwrap().split("\n## ").next().unwrap();
    let mut rows: Vec<_> = table.lines().filter_map(row).collect();
    rows.iter_mut().for_each(|(_, names)| names.sort());
    let groups = foureyes::cli::GROUPS.iter().map(|(title, names)| {
        let mut names: Vec<_> = names.iter().map(|name| (*name).to_owned()).collect();
        names.sort();
        (title.to_lowercase(), names)
    });
    assert_eq!(rows, groups.collect::<Vec<_>>());
    let root = foureyes::cli::Cli::command();
    for command in root.get_subcommands().filter(|one| !one.is_hide_set()) {
        let known =
            rows.iter().any(|(_, names)| names.iter().any(|name| name == command.get_name()));
        assert!(known, "the table lacks {}", command.get_name());
    }
}

#[test]
fn the_readme_is_short_and_its_links_lead_somewhere() {
    let text = document("README.md");
    assert!(text.len() <= 9_000, "{} bytes", text.len());
    for link in text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next()) {
        assert!(link.starts_with("http") || !document(link).is_empty(), "{link}");
    }
}
