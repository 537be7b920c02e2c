//! What a clone on this machine gives.

use super::world::*;
use foureyes::content::{Absence, Base, MOST_BYTES, MOST_FILES, State, Where};
use foureyes::domain::Timestamp;
use foureyes::git::ChangeKind;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

#[test]
fn file_is_shown_at_its_commit_with_diff() {
    let repo_world = World::new();
    let repo = repo_world.init("kb", &[]);
    let first = repo.with("research/a.md", "one\ntwo\nthree\n");
    repo.write("research/a.md", "one\n2\nthree\n");
    let second = repo.commit("Say it in digits\n\nBody");
    repo.with("research/a.md", "later\n");
    let content = read(&repo, &second, &["research/a.md", "research/a.md"]);
    assert_eq!(content.source, Where::Clone(repo.path.clone()));
    assert_eq!(content.commit.as_str(), second);
    let said = (content.subject.as_str(), content.author.as_str(), content.committer.as_str());
    assert_eq!(said, ("Say it in digits", "Ada Agent", "Cy"));
    assert_eq!(content.time, Some(Timestamp(1_771_151_400_000_000)));
    assert_eq!(content.base, Base::Parent(first.parse().unwrap()));
    assert_eq!(content.files.len(), 1, "named twice, shown once");
    let file = &content.files[0];
    assert_eq!(text(file), "one\n2\nthree\n");
    assert_eq!(file.diff.change, Some(ChangeKind::Modified));
    assert_eq!(signed(file), ["@-1,3 +1,3", " one", "-two", "+2", " three"]);
}

#[test]
fn abbreviation_finds_commit_and_not_ref_of_same_name() {
    let world = World::new();
    let repo = world.init("kb", &[]);
    let first = repo.with("a.md", "first\n");
    let second = repo.with("a.md", "second\n");
    // A branch with the name of an abbreviation must not lead elsewhere.
    repo.git(&["update-ref", &format!("refs/heads/{}", &first[..9]), &second]);
    repo.git(&["update-ref", &format!("refs/heads/{first}"), &second]);
    for text in [first[..9].to_owned(), format!("{}...", &first[..12]), first.to_uppercase()] {
        let content = read(&repo, &text, &["a.md"]);
        assert_eq!(content.commit.as_str(), first, "{text}");
    }
}

#[test]
fn ambiguous_abbreviation_is_reported() {
    let world = World::new();
    let repo = world.init("kb", &[]);
    // Of so many commits, always the same, some share their first seven digits.
    let one = |n| format!("commit refs/heads/x\ncommitter C <c@x> {n} +0000\ndata 0\n\n");
    let stream: String = (1_700_000_000..1_700_040_000).map(one).collect();
    std::fs::write(world.at("stream"), stream).unwrap();
    let mut import = repo.command();
    import.args(["fast-import", "--quiet"]).stdin(std::fs::File::open(world.at("stream")).unwrap());
    assert!(import.status().unwrap().success());
    let list = repo.git(&["rev-list", "--all"]);
    let mut ids: Vec<_> = list.lines().collect();
    ids.sort_unstable();
    let pair = ids.windows(2).find(|w| w[0][..7] == w[1][..7]).expect("two alike");
    let nowhere = world.load(&config(&[repo.config()]), &request(&pair[0][..7], &[])).unwrap_err();
    assert_eq!(nowhere.why, Absence::Ambiguous { commits: 2 });
    assert_eq!(read(&repo, pair[0], &[]).commit.as_str(), pair[0]);
    let tree = repo.git(&["rev-parse", &format!("{}^{{tree}}", pair[0])]);
    let nowhere = world.load(&config(&[repo.config()]), &request(&tree, &[])).unwrap_err();
    assert_eq!(nowhere.tried[0].1, Absence::Unknown { fetched: false }, "a tree is not a commit");
}

#[test]
fn a_first_commit_is_all_new() {
    let world = World::new();
    let repo = world.init("kb", &[]);
    let root = repo.with("a.md", "one\ntwo");
    let content = read(&repo, &root, &["a.md"]);
    assert_eq!(content.base, Base::Root);
    assert_eq!(content.files[0].diff.change, Some(ChangeKind::Added));
    assert_eq!(
        signed(&content.files[0]),
        ["@-0,0 +1,2", "+one", "+two", "#no line end at the end of the file"]
    );
}

