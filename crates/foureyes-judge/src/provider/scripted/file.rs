//! The two ways of writing a script.

use super::{Answer, kind};
use serde::Deserialize;
use std::path::PathBuf;

/// How a script is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// `[[answer]]` tables, and `models` above them.
    Toml,
    /// One answer a line; a line `{"models": […]}` lists the models.
    Jsonl,
}

/// A script that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file could not be read.
    #[error("failed to read the script {path:?}")]
    Read {
        /// Its path.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// A line is not what a script has.
    #[error("line {line} of the script: {what}")]
    Line {
        /// Counted from 1.
        line: usize,
        /// What is wrong there.
        what: String,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Whole {
    #[serde(default)]
    models: Vec<String>,
    #[serde(default)]
    answer: Vec<toml::Spanned<Answer>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Models {
    models: Vec<String>,
}

/// Answers with their lines, and models.
type Parts = (Vec<(usize, Answer)>, Vec<String>);

/// Answers and models of a script.
pub(super) fn parse(text: &str, format: Format) -> Result<(Vec<Answer>, Vec<String>), Error> {
    let (answers, models) = match format {
        Format::Toml => parse_toml(text)?,
        Format::Jsonl => parse_jsonl(text)?,
    };
    for (line, answer) in &answers {
        check(*line, answer)?;
    }
    let answers: Vec<_> = answers.into_iter().map(|(_, answer)| answer).collect();
    let models = if models.is_empty() { named(&answers) } else { models };
    Ok((answers, models))
}

/// The models that answers ask for, each once.
pub(super) fn named(answers: &[Answer]) -> Vec<String> {
    let mut models: Vec<_> = answers.iter().filter_map(|answer| answer.model.clone()).collect();
    models.sort();
    models.dedup();
    models
}

fn parse_toml(text: &str) -> Result<Parts, Error> {
    let whole: Whole = toml::from_str(text).map_err(|error| Error::Line {
        line: error.span().map_or(1, |span| line_of(text, span.start)),
        what: error.message().to_owned(),
    })?;
    let line = |answer: &toml::Spanned<Answer>| line_of(text, answer.span().start);
    let answers = whole.answer.into_iter().map(|a| (line(&a), a.into_inner())).collect();
    Ok((answers, whole.models))
}

fn parse_jsonl(text: &str) -> Result<Parts, Error> {
    let (mut answers, mut models) = (Vec::new(), Vec::new());
    for (line, content) in (1..).zip(text.lines()) {
        if content.trim().is_empty() {
            continue;
        }
        if let Ok(listed) = serde_json::from_str::<Models>(content) {
            models.extend(listed.models);
            continue;
        }
        let answer = serde_json::from_str(content)
            .map_err(|error| Error::Line { line, what: error.to_string() })?;
        answers.push((line, answer));
    }
    Ok((answers, models))
}

fn check(line: usize, answer: &Answer) -> Result<(), Error> {
    let wrong = |what: String| Err(Error::Line { line, what });
    if let Some(name) = &answer.fail
        && kind(name).is_none()
    {
        let names: Vec<_> = super::FailureKind::ALL.iter().map(|kind| kind.name()).collect();
        return wrong(format!("{name:?} is not a failure; use one of {}", names.join(", ")));
    }
    if answer.always && answer.times.is_some() {
        return wrong("`always` and `times` exclude each other".to_owned());
    }
    Ok(())
}

/// The line of a byte, counted from 1.
fn line_of(text: &str, at: usize) -> usize {
    text.bytes().take(at).filter(|byte| *byte == b'\n').count() + 1
}
