//! Whether all nodes that are needed are there, and which share of the records is not.

use super::connection::Nodes;
use super::error::{FleetError, Unanswered};
use super::replicas::{Copies, Replica, Used};
use super::row_binary::Columns;
use super::schema;
use super::sql::{self, Names};
use super::target::Target;
use crate::domain::chain;
use std::collections::{BTreeMap, BTreeSet};
use tokio::task::JoinSet;

/// The server's numbers for a database and a table that are not there.
const ABSENT: [u32; 2] = [81, 60];

/// What a node knows of the cluster, and of its tables.
struct Probed {
    /// Weight by number of shard.
    shards: BTreeMap<u32, u64>,
    /// How many copies there are of all shards together, and the most of one.
    copies: [usize; 2],
    /// The shards of which it has a copy.
    local: BTreeSet<u32>,
    version: Option<u32>,
    /// Where the store has replicas.
    replicated: Option<(Copies, Used)>,
}

/// A node that answered.
#[derive(Debug)]
pub(super) struct Node {
    /// Its place among the addresses.
    pub(super) place: usize,
    /// The version of its tables; 0 where there are none.
    pub(super) version: u32,
    /// The shards of which it has a copy: one, where the store has replicas.
    local: BTreeSet<u32>,
    /// Which copy of that it is, where the store has replicas and all of them answered.
    pub(super) replica: Option<Replica>,
    /// What a statement to it must set, to read and to add rows.
    pub(super) used: Option<Used>,
}

/// The nodes that answered, of which every shard has one.
#[derive(Debug)]
pub(super) struct Survey {
    /// Weight by number of shard.
    shards: BTreeMap<u32, u64>,
    pub(super) up: Vec<Node>,
    /// Replicas that cannot answer.
    pub(super) down: Vec<Unanswered>,
    /// Copies of each shard.
    pub(super) copies: u32,
}

impl Survey {
    /// Nodes that have all records together, each with the condition on `head` that holds for its own.
    pub(super) fn own(&self) -> Vec<(&Node, String)> {
        let all: u64 = self.shards.values().sum::<u64>().max(1);
        let mut seen = BTreeSet::new();
        let mut nodes = Vec::new();
        for node in &self.up {
            if node.local.iter().all(|shard| !seen.insert(*shard)) {
                continue;
            }
            let slots = node.local.iter().map(|shard| {
                let first: u64 = self.shards.range(..shard).map(|(_, weight)| *weight).sum();
                let weight = self.shards.get(shard).copied().unwrap_or(0);
                format!("(head % {all} >= {first} AND head % {all} < {})", first + weight)
            });
            nodes.push((node, slots.collect::<Vec<_>>().join(" OR ")));
        }
        nodes
    }
}

impl Nodes {
    /// Asks all nodes, and looks whether every shard of the cluster answered.
    pub(super) async fn survey(&self) -> Result<Survey, FleetError> {
        let mut waiting = JoinSet::new();
        for (at, server) in self.servers.iter().cloned().enumerate() {
            let (names, user, replicas) = (self.names.clone(), self.user.clone(), self.replicas);
            waiting.spawn(async move {
                (at, probe(&Target { server: &server, user: &user }, &names, replicas).await)
            });
        }
        let mut all: Vec<Option<Result<Probed, FleetError>>> =
            self.servers.iter().map(|_| None).collect();
        while let Some(Ok((at, probed))) = waiting.join_next().await {
            all[at] = Some(probed);
        }
        let (mut down, mut up) = (Vec::new(), Vec::new());
        for (place, (server, probed)) in self.servers.iter().zip(all).enumerate() {
            let address = server.address();
            match probed {
                None => down.push(Unanswered { address, why: "it was not asked".to_owned() }),
                Some(Err(FleetError::NoReply { source, .. })) => {
                    down.push(Unanswered { address, why: chain(&source) });
                }
                Some(probed) => {
                    let probed = probed?;
                    let trouble = probed.replicated.as_ref().and_then(|(of, _)| of.trouble());
                    match trouble {
                        Some(why) => down.push(Unanswered { address, why }),
                        None => up.push((place, address, probed)),
                    }
                }
            }
        }
        self.check(up, down)
    }