#[test]
fn merge_states_its_comparison() {
    let world = World::new();
    let repo = world.init("kb", &[]);
    repo.with("a.md", "root\n");
    repo.git(&["checkout", "-q", "-b", "side"]);
    repo.with("side.md", "side\n");
    repo.git(&["checkout", "-q", "main"]);
    let first = repo.with("main.md", "main\n");
    repo.git(&["merge", "-q", "--no-edit", "side"]);
    let merge = repo.git(&["rev-parse", "HEAD"]);
    let content = read(&repo, &merge, &["side.md", "main.md"]);
    assert_eq!(content.base, Base::FirstOf { parent: first.parse().unwrap(), parents: 2 });
    let note = "#a merge of 2: compared with its first parent";
    assert_eq!(signed(&content.files[0]), [note, "@-0,0 +1,1", "+side"]);
    assert_eq!(signed(&content.files[1]), [note, "#the commit did not change this file"]);
}

#[test]
fn renamed_file_is_compared_with_old_name() {
    let world = World::new();
    let repo = world.init("kb", &[]);
    let long: String = (0..50).map(|n| format!("line {n}\n")).collect();
    repo.with("old.md", &long);
    repo.git(&["mv", "old.md", "new.md"]);
    let commit = repo.with("new.md", long.replace("line 7\n", "line seven\n"));
    let file = one(&repo, &commit, "new.md");
    assert!(matches!(file.diff.change, Some(ChangeKind::Renamed(90..))), "{:?}", file.diff.change);
    assert_eq!(file.diff.from.as_deref(), Some("old.md"));
    let changed: Vec<_> = signed(&file).into_iter().filter(|l| l.starts_with(['+', '-'])).collect();
    assert_eq!(changed, ["-line 7", "+line seven"]);
    let old = one(&repo, &commit, "old.md");
    assert_eq!((&old.state, signed(&old)), (&State::Deleted, vec!["#renamed to new.md".into()]));
}

#[test]
fn deleted_file_shows_previous_content() {
    let world = World::new();
    let repo = world.init("kb", &[]);
    repo.with("gone.md", "was here\n");
    std::fs::remove_file(repo.path.join("gone.md")).unwrap();
    let commit = repo.commit("away");
    let file = one(&repo, &commit, "gone.md");
    assert_eq!(file.state, State::Deleted);
    assert_eq!(file.state.absence(), Some(Absence::Deleted));
    assert_eq!(signed(&file), ["@-1,1 +0,0", "-was here"]);
    let never = one(&repo, &commit, "never.md");
    assert_eq!(never.state, State::Absent(Absence::NotAtCommit));
    assert!(never.diff.lines.is_empty());
}

#[test]
fn binary_content_is_not_shown_as_text() {
    let world = World::new();
    let repo = world.init("kb", &[]);
    repo.write("bin.md", b"a\0b");
    repo.write("utf16.md", b"\xff\xfea\0b\0");
    repo.write("latin.md", b"caf\xe9\n");
    std::os::unix::fs::symlink("/etc/passwd", repo.path.join("link.md")).unwrap();
    repo.write("dir/x.md", "x\n");
    repo.git(&["add", "."]);
    repo.git(&["update-index", "--add", "--cacheinfo", &format!("160000,{},sub", "1".repeat(40))]);
    repo.git(&["commit", "-q", "-m", "all"]);
    let commit = repo.git(&["rev-parse", "HEAD"]);
    let files = ["bin.md", "utf16.md", "latin.md", "link.md", "dir", "sub", "link.md/x"];
    let content = read(&repo, &commit, &files);
    let states: Vec<_> = content.files.iter().map(|f| f.state.clone()).collect();
    assert_eq!(states[0], State::Binary { size: 3 });
    assert_eq!(states[1], State::Binary { size: 6 });
    let latin = State::Text { text: "caf\u{fffd}\n".into(), size: 5, cut: false, lossy: true };
    assert_eq!(states[2], latin);
    assert_eq!(states[3], State::Link { target: "/etc/passwd".into() }, "not followed");
    assert_eq!(states[4], State::Absent(Absence::Directory));
    assert_eq!(states[5], State::Absent(Absence::Submodule));
    assert_eq!(states[6], State::Absent(Absence::NotAtCommit));
    assert_eq!(signed(&content.files[0]), ["#no text"]);
    repo.with("bin.md", b"a\0c");
    let after = repo.git(&["rev-parse", "HEAD"]);
    assert_eq!(signed(&one(&repo, &after, "bin.md")), ["#no text"]);
}

