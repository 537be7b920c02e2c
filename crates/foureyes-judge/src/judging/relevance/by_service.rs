//! A choice by a service: it has the question and asks the judge.

use super::judged::{Judged, NoChoice, Service as Reported};
use crate::engine::judgements::{Choice, RelevanceRequest};
use crate::engine::record::RecordError;
use crate::engine::relevance::Question;
use crate::judging::by_service::nonce;
use crate::provider::service::{Received, Service};

/// Has a service choose.
pub(super) async fn chosen(
    service: &Service,
    question: &Question<'_>,
    dual: bool,
    until: tokio::time::Instant,
) -> Judged {
    let nonce = match nonce() {
        Ok(nonce) => nonce,
        Err(why) => return Judged::failed(RecordError::PromptMissing, &why),
    };
    let request = RelevanceRequest::new(question, dual, nonce);
    // A name that is looked up is not waited for any longer than all else.
    let asked = tokio::time::timeout_at(until, service.choose(request, until)).await;
    match asked {
        Err(_) => Judged::failed(RecordError::Timeout, "no answer within the time"),
        Ok(Ok(Received { judgement, attempts, .. })) => {
            let reused = judgement.reused;
            Judged { attempts, ..read(judgement.choice, reused) }
        }
        Ok(Err(failure)) => Judged {
            attempts: failure.attempts,
            // A judge may have been asked, and what that cost is known to the service.
            cost: (failure.uncounted == 0).then_some(0.0),
            ..Judged::failed(failure.kind.into(), &failure.what)
        },
    }
}

fn read(choice: Choice, reused: bool) -> Judged {
    let Choice { kept, error, judge_model, served_model, usage, .. } = choice;
    let failed = || {
        let error = error.unwrap_or(RecordError::InvalidAnswer);
        NoChoice { error, why: format!("the judge of the service: {}", words(error)) }
    };
    Judged {
        kept: kept.ok_or_else(failed),
        served_model,
        // An earlier request paid for what is used again.
        usage: usage.filter(|_| !reused),
        cost: if reused { Some(0.0) } else { choice.cost },
        cost_at_most: choice.cost_at_most.filter(|_| !reused),
        attempts: 0,
        service: Some(Reported {
            model: judge_model,
            prompt_sha: choice.prompt_sha,
            scripted: choice.scripted,
        }),
    }
}

fn words(error: RecordError) -> &'static str {
    match error {
        RecordError::Timeout => "no answer within the time",
        RecordError::Unavailable => "it cannot be reached, or does not know the model",
        RecordError::Unauthorized => "its key was rejected",
        RecordError::RateLimited => "too many calls, or no balance",
        RecordError::ServerError => "its endpoint failed",
        RecordError::InvalidAnswer | RecordError::ContradictedAnswer => {
            "its answer is not a choice"
        }
        RecordError::PromptMissing
        | RecordError::SpendCap
        | RecordError::CallLimit
        | RecordError::FamilyRefused
        | RecordError::FamilyUnknown
        | RecordError::NoKey
        | RecordError::Bypassed
        | RecordError::History
        | RecordError::Empty => "it could not be asked",
    }
}
