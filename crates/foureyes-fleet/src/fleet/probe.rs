//! Whether all nodes that are needed are there, and which share of the records is not.

use super::connection::{Nodes, Target};
use super::error::{FleetError, Unanswered};
use super::row_binary::Columns;
use super::schema;
use super::sql::{self, Names};
use crate::domain::chain;
use std::collections::BTreeMap;
use tokio::task::JoinSet;

/// The server's numbers for a database and a table that are not there.
const ABSENT: [u32; 2] = [81, 60];

/// What a node knows of the cluster, and of its tables.
struct Probed {
    /// Weight by number of shard.
    shards: BTreeMap<u32, u64>,
    /// The shards of which it is a replica.
    local: Vec<u32>,
    replicas: bool,
    version: Option<u32>,
}

impl Nodes {
    /// The version of the tables of each node, once every shard of the cluster answered.
    pub(super) async fn versions(&self) -> Result<Vec<Option<u32>>, FleetError> {
        let mut waiting = JoinSet::new();
        for (at, server) in self.servers.iter().cloned().enumerate() {
            let (names, user) = (self.names.clone(), self.user.clone());
            waiting.spawn(async move {
                (at, probe(&Target { server: &server, user: &user }, &names).await)
            });
        }
        let mut all: Vec<Option<Result<Probed, FleetError>>> =
            self.servers.iter().map(|_| None).collect();
        while let Some(Ok((at, probed))) = waiting.join_next().await {
            all[at] = Some(probed);
        }
        let (mut down, mut up) = (Vec::new(), Vec::new());
        for (server, probed) in self.servers.iter().zip(all) {
            let address = server.address();
            match probed {
                None => down.push(Unanswered { address, why: "it was not asked".to_owned() }),
                Some(Err(FleetError::NoReply { source, .. })) => {
                    down.push(Unanswered { address, why: chain(&source) });
                }
                Some(probed) => up.push((address, probed?)),
            }
        }
        self.check(&up, down)?;
        Ok(up.into_iter().map(|(_, probed)| probed.version).collect())
    }

    /// Whether the nodes that answered are all that are needed.
    fn check(&self, up: &[(String, Probed)], down: Vec<Unanswered>) -> Result<(), FleetError> {
        let Some((address, first)) = up.first() else {
            return Err(FleetError::Down { nodes: down, of: self.servers.len(), share: Some(100) });
        };
        let wrong = |address: &str, what: String| FleetError::Cluster {
            cluster: self.names.cluster.clone(),
            address: address.to_owned(),
            what,
        };
        if first.shards.is_empty() {
            return Err(wrong(address, "is in no configuration of the server".to_owned()));
        }
        if first.replicas {
            return Err(wrong(address, "has replicas, which are not supported".to_owned()));
        }
        let mut served: Vec<u32> = Vec::new();
        for (address, probed) in up {
            if probed.local.is_empty() {
                return Err(wrong(address, "does not have this node in it".to_owned()));
            }
            if probed.shards != first.shards {
                return Err(wrong(address, "is another one than on the first node".to_owned()));
            }
            served.extend(&probed.local);
        }
        let missing = first.shards.iter().filter(|(shard, _)| !served.contains(shard));
        let missing: u64 = missing.map(|(_, weight)| *weight).sum();
        let all: u64 = first.shards.values().sum::<u64>().max(1);
        if !down.is_empty() {
            let share = u32::try_from(missing * 100 / all).unwrap_or(100);
            return Err(FleetError::Down {
                nodes: down,
                of: self.servers.len(),
                share: Some(share),
            });
        }
        if missing > 0 {
            let (shards, nodes) = (first.shards.len(), self.servers.len());
            let what = format!("has {shards} shards, and {nodes} addresses are configured");
            return Err(wrong(address, what));
        }
        Ok(())
    }
}

/// What a node knows of cluster and tables.
async fn probe(target: &Target<'_>, names: &Names) -> Result<Probed, FleetError> {
    const ATTEMPT: &str = "look at the cluster";
    let select = format!(
        "SELECT toUInt32(shard_num), toUInt32(shard_weight), toUInt32(replica_num), \
         toUInt8(is_local) FROM system.clusters WHERE cluster = {}",
        sql::text(&names.cluster)
    );
    let read = |row: &mut Columns<'_>| Ok((row.u32()?, row.u32()?, row.u32()?, row.u8()?));
    let replicas = target.rows(ATTEMPT, &select, read).await?;
    let select = format!(
        "SELECT toUInt64(count()), toUInt32(max(version)) FROM {}",
        names.part(schema::VERSIONS)
    );
    let read = |row: &mut Columns<'_>| Ok((row.u64()?, row.u32()?));
    let version = match target.rows(ATTEMPT, &select, read).await {
        Ok(found) => found.first().filter(|(count, _)| *count > 0).map(|(_, version)| *version),
        Err(FleetError::Refused { code, .. }) if ABSENT.contains(&code) => None,
        Err(other) => return Err(other),
    };
    Ok(Probed {
        shards: replicas.iter().map(|row| (row.0, u64::from(row.1))).collect(),
        local: replicas.iter().filter(|row| row.3 != 0).map(|row| row.0).collect(),
        replicas: replicas.iter().any(|row| row.2 > 1),
        version,
    })
}
