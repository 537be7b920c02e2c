//! The hash of everything a decision rests on.

use super::input::Input;
use super::second_words::by_majority;
use super::{
    Absent, ChangedWord, Drawn, Draws, Evaluation, Labelled, LaterWord, NaturalWindow, Parts,
    Stratum, Undetermined, WindowRules, damage,
};
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Hashes of what a decision rests on, each `blake3:` and 64 hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Inputs {
    /// The rules.
    pub policy: String,
    /// Start and end of the window, and the sources without data.
    pub window: String,
    /// Rates of the audit sample; of the keys only the hash.
    pub audit: String,
    /// The evaluations of the window, and what of them counts.
    pub evaluations: String,
    /// The labels, in no order: ledgers of several reviewers have none in common.
    pub labels: String,
}

impl Inputs {
    /// The hashes of an input.
    pub fn new(input: &Input<'_>) -> Self {
        Self {
            policy: policy(input),
            window: window(input),
            audit: audit(input),
            evaluations: evaluations(input),
            labels: labels(input),
        }
    }

    /// Each with its name.
    pub fn parts(&self) -> [(&'static str, &str); 5] {
        [
            ("policy", &self.policy),
            ("window", &self.window),
            ("audit", &self.audit),
            ("evaluations", &self.evaluations),
            ("labels", &self.labels),
        ]
    }

    /// The hash of all of them.
    pub fn whole(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        self.parts().iter().for_each(|(name, part)| {
            field(&mut hasher, name.as_bytes(), part.as_bytes());
        });
        text(&hasher)
    }
}

fn text(hasher: &blake3::Hasher) -> String {
    format!("blake3:{}", hasher.finalize().to_hex())
}

fn policy(input: &Input<'_>) -> String {
    let mut hasher = blake3::Hasher::new();
    field(&mut hasher, b"policy", &serde_json::to_vec(input.policy).unwrap_or_default());
    text(&hasher)
}

fn window(input: &Input<'_>) -> String {
    let mut hasher = blake3::Hasher::new();
    for at in [input.window_start, input.policy_since] {
        let bytes = at.map(|t| t.0.to_be_bytes().to_vec()).unwrap_or_default();
        field(&mut hasher, b"instant", &bytes);
    }
    // Where there is none the hash is what it was before this was looked at.
    if input.labelled_before_window > 0 {
        field(&mut hasher, b"late", &input.labelled_before_window.to_be_bytes());
    }
    if let Some(from) = input.counted_from {
        field(&mut hasher, b"counted", &from.0.to_be_bytes());
    }
    if input.allowance.part < 1.0 && input.window_start.is_some() {
        field(&mut hasher, b"share", &input.allowance.part.to_bits().to_be_bytes());
    }
    if let Some(natural) = input.natural {
        field(&mut hasher, b"natural", &natural_facts(natural));
    }
    let Absent { labelled, held, entries, .. } = input.absent;
    let absent = [(&b"gone"[..], labelled), (&b"held"[..], held), (&b"entries"[..], entries)];
    for (name, count) in absent.into_iter().filter(|(_, count)| *count > 0) {
        field(&mut hasher, name, &count.to_be_bytes());
    }
    field(&mut hasher, b"end", &input.end_day().to_be_bytes());
    input.missing_boxes.iter().for_each(|b| field(&mut hasher, b"missing", b.as_bytes()));
    text(&hasher)
}

/// What a window over what was judged before rests on beside its evaluations. Of the key only the hash.
fn natural_facts(natural: &NaturalWindow) -> Vec<u8> {
    let mut bytes = natural.entered.0.to_be_bytes().to_vec();
    bytes.extend(natural.key.iter().flat_map(|key| *blake3::hash(key).as_bytes()));
    bytes.push(u8::from(natural.is_prompt_unknown));
    bytes.extend(natural.earlier.iter().flat_map(|at| at.0.to_be_bytes()));
    bytes.extend(natural.other_days.iter().flat_map(|day| day.to_be_bytes()));
    for name in &natural.boxes_gone {
        bytes.extend_from_slice(name.as_bytes());
        bytes.push(0);
    }
    bytes
}

fn audit(input: &Input<'_>) -> String {
    let mut hasher = blake3::Hasher::new();
    for r in &input.plan.rates {
        let stratum = match r.stratum {
            Stratum::Go => String::new(),
            Stratum::Band(band) => band.to_string(),
            Stratum::Retried => "retried".to_owned(),
            Stratum::NoGo => "no_go".to_owned(),
            Stratum::Undetermined => "undetermined".to_owned(),
        };
        field(&mut hasher, b"stratum", stratum.as_bytes());
        field(&mut hasher, b"from", &r.from.0.to_be_bytes());
        field(&mut hasher, b"pi", &r.pi.to_bits().to_be_bytes());
        // The key itself stays secret; its hash tells that it is the same.
        field(&mut hasher, b"key", blake3::hash(&r.key).as_bytes());
    }
    text(&hasher)
}

/// Evaluations that are hashed at once: long pieces are hashed faster, and several side by side.
const PIECE: usize = 16_384;

/// Bytes of an evaluation: its id and time, outcome, cause, what counts of it, and stratum.
const WIDTH: usize = 32 + 8 + 1 + 1 + 1 + 2;

fn of_evaluation(e: &Evaluation, last: bool) -> [u8; WIDTH] {
    let mut bytes = [0; WIDTH];
    bytes[..32].copy_from_slice(&e.id.0);
    bytes[32..40].copy_from_slice(&e.at.0.to_be_bytes());
    bytes[40] = e.outcome.code();
    bytes[41] = e.cause.map_or(0, |c| c.code());
    let silent = !e.reports_outages;
    bytes[42] = u8::from(last) | u8::from(e.is_judged()) << 1 | u8::from(silent) << 2;
    bytes[43..].copy_from_slice(&e.stratum.to_be_bytes());
    bytes
}

/// Adds what an evaluation is in a window that ends before a day.
fn add(bytes: &mut Vec<u8>, e: &Evaluation, end: i32, draws: Draws) {
    let last = e.is_latest_before(end);
    bytes.extend_from_slice(&of_evaluation(e, last));
    // Until when it counted: a look before that day knew it.
    let replaced = e.repeated.get().filter(|_| !last);
    replaced.iter().for_each(|day| bytes.extend_from_slice(&day.to_be_bytes()));
    // Where neither is so the hash is what it was before this was looked at.
    if let Draws::Every(Parts { undetermined, retry_days }) = draws {
        let counts = undetermined != Undetermined::Apart && e.first_seen && !e.is_judged();
        bytes.extend(e.is_retried(retry_days).then_some(b'r'));
        bytes.extend(counts.then_some(b'u'));
    }
}

/// The hash of evaluations that come one by one.
#[derive(Debug, Clone, Default)]
pub(super) struct Hashing {
    piece: Vec<u8>,
    in_piece: usize,
    all: blake3::Hasher,
}

impl Hashing {
    /// Takes an evaluation of a window that ends before a day.
    pub(super) fn take(&mut self, e: &Evaluation, end: i32, draws: Draws) {
        add(&mut self.piece, e, end, draws);
        self.in_piece += 1;
        if self.in_piece == PIECE {
            self.end_piece();
        }
    }

