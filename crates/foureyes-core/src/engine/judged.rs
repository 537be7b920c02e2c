//! Whether what is known of one judge says anything of another one.
//!
//! Error rates hold for a judge: a model, and a prompt. Evidence about one says nothing about another.

use crate::domain::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A judge that evidence is of. Text in it is hostile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JudgeSeen {
    /// The model that was asked for; `null` where no record names it.
    pub model: Option<String>,
    /// The model that answered.
    pub served_model: Option<String>,
    /// Which question was asked: hash of template, rubric and the words of the program together.
    pub prompt_sha: Option<String>,
    /// Its tier in a panel; absent where one judge is asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tier: Option<String>,
    /// When it was first seen.
    #[schemars(with = "String")]
    pub from: Timestamp,
}

/// What a machine would ask. Text in it is hostile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Asks<'a> {
    /// The model.
    pub model: &'a str,
    /// Hash of template, rubric and the words of the program together; `None` where it is not known.
    pub prompt_sha: Option<&'a str>,
    /// Whether answers come from a file, and no model is asked.
    pub scripted: bool,
}

/// Why evidence on these judges says nothing of what a machine asks, in a sentence; `None` where it
/// does. Model and prompt must be those of one of them; one that names no prompt is like no other.
pub fn unlike(evidence: &[JudgeSeen], asks: &Asks<'_>) -> Option<String> {
    if asks.scripted {
        return Some("the box answers from a file and asks no model".to_owned());
    }
    let model = asks.model;
    let Some(prompt) = asks.prompt_sha else {
        return Some(format!("the box asks {model} with an unknown prompt"));
    };
    let same = |seen: &JudgeSeen| {
        seen.model.as_deref() == Some(model) && seen.prompt_sha.as_deref() == Some(prompt)
    };
    if evidence.iter().any(same) {
        return None;
    }
    let mut others: Vec<String> = Vec::new();
    for seen in evidence {
        let other = describe(seen.model.as_deref(), seen.prompt_sha.as_deref());
        if !others.contains(&other) {
            others.push(other);
        }
    }
    let others = match others.is_empty() {
        true => "names no judge".to_owned(),
        false => format!("is about {}", others.join(", ")),
    };
    Some(format!("the box asks {}; the evidence {others}", describe(Some(model), Some(prompt))))
}

/// Why evidence on these judges says nothing of a model that answered where `model` was asked, in a
/// sentence; `None` where it does, or where no record of the evidence names who answered.
///
/// The name that is asked for can be that of a route, behind which another model may stand.
pub fn unserved(evidence: &[JudgeSeen], model: &str, served: Option<&str>) -> Option<String> {
    let asked = evidence.iter().filter(|seen| seen.model.as_deref() == Some(model));
    let mut named: Vec<&str> = asked.filter_map(|seen| seen.served_model.as_deref()).collect();
    if named.is_empty() || served.is_some_and(|served| named.contains(&served)) {
        return None;
    }
    named.dedup();
    let served = served.unwrap_or("a model that is not named");
    let named = named.join(", ");
    Some(format!("{served} answered for {model}; in the evidence, {named} did"))
}

fn describe(model: Option<&str>, prompt: Option<&str>) -> String {
    let model = model.unwrap_or("an unnamed model");
    match prompt {
        Some(prompt) => format!("{model} (prompt {})", crate::text::short_hash(prompt)),
        None => format!("{model} (prompt not named)"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(model: &str, prompt: Option<&str>) -> JudgeSeen {
        let (model, prompt_sha) = (Some(model.to_owned()), prompt.map(str::to_owned));
        JudgeSeen { model, served_model: None, prompt_sha, tier: None, from: Timestamp(0) }
    }

    fn asks<'a>(model: &'a str, prompt: Option<&'a str>) -> Asks<'a> {
        Asks { model, prompt_sha: prompt, scripted: false }
    }

    #[test]
    fn same_model_and_prompt_is_the_evidence_judge() {
        let evidence =
            [seen("fastest", None), seen("fastest", Some("aa")), seen("slow", Some("bb"))];
        assert_eq!(unlike(&evidence, &asks("fastest", Some("aa"))), None);
        assert_eq!(unlike(&evidence, &asks("slow", Some("bb"))), None);
        for (model, prompt) in
            [("fastest", "bb"), ("slow", "aa"), ("other", "aa"), ("fastest", "a")]
        {
            assert!(unlike(&evidence, &asks(model, Some(prompt))).is_some(), "{model} {prompt}");
        }
    }

    #[test]
    fn unknown_is_not_equal_to_unknown() {
        let evidence = [seen("fastest", None)];
        let why = unlike(&evidence, &asks("fastest", Some("0123456789abcdef"))).unwrap();
        assert_eq!(
            why,
            "the box asks fastest (prompt 0123456789ab); the evidence is about fastest (prompt not \
             named)"
        );
        assert!(unlike(&evidence, &asks("fastest", None)).unwrap().contains("unknown prompt"));
        assert!(unlike(&[], &asks("fastest", Some("aa"))).unwrap().contains("names no judge"));
        let unnamed = JudgeSeen { model: None, ..seen("", Some("aa")) };
        assert!(unlike(&[unnamed], &asks("fastest", Some("aa"))).is_some());
    }

    #[test]
    fn same_route_may_serve_another_model() {
        let by =
            |served: &str| JudgeSeen { served_model: Some(served.to_owned()), ..seen("r", None) };
        let evidence = [by("one"), by("two"), seen("r", None), seen("slow", None)];
        assert_eq!(unserved(&evidence, "r", Some("two")), None);
        let why = unserved(&evidence, "r", Some("three")).unwrap();
        assert_eq!(why, "three answered for r; in the evidence, one, two did");
        assert!(unserved(&evidence, "r", None).unwrap().contains("not named"));
        assert_eq!(unserved(&evidence, "slow", Some("three")), None, "nobody names who answered");
    }

    #[test]
    fn answers_from_file_have_no_judge() {
        let scripted = Asks { scripted: true, ..asks("fastest", Some("aa")) };
        assert!(unlike(&[seen("fastest", Some("aa"))], &scripted).unwrap().contains("a file"));
    }
}
