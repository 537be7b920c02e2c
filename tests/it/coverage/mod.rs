//! Tests of coverage: real repositories, and the hook's records held against them.

mod binary;
mod links;
mod repo;

use foureyes::coverage::{Before, Judged, rows};
use foureyes::domain::{Cause, CoverageRow, Timestamp};
use foureyes::git::{Call, Error, History, Repository, Surroundings};
use repo::{AGENT, DAY, NOON, Repo, selection};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

fn record<'a>(box_name: &'a str, commit: &'a str) -> Judged<'a> {
    Judged { box_name, commit, cause: None }
}

fn boxes(names: &[&str]) -> Vec<String> {
    names.iter().map(|n| (*n).to_owned()).collect()
}

fn numbers(row: &CoverageRow) -> (&str, &str, u64, u64, u64) {
    (&row.box_name, &row.day, row.commits, row.judged, row.bypassed)
}

const BYPASSED: Option<Cause> = Some(Cause::Bypassed);

#[test]
fn day_without_hook_records_shows_commits_unjudged() {
    let mut repo = Repo::new(&[]);
    let good: Vec<_> = (0..3).map(|i| repo.note(&format!("good{i}"))).collect();
    repo.clock += DAY;
    let mut lost: Vec<_> = (0..5).map(|i| repo.note(&format!("lost{i}"))).collect();
    let rows = rows(
        &repo.history().commits,
        good.iter().map(|c| record("attic", c)),
        &[],
        &boxes(&["attic"]),
    );
    let seen: Vec<_> = rows.iter().map(numbers).collect();
    assert_eq!(seen, [("attic", "2026-02-15", 3, 3, 0), ("attic", "2026-02-16", 5, 0, 0)]);
    let mut missing = rows[1].missing.clone();
    missing.sort();
    lost.sort();
    assert_eq!(missing, lost);
}

#[test]
fn unjudged_commit_of_several_boxes_is_in_their_shared_row() {
    let mut repo = Repo::new(&[]);
    let commits: Vec<_> = (0..4).map(|i| repo.note(&format!("n{i}"))).collect();
    let short = &commits[1][..8];
    let judged = [
        record("cellar", &commits[0]),
        // The same record reached both boxes: the commit counts once, where it is named first.
        record("attic", &commits[0]),
        record("cellar", short),
        Judged { cause: BYPASSED, ..record("attic", &commits[2]) },
        // Somebody else's commit.
        record("attic", "0123456789abcdef0123456789abcdef01234567"),
    ];
    let rows = rows(&repo.history().commits, judged, &[], &boxes(&["attic", "cellar"]));
    let seen: Vec<_> = rows.iter().map(numbers).collect();
    assert_eq!(
        seen,
        [
            ("attic", "2026-02-15", 2, 1, 1),
            ("attic+cellar", "2026-02-15", 1, 0, 0),
            ("cellar", "2026-02-15", 1, 1, 0)
        ]
    );
    assert!(rows[0].missing.is_empty(), "a bypass is accounted for");
    assert_eq!(rows[1].missing, [commits[3].clone()]);
}

#[test]
fn an_evaluation_anywhere_beats_a_bypass() {
    let mut repo = Repo::new(&[]);
    let commit = repo.note("n");
    let judged =
        [Judged { cause: BYPASSED, ..record("attic", &commit) }, record("cellar", &commit[..12])];
    let rows = rows(&repo.history().commits, judged, &[], &boxes(&["attic", "cellar"]));
    assert_eq!(rows.iter().map(numbers).collect::<Vec<_>>(), [("cellar", "2026-02-15", 1, 1, 0)]);
}

#[test]
fn bulk_pushed_history_is_no_gap_and_explains_nothing_else() {
    let mut repo = Repo::new(&[]);
    let old: Vec<_> = (0..6).map(|i| repo.note(&format!("old{i}"))).collect();
    let judged = [
        record("attic", &old[5]),
        Judged { cause: Some(Cause::Scripted), ..record("attic", &old[4]) },
    ];
    let later = repo.note("later");
    let commits = repo.history().commits;
    let open = foureyes::git::Repository::open(repo.path()).unwrap();
    let reached = open.reachable(&old[5].parse().unwrap()).unwrap();
    assert_eq!(reached.len(), 6);
    assert!(open.reachable(&"1".repeat(40).parse().unwrap()).unwrap().is_empty());
    let row = |unasked, box_name| {
        let before = [Before { box_name, commits: &reached, unasked }];
        let found = rows(&commits, judged, &before, &boxes(&["attic"]));
        assert_eq!(found.len(), 1);
        let row = found[0].clone();
        assert_eq!(row.commits - row.judged - row.history - row.scripted, row.gap());
        (row.judged, row.scripted, row.history, row.missing)
    };
    assert_eq!(row(4, "attic"), (1, 1, 4, vec![later.clone()]), "a later push is not a history");
    assert_eq!(row(9, "attic").2, 4, "what has a record is judged all the same");
    // One that was pushed past the hook hides behind no history: the record says how many it is of.
    assert_eq!(row(3, "attic"), (1, 1, 3, vec![later, old[3].clone()]));
}

