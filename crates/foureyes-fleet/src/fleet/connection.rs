//! The nodes of the store: one statement to one of them, and whether all that are needed are there.

use super::error::FleetError;
use super::flag_cache::FlagCache;
use super::probe::{Node, Survey};
use super::replicas::{Setting, Used};
use super::row_binary::{Columns, Rows, Torn};
use super::schema::{self, Table};
use super::sql::{self, Names};
use super::target::Target;
use crate::config::FleetConfig;
use crate::provider::http::{Server, ServerSettings};
use crate::provider::key;
use secrecy::SecretString;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

/// Longest wait for a connection.
const CONNECT: Duration = Duration::from_secs(5);
/// Longest wait for the command that prints the key.
const KEY_TIME: Duration = Duration::from_secs(20);
/// Largest reply, in bytes.
const MOST: usize = 1 << 30;
/// Rows that are fetched at once, about.
const TOGETHER: u64 = 500_000;
/// The server's number for a block that replicas still have to fetch: the next one must wait for it.
const WAITING: u32 = 286;
/// Longest wait for that.
const WAIT: Duration = Duration::from_secs(60);
/// How long until it is looked at again.
const AGAIN: Duration = Duration::from_millis(100);

/// The nodes, of which nothing is known yet.
#[derive(Debug)]
pub struct Nodes {
    pub(super) servers: Vec<Server>,
    pub(super) names: Names,
    pub(super) user: String,
    /// Whether shards have several copies.
    pub(super) replicas: bool,
    together: u64,
}

/// The store, all of whose shards answered.
#[derive(Debug)]
pub struct Store {
    nodes: Nodes,
    /// What answered last.
    survey: Mutex<Arc<Survey>>,
    /// What is known of lines of tasks.
    flags: FlagCache,
}

impl Nodes {
    /// Those of the configuration. Nothing is connected; the command for the key may take its time.
    ///
    /// # Errors
    /// No address, or a key, a certificate or an address that cannot be used.
    pub fn new(config: &FleetConfig) -> Result<Self, FleetError> {
        if config.addresses.is_empty() {
            return Err(FleetError::NotConfigured);
        }
        let key = key_of(config)
            .map_err(|source| FleetError::Key { user: config.user.clone(), source })?;
        let authorities = config.ca.as_ref().map(|path| {
            let failed = |source| FleetError::File { attempt: "read", path: path.clone(), source };
            std::fs::read(path).map_err(failed)
        });
        let mut headers = vec![("x-clickhouse-user", SecretString::from(config.user.clone()))];
        headers.extend(key.map(|key| ("x-clickhouse-key", key)));
        let mut settings = ServerSettings {
            address: String::new(),
            plain_http: config.allow_plain_http,
            authorities: authorities.transpose()?,
            headers,
            connect: CONNECT,
            whole: config.timeout,
            most: MOST,
        };
        let mut servers = Vec::new();
        for address in &config.addresses {
            settings.address.clone_from(address);
            let failed = |source| FleetError::Address { address: address.clone(), source };
            servers.push(Server::new(&settings).map_err(failed)?);
        }
        let (database, cluster) = (config.database.clone(), config.cluster.clone());
        let (user, replicas) = (config.user.clone(), config.replicas);
        let names = Names { database, cluster };
        Ok(Self { servers, names, user, replicas, together: TOGETHER })
    }

    /// The same, of which about so many rows are fetched at once where there may be very many.
    #[must_use]
    pub fn fetching(self, together: u64) -> Self {
        Self { together, ..self }
    }

    /// Looks whether every shard of the cluster answers, and what tables there are.
    ///
    /// # Errors
    /// A shard that does not answer, a user that is refused, or a cluster that does not fit.
    pub async fn connect(self) -> Result<Store, FleetError> {
        let survey = Mutex::new(Arc::new(self.survey().await?));
        Ok(Store { nodes: self, survey, flags: FlagCache::default() })
    }

    /// The same to create tables or to add rows: every replica must be there.
    ///
    /// # Errors
    /// A node that does not answer, a user that is refused, or a cluster that does not fit.
    pub async fn connect_to_all(self) -> Result<Store, FleetError> {
        let store = self.connect().await?;
        let (nodes, of) = (store.survey().down.clone(), store.nodes.servers.len());
        if nodes.is_empty() { Ok(store) } else { Err(FleetError::Down { nodes, of, share: None }) }
    }
}

