//! The sentence of a note on commits that nobody is asked about, for what they are.

use super::commits;
use crate::hook::Note;
use crate::text::counted;

/// Why nobody is asked; empty for other notes.
pub(super) fn of_note(note: &Note) -> String {
    match note {
        Note::Cut(count) => format!(
            "{} at the edge of this shallow clone not judged, as their changes are unknown; that is logged",
            commits(*count)
        ),
        Note::Unknown(count, why) => format!(
            "{} not judged, as the changes are unknown: {why}; that is logged",
            commits(*count)
        ),
        Note::Through(link, target) => {
            let text = |path: &[u8]| String::from_utf8_lossy(path).into_owned();
            let target = if target.is_empty() { "all files".to_owned() } else { text(target) };
            format!("{} is a link, so changes of {target} are judged", text(link))
        }
        Note::UnknownLinks(count, why) => {
            format!(
                "{} may be watched through links that are not known, as {why}",
                counted(*count, "path", "paths")
            )
        }
        Note::Links(count) => format!(
            "{} with links or submodules only: they hold no text to judge; that is logged",
            commits(*count)
        ),
        Note::Illegible(count, named) => {
            format!("{} not judged, as there is no text: {named}; that is logged", commits(*count))
        }
        Note::Empty(count) => {
            format!("{} not judged: the files are empty; that is logged", commits(*count))
        }
        Note::Left(count) => format!(
            "{} more not judged: the push has more than `commits` in [hook] allows; that is logged",
            commits(*count)
        ),
        Note::History(count) => format!(
            "{} of earlier history not judged: the push has more than `commits` in [hook] allows; the log has one line for them",
            commits(*count)
        ),
        _ => String::new(),
    }
}