#[test]
fn only_ten_missing_commits_are_listed_and_all_are_counted() {
    let mut repo = Repo::new(&[]);
    (0..12).for_each(|i| drop(repo.note(&format!("n{i}"))));
    let rows = rows(&repo.history().commits, [], &[], &boxes(&["attic"]));
    assert_eq!((rows[0].commits, rows[0].missing.len()), (12, 10));
}

#[test]
fn only_agent_commits_changing_watched_text_require_judging() {
    let mut repo = Repo::new(&[]);
    let added = repo.note("a");
    repo.write("notes/other.md", "not watched");
    repo.write("research/data.csv", "not text");
    repo.commit_as(AGENT, AGENT);
    repo.write("research/b.md", "by hand");
    repo.commit_as(AGENT, "Jo Person");
    repo.write("research/b.md", "an agent took it over");
    let taken = repo.commit_as("Jo Person", AGENT);
    repo.git(&["mv", "research/a.md", "knowledge.md"]);
    std::fs::create_dir_all(repo.path().join("knowledge")).unwrap();
    repo.git(&["mv", "knowledge.md", "knowledge/a.md"]);
    let renamed = repo.commit_as(AGENT, AGENT);
    std::fs::remove_file(repo.path().join("research/b.md")).unwrap();
    repo.commit_as(AGENT, AGENT);
    repo.commit_as(AGENT, "OpenClaw Agent (imitator)");
    repo.commit_as(AGENT, AGENT);
    assert_eq!(repo.ids(), [renamed, taken, added]);
    assert_eq!(repo.history().commits[0].files, [PathBuf::from("knowledge/a.md")]);
}

#[test]
fn no_encoding_hides_a_commit_and_foreign_ones_are_listed() {
    let mut repo = Repo::new(&[]);
    repo.write("research/a.md", "a");
    repo.git(&["config", "i18n.commitEncoding", "UTF-16"]);
    let encoded = repo.commit_as(AGENT, AGENT);
    repo.write("research/A.MD", "b");
    let spelled = repo.commit_as(AGENT, "openclaw  agent");
    repo.write("research/b.md", "c");
    let other = repo.commit_as(AGENT, "GitHub");
    assert_eq!(repo.ids(), [spelled, encoded]);
    let history = repo.history();
    let others: Vec<_> =
        history.others.iter().map(|c| (c.id.to_string(), c.committer.clone())).collect();
    assert_eq!(others, [(other, "GitHub".to_owned())]);
}

#[test]
fn side_branch_counts_even_when_merge_discards_it() {
    let mut repo = Repo::new(&[]);
    let root = repo.note("root");
    repo.git(&["checkout", "-q", "-b", "side"]);
    let side = repo.note("side");
    repo.git(&["checkout", "-q", "main"]);
    let main = repo.note("main");
    repo.clock += 60;
    repo.git(&["merge", "-q", "-s", "ours", "-m", "ours", "side"]);
    repo.git(&["branch", "-q", "-D", "side"]);
    assert_eq!(repo.ids(), [main, side, root]);
}

#[test]
fn merge_is_judged_for_differences_from_all_parents() {
    let mut repo = Repo::new(&[]);
    repo.note("shared");
    repo.git(&["checkout", "-q", "-b", "side"]);
    repo.note("shared");
    repo.git(&["checkout", "-q", "main"]);
    repo.note("shared");
    repo.clock += 60;
    repo.git(&["merge", "-q", "-s", "ours", "--no-commit", "side"]);
    repo.write("research/shared.md", "neither the one nor the other\n");
    let merge = repo.commit_as(AGENT, AGENT);
    assert_eq!(repo.ids()[0], merge);
    assert_eq!(repo.history().commits[0].files, [PathBuf::from("research/shared.md")]);
}

