//! Asking the program of a box: one run of a fixed script, which finds it and starts it.

use super::framing::{Damaged, Piece};
use super::session::{Error, FetchError, NOISE, Script, ScriptRun};
use std::convert::Infallible;
use std::sync::LazyLock;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};

/// Longest answer, in bytes.
const ANSWER: usize = 8 << 20;

static SCRIPT: LazyLock<Script> =
    LazyLock::new(|| Script::new(&[include_str!("../../../../assets/program.sh")]));

/// The one command that is given to a box.
pub fn command() -> String {
    SCRIPT.command()
}

/// What the program of a box is sent to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RemoteCommand {
    /// Its version only.
    Version,
    /// What the box has: `hook check`.
    Check,
    /// The same, with a question to each of its judges: `hook check --ask`.
    Probe,
    /// The words that its judge is asked with: `hook question`.
    Question,
    /// A push that is blocked and one that passes: `hook rehearse`.
    Rehearse,
    /// Which mode holds: `hook mode`.
    Mode,
    /// To turn the switch, by an order: `hook mode --order -`.
    Turn,
    /// To take rates of authors: `hook rates`.
    Rates,
}

impl RemoteCommand {
    /// Its word.
    fn word(self) -> &'static str {
        match self {
            Self::Version => "version",
            Self::Check => "check",
            Self::Probe => "probe",
            Self::Question => "question",
            Self::Rehearse => "rehearse",
            Self::Mode => "mode",
            Self::Turn => "turn",
            Self::Rates => "rates",
        }
    }
}

/// What the program of a box answered. All texts are the box's own.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answer {
    /// Where it is.
    pub path: String,
    /// Its version, one line; empty where it prints none.
    pub version: String,
    /// Its exit code, where it was asked more than its version.
    pub code: Option<u8>,
    /// What it wrote on its standard output.
    pub output: Vec<u8>,
}

/// A run of the script, over its standard input and output.
pub struct Program<W> {
    run: ScriptRun<W>,
}

impl<W: AsyncWrite + Unpin> Program<W> {
    /// A session with what runs [`command`]; `idle` bounds every wait for a byte.
    ///
    /// # Errors
    /// The system gives no random numbers.
    pub fn new(
        input: impl AsyncRead + Send + Unpin + 'static,
        output: W,
        idle: Duration,
    ) -> Result<Self, Error> {
        Ok(Self { run: ScriptRun::new(input, output, idle)? })
    }

    /// Asks. `repositories` are directories there; `input` is what the program is given on
    /// its standard input. `None`: the box has no such program where it is looked for.
    ///
    /// # Errors
    /// A session that breaks off: then nobody knows what the program did.
    pub async fn ask(
        mut self,
        errand: RemoteCommand,
        repositories: &[String],
        input: &[u8],
    ) -> Result<Option<Answer>, Error> {
        let line = |path: &str| !path.is_empty() && !path.contains(['\n', '\0']);
        if let Some(path) = repositories.iter().find(|path| !line(path)) {
            return Err(Error::Path { path: path.clone() });
        }
        let paths: String = repositories.iter().map(|path| format!("{path}\n")).collect();
        let head = format!("{}\n{paths}\n{}\n", errand.word(), input.len());
        let text = [SCRIPT.opening(self.run.word()).as_bytes(), head.as_bytes(), input].concat();
        let mut response =
            Response { asks: errand != RemoteCommand::Version, ..Response::default() };
        let asked: Result<(), FetchError<Infallible>> =
            self.run.ask(text, "O Q", |piece| Ok(response.take(piece)?)).await;
        asked?;
        match () {
            () if response.none => Ok(None),
            () if response.started => Ok(Some(response.answer)),
            () => Err(Damaged.into()),
        }
    }
}

/// The answer as it comes.
#[derive(Default)]
struct Response {
    /// Whether the program is asked more than its version: then its exit code is a part of the answer.
    asks: bool,
    started: bool,
    none: bool,
    speaks: bool,
    /// Bytes of the output, or of what was printed before it.
    received: usize,
    answer: Answer,
}

impl Response {
    fn take(&mut self, piece: Piece<'_>) -> Result<(), Error> {
        match piece {
            Piece::Data(bytes) => {
                let most = if self.speaks { ANSWER } else { NOISE };
                self.received += bytes.len();
                if self.received > most {
                    return Err(Error::TooMuch);
                }
                if self.speaks {
                    self.answer.output.extend_from_slice(bytes);
                }
            }
            Piece::Mark("O N") => self.none = true,
            Piece::Mark("O S") => (self.speaks, self.received) = (true, 0),
            // An end without the exit code is no end: nobody knows what the program did.
            Piece::Mark("O Q") if self.started && self.asks && self.answer.code.is_none() => {
                return Err(Damaged.into());
            }
            Piece::Mark("O Q" | "O V") => {}
            Piece::Mark(mark) => {
                if let Some(path) = mark.strip_prefix("O H ") {
                    (self.started, self.answer.path) = (true, path.to_owned());
                } else if let Some(version) = mark.strip_prefix("O V ") {
                    self.answer.version = version.to_owned();
                } else if let Some(code) = mark.strip_prefix("O E ") {
                    if !std::mem::take(&mut self.speaks) {
                        return Err(Damaged.into());
                    }
                    self.answer.code = Some(code.parse().map_err(|_| Damaged)?);
                } else {
                    return Err(Damaged.into());
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The response to these marks; text is the output of the program.
    fn read(asks: bool, pieces: &[&str]) -> Result<Answer, Error> {
        let mut response = Response { asks, ..Response::default() };
        for piece in pieces {
            response.take(match piece.starts_with("O ") {
                true => Piece::Mark(piece),
                false => Piece::Data(piece.as_bytes()),
            })?;
        }
        Ok(response.answer)
    }

    #[test]
    fn an_answer_ends_with_its_exit_code() {
        let whole = ["O H /bin/foureyes", "O V foureyes 0.1.0", "O S", "{}", "O E 1", "O Q"];
        let answer = read(true, &whole).unwrap();
        assert_eq!((answer.code, answer.output.as_slice()), (Some(1), &b"{}"[..]));
        let without = ["O H /bin/foureyes", "O V foureyes 0.1.0", "O S", "{}", "O Q"];
        assert!(matches!(read(true, &without), Err(Error::Frames(_))));
        assert!(matches!(read(true, &["O H /x", "O Q"]), Err(Error::Frames(_))), "not even begun");
        assert!(matches!(read(true, &["O H /x", "O E 0", "O Q"]), Err(Error::Frames(_))));
        assert!(matches!(read(true, &["O H /x", "O S", "O E ?"]), Err(Error::Frames(_))));
    }

    #[test]
    fn missing_program_has_no_exit_code() {
        let version = read(false, &["O H /bin/foureyes", "O V foureyes 0.1.0", "O Q"]).unwrap();
        assert_eq!((version.version.as_str(), version.code), ("foureyes 0.1.0", None));
        assert!(read(true, &["O N", "O Q"]).is_ok());
    }
}
