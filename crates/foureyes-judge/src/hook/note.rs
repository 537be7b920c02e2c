//! What a person at the push is told. Texts in it are hostile.

use super::refused::Refused;
use crate::engine::PushVerdict;
use crate::engine::record::PushRecord;
use crate::engine::risk::RiskNote;
use crate::escalation;
use crate::git::{self, CommitId};
use crate::judging::Skipped;
use crate::task;
use crate::verdict_log;
use std::time::Duration;

/// Where a verdict comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The judge was asked now.
    Asked,
    /// It stands in the log.
    Log,
}

/// One thing to tell.
#[derive(Debug)]
pub enum Note {
    /// Lines of git that say nothing about a ref.
    Odd(usize),
    /// git could not be asked; nothing more is judged, and the push goes on.
    Git(git::Error),
    /// git could not be asked about a part; what is known of the others decides.
    Unseen(git::Error),
    /// Agents' commits at the edge of a shallow clone: what they change cannot be told.
    Cut(usize),
    /// Agents' commits of which git cannot tell what they change: how many, and why of one.
    Unknown(usize, String),
    /// Agents' commits that change nothing but links and submodules.
    Links(usize),
    /// What changes below this path is judged, since this watched path leads there: the latter first; any bytes.
    Through(Vec<u8>, Vec<u8>),
    /// So many changed paths may be watched through links that are not known: why.
    UnknownLinks(usize, String),
    /// Commits of which no file has a text, and what the files of one are.
    Illegible(usize, String),
    /// Commits whose files are all empty.
    Empty(usize),
    /// Commits beyond those that are judged in one push.
    Left(usize),
    /// Commits of history that is pushed for the first time, beyond those that are judged.
    History(usize),
    /// Commits that the judge did not come to: why.
    Unjudged(Skipped, usize),
    /// Commits that are not judged because somebody said so.
    Bypassed(usize),
    /// Rules of risk have a commit judged deeper.
    Risk(CommitId, RiskNote),
    /// There are no rates of authors: why. Rules about authors hold for all.
    NoRates(String),
    /// git did not say what commits change: every rule of risk holds.
    Unweighed(git::Error),
    /// Judges of tasks look at so many commits, since rules of risk want them to.
    Deeper(usize),
    /// They cannot: why, and how many commits it is about.
    Undeepened(String, usize),
    /// Nobody can be asked without a key: what says so, and how many commits it was about.
    NoKey(String, usize),
    /// Prompt, rubric or configuration cannot be used: why, and how many commits it was about.
    Unusable(String, usize),
    /// A verdict is not in the log: it cannot be made a line.
    Unwritable(serde_json::Error),
    /// Where the log is there are no locks: it is written without.
    Unlocked(std::path::PathBuf),
    /// A verdict is not in the log.
    Unlogged(verdict_log::Error),
    /// There is no log: the home directory is not known.
    NoLog,
    /// The log ended in half a line, which was given an end.
    Repaired(std::path::PathBuf),
    /// What was judged before could not be looked for in a file, and in so many more.
    Unsearched(verdict_log::Error, usize),
    /// So many commits are judged now, by this model, within this time.
    Asking(usize, String, Duration),
    /// A verdict.
    Verdict(Box<PushRecord>, Origin),
    /// A commit was decided about as a task.
    Task(CommitId, Box<task::Outcome>),
    /// What became of one way to reach a person about a commit.
    Notice(CommitId, escalation::Notice),
    /// NO-GOs whose files stand otherwise at what is pushed: they stop nothing.
    Mended(usize),
    /// While a commit was judged, somebody else had a verdict on the same content, which stands; what
    /// was answered here.
    Overtaken(CommitId, PushVerdict),
    /// The new evaluation of a commit failed, and its NO-GO in the log stands.
    NoGoRemains(CommitId),
    /// A commit was asked about anew, this was answered, and the earlier verdict stands.
    Earlier(CommitId, PushVerdict),
    /// A commit's content was asked about anew today already, and is not once more.
    Again(CommitId),
    /// Not all of a commit's content was seen, and that is to stop the push.
    Unseeable(CommitId),
    /// The NO-GO on a commit does nothing, since this person accepted it.
    Overridden(CommitId, String),
    /// A commit was not judged and is let in, since this person accepted it.
    Accepted(CommitId, String),
    /// The push is refused since something could not be judged.
    Refused(Refused),
    /// A NO-GO would stop the push, and does not, since it could not be written into the log.
    Unstopped,
    /// The push is stopped by so many NO-GOs.
    Blocked(usize),
}
