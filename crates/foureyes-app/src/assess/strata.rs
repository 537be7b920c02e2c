//! Parts of what passed that an audit may look at with rates of their own.

use crate::calibration::Stratum;
use crate::domain::{Dimension, Scores};

/// Names of the strata: by the mean of the judge's scores, below 4, from 4 on, and without scores.
pub const STRATA: [&str; 3] = ["weak", "strong", "unscored"];

/// As what a rate of NO-GO is in a ledger. An earlier version knows no such stratum and says so, rather
/// than take the rate for one of GO.
pub const NO_GO: &str = "no_go";

/// The part that a rate of a ledger is for, by its name: that of all GO without one. `None` where there is no
/// such part.
pub(super) fn named(name: Option<&str>) -> Option<Stratum> {
    match name {
        None => Some(Stratum::Go),
        Some(NO_GO) => Some(Stratum::NoGo),
        Some("retried") => Some(Stratum::Retried),
        Some("undetermined") => Some(Stratum::Undetermined),
        Some(name) => {
            let band = STRATA.iter().position(|band| *band == name)?;
            u16::try_from(band).ok().map(Stratum::Band)
        }
    }
}

/// The stratum of an evaluation, an index into [`STRATA`].
pub fn stratum(scores: &Scores) -> u16 {
    let (mut sum, mut count) = (0.0, 0.0);
    for score in Dimension::ALL.into_iter().filter_map(|d| scores.usable(d)) {
        (sum, count) = (sum + score, count + 1.0);
    }
    match count {
        0.0 => 2,
        _ if sum < 4.0 * count => 0,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_of_a_part_by_its_name() {
        let all = [None, Some("no_go"), Some("retried"), Some("undetermined"), Some("strong")];
        let of = all.map(named);
        let expected = [Stratum::Go, Stratum::NoGo, Stratum::Retried, Stratum::Undetermined];
        assert_eq!(of[..4], expected.map(Some));
        assert_eq!((of[4], named(Some("go"))), (Some(Stratum::Band(1)), None));
    }

    #[test]
    fn strata_are_bands_of_the_mean_score() {
        let of = |s, p, x| stratum(&Scores { semantic: s, pragmatic: p, syntactic: x });
        assert_eq!(of(Some(4.0), Some(4.0), Some(4.0)), 1);
        assert_eq!(of(Some(5.0), Some(3.0), Some(3.0)), 0);
        assert_eq!(of(Some(5.0), None, Some(3.0)), 1);
        assert_eq!(of(None, None, None), 2);
        // What no judge may give is no score.
        assert_eq!(of(Some(9.0), None, None), 2);
    }
}
