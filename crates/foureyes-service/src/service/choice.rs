//! What a client is answered that asks which memories help.

use super::call::{Call, signed};
use super::log::{FourEyes, Line, own_key};
use super::refusal::Refusal;
use super::server::Server;
use super::setup::Setup;
use super::subject::Subject;
use crate::engine::judgements::{
    Choice, RelevanceFormat, RelevanceJudgement, RelevanceKind, RelevanceRequest, SignedJudgement,
};

/// Has memories judged, or finds the choice that there is.
pub(super) async fn chosen(
    server: &Server,
    call: Call,
    request: RelevanceRequest,
) -> Result<SignedJudgement, Refusal> {
    let setup = server.setup();
    let judge = setup.judges.memories().map_err(Refusal::no_judge)?.clone();
    let key = judge.key(&request, &call.question_sha);
    let line = call.line(&key, FourEyes::NotApplicable)?;
    let nonce = call.nonce.clone();
    let subject = Subject::Memories { judge, request };
    let (base, fresh) = call.judged(server, &setup, (key, &line), subject).await?;
    let choice = base.choice.clone().ok_or_else(Refusal::damaged)?;
    let mine = match base.client == line.client {
        true => Line::clone(&base),
        false => {
            let own = server.log.own(&own_key(&line.client, &key, &line.four_eyes));
            let known = own.filter(|_| base.is_reusable()).and_then(|id| server.log.by_id(&id));
            match known {
                Some(known) => known,
                None => server.log_line(Line { of: Some(base.id.clone()), ..line }).await?,
            }
        }
    };
    if !fresh {
        server.metrics.reused.add(1);
    }
    answer(server, &setup, (&mine, choice, nonce), (base.at_us, !fresh))
}

/// Reads a choice again, which is in `base`.
pub(super) fn again(
    server: &Server,
    (line, base): (&Line, Line),
    nonce: String,
) -> Result<SignedJudgement, Refusal> {
    let choice = base.choice.ok_or_else(Refusal::damaged)?;
    answer(server, &server.setup(), (line, choice, nonce), (base.at_us, true))
}

fn answer(
    server: &Server,
    setup: &Setup,
    (line, choice, nonce): (&Line, Choice, String),
    (at_us, reused): (i64, bool),
) -> Result<SignedJudgement, Refusal> {
    server.metrics.verdict(match &choice.kept {
        None => "error",
        Some(kept) if kept.is_empty() => "none",
        Some(_) => "kept",
    });
    let judgement = RelevanceJudgement {
        schema: RelevanceFormat::RelevanceJudgement1,
        id: line.id.clone(),
        nonce,
        client: line.client.clone(),
        kind: RelevanceKind::Relevance,
        question_sha: line.question_sha.clone(),
        content_sha: line.content_sha.clone(),
        at_us,
        reused,
        choice,
    };
    signed(setup, &judgement)
}