#[test]
fn non_utf8_names_survive() {
    let mut repo = Repo::new(&[]);
    let name = OsStr::from_bytes(b"research/\xff\xfe odd\n\x1b]0;x\x07.md");
    repo.write(name, "x");
    repo.write("research/ 0123456789abcdef0123456789abcdef01234567.md", "x");
    repo.commit_as(AGENT, AGENT);
    let files = repo.history().commits[0].files.clone();
    assert!(files.contains(&PathBuf::from(name)), "{files:?}");
    assert_eq!(files.len(), 2);
}

#[test]
fn a_sha256_repository_is_read() {
    let mut repo = Repo::new(&["--object-format=sha256"]);
    let commit = repo.note("a");
    assert_eq!(commit.len(), 64);
    assert_eq!(repo.ids(), std::slice::from_ref(&commit));
    let rows = rows(&repo.history().commits, [record("b", &commit)], &[], &boxes(&["b"]));
    assert_eq!(rows[0].judged, 1);
}

#[test]
fn the_edge_of_a_shallow_clone_is_not_taken_for_new_work() {
    let mut origin = Repo::new(&[]);
    let all: Vec<_> = (0..4).map(|i| origin.note(&format!("n{i}"))).collect();
    let clone = Repo { dir: tempfile::tempdir().unwrap(), clock: NOON };
    let url = format!("file://{}", origin.path().display());
    clone.git(&["clone", "-q", "--depth", "2", &url, "."]);
    let history = clone.history();
    let ids: Vec<_> = history.commits.iter().map(|c| c.id.to_string()).collect();
    assert_eq!((ids, history.cut), (vec![all[3].clone()], 1));
    assert!(Repository::open(clone.path()).unwrap().is_shallow());
}

#[test]
fn pushed_means_remote_branches_where_there_are_any() {
    let mut repo = Repo::new(&[]);
    let pushed = repo.note("pushed");
    repo.git(&["update-ref", "refs/remotes/origin/main", &pushed]);
    let local = repo.note("local");
    assert_eq!(repo.ids(), std::slice::from_ref(&pushed));
    let named = |refs: &[&str]| -> Vec<String> {
        repo.refs(refs).unwrap().commits.iter().map(|c| c.id.to_string()).collect()
    };
    assert_eq!(named(&["main"]), [local.clone(), pushed.clone()]);
    assert_eq!(named(&["origin/main"]), std::slice::from_ref(&pushed));
    assert_eq!(named(&["refs/heads/*"]), [local.clone(), pushed]);
    assert!(matches!(repo.refs(&["gone"]), Err(Error::NoSuchRef { name, .. }) if name == "gone"));
}

#[test]
fn since_keeps_a_commit_below_one_with_a_wrong_clock() {
    let mut repo = Repo::new(&[]);
    let old = repo.note("old");
    repo.clock += 10 * DAY;
    let new = repo.note("new");
    repo.clock = 1_000_000;
    repo.note("clock at 1970");
    let repository = Repository::open(repo.path()).unwrap();
    let since = Some(Timestamp((NOON + DAY) * 1_000_000));
    let found = repository.history(&[], &selection(), since).unwrap().commits;
    assert_eq!(found.iter().map(|c| c.id.to_string()).collect::<Vec<_>>(), [new]);
    let all = repository.history(&[], &selection(), None).unwrap().commits;
    assert!(all.iter().any(|c| c.id.as_str() == old));
}

#[test]
fn hostile_ref_names_reach_no_command_line() {
    let mut repo = Repo::new(&[]);
    let commit = repo.note("a");
    for name in ["--output=canary", "-x", "$(touch canary)", "a;touch${IFS}canary"] {
        // git itself refuses some of these names in a command, not in a file.
        let path = repo.path().join(".git/refs/heads").join(name);
        std::fs::write(path, format!("{commit}\n")).unwrap();
    }
    assert_eq!(repo.ids(), [commit]);
    for name in ["--output=canary", "--all", "HEAD~1", "main..", "", "\n"] {
        let found = repo.refs(&[name]);
        let no_ref = matches!(found, Err(Error::NoSuchRef { .. }));
        assert!(no_ref || name == "--output=canary", "{name:?}: {found:?}");
    }
    assert!(!repo.path().join("canary").exists() && !Path::new("canary").exists());
}

