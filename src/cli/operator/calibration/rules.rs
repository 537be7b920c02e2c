//! The score rules that `calibration what-if` tries.

use crate::calibration::Candidate;
use crate::domain::Dimension;

/// Rules that one run tries at most: their bounds would say nothing any more.
const MOST: usize = 200;

/// Least scores that pass.
#[derive(Debug, Clone, Default, clap::Args)]
pub(super) struct RuleArgs {
    /// Minimum score for a dimension (S, P or X); each value is a rule: `S=3,3.5`
    #[arg(long, value_name = "D=SCORE", value_parser = minimum)]
    minimum: Vec<Minimum>,
    /// Minimum mean score; each value is a rule
    #[arg(long, value_name = "SCORE", value_parser = scores)]
    average: Option<Scores>,
}

/// Scores of one dimension to try.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Minimum {
    dimension: usize,
    scores: Scores,
}

/// Scores to try.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Scores(Vec<f32>);

/// Rules that cannot be tried.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum Wrong {
    /// No rule was named.
    #[error("no rule to try: name a `--minimum` or an `--average`")]
    None,
    /// Two words on one dimension.
    #[error("`--minimum` names {0} twice")]
    Twice(&'static str),
    /// The bounds of so many would say nothing.
    #[error("{0} rules are too many for one run: at most {MOST}")]
    Many(usize),
}

impl RuleArgs {
    /// Every combination of the scores that were named, in that order.
    pub(super) fn candidates(&self) -> Result<Vec<Candidate>, Wrong> {
        let mut of: [Option<&Scores>; 3] = [None; 3];
        for one in &self.minimum {
            let name = Dimension::ALL.get(one.dimension).map_or("", |d| d.as_str());
            match of.get_mut(one.dimension) {
                Some(place @ None) => *place = Some(&one.scores),
                _ => return Err(Wrong::Twice(name)),
            }
        }
        if self.minimum.is_empty() && self.average.is_none() {
            return Err(Wrong::None);
        }
        let sizes = of.iter().copied().chain([self.average.as_ref()]);
        let count = sizes.flatten().fold(1_usize, |n, s| n.saturating_mul(s.0.len()));
        if count > MOST {
            return Err(Wrong::Many(count));
        }
        let mut all = vec![Candidate::default()];
        for (at, scores) in of.into_iter().enumerate() {
            all = each(&all, scores, |c, score| {
                c.minimum.iter_mut().skip(at).take(1).for_each(|m| *m = Some(score));
            });
        }
        Ok(each(&all, self.average.as_ref(), |c, score| c.average = Some(score)))
    }
}

/// Each rule with each score put in; the rules as they are where there is none.
fn each(
    rules: &[Candidate],
    scores: Option<&Scores>,
    put: impl Fn(&mut Candidate, f32),
) -> Vec<Candidate> {
    let Some(scores) = scores else { return rules.to_vec() };
    let with = |rule: &Candidate| {
        let one = |score: &f32| {
            let mut rule = *rule;
            put(&mut rule, *score);
            rule
        };
        scores.0.iter().map(one).collect::<Vec<_>>()
    };
    rules.iter().flat_map(with).collect()
}

fn minimum(text: &str) -> Result<Minimum, String> {
    let wrong = || "write it as `S=3`, with S, P or X and scores from 1 to 5".to_owned();
    let (name, list) = text.split_once('=').ok_or_else(wrong)?;
    let is = |d: &Dimension| {
        d.as_str().eq_ignore_ascii_case(name) || d.letter().to_string().eq_ignore_ascii_case(name)
    };
    let dimension = Dimension::ALL.iter().position(is).ok_or_else(wrong)?;
    Ok(Minimum { dimension, scores: scores(list)? })
}

fn scores(text: &str) -> Result<Scores, String> {
    let one = |word: &str| word.trim().parse::<f32>().ok().filter(|s| (1.0..=5.0).contains(s));
    let mut all = Vec::new();
    for word in text.split(',') {
        let score = one(word).ok_or_else(|| "a score is a number from 1 to 5".to_owned())?;
        // The same rule twice would cost every other one its share.
        if !all.contains(&score) {
            all.push(score);
        }
    }
    Ok(Scores(all))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn asked(minimum: &[&str], average: Option<&str>) -> Result<Vec<Candidate>, Wrong> {
        let minimum = minimum.iter().map(|text| super::minimum(text).unwrap()).collect();
        RuleArgs { minimum, average: average.map(|text| scores(text).unwrap()) }.candidates()
    }

    #[test]
    fn every_combination_is_a_rule() {
        let rules = asked(&["S=3,3.5", "syntactic=2"], Some("3,4,3")).unwrap();
        let pairs: Vec<_> = rules.iter().map(|c| (c.minimum, c.average)).collect();
        let of = |s, a| ([Some(s), None, Some(2.0)], Some(a));
        assert_eq!(pairs, [of(3.0, 3.0), of(3.0, 4.0), of(3.5, 3.0), of(3.5, 4.0)]);
        assert_eq!(asked(&[], Some("3.5")).unwrap()[0].minimum, [None; 3]);
    }

    #[test]
    fn invalid_rule_is_rejected() {
        assert_eq!(asked(&[], None), Err(Wrong::None));
        assert_eq!(asked(&["S=3", "s=4"], None), Err(Wrong::Twice("semantic")));
        let many = "1,1.1,1.2,1.3,1.4,1.5,1.6,1.7,1.8,1.9,2,2.1,2.2,2.3,2.4";
        assert_eq!(asked(&[&format!("S={many}")], Some(many)), Err(Wrong::Many(225)));
        for bad in ["S", "S=", "Q=3", "S=0.5", "S=6", "S=NaN", "=3", "S=3,"] {
            assert!(minimum(bad).is_err(), "{bad}");
        }
    }
}
