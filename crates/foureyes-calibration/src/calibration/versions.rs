//! Judge versions: which windows are of the same judge.

use super::{Allowance, Fingerprint};
use std::cmp::Reverse;

/// A judge as windows compare it: case and white space make no other one.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Version {
    /// Judges of two tiers are two in the same panel.
    tier: Option<String>,
    parts: [Option<String>; 3],
}

impl Version {
    fn new(judge: &Fingerprint) -> Self {
        let parts = judge.parts().map(|(_, value)| value.map(folded));
        Self { tier: judge.tier.as_deref().map(folded), parts }
    }

    /// How many of its parts are known.
    fn known(&self) -> usize {
        self.parts.iter().flatten().count()
    }

    /// Whether nothing that is known of both differs. A record that does not name the model
    /// that answered is of no other judge for that.
    fn may_be(&self, other: &Self) -> bool {
        let mut pairs = self.parts.iter().zip(&other.parts);
        self.tier == other.tier && pairs.all(|(a, b)| a.is_none() || b.is_none() || a == b)
    }
}

fn folded(text: &str) -> String {
    text.split_whitespace().flat_map(str::chars).flat_map(char::to_lowercase).collect()
}

/// Each version once, those of which most is known first.
fn distinct<'a>(judges: impl Iterator<Item = &'a Fingerprint>) -> Vec<Version> {
    let mut all: Vec<Version> = judges.map(Version::new).collect();
    all.sort_by_key(|version| Reverse(version.known()));
    let mut found: Vec<Version> = Vec::new();
    for version in all {
        if !found.iter().any(|known| known.may_be(&version)) {
            found.push(version);
        }
    }
    found
}

impl Allowance {
    /// That of a window by the judges that it saw, and those that each window before it saw that
    /// used up a share.
    ///
    /// Of several judges in it that one counts which had most windows. One that saw no judge yet has
    /// the least that it could have, and a window before it of which no record is here counts for
    /// every judge: nobody knows whose it was.
    pub fn shared(before: &[Vec<&Fingerprint>], own: &[&Fingerprint]) -> Self {
        let windows_of = |version: &Version| {
            let is_of = |seen: &&Vec<&Fingerprint>| {
                seen.is_empty() || seen.iter().any(|judge| Version::new(judge).may_be(version))
            };
            before.iter().filter(is_of).count() as u64
        };
        let most = distinct(own.iter().copied()).iter().map(windows_of).max();
        let all = distinct(before.iter().flatten().chain(own).copied());
        let judges = all.iter().map(|of| in_tier(&all, of)).max().unwrap_or_default();
        Self::new(most.unwrap_or(before.len() as u64) + 1, judges.max(1))
    }
}

/// How many judges of one's tier there were. A panel is one judge, whatever tiers it has.
fn in_tier(all: &[Version], of: &Version) -> u64 {
    all.iter().filter(|version| version.tier == of.tier).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(model: &str, served: Option<&str>, prompt: Option<&str>) -> Fingerprint {
        let text = |text: &str| text.to_owned();
        Fingerprint {
            model: Some(text(model)),
            served_model: served.map(text),
            prompt_sha: prompt.map(text),
            tier: None,
        }
    }

    fn shared(before: &[&[&Fingerprint]], own: &[&Fingerprint]) -> (u64, u64) {
        let before: Vec<Vec<&Fingerprint>> = before.iter().map(|seen| seen.to_vec()).collect();
        let Allowance { window, judges, .. } = Allowance::shared(&before, own);
        (window, judges)
    }

    #[test]
    fn panel_counts_as_one_judge_until_a_tier_changes() {
        let in_tier = |tier: &str, model: &str| Fingerprint {
            tier: Some(tier.to_owned()),
            ..judge(model, None, Some("a"))
        };
        let (quick, deep) = (in_tier("quick", "m 1"), in_tier("deep", "m 1"));
        assert_eq!(shared(&[], &[&quick, &deep]), (1, 1));
        let other = in_tier("deep", "m 2");
        assert_eq!(shared(&[&[&quick, &deep]], &[&quick, &other]), (2, 2));
    }

    #[test]
    fn windows_count_per_judge_and_resume_for_returning_judge() {
        let (one, two) = (judge("m 1", None, Some("a")), judge("m 2", None, Some("a")));
        assert_eq!(shared(&[], &[&one]), (1, 1));
        assert_eq!(shared(&[&[&one], &[&one]], &[&one]), (3, 1));
        assert_eq!(shared(&[&[&one], &[&one]], &[&two]), (1, 2));
        assert_eq!(shared(&[&[&one], &[&two]], &[&one]), (2, 2));
        // Both are in it: that one counts which had more.
        assert_eq!(shared(&[&[&one], &[&one], &[&two]], &[&two, &one]), (3, 2));
        // None is in it yet.
        assert_eq!(shared(&[&[&one], &[&two]], &[]), (3, 2));
        assert_eq!(shared(&[], &[]), (1, 1));
    }

    #[test]
    fn case_whitespace_and_unknown_fields_do_not_change_judge() {
        let one = judge("GPT 5", Some("gpt-5-0806"), Some("ab"));
        let same = [
            judge("gpt5 ", Some("GPT-5-0806"), Some("AB")),
            judge("GPT 5", None, Some("ab")),
            judge("GPT 5", Some("gpt-5-0806"), None),
            Fingerprint::default(),
        ];
        for other in &same {
            assert_eq!(shared(&[&[&one]], &[other]), (2, 1), "{other:?}");
        }
        assert_eq!(shared(&[&[&one]], &[&judge("GPT 5", Some("gpt-5-0901"), Some("ab"))]), (1, 2));
        assert_eq!(shared(&[&[&one]], &[&judge("GPT 5", None, Some("abc"))]), (1, 2));
    }

    #[test]
    fn window_without_records_counts_for_every_judge() {
        let one = judge("m", None, None);
        assert_eq!(shared(&[&[], &[&one], &[]], &[&one]), (4, 1));
        assert_eq!(shared(&[&[], &[]], &[&one]), (3, 1));
    }
}
