//! Who judges, as configured.

use crate::config::Config;
use crate::engine::prompt::{Limits, Template};
use crate::engine::rubric::Rubric;
use crate::hook::{Endpoint, NoJudge};
use crate::judging::{Judge, Settings};
use crate::provider::chat::{self, Chat};
use crate::provider::scripted::Scripted;
use crate::provider::{Provider, key};
use secrecy::SecretString;
use std::error::Error;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Longest that the command for the key may take.
const KEY: Duration = Duration::from_secs(10);
/// Largest file of a template or a rubric, in bytes.
const MOST: u64 = 1 << 20;

/// Finds who is asked. Nothing is connected yet.
pub(super) fn find(config: &Config) -> Result<Endpoint, NoJudge> {
    let provider = provider(config)?;
    let judge = &config.judge;
    let template = match &judge.prompt {
        Some(path) => Template::parse(&file(path)?).map_err(|e| wrong(path, &e))?,
        None => Template::embedded().map_err(|e| NoJudge::Unusable(e.to_string()))?,
    };
    let rubric = match &judge.rubric {
        Some(path) => Rubric::parse(&file(path)?).map_err(|e| wrong(path, &e))?,
        None => Rubric::embedded().map_err(|e| NoJudge::Unusable(e.to_string()))?,
    };
    let settings = Settings {
        four_eyes: judge.four_eyes,
        limits: Limits { content_bytes: judge.max_content_bytes },
        temperature: Some(judge.temperature),
        max_tokens: judge.max_tokens,
    };
    let model = judge.model.clone();
    let (families, prices) = (config.families.clone(), config.prices.clone());
    let whole = Judge { provider, model, rubric, template, families, prices, settings };
    Ok(Endpoint { judge: Arc::new(whole), each: judge.budget, cap: judge.spend_cap })
}

fn provider(config: &Config) -> Result<Provider, NoJudge> {
    let judge = &config.judge;
    if let Some(path) = &judge.script {
        return Ok(Provider::Scripted(Scripted::read(path).map_err(|e| wrong(path, &e))?));
    }
    let settings = chat::Settings {
        key: Some(secret(config)?),
        plain_http: judge.allow_plain_http,
        connect: judge.connect_timeout,
        first_byte: judge.first_byte_timeout,
        whole: judge.timeout,
        ..chat::Settings::new(judge.endpoint.clone())
    };
    let chat = Chat::new(settings).map_err(|error| NoJudge::Unusable(error.to_string()))?;
    Ok(Provider::Chat(chat))
}

/// The key, which is in no text of an error.
pub(super) fn secret(config: &Config) -> Result<SecretString, NoJudge> {
    let judge = &config.judge;
    if let Some(command) = &judge.key_command {
        return key::command(command, KEY).map_err(|error| NoJudge::NoKey(error.to_string()));
    }
    let name = &judge.key_env;
    match std::env::var(name) {
        Ok(value) if !value.trim().is_empty() => {
            key::given(&value).map_err(|error| NoJudge::NoKey(format!("{name}: {error}")))
        }
        _ => Err(NoJudge::NoKey(format!("the key {name} is not set"))),
    }
}

fn file(path: &Path) -> Result<String, NoJudge> {
    let open = std::fs::File::open(path);
    let mut text = String::new();
    let read = open.and_then(|file| file.take(MOST).read_to_string(&mut text));
    read.map(|_| text).map_err(|error| wrong(path, &error))
}

fn wrong(path: &Path, error: &dyn Error) -> NoJudge {
    NoJudge::Unusable(format!("{}: {error}", path.display()))
}
