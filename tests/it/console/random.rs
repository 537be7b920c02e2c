//! Messages by chance: keys, text, sizes, and answers that come late, twice, wrong or not at all.

use super::answers::{Pool, highlighted};
use foureyes::domain::Timestamp;
use foureyes::pull::{Event, PullState};
use foureyes::tui::input::{Input, Paste, Signal};
use foureyes::tui::key::{Code, Key};
use foureyes::tui::keymap::{KeySequence, Keymap};
use foureyes::tui::model::Problem;
use foureyes::tui::theme::Theme;
use foureyes::tui::{Effect, Message, Model};
use proptest::prelude::*;
use std::sync::{Arc, LazyLock};

/// One step by chance.
#[derive(Debug, Clone)]
pub(super) struct Chance {
    what: What,
    /// What else is to be decided.
    by: u64,
    /// A terminal that has another size than the model heard of.
    pub(super) frame: Option<(u16, u16)>,
}

#[derive(Debug, Clone, Copy)]
enum What {
    /// A key that is bound, or one that types.
    Key,
    Typed,
    Paste,
    Resize,
    /// The outside answers something that it was asked.
    Answer,
    /// It fails at it.
    Fail,
    /// It answers what nobody asks any more.
    Stale,
    /// The logs are open anew.
    Reopened,
    Pulling,
    Clock,
    Told,
    End,
}

/// Sizes that are worth a try.
const SIZES: [(u16, u16); 14] = [
    (0, 0),
    (1, 1),
    (2, 2),
    (19, 5),
    (29, 6),
    (30, 6),
    (40, 12),
    (40, 10),
    (76, 9),
    (80, 24),
    (110, 30),
    (120, 40),
    (500, 200),
    (10_000, 1),
];

/// A step by chance; answers are the most frequent, so that there is something on the screen.
pub(super) fn chance() -> impl Strategy<Value = Chance> {
    let what = prop_oneof![
        40 => Just(What::Key),
        6 => Just(What::Typed),
        2 => Just(What::Paste),
        5 => Just(What::Resize),
        50 => Just(What::Answer),
        4 => Just(What::Fail),
        5 => Just(What::Stale),
        1 => Just(What::Reopened),
        3 => Just(What::Pulling),
        2 => Just(What::Clock),
        3 => Just(What::Told),
        1 => Just(What::End),
    ];
    let frame = prop_oneof![
        30 => Just(None),
        1 => (0..SIZES.len()).prop_map(|at| Some(SIZES[at])),
    ];
    (what, any::<u64>(), frame).prop_map(|(what, by, frame)| Chance { what, by, frame })
}

/// The outside: what it was asked and has not answered.
pub(super) struct Outside {
    pool: &'static Pool,
    asked: Vec<Effect>,
    edition: u64,
}

static BOUND: LazyLock<Vec<Key>> =
    LazyLock::new(|| Keymap::built_in().all().flat_map(|(_, keys, _)| pressed(keys)).collect());

fn pressed(keys: KeySequence) -> impl Iterator<Item = Key> {
    std::iter::once(keys.first).chain(keys.second)
}

/// All keys that do anything.
pub(super) fn bound() -> &'static [Key] {
    &BOUND
}

/// Characters that a typed filter is made of, and some that nobody expects.
const TYPED: [&str; 12] = [
    "verdict:no-go",
    "path:",
    "a",
    " ",
    "-",
    "\"",
    "\u{202e}",
    "日",
    "👩\u{200d}👩\u{200d}👧",
    "e\u{301}\u{302}",
    "score:<",
    "|",
];

impl Outside {
    pub(super) fn new() -> Self {
        Self { pool: Pool::get(), asked: Vec::new(), edition: 0 }
    }

    /// Hears what it is to do; of what waits for too long the oldest is forgotten.
    pub(super) fn hear(&mut self, effects: Vec<Effect>) {
        self.asked.extend(effects);
        let surplus = self.asked.len().saturating_sub(12);
        self.asked.drain(..surplus);
    }

    fn answer(&mut self, by: u64, fails: bool, shift: u64) -> Option<Message> {
        if self.asked.is_empty() {
            return None;
        }
        let effect = self.asked.remove(by as usize % self.asked.len());
        // Some are answered twice.
        if by.is_multiple_of(11)
            || matches!(effect, Effect::Summarise { .. } | Effect::Assess { .. })
                && !by.is_multiple_of(3)
        {
            self.asked.push(effect.clone());
        }
        if matches!(effect, Effect::Open) && !fails {
            self.edition += 1;
        }
        self.pool.answer(effect, self.edition, by, fails, shift)
    }
}

