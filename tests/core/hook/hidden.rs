//! Commits and files that would not be seen by who looks at names alone.

use super::model::Model;
use super::pushing::{push, stage};
use super::stage::{AGENT, PERSON, Stage};
use serde_json::json;

const LFS: &str = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n";

#[test]
fn the_encoding_of_a_commit_hides_nothing() {
    let model = Model::start();
    let stage = stage(&model);
    for (at, encoding) in ["UTF-16", "IBM037", "UTF-7", "nonsense"].into_iter().enumerate() {
        stage.write("research/a.md", &format!("POOR {at}\n"));
        let setting = format!("i18n.commitEncoding={encoding}");
        stage.done_as(AGENT, &["add", "-A"]);
        stage.done_as(AGENT, &["-c", &setting, "commit", "-q", "-m", "encoded"]);
        assert!(!push(&stage, &["origin", "main"]), "{encoding}");
    }
    assert_eq!(stage.log()[0]["author"], AGENT);
}

#[test]
fn commit_without_author_is_judged() {
    let model = Model::start();
    let stage = stage(&model);
    stage.commit(PERSON, &[("research/a.md", "POOR\n")]);
    let text = stage.done(&["cat-file", "commit", "HEAD"]);
    let line = text.lines().find(|l| l.starts_with("committer ")).unwrap();
    let text = text.replace(line, "committer nobody 1771151400 +0000");
    stage.write("../commit", &format!("{text}\n"));
    let id = stage.done(&["hash-object", "-t", "commit", "--literally", "-w", "../commit"]);
    stage.done(&["update-ref", "refs/heads/main", &id]);
    assert!(!push(&stage, &["origin", "main"]));
    assert_eq!(stage.log()[0]["commit"], json!(id));
}

#[test]
fn grafts_hide_nothing() {
    let model = Model::start();
    let mut stage = stage(&model);
    stage.commit(AGENT, &[("research/a.md", "POOR\n")]);
    let fake = stage.done(&["commit-tree", "HEAD^{tree}", "-p", "HEAD~1", "-m", "f"]);
    let head = stage.done(&["rev-parse", "HEAD"]);
    let graft = format!("{head} {fake}\n");
    stage.write(".git/info/grafts", &graft);
    assert!(!push(&stage, &["origin", "main"]));
    std::fs::remove_file(stage.work().join(".git/info/grafts")).unwrap();
    stage.write("../grafts", &graft);
    let file = stage.path("grafts");
    stage.set("GIT_GRAFT_FILE", file.to_str().unwrap());
    assert!(!push(&stage, &["origin", "main"]));
}

#[test]
fn case_and_blanks_hide_neither_agents_nor_files() {
    let model = Model::start();
    let stage = stage(&model);
    for (who, path) in [
        ("openclaw agent", "research/a.md"),
        ("OpenClaw\u{a0}Agent", "research/b.md"),
        (AGENT, "Research/c.md"),
        (AGENT, "research/d.MD"),
        (AGENT, "research/e.md "),
        (AGENT, "research/f.markdown"),
        ("\u{ff2f}penClaw Agent", "research/g.md"),
        (AGENT, "rese\u{200c}arch/h.md"),
        (AGENT, "re\u{17f}earch/i.md"),
        (AGENT, "research. /j.md"),
        (AGENT, "knowl\u{ad}edge\u{feff}/k.md."),
        (AGENT, "\u{ff32}esearch/l.\u{ff4d}d"),
        (AGENT, "RESEAR~1/m.md"),
    ] {
        stage.commit(who, &[(path, &format!("POOR {path}\n"))]);
        assert!(!push(&stage, &["origin", "main"]), "{who} {path:?}");
        stage.done(&["reset", "-q", "--hard", "origin/main"]);
    }
}