    /// Whether the nodes that answered are all that are needed.
    fn check(
        &self,
        up: Vec<(usize, String, Probed)>,
        down: Vec<Unanswered>,
    ) -> Result<Survey, FleetError> {
        let of = self.servers.len();
        let Some((_, address, first)) = up.first() else {
            return Err(FleetError::Down { nodes: down, of, share: Some(100) });
        };
        let mut served: BTreeMap<u32, usize> = BTreeMap::new();
        for (_, address, probed) in &up {
            self.fits(address, probed)?;
            if (&probed.shards, probed.copies) != (&first.shards, first.copies) {
                return Err(self.wrong(address, "is another one than on the first node"));
            }
            probed.local.iter().for_each(|shard| *served.entry(*shard).or_default() += 1);
        }
        let missing = first.shards.iter().filter(|(shard, _)| !served.contains_key(shard));
        let missing: u64 = missing.map(|(_, weight)| *weight).sum();
        if !down.is_empty() && (missing > 0 || !self.replicas) {
            let all: u64 = first.shards.values().sum::<u64>().max(1);
            let share = Some(u32::try_from(missing * 100 / all).unwrap_or(100));
            return Err(FleetError::Down { nodes: down, of, share });
        }
        let (shards, [all, copies]) = (first.shards.len(), first.copies);
        let is_uneven = down.is_empty() && served.values().any(|count| *count != copies);
        if self.replicas && (all != of || all != copies * shards || is_uneven) {
            let what = format!(
                "has {shards} shards with up to {copies} replicas, and {of} addresses are configured"
            );
            return Err(self.wrong(address, &what));
        }
        if missing > 0 {
            let what = format!("has {shards} shards, and {of} addresses are configured");
            return Err(self.wrong(address, &what));
        }
        let shards = first.shards.clone();
        let copies = u32::try_from(copies).unwrap_or(u32::MAX);
        Ok(Survey { shards, up: self.nodes(up, down.is_empty()), down, copies })
    }

    /// The nodes, each of the replicas of a shard with its number: its place among their addresses.
    fn nodes(&self, up: Vec<(usize, String, Probed)>, are_all: bool) -> Vec<Node> {
        let mut numbers: BTreeMap<u32, u32> = BTreeMap::new();
        let node = |(place, _, probed): (usize, String, Probed)| {
            let shard = probed.local.first().copied().filter(|_| self.replicas && are_all);
            let replica = shard.map(|shard| {
                let number = numbers.entry(shard).or_default();
                *number += 1;
                Replica { shard, number: *number }
            });
            let (version, used) =
                (probed.version.unwrap_or(0), probed.replicated.map(|(_, used)| used));
            Node { place, version, local: probed.local, replica, used }
        };
        up.into_iter().map(node).collect()
    }

    /// Whether a node can be one of the store, by what it knows.
    fn fits(&self, address: &str, probed: &Probed) -> Result<(), FleetError> {
        if probed.shards.is_empty() {
            return Err(self.wrong(address, "is in no configuration of the server"));
        }
        if !self.replicas && probed.copies[1] > 1 {
            return Err(self.wrong(address, "has replicas, and `replicas` is not set"));
        }
        if probed.local.is_empty() {
            return Err(self.wrong(address, "does not have this node in it"));
        }
        if self.replicas && probed.local.len() > 1 {
            return Err(self.wrong(address, "has this node in several shards"));
        }
        match &probed.replicated {
            Some((copies, _)) if copies.alone > 0 => Err(self.wrong(
                address,
                "has replicas, and the tables were created without: choose another `database`",
            )),
            Some((_, used)) if used.is_fixed() => {
                Err(FleetError::Settings { address: address.to_owned(), user: self.user.clone() })
            }
            _ => Ok(()),
        }
    }

    fn wrong(&self, address: &str, what: &str) -> FleetError {
        FleetError::Cluster {
            cluster: self.names.cluster.clone(),
            address: address.to_owned(),
            what: what.to_owned(),
        }
    }
}

/// What a node knows of cluster and tables.
async fn probe(target: &Target<'_>, names: &Names, replicas: bool) -> Result<Probed, FleetError> {
    const ATTEMPT: &str = "look at the cluster";
    // Early servers call all replicas of a shard local of which they are one.
    let select = format!(
        "SELECT toUInt32(shard_num), toUInt32(any(shard_weight)), toUInt32(count()), \
         toUInt8(max(is_local)) FROM system.clusters WHERE cluster = {} GROUP BY shard_num",
        sql::text(&names.cluster)
    );
    let read = |row: &mut Columns<'_>| Ok((row.u32()?, row.u32()?, row.u32()?, row.u8()? != 0));
    let shards = target.rows(ATTEMPT, &select, &[], read).await?;
    let select = format!(
        "SELECT toUInt64(count()), toUInt32(max(version)) FROM {}",
        names.part(schema::VERSIONS)
    );
    let read = |row: &mut Columns<'_>| Ok((row.u64()?, row.u32()?));
    let version = match target.one(ATTEMPT, &select, &[], read).await {
        Ok((count, version)) => (count > 0).then_some(version),
        Err(FleetError::Refused { code, .. }) if ABSENT.contains(&code) => None,
        Err(other) => return Err(other),
    };
    let replicated = match replicas {
        false => None,
        true => {
            let copies = Copies::of(target, names, schema::VERSIONS).await?;
            Some((copies, Used::of(target).await?))
        }
    };
    let copies = || shards.iter().map(|row| row.2 as usize);
    Ok(Probed {
        shards: shards.iter().map(|row| (row.0, u64::from(row.1))).collect(),
        copies: [copies().sum(), copies().max().unwrap_or(0)],
        local: shards.iter().filter(|row| row.3).map(|row| row.0).collect(),
        version,
        replicated,
    })
}
