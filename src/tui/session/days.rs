//! How far back the console looks.

use crate::domain::{Timestamp, Window};
use serde::{Deserialize, Serialize};

/// A number of UTC days up to today, or everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Days {
    /// So many UTC days, today among them; at least 1.
    Last(u32),
    /// Everything, undated records among it.
    All,
}

/// The steps of `widen-window` and `narrow-window`.
const STEPS: [u32; 7] = [1, 2, 7, 14, 30, 90, 365];

impl Days {
    /// The span of record time; open at the end, since a box's clock may be ahead.
    pub fn window(self, now: Timestamp) -> Window {
        match self {
            Self::All => Window::ALL,
            Self::Last(days) => {
                let first = Timestamp::of_day(now.day()).minus_days(days.max(1) - 1);
                Window { from: Some(first), to: None }
            }
        }
    }

    /// The next longer one.
    pub fn wider(self) -> Self {
        match self {
            Self::All => Self::All,
            Self::Last(days) => STEPS.into_iter().find(|s| *s > days).map_or(Self::All, Self::Last),
        }
    }

    /// The next shorter one.
    pub fn narrower(self) -> Self {
        let below = match self {
            Self::All => u32::MAX,
            Self::Last(days) => days,
        };
        let shorter = STEPS.into_iter().rev().find(|s| *s < below);
        Self::Last(shorter.unwrap_or(1))
    }

    /// What it is called: `7 days`, `everything`.
    pub fn title(self) -> String {
        match self {
            Self::All => "everything".to_owned(),
            Self::Last(1) => "today".to_owned(),
            Self::Last(days) => format!("{days} days"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_lead_from_a_day_to_everything_and_back() {
        let mut days = Days::Last(1);
        for _ in 0..STEPS.len() {
            days = days.wider();
        }
        assert_eq!(days, Days::All);
        assert_eq!(days.wider(), Days::All);
        assert_eq!(days.narrower(), Days::Last(365));
        assert_eq!(Days::Last(10).wider(), Days::Last(14));
        assert_eq!(Days::Last(10).narrower(), Days::Last(7));
        assert_eq!(Days::Last(1).narrower(), Days::Last(1));
    }

    #[test]
    fn a_window_begins_with_a_whole_day() {
        let now = Timestamp::parse("2026-11-22T09:14:00Z").unwrap_or(Timestamp(0));
        let from = Days::Last(7).window(now).from.map(|t| t.to_string());
        assert_eq!(from.as_deref(), Some("2026-11-16T00:00:00Z"));
    }
}
