//! The layout of the code is what docs/architecture.md says it is.

mod circles;
mod command_size;
mod dependencies;
mod functions;
mod instruments;
mod names;
mod owners;
mod planted;
mod rules;
mod tokens;
mod wording;

use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every Rust file below a directory of the package, with its path in the package.
fn sources(top: &str) -> Vec<(String, String)> {
    let mut files = Vec::new();
    let mut left = vec![root().join(top)];
    while let Some(dir) = left.pop() {
        for entry in std::fs::read_dir(&dir).unwrap() {
            let path: PathBuf = entry.unwrap().path();
            if path.is_dir() {
                left.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let name = path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned();
                files.push((name, std::fs::read_to_string(&path).unwrap()));
            }
        }
    }
    files.sort();
    files
}

/// The program's files and those of the members of the workspace, without their tests.
pub(super) fn program() -> Vec<(String, String)> {
    let members = sources("crates");
    assert!(members.len() > 200, "only {} files of members were found", members.len());
    [sources("src"), members].concat()
}

#[test]
fn no_file_of_the_program_breaks_a_rule() {
    let files = program();
    assert!(files.len() > 30, "only {} files were found", files.len());
    let broken: Vec<_> = files.iter().flat_map(|(path, text)| rules::check(path, text)).collect();
    assert!(broken.is_empty(), "{} rules are broken:\n{}", broken.len(), broken.join("\n"));
}

#[test]
fn functions_are_short_or_tables() {
    let files = program();
    let long: Vec<_> = files.iter().flat_map(|(path, text)| functions::check(path, text)).collect();
    assert!(long.is_empty(), "{}", long.join("\n"));
    for (path, name) in functions::excuses() {
        let (_, text) = files.iter().find(|(p, _)| rules::in_package(p) == path).unwrap();
        let long = functions::long(path, text);
        assert!(long.iter().any(|(n, _)| n == name), "{path}: {name} needs no excuse any more");
    }
}

#[test]
fn files_of_the_command_line_are_small() {
    let files = program();
    let large: Vec<_> =
        files.iter().filter_map(|(path, text)| command_size::check(path, text)).collect();
    assert!(large.is_empty(), "{}", large.join("\n"));
}

#[test]
fn modules_of_a_room_import_in_one_direction() {
    let circles = circles::circles(&program());
    let large: Vec<_> = circles.iter().filter(|c| c.len() > circles::MAX_MODULES).collect();
    assert!(large.is_empty(), "these modules import each other in a circle: {large:#?}");
}

#[test]
fn files_import_each_other_in_small_circles() {
    let circles = circles::circles_of_files(&program());
    let wrong = circles::unexcused(&circles);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn answers_are_worded_once() {
    let answers = sources("crates/foureyes-answers/src");
    let found = wording::repeated(&answers, &sources("src"));
    assert!(found.is_empty(), "these are worded in an answer already:\n{}", found.join("\n"));
}

#[test]
fn the_arrows_that_are_there_are_seen() {
    let (path, text) = sources("src").into_iter().find(|(p, _)| p == "src/cli/context.rs").unwrap();
    let rooms = rules::arrows(&path, &text);
    for room in ["config", "domain", "files"] {
        assert!(rooms.iter().any(|r| r == room), "src/cli/context.rs imports {room}: {rooms:?}");
    }
}

#[test]
fn every_room_of_the_library_is_in_the_table() {
    let files = program();
    let libs = files.iter().filter(|(path, _)| path.ends_with("src/lib.rs"));
    let rooms: Vec<_> = libs
        .flat_map(|(_, lib)| lib.lines())
        .filter_map(|l| l.strip_prefix("pub mod ")?.strip_suffix(';'))
        .collect();
    assert!(rooms.len() > 25, "{rooms:?}");
    for (i, room) in rooms.iter().enumerate() {
        assert!(rules::rank(room).is_some(), "{room} has no place in the table of layers");
        assert!(!rooms[..i].contains(room), "two members have a module {room}");
    }
}

#[test]
fn families_differ_by_their_rows_alone() {
    let wrong = instruments::wrong(&program());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Names of an earlier dialect, for which docs/glossary.md has the field's term.
#[test]
fn no_name_is_a_banned_word() {
    let files = program();
    let found: Vec<_> = files.iter().flat_map(|(path, text)| names::banned(path, text)).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn tests_are_enabled_and_files_are_short() {
    let files = [program(), sources("tests")].concat();
    let broken: Vec<_> = files.iter().flat_map(|(p, t)| rules::check_any(p, t)).collect();
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn every_file_of_tests_is_part_of_the_one_binary() {
    let files = sources("tests");
    assert!(files.len() > 10, "only {} files were found", files.len());
    let missing: Vec<_> = rules::unlisted(&files);
    assert!(missing.is_empty(), "no `mod` line names {missing:?}");
}
