//! Low scores of which the words of the judge never speak.

use crate::domain::{Caveat, Window};
use crate::stats::binomial;
use crate::store::cache::{Archive, CacheError};
use crate::text::separated;

/// Flagged records that mark down a dimension, and those of them that name no term of it.
pub(super) const MARKED_DOWN: &str = "is:flagged score:<=2";
pub(super) const UNEXPLAINED: &str = "is:flagged is:unexplained";

/// How many flagged records of a window mark down a dimension without a term for it, where any does.
pub(super) fn caveat(archive: &Archive, window: Window) -> Result<Option<Caveat>, CacheError> {
    let silent = archive.count_fixed(UNEXPLAINED, window)?;
    if silent == 0 {
        return Ok(None);
    }
    let all = archive.count_fixed(MARKED_DOWN, window)?.max(silent);
    Ok(Some(Caveat { id: "unexplained".to_owned(), text: text(silent, all) }))
}

fn text(silent: u64, all: u64) -> String {
    let percent = |share: f64| format!("{:.0} %", 100.0 * share);
    let share = binomial::share(silent, all).map(|(share, interval)| {
        let ends = (percent(interval.lower), percent(interval.upper));
        format!(" ({}, interval {} to {})", percent(share), ends.0, ends.1)
    });
    let verb = if silent == 1 { "has" } else { "have" };
    format!(
        "{} of {} flagged records that mark down a dimension {verb} no listed term for it{}: see `records {UNEXPLAINED}`",
        separated(silent),
        separated(all),
        share.unwrap_or_default()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::query::Query;

    #[test]
    fn the_share_has_its_denominator_and_its_interval() {
        assert_eq!(
            text(1, 4),
            "1 of 4 flagged records that mark down a dimension has no listed term for it (25 %, interval 1 % to 81 %): \
             see `records is:flagged is:unexplained`"
        );
    }

    #[test]
    fn the_filters_are_filters() {
        for filter in [MARKED_DOWN, UNEXPLAINED] {
            assert_eq!(Query::parse(filter).unwrap().to_string(), filter);
        }
    }
}
