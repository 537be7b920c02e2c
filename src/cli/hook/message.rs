//! What the hook says, on standard error. Texts of others are made harmless.

use crate::cli::output::visible;
use crate::domain::chain;
use crate::engine::PushVerdict;
use crate::engine::record::{PushRecord, RecordScores};
use crate::git::CommitId;
use crate::hook::{self, Note, Side};
use crate::judging::Skipped;
use crate::task::{Origin, Outcome};
use crate::text::escape::block;
use crate::text::mask::mask;
use std::io::Write;

/// Most lines of findings that are said; the log has all.
const MOST_LINES: usize = 20;
/// Most suggestions.
const MOST_SUGGESTIONS: usize = 10;
/// Columns.
const WIDTH: usize = 78;

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
}

impl Wording {
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
        Note::Verdict(record, origin) => verdict(record, *origin),
        Note::Blocked(count) => blocked(*count, wording),
        Note::Task(commit, outcome) => task(commit, outcome),
        Note::Notice(commit, notice) => {
            let commit: String = commit.to_string().chars().take(10).collect();
            line(&format!("{commit}: {}", notice.sentence()));
        }
        other => line(&plain(other, wording)),
    }
}

fn plain(note: &Note, wording: Wording) -> String {
    match note {
        Note::Odd(count) => {
            format!("{} of git's input are not understood and are skipped", lines(*count))
        }
        Note::Git(error) => {
            format!("nothing more is judged, and the push continues: {}", chain(error))
        }
        Note::Unseen(error) => {
            format!("not all of it could be checked; the rest decides: {}", chain(error))
        }
        Note::Cut(count) => format!(
            "{} at the edge of this shallow clone not judged, as their changes are unknown; that is logged",
            commits(*count)
        ),
        Note::Links(count) => format!(
            "{} with links or submodules only: they hold no text to judge; that is logged",
            commits(*count)
        ),
        Note::Absent(count) => format!(
            "{} not judged: the content is not in this clone (git-lfs keeps it elsewhere, or it was not fetched); that is logged",
            commits(*count)
        ),
        Note::Left(count) => format!(
            "{} more not judged: the push has more than `commits` in [hook] allows; that is logged",
            commits(*count)
        ),
        Note::History(count) => format!(
            "{} of earlier history not judged: the push has more than `commits` in [hook] allows; the log has one line for them",
            commits(*count)
        ),
        Note::Unjudged(why, count) => {
            let more = match why {
                Skipped::Spend(_) => "; `foureyes hook check` shows what a request can cost",
                _ => "",
            };
            format!("{} not judged: {}{more}", commits(*count), why.words())
        }
        Note::Bypassed(count) => {
            let asks = match wording.side {
                Side::Sender => "GIT_JUDGE_SKIP",
                Side::Receiver => "the push option foureyes.skip",
            };
            format!("{} not judged, as {asks} asks; that is logged", commits(*count))
        }
        Note::NoKey(why, count) => {
            format!("{} not judged, and the push continues: {why}", commits(*count))
        }
        Note::Unusable(why, count) => {
            format!("{} not judged, and the push continues: {why}", commits(*count))
        }
        Note::Unwritable(error) => format!("the verdict is not in the log: {}", chain(error)),
        Note::Unlocked(path) => format!(
            "{}: the file system has no locks, so simultaneous pushes do not see each other",
            path.display()
        ),
        Note::Overtaken(commit, verdict) => format!(
            "{commit}: another push had a verdict on the same content first, which applies; this answer was {}",
            verdict.word()
        ),
        Note::Unlogged(error) => format!("the verdict is not in the log: {}", chain(error)),
        Note::NoGoRemains(commit) => {
            format!("{commit}: the evaluation failed, and the NO-GO in the log still applies")
        }
        Note::Earlier(commit, verdict) => format!(
            "{commit}: the new evaluation is {}; the earlier verdict is at least as strict, and it counts",
            verdict.word()
        ),
        Note::Again(commit) => format!(
            "{commit}: this content was already evaluated again today; the strictest verdict counts"
        ),
        Note::Unseeable(commit) => format!(
            "{commit}: the judge did not see all of this content, which stops the push (`cut` in [hook]); split the files"
        ),
        Note::Overridden(commit, who) => {
            format!("{commit}: {who} accepted this content, so the NO-GO stops nothing")
        }
        Note::Unstopped => {
            "a NO-GO that is in no log does not stop the push: make the log writable".to_owned()
        }
        Note::NoLog => "nothing is logged: the home directory is unknown".to_owned(),
        Note::Repaired(path) => {
            format!("{} ended in half a line; it was left, and ended", path.display())
        }
        Note::Unsearched(error, more) => {
            let more = match more {
                0 => String::new(),
                1 => " (and 1 more file)".to_owned(),
                n => format!(" (and {n} more files)"),
            };
            format!("failed to look up some earlier verdicts: {}{more}", chain(error))
        }
        Note::Asking(count, model, within) => {
            format!("judging {} by {model}, for at most {} s", commits(*count), within.as_secs())
        }
        Note::Mended(count) => format!(
            "{count} NO-GO corrected or reverted later in the same push: logged, stops nothing"
        ),
        Note::Verdict(..) | Note::Blocked(_) | Note::Task(..) | Note::Notice(..) => String::new(),
    }
}

