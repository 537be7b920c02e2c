//! How risk decides how deep a change is judged.

use super::problem::{Fault, quoted};
use super::rules::{self, Text};
use crate::engine::risk::RiskRule;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::de::{DeArray, DeValue};

/// How risk decides how deep a change is judged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RiskConfig {
    /// Hours in which the changes of an author are added up, for rules on size.
    #[schemars(range(min = 0, max = 8760))]
    pub window_h: u32,
    /// File with the signed rates of authors. `risk publish` makes it.
    // A leading `~/` is the home: [`RiskConfig::rates_file`].
    #[schemars(extend("x-text" = Text::Rooted))]
    pub rates: Option<String>,
    /// Public keys by which rates may be signed.
    #[schemars(extend("x-text" = Text::PublicKey))]
    pub rates_key: Vec<String>,
    /// Days after which rates are too old: every author is unknown then.
    #[schemars(range(min = 1, max = 3650))]
    pub rates_days: u32,
    /// The rules. Without any, risk decides nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<RiskRule>,
}

impl RiskConfig {
    /// The file of the rates; `None` where there is none, or it is in a home that is not known.
    pub fn rates_file(&self, home: Option<&Path>) -> Option<PathBuf> {
        rules::expand_home(self.rates.as_deref()?, home)
    }

    /// Whether a rule is about the record of authors.
    pub fn is_about_authors(&self) -> bool {
        self.rules.iter().any(RiskRule::is_about_author)
    }
}

impl Default for RiskConfig {
    fn default() -> Self {
        Self { window_h: 24, rates: None, rates_key: Vec::new(), rates_days: 14, rules: Vec::new() }
    }
}

/// What is wrong with rules beyond each of their texts: a name that two have, and a rule without any
/// condition. With the place of each.
pub(super) fn faults(all: &DeArray<'_>) -> Vec<(usize, Fault)> {
    let mut names: Vec<String> = Vec::new();
    let mut faults = Vec::new();
    for rule in all {
        let Some(table) = rule.get_ref().as_table() else { continue };
        let name = table.get("name").and_then(|name| name.get_ref().as_str()).unwrap_or_default();
        let mut refuse = |reason: &str| {
            let fault = Fault::Refused {
                key: "risk.rules.name".to_owned(),
                value: quoted(name),
                reason: reason.to_owned(),
            };
            faults.push((rule.span().start, fault));
        };
        if names.contains(&name.to_lowercase()) {
            refuse("another rule has this name");
        }
        names.push(name.to_lowercase());
        let is_condition = |value: &Spanned<DeValue<'_>>| match value.get_ref() {
            DeValue::Array(all) => !all.is_empty(),
            DeValue::Boolean(yes) => *yes,
            _ => true,
        };
        let mut rest =
            table.iter().filter(|(key, _)| !matches!(&**key.get_ref(), "name" | "depth"));
        if !rest.any(|(_, value)| is_condition(value)) {
            refuse("this rule has no condition, so it would hold for every change");
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use crate::config::check;

    fn problems(rule: &str) -> Vec<String> {
        let (_, _, problems) = check(format!("[[risk.rules]]\n{rule}\n").as_bytes(), None);
        problems.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn rule_that_is_wrong_is_an_error_at_its_place() {
        for (rule, expected) in [
            (
                "name = \"a\"\ndepth = \"panel\"",
                "1:1: `risk.rules.name` is \"a\": this rule has no condition",
            ),
            ("name = \"a\"\ndepth = \"panel\"\npaths = []", "has no condition"),
            (
                "name = \"a\"\ndepth = \"deep\"\nlines = 1",
                "it is `quick`, `sequential`, `panel` or `person`",
            ),
            ("name = \"a\"\ndepth = \"panel\"\npaths = [\"/etc\"]", "no leading `/`"),
            ("name = \"a\"\ndepth = \"panel\"\nchanges = [\"moved\"]", "or `link`"),
            ("name = \"a\"\ndepth = \"panel\"\nlines = 0", "`risk.rules.lines` must be 1 to"),
            ("depth = \"panel\"\nlines = 1", "`risk.rules` has no `name`"),
            (
                "name = \"a\"\ndepth = \"panel\"\nline = 1",
                "the nearest known key is `risk.rules.line",
            ),
        ] {
            let found = problems(rule).join("\n");
            let known = expected.replace("`risk.rules.line", "`line");
            assert!(found.contains(expected) || found.contains(&known), "{rule}\n{found}");
        }
        let one = "name = \"a\"\ndepth = \"panel\"\nlines = 1";
        assert!(problems(one).is_empty());
        let two = format!("{one}\n[[risk.rules]]\n{}", one.replace("\"a\"", "\"A\""));
        assert!(problems(&two).join("\n").contains("another rule has this name"));
    }
}
