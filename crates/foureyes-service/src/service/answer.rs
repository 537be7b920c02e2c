//! What a client is answered: the judgement of the log, with four eyes decided for this client, signed.

use super::api::{Refusal, Server};
use super::flights::{Ended, Entered, Flight, Job, NotTaken, Room, Ticket};
use super::judges::Asked;
use super::log::{FourEyes, Key, Line, own_key};
use super::queue::Full;
use super::setup::Setup;
use super::token::Token;
use crate::domain::Timestamp;
use crate::engine::four_eyes::Decision;
use crate::engine::judgements::{
    EvaluationDocument, Judgement, JudgementFormat, JudgementRequest, SignedJudgement,
};
use crate::judging::Item;
use crate::text::hex;
use std::sync::Arc;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{Instant, timeout_at};

/// A request that is well-formed and allowed.
pub(super) struct Question {
    pub(super) request: JudgementRequest,
    pub(super) item: Item,
    pub(super) content_sha: String,
    pub(super) question_sha: String,
    pub(super) token: Token,
    pub(super) until: Instant,
    pub(super) memory: OwnedSemaphorePermit,
}

/// Judges a content, or finds the judgement that there is.
pub(super) async fn judged(server: &Arc<Server>, q: Question) -> Result<SignedJudgement, Refusal> {
    let setup = server.setup();
    let asked = setup.judges.of(q.request.kind, q.request.tier).map_err(Refusal::no_judge)?.clone();
    let people: Vec<String> = q.request.author.iter().chain(&q.request.others).cloned().collect();
    let families = q.token.families.clone();
    let key = asked.key(&q.question_sha);
    let line = line(&q, &key)?;
    let (nonce, client, until) = (q.request.nonce.clone(), q.token.client.clone(), q.until);
    let before = asked.decide(&people, &families, &asked.model, None);
    let (base, fresh) = match &before {
        Decision::Same { family } if asked.refuses(&before) => {
            let evaluation = Some(asked.unasked(family));
            let line = Line { four_eyes: (&before).into(), evaluation, ..line.clone() };
            return refused(server, &setup, &asked, (key, line, nonce)).await;
        }
        _ => {
            let families = families.clone();
            let job = || Job {
                line: line.clone(),
                people: people.clone(),
                families,
                asked: asked.clone(),
                item: q.item,
                _memory: q.memory,
            };
            let cap = q.token.per_day;
            let today = server.now().day();
            let may_begin = |begun: u64| {
                cap.is_none_or(|cap| server.log.judged_on(&client, today) + begun < cap)
            };
            let room = Room { queue: setup.settings.queue, client: setup.settings.client_queue };
            let known = || server.log.find(&key);
            let entered = server.flights.enter((key, &client, room), known, may_begin, job);
            match entered.map_err(|why| not_taken(server, why))? {
                // A line that is damaged is as good as none, but nobody else may be asked for it.
                Entered::Known(entry) => {
                    (server.log.read(entry).map(Arc::new).ok_or_else(Refusal::damaged)?, false)
                }
                Entered::Waiting(ticket, began) => (landed(server, ticket, until).await?, began),
            }
        }
    };
    let mine = answer_line(server, &asked, (&people, &families), (line, &base, &key)).await?;
    if !fresh {
        server.metrics.reused.add(1);
    }
    let evaluation = base.evaluation.clone().ok_or_else(Refusal::damaged)?;
    signed(server, &setup, &asked, (&mine, evaluation, nonce), (base.at_us, !fresh))
}

/// Reads a judgement again, of the client that was answered with it.
pub(super) fn again(
    server: &Server,
    token: &Token,
    id: &str,
    nonce: String,
) -> Result<SignedJudgement, Refusal> {
    let setup = server.setup();
    let of_client = |line: &Line| line.client == token.client;
    let line = server.log.by_id(id).filter(of_client).ok_or_else(Refusal::no_judgement)?;
    let base = match &line.of {
        None => line.clone(),
        Some(of) => server.log.by_id(of).ok_or_else(Refusal::no_judgement)?,
    };
    let asked = setup.judges.of(line.kind, line.tier).map_err(Refusal::no_judge)?;
    let evaluation = base.evaluation.ok_or_else(Refusal::damaged)?;
    signed(server, &setup, asked, (&line, evaluation, nonce), (base.at_us, true))
}

