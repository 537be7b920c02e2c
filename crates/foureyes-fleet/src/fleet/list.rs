//! Records of the store that a filter matches, in the order of one machine.

use super::connection::Store;
use super::error::FleetError;
use super::filter::{Beyond, Condition};
use super::flag_cache::short;
use super::lookup::{self, Dated, LOOKED_UP, within};
use super::row_binary::Columns;
use super::spans::Span;
use super::tasks::{self, Spot};
use super::{Nodes, fold, spans};
use crate::domain::review::Reviews;
use crate::domain::{Family, Origin, Record, RecordId, Timestamp, Window};
use crate::frame::query::{Decision, Match, Node, Query, Term, TextField};
use crate::jsonl::{self, Settings};
use crate::store::cache::Located;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Tasks that are asked for at once.
const TASKS: usize = 40;
/// Records that are fetched at once.
const FETCHED: usize = 500;

/// What is asked for.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// The filter.
    pub query: &'a Query,
    /// Over what time.
    pub window: Window,
    /// So many records, the newest; `None` for all.
    pub most: Option<usize>,
    /// What `7d` and `today` are relative to.
    pub now: Timestamp,
    /// What people said of records here.
    pub reviews: &'a Reviews,
}

impl<'a> Question<'a> {
    /// What is asked of the columns of a record, the rest, and whether other rows decide on that.
    fn parts(&self) -> Result<(String, Condition, bool), FleetError> {
        let beyond = Beyond { now: self.now, reviews: self.reviews };
        let condition = Condition::new(self.query.root(), &beyond)?;
        let is_decided = condition.is_decided();
        let (of_record, rest) = condition.split();
        Ok((format!("({of_record} AND {})", within(self.window)), rest, is_decided))
    }

    /// One that refers to nothing beyond the store.
    fn of(query: &'a Query, most: Option<usize>) -> Self {
        Self { query, window: Window::ALL, most, now: Timestamp(0), reviews: Reviews::none() }
    }
}

/// A record that a filter matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FleetRow {
    pub(super) id: RecordId,
    /// Microseconds since 1970; the lowest number where undated.
    pub(super) at: i64,
    spot: Spot,
}

/// Reads the store.
#[derive(Debug)]
pub struct Reader {
    pub(super) store: Store,
    unreadable: Mutex<BTreeSet<RecordId>>,
}

impl Reader {
    /// Connects to all nodes.
    ///
    /// # Errors
    /// A node that does not answer, or a store of another version.
    pub async fn connect(nodes: Nodes) -> Result<Self, FleetError> {
        Ok(Self { store: nodes.connect().await?.checked()?, unreadable: Mutex::default() })
    }

    /// The store that it reads.
    pub(super) fn store(&self) -> &Store {
        &self.store
    }

    /// The records that match: the newest first, undated ones last, equal times in the order of the logs. They
    /// are looked for some days after the other, from the last one back, until there are enough.
    ///
    /// # Errors
    /// A node that does not answer, or a filter that it cannot answer as one machine does.
    pub async fn list(&self, question: &Question<'_>) -> Result<Vec<FleetRow>, FleetError> {
        let (of_record, rest, is_decided) = question.parts()?;
        let mut rows = Vec::new();
        for span in spans::of(&self.store, &of_record).await?.iter().rev() {
            let left = question.most.map(|most| most.saturating_sub(rows.len()));
            if left == Some(0) {
                break;
            }
            let limit = left.map_or_else(String::new, |left| format!(" LIMIT {left}"));
            let select = format!(
                "SELECT id, at, base, box, name, byte FROM {} ORDER BY at DESC, {}{limit}",
                self.asked(span, &rest, is_decided),
                fold::ORDER
            );
            let mut found = self.store.rows("list records", &select, row).await?;
            if is_decided {
                found.extend(self.of_tasks(span, &rest, question.window).await?);
                found.sort_by(|a, b| (Reverse(a.at), &a.spot).cmp(&(Reverse(b.at), &b.spot)));
            }
            found.truncate(left.unwrap_or(usize::MAX));
            rows.extend(found);
        }
        Ok(rows)
    }

    /// How many records match.
    ///
    /// # Errors
    /// As [`Reader::list`].
    pub async fn count(&self, question: &Question<'_>) -> Result<u64, FleetError> {
        let (of_record, rest, is_decided) = question.parts()?;
        let mut counts = 0;
        for span in spans::of(&self.store, &of_record).await? {
            let asked = self.asked(&span, &rest, is_decided);
            let select = format!("SELECT toUInt64(count()) FROM {asked}");
            counts += self.store.one("count records", &select, |row| row.u64()).await?;
            if is_decided {
                counts += self.of_tasks(&span, &rest, question.window).await?.len() as u64;
            }
        }
        Ok(counts)
    }