#[test]
fn normal_form_hides_neither_agents_nor_directories_and_makes_nobody_an_agent() {
    let model = Model::start();
    let stage = stage(&model);
    let config = stage.path("home/.config/foureyes/config.toml");
    let text = std::fs::read_to_string(config).unwrap();
    let head = "agents = [\"Jos\u{e9}\"]\nwatch = [\"donn\u{e9}es/\", \"u\u{308}ber/\"]\nfiles = [\"r\u{e9}sum\u{e9}.md\", \"*.t\u{fc}\"]";
    stage.configure(&format!("{head}\n{text}"));
    let (composed, apart) = ("Jos\u{e9}", "Jose\u{301}");
    for (who, path) in [
        (composed, "donne\u{301}es/re\u{301}sume\u{301}.md"),
        (apart, "donn\u{e9}es/r\u{e9}sum\u{e9}.md"),
        (apart, "\u{dc}ber/a.tu\u{308}"),
    ] {
        stage.commit(who, &[(path, &format!("POOR {who} {path}\n"))]);
        assert!(!push(&stage, &["origin", "main"]), "{who:?} {path:?}");
        stage.done(&["reset", "-q", "--hard", "origin/main"]);
    }
    for who in ["Jose", "Jos\u{e8}", "Jos\u{435}\u{301}"] {
        stage.commit(who, &[("donn\u{e9}es/r\u{e9}sum\u{e9}.md", &format!("POOR {who}\n"))]);
    }
    assert!(push(&stage, &["origin", "main"]), "they are people of other names");
}

#[test]
fn commit_with_two_committers_is_judged() {
    let model = Model::start();
    let stage = stage(&model);
    stage.commit(PERSON, &[("research/a.md", "POOR\n")]);
    let text = stage.done(&["cat-file", "commit", "HEAD"]);
    let line = text.lines().find(|l| l.starts_with("committer ")).unwrap();
    let text = text.replace(line, &format!("{line}\n{}", line.replace(PERSON, AGENT)));
    stage.write("../commit", &format!("{text}\n"));
    let id = stage.done(&["hash-object", "-t", "commit", "--literally", "-w", "../commit"]);
    stage.done(&["update-ref", "refs/heads/main", &id]);
    assert!(!push(&stage, &["origin", "main"]));
}

#[test]
fn configured_authors_and_files_are_judged() {
    let model = Model::start();
    let stage = stage(&model);
    let other = |path: &str| {
        stage.write(path, "POOR\n");
        stage.done(&["add", "-A"]);
        let author = format!("--author={AGENT} <a@example.org>");
        stage.done(&["commit", "-q", "-m", "taken over", &author]);
    };
    other("research/a.md");
    assert!(push(&stage, &["origin", "main"]), "the committer is a person");
    let config = stage.path("home/.config/foureyes/config.toml");
    let text = std::fs::read_to_string(config).unwrap();
    stage.configure(&format!(
        "match_authors = true\nfiles = [\"*.md\", \"*.py\", \"Makefile\"]\n{text}"
    ));
    for path in ["research/b.md", "research/b.py", "research/Makefile"] {
        other(path);
        assert!(!push(&stage, &["origin", "main"]), "{path}");
        stage.done(&["reset", "-q", "--hard", "origin/main"]);
    }
    other("research/b.txt");
    assert!(push(&stage, &["origin", "main"]));
}

#[test]
fn links_and_submodules_leave_a_record() {
    let model = Model::start();
    let stage = stage(&model);
    stage.commit(PERSON, &[("secret.txt", "s\n")]);
    std::fs::create_dir_all(stage.work().join("research")).unwrap();
    let link = |name: &str| {
        let path = stage.work().join("research").join(name);
        std::os::unix::fs::symlink("../secret.txt", path).unwrap();
    };
    link("link.md");
    let head = stage.done(&["rev-parse", "HEAD"]);
    let entry = format!("160000,{head},research/module");
    stage.done(&["update-index", "--add", "--cacheinfo", &entry]);
    stage.done(&["add", "research/link.md"]);
    stage.done_as(AGENT, &["commit", "-q", "-m", "no files"]);
    assert!(push(&stage, &["origin", "main"]));
    let records = stage.log();
    assert_eq!((records.len(), model.asked()), (1, 0));
    assert_eq!(records[0]["error"], "prompt_missing");
    assert_eq!(records[0]["files_evaluated"], json!(["research/link.md", "research/module"]));
    // Beside a file they are named, and the file is judged.
    link("more.md");
    stage.write("research/a.md", "good\n");
    stage.done(&["add", "research/more.md", "research/a.md"]);
    stage.done_as(AGENT, &["commit", "-q", "-m", "both"]);
    assert!(push(&stage, &["origin", "main"]));
    let record = &stage.log()[1];
    assert_eq!(
        (&record["verdict"], &record["files_evaluated"]),
        (&json!("GO"), &json!(["research/a.md"]))
    );
    assert!(record["caveats"].as_array().unwrap().contains(&json!("links")), "{record}");
}

