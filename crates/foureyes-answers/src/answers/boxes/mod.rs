//! The boxes as a table: what blocks and why, whether the hook was looked at, and what comes from each.

use super::operation::Piece;
use foureyes_app::assess::{BlockReason, BlockingBox, Watch, is_behind};
use foureyes_app::overview::BoxActivity;
use foureyes_core::domain::{BoxReport, BoxState, Timestamp};
use foureyes_core::text::{escape, mask};
use foureyes_page::page::{Glyphs, Ours, Role, Sign, date, number};

/// A day in seconds.
const DAY: i64 = 86_400;

/// Days after which an age is a date.
const DATED: i64 = 14;

/// The heads of the columns, in their order.
pub const HEADS: [&str; 8] = ["box", "mode", "hook", "judge", "window", "last", "14 days", "pull"];

/// What is known of a box.
#[derive(Debug, Clone, Copy)]
pub struct BoxFacts<'a> {
    /// Its data.
    pub report: &'a BoxReport,
    /// Why it blocks, where it does.
    pub blocking: Option<&'a BlockingBox>,
    /// When its hook was last looked at by this program.
    pub checked: Option<Timestamp>,
    /// What came from it; `None` while that is counted.
    pub activity: Option<&'a BoxActivity>,
    /// Most records of a day of any box.
    pub busiest: u64,
    /// Whole days of the window that it is in.
    pub window_day: Option<u64>,
    /// How far its pull is, where one runs.
    pub pulling: Option<Pulling>,
    /// The time.
    pub now: Timestamp,
}

/// How far a pull is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pulling {
    /// Nothing came yet.
    Waiting,
    /// So much of what is to come, in percent.
    Fetched(u64),
}

/// The place of a box in the list, trouble first: READY that does not hold, old data, blocking, the rest.
pub fn rank(report: &BoxReport, blocking: Option<&BlockingBox>) -> u8 {
    match (blocking, is_behind(report)) {
        (Some(of), _) if !of.reason.is_given() => 0,
        (_, true) => 1,
        (Some(_), false) => 2,
        (None, false) => 3,
    }
}

impl BoxFacts<'_> {
    /// Its cells, in the order of [`HEADS`]; each is harmless.
    pub fn cells(&self, glyphs: &Glyphs) -> [Piece; 8] {
        [
            Piece { role: Role::Text, text: harmless(&self.report.name) },
            mode(self.blocking, glyphs),
            self.hook(glyphs),
            self.judge(glyphs),
            Piece {
                role: Role::Text,
                text: match self.window_day {
                    Some(day) => format!("day {}", Ours::from(day)),
                    None => "none".to_owned(),
                },
            },
            self.last(glyphs),
            self.days(glyphs),
            self.pull(glyphs),
        ]
    }

    fn hook(&self, glyphs: &Glyphs) -> Piece {
        let (role, text) = match (self.checked, self.blocking) {
            (Some(at), _) => {
                let mark = glyphs.mark(Sign::Go);
                let age = age(self.now.seconds_since(at), at, self.now);
                let ago = if age.is_date { "" } else { " ago" };
                (Role::Text, format!("{mark} {}{ago}", age.text))
            }
            (None, Some(_)) => (Role::Warning, "! not checked".to_owned()),
            (None, None) => (Role::Dim, "none".to_owned()),
        };
        Piece { role, text }
    }

    fn judge(&self, glyphs: &Glyphs) -> Piece {
        let Some(activity) = self.activity else { return counting(glyphs) };
        match &activity.judge {
            Some(judge) => Piece { role: Role::Text, text: harmless(judge) },
            None => Piece { role: Role::Dim, text: "none".to_owned() },
        }
    }

    fn last(&self, glyphs: &Glyphs) -> Piece {
        let Some(activity) = self.activity else { return counting(glyphs) };
        match activity.last {
            Some(at) => {
                let text = age(self.now.seconds_since(at), at, self.now).text;
                Piece { role: Role::Text, text }
            }
            None => Piece { role: Role::Dim, text: "none".to_owned() },
        }
    }

    fn days(&self, glyphs: &Glyphs) -> Piece {
        let Some(activity) = self.activity else { return counting(glyphs) };
        let share = |count: u64| (count > 0).then(|| count as f64 / self.busiest.max(1) as f64);
        let text = activity.days.iter().map(|count| glyphs.spark(share(*count))).collect();
        Piece { role: Role::Gauge, text }
    }

    fn pull(&self, glyphs: &Glyphs) -> Piece {
        if let Some(pulling) = self.pulling {
            let text = match pulling {
                Pulling::Waiting => glyphs.ellipsis.to_owned(),
                Pulling::Fetched(share) => format!("{share} %"),
            };
            return Piece { role: Role::Notice, text };
        }
        let age = self.report.age_at(self.now).map(number::span);
        let (role, text) = match (is_behind(self.report), age) {
            (true, Some(age)) if self.report.state == BoxState::Stale => {
                (Role::Stale, format!("! {age}"))
            }
            (true, _) => (Role::Stale, "! failed".to_owned()),
            (false, Some(age)) if self.report.state == BoxState::Ok => (Role::Dim, age.to_string()),
            (false, _) => (Role::Dim, "never".to_owned()),
        };
        Piece { role, text }
    }
}

/// What a box does with a NO-GO, and on whose word.
fn mode(blocking: Option<&BlockingBox>, glyphs: &Glyphs) -> Piece {
    let Some(of) = blocking else {
        return Piece { role: Role::Text, text: format!("{} advisory", glyphs.advisory) };
    };
    let (role, mark, why) = match of.reason {
        BlockReason::Withdrawn(_) => (Role::Error, glyphs.mark(Sign::NoGo), ", READY withdrawn"),
        BlockReason::Lapsed { .. } => (Role::Warning, "!", ", READY lapsed"),
        BlockReason::Undecided => (Role::Warning, "!", ", not READY"),
        BlockReason::Waiver { .. } => (Role::Warning, glyphs.blocks, ", waiver"),
        BlockReason::Ready => (Role::Warning, glyphs.blocks, ", READY"),
        BlockReason::Counting => (Role::Warning, glyphs.blocks, ""),
    };
    let watch = match of.watch {
        Watch::Left(hours) => format!(" {hours} h"),
        Watch::Over | Watch::Done => String::new(),
    };
    Piece { role, text: format!("{mark} blocks{why}{watch}") }
}

fn counting(glyphs: &Glyphs) -> Piece {
    Piece { role: Role::Dim, text: glyphs.ellipsis.to_owned() }
}

struct Age {
    text: String,
    is_date: bool,
}

/// An age, or the day where that is long ago.
fn age(seconds: i64, at: Timestamp, now: Timestamp) -> Age {
    let is_date = seconds > DATED * DAY;
    let text = if is_date { date(at, now) } else { number::span(seconds) };
    Age { text: text.to_string(), is_date }
}

/// A text from outside: secrets masked, nothing left that a terminal acts on.
fn harmless(text: &str) -> String {
    escape::line(&mask::mask(text).0).into_owned()
}

#[cfg(test)]
mod tests;
