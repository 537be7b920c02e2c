//! Records, repositories and surroundings that want something else.

use super::world::*;
use foureyes::content::{self, Absence, State, Where};
use std::time::{Duration, Instant};

#[test]
fn invalid_commit_id_never_reaches_git() {
    let world = World::new();
    let repo = world.init("kb", &[]);
    repo.with("a.md", "x\n");
    for bad in
        ["", "HEAD", "--output=canary", "abc123", "$(touch canary)", "main", "HEAD~1", "1234567^"]
    {
        let nowhere = world.load(&config(&[repo.config()]), &request(bad, &["a.md"])).unwrap_err();
        assert_eq!(nowhere.why, Absence::NoCommitId { text: bad.to_owned() });
        assert!(nowhere.tried.is_empty());
        assert!(nowhere.why.next_step().is_some());
    }
}

#[test]
fn escaping_paths_are_rejected_and_others_are_literal() {
    let world = World::new();
    let repo = world.init("kb", &[]);
    let commit = repo.with("a.md", "x\n");
    let long = "x".repeat(4096);
    let files = [
        "../../etc/passwd",
        "/etc/passwd",
        "a.md/../../x",
        "-rf",
        "--output=canary",
        "$(touch canary)",
        "`touch canary`",
        "a;touch canary",
        "a\ntouch canary",
        "~/.ssh/id_ed25519",
        ":(glob)**",
        &long,
        "",
        "a.md",
    ];
    let content = read(&repo, &commit, &files);
    for file in &content.files {
        let expected = match file.path.as_str() {
            "../../etc/passwd" | "/etc/passwd" | "a.md/../../x" => Absence::PathLeaves,
            "" => Absence::NoPath,
            "a.md" => continue,
            _ => Absence::NotAtCommit,
        };
        assert_eq!(file.state, State::Absent(expected), "{:?}", file.path);
    }
    assert_eq!(text(content.files.last().unwrap()), "x\n");
    assert!(!repo.path.join("canary").exists() && !std::path::Path::new("canary").exists());
}

#[test]
fn a_repository_cannot_make_us_run_its_programs() {
    let world = World::new();
    let origin = world.init("origin", &[]);
    origin.with("research/a.md", "one\n");
    let repo = world.clone(&origin, "kb", &[]);
    let commit = repo.with("research/a.md", "two\n");
    let missing = origin.with("research/a.md", "three\n");
    let canary = world.at("canary");
    let evil = world.at("evil");
    std::fs::write(&evil, format!("#!/bin/sh\ntouch '{}'\ncat \"$@\"\n", canary.display()))
        .unwrap();
    std::fs::set_permissions(&evil, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let hooks = world.at("hooks");
    std::fs::create_dir(&hooks).unwrap();
    for hook in ["reference-transaction", "post-checkout", "post-index-change", "pre-auto-gc"] {
        std::fs::copy(&evil, hooks.join(hook)).unwrap();
        std::fs::copy(&evil, repo.path.join(".git/hooks").join(hook)).unwrap();
    }
    let script = evil.display().to_string();
    for (key, value) in [
        ("core.fsmonitor", script.as_str()),
        ("core.pager", &script),
        ("pager.diff", &script),
        ("diff.external", &script),
        ("diff.evil.command", &script),
        ("diff.evil.textconv", &script),
        ("filter.evil.smudge", &script),
        ("filter.evil.required", "true"),
        ("core.hooksPath", hooks.to_str().unwrap()),
        ("alias.cat-file", &format!("!{script}")),
        ("alias.diff", &format!("!{script}")),
        ("diff.noprefix", "true"),
        ("diff.algorithm", "patience"),
        ("diff.context", "0"),
        ("diff.suppressBlankEmpty", "true"),
        ("color.ui", "always"),
        ("color.diff", "always"),
        ("diff.wsErrorHighlight", "all"),
        ("diff.renames", "false"),
        ("log.showSignature", "true"),
        ("gc.auto", "1"),
    ] {
        repo.git(&["config", key, value]);
    }
    std::fs::write(repo.path.join(".git/info/attributes"), "* diff=evil filter=evil\n").unwrap();
    std::fs::write(repo.path.join(".gitattributes"), "* diff=evil filter=evil -text\n").unwrap();
    let file = one(&repo, &commit, "research/a.md");
    assert_eq!(text(&file), "two\n");
    assert_eq!(signed(&file), ["@-1,1 +1,1", "-one", "+two"]);
    let fetched = read(&repo, &missing, &["research/a.md"]);
    assert!(matches!(fetched.source, Where::Fetched { .. }));
    assert!(!canary.exists());
    let _ = repo.command().args(["diff", "HEAD~1", "HEAD"]).output();
    assert!(canary.exists(), "a plain call is caught by the trap");
}

#[test]
fn a_replaced_commit_is_shown_as_it_was_judged() {
    let world = World::new();
    let repo = world.init("kb", &[]);
    let real = repo.with("a.md", "real\n");
    let fake = repo.with("a.md", "fake\n");
    repo.git(&["replace", &real, &fake]);
    assert_eq!(text(&one(&repo, &real, "a.md")), "real\n");
}

#[test]
fn a_git_around_us_changes_nothing() {
    let again = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "content::clone::a_sha256_repository_is_read"])
        .envs([("GIT_DIR", "/nowhere"), ("GIT_WORK_TREE", "/nowhere"), ("GIT_INDEX_FILE", "/no")])
        .envs([("GIT_OBJECT_DIRECTORY", "/nowhere"), ("GIT_EXTERNAL_DIFF", "false")])
        .envs([("GIT_DIFF_OPTS", "--unified=0"), ("GIT_NAMESPACE", "elsewhere")])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&again.stdout);
    assert!(again.status.success() && text.contains("1 passed"), "{text}");
}