#[test]
fn a_pointer_to_git_lfs_is_never_a_go() {
    let model = Model::start();
    let stage = stage(&model);
    stage.commit(AGENT, &[("research/a.md", LFS)]);
    assert!(push(&stage, &["origin", "main"]));
    assert_eq!((stage.log()[0]["error"].clone(), model.asked()), (json!("prompt_missing"), 0));
    stage.commit(AGENT, &[("research/b.md", LFS), ("research/c.md", "good\n")]);
    assert!(push(&stage, &["origin", "main"]));
    let record = &stage.log()[1];
    assert_eq!((&record["verdict"], model.asked()), (&json!("UNDETERMINED"), 1));
    assert!(record["caveats"].as_array().unwrap().contains(&json!("content_cut")), "{record}");
    // What is here is judged all the same, and the same answer comes from the log.
    stage.commit(AGENT, &[("research/d.md", LFS), ("research/e.md", "POOR\n")]);
    assert!(!push(&stage, &["origin", "main"]));
    assert!(!push(&stage, &["origin", "main"]));
    assert_eq!(model.asked(), 2);
}

#[test]
fn real_git_lfs_leaves_pointers_where_it_is_installed() {
    let stage = Stage::new();
    if !stage.git(&["lfs", "version"]).status.success() {
        // Its pointers are tried above.
        return;
    }
    let model = Model::start();
    let mut stage = stage;
    model.serve(&mut stage, "mode = \"blocking\"");
    stage.done(&["lfs", "install", "--local"]);
    stage.install();
    stage.done(&["lfs", "track", "*.md"]);
    stage.commit(AGENT, &[("research/a.md", "POOR\n")]);
    assert!(push(&stage, &["origin", "main"]));
    assert_eq!((stage.log()[0]["error"].clone(), model.asked()), (json!("prompt_missing"), 0));
}

#[test]
fn history_that_is_pushed_for_the_first_time_is_one_line() {
    let model = Model::start();
    let mut stage = Stage::empty(&[]);
    model.serve(&mut stage, "mode = \"blocking\"\ncommits = 2");
    for n in 0..7 {
        stage.commit(AGENT, &[("research/a.md", &format!("good {n}\n"))]);
    }
    stage.install();
    assert!(push(&stage, &["origin", "main"]));
    let records = stage.log();
    let left: Vec<_> = records.iter().filter(|r| r["error"] == "history").collect();
    assert_eq!((records.len(), left.len(), model.asked()), (3, 1, 2));
    let tip = stage.done(&["rev-parse", "HEAD"]);
    assert_eq!(left[0]["history"], json!({"remote": "origin", "tip": tip, "commits": 5}));
    // On a branch that the remote has, each commit that is left is named.
    for n in 0..4 {
        stage.commit(AGENT, &[("research/b.md", &format!("good {n}\n"))]);
    }
    assert!(push(&stage, &["origin", "main"]));
    let left = stage.log().into_iter().filter(|r| r["error"] == "prompt_missing");
    assert_eq!(left.count(), 2);
}

#[test]
fn scripted_answer_is_marked_and_not_an_evaluation() {
    let model = Model::start();
    let stage = stage(&model);
    let go = super::model::verdict(4, "GO", "fine");
    stage.write("../script.toml", &format!("[[answer]]\ntext = '''{go}'''\n"));
    let answers = stage.path("script.toml");
    stage.configure(&format!("[judge]\nscript = \"{}\"\n", answers.display()));
    stage.commit(AGENT, &[("research/a.md", "POOR\n")]);
    let output = stage.git(&["push", "-q", "origin", "main"]);
    let said = super::stage::errors(&output);
    let record = stage.log().remove(0);
    assert!(record["caveats"].as_array().unwrap().contains(&json!("scripted")), "{said} {record}");
    let line = serde_json::to_vec(&record).unwrap();
    let read = foureyes::jsonl::read_one(&line, &Default::default()).unwrap();
    assert_eq!(read.evaluation(), None);
}
