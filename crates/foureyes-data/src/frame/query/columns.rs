//! Which columns a query reads.

use super::ast::{Node, Term, TextField};
use super::mask::{FREE, scores};
use crate::frame::schema;

/// The columns of a tree, each once, in the order of their first use.
pub(super) fn used_by(node: &Node) -> Vec<&'static str> {
    let mut columns = Vec::new();
    collect(node, &mut columns);
    columns
}

/// Whether any condition of a tree is such.
pub(super) fn any(node: &Node, is: &impl Fn(&Term) -> bool) -> bool {
    match node {
        Node::All => false,
        Node::Term(term) => is(term),
        Node::Not(part) => any(part, is),
        Node::And(parts) | Node::Or(parts) => parts.iter().any(|part| any(part, is)),
    }
}

fn collect(node: &Node, columns: &mut Vec<&'static str>) {
    match node {
        Node::All => add(columns, &[schema::OUTCOME]),
        Node::Term(term) => add(columns, &of_term(term)),
        Node::Not(part) => collect(part, columns),
        Node::And(parts) | Node::Or(parts) => parts.iter().for_each(|p| collect(p, columns)),
    }
}

fn add(columns: &mut Vec<&'static str>, more: &[&'static str]) {
    for name in more {
        if !columns.contains(name) {
            columns.push(name);
        }
    }
}

fn of_term(term: &Term) -> Vec<&'static str> {
    match term {
        Term::Free(_) => FREE.to_vec(),
        Term::Outcome(_) => vec![schema::OUTCOME],
        Term::Label(_) | Term::Claimed(_) | Term::Assigned(_) | Term::Peer(_) => {
            schema::ID.to_vec()
        }
        Term::Override(_) => [&schema::ID[..], &[schema::SETTLED]].concat(),
        Term::Round(_) => vec![schema::ROUND],
        Term::Text(TextField::Reviewer, ..) | Term::Has(TextField::Reviewer) => {
            [&[schema::REVIEWER], &schema::ID[..]].concat()
        }
        Term::Verdict(_) => vec![schema::VERDICT],
        Term::Family(_) => vec![schema::FAMILY],
        Term::Text(field, ..) | Term::Has(field) => field.columns().to_vec(),
        Term::Cause(_) => vec![schema::CAUSE],
        Term::Id(digits) => schema::ID.into_iter().take(digits.len().div_ceil(16)).collect(),
        Term::Score(dimension, _) => scores(*dimension),
        Term::Latency(_) => vec![schema::LATENCY],
        Term::Since(_) | Term::Until(_) | Term::Day(_) | Term::Undated(_) => vec![schema::TS],
        Term::Evaluation(_) => vec![schema::EVALUATION, schema::REPEAT],
        Term::Escalation => [&[schema::ESCALATION], &schema::DECIDED[..], &schema::ID[..]].concat(),
        Term::Unfinished => {
            vec![schema::FAMILY, schema::EVALUATION, schema::CAUSE, schema::REPEAT]
        }
        Term::Repeat(_) => vec![schema::REPEAT],
        Term::Flagged => {
            let own = [schema::FAMILY, schema::OUTCOME, schema::CAUSE];
            [&own[..], &schema::DECIDED].concat()
        }
        Term::Stopped => {
            let own = [schema::FAMILY, schema::OUTCOME, schema::CAUSE, schema::MODE];
            [&own[..], &[schema::REPEAT, schema::SETTLED], &schema::ID[..]].concat()
        }
        Term::New => vec![schema::FILE, schema::BYTE],
        Term::OddScore => vec![schema::ODD_SCORE],
        Term::Unexplained => [&[schema::TERMS], &schema::SCORES[..]].concat(),
    }
}
