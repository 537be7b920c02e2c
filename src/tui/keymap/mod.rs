//! Which key does what: data, with what the user adds.

use crate::tui::action::Action;
use crate::tui::key::Key;
use std::collections::BTreeMap;

mod read;
mod sequence;

pub use read::KeymapError;
pub use sequence::KeySequence;

/// A place where keys hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, strum::VariantArray)]
pub enum Context {
    /// In every place that has no other use for the key.
    Everywhere,
    /// Where a list of records is, and in the record beside it.
    List,
    /// In a record that has the keys.
    Record,
}

impl Context {
    /// All places, the widest first.
    pub const ALL: [Self; 3] = crate::domain::variants();

    /// Its name in the file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Everywhere => "everywhere",
            Self::List => "list",
            Self::Record => "record",
        }
    }

    /// What it is called in help.
    pub fn title(self) -> &'static str {
        match self {
            Self::Everywhere => "everywhere",
            Self::List => "in a list or a record",
            Self::Record => "in a record that has the keys",
        }
    }

    /// It and the wider ones around it, the narrowest first.
    fn chain(self) -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().rev().skip_while(move |context| *context != self)
    }
}

/// What a key comes to in a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Bound {
    /// It does something.
    Action(Action),
    /// It is the first of two: each second one, with what the two do.
    First(Vec<(Key, Action)>),
}

/// The keys of every place.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Keymap {
    bound: BTreeMap<(Context, KeySequence), Action>,
    /// In the order of the file, the first key of an action is the one that hints show.
    order: Vec<(Context, KeySequence)>,
}

impl Keymap {
    /// The keys that the program comes with.
    pub fn built_in() -> Self {
        // A test reads it; were it wrong, the palette would still reach every action.
        read::read(Self::default(), include_str!("../../../assets/keymap.toml")).unwrap_or_default()
    }

    /// Adds the keys of a user's file.
    ///
    /// # Errors
    /// The first thing in the text that is wrong, with its place.
    pub fn with(self, text: &str) -> Result<Self, KeymapError> {
        read::read(self, text)
    }

    /// What a key does in a place by itself; the narrower place goes first.
    pub fn action(&self, context: Context, key: Key) -> Option<Action> {
        match self.find(context, key)? {
            Bound::Action(action) => Some(action),
            Bound::First(_) => None,
        }
    }

    /// What one or two keys do in a place.
    pub fn sequence(&self, context: Context, keys: KeySequence) -> Option<Action> {
        let Some(second) = keys.second else { return self.action(context, keys.first) };
        match self.find(context, keys.first)? {
            Bound::Action(_) => None,
            Bound::First(all) => {
                all.into_iter().find(|(key, _)| *key == second).map(|(_, action)| action)
            }
        }
    }

    /// What a key comes to in a place; the narrower place goes first. Second keys are those of all places up to
    /// the one where the key does something by itself.
    pub fn find(&self, context: Context, key: Key) -> Option<Bound> {
        let mut seconds: Vec<(Key, Action)> = Vec::new();
        for place in context.chain() {
            let alone = self.bound.get(&(place, KeySequence::from(key)));
            match alone {
                Some(action) if seconds.is_empty() => return Some(Bound::Action(*action)),
                Some(_) => break,
                None => {}
            }
            for (in_place, keys) in &self.order {
                let Some(second) = keys.second.filter(|_| keys.first == key) else { continue };
                let is_new = seconds.iter().all(|(known, _)| *known != second);
                let action = self.bound.get(&(place, *keys)).filter(|_| *in_place == place);
                seconds.extend(action.filter(|_| is_new).map(|action| (second, *action)));
            }
        }
        (!seconds.is_empty()).then_some(Bound::First(seconds))
    }

    /// The keys of an action in a place, the one for hints first.
    pub fn keys(&self, context: Context, action: Action) -> Vec<KeySequence> {
        // What a narrower place takes for itself is no key of what is bound everywhere.
        let holds = |entry: &&(Context, KeySequence)| {
            context.chain().any(|place| place == entry.0)
                && self.bound.get(entry) == Some(&action)
                && self.sequence(context, entry.1) == Some(action)
        };
        self.order.iter().filter(holds).map(|(_, keys)| *keys).collect()
    }

    /// The key that a hint shows for an action.
    pub fn hint(&self, context: Context, action: Action) -> Option<KeySequence> {
        self.keys(context, action).first().copied()
    }

    /// Everything that is bound: where, which key, to what.
    pub fn all(&self) -> impl Iterator<Item = (Context, KeySequence, Action)> + '_ {
        self.order.iter().filter_map(|(c, k)| Some((*c, *k, *self.bound.get(&(*c, *k))?)))
    }

    fn bind(&mut self, context: Context, keys: KeySequence, action: Action) {
        self.bound.insert((context, keys), action);
        self.order.push((context, keys));
    }

    /// Takes a key away, with all that begins with it; tells whether there was anything.
    fn unbind(&mut self, context: Context, keys: KeySequence) -> bool {
        let before = self.order.len();
        let is_it = |entry: &(Context, KeySequence)| {
            entry.0 == context
                && (entry.1 == keys || (keys.second.is_none() && entry.1.first == keys.first))
        };
        self.order.retain(|entry| !is_it(entry));
        self.bound.retain(|entry, _| !is_it(entry));
        self.order.len() < before
    }
}
