//! Copies of a shard: what the servers must be asked for so that one that lacks rows is an error, and never a
//! smaller number.
//!
//! A block counts once every replica of its shard has it, and a replica answers only if it has the last such
//! block. So all replicas that answer give the same, and one that is down stops publishing.

use super::error::FleetError;
use super::row_binary::Columns;
use super::sql::{self, Names};
use super::target::Target;
use std::collections::HashMap;

/// Seconds by which a replica may lag behind and still answer; blocks that it lacks decide nothing by then.
const MOST_DELAY: i64 = 10;
/// A server that did not compare itself with the others yet counts from 1970.
const STARTING: i64 = 1_000_000_000;
/// Milliseconds that the replicas of a shard have for a block.
const QUORUM_MS: &str = "60000";

/// Settings of whoever reads from replicas, by their names.
pub(super) const READ: [(&str, &str); 3] = [
    ("select_sequential_consistency", "1"),
    ("fallback_to_stale_replicas_for_distributed_queries", "0"),
    ("max_replica_delay_for_distributed_queries", "10"),
];
/// A setting of later servers, with which the others would decide nothing.
const PARALLEL: &str = "insert_quorum_parallel";

/// A setting of a statement, and its value.
pub(super) type Setting = (&'static str, String);

/// Which copy of which part of the rows a node has, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Replica {
    pub(super) shard: u32,
    pub(super) number: u32,
}

impl Replica {
    /// The engine of a table of which each replica has a copy.
    pub(super) fn engine(self, names: &Names, table: &str) -> String {
        let Names { database, cluster } = names;
        let Self { shard, number } = self;
        format!(
            "ReplicatedReplacingMergeTree('/clickhouse/foureyes/{cluster}/{database}/{shard}/{table}', \
             '{number}')"
        )
    }
}

/// What a server uses for the user who asks it, of the settings that matter here.
#[derive(Debug, Default)]
pub(super) struct Used(HashMap<String, String>);

impl Used {
    /// Asks a server.
    pub(super) async fn of(target: &Target<'_>) -> Result<Self, FleetError> {
        let wanted = READ.iter().map(|(name, _)| *name).chain([PARALLEL, "readonly"]);
        let select = format!(
            "SELECT name, value FROM system.settings WHERE name IN ({})",
            sql::list(wanted.map(sql::text))
        );
        let read = |row: &mut Columns<'_>| Ok((row.text()?, row.text()?));
        let found = target.rows("look at the settings", &select, &[], read).await?;
        Ok(Self(found.into_iter().collect()))
    }

    fn is(&self, name: &str, value: &str) -> bool {
        self.0.get(name).is_some_and(|used| used == value)
    }

    /// Whether the user may not set what it lacks.
    pub(super) fn is_fixed(&self) -> bool {
        self.is("readonly", "1") && !self.reading().is_empty()
    }

    /// What is to be set to read: what is not so for this user anyway.
    pub(super) fn reading(&self) -> Vec<Setting> {
        let lacking = READ.iter().filter(|(name, value)| !self.is(name, value));
        lacking.map(|(name, value)| (*name, (*value).to_owned())).collect()
    }

    /// What is to be set to add rows that so many replicas are to have.
    pub(super) fn writing(&self, replicas: u32) -> Vec<Setting> {
        let mut all = vec![
            ("insert_quorum", replicas.to_string()),
            ("insert_quorum_timeout", QUORUM_MS.to_owned()),
        ];
        all.extend(self.0.contains_key(PARALLEL).then(|| (PARALLEL, "0".to_owned())));
        all
    }
}

/// What a node says of its copies.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Copies {
    /// Tables of rows that are not: each replica would have rows of its own.
    pub(super) alone: u64,
    /// Tables that take no rows: the coordination service is not there.
    pub(super) stuck: u64,
    /// Seconds behind.
    pub(super) delay: i64,
}

