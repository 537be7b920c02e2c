//! The judge of memories, as clients ask it.

use super::log::Key;
use crate::config::{Config, JudgeKind};
use crate::engine::judgements::{Choice, RelevanceRequest};
use crate::engine::relevance::prompt_sha;
use crate::judging::relevance::RelevanceJudge;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// The judge of memories.
#[derive(Debug, Clone)]
pub(super) struct Memories {
    judge: Arc<RelevanceJudge>,
    each: Duration,
}

impl Memories {
    /// The judge of a configuration.
    ///
    /// # Errors
    /// Why it cannot be asked.
    pub(super) fn new(config: &Config, refused: Option<&Path>) -> Result<Self, String> {
        let failed = |why| format!("the judge relevance cannot be asked: {why}");
        let config = &config.for_service();
        if config.relevance_judge().1.kind() == JudgeKind::Service {
            return Err(failed("a service cannot ask a service".to_owned()));
        }
        let each = config.memories.timeout;
        let judge = RelevanceJudge::new(config, refused.map(Path::to_owned), each);
        judge
            .map(|judge| Self { judge: Arc::new(judge), each })
            .map_err(|unready| failed(unready.fallback().1))
    }

    /// The model that is asked for.
    pub(super) fn model(&self) -> &str {
        self.judge.model()
    }

    /// Time for one list.
    pub(super) fn each(&self) -> Duration {
        self.each
    }

    /// Hash of a question to this judge.
    pub(super) fn key(&self, request: &RelevanceRequest, question_sha: &str) -> Key {
        let prompt = prompt_sha(request.most(), request.dual);
        super::log::key_of(question_sha, &format!("{prompt} {}", self.judge.sha()))
    }

    /// Asks which memories help.
    pub(super) async fn choose(&self, request: &RelevanceRequest, until: Instant) -> Choice {
        let shown = request.shown();
        let began = Instant::now();
        let judged = self.judge.judge(&request.question(&shown), request.dual, until).await;
        let (kept, error) = match judged.kept {
            Ok(kept) => (Some(kept), None),
            // In words it could repeat what was asked, which is kept nowhere.
            Err(none) => (None, Some(none.error)),
        };
        Choice {
            kept,
            error,
            judge_model: self.model().to_owned(),
            served_model: judged.served_model,
            usage: judged.usage,
            cost: judged.cost,
            cost_at_most: judged.cost_at_most,
            latency_ms: u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX),
            attempts: judged.attempts,
            prompt_sha: prompt_sha(request.most(), request.dual),
            judge_sha: self.judge.sha(),
            scripted: self.judge.is_scripted(),
        }
    }
}