/// Judges what waits, until the service ends.
pub(super) async fn work(server: Arc<Server>) {
    while let Some(flight) = server.flights.next().await {
        let asked = flight.job.asked.clone();
        let (started, until) = (Instant::now(), Instant::now() + asked.each());
        let task = {
            let flight = Arc::clone(&flight);
            tokio::spawn(async move { flight.job.asked.evaluate(&flight.job.item, until).await })
        };
        let stop = task.abort_handle();
        let evaluated = tokio::select! {
            evaluated = task => evaluated,
            () = flight.cancelled() => {
                stop.abort();
                server.metrics.cancelled.add(1);
                continue;
            }
        };
        // Where the last one goes at this moment, nothing of it stays: it is asked for anew.
        if !server.flights.settle(&flight) {
            continue;
        }
        let outcome = match evaluated {
            Ok(evaluation) => logged(&server, &flight, evaluation, started).await,
            Err(_) => Err(Ended::Failed),
        };
        server.flights.end(&flight, outcome);
    }
}

async fn logged(
    server: &Server,
    flight: &Flight,
    evaluation: EvaluationDocument,
    started: Instant,
) -> Result<Arc<Line>, Ended> {
    let tokens = evaluation.usage.map_or(0, |usage| {
        usage.prompt_tokens.unwrap_or_default() + usage.completion_tokens.unwrap_or_default()
    });
    server.metrics.evaluated(started.elapsed(), tokens, evaluation.cost);
    let job = &flight.job;
    let (asked, served) = (&evaluation.judge_model, evaluation.served_model.as_deref());
    let decision = job.asked.decide(&job.people, &job.families, asked, served);
    let line = Line {
        at_us: server.now().0,
        four_eyes: (&decision).into(),
        evaluation: Some(evaluation),
        ..job.line.clone()
    };
    let written = server.log.append(line.clone()).await;
    written.map_err(|error| Ended::Unlogged(crate::domain::chain(&error)))?;
    Ok(Arc::new(line))
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
    if let Some(known) = known.and_then(|id| server.log.by_id(&id)) {
        return Ok(known);
    }
    let line = Line { four_eyes, of: Some(base.id.clone()), evaluation: None, ..line };
    server.log.append(line.clone()).await.map_err(|error| Refusal::unlogged(&error))?;
    Ok(line)
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
        None => {
            let written = server.log.append(line.clone()).await;
            written.map_err(|error| Refusal::unlogged(&error))?;
            line
        }
    };
    let evaluation = line.evaluation.clone().ok_or_else(Refusal::damaged)?;
    signed(server, setup, asked, (&line, evaluation, nonce), (line.at_us, false))
}

/// Waits for a judgement, until the client no longer does.
async fn landed(server: &Server, mut ticket: Ticket, until: Instant) -> Result<Arc<Line>, Refusal> {
    match timeout_at(until, ticket.wait()).await {
        Err(_) => Err(Refusal::late()),
        Ok(Ok(line)) => Ok(line),
        Ok(Err(Ended::Draining)) => Err(Refusal::draining()),
        Ok(Err(Ended::Unlogged(why))) => Err(Refusal::unwritten(&why)),
        Ok(Err(Ended::Failed)) => {
            server.metrics.verdict("failed");
            Err(Refusal::bug())
        }
    }
}

fn not_taken(server: &Server, why: NotTaken) -> Refusal {
    match why {
        NotTaken::Draining => Refusal::draining(),
        NotTaken::Cap => Refusal::cap(server.now()),
        NotTaken::Full(full) => {
            let own = full == Full::Client;
            Refusal::full(own, server.wait_for_room())
        }
    }
}

fn line(q: &Question, key: &Key) -> Result<Line, Refusal> {
    let mut id = [0; 16];
    getrandom::fill(&mut id).map_err(|_| Refusal::bug())?;
    Ok(Line {
        schema: Default::default(),
        id: hex::encode(&id),
        at_us: Timestamp(jiff::Timestamp::now().as_microsecond()).0,
        client: q.token.client.clone(),
        kind: q.request.kind,
        tier: q.request.tier,
        question_sha: q.question_sha.clone(),
        content_sha: q.content_sha.clone(),
        judged_sha: hex::encode(key),
        four_eyes: FourEyes::Unknown,
        of: None,
        evaluation: None,
    })
}

fn signed(
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
        kind: line.kind,
        tier: line.tier,
        question_sha: line.question_sha.clone(),
        content_sha: line.content_sha.clone(),
        at_us,
        reused,
        evaluation,
    };
    let judgement = serde_json::to_string(&judgement).map_err(|_| Refusal::bug())?;
    let signature = setup.signer.sign(&SignedJudgement::signed_bytes(&judgement));
    Ok(SignedJudgement { judgement, signature, key: setup.public_key().to_owned() })
}
