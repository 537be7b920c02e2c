//! Keys and types: the tree of a file against the schema of files.
//!
//! What does not fit is reported and taken out of the tree, so that the rest can still be
//! checked: an operator sees all that is wrong at once.

use super::position::Lines;
use super::problem::{Fault, Problem};
use serde_json::Value;
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

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
            (DeValue::Array(a), "array") => self.array(a, key, &schema["items"]),
            (DeValue::Integer(n), "integer") => {
                let number = i128::from_str_radix(n.as_str(), n.radix()).ok();
                self.integer(number, n.as_str(), offset, key, schema)
            }
            (DeValue::Integer(n), "number") => {
                let number = i128::from_str_radix(n.as_str(), n.radix()).ok();
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
        for (key, mut value) in std::mem::take(t) {
            let word = key.get_ref();
            let path = match name {
                "" => word.to_string(),
                name => format!("{name}.{word}"),
            };
            let stays = match property(schema, word) {
                Some(inner) => self.value(&mut value, &path, inner),
                None => {
                    let key_text = path.escape_debug().to_string();
                    let fault = Fault::UnknownKey { key: key_text, near: near(schema, word) };
                    self.report(key.span().start, fault)
                }
            };
            if stays {
                t.insert(key, value);
            }
        }
        let mut whole = true;
        for key in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            whole &= t.contains_key(key);
            // One that was written and taken out has been reported already.
            if !written.iter().any(|w| w == key) {
                let fault = Fault::MissingKey { table: name.to_owned(), key: key.to_owned() };
                self.report(offset, fault);
            }
        }
        whole
    }

    fn array(&mut self, array: &mut DeArray<'_>, key: &str, schema: &Value) -> bool {
        // `DeArray` has no `retain`: the ones that stay are put into a new one.
        let mut kept = DeArray::new();
        for mut item in std::mem::replace(array, DeArray::new()) {
            if self.value(&mut item, key, schema) {
                kept.push(item);
            }
        }
        *array = kept;
        true
    }

    fn integer(
        &mut self,
        number: Option<i128>,
        found: &str,
        offset: usize,
        key: &str,
        schema: &Value,
    ) -> bool {
        let bound = |name: &str| schema[name].as_i64().map(i128::from);
        let low = bound("minimum").unwrap_or(i64::MIN.into());
        let high = bound("maximum").unwrap_or(i64::MAX.into());
        if number.is_some_and(|n| (low..=high).contains(&n)) {
            return true;
        }
        let fault = Fault::OutOfRange {
            key: key.to_owned(),
            low: low.to_string(),
            high: high.to_string(),
            found: found.to_owned(),
        };
        self.report(offset, fault)
    }

    /// A number that need not be whole: `nan` is in no range.
    fn number(
        &mut self,
        number: Option<f64>,
        found: &str,
        offset: usize,
        key: &str,
        schema: &Value,
    ) -> bool {
        let bound = |name: &str| schema[name].as_f64();
        let (low, high) = (bound("minimum"), bound("maximum"));
        let number = number.filter(|n| n.is_finite());
        if number.is_some_and(|n| low.is_none_or(|l| l <= n) && high.is_none_or(|h| n <= h)) {
            return true;
        }
        let said = |bound: Option<f64>| bound.map_or_else(String::new, |b| b.to_string());
        let fault = Fault::OutOfRange {
            key: key.to_owned(),
            low: said(low),
            high: said(high),
            found: found.to_owned(),
        };
        self.report(offset, fault)
    }
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