#[test]
fn large_file_is_truncated_with_notice() {
    let world = World::new();
    let repo = world.init("kb", &[]);
    let line = "0123456789é\n";
    let big = line.repeat(200_000);
    let first = repo.with("big.md", &big);
    let second = repo.with("big.md", big.replace("12345", "54321"));
    let file = one(&repo, &first, "big.md");
    let State::Text { text, size, cut: true, lossy: false } = &file.state else {
        panic!("{:?}", file.state.absence())
    };
    assert_eq!(*size, big.len() as u64);
    assert!(big.starts_with(text.as_str()) && MOST_BYTES - text.len() as u64 <= 2);
    let shown = text.len() as u64;
    let absence = file.state.absence().unwrap();
    assert_eq!(absence, Absence::TooLarge { shown, size: *size });
    assert_eq!(absence.sentence(), format!("Truncated, {shown} of {size} bytes."));
    assert!(file.diff.cut);
    let file = one(&repo, &second, "big.md");
    assert!(file.diff.cut && file.diff.lines.len() > 1000);
    assert!(file.diff.lines.len() <= 50_001);
}

#[test]
fn non_ascii_names_are_found() {
    let world = World::new();
    let repo = world.init("kb", &[]);
    for name in [b"research/\xff.md".as_slice(), b"a\nb.md", b"-rf", b"$(touch x)", b"~/c.md"] {
        repo.write(OsStr::from_bytes(name), [b"I am ", name].concat());
    }
    repo.write("ré.md", "I am quoted");
    let commit = repo.commit("odd");
    for (asked, is) in [
        ("research/\u{fffd}.md", "I am research/\u{fffd}.md"),
        ("\"research/\\377.md\"", "I am research/\u{fffd}.md"),
        ("a\nb.md", "I am a\nb.md"),
        ("-rf", "I am -rf"),
        ("$(touch x)", "I am $(touch x)"),
        ("~/c.md", "I am ~/c.md"),
        ("./-rf", "I am -rf"),
        ("ré.md", "I am quoted"),
        ("\"r\\303\\251.md\"", "I am quoted"),
    ] {
        assert_eq!(text(&one(&repo, &commit, asked)), is, "{asked:?}");
    }
}

#[test]
fn a_sha256_repository_is_read() {
    let world = World::new();
    let repo = world.init("kb", &["--object-format=sha256"]);
    repo.with("d/a.md", "one\n");
    let commit = repo.with("d/a.md", "two\n");
    let content = read(&repo, &commit[..16], &["d/a.md"]);
    assert_eq!(content.commit.as_str().len(), 64);
    assert_eq!(signed(&content.files[0]), ["@-1,1 +1,1", "-one", "+two"]);
}

#[test]
fn shallow_boundary_has_content_without_diff() {
    let world = World::new();
    let origin = world.init("origin", &[]);
    origin.with("a.md", "one\n");
    let commit = origin.with("a.md", "two\n");
    let clone = world.clone(&origin, "clone", &["--depth", "1"]);
    let content = read(&clone, &commit, &["a.md"]);
    assert_eq!(content.base, Base::Cut);
    assert_eq!(text(&content.files[0]), "two\n");
    assert_eq!(signed(&content.files[0]), [format!("#{}", Absence::ParentCut.sentence())]);
}

#[test]
fn partial_clone_is_not_fetched_silently() {
    let world = World::new();
    let origin = world.init("origin", &[]);
    origin.git(&["config", "uploadpack.allowFilter", "true"]);
    let commit = origin.with("a.md", "one\n");
    let clone = world.clone(&origin, "clone", &["--filter=blob:none", "--no-checkout"]);
    let file = one(&clone, &commit, "a.md");
    assert_eq!(file.state, State::Absent(Absence::NotHere));
}

#[test]
fn file_limit_counts_the_rest() {
    let world = World::new();
    let repo = world.init("kb", &[]);
    let names: Vec<_> = (0..MOST_FILES + 5).map(|n| format!("d/{n}.md")).collect();
    names.iter().for_each(|n| repo.write(n, "x\n"));
    let commit = repo.commit("many");
    let names: Vec<_> = names.iter().map(String::as_str).collect();
    let content = read(&repo, &commit, &names);
    assert_eq!((content.files.len(), content.left_out), (MOST_FILES, 5));
    assert!(content.files.iter().all(|f| text(f) == "x\n"));
}
