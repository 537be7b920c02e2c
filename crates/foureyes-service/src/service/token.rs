//! Clients, and the tokens by which they are known.
//!
//! A token is 256 random bits. Nobody can guess or enumerate those, so the file has their plain BLAKE3
//! hash: a slow hash for passwords would only cost time with every request.

use super::Error;
use crate::domain::Timestamp;
use crate::engine::judgements::RequestKind;
use crate::files::{atomic, lock};
use crate::text::hex;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// What every token begins with, so that one that leaked is found.
const PREFIX: &str = "foureyes_";
/// Random bytes of a token.
const BYTES: usize = 32;
/// Digits of the hash that tell a client's tokens apart.
const ID_DIGITS: usize = 8;
/// Largest file of tokens.
const MOST_BYTES: u64 = 8 << 20;
/// Longest wait for another process that changes the file.
const PATIENCE: Duration = Duration::from_secs(10);

/// What a token allows, and to whom.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Token {
    /// The client. It may have several tokens, as while one is replaced.
    pub client: String,
    /// BLAKE3 of the token, in hexadecimal digits.
    pub hash: String,
    /// Which judgements it may ask for.
    pub kinds: Vec<RequestKind>,
    /// Families of models by which the client's authors write: none of their judges counts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub families: Vec<String>,
    /// Most contents that are judged for the client per UTC day; not bounded where it is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_day: Option<u64>,
    /// When it ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>", extend("format" = "date-time"))]
    pub expires: Option<Timestamp>,
}

/// The file of all tokens.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default, rename = "token")]
    tokens: Vec<Token>,
}

impl Token {
    /// The beginning of its hash, which tells a client's tokens apart.
    pub fn id(&self) -> &str {
        self.hash.get(..ID_DIGITS).unwrap_or(&self.hash)
    }

    /// Whether its time is over.
    pub fn is_expired(&self, now: Timestamp) -> bool {
        self.expires.is_some_and(|end| end.0 <= now.0)
    }
}

/// The tokens of a file, as they were when it last changed.
#[derive(Debug)]
pub struct Tokens {
    path: PathBuf,
    read: Mutex<Read>,
}

#[derive(Debug)]
struct Read {
    stamp: Option<Stamp>,
    tokens: Result<Vec<Token>, String>,
}

/// What changes with the file.
type Stamp = (SystemTime, u64, u64);

impl Tokens {
    /// The tokens of a file, which need not be there yet.
    pub fn at(path: PathBuf) -> Self {
        let tokens = Ok(Vec::new());
        Self { path, read: Mutex::new(Read { stamp: None, tokens }) }
    }

    /// The token that a client sent, where it is one. The file is read again where it changed.
    ///
    /// All hashes are compared, each in constant time: how long that takes tells nothing of any.
    ///
    /// # Errors
    /// The file cannot be used: then nobody is let in, since a token may have been taken out of it.
    pub fn find(&self, sent: &str) -> Result<Option<Token>, String> {
        let hash = blake3::hash(sent.as_bytes());
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let stamp = stamp(&self.path);
        if stamp.is_none() || stamp != read.stamp {
            // Where it changes while it is read, it is read once more for the next request.
            *read = Read { stamp, tokens: all(&self.path).map_err(|e| crate::domain::chain(&e)) };
        }
        let tokens = read.tokens.as_ref().map_err(Clone::clone)?;
        let mut found = None;
        for token in tokens {
            let known = blake3::Hash::from_hex(&token.hash);
            if known.is_ok_and(|known| known == hash) {
                found = Some(token.clone());
            }
        }
        Ok(found)
    }

    /// Why the file cannot be used, where it cannot.
    pub fn problem(&self) -> Option<String> {
        self.find("").err()
    }
}

fn stamp(path: &Path) -> Option<Stamp> {
    let meta = std::fs::metadata(path).ok()?;
    #[cfg(unix)]
    let inode = std::os::unix::fs::MetadataExt::ino(&meta);
    #[cfg(not(unix))]
    let inode = 0;
    Some((meta.modified().ok()?, meta.len(), inode))
}

