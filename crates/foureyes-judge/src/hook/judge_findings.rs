//! What is found of a judge before it is asked: four eyes, and what to do where it does not answer.

use super::check::Finding;
use crate::config::{JudgeConfig, JudgeKind};
use crate::engine::four_eyes::{Decision, Rule};
use crate::engine::verdict::Verdict;
use crate::instruments::Capability;
use crate::judging::Judge;
use crate::provider::opencode::ABSENT;
use crate::provider::{Failure, FailureKind};

/// The section of the judge of pushes.
pub const PUSHES: &str = "[judge]";

/// Whether a judge is asked about what the agents write. Without agents nobody is the author of a task that names
/// none.
pub fn four_eyes<V: Verdict>(judge: &Judge<V>, agents: &[String]) -> Vec<Finding> {
    let is_of_nobody = agents.is_empty()
        && judge.settings.four_eyes == Rule::Require
        && judge.judgement_kind().has(Capability::Question);
    let nobody = is_of_nobody.then(|| of_author(judge, None));
    agents.iter().map(|agent| of_author(judge, Some(agent))).chain(nobody).collect()
}

fn of_author<V: Verdict>(judge: &Judge<V>, author: Option<&str>) -> Finding {
    let name = "four eyes";
    let decision = judge.four_eyes(author, None);
    let text = format!("{} and {}: {decision}", author.unwrap_or("no author"), judge.model);
    let hint = match &decision {
        Decision::Apart { .. } => return Finding::ok(name, text),
        Decision::Same { .. } => "choose a model of another family",
        Decision::Unknown { .. } if author.is_none() => {
            "name the agents in `agents`, or give each task an author: `--author`"
        }
        Decision::Unknown { author: true, judge: true } => {
            "add the author and the model to a [[family]] each"
        }
        Decision::Unknown { author: true, .. } => "add the author to a [[family]]",
        Decision::Unknown { .. } if judge.settings.four_eyes == Rule::Require => {
            "add the model to a [[family]], or choose one whose family is known"
        }
        Decision::Unknown { .. } => {
            "add the model to a [[family]]; for a route, the model that answers decides"
        }
    };
    let found = match judge.unasked_for(author) {
        Some(_) => Finding::fail(name, text + ", so it is refused"),
        None => Finding::warn(name, text),
    };
    found.hint(hint)
}

