//! What went wrong, said so that a person knows whose fault it is.

use super::client::{Broken, Incoming};
use super::refusal::{self, Refusal};
use super::tries::Fault;
use super::{Endpoint, WORDS};
use crate::engine::retry::{Trouble, WaitHeaders, asked};
use crate::provider::FailureKind;
use serde_json::Value;
use std::time::Duration;

impl Endpoint {
    /// A reply with another status than 200.
    pub(super) fn refused(&self, incoming: &Incoming) -> Fault {
        let status = incoming.status;
        if (300..400).contains(&status) {
            return self.sent_elsewhere(incoming);
        }
        if status < 300 {
            let what = format!("the endpoint returned status {status} without an answer");
            return Fault::new(FailureKind::InvalidAnswer, what);
        }
        let refusal = refusal::read(status, &String::from_utf8_lossy(&incoming.body));
        let trouble = Trouble {
            status: Some(if refusal.overloaded { OVERLOADED } else { status }),
            asked: asked(
                &WaitHeaders {
                    milliseconds: incoming.header("retry-after-ms"),
                    after: incoming.header("retry-after"),
                },
                jiff::Timestamp::now(),
            ),
            spent: refusal.spent,
        };
        let answered = answered(status);
        let what = self.sentence(&format!("the endpoint {answered} ({status})"), &refusal);
        let may_cost = may_cost(status);
        Fault { trouble: Some(trouble), may_cost, ..Fault::new(refusal.kind, what) }
            .showing(self.mask.beginning(&incoming.body))
    }

    /// An error under status 200.
    pub(super) fn covered(&self, incoming: &Incoming, error: &Value) -> Fault {
        let refusal = refusal::read_covered(error);
        let what = self.sentence("the endpoint returned an error with status 200", &refusal);
        let may_cost = refusal.kind.may_cost();
        let overloaded = Trouble { status: Some(OVERLOADED), ..Trouble::UNREACHED };
        let trouble = refusal.overloaded.then_some(overloaded);
        Fault { trouble, may_cost, ..Fault::new(refusal.kind, what) }
            .showing(self.mask.beginning(&incoming.body))
    }

    fn sentence(&self, beginning: &str, refusal: &Refusal) -> String {
        match &refusal.message {
            Some(message) => format!("{beginning}: {}", self.mask.line(message, WORDS)),
            None => beginning.to_owned(),
        }
    }

    fn sent_elsewhere(&self, incoming: &Incoming) -> Fault {
        let target = incoming.header("location").and_then(|to| self.address.target(to));
        let target = target.map_or_else(|| "nowhere".to_owned(), |to| self.mask.line(&to, WORDS));
        let what = format!(
            "the endpoint redirects to {target} ({}); redirects are not followed, since they would pass on the key and the question",
            incoming.status
        );
        Fault::new(FailureKind::Unavailable, what).free()
    }

    /// Nothing whole came back.
    pub(super) fn broken(&self, broken: Broken) -> Fault {
        let at = self.address.origin();
        let fault = |kind, what: String| Fault::new(kind, what);
        match broken {
            Broken::Unreached { why, passes } => Fault {
                trouble: passes.then_some(Trouble::UNREACHED),
                ..fault(
                    FailureKind::Unavailable,
                    format!("failed to reach {at}: {}", self.mask.line(&why, WORDS)),
                )
                .free()
            },
            Broken::NoReply { why } => fault(
                FailureKind::Unavailable,
                format!(
                    "{at} closed the connection without a reply: {}",
                    self.mask.line(&why, WORDS)
                ),
            ),
            Broken::Late { waited, limit, body } => {
                let so_far = match body.len() {
                    0 => String::new(),
                    length => format!("; {length} bytes were received"),
                };
                let what = format!("{at} timed out after {} s {waited}{so_far}", seconds(limit));
                fault(FailureKind::Timeout, what).showing(self.mask.beginning(&body))
            }
            Broken::CutOff { body } => {
                let what = format!("the reply breaks off after {} bytes", body.len());
                fault(FailureKind::InvalidAnswer, what).showing(self.mask.beginning(&body))
            }
            Broken::TooLarge { body } => {
                let what = format!("the reply is larger than {} bytes", self.settings.most);
                fault(FailureKind::InvalidAnswer, what).showing(self.mask.beginning(&body))
            }
            Broken::Coded { coding } => fault(
                FailureKind::InvalidAnswer,
                format!(
                    "the reply is compressed ({}), which was not requested",
                    self.mask.line(&coding, 20)
                ),
            ),
        }
    }
}

/// The status of an endpoint that has too much to do: it passes.
const OVERLOADED: u16 = 503;

/// What an endpoint did that answered with this status.
pub(in crate::provider) fn answered(status: u16) -> &'static str {
    match status {
        401 | 403 => "refused the key",
        404 => "does not know the address or the model",
        408 => "gave up waiting",
        413 => "says that the question is too large",
        429 => "reports too many requests",
        500.. => "failed",
        _ => "refused the question",
    }
}

/// Whether a call that ended so may have cost something. Who refuses a question has asked no model;
/// who failed or gave up may have.
pub(in crate::provider) fn may_cost(status: u16) -> bool {
    status == 408 || status >= 500
}

/// A time in seconds, with one digit behind the point where it needs one.
pub(in crate::provider) fn seconds(time: Duration) -> String {
    format!("{:.1}", time.as_secs_f64()).trim_end_matches(".0").to_owned()
}
