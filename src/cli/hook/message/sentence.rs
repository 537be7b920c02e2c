//! The sentence of each note.

use super::{Wording, commits, lines};
use crate::domain::chain;
use crate::hook::{Note, Side};
use crate::judging::Skipped;

/// The sentence of a note; empty for those that are more than one line.
pub(super) fn of_note(note: &Note, wording: Wording) -> String {
    match note {
        Note::Odd(count) => {
            format!("{} of git's input are not understood and are skipped", lines(*count))
        }
        Note::Git(error) => {
            format!("nothing more is judged{}: {}", wording.goes_on(), chain(error))
        }
        Note::Unseen(error) => {
            format!("not all of it could be checked; the rest decides: {}", chain(error))
        }
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
        Note::Risk(commit, note) => format!(
            "{commit}: judged to the depth {}, by the rules of risk {}",
            note.depth.name(),
            note.rules.join(", ")
        ),
        Note::NoRates(why) => format!("rules of risk about authors hold for all: {why}"),
        Note::Unweighed(error) => {
            format!("every rule of risk holds, as the changes are unknown: {}", chain(error))
        }
        Note::Deeper(count) => {
            format!("{} judged as tasks as well, which stops no push", commits(*count))
        }
        Note::Undeepened(why, count) => {
            format!("{} not judged deeper, as rules of risk want: {why}", commits(*count))
        }
        Note::NoKey(why, count) | Note::Unusable(why, count) => {
            format!("{} not judged{}: {why}", commits(*count), wording.goes_on())
        }
        Note::Unwritable(error) => format!("the verdict is not in the log: {}", chain(error)),
        Note::Unlocked(path) => format!(
            "{}: the directory has no usable locks, so simultaneous pushes do not see each other",
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
        Note::Accepted(commit, who) => {
            format!("{commit}: {who} accepted this commit, so it passes although it is not judged")
        }
        Note::Unstopped => format!(
            "a {} that is in no log does not stop the push: make the log writable",
            wording.rejection()
        ),
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
            "{} corrected or reverted later in the same push: logged, stops nothing",
            wording.rejections(*count)
        ),
        Note::Verdict(..)
        | Note::Blocked(_)
        | Note::Refused(_)
        | Note::Task(..)
        | Note::Notice(..) => String::new(),
        _ => super::unasked::of_note(note),
    }
}
