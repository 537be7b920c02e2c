//! Links and submodules in what is watched: what is reached through them, and what nobody can judge.

use super::state::Run;
use super::{Note, Wanted};
use crate::engine::record::RecordError;
use crate::git::{Arriving, Links, Pushed};
use crate::text::escape::line as visible;

/// Most links of a commit that are named.
const MOST_NAMED: usize = 5;

impl Run<'_> {
    /// Says which links lead to what is judged, and whether there may be more.
    pub(super) fn note_links(&mut self, arriving: &Arriving) {
        for (link, target) in &arriving.through {
            (self.notify)(Note::Through(link.clone(), target.clone()));
        }
        if let Some(why) = arriving.links.gap.clone().filter(|_| arriving.paths.unknown > 0) {
            self.mark_all(format!("not all links to watched paths are known, as {why}"));
            (self.notify)(Note::UnknownLinks(arriving.paths.unknown, why));
        }
    }

    /// Logs commits that change watched links alone: what those lead to is not in the commit.
    pub(super) fn log_links(&mut self, commits: &[Pushed], links: &Links) {
        if commits.is_empty() {
            return;
        }
        (self.notify)(Note::Links(commits.len()));
        let why = |c: &Pushed| match unseen(c, links) {
            Some(why) => format!("Not asked: {why}."),
            None => "Not asked: the commit changes only links or submodules, which hold no text."
                .to_owned(),
        };
        let all: Vec<_> = commits.iter().map(|c| (Wanted::bare(c), why(c))).collect();
        let error = RecordError::PromptMissing;
        self.log_each_unasked(all.iter().map(|(of, why)| (of, error, why.as_str())));
    }
}

/// What a commit brings by links that take the place of watched paths: nobody judges what is there already.
pub(super) fn unseen(commit: &Pushed, links: &Links) -> Option<String> {
    let one = |path: &Vec<u8>| match links.named.iter().find(|link| link.path == *path) {
        Some(link) => link.to_string(),
        None => format!("{} becomes a link or submodule", visible(&String::from_utf8_lossy(path))),
    };
    let named: Vec<_> = commit.replaced.iter().take(MOST_NAMED).map(one).collect();
    let more = match commit.replaced.len().saturating_sub(named.len()) {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    let text = format!("{}{more}, and what was there before is not judged", named.join(", "));
    (!named.is_empty()).then_some(text)
}
