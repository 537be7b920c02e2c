//! Questions of tasks on a box: one run of a fixed script that sends those that are asked for by their hashes.

use super::framing::{Damaged, Piece};
use super::session::{BEGIN, Error, FetchError, Script, ScriptRun, line};
use crate::questions::MOST_BYTES;
use std::convert::Infallible;
use std::fmt::Write;
use std::sync::LazyLock;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};

static SCRIPT: LazyLock<Script> =
    LazyLock::new(|| Script::new(&[BEGIN, include_str!("../../../../assets/questions.sh")]));

/// The one command that is given to a box for its questions.
pub fn command() -> String {
    SCRIPT.command()
}

/// Why a box does not send a question that it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It is a link, a directory, a device or the like.
    #[error("it is not a regular file")]
    Kind,
    /// It may not be read.
    #[error("it may not be read")]
    Closed,
    /// It is longer than any question.
    #[error("it has more than {MOST_BYTES} bytes")]
    Long,
}

/// A question as it stands on a box: the hash in its name, and its bytes.
pub type Found = (String, Result<Vec<u8>, Refusal>);

/// A run of the script, over its standard input and output.
pub struct Questions<W> {
    run: ScriptRun<W>,
    started: bool,
}

impl<W: AsyncWrite + Unpin> Questions<W> {
    /// A session with what runs [`command`]; `idle` bounds every wait for a byte.
    ///
    /// # Errors
    /// The system gives no random numbers.
    pub fn new(
        input: impl AsyncRead + Send + Unpin + 'static,
        output: W,
        idle: Duration,
    ) -> Result<Self, Error> {
        Ok(Self { run: ScriptRun::new(input, output, idle)?, started: false })
    }

    /// Bytes that came so far.
    pub fn received(&self) -> u64 {
        self.run.received()
    }

    /// Asks for questions, each by its directory and hash; gives those that are there.
    ///
    /// # Errors
    /// A path that cannot stand on a line, or a session that breaks off.
    pub async fn ask(&mut self, asked: &[(String, String)]) -> Result<Vec<Found>, Error> {
        let mut text = String::new();
        if !std::mem::replace(&mut self.started, true) {
            let _ = writeln!(text, "{}{MOST_BYTES}", SCRIPT.opening(self.run.word()));
        }
        let mut at = None;
        for (directory, sha) in asked {
            if at != Some(directory) {
                let _ = writeln!(text, "D {}", line(directory)?);
                at = Some(directory);
            }
            let _ = writeln!(text, "Q {}", line(sha)?);
        }
        text.push_str("B\n");
        let mut response = Response { asked, found: Vec::new(), open: false };
        let done: Result<(), FetchError<Infallible>> =
            self.run.ask(text.into_bytes(), "O B", |piece| Ok(response.take(piece)?)).await;
        done?;
        Ok(response.found)
    }
}

/// Questions as they come.
struct Response<'a> {
    asked: &'a [(String, String)],
    found: Vec<Found>,
    open: bool,
}

impl Response<'_> {
    fn take(&mut self, piece: Piece<'_>) -> Result<(), Error> {
        match piece {
            Piece::Data(more) => {
                let last = self.found.last_mut().filter(|_| self.open);
                // Between questions nothing is sent.
                let Some((_, Ok(bytes))) = last else { return Err(Damaged.into()) };
                if (bytes.len() + more.len()) as u64 > MOST_BYTES {
                    return Err(Error::TooMuch);
                }
                bytes.extend_from_slice(more);
            }
            Piece::Mark("O H 1" | "O B") => {}
            Piece::Mark("O E") => self.open = false,
            Piece::Mark(mark) => self.begin(mark)?,
        }
        Ok(())
    }

    fn begin(&mut self, mark: &str) -> Result<(), Error> {
        let (sha, result) = match (mark.strip_prefix("O F "), mark.strip_prefix("O X ")) {
            (Some(sha), _) => (sha, Ok(Vec::new())),
            (_, Some(rest)) => {
                let (sha, word) = rest.split_once(' ').ok_or(Damaged)?;
                (sha, Err(refusal(word)?))
            }
            _ => return Err(Damaged.into()),
        };
        // What nobody asked for is not taken, nor more often than in so many directories.
        let asked = self.asked.iter().filter(|(_, asked)| asked == sha).count();
        if self.found.iter().filter(|(known, _)| known == sha).count() >= asked {
            return Err(Damaged.into());
        }
        self.open = result.is_ok();
        self.found.push((sha.to_owned(), result));
        Ok(())
    }
}

fn refusal(word: &str) -> Result<Refusal, Damaged> {
    Ok(match word {
        "kind" => Refusal::Kind,
        "closed" => Refusal::Closed,
        "long" => Refusal::Long,
        _ => return Err(Damaged),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Stdio;

    /// Runs the script; the shell's output is cut after so many bytes.
    async fn tried(asked: &[(String, String)], cut: u64) -> Result<Vec<Found>, Error> {
        let mut child = tokio::process::Command::new("sh")
            .args(["-c", &format!("printf 'Welcome\\n'; {}", SCRIPT.command())])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let (stdin, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let output = tokio::io::AsyncReadExt::take(output, cut);
        let mut run = Questions::new(output, stdin, Duration::from_secs(20)).unwrap();
        let (first, rest) = asked.split_at(asked.len() / 2);
        let mut found = run.ask(first).await?;
        found.extend(run.ask(rest).await?);
        Ok(found)
    }

    #[tokio::test]
    async fn only_what_is_asked_for_comes_and_the_rest_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let place = dir.path().join("a 'b $(id)");
        std::fs::create_dir(&place).unwrap();
        let sha = |digit: &str| digit.repeat(64);
        let put = |digit: &str, bytes: &[u8]| {
            std::fs::write(place.join(sha(digit) + ".json"), bytes).unwrap();
        };
        put("a", b"one \xff\0 without an end");
        put("b", &vec![b'x'; MOST_BYTES as usize + 1]);
        put("c", b"nobody asks for it");
        std::fs::create_dir(place.join(sha("d") + ".json")).unwrap();
        std::os::unix::fs::symlink("/etc/passwd", place.join(sha("e") + ".json")).unwrap();
        let asked: Vec<(String, String)> = ["a", "b", "d", "e", "f"]
            .map(|digit| (place.to_str().unwrap().to_owned(), sha(digit)))
            .to_vec();
        let found = tried(&asked, u64::MAX).await.unwrap();
        let kinds: Vec<_> =
            found.iter().map(|(sha, found)| (&sha[..1], found.as_ref().err())).collect();
        let kind = Some(&Refusal::Kind);
        assert_eq!(kinds, [("a", None), ("b", Some(&Refusal::Long)), ("d", kind), ("e", kind)]);
        assert_eq!(found[0].1.as_deref().unwrap(), b"one \xff\0 without an end");
        for cut in [0, 60, 120, 200] {
            assert!(tried(&asked, cut).await.is_err(), "cut after {cut} bytes");
        }
        // One hash in several directories.
        let empty = dir.path().join("empty");
        std::fs::create_dir(&empty).unwrap();
        let pairs =
            [&place, &empty, &place, &place].map(|at| (at.to_str().unwrap().to_owned(), sha("c")));
        assert_eq!(tried(&pairs, u64::MAX).await.unwrap().len(), 3);
        // A path that leads elsewhere is no hash.
        let elsewhere = (place.to_str().unwrap().to_owned(), format!("../{}", sha("a")));
        assert_eq!(tried(&[elsewhere], u64::MAX).await.unwrap(), []);
    }
}
