//! Names that the configuration, the program or files of this machine have.

use crate::assess::{Runbook, runbooks};
use crate::cli::complete::values::{configured, words};
use crate::cli::complete::{Known, Offer};
use crate::cli::operator::console::settings_dir;
use crate::config::reasons as of_labels;
use crate::engine::judgements::RequestKind;
use crate::service::token::{self, Token};
use crate::store::ledger;
use crate::tui::theme::Theme;

/// Ledgers whose names are looked at.
const LEDGERS: usize = 1_000;

pub(super) fn boxes(known: &Known, _: &str) -> Vec<Offer> {
    configured(known, |config| config.boxes.iter().map(|one| Offer::bare(&one.name)).collect())
}

/// The same as places where ledgers are exchanged.
pub(super) fn exchanges(known: &Known, _: &str) -> Vec<Offer> {
    configured(known, |config| {
        config.boxes.iter().map(|one| Offer::bare(format!("box:{}", one.name))).collect()
    })
}

pub(super) fn remote_repositories(known: &Known, _: &str) -> Vec<Offer> {
    configured(known, |config| {
        config
            .repositories
            .iter()
            .filter_map(|one| one.remote_path.as_ref())
            .map(Offer::bare)
            .collect()
    })
}

/// Those of the configuration, and whoever has a ledger here.
pub(super) fn reviewers(known: &Known, _: &str) -> Vec<Offer> {
    let Some(context) = known.context() else { return Vec::new() };
    let own = context.config.reviewer.name.iter().map(|name| Offer::new(name, "you"));
    let shared = context.config.reviewers.keys().map(|name| Offer::new(name, "configured"));
    let ledgers = ledger::reviewers(&context.data, LEDGERS).into_iter();
    own.chain(shared).chain(ledgers.map(|name| Offer::new(name, "has a ledger here"))).collect()
}

pub(super) fn teams(known: &Known, _: &str) -> Vec<Offer> {
    configured(known, |config| config.fleet.teams.keys().map(Offer::bare).collect())
}

pub(super) fn prefixes(known: &Known, _: &str) -> Vec<Offer> {
    configured(known, |config| config.watch.iter().map(Offer::bare).collect())
}

pub(super) fn families(known: &Known, _: &str) -> Vec<Offer> {
    configured(known, |config| {
        config.families.with_makers().0.into_iter().map(|family| Offer::bare(family.name)).collect()
    })
}

/// Reasons of the list that comes with the program, and those of the configuration.
pub(super) fn reasons(known: &Known, _: &str) -> Vec<Offer> {
    let frozen = of_labels::frozen().iter().map(|one| Offer::new(&one.code, &one.meaning));
    let own = configured(known, |config| {
        config.reasons.iter().map(|(code, meaning)| Offer::new(code, meaning)).collect()
    });
    frozen.chain(own).collect()
}

pub(super) fn themes(known: &Known, _: &str) -> Vec<Offer> {
    let dir = known.context().and_then(settings_dir).map(|dir| dir.join("themes"));
    Theme::names(dir.as_deref()).unwrap_or_default().into_iter().map(Offer::bare).collect()
}

pub(super) fn runbooks_by_id(_: &Known, _: &str) -> Vec<Offer> {
    runbooks().iter().map(|one| Offer::new(&one.id, &one.title)).collect()
}

/// The steps of the runbook on the line.
pub(super) fn steps(known: &Known, _: &str) -> Vec<Offer> {
    let is_given = |one: &&Runbook| known.has(&one.id);
    let steps = runbooks().iter().filter(is_given).flat_map(|one| &one.steps);
    steps.map(|step| Offer::new(&step.id, &step.text)).collect()
}

pub(super) fn clients(known: &Known, _: &str) -> Vec<Offer> {
    all_tokens(known).into_iter().map(|token| Offer::bare(token.client)).collect()
}

pub(super) fn tokens(known: &Known, _: &str) -> Vec<Offer> {
    all_tokens(known).iter().map(|token| Offer::new(token.id(), &token.client)).collect()
}

fn all_tokens(known: &Known) -> Vec<Token> {
    let path = known.context().and_then(|context| {
        let home = context.environment.home();
        context.config.serve.tokens_file(home.as_deref())
    });
    path.and_then(|path| token::all(&path).ok()).unwrap_or_default()
}

pub(super) fn kinds(_: &Known, _: &str) -> Vec<Offer> {
    words(RequestKind::ALL.map(RequestKind::as_str))
}

pub(super) fn undetermined(_: &Known, _: &str) -> Vec<Offer> {
    words(["apart", "passes", "blocks"])
}

pub(super) fn clusters(_: &Known, _: &str) -> Vec<Offer> {
    words(["none", "day", "agent_day"])
}
