//! A file of a box, read over its session: the prompt that its judge is asked with.

use super::ssh::{Error, Link};
use std::io;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// Largest file that is read, in bytes.
pub const MOST: usize = 64 << 10;

/// The one command that a box is given for it. The path comes on standard input, so that nothing of
/// it is read by a shell; a leading `~/` is the home there.
const COMMAND: &str = "exec sh -c 'IFS= read -r p || exit 1; case $p in \"~/\"*) \
                       p=$HOME/${p#\"~/\"};; esac; exec head -c 65537 <\"$p\"'";

/// A file of a box could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The connection.
    #[error("the box cannot be asked for {path:?}")]
    Connection {
        /// The path there.
        path: String,
        /// Why.
        #[source]
        source: Error,
    },
    /// Talking to the box.
    #[error("the box was cut off while it sent {path:?}")]
    Talk {
        /// The path there.
        path: String,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The box has it not, or may not read it.
    #[error("the box does not send {path:?}: {said}")]
    Refused {
        /// The path there.
        path: String,
        /// What the box said, hostile text.
        said: String,
    },
    /// It is more than is read.
    #[error("{path:?} has more than {MOST} bytes")]
    TooLong {
        /// The path there.
        path: String,
    },
}

/// Reads a file of a box, of [`MOST`] bytes at the most.
///
/// # Errors
/// A box that does not answer, or a file that is not there, empty or too long.
pub async fn read(link: &Link, path: &str) -> Result<Vec<u8>, ReadError> {
    let at = || path.to_owned();
    if path.contains(['\n', '\0']) {
        let said = "the path cannot be said".to_owned();
        return Err(ReadError::Refused { path: at(), said });
    }
    let ran = link.run(COMMAND).await;
    let (running, mut output, mut input) =
        ran.map_err(|source| ReadError::Connection { path: at(), source })?;
    // Where the box closed already, its complaint says why.
    let _ = input.write_all(format!("{path}\n").as_bytes()).await;
    drop(input);
    let mut bytes = Vec::new();
    let most = MOST as u64 + 1;
    let read = (&mut output).take(most).read_to_end(&mut bytes).await;
    drop(output);
    read.map_err(|source| ReadError::Talk { path: at(), source })?;
    if bytes.len() > MOST {
        return Err(ReadError::TooLong { path: at() });
    }
    if bytes.is_empty() {
        let said = running.complaint().await.trim().to_owned();
        let said = if said.is_empty() { "it is empty".to_owned() } else { said };
        return Err(ReadError::Refused { path: at(), said });
    }
    Ok(bytes)
}
