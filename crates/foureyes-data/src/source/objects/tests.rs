use super::*;
use crate::git::Prefix;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use tokio::process::{ChildStdin, Command};

type Local = Objects<ChildStdin>;

/// A box that is a shell of this machine; `path` is its PATH, where it is another.
fn local(shell: &str, noise: &str, path: Option<&Path>) -> (tokio::process::Child, Local) {
    let mut run = Command::new(shell);
    run.arg("-c").arg(format!("{noise}\n{}", command())).kill_on_drop(true);
    run.env("GIT_DIR", "/nowhere").env("GIT_TRACE", "1");
    if let Some(path) = path {
        run.env("PATH", path);
    }
    let mut child = run.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (stdin, stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    (child, Objects::new(stdout, stdin, Duration::from_secs(10)).unwrap())
}

fn git(dir: &Path, args: &[&str]) -> String {
    let mut git = std::process::Command::new("git");
    git.env_clear().env("PATH", std::env::var_os("PATH").unwrap()).env("HOME", "/nowhere");
    git.args(["-c", "user.name=A", "-c", "user.email=a@x", "-C"]).arg(dir).args(args);
    let out = git.output().unwrap();
    assert!(out.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8_lossy(&out.stdout).trim().to_owned()
}

/// A repository with one commit of a file `a`, and the commit's id and the blob's.
fn repository() -> (tempfile::TempDir, String, String) {
    let dir = tempfile::tempdir().unwrap();
    git(dir.path(), &["init", "-q"]);
    std::fs::write(dir.path().join("a"), "hello\n").unwrap();
    git(dir.path(), &["add", "."]);
    git(dir.path(), &["commit", "-q", "-m", "one"]);
    let (commit, blob) =
        (git(dir.path(), &["rev-parse", "HEAD"]), git(dir.path(), &["rev-parse", "HEAD:a"]));
    (dir, commit, blob)
}

fn object(id: &str, most: u64) -> Ask {
    Ask::Object { id: id.parse().unwrap(), most }
}

/// Only these programs, by links.
fn programs(names: &[&str]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let real = |name: &str| -> PathBuf {
        let path = std::env::var_os("PATH").unwrap();
        std::env::split_paths(&path).map(|d| d.join(name)).find(|p| p.exists()).unwrap()
    };
    for name in names {
        std::os::unix::fs::symlink(real(name), dir.path().join(name)).unwrap();
    }
    dir
}

#[tokio::test]
async fn objects_are_read_exactly_and_cut_where_they_are_to_be() {
    let (dir, commit, blob) = repository();
    for shell in ["sh", "bash"] {
        let (_child, mut objects) = local(shell, "echo motd; printf '@@noise'", None);
        assert_eq!(
            objects.open(dir.path().to_str().unwrap()).await.unwrap(),
            RepositoryState::Whole
        );
        let gone = "0123456789".repeat(4);
        let asks =
            [Ask::Find(Prefix::parse(&commit[..8]).unwrap()), object(&blob, 100), object(&gone, 5)];
        for _ in 0..2 {
            let replies = objects.ask(&asks).await.unwrap();
            assert_eq!(replies[0].bytes, format!("{commit}\n").into_bytes());
            assert_eq!(replies[1].bytes, format!("{blob} blob 6\nhello\n\n").into_bytes());
            assert_eq!(replies[2].bytes, format!("{gone} missing\n").into_bytes());
            assert!(replies.iter().all(|r| !r.cut && r.failed.is_none()));
        }
        assert_eq!(objects.ask(&[]).await.unwrap(), []);
        let changes =
            Ask::Changes { old: gone.parse().unwrap(), new: commit.parse().unwrap(), most: 100 };
        let failed = objects.ask(&[changes, object(&blob, 9)]).await.unwrap();
        assert!(failed[0].failed.is_some() && failed[1].failed.is_none(), "{failed:?}");
    }
}

#[tokio::test]
async fn a_long_object_is_cut_also_without_head() {
    let (dir, ..) = repository();
    std::fs::write(dir.path().join("big"), "0123456789".repeat(100_000)).unwrap();
    git(dir.path(), &["add", "."]);
    let blob = git(dir.path(), &["rev-parse", ":big"]);
    let tools = programs(&["sh", "dd", "git"]);
    for path in [None, Some(tools.path())] {
        let (_child, mut objects) = local("sh", "", path);
        objects.open(dir.path().to_str().unwrap()).await.unwrap();
        let replies = objects.ask(&[object(&blob, 1000), object(&blob, 7)]).await.unwrap();
        assert!(replies[0].cut && replies[1].cut);
        let read = crate::git::object(&replies[0].bytes, 1000).unwrap();
        assert_eq!(read.size, 1_000_000);
        assert!(read.bytes.starts_with(b"0123456789") && read.bytes.len() == 1000);
        assert!(crate::git::object(&replies[1].bytes, 7).unwrap().bytes.starts_with(b"0123456"));
    }
}

#[tokio::test]
async fn remote_path_kind_is_reported() {
    let (dir, ..) = repository();
    let below = dir.path().join("sub");
    std::fs::create_dir(&below).unwrap();
    let shallow = tempfile::tempdir().unwrap();
    let url = format!("file://{}", dir.path().display());
    git(dir.path(), &["commit", "-q", "--allow-empty", "-m", "two"]);
    git(shallow.path(), &["clone", "-q", "--depth", "1", &url, "."]);
    let bare = tempfile::tempdir().unwrap();
    git(bare.path(), &["clone", "-q", "--bare", &url, "."]);
    let none = Path::new("/nowhere/$(touch canary)/`id`");
    for (path, state) in [
        (dir.path(), RepositoryState::Whole),
        (bare.path(), RepositoryState::Whole),
        (shallow.path(), RepositoryState::Shallow),
        (&below, RepositoryState::NoRepository),
        (none, RepositoryState::NoRepository),
    ] {
        let (_child, mut objects) = local("sh", "", None);
        assert_eq!(objects.open(path.to_str().unwrap()).await.unwrap(), state, "{path:?}");
    }
    let tools = programs(&["sh", "dd", "head"]);
    let (_child, mut objects) = local("sh", "", Some(tools.path()));
    // The usual directories of added programs are looked into too.
    let elsewhere = ["/usr/local/bin/git", "/opt/homebrew/bin/git"].map(Path::new);
    let state = objects.open(dir.path().to_str().unwrap()).await.unwrap();
    let there = elsewhere.iter().any(|p| p.exists());
    assert_eq!(state, if there { RepositoryState::Whole } else { RepositoryState::NoGit });
}

#[tokio::test]
async fn box_not_running_script_is_reported() {
    let mut run = Command::new("sh");
    run.arg("-c").arg("echo this account is closed").kill_on_drop(true);
    let mut child = run.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (stdin, stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut objects = Objects::new(stdout, stdin, Duration::from_secs(10)).unwrap();
    let Err(Error::NoAnswer { output }) = objects.open("/x").await else { panic!() };
    assert!(output.starts_with(b"this account is closed"));
    let (_child, mut objects) = local("sh", "", None);
    assert!(matches!(objects.open("/a\nb").await, Err(Error::Path { .. })));
}

#[test]
fn answers_that_were_not_asked_for_are_refused() {
    let asks = [object(&"a".repeat(40), 0)];
    let accepts = |pieces: &[Piece<'static>]| {
        let mut response = Response { asks: &asks, replies: Vec::new(), open: false };
        pieces.iter().all(|piece| {
            let piece = match piece {
                Piece::Data(d) => Piece::Data(d),
                Piece::Mark(m) => Piece::Mark(m),
            };
            response.take(piece).is_ok()
        })
    };
    assert!(accepts(&[
        Piece::Mark("O B"),
        Piece::Data(b"x"),
        Piece::Mark("O E 0"),
        Piece::Mark("O .")
    ]));
    assert!(!accepts(&[Piece::Data(b"x")]));
    assert!(!accepts(&[Piece::Mark("O B"), Piece::Mark("O E 0"), Piece::Mark("O B")]));
    assert!(!accepts(&[Piece::Mark("O B"), Piece::Data(&[0; 200])]));
    assert!(!accepts(&[Piece::Mark("O B"), Piece::Mark("O .")]));
}
