//! A home, a clone and its remote, on which pushes are tried with the real git and the real program.

use serde_json::Value;
use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// The committer whose commits are judged.
pub(super) const AGENT: &str = "OpenClaw Agent";
/// Somebody whose commits are not.
pub(super) const PERSON: &str = "Ada Example";

pub(super) struct Stage {
    root: TempDir,
    variables: Vec<(String, String)>,
}

impl Stage {
    /// A clone `work` of an empty bare `remote`, in a home of its own, with a first commit of a
    /// person that is pushed.
    pub(super) fn new() -> Self {
        let stage = Self::empty(&[]);
        stage.commit(PERSON, &[("README.md", "hello\n")]);
        stage.done(&["push", "-q", "origin", "main"]);
        stage
    }

    /// A clone of an empty remote, without a commit; `format` is for `git init`.
    pub(super) fn empty(format: &[&str]) -> Self {
        let root = TempDir::new().unwrap();
        for name in ["home", "work"] {
            fs::create_dir(root.path().join(name)).unwrap();
        }
        let stage = Self { root, variables: Vec::new() };
        let mut init = vec!["init", "-q", "--bare", "-b", "main"];
        init.extend(format);
        init.push("../remote");
        stage.done(&init);
        let mut init = vec!["init", "-q", "-b", "main"];
        init.extend(format);
        stage.done(&init);
        let remote = stage.path("remote");
        stage.done(&["remote", "add", "origin", remote.to_str().unwrap()]);
        stage
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    pub(super) fn work(&self) -> PathBuf {
        self.path("work")
    }

    /// Sets a variable of the environment for all that follows.
    pub(super) fn set(&mut self, name: &str, value: &str) {
        self.variables.retain(|(n, _)| n != name);
        self.variables.push((name.to_owned(), value.to_owned()));
    }

    /// A command with the environment of this stage and no other.
    pub(super) fn command(&self, program: impl AsRef<std::ffi::OsStr>, dir: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir(dir).stdin(Stdio::null()).env_clear();
        command.env("PATH", std::env::var_os("PATH").unwrap());
        command.env("HOME", self.path("home")).env("LANG", "C.UTF-8");
        command.envs([("GIT_CONFIG_NOSYSTEM", "1"), ("GIT_TERMINAL_PROMPT", "0")]);
        command.envs([
            ("GIT_AUTHOR_EMAIL", "a@example.org"),
            ("GIT_COMMITTER_EMAIL", "c@example.org"),
        ]);
        command.envs(self.variables.iter().map(|(n, v)| (n, v)));
        command
    }

    /// git in a directory, as somebody.
    pub(super) fn git_in(&self, dir: &Path, who: &str, arguments: &[&str]) -> Output {
        let mut command = self.command("git", dir);
        command.env("GIT_AUTHOR_NAME", who).env("GIT_COMMITTER_NAME", who);
        command.args(arguments).output().unwrap()
    }

    /// git in the clone, as a person.
    pub(super) fn git(&self, arguments: &[&str]) -> Output {
        self.git_in(&self.work(), PERSON, arguments)
    }

    /// git in the clone, which must not fail; gives what it prints.
    pub(super) fn done(&self, arguments: &[&str]) -> String {
        self.done_as(PERSON, arguments)
    }

    pub(super) fn done_as(&self, who: &str, arguments: &[&str]) -> String {
        let output = self.git_in(&self.work(), who, arguments);
        assert!(output.status.success(), "git {arguments:?}: {}", errors(&output));
        String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
    }

    /// Writes a file of the clone.
    pub(super) fn write(&self, path: impl AsRef<Path>, text: &str) {
        let path = self.work().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Commits files as somebody; gives the commit's id.
    pub(super) fn commit(&self, who: &str, files: &[(&str, &str)]) -> String {
        for (path, text) in files {
            self.write(path, text);
        }
        self.done_as(who, &["add", "-A"]);
        self.done_as(who, &["commit", "-q", "--allow-empty", "-m", "a change"]);
        self.done(&["rev-parse", "HEAD"])
    }

    pub(super) fn foureyes(&self, arguments: &[&str]) -> Output {
        self.command(env!("CARGO_BIN_EXE_foureyes"), &self.work()).args(arguments).output().unwrap()
    }

    /// Puts the hook into the clone.
    pub(super) fn install(&self) {
        let output = self.foureyes(&["hook", "install", "--no-ask"]);
        assert!(output.status.success(), "{}", errors(&output));
    }

    /// Writes the configuration of the home.
    pub(super) fn configure(&self, text: &str) {
        let dir = self.path("home/.config/foureyes");
        fs::create_dir_all(&dir).unwrap();
        fs::write(dir.join("config.toml"), text).unwrap();
    }

    /// The directory of the log.
    pub(super) fn log_dir(&self) -> PathBuf {
        self.path("home/.openclaw/judge-verdicts")
    }

    /// The bytes of the log, all days together.
    pub(super) fn log_bytes(&self) -> Vec<u8> {
        let Ok(entries) = fs::read_dir(self.log_dir()) else { return Vec::new() };
        let mut paths: Vec<_> = entries.map(|e| e.unwrap().path()).collect();
        paths.sort();
        paths.iter().flat_map(|path| fs::read(path).unwrap()).collect()
    }

    /// The records of the log. Each is one compact line that fits the schema.
    pub(super) fn log(&self) -> Vec<Value> {
        let text = String::from_utf8(self.log_bytes()).unwrap();
        assert!(text.is_empty() || text.ends_with('\n'), "{text}");
        let records: Vec<Value> = text.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
        let schema: Value = serde_json::to_value(foureyes::engine::record::schema()).unwrap();
        let validator = jsonschema::validator_for(&schema).unwrap();
        for record in &records {
            let wrong: Vec<_> = validator.iter_errors(record).map(|e| e.to_string()).collect();
            assert!(wrong.is_empty(), "{wrong:?}: {record}");
        }
        records
    }

    /// What the remote has for a ref.
    pub(super) fn remote_ref(&self, name: &str) -> Option<String> {
        let output =
            self.git_in(&self.path("remote"), PERSON, &["rev-parse", "-q", "--verify", name]);
        let text = String::from_utf8(output.stdout).unwrap();
        output.status.success().then(|| text.trim_end().to_owned())
    }

    /// Lets the program of the hook write its process id; gives the file.
    pub(super) fn names_its_process(&self) -> PathBuf {
        self.names_its_process_in(&self.work().join(".git/hooks/pre-push"))
    }

    /// The same of another hook.
    pub(super) fn names_its_process_in(&self, hook: &Path) -> PathBuf {
        let (pid, program) = (self.path("pid"), self.path("program"));
        let binary = env!("CARGO_BIN_EXE_foureyes");
        let text = format!("#!/bin/sh\necho $$ > '{}'\nexec '{binary}' \"$@\"\n", pid.display());
        self.script(&program, &text);
        let script = fs::read_to_string(hook).unwrap();
        fs::write(hook, script.replace(binary, program.to_str().unwrap())).unwrap();
        pid
    }

    /// Writes a file that may be run.
    pub(super) fn script(&self, path: &Path, text: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let mut file = fs::File::create(path).unwrap();
        file.write_all(text.as_bytes()).unwrap();
        file.set_permissions(fs::Permissions::from_mode(0o755)).unwrap();
    }
}

/// What a command wrote on standard error.
pub(super) fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
