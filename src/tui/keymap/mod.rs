//! Which key does what: data, with what the user adds.

use crate::tui::action::Action;
use crate::tui::key::Key;
use std::collections::BTreeMap;

mod read;

pub use read::KeymapError;

/// A place where keys hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, strum::VariantArray)]
pub enum Context {
    /// In every place that has no other use for the key.
    Everywhere,
    /// Where a list of records is, and in the record beside it.
    List,
}

impl Context {
    /// All places, the widest first.
    pub const ALL: [Self; 2] = crate::domain::variants();

    /// Its name in the file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Everywhere => "everywhere",
            Self::List => "list",
        }
    }

    /// What it is called in help.
    pub fn title(self) -> &'static str {
        match self {
            Self::Everywhere => "everywhere",
            Self::List => "in a list or a record",
        }
    }
}

/// The keys of every place.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Keymap {
    bound: BTreeMap<(Context, Key), Action>,
    /// In the order of the file, the first key of an action is the one that hints show.
    order: Vec<(Context, Key)>,
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

    /// What a key does in a place; the narrower place goes first.
    pub fn action(&self, context: Context, key: Key) -> Option<Action> {
        [context, Context::Everywhere].into_iter().find_map(|c| self.bound.get(&(c, key)).copied())
    }

    /// The keys of an action in a place, the one for hints first.
    pub fn keys(&self, context: Context, action: Action) -> Vec<Key> {
        // What a narrower place takes for itself is no key of what is bound everywhere.
        let holds = |entry: &&(Context, Key)| {
            (entry.0 == context || entry.0 == Context::Everywhere)
                && self.bound.get(entry) == Some(&action)
                && self.action(context, entry.1) == Some(action)
        };
        self.order.iter().filter(holds).map(|(_, key)| *key).collect()
    }

    /// The key that a hint shows for an action.
    pub fn hint(&self, context: Context, action: Action) -> Option<Key> {
        self.keys(context, action).first().copied()
    }

    /// Everything that is bound: where, which key, to what.
    pub fn all(&self) -> impl Iterator<Item = (Context, Key, Action)> + '_ {
        self.order.iter().filter_map(|(c, k)| Some((*c, *k, *self.bound.get(&(*c, *k))?)))
    }

    fn bind(&mut self, context: Context, key: Key, action: Action) {
        self.bound.insert((context, key), action);
        self.order.push((context, key));
    }

    fn unbind(&mut self, context: Context, key: Key) -> bool {
        self.order.retain(|entry| *entry != (context, key));
        self.bound.remove(&(context, key)).is_some()
    }
}
