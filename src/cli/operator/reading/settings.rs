//! How logs are read.

use super::note;
use crate::cli::operator::Context;
use crate::config::Config;
use crate::files::paths::DataDir;
use crate::jsonl::{Named, Settings};
use crate::store::ledger::Ledger;
use crate::text::counted;
use crate::thesaurus_files;

/// How logs are read. Errors in files of terms go to stderr as one line.
pub(in crate::cli) fn settings(context: &Context, config: &Config) -> Settings {
    let terms = thesaurus_files::configured(config, &context.environment);
    match terms.as_ref().map_or(0, |terms| terms.warnings().len()) {
        0 => {}
        count => note(&format!(
            "{} in your files of terms: `foureyes kg thesaurus` lists all",
            counted(count as u64, "error", "errors")
        )),
    }
    Settings {
        thesaurus: terms.map(|terms| terms.thesaurus),
        line_bytes: config.limits.line_bytes,
        depth: config.limits.depth,
        unpacked_bytes: config.limits.unpacked_bytes,
        aliases: config.aliases.clone(),
        named: named(&context.data),
        min_free_bytes: config.pull.min_free_bytes,
    }
}

/// The records that ledgers name. Ledgers that cannot be read name none: what needs them reports that.
fn named(data: &DataDir) -> Named {
    let data = data.clone();
    Named::new(move || Ledger::load(&data).map(|all| all.records().collect()).unwrap_or_default())
}