    fn end_piece(&mut self) {
        field(&mut self.all, b"evaluations", blake3::hash(&self.piece).as_bytes());
        self.piece.clear();
        self.in_piece = 0;
    }

    /// The hash so far.
    pub(super) fn end(mut self) -> blake3::Hasher {
        if self.in_piece > 0 {
            self.end_piece();
        }
        self.all
    }
}

/// What each evaluation of the window is, and whether it counted at the window's end: a repeat that
/// came later changes nothing. Days whose last record was never finished are among it.
fn evaluations(input: &Input<'_>) -> String {
    let (end, draws) = (input.end_day(), input.draws());
    let piece = |rows: &[Evaluation]| {
        let mut bytes = Vec::with_capacity(rows.len() * WIDTH);
        rows.iter().for_each(|e| add(&mut bytes, e, end, draws));
        blake3::hash(&bytes)
    };
    let mut hasher = match input.folded {
        Some(folded) => folded.evaluations.clone(),
        None => {
            let rows = input.in_window().par_chunks(PIECE);
            let pieces: Vec<blake3::Hash> = rows.map(piece).collect();
            let mut hasher = blake3::Hasher::new();
            pieces.iter().for_each(|hash| field(&mut hasher, b"evaluations", hash.as_bytes()));
            hasher
        }
    };
    let incomplete = damage::incomplete_days(input);
    incomplete.iter().for_each(|day| field(&mut hasher, b"incomplete", &day.to_be_bytes()));
    text(&hasher)
}

fn labels(input: &Input<'_>) -> String {
    let mut hasher = blake3::Hasher::new();
    let mut labels: Vec<Vec<u8>> = input.labels.iter().map(bytes).collect();
    labels.sort_unstable();
    labels.iter().for_each(|l| field(&mut hasher, b"label", l));
    // Where no word was changed the hash is what it was before this was looked at; what is said of an
    // older window's words decides nothing.
    if input.rules != WindowRules::Earlier {
        let mut changed: Vec<Vec<u8>> = input.changed.iter().map(of_change).collect();
        changed.sort_unstable();
        changed.iter().for_each(|c| field(&mut hasher, b"changed", c));
        let mut first: Vec<Vec<u8>> =
            input.first_labels.unwrap_or_default().iter().map(bytes).collect();
        first.sort_unstable();
        first.iter().for_each(|l| field(&mut hasher, b"first", l));
    }
    // What decides nothing in a window of an earlier version is not among what that rests on.
    let counting = input.later.iter().filter(|l| input.is_current() || l.unconfirmed);
    let mut later: Vec<Vec<u8>> = counting.map(of_later).collect();
    later.sort_unstable();
    later.iter().for_each(|l| field(&mut hasher, b"later", l));
    if by_majority(input) {
        let mut called: Vec<_> = input.called_poor.iter().map(|id| id.0).collect();
        called.sort_unstable();
        called.iter().for_each(|id| field(&mut hasher, b"called", id));
    }
    text(&hasher)
}

/// The hash of policy, window, audit plan, evaluations and labels.
#[cfg(test)]
fn evidence(input: &Input<'_>) -> String {
    Inputs::new(input).whole()
}

/// A part with its name and length, so that no two lists of parts run into one.
fn field(hasher: &mut blake3::Hasher, name: &[u8], value: &[u8]) {
    hasher.update(&(name.len() as u64).to_be_bytes());
    hasher.update(name);
    hasher.update(&(value.len() as u64).to_be_bytes());
    hasher.update(value);
}

fn of_change(changed: &ChangedWord) -> Vec<u8> {
    let flags = [
        changed.first as u8,
        changed.now.map_or(u8::MAX, |word| word as u8),
        u8::from(changed.adjudicated),
        u8::from(changed.settled),
    ];
    let mut bytes = changed.record.0.to_vec();
    bytes.extend(changed.at.0.to_be_bytes());
    bytes.extend(flags);
    bytes.extend(changed.reviewer.as_bytes());
    if changed.first_seen {
        bytes.extend(changed.first_at.0.to_be_bytes());
        bytes.push(u8::from(changed.first_blind));
    }
    bytes
}

fn of_later(later: &LaterWord) -> Vec<u8> {
    let flags = [later.word as u8, later.kind as u8, u8::from(later.unconfirmed)];
    [&later.record.0[..], &flags, later.reviewer.as_bytes()].concat()
}

fn bytes(label: &Labelled) -> Vec<u8> {
    // A census is more than an audit that draws everything: it says that all are labelled.
    let pi = label.stated.map_or(-1.0, |s| match s {
        Drawn::Census => 2.0,
        Drawn::Audit(pi) => pi,
    });
    let flags = [label.word as u8, u8::from(label.repeat), u8::from(label.adjudicates)];
    let mut bytes = label.record.0.to_vec();
    bytes.extend(label.at.0.to_be_bytes());
    bytes.extend(flags);
    bytes.extend(pi.to_bits().to_be_bytes());
    bytes.extend(label.reviewer.as_bytes());
    // Where nobody asked for it the hash is what it was before this was written down.
    if let Some(requested) = label.requested {
        bytes.push(0);
        bytes.extend(requested.as_str().as_bytes());
    }
    // What was shown and whether the verdict was is of labels that say what was shown.
    if label.seen {
        bytes.extend([1, u8::from(label.blind)]);
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calibration::evaluation::tests::evaluation;
    use crate::calibration::label::tests::label;
    use crate::calibration::readiness::tests::{input, plan};
    use crate::calibration::{LaterKind, Policy, Word};
    use crate::domain::Outcome;

    #[test]
    fn every_input_changes_it_and_the_order_of_labels_does_not() {
        let rows: Vec<_> = (0..9).map(|n| evaluation(n, 1, Outcome::NoGo)).collect();
        let one = label(rows[0].id, "a", 1, Word::Poor);
        let two = label(rows[1].id, "b", 2, Word::Poor);
        let (plan, other) = (plan(0.3), plan(0.4));
        let labels = [one.clone(), two.clone()];
        let turned = [two.clone(), one.clone()];
        let base = evidence(&input(&rows, &labels, &plan));
        assert_eq!(base.len(), 7 + 64);
        assert_eq!(evidence(&input(&rows, &turned, &plan)), base);
        assert_ne!(evidence(&input(&rows, &labels, &other)), base);
        assert_ne!(evidence(&input(&rows[..8], &labels, &plan)), base);
        let doubt = [Labelled { word: Word::Unsure, ..one }, two];
        assert_ne!(evidence(&input(&rows, &doubt, &plan)), base);
        let policy = Policy { days: 15, ..Policy::default() };
        let stricter = Input { policy: &policy, ..input(&rows, &labels, &plan) };
        assert_ne!(evidence(&stricter), base);
    }

    #[test]
    fn later_words_change_that_of_an_earlier_window_only_where_they_decide() {
        let rows = [evaluation(0, 1, Outcome::Go)];
        let labels = [label(rows[0].id, "a", 1, Word::Poor)];
        let plan = plan(0.3);
        let base = input(&rows, &labels, &plan);
        let hash = |rules, unconfirmed: Option<bool>| {
            let word = |unconfirmed| LaterWord {
                record: rows[0].id,
                reviewer: "b".into(),
                kind: LaterKind::Settling,
                word: Word::Acceptable,
                unconfirmed,
            };
            let later: Vec<LaterWord> = unconfirmed.map(word).into_iter().collect();
            evidence(&Input { rules, later: &later, ..base })
        };
        for rules in [WindowRules::Earlier, WindowRules::Shared] {
            assert_eq!(hash(rules, Some(false)), hash(rules, None));
            assert_ne!(hash(rules, Some(true)), hash(rules, None));
        }
        let current = WindowRules::Current;
        assert_ne!(hash(current, Some(false)), hash(current, None));
    }
}
