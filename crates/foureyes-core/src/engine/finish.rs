//! How a model ended its answer: the reasons that providers give, in one table for all of them.

/// Longest reason that is kept, in characters.
const MOST_REASON: usize = 40;

/// Reasons of an end that the model came to by itself, in small letters, without what parts their words.
const GOOD: [&str; 8] = [
    "stop",
    "endturn",
    "stopsequence",
    "eos",
    "eostoken",
    "complete",
    "completed",
    "endofsequence",
];
/// The same where the answer came as the call of a tool.
const CALLED: [&str; 3] = ["toolcalls", "tooluse", "functioncall"];
/// Reasons of an end at a limit of tokens.
const LIMITS: [&str; 7] = [
    "length",
    "maxtokens",
    "maxoutputtokens",
    "maxlength",
    "modellength",
    "tokenlimit",
    "modelcontextwindowexceeded",
];
/// Reasons of an answer that a filter withheld, whole or from some place on.
const FILTERED: [&str; 8] = [
    "contentfilter",
    "contentfiltered",
    "safety",
    "prohibitedcontent",
    "blocklist",
    "recitation",
    "spii",
    "sensitive",
];

/// How a model ended its answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Finish {
    /// By itself: the reason is one of a good end.
    #[default]
    Whole,
    /// No reason is given. It is a good end where nothing follows the answer's object.
    Unnamed,
    /// At a limit of tokens; with the reason as it was given.
    Limit(String),
    /// A filter withheld it, or the rest of it.
    Filtered(String),
    /// With an error: nothing was answered.
    Failed(String),
    /// For a reason that is on no list: what came may be a part.
    Other(String),
}

impl Finish {
    /// Reads the reason that a provider gives. `by_call` says that the answer came as the call of a tool.
    pub fn read(reason: Option<&str>, by_call: bool) -> Self {
        let Some(reason) = reason.map(str::trim).filter(|reason| !reason.is_empty()) else {
            return Self::Unnamed;
        };
        let kept = || reason.chars().take(MOST_REASON).collect::<String>();
        let folded: String =
            reason.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
        let is_in = |list: &[&str]| list.contains(&folded.trim_start_matches("finishreason"));
        match () {
            () if is_in(&["null", "none"]) => Self::Unnamed,
            () if is_in(&GOOD) || (by_call && is_in(&CALLED)) => Self::Whole,
            () if is_in(&LIMITS) => Self::Limit(kept()),
            () if is_in(&FILTERED) => Self::Filtered(kept()),
            () if is_in(&["error"]) => Self::Failed(kept()),
            () => Self::Other(kept()),
        }
    }

    /// Whether the answer may be a part of one. `is_last` says that nothing follows what counts of it, which
    /// tells where no reason is given.
    pub fn is_cut(&self, is_last: bool) -> bool {
        match self {
            Self::Whole => false,
            Self::Unnamed => !is_last,
            Self::Limit(_) | Self::Filtered(_) | Self::Failed(_) | Self::Other(_) => true,
        }
    }

    /// What a record has of it: nothing of a good end, `none` where no reason was given, else the reason.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Self::Whole => None,
            Self::Unnamed => Some("none"),
            Self::Limit(reason)
            | Self::Filtered(reason)
            | Self::Failed(reason)
            | Self::Other(reason) => Some(reason),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Finish;

    #[test]
    fn reason_is_good_only_where_it_is_on_the_list() {
        for good in [
            "stop",
            "end_turn",
            "stop_sequence",
            "eos",
            "eos_token",
            "STOP",
            "complete",
            "completed",
            "COMPLETE",
            "endturn",
            "Stop",
            "FINISH_REASON_STOP",
        ] {
            assert_eq!(Finish::read(Some(good), false), Finish::Whole, "{good}");
        }
        for call in ["tool_calls", "tool_use", "function_call"] {
            assert_eq!(Finish::read(Some(call), true), Finish::Whole, "{call}");
            assert_eq!(Finish::read(Some(call), false), Finish::Other(call.to_owned()));
        }
        for limit in ["length", "max_tokens", "MAX_TOKENS", "model_context_window_exceeded"] {
            assert_eq!(Finish::read(Some(limit), true), Finish::Limit(limit.to_owned()));
        }
        for filter in ["content_filter", "SAFETY", "content-filter"] {
            assert_eq!(Finish::read(Some(filter), true), Finish::Filtered(filter.to_owned()));
        }
        for other in ["insufficient_system_resource", "abort", "unknown", "stopped early", "ok"] {
            assert_eq!(Finish::read(Some(other), true), Finish::Other(other.to_owned()));
        }
        for none in [None, Some(""), Some("  "), Some("null")] {
            assert_eq!(Finish::read(none, true), Finish::Unnamed);
        }
        assert_eq!(Finish::read(Some("error"), false), Finish::Failed("error".to_owned()));
    }

    #[test]
    fn record_names_every_end_but_a_good_one() {
        assert_eq!(Finish::Whole.reason(), None);
        assert_eq!(Finish::Unnamed.reason(), Some("none"));
        let long = Finish::read(Some(&"x".repeat(500)), false);
        assert_eq!(long.reason().map(str::len), Some(40));
    }
}
