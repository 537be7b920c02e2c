//! Configuration: what is read, what is refused and where it says so.

mod commands;
mod file;
mod places;
mod rules;
mod sample;

use foureyes::config::{self, Config, Environment, Error, Loaded, Sources};
use std::path::{Path, PathBuf};

/// A home of its own; nothing of the machine's environment reaches the tests.
struct Home {
    dir: tempfile::TempDir,
}

impl Home {
    fn new() -> Self {
        Self { dir: tempfile::tempdir().unwrap() }
    }

    fn path(&self) -> &Path {
        self.dir.path()
    }

    fn environment(&self, more: &[(&str, &str)]) -> Environment {
        Environment::from_lookup(|name| match name {
            "HOME" => Some(self.path().into()),
            _ => more.iter().find(|(n, _)| *n == name).map(|(_, v)| v.into()),
        })
    }

    fn write(&self, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join("test.toml");
        std::fs::write(&path, text).unwrap();
        path
    }

    fn load(&self, text: impl AsRef<[u8]>) -> Result<Loaded, Error> {
        config::load(&Sources {
            flag_path: Some(self.write(text)),
            environment: self.environment(&[]),
        })
    }
}

/// The configuration of a text that must be right.
fn good(text: impl AsRef<[u8]>) -> Config {
    let home = Home::new();
    home.load(text).unwrap_or_else(|e| panic!("{e}")).config
}

/// All that is said of a text that must be wrong, one `line:column: …` a problem.
fn bad(text: impl AsRef<[u8]>) -> Vec<String> {
    let home = Home::new();
    let error = home.load(text).expect_err("wrong text was taken");
    assert!(!error.problems().is_empty(), "{error}");
    error.problems().iter().map(ToString::to_string).collect()
}