    /// Rows that the servers decide on; lines of tasks are left out where other rows decide on them.
    fn asked(&self, span: &Span, rest: &Condition, is_decided: bool) -> String {
        let (names, of_record) = (self.store.names(), &span.condition);
        let (of_record, columns, repeat) = match is_decided {
            false => (of_record.clone(), String::new(), String::new()),
            true => (
                format!("(role = 0 AND {of_record})"),
                ", unit, evaluation, cause".to_owned(),
                fold::repeat(names, span),
            ),
        };
        let columns = columns + &own(rest);
        let places = fold::first_places(names, &columns, &of_record, &span.days);
        format!("({places}) WHERE {}", rest.of_columns(&repeat))
    }

    /// Lines of tasks of some days that hold a condition on which other rows decide.
    async fn of_tasks(
        &self,
        span: &Span,
        rest: &Condition,
        window: Window,
    ) -> Result<Vec<FleetRow>, FleetError> {
        let flags = tasks::flags_within(&self.store, &span.condition, window).await?;
        let count = rest.columns().len();
        let bits: String = (0..count).map(|at| format!(", c{at}")).collect();
        let of_record = format!("(role != 0 AND {})", span.condition);
        let select = format!(
            "SELECT id, at, base, box, name, byte{bits} FROM ({})",
            fold::first_places(self.store.names(), &own(rest), &of_record, &span.days)
        );
        let read = |columns: &mut Columns<'_>| {
            let row = row(columns)?;
            let own = (0..count).map(|_| columns.u8().map(|bit| bit != 0));
            Ok((row, own.collect::<Result<Vec<bool>, _>>()?))
        };
        let rows = self.store.rows("list records", &select, read).await?;
        let holds = |(row, own): (FleetRow, Vec<bool>)| {
            rest.holds(&mut own.into_iter(), flags.of(&short(row.id))).then_some(row)
        };
        Ok(rows.into_iter().filter_map(holds).collect())
    }

    /// The records of rows with their bytes, in their order; secrets in them are masked. Those that cannot be read
    /// are left out, and kept as [`Reader::left_out`].
    ///
    /// # Errors
    /// A node that does not answer.
    pub async fn located(
        &self,
        rows: &[FleetRow],
        settings: &Settings,
    ) -> Result<Vec<Located>, FleetError> {
        let dated: Vec<Dated> = rows.iter().map(|row| (row.id, row.at)).collect();
        self.located_ids(&dated, settings).await
    }

    /// Records whose bytes in the store are none, of all that were read until now.
    pub fn left_out(&self) -> Vec<RecordId> {
        self.unreadable().iter().copied().collect()
    }

    fn unreadable(&self) -> MutexGuard<'_, BTreeSet<RecordId>> {
        // What a thread that panicked left is whole.
        self.unreadable.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The same of ids.
    pub(super) async fn located_ids(
        &self,
        dated: &[Dated],
        settings: &Settings,
    ) -> Result<Vec<Located>, FleetError> {
        let mut found = Vec::with_capacity(dated.len());
        for some in dated.chunks(FETCHED.min(LOOKED_UP)) {
            let mut places = self.places(some).await?;
            for (id, _) in some {
                let places = places.remove(id).ok_or(FleetError::Record { id: *id })?;
                match located(*id, places, settings) {
                    Some(record) => found.push(record),
                    None => drop(self.unreadable().insert(*id)),
                }
            }
        }
        Ok(found)
    }

    /// The lines of a task on a box, at most `most`, the newest, in their order: the oldest first.
    ///
    /// # Errors
    /// A node that does not answer.
    pub async fn lines_of_task(
        &self,
        task: &str,
        box_name: &str,
        most: usize,
        settings: &Settings,
    ) -> Result<Vec<Located>, FleetError> {
        let of_box = exact(TextField::Box, box_name);
        let query = Query::new(Node::And(vec![exact(TextField::Task, task), of_box]));
        let mut rows = self.list(&Question::of(&query, Some(most))).await?;
        rows.reverse();
        self.located(&rows, settings).await
    }

    /// All lines of those of some tasks of which an override in a log answers a run, by box and task, in
    /// their order; and which of them are overrides, or end such a run.
    ///
    /// # Errors
    /// A node that does not answer.
    pub async fn decided_tasks(
        &self,
        tasks: &BTreeSet<(String, String)>,
        settings: &Settings,
    ) -> Result<DecidedTasks, FleetError> {
        let is_override = Node::Term(Term::Family(Family::Override));
        let decided = Node::Or(vec![is_override, Node::Term(Term::Override(Decision::Any))]);
        let mut found = DecidedTasks::default();
        let tasks: Vec<&(String, String)> = tasks.iter().collect();
        for some in tasks.chunks(TASKS) {
            let query = Node::And(of_tasks(some).into_iter().chain([decided.clone()]).collect());
            let lines = self.oldest_first(query, settings).await?;
            found.decided.extend(lines.iter().map(|line| line.id));
            let key = |line: &Record| Some((line.box_name.clone(), line.task_id.clone()?));
            let with: BTreeSet<(String, String)> = lines.iter().filter_map(key).collect();
            if with.is_empty() {
                continue;
            }
            let query = Node::And(of_tasks(&with.iter().collect::<Vec<_>>()));
            for line in self.oldest_first(query, settings).await? {
                let key = key(&line).unwrap_or_default();
                found.lines.entry(key).or_default().push(line);
            }
        }
        Ok(found)
    }

    async fn oldest_first(
        &self,
        query: Node,
        settings: &Settings,
    ) -> Result<Vec<Record>, FleetError> {
        let query = Query::new(query);
        let mut rows = self.list(&Question::of(&query, None)).await?;
        rows.reverse();
        let located = self.located(&rows, settings).await?;
        Ok(located.into_iter().map(|located| located.record).collect())
    }

    async fn places(&self, dated: &[Dated]) -> Result<HashMap<RecordId, Places>, FleetError> {
        if dated.is_empty() {
            return Ok(HashMap::new());
        }
        let select = lookup::places(self.store.names(), dated);
        let read = |row: &mut Columns<'_>| {
            let id = RecordId(row.fixed()?);
            let (base, box_name, file) = (row.text()?, row.text()?, row.text()?);
            let (byte, line, len) = (row.u64()?, u64::from(row.u32()?), u64::from(row.u32()?));
            let origin = Origin { box_name, file, line, byte, len };
            Ok((id, (base, origin, row.bytes()?.to_vec())))
        };
        let mut places: HashMap<RecordId, Places> = HashMap::new();
        for (id, place) in self.store.rows("fetch records", &select, read).await? {
            places.entry(id).or_default().push(place);
        }
        Ok(places)
    }
}

