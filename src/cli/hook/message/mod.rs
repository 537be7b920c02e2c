//! What the hook says, on standard error. Texts of others are made harmless.

mod refused;
mod sentence;
mod unasked;
mod verdict;

use crate::cli::output::visible;
use crate::config::{HookConfig, HookProtocol};
use crate::hook::{Note, Side};
use crate::text::counted;
use std::io::Write;

/// Says one line.
pub(super) fn line(text: &str) {
    raw(&format!("foureyes: {}", visible(text)));
}

/// Nobody may read it any more, which stops nothing.
fn raw(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Whom messages are for, and what they may offer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wording {
    /// On which side of the push this is.
    pub(super) side: Side,
    /// Whether a receiver lets who pushes skip the evaluation.
    pub(super) skip: bool,
    /// As what commits are judged.
    pub(super) protocol: HookProtocol,
    /// Whether a push is refused of which something could not be judged.
    pub(super) unjudged_stops: bool,
}

impl Wording {
    pub(super) fn new(side: Side, hook: &HookConfig, unjudged_stops: bool) -> Self {
        Self { side, skip: hook.allows("skip"), protocol: hook.protocol, unjudged_stops }
    }

    /// What a judge that is against a commit gives: the word of the protocol.
    fn rejection(self) -> &'static str {
        match self.protocol {
            HookProtocol::Push => "NO-GO",
            HookProtocol::Task => "rejection",
        }
    }

    /// What becomes of a push that nothing stops: said where it is so.
    fn goes_on(self) -> &'static str {
        if self.unjudged_stops { "" } else { ", and the push continues" }
    }

    /// So many of them.
    fn rejections(self, count: usize) -> String {
        let plural = if self.protocol == HookProtocol::Task && count != 1 { "s" } else { "" };
        format!("{count} {}{plural}", self.rejection())
    }

    /// How an evaluation is skipped; `None` where it cannot be.
    fn way_past(self) -> Option<&'static str> {
        match self.side {
            Side::Sender => Some("GIT_JUDGE_SKIP=1 git push"),
            Side::Receiver => self.skip.then_some("git push -o foureyes.skip"),
        }
    }
}

/// Says a note.
pub(super) fn note(note: &Note, wording: Wording) {
    match note {
        Note::Verdict(record, origin) => verdict::verdict(record, *origin),
        Note::Blocked(count) => blocked(*count, wording),
        Note::Refused(what) => refused::refused(what, wording),
        Note::Task(commit, outcome) => verdict::task(commit, outcome, wording),
        Note::Notice(commit, notice) => {
            let commit: String = commit.to_string().chars().take(10).collect();
            line(&format!("{commit}: {}", notice.sentence()));
        }
        other => line(&sentence::of_note(other, wording)),
    }
}

fn blocked(count: usize, wording: Wording) {
    let rejections = wording.rejections(count);
    line(&format!("push stopped: {rejections} in files that would arrive unchanged"));
    for text in [
        "to continue: fix what the judge found in another commit and push again; history need not be rewritten",
        "if the verdict is wrong, a person can override it (docs/hook.md)",
    ] {
        raw(&format!("  {text}"));
    }
    if let Some(way) = wording.way_past() {
        raw(&format!("  to push anyway, which is logged: {way}"));
    }
}

fn commits(count: usize) -> String {
    counted(count, "commit", "commits")
}

fn lines(count: usize) -> String {
    counted(count, "line", "lines")
}
