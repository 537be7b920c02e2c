//! The repository on a box, behind a real sshd.

use super::world::*;
use crate::pull::{Forwarder, Lab, Wire};
use foureyes::config::{Config, RepositoryConfig};
use foureyes::content::{self, Absence, Content, Nowhere, Request, State, Where};
use std::time::{Duration, Instant};

/// A box with a repository, which no clone has.
struct Boxed {
    lab: Lab,
    world: World,
    repo: Repo,
    config: Config,
}

impl Boxed {
    fn new() -> Self {
        let lab = Lab::new();
        let world = World::new();
        let repo = world.init("on box", &[]);
        let here = world.init("here", &[]);
        here.with("other.md", "x\n");
        let mut config = lab.config();
        config.repositories = vec![RepositoryConfig {
            fetch: false,
            remote_path: Some(repo.path.to_str().unwrap().into()),
            ..here.config()
        }];
        Self { lab, world, repo, config }
    }

    fn load(&self, request: &Request) -> Result<Content, Nowhere> {
        let done = content::load(request, &self.config, &self.lab.data(), &|| false);
        self.lab.nothing_left();
        done
    }
}

fn asked(commit: &str, files: &[&str]) -> Request {
    Request { box_name: "box".into(), ..request(commit, files) }
}

#[test]
fn unpushed_content_is_read_on_the_box() {
    let boxed = Boxed::new();
    let repo = &boxed.repo;
    repo.with("research/a.md", "one\ntwo\n");
    repo.write("bin.md", b"a\0b");
    repo.write("$(touch canary).md", "odd\n");
    repo.write("a\nb.md", "line\n");
    let commit = repo.with("research/a.md", "one\n2\n");
    let before = repo.print();
    let files =
        ["research/a.md", "bin.md", "$(touch canary).md", "a\nb.md", "../x", "-rf", "no.md"];
    for text_of in [commit.clone(), commit[..8].to_owned()] {
        let content = boxed.load(&asked(&text_of, &files)).unwrap();
        let path = repo.path.to_str().unwrap().to_owned();
        assert_eq!(content.source, Where::Box { name: "box".into(), path });
        assert_eq!(
            (content.commit.as_str(), content.author.as_str()),
            (commit.as_str(), "Ada Agent")
        );
        assert_eq!(text(&content.files[0]), "one\n2\n");
        assert_eq!(signed(&content.files[0]), ["@-1,2 +1,2", " one", "-two", "+2"]);
        assert_eq!(content.files[1].state, State::Binary { size: 3 });
        assert_eq!(text(&content.files[2]), "odd\n");
        assert_eq!(text(&content.files[3]), "line\n");
        assert_eq!(content.files[4].state, State::Absent(Absence::PathLeaves));
        assert_eq!(content.files[5].state, State::Absent(Absence::NotAtCommit));
    }
    assert_eq!(repo.print(), before);
    assert!(!repo.path.join("canary").exists());
}

#[test]
fn box_content_equals_clone_content() {
    let boxed = Boxed::new();
    let repo = &boxed.repo;
    let big: String = (0..200_000).map(|n| format!("line {n}\n")).collect();
    repo.write("big.md", &big);
    repo.write("old.md", &big[..3000]);
    repo.write("gone.md", "gone\n");
    repo.with("empty.md", "");
    repo.write("big.md", big.replace('7', "seven"));
    repo.git(&["mv", "old.md", "new.md"]);
    repo.git(&["rm", "-q", "gone.md"]);
    repo.write("empty.md", b"caf\xe9");
    let commit = repo.commit("all of it");
    let files = ["big.md", "old.md", "new.md", "gone.md", "empty.md"];
    let there = boxed.load(&asked(&commit, &files)).unwrap();
    let here = read(repo, &commit, &files);
    assert_eq!(there.files, here.files);
    assert_eq!((there.base, there.time, there.subject), (here.base, here.time, here.subject));
}

