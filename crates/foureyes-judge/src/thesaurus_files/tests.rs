//! Files of terms on a disk, and a program that finds terms.

use super::*;
use std::os::unix::fs::{PermissionsExt, symlink};

fn outcomes(directory: &Path) -> Vec<Outcome> {
    setup(directory).unwrap().into_iter().map(|(_, outcome)| outcome).collect()
}

#[test]
fn setup_writes_five_files_once_and_leaves_what_is_other() {
    use Outcome::{Changed, Link, NoFile, Unchanged, Written};
    let dir = tempfile::tempdir().unwrap();
    let kg = dir.path().join("a/kg");
    assert_eq!(outcomes(&kg), [Written; 5]);
    assert_eq!(outcomes(&kg), [Unchanged; 5]);
    assert_eq!(fs::read_dir(&kg).unwrap().count(), 5, "nothing else is left");
    fs::write(kg.join("judge-semantic.md"), "# semantic\nsynonyms:: mine\n").unwrap();
    fs::remove_file(kg.join("judge-pragmatic.md")).unwrap();
    let elsewhere = dir.path().join("elsewhere");
    symlink(&elsewhere, kg.join("judge-pragmatic.md")).unwrap();
    fs::remove_file(kg.join("judge-syntactic.md")).unwrap();
    fs::create_dir(kg.join("judge-syntactic.md")).unwrap();
    assert_eq!(outcomes(&kg), [Changed, Link, NoFile, Unchanged, Unchanged]);
    assert!(!elsewhere.exists(), "a link is not written through");
    let kept = fs::read_to_string(kg.join("judge-semantic.md")).unwrap();
    assert_eq!(kept, "# semantic\nsynonyms:: mine\n");
}

#[test]
fn setup_tells_what_it_could_not_write() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    fs::write(&file, "x").unwrap();
    let error = setup(&file.join("kg")).unwrap_err();
    assert_eq!(error.to_string(), format!("failed to write {}", file.join("kg").display()));
}

#[test]
fn own_files_are_beside_ours_or_in_their_place() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(dir.path().join(name), text).unwrap();
    write("judge-semantic.md", "# semantic\nsynonyms:: untrue\n");
    write("house.md", "# syntactic\nsynonyms:: house style\n");
    write(".hidden.md", "x");
    write("notes.txt", "x");
    write("bad.md", "# bad\nsynonyms:: zap,\n");
    fs::create_dir(dir.path().join("folder.md")).unwrap();
    let loaded = load(Some(dir.path()));
    let named = |text: &str| {
        let dimensions = loaded.thesaurus.dimensions(text);
        dimensions.iter().map(|d| d.as_str()).collect::<Vec<_>>()
    };
    assert_eq!(named("wrong facts, untrue"), ["semantic"]);
    assert_eq!(named("wrong facts"), [""; 0], "ours was replaced");
    assert_eq!(named("house style and no format"), ["syntactic"]);
    let folder = dir.path().join("folder.md");
    assert_eq!(
        loaded.warnings(),
        [
            "\"bad.md\": 2:16: a term is empty".to_owned(),
            format!("failed to read {}: it is not a regular file", folder.display()),
        ]
    );
}

#[test]
fn without_a_directory_ours_hold() {
    let dir = tempfile::tempdir().unwrap();
    for directory in [None, Some(dir.path().join("absent"))] {
        let loaded = load(directory.as_deref());
        assert_eq!(loaded.thesaurus.terms(), Thesaurus::built_in().terms());
        assert_eq!(loaded.warnings(), [""; 0]);
    }
}

#[test]
fn a_file_that_is_too_long_is_reported_and_not_read() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("own.md"), " ".repeat(MAX_FILE + 2)).unwrap();
    assert_eq!(
        load(Some(dir.path())).warnings(),
        ["\"own.md\": 1:1: the file is longer than 262144 bytes"]
    );
}

/// A program of these lines of shell.
fn program(dir: &Path, script: &str) -> PathBuf {
    let path = dir.join("terraphim-cli");
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

#[test]
fn a_program_is_asked_with_the_text_as_one_argument() {
    let dir = tempfile::tempdir().unwrap();
    let arguments = dir.path().join("arguments");
    let script = format!(
        "printf '%s|' \"$@\" >'{}'\nprintf '%s' '{}'",
        arguments.display(),
        r#"{"text":"x","matches":[{"term":"a","normalized":"b","position":[0,1]},{"term":"c","normalized":"d"}],"count":2}"#
    );
    let program = program(dir.path(), &script);
    let found = find(&program, "--help; $(touch x)\n`y`").unwrap();
    assert_eq!(found.iter().map(|m| m.position).collect::<Vec<_>>(), [Some((0, 1)), None]);
    assert_eq!(
        fs::read_to_string(arguments).unwrap(),
        "--format|json|--quiet|find|--|--help; $(touch x)\n`y`|"
    );
}

#[test]
fn a_program_that_fails_gives_no_terms() {
    let dir = tempfile::tempdir().unwrap();
    let of = |script: &str| find(&program(dir.path(), script), "x").unwrap_err();
    assert!(matches!(of("exit 3"), Unanswered::Failed(_)));
    assert!(matches!(of("echo no"), Unanswered::Answer(_)));
    assert!(matches!(find(Path::new("/no/such"), "x"), Err(Unanswered::Run(_))));
    assert!(matches!(find(Path::new("/no/such"), "x\0"), Err(Unanswered::Text)));
    assert!(matches!(find(Path::new("/no/such"), &"x".repeat(MAX_TEXT)), Err(Unanswered::Text)));
}

/// Longer than what is passed to a program.
const MAX_TEXT: usize = (100 << 10) + 1;
