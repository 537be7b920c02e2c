//! What a client is answered: the judgement of the log, with four eyes decided for this client, signed.

use super::call::{Call, signed};
use super::judges::Asked;
use super::log::{FourEyes, Key, Line, own_key};
use super::refusal::Refusal;
use super::server::Server;
use super::setup::Setup;
use super::subject::Subject;
use crate::engine::four_eyes::Decision;
use crate::engine::judgements::{
    EvaluationDocument, Judgement, JudgementFormat, JudgementRequest, SignedJudgement,
};
use crate::judging::Item;
use std::sync::Arc;

/// Judges a content, or finds the judgement that there is.
pub(super) async fn judged(
    server: &Server,
    call: Call,
    (request, item): (JudgementRequest, Item),
) -> Result<SignedJudgement, Refusal> {
    let setup = server.setup();
    let asked = setup.judges.of(request.kind, request.tier).map_err(Refusal::no_judge)?.clone();
    let people: Vec<String> = request.author.into_iter().chain(request.others).collect();
    let families = call.token.families.clone();
    let key = asked.key(&call.question_sha);
    let line = call.line(&key, FourEyes::Unknown)?;
    let nonce = call.nonce.clone();
    let before = asked.decide(&people, &families, &asked.model, None);
    if let Some(refusal) = asked.refusal(&before) {
        let evaluation = Some(asked.unasked(&refusal));
        let line = Line { four_eyes: (&before).into(), evaluation, ..line };
        return refused(server, &setup, &asked, (key, line, nonce)).await;
    }
    let subject = Subject::Content {
        asked: asked.clone(),
        item,
        people: people.clone(),
        families: families.clone(),
    };
    let (base, fresh) = call.judged(server, &setup, (key, &line), subject).await?;
    let mine = answer_line(server, &asked, (&people, &families), (line, &base, &key)).await?;
    if !fresh {
        server.metrics.reused.add(1);
    }
    let evaluation = base.evaluation.clone().ok_or_else(Refusal::damaged)?;
    answer(server, &setup, &asked, (&mine, evaluation, nonce), (base.at_us, !fresh))
}

/// Reads a judgement again, which is in `base`.
pub(super) fn again(
    server: &Server,
    (line, base): (&Line, Line),
    nonce: String,
) -> Result<SignedJudgement, Refusal> {
    let setup = server.setup();
    let kind = line.kind.verdicts().ok_or_else(Refusal::damaged)?;
    let asked = setup.judges.of(kind, line.tier).map_err(Refusal::no_judge)?;
    let evaluation = base.evaluation.ok_or_else(Refusal::damaged)?;
    answer(server, &setup, asked, (line, evaluation, nonce), (base.at_us, true))
}

/// The line of a client that is answered with a judgement: that of it, or one of its own.
async fn answer_line(
    server: &Server,
    asked: &Asked,
    (people, families): (&[String], &[String]),
    (line, base, key): (Line, &Arc<Line>, &Key),
) -> Result<Line, Refusal> {
    let evaluation = base.evaluation.as_ref().ok_or_else(Refusal::damaged)?;
    let (model, served) = (&evaluation.judge_model, evaluation.served_model.as_deref());
    let four_eyes = FourEyes::from(&asked.decide(people, families, model, served));
    if base.client == line.client && base.four_eyes == four_eyes {
        return Ok(Line::clone(base));
    }
    let own = own_key(&line.client, key, &four_eyes);
    let known = server.log.own(&own).filter(|_| base.is_reusable());
    // A line on a refusal is of an earlier rule, and not on this judgement.
    let is_of_judgement = |line: &Line| line.evaluation.is_none() || line.is_judged();
    if let Some(known) = known.and_then(|id| server.log.by_id(&id)).filter(is_of_judgement) {
        return Ok(known);
    }
    server.log_line(Line { four_eyes, of: Some(base.id.clone()), evaluation: None, ..line }).await
}

/// A judge of the author's family is not asked; that is an answer, too.
async fn refused(
    server: &Server,
    setup: &Setup,
    asked: &Asked,
    (key, line, nonce): (Key, Line, String),
) -> Result<SignedJudgement, Refusal> {
    let own = own_key(&line.client, &key, &line.four_eyes);
    let known = server.log.own(&own).and_then(|id| server.log.by_id(&id));
    let line = match known.filter(|known| known.evaluation.is_some() && !known.is_judged()) {
        Some(known) => known,
        None => server.log_line(line).await?,
    };
    let evaluation = line.evaluation.clone().ok_or_else(Refusal::damaged)?;
    answer(server, setup, asked, (&line, evaluation, nonce), (line.at_us, false))
}

fn answer(
    server: &Server,
    setup: &Setup,
    asked: &Asked,
    (line, evaluation, nonce): (&Line, EvaluationDocument, String),
    (at_us, reused): (i64, bool),
) -> Result<SignedJudgement, Refusal> {
    let decision = Decision::from(&line.four_eyes);
    let evaluation = asked.settled(evaluation, &decision).ok_or_else(Refusal::damaged)?;
    server.metrics.verdict(match evaluation.error {
        None => &evaluation.verdict,
        Some(_) => "error",
    });
    let judgement = Judgement {
        schema: JudgementFormat::Judgement1,
        id: line.id.clone(),
        nonce,
        client: line.client.clone(),
        kind: line.kind.verdicts().ok_or_else(Refusal::bug)?,
        tier: line.tier,
        question_sha: line.question_sha.clone(),
        content_sha: line.content_sha.clone(),
        at_us,
        reused,
        evaluation,
    };
    signed(setup, &judgement)
}
