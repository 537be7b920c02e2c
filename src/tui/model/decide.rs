//! The form in which an override is typed: bound to one record, whatever comes into the logs.

use super::Shown;
use crate::domain::RecordId;
use crate::domain::review::OverrideWord;
use crate::tui::session::Typed;
use std::sync::Arc;
use tui_input::Input;

/// What is known of verdicts on the same content that came after the record.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Newer {
    /// It is not known yet.
    #[default]
    Unknown,
    /// There is none.
    None,
    /// There is one, and it is asked which of the two is meant.
    Asked(Arc<Shown>),
    /// There is one, and the older one is meant all the same.
    Kept(Arc<Shown>),
    /// The record itself is no longer in the logs.
    Gone,
}

/// The form.
#[derive(Debug, Clone)]
pub struct OverrideForm {
    /// The record that it is of, as it was when the form was opened. Its id is a hash of its content.
    pub of: Arc<Shown>,
    /// What came after it.
    pub newer: Newer,
    /// The archive that was asked for that.
    pub asked: Option<u64>,
    /// What is to be done.
    pub word: Option<OverrideWord>,
    /// Why.
    pub reason: Input,
}

impl OverrideForm {
    /// A form on a record, with what was typed before.
    pub fn new(of: Arc<Shown>, typed: Typed) -> Self {
        let reason = Input::new(typed.reason);
        Self { of, newer: Newer::Unknown, asked: None, word: typed.word, reason }
    }

    /// The record that it is of.
    pub fn record(&self) -> RecordId {
        self.of.row.id
    }

    /// The newest verdict on the content, where that is not the record's.
    pub fn newest(&self) -> Option<&Arc<Shown>> {
        match &self.newer {
            Newer::Asked(shown) | Newer::Kept(shown) => Some(shown),
            Newer::Unknown | Newer::None | Newer::Gone => None,
        }
    }

    /// The same by its name: the person knows that it is there, though it may be hidden.
    pub fn seen(&self) -> Option<RecordId> {
        self.newest().map(|shown| shown.row.id)
    }

    /// Takes what is known now. What was answered stays answered, unless another one came.
    pub fn hear(&mut self, is_there: bool, newest: Option<Arc<Shown>>) {
        let kept = matches!(&self.newer, Newer::Kept(_)).then(|| self.seen()).flatten();
        self.newer = match newest {
            _ if !is_there => Newer::Gone,
            None => Newer::None,
            Some(shown) if kept == Some(shown.row.id) => Newer::Kept(shown),
            Some(shown) => Newer::Asked(shown),
        };
    }

    /// What is typed.
    pub fn typed(&self) -> Typed {
        Typed { word: self.word, reason: self.reason.value().to_owned() }
    }
}
