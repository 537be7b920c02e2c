//! One question asked and its answer read.

use super::{Evaluation, Item, Judge};
use crate::engine::PushVerdict;
use crate::engine::answer::{self, Fault, Reading};
use crate::engine::four_eyes::{Decision, Rule};
use crate::engine::prompt::{Material, Nonce, Prompt, Speaker};
use crate::engine::record::{Caveat, Content, RecordError};
use crate::provider::{Ask, Failure, Message, Reply, Role};
use tokio::time::Instant;

/// Judges one content. It never fails: what keeps a verdict from being said is in the evaluation.
///
/// Dropping the future ends the call at once.
pub async fn evaluate(judge: &Judge, item: &Item, until: Instant) -> Evaluation {
    let before = judge.four_eyes(item.people(), None);
    if let (Decision::Same { family }, Rule::Refuse) = (&before, judge.settings.four_eyes) {
        let why = format!("Not asked: author and judge are both of the family {family}.");
        let mut refused = Evaluation::by(judge, item, RecordError::PromptMissing, why);
        refused.note(Caveat::SameFamily);
        return Evaluation { four_eyes: Some(before), ..refused };
    }
    let mut bytes = [0; 16];
    if let Err(error) = getrandom::fill(&mut bytes) {
        let why = format!("Not asked: the system gives no random numbers ({error}).");
        return Evaluation::by(judge, item, RecordError::PromptMissing, why);
    }
    let prompt = judge.template.render(
        &judge.rubric,
        &Material { files: &item.files },
        &Nonce::of(bytes),
        judge.settings.limits,
    );
    let said = judge.provider.ask(&question(judge, &prompt), until).await;
    let mut evaluation = match said {
        Ok(reply) => answered(judge, &prompt, reply),
        Err(failure) => failed(judge, &prompt, failure),
    };
    let served = evaluation.served_model.as_deref();
    let after = judge.four_eyes(item.people(), served);
    look_at_families(&mut evaluation, &after, judge.settings.four_eyes);
    look_at_content(&mut evaluation, &prompt);
    Evaluation { four_eyes: Some(after), ..evaluation }
}

/// The question as it is asked for this prompt.
fn question(judge: &Judge, prompt: &Prompt) -> Ask {
    let message = |(speaker, text): &(Speaker, String)| {
        let role = match speaker {
            Speaker::System => Role::System,
            Speaker::User => Role::User,
        };
        Message { role, text: text.clone() }
    };
    Ask {
        model: judge.model.clone(),
        messages: prompt.messages.iter().map(message).collect(),
        temperature: judge.settings.temperature,
        max_tokens: judge.settings.max_tokens,
        schema: Some(answer::schema()),
    }
}

fn answered(judge: &Judge, prompt: &Prompt, reply: Reply) -> Evaluation {
    let reading = answer::read(&reply.text, &judge.rubric, prompt.sent());
    let fault = match &reading.fault {
        // Why it is no answer is that it was never finished.
        Some(_) if reply.cut => Some(Fault::Stopped),
        fault => fault.clone(),
    };
    let Reading { verdict, scores, inconsistent, findings, suggestions, beginning, .. } = reading;
    let served = reply.served_model.as_deref();
    let price = judge.prices.of_call(&judge.model, served);
    Evaluation {
        verdict,
        scores,
        inconsistent,
        findings: fault.as_ref().map_or(findings, |fault| sentence(&fault.to_string())),
        suggestions,
        caveats: Vec::new(),
        error: fault.map(|_| RecordError::InvalidAnswer),
        four_eyes: None,
        judge_model: judge.model.clone(),
        cost: reply.usage.and_then(|usage| price?.of(&usage)),
        served_model: reply.served_model,
        usage: reply.usage,
        latency: Some(reply.latency),
        attempts: reply.attempts,
        uncounted: reply.uncounted,
        prompt_sha: Some(prompt.prompt_sha.clone()),
        judge_sha: Some(judge.judge_sha()),
        content_sha: prompt.content_sha.clone(),
        content: Some(Content::of(prompt)),
        answer: beginning,
        raw: Some(reply.text),
    }
}

fn failed(judge: &Judge, prompt: &Prompt, failure: Failure) -> Evaluation {
    let price = judge.prices.of(&judge.model);
    Evaluation {
        verdict: PushVerdict::Undetermined,
        scores: None,
        inconsistent: false,
        findings: sentence(&failure.what),
        suggestions: Vec::new(),
        caveats: Vec::new(),
        error: Some(failure.kind.into()),
        four_eyes: None,
        judge_model: judge.model.clone(),
        served_model: None,
        cost: failure.usage.and_then(|usage| price?.of(&usage)),
        usage: failure.usage,
        latency: (failure.attempts > 0).then_some(failure.latency),
        attempts: failure.attempts,
        uncounted: failure.uncounted,
        prompt_sha: Some(prompt.prompt_sha.clone()),
        judge_sha: Some(judge.judge_sha()),
        content_sha: prompt.content_sha.clone(),
        content: Some(Content::of(prompt)),
        answer: failure.beginning,
        raw: None,
    }
}

/// A clause as a sentence; an address at its beginning stays as it is.
fn sentence(clause: &str) -> String {
    let is_word = clause.split(' ').next().is_some_and(|w| w.chars().all(char::is_alphabetic));
    let mut rest = clause.chars();
    let first: String = match is_word {
        true => rest.next().into_iter().flat_map(char::to_uppercase).collect(),
        false => String::new(),
    };
    let end = if clause.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{first}{}{end}", rest.as_str())
}

fn look_at_families(evaluation: &mut Evaluation, decision: &Decision, rule: Rule) {
    match decision {
        Decision::Apart { .. } => {}
        Decision::Unknown { .. } => evaluation.note(Caveat::FamilyUnknown),
        Decision::Same { family } => {
            evaluation.note(Caveat::SameFamily);
            if rule == Rule::Refuse && evaluation.error.is_none() {
                let why = format!(
                    "The answer does not count: the model that gave it is of the author's family {family}."
                );
                evaluation.take_back(Some(RecordError::InvalidAnswer), &why);
                evaluation.scores = None;
                evaluation.suggestions.clear();
                evaluation.inconsistent = false;
            }
        }
    }
}

fn look_at_content(evaluation: &mut Evaluation, prompt: &Prompt) {
    for (seen, caveat) in [
        (prompt.injection, Caveat::Injection),
        (prompt.hidden, Caveat::HiddenCharacters),
        (prompt.neutralised > 0, Caveat::Neutralised),
        (!prompt.cuts.is_empty(), Caveat::ContentCut),
        (prompt.masked > 0, Caveat::SecretsMasked),
        (prompt.lossy > 0, Caveat::NotUtf8),
    ] {
        if seen {
            evaluation.note(caveat);
        }
    }
    if !prompt.cuts.is_empty() && evaluation.verdict == PushVerdict::Go {
        let why = "Not all of the content was seen, so there is no GO.";
        evaluation.take_back(None, why);
    }
}
