//! Who judges, and by what: key, prompt, rubric, four eyes.

use super::names;
use crate::config::Config;
use crate::domain::chain;
use crate::engine::cost::Refused;
use crate::engine::four_eyes::{Decision, Rule};
use crate::hook::check::Finding;
use crate::judging::configured;
use crate::provider::key;
use secrecy::SecretString;

/// What to do about a key that this environment does not have.
const HIDDEN: &str = "non-interactive shells do not read .bashrc: set it for every process of this user (docs/install.md), or set `key_command` in [judge]";

/// What was found.
pub(super) struct Looked {
    pub(super) checks: Vec<Finding>,
    pub(super) key: Option<SecretString>,
    /// Hash of template, rubric and the words of the program together.
    pub(super) prompt_sha: Option<String>,
}

pub(super) fn look(config: &Config) -> Looked {
    let (found, key) = key(config);
    let mut checks = vec![found];
    let (found, prompt_sha) = prompt(config);
    checks.push(found);
    checks.extend(four_eyes(config));
    checks.extend(money(config));
    Looked { checks, key, prompt_sha }
}

/// The key: whether there is one, and never what it is.
fn key(config: &Config) -> (Finding, Option<SecretString>) {
    let name = "key";
    if !config.judge.needs_key() {
        return (Finding::ok(name, "not needed: answers come from a file"), None);
    }
    let from = match &config.judge.key_command {
        Some(_) => "`key_command` prints one".to_owned(),
        None => format!("{} is set", config.judge.key_env),
    };
    let fail = |why: String| {
        let hint = match config.judge.key_command {
            Some(_) => "run `key_command` by hand, as this user and without a terminal",
            None => HIDDEN,
        };
        (Finding::fail(name, format!("{why}; nothing is judged")).hint(hint), None)
    };
    match configured::key(&config.judge) {
        Ok(Some(key)) => (Finding::ok(name, from), Some(key)),
        Ok(None) => fail(unset(config)),
        // A variable with nothing but blanks says as much as none.
        Err(key::Error::Empty) if config.judge.key_command.is_none() => fail(unset(config)),
        Err(error) => fail(chain(&error)),
    }
}

fn unset(config: &Config) -> String {
    format!("{} is not set in this environment", config.judge.key_env)
}

/// Template and rubric: whether they can be used, and which they are.
fn prompt(config: &Config) -> (Finding, Option<String>) {
    let name = "prompt";
    let judge = &config.judge;
    let template = configured::template(judge.prompt.as_deref());
    let rubric = configured::rubric(judge.rubric.as_deref());
    match (template, rubric) {
        (Ok(template), Ok(rubric)) => {
            let whose = |path: &Option<_>| if path.is_some() { "own" } else { "built in" };
            let sha = template.prompt_sha(&rubric);
            let text = format!(
                "prompt {} ({}), rubric {} ({}), together {}",
                short(&template.sha()),
                whose(&judge.prompt),
                short(&rubric.hash()),
                whose(&judge.rubric),
                short(&sha),
            );
            (Finding::ok(name, text), Some(sha))
        }
        (Err(error), _) | (_, Err(error)) => {
            let hint = "correct `prompt` and `rubric` in [judge]";
            (Finding::fail(name, chain(&error)).hint(hint), None)
        }
    }
}

/// Whether a spend cap lets anything be judged.
fn money(config: &Config) -> Option<Finding> {
    let name = "spend cap";
    let cap = config.judge.spend_cap?;
    // What is wrong with prompt, rubric or script is told as that.
    let judge = configured::judge(config, None, None).ok()?;
    let least = judge.least().unwrap_or_default();
    let may = format!("even a request without content can cost {least:.4} with all its calls");
    Some(match judge.never_under(cap) {
        None => Finding::ok(name, format!("at most {cap} a push; {may}")),
        Some(refused @ Refused::NoPrice) => {
            let text = format!("{} ({}): nothing is judged", refused.words(), judge.model);
            Finding::fail(name, text)
                .hint("add its price to [prices], or remove `spend_cap` from [judge]")
        }
        Some(Refused::Cap) => {
            let text = format!("{may}, and `spend_cap` is {cap}: nothing is judged");
            Finding::fail(name, text).hint("raise `spend_cap`, or lower `max_tokens` in [judge]; calls are priced at the highest of [prices], unless `routes = false` rules out other models")
        }
    })
}

fn short(hash: &str) -> &str {
    hash.get(..12).unwrap_or(hash)
}

/// Whether the judge may judge what the agents write.
fn four_eyes(config: &Config) -> Vec<Finding> {
    let name = "four eyes";
    let (model, agents) = names(config);
    let families = "group authors and models in [[family]]";
    let of = |agent: &String| {
        let decision = config.families.decide(Some(agent), model);
        let text = format!("{agent} and {model}: {decision}");
        match (&decision, config.judge.four_eyes) {
            (Decision::Apart { .. }, _) => Finding::ok(name, text),
            (Decision::Same { .. }, Rule::Refuse) => {
                Finding::fail(name, text + ", so it is refused")
                    .hint("choose a model of another family: `model` in [judge]")
            }
            (Decision::Same { .. }, Rule::Caveat) => Finding::warn(name, text)
                .hint("choose a model of another family: `model` in [judge]"),
            (Decision::Unknown { .. }, _) => Finding::warn(name, text).hint(families),
        }
    };
    agents.iter().map(of).collect()
}
