//! Picks of memories, which of them are to be labelled, and what their labels come to.

mod gate;

pub use gate::Question;

use crate::config::{MemoriesConfig, MemoriesPolicy};
use crate::domain::review::{PickJudge, Present, Reviews};
use crate::domain::{Family, Record, RecordId, Timestamp, Window};
use crate::frame::query::{Node, Query, Scope, Term};
use crate::relevance::{GateWindow, Judges, Pick, Policy};
use crate::stats::sample::public_draw;
use crate::store::cache::{Archive, RowError};
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap};

/// What picks are drawn for.
const PURPOSE: &str = "foureyes 2026-11 labels of picks";

/// The picks of the logs, the oldest first, and the texts of their prompts.
#[derive(Debug, Default, PartialEq)]
pub struct Picks {
    all: Vec<Pick>,
    /// Whose they are.
    judges: Judges,
    /// By the names of the picks.
    texts: HashMap<String, Text>,
}

/// Which picks are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Among {
    /// Whether those of searches, or those that were put into a context without being asked for.
    pub is_lenient: bool,
    /// When they were made.
    pub days: Window,
}

impl Among {
    /// All of a mode.
    pub fn mode(is_lenient: bool) -> Self {
        Self { is_lenient, days: Window::ALL }
    }

    fn holds(&self, pick: &Pick) -> bool {
        pick.is_lenient == self.is_lenient && self.days.holds(pick.at)
    }
}

/// What was asked, where the box keeps it. Raw texts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Text {
    /// The prompt.
    pub prompt: String,
    /// What was said before it, the oldest first.
    pub context: Vec<String>,
    /// How memories begin, by their paths.
    pub bodies: BTreeMap<String, String>,
}

/// What is to be labelled.
#[derive(Debug, Default)]
pub struct Due<'a> {
    /// Picks that can be labelled, in the order in which they are drawn.
    pub picks: Vec<&'a Pick>,
    /// Picks whose prompt was not kept: nobody can tell what would help with it.
    pub without_text: usize,
    /// Picks that are labelled.
    pub labelled: usize,
}

impl Picks {
    /// Picks, the oldest first, and the texts of their prompts by their names.
    fn new(all: Vec<Pick>, texts: HashMap<String, Text>) -> Self {
        let judges = Judges::new(&all);
        Self { all, judges, texts }
    }

    /// Finds all picks in the logs.
    ///
    /// # Errors
    /// A cache or a log that cannot be read any more.
    pub fn find(archive: &Archive) -> Result<Self, RowError> {
        let family = |family| Node::Term(Term::Family(family));
        let query = Query::new(Node::Or(vec![family(Family::Pick), family(Family::Prompt)]));
        // The query is not relative to the time.
        let scope = Scope { boxes: archive.boxes(), now: Timestamp(0), reviews: Reviews::none() };
        let mut rows = archive.matching(&query, &scope, Window::ALL)?;
        archive.first(&mut rows, usize::MAX)?;
        rows.reverse();
        let (mut all, mut texts) = (Vec::new(), HashMap::new());
        for located in archive.records(&rows)? {
            let record = &located.record;
            if record.family == Family::Prompt {
                texts.extend(record.extra("pick").map(|name: String| (name, Text::of(record))));
            }
            all.extend(Pick::of(record));
        }
        Ok(Self::new(all, texts))
    }

    /// All of them.
    pub fn all(&self) -> &[Pick] {
        &self.all
    }

    /// The text of a pick's prompt; `None` where it was not kept, or is not read here.
    pub fn text(&self, pick: &Pick) -> Option<&Text> {
        self.texts.get(pick.name.as_ref()?)
    }

