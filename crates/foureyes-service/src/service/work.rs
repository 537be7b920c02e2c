//! The workers: they ask the judges, one thing at a time each.

use super::flights::{Ended, Flight};
use super::log::Line;
use super::server::Server;
use super::subject::Made;
use crate::provider::counted;
use std::sync::Arc;
use tokio::time::Instant;

/// Judges what waits, until the service ends.
pub(super) async fn work(server: Arc<Server>) {
    while let Some(flight) = server.flights.next().await {
        let (started, until) = (Instant::now(), Instant::now() + flight.job.subject.each());
        let task = {
            let flight = Arc::clone(&flight);
            let calls = flight.calls.clone();
            let evaluated = async move { flight.job.subject.evaluate(until).await };
            tokio::spawn(counted(calls, evaluated))
        };
        let stop = task.abort_handle();
        let evaluated = tokio::select! {
            evaluated = task => evaluated,
            () = flight.cancelled() => {
                stop.abort();
                server.metrics.cancelled.add(1);
                continue;
            }
        };
        // Where the last one goes at this moment, nothing of it stays: it is asked for anew.
        if !server.flights.settle(&flight) {
            continue;
        }
        let outcome = match evaluated {
            Ok(made) => logged(&server, &flight, made, started).await,
            Err(_) => Err(Ended::Failed),
        };
        server.flights.end(&flight, outcome);
    }
}

async fn logged(
    server: &Server,
    flight: &Flight,
    made: Made,
    started: Instant,
) -> Result<Arc<Line>, Ended> {
    server.metrics.evaluated(started.elapsed(), made.tokens(), made.cost());
    let line = flight.job.subject.line(&flight.job.line, made, server.now());
    let written = server.log.append(line.clone()).await;
    written.map_err(|error| Ended::Unlogged(crate::domain::chain(&error)))?;
    Ok(Arc::new(line))
}
