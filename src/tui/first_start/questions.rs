//! What the person sees and edits.

use crate::config::FirstBox;
use crate::domain::Timestamp;
use crate::domain::review::Draw;
use crate::first_start::{
    Answers, Candidate, CountedFrom, Decision, Forecast, Reached, Sampled, Survey, decide,
};
use std::path::PathBuf;
use tui_input::Input;

/// What the cursor can be on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// A place where logs may be, by its number.
    Candidate(usize),
    /// The line in which another is typed.
    Another,
    /// From the first record, or from today.
    From(bool),
    /// How much of what was judged before is drawn.
    Plan(Draw),
    /// How much of what passes is sampled from now on.
    Sampled(Sampled),
    /// Whether a candidate may block, by its number.
    MayBlock(usize),
}

impl Place {
    /// The question that it belongs to, from 1.
    pub(super) fn question(self) -> u8 {
        match self {
            Self::Candidate(_) | Self::Another => 1,
            Self::From(_) | Self::Plan(_) => 2,
            Self::Sampled(_) => 3,
            Self::MayBlock(_) => 4,
        }
    }
}

/// What lies over the questions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Sheet {
    /// Nothing.
    #[default]
    None,
    /// The file that would be written.
    File,
    /// The keys.
    Help,
}

/// The four questions, with what was answered so far.
#[derive(Debug, Clone)]
pub struct Questions {
    /// What was answered.
    pub answers: Answers,
    /// What the chosen logs come to; `None` while they are being counted.
    pub survey: Option<Survey>,
    /// Number of the count that is waited for, from 0.
    pub counting: u64,
    /// How soon a good judge is READY at each rate, where no whole day was judged yet; `None` until that is known.
    pub forecasts: Option<[Forecast; 4]>,
    /// Where the file goes.
    pub path: PathBuf,
    /// The home directory, for paths that are typed.
    pub home: Option<PathBuf>,
    /// The time, in UTC.
    pub now: Timestamp,
    /// Whether forecasts were asked for.
    pub(super) is_forecast: bool,
    pub(super) cursor: usize,
    pub(super) typed: Input,
    /// The refused candidate whose advice is shown.
    pub(super) unfolded: Option<usize>,
    pub(super) sheet: Sheet,
    /// First line of an open sheet.
    pub(super) top: usize,
    /// Why the last key did nothing.
    pub(super) note: Option<String>,
}

impl Questions {
    /// The questions over some candidates, each of which is being asked.
    pub fn new(
        candidates: Vec<FirstBox>,
        reviewer: Option<String>,
        (path, home): (PathBuf, Option<PathBuf>),
        now: Timestamp,
    ) -> Self {
        let reached = Reached::Asking;
        let candidate =
            |source| Candidate { source, chosen: false, by_hand: false, reached: reached.clone() };
        let counted = CountedFrom::FirstRecord(Draw::default());
        let candidates = candidates.into_iter().map(candidate).collect();
        Self {
            answers: Answers { candidates, counted, sampled: Sampled::default(), reviewer },
            survey: Some(Survey::default()),
            counting: 0,
            forecasts: None,
            is_forecast: false,
            path,
            home,
            now,
            cursor: 0,
            typed: Input::default(),
            unfolded: None,
            sheet: Sheet::None,
            top: 0,
            note: None,
        }
    }

    /// What the cursor can be on, in order.
    pub fn places(&self) -> Vec<Place> {
        let count = self.answers.candidates.len();
        let mut all: Vec<Place> = (0..count).map(Place::Candidate).collect();
        all.push(Place::Another);
        if self.has_backlog() {
            all.extend([Place::From(true), Place::From(false)]);
            if matches!(self.answers.counted, CountedFrom::FirstRecord(_)) {
                let plans = [Draw::All, Draw::Thin].into_iter().take(self.plans());
                all.extend(plans.map(Place::Plan));
            }
        }
        all.extend(Sampled::ALL.map(Place::Sampled));
        let chosen = (0..count).filter(|at| self.answers.candidates[*at].chosen);
        all.extend(chosen.map(Place::MayBlock));
        all
    }

    /// What the cursor is on.
    pub fn place(&self) -> Place {
        let all = self.places();
        let at = self.cursor.min(all.len().saturating_sub(1));
        all.get(at).copied().unwrap_or(Place::Another)
    }

    /// Whether there are whole days that could count.
    pub(super) fn has_backlog(&self) -> bool {
        self.survey.as_ref().is_some_and(|survey| survey.offer.is_some())
    }

    /// Whether nothing that was counted has a whole day, although a box answered.
    pub fn lacks_days(&self) -> bool {
        let is_answered = self.answers.chosen().any(|one| one.reached != Reached::Asking);
        is_answered && self.survey.as_ref().is_some_and(|survey| survey.offer.is_none())
    }

    /// Plans that differ.
    fn plans(&self) -> usize {
        self.survey.as_ref().map_or(0, |survey| survey.prices.len())
    }

    /// What would be written now.
    ///
    /// # Errors
    /// As those of [`decide`].
    pub fn decision(&self) -> Result<Decision, Option<String>> {
        decide(&self.answers, self.survey.as_ref(), self.home.as_deref())
    }

    /// Adds a host or a path that was typed; gives its number.
    ///
    /// # Errors
    /// Why there is no such place.
    pub fn add(&mut self, text: &str) -> Result<usize, String> {
        let text = text.trim();
        let source = match text.starts_with(['/', '~', '.']) {
            true => FirstBox::local(&self.free_name(text), text),
            false => FirstBox::over_ssh(text),
        };
        let name = |one: &Candidate| one.source.name.eq_ignore_ascii_case(&source.name);
        if self.answers.candidates.iter().any(name) {
            return Err(super::texts::KNOWN.to_owned());
        }
        crate::config::first_file(std::slice::from_ref(&source), self.home.as_deref())?;
        let reached = Reached::Asking;
        self.answers.candidates.push(Candidate { source, chosen: true, by_hand: true, reached });
        Ok(self.answers.candidates.len() - 1)
    }

    /// A name for logs of this machine that no candidate has.
    fn free_name(&self, path: &str) -> String {
        let last = path.rsplit('/').find(|part| !part.is_empty()).unwrap_or_default();
        let kept = |c: &char| c.is_ascii_alphanumeric() || "._-".contains(*c);
        let stem: String = last.chars().filter(kept).take(40).collect();
        let stem = stem.trim_start_matches(['.', '-', '_']).to_owned();
        let stem = if stem.is_empty() { "here".to_owned() } else { stem };
        let is_taken = |name: &str| {
            self.answers.candidates.iter().any(|one| one.source.name.eq_ignore_ascii_case(name))
        };
        let numbered = (2..).map(|n| format!("{stem}-{n}"));
        let mut names = std::iter::once(stem.clone()).chain(numbered);
        names.find(|name| !is_taken(name)).unwrap_or_default()
    }
}
