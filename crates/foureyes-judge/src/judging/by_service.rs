//! A judgement by a service: it has the question and asks the judge; here, four eyes are decided again.

use super::evaluate::{failed, look_at_families};
use super::{Evaluation, Item, Judge, Ration};
use crate::engine::judgements::{JudgementRequest, RequestFile};
use crate::engine::panel::Tier;
use crate::engine::prompt::SectionKind;
use crate::engine::record::RecordError;
use crate::engine::verdict::Verdict;
use crate::provider::service::{Received, Service};
use crate::provider::{Failure, FailureKind};
use crate::text::hex;

/// Random bytes of a nonce.
const NONCE_BYTES: usize = 16;

/// Has a service judge.
pub(super) async fn judged_by<V: Verdict>(
    judge: &Judge<V>,
    service: &Service,
    item: &Item,
    ration: Ration,
) -> Evaluation<V> {
    let nonce = match nonce() {
        Ok(nonce) => nonce,
        Err(why) => {
            let why = format!("Not asked: {why}.");
            return Evaluation::by(judge, item, RecordError::PromptMissing, why);
        }
    };
    let content_sha = item.material().sha();
    let request = request(judge, item, nonce);
    let received = service.judge(request, &content_sha, ration.calls, ration.until).await;
    let evaluation = received.and_then(|received| read(judge, received, &content_sha));
    let mut evaluation = match evaluation {
        Ok(evaluation) => evaluation,
        Err(failure) => {
            let content = None;
            let none = Evaluation::by(judge, item, RecordError::Unavailable, String::new());
            Evaluation { content, ..failed(none, failure) }
        }
    };
    let (asked, served) = (&evaluation.judge_model, evaluation.served_model.as_deref());
    let after = judge.families.strictest(item.people(), asked, served);
    // Of what nobody answered nothing is known that was not known before.
    if evaluation.error.is_none() {
        look_at_families(&mut evaluation, &after, judge.settings.four_eyes);
    }
    Evaluation { four_eyes: Some(after), ..evaluation }
}

/// The nonce of a request.
///
/// # Errors
/// The system gives no random numbers.
pub(super) fn nonce() -> Result<String, String> {
    let mut nonce = [0; NONCE_BYTES];
    getrandom::fill(&mut nonce)
        .map_err(|error| format!("the system gives no random numbers ({error})"))?;
    Ok(hex::encode(&nonce))
}

fn request<V: Verdict>(judge: &Judge<V>, item: &Item, nonce: String) -> JudgementRequest {
    let tier = tier(judge.sections);
    JudgementRequest {
        kind: judge.judgement_kind(),
        tier,
        nonce,
        author: item.author.clone(),
        others: item.others.clone(),
        files: item.files.iter().map(RequestFile::new).collect(),
        sections: judge.shown_of(item),
        deadline_ms: None,
    }
}

/// The tier that is shown these texts; none that is shown none.
fn tier(sections: &[SectionKind]) -> Option<Tier> {
    Tier::ALL.into_iter().find(|tier| tier.sections() == sections)
}

fn read<V: Verdict>(
    judge: &Judge<V>,
    received: Received,
    content_sha: &str,
) -> Result<Evaluation<V>, Failure> {
    let Received { judgement, attempts, unanswered, latency } = received;
    let word = judgement.evaluation.verdict.clone();
    let read = Evaluation::of_document(judge.kind, judgement.evaluation, content_sha);
    // Time, calls and judge are those from here: how the service asks is known to the service, and what is
    // the same for this machine is found in its log.
    let judge_sha = Some(judge.judge_sha());
    let own = |evaluation| Evaluation {
        latency: Some(latency),
        attempts,
        unanswered,
        judge_sha,
        ..evaluation
    };
    read.map(own).ok_or_else(|| {
        let words = judge.kind.all_words().collect::<Vec<_>>().join(", ");
        let what = format!("the service answered {word:?}, which is not one of {words}");
        let failure = Failure::new(FailureKind::InvalidAnswer, what);
        Failure { attempts, latency, ..failure }
    })
}
