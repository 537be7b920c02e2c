//! `foureyes risk publish`.

use super::{deliver, gathered};
use crate::assess::{Ask, Evaluations, Rules, completeness};
use crate::calibration::Policy;
use crate::cli::operator::reading::{self, From, Trouble};
use crate::cli::operator::{ledger, look};
use crate::cli::{Context, Failure, output};
use crate::domain::{JudgementKind, Window};
use crate::engine::risk::{AuthorRate, RatesFormat, RatesSnapshot, SignedRates};
use crate::files::atomic;
use crate::frame::query::{Query, Scope};
use crate::frame::schema;
use crate::risk_replay::author_rates;
use crate::service::SigningKey;
use crate::store::cache::Archive;
use crate::store::ledger::Ledger;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Confidence of each bound: both together bound a share at 95 %.
const EACH: f64 = 0.975;

/// Write the rates of all authors into a signed file for boxes
///
/// The key is that of `[serve]`, which `foureyes serve key` makes. A box has `rates` and, with the
/// public key, `rates_key` in its [risk]; `box enable` and `--deliver` bring the file there.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// File to write [default: `rates` of [risk]]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Number of UTC days in which overrides are recent, counting today
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=3650))]
    days: u32,
    /// Bring the file to this box, too; repeatable
    #[arg(long, value_name = "BOX")]
    deliver: Vec<String>,
    #[command(flatten)]
    from: From,
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<(), Failure> {
    let home = context.environment.home();
    let configured = || context.config.risk.rates_file(home.as_deref());
    let path = args.output.clone().or_else(configured).ok_or_else(|| {
        Failure::usage("there is no file to write")
            .hint("give `--output FILE`, or set `rates` in [risk]")
    })?;
    let key = context.config.serve.signing_key_file(home.as_deref());
    let key =
        key.ok_or_else(|| Failure::usage("the home directory is not known").hint("set HOME"))?;
    let key = SigningKey::read(&key).map_err(|error| {
        Failure::usage(error).hint("`foureyes serve key` makes the signing key")
    })?;
    let mut authors = Vec::new();
    for family in JudgementKind::ALL {
        authors.extend(rates(context, args, family)?);
    }
    let (count, unknown) = (authors.len(), authors.iter().filter(|a| a.poor.is_none()).count());
    let schema = RatesFormat::default();
    let snapshot = RatesSnapshot { schema, made_at: context.now, days: args.days, authors };
    let rates = serde_json::to_string(&snapshot).map_err(std::io::Error::from)?;
    let signature = key.sign(&SignedRates::signed_bytes(&rates));
    let signed = SignedRates { rates, signature, key: key.public().to_owned() };
    atomic::private_dir(atomic::dir_of(&path))?;
    let text = crate::text::json::pretty(&signed)?;
    atomic::write(&path, text.as_bytes())?;
    output::print(format!(
        "{}: rates of {}, {unknown} without enough labels\npublic key {}\n",
        output::visible(&path.display().to_string()),
        crate::report::counted(count, "author", "authors"),
        key.public()
    ))?;
    deliver::to_all(context, &args.deliver, text.as_bytes())
}

fn rates(
    context: &Context,
    args: &Args,
    family: JudgementKind,
) -> Result<Vec<AuthorRate>, Failure> {
    let mut ledgers = Ledger::load(&context.data).map_err(ledger::failure)?;
    ledger::warn_unsound(&ledgers, context.now);
    let present = ledgers.present(context.now);
    let since = context.now.minus_days(args.days.saturating_sub(1)).day_text();
    let filter = format!("override:reject evaluation:{} since:{since}", family.as_str());
    let query = Query::parse(&filter).map_err(|error| Failure::usage(error.render(&filter)))?;
    let reviews = reading::reviews(context, &query)?;
    let rates = gathered::asked(context, &args.from, |archive, collected| {
        let Some(all) = Evaluations::load(archive, family, &|| false)? else {
            return Ok(Vec::new());
        };
        let scope = Scope { boxes: archive.boxes(), now: context.now, reviews: &reviews };
        let overrides = overrides(archive, &query, &scope)?;
        let (complete_until, missing) = completeness(&collected.boxes, context.now);
        let ask = Ask::new(family, context.now, complete_until, &missing);
        let policy = Policy { confidence: EACH, ..Rules::new(&all, &present, &ask).policy };
        let ask = Ask { policy: Some(("risk publish", &policy)), ..ask };
        Ok(author_rates(archive, &all, &present, &ask, &overrides)?)
    })?;
    look::record(context, &mut ledgers, &present, family, "risk");
    Ok(rates)
}

/// Records of each author that people rejected by override.
fn overrides(
    archive: &Archive,
    query: &Query,
    scope: &Scope<'_>,
) -> Result<BTreeMap<String, u64>, Trouble> {
    let rows = archive.matching(query, scope, Window::ALL)?;
    let mut counts = BTreeMap::new();
    for author in archive.texts(&rows, schema::AUTHOR)?.iter().flatten() {
        *counts.entry(author.clone()).or_default() += 1;
    }
    Ok(counts)
}
