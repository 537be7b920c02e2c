//! `foureyes gate window` without a day: the window over all that the judge in use ever judged.

use super::{Args, Context, Document, Failure, ended, ledger};
use crate::assess::{self, Begun, NaturalOffer};
use crate::cli::operator::reading;
use crate::domain::JudgementKind;
use crate::domain::review::{Act, Draw, Present, WindowAddition};
use crate::store::ledger::{Ledger, fresh_id, fresh_seed};
use std::process::ExitCode;

/// Begins the window, or draws the rest of what was judged before the one that runs.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    let ledgers = Ledger::load(&context.data).map_err(ledger::failure)?;
    let present = ledgers.present(context.now);
    let running = assess::natural_window(&present, args.family.kind(), context.now);
    match (running, args.draw) {
        (Some(begun), Some(Draw::All)) if !args.from_first => raise(context, args, ledgers, &begun),
        (running, _) => begin(context, args, ledgers, &present, running.as_ref()),
    }
}

fn begin(
    context: &Context,
    args: &Args,
    mut ledgers: Ledger,
    present: &Present,
    running: Option<&Begun>,
) -> Result<ExitCode, Failure> {
    let reviewer = ledger::reviewer(context, args.reviewer.as_deref())?;
    let family = args.family.kind();
    let offer = offer(context, args, present)?;
    let judge = |begun: &&Begun| Some(&begun.start.version) == offer.judge();
    if let Some(begun) = running.filter(judge) {
        let option = family.option();
        let from = begun.from.day_text();
        let text = format!("the window of this judge from {from} on runs already");
        let raise = format!(
            "to draw all of what was judged before: `foureyes gate window --draw all{option}`"
        );
        return Err(Failure::usage(text).hint(raise));
    }
    let draw = args.draw.unwrap_or_default();
    let act = Act::Window(offer.entry(draw, fresh_seed().map_err(ledger::failure)?));
    let saved = ledgers.append(&reviewer, fresh_id(context.now), context.now, &act);
    let saved = saved.map_err(ledger::failure)?;
    let mut document = Document::new(&reviewer, context.now, &act, &saved);
    if let Some(window) = assess::window_in_force(present, family, context.now) {
        document = document.with_caveat("window_ended", ended(window.what.from));
    }
    document = document.with_caveat("natural_start", offer.summary(draw));
    let policy = assess::policy_in_force(present, family, context.now).0;
    for price in offer.prices(&policy) {
        document = document.with_caveat("price", price.sentence());
    }
    ledger::print(context, &document, args.json)
}

/// What a window over the logs of the run would be.
fn offer(context: &Context, args: &Args, present: &Present) -> Result<NaturalOffer, Failure> {
    let family = args.family.kind();
    let offer = reading::natural_offer(context, &args.from, family, present)?;
    offer.ok_or_else(|| {
        let option = family.option();
        Failure::usage(format!(
            "no {} by a judge is here yet",
            family.instrument().wording.singular
        ))
        .hint("fetch the logs first: `foureyes pull`")
        .hint(format!("a window may also begin on a day: `foureyes gate window DATE{option}`"))
    })
}

fn raise(
    context: &Context,
    args: &Args,
    mut ledgers: Ledger,
    begun: &Begun,
) -> Result<ExitCode, Failure> {
    let reviewer = ledger::reviewer(context, args.reviewer.as_deref())?;
    let family: JudgementKind = args.family.kind();
    if begun.backlog_rate() >= 1.0 {
        return Err(Failure::usage("all of what was judged before is drawn already"));
    }
    let act = Act::WindowAddition(WindowAddition::all(family, begun.entry));
    let saved = ledgers.append(&reviewer, fresh_id(context.now), context.now, &act);
    let saved = saved.map_err(ledger::failure)?;
    ledger::print(context, &Document::new(&reviewer, context.now, &act, &saved), args.json)
}
