//! What would be asked about a task, of whom and in which order, without asking.

use super::depth;
use super::plain::JUDGED_BEFORE;
use super::request::{unread, unusable};
use crate::cli::judge::explain::{Asked, fields};
use crate::cli::{Failure, output};
use crate::config::Config;
use crate::engine::panel::{Depth, Tier};
use crate::judging::configured;
use crate::judging::task::{Judges, Task};
use crate::task::{self, Logs, Origin, Preview, Unusable, Wish};
use crate::text::short_hash;
use std::sync::Arc;

/// Prints what the log knows of a task, which judges would be asked, and every word of their questions.
/// Commands for keys are not run.
pub(super) fn print(
    config: &Config,
    task: &Task,
    wish: Wish,
    logs: Logs<'_>,
) -> Result<(), Failure> {
    let judge = |tier| {
        let judge = configured::tier(config, tier, None, None).map(Arc::new);
        judge.map_err(|error| unusable((tier, Unusable::Judge(error))))
    };
    let [quick, deep, tiebreaker] = Tier::ALL;
    let judges = Judges([judge(quick)?, judge(deep)?, judge(tiebreaker)?]);
    let preview = task::preview(config, &judges, task, wish, logs).map_err(unread)?;
    let mut out = String::new();
    fields(&mut out, run(config, task, &preview));
    if let Some(depth) = depth::without_effect(config, wish, &preview.outcome) {
        fields(&mut out, [("depth asked for", depth.sentence())]);
    }
    let item = task.item();
    for tier in Tier::ALL {
        let Some(order) = order(tier, preview.outcome.depth) else { continue };
        let (named, own) = config.judge_of(tier);
        let judge = judges.get(tier).as_ref();
        let cap = task::spend_cap(config);
        let asked = Asked { config: &own, prompt: named.prompt.as_deref(), judge, cap };
        out.push('\n');
        fields(&mut out, [("judge", format!("{}, {order}", tier.name()))]);
        fields(&mut out, asked.who());
        let seconds = own.timeout.as_secs();
        fields(&mut out, [("judge version", short_hash(&judge.judge_sha()).to_owned())]);
        fields(&mut out, [("time", format!("{seconds} s"))]);
        asked.question(&mut out, &item);
    }
    output::print(out)
}

/// When a judge is asked; `None` of one that never is.
fn order(tier: Tier, depth: Depth) -> Option<&'static str> {
    Some(match (tier, depth) {
        (Tier::Quick, Depth::Quick) => "asked alone",
        (Tier::Deep | Tier::Tiebreaker, Depth::Quick) => return None,
        (Tier::Quick, Depth::Sequential) => "asked first",
        (Tier::Deep, Depth::Sequential) => "asked if quick neither accepts nor rejects",
        (Tier::Tiebreaker, Depth::Sequential) => return None,
        (Tier::Quick | Tier::Deep, Depth::Panel) => "asked at once",
        (Tier::Tiebreaker, Depth::Panel) => {
            "asked if quick and deep differ; it is also shown their verdicts"
        }
    })
}

/// What is known before anybody is asked.
fn run(config: &Config, task: &Task, preview: &Preview) -> Vec<(&'static str, String)> {
    let (outcome, settings) = (&preview.outcome, &config.task);
    let acceptance = task.acceptance.as_ref();
    let acceptance = acceptance.map_or("none".to_owned(), |text| format!("{} bytes", text.len()));
    let cost = task::spend_cap(config).map_or(String::new(), |cap| format!(", cost {cap}"));
    let (seconds, calls) = (settings.budget.as_secs(), settings.max_calls);
    let (used, left) = (outcome.tries, outcome.tries_left(settings.tries));
    let mut lines = vec![
        ("task", task.id.clone()),
        ("description", format!("{} bytes", task.description.len())),
        ("acceptance", acceptance),
        ("run", format!("version {}", short_hash(&preview.run_sha))),
        ("depth", outcome.depth.name().to_owned()),
        ("limits", format!("{seconds} s, {calls} requests{cost}")),
        ("tries", format!("{used} used, {left} left")),
        ("log", outcome.log.display().to_string()),
    ];
    lines.extend(outcome.sensitive.clone().map(|word| ("sensitive", word)));
    lines.push(("decision", decision(config, preview)));
    lines
}

/// What it would come to without asking, or that judges would be asked.
fn decision(config: &Config, preview: &Preview) -> String {
    let outcome = &preview.outcome;
    if preview.is_asked {
        return "none yet: the judges below would be asked".to_owned();
    }
    let word = config.task.vocabulary.kind().word(outcome.decision.verdict);
    let from = match &outcome.origin {
        Origin::Now => "by the rules".to_owned(),
        Origin::Log(_) => format!("from the log, since {JUDGED_BEFORE}"),
        Origin::Person(_) => "by a person".to_owned(),
    };
    let why = outcome.explanation.as_ref().map_or(String::new(), |why| format!(" ({why})"));
    format!("{word}, {from}{why}: nobody would be asked")
}
