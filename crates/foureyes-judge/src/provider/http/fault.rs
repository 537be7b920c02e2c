//! What went wrong, said so that a person knows whose fault it is.

use super::client::{Broken, Incoming};
use super::refusal::{self, Refusal};
use super::tries::Fault;
use super::{Endpoint, WORDS};
use crate::engine::retry::{Trouble, asked, asked_in_body};
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
            status: Some(if refusal.overloaded { 503 } else { status }),
            asked: self.wait(incoming),
            spent: refusal.spent,
            ended: false,
        };
        let answered = answered(status);
        let what = self.sentence(&format!("the endpoint {answered} ({status})"), &refusal);
        let may_cost = may_cost(status);
        let trouble = (!refusal.filtered).then_some(trouble);
        let partial = refusal.generated.map(|text| self.mask.text(&text));
        Fault { trouble, may_cost, partial, is_error: true, ..Fault::new(refusal.kind, what) }
            .showing(self.mask.beginning(&incoming.body))
    }

    /// How long a reply asks to wait, in its headers or in its body.
    fn wait(&self, incoming: &Incoming) -> Option<Duration> {
        let headers = incoming.headers.iter();
        let headers =
            headers.filter_map(|(name, value)| Some((name.as_str(), value.to_str().ok()?)));
        asked(headers, jiff::Timestamp::now())
            .or_else(|| asked_in_body(&serde_json::from_slice(&incoming.body).ok()?))
    }

    /// An error under status 200.
    pub(super) fn covered(&self, incoming: &Incoming, error: &Value) -> Fault {
        let refusal = refusal::read_covered(error);
        let what = self.sentence("the endpoint returned an error with status 200", &refusal);
        let may_cost = refusal.kind.may_cost();
        let trouble = Trouble {
            status: Some(if refusal.overloaded { 503 } else { refusal.status }),
            asked: self.wait(incoming),
            spent: refusal.spent,
            ended: false,
        };
        let trouble = (!refusal.filtered).then_some(trouble);
        let partial = refusal.generated.map(|text| self.mask.text(&text));
        Fault { trouble, may_cost, partial, is_error: true, ..Fault::new(refusal.kind, what) }
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
            Broken::NoReply { why } => Fault {
                trouble: Some(Trouble::ENDED),
                ..fault(
                    FailureKind::Unavailable,
                    format!(
                        "{at} closed the connection without a reply: {}",
                        self.mask.line(&why, WORDS)
                    ),
                )
            },
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
                let trouble = body.is_empty().then_some(Trouble::ENDED);
                let fault = fault(FailureKind::InvalidAnswer, what);
                Fault { trouble, ..fault }.showing(self.mask.beginning(&body))
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

/// The trouble of an endpoint that has too much to do: it passes.
pub(super) const OVERLOADED: Trouble = Trouble { status: Some(503), ..Trouble::UNREACHED };

/// What an endpoint did that answered with this status.
pub(in crate::provider) fn answered(status: u16) -> &'static str {
    match status {
        401 | 403 => "refused the key",
        404 => "does not know the address or the model",
        408 => "gave up waiting",
        409 | 425 => "cannot answer now",
        413 => "says that the question is too large",
        429 | 498 => "reports too many requests",
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
