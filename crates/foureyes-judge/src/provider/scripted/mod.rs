//! Answers from a file: for demonstrations, and for tests without a network.
//!
//! A script is TOML (`[[answer]]` tables) or JSONL (one answer a line). For every question the
//! first answer that fits it and is not used up is given, in the order of the file.

mod file;

pub use file::{Error, Format};

use super::{Ask, Failure, FailureKind, Reply};
use crate::domain::Usage;
use crate::engine::finish::Finish;
use serde::Deserialize;
use std::fmt;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// One answer of a script, and the questions that it fits.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Answer {
    /// Text that one message of the question contains; any question where it is missing.
    pub when: Option<String>,
    /// Text that the name of the asked model contains; any model where it is missing.
    pub model: Option<String>,
    /// What is answered.
    pub text: String,
    /// The class of a failure, in place of an answer: a name as in records. `text` then says what.
    pub fail: Option<String>,
    /// Milliseconds before it comes.
    pub delay_ms: u64,
    /// The model that says it answered.
    pub served_model: Option<String>,
    /// Tokens of the question, as it counts them.
    pub prompt_tokens: Option<u64>,
    /// Tokens of the answer, as it counts them.
    pub completion_tokens: Option<u64>,
    /// Whether it says that it stopped at its limit of tokens.
    pub cut: bool,
    /// The reason that is given for its end; a good one where nothing is said, and none where it is empty.
    pub finish: Option<String>,
    /// How often it is given; once where nothing is said.
    pub times: Option<u32>,
    /// Whether it is never used up.
    pub always: bool,
    /// Whether the call word is put into its objects about a verdict; so it is where nothing is said.
    pub call: Option<bool>,
}

impl Answer {
    fn fits(&self, ask: &Ask) -> bool {
        let model = self.model.as_ref().is_none_or(|part| ask.model.contains(part.as_str()));
        let is_in_messages =
            |part: &String| ask.messages.iter().any(|m| m.text.contains(part.as_str()));
        model && self.when.as_ref().is_none_or(is_in_messages)
    }

    fn usage(&self) -> Option<Usage> {
        let (prompt_tokens, completion_tokens) = (self.prompt_tokens, self.completion_tokens);
        (prompt_tokens.is_some() || completion_tokens.is_some())
            .then_some(Usage { prompt_tokens, completion_tokens })
    }

    /// The answer as a judge would give it to this question, unless it is to lack the call word.
    fn with_call(self, ask: &Ask) -> Self {
        match &ask.call {
            Some(call) if self.fail.is_none() && self.call != Some(false) => {
                Self { text: crate::engine::answer::with_call(&self.text, call), ..self }
            }
            _ => self,
        }
    }

    fn result(self, latency: Duration) -> Result<Reply, Failure> {
        let usage = self.usage();
        let counted = usage.is_some_and(|usage| usage.is_whole());
        match self.fail.as_deref().and_then(kind) {
            Some(kind) => {
                let what = match self.text.is_empty() {
                    true => format!("the script says {}", kind.name()),
                    false => self.text,
                };
                let failure = Failure { latency, usage, ..Failure::new(kind, what) };
                let uncounted = if counted { 0 } else { failure.uncounted };
                Err(Failure { uncounted, ..failure })
            }
            None => Ok(Reply {
                served_model: self.served_model,
                usage,
                finish: match (self.cut, &self.finish) {
                    (true, _) => Finish::read(Some("length"), false),
                    (false, None) => Finish::Whole,
                    (false, Some(reason)) => Finish::read(Some(reason), false),
                },
                uncounted: u32::from(!counted),
                latency,
                ..Reply::new(self.text)
            }),
        }
    }
}

/// The class of a failure by its name in records.
fn kind(name: &str) -> Option<FailureKind> {
    FailureKind::ALL.into_iter().find(|kind| kind.name() == name)
}

/// A model of the test's own making.
type Model = Box<dyn Fn(&Ask) -> Answer + Send + Sync>;