#[test]
fn a_repository_cannot_make_us_run_its_programs() {
    let repo = Repo::new(&[]);
    repo.write("research/a.md", "a");
    repo.git(&["add", "research"]);
    let program = |name: &str, text: &str| {
        let path = repo.path().join(name);
        std::fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(&path, mode).unwrap();
        path.display().to_string()
    };
    // A signed commit, so that showing signatures would run the configured program.
    let begin = "-----BEGIN PGP SIGNATURE-----\n\nx\n-----END PGP SIGNATURE-----";
    let sign = format!("cat >/dev/null; echo '{begin}'; echo '\n[GNUPG:] SIG_CREATED ' >&2");
    let signer = program("sign", &sign);
    repo.git(&["-c", &format!("gpg.program={signer}"), "commit", "-q", "-S", "-m", "signed"]);
    let commit = repo.git(&["rev-parse", "HEAD"]);
    let canary = repo.path().join("canary");
    let script = program("evil", &format!("touch '{}'; cat", canary.display()));
    for (key, value) in [
        ("core.fsmonitor", &script),
        ("core.pager", &script),
        ("pager.log", &script),
        ("core.editor", &script),
        ("diff.external", &script),
        ("diff.evil.command", &script),
        ("diff.evil.textconv", &script),
        ("gpg.program", &script),
        ("alias.log", &format!("!{script}")),
        ("core.sshCommand", &script),
        ("core.hooksPath", &repo.path().display().to_string()),
        ("log.showSignature", &"true".to_owned()),
        ("diff.orderFile", &"/nowhere".to_owned()),
        ("diff.relative", &"true".to_owned()),
        ("log.showRoot", &"false".to_owned()),
        ("log.follow", &"true".to_owned()),
        ("format.pretty", &"oneline".to_owned()),
        ("color.ui", &"always".to_owned()),
        ("i18n.logOutputEncoding", &"UTF-16".to_owned()),
    ] {
        repo.git(&["config", key, value]);
    }
    std::fs::write(repo.path().join(".git/info/attributes"), "* diff=evil\n").unwrap();
    assert_eq!(repo.ids(), [commit]);
    assert!(!canary.exists());
    repo.git(&["log"]);
    assert!(canary.exists(), "a plain call is caught by the trap");
}

#[test]
fn surrounding_git_environment_is_ignored() {
    // The same test again in a process whose environment points elsewhere.
    let again = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "coverage::a_sha256_repository_is_read"])
        .envs([("GIT_DIR", "/nowhere"), ("GIT_WORK_TREE", "/nowhere"), ("GIT_INDEX_FILE", "/no")])
        .envs([("GIT_OBJECT_DIRECTORY", "/nowhere"), ("GIT_ICASE_PATHSPECS", "1")])
        .envs([("GIT_CONFIG_COUNT", "1"), ("GIT_CONFIG_KEY_0", "core.repositoryFormatVersion")])
        .envs([("GIT_CONFIG_VALUE_0", "99"), ("GIT_NAMESPACE", "elsewhere")])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&again.stdout);
    assert!(again.status.success() && text.contains("1 passed"), "{text}");
}

#[test]
fn a_replaced_commit_is_read_as_it_was_pushed() {
    let mut repo = Repo::new(&[]);
    let real = repo.note("real");
    repo.git(&["checkout", "-q", "--orphan", "fake"]);
    repo.git(&["rm", "-rfq", "."]);
    let fake = repo.commit_as("Jo Person", "Jo Person");
    repo.git(&["checkout", "-q", "main"]);
    repo.git(&["replace", &real, &fake]);
    assert_eq!(repo.ids(), [real]);
}

#[test]
fn non_repository_is_named_in_error() {
    let dir = tempfile::tempdir().unwrap();
    let error = Repository::open(dir.path()).unwrap_err();
    assert!(error.to_string().contains(&dir.path().display().to_string()), "{error}");
    let mut repo = Repo::new(&[]);
    assert_eq!(repo.history(), History::default(), "no commit yet");
    repo.note("a");
    assert!(Repository::open(&repo.path().join("research")).is_err(), "below the top");
    let gone = Repository::open(Path::new("/nowhere/at/all")).unwrap_err();
    let cause = std::error::Error::source(&gone).unwrap().to_string();
    assert!(cause.contains("No such file"), "{cause}");
}

#[test]
fn a_git_that_hangs_is_ended() {
    let repo = Repo::new(&[]);
    repo.git(&["config", "alias.hang", "!sleep 3600"]);
    let call = Call::new(repo.path(), "hang", Surroundings::Bare);
    let error = call.limit(Duration::from_millis(200)).output().unwrap_err();
    assert!(matches!(error, Error::TimedOut { .. }), "{error}");
}
