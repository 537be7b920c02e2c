//! Texts and names: the tree of a file, whose shape is right, against the kinds of its texts.
//!
//! What is refused is taken out of the tree, the home is put in place of `~/` in paths of this machine,
//! and the line of each setting is noted.

use super::problem::{Fault, Problem, quoted};
use super::rules::{self, Text, Verdict};
use super::shape::{required, retain, retain_items};
use super::{Origins, SettingOrigin};
use crate::text::position::Lines;
use serde_json::Value;
use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

/// Takes out of `table` the texts that are not of the kind that `schema` names. Says where the settings
/// that stay stand, and what is wrong.
pub(super) fn prune(
    lines: &Lines<'_>,
    table: &mut DeTable<'_>,
    schema: &Value,
    home: Option<&Path>,
) -> (Origins, Vec<Problem>) {
    let plain_http = table.get("judge").is_some_and(|judge| says(judge, "allow_plain_http"));
    let boxes = table.get("box").and_then(|all| all.get_ref().as_array()).into_iter().flatten();
    // A box that is wrong otherwise is still a name.
    let boxes = boxes.filter_map(|one| Some((text_of(one, "name")?.0, says(one, "local"))));
    let boxes = boxes.collect();
    let (origins, problems) = (Origins::new(), Vec::new());
    let mut pruner = Pruner { lines, home, boxes, plain_http, here: false, origins, problems };
    pruner.file(table, &schema["properties"]);
    (pruner.origins, pruner.problems)
}

struct Pruner<'a> {
    lines: &'a Lines<'a>,
    home: Option<&'a Path>,
    /// The boxes of the file by name, and whether each is local.
    boxes: Vec<(String, bool)>,
    /// Whether the file allows plain http to other machines.
    plain_http: bool,
    /// Whether the paths of the box or section at hand are on this machine.
    here: bool,
    origins: Origins,
    problems: Vec<Problem>,
}

