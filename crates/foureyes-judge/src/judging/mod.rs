//! One content judged: question, answer, verdict; and many of them at the same time.

mod again;
mod by_service;
pub mod configured;
mod document;
mod evaluate;
mod evaluation;
mod legible;
mod money;
mod parts;
mod question;
pub mod relevance;
mod run;
pub mod task;

pub use crate::engine::prompt::JudgedFile as File;
pub use again::Again;
pub use evaluate::{Ration, evaluate, evaluate_within, messages};
pub use evaluation::Evaluation;
pub use legible::Legible;
pub use money::call_at_most;
pub use question::{Question, Unusable};
pub use run::{Control, Event, RunLimits, Skipped, Summary, run};

use crate::domain::JudgementKind;
use crate::engine::PushVerdict;
use crate::engine::cost::Prices;
use crate::engine::four_eyes::{Decision, Families, Refusal, Rule};
use crate::engine::prompt::{Limits, Material, Section, SectionKind, Template};
use crate::engine::rubric::Rubric;
use crate::engine::verdict::{Kind, Verdict};
use crate::instruments::Capability;
use crate::provider::Provider;
use std::sync::Arc;

/// Tokens that are reckoned with for an answer that is not bounded.
pub const UNBOUNDED: u32 = 8192;

/// Whoever judges, and by what.
#[derive(Debug)]
pub struct Judge<V: 'static = PushVerdict> {
    /// What is judged: words, rule and form of the answer.
    pub kind: &'static Kind<V>,
    /// Which texts beside the files it is shown, in this order.
    pub sections: &'static [SectionKind],
    /// Whoever is asked.
    pub provider: Provider,
    /// The model that is asked for.
    pub model: String,
    /// The rubric.
    pub rubric: Rubric,
    /// The words of the question.
    pub template: Template,
    /// Who is of which family.
    pub families: Families,
    /// What calls cost.
    pub prices: Prices,
    /// How it is asked.
    pub settings: Settings,
}

/// How a judge is asked.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Settings {
    /// What happens to a judge of the author's own family.
    pub four_eyes: Rule,
    /// How much of the content is shown.
    pub limits: Limits,
    /// Sampling temperature, where one is asked for.
    pub temperature: Option<f64>,
    /// Most tokens of an answer, where bounded.
    pub max_tokens: Option<u32>,
    /// Whether an answer that was cut by its limit is not requested again with twice the tokens.
    pub fixed_tokens: bool,
    /// Whether it is certain that the model that is asked for answers, and no other one: then a spend
    /// cap reckons with its price alone.
    pub no_routes: bool,
}

/// One content to be judged.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Item {
    /// The commit that it stands in.
    pub commit: Option<String>,
    /// Who wrote it.
    pub author: Option<String>,
    /// Who else had a hand in it, as who committed it.
    pub others: Vec<String>,
    /// The files, judged together.
    pub files: Arc<[File]>,
    /// Texts beside them; each judge is shown those of its kinds.
    pub sections: Arc<[Section]>,
}

impl Item {
    /// All who had a hand in it, as far as they are known.
    pub fn people(&self) -> impl Iterator<Item = &str> {
        self.author.iter().chain(&self.others).map(String::as_str)
    }

    /// The files alone, of which hashes and paths are made.
    pub fn material(&self) -> Material<'_> {
        Material::new(&self.files)
    }
}

impl<V: Verdict> Judge<V> {
    /// Version of the question: see [`Template::sha_of`].
    pub fn prompt_sha(&self) -> String {
        self.template.sha_of(self.kind, &self.rubric, self.sections)
    }

    /// The texts of an item that it is shown.
    pub fn shown_of(&self, item: &Item) -> Vec<Section> {
        let all = || item.sections.iter();
        let of =
            |kind: &SectionKind| all().filter(|s| s.kind == *kind).cloned().collect::<Vec<_>>();
        self.sections.iter().flat_map(of).collect()
    }

    /// Hash of what else makes a judge the same: endpoint, model, temperature, most tokens of an answer,
    /// most bytes of content in a request, and most parts.
    pub fn judge_sha(&self) -> String {
        self.sha_at(self.provider.base())
    }

    /// The same whatever the version of a program that is asked: one that does not name it for once is no
    /// other judge.
    pub fn sha_of_any_version(&self) -> String {
        self.sha_at(self.provider.address())
    }

    fn sha_at(&self, base: String) -> String {
        let s = &self.settings;
        let mut hasher = blake3::Hasher::new();
        // What came later is a part only where it is set: earlier judges keep their hash.
        let characters = s.limits.content_characters.map(|most| most.to_string());
        for part in [
            base,
            self.model.clone(),
            format!("{:?}", s.temperature),
            format!("{:?}", s.max_tokens),
            s.limits.content_bytes.to_string(),
            s.limits.max_parts.to_string(),
        ]
        .into_iter()
        .chain(characters)
        {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
        hasher.finalize().to_hex().to_string()
    }

    /// Decides whether it may judge what these people had a hand in: of its own name, or of the
    /// model that served.
    pub fn four_eyes<'a>(
        &self,
        people: impl IntoIterator<Item = &'a str>,
        served: Option<&str>,
    ) -> Decision {
        self.families.strictest(people, &self.model, served)
    }

    /// Why it may not judge by such a decision; `None` where it may.
    pub fn refusal(&self, decision: &Decision) -> Option<Refusal> {
        self.settings.four_eyes.refusal(decision)
    }

    /// Why it is not asked about what these people had a hand in; `None` where it is. A service asks a judge
    /// that only its answer names.
    pub fn unasked_for<'a>(&self, people: impl IntoIterator<Item = &'a str>) -> Option<Refusal> {
        let refusal = self.refusal(&self.four_eyes(people, None))?;
        let is_told_later = matches!(self.provider, Provider::Service(_))
            && matches!(refusal, Refusal::Unknown { author: false, .. });
        (!is_told_later).then_some(refusal)
    }

    /// Whether an answer of this model about what these people had a hand in counts.
    pub fn may_judge<'a>(
        &self,
        people: impl IntoIterator<Item = &'a str>,
        served: Option<&str>,
    ) -> bool {
        self.refusal(&self.four_eyes(people, served)).is_none()
    }

    /// Which kind of judgement it gives: a judge of tasks is shown texts beside the files.
    pub fn judgement_kind(&self) -> JudgementKind {
        let has_question = !self.sections.is_empty();
        let is_own = |kind: &JudgementKind| kind.has(Capability::Question) == has_question;
        JudgementKind::ALL.into_iter().find(is_own).unwrap_or_default()
    }

    /// Calls that are made for a content of one part at most, those not counted that an endpoint
    /// refuses unread.
    pub fn calls(&self) -> u32 {
        self.provider.calls()
    }

    /// The same for an item, with all of its parts; none about one without a text.
    pub fn calls_about(&self, item: &Item) -> u32 {
        let legible = item.legible();
        if legible.unasked().is_some() {
            return 0;
        }
        let parts = Material::new(&legible.files).parts(self.settings.limits);
        self.calls().saturating_mul(u32::try_from(parts).unwrap_or(u32::MAX))
    }
}
