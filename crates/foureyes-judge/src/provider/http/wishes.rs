//! What of a question an endpoint may refuse, and what one is asked without.

use crate::provider::Ask;
use serde::{Deserialize, Serialize};

/// What of a question an endpoint may refuse, and which it is asked without then.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, strum::VariantArray)]
#[serde(rename_all = "snake_case")]
pub(in crate::provider) enum Wish {
    /// `response_format` with a schema.
    Schema,
    /// `temperature`, which some models fix.
    Temperature,
    /// `max_tokens`, which newer models call `max_completion_tokens`.
    MaxTokens,
}

impl Wish {
    const ALL: [Self; 3] = crate::domain::variants();
}

/// The wishes that a model was found to refuse, and when: seconds since 1970.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Refused {
    schema: Option<i64>,
    temperature: Option<i64>,
    max_tokens: Option<i64>,
}

impl Refused {
    /// Seconds after which a wish is tried anew: endpoints learn.
    const FORGOTTEN: i64 = 7 * 86_400;

    /// Tells whether what was found then still holds. What lies ahead was found by a wrong clock.
    pub(super) fn holds(at: i64, now: i64) -> bool {
        (now - Self::FORGOTTEN..=now + 86_400).contains(&at)
    }

    fn place(&mut self, wish: Wish) -> &mut Option<i64> {
        match wish {
            Wish::Schema => &mut self.schema,
            Wish::Temperature => &mut self.temperature,
            Wish::MaxTokens => &mut self.max_tokens,
        }
    }

    /// Notes that a wish was refused.
    pub(super) fn note(&mut self, wish: Wish, at: i64) {
        let place = self.place(wish);
        *place = (*place).max(Some(at));
    }

    /// All of them.
    pub(super) fn all(mut self) -> impl Iterator<Item = (Wish, i64)> {
        Wish::ALL.into_iter().filter_map(move |wish| Some((wish, (*self.place(wish))?)))
    }

    /// What to ask without now.
    pub(super) fn without(self, now: i64) -> Without {
        let mut without = Without::default();
        for (wish, at) in self.all() {
            *without.place(wish) = Self::holds(at, now);
        }
        without
    }
}

/// The wishes that a question is asked without.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::provider) struct Without {
    pub(in crate::provider) schema: bool,
    pub(in crate::provider) temperature: bool,
    pub(in crate::provider) max_tokens: bool,
}

impl Without {
    fn place(&mut self, wish: Wish) -> &mut bool {
        match wish {
            Wish::Schema => &mut self.schema,
            Wish::Temperature => &mut self.temperature,
            Wish::MaxTokens => &mut self.max_tokens,
        }
    }

    /// Adds a wish; tells whether the question has it, so that asking without it is another question.
    pub(in crate::provider) fn drop_wish(&mut self, wish: Wish, ask: &Ask) -> bool {
        let asked = match wish {
            Wish::Schema => ask.schema.is_some(),
            Wish::Temperature => ask.temperature.is_some(),
            Wish::MaxTokens => ask.max_tokens.is_some(),
        };
        asked && !std::mem::replace(self.place(wish), true)
    }

    /// What is left out here and was not there, as found now.
    pub(super) fn beyond(mut self, mut known: Self, now: i64) -> Refused {
        let mut found = Refused::default();
        for wish in Wish::ALL {
            if *self.place(wish) && !*known.place(wish) {
                found.note(wish, now);
            }
        }
        found
    }
}