#[test]
fn cancelled_load_ends_and_leaves_no_git() {
    let world = World::new();
    let repo = world.init("kb", &[]);
    let commit = repo.with("a.md", "x\n");
    let all = config(&[repo.config()]);
    let asked = request(&commit, &["a.md"]);
    let nowhere = content::load(&asked, &all, &world.data(), &|| true).unwrap_err();
    assert_eq!(nowhere.why, Absence::Cancelled);
    // A remote that never answers, and somebody who stops waiting a little later.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("git://127.0.0.1:{}/x", listener.local_addr().unwrap().port());
    repo.git(&["remote", "add", "origin", &url]);
    let start = Instant::now();
    let cancel = || start.elapsed() > Duration::from_millis(400);
    let gone = request(&"1".repeat(40), &["a.md"]);
    let nowhere = content::load(&gone, &all, &world.data(), &cancel).unwrap_err();
    assert_eq!(nowhere.why, Absence::Cancelled);
    let left = std::process::Command::new("pgrep").args(["-f", &url]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&left.stdout), "", "no git stays behind");
}

#[test]
fn unconfigured_or_missing_clone_is_reported() {
    let world = World::new();
    let none = world.load(&config(&[]), &request(&"1".repeat(40), &[])).unwrap_err();
    assert_eq!(none.why, Absence::NoRepository { box_name: "small".into() });
    let repo = world.init("kb", &[]);
    let commit = repo.with("a.md", "x\n");
    let mut other = repo.config();
    other.boxes = vec!["other".into()];
    // A full id means the same everywhere, an abbreviation does not.
    let all = config(std::slice::from_ref(&other));
    assert!(world.load(&all, &request(&commit, &["a.md"])).is_ok());
    let none = world.load(&all, &request(&commit[..10], &["a.md"])).unwrap_err();
    assert!(matches!(none.why, Absence::NoRepository { .. }), "{none:?}");
    let mut gone = repo.config();
    gone.path = world.at("nowhere");
    let none = world.load(&config(&[gone]), &request(&commit, &["a.md"])).unwrap_err();
    assert!(matches!(none.why, Absence::NoClone { .. }), "{none:?}");
    let mut below = repo.config();
    repo.with("sub/a.md", "x\n");
    below.path = repo.path.join("sub");
    let none = world.load(&config(&[below]), &request(&commit, &["a.md"])).unwrap_err();
    assert!(matches!(none.why, Absence::NoClone { .. }), "{none:?}");
}

#[test]
fn clone_configured_programs_run_only_when_allowed() {
    let world = World::new();
    let origin = world.init("origin", &[]);
    origin.with("a.md", "one\n");
    let clone = world.clone(&origin, "clone", &[]);
    let commit = origin.with("a.md", "two\n");
    clone.git(&["remote", "set-url", "origin", &format!("file://{}", origin.path.display())]);
    let (script, ran) = (origin.path.join(".git/pack.sh"), origin.path.join(".git/ran"));
    let text = format!("#!/bin/sh\ntouch '{}'\nexec git-upload-pack \"$@\"\n", ran.display());
    std::fs::write(&script, text).unwrap();
    std::fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let quoted = format!("'{}'", script.display());
    clone.git(&["config", "remote.origin.uploadpack", &quoted]);
    let mut own = clone.config();
    let asked = request(&commit, &["a.md"]);
    let nowhere = world.load(&config(std::slice::from_ref(&own)), &asked).unwrap_err();
    assert_eq!(nowhere.why, Absence::OwnProgram { key: "remote.origin.uploadpack".into() });
    assert!(!ran.exists());
    own.programs = vec!["remote.origin.uploadPack".into()];
    assert!(world.load(&config(&[own]), &asked).is_ok() && ran.exists());
}
