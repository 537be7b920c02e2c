//! The key that signs judgements.

use super::Error;
use crate::files::atomic;
use crate::text::hex;
use ring::rand::SystemRandom;
use ring::signature::{Ed25519KeyPair, KeyPair};
use std::io;
use std::path::Path;

/// Most bytes of a file with a key.
const MOST_BYTES: u64 = 4096;

/// The key that signs judgements: Ed25519, in a file of mode 0600.
#[derive(Debug)]
pub struct SigningKey {
    pair: Ed25519KeyPair,
    public: String,
}

/// Checks that only its owner can read a file with a private key.
///
/// # Errors
/// Others can.
pub(super) fn check_private(meta: &std::fs::Metadata) -> io::Result<()> {
    #[cfg(unix)]
    if std::os::unix::fs::MetadataExt::mode(meta) & 0o077 != 0 {
        let what = "others may read it: `chmod 600`";
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, what));
    }
    Ok(())
}

impl SigningKey {
    /// Reads the key of a file.
    ///
    /// # Errors
    /// A file that is not there, that others may read, or that has no key.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let failed = |source| Error::SigningKey { path: path.to_owned(), source };
        let other = |what: &str| failed(io::Error::new(io::ErrorKind::InvalidData, what));
        let meta = std::fs::metadata(path).map_err(failed)?;
        if !meta.is_file() || meta.len() > MOST_BYTES {
            return Err(other("it is not a file with a key"));
        }
        check_private(&meta).map_err(failed)?;
        let bytes = std::fs::read(path).map_err(failed)?;
        let pair = Ed25519KeyPair::from_pkcs8(&bytes);
        let pair = pair.map_err(|_| other("it holds no key of Ed25519 (PKCS #8)"))?;
        let public = hex::encode(pair.public_key().as_ref());
        Ok(Self { pair, public })
    }

    /// Makes a key in a file that is not there yet.
    ///
    /// # Errors
    /// A file that is there, or cannot be written; a system without random numbers.
    pub fn create(path: &Path) -> Result<Self, Error> {
        let failed = |source| Error::SigningKey { path: path.to_owned(), source };
        let random = |_| failed(io::Error::other("the system gives no random numbers"));
        let pkcs8 = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).map_err(random)?;
        atomic::private_dir(atomic::dir_of(path)).map_err(failed)?;
        atomic::create(path, pkcs8.as_ref()).map_err(failed)?;
        Self::read(path)
    }

    /// The public key, in hexadecimal digits.
    pub fn public(&self) -> &str {
        &self.public
    }

    /// Signs bytes; the signature in hexadecimal digits.
    pub fn sign(&self, bytes: &[u8]) -> String {
        hex::encode(self.pair.sign(bytes).as_ref())
    }
}
