//! Where the queue of the console begins, and what was done with its items.

use super::Args;
use crate::cli::{Context, Failure};
use crate::collect::Collected;
use crate::domain::Timestamp;
use crate::report::counted;
use crate::store::disposition::Dispositions;
use crate::tui::model::Problem;

/// A problem, where the journal of dispositions has lines that cannot be read.
pub(super) fn ignored(dispositions: &Dispositions, context: &Context) -> Option<Problem> {
    let path = context.data.session().join("dealt.jsonl");
    let lines = counted(dispositions.ignored(), "line", "lines");
    let text = format!("{}: {lines} cannot be read and do not count", path.display());
    let next = "they are damaged or from a later version, and are left as they are";
    (dispositions.ignored() > 0).then(|| Problem::new(text, next))
}

/// Since when there is a queue, and what was done with its items.
pub(super) fn queue_since(
    context: &Context,
    args: &Args,
    collected: &Collected,
) -> Result<(Timestamp, Dispositions), Failure> {
    let mut dispositions = Dispositions::load(&context.data).map_err(|error| {
        Failure::local(error)
            .hint("it records which items were handled: move it away to start over")
    })?;
    let collection = match collected.store() {
        Some(_) => format!("fleet {}", context.config.fleet.database),
        None => collected.collection.to_string_lossy().into_owned(),
    };
    let days = args.span.days.unwrap_or(context.config.days).max(1);
    let first = Timestamp::of_day(context.now.day()).minus_days(days - 1);
    let since = match (args.read_only, args.from.from.is_empty()) {
        // Of given logs all is asked for.
        (_, false) => Timestamp(i64::MIN),
        (true, true) => dispositions.start(&collection).unwrap_or(first),
        (false, true) => {
            dispositions.begin(&collection, first, context.now).map_err(Failure::local)?
        }
    };
    Ok((since, dispositions))
}
