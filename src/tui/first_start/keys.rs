//! What a key and an answer change.

use super::questions::{Place, Questions, Sheet};
use super::texts;
use crate::config::FirstBox;
use crate::domain::review::Draw;
use crate::first_start::{Candidate, CountedFrom, Missing, Reached, Survey};
use crate::tui::input::Input;
use crate::tui::key::{Code, Key};
use tui_input::InputRequest;

/// Most characters of a host or a path.
const LONGEST: usize = 400;

/// What the program does beyond the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Effect {
    /// Ask a box for its logs.
    Ask(FirstBox),
    /// Count the logs of these boxes, as the count of this number.
    Count(u64, Vec<FirstBox>),
    /// Simulate how soon a judge is READY.
    Forecast,
    /// Write the file and the window.
    Write,
    /// Open the console without either.
    Skip,
    /// End the program.
    Leave(u8),
    /// Give the terminal to the shell.
    Suspend,
}

impl Questions {
    /// Takes what the terminal sends.
    pub(super) fn input(&mut self, input: &Input) -> Vec<Effect> {
        if let Some(code) = input.end() {
            return vec![Effect::Leave(code)];
        }
        match input {
            Input::Key(key) => self.press(*key),
            Input::Paste(paste) if self.place() == Place::Another => {
                paste.text.chars().filter(|c| !c.is_control()).for_each(|c| self.insert(c));
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    /// Takes what a box answered.
    pub(super) fn answered(&mut self, name: &str, reached: Reached) -> Vec<Effect> {
        let place = self.place();
        self.answers.take(name, reached);
        let effects = self.recount();
        self.go_to(place);
        effects
    }

    /// Takes what the logs come to, where that is still wanted.
    pub(super) fn counted(&mut self, number: u64, survey: Survey) -> Vec<Effect> {
        if number == self.counting {
            let place = self.place();
            self.survey = Some(survey);
            self.go_to(place);
        }
        self.forecast()
    }

    /// Asks for forecasts, once, where they are shown.
    fn forecast(&mut self) -> Vec<Effect> {
        let wants = self.lacks_days() && !self.is_forecast;
        self.is_forecast |= wants;
        if wants { vec![Effect::Forecast] } else { Vec::new() }
    }

    /// Has the logs of the chosen boxes counted anew.
    fn recount(&mut self) -> Vec<Effect> {
        let is_found = |one: &&Candidate| matches!(one.reached, Reached::Found { .. });
        let has_records =
            |one: &Candidate| matches!(one.reached, Reached::Found { records: 1.., .. });
        let chosen = self.answers.chosen().filter(is_found);
        let boxes: Vec<FirstBox> = chosen.map(|one| one.source.clone()).collect();
        let is_empty = !self.answers.chosen().any(has_records);
        self.counting += 1;
        self.survey = is_empty.then(Survey::default);
        match is_empty {
            true => self.forecast(),
            false => vec![Effect::Count(self.counting, boxes)],
        }
    }

    fn press(&mut self, key: Key) -> Vec<Effect> {
        self.note = None;
        match (key.code, key.ctrl) {
            (Code::Char('c'), true) => return vec![Effect::Leave(0)],
            (Code::Char('z'), true) => return vec![Effect::Suspend],
            (Code::Char('s'), true) => return self.save(),
            (Code::Esc, _) => return self.escape(),
            _ => {}
        }
        if self.sheet != Sheet::None {
            self.scroll(key);
            return Vec::new();
        }
        match key.code {
            Code::Up => self.cursor = self.cursor.saturating_sub(1),
            Code::Down => self.cursor = (self.cursor + 1).min(self.places().len() - 1),
            Code::Tab => self.next_question(true),
            Code::BackTab => self.next_question(false),
            Code::Enter => return self.unfold(),
            _ if self.place() == Place::Another => self.edit(key),
            Code::Left => self.cursor = self.cursor.saturating_sub(1),
            Code::Right => self.cursor = (self.cursor + 1).min(self.places().len() - 1),
            Code::Char(' ') => return self.choose(),
            Code::Char('v') => (self.sheet, self.top) = (Sheet::File, 0),
            Code::Char('?') => (self.sheet, self.top) = (Sheet::Help, 0),
            Code::Char('j') => self.cursor = (self.cursor + 1).min(self.places().len() - 1),
            Code::Char('k') => self.cursor = self.cursor.saturating_sub(1),
            _ => {}
        }
        Vec::new()
    }

    fn save(&mut self) -> Vec<Effect> {
        if !self.typed.value().trim().is_empty() {
            self.note = Some(texts::STILL_TYPED.to_owned());
            return Vec::new();
        }
        match self.decision() {
            // A file once written, these questions never come back.
            Ok(decision) if decision.window == Err(Missing::Answer) => {
                self.note = Some(texts::STILL_COUNTING.to_owned());
                Vec::new()
            }
            Ok(_) => vec![Effect::Write],
            Err(problem) => {
                self.note = Some(problem.unwrap_or_else(|| texts::NONE_CHOSEN.to_owned()));
                Vec::new()
            }
        }
    }

    /// Closes one thing: a sheet, advice, a typed text, or these questions.
    fn escape(&mut self) -> Vec<Effect> {
        if self.sheet != Sheet::None {
            self.sheet = Sheet::None;
        } else if self.unfolded.is_some() {
            self.unfolded = None;
        } else if !self.typed.value().is_empty() {
            self.typed.reset();
        } else {
            return vec![Effect::Skip];
        }
        Vec::new()
    }

    fn scroll(&mut self, key: Key) {
        match key.code {
            Code::Down | Code::Char('j') => self.top += 1,
            Code::Up | Code::Char('k') => self.top = self.top.saturating_sub(1),
            Code::Char('v' | '?') | Code::Enter => self.sheet = Sheet::None,
            _ => {}
        }
    }

    fn next_question(&mut self, forward: bool) {
        let all = self.places();
        let now = self.place().question();
        let questions: Vec<u8> =
            (1..=4).filter(|q| all.iter().any(|p| p.question() == *q)).collect();
        let at = questions.iter().position(|q| *q == now).unwrap_or(0);
        let step = if forward { 1 } else { questions.len().saturating_sub(1) };
        let next = questions.get((at + step) % questions.len().max(1)).copied().unwrap_or(1);
        self.cursor = all.iter().position(|p| p.question() == next).unwrap_or(0);
    }

    fn go_to(&mut self, place: Place) {
        let at = self.places().iter().position(|other| *other == place);
        self.cursor = at.unwrap_or(self.cursor).min(self.places().len() - 1);
    }

    /// Shows what to do about a refusal, or takes what was typed.
    fn unfold(&mut self) -> Vec<Effect> {
        match self.place() {
            Place::Candidate(at) => {
                let reached = self.answers.candidates.get(at).map(|one| &one.reached);
                let is_refused = matches!(reached, Some(Reached::Refused { .. }));
                self.unfolded = Some(at).filter(|_| is_refused && self.unfolded != Some(at));
                Vec::new()
            }
            Place::Another if !self.typed.value().trim().is_empty() => self.add_typed(),
            _ => Vec::new(),
        }
    }

    fn add_typed(&mut self) -> Vec<Effect> {
        let text = self.typed.value().to_owned();
        match self.add(&text) {
            Ok(at) => {
                self.typed.reset();
                self.go_to(Place::Another);
                let ask = Effect::Ask(self.answers.candidates[at].source.clone());
                std::iter::once(ask).chain(self.recount()).collect()
            }
            Err(problem) => {
                self.note = Some(problem);
                Vec::new()
            }
        }
    }

    fn edit(&mut self, key: Key) {
        let request = match key.code {
            Code::Char(c) if !key.ctrl && !key.alt => return self.insert(c),
            Code::Char('u') if key.ctrl => InputRequest::DeleteLine,
            Code::Char('w') if key.ctrl => InputRequest::DeletePrevWord,
            Code::Backspace => InputRequest::DeletePrevChar,
            Code::Delete => InputRequest::DeleteNextChar,
            Code::Left => InputRequest::GoToPrevChar,
            Code::Right => InputRequest::GoToNextChar,
            Code::Home => InputRequest::GoToStart,
            Code::End => InputRequest::GoToEnd,
            _ => return,
        };
        let _ = self.typed.handle(request);
    }

    fn insert(&mut self, c: char) {
        if self.typed.value().chars().count() < LONGEST {
            let _ = self.typed.handle(InputRequest::InsertChar(c));
        }
    }

    /// Chooses what the cursor is on.
    pub(super) fn choose(&mut self) -> Vec<Effect> {
        let place = self.place();
        match place {
            Place::Candidate(at) => {
                let one = &mut self.answers.candidates[at];
                (one.chosen, one.by_hand) = (!one.chosen, true);
                one.source.may_block &= one.chosen;
                let effects = self.recount();
                self.go_to(place);
                return effects;
            }
            Place::From(true) => self.answers.counted = CountedFrom::FirstRecord(Draw::default()),
            Place::From(false) => self.answers.counted = CountedFrom::Today,
            Place::Plan(draw) => self.answers.counted = CountedFrom::FirstRecord(draw),
            Place::Sampled(sampled) => self.answers.sampled = sampled,
            Place::MayBlock(at) => {
                let source = &mut self.answers.candidates[at].source;
                source.may_block = !source.may_block;
            }
            Place::Another => {}
        }
        self.go_to(place);
        Vec::new()
    }
}
