//! Whether events are more frequent in a group than outside it, stratum by stratum.
//!
//! The exact conditional test of two-by-two tables with common strata: with all margins fixed and no
//! difference in any stratum, the events of the group in each are hypergeometric, and their sum is the
//! statistic (Agresti, Statistical Science 7, 1992, section 2.3).

use statrs::function::factorial::ln_binomial;

/// One stratum.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Cell {
    /// Items in it.
    pub items: u64,
    /// Events among them.
    pub events: u64,
    /// Items of the group.
    pub group: u64,
    /// Events of the group.
    pub group_events: u64,
}

/// The chance of as many events in the group as were seen or more, if the group were like the rest of each
/// stratum: one-sided, in (0, 1].
///
/// Cells whose counts contradict each other count as if they were empty.
pub fn more_in_group(cells: &[Cell]) -> f64 {
    let mut chances = vec![1.0];
    let mut seen = 0_usize;
    for cell in cells {
        let Some((least, own)) = chances_of(*cell) else { continue };
        seen += usize::try_from(cell.group_events - least).unwrap_or_default();
        let mut sums = vec![0.0; chances.len() + own.len() - 1];
        for (at, chance) in chances.iter().enumerate() {
            for (more, own) in own.iter().enumerate() {
                sums[at + more] += chance * own;
            }
        }
        chances = sums;
    }
    chances.iter().skip(seen).sum::<f64>().min(1.0)
}

/// The fewest events that the group may have, and the (hypergeometric) chance of each number from there on.
fn chances_of(cell: Cell) -> Option<(u64, Vec<f64>)> {
    let Cell { items, events, group, group_events } = cell;
    let (least, most) = ((group + events).saturating_sub(items), group.min(events));
    if events > items || group > items || !(least..=most).contains(&group_events) {
        return None;
    }
    let all = ln_binomial(items, events);
    let chance = |n: u64| ln_binomial(group, n) + ln_binomial(items - group, events - n) - all;
    Some((least, (least..=most).map(|n| chance(n).exp()).collect()))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::stats::near;

    const fn cell(items: u64, events: u64, group: u64, group_events: u64) -> Cell {
        Cell { items, events, group, group_events }
    }

    #[test]
    fn one_stratum_is_the_exact_test_of_fisher() {
        // fisher.test(matrix(c(3, 1, 1, 3), 2), alternative = "greater"): the tea of Fisher's lady.
        near(more_in_group(&[cell(8, 4, 4, 3)]), 0.242_857_142_857, 1e-9);
        near(more_in_group(&[cell(8, 4, 4, 4)]), 1.0 / 70.0, 1e-12);
    }

    #[test]
    fn strata_add_up_and_such_as_tell_nothing_change_nothing() {
        let two = [cell(8, 4, 4, 4), cell(8, 4, 4, 4)];
        near(more_in_group(&two), 1.0 / 4900.0, 1e-12);
        // Nobody differs, or the whole stratum is the group.
        let more = [two[0], two[1], cell(50, 0, 10, 0), cell(9, 3, 9, 3), cell(5, 6, 2, 1)];
        near(more_in_group(&more), 1.0 / 4900.0, 1e-12);
        assert_eq!(more_in_group(&[]), 1.0);
        assert_eq!(more_in_group(&[cell(1_000, 400, 300, 0)]), 1.0);
    }
}
