//! What the program prints on its standard output: one JSON event a line.

use crate::domain::Usage;
use crate::provider::both;
use crate::provider::http::text;
use serde_json::Value;

/// Steps that may end without the model having come to its end. One may: a connection can break.
const MOST_OPEN: u32 = 2;

/// Why a step ended that brought no reason of the model's.
pub(super) const UNKNOWN: &str = "unknown";
/// Why a step ended in which the model asked for tools.
pub(super) const TOOLS: &str = "tool-calls";

/// Why the program is not let go on.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Stop {
    /// The model asked for a tool: its name.
    Tool(String),
    /// The model never comes to an end: so many steps.
    Endless(u32),
    /// It printed more than is taken, in bytes.
    TooLong(usize),
    /// It printed what is no event.
    Garbled,
    /// It reports an error: the whole of it.
    Error(Value),
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
}

/// All that was read so far.
#[derive(Debug, Default)]
pub(super) struct Events {
    most: usize,
    taken: usize,
    line: Vec<u8>,
    /// Steps before the last, and their tokens.
    before: u32,
    usage: Option<Usage>,
    uncounted: u32,
    /// Steps that ended without the model having come to its end.
    open: u32,
    last: Option<Step>,
}

impl Events {
    /// Reads at most so many bytes.
    pub(super) fn new(most: usize) -> Self {
        Self { most, ..Self::default() }
    }

    /// Takes the next bytes; says where the program is to be ended.
    pub(super) fn take(&mut self, bytes: &[u8]) -> Option<Stop> {
        self.taken = self.taken.saturating_add(bytes.len());
        if self.taken > self.most {
            return Some(Stop::TooLong(self.most));
        }
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.line.extend_from_slice(piece);
            if piece.ends_with(b"\n") {
                let line = std::mem::take(&mut self.line);
                if let Some(stop) = self.event(&line) {
                    return Some(stop);
                }
            }
        }
        None
    }

    fn event(&mut self, line: &[u8]) -> Option<Stop> {
        if line.trim_ascii().is_empty() {
            return None;
        }
        let Ok(event) = serde_json::from_slice::<Value>(line) else { return Some(Stop::Garbled) };
        let part = event.get("part").unwrap_or(&Value::Null);
        match event.get("type").and_then(Value::as_str) {
            Some("step_start") => self.begin(),
            Some("text") => {
                let more = text(part, "text").unwrap_or_default();
                self.last.get_or_insert_default().text.push_str(&more);
            }
            Some("step_finish") => return self.finish(part),
            Some("tool_use") => return Some(Stop::Tool(text(part, "tool").unwrap_or_default())),
            Some("error") => return Some(Stop::Error(event)),
            Some(_) => {}
            None => return Some(Stop::Garbled),
        }
        None
    }

    /// A step begins: what came before it is no part of the answer.
    fn begin(&mut self) {
        if let Some(step) = self.last.replace(Step::default()) {
            self.before += 1;
            self.uncounted += u32::from(!step.usage.is_some_and(|usage| usage.is_whole()));
            self.usage = both(self.usage, step.usage);
        }
    }

    fn finish(&mut self, part: &Value) -> Option<Stop> {
        let step = self.last.get_or_insert_default();
        step.usage = tokens(part).or(step.usage);
        // One without a reason has ended all the same.
        step.reason = Some(text(part, "reason").unwrap_or_else(|| UNKNOWN.to_owned()));
        self.open += u32::from(self.is_open());
        (self.open >= MOST_OPEN).then_some(Stop::Endless(self.open))
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

    /// Calls of the model that brought something.
    pub(super) fn steps(&self) -> u32 {
        self.before + u32::from(self.last.is_some())
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
