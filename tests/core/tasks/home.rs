//! A home in which `foureyes judge --task-id` runs, with scripted judges.

use super::verdict;
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

pub(crate) struct Home {
    dir: tempfile::TempDir,
}

impl Home {
    /// A home whose judges answer in these words, always.
    pub(crate) fn new(words: [&str; 3], config: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let home = Self { dir };
        std::fs::create_dir_all(home.path().join(".config/foureyes")).unwrap();
        home.configure(config);
        home.write("a.md", "# A note\n");
        home.answers(words);
        home
    }

    /// Replaces what the configuration has beside the judges.
    pub(crate) fn configure(&self, config: &str) {
        let models: String = ["quick", "deep", "tiebreaker"]
            .map(|tier| format!("[judges.{tier}]\nmodel = \"{tier}-1\"\n"))
            .concat();
        let judge = "[judge]\nscript = \"~/answers.jsonl\"\n";
        self.write(".config/foureyes/config.toml", &format!("{judge}{models}{config}"));
    }

    pub(crate) fn answers(&self, words: [&str; 3]) {
        let line = |(tier, word): (&str, &str)| {
            let text = match word {
                "prose" => "I would rather not say.".to_owned(),
                "empty" => String::new(),
                word => verdict(word),
            };
            let fail = matches!(word, "timeout" | "unavailable").then_some(word);
            serde_json::json!({"model": tier, "text": text, "fail": fail, "always": true})
                .to_string()
        };
        let lines = ["quick", "deep", "tiebreaker"].into_iter().zip(words).map(line);
        self.write("answers.jsonl", &lines.collect::<Vec<_>>().join("\n"));
    }

    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path().join(name), text).unwrap();
    }

    /// `foureyes judge` with an environment of its own.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_foureyes"));
        command.arg("judge").args(args).current_dir(self.path());
        command.env_clear().env("HOME", self.path()).env("PATH", "/usr/bin:/bin");
        command
    }

    /// Another command in the same environment.
    pub(crate) fn foureyes(&self, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_foureyes"));
        command.args(args).current_dir(self.path());
        command.env_clear().env("HOME", self.path()).env("PATH", "/usr/bin:/bin");
        command.output().unwrap()
    }

    pub(crate) fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    pub(crate) fn task(&self, more: &[&str]) -> Output {
        let base = ["-t", "issue-42", "-d", "Write the note.", "-a", "It names a rollback."];
        self.run(&[&base[..], more, &["a.md"]].concat())
    }

    pub(crate) fn json(&self, more: &[&str]) -> (Option<i32>, Value) {
        let output = self.task(&[more, &["--json"]].concat());
        let text = String::from_utf8(output.stdout).unwrap();
        let value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text}"));
        (output.status.code(), value)
    }

    pub(crate) fn log(&self) -> Vec<Value> {
        let text = std::fs::read_to_string(self.path().join(".openclaw/verdicts.jsonl"));
        let text = text.unwrap_or_default();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}
