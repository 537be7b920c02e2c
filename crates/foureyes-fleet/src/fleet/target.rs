//! A statement to one node, and its reply.
//!
//! What answers may be another program than the server: a gateway with its own page, or one that cuts a reply. Status
//! 200 alone is no proof, so every reply is checked against what its statement must give.

use super::error::FleetError;
use super::replicas::Setting;
use super::row_binary::{Columns, Torn};
use crate::provider::http::{PostError, Server, ServerReply};

/// Most of a server's words in an error.
const WORDS: usize = 300;
/// The same for a user that is not known and for a key that is not its.
const LOGIN: [u32; 3] = [192, 193, 516];
/// Where a server writes the number of an error, whatever the status of the reply is.
const CODE: &str = "x-clickhouse-exception-code";
/// What the words of an error begin with.
const EXCEPTION: &str = "DB::Exception: ";
/// Kinds of content that no server gives for the formats that are asked for.
const PAGES: [&str; 4] = ["text/html", "application/xhtml", "application/json", "application/xml"];

/// A node, and who asks it.
pub(super) struct Target<'a> {
    pub(super) server: &'a Server,
    pub(super) user: &'a str,
}

impl Target<'_> {
    /// A statement whose reply has nothing in it: it adds rows or makes tables.
    pub(super) async fn order(
        &self,
        attempt: &'static str,
        query: &[(&str, &str)],
        body: Vec<u8>,
    ) -> Result<(), FleetError> {
        let reply = self.post(attempt, query, body).await?;
        match reply.trim_ascii().is_empty() {
            true => Ok(()),
            false if names_exception(&reply) => Err(self.exception(attempt, 200, &reply)),
            false => Err(self.odd(attempt, "has something in it, and it must be empty")),
        }
    }

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
        if reply.status != 200 || reply.header(CODE).is_some() {
            return Err(self.refused(attempt, &reply));
        }
        let kind = reply.header("content-type").unwrap_or_default().to_ascii_lowercase();
        match PAGES.iter().any(|page| kind.starts_with(page)) {
            true => Err(self.odd(attempt, "is a page of another program than ClickHouse")),
            false => Ok(reply.body),
        }
    }

    /// Asks for rows, of which there may be none: then that is asked too, since an empty reply says nothing.
    pub(super) async fn rows<T>(
        &self,
        attempt: &'static str,
        select: &str,
        settings: &[Setting],
        mut read: impl FnMut(&mut Columns<'_>) -> Result<T, Torn>,
    ) -> Result<Vec<T>, FleetError> {
        let reply = self.reply(attempt, select, settings).await?;
        self.read(attempt, &reply, &mut read)
    }

    /// Asks for the one row that a statement gives whatever is there.
    pub(super) async fn one<T>(
        &self,
        attempt: &'static str,
        select: &str,
        settings: &[Setting],
        mut read: impl FnMut(&mut Columns<'_>) -> Result<T, Torn>,
    ) -> Result<T, FleetError> {
        let reply = self.raw(attempt, select, settings).await?;
        self.only(attempt, &reply, &mut read)
    }

    /// The reply to a statement of which there may be no rows.
    pub(super) async fn reply(
        &self,
        attempt: &'static str,
        select: &str,
        settings: &[Setting],
    ) -> Result<Vec<u8>, FleetError> {
        let reply = self.raw(attempt, select, settings).await?;
        if !reply.is_empty() {
            return Ok(reply);
        }
        let count = format!("SELECT toUInt64(count()) FROM ({select})");
        let count = self.raw(attempt, &count, settings).await?;
        match self.only(attempt, &count, &mut |row| row.u64())? {
            0 => Ok(reply),
            _ => Err(self.odd(attempt, "is empty, and there are rows")),
        }
    }

    /// The reply to a statement that gives a row at least, or of which an empty one is asked about.
    pub(super) async fn raw(
        &self,
        attempt: &'static str,
        select: &str,
        settings: &[Setting],
    ) -> Result<Vec<u8>, FleetError> {
        let query: Vec<(&str, &str)> =
            settings.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let reply =
            self.post(attempt, &query, format!("{select} FORMAT RowBinary").into_bytes()).await?;
        match reply.starts_with(b"Code: ") && names_exception(&reply) {
            true => Err(self.exception(attempt, 200, &reply)),
            false => Ok(reply),
        }
    }

    /// The one row of a reply.
    pub(super) fn only<T>(
        &self,
        attempt: &'static str,
        body: &[u8],
        read: &mut dyn FnMut(&mut Columns<'_>) -> Result<T, Torn>,
    ) -> Result<T, FleetError> {
        let rows = self.read(attempt, body, read)?;
        let [row] = <[T; 1]>::try_from(rows).map_err(|rows| match rows.len() {
            0 => self.odd(attempt, "is empty, and it must have a row"),
            _ => self.odd(attempt, "has several rows, and it must have one"),
        })?;
        Ok(row)
    }

    /// The rows of a reply.
    pub(super) fn read<T>(
        &self,
        attempt: &'static str,
        body: &[u8],
        read: &mut dyn FnMut(&mut Columns<'_>) -> Result<T, Torn>,
    ) -> Result<Vec<T>, FleetError> {
        let (mut columns, mut rows) = (Columns::new(body), Vec::new());
        while !columns.is_at_end() {
            match read(&mut columns) {
                Ok(row) => rows.push(row),
                // A reply that began well may end in an error.
                Err(Torn) if names_exception(body) => {
                    return Err(self.exception(attempt, 200, body));
                }
                Err(Torn) => return Err(self.odd(attempt, "is cut or has other columns")),
            }
        }
        Ok(rows)
    }

    fn odd(&self, attempt: &'static str, what: &'static str) -> FleetError {
        FleetError::Reply { attempt, address: self.server.address(), what }
    }

    fn no_reply(&self, attempt: &'static str, source: PostError) -> FleetError {
        FleetError::NoReply { attempt, address: self.server.address(), source }
    }

    fn refused(&self, attempt: &'static str, reply: &ServerReply) -> FleetError {
        match reply.header(CODE).and_then(|code| code.trim().parse().ok()) {
            Some(code) => self.with_code(attempt, reply.status, &reply.body, code),
            None => self.exception(attempt, reply.status, &reply.body),
        }
    }

    fn exception(&self, attempt: &'static str, status: u16, body: &[u8]) -> FleetError {
        let text = String::from_utf8_lossy(body);
        let digits = text.split_once("Code: ").map_or("", |(_, rest)| rest);
        let digits: String = digits.chars().take_while(char::is_ascii_digit).collect();
        self.with_code(attempt, status, body, digits.parse().unwrap_or(0))
    }

    fn with_code(&self, attempt: &'static str, status: u16, body: &[u8], code: u32) -> FleetError {
        let address = self.server.address();
        if LOGIN.contains(&code) || code == 0 && matches!(status, 401 | 403) {
            return FleetError::Login { address, user: self.user.to_owned() };
        }
        let text = String::from_utf8_lossy(body);
        let line = match text.split_once(EXCEPTION) {
            Some((_, rest)) => rest.lines().next().unwrap_or_default(),
            None => text.lines().next().unwrap_or_default(),
        };
        let line = line.split(", e.what()").next().unwrap_or_default();
        let reason = match line.trim() {
            "" => format!("no reason given (status {status})"),
            line => super::mask::text(line).chars().take(WORDS).collect(),
        };
        FleetError::Refused { attempt, address, code, reason }
    }
}

fn names_exception(body: &[u8]) -> bool {
    memchr::memmem::find(body, EXCEPTION.as_bytes()).is_some()
}

#[cfg(test)]
mod tests;
