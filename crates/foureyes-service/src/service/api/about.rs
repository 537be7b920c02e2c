//! A request that was read, by what it is about.

use crate::engine::judgements::{
    AnyRequest, JudgementRequest, Malformed, RelevanceRequest, question_sha,
};
use crate::engine::panel::Tier;
use crate::judging::Item;
use crate::service::refusal::Refusal;

/// What a request is about.
pub(super) enum About {
    Content(JudgementRequest, Item),
    Memories(RelevanceRequest),
}

impl About {
    /// Checks a request; gives it with the hashes of content and question.
    pub(super) fn new(request: AnyRequest) -> Result<(Self, String, String), Refusal> {
        let malformed = |error: Malformed| Refusal::malformed(&error.to_string());
        match request {
            AnyRequest::Verdict(mut request) => {
                let files = request.take_files().map_err(malformed)?;
                let item = Item {
                    files: files.into(),
                    sections: std::mem::take(&mut request.sections).into(),
                    ..Item::default()
                };
                let content = item.material().sha();
                let question = question_sha(request.kind, request.tier, &content, &item.sections);
                Ok((Self::Content(request, item), content, question))
            }
            AnyRequest::Choice(request) => {
                request.check().map_err(malformed)?;
                let (content, question) = (request.content_sha(), request.question_sha());
                Ok((Self::Memories(request), content, question))
            }
        }
    }

    /// Its tier, its nonce, and how long its client waits.
    pub(super) fn call(&self) -> (Option<Tier>, &str, Option<u64>) {
        match self {
            Self::Content(request, _) => (request.tier, &request.nonce, request.deadline_ms),
            Self::Memories(request) => (None, &request.nonce, request.deadline_ms),
        }
    }
}
