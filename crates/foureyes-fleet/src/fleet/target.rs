//! A statement to one node, and its reply.

use super::error::FleetError;
use super::replicas::Setting;
use super::row_binary::{Columns, Torn};
use crate::provider::http::{PostError, Server, ServerReply};

/// Most of a server's words in an error.
const WORDS: usize = 300;
/// The same for a user that is not known and for a key that is not its.
const LOGIN: [u32; 3] = [192, 193, 516];

/// A node, and who asks it.
pub(super) struct Target<'a> {
    pub(super) server: &'a Server,
    pub(super) user: &'a str,
}

impl Target<'_> {
    pub(super) async fn post(
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
        self.read(attempt, &self.reply(attempt, select, &[]).await?, &mut read)
    }

    pub(super) async fn reply(
        &self,
        attempt: &'static str,
        select: &str,
        settings: &[Setting],
    ) -> Result<Vec<u8>, FleetError> {
        let query: Vec<(&str, &str)> =
            settings.iter().map(|(name, value)| (*name, value.as_str())).collect();
        self.post(attempt, &query, format!("{select} FORMAT RowBinary").into_bytes()).await
    }

    pub(super) fn read<T>(
        &self,
        attempt: &'static str,
        body: &[u8],
        read: &mut dyn FnMut(&mut Columns<'_>) -> Result<T, Torn>,
    ) -> Result<Vec<T>, FleetError> {
        let (mut columns, mut rows) = (Columns::new(body), Vec::new());
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
