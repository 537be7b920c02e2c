//! One question, without a second one where the answer lacks the call word.

use super::{Judged, RelevanceJudge};
use crate::engine::answer;
use crate::engine::prompt::Nonce;
use crate::engine::record::RecordError;
use crate::engine::relevance::Question;
use crate::provider::Ask;
use tokio::time::Instant;

impl RelevanceJudge {
    /// Asks one question by one call, until a moment at most. A service is not asked.
    pub async fn judge_once(&self, question: &Question<'_>, until: Instant) -> Judged {
        let mut bytes = [0; Nonce::BYTES];
        if getrandom::fill(&mut bytes).is_err() {
            let why = "the system gives no random numbers";
            return Judged::failed(RecordError::PromptMissing, why);
        }
        let nonce = Nonce::new(bytes);
        let ask = Ask { calls: Some(1), ..self.ask(&question.messages(&nonce), &nonce) };
        match self.provider.ask(&ask, until).await {
            Err(failure) => self.unanswered(&failure, None),
            Ok(reply) => {
                let count = question.candidates.len();
                let kept = answer::read_keep(&reply.text, count, &nonce.call());
                match kept.ended(&reply.finish).numbers {
                    Ok(kept) => {
                        Judged { kept: Ok(kept), ..Judged::failed(RecordError::InvalidAnswer, "") }
                    }
                    Err(fault) => Judged::failed(RecordError::InvalidAnswer, &fault.to_string()),
                }
            }
        }
    }
}
