//! The nodes of the store: one statement to one of them, and whether all that are needed are there.

use super::error::FleetError;
use super::flag_cache::FlagCache;
use super::row_binary::{Columns, Rows, Torn};
use super::schema::{self, Table};
use super::sql::{self, Names};
use crate::config::FleetConfig;
use crate::provider::http::{PostError, Server, ServerReply, ServerSettings};
use crate::provider::key;
use secrecy::SecretString;
use std::time::Duration;

/// Longest wait for a connection.
const CONNECT: Duration = Duration::from_secs(5);
/// Longest wait for the command that prints the key.
const KEY_TIME: Duration = Duration::from_secs(20);
/// Largest reply, in bytes.
const MOST: usize = 1 << 30;
/// Most of a server's words in an error.
const WORDS: usize = 300;
/// The same for a user that is not known and for a key that is not its.
const LOGIN: [u32; 3] = [192, 193, 516];

/// The nodes, of which nothing is known yet.
#[derive(Debug)]
pub struct Nodes {
    pub(super) servers: Vec<Server>,
    pub(super) names: Names,
    pub(super) user: String,
}

/// The store, all of whose shards answered.
#[derive(Debug)]
pub struct Store {
    nodes: Nodes,
    /// The version of the tables of each node, in the order of the addresses; `None` where there are none.
    versions: Vec<Option<u32>>,
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
        Ok(Self { servers, names: Names { database, cluster }, user: config.user.clone() })
    }

    /// Looks whether every shard of the cluster answers, and what tables there are.
    ///
    /// # Errors
    /// A shard that does not answer, a user that is refused, or a cluster that does not fit.
    pub async fn connect(self) -> Result<Store, FleetError> {
        let versions = self.versions().await?;
        Ok(Store { nodes: self, versions, flags: FlagCache::default() })
    }
}

impl Store {
    /// The version of the tables of each node; 0 where there are none.
    pub(super) fn versions(&self) -> impl Iterator<Item = (String, u32)> + '_ {
        let addresses = self.nodes.servers.iter().map(Server::address);
        addresses.zip(self.versions.iter().map(|version| version.unwrap_or(0)))
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

    pub(super) fn flags(&self) -> &FlagCache {
        &self.flags
    }

    /// Why a statement failed: where nodes do not answer any more, that, with their share.
    pub(super) async fn explain(&self, error: FleetError) -> FleetError {
        if !error.is_of_node() {
            return error;
        }
        match self.nodes.versions().await {
            Err(down @ FleetError::Down { .. }) => down,
            _ => error,
        }
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
        target.post(attempt, &[], statement.as_bytes().to_vec()).await.map(drop)
    }

    /// Asks over all nodes; `read` reads a row.
    pub(super) async fn rows<T>(
        &self,
        attempt: &'static str,
        select: &str,
        read: impl FnMut(&mut Columns<'_>) -> Result<T, Torn>,
    ) -> Result<Vec<T>, FleetError> {
        self.target()?.rows(attempt, select, read).await
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
        let target = self.target()?;
        let (server, user) = (target.server.clone(), target.user.to_owned());
        let (into, columns) = (self.names().table(table.name), table.names());
        Ok(async move {
            if rows.count() == 0 {
                return Ok(());
            }
            let statement = format!("INSERT INTO {into} ({columns}) FORMAT RowBinary");
            let query = [("query", statement.as_str()), ("insert_distributed_sync", "1")];
            let target = Target { server: &server, user: &user };
            target.post("publish", &query, rows.into_bytes()).await.map(drop)
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

    /// The node that is asked, and asks the others.
    fn target(&self) -> Result<Target<'_>, FleetError> {
        let server = self.nodes.servers.first().ok_or(FleetError::NotConfigured)?;
        Ok(Target { server, user: &self.nodes.user })
    }
}

/// A node, and who asks it.
pub(super) struct Target<'a> {
    pub(super) server: &'a Server,
    pub(super) user: &'a str,
}

impl Target<'_> {
    async fn post(
        &self,
        attempt: &'static str,
        query: &[(&str, &str)],
        body: Vec<u8>,
    ) -> Result<Vec<u8>, FleetError> {
        // Without it a reply may begin well, with status 200, and end in an error.
        let whole = [("wait_end_of_query", "1")];
        let query: Vec<(&str, &str)> = whole.iter().chain(query).copied().collect();
        let reply = self.server.post(&query, body).await;
        let reply = reply.map_err(|source| self.no_reply(attempt, source))?;
        if reply.status == 200 { Ok(reply.body) } else { Err(self.refused(attempt, &reply)) }
    }

    pub(super) async fn rows<T>(
        &self,
        attempt: &'static str,
        select: &str,
        mut read: impl FnMut(&mut Columns<'_>) -> Result<T, Torn>,
    ) -> Result<Vec<T>, FleetError> {
        let statement = format!("{select} FORMAT RowBinary");
        let body = self.post(attempt, &[], statement.into_bytes()).await?;
        let (mut columns, mut rows) = (Columns::new(&body), Vec::new());
        while !columns.is_at_end() {
            let row = read(&mut columns);
            rows.push(
                row.map_err(|Torn| FleetError::Reply { attempt, address: self.server.address() })?,
            );
        }
        Ok(rows)
    }

    fn no_reply(&self, attempt: &'static str, source: PostError) -> FleetError {
        FleetError::NoReply { attempt, address: self.server.address(), source }
    }

    fn refused(&self, attempt: &'static str, reply: &ServerReply) -> FleetError {
        let address = self.server.address();
        let text = String::from_utf8_lossy(&reply.body);
        let digits = text.split_once("Code: ").map_or("", |(_, rest)| rest);
        let digits: String = digits.chars().take_while(char::is_ascii_digit).collect();
        let code = digits.parse().unwrap_or(0);
        if LOGIN.contains(&code) || code == 0 && matches!(reply.status, 401 | 403) {
            return FleetError::Login { address, user: self.user.to_owned() };
        }
        let line = text.lines().next().unwrap_or_default();
        let line = line.split_once("DB::Exception: ").map_or(line, |(_, rest)| rest);
        let line = line.split(", e.what()").next().unwrap_or_default();
        let reason = match line.trim() {
            "" => format!("status {}", reply.status),
            line => super::mask::text(line).chars().take(WORDS).collect(),
        };
        FleetError::Refused { attempt, address, code, reason }
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
