//! docs/agents.md: its scripts as they are printed there, with the real program and in its place others.

mod ci;
mod hold;
mod hook;
mod skill;
mod stop;

use crate::tasks::Home;
use std::fs;
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// What Claude Code passes to a Stop hook.
pub(super) const EVENT: &str = r#"{"session_id":"abc","transcript_path":"/t.jsonl","cwd":"/","hook_event_name":"Stop","stop_hook_active":true,"last_assistant_message":"done"}"#;
/// What the script of the page reads.
const TASK: [(&str, &str); 4] = [
    ("id", "issue-42\n"),
    ("task.md", "Write the note.\n"),
    ("criteria.md", "It names a rollback.\n"),
    ("files", "a.md\n"),
];

/// The page.
pub(super) fn page() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/agents.md")).unwrap()
}

/// The last block of a language below a heading of the page.
pub(super) fn block(heading: &str, language: &str) -> String {
    let page = page();
    let (_, section) = page.split_once(&format!("\n## {heading}\n")).unwrap();
    let section = section.split("\n## ").next().unwrap();
    let (_, block) = section.rsplit_once(&format!("\n```{language}\n")).unwrap();
    block.split("\n```").next().unwrap().to_owned() + "\n"
}

/// A project of an agent, with a task, scripted judges, and the hook of the page.
pub(super) struct Project(Home);

impl Project {
    pub(super) fn new(words: [&str; 3]) -> Self {
        let project = Self(Home::new(words, ""));
        for name in ["my project/.task", "bin"] {
            fs::create_dir_all(project.0.path().join(name)).unwrap();
        }
        for (name, text) in TASK {
            project.write(&format!(".task/{name}"), text);
        }
        project.write("a.md", "# A note\n");
        project.write("judge.sh", block("Claude Code", "sh"));
        project.program(None);
        project
    }

    pub(super) fn home(&self) -> &Home {
        &self.0
    }

    pub(super) fn dir(&self) -> PathBuf {
        self.0.path().join("my project")
    }

    pub(super) fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::write(self.dir().join(name), text).unwrap();
    }

    /// Puts the real program into the path, or a script in its place.
    pub(super) fn program(&self, other: Option<&str>) {
        self.tool("foureyes", other);
    }

    /// No program of that name is in the path.
    pub(super) fn remove(&self, name: &str) {
        let _ = fs::remove_file(self.bin().join(name));
    }

    fn bin(&self) -> PathBuf {
        self.0.path().join("bin")
    }

    /// Puts a script into the path; the real program where there is none.
    pub(super) fn tool(&self, name: &str, script: Option<&str>) {
        self.remove(name);
        let path = self.bin().join(name);
        let Some(script) = script else {
            return symlink(env!("CARGO_BIN_EXE_foureyes"), path).unwrap();
        };
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// A shell in the project, with a path of its own: no tool is in it but `cat` and what was put there.
    pub(super) fn shell(&self, arguments: &[&str]) -> Command {
        if !self.bin().join("cat").exists() {
            symlink("/bin/cat", self.bin().join("cat")).unwrap();
        }
        let mut command = Command::new("/bin/sh");
        command.args(arguments).current_dir(self.dir()).env_clear();
        command.env("PATH", self.bin()).env("HOME", self.0.path());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// The hook as the agent runs it.
    pub(super) fn stop(&self) -> Stopped {
        self.stop_with(EVENT.as_bytes())
    }

    /// The same with something else on standard input.
    pub(super) fn stop_with(&self, input: &[u8]) -> Stopped {
        let script = self.dir().join("judge.sh");
        let mut command = self.shell(&[script.to_str().unwrap()]);
        command.env("CLAUDE_PROJECT_DIR", self.dir()).current_dir("/").stdin(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // A script that ends without reading it closes the pipe.
        let _ = child.stdin.take().unwrap().write_all(input);
        Stopped::new(&child.wait_with_output().unwrap())
    }
}

/// What came of the hook.
#[derive(Debug)]
pub(super) struct Stopped {
    pub(super) code: Option<i32>,
    pub(super) out: String,
    pub(super) err: String,
}

impl Stopped {
    pub(super) fn new(output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        Self { code: output.status.code(), out, err }
    }

    /// The agent may end, and a line says why.
    pub(super) fn ends(&self, why: &str) {
        assert_eq!(self.code, Some(0), "{why}: {self:?}");
        let line = format!("foureyes: the agent may end: {why}");
        assert!(self.err.lines().any(|one| one.starts_with(&line)), "{why}: {self:?}");
    }
}
