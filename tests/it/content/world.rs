//! Repositories that a test makes, and a look at what is in them.

use foureyes::config::{Config, RepositoryConfig};
use foureyes::content::{self, Content, FileContent, LineKind, Nowhere, Request, State};
use foureyes::files::paths::DataDir;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A directory with whatever repositories a test puts below it.
pub(super) struct World {
    pub(super) dir: tempfile::TempDir,
}

impl World {
    pub(super) fn new() -> Self {
        Self { dir: tempfile::tempdir().unwrap() }
    }

    pub(super) fn at(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Makes a repository.
    pub(super) fn init(&self, name: &str, extra: &[&str]) -> Repo {
        let repo = Repo { path: self.at(name) };
        std::fs::create_dir_all(&repo.path).unwrap();
        repo.git(&[&["init", "-q", "-b", "main"], extra].concat());
        repo
    }

    /// Clones a repository over `file://`.
    pub(super) fn clone(&self, from: &Repo, name: &str, extra: &[&str]) -> Repo {
        let repo = Repo { path: self.at(name) };
        std::fs::create_dir_all(&repo.path).unwrap();
        let url = format!("file://{}", from.path.display());
        repo.git(&[&["clone", "-q"], extra, &[&url, "."]].concat());
        repo
    }

    pub(super) fn data(&self) -> DataDir {
        DataDir::at(self.at("data"))
    }

    pub(super) fn load(&self, config: &Config, request: &Request) -> Result<Content, Nowhere> {
        content::load(request, config, &self.data(), &|| false)
    }
}

/// A repository; git knows no configuration of the machine.
pub(super) struct Repo {
    pub(super) path: PathBuf,
}

impl Repo {
    pub(super) fn command(&self) -> Command {
        let mut command = Command::new("git");
        command
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap())
            .envs([("GIT_CONFIG_NOSYSTEM", "1"), ("GIT_CONFIG_GLOBAL", "/dev/null")])
            .envs([("GIT_AUTHOR_NAME", "Ada Agent"), ("GIT_AUTHOR_EMAIL", "a@example.invalid")])
            .envs([("GIT_COMMITTER_NAME", "Cy"), ("GIT_COMMITTER_EMAIL", "c@example.invalid")])
            .envs([("GIT_AUTHOR_DATE", "@1771151400 +0000")])
            .envs([("GIT_COMMITTER_DATE", "@1771151400 +0000")])
            .arg("-C")
            .arg(&self.path);
        command
    }

    pub(super) fn git<A: Into<OsString> + Clone>(&self, args: &[A]) -> String {
        let args: Vec<OsString> = args.iter().cloned().map(Into::into).collect();
        let out = self.command().args(&args).output().expect("git must be installed");
        assert!(out.status.success(), "{args:?}: {}", String::from_utf8_lossy(&out.stderr));
        String::from_utf8_lossy(&out.stdout).trim_end().to_owned()
    }

    pub(super) fn write(&self, file: impl AsRef<Path>, bytes: impl AsRef<[u8]>) {
        let path = self.path.join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    pub(super) fn commit(&self, subject: &str) -> String {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", subject]);
        self.git(&["rev-parse", "HEAD"])
    }

    /// Writes one file and commits it.
    pub(super) fn with(&self, file: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> String {
        self.write(file, bytes);
        self.commit("work")
    }

    pub(super) fn config(&self) -> RepositoryConfig {
        RepositoryConfig {
            path: self.path.clone(),
            boxes: Vec::new(),
            refs: Vec::new(),
            fetch: true,
            programs: Vec::new(),
            remote_path: None,
        }
    }

    /// All that a user would see changed: refs, index, working tree, and the files git keeps.
    pub(super) fn print(&self) -> String {
        let mut seen = self.git(&["for-each-ref"]);
        seen += &self.git(&["status", "--porcelain=v2", "--branch", "--ignored"]);
        seen += &self.git(&["config", "--list", "--local"]);
        for name in ["HEAD", "index", "FETCH_HEAD", "shallow", "packed-refs", "ORIG_HEAD", "logs"] {
            let path = self.path.join(".git").join(name);
            let hash = std::fs::read(&path).map(|b| blake3::hash(&b).to_string());
            seen += &format!("{name} {} {:?}\n", path.exists(), hash.ok());
        }
        seen
    }
}

pub(super) fn config(repositories: &[RepositoryConfig]) -> Config {
    Config { repositories: repositories.to_vec(), ..Config::default() }
}

pub(super) fn request(commit: &str, files: &[&str]) -> Request {
    let files = files.iter().map(|f| (*f).to_owned()).collect();
    Request { commit: commit.to_owned(), files, box_name: "small".to_owned() }
}

/// Reads files at a commit of one repository, which must go well.
pub(super) fn read(repo: &Repo, commit: &str, files: &[&str]) -> Content {
    let world = World::new();
    world.load(&config(&[repo.config()]), &request(commit, files)).unwrap()
}

/// Reads one file.
pub(super) fn one(repo: &Repo, commit: &str, file: &str) -> FileContent {
    let mut content = read(repo, commit, &[file]);
    assert_eq!(content.files.len(), 1);
    content.files.remove(0)
}

pub(super) fn text(file: &FileContent) -> &str {
    match &file.state {
        State::Text { text, .. } => text,
        other => panic!("{other:?}"),
    }
}

/// The lines of a difference, with their signs.
pub(super) fn signed(file: &FileContent) -> Vec<String> {
    let sign = |kind| match kind {
        LineKind::Context => ' ',
        LineKind::Added => '+',
        LineKind::Removed => '-',
        LineKind::Hunk => '@',
        LineKind::Note => '#',
    };
    file.diff.lines.iter().map(|l| format!("{}{}", sign(l.kind), l.text)).collect()
}
