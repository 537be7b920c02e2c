//! A box's clock and its log paths: one run of a fixed script that changes nothing.

use super::framing::{Damaged, Piece};
use super::session::{BEGIN, Error, FetchError, Script, ScriptRun, line};
use std::convert::Infallible;
use std::sync::LazyLock;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};

static SCRIPT: LazyLock<Script> =
    LazyLock::new(|| Script::new(&[BEGIN, include_str!("../../../../assets/checkup.sh")]));

/// The one command that a checkup gives to a box.
pub fn command() -> String {
    SCRIPT.command()
}

/// How a log path is on a box.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathState {
    /// A file or directory that can be read.
    Readable,
    /// It is there and cannot be read.
    Denied,
    /// It is neither a file nor a directory.
    Odd,
    /// It is not there, or a directory above it cannot be entered.
    Missing,
}

/// What a box reports of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkup {
    /// Its clock, in seconds since 1970; `None` where `date` does not tell.
    pub clock: Option<i64>,
    /// Its log paths, in the order asked.
    pub paths: Vec<PathState>,
}

/// Asks the script, over its standard output and input. A leading `~/` of a path is the home there;
/// `idle` bounds every wait for a byte.
///
/// # Errors
/// A path that cannot stand on a line, or a session that breaks off.
pub async fn ask(
    output: impl AsyncRead + Send + Unpin + 'static,
    input: impl AsyncWrite + Unpin,
    paths: &[String],
    idle: Duration,
) -> Result<Checkup, Error> {
    let mut run = ScriptRun::new(output, input, idle)?;
    let mut text = SCRIPT.opening(run.word());
    for path in paths {
        text += &format!("P {}\n", line(path)?);
    }
    text.push_str("Q\n");
    let mut checkup = Checkup { clock: None, paths: Vec::new() };
    let asked: Result<(), FetchError<Infallible>> =
        run.ask(text.into_bytes(), "O Q", |piece| Ok(checkup.take(piece)?)).await;
    asked?;
    if checkup.paths.len() == paths.len() { Ok(checkup) } else { Err(Damaged.into()) }
}

impl Checkup {
    fn take(&mut self, piece: Piece<'_>) -> Result<(), Damaged> {
        match piece {
            // A program that a login script left behind may print.
            Piece::Data(_) | Piece::Mark("O Q") => {}
            Piece::Mark(mark) => match (mark.strip_prefix("O H 1 "), mark.strip_prefix("O P ")) {
                (Some(seconds), _) => self.clock = seconds.parse().ok(),
                (_, Some(state)) => self.paths.push(path_state(state)?),
                _ => return Err(Damaged),
            },
        }
        Ok(())
    }
}

fn path_state(word: &str) -> Result<PathState, Damaged> {
    Ok(match word {
        "readable" => PathState::Readable,
        "denied" => PathState::Denied,
        "odd" => PathState::Odd,
        "missing" => PathState::Missing,
        _ => return Err(Damaged),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Stdio;

    /// Has a shell run the script, behind something that is printed before it.
    async fn tried(
        shell: &[&str],
        noise: &str,
        home: &std::path::Path,
        paths: &[String],
    ) -> Result<Checkup, Error> {
        let script = format!("printf '%s' '{noise}'; {}", command());
        let mut child = tokio::process::Command::new(shell[0])
            .args(&shell[1..])
            .args(["-c", &script])
            .env("HOME", home)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap_or_else(|e| panic!("{shell:?} is needed: {e}"));
        let (output, input) = (child.stdout.take().unwrap(), child.stdin.take().unwrap());
        ask(output, input, paths, Duration::from_secs(10)).await
    }

    #[tokio::test]
    async fn every_posix_shell_answers_for_every_kind_of_path() {
        let home = tempfile::tempdir().unwrap();
        std::fs::create_dir(home.path().join("dir with $(blank) `x`")).unwrap();
        std::fs::write(home.path().join("file"), "").unwrap();
        let paths: Vec<_> =
            ["~/dir with $(blank) `x`", "~/file", "~/none", "/dev/null"].map(str::to_owned).into();
        for shell in [&["sh"][..], &["busybox", "sh"], &["bash"]] {
            let checkup = tried(shell, "Welcome!", home.path(), &paths).await.unwrap();
            use PathState::{Missing, Odd, Readable};
            assert_eq!(checkup.paths, [Readable, Readable, Missing, Odd], "{shell:?}");
            let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
            assert!(checkup.clock.unwrap().abs_diff(now.as_secs() as i64) < 60, "{shell:?}");
        }
    }

    #[tokio::test]
    async fn answer_without_script_or_for_too_few_paths_is_none() {
        let (output, input) = (&b"Welcome!\n"[..], tokio::io::sink());
        let error = ask(output, input, &[], Duration::from_secs(1)).await.unwrap_err();
        assert!(matches!(error, Error::NoAnswer { output } if output == b"Welcome!\n"));
        let mut checkup = Checkup { clock: None, paths: Vec::new() };
        checkup.take(Piece::Mark("O H 1 +%s")).unwrap();
        assert_eq!(checkup.clock, None);
        assert!(checkup.take(Piece::Mark("O P perhaps")).is_err());
        assert!(checkup.take(Piece::Mark("foreign")).is_err());
    }
}
