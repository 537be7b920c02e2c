//! Judge versions: which windows are of the same judge.

use super::{Allowance, Fingerprint};
use crate::domain::review::folded;
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

/// Whether a judge is none of those that are known of its tier, where there is one. What a record does not name
/// makes no other judge.
pub fn is_another<'a>(judge: &Fingerprint, known: impl Iterator<Item = &'a Fingerprint>) -> bool {
    let version = Version::new(judge);
    let known: Vec<Version> =
        known.map(Version::new).filter(|other| other.tier == version.tier).collect();
    !known.is_empty() && !known.iter().any(|other| other.may_be(&version))
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

/// How a window was begun, as far as its number depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Began {
    /// Under older rules, or by a switch to blocking: it takes the next number.
    Plainly,
    /// With the first record ever of its judge.
    Naturally,
    /// With a day that somebody chose, on the day of the entry (days since 1970).
    ByHand {
        /// The day of the entry.
        on: i32,
    },
}

/// A window with the judges that it saw.
#[derive(Debug, Clone)]
pub struct WindowOf<'a> {
    /// The judges; none where no record of it is here.
    pub judges: Vec<&'a Fingerprint>,
    /// How it was begun.
    pub began: Began,
}

impl WindowOf<'_> {
    fn is_of(&self, version: &Version) -> bool {
        self.judges.is_empty()
            || self.judges.iter().any(|judge| Version::new(judge).may_be(version))
    }
}

/// The number of the last of some windows of a judge that was first seen on a day.
///
/// Whoever can try the natural start in a copy and then begin by hand has two tries. So where a whole day
/// of the judge was over when a window was begun by hand, the number before it stays free for the natural
/// start, taken or not.
fn number<'w>(windows: impl Iterator<Item = &'w Began>, first_seen: Option<i32>) -> u64 {
    let (mut next, mut last, mut free) = (1, 1, None);
    let (mut is_natural_used, mut is_begun_by_hand) = (false, false);
    for began in windows {
        let could_start_naturally = !is_natural_used && !is_begun_by_hand;
        let reserves = match began {
            Began::ByHand { on } => first_seen.is_some_and(|first| first < *on),
            Began::Plainly | Began::Naturally => false,
        };
        if reserves && could_start_naturally {
            free = Some(next);
            next += 1;
        }
        let is_first_natural = *began == Began::Naturally && !is_natural_used;
        last = free.filter(|_| is_first_natural).unwrap_or(next);
        is_natural_used |= is_first_natural;
        is_begun_by_hand |= matches!(began, Began::ByHand { .. });
        next += u64::from(last == next);
    }
    last
}

impl Allowance {
    /// That of a window by the judges that it saw, and the windows before it that used up a share.
    /// `first_seen` has the day on which each judge was first seen, as days since 1970.
    ///
    /// Of several judges in it that one counts which had most windows. One that saw no judge yet has
    /// the least that it could have, and a window before it of which no record is here counts for
    /// every judge: nobody knows whose it was.
    pub fn shared(
        before: &[WindowOf<'_>],
        own: &WindowOf<'_>,
        first_seen: &[(&Fingerprint, i32)],
    ) -> Self {
        let number_of = |version: &Version| {
            let same = before.iter().filter(|window| window.is_of(version));
            let seen = first_seen.iter().filter(|(judge, _)| Version::new(judge).may_be(version));
            let all = same.map(|window| &window.began).chain([&own.began]);
            number(all, seen.map(|(_, day)| *day).min())
        };
        let most = distinct(own.judges.iter().copied()).iter().map(number_of).max();
        let seen = before.iter().flat_map(|window| &window.judges).chain(&own.judges);
        let all = distinct(seen.copied());
        let judges = all.iter().map(|of| in_tier(&all, of)).max().unwrap_or_default();
        Self::new(most.unwrap_or(before.len() as u64 + 1), judges.max(1))
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
        fn plain<'a>(judges: &[&'a Fingerprint]) -> WindowOf<'a> {
            WindowOf { judges: judges.to_vec(), began: Began::Plainly }
        }
        let before: Vec<WindowOf<'_>> = before.iter().map(|judges| plain(judges)).collect();
        let Allowance { window, judges, .. } = Allowance::shared(&before, &plain(own), &[]);
        (window, judges)
    }

    #[test]
    fn judge_is_another_one_only_where_something_known_differs() {
        let known = [judge("a", Some("a-1"), Some("p"))];
        let is = |judge: &Fingerprint| is_another(judge, known.iter());
        assert!(is(&judge("b", None, None)) && is(&judge("a", Some("a-2"), None)));
        assert!(!is(&judge("A ", None, Some("p"))), "an outage names no model that answered");
        let tier = Fingerprint { tier: Some("high".to_owned()), ..judge("b", None, None) };
        assert!(!is(&tier), "the first of its tier");
        assert!(!is_another(&known[0], [].iter()));
    }

    #[test]
    fn natural_start_has_a_number_of_its_own_taken_or_not() {
        let (hand, natural, plain) = (Began::ByHand { on: 9 }, Began::Naturally, Began::Plainly);
        let of = |all: &[Began], first| number(all.iter(), Some(first));
        assert_eq!(of(&[natural], 0), 1);
        assert_eq!(of(&[natural, hand], 0), 2);
        assert_eq!((of(&[hand], 0), of(&[hand, natural], 0)), (2, 1));
        assert_eq!((of(&[hand, hand], 0), of(&[hand, hand, natural], 0)), (3, 1));
        assert_eq!(of(&[hand, natural, hand], 0), 3);
        assert_eq!((of(&[natural, natural], 0), of(&[hand, natural, natural], 0)), (2, 3));
        // No whole day of the judge was over: nothing could be chosen.
        assert_eq!((of(&[hand], 9), of(&[hand, natural], 9)), (1, 2));
        assert_eq!(of(&[hand, Began::ByHand { on: 12 }], 9), 2);
        // Windows of older rules keep their numbers; the natural start takes the next one.
        assert_eq!((of(&[plain, natural], 0), of(&[plain, plain, natural], 0)), (2, 3));
        assert_eq!((of(&[plain, hand], 0), of(&[plain, hand, natural], 0)), (3, 2));
        assert_eq!(number([hand].iter(), None), 1);
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