enum Source {
    /// Answers, and how often each may still be given; without a number: for ever.
    Script(Mutex<Vec<(Answer, Option<u32>)>>),
    Model(Model),
}

/// A provider that answers what it was told to.
pub struct Scripted {
    source: Source,
    models: Vec<String>,
    asked: Mutex<u64>,
}

impl fmt::Debug for Scripted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scripted").field("models", &self.models).finish_non_exhaustive()
    }
}

impl Scripted {
    /// Answers with these, in their order.
    pub fn new(answers: Vec<Answer>) -> Self {
        let models = file::named(&answers);
        Self::with_models(answers, models)
    }

    fn with_models(answers: Vec<Answer>, models: Vec<String>) -> Self {
        let answers = answers
            .into_iter()
            .map(|answer| {
                let left = (!answer.always).then(|| answer.times.unwrap_or(1));
                (answer, left)
            })
            .collect();
        Self { source: Source::Script(Mutex::new(answers)), models, asked: Mutex::new(0) }
    }

    /// Answers with what a function makes of each question.
    pub fn by(model: impl Fn(&Ask) -> Answer + Send + Sync + 'static) -> Self {
        let source = Source::Model(Box::new(model));
        Self { source, models: Vec::new(), asked: Mutex::new(0) }
    }

    /// The same, and it says that it knows these models.
    pub fn listing<'a>(self, models: impl IntoIterator<Item = &'a str>) -> Self {
        Self { models: models.into_iter().map(str::to_owned).collect(), ..self }
    }

    /// Reads a script: TOML where the name ends so, else JSONL.
    ///
    /// # Errors
    /// When it cannot be read or is no script; with the line.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| Error::Read { path: path.to_owned(), source })?;
        let format = match path.extension().is_some_and(|e| e == "toml") {
            true => Format::Toml,
            false => Format::Jsonl,
        };
        Self::parse(&text, format)
    }

    /// Takes the text of a script.
    ///
    /// # Errors
    /// When it is no script; with the line.
    pub fn parse(text: &str, format: Format) -> Result<Self, Error> {
        let (answers, models) = file::parse(text, format)?;
        Ok(Self::with_models(answers, models))
    }

    /// Names the models: those that the script lists, else those that its answers ask for.
    pub fn models(&self) -> &[String] {
        &self.models
    }

    /// How often it was asked.
    pub fn asked(&self) -> u64 {
        *self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives the next answer that fits.
    ///
    /// # Errors
    /// The failure that the script says; `Unavailable` where no answer is left that fits;
    /// `Timeout` where it comes after `until`.
    pub async fn ask(&self, ask: &Ask, until: Instant) -> Result<Reply, Failure> {
        let began = Instant::now();
        crate::provider::calls::begins();
        *self.asked.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        let Some(answer) = self.next(ask) else {
            let what = "the script has no answer left for this question";
            return Err(Failure::new(FailureKind::Unavailable, what));
        };
        let comes = began + Duration::from_millis(answer.delay_ms.min(MOST_DELAY_MS));
        // The timer would round no time up to a millisecond.
        if answer.delay_ms > 0 {
            tokio::time::sleep_until(comes.min(until)).await;
        }
        if comes > until {
            let what = "no answer within the time";
            let latency = began.elapsed();
            return Err(Failure { latency, ..Failure::new(FailureKind::Timeout, what) });
        }
        answer.with_call(ask).result(began.elapsed())
    }

    fn next(&self, ask: &Ask) -> Option<Answer> {
        let answers = match &self.source {
            Source::Model(model) => return Some(model(ask)),
            Source::Script(answers) => answers,
        };
        let mut answers = answers.lock().unwrap_or_else(PoisonError::into_inner);
        let (answer, left) =
            answers.iter_mut().find(|(answer, left)| *left != Some(0) && answer.fits(ask))?;
        if let Some(left) = left {
            *left -= 1;
        }
        Some(answer.clone())
    }
}

/// Longest delay of an answer, in milliseconds: a day.
const MOST_DELAY_MS: u64 = 24 * 3600 * 1000;

#[cfg(test)]
mod tests;