/// What to do about a judge that gave no list of models, as its kind has it. `section` is the part
/// of the configuration that the judge is from.
pub fn remedy(judge: &JudgeConfig, failure: &Failure, section: &str) -> String {
    use FailureKind::{
        InvalidAnswer, RateLimited, ServerError, Timeout, Unauthorized, Unavailable,
    };
    let until = match section {
        PUSHES => "until then pushes go through unjudged",
        _ => "until then a person decides about each task",
    };
    match (judge.kind(), failure.kind) {
        (JudgeKind::Opencode, Unavailable) if failure.what.starts_with(ABSENT) => {
            format!("install opencode, or set `program` in {section}; {until}")
        }
        (JudgeKind::Opencode, Unavailable | Timeout | ServerError | InvalidAnswer)
            if judge.opencode_endpoint().is_none() =>
        {
            let program = judge.program().display();
            format!(
                "run `{program} models` by hand, as this user, or correct `program` in {section}"
            )
        }
        (JudgeKind::Service, Unavailable) => {
            format!("start `foureyes serve` there, or correct `endpoint` in {section}; {until}")
        }
        (JudgeKind::Service, Unauthorized) => {
            "the token was rejected: `foureyes serve token add` on the service makes another"
                .to_owned()
        }
        (JudgeKind::Service, RateLimited) => {
            "the client has used up its calls: wait, or raise them on the service".to_owned()
        }
        (JudgeKind::Service, ServerError | InvalidAnswer) => {
            format!("`endpoint` in {section} must be the address of `foureyes serve`")
        }
        (JudgeKind::Anthropic, Unavailable) if judge.endpoint.is_none() => {
            format!("check the network, and the proxy in front of it; {until}")
        }
        (_, Unavailable) => {
            format!("start it, or correct `endpoint` in {section}; {until}")
        }
        (_, Timeout) => "it is slow or hangs: restart it, or the proxy in front of it".to_owned(),
        (_, Unauthorized) => "the key was rejected: check its value".to_owned(),
        (_, RateLimited) => "check the account's balance".to_owned(),
        (_, ServerError | InvalidAnswer) => format!(
            "`endpoint` in {section} must answer GET /v1/models with a list of models, or with 404"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The advice that a judge of this kind gets for such a failure.
    fn advice(kind: JudgeKind, failure: FailureKind, what: &str) -> String {
        let judge = JudgeConfig { kind: Some(kind), ..JudgeConfig::default() };
        remedy(&judge, &Failure::new(failure, what), "[judges.deep] or [judge]")
    }

    #[test]
    fn advice_on_four_eyes_fits_the_rule_and_the_missing_side() {
        use crate::config::Config;
        use crate::engine::panel::Tier;
        use crate::judging::configured;
        let mut config = Config::default();
        config.judge.kind = Some(JudgeKind::Chat);
        let mut found = |rule: Rule, model: &str, agents: &[&str]| {
            (config.judge.four_eyes, config.judge.model) = (rule, model.to_owned());
            let agents: Vec<_> = agents.iter().map(|one| (*one).to_owned()).collect();
            let task = configured::tier(&config, Tier::Quick, None, None).unwrap();
            let push = configured::judge(&config, None, None).unwrap();
            let hint = |finding: Finding| finding.hint.unwrap_or_default();
            let hints = |all: Vec<Finding>| all.into_iter().map(hint).collect::<Vec<_>>();
            (hints(four_eyes(&task, &agents)), four_eyes(&push, &agents).len())
        };
        let known = "gpt-5";
        for (rule, model, agents, expected) in [
            (Rule::Require, known, &["Anna"][..], "add the author to a [[family]]"),
            (
                Rule::Require,
                "fastest",
                &["Anna"],
                "add the author and the model to a [[family]] each",
            ),
            (Rule::Refuse, "fastest", &["Claude"], "the model that answers decides"),
            (Rule::Require, "fastest", &["Claude"], "choose one whose family is known"),
            (Rule::Require, known, &[], "`--author`"),
        ] {
            let (hints, _) = found(rule, model, agents);
            assert!(hints.len() == 1 && hints[0].contains(expected), "{hints:?} {expected}");
        }
        assert_eq!(found(Rule::Refuse, known, &[]), (Vec::new(), 0));
        // A push has the author of its commits.
        assert_eq!(found(Rule::Require, known, &[]).1, 0);
    }

    #[test]
    fn remedy_fits_the_kind_of_the_judge() {
        let absent = format!("{ABSENT}: opencode is not in PATH (/bin)");
        let text = advice(JudgeKind::Opencode, FailureKind::Unavailable, &absent);
        assert!(text.starts_with("install opencode, or set `program` in [judges.deep]"), "{text}");
        let all = [
            FailureKind::Timeout,
            FailureKind::Unavailable,
            FailureKind::ServerError,
            FailureKind::InvalidAnswer,
        ];
        for failure in all {
            let text = advice(JudgeKind::Opencode, failure, "it broke");
            assert!(text.contains("opencode models") && !text.contains("endpoint"), "{text}");
            let text = advice(JudgeKind::Service, failure, "it broke");
            assert!(!text.contains("/v1/models") && !text.contains("opencode"), "{text}");
            let text = advice(JudgeKind::Chat, failure, "it broke");
            assert!(!text.contains("opencode") && !text.contains("serve"), "{text}");
        }
        let text = advice(JudgeKind::Anthropic, FailureKind::Unavailable, "no route");
        assert!(text.contains("network") && !text.contains("start it"), "{text}");
        let text = advice(JudgeKind::Service, FailureKind::Unauthorized, "401");
        assert!(text.contains("token"), "{text}");
    }
}
