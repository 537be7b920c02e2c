//! The directory that is written to.

use super::{NOW, logs_only, make};
use foureyes::domain::Timestamp;
use foureyes::generate::{Error, Spec, generate};
use std::path::Path;

#[test]
fn configuration_names_generated_data() {
    let (dir, _) = make(&Spec::new(60, 3, 1, NOW));
    let text = std::fs::read_to_string(dir.path().join("foureyes.toml")).unwrap();
    let config: toml::Value = toml::from_str(&text).unwrap();
    let boxes = config["box"].as_array().unwrap();
    let names: Vec<_> = boxes.iter().map(|b| b["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["attic", "cellar"]);
    for log in boxes.iter().flat_map(|b| b["logs"].as_array().unwrap()) {
        assert!(Path::new(log.as_str().unwrap()).exists(), "{log}");
    }
    let repository = config["repository"][0]["path"].as_str().unwrap();
    assert!(Path::new(repository).join(".git").is_dir());
    assert!(config["agents"].as_array().unwrap().len() > 1);
}

#[test]
fn foreign_files_are_not_removed_or_overwritten() {
    let spec = Spec::new(60, 3, 1, NOW);
    let dir = tempfile::tempdir().unwrap();
    let foreign = dir.path().join("precious");
    std::fs::write(&foreign, "x").unwrap();
    assert!(matches!(generate(&spec, dir.path()), Err(Error::Occupied { .. })));
    std::fs::write(dir.path().join(".foureyes-generated"), "something else\nprecious\n").unwrap();
    assert!(matches!(generate(&spec, dir.path()), Err(Error::Occupied { .. })));
    assert_eq!(std::fs::read(&foreign).unwrap(), b"x");

    let (dir, _) = make(&spec);
    let mine = dir.path().join("boxes/attic/.openclaw/mine.jsonl");
    std::fs::write(&mine, "x").unwrap();
    generate(&Spec { boxes: 1, ..spec.clone() }, dir.path()).unwrap();
    assert_eq!(std::fs::read(&mine).unwrap(), b"x");
    assert!(!dir.path().join("boxes/cellar").exists(), "the second box was ours");

    let mine = dir.path().join("repository/research/mine.md");
    std::fs::write(&mine, "x").unwrap();
    assert!(
        matches!(generate(&spec, dir.path()), Err(Error::Foreign { path }) if path.ends_with("mine.md"))
    );
    assert!(dir.path().join("truth.jsonl").exists(), "nothing was removed");
    assert_eq!(std::fs::read(&mine).unwrap(), b"x");
}

#[test]
fn a_marker_cannot_send_us_out_of_the_directory() {
    let spec = logs_only(30, 1);
    let (dir, _) = make(&spec);
    let outside = tempfile::tempdir().unwrap();
    let precious = outside.path().join("precious");
    std::fs::write(&precious, "x").unwrap();
    std::os::unix::fs::symlink(outside.path(), dir.path().join("link")).unwrap();
    let marker = dir.path().join(".foureyes-generated");
    let mut text = std::fs::read_to_string(&marker).unwrap();
    let absolute = precious.display().to_string();
    let above = format!("../{}/precious", outside.path().file_name().unwrap().to_str().unwrap());
    text.extend([absolute.as_str(), "\n", &above, "\nlink/precious\n"]);
    std::fs::write(&marker, text).unwrap();
    generate(&spec, dir.path()).unwrap();
    assert_eq!(std::fs::read(&precious).unwrap(), b"x");
}

#[test]
fn impossible_request_is_rejected_by_name() {
    let dir = tempfile::tempdir().unwrap();
    let good = logs_only(10, 1);
    for (spec, named) in [
        (Spec { days: 0, ..good.clone() }, "days"),
        (Spec { boxes: 65, ..good.clone() }, "boxes"),
        (Spec { dirt: 0.6, ..good.clone() }, "dirt"),
        (Spec { dirt: f64::NAN, ..good.clone() }, "dirt"),
        (Spec { end: Timestamp(i64::MAX), ..good.clone() }, "end"),
        (Spec { records: u64::MAX, ..good }, "records"),
    ] {
        let error = generate(&spec, dir.path()).unwrap_err();
        assert!(matches!(error, Error::Spec { what, .. } if what == named), "{error}");
    }
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
}
