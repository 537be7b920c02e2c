//! Getting what was judged from git, and colouring it.

use super::services::Services;
use super::{CancelFlag, MessageSender};
use crate::content::{self, Content, Request, State, highlight};
use crate::domain::RecordId;
use crate::report::mask;
use crate::tui::message::Message;
use crate::tui::model::HighlightedContent;
use std::sync::Arc;
use std::sync::atomic::Ordering;

pub(super) fn load(
    services: &Services,
    sender: &MessageSender,
    cancel: &CancelFlag,
    id: RecordId,
    request: &Request,
) {
    let stop = || cancel.load(Ordering::Relaxed);
    let mut content = content::load(request, &services.config, &services.data, &stop);
    if let Ok(content) = &mut content {
        mask_all(content);
    }
    if stop() {
        return;
    }
    let kinds = content.as_ref().map(|c| colours(c, &stop)).unwrap_or_default();
    sender.send(Message::Content {
        id,
        highlighted: Arc::new(HighlightedContent { content, kinds }),
    });
}

/// Secrets in the content are masked as everywhere; the clone has them as they are.
fn mask_all(content: &mut Content) {
    for file in &mut content.files {
        if let State::Text { text, .. } = &mut file.state {
            mask_text(text);
        }
        for line in &mut file.diff.lines {
            mask_text(&mut line.text);
        }
    }
}

fn mask_text(text: &mut String) {
    let (shown, count) = mask::mask(text);
    if count > 0 {
        *text = shown.into_owned();
    }
}

fn colours(content: &Content, stop: &dyn Fn() -> bool) -> Vec<Vec<highlight::Line>> {
    let of = |file: &content::FileContent| match &file.state {
        State::Text { text, .. } => highlight::lines(text, &file.path, stop),
        _ => Vec::new(),
    };
    content.files.iter().map(of).collect()
}
