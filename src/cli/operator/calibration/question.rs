//! What is asked of logs and ledgers, and the form of the answer.

use crate::assess::{self, Ask, AssessError, Evaluations, completeness};
use crate::calibration::Policy;
use crate::cli::operator::family::OfFamily;
use crate::cli::operator::reading::{self, Fleet, From, Plain, Trouble};
use crate::cli::operator::{ledger, look, readiness};
use crate::cli::{Context, Failure, output};
use crate::collect::Collected;
use crate::domain::review::Present;
use crate::page::{self, Page};
use crate::report::json;
use crate::store::cache::Archive;
use serde::Serialize;
use std::path::PathBuf;

/// Which logs, under which rules, and the form of the answer
#[derive(Debug, clap::Args)]
pub(super) struct Common {
    /// Use this policy file for this run instead of the policy in the ledger
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
    #[command(flatten)]
    pub(super) form: Form,
}

/// Which logs, and the form of the answer
#[derive(Debug, clap::Args)]
pub(super) struct Form {
    #[command(flatten)]
    pub(super) family: OfFamily,
    #[command(flatten)]
    from: From,
    #[command(flatten)]
    fleet: Fleet,
    /// Print one JSON document
    #[arg(long, group = "format")]
    json: bool,
    #[command(flatten)]
    plain: Plain,
}

/// What a question is asked of.
pub(super) struct Seen<'a> {
    pub(super) archive: &'a Archive,
    pub(super) all: &'a Evaluations,
    pub(super) present: &'a Present,
    pub(super) ask: Ask<'a>,
}

impl Seen<'_> {
    /// The confidence of the policy in force.
    pub(super) fn confidence(&self) -> f64 {
        assess::Rules::new(self.all, self.present, &self.ask).policy.confidence
    }
}

impl Common {
    /// Asks the logs and ledgers. Evaluations are `folded` where few are needed one by one.
    pub(super) fn asked<T>(
        &self,
        context: &Context,
        folded: bool,
        question: impl Fn(&Seen<'_>) -> Result<T, Trouble>,
    ) -> Result<T, Failure> {
        let family = self.form.family.kind();
        let read = |path| readiness::read_policy(path, family);
        let policy: Option<(String, Policy)> = self.policy.as_deref().map(read).transpose()?;
        let collected = reading::collect_from(context, &self.form.from, self.form.fleet)?;
        let mut ledgers = reading::ledgers(context, &collected)?;
        ledger::warn_unsound(&ledgers, context.now);
        let present = ledgers.present(context.now);
        let (complete_until, missing_boxes) = completeness(&collected.boxes, context.now);
        let held = readiness::held(context, family, (&self.form.from, self.form.fleet), &present)?;
        let ask = Ask {
            policy: policy.as_ref().map(|(name, policy)| (name.as_str(), policy)),
            held: &held,
            ..Ask::new(family, context.now, complete_until, &missing_boxes)
        };
        let load = |archive: &Archive| match folded {
            true => Evaluations::folded(archive, &present, &ask),
            false => Evaluations::load(archive, family, &|| false),
        };
        let answer = self.form.ask(context, &collected, load, |archive, all| {
            let gone = &assess::gone(archive, all, &present, context.now)?;
            let ask = Ask { gone, ..ask };
            question(&Seen { archive, all, present: &present, ask })
        })?;
        look::record(context, &mut ledgers, &present, family, "calibration");
        Ok(answer)
    }
}

impl Form {
    /// Asks the logs alone.
    pub(super) fn read<T>(
        &self,
        context: &Context,
        question: impl Fn(&Archive, &Evaluations) -> Result<T, Trouble>,
    ) -> Result<T, Failure> {
        let collected = reading::collect_from(context, &self.from, self.fleet)?;
        let load = |archive: &Archive| Evaluations::load(archive, self.family.kind(), &|| false);
        self.ask(context, &collected, load, question)
    }

    fn ask<T>(
        &self,
        context: &Context,
        collected: &Collected,
        load: impl Fn(&Archive) -> Result<Option<Evaluations>, AssessError>,
        question: impl Fn(&Archive, &Evaluations) -> Result<T, Trouble>,
    ) -> Result<T, Failure> {
        reading::warn_stale(collected);
        reading::ask(context, collected, |archive| {
            let cancelled = || Failure::local("the question was cancelled");
            let all = load(archive)?.ok_or_else(cancelled)?;
            question(archive, &all)
        })
    }

    /// Prints a document in the form that was asked for.
    pub(super) fn print(
        &self,
        context: &Context,
        document: &impl Serialize,
        page: impl Fn() -> Page,
    ) -> Result<(), Failure> {
        if self.json {
            return output::to_stdout(|out| json::value(out, document, false));
        }
        let options = reading::options(context).page();
        output::to_stdout(|out| page::write::plain(out, &page(), &options))
    }
}