    /// What a reviewer is to label, or without one what nobody has labelled: picks of the judge that the
    /// gate is about, drawn by their ids, so that nobody chooses which are looked at.
    pub fn due(&self, present: &Present, reviewer: Option<&str>, among: Among) -> Due<'_> {
        let mut due = Due::default();
        let window = self.window(present, among.is_lenient);
        let counted = self.with_judges().filter(|(_, judge)| window.is_of(*judge));
        let picks = counted.map(|(pick, _)| pick).filter(|pick| pick.is_due() && among.holds(pick));
        for pick in picks {
            match present.relevance.get(&pick.record) {
                Some(given)
                    if given.iter().any(|one| reviewer.is_none_or(|who| one.reviewer == who)) =>
                {
                    due.labelled += 1;
                }
                _ if self.text(pick).is_none() => due.without_text += 1,
                _ => due.picks.push(pick),
            }
        }
        due.picks.sort_by(|a, b| draw(a).total_cmp(&draw(b)));
        due
    }

    /// Each pick with its judge; without one where none was to be asked.
    fn with_judges(&self) -> impl DoubleEndedIterator<Item = (&Pick, Option<&PickJudge>)> {
        self.all.iter().enumerate().map(|(at, pick)| (pick, self.judges.judge_at(at)))
    }

    /// The judge of the latest pick of a mode.
    pub fn latest_judge(&self, is_lenient: bool) -> Option<&PickJudge> {
        let mut of_mode =
            self.with_judges().rev().filter(|(pick, _)| pick.is_lenient == is_lenient);
        of_mode.find_map(|(_, judge)| judge)
    }

    fn window(&self, present: &Present, is_lenient: bool) -> GateWindow {
        GateWindow::new(&present.pick_windows, is_lenient, self.latest_judge(is_lenient))
    }

    /// The picks that an id or a name begins with.
    pub fn named(&self, word: &str) -> Vec<&Pick> {
        let begins = |pick: &&Pick| {
            let has_name = pick.name.as_deref().is_some_and(|name| name.starts_with(word));
            has_name || pick.record.to_string().starts_with(word)
        };
        self.all.iter().filter(begins).collect()
    }
}

/// How a memory begins.
#[derive(Deserialize)]
struct Body {
    memory: String,
    body: String,
}

impl Text {
    fn of(record: &Record) -> Self {
        let bodies: Vec<Body> = record.extra("candidates").unwrap_or_default();
        Self {
            prompt: record.extra("prompt").unwrap_or_default(),
            context: record.extra("context").unwrap_or_default(),
            bodies: bodies.into_iter().map(|one| (one.memory, one.body)).collect(),
        }
    }
}

/// The conditions of the configuration.
pub fn policy(memories: &MemoriesConfig) -> Policy {
    let since = memories.policy.since();
    let MemoriesPolicy { precision, labelled, latency_ms, fallback_rate, .. } = memories.policy;
    let MemoriesPolicy { recall_margin, keeps, .. } = memories.policy;
    Policy {
        since,
        precision,
        labelled,
        latency_ms,
        fallback_rate,
        recall_margin,
        keeps,
        cost_per_day: memories.max_cost_per_day,
        ..Policy::default()
    }
}

/// The time of the picks that are displayed: from the configured day on, open at the end.
pub fn displayed(memories: &MemoriesConfig) -> Window {
    Window { from: memories.policy.since(), to: None }
}

fn draw(pick: &Pick) -> f64 {
    public_draw(PURPOSE, &pick.record.0)
}

/// The candidates of a pick in an order that tells nothing of search or judge, the same for everybody: by
/// their places in the pick.
pub fn shuffled(pick: &Pick) -> Vec<usize> {
    let key = |at: &usize| {
        let memory = pick.candidates.get(*at).map_or("", |one| &one.memory);
        public_draw(PURPOSE, &[&pick.record.0[..], memory.as_bytes()].concat())
    };
    let mut order: Vec<usize> = (0..pick.candidates.len()).collect();
    order.sort_by(|a, b| key(a).total_cmp(&key(b)));
    order
}

