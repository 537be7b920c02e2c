//! The programs that are run: `ssh` and `git`.

use super::check::{Check, Part};
use crate::config::Config;
use std::process::{Command, Stdio};

/// Checks that each program is there.
pub(super) fn checks(config: &Config) -> Vec<Check> {
    let ssh = version("ssh", "-V");
    let git = version("git", "--version");
    vec![
        present("ssh", ssh, super::has_remote(config), "install OpenSSH's client"),
        present("git", git, !config.repositories.is_empty(), "install git: coverage needs it"),
    ]
}

fn present(
    name: &'static str,
    found: std::io::Result<String>,
    needed: bool,
    advice: &str,
) -> Check {
    match found {
        Ok(version) => Check::ok(name, version),
        Err(error) if needed => {
            Check::fail(name, format!("cannot be run: {error}"), Part::Local).advise(advice)
        }
        Err(error) => Check::warn(name, format!("cannot be run: {error}")).advise(advice),
    }
}

/// The first line that a program says of itself: on stdout, or like `ssh` on stderr.
fn version(program: &str, flag: &str) -> std::io::Result<String> {
    let output = Command::new(program).arg(flag).stdin(Stdio::null()).output()?;
    if !output.status.success() {
        return Err(std::io::Error::other(output.status.to_string()));
    }
    let output = [output.stdout, output.stderr].concat();
    Ok(String::from_utf8_lossy(&output).lines().next().unwrap_or_default().to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::check::State;
    use super::*;

    #[test]
    fn missing_program_fails_only_when_required() {
        assert!(version("git", "--version").unwrap().starts_with("git version"));
        let missing = || version("/nowhere/at/all", "-V");
        assert_eq!(present("ssh", missing(), true, "x").state, State::Fail);
        assert_eq!(present("ssh", missing(), false, "x").state, State::Warn);
        assert!(version("false", "--nothing").is_err());
    }
}
