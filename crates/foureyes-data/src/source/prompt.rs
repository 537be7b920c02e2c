//! A file of a box, read over its session: the prompt that its judge is asked with.

use super::client::{Broken, converse};
use super::framing::{Damaged, Piece};
use super::session::{BEGIN, Error, FetchError, Script, ScriptRun, line};
use super::ssh::{Error as SshError, Link};
use std::convert::Infallible;
use std::sync::LazyLock;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};

/// Largest file that is read, in bytes.
pub const MOST: usize = 64 << 10;

static SCRIPT: LazyLock<Script> =
    LazyLock::new(|| Script::new(&[BEGIN, include_str!("../../../../assets/prompt.sh")]));

/// A file of a box could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The connection.
    #[error("the box cannot be asked for {path:?}")]
    Connection {
        /// The path there.
        path: String,
        /// Why.
        #[source]
        source: SshError,
    },
    /// Talking to the box. What came of the file is not used.
    #[error("the box did not send the whole of {path:?}")]
    RemoteSession {
        /// The path there.
        path: String,
        /// Why.
        #[source]
        source: Error,
    },
    /// The box has no such file, or may not send it.
    #[error("the box does not send {path:?}: {why}")]
    Refused {
        /// The path there.
        path: String,
        /// Why.
        why: Refusal,
    },
}

/// Why a box does not send a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// There is none.
    #[error("there is no such file")]
    Missing,
    /// It is a directory, a device or the like.
    #[error("it is not a file")]
    Kind,
    /// It may not be read.
    #[error("it may not be read")]
    Closed,
    /// It is more than is read.
    #[error("it has more than {MOST} bytes")]
    Long,
    /// It holds nothing.
    #[error("it is empty")]
    Empty,
}

/// Reads a file of a box, of [`MOST`] bytes at the most; `idle` bounds every wait for a byte. Whatever
/// a login script prints is no part of it.
///
/// # Errors
/// A box that does not answer or is cut off, or a file that is not there, empty or too long.
pub async fn read(link: &Link, path: &str, idle: Duration) -> Result<Vec<u8>, ReadError> {
    let at = || path.to_owned();
    let command = SCRIPT.command();
    let speak = async |output, stdin| ask(output, stdin, path, idle).await;
    let result = converse(link, &command, idle, speak).await.map_err(|broken| match broken {
        Broken::Connect(source) => ReadError::Connection { path: at(), source },
        Broken::RemoteSession { source, .. } => ReadError::RemoteSession { path: at(), source },
    });
    let (result, _) = result?;
    result.map_err(|why| ReadError::Refused { path: at(), why })
}

/// Asks the script, over its standard output and input.
async fn ask(
    output: impl AsyncRead + Send + Unpin + 'static,
    stdin: impl AsyncWrite + Unpin,
    path: &str,
    idle: Duration,
) -> Result<Result<Vec<u8>, Refusal>, Error> {
    let mut run = ScriptRun::new(output, stdin, idle)?;
    let text = format!("{}{}\n{MOST}\n", SCRIPT.opening(run.word()), line(path)?);
    let mut response = Response::default();
    let asked: Result<(), FetchError<Infallible>> =
        run.ask(text.into_bytes(), "O Q", |piece| Ok(response.take(piece)?)).await;
    asked?;
    response.whole()
}

/// The file as it comes.
#[derive(Default)]
struct Response {
    /// How many bytes it has, or why it is not sent.
    announced: Option<Result<usize, Refusal>>,
    bytes: Vec<u8>,
    ended: bool,
}

impl Response {
    fn take(&mut self, piece: Piece<'_>) -> Result<(), Error> {
        match piece {
            Piece::Data(bytes) => {
                if self.bytes.len() + bytes.len() > MOST {
                    return Err(Error::TooMuch);
                }
                self.bytes.extend_from_slice(bytes);
            }
            Piece::Mark("O E") => self.ended = true,
            Piece::Mark("O Q") => {}
            Piece::Mark(mark) => {
                let header = mark.strip_prefix("O H 1 ").and_then(|rest| rest.split_once(' '));
                let (word, size) = header.ok_or(Damaged)?;
                self.announced = Some(match word {
                    "ok" => Ok(size.parse().map_err(|_| Damaged)?),
                    other => Err(refusal(other)?),
                });
            }
        }
        Ok(())
    }

    /// All of it, or nothing.
    fn whole(self) -> Result<Result<Vec<u8>, Refusal>, Error> {
        Ok(match self.announced.ok_or(Damaged)? {
            Err(why) => Err(why),
            Ok(0) => Err(Refusal::Empty),
            Ok(size) if self.ended && self.bytes.len() == size => Ok(self.bytes),
            Ok(_) => return Err(Damaged.into()),
        })
    }
}

fn refusal(word: &str) -> Result<Refusal, Damaged> {
    Ok(match word {
        "missing" => Refusal::Missing,
        "kind" => Refusal::Kind,
        "closed" => Refusal::Closed,
        "long" => Refusal::Long,
        _ => return Err(Damaged),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;
    use std::process::Stdio;

    /// Runs the script behind something that is printed before it; the shell is killed once so many
    /// bytes were received.
    async fn tried(noise: &str, path: &Path, cut: Option<u64>) -> Result<Vec<u8>, String> {
        let script = format!("printf '%s' '{noise}'; {}", SCRIPT.command());
        let mut child = tokio::process::Command::new("sh")
            .args(["-c", &script])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let stdin = child.stdin.take().unwrap();
        let output = child.stdout.take().unwrap();
        let output = tokio::io::AsyncReadExt::take(output, cut.unwrap_or(u64::MAX));
        let result = ask(output, stdin, path.to_str().unwrap(), Duration::from_secs(10)).await;
        result.map_err(|e| e.to_string())?.map_err(|e| e.to_string())
    }

    #[tokio::test]
    async fn noise_before_prompt_is_ignored_and_truncated_file_rejected() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a b'c.md");
        let text = "[system]\n{{rubric}}\nno end of line";
        std::fs::write(&path, text).unwrap();
        assert_eq!(tried("Welcome\n", &path, None).await.unwrap(), text.as_bytes());
        let whole = tried("", &path, None).await.unwrap();
        assert_eq!(whole, text.as_bytes());
        // Its three marks each have the word of 33 bytes.
        let all = whole.len() as u64 + 3 * 33 + 30;
        for cut in 0..all - 10 {
            let wrong = tried("", &path, Some(cut)).await;
            assert!(wrong.is_err(), "after {cut} of about {all} bytes: {wrong:?}");
        }
    }

    #[tokio::test]
    async fn non_file_or_oversized_prompt_is_rejected() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        let error = async |name: &str| tried("", &at(name), None).await.unwrap_err();
        assert_eq!(error("none").await, "there is no such file");
        assert_eq!(error(".").await, "it is not a file");
        std::fs::write(at("empty"), "").unwrap();
        assert_eq!(error("empty").await, "it is empty");
        std::fs::write(at("long"), vec![b'x'; MOST + 1]).unwrap();
        assert!(error("long").await.contains("more than"));
        std::fs::write(at("most"), vec![b'x'; MOST]).unwrap();
        assert_eq!(tried("", &at("most"), None).await.unwrap().len(), MOST);
    }
}
