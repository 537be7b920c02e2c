//! What is asked a second time where a first answer is none.

use super::Judge;
use crate::engine::answer::{Fault, Lack};
use crate::engine::finish::Finish;
use crate::engine::verdict::Verdict;
use crate::provider::Reply;

/// Tokens that an answer has room in, mostly.
const USUAL: u32 = 1024;

/// How the second question differs from the first. It is asked once, of contents and of tasks alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Again {
    /// What the first answer lacked.
    pub lack: Lack,
    /// Most tokens of the second answer, where the first was cut by its limit: twice as many.
    pub tokens: Option<u32>,
}

impl Again {
    /// What follows an answer: nothing where it is one, or where asking again is of no use. An answer that
    /// was cut by its limit would be cut there again, unless there are more tokens.
    pub fn after(fault: Option<&Fault>, finish: &Finish, longer: Option<u32>) -> Option<Self> {
        let lack = fault?.lack()?;
        match finish {
            Finish::Limit(_) => longer.map(|tokens| Self { lack, tokens: Some(tokens) }),
            Finish::Filtered(_) => None,
            _ => Some(Self { lack, tokens: None }),
        }
    }

    /// Twice the tokens that an answer had, where the configuration allows that and the number is known. An
    /// endpoint's own limit may be very low: then it is twice what answers mostly take.
    pub(super) fn longer<V: Verdict>(
        judge: &Judge<V>,
        reply: &Reply,
        tokens: Option<u32>,
    ) -> Option<u32> {
        let counted = reply.usage.and_then(|usage| usage.completion_tokens);
        let counted = counted.and_then(|counted| u32::try_from(counted).ok());
        let had = tokens.or(counted.map(|counted| counted.max(USUAL)))?;
        (!judge.settings.fixed_tokens).then(|| had.saturating_mul(2))
    }
}
