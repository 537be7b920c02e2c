//! The text of a rubric to a rubric, or all that is wrong with it.

use super::{Aspect, HIGHEST, LOWEST, PushRule, Rubric, TaskRule};
use crate::domain::Dimension;
use crate::engine::problem::{Problem, Problems, quoted};
use serde::Deserialize;
use std::collections::BTreeMap;
use toml::Spanned;

/// Longest rubric, in bytes.
const MOST_BYTES: usize = 64 << 10;
/// Longest question, criterion or meaning, in characters.
const MOST_CHARACTERS: usize = 2000;
/// Most criteria of a dimension.
const MOST_CRITERIA: usize = 50;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileRubric {
    scale: Spanned<BTreeMap<Spanned<String>, Spanned<String>>>,
    dimension: Vec<Spanned<FileDimension>>,
    push: FilePush,
    task: FileTask,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileDimension {
    name: Spanned<String>,
    question: Spanned<String>,
    criteria: Spanned<Vec<Spanned<String>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FilePush {
    least: Spanned<i64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileTask {
    accept_least: Spanned<i64>,
    accept_average: Spanned<f64>,
    improve_least: Spanned<i64>,
}

/// Reads the text of a rubric.
pub(super) fn parse(text: &str) -> Result<Rubric, Problems> {
    if text.len() > MOST_BYTES {
        let what = format!("a rubric has at most {MOST_BYTES} bytes, and this has {}", text.len());
        return Err(Problems(vec![Problem::at(text, 0, what)]));
    }
    let file: FileRubric = toml::from_str(text).map_err(|error| {
        let message: Vec<_> = error.message().lines().collect();
        let offset = error.span().map_or(0, |span| span.start);
        Problems(vec![Problem::at(text, offset, message.join(", "))])
    })?;
    let mut check = Check { text, problems: Vec::new() };
    let rubric = Rubric {
        aspects: check.aspects(&file.dimension),
        scale: check.scale(&file.scale),
        push: PushRule { least: check.score("push.least", &file.push.least) },
        task: check.task(&file.task),
        text: text.to_owned(),
    };
    if check.problems.is_empty() {
        return Ok(rubric);
    }
    check.problems.sort_by_key(|problem| (problem.line, problem.column));
    Err(Problems(check.problems))
}

struct Check<'a> {
    text: &'a str,
    problems: Vec<Problem>,
}

impl Check<'_> {
    fn report<T>(&mut self, at: &Spanned<T>, what: impl Into<String>) {
        self.problems.push(Problem::at(self.text, at.span().start, what));
    }

    /// A text of one line that says something.
    fn line(&mut self, key: &str, at: &Spanned<String>) -> String {
        let text = at.get_ref();
        if text.trim().is_empty() {
            self.report(at, format!("`{key}` is empty"));
        } else if text.chars().count() > MOST_CHARACTERS {
            self.report(at, format!("`{key}` has more than {MOST_CHARACTERS} characters"));
        } else if text.chars().any(crate::text::is_hidden) {
            self.report(at, format!("`{key}` has control or hidden characters"));
        }
        text.trim().to_owned()
    }

    fn score(&mut self, key: &str, at: &Spanned<i64>) -> u8 {
        let score = u8::try_from(*at.get_ref()).ok();
        let score = score.filter(|score| (LOWEST..=HIGHEST).contains(score));
        if score.is_none() {
            let found = at.get_ref();
            self.report(at, format!("`{key}` must be {LOWEST} to {HIGHEST}, and is {found}"));
        }
        score.unwrap_or(HIGHEST)
    }

    fn scale(
        &mut self,
        scale: &Spanned<BTreeMap<Spanned<String>, Spanned<String>>>,
    ) -> [String; 5] {
        let scores = ["1", "2", "3", "4", "5"];
        for key in scale.get_ref().keys() {
            if !scores.contains(&key.get_ref().as_str()) {
                let found = quoted(key.get_ref());
                self.report(key, format!("`scale` has the scores 1 to 5, and no {found}"));
            }
        }
        scores.map(|score| {
            let found = scale.get_ref().iter().find(|(key, _)| key.get_ref() == score);
            let Some((_, meaning)) = found else {
                self.report(scale, format!("`scale` does not say what {score} means"));
                return String::new();
            };
            self.line(&format!("scale.{score}"), meaning)
        })
    }

    fn aspects(&mut self, dimensions: &[Spanned<FileDimension>]) -> [Aspect; 3] {
        let known = Dimension::ALL.map(Dimension::as_str);
        for (i, dimension) in dimensions.iter().enumerate() {
            let name = &dimension.get_ref().name;
            if !known.contains(&name.get_ref().as_str()) {
                let found = quoted(name.get_ref());
                let what =
                    format!("a dimension is one of {}, and this is {found}", known.join(", "));
                self.report(name, what);
            }
            let same =
                |other: &&Spanned<FileDimension>| other.get_ref().name.get_ref() == name.get_ref();
            if dimensions.iter().take(i).any(|other| same(&other)) {
                self.report(
                    name,
                    format!("the dimension {} is given twice", quoted(name.get_ref())),
                );
            }
        }
        Dimension::ALL.map(|dimension| {
            let named =
                |d: &&Spanned<FileDimension>| d.get_ref().name.get_ref() == dimension.as_str();
            let Some(found) = dimensions.iter().find(named) else {
                let what = format!("there is no dimension {:?}", dimension.as_str());
                self.problems.push(Problem::at(self.text, self.text.len(), what));
                return Aspect { dimension, question: String::new(), criteria: Vec::new() };
            };
            self.aspect(dimension, found.get_ref())
        })
    }

    fn aspect(&mut self, dimension: Dimension, file: &FileDimension) -> Aspect {
        let count = file.criteria.get_ref().len();
        if count == 0 || count > MOST_CRITERIA {
            let what =
                format!("a dimension has 1 to {MOST_CRITERIA} criteria, and this has {count}");
            self.report(&file.criteria, what);
        }
        let question = self.line("question", &file.question);
        let criteria = file.criteria.get_ref().iter();
        Aspect {
            dimension,
            question,
            criteria: criteria.map(|criterion| self.line("criteria", criterion)).collect(),
        }
    }

    fn task(&mut self, file: &FileTask) -> TaskRule {
        let rule = TaskRule {
            accept_least: self.score("task.accept_least", &file.accept_least),
            accept_average: *file.accept_average.get_ref(),
            improve_least: self.score("task.improve_least", &file.improve_least),
        };
        let (low, high) = (f64::from(LOWEST), f64::from(HIGHEST));
        if !(low..=high).contains(&rule.accept_average) {
            let what = format!("`task.accept_average` must be {LOWEST} to {HIGHEST}");
            self.report(&file.accept_average, what);
        }
        if rule.improve_least > rule.accept_least {
            let what = "`task.improve_least` is above `task.accept_least`";
            self.report(&file.improve_least, what);
        }
        rule
    }
}
