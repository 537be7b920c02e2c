//! What ends each block: one row a block.

use super::day_text;
use super::facts::Facts;
use super::way::How::{Do, Label, Natural, Start, Wait, Waive};
use super::way::{How, days_from, earliest, way};
use crate::calibration::{Opens, Policy, Readiness, Way};

/// What ends a block.
struct Remedy {
    /// The block, or the KPI that can be waived.
    id: &'static str,
    /// What to do, in a few words.
    title: &'static str,
    /// How, the best way first.
    ways: &'static [How],
    /// What the console opens for it.
    opens: Target,
}

/// What the console opens.
#[derive(Clone, Copy)]
enum Target {
    Nothing,
    /// What was judged from the day of the latest change of the judge on.
    SinceChange,
    /// A queue.
    Queue(&'static str),
    /// Records by a filter.
    Records(&'static str),
    /// The form for the start of a window.
    Window,
}

const PULL: &[&str] = &["foureyes pull"];

/// What ends each block, and each KPI that can be waived.
const REMEDIES: &[Remedy] = &[
    Remedy {
        id: "no_window",
        title: "Start the calibration window",
        ways: &[Natural, Start],
        opens: Target::Window,
    },
    Remedy {
        id: "window_after_labels",
        title: "Waive labels given before the window, or start a new window",
        ways: &[Waive, Start],
        opens: Target::Records("label:any"),
    },
    Remedy {
        id: "short_window",
        title: "Wait until the window is long enough",
        ways: &[Wait],
        opens: Target::Nothing,
    },
    Remedy {
        id: "missing_days",
        title: "Fetch or waive the missing days",
        ways: &[Do("If a box has logs for these days, fetch them.", PULL), Waive, Start],
        opens: Target::Nothing,
    },
    Remedy {
        id: "missing_boxes",
        title: "Fetch the logs of the missing boxes",
        ways: &[
            Do("Fetch them.", PULL),
            Do("If a box is gone for good, remove it from the configuration.", &[]),
        ],
        opens: Target::Nothing,
    },
    Remedy {
        id: "stale_data",
        title: "Fetch newer data",
        ways: &[
            Do("Fetch what the boxes have.", PULL),
            Do("If there is nothing new, check that the hook still runs.", &["foureyes doctor"]),
        ],
        opens: Target::Nothing,
    },
    Remedy {
        id: "incomplete_tail",
        title: "Fetch the rest of a log that ends mid-record, or waive it",
        ways: &[Do("Fetch the rest of the line.", PULL), Waive],
        opens: Target::Nothing,
    },
    Remedy {
        id: "fingerprint",
        title: "Waive the change of the judge, or start a new window",
        ways: &[Waive, Start],
        opens: Target::SinceChange,
    },
    Remedy {
        id: "labels_changed",
        title: "Settle the labels that were changed after a look",
        ways: &[
            Do("Ask a reviewer who gave neither label to label these records.", &[]),
            Waive,
            Start,
        ],
        opens: Target::Queue("calibration"),
    },
    Remedy {
        id: "double_labels_missing",
        title: "Give the double labels",
        ways: &[
            Do(
                "Label what was drawn for a second label. It stands unmarked in the calibration queue \
                 of each reviewer who has not labelled it, and in that of a lone reviewer from the \
                 next day on.",
                &["foureyes"],
            ),
            Waive,
            Start,
        ],
        opens: Target::Queue("calibration"),
    },
    Remedy {
        id: "reviewers_disagree",
        title: "Find out why reviewers disagree",
        ways: &[
            Do(
                "Agree on what makes content poor, then label a new window.",
                &["foureyes calibration"],
            ),
            Start,
            Waive,
        ],
        opens: Target::Records("label:conflict"),
    },
    Remedy {
        id: "blind_share",
        title: "Label blind",
        ways: &[
            Label(
                "Label the rest of the calibration queue without showing the verdict.",
                "Label the days to come without showing the verdict.",
            ),
            Start,
            Waive,
        ],
        opens: Target::Queue("calibration"),
    },
    Remedy {
        id: "contradicted",
        title: "Label more days",
        ways: &[
            Label(
                "Label the open days: further labels decide on which side the rate is.",
                "Label the days to come: further labels decide on which side the rate is.",
            ),
            Waive,
            Start,
        ],
        opens: Target::Queue("calibration"),
    },
    Remedy {
        id: "stale_evidence",
        title: "Label the open days",
        ways: &[Do("Label the records of the open days, the earliest day first.", &[]), Waive],
        opens: Target::Queue("calibration"),
    },
    Remedy {
        id: "misses_cluster",
        title: "Account for misses that cluster by day",
        ways: &[
            Do(
                "Set this in the policy; it applies from the next window on.",
                &["cluster = \"day\""],
            ),
            Waive,
        ],
        opens: Target::Records("verdict:go label:poor"),
    },
    Remedy {
        id: "stated_fraction",
        title: "Correct the stated selection of imported labels",
        ways: &[
            Do("Correct `selection` and `pi` in the file, and import it again.", &[]),
            Waive,
            Start,
        ],
        opens: Target::Nothing,
    },
    Remedy {
        id: "labels_elsewhere",
        title: "Find the missing records of labels",
        ways: &[Do("Fetch the logs that contain these records.", PULL), Waive],
        opens: Target::Nothing,
    },
    Remedy {
        id: "ledger_gone",
        title: "Restore the ledger that lost entries",
        ways: &[
            Do("Fetch the ledgers of the other reviewers.", &["foureyes ledger pull"]),
            Do("Restore the ledger from a backup or from another machine.", &[]),
            Waive,
        ],
        opens: Target::Nothing,
    },
    Remedy {
        id: "logs_shrunk",
        title: "Restore the logs that lost records",
        ways: &[Do("Restore these logs on their boxes, then fetch them.", PULL), Waive],
        opens: Target::Nothing,
    },
    Remedy {
        id: "boxes_changed",
        title: "Read the boxes that the window began with",
        ways: &[Do("Fetch their logs.", PULL), Waive],
        opens: Target::Nothing,
    },
    Remedy {
        id: "logs_earlier",
        title: "Account for logs from before the window",
        ways: &[Do("Keep them apart from the logs that are read.", &[]), Waive],
        opens: Target::Nothing,
    },
    Remedy {
        id: "stated_alone",
        title: "Label a new window in this program",
        ways: &[
            Start,
            Waive,
            Do(
                "If only NO-GOs are stated, label further ones in this program, until they are at least half.",
                &[],
            ),
        ],
        opens: Target::Window,
    },
    Remedy { id: "go_rate", title: "Waive the GO rate", ways: &[Waive], opens: Target::Nothing },
    Remedy {
        id: "undetermined_rate",
        title: "Waive the UNDETERMINED rate",
        ways: &[Waive],
        opens: Target::Records("verdict:undetermined"),
    },
    Remedy {
        id: "availability",
        title: "Waive availability",
        ways: &[Waive],
        opens: Target::Nothing,
    },
    Remedy {
        id: "median_latency",
        title: "Waive the median latency",
        ways: &[Waive],
        opens: Target::Nothing,
    },
];

/// What ends something, for people.
pub(super) struct Ended {
    pub(super) title: String,
    pub(super) ways: Vec<Way>,
    pub(super) opens: Option<Opens>,
    /// Days until READY is possible.
    pub(super) days: u64,
}

/// Blocks that stay where a new window starts: they are about what is read.
const OF_DATA: [&str; 6] = [
    "missing_boxes",
    "stale_data",
    "incomplete_tail",
    "labels_elsewhere",
    "ledger_gone",
    "logs_shrunk",
];

/// Whether a block is still there in a new window.
pub(super) fn outlives_window(id: &str) -> bool {
    OF_DATA.contains(&id)
}

/// What ends a block, the best way first.
pub(super) fn ways(id: &str) -> impl Iterator<Item = How> {
    let can_waive = Policy::WAIVABLE.contains(&id);
    let or_start: &[How] = if can_waive { &[Waive, Start] } else { &[Start] };
    let ways = REMEDIES.iter().find(|row| row.id == id).map_or(or_start, |row| row.ways);
    ways.iter().copied().filter(move |how| can_waive || !matches!(how, Waive))
}

/// What ends a block or a KPI; something sensible where it has no row of its own.
pub(super) fn remedy(id: &str, r: &Readiness, facts: &Facts<'_>) -> Ended {
    let known = REMEDIES.iter().find(|row| row.id == id);
    let title = match known {
        Some(row) => row.title.to_owned(),
        None if Policy::WAIVABLE.contains(&id) => {
            format!("Waive {}, or start a new window", id.replace('_', " "))
        }
        None => format!("Start a new window without {}", id.replace('_', " ")),
    };
    Ended {
        title,
        days: days_from(r.generated.day(), earliest(id, r, facts)),
        opens: known.and_then(|row| opens(row.opens, r, facts)),
        ways: ways(id).map(|how| way(how, id, r, facts)).collect(),
    }
}

fn opens(target: Target, r: &Readiness, facts: &Facts<'_>) -> Option<Opens> {
    match target {
        Target::Nothing => None,
        Target::SinceChange => {
            let latest = r.judges.iter().map(|judge| judge.from).max()?;
            let since = latest.day_text();
            Some(Opens::Records(format!("{} since:{since}", facts.family.filter())))
        }
        Target::Queue(name) => Some(Opens::Queue(name.to_owned())),
        Target::Records(filter) => Some(Opens::Records(filter.to_owned())),
        Target::Window => Some(Opens::Window(day_text(facts.unlabelled_from))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_waivable_block_has_row_and_waiver() {
        for id in Policy::WAIVABLE {
            let row = REMEDIES.iter().find(|row| row.id == id);
            let row = row.unwrap_or_else(|| panic!("{id} can be waived and has no remedy"));
            assert!(row.ways.iter().any(|how| matches!(how, Waive)), "{id} names no waiver");
        }
        let mut ids: Vec<&str> = REMEDIES.iter().map(|row| row.id).collect();
        ids.sort_unstable();
        assert!(ids.windows(2).all(|pair| pair[0] != pair[1]), "{ids:?}");
    }
}
