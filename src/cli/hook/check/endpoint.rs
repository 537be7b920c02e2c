//! The endpoint: whether it answers, and whether it knows the model.

use crate::config::{JudgeConfig, JudgeKind};
use crate::engine::retry::Policy;
use crate::hook::check::{Finding, State};
use crate::hook::judge_findings::remedy;
use crate::judging::configured;
use crate::provider::anthropic::Anthropic;
use crate::provider::chat::{Chat, Settings};
use crate::provider::http::is_listed;
use crate::provider::opencode::Opencode;
use crate::provider::service::Service;
use crate::provider::{Failure, FailureKind, Provider};
use secrecy::SecretString;
use std::time::Duration;

/// For a connection to stand.
const CONNECT: Duration = Duration::from_secs(4);
/// For the whole answer.
const WHOLE: Duration = Duration::from_secs(8);
/// Most models that are named.
const MOST: usize = 100;
/// Most models that are named in a sentence.
const SHOWN: usize = 8;

/// What was found.
pub(super) struct Endpoint {
    pub(super) checks: Vec<Finding>,
    pub(super) models: Option<Vec<String>>,
}

/// `section` is the part of the configuration that the judge is from.
pub(super) fn check(judge: &JudgeConfig, key: Option<SecretString>, section: &str) -> Endpoint {
    if let Some(found) = unfit(judge) {
        return failed(found);
    }
    if let Some(path) = &judge.script {
        let text = format!("none: answers come from {}", path.display());
        let found = match path.is_file() {
            true => {
                Finding::warn("endpoint", text).hint(format!("`script` in {section} is for trials"))
            }
            false => Finding::fail("endpoint", text + ", which is not there"),
        };
        return Endpoint { checks: vec![found], models: None };
    }
    let settings = Settings {
        key,
        plain_http: judge.allow_plain_http,
        connect: CONNECT.min(judge.connect_timeout),
        first_byte: WHOLE,
        whole: WHOLE,
        retry: Policy::once(),
        ..Settings::new(judge.address())
    };
    let provider = match judge.kind() {
        JudgeKind::Anthropic => Anthropic::new(settings).map(Provider::Anthropic),
        JudgeKind::Opencode => {
            Opencode::new(configured::of_program(judge, settings.key)).map(Provider::Opencode)
        }
        JudgeKind::Service => Service::new(settings, &judge.service_key).map(Provider::Service),
        JudgeKind::Chat | JudgeKind::Script => Chat::new(settings).map(Provider::Chat),
    };
    let asked = provider.map_err(|error| crate::domain::chain(&error));
    let asked = asked.map(|provider| ask(&provider));
    match asked {
        Err(text) => {
            failed(Finding::fail("endpoint", text).hint(format!("correct `endpoint` in {section}")))
        }
        Ok(Err(failure)) => {
            let text = format!("{}: {}", judge.asked(), failure.what);
            failed(Finding::fail("endpoint", text).hint(remedy(judge, &failure, section)))
        }
        Ok(Ok(None)) => Endpoint { checks: vec![unlisted(judge, section)], models: None },
        Ok(Ok(Some(models))) => {
            let answers = format!("{} answers; models: {}", judge.asked(), models.len());
            let checks = vec![Finding::ok("endpoint", answers), model(judge, &models, section)];
            Endpoint { checks, models: Some(models.into_iter().take(MOST).collect()) }
        }
    }
}

fn failed(found: Finding) -> Endpoint {
    debug_assert_eq!(found.state, State::Fail);
    Endpoint { checks: vec![found], models: None }
}

/// An endpoint that runs and does not say which models it has.
fn unlisted(judge: &JudgeConfig, section: &str) -> Finding {
    let text = format!("{} answers and lists no models", judge.asked());
    Finding::warn("endpoint", text).hint(format!(
        "`--ask` shows whether {} answers; if it does not, correct `endpoint` in {section}",
        judge.model
    ))
}

fn ask(provider: &Provider) -> Result<Option<Vec<String>>, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime
        .map_err(|error| Failure::new(FailureKind::Unavailable, format!("no runtime: {error}")))?;
    let until = tokio::time::Instant::now() + WHOLE;
    let models = runtime.block_on(provider.listed(until));
    // A look-up of a name that hangs is not waited for.
    runtime.shutdown_background();
    models
}

/// Whether the judge cannot be asked as it is configured: nobody needs to be asked for that.
pub(super) fn unfit(judge: &JudgeConfig) -> Option<Finding> {
    let kind = judge.unfit_kind().map(|why| format!("{:?}: {why}", judge.kind().name()));
    let model = || judge.unfit_model().map(|why| format!("{:?}: {why}", judge.model));
    let found = Finding::fail("model", kind.or_else(model)?);
    Some(found.hint("`foureyes config check` has the line"))
}

/// Whether the endpoint names the model. Providers rename models overnight.
pub(super) fn model(judge: &JudgeConfig, models: &[String], section: &str) -> Finding {
    let wanted = judge.model.as_str();
    if models.iter().any(|name| is_listed(wanted, name)) {
        return Finding::ok("model", format!("{wanted} is listed"));
    }
    let mut shown: Vec<&str> = models.iter().take(SHOWN).map(String::as_str).collect();
    if models.len() > SHOWN {
        shown.push("…");
    }
    let text = format!("{wanted} is not listed: {}", shown.join(", "));
    Finding::fail("model", text).hint(format!(
        "providers rename models: correct `model` in {section}; an unlisted route may still answer, and `foureyes hook rehearse` shows whether it does"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unlisted_model_is_reported_with_available_ones() {
        let names = |n: usize| (0..n).map(|i| format!("m{i}")).collect::<Vec<_>>();
        let model = |wanted: &str, models: &[String]| {
            model(
                &JudgeConfig { model: wanted.to_owned(), ..JudgeConfig::default() },
                models,
                "[judge]",
            )
        };
        assert_eq!(model("m1", &names(3)).state, State::Ok);
        let renamed = model("m9", &names(3));
        assert_eq!(
            (renamed.state, renamed.text.as_str()),
            (State::Fail, "m9 is not listed: m0, m1, m2")
        );
        assert!(model("x", &names(50)).text.ends_with("m7, …"));
    }
}