/// The labels of a pick of whose candidates those at some places help, and all others do not.
pub fn labels(pick: &Pick, helping: &[usize], is_drawn: bool) -> crate::domain::review::Relevance {
    let paths = |is_wanted: &dyn Fn(usize) -> bool| {
        let all = pick.candidates.iter().enumerate();
        all.filter(|(at, _)| is_wanted(*at)).map(|(_, one)| one.memory.clone()).collect()
    };
    crate::domain::review::Relevance {
        pick: RecordId(pick.record.0),
        relevant: paths(&|at| helping.contains(&at)),
        not_relevant: paths(&|at| !helping.contains(&at)),
        drawn: is_drawn,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::review::{Dated, EntryId};
    use crate::relevance::{Candidate, JudgeNames, Source};

    fn pick(n: u8, source: Source) -> Pick {
        let candidate = |rank: usize| Candidate {
            memory: format!("m{rank}.md"),
            title: None,
            category: None,
            tags: Vec::new(),
            rank,
            position: None,
            kept: rank == 1,
            no_room: false,
        };
        Pick {
            record: RecordId([n; 32]),
            name: Some(format!("{n:016x}")),
            at: None,
            source,
            fallback: None,
            is_lenient: false,
            keep: None,
            candidates: (1..=8).map(candidate).collect(),
            latency_ms: None,
            cost: None,
            model: None,
            judge: JudgeNames::default(),
        }
    }

    #[test]
    fn order_for_labelling_is_stable_and_neither_that_of_search_nor_one_for_all() {
        let (one, other) = (pick(1, Source::Judge), pick(2, Source::Judge));
        let order = shuffled(&one);
        assert_eq!(order, shuffled(&one));
        assert_ne!(order, shuffled(&other));
        assert_ne!(order, (0..8).collect::<Vec<_>>());
        let mut sorted = order;
        sorted.sort_unstable();
        assert_eq!(sorted, (0..8).collect::<Vec<_>>());
    }

    #[test]
    fn picks_are_due_in_the_order_of_the_draw_until_the_reviewer_labelled_them() {
        let all = [1, 2, 3, 4].map(|n| pick(n, Source::Judge));
        let fallback = pick(5, Source::Fallback);
        let texts = (1..=3).map(|n: u8| (format!("{n:016x}"), Text::default())).collect();
        let picks = Picks::new(all.iter().cloned().chain([fallback]).collect(), texts);
        let mut present = Present::default();
        let due = picks.due(&present, Some("anna"), Among::mode(false));
        assert_eq!((due.picks.len(), due.without_text, due.labelled), (3, 1, 0));
        let first = due.picks[0];
        let sorted = due.picks.is_sorted_by(|a, b| draw(a) <= draw(b));
        assert!(sorted);
        let what = labels(first, &[0, 2], true);
        assert_eq!(what.relevant, ["m1.md", "m3.md"]);
        assert_eq!(what.not_relevant.len(), 6);
        let word = Dated {
            entry: EntryId([1; 16]),
            time: Timestamp(1),
            reviewer: "anna".to_owned(),
            what,
        };
        present.relevance.entry(first.record).or_default().push(word);
        let left = picks.due(&present, Some("anna"), Among::mode(false));
        assert_eq!((left.picks.len(), left.labelled), (2, 1));
        assert_eq!(picks.due(&present, Some("bert"), Among::mode(false)).picks.len(), 3);
        assert!(picks.due(&present, Some("anna"), Among::mode(true)).picks.is_empty());
        let question = Question { among: Among::mode(false), configured: Policy::default() };
        let measured = picks.assess(&present, &question).measured;
        let counts = (measured.picks.picks, measured.picks.judged, measured.labels.labelled);
        assert_eq!(counts, (5, 4, 1));
        assert_eq!((measured.labels.due, measured.labels.without_text), (2, 1));
        let (precision, recall) =
            (measured.judge.precision.unwrap(), measured.judge.recall.unwrap());
        assert_eq!((precision.n, precision.of, recall.of), (1, 1, 2));
    }

    #[test]
    fn pick_is_found_by_the_beginning_of_its_name_or_id() {
        let picks =
            Picks::new(vec![pick(1, Source::Judge), pick(2, Source::Judge)], HashMap::new());
        assert_eq!(picks.named("0000000000000001").len(), 1);
        assert_eq!(picks.named("0202").len(), 1);
        assert_eq!(picks.named("0").len(), 2);
    }
}
