//! The screens.

use crate::tui::action::Action;

/// A screen.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Default,
    serde::Serialize,
    serde::Deserialize,
    strum::VariantArray,
)]
#[serde(rename_all = "snake_case")]
pub enum Screen {
    /// What happened.
    #[default]
    Overview,
    /// What is flagged and not yet handled.
    Queue,
    /// Everything.
    Records,
    /// How often the judge errs.
    Calibration,
    /// Whether it may block.
    Readiness,
    /// What was judged again.
    Runs,
    /// Where it comes from.
    Boxes,
    /// How the judge did from day to day.
    Trends,
}

impl Screen {
    /// All screens, in their order.
    pub const ALL: [Self; 8] = crate::domain::variants();

    /// What of it is the same wherever it is named.
    const fn definition(self) -> Definition {
        match self {
            Self::Overview => row("Overview", "Overview", Action::GoOverview),
            Self::Queue => row("Queue", "Queue", Action::GoQueue),
            Self::Records => row("Records", "Records", Action::GoRecords),
            Self::Calibration => row("Calibration", "Calib", Action::GoCalibration),
            Self::Readiness => row("Readiness", "Ready", Action::GoReadiness),
            Self::Runs => row("Runs", "Runs", Action::GoRuns),
            Self::Boxes => row("Boxes", "Boxes", Action::GoBoxes),
            Self::Trends => row("Trends", "Trends", Action::GoTrends),
        }
    }

    /// Its name at the top.
    pub const fn title(self) -> &'static str {
        self.definition().title
    }

    /// The same where there is little room: at most 8 columns, and a word that is not cut.
    pub const fn short_title(self) -> &'static str {
        self.definition().short
    }

    /// The action that shows it.
    pub const fn action(self) -> Action {
        self.definition().action
    }

    /// The screen that an action shows.
    pub fn shown_by(action: Action) -> Option<Self> {
        Self::ALL.into_iter().find(|screen| screen.action() == action)
    }
}

struct Definition {
    title: &'static str,
    short: &'static str,
    action: Action,
}

const fn row(title: &'static str, short: &'static str, action: Action) -> Definition {
    Definition { title, short, action }
}
