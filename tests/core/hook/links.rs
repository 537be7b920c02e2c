//! Links and submodules at watched paths, above them, and on the way to them.

use super::model::Model;
use super::pushing::{log, push, stage, with};
use super::stage::{AGENT, PERSON, Stage, errors};
use serde_json::json;
use std::os::unix::fs::symlink;

/// Makes a link in the clone, in place of what is there.
fn link(stage: &Stage, path: &str, target: &str) {
    let path = stage.work().join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let _ = std::fs::remove_file(&path);
    symlink(target, path).unwrap();
}

/// Commits a link as an agent, and pushes it; gives the only new record.
fn pushed_link(stage: &Stage, path: &str, target: &str) -> serde_json::Value {
    let before = stage.log().len();
    link(stage, path, target);
    stage.commit(AGENT, &[]);
    assert!(push(stage, &["origin", "main"]), "{path} -> {target}");
    let log = stage.log();
    assert_eq!(log.len(), before + 1, "{path} -> {target}: one record");
    log[before].clone()
}

#[test]
fn content_behind_a_link_is_judged_in_the_push_that_makes_it_and_later() {
    for (path, target, file) in [
        ("research", "stuff", "stuff/p.md"),
        ("Research", "./stuff/../stuff/", "stuff/deep/p.md"),
        // Above the watched path; the rest of its name is below the target.
        ("nimbalyst-local", "d3", "d3/plans/p.md"),
        ("nimbalyst-local/plans", "../d3", "d3/p.md"),
        // A link within what is watched, to a directory and to a file of another name.
        ("research/topic", "../stuff", "stuff/p.md"),
        ("knowledge/p.md", "../stuff/data.txt", "stuff/data.txt"),
        ("research", ".", "p.md"),
    ] {
        let model = Model::start();
        let stage = stage(&model);
        stage.commit(AGENT, &[(file, "POOR\n")]);
        link(&stage, path, target);
        stage.commit(AGENT, &[]);
        assert!(!push(&stage, &["origin", "main"]), "{path} -> {target}");
        let log = log(&stage);
        assert_eq!(log.len(), 2, "{path}: one of the file, one of the link: {log:?}");
        stage.commit(AGENT, &[(file, "good\n")]);
        assert!(push(&stage, &["origin", "main"]), "{path}: it is mended");
        // From then on the link is not touched, and each change is one of the watched path.
        let before = stage.log().len();
        stage.commit(AGENT, &[(file, "good too\n")]);
        assert!(push(&stage, &["origin", "main"]));
        stage.commit(AGENT, &[(file, "POOR again\n")]);
        assert!(!push(&stage, &["origin", "main"]), "{path} -> {target}");
        let new: Vec<_> = stage.log().drain(before..).collect();
        assert_eq!(new.len(), 2, "{new:?}");
        assert_eq!(new[0]["verdict"], "GO");
        assert_eq!(new[1]["files_evaluated"], json!([file]));
    }
}

#[test]
fn link_however_deep_is_found_and_leaves_other_paths_alone() {
    const DEEP: usize = 600;
    let (model, inside) = (Model::start(), format!("research/{}", "d/".repeat(DEEP)));
    let stage = stage(&model);
    stage.commit(AGENT, &[("stuff/p.md", "good\n"), (&format!("{inside}p.md"), "good\n")]);
    assert!(push(&stage, &["origin", "main"]));
    let target = format!("{}stuff", "../".repeat(DEEP + 1));
    assert_eq!(pushed_link(&stage, &format!("{inside}link"), &target)["verdict"], "UNDETERMINED");
    let before = stage.log().len();
    stage.commit(AGENT, &[("docs/p.md", "POOR\n")]);
    assert!(push(&stage, &["origin", "main"]));
    assert_eq!(stage.log().len(), before, "what no link leads to is not watched");
    stage.commit(AGENT, &[("stuff/p.md", "POOR\n")]);
    assert!(!push(&stage, &["origin", "main"]));
}

