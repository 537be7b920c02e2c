//! The parts of a long content, asked about at the same time, as one evaluation.

use super::Evaluation;
use crate::engine::finish::Finish;
use crate::engine::four_eyes::Decision;
use crate::engine::record::Content;
use crate::engine::rubric::Scores;
use crate::engine::verdict::Verdict;
use std::future::poll_fn;
use std::task::Poll;

/// Longest findings of all parts together, in characters.
const MOST_CHARACTERS: usize = 8000;
/// Most suggestions of all parts together.
const MOST_SUGGESTIONS: usize = 50;

/// Waits for all of these at once. Dropping it ends each.
pub(super) async fn all<F: Future>(futures: impl Iterator<Item = F>) -> Vec<F::Output> {
    let mut open: Vec<_> = futures.map(|future| (Box::pin(future), None)).collect();
    poll_fn(move |context| {
        for (future, done) in &mut open {
            if done.is_none()
                && let Poll::Ready(output) = future.as_mut().poll(context)
            {
                *done = Some(output);
            }
        }
        match open.iter().all(|(_, done)| done.is_some()) {
            true => Poll::Ready(open.iter_mut().filter_map(|(_, done)| done.take()).collect()),
            false => Poll::Pending,
        }
    })
    .await
}

/// What the evaluations of all parts come to: the strictest verdict, the lowest scores, and the sum of
/// what they took. Of a part without an answer nothing is known, so there is no GO of the whole.
///
/// `bytes` are those of the whole content. `None` of no parts.
pub(super) fn merged<V: Verdict>(parts: Vec<Evaluation<V>>, bytes: usize) -> Option<Evaluation<V>> {
    let count = u32::try_from(parts.len()).unwrap_or(u32::MAX);
    let verdict = parts.iter().map(|part| part.verdict).max_by_key(|v| v.strictness());
    let findings = findings(&parts);
    let scores = parts.iter().filter_map(|part| part.scores).reduce(lowest);
    // What fails in one part stands, whatever became of the others.
    let failed = parts.iter().filter_map(|part| part.error).next();
    let mut whole = parts.into_iter();
    let first = whole.next()?;
    let mut merged = whole.fold(first, with);
    merged.verdict = verdict.unwrap_or(V::NONE);
    merged.error = failed.filter(|_| !merged.verdict.fails());
    merged.scores = scores.filter(|_| merged.error.is_none());
    merged.findings = findings;
    merged.suggestions.truncate(MOST_SUGGESTIONS);
    merged.parts = count;
    if let Some(content) = &mut merged.content {
        // What two parts share is counted once.
        content.shown = content.shown.min(bytes as u64);
        content.bytes = bytes as u64;
    }
    Some(merged)
}

/// What was found in the parts that decide, each with its number.
fn findings<V: Verdict>(parts: &[Evaluation<V>]) -> String {
    let strictest = parts.iter().map(|part| part.verdict.strictness()).max();
    let decides = |part: &&Evaluation<V>| Some(part.verdict.strictness()) == strictest;
    let numbered = parts.iter().enumerate().filter(|(_, part)| decides(part));
    let count = parts.len();
    let one = |(at, part): (usize, &Evaluation<V>)| {
        format!("Part {} of {count}: {}", at + 1, part.findings)
    };
    let all = numbered.map(one).collect::<Vec<_>>().join("\n");
    all.chars().take(MOST_CHARACTERS).collect()
}

/// The lower score of each dimension.
fn lowest(a: Scores, b: Scores) -> Scores {
    Scores {
        semantic: a.semantic.min(b.semantic),
        pragmatic: a.pragmatic.min(b.pragmatic),
        syntactic: a.syntactic.min(b.syntactic),
    }
}

/// One part, with what the next one adds to it.
fn with<V: Verdict>(mut a: Evaluation<V>, b: Evaluation<V>) -> Evaluation<V> {
    a.inconsistent |= b.inconsistent;
    a.suggestions.extend(b.suggestions);
    b.caveats.into_iter().for_each(|caveat| a.note(caveat));
    a.four_eyes = a.four_eyes.into_iter().chain(b.four_eyes).max_by_key(doubt);
    a.served_model = a.served_model.or(b.served_model);
    a.usage = sum(a.usage, b.usage, |a, b| a.plus(b));
    a.cost = sum(a.cost, b.cost, |a, b| a + b);
    a.latency = sum(a.latency, b.latency, |a, b| a + b);
    a.attempts += b.attempts;
    a.unanswered += b.unanswered;
    a.ended += b.ended;
    a.waited += b.waited;
    a.finish = worse(a.finish, b.finish);
    a.lengths = sum(a.lengths, b.lengths, |a, b| a.plus(b));
    a.stated = [a.stated, b.stated].into_iter().flatten().max_by_key(|v| v.strictness());
    a.again = a.again.or(b.again);
    a.uncounted += b.uncounted;
    a.content = sum(a.content, b.content, both);
    a.answer = a.answer.or(b.answer);
    a.raw = sum(a.raw, b.raw, |a, b| format!("{a}\n{b}"));
    a
}

/// The end of two that a record names: one that is no good end.
fn worse(a: Option<Finish>, b: Option<Finish>) -> Option<Finish> {
    [b, a].into_iter().flatten().max_by_key(|finish| match finish {
        Finish::Whole => 0,
        Finish::Unnamed => 1,
        _ => 2,
    })
}

/// How much a decision about author and judge keeps from trusting a verdict.
fn doubt(decision: &Decision) -> u8 {
    match decision {
        Decision::Apart { .. } => 0,
        Decision::Unknown { .. } => 1,
        Decision::Same { .. } => 2,
    }
}

pub(super) fn sum<T>(a: Option<T>, b: Option<T>, add: impl Fn(T, T) -> T) -> Option<T> {
    match (a, b) {
        (Some(a), Some(b)) => Some(add(a, b)),
        (a, b) => a.or(b),
    }
}

fn both(mut a: Content, b: Content) -> Content {
    a.shown += b.shown;
    a.masked += b.masked;
    a.cut_files += b.cut_files;
    a.cuts.extend(b.cuts);
    a
}
