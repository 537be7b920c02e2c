//! What lies above a screen and has the keys.

use super::Form;
use crate::domain::RecordId;
use crate::domain::review::Word;
use tui_input::Input;

/// Something above the screen.
#[derive(Debug, Clone)]
pub enum Overlay {
    /// A line to type.
    Prompt(Prompt),
    /// A list of actions, all of them with their keys, to search and run.
    Palette(Menu),
    /// The same, with what holds in this place first.
    Help(Menu),
    /// Saved views, to choose from.
    Views(Menu),
    /// Something is asked first: `ctrl-s` does it.
    Confirm(Question),
    /// An override that is typed.
    Override(Box<super::OverrideForm>),
    /// An entry for the ledger that is typed.
    Form(Form),
    /// What is to be judged again, by whom and in which words.
    Judge(Box<super::JudgeForm>),
    /// The rubric, or the guideline of the team.
    Guide {
        /// The rubric or the guideline.
        page: super::GuidePage,
        /// The first line on the screen.
        top: usize,
    },
    /// What is confirmed before a task changes a box.
    BoxForm(Box<super::BoxForm>),
    /// How the last task on a box goes.
    BoxRun {
        /// The first line on the screen.
        top: usize,
    },
    /// By which column the list is ordered, and which columns it shows.
    Sort {
        /// The selected one of [`crate::domain::Column::ALL`].
        cursor: usize,
    },
    /// All notices.
    Messages {
        /// The first line on the screen.
        top: usize,
    },
}

/// What is asked before it is done.
#[derive(Debug, Clone, PartialEq)]
pub enum Question {
    /// Whether many records are to be labelled.
    Label {
        /// Which records, and the label of each.
        words: Vec<(RecordId, Word)>,
    },
    /// Whether verdicts of the calibration queue are to be shown.
    Open,
    /// Save that no candidate of a pick helps.
    NoneHelps {
        /// The pick.
        record: RecordId,
        /// Number of its candidates.
        candidates: usize,
    },
}

/// What a typed line is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PromptKind {
    /// A filter of the list on the screen.
    Filter,
    /// The name of a view.
    ViewName,
    /// A note on a record.
    Note,
    /// What is searched for in the text of a record.
    Search,
}

/// What a note is of.
#[derive(Debug, Clone)]
pub struct NoteTarget {
    /// The record; another one may be selected meanwhile.
    pub record: RecordId,
    /// The code of the reason that is chosen.
    pub reason: Option<String>,
    /// Which text is in the line.
    pub line: NoteLine,
    /// The other one, and where the cursor was in it.
    pub other: Input,
    /// The list of reasons, while it has the keys.
    pub reasons: Option<Menu>,
}

/// What of a label is typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoteLine {
    /// The note.
    Note,
    /// One's own scores.
    Scores,
}

/// A line to type.
#[derive(Debug, Clone)]
pub struct Prompt {
    /// What the typed line is used for.
    pub kind: PromptKind,
    /// The text and where the cursor is in it.
    pub input: Input,
    /// The completion that is selected.
    pub choice: Option<usize>,
    /// What stood there before, for leaving without a change.
    pub before: String,
    /// The record that was selected before.
    pub selected: Option<RecordId>,
    /// Which of the earlier filters is there, from the last one on.
    pub past: Option<usize>,
    /// What was typed before going back to earlier filters.
    pub typed: String,
    /// What a note is of.
    pub note_target: Option<Box<NoteTarget>>,
}

impl Prompt {
    /// A line that begins with a text.
    pub fn new(kind: PromptKind, text: &str) -> Self {
        let (input, before) = (Input::new(text.to_owned()), text.to_owned());
        let typed = String::new();
        Self {
            kind,
            input,
            choice: None,
            before,
            selected: None,
            past: None,
            typed,
            note_target: None,
        }
    }

    /// The list of reasons, while it has the keys.
    pub fn reasons(&self) -> Option<&Menu> {
        self.note_target.as_ref()?.reasons.as_ref()
    }

    /// The byte of the text at which the cursor is.
    pub fn cursor_byte(&self) -> usize {
        let text = self.input.value();
        text.char_indices().nth(self.input.cursor()).map_or(text.len(), |(at, _)| at)
    }
}

/// A list to search and choose from.
#[derive(Debug, Clone, Default)]
pub struct Menu {
    /// What is searched for.
    pub input: Input,
    /// The selected line among those found.
    pub cursor: usize,
}
