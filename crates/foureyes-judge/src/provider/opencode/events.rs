//! What the program prints on its standard output: one JSON event a line.

use super::lines;
use crate::domain::Usage;
use crate::provider::both;
use crate::provider::http::text;
use serde_json::Value;

/// Steps that may end without the model having come to its end. One may: a connection can break.
const MOST_OPEN: u32 = 2;
/// Bytes that are kept of what is no event.
const MOST_NOTICE: usize = 4 << 10;

/// Why a step ended that brought no reason of the model's.
pub(super) const UNKNOWN: &str = "unknown";
/// Why a step ended in which the model asked for tools.
pub(super) const TOOLS: &str = "tool-calls";
/// Why a step ended whose answer was withheld.
pub(super) const FILTERED: &str = "content-filter";
/// Why a step ended in which the model failed.
pub(super) const FAILED: &str = "error";

/// Why the program is not let go on.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Stop {
    /// The model has come to its end, and the program does not end by itself.
    Ended,
    /// It reported an error, and does not go on.
    Error,
    /// The model asked for a tool: its name.
    Tool(String),
    /// The model never comes to an end: so many steps.
    Endless(u32),
    /// It printed more than is taken, in bytes.
    TooLong(usize),
    /// It made as many calls as it may.
    Calls,
    /// It asks another agent than the one that was named.
    OtherAgent,
}

/// One call of the model, as far as it has come.
#[derive(Debug, Default)]
struct Step {
    text: String,
    usage: Option<Usage>,
    /// Why it ended; nothing where it has not.
    reason: Option<String>,
    /// Whether an error was reported of it.
    failed: bool,
}

/// A whole answer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Answer<'a> {
    /// Its text, which is not blank.
    pub(super) text: &'a str,
    /// Why its step ended, as the program names it.
    pub(super) reason: &'a str,
}

impl Step {
    /// Its answer, where the model has come to its end with one.
    fn answer(&self) -> Option<Answer<'_>> {
        let reason = self.reason.as_deref()?;
        let is_good = !matches!(reason, UNKNOWN | TOOLS | FILTERED | FAILED);
        (is_good && !self.text.trim().is_empty()).then_some(Answer { text: &self.text, reason })
    }
}

/// All that was read so far.
#[derive(Debug, Default)]
pub(super) struct Events {
    most: usize,
    taken: usize,
    line: Vec<u8>,
    /// Length of `line` when it was last looked at.
    looked: usize,
    /// Steps before the last, and their tokens.
    before: u32,
    usage: Option<Usage>,
    uncounted: u32,
    /// Steps that ended without the model having come to its end.
    open: u32,
    last: Option<Step>,
    /// The last step before `last` with a whole answer.
    answered: Option<Step>,
    /// Errors that no step has made good.
    errors: Vec<Value>,
    /// Whether the last event was an error.
    is_failing: bool,
    /// Errors of calls that brought no step, and how many times such errors followed something else:
    /// one failure may have several.
    refused: u32,
    refusals: u32,
    /// The tool that the model asked for.
    tool: Option<String>,
    /// The beginning of what was no event.
    notice: Vec<u8>,
}

impl Events {
    /// Reads at most so many bytes.
    pub(super) fn new(most: usize) -> Self {
        Self { most, ..Self::default() }
    }