impl Copies {
    /// Asks a server; `versions` is the table that each node has for itself.
    pub(super) async fn of(
        target: &Target<'_>,
        names: &Names,
        versions: &str,
    ) -> Result<Self, FleetError> {
        let database = sql::text(&names.database);
        let select = format!(
            "SELECT toUInt64(count()) FROM system.tables WHERE database = {database} AND name != {} \
             AND engine LIKE '%MergeTree' AND engine NOT LIKE 'Replicated%'",
            sql::text(format!("{versions}_local"))
        );
        let alone = target.one("look at the tables", &select, &[], |row| row.u64()).await?;
        let select = format!(
            "SELECT toUInt64(countIf(is_readonly != 0 OR is_session_expired != 0)), \
             toInt64(max(absolute_delay)) FROM system.replicas WHERE database = {database}"
        );
        let read = |row: &mut Columns<'_>| Ok((row.u64()?, row.i64()?));
        let (stuck, delay) = target.one("look at the replicas", &select, &[], read).await?;
        Ok(Self { alone, stuck, delay })
    }

    /// Why the node cannot answer, where it cannot.
    pub(super) fn trouble(&self) -> Option<String> {
        if self.stuck > 0 {
            return Some("its tables are read-only: it has no connection to ZooKeeper".to_owned());
        }
        match self.delay {
            ..=MOST_DELAY => None,
            STARTING.. => {
                Some("it is starting: it did not compare itself with its replicas yet".to_owned())
            }
            seconds => Some(format!("it is {seconds} s behind its replicas")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn used(values: &[(&str, &str)]) -> Used {
        Used(values.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect())
    }

    #[test]
    fn only_what_a_user_lacks_is_set() {
        let none = used(&[]);
        assert_eq!(none.reading().len(), READ.len());
        assert!(!none.is_fixed());
        let reader: Vec<_> = READ.into_iter().chain([("readonly", "1")]).collect();
        assert!(used(&reader).reading().is_empty() && !used(&reader).is_fixed());
        let old = used(&[("readonly", "1"), READ[1], READ[2]]);
        assert_eq!(old.reading(), [("select_sequential_consistency", "1".to_owned())]);
        assert!(old.is_fixed());
        assert_eq!(MOST_DELAY.to_string(), READ[2].1);
    }

    #[test]
    fn every_replica_must_have_a_block() {
        let names = |settings: Vec<Setting>| settings.iter().map(|s| s.0).collect::<Vec<_>>();
        let early = used(&[]).writing(3);
        assert_eq!(early[0], ("insert_quorum", "3".to_owned()));
        assert_eq!(names(early), ["insert_quorum", "insert_quorum_timeout"]);
        let later = used(&[(PARALLEL, "1")]).writing(2);
        assert_eq!(later[2], (PARALLEL, "0".to_owned()));
    }

    #[test]
    fn copies_of_one_shard_have_one_place_and_names_of_their_own() {
        let names = Names { database: "d".into(), cluster: "c".into() };
        let engine = |shard, number| Replica { shard, number }.engine(&names, "files");
        let place = "'/clickhouse/foureyes/c/d/1/files'";
        assert_eq!(engine(1, 2), format!("ReplicatedReplacingMergeTree({place}, '2')"));
        assert!(engine(1, 1).contains(place) && !engine(2, 1).contains(place));
    }

    #[test]
    fn replica_that_cannot_answer_is_named() {
        let copies = Copies::default();
        assert_eq!(copies.trouble(), None);
        assert_eq!(Copies { delay: 10, ..copies }.trouble(), None);
        let late = Copies { delay: 11, ..copies }.trouble().unwrap();
        assert_eq!(late, "it is 11 s behind its replicas");
        assert!(Copies { delay: 1_795_658_256, ..copies }.trouble().unwrap().contains("starting"));
        assert!(Copies { stuck: 1, ..copies }.trouble().unwrap().contains("ZooKeeper"));
    }
}
