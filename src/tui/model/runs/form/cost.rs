//! What a run would send, and what it may cost.

use super::JudgeForm;
use crate::judging::UNBOUNDED;
use crate::tui::judging::RunJudge;

/// Bytes of template, rubric and the words around a content.
const AROUND: usize = 16 << 10;
/// Tokens of an answer that is not bounded.
const ANSWER: u32 = 4096;
/// Bytes of a token, on the low side, so that an estimate is on the high side.
const BYTES_A_TOKEN: usize = 3;

/// What a run would come to, of a task at most.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimate {
    /// Questions, or rounds where all judges of a task are asked.
    pub questions: usize,
    /// Number of files in all contents.
    pub files: usize,
    /// Total bytes of content.
    pub bytes: usize,
    /// Tokens, answers included, on the high side.
    pub tokens: usize,
    /// What it may cost; or the first model that has no price.
    pub cost: Result<f64, String>,
    /// Contents that the judge will see only a part of.
    pub cut: usize,
}

impl JudgeForm {
    /// What the present choice may come to.
    pub fn estimate(&self) -> Option<Estimate> {
        self.ready.value.as_ref()?;
        let (items, judges) = (self.items(), self.judges());
        let unpriced = judges.iter().find(|judge| judge.price.is_none());
        let (mut tokens, mut cost) = (0, unpriced.map_or(Ok(0.0), |judge| Err(&judge.model)));
        for judge in &judges {
            let price = judge.price.as_ref().ok_or(&judge.model);
            for (content, _) in &items {
                let (size, answer) = self.size(judge, content.bytes());
                tokens += size.div_ceil(BYTES_A_TOKEN) + answer as usize;
                cost = cost.and_then(|sum| Ok(sum + price?.estimate(size, answer)));
            }
        }
        let is_cut = |bytes: usize| judges.iter().any(|judge| judge.cuts(bytes));
        Some(Estimate {
            questions: items.len() * judges.len(),
            files: items.iter().map(|(_, item)| item.files.len()).sum(),
            bytes: items.iter().map(|(c, _)| c.bytes()).sum(),
            tokens,
            cost: cost.map_err(String::clone),
            cut: items.iter().filter(|(c, _)| is_cut(c.bytes())).count(),
        })
    }

    /// Bytes of all requests about a content to a judge, and tokens of its answers.
    fn size(&self, judge: &RunJudge, bytes: usize) -> (usize, u32) {
        let parts = judge.parts(bytes);
        let shown = if judge.cuts(bytes) { judge.most_bytes } else { bytes };
        let answers = u32::try_from(parts).unwrap_or(u32::MAX);
        let answer = judge.max_tokens.unwrap_or(ANSWER).saturating_mul(answers);
        (shown + (AROUND + self.bytes_of_texts()) * parts, answer)
    }

    /// Why a spend cap lets nothing be asked, where that is certain beforehand: a question is longer
    /// than what is judged by it.
    pub(super) fn money(&self, cap: f64, first: &[RunJudge]) -> Option<String> {
        if let Some(judge) = first.iter().find(|judge| judge.price.is_none()) {
            let sections = if self.input.is_task() { "[task] or [judge]" } else { "[judge]" };
            return Some(format!(
                "the model {} has no price, and a spend cap is set: add it to [prices], or remove \
                 `spend_cap` from {sections}",
                judge.model
            ));
        }
        let most = |judge: &RunJudge, bytes: usize| {
            let answer = judge.max_tokens.unwrap_or(UNBOUNDED);
            judge.price.as_ref().map(|price| price.most(bytes.min(judge.most_bytes), answer))
        };
        let of = |bytes: usize| first.iter().filter_map(|judge| most(judge, bytes)).sum::<f64>();
        let least = self.items().iter().map(|(c, _)| of(c.bytes())).min_by(f64::total_cmp)?;
        let what = if self.input.is_task() { "the first round" } else { "a question" };
        (least > cap).then(|| {
            format!("{what} may cost {least:.4} or more, and `spend_cap` is {cap}: raise it, or lower `max_tokens`")
        })
    }
}