/// What [`Reader::decided_tasks`] finds.
#[derive(Debug, Default)]
pub struct DecidedTasks {
    /// Lines by box and task.
    pub lines: BTreeMap<(String, String), Vec<Record>>,
    /// Overrides, and ends of runs that one answers.
    pub decided: HashSet<RecordId>,
}

fn exact(field: TextField, text: &str) -> Node {
    Node::Term(Term::Text(field, Match::Exact, text.to_owned()))
}

/// The lines of some tasks, each on a box: both must hold.
fn of_tasks(tasks: &[&(String, String)]) -> Vec<Node> {
    let any = tasks.iter().map(|(_, task)| exact(TextField::Task, task)).collect();
    let on_box = |(box_name, task): &&(String, String)| {
        Node::And(vec![exact(TextField::Task, task), exact(TextField::Box, box_name)])
    };
    // The first, which the second implies, is asked where the rows are.
    vec![Node::Or(any), Node::Or(tasks.iter().map(on_box).collect())]
}

/// The places of a record in their order, each with the name of the log and the bytes there.
type Places = Vec<(String, Origin, Vec<u8>)>;

fn located(id: RecordId, mut places: Places, settings: &Settings) -> Option<Located> {
    let owner = |(_, (base, origin, _)): &(usize, &(String, Origin, Vec<u8>))| {
        (origin.box_name.clone(), base.clone(), origin.file.clone(), origin.byte)
    };
    // The one that owns the record is named first.
    let owner = places.iter().enumerate().min_by_key(owner)?.0;
    places[..=owner].rotate_right(1);
    let raw = places.first()?.2.clone();
    let mut record = jsonl::read_one(&raw, settings)?;
    // Its own bytes may have had secrets in them.
    record.id = id;
    record.origins = places.into_iter().map(|(_, origin, _)| origin).collect();
    record.box_name = record.origins.first()?.box_name.clone();
    Some(Located { record, raw, log: None })
}

fn row(row: &mut Columns<'_>) -> Result<FleetRow, super::row_binary::Torn> {
    let (id, at) = (RecordId(row.fixed()?), row.i64()?);
    Ok(FleetRow { id, at, spot: (row.text()?, row.text()?, row.text()?, row.u64()?) })
}

/// The conditions on columns, as columns.
fn own(condition: &Condition) -> String {
    let all = condition.columns().into_iter().enumerate();
    all.map(|(at, sql)| format!(", toUInt8({sql}) AS c{at}")).collect()
}
