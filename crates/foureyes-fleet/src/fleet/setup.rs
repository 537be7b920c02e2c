//! Making the tables, and what `users.d` of the servers needs.

use super::connection::{Nodes, Store};
use super::error::FleetError;
use super::probe::Node;
use super::replicas::READ;
use super::sql::hex;
use super::{schema, steps};
use crate::domain::Timestamp;
use crate::files::atomic;
use sha2::{Digest, Sha256};
use std::path::Path;
use std::time::{Duration, Instant};

/// The server's numbers for a column that is there already, and for one that another replica is adding.
const PRESENT: [u32; 3] = [15, 44, 517];
/// Longest wait for the replica that adds it, and how long until it is asked again.
const WAIT: Duration = Duration::from_secs(60);
const AGAIN: Duration = Duration::from_millis(100);
/// What is wrong with a reply of a statement that did nothing.
const UNDONE: &str = "says that it was done, and it was not";

/// What became of the tables of a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prepared {
    /// Its address.
    pub address: String,
    /// The version of its tables before; 0 where there were none.
    pub before: u32,
    /// And now.
    pub now: u32,
}

/// Makes what is missing of the tables on all nodes, one version after the other. A run that was ended in
/// the middle is completed by the next.
///
/// # Errors
/// A node that does not answer, tables of a newer program, or a user without the right to make tables.
pub async fn init(nodes: Nodes, now: Timestamp) -> Result<Vec<Prepared>, FleetError> {
    let store = nodes.connect_to_all().await?;
    let versions = store.versions();
    if let Some((address, found)) = versions.iter().find(|(_, found)| *found > schema::VERSION) {
        let (address, found, known) = (address.clone(), *found, schema::VERSION);
        return Err(FleetError::Newer { address, found, known });
    }
    // All nodes come to one version before any goes on: statements reach over all of them.
    let survey = store.survey();
    let lowest = survey.up.iter().map(|node| node.version).min().unwrap_or(0);
    for node in &survey.up {
        for statement in schema::beginning(store.names()) {
            store.run_on(node.place, "make the database", &statement).await?;
        }
    }
    for version in lowest + 1..=schema::VERSION {
        for node in survey.up.iter().filter(|node| node.version < version) {
            step(&store, node, version, now).await?;
        }
    }
    // That a statement was answered is no proof: what is there is looked at.
    store.look_again().await?;
    let undone = store.versions().into_iter().find(|(_, found)| *found != schema::VERSION);
    if let Some((address, _)) = undone {
        return Err(FleetError::Reply {
            attempt: "enter the schema version",
            address,
            what: UNDONE,
        });
    }
    let prepared = |(address, before)| Prepared { address, before, now: schema::VERSION };
    Ok(versions.into_iter().map(prepared).collect())
}

async fn step(store: &Store, node: &Node, version: u32, now: Timestamp) -> Result<(), FleetError> {
    const ATTEMPT: &str = "make the tables";
    let step = steps::step(version, store.names(), node.replica);
    for statement in &step.tables {
        store.run_on(node.place, ATTEMPT, statement).await?;
    }
    for column in &step.columns {
        if store.one_on(node.place, ATTEMPT, &column.count, |row| row.u64()).await? > 0 {
            continue;
        }
        match store.run_on(node.place, ATTEMPT, &column.statement).await {
            // Another replica of the shard is adding it.
            Err(FleetError::Refused { code, .. }) if PRESENT.contains(&code) => {
                let until = Instant::now() + WAIT;
                while store.one_on(node.place, ATTEMPT, &column.count, |row| row.u64()).await? == 0
                    && Instant::now() < until
                {
                    tokio::time::sleep(AGAIN).await;
                }
            }
            done => done?,
        }
    }
    if store.one_on(node.place, ATTEMPT, &step.count, |row| row.u64()).await? != step.all {
        let address = store.address(node.place);
        return Err(FleetError::Reply { attempt: ATTEMPT, address, what: UNDONE });
    }
    store.enter_version(node.place, version, now.0).await
}

