//! Logs whose directory cannot be made, or that cannot be written: an error at once, before anybody is asked.

use super::home::Home;
use std::fs;
use std::os::unix::fs::symlink;

/// A home whose judges never answer: a run that asks one does not end with an error of files.
fn silent() -> Home {
    let home = Home::new(["accept"; 3], "");
    let never =
        serde_json::json!({"model": "quick", "text": "", "delay_ms": 3_600_000, "always": true});
    home.write("answers.jsonl", &never.to_string());
    home
}

/// What a run of a task prints on stderr that fails by a file.
fn error(home: &Home, more: &[&str]) -> String {
    let output = home.task(more);
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(74), 0), "{text}");
    assert!(!text.contains("asking ") && text.contains("hint: nobody was asked"), "{text}");
    text
}

#[test]
fn log_directory_that_cannot_be_made_is_an_error_that_names_what_is_in_its_way() {
    for (log, expected) in [
        ("link/verdicts.jsonl", "link is a link to /no/such/disk, which does not exist"),
        ("link/a/b/verdicts.jsonl", "link is a link to /no/such/disk, which does not exist"),
        ("file/verdicts.jsonl", "file is not a directory"),
        ("file/a/verdicts.jsonl", "file is not a directory"),
        ("to-file/verdicts.jsonl", "to-file is not a directory"),
        ("loop/verdicts.jsonl", "failed to make the directory"),
    ] {
        let home = silent();
        home.configure(&format!("[task]\nlog = \"~/{log}\"\n"));
        home.write("file", "");
        for (target, name) in [("/no/such/disk", "link"), ("file", "to-file"), ("loop", "loop")] {
            symlink(target, home.path().join(name)).unwrap();
        }
        for more in [&[][..], &["--explain"]] {
            let text = error(&home, more);
            let is_named = text.contains("failed to make the directory");
            assert!(is_named && text.contains(expected), "{more:?}: {text}");
        }
    }
}

#[test]
fn output_whose_directory_cannot_be_made_is_the_same_error() {
    let home = silent();
    symlink("/no/such/disk", home.path().join("link")).unwrap();
    let text = error(&home, &["--output", "link/own.jsonl"]);
    assert!(text.contains("link is a link to /no/such/disk"), "{text}");
    // What the configured log holds counts: a disk with it may not be mounted.
    let home = silent();
    symlink("/no/such/disk", home.path().join(".openclaw")).unwrap();
    let text = error(&home, &["--output", "own.jsonl"]);
    assert!(text.contains(".openclaw is a link to /no/such/disk"), "{text}");
}

#[test]
fn directory_that_takes_no_file_is_an_error_before_anybody_is_asked() {
    let home = silent();
    // Even the superuser makes no file there.
    home.configure("[task]\nlog = \"/proc/self/verdicts.jsonl\"\n");
    assert!(error(&home, &[]).contains("failed to open /proc/self/verdicts.jsonl"));
}

#[test]
fn log_that_cannot_be_written_is_an_error_before_anybody_is_asked() {
    let home = silent();
    symlink("/no/such/disk/own.jsonl", home.path().join("own.jsonl")).unwrap();
    let text = error(&home, &["--output", "own.jsonl"]);
    assert!(text.contains("failed to open /no/such/disk/own.jsonl"), "{text}");
    fs::write(home.path().join("kept.jsonl"), "").unwrap();
    let read_only = std::os::unix::fs::PermissionsExt::from_mode(0o444);
    fs::set_permissions(home.path().join("kept.jsonl"), read_only).unwrap();
    // The superuser may write it all the same.
    if fs::File::options().append(true).open(home.path().join("kept.jsonl")).is_err() {
        for more in [&["--output", "kept.jsonl"][..], &["--output", "kept.jsonl", "--explain"]] {
            assert!(error(&home, more).contains("failed to open kept.jsonl"));
        }
    }
}

#[test]
fn preview_makes_no_directory() {
    let home = silent();
    home.configure("[task]\nlog = \"~/a/b/verdicts.jsonl\"\n");
    assert_eq!(home.task(&["--explain"]).status.code(), Some(0));
    assert!(!home.path().join("a").exists());
}

#[test]
fn log_without_a_place_for_locks_is_written_as_before() {
    let home = Home::new(["accept"; 3], "");
    fs::create_dir(home.path().join(".openclaw")).unwrap();
    fs::write(home.path().join(".openclaw/verdicts.jsonl.locks"), "").unwrap();
    let output = home.task(&[]);
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(0) && text.contains("no usable locks"), "{text}");
    assert_eq!(home.log().len(), 1);
}
