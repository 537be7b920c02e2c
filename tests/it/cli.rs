//! The program itself: arguments in, documents and exit codes out.

mod agents;
mod by_ear;
mod codes;
mod completions;
mod damage;
mod documents;
mod forms;
mod help;
mod lines;
mod places;
mod printed;
mod processes;
mod reference;
mod sorting;
mod sources;
mod spellings;
mod units;
mod walk;

use foureyes::domain::review::{Act, Reviewer, WindowStart};
use foureyes::domain::{JudgementKind, Timestamp};
use foureyes::files::paths::DataDir;
use foureyes::store::ledger::{Ledger, fresh_id};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a run said.
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// A home of its own; nothing of this machine reaches the program but what is given.
pub(crate) struct Home(tempfile::TempDir);

impl Home {
    pub(crate) fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        std::fs::create_dir(home.path().join("logs")).unwrap();
        Self(home)
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }

    /// The program, not yet started.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut run = Command::new(env!("CARGO_BIN_EXE_foureyes"));
        run.args(args).env_clear().env("HOME", self.path()).env("PATH", "/usr/bin:/bin");
        run.env("FOUREYES_DATA", self.path().join("data")).current_dir(self.path());
        run.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        run
    }

    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        finish(self.command(args), args)
    }

    /// A run that must succeed; gives what it printed.
    pub(crate) fn good(&self, args: &[&str]) -> String {
        let ran = self.run(args);
        assert_eq!(ran.code, 0, "{args:?}: {}", ran.err);
        ran.out
    }

    pub(crate) fn feed(&self, args: &[&str], input: &Path) -> Ran {
        let mut command = self.command(args);
        command.stdin(File::open(input).unwrap());
        finish(command, args)
    }
}

/// Nothing that is piped holds a byte that a terminal would act on.
fn finish(mut command: Command, args: &[&str]) -> Ran {
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| {
        let text = String::from_utf8(bytes).unwrap();
        let raw = |c: &char| c.is_control() && *c != '\n' && *c != '\r';
        assert_eq!(text.chars().find(raw), None, "{args:?} prints a control character");
        text
    };
    let code = output.status.code().unwrap_or_else(|| panic!("{args:?}: {}", output.status));
    assert_ne!(code, 101, "{args:?} panicked: {}", String::from_utf8_lossy(&output.stderr));
    Ran { code, out: text(output.stdout), err: text(output.stderr) }
}

/// Begins a window on a day, said at its first instant: what is judged on it counts.
pub(crate) fn begin_window(data: &Path, who: &str, family: JudgementKind, day: &str) {
    let first = Timestamp::parse_day(day).unwrap();
    let mut ledger = Ledger::load(&DataDir::at(data.to_path_buf())).unwrap();
    let by = Reviewer { name: who.to_owned(), machine: "desk".to_owned() };
    let act = Act::Window(WindowStart::new(first).of(family));
    ledger.append(&by, fresh_id(first), first, &act).unwrap();
}

/// A push record.
pub(crate) fn push(commit: u32, time: &str, verdict: &str) -> String {
    format!(
        "{{\"commit\":\"{commit:07x}\",\"model\":\"m\",\"verdict\":\"{verdict}\",\"timestamp\":\"{time}\"}}\n"
    )
}
