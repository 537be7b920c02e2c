//! What verdicts cost, and which versions of the judge boxes run.

use crate::domain::{CallKey, Timestamp, Window};
use crate::overview::{UsageBy, UsageRow};
use crate::report::{PlainOrJson, counted};
use crate::text::escape::line as visible;
use crate::text::separated;
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Write};

/// Verdicts of judges with tokens, cost and versions.
#[derive(Debug, Serialize, JsonSchema)]
pub struct UsageDocument {
    /// `foureyes/fleet-usage/1`.
    schema: &'static str,
    /// When it was counted.
    #[schemars(with = "String", extend("format" = "date-time"))]
    generated: Timestamp,
    /// The first instant that is counted; absent where everything is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", extend("format" = "date-time"))]
    from: Option<Timestamp>,
    /// `day`, `box`, `model` or `version`.
    by: &'static str,
    /// The rows.
    rows: Vec<Row>,
}

/// Verdicts that have something in common: what tells the rows apart is there, all else is absent.
#[derive(Debug, Serialize, JsonSchema)]
struct Row {
    /// The UTC day; null without a usable time.
    #[serde(skip_serializing_if = "Option::is_none")]
    day: Option<Option<String>>,
    /// The box.
    #[serde(rename = "box", skip_serializing_if = "Option::is_none")]
    box_name: Option<String>,
    /// By model: the one that answered where it is known. By version: the one that was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    /// The model that answered, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    served_model: Option<String>,
    /// Version of prompt and rubric.
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt_sha: Option<String>,
    /// Version of endpoint, model and settings.
    #[serde(skip_serializing_if = "Option::is_none")]
    judge_sha: Option<String>,
    /// Verdicts of judges, each record once.
    verdicts: u64,
    /// Those whose tokens are known.
    counted: u64,
    /// Tokens of the questions of those.
    prompt_tokens: u64,
    /// Tokens of their answers.
    completion_tokens: u64,
    /// Verdicts whose tokens and price are known.
    priced: u64,
    /// What those cost, in the currency of `[prices]`; null where there are none.
    cost: Option<f64>,
    /// When the first verdict was given; null where none has a time.
    #[schemars(with = "Option<String>")]
    first: Option<Timestamp>,
    /// When the last one was given.
    #[schemars(with = "Option<String>")]
    last: Option<Timestamp>,
    /// By version: whether it gave the last verdict of its box.
    #[serde(skip_serializing_if = "Option::is_none")]
    current: Option<bool>,
}

impl UsageDocument {
    /// Of the rows of a table.
    pub fn new(rows: Vec<UsageRow>, by: UsageBy, window: Window, generated: Timestamp) -> Self {
        let row = |row: UsageRow| {
            let CallKey { day, box_name, model, served_model, prompt_sha, judge_sha } = row.key;
            Row {
                day: (by == UsageBy::Day).then(|| day.map(|day| Timestamp::of_day(day).day_text())),
                box_name: matches!(by, UsageBy::Box | UsageBy::Version).then_some(box_name),
                model,
                served_model,
                prompt_sha,
                judge_sha,
                verdicts: row.sums.verdicts,
                counted: row.sums.counted,
                prompt_tokens: row.sums.prompt_tokens,
                completion_tokens: row.sums.completion_tokens,
                priced: row.priced,
                cost: (row.priced > 0).then_some(row.cost),
                first: row.sums.first,
                last: row.sums.last,
                current: (by == UsageBy::Version).then_some(row.current),
            }
        };
        let rows = rows.into_iter().map(row).collect();
        let schema = "foureyes/fleet-usage/1";
        Self { schema, generated, from: window.from, by: by.as_str(), rows }
    }
}

impl PlainOrJson for UsageDocument {
    fn write_plain(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.rows.is_empty() {
            return writeln!(out, "no verdict of a judge in this time");
        }
        for row in &self.rows {
            writeln!(out, "{}", row.name())?;
            let verdicts = counted(row.verdicts, "verdict", "verdicts");
            let day = |at: Option<Timestamp>| at.map_or("-".to_owned(), Timestamp::day_text);
            writeln!(out, "  {verdicts} from {} to {}", day(row.first), day(row.last))?;
            let Row { counted, prompt_tokens, completion_tokens, priced, .. } = row;
            match counted {
                0 => write!(out, "  tokens not known")?,
                _ => write!(
                    out,
                    "  tokens of {}: {} in, {} out",
                    separated(*counted),
                    separated(*prompt_tokens),
                    separated(*completion_tokens)
                )?,
            }
            match row.cost {
                Some(cost) => writeln!(out, "; cost {cost:.4}, of {}", separated(*priced))?,
                None => writeln!(out, "; cost not known")?,
            }
        }
        Ok(())
    }
}

impl Row {
    /// What tells it apart, harmless.
    fn name(&self) -> String {
        let text = |text: &Option<String>| text.as_deref().map(|text| visible(text).into_owned());
        let hash = |what: &str, sha: &Option<String>| {
            let short = sha.as_deref().map(|sha| sha.chars().take(8).collect::<String>());
            short.map(|short| format!("{what} {}", visible(&short)))
        };
        let day = self.day.as_ref().map(|day| day.clone().unwrap_or("undated".to_owned()));
        let served = text(&self.served_model).map(|served| format!("answered by {served}"));
        let current = self.current.filter(|current| *current).map(|_| "current".to_owned());
        let parts = [
            day,
            text(&self.box_name),
            text(&self.model),
            served,
            hash("prompt", &self.prompt_sha),
            hash("judge", &self.judge_sha),
            current,
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::domain::CallSums;

    #[test]
    fn the_stored_schema_is_that_of_the_document() {
        let usage = schemars::schema_for!(UsageDocument);
        crate::asset_tests::assert_bundled("fleet.schema.json", "fleet-usage", &usage);
    }

    #[test]
    fn what_is_not_known_is_not_a_number_and_names_are_harmless() {
        let key = CallKey {
            box_name: "b\u{1b}[2J".to_owned(),
            model: Some("m".to_owned()),
            prompt_sha: Some("0123456789".to_owned()),
            ..CallKey::default()
        };
        let sums = CallSums { verdicts: 3, ..CallSums::default() };
        let row = UsageRow { key, sums, current: true, ..UsageRow::default() };
        let document = UsageDocument::new(vec![row], UsageBy::Version, Window::ALL, Timestamp(0));
        let mut text = Vec::new();
        document.write_plain(&mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert!(
            !text.contains('\u{1b}') && text.contains(", m, prompt 01234567, current"),
            "{text}"
        );
        assert!(text.contains("tokens not known; cost not known"), "{text}");
        assert_eq!(
            serde_json::to_value(&document).unwrap()["rows"][0]["cost"],
            serde_json::Value::Null
        );
    }
}
