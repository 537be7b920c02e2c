//! Who judges: prompt, rubric, key, and four eyes.

use super::check::{Check, Part};
use super::tasks;
use crate::cli::hook::check::commits as check_commits;
use crate::config::{Config, JudgeConfig, Loaded};
use crate::domain::chain;
use crate::engine::cost::Refused;
use crate::engine::four_eyes::Families;
use crate::hook::check::{Finding, State};
use crate::hook::judge_findings::four_eyes;
use crate::judging::configured;

/// Checks what the configuration says of the judge; nothing, where it says nothing.
pub(super) fn checks(config: &Config) -> Vec<Check> {
    if config.judge == JudgeConfig::default() && config.families == Families::default() {
        return Vec::new();
    }
    let judge = &config.judge;
    let files = configured::rubric(judge.rubric.as_deref())
        .and_then(|rubric| Ok(configured::template(judge.prompt.as_deref())?.prompt_sha(&rubric)));
    let mut checks = vec![match files {
        Ok(sha) => {
            let question = crate::text::short_hash(&sha);
            let text = format!(
                "{}; prompt and rubric are valid, question {question}. Changing it re-judges content and requires a new window",
                judge.model
            );
            Check::ok("judge", text)
        }
        Err(error) => Check::fail("judge", chain(&error), Part::Configuration)
            .advise("docs/judging.md describes prompts and rubrics"),
    }];
    if judge.needs_key() && judge.key_command.is_none() {
        checks.push(match judge.key_variable() {
            Some(_) => Check::ok("judge key", format!("{} is set", judge.key_name())),
            None => Check::warn("judge key", format!("{} is not set", judge.key_name()))
                .advise("set it where judging runs, or configure `key_command`"),
        });
    }
    if let Some(proxy) = configured::proxy(judge) {
        let text = format!("{} is asked through {proxy}", judge.address());
        checks.push(Check::ok("judge proxy", text));
    }
    if let Ok(judge) = configured::judge(config, None, None) {
        checks.extend(four_eyes(&judge, &config.agents).into_iter().map(tasks::check));
    }
    checks.extend(money(config));
    checks
}

/// The judges that cannot be asked as they are configured.
pub(super) fn unfit(loaded: &Loaded) -> Vec<Check> {
    let all = loaded.unfit_judges().into_iter().map(|one| {
        let (name, text) = ("configuration", one.to_string());
        match one.may_be_unasked {
            true => Check::warn(name, text),
            false => Check::fail(name, text, Part::Configuration),
        }
    });
    let advice = "correct its section; docs/providers.md has the names of models";
    all.map(|check| check.advise(advice)).collect()
}

/// Whether the hook would find anything to judge in the clones that are configured.
pub(super) fn commits(config: &Config) -> Vec<Check> {
    let clones: Vec<_> = config.repositories.iter().map(|r| r.path.clone()).collect();
    let check = |finding: Finding| match (finding.state, finding.hint) {
        (State::Ok, _) => Check::ok("agents", finding.text),
        (_, hint) => Check::warn("agents", finding.text).advise(hint.unwrap_or_default()),
    };
    check_commits(config, &clones).into_iter().map(check).collect()
}

/// A spend cap under which nothing can be asked.
fn money(config: &Config) -> Option<Check> {
    let cap = config.judge.spend_cap?;
    let judge = configured::judge(config, None, None).ok()?;
    let refused = judge.never_under(cap)?;
    let text = format!("{}, {}: nothing is judged", judge.model, refused.words());
    let advice = match refused {
        Refused::NoPrice => "add its price to [prices], or remove `spend_cap` from [judge]",
        Refused::Cap => {
            "`foureyes judge FILE --explain` shows what a call can cost; raise `spend_cap`"
        }
    };
    Some(Check::fail("spend cap", text, Part::Configuration).advise(advice))
}

#[cfg(test)]
mod tests {
    use super::super::check::State;
    use super::*;
    use crate::engine::cost::{Price, Prices};
    use crate::engine::four_eyes::{ModelFamily, Rule};

    fn with(model: &str) -> Config {
        let mut config = Config::default();
        config.judge.model = model.to_owned();
        config.judge.key_command = Some("true".to_owned());
        let family = |name: &str, authors: &[String]| ModelFamily {
            name: name.to_owned(),
            authors: authors.to_vec(),
            models: vec![format!("{name}-*")],
        };
        config.families = Families(vec![family("north", &config.agents), family("south", &[])]);
        config
    }

    fn states(checks: &[Check]) -> Vec<(&str, State)> {
        checks.iter().map(|check| (check.name.as_ref(), check.state)).collect()
    }

    #[test]
    fn four_eyes_is_decided_for_each_agent() {
        assert_eq!(
            states(&checks(&with("south-1"))),
            [("judge", State::Ok), ("four eyes", State::Ok)]
        );
        assert_eq!(states(&checks(&with("north-1")))[1], ("four eyes", State::Fail));
        assert_eq!(states(&checks(&with("fastest")))[1], ("four eyes", State::Warn));
        let mut lenient = with("north-1");
        lenient.judge.four_eyes = Rule::Caveat;
        assert_eq!(states(&checks(&lenient))[1], ("four eyes", State::Warn));
    }

    #[test]
    fn spend_cap_below_one_call_fails() {
        let mut config = with("south-1");
        config.judge.spend_cap = Some(0.2);
        assert_eq!(states(&checks(&config)).last(), Some(&("spend cap", State::Fail)));
        let price = |completion| Price { model: "*".to_owned(), prompt: 0.0, completion };
        config.prices = Prices(vec![price(100.0)]);
        assert_eq!(
            states(&checks(&config)).last(),
            Some(&("spend cap", State::Fail)),
            "three answers"
        );
        config.prices = Prices(vec![price(1.0)]);
        assert_eq!(states(&checks(&config)).len(), 2);
        // What is free may be asked under any cap.
        (config.prices, config.judge.spend_cap) = (Prices(vec![price(0.0)]), Some(0.0));
        assert_eq!(states(&checks(&config)).len(), 2);
    }

    #[test]
    fn missing_judge_section_skips_judge_checks() {
        assert_eq!(states(&checks(&Config::default())), []);
    }

    #[test]
    fn a_prompt_that_cannot_be_used_fails() {
        let mut config = with("south-1");
        config.judge.prompt = Some("/nonexistent/prompt.md".into());
        assert_eq!(states(&checks(&config))[0], ("judge", State::Fail));
    }
}
