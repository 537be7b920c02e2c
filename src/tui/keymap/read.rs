//! A keymap file to bindings, with the place of whatever is wrong.

use super::{Context, Keymap};
use crate::tui::action::Action;
use crate::tui::key::{Code, Key};
use std::collections::BTreeMap;
use toml::Spanned;

/// The word that takes keys away.
const UNBIND: &str = "unbind";

/// A keymap cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {what}")]
pub struct KeymapError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong, and what would be right.
    pub what: String,
}

type Bindings = BTreeMap<Spanned<String>, Vec<Spanned<String>>>;
type File = BTreeMap<Spanned<String>, Bindings>;

/// Adds the bindings of a text to a keymap.
pub(super) fn read(base: Keymap, text: &str) -> Result<Keymap, KeymapError> {
    let text = text.trim_start_matches('\u{feff}');
    let at = |offset: usize, what: String| error_at(text, offset, what);
    let file: File = toml::from_str(text).map_err(|e| {
        let message = e.message().lines().collect::<Vec<_>>().join(", ");
        at(e.span().map_or(0, |s| s.start), message)
    })?;
    let mut keymap = base;
    // Keys are taken away first, so that a file can give them another use.
    for (unbinding, (name, entries)) in
        [true, false].iter().flat_map(|u| file.iter().map(move |f| (*u, f)))
    {
        let context = context(name.get_ref()).map_err(|what| at(name.span().start, what))?;
        for (action, keys) in entries {
            if (action.get_ref() == UNBIND) != unbinding {
                continue;
            }
            for written in keys {
                let key: Key =
                    written.get_ref().parse().map_err(|e: crate::tui::key::KeyError| {
                        at(written.span().start, e.to_string())
                    })?;
                if unbinding {
                    unbind(&mut keymap, context, key)
                } else {
                    let action = find_action(action.get_ref())
                        .map_err(|what| at(action.span().start, what))?;
                    bind(&mut keymap, context, key, action)
                }
                .map_err(|what| at(written.span().start, what))?;
            }
        }
    }
    Ok(keymap)
}

/// Takes a key away.
fn unbind(keymap: &mut Keymap, context: Context, key: Key) -> Result<(), String> {
    if key == CANCEL {
        return Err("ctrl-c always cancels".to_owned());
    }
    if keymap.unbind(context, key) {
        return Ok(());
    }
    Err(format!("`{key}` is not bound in [{}]", context.name()))
}

/// Gives a key to an action.
fn bind(keymap: &mut Keymap, context: Context, key: Key, action: Action) -> Result<(), String> {
    match keymap.bound.get(&(context, key)) {
        Some(bound) if *bound == action => Ok(()),
        Some(bound) => Err(format!(
            "`{key}` is `{}` in [{}] already; `{UNBIND} = [\"{key}\"]` there takes it away",
            bound.name(),
            context.name()
        )),
        None => {
            keymap.bind(context, key, action);
            Ok(())
        }
    }
}

/// The one key that nothing takes away: a console must always be left.
const CANCEL: Key = Key { code: Code::Char('c'), ctrl: true, alt: false, shift: false };

fn context(name: &str) -> Result<Context, String> {
    let found = Context::ALL.into_iter().find(|c| c.name() == name);
    found.ok_or_else(|| {
        let names: Vec<_> = Context::ALL.iter().map(|c| format!("[{}]", c.name())).collect();
        format!("there is no place `{name}`: {}", names.join(", "))
    })
}

fn find_action(name: &str) -> Result<Action, String> {
    Action::from_name(name).ok_or_else(|| {
        let distance = |a: &&Action| strsim::damerau_levenshtein(a.name(), name);
        let near = Action::ALL.iter().min_by_key(distance).map_or("", |a| a.name());
        format!("there is no action `{name}`; the nearest name is `{near}`")
    })
}

fn error_at(text: &str, offset: usize, what: String) -> KeymapError {
    let before = &text[..text.floor_char_boundary(offset)];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().map_or(0, |l| l.chars().count()) + 1;
    KeymapError { line, column, what }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn key(text: &str) -> Key {
        text.parse().unwrap()
    }

    #[test]
    fn the_built_in_keymap_is_read_whole() {
        let text = include_str!("../../../assets/keymap.toml");
        let keymap = read(Keymap::default(), text).unwrap();
        assert_eq!(keymap, Keymap::built_in());
        for action in Action::ALL {
            let keys = Context::ALL.map(|error_at| keymap.keys(error_at, *action));
            assert!(!keys.concat().is_empty(), "{}", action.name());
        }
    }

    #[test]
    fn a_user_adds_keys_and_keeps_the_others() {
        let keymap = Keymap::built_in().with("[list]\nseen = [\"f9\"]\n").unwrap();
        let keys = keymap.keys(Context::List, Action::Seen);
        assert_eq!(keys, [key("d"), key("f9")]);
        assert_eq!(keymap.action(Context::Everywhere, key("f9")), None);
    }

    #[test]
    fn a_key_in_use_is_refused_with_its_place_and_the_way_out() {
        let error = Keymap::built_in().with("[list]\n# mine\npull = [\"d\"]\n").unwrap_err();
        assert_eq!((error.line, error.column), (3, 9));
        assert!(error.what.contains("`seen`") && error.what.contains("unbind"), "{error}");
        let text = "[list]\npull = [\"d\"]\nunbind = [\"d\"]\n";
        let keymap = Keymap::built_in().with(text).unwrap();
        assert_eq!(keymap.action(Context::List, key("d")), Some(Action::Pull));
    }

    #[test]
    fn misspelled_name_suggests_nearest() {
        let bad = |text: &str| Keymap::built_in().with(text).unwrap_err().to_string();
        assert_eq!(
            bad("[list]\nsen = [\"f2\"]"),
            "line 2, column 1: there is no action `sen`; the nearest name is `seen`"
        );
        assert!(bad("[lists]\n").contains("[everywhere], [list]"));
        assert!(bad("[list]\nseen = [\"ctrl-\"]").starts_with("line 2, column 9"));
        assert!(bad("[list]\nseen = \"d\"").starts_with("line 2"));
        assert!(bad("[list]\nunbind = [\"f9\"]").contains("not bound"));
        assert!(bad("[everywhere]\nunbind = [\"ctrl-c\"]").contains("always cancels"));
    }
}
