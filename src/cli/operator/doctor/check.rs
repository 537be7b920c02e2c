//! One thing that was checked, and the document of all.

use super::judges::OfJudges;
use crate::cli::Failure;
use crate::cli::output::visible;
use crate::report::counted;
use schemars::JsonSchema;
use serde::Serialize;
use std::borrow::Cow;
use std::process::ExitCode;

/// How a check ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum State {
    /// Nothing to do.
    Ok,
    /// It works, and something should be known.
    Warn,
    /// It does not work.
    Fail,
}

/// What a failure is about: it decides the exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Configuration,
    Local,
    Remote,
}

/// One thing that was checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub(super) struct Check {
    /// What was checked: a stable name.
    pub name: Cow<'static, str>,
    /// The box it is about.
    #[serde(rename = "box")]
    pub box_name: Option<String>,
    /// How it ended.
    pub state: State,
    /// What was found, in a sentence.
    pub text: String,
    /// What to do.
    pub advice: Option<String>,
    #[serde(skip)]
    #[schemars(skip)]
    part: Option<Part>,
}

impl Check {
    pub(super) fn ok(name: impl Into<Cow<'static, str>>, text: impl Into<String>) -> Self {
        let (name, box_name, advice, part) = (name.into(), None, None, None);
        Self { name, box_name, state: State::Ok, text: text.into(), advice, part }
    }

    pub(super) fn warn(name: impl Into<Cow<'static, str>>, text: impl Into<String>) -> Self {
        Self { state: State::Warn, ..Self::ok(name, text) }
    }

    pub(super) fn fail(
        name: impl Into<Cow<'static, str>>,
        text: impl Into<String>,
        part: Part,
    ) -> Self {
        Self { state: State::Fail, part: Some(part), ..Self::ok(name, text) }
    }

    pub(super) fn advise(mut self, advice: impl Into<String>) -> Self {
        self.advice = Some(advice.into());
        self
    }

    pub(super) fn of_box(mut self, name: &str) -> Self {
        self.box_name = Some(name.to_owned());
        self
    }
}

/// Everything that was checked.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Document {
    /// `foureyes/doctor/1`.
    schema: &'static str,
    /// The worst state of all checks.
    state: State,
    /// The checks, in the order in which they were made.
    checks: Vec<Check>,
    #[serde(flatten)]
    of_judges: OfJudges,
}

impl Document {
    pub(super) fn new(checks: Vec<Check>, of_judges: OfJudges) -> Self {
        let state = checks.iter().map(|c| c.state).max().unwrap_or(State::Ok);
        Self { schema: "foureyes/doctor/1", state, checks, of_judges }
    }

    pub(super) fn json(&self) -> Result<String, Failure> {
        Ok(crate::text::json::pretty(self)?)
    }

    /// A line a check, with what to do below it.
    pub(super) fn plain(&self) -> String {
        let mut text: String = self.checks.iter().map(plain).collect();
        let count = |s| self.checks.iter().filter(|c| c.state == s).count() as u64;
        let (ok, warn, fail) = (count(State::Ok), count(State::Warn), count(State::Fail));
        let warnings = counted(warn, "warning", "warnings");
        text += &format!("{ok} ok, {warnings}, {}\n", counted(fail, "failure", "failures"));
        text
    }

    /// 0 without failures; else 64, 74 or 69, the configuration first, then what is local.
    pub(super) fn exit_code(&self) -> ExitCode {
        ExitCode::from(self.code())
    }

    fn code(&self) -> u8 {
        let has = |part| self.checks.iter().any(|c| c.part == Some(part));
        match () {
            () if has(Part::Configuration) => 64,
            () if has(Part::Local) => 74,
            () if has(Part::Remote) => 69,
            () => 0,
        }
    }
}

fn plain(check: &Check) -> String {
    let state = match check.state {
        State::Ok => "ok  ",
        State::Warn => "warn",
        State::Fail => "FAIL",
    };
    let about = match &check.box_name {
        Some(name) => format!("{} ({name})", check.name),
        None => check.name.to_string(),
    };
    // The text may have several lines, as that of a wrong configuration has.
    let lines: Vec<_> = check.text.lines().map(visible).collect();
    let mut text = format!("{state}  {}: {}\n", visible(&about), lines.join("\n      "));
    if let Some(advice) = &check.advice {
        text += &format!("      -> {}\n", visible(advice));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_failure_decides_the_exit_code() {
        let fail = |part| Check::fail("x", "y", part);
        let code = |checks| Document::new(checks, OfJudges::default()).code();
        assert_eq!(code(vec![]), 0);
        assert_eq!(code(vec![Check::ok("x", ""), Check::warn("x", "")]), 0);
        assert_eq!(code(vec![fail(Part::Remote)]), 69);
        assert_eq!(code(vec![fail(Part::Remote), fail(Part::Local)]), 74);
        assert_eq!(code(vec![fail(Part::Remote), fail(Part::Configuration)]), 64);
    }

    #[test]
    fn hostile_text_of_a_box_is_shown_and_does_nothing() {
        let check = Check::warn("x", "a\u{1b}[2Jb\nc\u{202e}").of_box("b").advise("d\re");
        let document = Document::new(vec![check], OfJudges::default());
        let text = document.plain();
        assert!(
            !text.chars().any(|c| c != '\n' && (c.is_control() || c == '\u{202e}')),
            "{text:?}"
        );
        let json = document.json().unwrap();
        assert!(json.contains(r"\u202e") && !json.contains('\u{202e}'), "{json}");
        assert!(text.starts_with("warn  x (b): a␛[2Jb\n      c"), "{text}");
    }

    #[test]
    fn the_stored_schema_is_that_of_the_document() {
        let schema = schemars::schema_for!(Document);
        crate::asset_tests::assert_asset("doctor.schema.json", &schema);
    }
}