impl Pruner<'_> {
    fn report(&mut self, offset: usize, fault: Fault) {
        let position = self.lines.position(offset);
        self.problems.push(Problem { position, fault });
    }

    fn refuse(&mut self, offset: usize, key: &str, value: String, reason: &str) {
        let (key, reason) = (key.to_owned(), reason.to_owned());
        self.report(offset, Fault::Refused { key, value, reason });
    }

    fn came(&mut self, key: String, offset: usize) {
        let line = self.lines.position(offset).line;
        self.origins.insert(key, SettingOrigin::File { line });
    }

    fn file(&mut self, table: &mut DeTable<'_>, schema: &Value) {
        retain(table, |key, value| {
            let (key, schema) = (&**key.get_ref(), &schema[&**key.get_ref()]);
            // `[exchange]` is the section of a box, where it names one.
            self.here = match text_of(value, "box") {
                Some((name, _)) => self.boxes.iter().find(|b| b.0 == name).is_some_and(|b| b.1),
                None => true,
            };
            match value.get_mut() {
                DeValue::Table(table) => {
                    if let Some(DeValue::Array(rules)) =
                        table.get("rules").map(Spanned::get_ref).filter(|_| key == "risk")
                    {
                        let faults = super::risk::faults(rules);
                        faults.into_iter().for_each(|(at, fault)| self.report(at, fault));
                    }
                    self.section(key, table, schema);
                }
                DeValue::Array(boxes) if key == "box" => self.boxes(boxes, &schema["items"]),
                DeValue::Array(all) if key == "family" => self.families(all, schema),
                _ if schema["items"]["type"] == "object" => {
                    return self.value(key, value, schema, None);
                }
                _ => return self.setting(key.to_owned(), value, schema),
            }
            true
        });
    }

    fn section(&mut self, name: &str, table: &mut DeTable<'_>, schema: &Value) {
        let properties = &schema["properties"];
        if properties.is_object() {
            return retain(table, |key, value| {
                let key = &**key.get_ref();
                self.setting(format!("{name}.{key}"), value, &properties[key])
            });
        }
        let (keys, texts) = (Text::of_keys(schema), Text::of(schema));
        retain(table, |key, value| {
            let (at, mut word) = (key.span().start, key.get_ref().clone());
            let path = format!("{name}.{}", word.escape_debug());
            let known = keys.is_none_or(|kind| self.text(name, at, &mut word, kind));
            let stays = self.value(&path, value, &schema["additionalProperties"], texts) && known;
            if stays {
                self.came(format!("{name}.{word}"), at);
                let inner = value.get_ref().as_table().into_iter().flatten();
                let inner =
                    inner.map(|(key, value)| (key.get_ref().to_string(), value.span().start));
                let inner: Vec<_> = inner.collect();
                inner
                    .into_iter()
                    .for_each(|(key, at)| self.came(format!("{name}.{word}.{key}"), at));
            }
            stays
        });
    }

    fn setting(&mut self, key: String, value: &mut Spanned<DeValue<'_>>, schema: &Value) -> bool {
        let stays = self.value(&key, value, schema, None);
        self.came(key, value.span().start);
        stays
    }

    fn boxes(&mut self, boxes: &mut DeArray<'_>, schema: &Value) {
        // Compared without case: a name is a directory, and not every file system tells case.
        let mut seen = HashMap::new();
        retain_items(boxes, |one| {
            let (before, at) = (self.problems.len(), one.span().start);
            self.here = says(one, "local");
            let name = text_of(one, "name");
            let DeValue::Table(table) = one.get_mut() else { return false };
            if self.here {
                self.without_ssh(table);
            }
            if let Some(logs) = table.get("logs")
                && logs.get_ref().as_array().is_some_and(|logs| logs.is_empty())
            {
                let reason = "a box has at least one directory or file to read";
                self.refuse(logs.span().start, "box.logs", "[]".to_owned(), reason);
            }
            self.table("box", table, schema, None);
            if let Some((name, place)) = name {
                let line = self.lines.position(place).line;
                if let Some(line) = seen.insert(name.to_ascii_lowercase(), line) {
                    self.report(place, Fault::SameName { name: quoted(&name), line });
                }
                self.came(format!("box.{name}"), at);
            }
            // Half a box is none.
            self.problems.len() == before
        });
    }

    /// Takes out of a local box what is only for those over SSH.
    fn without_ssh(&mut self, table: &mut DeTable<'_>) {
        let ssh = schemars::schema_for!(super::Remote);
        retain(table, |key, value| {
            let stays = ssh.as_value()["properties"].get(&**key.get_ref()).is_none();
            if !stays {
                let key = format!("box.{}", key.get_ref());
                self.report(value.span().start, Fault::OnlySsh { key });
            }
            stays
        });
    }

    fn families(&mut self, families: &mut DeArray<'_>, schema: &Value) {
        let mut seen = HashMap::new();
        let kind = Text::of(schema);
        retain_items(families, |family| {
            let Some((name, at)) = text_of(family, "name") else { return false };
            if let Some(line) = seen.get(&name) {
                let reason = format!("another family has this name, in line {line}");
                self.refuse(at, "family.name", quoted(&name), &reason);
                return false;
            }
            seen.insert(name.clone(), self.lines.position(at).line);
            let stays = self.value("family", family, &schema["items"], kind);
            if stays {
                self.came(format!("family.{name}"), at);
            }
            stays
        });
    }

    /// Tells whether the value stays. `kind` is that of the texts around it.
    fn value(
        &mut self,
        key: &str,
        value: &mut Spanned<DeValue<'_>>,
        schema: &Value,
        kind: Option<Text>,
    ) -> bool {
        let (kind, at) = (Text::of(schema).or(kind), value.span().start);
        match (value.get_mut(), kind) {
            (DeValue::String(text), Some(kind)) => self.text(key, at, text, kind),
            (DeValue::Array(all), _) => {
                retain_items(all, |one| self.value(key, one, &schema["items"], kind));
                true
            }
            (DeValue::Table(table), _) => self.table(key, table, schema, kind),
            _ => true,
        }
    }

    fn table(
        &mut self,
        name: &str,
        table: &mut DeTable<'_>,
        schema: &Value,
        kind: Option<Text>,
    ) -> bool {
        retain(table, |key, value| {
            let key = &**key.get_ref();
            self.value(&format!("{name}.{key}"), value, &schema["properties"][key], kind)
        });
        required(schema).all(|key| table.contains_key(key))
    }

    fn text(&mut self, key: &str, at: usize, text: &mut Cow<'_, str>, kind: Text) -> bool {
        let alone = kind.check(text);
        let verdict = alone.and_then(|()| self.beyond(text, kind));
        if let Err(reason) = verdict {
            self.refuse(at, key, kind.shown(text), reason);
        }
        // Without one that is right in itself the setting would mean another place.
        let names_a_place = matches!(kind, Text::Box | Text::BoxOverSsh | Text::Endpoint);
        verdict.is_ok() || (names_a_place && alone.is_ok())
    }

    /// What only the rest of the file, or this machine, can tell of a text.
    fn beyond(&self, text: &mut Cow<'_, str>, kind: Text) -> Verdict {
        let mut named = self.boxes.iter().filter(|(name, _)| name == text);
        match kind {
            Text::Box if named.next().is_none() => Err("no box has this name"),
            Text::BoxOverSsh if named.all(|(_, local)| *local) => {
                Err("no box over SSH has this name")
            }
            Text::Endpoint if !self.plain_http && rules::is_plain_to_others(text) => {
                Err("key and content would cross the network in plain http, which \
                     `allow_plain_http` allows")
            }
            Text::There if !self.here => Ok(()),
            Text::Program if !text.starts_with("~/") => Ok(()),
            Text::There
            | Text::Path
            | Text::PathForSsh
            | Text::PathWithoutBlanks
            | Text::Program => {
                let path = rules::expand_home_text(text, self.home);
                *text = path.ok_or("the home directory is not known")?.into();
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

/// The text of a key in a table, and where it stands.
fn text_of(table: &Spanned<DeValue<'_>>, key: &str) -> Option<(String, usize)> {
    let value = table.get_ref().as_table()?.get(key)?;
    Some((value.get_ref().as_str()?.to_owned(), value.span().start))
}

/// Tells whether a table has `key = true`.
fn says(table: &Spanned<DeValue<'_>>, key: &str) -> bool {
    let value = table.get_ref().as_table().and_then(|table| table.get(key));
    value.is_some_and(|value| value.get_ref().as_bool() == Some(true))
}
