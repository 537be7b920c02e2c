//! Notes on standard error, for what has no place in the output.

use crate::cli::output;
use crate::collect::Collected;
use crate::domain::{BoxState, Timestamp};
use crate::store::ledger::Ledger;

/// Says on stderr which boxes' data are old or missing, for a listing that has no place for it.
pub(in crate::cli::operator) fn warn_stale(collected: &Collected) {
    for source in &collected.boxes {
        let state = match source.state {
            BoxState::Ok if source.error.is_none() => continue,
            BoxState::Ok => "some of its logs could not be read",
            BoxState::Stale => "its last pull failed; older data is used",
            BoxState::Empty => "it was never read",
        };
        let cause = source.error.as_deref().map_or(String::new(), |e| format!(": {e}"));
        output::to_stderr(&format!(
            "note: {}",
            output::visible(&format!("{}: {state}{cause}", source.name))
        ));
    }
}

/// Says on stderr how much was masked.
pub(in crate::cli::operator) fn note_masked(masked: usize) {
    if masked > 0 {
        let text = match masked {
            1 => "1 value that looks like a secret is masked".to_owned(),
            _ => format!("{masked} values that look like secrets are masked"),
        };
        output::to_stderr(&format!("note: {text}"));
    }
}

/// Says something on stderr that has no place in the output.
pub(in crate::cli::operator) fn note(text: &str) {
    output::to_stderr(&format!("note: {}", output::visible(text)));
}

/// Says on stderr which ledgers are not as they were written.
pub(in crate::cli::operator) fn warn_unsound(ledger: &Ledger, now: Timestamp) {
    for check in ledger.check(now).iter().filter(|check| !check.is_sound()) {
        let what = match check.broken {
            Some(broken) => format!("it was changed from line {} on", broken.line),
            None => "it has entries dated in the future".to_owned(),
        };
        let text = format!("{}: {what}; what depends on it counts as unlabelled", check.file);
        note(&text);
    }
}
