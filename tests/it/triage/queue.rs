//! The queue against what the records themselves say.

use super::listing::{ids, in_order, made, records};
use super::world::{NOW, World};
use foureyes::domain::review::Reviews;
use foureyes::domain::{
    Cause, Column, Dimension, Outcome, Record, RecordId, Sort, Timestamp, Window,
};
use foureyes::frame::query::{Query, Scope};
use foureyes::queue::{Ask, Queue, list};
use foureyes::store::cache::Archive;
use foureyes::store::disposition::{Disposition, Dispositions};
use std::collections::{HashMap, HashSet};

struct Desk {
    world: World,
    archive: Archive,
    dealt: Dispositions,
    records: HashMap<RecordId, Record>,
    repeats: HashSet<RecordId>,
    settled: HashSet<RecordId>,
    labelled: HashSet<RecordId>,
}

impl Desk {
    fn new() -> Self {
        let world = made(2_500);
        let (_, mut archive) = world.open(&world.data());
        archive.keep(1 << 30);
        let dealt = Dispositions::load(&world.data()).unwrap();
        let records = records(&archive).into_iter().map(|r| (r.id, r)).collect();
        let scope = Scope { boxes: archive.boxes(), now: NOW, reviews: Reviews::none() };
        let found = |text: &str| {
            let query = Query::parse(text).unwrap();
            let rows = archive.matching(&query, &scope, Window::ALL).unwrap();
            ids(&archive, &rows).into_iter().collect()
        };
        // Without a ledger all overrides are those in the logs.
        let (repeats, settled) = (found("is:repeat"), found("override:any"));
        Self { world, archive, dealt, records, repeats, settled, labelled: HashSet::new() }
    }

    fn ask(&self, order: Sort, since: Timestamp, undated: bool, filter: Option<&str>) -> Queue {
        let filter = filter.map(|text| Query::parse(text).unwrap());
        let scope = Scope { boxes: self.archive.boxes(), now: NOW, reviews: Reviews::none() };
        let filter = filter.as_ref();
        let labelled = &self.labelled;
        let ask = Ask { since, undated, order, filter, labelled, scope, cancel: &|| false };
        list(&self.archive, &self.dealt, &ask).unwrap().unwrap()
    }

    fn shown(&self, queue: &Queue) -> Vec<RecordId> {
        ids(&self.archive, &queue.rows)
    }

    /// What belongs into the queue, the newest first, by what the records say.
    fn wanted(&self, since: Timestamp, undated: bool) -> Vec<RecordId> {
        let item = |r: &&Record| {
            let flagged = matches!(r.outcome, Some(Outcome::NoGo | Outcome::Undetermined));
            let known = r.timestamp.map_or(undated, |t| t >= since);
            let open = self.dealt.deal(&r.id) != Disposition::Seen && !self.repeats.contains(&r.id);
            let open = open && !self.settled.contains(&r.id);
            flagged && known && open && r.cause != Some(Cause::Bypassed)
        };
        in_order(&self.world, self.records.values().filter(item).cloned().collect())
    }
}

/// Mean and lowest of the scores that count.
fn scores(record: &Record) -> (f32, f32) {
    let all: Vec<f32> = Dimension::ALL.iter().filter_map(|d| record.scores.usable(*d)).collect();
    let mean = all.iter().sum::<f32>() / all.len() as f32;
    if all.is_empty() { (9.0, 9.0) } else { (mean, all.iter().copied().fold(9.0, f32::min)) }
}