/// The message of a step.
pub(super) fn step(outside: &mut Outside, model: &Model, chance: &Chance) -> Message {
    let by = chance.by;
    let key = Message::Input(Input::Key(key(by)));
    match chance.what {
        What::Key => key,
        What::Typed => typed(by),
        What::Paste => {
            let (text, _) = crate::hostile::SIGNALS[by as usize % crate::hostile::SIGNALS.len()];
            let text = if by.is_multiple_of(7) { text.repeat(900) } else { text.to_owned() };
            Message::Input(Input::Paste(Paste { text, cut: by % 2, burst: by.is_multiple_of(3) }))
        }
        What::Resize => {
            let (width, height) = match by % 3 {
                0 => SIZES[by as usize / 3 % SIZES.len()],
                1 => ((by >> 8) as u16 % 200, (by >> 24) as u16 % 60),
                _ => (80 + (by >> 8) as u16 % 60, 20 + (by >> 24) as u16 % 20),
            };
            Message::Input(Input::Resize { width, height })
        }
        What::Answer => outside.answer(by, false, 0).unwrap_or(key),
        What::Fail => outside.answer(by, true, 0).unwrap_or(key),
        What::Stale => outside.answer(by, false, 1 + by % 3).unwrap_or(key),
        What::Reopened => match by % 2 {
            0 => Message::Outdated(outside.edition.saturating_sub(by / 2 % 2)),
            _ => Message::Due,
        },
        What::Pulling => pulling(by),
        What::Clock => Message::Clock(Timestamp(model.now.0 + (by % 200_000_000_000) as i64)),
        What::Told => told(model, by),
        What::End => Message::Input(match by % 4 {
            0 => Input::Gone,
            1 => Input::Signal(Signal::Terminate),
            2 => Input::Panicked,
            _ => Input::Resumed,
        }),
    }
}

fn key(by: u64) -> Key {
    let bound = &*BOUND;
    let key = bound[by as usize % bound.len()];
    match (by >> 32) % 20 {
        0 => key.with_alt(),
        1 => Key::char(char::from_u32((by >> 40) as u32 % 0x3000 + 0x20).unwrap_or('x')),
        2 => Key::ctrl(char::from(b'a' + (by >> 40) as u8 % 26)),
        3 => Key::plain(
            [Code::Backspace, Code::Delete, Code::Left, Code::Right, Code::Up, Code::F(9)]
                [(by >> 40) as usize % 6],
        ),
        4..8 => Key::plain(if by.is_multiple_of(2) { Code::Esc } else { Code::Enter }),
        _ => key,
    }
}

fn typed(by: u64) -> Message {
    let text = TYPED[by as usize % TYPED.len()].to_owned();
    Message::Input(Input::Paste(Paste { text, cut: 0, burst: true }))
}

fn pulling(by: u64) -> Message {
    let (hostile, _) = crate::hostile::SIGNALS[by as usize % crate::hostile::SIGNALS.len()];
    let box_name = if by.is_multiple_of(2) { "north".to_owned() } else { hostile.to_owned() };
    let event = match by / 2 % 6 {
        0 => Event::Connecting,
        1 => Event::Listing,
        2 => Event::Fetching { bytes: by % 1_000_000, files: 2 },
        3 => Event::Bytes(by % 100_000),
        4 => Event::Ended(PullState::Failed),
        _ => Event::Ended(PullState::Done),
    };
    Message::Pulling { box_name, event }
}

fn told(model: &Model, by: u64) -> Message {
    let (hostile, _) = crate::hostile::SIGNALS[by as usize % crate::hostile::SIGNALS.len()];
    match by % 6 {
        0 => Message::Note(hostile.to_owned()),
        1 => Message::Failed(Problem::new(hostile.repeat(1 + by as usize % 90), hostile)),
        2 => Message::Reading(by % 100_000_000),
        3 => {
            let themes = &model.facts.themes;
            let theme = Theme::load(&themes[by as usize % themes.len()], None).unwrap();
            Message::Themed(Arc::new(theme))
        }
        // Of the shown record, or of one that is not.
        4 => match model.record.id {
            Some(id) => Message::Content { id, highlighted: highlighted(by as usize) },
            None => Message::Note(String::new()),
        },
        _ => Message::Failed(Problem::new("", "")),
    }
}
