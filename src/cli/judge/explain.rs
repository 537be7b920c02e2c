//! What would be asked, without asking.

use crate::cli::{Failure, output};
use crate::config::{Config, JudgeConfig};
use crate::engine::prompt::{Material, Nonce, Prompt, Speaker};
use crate::engine::verdict::Verdict;
use crate::judging::{Item, Judge, configured};
use crate::text::{escape, short_hash as short};
use std::path::Path;

/// Columns of the text.
const WIDTH: usize = 100;

/// Prints who would be asked, what about, and every word of the question.
pub(super) fn print(config: &Config, judge: &Judge, items: &[Item]) -> Result<(), Failure> {
    let own = &config.judge;
    let asked = Asked { config: own, prompt: own.prompt.as_deref(), judge, cap: own.spend_cap };
    let mut out = String::new();
    fields(&mut out, asked.who());
    items.iter().for_each(|item| asked.question(&mut out, item));
    output::print(out)
}

/// Writes named texts, each below the other.
pub(super) fn fields(out: &mut String, lines: impl IntoIterator<Item = (&'static str, String)>) {
    for (name, text) in lines {
        out.push_str(&escape::field(0, &format!("{name}:"), &text, WIDTH));
    }
}

/// A judge that would be asked.
pub(super) struct Asked<'a, V: 'static> {
    /// Its configuration.
    pub(super) config: &'a JudgeConfig,
    /// Its own template.
    pub(super) prompt: Option<&'a Path>,
    pub(super) judge: &'a Judge<V>,
    /// Most that may be spent.
    pub(super) cap: Option<f64>,
}

impl<V: Verdict> Asked<'_, V> {
    /// Who it is, by which prompt and rubric, and what it may cost.
    pub(super) fn who(&self) -> Vec<(&'static str, String)> {
        let own = |path: Option<&Path>| {
            path.map_or("of the program".to_owned(), |path| path.display().to_string())
        };
        let (c, judge) = (self.config, self.judge);
        let key = match (&c.key_command, c.key_variable()) {
            (Some(_), _) => "printed by a command".to_owned(),
            (None, Some(_)) => format!("in the variable {}", c.key_name()),
            (None, None) => format!("none: the variable {} is not set", c.key_name()),
        };
        let proxy = configured::proxy(c)
            .map(|proxy| ("proxy", format!("{proxy} (from the system settings)")));
        let mut lines: Vec<_> = [("endpoint", c.asked())].into_iter().chain(proxy).collect();
        let (template, rubric) = (judge.template.sha(), judge.rubric.hash());
        lines.extend([
            ("key", key),
            ("model", judge.model.clone()),
            ("temperature", c.temperature.to_string()),
            ("prompt", format!("{}, version {}", own(self.prompt), short(&template))),
            ("rubric", format!("{}, version {}", own(c.rubric.as_deref()), short(&rubric))),
            ("question", format!("version {}", short(&judge.prompt_sha()))),
        ]);
        lines.extend(self.cap.map(|cap| ("spend cap", cap.to_string())));
        let tokens = c.answer_tokens();
        lines.extend(tokens.map(|tokens| ("answer", format!("at most {tokens} tokens"))));
        lines
    }

    /// Each message about a content, with what is sent, left out and changed.
    pub(super) fn question(&self, out: &mut String, item: &Item) {
        let (judge, limits) = (self.judge, self.judge.settings.limits);
        let sections = judge.shown_of(item);
        let material = Material { files: &item.files, sections: &sections };
        let count = material.parts(limits);
        for part in 0..count {
            // Of no use but to be shown: a call draws its own.
            let nonce = Nonce::new([0; Nonce::BYTES]);
            let number = (count > 1).then_some(part);
            let (kind, rubric) = (judge.kind, &judge.rubric);
            let prompt =
                judge.template.render_part(kind, rubric, &material, number, &nonce, limits);
            out.push('\n');
            let mut lines = content(judge, item, &prompt);
            if count > 1 {
                lines.push(("part", format!("{} of {count}", part + 1)));
            }
            lines.push(("cost", cost(judge, item, self.cap)));
            fields(out, lines);
            for (speaker, text) in &prompt.messages {
                out.push_str(match speaker {
                    Speaker::System => "system:\n",
                    Speaker::User => "user:\n",
                });
                out.push_str(&escape::block(text, "| ", WIDTH));
            }
        }
    }
}

fn content<V: Verdict>(
    judge: &Judge<V>,
    item: &Item,
    prompt: &Prompt,
) -> Vec<(&'static str, String)> {
    let decision = judge.families.decide(item.author.as_deref(), &judge.model);
    let rule = judge.settings.four_eyes.word();
    let mut lines = vec![
        ("files", item.material().paths().join(", ")),
        ("author", item.author.clone().unwrap_or_else(|| "not given".to_owned())),
        ("four eyes", format!("{decision} (a judge of the same family: {rule})")),
        (
            "content",
            format!(
                "{} bytes, {} of them shown; hash {}",
                prompt.bytes,
                prompt.shown,
                short(&prompt.content_sha)
            ),
        ),
        ("sent", format!("{} bytes in all", prompt.size())),
    ];
    for cut in &prompt.cuts {
        lines
            .push(("cut", format!("{}: {} of {} bytes are shown", cut.path, cut.shown, cut.bytes)));
    }
    for (count, what) in [
        (prompt.masked, "secrets that are masked"),
        (prompt.neutralised, "places neutralised that could pass for a delimiter"),
        (prompt.lossy, "files with invalid UTF-8"),
    ] {
        if count > 0 {
            lines.push(("note", format!("{what}: {count}")));
        }
    }
    if prompt.injection {
        lines.push(("note", "the content seems to address the judge".to_owned()));
    }
    if prompt.hidden {
        lines.push(("note", "the content has invisible characters".to_owned()));
    }
    lines
}

/// What a call may cost, and whether a spend cap lets it be made.
fn cost<V: Verdict>(judge: &Judge<V>, item: &Item, cap: Option<f64>) -> String {
    let Some(cost) = judge.most(item) else {
        let asked = if cap.is_some() { ", and under a spend cap it is not asked" } else { "" };
        return format!("unknown: the model has no price{asked}");
    };
    let bound = match judge.settings.max_tokens {
        Some(_) => "at most",
        None => "not bounded without `max_tokens`; with an answer of 8192 tokens at most",
    };
    let several = judge.prices.0.len() > 1 && !judge.settings.no_routes;
    let by = if several { ", at the highest of [prices]" } else { "" };
    let calls = judge.calls_about(item);
    let over = cap.is_some_and(|cap| cost * f64::from(calls) > cap);
    let end = if over { "; that is more than the spend cap, so it is not asked" } else { "" };
    format!("{bound} {cost:.4} a call{by}, and {calls} calls where the endpoint fails{end}")
}
