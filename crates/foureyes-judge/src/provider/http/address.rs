//! Where an endpoint is, and whether it may be spoken to.

use super::Error;
use hyper_util::client::proxy::matcher::Matcher;
use reqwest::Url;
use std::net::IpAddr;

/// Where questions go below a base; an address may be given with it.
const RESOURCES: [&str; 2] = ["/chat/completions", "/messages"];

/// A checked base address: scheme, host and the path before one of [`RESOURCES`].
#[derive(Debug, Clone)]
pub(super) struct Address {
    base: Url,
    loopback: bool,
}

impl Address {
    /// Takes an address as a person writes it, with or without `/v1`.
    pub(super) fn parse(text: &str, plain_http: bool) -> Result<Self, Error> {
        let mut address = Self::exact(text, plain_http)?;
        address.base.set_path(&path(address.base.path()));
        Ok(address)
    }

    /// Takes an address whose path is whole.
    pub(super) fn exact(text: &str, plain_http: bool) -> Result<Self, Error> {
        let wrong = |what: &str| Error::Address { what: what.to_owned() };
        let base: Url = text.trim().parse().map_err(|_| wrong("it is not a web address"))?;
        if !matches!(base.scheme(), "http" | "https") {
            return Err(wrong("it must begin with http:// or https://"));
        }
        if !base.username().is_empty() || base.password().is_some() {
            return Err(wrong("it must not contain a user or a password"));
        }
        if base.query().is_some() || base.fragment().is_some() {
            return Err(wrong("it must not have a part after `?` or `#`"));
        }
        let host = base.host_str().ok_or_else(|| wrong("it names no host"))?.to_owned();
        let loopback = is_loopback(&host);
        if base.scheme() == "http" && !loopback && !plain_http {
            return Err(Error::PlainHttp { host });
        }
        Ok(Self { base, loopback })
    }

    /// The address of a resource below the base, which may end in a query.
    pub(super) fn join(&self, resource: &str) -> Url {
        let (path, query) =
            resource.split_once('?').map_or((resource, None), |(p, q)| (p, Some(q)));
        let mut url = self.base.clone();
        url.set_path(&format!("{}/{path}", self.base.path().trim_end_matches('/')));
        url.set_query(query);
        url
    }

    /// It as it is.
    pub(super) fn url(&self) -> Url {
        self.base.clone()
    }

    /// All of it. It holds no secret: an address with a user, a password or a query is refused.
    pub(super) fn base(&self) -> String {
        self.base.to_string()
    }

    /// Whether it is this machine: then no proxy stands between, and no name is looked up.
    pub(super) fn is_loopback(&self) -> bool {
        self.loopback
    }

    pub(super) fn is_plain(&self) -> bool {
        self.base.scheme() == "http"
    }

    /// Scheme, host and port of the proxy that the environment or the system sets for it.
    pub(super) fn proxy(&self) -> Option<String> {
        if self.loopback || self.is_plain() {
            return None;
        }
        let set = Matcher::from_system().intercept(&self.base.as_str().parse().ok()?)?;
        Some(origin(&set.uri().to_string().parse().ok()?))
    }

    /// Scheme, host and port, for messages.
    pub(super) fn origin(&self) -> String {
        origin(&self.base)
    }

    /// Where a redirect leads: its scheme, host and port. The rest may hold secrets.
    pub(super) fn target(&self, location: &str) -> Option<String> {
        Some(origin(&self.base.join(location).ok()?))
    }
}

/// The host in an address is in ASCII, whatever was written.
fn origin(url: &Url) -> String {
    let port = url.port().map_or_else(String::new, |port| format!(":{port}"));
    format!("{}://{}{port}", url.scheme(), url.host_str().unwrap_or_default())
}

/// The path below which the resources are: it has a version in it, else `v1` comes at its end.
fn path(given: &str) -> String {
    let given = given.trim_end_matches('/');
    let given = RESOURCES.iter().find_map(|end| given.strip_suffix(end)).unwrap_or(given);
    let version = |part: &str| {
        part.strip_prefix('v').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    match given.split('/').any(version) {
        true => given.to_owned(),
        false => format!("{given}/v1"),
    }
}

fn is_loopback(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || bare.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::{Address, Error};

    fn url(text: &str) -> String {
        Address::parse(text, false).unwrap().join("chat/completions").to_string()
    }

    #[test]
    fn the_version_may_be_left_out() {
        for (given, asked) in [
            ("http://127.0.0.1:3456", "http://127.0.0.1:3456/v1/chat/completions"),
            ("http://localhost:3456/v1/", "http://localhost:3456/v1/chat/completions"),
            (" https://a.example/api ", "https://a.example/api/v1/chat/completions"),
            ("https://a.example/api/paas/v4", "https://a.example/api/paas/v4/chat/completions"),
            (
                "https://a.example/v1beta/openai/",
                "https://a.example/v1beta/openai/chat/completions",
            ),
            ("https://a.example/v1/chat/completions", "https://a.example/v1/chat/completions"),
            ("https://a.example/v1/messages", "https://a.example/v1/chat/completions"),
            ("http://[::1]:9", "http://[::1]:9/v1/chat/completions"),
        ] {
            assert_eq!(url(given), asked, "{given}");
        }
    }

    #[test]
    fn plain_http_reaches_this_machine_only() {
        let refused =
            |text: &str| matches!(Address::parse(text, false), Err(Error::PlainHttp { .. }));
        for host in [
            "http://models.example",
            "http://10.0.0.1",
            "http://0.0.0.0:80",
            "http://localhost.example",
            "http://127.0.0.1.example",
            "http://[::ffff:10.0.0.1]",
        ] {
            assert!(refused(host), "{host}");
            assert!(Address::parse(host, true).is_ok(), "{host}");
        }
        assert!(!refused("http://127.8.9.1:80") && !refused("https://models.example"));
        // Ways of writing an address that the parser makes one of.
        assert!(Address::parse("http://2130706433:80", false).unwrap().is_loopback());
    }

    #[test]
    fn an_address_with_more_in_it_is_refused_and_not_repeated() {
        for text in [
            "ftp://a.example",
            "https://u:secret@a.example",
            "https://a.example?key=secret",
            "",
            "a b",
        ] {
            let error = Address::parse(text, true).unwrap_err();
            assert!(!format!("{error} {error:?}").contains("secret"), "{error:?}");
        }
    }

    #[test]
    fn redirect_error_shows_location_only() {
        let address = Address::parse("https://a.example", false).unwrap();
        assert_eq!(address.target("/login?key=x").as_deref(), Some("https://a.example"));
        assert_eq!(
            address.target("http://B.example:8080/x").as_deref(),
            Some("http://b.example:8080")
        );
        assert_eq!(address.target("http://"), None);
    }
}
