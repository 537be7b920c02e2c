//! Typing or a burst: what arrived at once decides.

use super::{Input, Paste, Token};
use crate::tui::key::{Code, Key};

/// More characters than this at once, and not all the same, are no typing.
///
/// A hand types one at a time. A stalled connection delivers what was typed meanwhile, which is
/// seldom more than this in half a second.
pub const BURST: usize = 8;

/// More of one character than this at once is no key held down either.
const REPEATS: usize = 64;

/// Makes inputs of what arrived at once, and returns whether it was a burst.
///
/// A burst is text that a terminal without marks for a paste delivers, or another program sends:
/// its characters become one [`Input::Paste`], so that they never count as actions. `after` says
/// that a burst ended just before, of which this may be the rest.
pub fn gather(tokens: Vec<Token>, after: bool) -> (Vec<Input>, bool) {
    let burst = is_burst(&tokens) || (after && tokens.iter().any(|t| typed(t).is_some()));
    if !burst {
        return (tokens.into_iter().map(input).collect(), false);
    }
    let mut inputs = Vec::new();
    let mut run = String::new();
    for token in tokens {
        match typed(&token).or_else(|| control(&token)) {
            Some(c) => run.push(c),
            None => {
                inputs.extend(paste(&mut run));
                inputs.push(input(token));
            }
        }
    }
    inputs.extend(paste(&mut run));
    (inputs, true)
}

/// How many characters arrived; more than one make it worth to look for more.
pub(in crate::tui) fn characters(tokens: &[Token]) -> usize {
    tokens.iter().filter(|t| typed(t).is_some()).count()
}

fn is_burst(tokens: &[Token]) -> bool {
    let mut typed = tokens.iter().filter_map(typed);
    let Some(first) = typed.next() else { return false };
    let (count, same) = typed.fold((1, true), |(n, same), c| (n + 1, same && c == first));
    count > if same { REPEATS } else { BURST }
}

/// The character that a key types.
fn typed(token: &Token) -> Option<char> {
    match token {
        Token::Key(Key { code: Code::Enter, ctrl: false, alt: false, shift: false }) => Some('\n'),
        Token::Key(Key { code: Code::Tab, ctrl: false, alt: false, shift: false }) => Some('\t'),
        Token::Key(key) if *key == Key::ctrl('j') => Some('\n'),
        Token::Key(key) => key.text(),
        Token::Paste(_) | Token::Mouse(_) => None,
    }
}

/// The control character of a key with ctrl: in the middle of a burst it is a part of the text.
fn control(token: &Token) -> Option<char> {
    match token {
        Token::Key(Key { code: Code::Char(c @ '@'..='\x7f'), ctrl: true, alt: false, .. }) => {
            char::from_u32(u32::from(*c) & 0x1f)
        }
        _ => None,
    }
}

fn input(token: Token) -> Input {
    match token {
        Token::Key(key) => Input::Key(key),
        Token::Mouse(mouse) => Input::Mouse(mouse),
        Token::Paste(paste) => Input::Paste(paste),
    }
}

fn paste(run: &mut String) -> Option<Input> {
    let text = std::mem::take(run);
    (!text.is_empty()).then_some(Input::Paste(Paste { text, cut: 0, burst: true }))
}

#[cfg(test)]
mod tests {
    use super::super::Decoder;
    use super::*;

    fn inputs(bytes: &str, after: bool) -> (Vec<Input>, bool) {
        let (mut decoder, mut tokens) = (Decoder::default(), Vec::new());
        decoder.feed(bytes.as_bytes(), &mut tokens);
        gather(tokens, after)
    }

    fn burst(text: &str) -> Input {
        Input::Paste(Paste { text: text.to_owned(), cut: 0, burst: true })
    }

    #[test]
    fn typing_and_held_keys_stay_keys() {
        for bytes in ["j", "jjkkaapp", "\r", &"j".repeat(40), &"\x1b[B".repeat(500)] {
            let (found, was) = inputs(bytes, false);
            assert!(!was && found.iter().all(|i| matches!(i, Input::Key(_))), "{bytes:?}");
        }
    }

    #[test]
    fn burst_is_text_not_actions() {
        let (found, was) = inputs("approve\rall\x13", false);
        assert!(was);
        assert_eq!(found, [burst("approve\nall\x13")]);
        assert_eq!(inputs(&"a".repeat(65), false).0, [burst(&"a".repeat(65))]);
        assert_eq!(inputs("abcdefghi\x1b[Bx", false).0.len(), 3);
    }

    #[test]
    fn the_rest_of_a_burst_belongs_to_it() {
        assert_eq!(inputs("a", true), (vec![burst("a")], true));
        let (found, was) = inputs("\x1b[B", true);
        assert!(!was && matches!(found[..], [Input::Key(_)]));
    }

    #[test]
    fn bracketed_paste_is_not_a_burst() {
        let (found, was) = inputs("\x1b[200~a long text of many words\x1b[201~", false);
        assert!(!was);
        assert!(matches!(&found[..], [Input::Paste(p)] if !p.burst && p.text.len() == 25));
    }
}
