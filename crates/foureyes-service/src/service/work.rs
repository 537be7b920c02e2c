//! The workers: they ask the judges, one thing at a time each.

use super::admission::AccountCall;
use super::flights::{Ended, Flight};
use super::log::Line;
use super::server::Server;
use crate::domain::chain;
use crate::provider::counted;
use std::sync::Arc;
use tokio::time::Instant;

/// Judges what waits, until the service ends. What is begun is paid for, so it is ended and logged, whoever waits.
pub(super) async fn work(server: Arc<Server>) {
    while let Some(flight) = server.flights.next().await {
        let outcome = match charged(&server, &flight).await {
            Ok(call) => judged(&server, &flight, call).await,
            Err(ended) => Err(ended),
        };
        if !server.flights.end(&flight, outcome) {
            server.metrics.cancelled.add(1);
        }
    }
}

/// Has the call on the disk before it is made.
async fn charged(server: &Server, flight: &Flight) -> Result<AccountCall, Ended> {
    if !server.is_writable().await {
        return Err(Ended::Unwritable);
    }
    let (line, subject) = (&flight.job.line, &flight.job.subject);
    let call = AccountCall::new(line, (subject.model(), subject.bytes()), server.now());
    let written = server.admission.account.charge(&flight.job.reservation, call.clone()).await;
    written.map(|()| call).map_err(|_| Ended::Unwritable)
}

async fn judged(
    server: &Server,
    flight: &Arc<Flight>,
    call: AccountCall,
) -> Result<Arc<Line>, Ended> {
    let (started, until) = (Instant::now(), Instant::now() + flight.job.subject.each());
    // A task of its own: one that panics ends no worker.
    let task = {
        let flight = Arc::clone(flight);
        let calls = flight.calls.clone();
        let evaluated = async move { flight.job.subject.evaluate(until).await };
        tokio::spawn(counted(calls, evaluated))
    };
    let made = task.await.map_err(|_| Ended::Failed)?;
    server.metrics.evaluated(started.elapsed(), made.tokens(), made.cost());
    let line = flight.job.subject.line(&flight.job.line, made, server.now());
    if !line.is_judged() {
        server.admission.account.take_back(call).await;
    }
    let written = server.log.append(line.clone()).await;
    written.map_err(|error| Ended::Unlogged(chain(&error)))?;
    Ok(Arc::new(line))
}
