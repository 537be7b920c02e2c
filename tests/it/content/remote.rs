//! Fetching what no clone has, and leaving all else as it was.

use super::world::*;
use foureyes::content::{Absence, Where};

#[test]
fn a_missing_commit_is_fetched_and_nothing_a_user_sees_changes() {
    let world = World::new();
    let origin = world.init("origin", &[]);
    origin.with("a.md", "one\n");
    let clone = world.clone(&origin, "clone", &[]);
    clone.write("a.md", "edited, not staged\n");
    clone.write("staged.md", "staged\n");
    clone.git(&["add", "staged.md"]);
    clone.write("untracked.md", "untracked\n");
    let commit = origin.with("a.md", "two\n");
    origin.git(&["tag", "v1"]);
    origin.with("a.md", "three\n");
    for asked in [commit.clone(), commit[..10].to_owned()] {
        let clone = world.clone(&clone, &format!("of-{}", asked.len()), &["--no-hardlinks"]);
        clone.git(&["remote", "set-url", "origin", &format!("file://{}", origin.path.display())]);
        clone.write("a.md", "edited\n");
        let before = clone.print();
        let content = world.load(&config(&[clone.config()]), &request(&asked, &["a.md"])).unwrap();
        let source = Where::Fetched { path: clone.path.clone(), remote: "origin".into() };
        assert_eq!(content.source, source);
        assert_eq!(signed(&content.files[0]), ["@-1,1 +1,1", "-one", "+two"]);
        assert_eq!(clone.print(), before);
        let again = world.load(&config(&[clone.config()]), &request(&asked, &["a.md"])).unwrap();
        assert_eq!(again.source, Where::Clone(clone.path.clone()), "it is there now");
    }
    let before = clone.print();
    world.load(&config(&[clone.config()]), &request(&commit, &["a.md"])).unwrap();
    assert_eq!(clone.print(), before);
}

#[test]
fn commit_before_shallow_boundary_is_fetched_without_moving_it() {
    let world = World::new();
    let origin = world.init("origin", &[]);
    origin.with("a.md", "zero\n");
    let old = origin.with("a.md", "one\n");
    origin.with("a.md", "two\n");
    origin.with("a.md", "three\n");
    let clone = world.clone(&origin, "clone", &["--depth", "1"]);
    let before = clone.print();
    let mut off = clone.config();
    off.fetch = false;
    let nowhere = world.load(&config(&[off]), &request(&old, &["a.md"])).unwrap_err();
    assert_eq!(nowhere.why, Absence::Shallow);
    let content = world.load(&config(&[clone.config()]), &request(&old, &["a.md"])).unwrap();
    assert_eq!(signed(&content.files[0]), ["@-1,1 +1,1", "-zero", "+one"]);
    assert_eq!(clone.print(), before);
}

#[test]
fn missing_content_is_reported() {
    let world = World::new();
    let origin = world.init("origin", &[]);
    let commit = origin.with("a.md", "one\n");
    let clone = world.clone(&origin, "clone", &[]);
    let before = clone.print();
    let missing = "12345678".repeat(5);
    for asked in [missing.as_str(), &missing[..8]] {
        let all = config(&[clone.config()]);
        let nowhere = world.load(&all, &request(asked, &["a.md"])).unwrap_err();
        assert_eq!(nowhere.why, Absence::Unknown { fetched: true });
        assert_eq!(nowhere.tried.len(), 2, "{:?}", nowhere.tried);
    }
    assert_eq!(clone.print(), before);
    let mut off = clone.config();
    off.fetch = false;
    let nowhere = world.load(&config(&[off]), &request(&missing, &["a.md"])).unwrap_err();
    assert_eq!(nowhere.why, Absence::FetchOff);
    let alone = config(&[origin.config()]);
    let nowhere = world.load(&alone, &request(&missing, &["a.md"])).unwrap_err();
    assert_eq!(nowhere.why, Absence::NoRemote);
    clone.git(&["remote", "set-url", "origin", "file:///nowhere/at/all"]);
    let nowhere = world.load(&config(&[clone.config()]), &request(&missing, &[])).unwrap_err();
    let Absence::FetchFailed { reason } = &nowhere.why else { panic!("{nowhere:?}") };
    assert!(reason.contains("/nowhere/at/all"), "{reason}");
    assert!(world.load(&config(&[clone.config()]), &request(&commit, &[])).is_ok());
}

#[test]
fn a_remote_that_is_a_program_is_not_run() {
    let world = World::new();
    let repo = world.init("kb", &[]);
    repo.with("a.md", "one\n");
    let canary = world.at("canary");
    repo.git(&["config", "protocol.ext.allow", "always"]);
    let url = format!("ext::sh -c touch% {}", canary.display());
    repo.git(&["remote", "add", "origin", &url]);
    let missing = request(&"12345678".repeat(5), &[]);
    let nowhere = world.load(&config(&[repo.config()]), &missing).unwrap_err();
    assert!(matches!(nowhere.why, Absence::FetchFailed { .. }), "{nowhere:?}");
    assert!(!canary.exists());
    let _ = repo.command().args(["fetch", "-q"]).output();
    assert!(canary.exists(), "a plain fetch is caught by the trap");
}

#[test]
fn a_clone_of_the_box_itself_is_looked_into_first() {
    let world = World::new();
    let repo = world.init("one", &[]);
    let commit = repo.with("a.md", "x\n");
    let copy = world.clone(&repo, "two", &[]);
    let mut named = copy.config();
    named.boxes = vec!["small".into()];
    let content =
        world.load(&config(&[repo.config(), named]), &request(&commit, &["a.md"])).unwrap();
    assert_eq!(content.source, Where::Clone(copy.path));
}
