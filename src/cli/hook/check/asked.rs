//! Who judges, and by what: key, prompt, rubric, four eyes.

use crate::config::{Config, JudgeConfig, JudgeKind};
use crate::domain::chain;
use crate::engine::cost::Refused;
use crate::engine::verdict::Verdict;
use crate::hook::check::Finding;
use crate::hook::judge_findings::{PUSHES, four_eyes};
use crate::judging::{Judge, configured};
use crate::provider::key;
use crate::text::short_hash as short;
use secrecy::SecretString;

/// What to do about a key that this environment does not have.
const HIDDEN: &str = "non-interactive shells do not read .bashrc: set it for every process of this user (docs/box.md#provide-the-api-key)";

/// What was found.
pub(super) struct Looked {
    pub(super) checks: Vec<Finding>,
    pub(super) key: Option<SecretString>,
    /// Hash of template, rubric and the words of the program together.
    pub(super) prompt_sha: Option<String>,
}

pub(super) fn check(config: &Config) -> Looked {
    let (found, key) = key(&config.judge, PUSHES);
    let mut checks = vec![found];
    let (found, prompt_sha) = prompt(config);
    checks.push(found);
    // What is wrong with prompt, rubric or script is told as that.
    let judge = configured::judge(config, None, None).ok();
    checks.extend(judge.iter().flat_map(|judge| four_eyes(judge, &config.agents)));
    let cap = config.judge.spend_cap;
    checks.extend(judge.zip(cap).map(|(judge, cap)| money(&judge, cap, "push")));
    Looked { checks, key, prompt_sha }
}

/// The key: whether there is one, and never what it is.
pub(super) fn key(judge: &JudgeConfig, section: &str) -> (Finding, Option<SecretString>) {
    let name = "key";
    if judge.kind() == JudgeKind::Script {
        return (Finding::ok(name, "not needed: answers come from a file"), None);
    }
    let from = match &judge.key_command {
        Some(_) => "`key_command` prints one".to_owned(),
        None => format!("{} is set", judge.key_name()),
    };
    let fail = |why: String| {
        let hint = match judge.key_command {
            Some(_) => "run `key_command` by hand, as this user and without a terminal".to_owned(),
            None => format!("{HIDDEN}, or set `key_command` in {section}"),
        };
        (Finding::fail(name, format!("{why}; nothing is judged")).hint(hint), None)
    };
    match configured::key(judge) {
        Ok(Some(key)) => (Finding::ok(name, from), Some(key)),
        // Some models need none there.
        Ok(None) if !judge.needs_key() => {
            (Finding::ok(name, format!("{}, which is not required", unset(judge))), None)
        }
        Ok(None) => fail(unset(judge)),
        // A variable with nothing but blanks says as much as none.
        Err(key::Error::Empty) if judge.key_command.is_none() => fail(unset(judge)),
        Err(error) => fail(chain(&error)),
    }
}

fn unset(judge: &JudgeConfig) -> String {
    format!("{} is not set in this environment", judge.key_name())
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

/// Whether a spend cap lets anything be judged; `each` is what it is the cap of.
pub(super) fn money<V: Verdict>(judge: &Judge<V>, cap: f64, each: &str) -> Finding {
    let name = "spend cap";
    let least = judge.least().unwrap_or_default();
    let may = format!("even a request without content can cost {least:.4} with all its calls");
    match judge.never_under(cap) {
        None => Finding::ok(name, format!("at most {cap} a {each}; {may}")),
        Some(refused @ Refused::NoPrice) => {
            let text = format!("{} ({}): nothing is judged", refused.words(), judge.model);
            Finding::fail(name, text).hint("add its price to [prices], or remove `spend_cap`")
        }
        Some(Refused::Cap) => {
            let text = format!("{may}, and `spend_cap` is {cap}: nothing is judged");
            Finding::fail(name, text).hint("raise `spend_cap`, or lower `max_tokens`; calls are priced at the highest of [prices], unless `routes = false` rules out other models")
        }
    }
}