#[test]
fn link_to_a_file_hides_it_from_no_link_above_it() {
    for [own, above] in [["knowledge/x", "knowledge/y"], ["knowledge/z.txt", "research"]] {
        let model = Model::start();
        let stage = stage(&model);
        stage.commit(AGENT, &[("stuff/a.md", "good\n")]);
        link(&stage, own, "../stuff/a.md");
        link(&stage, above, if above.contains('/') { "../stuff" } else { "stuff" });
        stage.commit(AGENT, &[]);
        push(&stage, &["origin", "main"]);
        stage.commit(AGENT, &[("stuff/a.md", "POOR\n")]);
        assert!(!push(&stage, &["origin", "main"]), "{own}, {above}");
    }
}

#[test]
fn submodule_that_git_is_told_to_ignore_leaves_its_record() {
    for is_pushed in [true, false] {
        let model = Model::start();
        let stage = stage(&model);
        if is_pushed {
            let text =
                "[submodule \"knowledge\"]\n\tpath = knowledge\n\turl = ../x\n\tignore = all\n";
            stage.commit(PERSON, &[(".gitmodules", text)]);
        } else {
            stage.done(&["config", "diff.ignoreSubmodules", "all"]);
        }
        let head = stage.done(&["rev-parse", "HEAD"]);
        let entry = format!("160000,{},knowledge", head.trim());
        stage.done(&["update-index", "--add", "--cacheinfo", &entry]);
        // The commit itself would leave out what it is told to ignore.
        let tree = stage.done(&["write-tree"]);
        let commit =
            stage.done_as(AGENT, &["commit-tree", tree.trim(), "-p", "HEAD", "-m", "module"]);
        stage.done(&["reset", "-q", "--soft", commit.trim()]);
        assert!(push(&stage, &["origin", "main"]));
        let log = stage.log();
        assert_eq!(log.len(), 1, "{log:?}");
        assert_eq!(log[0]["verdict"], "UNDETERMINED");
    }
}

#[test]
fn link_to_what_is_there_is_undetermined_once() {
    let model = Model::start();
    let stage = stage(&model);
    let files = [("stuff/p.md", "POOR\n"), ("other/p.md", "good\n"), ("code/x.rs", "x\n")];
    stage.commit(PERSON, &files);
    let record = pushed_link(&stage, "knowledge", "stuff");
    assert_eq!(
        (&record["verdict"], &record["error"]),
        (&json!("UNDETERMINED"), &json!("prompt_missing"))
    );
    let findings = record["findings"].as_str().unwrap();
    assert!(findings.contains("knowledge is a link to stuff"), "{findings}");
    assert_eq!(record["files_evaluated"], json!(["knowledge"]));
    // What has nothing to do with it leaves none.
    stage.commit(AGENT, &[("code/x.rs", "y\n"), ("other/p.md", "POOR\n")]);
    assert!(push(&stage, &["origin", "main"]));
    assert_eq!((stage.log().len(), model.asked()), (1, 0));
    // It is moved; then a link on the way is made in place of a directory.
    pushed_link(&stage, "knowledge", "other");
    stage.commit(AGENT, &[("other/p.md", "POOR too\n")]);
    assert!(!push(&stage, &["origin", "main"]));
    stage.done(&["reset", "-q", "--hard", "origin/main"]);
    stage.done(&["rm", "-rq", "other"]);
    let record = pushed_link(&stage, "other", "stuff");
    assert_eq!(record["files_evaluated"], json!(["other"]));
    stage.commit(AGENT, &[("stuff/p.md", "POOR for the third time\n")]);
    assert!(!push(&stage, &["origin", "main"]), "through two links");
}