#[test]
fn remote_repository_cannot_run_programs() {
    let boxed = Boxed::new();
    let repo = &boxed.repo;
    repo.with("a.md", "one\n");
    let commit = repo.with("a.md", "two\n");
    let canary = boxed.world.at("canary");
    let evil = boxed.world.at("evil");
    std::fs::write(&evil, format!("#!/bin/sh\ntouch '{}'\n", canary.display())).unwrap();
    std::fs::set_permissions(&evil, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let script = evil.display().to_string();
    for key in ["core.fsmonitor", "core.pager", "pager.diff", "diff.external", "diff.evil.textconv"]
    {
        repo.git(&["config", key, &script]);
    }
    std::fs::write(repo.path.join(".git/info/attributes"), "* diff=evil\n").unwrap();
    let content = boxed.load(&asked(&commit, &["a.md"])).unwrap();
    assert_eq!(signed(&content.files[0]), ["@-1,1 +1,1", "-one", "+two"]);
    assert!(!canary.exists());
}

#[test]
fn missing_remote_object_is_reported() {
    let mut boxed = Boxed::new();
    let commit = boxed.repo.with("a.md", "one\n");
    let missing = asked(&"12345678".repeat(5), &["a.md"]);
    let nowhere = boxed.load(&missing).unwrap_err();
    assert_eq!(nowhere.tried.last().unwrap().1, Absence::Unknown { fetched: false });
    boxed.config.repositories[0].remote_path = Some("/nowhere/$(touch canary)".into());
    let nowhere = boxed.load(&asked(&commit, &["a.md"])).unwrap_err();
    assert_eq!(nowhere.why, Absence::NoRepositoryOnBox);
    boxed.lab.login("#!/bin/sh\necho this account is closed\n");
    let nowhere = boxed.load(&asked(&commit, &["a.md"])).unwrap_err();
    let Absence::BoxUnreachable { reason } = &nowhere.why else { panic!("{nowhere:?}") };
    assert!(reason.contains("this account is closed"), "{reason}");
}

#[test]
fn noise_of_a_login_shell_does_no_harm() {
    let boxed = Boxed::new();
    let commit = boxed.repo.with("a.md", "one\n");
    boxed.lab.login("#!/bin/sh\necho Welcome; printf '@ O H 1 ok'\nexport GIT_DIR=/nowhere\neval \"$SSH_ORIGINAL_COMMAND\"\n");
    assert_eq!(text(&boxed.load(&asked(&commit, &["a.md"])).unwrap().files[0]), "one\n");
}

#[test]
fn cut_connection_is_reported_and_hang_can_be_cancelled() {
    let mut boxed = Boxed::new();
    boxed.repo.with("a.md", "x".repeat(500_000));
    let commit = boxed.repo.with("a.md", "y".repeat(500_000));
    let wire = Forwarder::to(boxed.lab.port);
    boxed.config.boxes = vec![boxed.lab.a_box("box", wire.port)];
    wire.set(Wire::Cut(100_000));
    let nowhere = boxed.load(&asked(&commit, &["a.md"])).unwrap_err();
    assert!(matches!(nowhere.why, Absence::BoxUnreachable { .. }), "{nowhere:?}");
    wire.set(Wire::Stall(100_000));
    let start = Instant::now();
    let cancel = || start.elapsed() > Duration::from_millis(1500);
    let asked = asked(&commit, &["a.md"]);
    let nowhere = content::load(&asked, &boxed.config, &boxed.lab.data(), &cancel).unwrap_err();
    assert_eq!(nowhere.why, Absence::Cancelled);
    boxed.lab.nothing_left();
}

#[test]
fn commit_is_fetched_over_ssh_and_rejected_key_never_prompts() {
    let mut boxed = Boxed::new();
    boxed.repo.with("a.md", "one\n");
    let here = boxed.world.clone(&boxed.repo, "clone", &[]);
    let commit = boxed.repo.with("a.md", "two\n");
    let lab = &boxed.lab;
    let path = boxed.repo.path.to_str().unwrap().replace(' ', "%20");
    let url = format!("ssh://{}@127.0.0.1:{}{path}", crate::pull::whoami(), lab.port);
    here.git(&["remote", "set-url", "origin", &url]);
    let ssh = |key: &str| {
        let at = |name: &str| lab.at(name).display().to_string();
        let known = at("known_hosts");
        format!("ssh -F {} -i {} -oUserKnownHostsFile={known}", at("ssh_config"), at(key))
    };
    boxed.config.repositories = vec![here.config()];
    here.git(&["config", "core.sshCommand", &ssh("stranger")]);
    // What the clone itself names is not started before somebody allows it by its name.
    let nowhere = boxed.load(&asked(&commit, &["a.md"])).unwrap_err();
    assert_eq!(nowhere.why, Absence::OwnProgram { key: "core.sshcommand".into() });
    boxed.config.repositories[0].programs = vec!["core.sshCommand".into()];
    let nowhere = boxed.load(&asked(&commit, &["a.md"])).unwrap_err();
    let Absence::FetchFailed { reason } = &nowhere.why else { panic!("{nowhere:?}") };
    assert!(reason.contains("Permission denied"), "{reason}");
    here.git(&["config", "core.sshCommand", &ssh("key")]);
    let content = boxed.load(&asked(&commit, &["a.md"])).unwrap();
    assert!(matches!(content.source, Where::Fetched { .. }));
    assert_eq!(signed(&content.files[0]), ["@-1,1 +1,1", "-one", "+two"]);
}

#[test]
fn a_box_may_be_asked_from_within_a_task() {
    let boxed = Boxed::new();
    let commit = boxed.repo.with("a.md", "one\n");
    let (config, data) = (boxed.config.clone(), boxed.lab.data());
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let done = runtime.block_on(runtime.spawn_blocking(move || {
        content::load(&asked(&commit, &["a.md"]), &config, &data, &|| false)
    }));
    assert!(done.unwrap().is_ok());
}
