//! Who judges, which models are of one family, and what they cost.

use super::super::JudgeConfig;
use super::super::at::At;
use super::super::file::{File, FileBox, FileFamily, FileJudge};
use super::super::problem::{Fault, quoted};
use super::super::rules;
use super::Builder;
use crate::engine::cost::{Price, Prices};
use crate::engine::four_eyes::{Families, ModelFamily, Rule};
use std::path::PathBuf;
use std::time::Duration;

impl Builder<'_> {
    pub(super) fn judge(&mut self, file: Option<&FileJudge>, boxes: &[At<FileBox>]) -> JudgeConfig {
        let default = JudgeConfig::default();
        let Some(f) = file else { return default };
        let endpoint = self.endpoint(f.endpoint.as_ref());
        let allow_plain_http = self.number("judge.allow_plain_http", f.allow_plain_http.as_ref());
        let allow_plain_http = allow_plain_http.unwrap_or(default.allow_plain_http);
        if let (Some(at), Some(said)) = (&f.endpoint, &endpoint)
            && !allow_plain_http
            && rules::is_plain_to_others(said)
        {
            let reason = "key and content would cross the network in plain http, which \
                          `allow_plain_http` allows";
            self.refuse("judge.endpoint", at, reason);
        }
        let rule = self.judge_text("four_eyes", f.four_eyes.as_ref(), rules::four_eyes);
        let rule = rule.and_then(|word| Rule::WORDS.iter().find(|(w, _)| *w == word));
        JudgeConfig {
            endpoint: endpoint.unwrap_or(default.endpoint),
            model: self
                .judge_text("model", f.model.as_ref(), rules::named)
                .unwrap_or(default.model),
            key_env: self.key_env(f.key_env.as_ref()).unwrap_or(default.key_env),
            key_command: self.judge_text("key_command", f.key_command.as_ref(), rules::command),
            via: self.via(f.via.as_ref(), boxes),
            script: self.judge_path("script", f.script.as_ref()),
            connect_timeout: self
                .judge_seconds("connect_timeout_s", f.connect_timeout_s.as_ref())
                .unwrap_or(default.connect_timeout),
            first_byte_timeout: self
                .judge_seconds("first_byte_timeout_s", f.first_byte_timeout_s.as_ref())
                .unwrap_or(default.first_byte_timeout),
            timeout: self
                .judge_seconds("timeout_s", f.timeout_s.as_ref())
                .unwrap_or(default.timeout),
            budget: self.judge_seconds("budget_s", f.budget_s.as_ref()).unwrap_or(default.budget),
            max_content_bytes: self
                .number("judge.max_content_bytes", f.max_content_bytes.as_ref())
                .unwrap_or(default.max_content_bytes),
            max_parts: self
                .number("judge.max_parts", f.max_parts.as_ref())
                .unwrap_or(default.max_parts),
            max_tokens: self.number("judge.max_tokens", f.max_tokens.as_ref()),
            temperature: self
                .number("judge.temperature", f.temperature.as_ref())
                .unwrap_or(default.temperature),
            prompt: self.judge_path("prompt", f.prompt.as_ref()),
            rubric: self.judge_path("rubric", f.rubric.as_ref()),
            four_eyes: rule.map_or(default.four_eyes, |(_, rule)| *rule),
            allow_plain_http,
            parallel: self
                .number("judge.parallel", f.parallel.as_ref())
                .unwrap_or(default.parallel),
            spend_cap: self.number("judge.spend_cap", f.spend_cap.as_ref()),
            routes: self.number("judge.routes", f.routes.as_ref()).unwrap_or(default.routes),
        }
    }

    /// The name of the variable that holds the key.
    fn key_env(&mut self, at: Option<&At<String>>) -> Option<String> {
        let shown = |text: &str| format!("a text of {} characters", text.chars().count());
        self.unrepeated("key_env", at?, rules::variable, shown)
    }

    fn endpoint(&mut self, at: Option<&At<String>>) -> Option<String> {
        let shown = |text: &str| match text.split_once('?') {
            Some((before, _)) => quoted(&format!("{before}?…")),
            None => quoted(text),
        };
        self.unrepeated("endpoint", at?, rules::endpoint, shown)
    }

    /// A text in the place of which somebody may give the key itself. Where it is refused it is not
    /// shown whole: what is wrong is said at every push, and logged.
    fn unrepeated(
        &mut self,
        key: &str,
        at: &At<String>,
        rule: fn(&str) -> rules::Verdict,
        shown: impl Fn(&str) -> String,
    ) -> Option<String> {
        let key = format!("judge.{key}");
        self.came(&key, at);
        let Err(reason) = rule(at.get()) else { return Some(at.get().clone()) };
        let (value, reason) = (shown(at.get()), reason.to_owned());
        self.report(at, Fault::Refused { key, value, reason });
        None
    }

    /// The box through which the endpoint is reached: one over SSH.
    fn via(&mut self, at: Option<&At<String>>, boxes: &[At<FileBox>]) -> Option<String> {
        let name = self.judge_text("via", at, rules::name)?;
        let local = |b: &At<FileBox>| b.get().local.as_ref().is_some_and(|l| *l.get());
        let far = |b: &&At<FileBox>| *b.get().name.get() == name && !local(b);
        if let (Some(at), None) = (at, boxes.iter().find(far)) {
            self.refuse("judge.via", at, "no box over SSH has this name");
        }
        Some(name)
    }

    fn judge_text(
        &mut self,
        key: &str,
        at: Option<&At<String>>,
        rule: fn(&str) -> rules::Verdict,
    ) -> Option<String> {
        let (key, at) = (format!("judge.{key}"), at?);
        self.came(&key, at);
        self.text(&key, at, rule)
    }

    fn judge_path(&mut self, key: &str, at: Option<&At<String>>) -> Option<PathBuf> {
        let (key, at) = (format!("judge.{key}"), at?);
        self.came(&key, at);
        self.path(&key, Some(at), rules::rooted)
    }

    fn judge_seconds(&mut self, key: &str, at: Option<&At<u64>>) -> Option<Duration> {
        self.number(&format!("judge.{key}"), at).map(Duration::from_secs)
    }

    pub(super) fn families(&mut self, families: &[At<FileFamily>]) -> Families {
        let mut kept: Vec<ModelFamily> = Vec::new();
        for (i, family) in families.iter().map(At::get).enumerate() {
            let earlier = families.iter().take(i).map(At::get);
            if let Some(first) = earlier.into_iter().find(|f| f.name.get() == family.name.get()) {
                let line = self.position(&first.name).line;
                let reason = format!("another family has this name, in line {line}");
                let key = "family.name".to_owned();
                let value = quoted(family.name.get());
                self.report(&family.name, Fault::Refused { key, value, reason });
                continue;
            }
            let Some(name) = self.text("family.name", &family.name, rules::named) else { continue };
            self.came(&format!("family.{name}"), &family.name);
            let mut names = |key: &str, list: &[At<String>]| {
                list.iter().filter_map(|at| self.text(key, at, rules::named)).collect()
            };
            kept.push(ModelFamily {
                name,
                authors: names("family.authors", &family.authors),
                models: names("family.models", &family.models),
            });
        }
        Families(kept)
    }

    pub(super) fn prices(&mut self, file: &File) -> Prices {
        let Some(at) = &file.prices else { return Prices::default() };
        let mut prices = Vec::new();
        for (model, price) in at.get() {
            let Some(name) = self.text("prices", model, rules::named) else { continue };
            self.came(&format!("prices.{name}"), model);
            let (prompt, completion) = (*price.get().prompt.get(), *price.get().completion.get());
            prices.push(Price { model: name, prompt, completion });
        }
        Prices(prices)
    }
}
