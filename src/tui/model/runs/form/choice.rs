//! The judge of pushes that is chosen: its prompt and its model.

use super::JudgeForm;
use crate::domain::review::{PromptSource, PromptUsed};
use crate::engine::four_eyes::Decision;
use crate::tui::judging::{JudgeOptions, PromptOption, RunJudge, RunOptions};
use crate::tui::model::{Load, Loadable, Problem};
use tui_input::Input;

impl JudgeForm {
    /// What can be chosen, where one judge is asked and all is ready.
    pub fn judge_options(&self) -> Option<&JudgeOptions> {
        match &self.ready.value.as_ref()?.options {
            RunOptions::Judge(options) => Some(options),
            RunOptions::Task(_) => None,
        }
    }

    /// Takes the configured model where none is typed, and the prompt of the run that is repeated: the
    /// one of its hash, else the one of its name.
    pub(super) fn preset_judge(&mut self, options: &JudgeOptions) {
        if self.model().is_empty() {
            self.model = Input::new(options.judge.model.clone());
        }
        let Some(repeat) = self.repeat() else { return };
        let (then, offers) = (&repeat.begun.prompt, &options.prompts);
        let at = |fits: &dyn Fn(&PromptUsed) -> bool| offers.iter().position(|o| fits(&o.used));
        let found = at(&|used| used == then)
            .or_else(|| at(&|used| (used.source, &used.name) == (then.source, &then.name)))
            .or_else(|| at(&|used| used.sha == then.sha));
        self.prompt = found.unwrap_or(self.prompt);
    }

    /// Whether the chosen prompt is another question than that of the run that is repeated; `None`
    /// where none is, or it is not known yet.
    pub fn is_other_question(&self) -> Option<bool> {
        let chosen = self.chosen().filter(|chosen| !chosen.used.sha.is_empty())?;
        Some(chosen.used.sha != self.repeat()?.begun.prompt.sha)
    }

    /// The prompt that is chosen; that of a box as far as it is fetched.
    pub fn chosen(&self) -> Option<PromptOption> {
        let mut offer = self.judge_options()?.prompts.get(self.prompt)?.clone();
        if let Some(fetched) = offer.box_name().and_then(|name| self.of_boxes.get(name)) {
            if let Load::Failed(problem) = &fetched.load {
                let Problem { text, next } = problem;
                let text = if next.is_empty() { text.clone() } else { format!("{text}; {next}") };
                offer.problem = Some(text);
            }
            if let Some(question) = &fetched.value {
                offer.used = question.used.clone();
                offer.origin = Some(question.origin.clone());
            }
        }
        Some(offer)
    }

    /// The box whose question is chosen and has still to be asked for; it counts as asked from here.
    pub fn to_fetch(&mut self) -> Option<String> {
        let name = self.chosen()?.box_name()?.to_owned();
        let fetched = self.of_boxes.entry(name.clone()).or_default();
        if fetched.is_busy() || fetched.value.is_some() {
            return None;
        }
        *fetched = Loadable::busy();
        Some(name)
    }

    /// The model as it is typed, without blanks around it.
    pub fn model(&self) -> &str {
        self.model.value().trim()
    }

    /// The judge with what is chosen.
    pub(super) fn chosen_judge(&self, options: &JudgeOptions) -> RunJudge {
        RunJudge {
            model: self.model().to_owned(),
            prompt: self.chosen().map(|chosen| chosen.used).unwrap_or_default(),
            price: options.prices.get(self.model()).cloned(),
            ..options.judge.clone()
        }
    }

    /// What is decided on author and judge, each author once; and whether it may be asked.
    pub(super) fn four_eyes_of_authors(
        &self,
        options: &JudgeOptions,
    ) -> Vec<(Option<&str>, Decision, bool)> {
        let mut authors: Vec<Option<&str>> =
            self.items().iter().map(|(c, _)| c.author.as_deref()).collect();
        authors.sort_unstable();
        authors.dedup();
        let one = |author| {
            let decision = options.families.decide(author, self.model());
            let refused = options.rule.refusal(&decision).is_some();
            (author, decision, refused)
        };
        authors.into_iter().map(one).collect()
    }

    /// Why the judge cannot be asked as it is chosen.
    pub(super) fn refusal_of_judge(&self) -> Option<String> {
        if self.model().is_empty() {
            return Some("type the name of a model".to_owned());
        }
        let chosen = self.chosen();
        if let Some(problem) = chosen.as_ref().and_then(|prompt| prompt.problem.as_ref()) {
            return Some(format!("the prompt cannot be used: {problem}"));
        }
        let is_here = chosen.is_some_and(|prompt| !prompt.used.sha.is_empty());
        (!is_here).then(|| "the box's prompt has not arrived yet".to_owned())
    }
}

impl PromptOption {
    /// The box whose question it is.
    pub fn box_name(&self) -> Option<&str> {
        self.used.name.as_deref().filter(|_| self.used.source == PromptSource::Box)
    }
}