    /// Takes the next bytes; returns why the program is to be ended, if it is.
    pub(super) fn take(&mut self, bytes: &[u8]) -> Option<Stop> {
        self.taken = self.taken.saturating_add(bytes.len());
        if self.taken > self.most {
            return Some(Stop::TooLong(self.most));
        }
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.line.extend_from_slice(piece);
            if piece.ends_with(b"\n")
                && let Some(stop) = self.close()
            {
                return Some(stop);
            }
        }
        None
    }

    /// Takes the last line as it is: no more of it will come.
    pub(super) fn close(&mut self) -> Option<Stop> {
        self.looked = 0;
        let line = std::mem::take(&mut self.line);
        let (values, notice) = lines::read(&line);
        self.keep(&notice);
        let mut stop = None;
        for value in values {
            stop = stop.or(self.event(value));
        }
        stop
    }

    /// Takes a line that has not ended if it is an event: a program that stays may owe only the end of
    /// the line.
    pub(super) fn look(&mut self) -> Option<Stop> {
        let is_new = std::mem::replace(&mut self.looked, self.line.len()) != self.line.len();
        let is_event = is_new && self.line.ends_with(b"}") && lines::whole(&self.line).is_some();
        if is_event { self.close() } else { None }
    }

    /// Keeps the beginning of what is no event.
    fn keep(&mut self, notice: &[u8]) {
        let notice = notice.trim_ascii();
        let room = MOST_NOTICE.saturating_sub(self.notice.len());
        if !notice.is_empty() {
            self.notice.extend(notice.iter().chain(b"\n").take(room));
        }
    }

    fn event(&mut self, event: Value) -> Option<Stop> {
        let part = event.get("part").unwrap_or(&Value::Null);
        match event.get("type").and_then(Value::as_str) {
            Some("step_start") => self.begin(),
            Some("text") => {
                let more = text(part, "text").unwrap_or_default();
                self.last.get_or_insert_default().text.push_str(&more);
                self.is_failing = false;
            }
            Some("reasoning") => self.is_failing = false,
            Some("step_finish") => return self.finish(part),
            Some("tool_use") => {
                let tool = text(part, "tool").unwrap_or_default();
                return Some(Stop::Tool(self.tool.insert(tool).clone()));
            }
            Some("error") => self.fail(event),
            Some(_) => {}
            None => self.keep(event.to_string().as_bytes()),
        }
        None
    }

    /// A step begins: what came before it is no part of its answer.
    fn begin(&mut self) {
        self.is_failing = false;
        if let Some(step) = self.last.replace(Step::default()) {
            self.before += 1;
            self.uncounted += u32::from(!step.usage.is_some_and(|usage| usage.is_whole()));
            self.usage = both(self.usage, step.usage);
            if step.answer().is_some() {
                self.answered = Some(step);
            }
        }
    }

    fn finish(&mut self, part: &Value) -> Option<Stop> {
        if !self.is_failing {
            self.errors.clear();
        }
        let step = self.last.get_or_insert_default();
        step.usage = tokens(part).or(step.usage);
        // One without a reason has ended all the same.
        step.reason = Some(text(part, "reason").unwrap_or_else(|| UNKNOWN.to_owned()));
        self.open += u32::from(self.is_open());
        (self.open >= MOST_OPEN).then_some(Stop::Endless(self.open))
    }

    fn fail(&mut self, error: Value) {
        let is_answered = self.answer().is_some();
        match self.last.as_mut().filter(|step| step.reason.is_none() && !step.failed) {
            Some(step) => step.failed = true,
            // It does not call again then.
            None if is_answered => {}
            None => {
                self.refused += 1;
                self.refusals += u32::from(!self.is_failing);
            }
        }
        self.is_failing = true;
        self.errors.push(error);
    }

    /// The last whole answer. Nothing that comes after it makes it less whole.
    pub(super) fn answer(&self) -> Option<Answer<'_>> {
        self.last.as_ref().and_then(Step::answer).or_else(|| self.answered.as_ref()?.answer())
    }

    /// Whether the last step has ended and the model has not come to its end: the program calls again.
    pub(super) fn is_open(&self) -> bool {
        // With any other reason the program takes the answer as it is.
        matches!(self.reason(), Some(UNKNOWN | TOOLS))
    }

    /// Whether no step is under way or has brought an answer.
    pub(super) fn is_idle(&self) -> bool {
        self.last.is_none()
    }

    /// Whether an error was the last that happened.
    pub(super) fn is_failing(&self) -> bool {
        self.is_failing
    }

    /// Errors that no step has made good, in order.
    pub(super) fn errors(&self) -> &[Value] {
        &self.errors
    }

    /// Calls of the model that brought something.
    pub(super) fn steps(&self) -> u32 {
        self.before + u32::from(self.last.is_some())
    }

    /// Errors of calls that brought no step, each of them.
    pub(super) fn refused(&self) -> u32 {
        self.refused
    }

    /// Calls that brought an error and no step. One may have several errors.
    pub(super) fn refusals(&self) -> u32 {
        self.refusals
    }

    /// The tool that the model asked for.
    pub(super) fn tool(&self) -> Option<&str> {
        self.tool.as_deref()
    }

    /// The beginning of what was no event: at most 4 KiB.
    pub(super) fn notice(&self) -> String {
        String::from_utf8_lossy(&self.notice).into_owned()
    }

    /// Whether it printed no event that counts.
    pub(super) fn is_silent(&self) -> bool {
        self.is_idle() && self.errors.is_empty() && self.tool.is_none()
    }

    /// Tokens of all calls, as far as they were counted.
    pub(super) fn usage(&self) -> Option<Usage> {
        both(self.usage, self.last.as_ref().and_then(|step| step.usage))
    }

    /// Calls that brought something, of which nobody says what they cost.
    pub(super) fn uncounted(&self) -> u32 {
        let counted = |step: &Step| step.usage.is_some_and(|usage| usage.is_whole());
        self.uncounted + u32::from(self.last.as_ref().is_some_and(|step| !counted(step)))
    }

    /// The text of the last step.
    pub(super) fn text(&self) -> &str {
        self.last.as_ref().map_or("", |step| &step.text)
    }

    /// Why the last step ended.
    pub(super) fn reason(&self) -> Option<&str> {
        self.last.as_ref()?.reason.as_deref()
    }
}

/// Tokens. Zeros stand for what was not counted: nothing is asked with no token.
fn tokens(part: &Value) -> Option<Usage> {
    let tokens = part.get("tokens")?;
    let count = |of: &Value, name: &str| of.get(name).and_then(Value::as_u64).unwrap_or(0);
    let cache = tokens.get("cache").unwrap_or(&Value::Null);
    let add = u64::saturating_add;
    let asked = add(count(tokens, "input"), add(count(cache, "read"), count(cache, "write")));
    let answered = add(count(tokens, "output"), count(tokens, "reasoning"));
    let some = |count: u64| (count > 0).then_some(count);
    let (prompt_tokens, completion_tokens) = (some(asked), some(answered));
    (prompt_tokens.is_some() || completion_tokens.is_some())
        .then_some(Usage { prompt_tokens, completion_tokens })
}
