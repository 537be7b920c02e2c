//! Keys and types: the tree of a file against the schema of files.
//!
//! What does not fit is reported and taken out of the tree, so that the rest can still be
//! checked: an operator sees all that is wrong at once.

use super::problem::{Fault, Problem};
use crate::text::position::Lines;
use serde_json::Value;
use toml::Spanned;
use toml::de::{DeArray, DeString, DeTable, DeValue};

/// Takes out of `table` what does not fit `schema`, and says what and where.
pub(super) fn prune(lines: &Lines<'_>, table: &mut DeTable<'_>, schema: &Value) -> Vec<Problem> {
    let mut pruner = Pruner { lines, problems: Vec::new() };
    pruner.table(table, 0, "", schema);
    pruner.problems
}

struct Pruner<'a> {
    lines: &'a Lines<'a>,
    problems: Vec<Problem>,
}

impl Pruner<'_> {
    fn report(&mut self, offset: usize, fault: Fault) -> bool {
        self.problems.push(Problem { position: self.lines.position(offset), fault });
        false
    }

    /// Tells whether the value stays.
    fn value(&mut self, value: &mut Spanned<DeValue<'_>>, key: &str, schema: &Value) -> bool {
        let offset = value.span().start;
        match (value.get_mut(), kind(schema)) {
            (DeValue::Table(t), "object") => self.table(t, offset, key, schema),
            (DeValue::Array(a), "array") => {
                retain_items(a, |item| self.value(item, key, &schema["items"]));
                true
            }
            (DeValue::Integer(n), "integer" | "number") => {
                let number = i64::from_str_radix(n.as_str(), n.radix()).ok();
                self.number(number.map(|n| n as f64), n.as_str(), offset, key, schema)
            }
            (DeValue::Float(n), "number") => {
                self.number(n.as_str().parse().ok(), n.as_str(), offset, key, schema)
            }
            (DeValue::String(_), "string") | (DeValue::Boolean(_), "boolean") => true,
            (other, expected) => {
                let fault = Fault::WrongType {
                    key: key.to_owned(),
                    expected: named(expected).to_owned(),
                    found: found(other),
                };
                self.report(offset, fault)
            }
        }
    }

    fn table(&mut self, t: &mut DeTable<'_>, offset: usize, name: &str, schema: &Value) -> bool {
        let written: Vec<_> = t.keys().map(|k| k.get_ref().to_string()).collect();
        retain(t, |key, value| {
            let word = key.get_ref();
            let path = match name {
                "" => word.to_string(),
                name => format!("{name}.{word}"),
            };
            match property(schema, word) {
                Some(inner) => self.value(value, &path, inner),
                None => {
                    let key_text = path.escape_debug().to_string();
                    let fault = Fault::UnknownKey { key: key_text, near: near(schema, word) };
                    self.report(key.span().start, fault)
                }
            }
        });
        let mut whole = true;
        for key in required(schema) {
            whole &= t.contains_key(key);
            // One that was written and taken out has been reported already.
            if !written.iter().any(|w| w == key) {
                let fault = Fault::MissingKey { table: name.to_owned(), key: key.to_owned() };
                self.report(offset, fault);
            }
        }
        whole
    }

    /// `None` and `nan` are in no range.
    fn number(
        &mut self,
        number: Option<f64>,
        found: &str,
        offset: usize,
        key: &str,
        schema: &Value,
    ) -> bool {
        // What has no bound of its own has that of the whole numbers of TOML.
        let low = schema["minimum"].as_f64().unwrap_or(i64::MIN as f64);
        let high = schema["maximum"].as_f64().unwrap_or(i64::MAX as f64);
        if number.is_some_and(|n| (low..=high).contains(&n)) {
            return true;
        }
        let (key, low, high) = (key.to_owned(), low.to_string(), high.to_string());
        self.report(offset, Fault::OutOfRange { key, low, high, found: found.to_owned() })
    }
}

/// Keeps the keys of a table that may stay.
pub(super) fn retain<'t>(
    table: &mut DeTable<'t>,
    mut stays: impl FnMut(&Spanned<DeString<'t>>, &mut Spanned<DeValue<'t>>) -> bool,
) {
    let all = std::mem::take(table).into_iter();
    *table = all
        .filter_map(|(key, mut value)| stays(&key, &mut value).then_some((key, value)))
        .collect();
}

/// Keeps the items of a list that may stay.
pub(super) fn retain_items<'t>(
    array: &mut DeArray<'t>,
    mut stays: impl FnMut(&mut Spanned<DeValue<'t>>) -> bool,
) {
    // `DeArray` has no `retain`: the ones that stay are put into a new one.
    for mut item in std::mem::replace(array, DeArray::new()) {
        if stays(&mut item) {
            array.push(item);
        }
    }
}

/// The keys that a table must have.
pub(super) fn required(schema: &Value) -> impl Iterator<Item = &str> {
    schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str)
}

fn kind(schema: &Value) -> &str {
    schema["type"].as_str().unwrap_or_default()
}

fn property<'s>(schema: &'s Value, key: &str) -> Option<&'s Value> {
    let named = schema["properties"].get(key);
    named.or_else(|| schema.get("additionalProperties").filter(|s| s.is_object()))
}

/// The known key most like `key`, where one is like it at all.
fn near(schema: &Value, key: &str) -> Option<String> {
    let known = schema["properties"].as_object()?.keys();
    known
        .map(|k| (strsim::jaro_winkler(k, key), k))
        .filter(|(likeness, _)| *likeness > 0.7)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, k)| k.clone())
}

fn named(kind: &str) -> &str {
    match kind {
        "object" => "a table",
        "array" => "a list",
        "integer" => "a whole number",
        "number" => "a number",
        "string" => "a text in quotes",
        "boolean" => "true or false",
        other => other,
    }
}

/// What a value is, in words.
pub fn found(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(s) => format!("the text {}", super::problem::quoted(s)),
        DeValue::Integer(n) => format!("the number {n}"),
        DeValue::Float(n) => format!("the number {n}"),
        DeValue::Boolean(b) => b.to_string(),
        DeValue::Datetime(_) => "a date".to_owned(),
        DeValue::Array(_) => "a list".to_owned(),
        DeValue::Table(_) => "a table".to_owned(),
    }
}
