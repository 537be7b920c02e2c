//! What would be asked, without asking.

mod content;

use crate::cli::{Failure, output};
use crate::config::{Config, JudgeConfig, JudgeKind};
use crate::engine::prompt::{Material, Nonce, Speaker};
use crate::engine::verdict::Verdict;
use crate::judging::{Item, Judge, configured};
use crate::text::{escape, short_hash as short};
use std::path::Path;

/// Columns of the text.
const WIDTH: usize = 100;
/// What is different where a service is asked.
const SERVICE: &str = "it is sent the content whole, and asks with its own prompt, rubric and model; the question below is the one that this configuration makes";

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
        lines.extend((c.kind() == JudgeKind::Service).then(|| ("service", SERVICE.to_owned())));
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
        let legible = item.legible();
        if let Some((_, why)) = legible.unasked() {
            out.push('\n');
            let files = item.material().paths().join(", ");
            return fields(out, [("files", files), ("question", why)]);
        }
        let sections = judge.shown_of(item);
        let material = Material { files: &legible.files, sections: &sections };
        let count = material.parts(limits);
        for part in 0..count {
            // Of no use but to be shown: a call draws its own.
            let nonce = Nonce::new([0; Nonce::BYTES]);
            let number = (count > 1).then_some(part);
            let (kind, rubric) = (judge.kind, &judge.rubric);
            let prompt =
                judge.template.render_part(kind, rubric, &material, number, &nonce, limits);
            out.push('\n');
            let mut lines = content::lines(judge, item, &prompt);
            if count > 1 {
                lines.push(("part", format!("{} of {count}", part + 1)));
            }
            lines.push(("cost", content::cost(judge, item, self.cap)));
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
