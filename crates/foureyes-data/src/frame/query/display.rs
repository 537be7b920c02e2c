//! A query as text again: the canonical form, which parses to the same tree.

use super::ast::{CauseTest, Claimant, Day, Match, Moment, Node, Term, Test};
use super::lex::is_border;
use super::render::escape;
use crate::domain::{JudgementKind, Outcome, Timestamp};
use crate::text::is_hidden;
use std::fmt::{self, Display, Formatter, Write};

impl Display for Node {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => Ok(()),
            Self::Term(term) => term.fmt(f),
            Self::Not(part) => {
                f.write_char('-')?;
                grouped(part, matches!(**part, Self::And(_) | Self::Or(_)), f)
            }
            Self::And(parts) => joined(parts, " ", |p| matches!(p, Self::And(_) | Self::Or(_)), f),
            Self::Or(sides) => joined(sides, " | ", |p| matches!(p, Self::Or(_)), f),
        }
    }
}

fn joined(
    nodes: &[Node],
    by: &str,
    group: fn(&Node) -> bool,
    f: &mut Formatter<'_>,
) -> fmt::Result {
    for (i, node) in nodes.iter().enumerate() {
        if i > 0 {
            f.write_str(by)?;
        }
        grouped(node, group(node), f)?;
    }
    Ok(())
}

fn grouped(node: &Node, group: bool, f: &mut Formatter<'_>) -> fmt::Result {
    if group { write!(f, "({node})") } else { node.fmt(f) }
}

impl Display for Term {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let yes = |b: &bool| if *b { "yes" } else { "no" };
        match self {
            Self::Free(text) => {
                f.write_str(&word(text, text.starts_with('-') || text.contains(':')))
            }
            Self::Outcome(outcome) => write!(f, "verdict:{}", outcome_word(*outcome)),
            Self::Verdict(text) => write!(f, "verdict:={}", word(text, false)),
            Self::Family(family) => write!(f, "family:{}", family.as_str()),
            Self::Text(field, Match::Loose, text) => {
                write!(f, "{}:{}", field.as_str(), word(text, text.starts_with('=')))
            }
            Self::Text(field, Match::Exact, text) => {
                write!(f, "{}:={}", field.as_str(), word(text, false))
            }
            Self::Has(field) => write!(f, "has:{}", field.as_str()),
            Self::Cause(CauseTest::None) => f.write_str("error:none"),
            Self::Cause(CauseTest::Any) => f.write_str("error:any"),
            Self::Cause(CauseTest::NoJudge) => f.write_str("error:no_judge"),
            Self::Cause(CauseTest::Is(cause)) => write!(f, "error:{}", cause.as_str()),
            Self::Id(digits) => write!(f, "id:{digits}"),
            Self::Score(None, test) => write!(f, "score:{test}"),
            Self::Score(Some(dimension), test) => write!(f, "score.{}:{test}", dimension.as_str()),
            Self::Latency(test) => write!(f, "latency:{}", test.map(|ms| format!("{ms}ms"))),
            Self::Round(test) => write!(f, "round:{test}"),
            Self::Since(moment) => write!(f, "since:{moment}"),
            Self::Until(moment) => write!(f, "until:{moment}"),
            Self::Day(day) => write!(f, "day:{day}"),
            Self::Undated(is) => write!(f, "undated:{}", yes(is)),
            Self::Repeat(is) => write!(f, "repeat:{}", yes(is)),
            Self::Evaluation(JudgementKind::DEFAULT) => f.write_str("is:evaluation"),
            Self::Evaluation(kind) => write!(f, "evaluation:{}", kind.as_str()),
            Self::Escalation => f.write_str("is:escalation"),
            Self::Flagged => f.write_str("is:flagged"),
            Self::Stopped => f.write_str("is:stopped"),
            Self::New => f.write_str("is:new"),
            Self::Unfinished => f.write_str("is:unfinished"),
            Self::OddScore => f.write_str("is:odd_score"),
            Self::Unexplained => f.write_str("is:unexplained"),
            Self::Label(label) => write!(f, "label:{}", label.as_str()),
            Self::Override(decision) => write!(f, "override:{}", decision.as_str()),
            Self::Claimed(claimant) => write!(f, "claimed:{claimant}"),
            Self::Assigned(claimant) => write!(f, "assigned:{claimant}"),
            Self::Peer(peer) => write!(f, "peer:{}", peer.as_str()),
        }
    }
}

impl Display for Claimant {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("none"),
            Self::Any => f.write_str("any"),
            Self::Me => f.write_str("me"),
            Self::Named(Match::Loose, name) => f.write_str(&word(name, name.starts_with('='))),
            Self::Named(Match::Exact, name) => write!(f, "={}", word(name, false)),
        }
    }
}

impl<T: Display> Display for Test<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Below(v) => write!(f, "<{v}"),
            Self::AtMost(v) => write!(f, "<={v}"),
            Self::Above(v) => write!(f, ">{v}"),
            Self::AtLeast(v) => write!(f, ">={v}"),
            Self::Equal(v) => write!(f, "{v}"),
            Self::Between(a, b) => write!(f, "{a}..{b}"),
        }
    }
}

impl Display for Moment {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ago(amount, unit) => write!(f, "{amount}{}", unit.letter()),
            Self::Day(day) => day.fmt(f),
            Self::At(at) => at.fmt(f),
        }
    }
}

impl Display for Day {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Today => f.write_str("today"),
            Self::Yesterday => f.write_str("yesterday"),
            Self::Date(day) => f.write_str(&Timestamp::of_day(*day).day_text()),
        }
    }
}

fn outcome_word(outcome: Option<Outcome>) -> &'static str {
    match outcome {
        Some(Outcome::Go) => "go",
        Some(Outcome::NoGo) => "no-go",
        Some(Outcome::Undetermined) => "undetermined",
        None => "none",
    }
}

/// A text as it is where it can stand bare, in quotes otherwise.
pub(super) fn word(text: &str, quote: bool) -> String {
    if !quote && !text.is_empty() && !text.chars().any(|c| is_border(c) || is_hidden(c)) {
        return text.to_owned();
    }
    let mut out = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if is_hidden(c) => out.push_str(&escape(c)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
