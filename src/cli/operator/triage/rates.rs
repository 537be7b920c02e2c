//! The error rates of triage.

use super::Args;
use crate::assess::{self, Assessment, Evaluations, Modes};
use crate::cli::Context;
use crate::cli::operator::reading::Trouble;
use crate::cli::operator::{look, readiness};
use crate::collect::Collected;
use crate::domain::review::{Present, Reviews};
use crate::domain::{JudgementKind, PeerKpi, Timestamp, Triage, Window};
use crate::peer;
use crate::store::cache::Archive;
use crate::store::ledger::Ledger;
use std::cell::OnceCell;

/// The evaluations of pushes, once they were needed.
pub(super) type Pushes = OnceCell<Evaluations>;

/// What is asked of logs and ledgers.
#[derive(Clone, Copy)]
pub(super) struct Question<'a> {
    pub(super) context: &'a Context,
    pub(super) args: &'a Args,
    pub(super) collected: &'a Collected,
    pub(super) archive: &'a Archive,
    pub(super) present: &'a Present,
    pub(super) pushes: &'a Pushes,
}

impl<'a> Question<'a> {
    /// The assessment that error rates of pushes are shown from, and what to watch while pushes are
    /// blocked; `None` before there are labels, unless pushes are blocked.
    pub(super) fn pushes(self) -> Result<Option<(Assessment, Modes)>, Trouble> {
        let modes = Modes::new(self.present, self.context.now);
        if self.present.labels.is_empty() && !modes.is_any_blocking() {
            return Ok(None);
        }
        Ok(self.assess(JudgementKind::DEFAULT)?.map(|assessment| (assessment, modes)))
    }

    /// Puts into a document the error rates of its other families, where there are labels, and what peer
    /// reviews say of its window.
    pub(super) fn others(self, ledgers: &mut Ledger, document: &mut Triage) -> Result<(), Trouble> {
        document.peer = self.peer(&ledgers.reviews(self.context.now), document.window)?;
        let families: Vec<JudgementKind> = document.families.iter().map(|of| of.family).collect();
        let modes = Modes::new(self.present, self.context.now);
        for family in families.into_iter().filter(|_| !self.present.labels.is_empty()) {
            if let Some(assessment) = self.assess(family)? {
                self.note(ledgers, family);
                assess::show_family(document, &assessment, &modes);
            }
        }
        Ok(())
    }

    fn has_peers(self) -> bool {
        self.present.runs.iter().any(|run| run.begun.what.peer.is_some())
    }

    /// What peer reviews say of the verdicts of a window; `None` without any.
    fn peer(self, reviews: &Reviews, window: Window) -> Result<Option<PeerKpi>, Trouble> {
        let Self { context, archive, present, .. } = self;
        if !self.has_peers() {
            return Ok(None);
        }
        let Some(all) = self.evaluations()? else { return Ok(None) };
        let families = context.config.families.with_makers();
        let span = (window.from.unwrap_or(Timestamp(i64::MIN)), context.now);
        let found = peer::report(archive, all, (present, reviews), &families, span)?;
        Ok(found.map(|found| found.kpi()))
    }

    /// Notes in the ledger that rates were looked at.
    pub(super) fn note(self, ledgers: &mut Ledger, family: JudgementKind) {
        if !self.args.read_only {
            look::record(self.context, ledgers, self.present, family, "triage");
        }
    }

    fn assess(self, family: JudgementKind) -> Result<Option<Assessment>, Trouble> {
        let Self { context, args, collected, archive, present, .. } = self;
        let (complete_until, missing_boxes) = assess::completeness(&collected.boxes, context.now);
        let held = readiness::held(context, family, (&args.from, args.fleet), present)?;
        let ask = assess::Ask {
            held: &held,
            ..assess::Ask::new(family, context.now, complete_until, &missing_boxes)
        };
        if family != peer::family() || !self.has_peers() {
            return Ok(assess::assess(archive, present, &ask)?);
        }
        let Some(all) = self.evaluations()? else { return Ok(None) };
        let gone = &assess::gone(archive, all, present, ask.now)?;
        let ask = assess::Ask { gone, ..ask };
        Ok(Some(assess::assess_loaded(all, present, &ask)))
    }

    /// The evaluations of pushes: error rates and peer reviews are both of them.
    fn evaluations(self) -> Result<Option<&'a Evaluations>, Trouble> {
        if self.pushes.get().is_none() {
            let loaded = Evaluations::load(self.archive, peer::family(), &|| false)?;
            let Some(loaded) = loaded else { return Ok(None) };
            // It was empty a moment ago, and nobody else can fill it.
            let _ = self.pushes.set(loaded);
        }
        Ok(self.pushes.get())
    }
}