#[test]
fn go_on_the_files_of_a_commit_that_makes_a_link_is_none() {
    let model = Model::start();
    let stage = stage(&model);
    stage.commit(PERSON, &[("stuff/p.md", "POOR\n")]);
    link(&stage, "knowledge", "stuff");
    stage.commit(AGENT, &[("research/a.md", "good\n")]);
    assert!(push(&stage, &["origin", "main"]));
    let record = stage.log().remove(0);
    assert_eq!(
        (&record["verdict"], &record["error"]),
        (&json!("UNDETERMINED"), &json!("prompt_missing"))
    );
    assert!(
        record["findings"].as_str().unwrap().contains("knowledge is a link to stuff"),
        "{record}"
    );
    // The same content without a link is judged for itself.
    stage.commit(AGENT, &[("research/a.md", "better\n")]);
    stage.commit(AGENT, &[("research/a.md", "good\n")]);
    assert!(push(&stage, &["origin", "main"]));
    let verdicts: Vec<_> = log(&stage).into_iter().map(|row| row.1).collect();
    assert_eq!(verdicts, ["UNDETERMINED", "GO", "GO"]);
}

#[test]
fn links_that_lead_to_nothing_of_the_repository_are_named() {
    let model = Model::start();
    let stage = stage(&model);
    let long = format!("{}x", "a/../".repeat(2000));
    for (target, part) in [
        ("/etc", "out of the repository, to /etc"),
        ("../work", "out of the repository, to ../work"),
        ("none/x", "is not there"),
        ("research", "through too many links"),
        (long.as_str(), "is not there"),
        ("README.md/x", "is not there"),
        ("C:\\Windows", "out of the repository"),
    ] {
        // No file system takes all of these.
        stage.write("../target", target);
        let id = stage.done(&["hash-object", "-w", "../target"]);
        let entry = format!("120000,{id},research");
        stage.done(&["update-index", "--add", "--cacheinfo", &entry]);
        stage.done_as(AGENT, &["commit", "-q", "-m", "a link"]);
        let before = stage.log().len();
        assert!(push(&stage, &["origin", "main"]), "{part}");
        let record = stage.log().remove(before);
        assert!(record["findings"].as_str().unwrap().contains(part), "{part}: {record}");
    }
    assert_eq!(model.asked(), 0);
}

#[test]
fn submodule_at_a_watched_path_leaves_one_record_each_time_it_moves() {
    for path in ["research", "nimbalyst-local", "knowledge/deep"] {
        let model = Model::start();
        let stage = stage(&model);
        let add = |commit: &str| {
            let entry = format!("160000,{commit},{path}");
            stage.done(&["update-index", "--add", "--cacheinfo", &entry]);
            stage.done_as(AGENT, &["commit", "-q", "-m", "a module"]);
        };
        let first = stage.done(&["rev-parse", "HEAD"]);
        add(&first);
        assert!(push(&stage, &["origin", "main"]));
        stage.write("code.rs", "x\n");
        stage.done(&["add", "code.rs"]);
        stage.done_as(AGENT, &["commit", "-q", "-m", "something else"]);
        assert!(push(&stage, &["origin", "main"]));
        assert_eq!(log(&stage).len(), 1, "{path}");
        add(&"5".repeat(40));
        assert!(push(&stage, &["origin", "main"]));
        let rows = log(&stage);
        assert_eq!((rows.len(), model.asked()), (2, 0), "{path}");
        assert!(rows.iter().all(|row| row.1 == "UNDETERMINED" && row.2 == [path]), "{rows:?}");
    }
}

