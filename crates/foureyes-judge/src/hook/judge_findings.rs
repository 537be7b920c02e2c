//! What is found of a judge before it is asked: four eyes, and what to do where it does not answer.

use super::check::Finding;
use crate::config::{JudgeConfig, JudgeKind};
use crate::engine::four_eyes::Decision;
use crate::engine::verdict::Verdict;
use crate::judging::Judge;
use crate::provider::opencode::ABSENT;
use crate::provider::{Failure, FailureKind};

/// The section of the judge of pushes.
pub const PUSHES: &str = "[judge]";

/// Whether a judge is asked about what the agents write.
pub fn four_eyes<V: Verdict>(judge: &Judge<V>, agents: &[String]) -> Vec<Finding> {
    let name = "four eyes";
    let one = |agent: &String| {
        let decision = judge.four_eyes([agent.as_str()], None);
        let text = format!("{agent} and {}: {decision}", judge.model);
        let hint = match decision {
            Decision::Apart { .. } => return Finding::ok(name, text),
            Decision::Same { .. } => "choose a model of another family",
            Decision::Unknown { .. } => {
                "name author and model in a [[family]]; of a route the model that serves decides"
            }
        };
        let found = match judge.unasked_for([agent.as_str()]) {
            Some(_) => Finding::fail(name, text + ", so it is refused"),
            None => Finding::warn(name, text),
        };
        found.hint(hint)
    };
    agents.iter().map(one).collect()
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
