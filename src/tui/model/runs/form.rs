//! What is asked, of whom and in which words, before anything is sent.

use crate::domain::review::{PromptSource, PromptUsed, RunBegun, RunItem};
use crate::engine::cost::Refused;
use crate::engine::four_eyes::Decision;
use crate::judging::Item;
use crate::tui::judging::{
    BoxQuestion, EarlierRun, JudgeOptions, PreparedRun, PromptOption, RunContent, RunInput,
};
use crate::tui::model::{Load, Loadable, Model, Problem};
use std::collections::BTreeMap;
use std::sync::Arc;
use tui_input::Input;

/// Bytes of template, rubric and the words around a content.
const AROUND: usize = 16 << 10;
/// Tokens of an answer that is not bounded.
const ANSWER: u32 = 4096;
/// Bytes of a token, on the low side, so that an estimate is on the high side.
const BYTES_A_TOKEN: usize = 3;

/// A line of the form that has the keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// The path of the file that is judged.
    Path,
    /// Which prompt.
    Prompt,
    /// Which model.
    Model,
}

/// A form: nothing in it changes or sends anything, `ctrl-s` does.
#[derive(Debug, Clone)]
pub struct JudgeForm {
    /// What is to be judged.
    pub input: RunInput,
    /// The line that has the keys.
    pub field: Field,
    /// The path that is typed, where a file is judged.
    pub path: Input,
    /// The prompt that is chosen, by its place.
    pub prompt: usize,
    /// The model that is typed.
    pub model: Input,
    /// Contents, and whom one can ask.
    pub ready: Loadable<Arc<PreparedRun>>,
    /// Names of models, once they were asked for.
    pub models: Loadable<Arc<Vec<String>>>,
    /// What boxes say that they ask, each from when it was first chosen in this form.
    pub of_boxes: BTreeMap<String, Loadable<BoxQuestion>>,
    /// Which form it is: what another one asked for is not for it.
    pub number: u64,
    /// Which content it waits for.
    pub generation: u64,
}

/// What a run would come to.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimate {
    /// Number of requests.
    pub questions: usize,
    /// Number of files in all contents.
    pub files: usize,
    /// Total bytes of content.
    pub bytes: usize,
    /// Tokens, answers included, on the high side.
    pub tokens: usize,
    /// What it may cost at most; `None` where the model has no price.
    pub cost: Option<f64>,
    /// Contents that the judge will see only a part of.
    pub cut: usize,
}

impl JudgeForm {
    /// The line that is typed, where one has the keys.
    pub fn line(&mut self) -> Option<&mut Input> {
        match self.field {
            Field::Path => Some(&mut self.path),
            Field::Model => Some(&mut self.model),
            Field::Prompt => None,
        }
    }

    /// One that waits to be made ready.
    pub fn new(input: RunInput, generation: u64) -> Self {
        let field = if matches!(input, RunInput::File(_)) { Field::Path } else { Field::Prompt };
        let path = match &input {
            RunInput::File(path) => Input::new(path.clone()),
            RunInput::Records(_) | RunInput::Run(_) => Input::default(),
        };
        let ready = if field == Field::Path { Loadable::default() } else { Loadable::busy() };
        let model = match &input {
            RunInput::Run(repeat) => Input::new(repeat.begun.model.clone()),
            RunInput::Records(_) | RunInput::File(_) => Input::default(),
        };
        let models = Loadable::default();
        let (of_boxes, number) = (BTreeMap::new(), generation);
        Self { input, field, path, prompt: 0, model, ready, models, of_boxes, number, generation }
    }

