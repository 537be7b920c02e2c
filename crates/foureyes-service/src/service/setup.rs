//! What the configuration comes to, and what of it is read again on SIGHUP.

use super::judges::Judges;
use super::signing::check_private;
use super::{Error, SigningKey};
use crate::config::{Config, ServeConfig};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// How long keys and versions of judges may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// What a service works with.
#[derive(Debug)]
pub struct Setup {
    pub(super) settings: ServeConfig,
    pub(super) address: SocketAddr,
    pub(super) log: PathBuf,
    pub(super) tokens: PathBuf,
    pub(super) signer: Arc<SigningKey>,
    pub(super) judges: Judges,
    pub(super) tls: Option<Arc<rustls::ServerConfig>>,
}

impl Setup {
    /// What a configuration comes to. `refused` is where it is kept what models refused.
    ///
    /// # Errors
    /// Whatever of it cannot be used.
    pub async fn new(
        config: &Config,
        home: Option<&Path>,
        refused: Option<&Path>,
    ) -> Result<Self, Error> {
        let settings = config.serve.clone();
        let plain = || Error::Plain { address: settings.address.clone() };
        let address: SocketAddr = settings.address.parse().map_err(|_| plain())?;
        let tls = tls(&settings)?;
        if tls.is_none() && !address.ip().is_loopback() {
            return Err(plain());
        }
        let signing = settings.signing_key_file(home).ok_or(Error::Home("the signing key"))?;
        Ok(Self {
            address,
            tls,
            log: settings.log_dir(home).ok_or(Error::Home("the log"))?,
            tokens: settings.tokens_file(home).ok_or(Error::Home("the tokens"))?,
            signer: Arc::new(SigningKey::read(&signing)?),
            judges: Judges::new(config, refused, Instant::now() + PATIENCE).await?,
            settings,
        })
    }

    /// The public key of the judgements, in hexadecimal digits.
    pub fn public_key(&self) -> &str {
        self.signer.public()
    }

    /// All public keys whose signatures in the log count.
    pub(super) fn trusted(&self) -> Vec<String> {
        let own = [self.signer.public().to_owned()];
        own.into_iter().chain(self.settings.earlier_keys.iter().cloned()).collect()
    }
}

fn tls(settings: &ServeConfig) -> Result<Option<Arc<rustls::ServerConfig>>, Error> {
    let (chain, key) = match (&settings.certificate, &settings.certificate_key) {
        (None, None) => return Ok(None),
        (Some(chain), Some(key)) => (chain, key),
        (Some(one), None) | (None, Some(one)) => {
            let what = "`certificate` and `certificate_key` belong together";
            return Err(unusable(one)(io::Error::new(io::ErrorKind::InvalidInput, what)));
        }
    };
    let pem = |error: rustls::pki_types::pem::Error| io::Error::other(error.to_string());
    let certificates = CertificateDer::pem_file_iter(chain)
        .and_then(|all| all.collect::<Result<Vec<_>, _>>())
        .map_err(|error| unusable(chain)(pem(error)))?;
    let checked = std::fs::metadata(key).and_then(|meta| check_private(&meta));
    checked.map_err(unusable(key))?;
    let private = PrivateKeyDer::from_pem_file(key).map_err(|error| unusable(key)(pem(error)))?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map(|builder| builder.with_no_client_auth().with_single_cert(certificates, private))
        .and_then(|config| config)
        .map_err(|error| unusable(chain)(io::Error::other(error)))?;
    Ok(Some(Arc::new(config)))
}

fn unusable(path: &Path) -> impl FnOnce(io::Error) -> Error {
    let path = path.to_owned();
    |source| Error::Certificate { path, source }
}