fn verdict(record: &PushRecord, origin: hook::Origin) {
    let commit: String = record.commit.as_deref().unwrap_or("?").chars().take(10).collect();
    let first = record.files_evaluated.first().map_or("", String::as_str);
    let more = match record.files_evaluated.len() {
        0 | 1 => String::new(),
        count => format!(" and {} more", count - 1),
    };
    let before = if origin == hook::Origin::Log { " (from the log)" } else { "" };
    let word = record.verdict.word();
    line(&format!("{commit} {word}{}{before} {first}{more}", scores(&record.scores)));
    if record.verdict == PushVerdict::Go {
        return;
    }
    quoted(&record.findings, "  | ");
    for suggestion in record.revision_suggestions.iter().take(MOST_SUGGESTIONS) {
        quoted(suggestion, "  | - ");
    }
}

/// Says what a commit came to as a task.
fn task(commit: &CommitId, outcome: &Outcome) {
    let commit: String = commit.to_string().chars().take(10).collect();
    let from = match &outcome.origin {
        Origin::Now => "",
        Origin::Log(_) => " (from the log)",
        Origin::Person(_) => " (by a person)",
    };
    let word = match outcome.decision.exit_code() {
        0 => "accepted",
        1 => "rejected",
        _ => "A PERSON MUST DECIDE; the push continues",
    };
    let why = outcome.explanation.as_deref().map(|why| format!(": {why}")).unwrap_or_default();
    line(&format!("{commit} {word}{from}{why}"));
    if outcome.decision.exit_code() == 0 {
        return;
    }
    let rounds = outcome.run.iter().flat_map(|run| &run.rounds);
    for round in rounds.filter(|round| round.tier.is_some()) {
        quoted(&round.record.reasoning, "  | ");
        for improvement in round.record.improvements.iter().take(MOST_SUGGESTIONS) {
            quoted(&improvement.to_string(), "  | - ");
        }
    }
    if let Some(error) = &outcome.unlogged {
        line(&format!("the verdict is not in the log: {}", chain(error)));
    }
}

/// Says a text of others, each line of it behind a gutter.
fn quoted(text: &str, gutter: &str) {
    let (masked, _) = mask(text);
    let shown = block(&masked, gutter, WIDTH);
    let count = shown.lines().count();
    for line in shown.lines().take(MOST_LINES) {
        raw(line);
    }
    if count > MOST_LINES {
        raw(&format!("  | … {}, which the log has", lines(count - MOST_LINES)));
    }
}

fn scores(scores: &RecordScores) -> String {
    match (scores.semantic, scores.pragmatic, scores.syntactic) {
        (Some(s), Some(p), Some(x)) => format!(" S{s} P{p} X{x}"),
        _ => String::new(),
    }
}

fn blocked(count: usize, wording: Wording) {
    line(&format!("push stopped: {count} NO-GO in files that would arrive unchanged"));
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
    if count == 1 { "1 commit".to_owned() } else { format!("{count} commits") }
}

fn lines(count: usize) -> String {
    if count == 1 { "1 line".to_owned() } else { format!("{count} lines") }
}
