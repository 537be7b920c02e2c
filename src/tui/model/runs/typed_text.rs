//! A text of a form: typed, pasted, kept beside the log, or read from a file.

use crate::tui::model::{Load, Loadable};
use std::sync::Arc;
use tui_input::Input;

/// A text that is typed, pasted, or read from the file that `@PATH` names.
#[derive(Debug, Clone, Default)]
pub struct TypedText {
    /// What is typed. Lines of it that were pasted stay lines.
    pub input: Input,
    /// The text of the file.
    pub file: Loadable<Arc<str>>,
    /// The path that it is, or will be, of.
    pub path: String,
    /// What was kept of it beside the log: that is never a path, whatever it begins with.
    pub kept: Option<Arc<str>>,
}

impl TypedText {
    /// Whether it is as it was kept.
    pub fn is_kept(&self) -> bool {
        self.kept.as_deref() == Some(self.input.value())
    }

    /// Takes what was kept, where nothing was typed.
    pub(super) fn prefill(&mut self, kept: &str) {
        if self.input.value().is_empty() {
            self.input = Input::new(kept.to_owned());
            self.kept = Some(Arc::from(kept));
        }
    }

    /// The path that is typed, where a file is meant.
    pub fn typed_path(&self) -> Option<&str> {
        if self.is_kept() {
            return None;
        }
        self.input.value().strip_prefix('@').map(str::trim).filter(|path| !path.is_empty())
    }

    /// The path that is still to be read.
    pub fn unread(&self) -> Option<&str> {
        let known =
            |path: &&str| *path == self.path && (self.file.value.is_some() || self.file.is_busy());
        self.typed_path().filter(|path| !known(path))
    }

    /// The text; why there is none.
    pub fn text(&self) -> Result<&str, String> {
        if self.is_kept() || !self.input.value().starts_with('@') {
            return Ok(self.input.value());
        }
        if self.typed_path() != Some(self.path.as_str()) {
            return Err("the file was not read yet: Enter reads it".to_owned());
        }
        match (&self.file.value, &self.file.load) {
            (_, Load::Failed(problem)) => Err(problem.text.clone()),
            (Some(text), _) => Ok(text),
            (None, _) => Err("the file is being read".to_owned()),
        }
    }
}