#[test]
fn receiving_repository_judges_what_links_lead_to() {
    for format in ["sha1", "sha256"] {
        let model = Model::start();
        let mut stage = Stage::empty(&["--object-format", format]);
        model.serve(&mut stage, "mode = \"blocking\"");
        stage.commit(PERSON, &[("README.md", "hello\n")]);
        stage.done(&["push", "-q", "origin", "main"]);
        let remote = stage.path("remote");
        let arguments = ["hook", "install", "--no-ask", "--repo", remote.to_str().unwrap()];
        assert!(stage.foureyes(&arguments).status.success());
        stage.commit(AGENT, &[("stuff/p.md", "good\n")]);
        link(&stage, "knowledge", "stuff");
        stage.commit(AGENT, &[]);
        let output = stage.git(&["push", "-q", "origin", "main"]);
        let said = errors(&output);
        assert!(output.status.success(), "{said}");
        assert!(said.contains("knowledge is a link, so changes of stuff are judged"), "{said}");
        stage.commit(AGENT, &[("stuff/p.md", "POOR\n")]);
        let output = stage.git(&["push", "-q", "origin", "main"]);
        assert!(errors(&output).contains("push stopped"), "{}", errors(&output));
    }
}

#[test]
fn many_refs_and_commits_take_no_process_each() {
    let model = Model::start();
    let mut stage = with(&model, Stage::new());
    stage.commit(PERSON, &[("stuff/p.md", "good\n")]);
    link(&stage, "knowledge", "stuff");
    stage.commit(PERSON, &[]);
    stage.done(&["push", "-q", "origin", "main"]);
    // A stream of commits, each on a branch of its own.
    let mut text = String::from("reset refs/heads/b0\nfrom refs/heads/main\n\n");
    for n in 0..300 {
        text += &format!(
            "commit refs/heads/b{n}\ncommitter {AGENT} <a@example.org> 1771151400 +0000\ndata 1\nx\n{}M 100644 inline code/{n}.rs\ndata 2\n{}\n\n",
            if n == 0 { String::new() } else { "from refs/heads/main\n".to_owned() },
            n % 10,
        );
    }
    stage.write("../stream", &text);
    let mut import = stage.command("git", &stage.work());
    import
        .args(["fast-import", "--quiet"])
        .stdin(std::fs::File::open(stage.path("stream")).unwrap());
    assert!(import.status().unwrap().success());
    // A git before the real one counts how often it is started by the hook.
    let real = stage.command("sh", &stage.work()).args(["-c", "command -v git"]).output().unwrap();
    let real = String::from_utf8(real.stdout).unwrap();
    let counter = stage.path("count");
    let script =
        format!("#!/bin/sh\necho x >> '{}'\nexec {} \"$@\"\n", counter.display(), real.trim());
    stage.script(&stage.path("bin/git"), &script);
    let path = format!("{}:{}", stage.path("bin").display(), std::env::var("PATH").unwrap());
    stage.set("PATH", &path);
    assert!(push(&stage, &["origin", "--all"]));
    let count = std::fs::read_to_string(counter).unwrap().lines().count();
    assert!(count < 15, "{count}");
    assert_eq!((stage.log().len(), model.asked()), (0, 0));
}

#[test]
fn check_names_links_as_long_as_they_are_there() {
    let model = Model::start();
    let stage = stage(&model);
    let links = || {
        let output = stage.foureyes(&["hook", "check"]);
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines().filter(|l| l.contains(" links: ")).map(str::to_owned).collect::<Vec<_>>()
    };
    stage.commit(PERSON, &[("stuff/p.md", "good\n"), ("research/a.md", "good\n")]);
    assert!(links().is_empty());
    link(&stage, "knowledge", "stuff");
    link(&stage, "research/own", "../stuff");
    link(&stage, "research/away", "/etc");
    link(&stage, "nimbalyst-local", "\u{1b}[2J");
    stage.commit(PERSON, &[]);
    let named = links();
    assert_eq!(named.len(), 3, "{named:?}");
    for part in [
        "knowledge is a link to stuff",
        "research/away is a link out of the repository, to /etc",
        "nimbalyst-local is a link to ␛[2J, which is not there",
    ] {
        assert!(named.iter().any(|line| line.contains(part)), "{part}: {named:?}");
    }
    stage.done(&["rm", "-q", "knowledge", "research/away", "nimbalyst-local"]);
    stage.commit(PERSON, &[]);
    assert!(links().is_empty());
}
