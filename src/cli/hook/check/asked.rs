//! Who judges, and by what: key, prompt, rubric, four eyes.

use super::{Finding, names};
use crate::config::Config;
use crate::engine::four_eyes::{Decision, Rule};
use crate::engine::prompt::Template;
use crate::engine::rubric::Rubric;
use crate::provider::key;
use secrecy::SecretString;
use std::path::Path;
use std::time::Duration;

/// How long the command for the key may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// What was found.
pub(super) struct Asked {
    pub(super) checks: Vec<Finding>,
    pub(super) key: Option<SecretString>,
}

pub(super) fn look(config: &Config) -> Asked {
    let (found, key) = key(config);
    let mut checks = vec![found];
    checks.push(prompt(config));
    checks.extend(four_eyes(config));
    Asked { checks, key }
}

/// The key: whether there is one, and never what it is.
fn key(config: &Config) -> (Finding, Option<SecretString>) {
    let name = "key";
    if config.judge.script.is_some() {
        return (Finding::ok(name, "answers come from a file: none is needed"), None);
    }
    if let Some(command) = &config.judge.key_command {
        return match key::command(command, PATIENCE) {
            Ok(key) => (Finding::ok(name, "`key_command` prints one"), Some(key)),
            Err(error) => {
                let hint = "run the command by hand, as this user and without a terminal";
                (Finding::fail(name, crate::domain::chain(&error)).hint(hint), None)
            }
        };
    }
    let variable = &config.judge.key_env;
    let value = std::env::var_os(variable).unwrap_or_default();
    match key::given(&value.to_string_lossy()) {
        Ok(key) => (Finding::ok(name, format!("{variable} is set")), Some(key)),
        Err(key::Error::Empty) => {
            let text = format!("{variable} is not set in this environment: nothing is judged");
            let hint = "a shell without a terminal does not read .bashrc: set it where each process of this user sees it (docs/install.md), or use `key_command` in [judge]";
            (Finding::fail(name, text).hint(hint), None)
        }
        Err(error) => {
            let text = format!("{variable}: {}", crate::domain::chain(&error));
            (Finding::fail(name, text).hint("correct its value"), None)
        }
    }
}

/// Template and rubric: whether they can be used, and which they are.
fn prompt(config: &Config) -> Finding {
    let name = "prompt";
    let judge = &config.judge;
    let read = |path: &Path| {
        std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
    };
    let rubric = match &judge.rubric {
        None => Rubric::embedded().map_err(|error| error.to_string()),
        Some(path) => read(path).and_then(|text| {
            Rubric::parse(&text).map_err(|error| format!("{}: {error}", path.display()))
        }),
    };
    let template = match &judge.prompt {
        None => Template::embedded().map_err(|error| error.to_string()),
        Some(path) => read(path).and_then(|text| {
            Template::parse(&text).map_err(|error| format!("{}: {error}", path.display()))
        }),
    };
    match (template, rubric) {
        (Ok(template), Ok(rubric)) => {
            let whose = |path: &Option<_>| if path.is_some() { "own" } else { "built in" };
            let text = format!(
                "prompt {} ({}), rubric {} ({}), together {}",
                short(&template.sha()),
                whose(&judge.prompt),
                short(&rubric.hash()),
                whose(&judge.rubric),
                short(&template.prompt_sha(&rubric)),
            );
            Finding::ok(name, text)
        }
        (Err(error), _) | (_, Err(error)) => {
            Finding::fail(name, error).hint("correct `prompt` and `rubric` in [judge]")
        }
    }
}

fn short(hash: &str) -> &str {
    hash.get(..12).unwrap_or(hash)
}

/// Whether the judge may judge what the agents write.
fn four_eyes(config: &Config) -> Vec<Finding> {
    let name = "four eyes";
    let (model, agents) = names(config);
    let families = "say in [[family]] which authors and models belong together";
    let of = |agent: &String| {
        let decision = config.families.decide(Some(agent), model);
        let text = format!("{agent} and {model}: {decision}");
        match (&decision, config.judge.four_eyes) {
            (Decision::Apart { .. }, _) => Finding::ok(name, text),
            (Decision::Same { .. }, Rule::Refuse) => Finding::fail(name, text + ", so it is refused")
                .hint("ask a model of another family: `model` in [judge]"),
            (Decision::Same { .. }, Rule::Caveat) => {
                Finding::warn(name, text).hint("ask a model of another family: `model` in [judge]")
            }
            (Decision::Unknown { .. }, _) => Finding::warn(name, text).hint(families),
        }
    };
    agents.iter().map(of).collect()
}
