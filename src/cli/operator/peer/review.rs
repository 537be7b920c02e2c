//! `foureyes peer review`.

use super::{Context, Failure, ask, configured, demo, ledger, output, reading};
use crate::assess::Evaluations;
use crate::collect::Collected;
use crate::domain::Record;
use crate::peer::{self, Draw};
use crate::store::cache::{Row, RowError};
use crate::store::ledger::Ledger;
use std::process::ExitCode;

/// So many records are read for each that is asked about.
const SPARE: usize = 4;

/// Ask the peer about verdicts that are drawn and have no review yet
///
/// Draws by the secret key of the audit sample, so that nobody can write content that is not drawn. Every
/// answer is in your ledger before it is printed; `foureyes calibration runs` lists the reviews too. The first ctrl-c
/// waits for the current requests, the second ends them.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Number of UTC days to draw from, counting today
    #[arg(long, value_name = "N", default_value_t = peer::DAYS, value_parser = clap::value_parser!(u32).range(1..=36_500))]
    days: u32,
    /// Review at most N verdicts [default: `most` in `[peer]`]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    limit: Option<u32>,
    /// Show what would be asked, and ask nobody
    #[arg(long)]
    dry_run: bool,
    /// Reviewer who makes the entries [default: as configured, else the account name]
    #[arg(long, value_name = "NAME")]
    reviewer: Option<String>,
    #[command(flatten)]
    from: reading::From,
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    let mut context = context.clone();
    if context.global.demo {
        demo::judge::take_over(&mut context.config);
    }
    let context = &context;
    let (named, asked) = configured::peer(context)?;
    let reviewer = ledger::reviewer(context, args.reviewer.as_deref())?;
    let collected = reading::collect(context, &args.from)?;
    let mut ledgers = Ledger::load(&context.data).map_err(ledger::failure)?;
    ledger::warn_unsound(&ledgers, context.now);
    let most = args.limit.map_or(context.config.peer.most, |limit| limit as usize);
    let (draw, records) = drawn(context, args, (&ledgers, &collected), (&asked.model, most))?;
    output::print(describe(&draw, &asked.model))?;
    if args.dry_run || draw.waiting.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    let judge = configured::judge(context, &named, &asked)?;
    let (config, data) = (&context.config, &context.data);
    let items = peer::available(config, data, (&records, most), |record, why| {
        reading::note(&format!("{} is left out: {}", record.id.short(), output::visible(why)));
    });
    if items.is_empty() {
        return Err(Failure::local("the content of no drawn verdict is available")
            .hint("`foureyes show ID` says where the files of a record are looked for"));
    }
    let plan = configured::plan(context, (judge, &asked), items);
    ask::ask(context, (&mut ledgers, &reviewer), plan)
}

/// What is drawn, and the records that may be asked about: more than are needed, since the content of some may
/// be gone.
fn drawn(
    context: &Context,
    args: &Args,
    (ledgers, collected): (&Ledger, &Collected),
    (model, most): (&str, usize),
) -> Result<(Draw, Vec<Record>), Failure> {
    let present = ledgers.present(context.now);
    let families = context.config.families.with_makers();
    let (rates, from) = (configured::rates(context), peer::since(context.now, args.days));
    reading::warn_stale(collected);
    reading::ask(context, collected, |archive| {
        let cancelled = || Failure::local("the question was cancelled");
        let all = Evaluations::load(archive, peer::family(), &|| false)?;
        let all = all.ok_or_else(cancelled)?;
        let draw = peer::draw(&all, &present, rates, from, (&families, model));
        let draw = draw.map_err(|error| {
            Failure::local(error.to_string()).hint("`foureyes gate audit RATE` sets one up")
        })?;
        let row = |id| all.row(id);
        let rows: Vec<Row> =
            draw.waiting.iter().take(most * SPARE).filter_map(|id| row(*id)).collect();
        let mut records = Vec::with_capacity(rows.len());
        archive.each_record(&rows, |located| {
            records.push(located.record);
            Ok::<_, RowError>(())
        })?;
        Ok((draw, records))
    })
}

fn describe(draw: &Draw, model: &str) -> String {
    let model = output::visible(model);
    let mut text = format!(
        "{} of {} drawn: {} reviewed, {} waiting for {model}",
        draw.drawn,
        crate::report::counted(draw.verdicts, "verdict is", "verdicts are"),
        draw.reviewed,
        draw.waiting.len()
    );
    if draw.given_up > 0 {
        text += &format!(", {} without a verdict after three tries", draw.given_up);
    }
    if draw.same_family > 0 {
        text +=
            &format!(", {} by a judge of the same family, which are left out", draw.same_family);
    }
    text + "\n"
}
