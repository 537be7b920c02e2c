//! Whether a failed call is made again, and after how long.
//!
//! Pure: what happened, the time that is left and a random number come in. Where nothing was answered, it
//! is asked again while the time lasts: nobody reached, 408, 409, 425, 429, 498, every 5xx, an error in
//! place of an answer. Where a connection ended after the request was sent, a model may have worked and
//! be paid for: once. An account without balance does not fill by waiting.

mod header;
mod spent;

pub use header::{WAIT_HEADERS, asked, asked_in_body};
pub use spent::says_spent;

use std::fmt;
use std::time::Duration;

/// Most tries to get any answer to one question.
pub const MOST_TRIES: u32 = 8;

/// How often and how patiently.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Policy {
    /// Tries to get any answer to one question, the first one included. At least one is made.
    pub attempts: u32,
    /// Longest pause before the second call; it doubles with each further one.
    pub first: Duration,
    /// Bound of the doubling.
    pub most: Duration,
    /// Longest wait that an endpoint may ask for.
    pub patience: Duration,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            attempts: MOST_TRIES,
            first: Duration::from_millis(500),
            most: Duration::from_secs(8),
            patience: Duration::from_secs(180),
        }
    }
}

impl Policy {
    /// One call and no more.
    #[must_use]
    pub fn once() -> Self {
        Self { attempts: 1, ..Self::default() }
    }

    /// Pause after so many calls, without a word of the endpoint.
    ///
    /// `jitter` is a random number from 0 up to 1. The pause lies between two thirds and the whole of
    /// what doubling gives: callers that failed together do not come again together, and a later
    /// pause is longer than an earlier one by a third at least, until both are the longest.
    pub fn pause(&self, calls: u32, jitter: f64) -> Duration {
        let doubled = self.first.saturating_mul(1_u32.checked_shl(calls.max(1) - 1).unwrap_or(0));
        let whole = if calls > 31 { self.most } else { doubled.min(self.most) };
        let jitter = if jitter.is_finite() { jitter.clamp(0.0, 1.0) } else { 1.0 };
        whole.mul_f64((2.0 + jitter) / 3.0)
    }

    /// Decides what follows a failed call.
    ///
    /// `calls` were made, this one included. `left` is the time until the answer is of no use any
    /// more: a wait that does not fit is not begun.
    pub fn decide(&self, calls: u32, trouble: &Trouble, jitter: f64, left: Duration) -> Decision {
        match self.wait(calls, trouble, jitter) {
            Ok(wait) if wait < left => Decision::After(wait),
            Ok(wait) => Decision::GiveUp(Why::NoTime { wait, left }),
            Err(why) => Decision::GiveUp(why),
        }
    }

    fn wait(&self, calls: u32, trouble: &Trouble, jitter: f64) -> Result<Duration, Why> {
        if !trouble.may_pass() {
            return Err(Why::Lasting);
        }
        if trouble.spent {
            return Err(Why::Spent);
        }
        // Said even where it was the last call: the wait that is asked for is news.
        if let Some(wait) = trouble.asked.filter(|wait| *wait > self.patience) {
            return Err(Why::TooLong { wait, patience: self.patience });
        }
        // A second request may be paid for as well.
        let most = if trouble.ended { self.attempts.min(2) } else { self.attempts };
        if calls >= most {
            return Err(Why::Attempts { calls });
        }
        let pause = self.pause(calls, jitter);
        // What is asked for is a minimum. The jitter on top keeps callers apart.
        Ok(trouble.asked.map_or(pause, |asked| pause.max(asked + pause.min(asked / 10))))
    }
}

/// What went wrong with a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Trouble {
    /// Status of the reply; none where nobody was reached.
    pub status: Option<u16>,
    /// What the reply asks to wait.
    pub asked: Option<Duration>,
    /// Whether the reply says that quota or balance is gone, see [`says_spent`].
    pub spent: bool,
    /// Whether the connection ended after the request was sent, with nothing of a reply: a model may have
    /// answered all the same.
    pub ended: bool,
}

impl Trouble {
    /// Nobody could be reached.
    pub const UNREACHED: Self = Self { status: None, asked: None, spent: false, ended: false };
    /// The connection ended without a reply.
    pub const ENDED: Self = Self { ended: true, ..Self::UNREACHED };

    /// Whether it may pass by itself.
    pub fn may_pass(&self) -> bool {
        self.status.is_none_or(|status| matches!(status, 408 | 409 | 425 | 429 | 498 | 500..))
    }
}

/// What follows a failed call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// Another call, after a pause.
    After(Duration),
    /// Nothing: it failed.
    GiveUp(Why),
}

/// Why no other call is made. Its text can follow a sentence, after a semicolon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// It would fail the same way.
    Lasting,
    /// Quota or balance is gone.
    Spent,
    /// The endpoint asks to wait longer than is waited.
    TooLong {
        /// What it asks.
        wait: Duration,
        /// What is waited at most.
        patience: Duration,
    },
    /// The spend cap has no room for another call that may cost something.
    Cap,
    /// All calls are made.
    Attempts {
        /// So many.
        calls: u32,
    },
    /// The time does not suffice for the wait.
    NoTime {
        /// What would have to be waited.
        wait: Duration,
        /// The time that is left.
        left: Duration,
    },
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lasting => write!(f, "asking again would not help"),
            Self::Spent => {
                write!(f, "quota or balance is gone, and waiting does not bring it back")
            }
            Self::Cap => write!(f, "the spend cap has no room for another try"),
            Self::TooLong { wait, patience } => write!(
                f,
                "it asks to wait {} s, and {} s are waited at most",
                seconds(*wait),
                seconds(*patience)
            ),
            Self::Attempts { calls: 0 | 1 } => write!(f, "asked once"),
            Self::Attempts { calls } => write!(f, "asked {calls} times"),
            Self::NoTime { wait, left } => write!(
                f,
                "a wait of {} s does not fit into the {} s that are left",
                seconds(*wait),
                seconds(*left)
            ),
        }
    }
}

/// Seconds with one digit after the point, or none where they are whole or many.
fn seconds(time: Duration) -> String {
    match time.as_secs() {
        whole if whole >= 100 || time.subsec_millis() < 50 => whole.to_string(),
        _ => format!("{:.1}", time.as_secs_f64()),
    }
}

#[cfg(test)]
mod tests;
