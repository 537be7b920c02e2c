//! The key of an endpoint: a value from outside, or what a command prints.
//!
//! Neither a key nor what a command wrote is in any error of this module.

use crate::process_group::{self, output};
use secrecy::SecretString;
use std::process::{Command, ExitStatus};
use std::time::Duration;

/// Longest key, in bytes.
const MOST: usize = 16 << 10;

/// No key.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is nothing but blanks.
    #[error("the key is empty")]
    Empty,
    /// It is not one line of visible text.
    #[error("the key is not one line of visible ASCII characters")]
    Shape,
    /// The command could not be started.
    #[error("failed to start the command for the key")]
    Start(#[source] std::io::Error),
    /// The command failed.
    #[error("the command for the key ended with {0}")]
    Failed(ExitStatus),
    /// The command took too long; it was ended.
    #[error("the command for the key did not end within {} ms", .0.as_millis())]
    Late(Duration),
    /// What the command wrote could not be read.
    #[error("failed to read what the command for the key prints")]
    Output(#[source] std::io::Error),
}

/// Takes a key as it was given, without the blanks around it.
///
/// # Errors
/// When nothing is left, or it has blanks, line breaks or other than ASCII in it.
pub fn given(value: &str) -> Result<SecretString, Error> {
    let value = value.trim();
    if value.is_empty() {
        return Err(Error::Empty);
    }
    if value.len() > MOST || !value.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(Error::Shape);
    }
    Ok(SecretString::from(value))
}

/// Takes the key that a shell command prints.
///
/// It runs as `sh -c`, with nothing on its standard input, and what it writes to its standard
/// error is dropped. It blocks; at the end of its time the command and what it started are ended.
///
/// # Errors
/// When it does not start, fails, takes longer than `limit`, or prints no key.
pub fn command(command: &str, limit: Duration) -> Result<SecretString, Error> {
    let mut shell = Command::new("sh");
    let printed = output(shell.args(["-c", command]), MOST as u64, limit);
    let printed = printed.map_err(|error| match error {
        process_group::Error::Start(source) => Error::Start(source),
        process_group::Error::Failed(status) => Error::Failed(status),
        process_group::Error::Late(limit) => Error::Late(limit),
        process_group::Error::TooLong(_) => Error::Shape,
        process_group::Error::Output(source) => Error::Output(source),
    })?;
    given(str::from_utf8(&printed).map_err(|_| Error::Shape)?)
}

#[cfg(test)]
mod tests {
    use super::{Error, command, given};
    use secrecy::ExposeSecret;
    use std::time::Duration;

    const LONG: Duration = Duration::from_secs(20);

    #[test]
    fn a_key_is_one_line_without_the_blanks_around_it() {
        assert_eq!(given(" sk-1\n").unwrap().expose_secret(), "sk-1");
        assert!(matches!(given(" \n"), Err(Error::Empty)));
        for wrong in ["a b", "a\nb", "schlüssel", "a\0b", &"x".repeat(20_000)] {
            assert!(matches!(given(wrong), Err(Error::Shape)), "{wrong:?}");
        }
    }

    #[test]
    fn key_command_output_is_the_key() {
        let key = command("printf 'sk-%s\n' 42; echo noise >&2", LONG).unwrap();
        assert_eq!(key.expose_secret(), "sk-42");
        assert!(!format!("{key:?}").contains("sk-42"));
    }

    #[test]
    fn failing_key_command_yields_no_key_and_hides_output() {
        let failed = command("echo sk-secret; exit 3", LONG).unwrap_err();
        assert!(matches!(&failed, Error::Failed(status) if status.code() == Some(3)));
        let many = command("yes sk-secret", LONG).unwrap_err();
        let lines = command("echo sk-secret; echo sk-secret", LONG).unwrap_err();
        assert!(matches!((&many, &lines), (Error::Shape, Error::Shape)));
        assert!(matches!(command("true", LONG), Err(Error::Empty)));
        for error in [failed, many, lines] {
            assert!(!format!("{error} {error:?}").contains("secret"), "{error:?}");
        }
    }

    #[test]
    fn hanging_key_command_is_killed_with_its_children() {
        let dir = tempfile::tempdir().unwrap();
        // Everything that the command starts has this pipe open until it ends.
        let pipe = dir.path().join("pipe");
        let mkfifo = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(mkfifo.unwrap().success());
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || std::fs::read(pipe).unwrap()
        });
        let script = format!("exec 3>'{}'; sleep 3600 & sleep 3600", pipe.display());
        let late = command(&script, Duration::from_secs(1)).unwrap_err();
        assert!(matches!(late, Error::Late(_)), "{late:?}");
        // Lets the reader go where the script had no time to open the pipe.
        drop(std::fs::OpenOptions::new().read(true).write(true).open(&pipe).unwrap());
        assert_eq!(reader.join().unwrap(), b"");
    }
}
