//! A keymap file to bindings, with the place of whatever is wrong.

use super::{Context, KeySequence, Keymap};
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
                let key: KeySequence =
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

/// Takes a key away; of a first key all that begin with it.
fn unbind(keymap: &mut Keymap, context: Context, keys: KeySequence) -> Result<(), String> {
    if keys.first == CANCEL {
        return Err(ALWAYS_CANCELS.to_owned());
    }
    if keymap.unbind(context, keys) {
        return Ok(());
    }
    Err(format!("`{keys}` is not bound in [{}]", context.name()))
}

/// Gives a key to an action. A lone key takes the place of all that begin with it: it has to do something at once.
fn bind(
    keymap: &mut Keymap,
    context: Context,
    keys: KeySequence,
    action: Action,
) -> Result<(), String> {
    if (keys.first == CANCEL || keys.second == Some(CANCEL)) && action != Action::Cancel {
        return Err(ALWAYS_CANCELS.to_owned());
    }
    let alone = KeySequence::from(keys.first);
    let taken = [keys, alone].map(|keys| keymap.bound.get(&(context, keys)).map(|by| (keys, *by)));
    match taken.into_iter().flatten().next() {
        Some((bound, by)) if bound == keys && by == action => Ok(()),
        Some((bound, by)) => Err(format!(
            "`{bound}` is `{}` in [{}] already; `{UNBIND} = [\"{bound}\"]` there takes it away",
            by.name(),
            context.name()
        )),
        None => {
            if keys.second.is_none() {
                keymap.unbind(context, keys);
            }
            keymap.bind(context, keys, action);
            Ok(())
        }
    }
}

/// The one key that nothing takes away: a console must always be left.
const CANCEL: Key = Key { code: Code::Char('c'), ctrl: true, alt: false, shift: false };

const ALWAYS_CANCELS: &str = "ctrl-c always cancels";

fn context(name: &str) -> Result<Context, String> {
    let found = Context::ALL.into_iter().find(|c| c.name() == name);
    found.ok_or_else(|| {
        let names: Vec<_> = Context::ALL.iter().map(|c| format!("[{}]", c.name())).collect();
        format!("there is no place `{name}`: {}", names.join(", "))
    })
}

/// Names of actions that another one does now.
const FORMER: [(&str, Action); 1] = [("dismiss", Action::Back)];

fn find_action(name: &str) -> Result<Action, String> {
    let former = || FORMER.iter().find(|(known, _)| *known == name).map(|(_, action)| *action);
    Action::from_name(name).or_else(former).ok_or_else(|| {
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

    fn keys(text: &str) -> KeySequence {
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
        let seen = keymap.keys(Context::List, Action::Seen);
        assert_eq!(seen, [keys("d"), keys("f9")]);
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
        assert!(bad("[lists]\n").contains("[everywhere], [list], [record]"));
        assert!(bad("[list]\nseen = [\"ctrl-\"]").starts_with("line 2, column 9"));
        assert!(bad("[list]\nseen = \"d\"").starts_with("line 2"));
        assert!(bad("[list]\nunbind = [\"f9\"]").contains("not bound"));
        for text in [
            "[everywhere]\nunbind = [\"ctrl-c\"]",
            "[list]\npull = [\"ctrl-c x\"]",
            "[list]\nseen = [\"ctrl-c\"]",
            "[list]\nseen = [\"y ctrl-c\"]",
        ] {
            assert!(bad(text).contains("always cancels"), "{text}");
        }
    }

    #[test]
    fn two_keys_do_what_they_are_bound_to_in_the_narrowest_place_and_around_it() {
        let keymap = Keymap::built_in();
        for place in [Context::List, Context::Record] {
            assert_eq!(keymap.action(place, key("y")), None);
            assert_eq!(keymap.sequence(place, keys("y i")), Some(Action::CopyId));
            assert_eq!(keymap.sequence(place, keys("y m")), Some(Action::CopyCommand));
        }
        assert_eq!(keymap.sequence(Context::Everywhere, keys("y i")), None);
        assert_eq!(keymap.sequence(Context::Everywhere, keys("y m")), Some(Action::CopyCommand));
        assert_eq!(keymap.hint(Context::List, Action::CopyId), Some(keys("y i")));
        assert_eq!(keymap.sequence(Context::Record, keys("/")), Some(Action::Search));
        assert_eq!(keymap.sequence(Context::List, keys("/")), Some(Action::Filter));
    }

    #[test]
    fn a_keymap_of_before_goes_on_working() {
        let text = "[list]\ncopy-id = [\"y\"]\n[everywhere]\ndismiss = [\"x\"]\n";
        let keymap = Keymap::built_in().with(text).unwrap();
        assert_eq!(keymap.action(Context::List, key("y")), Some(Action::CopyId));
        assert_eq!(keymap.action(Context::Everywhere, key("x")), Some(Action::Back));
        let text = "[list]\nunbind = [\"y\"]\nseen = [\"y\"]\ncopy-id = [\"f9\"]\n";
        let keymap = Keymap::built_in().with(text).unwrap();
        assert_eq!(keymap.action(Context::List, key("y")), Some(Action::Seen));
        assert_eq!(keymap.hint(Context::List, Action::CopyId), Some(keys("f9")));
    }

    #[test]
    fn a_key_that_does_something_is_no_first_key() {
        let error = Keymap::built_in().with("[list]\npull = [\"d x\"]\n").unwrap_err();
        assert!(error.what.contains("`d` is `seen`"), "{error}");
        let keymap = Keymap::built_in().with("[list]\npull = [\"y z\"]\n").unwrap();
        assert_eq!(keymap.sequence(Context::List, keys("y z")), Some(Action::Pull));
    }
}