/// A user of the store, and the key that was drawn for it.
#[derive(Debug)]
pub struct DrawnUser {
    /// Its name.
    pub name: &'static str,
    /// The file of its key.
    pub file: &'static str,
    /// The key: 64 hexadecimal digits.
    pub key: String,
}

/// The file of users, and the two whom it lets in.
#[derive(Debug)]
pub struct Users {
    /// For `users.d`: it holds hashes of the keys, and not the keys.
    pub xml: String,
    /// One for publishing, one for reading.
    pub drawn: [DrawnUser; 2],
}

/// The name of the file of users.
pub const USERS_FILE: &str = "foureyes.xml";

/// Users with the least rights, for a server that knows no GRANT. Keys are drawn for them.
///
/// # Errors
/// A system that gives no random numbers.
pub fn users(database: &str) -> Result<Users, FleetError> {
    let publisher = drawn("foureyes_publisher", "publisher.key")?;
    let reader = drawn("foureyes_reader", "reader.key")?;
    let user = |of: &DrawnUser| {
        let (name, hash) = (of.name, hex(&Sha256::digest(of.key.as_bytes())));
        format!(
            "    <{name}>\n      <password_sha256_hex>{hash}</password_sha256_hex>\n      \
             <networks><ip>::/0</ip></networks>\n      <profile>{name}</profile>\n      \
             <quota>default</quota>\n      \
             <allow_databases><database>{database}</database></allow_databases>\n    </{name}>\n"
        )
    };
    // Whoever may only read cannot set what reading from replicas takes.
    let read: Vec<String> =
        READ.iter().map(|(name, value)| format!("      <{name}>{value}</{name}>\n")).collect();
    let read = read.concat();
    let xml = format!(
        "<yandex>\n  <profiles>\n    <foureyes_publisher>\n      <allow_ddl>0</allow_ddl>\n      \
         <insert_distributed_sync>1</insert_distributed_sync>\n      \
         <skip_unavailable_shards>0</skip_unavailable_shards>\n    </foureyes_publisher>\n    \
         <foureyes_reader>\n      <readonly>1</readonly>\n      <allow_ddl>0</allow_ddl>\n      \
         <skip_unavailable_shards>0</skip_unavailable_shards>\n{read}    </foureyes_reader>\n  \
         </profiles>\n  <users>\n{}{}  </users>\n</yandex>\n",
        user(&publisher),
        user(&reader)
    );
    Ok(Users { xml, drawn: [publisher, reader] })
}

fn drawn(name: &'static str, file: &'static str) -> Result<DrawnUser, FleetError> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(FleetError::NoRandomness)?;
    Ok(DrawnUser { name, file, key: hex(&bytes) })
}

/// Writes the file of users and one for each key into a directory, for their owner only. A file that is
/// there is left alone, and nothing is written then.
///
/// # Errors
/// A directory or a file that cannot be made, or is there.
pub fn write_users(users: &Users, dir: &Path) -> Result<(), FleetError> {
    let keys = users.drawn.iter().map(|user| (user.file, format!("{}\n", user.key)));
    let all: Vec<(&str, String)> = keys.chain([(USERS_FILE, users.xml.clone())]).collect();
    let failed = |attempt: &'static str, path: &Path| {
        let path = path.to_path_buf();
        move |source| FleetError::File { attempt, path, source }
    };
    atomic::private_dir(dir).map_err(failed("make", dir))?;
    for (name, _) in &all {
        let path = dir.join(name);
        if path.symlink_metadata().is_ok() {
            return Err(failed("make", &path)(std::io::ErrorKind::AlreadyExists.into()));
        }
    }
    for (name, text) in &all {
        let path = dir.join(name);
        atomic::write(&path, text.as_bytes()).map_err(failed("write", &path))?;
    }
    Ok(())
}