#[test]
fn queue_is_flagged_records_in_each_order_without_bypasses() {
    let desk = Desk::new();
    let all = || desk.records.values();
    assert!(all().any(|r| r.cause == Some(Cause::Bypassed)) && !desk.repeats.is_empty());
    assert!(!desk.settled.is_empty());
    for since in [NOW.minus_days(9), NOW.minus_days(1)] {
        for undated in [false, true] {
            let newest = desk.wanted(since, undated);
            let queue = desk.ask(Sort::default(), since, undated, None);
            assert_eq!(desk.shown(&queue), newest);
            assert!(queue.undated > 0 && queue.later == 0);
            let mut severe = newest.clone();
            severe.sort_by(|a, b| {
                let [a, b] = [a, b].map(|id| &desk.records[id]);
                let class = |r: &Record| u8::from(r.outcome != Some(Outcome::NoGo));
                let (a, b) = ((class(a), scores(a)), (class(b), scores(b)));
                a.partial_cmp(&b).unwrap()
            });
            let queue = desk.ask(Sort::by(Column::Scores), since, undated, None);
            assert_eq!(desk.shown(&queue), severe);
            let mut filed = newest;
            filed.sort_by_key(|id| {
                let record = &desk.records[id];
                match (record.files.first(), &record.task_id) {
                    (Some(file), _) => (0, file.clone()),
                    (None, Some(task)) => (1, task.clone()),
                    (None, None) => (2, String::new()),
                }
            });
            assert_eq!(desk.shown(&desk.ask(Sort::by(Column::Path), since, undated, None)), filed);
        }
    }
}

#[test]
fn seen_items_leave_later_ones_move_last_and_reopened_return() {
    let mut desk = Desk::new();
    let since = NOW.minus_days(9);
    for order in [Column::Age, Column::Scores, Column::Path].map(Sort::by) {
        let before = desk.shown(&desk.ask(order, since, true, None));
        let [seen, later] = [0, 1].map(|n| -> Vec<RecordId> {
            before
                .iter()
                .copied()
                .enumerate()
                .filter(|(i, _)| i % 5 == n)
                .map(|(_, id)| id)
                .collect()
        });
        desk.dealt.put(&seen, Disposition::Seen, NOW).unwrap();
        desk.dealt.put(&later, Disposition::Later, NOW).unwrap();
        let queue = desk.ask(order, since, true, None);
        let open = before.iter().filter(|id| desk.dealt.deal(id) == Disposition::Open);
        let wanted: Vec<RecordId> = open.chain(&later).copied().collect();
        assert_eq!((desk.shown(&queue), queue.later), (wanted, later.len()));
        desk.dealt.put(&[seen, later].concat(), Disposition::Open, NOW).unwrap();
        assert_eq!(desk.shown(&desk.ask(order, since, true, None)), before);
    }
}

#[test]
fn labelled_items_are_in_the_queue_no_more_whether_put_off_or_not() {
    let mut desk = Desk::new();
    let since = NOW.minus_days(9);
    let before = desk.shown(&desk.ask(Sort::default(), since, true, None));
    desk.dealt.put(&before[2..4], Disposition::Later, NOW).unwrap();
    desk.labelled = [before[0], before[2]].into();
    let queue = desk.ask(Sort::default(), since, true, None);
    let mut wanted = before.clone();
    let later = wanted.remove(3);
    wanted.retain(|id| !desk.labelled.contains(id));
    wanted.push(later);
    assert_eq!((desk.shown(&queue), queue.later), (wanted, 1));
}

#[test]
fn a_filter_narrows_the_queue_and_a_cancel_ends_it() {
    let desk = Desk::new();
    let since = NOW.minus_days(9);
    let queue = desk.ask(Sort::by(Column::Scores), since, true, Some("box:plain"));
    let shown: HashSet<_> = desk.shown(&queue).into_iter().collect();
    let wanted = desk.wanted(since, true).into_iter();
    let wanted: HashSet<_> = wanted.filter(|id| desk.records[id].box_name == "plain").collect();
    assert!(shown == wanted && !wanted.is_empty());
    assert_eq!(
        desk.ask(Sort::by(Column::Path), since, true, Some("")).rows.len(),
        desk.wanted(since, true).len()
    );
    let scope = Scope { boxes: desk.archive.boxes(), now: NOW, reviews: Reviews::none() };
    let order = Sort::by(Column::Path);
    let labelled = &HashSet::new();
    let ask = Ask { since, undated: true, order, filter: None, labelled, scope, cancel: &|| true };
    assert_eq!(list(&desk.archive, &desk.dealt, &ask).unwrap(), None);
}
