//! One content judged, end to end; and many.

mod cli;
mod config;
mod corpus;
mod evaluate;
mod http;
mod injection;
mod interrupted;
mod long;
mod payloads;
mod record;
mod recorded;
mod refused;
mod replies;
mod run;

use foureyes::engine::cost::{Price, Prices};
use foureyes::engine::four_eyes::{Families, ModelFamily};
use foureyes::engine::prompt::Template;
use foureyes::engine::rubric::Rubric;
use foureyes::engine::verdict::PUSH;
use foureyes::judging::{Evaluation, File, Item, Judge, Settings, evaluate as ask};
use foureyes::provider::Provider;
use foureyes::provider::scripted::{Answer, Scripted};
use std::time::Duration;
use tokio::time::Instant;

const GO: &str =
    r#"{"scores":{"semantic":4,"pragmatic":5,"syntactic":3},"verdict":"GO","findings":"fine"}"#;
const NO: &str = r#"{"scores":{"semantic":2,"pragmatic":5,"syntactic":3},"verdict":"NO-GO","findings":"a fact is wrong","revision_suggestions":["mend it"]}"#;

fn answer(text: &str) -> Answer {
    Answer {
        text: text.to_owned(),
        served_model: Some("south-1".to_owned()),
        prompt_tokens: Some(1000),
        completion_tokens: Some(500),
        ..Answer::default()
    }
}

fn family(name: &str, author: &str, models: &str) -> ModelFamily {
    ModelFamily {
        name: name.to_owned(),
        authors: vec![author.to_owned()],
        models: vec![models.to_owned()],
    }
}

fn judge_by(provider: Provider) -> Judge {
    let price = Price { model: "*".to_owned(), prompt: 2.0, completion: 4.0 };
    Judge {
        kind: &PUSH,
        sections: &[],
        provider,
        model: "fastest".to_owned(),
        rubric: Rubric::embedded().unwrap(),
        template: Template::embedded().unwrap(),
        families: Families(vec![
            family("north", "OpenClaw Agent", "north-*"),
            family("south", "Other Agent", "south-*"),
        ]),
        prices: Prices(vec![price]),
        settings: Settings::default(),
    }
}

fn judge(answers: Vec<Answer>) -> Judge {
    judge_by(Provider::Scripted(Scripted::new(answers)))
}

fn asked(judge: &Judge) -> u64 {
    match &judge.provider {
        Provider::Scripted(scripted) => scripted.asked(),
        _ => unreachable!("these judges are scripted"),
    }
}

fn item(content: &str) -> Item {
    Item {
        commit: Some("a".repeat(40)),
        author: Some("OpenClaw Agent".to_owned()),
        files: [File { path: b"research/signal.md".to_vec(), bytes: content.as_bytes().to_vec() }]
            .into(),
        ..Item::default()
    }
}

fn now<F: Future>(future: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

fn evaluated(judge: &Judge, item: &Item) -> Evaluation {
    now(async { ask(judge, item, Instant::now() + Duration::from_secs(5)).await })
}