/// All tokens of a file; none of one that is not there.
///
/// # Errors
/// A file that cannot be read, or that is wrong.
pub fn all(path: &Path) -> Result<Vec<Token>, Error> {
    let failed = |source| Error::Tokens { path: path.to_owned(), source };
    let wrong = |what: String| failed(io::Error::new(io::ErrorKind::InvalidData, what));
    match std::fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(failed(error)),
        Ok(meta) if !meta.is_file() || meta.len() > MOST_BYTES => {
            return Err(wrong("it is not a file of tokens".to_owned()));
        }
        Ok(_) => {}
    }
    let text = std::fs::read_to_string(path).map_err(failed)?;
    let file: File = toml::from_str(&text).map_err(|error| wrong(error.message().to_owned()))?;
    match file.tokens.iter().find(|token| blake3::Hash::from_hex(&token.hash).is_err()) {
        Some(token) => Err(wrong(format!("the hash of a token of {} is none", token.client))),
        None => Ok(file.tokens),
    }
}

/// Adds a token to a file, and gives it: it is nowhere else.
///
/// # Errors
/// A system without random numbers, and a file that cannot be changed.
pub fn add(path: &Path, token: Token) -> Result<String, Error> {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes).map_err(|error| Error::Tokens {
        path: path.to_owned(),
        source: io::Error::other(error.to_string()),
    })?;
    let secret = format!("{PREFIX}{}", hex::encode(&bytes));
    let hash = blake3::hash(secret.as_bytes()).to_hex().to_string();
    change(path, |tokens| tokens.push(Token { hash, ..token }))?;
    Ok(secret)
}

/// Takes the tokens of a client out of a file, or the one with this id. Gives those that were taken out.
///
/// # Errors
/// A file that cannot be changed.
pub fn remove(path: &Path, client: &str, id: Option<&str>) -> Result<Vec<Token>, Error> {
    let mut removed = Vec::new();
    change(path, |tokens| {
        let is_meant = |t: &Token| t.client == client && id.is_none_or(|id| t.id() == id);
        removed = tokens.iter().filter(|t| is_meant(t)).cloned().collect();
        tokens.retain(|t| !is_meant(t));
    })?;
    Ok(removed)
}

fn change(path: &Path, change: impl FnOnce(&mut Vec<Token>)) -> Result<(), Error> {
    let failed = |source| Error::Tokens { path: path.to_owned(), source };
    let dir = atomic::dir_of(path);
    atomic::private_dir(dir).map_err(failed)?;
    let _alone = lock::in_directory(dir, Instant::now() + PATIENCE).map_err(failed)?;
    let mut tokens = all(path)?;
    change(&mut tokens);
    let text = toml::to_string(&File { tokens });
    let text = text.map_err(|error| failed(io::Error::other(error)))?;
    atomic::write(path, text.as_bytes()).map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(client: &str) -> Token {
        Token {
            client: client.to_owned(),
            hash: String::new(),
            kinds: vec![RequestKind::Push],
            families: Vec::new(),
            per_day: None,
            expires: Some(Timestamp(1_000_000)),
        }
    }

    #[test]
    fn file_has_no_token_and_changes_count_at_once() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("service/tokens.toml");
        let tokens = Tokens::at(path.clone());
        assert_eq!(tokens.find("x"), Ok(None));
        let (first, second) = (add(&path, token("a")).unwrap(), add(&path, token("a")).unwrap());
        assert_ne!(first, second);
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(!text.contains(&first["foureyes_".len()..]), "{text}");
        let found = tokens.find(&first).unwrap().unwrap();
        assert_eq!((found.client.as_str(), found.expires), ("a", Some(Timestamp(1_000_000))));
        assert!(found.is_expired(Timestamp(1_000_000)) && !found.is_expired(Timestamp(999_999)));
        assert_eq!(tokens.find(&first[..first.len() - 1]), Ok(None));
        assert_eq!(remove(&path, "a", Some(found.id())).unwrap(), [found]);
        assert_eq!(tokens.find(&first), Ok(None));
        assert!(tokens.find(&second).unwrap().is_some());
        assert_eq!(remove(&path, "a", None).unwrap().len(), 1);
        assert_eq!(tokens.find(&second), Ok(None));
    }

    #[test]
    fn nobody_is_let_in_by_a_file_that_cannot_be_read() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("tokens.toml");
        let secret = add(&path, token("a")).unwrap();
        let tokens = Tokens::at(path.clone());
        assert!(tokens.find(&secret).unwrap().is_some());
        std::fs::write(&path, "[[token]]\nclient = \"a\"\n").unwrap();
        assert!(tokens.find(&secret).is_err() && tokens.problem().is_some());
    }
}
