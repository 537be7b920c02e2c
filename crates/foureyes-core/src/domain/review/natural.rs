//! A window over what was judged before it was begun: what its entry fixes, so that nobody chooses it.

use super::{EntryId, Seed};
use crate::domain::JudgementKind;
use serde::{Deserialize, Serialize};

/// What stands for a part of a judge that no record names.
const UNKNOWN: &str = "unknown";

/// A text as judge versions compare it: case and white space make no other one.
pub fn folded(text: &str) -> String {
    text.split_whitespace().flat_map(str::chars).flat_map(char::to_lowercase).collect()
}

/// A judge as windows tell versions apart. Each part is folded; one that no record names is `unknown`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct JudgeVersion {
    /// Its tier, where a panel has several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tier: Option<String>,
    /// The model that was asked for.
    pub model: String,
    /// The model that answered.
    pub served_model: String,
    /// Hash of the prompt.
    pub prompt: String,
}

impl JudgeVersion {
    /// That of a tier and of asked model, served model and prompt, as records name them.
    pub fn new(tier: Option<&str>, parts: [Option<&str>; 3]) -> Self {
        let [model, served_model, prompt] =
            parts.map(|part| part.map(folded).unwrap_or_else(|| UNKNOWN.to_owned()));
        Self { tier: tier.map(folded), model, served_model, prompt }
    }

    /// Its parts, a line each; the tier last, where there is one. Folded texts hold no line end.
    pub fn text(&self) -> String {
        let parts = [&self.model, &self.served_model, &self.prompt].map(String::as_str);
        let all = parts.into_iter().chain(self.tier.as_deref());
        all.collect::<Vec<_>>().join("\n")
    }

    /// Whether its records do not say which model answered.
    pub fn is_served_unknown(&self) -> bool {
        self.served_model == UNKNOWN
    }

    /// Whether its records do not name their prompt.
    pub fn is_prompt_unknown(&self) -> bool {
        self.prompt == UNKNOWN
    }
}

/// How much of what was judged before is drawn.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, strum::VariantArray,
)]
#[serde(rename_all = "snake_case")]
pub enum Draw {
    /// At the rate that the entry names. It may be raised to all once.
    #[default]
    Thin,
    /// All of it.
    All,
}

impl Draw {
    /// Both.
    pub const ALL: [Self; 2] = crate::domain::variants();

    /// The word in files and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Thin => "thin",
            Self::All => "all",
        }
    }
}

/// What the entry of a window says that begins with the first record ever of its judge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NaturalStart {
    /// The judge: that of the latest record.
    pub version: JudgeVersion,
    /// The judges of the other tiers, where it is a panel.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub panel: Vec<JudgeVersion>,
    /// The boxes whose records count.
    pub boxes: Vec<String>,
    /// How much of what was judged before is drawn.
    pub draw: Draw,
    /// The rate at which it is drawn where that is [`Draw::Thin`], in (0, 1].
    pub rate: f64,
    /// What is drawn with from the entry on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<Seed>,
    /// It had a seed, which was not published.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub withheld: bool,
}

impl NaturalStart {
    /// The judges of all tiers.
    pub fn versions(&self) -> impl Iterator<Item = &JudgeVersion> {
        std::iter::once(&self.version).chain(&self.panel)
    }

    /// Probability with which what was judged before is drawn, by a plan; in (0, 1].
    pub fn rate_of(&self, draw: Draw) -> f64 {
        match draw {
            Draw::Thin => self.rate,
            Draw::All => 1.0,
        }
    }

    /// The same without its seed, as it may be published.
    pub fn without_seed(&self) -> Self {
        let withheld = self.withheld || self.seed.is_some();
        Self { seed: None, withheld, ..self.clone() }
    }
}

/// What is added to a window that runs: a box, or the rest of what was judged before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WindowAddition {
    /// Whose window it is; the kind of its entry tells it.
    #[serde(skip)]
    pub family: JudgementKind,
    /// The entry that began the window.
    pub of: EntryId,
    /// Raises the draw; none may be lowered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<Draw>,
    /// Boxes whose records count from this entry on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub boxes: Vec<String>,
}

impl WindowAddition {
    /// Boxes that a window has from now on.
    pub fn boxes(family: JudgementKind, of: EntryId, boxes: Vec<String>) -> Self {
        Self { family, of, draw: None, boxes }
    }

    /// All of what was judged before is drawn from now on.
    pub fn all(family: JudgementKind, of: EntryId) -> Self {
        Self { family, of, draw: Some(Draw::All), boxes: Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Timestamp;
    use crate::domain::review::{Act, WindowStart};

    fn version() -> JudgeVersion {
        JudgeVersion::new(None, [Some("Judge A"), None, Some("AB")])
    }

    #[test]
    fn version_is_folded_and_names_what_is_unknown() {
        assert_eq!(version().text(), "judgea\nunknown\nab");
        let deep = JudgeVersion::new(Some("Deep"), [Some("a"), Some("b\n"), None]);
        assert_eq!(deep.text(), "a\nb\nunknown\ndeep");
        assert!(version().is_served_unknown() && deep.is_prompt_unknown());
    }

    #[test]
    fn natural_start_is_part_of_a_window_that_older_versions_read() {
        let natural = NaturalStart {
            version: version(),
            panel: Vec::new(),
            boxes: vec!["one".to_owned()],
            draw: Draw::Thin,
            rate: 0.3,
            seed: Some(Seed([7; 32])),
            withheld: false,
        };
        let start = WindowStart::natural(Timestamp(86_400_000_000), natural.clone());
        let body = Act::Window(start.clone()).body().unwrap();
        assert_eq!(body["rules"], 2);
        assert_eq!(body["natural"]["draw"], "thin");
        assert_eq!(Act::read("window", body), Act::Window(start));
        let plain = Act::Window(WindowStart::new(Timestamp(0))).body().unwrap();
        assert!(plain.get("natural").is_none());
        let public = natural.without_seed();
        assert_eq!((public.seed, public.withheld), (None, true));
    }

    #[test]
    fn addition_is_an_entry_of_its_family() {
        let of = EntryId([3; 16]);
        for family in JudgementKind::ALL {
            for addition in [
                WindowAddition::all(family, of),
                WindowAddition::boxes(family, of, vec!["two".to_owned()]),
            ] {
                let act = Act::WindowAddition(addition);
                assert!(act.is_rule() && !act.is_undoable());
                assert_eq!(Act::read(act.kind(), act.body().unwrap()), act);
            }
        }
    }
}
