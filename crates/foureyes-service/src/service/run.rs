//! The service from its start to its end.

use super::admission::Account;
use super::log::Log;
use super::server::{Server, now};
use super::setup::Setup;
use super::token::Tokens;
use super::{Error, SigningKey, connection, work};
use crate::provider::service::ServiceKeys;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::timeout;

/// What a person should know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Note {
    /// It listens.
    Listening {
        /// Where.
        address: SocketAddr,
        /// Whether over TLS.
        tls: bool,
        /// The public key that clients pin.
        key: String,
    },
    /// Tasks are not judged: why.
    NoTasks(String),
    /// Memories are not judged: why.
    NoMemories(String),
    /// Lines of the log that a crash left behind, and breaks of its chain.
    Damaged {
        /// Lines without an end or a form.
        torn: u64,
        /// Lines that do not name the line before them.
        broken: u64,
    },
    /// Calls of the newest day in the account that have no line in the log: a kill came first, or somebody took the
    /// lines away.
    Unlogged(u64),
    /// The configuration was read again.
    Reloaded,
    /// It was not: why. What held before holds on.
    NotReloaded(String),
    /// It ends: contents that are judged, and such as are sent away.
    Ending {
        /// Contents that are judged.
        running: usize,
        /// Contents that wait, and are sent away.
        waiting: usize,
    },
    /// What was judged did not end in time.
    CutOff,
}

/// Serves until a signal asks to end. `reload` reads the configuration again.
///
/// # Errors
/// Whatever keeps it from starting.
pub async fn serve<F>(
    setup: Setup,
    reload: impl Fn() -> F,
    notify: impl Fn(Note),
) -> Result<(), Error>
where
    F: Future<Output = Result<Setup, String>>,
{
    // From here on no signal ends the process by itself.
    let stream = |kind| signal(kind).map_err(Error::Start);
    let (mut terminate, mut interrupt, mut hangup) = (
        stream(SignalKind::terminate())?,
        stream(SignalKind::interrupt())?,
        stream(SignalKind::hangup())?,
    );
    let setup = Arc::new(setup);
    let signer = Arc::new(Mutex::new(Arc::clone(&setup.signer)));
    let days = setup.settings.index_days;
    let log = Log::open(&setup.log, days, Arc::clone(&signer), trusted(&setup), now)?;
    let failed = |source| Error::Log { path: setup.log.clone(), source };
    let account = Account::open(&setup.log, now, |id| log.has(id)).map_err(failed)?;
    let failed = |source| Error::Listen { address: setup.address, source };
    let listener = TcpListener::bind(setup.address).await.map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    let tokens = Tokens::at(setup.tokens.clone());
    let server = Arc::new(Server::new(Arc::clone(&setup), tokens, log, account));
    let (end, ending) = watch::channel(false);
    let mut workers = JoinSet::new();
    for _ in 0..setup.settings.workers {
        workers.spawn(work::work(Arc::clone(&server)));
    }
    let taking = tokio::spawn(connection::take_all(listener, Arc::clone(&server), ending));
    started(&server, address, &notify);
    loop {
        tokio::select! {
            _ = terminate.recv() => break,
            _ = interrupt.recv() => break,
            _ = hangup.recv() => match reload().await {
                Ok(setup) => {
                    take(&server, &signer, setup);
                    notify(Note::Reloaded);
                }
                Err(why) => notify(Note::NotReloaded(why)),
            },
        }
    }
    let (waiting, running) = server.flights.counts();
    notify(Note::Ending { running, waiting });
    server.flights.drain();
    end.send_replace(true);
    let ended = async {
        while workers.join_next().await.is_some() {}
        let _ = taking.await;
    };
    if timeout(server.setup().settings.drain, ended).await.is_err() {
        notify(Note::CutOff);
    }
    Ok(())
}

/// Reports what a person should know at the start, and at last that it listens.
fn started(server: &Server, address: SocketAddr, notify: &impl Fn(Note)) {
    let (setup, found, calls) = (server.setup(), server.log.found, server.admission.account.found);
    if calls.unlogged > 0 {
        notify(Note::Unlogged(calls.unlogged));
    }
    if found.torn + found.broken + calls.torn > 0 {
        let torn = found.torn + calls.torn;
        notify(Note::Damaged { torn, broken: found.broken });
    }
    if let Some(why) = setup.judges.no_tasks() {
        notify(Note::NoTasks(why.to_owned()));
    }
    if let Err(why) = setup.judges.memories() {
        notify(Note::NoMemories(why));
    }
    let key = setup.public_key().to_owned();
    notify(Note::Listening { address, tls: setup.tls.is_some(), key });
}

/// Has another setup hold from here on.
fn take(server: &Server, signer: &Mutex<Arc<SigningKey>>, setup: Setup) {
    server.log.trust(trusted(&setup));
    *signer.lock().unwrap_or_else(PoisonError::into_inner) = Arc::clone(&setup.signer);
    server.replace(Arc::new(setup));
}

/// Those that the configuration has were checked when it was read.
fn trusted(setup: &Setup) -> ServiceKeys {
    ServiceKeys::all(&setup.trusted()).unwrap_or_default()
}
