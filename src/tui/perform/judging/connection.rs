//! The way to whoever is asked: straight, or through a box's own session.

use super::super::services::Services;
use crate::config::{Place, Remote};
use crate::provider::Provider;
use crate::source::ssh::Link;
use crate::tui::model::Problem;
use std::path::PathBuf;
use std::sync::Arc;

/// Whoever is asked, and what keeps the way to them open.
pub(super) struct Connection {
    pub(super) provider: Provider,
    /// The connection of the box: the way ends with it.
    pub(super) link: Option<Link>,
}

/// Opens the way that is configured.
pub(super) async fn open(services: &Arc<Services>) -> Result<Connection, Problem> {
    let judge = &services.config.judge;
    let link = match judge.via.as_deref().filter(|_| judge.script.is_none()) {
        Some(name) => Some(connect(services, name).await?),
        None => None,
    };
    let socket = match &link {
        Some(link) => Some(forward(link, judge.address()).await?),
        None => None,
    };
    let make = Arc::clone(&services.endpoint.make);
    // A command that prints the key takes its time.
    let made = tokio::task::spawn_blocking(move || make(socket)).await;
    let provider = made.map_err(|_| Problem::new("the endpoint could not be set up", ""))??;
    Ok(Connection { provider, link })
}

async fn forward(link: &Link, endpoint: &str) -> Result<PathBuf, Problem> {
    let port = port_of(endpoint).ok_or_else(|| {
        let next =
            "with `via`, the endpoint must be a loopback address of the box: http://127.0.0.1:PORT";
        Problem::new("the endpoint is not a loopback address with a port", next)
    })?;
    let next = "check that its sshd allows forwarding (`AllowTcpForwarding`)";
    link.forward(port).await.map_err(|error| Problem::from_error(&error, next))
}

/// The port of an address of the loopback.
fn port_of(endpoint: &str) -> Option<u16> {
    let rest = endpoint.strip_prefix("http://")?;
    let host = rest.split('/').next()?;
    let (name, port) = host.rsplit_once(':')?;
    matches!(name, "127.0.0.1" | "localhost" | "[::1]").then(|| port.parse().ok())?
}

/// Connects to a box.
pub(super) async fn connect(services: &Services, name: &str) -> Result<Link, Problem> {
    let remote = remote(services, name).ok_or_else(|| {
        let next = "name a box of the configuration that is reached over SSH";
        Problem::new(format!("there is no such box: {name:?}"), next)
    })?;
    let pull = &services.config.pull;
    let opened =
        Link::open(&remote, services.data.cache(), pull.connect_timeout, pull.idle_timeout);
    let next = format!("`foureyes doctor` says what is wrong with {name}");
    opened.await.map_err(|error| Problem::from_error(&error, &next))
}

fn remote(services: &Services, name: &str) -> Option<Remote> {
    services.config.boxes.iter().find(|b| b.name == name).and_then(|b| match &b.place {
        Place::Ssh(remote) => Some(remote.clone()),
        Place::Local => None,
    })
}

#[cfg(test)]
mod tests {
    use super::port_of;

    #[test]
    fn only_a_port_of_a_loopback_is_forwarded_to() {
        assert_eq!(port_of("http://127.0.0.1:3456"), Some(3456));
        assert_eq!(port_of("http://localhost:3456/v1"), Some(3456));
        for wrong in ["http://127.0.0.1", "https://127.0.0.1:3456", "http://10.0.0.1:80", ""] {
            assert_eq!(port_of(wrong), None, "{wrong}");
        }
    }
}