    /// The lines that can have the keys, in their order.
    pub fn fields(&self) -> &'static [Field] {
        match self.input {
            RunInput::File(_) => &[Field::Path, Field::Prompt, Field::Model],
            RunInput::Records(_) | RunInput::Run(_) => &[Field::Prompt, Field::Model],
        }
    }

    /// The run that is repeated, where one is.
    pub fn repeat(&self) -> Option<&EarlierRun> {
        match &self.input {
            RunInput::Run(repeat) => Some(repeat),
            RunInput::Records(_) | RunInput::File(_) => None,
        }
    }

    /// Chooses the prompt of the run that is repeated: the one of its hash, else the one of its name.
    pub fn preset(&mut self) {
        let (Some(repeat), Some(ready)) = (self.repeat(), &self.ready.value) else { return };
        let (then, offers) = (&repeat.begun.prompt, &ready.offer.prompts);
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

    /// Goes so many lines on; the ends hold.
    pub fn step(&mut self, by: isize) {
        let fields = self.fields();
        let at = fields.iter().position(|f| *f == self.field).unwrap_or(0);
        let to = at.saturating_add_signed(by).min(fields.len() - 1);
        self.field = fields.get(to).copied().unwrap_or(self.field);
    }

    /// The prompt that is chosen; that of a box as far as it is fetched.
    pub fn chosen(&self) -> Option<PromptOption> {
        let mut offer = self.ready.value.as_ref()?.offer.prompts.get(self.prompt)?.clone();
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

    /// Contents that can be judged.
    pub fn items(&self) -> Vec<(&RunContent, &Item)> {
        let ready = self.ready.value.as_ref();
        let contents = ready.map_or(&[][..], |ready| ready.contents.as_slice());
        contents.iter().filter_map(|c| Some((c, c.item.as_ref().ok()?))).collect()
    }

    /// What the present choice would come to.
    pub fn estimate(&self) -> Option<Estimate> {
        let offer = &self.ready.value.as_ref()?.offer;
        let items = self.items();
        let parts = |c: &RunContent| offer.parts(c.bytes());
        let size = |c: &RunContent| {
            let shown = if offer.cuts(c.bytes()) { offer.most_bytes } else { c.bytes() };
            shown + AROUND * parts(c)
        };
        let one = offer.max_tokens.unwrap_or(ANSWER);
        let answer =
            |c: &RunContent| one.saturating_mul(u32::try_from(parts(c)).unwrap_or(u32::MAX));
        let price = offer.prices.get(self.model());
        Some(Estimate {
            questions: items.len(),
            files: items.iter().map(|(_, item)| item.files.len()).sum(),
            bytes: items.iter().map(|(c, _)| c.bytes()).sum(),
            tokens: items
                .iter()
                .map(|(c, _)| size(c).div_ceil(BYTES_A_TOKEN) + answer(c) as usize)
                .sum(),
            cost: price.map(|p| items.iter().map(|(c, _)| p.estimate(size(c), answer(c))).sum()),
            cut: items.iter().filter(|(c, _)| offer.cuts(c.bytes())).count(),
        })
    }

    /// What is decided on author and judge, each author once; and whether it may be asked.
    pub fn four_eyes(&self) -> Vec<(Option<&str>, Decision, bool)> {
        let Some(ready) = &self.ready.value else { return Vec::new() };
        let mut authors: Vec<Option<&str>> =
            self.items().iter().map(|(c, _)| c.author.as_deref()).collect();
        authors.sort_unstable();
        authors.dedup();
        let decide = |author: Option<&str>| ready.offer.families.decide(author, self.model());
        let one = |author| {
            let decision = decide(author);
            let refused = ready.offer.rule.refusal(&decision).is_some();
            (author, decision, refused)
        };
        authors.into_iter().map(one).collect()
    }

    /// Why nothing can be asked as it is.
    pub fn refusal(&self) -> Option<String> {
        let Some(ready) = &self.ready.value else {
            return Some(match (&self.ready.load, self.field) {
                (Load::Failed(problem), _) => problem.text.clone(),
                (Load::Busy, _) => "the content is being read".to_owned(),
                (Load::Idle, _) => "type the path of a file; Enter reads it".to_owned(),
            });
        };
        if self.is_other_path() {
            return Some("the path was changed: Enter reads the file".to_owned());
        }
        if self.items().is_empty() {
            let why = ready.contents.iter().find_map(|c| c.item.as_ref().err());
            let why = why.map_or(String::new(), |why| format!(": {why}"));
            return Some(format!("there is nothing to judge{why}"));
        }
        if self.model().is_empty() {
            return Some("type the name of a model".to_owned());
        }
        if let Some(why) = self.money(&ready.offer) {
            return Some(why);
        }
        let chosen = self.chosen();
        if let Some(problem) = chosen.as_ref().and_then(|prompt| prompt.problem.as_ref()) {
            return Some(format!("the prompt cannot be used: {problem}"));
        }
        if chosen.is_none_or(|prompt| prompt.used.sha.is_empty()) {
            return Some("the prompt of the box is not here yet".to_owned());
        }
        let four_eyes = self.four_eyes();
        if !four_eyes.is_empty() && four_eyes.iter().all(|(.., refused)| *refused) {
            let is_same = |decision: &Decision| matches!(decision, Decision::Same { .. });
            let why = match four_eyes.iter().all(|(_, decision, _)| is_same(decision)) {
                true => "author and judge are of the same family: choose another model",
                false => {
                    "the families of author and judge must be known: name both in a [[family]]"
                }
            };
            return Some(format!("four eyes: {why}"));
        }
        None
    }

    /// Why a spend cap lets nothing be asked, where that is certain beforehand: a question is longer
    /// than what is judged by it.
    fn money(&self, offer: &JudgeOptions) -> Option<String> {
        let cap = offer.cap?;
        let Some(price) = offer.prices.get(self.model()) else {
            let why = Refused::NoPrice.words();
            return Some(format!(
                "{why}: give it one in [prices], or take `spend_cap` out of [judge]"
            ));
        };
        let answer = offer.max_tokens.unwrap_or(ANSWER);
        let most = |c: &RunContent| price.most(c.bytes().min(offer.most_bytes), answer);
        let least = self.items().iter().map(|(c, _)| most(c)).min_by(f64::total_cmp)?;
        (least > cap).then(|| {
            format!("a question may cost {least:.4} or more, and `spend_cap` is {cap}: raise it, or lower `max_tokens`")
        })
    }

    /// Whether another path is typed than the one that was read.
    pub fn is_other_path(&self) -> bool {
        matches!(&self.input, RunInput::File(read) if read != self.path.value().trim())
    }

    /// What is to be in the ledger, and what is to be judged.
    ///
    /// A run that is repeated keeps all of its items in their places, also those that cannot be had.
    pub fn plan(&self) -> Option<(RunBegun, Vec<Result<Item, String>>)> {
        let ready = self.ready.value.as_ref()?;
        let prompt: PromptUsed = self.chosen()?.used;
        let (model, cap) = (self.model().to_owned(), ready.offer.cap);
        if let Some(repeat) = self.repeat() {
            let (items, repeats) = (repeat.begun.items.clone(), Some(repeat.run));
            let contents = ready.contents.iter().map(|c| c.item.clone()).collect();
            return Some((
                RunBegun { model, prompt, cap, repeats, task: None, peer: None, items },
                contents,
            ));
        }
        let (mut items, mut contents) = (Vec::new(), Vec::new());
        for (of, item) in self.items() {
            items.push(RunItem {
                record: of.record,
                was: of.was,
                commit: item.commit.clone(),
                files: of.paths.clone(),
            });
            contents.push(Ok(item.clone()));
        }
        Some((
            RunBegun { model, prompt, cap, repeats: None, task: None, peer: None, items },
            contents,
        ))
    }
}

impl PromptOption {
    /// The box whose question it is.
    pub fn box_name(&self) -> Option<&str> {
        self.used.name.as_deref().filter(|_| self.used.source == PromptSource::Box)
    }
}

impl Model {
    /// The form, where it is open.
    pub fn judge_form(&self) -> Option<&JudgeForm> {
        match &self.overlay {
            Some(super::super::Overlay::Judge(form)) => Some(form),
            _ => None,
        }
    }

    /// The form, to be changed.
    pub fn judge_form_mut(&mut self) -> Option<&mut JudgeForm> {
        match &mut self.overlay {
            Some(super::super::Overlay::Judge(form)) => Some(form),
            _ => None,
        }
    }
}