impl Store {
    pub(super) fn survey(&self) -> Arc<Survey> {
        // What a thread that panicked left is whole.
        Arc::clone(&self.survey.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The version of the tables of each node that answered; 0 where there are none.
    pub(super) fn versions(&self) -> Vec<(String, u32)> {
        let address = |node: &Node| Some(self.nodes.servers.get(node.place)?.address());
        let survey = self.survey();
        survey.up.iter().filter_map(|node| Some((address(node)?, node.version))).collect()
    }

    /// Refuses a store whose tables are not those of this program.
    ///
    /// # Errors
    /// Older or newer tables on a node.
    pub(super) fn checked(self) -> Result<Self, FleetError> {
        for (address, found) in self.versions() {
            if found > schema::VERSION {
                return Err(FleetError::Newer { address, found, known: schema::VERSION });
            }
            if found < schema::VERSION {
                return Err(FleetError::Older { address, found, needed: schema::VERSION });
            }
        }
        Ok(self)
    }

    pub(super) fn names(&self) -> &Names {
        &self.nodes.names
    }

    /// Rows that are fetched at once, about, where there may be very many.
    pub(super) fn together(&self) -> u64 {
        self.nodes.together
    }

    pub(super) fn flags(&self) -> &FlagCache {
        &self.flags
    }

    /// Why a statement failed: where nodes do not answer any more, that, with their share.
    pub(super) async fn explain(&self, error: FleetError) -> FleetError {
        if !error.is_of_node() {
            return error;
        }
        match self.look_again().await {
            Err(down @ FleetError::Down { .. }) => down,
            _ => error,
        }
    }

    /// Asks the nodes whether they are there, and keeps what they say.
    pub(super) async fn look_again(&self) -> Result<(), FleetError> {
        let survey = Arc::new(self.nodes.survey().await?);
        *self.survey.lock().unwrap_or_else(PoisonError::into_inner) = survey;
        Ok(())
    }

    /// Runs a statement on a node, by its place among the addresses.
    pub(super) async fn run_on(
        &self,
        node: usize,
        attempt: &'static str,
        statement: &str,
    ) -> Result<(), FleetError> {
        let Some(server) = self.nodes.servers.get(node) else { return Ok(()) };
        let target = Target { server, user: &self.nodes.user };
        target.order(attempt, &[], statement.as_bytes().to_vec()).await
    }

    /// The address of a node, by its place.
    pub(super) fn address(&self, node: usize) -> String {
        self.nodes.servers.get(node).map(Server::address).unwrap_or_default()
    }

    /// The one row that a node gives to a statement, by its place among the addresses.
    pub(super) async fn one_on<T>(
        &self,
        node: usize,
        attempt: &'static str,
        select: &str,
        read: impl FnMut(&mut Columns<'_>) -> Result<T, Torn>,
    ) -> Result<T, FleetError> {
        self.target(node)?.one(attempt, select, &[], read).await
    }

    /// Asks over all nodes for the one row that a statement gives whatever is there.
    pub(super) async fn one<T>(
        &self,
        attempt: &'static str,
        select: &str,
        mut read: impl FnMut(&mut Columns<'_>) -> Result<T, Torn>,
    ) -> Result<T, FleetError> {
        let asked = self.asked()?;
        match self.target(asked.0)?.raw(attempt, select, &asked.1).await {
            Err(FleetError::NoReply { .. }) if self.nodes.replicas => {
                self.look_again().await?;
                let asked = self.asked()?;
                self.target(asked.0)?.one(attempt, select, &asked.1, read).await
            }
            reply => self.target(asked.0)?.only(attempt, &reply?, &mut read),
        }
    }

    /// Asks over all nodes; `read` reads a row, of which there may be none. Where the node that is asked does not
    /// answer any more, a replica is.
    pub(super) async fn rows<T>(
        &self,
        attempt: &'static str,
        select: &str,
        mut read: impl FnMut(&mut Columns<'_>) -> Result<T, Torn>,
    ) -> Result<Vec<T>, FleetError> {
        let asked = self.asked()?;
        match self.target(asked.0)?.reply(attempt, select, &asked.1).await {
            Err(FleetError::NoReply { .. }) if self.nodes.replicas => {
                self.look_again().await?;
                let asked = self.asked()?;
                self.target(asked.0)?.rows(attempt, select, &asked.1, read).await
            }
            reply => self.target(asked.0)?.read(attempt, &reply?, &mut read),
        }
    }

    /// Asks one node of each shard for its own rows, all at the same time, and puts together what they say.
    /// `select` is given the condition on `head` that holds for rows of that shard.
    pub(super) async fn by_shard<T>(
        &self,
        attempt: &'static str,
        select: impl Fn(&str) -> String,
        mut read: impl FnMut(&mut Columns<'_>) -> Result<T, Torn>,
    ) -> Result<Vec<T>, FleetError> {
        let survey = self.survey();
        let mut waiting = JoinSet::new();
        for (node, own) in survey.own() {
            let (place, select) = (node.place, select(&own));
            let settings = node.used.as_ref().map(Used::reading).unwrap_or_default();
            let target = self.target(place)?;
            let (server, user) = (target.server.clone(), target.user.to_owned());
            waiting.spawn(async move {
                let target = Target { server: &server, user: &user };
                target.reply(attempt, &select, &settings).await.map(|reply| (place, reply))
            });
        }
        let mut all = Vec::new();
        while let Some(reply) = waiting.join_next().await {
            let (place, reply) = reply.map_err(FleetError::Task)??;
            all.extend(self.target(place)?.read(attempt, &reply, &mut read)?);
        }
        Ok(all)
    }

    /// Adds rows to a table over all nodes. When it returns, the nodes have them.
    pub(super) async fn insert(&self, table: &Table, rows: Rows) -> Result<(), FleetError> {
        self.inserting(table, rows)?.await
    }

    /// The same, to be awaited anywhere.
    pub(super) fn inserting(
        &self,
        table: &Table,
        rows: Rows,
    ) -> Result<impl Future<Output = Result<(), FleetError>> + Send + use<>, FleetError> {
        let survey = self.survey();
        let node = survey.up.first().ok_or(FleetError::NotConfigured)?;
        let mut settings: Vec<Setting> = vec![("insert_distributed_sync", "1".to_owned())];
        settings.extend(node.used.iter().flat_map(|used| used.writing(survey.copies)));
        let target = self.target(node.place)?;
        let (server, user) = (target.server.clone(), target.user.to_owned());
        let (into, columns) = (self.names().table(table.name), table.names());
        Ok(async move {
            if rows.count() == 0 {
                return Ok(());
            }
            let statement = format!("INSERT INTO {into} ({columns}) FORMAT RowBinary");
            let mut query = vec![("query", statement.as_str())];
            query.extend(settings.iter().map(|(name, value)| (*name, value.as_str())));
            let target = Target { server: &server, user: &user };
            let bytes = rows.into_bytes();
            if query.len() == 2 {
                return target.order("publish", &query, bytes).await;
            }
            // Of the blocks of several publishers, one at a time goes to the replicas of a shard.
            let began = Instant::now();
            loop {
                match target.order("publish", &query, bytes.clone()).await {
                    Err(FleetError::Refused { code: WAITING, .. }) if began.elapsed() < WAIT => {
                        tokio::time::sleep(AGAIN).await;
                    }
                    sent => return sent,
                }
            }
        })
    }

    /// Enters the version of the tables of a node.
    pub(super) async fn enter_version(
        &self,
        node: usize,
        version: u32,
        applied: i64,
    ) -> Result<(), FleetError> {
        let program = sql::text(env!("CARGO_PKG_VERSION"));
        let into = self.names().part(schema::VERSIONS);
        let statement = format!(
            "INSERT INTO {into} (version, applied, program) SELECT toUInt32({version}), toInt64({applied}), {program}"
        );
        self.run_on(node, "enter the schema version", &statement).await
    }

    /// The place of the node that is asked, and asks the others, and what a question to it must set.
    fn asked(&self) -> Result<(usize, Vec<Setting>), FleetError> {
        let survey = self.survey();
        let node = survey.up.first().ok_or(FleetError::NotConfigured)?;
        Ok((node.place, node.used.as_ref().map(Used::reading).unwrap_or_default()))
    }

    fn target(&self, place: usize) -> Result<Target<'_>, FleetError> {
        let server = self.nodes.servers.get(place).ok_or(FleetError::NotConfigured)?;
        Ok(Target { server, user: &self.nodes.user })
    }
}

fn key_of(config: &FleetConfig) -> Result<Option<SecretString>, key::Error> {
    let key = match &config.key_command {
        Some(command) => key::command(command, KEY_TIME)?,
        None => {
            let Some(value) = config.key_variable() else { return Ok(None) };
            key::given(value.to_str().ok_or(key::Error::Shape)?)?
        }
    };
    crate::text::mask::remember(&key);
    Ok(Some(key))
}
