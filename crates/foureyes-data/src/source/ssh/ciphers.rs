//! Which cipher is asked for first.
//!
//! OpenSSH asks for ChaCha20-Poly1305 first. On processors with instructions for AES, AES-GCM takes a fraction of
//! the time. What may be agreed on stays what it is, and so does the order where a configuration has another than
//! the usual one.

use super::Process;
use std::ffi::OsString;
use std::process::Stdio;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::sync::OnceCell;

/// How long ssh may take to tell its configuration; it takes some milliseconds, and more where it looks up names.
const ANSWER: Duration = Duration::from_secs(1);
/// What the names of ciphers that are fast here end in.
const FAST: &str = "-gcm@openssh.com";

/// The option that has AES-GCM asked for first; `None` where that may be slower, where the user's configuration or
/// the system's has an order of its own, or where ssh does not tell. `arguments` are those of the connection.
pub(super) async fn option(arguments: &[OsString]) -> Option<String> {
    static USUAL: OnceCell<String> = OnceCell::const_new();
    if !has_aes() {
        return None;
    }
    let of_none = ["-F", "/dev/null", "--", "localhost"].map(OsString::from);
    let usual = USUAL.get_or_try_init(async || configured(&of_none).await.ok_or(()));
    let (usual, own) = tokio::join!(usual, configured(arguments));
    let own = own.filter(|own| usual == Ok(own))?;
    Some(format!("Ciphers={}", fast_first(&own)))
}

/// The same ciphers, the fast ones first.
fn fast_first(ciphers: &str) -> String {
    let is_fast = |cipher: &&str| cipher.ends_with(FAST);
    let (fast, rest): (Vec<&str>, Vec<&str>) = ciphers.split(',').partition(is_fast);
    [fast, rest].concat().join(",")
}

/// The ciphers that ssh would ask for, as its configuration has them.
async fn configured(arguments: &[OsString]) -> Option<String> {
    let arguments = [&["-G".into()], arguments].concat();
    let mut ssh = Process::start(&arguments, Stdio::piped(), Stdio::null()).ok()?;
    let mut lines = BufReader::new(ssh.child.stdout.take()?).lines();
    // Not to the end of its output: what a `Match exec` left in the background may hold it open.
    let found = async {
        while let Some(line) = lines.next_line().await.ok()? {
            if let Some(ciphers) = line.strip_prefix("ciphers ") {
                return Some(ciphers.to_owned());
            }
        }
        None
    };
    let found = tokio::time::timeout(ANSWER, found).await;
    ssh.ended = found.is_ok();
    found.ok().flatten()
}

/// Whether this processor has instructions for AES.
fn has_aes() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::arch::is_x86_feature_detected!("aes");
    #[cfg(target_arch = "aarch64")]
    return std::arch::is_aarch64_feature_detected!("aes");
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    return false;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fast_ciphers_come_first_and_none_is_added() {
        let usual = "chacha20-poly1305@openssh.com,aes128-ctr,aes128-gcm@openssh.com,aes256-gcm@openssh.com";
        let first = "aes128-gcm@openssh.com,aes256-gcm@openssh.com,chacha20-poly1305@openssh.com,aes128-ctr";
        assert_eq!(fast_first(usual), first);
        assert_eq!(fast_first("aes128-ctr"), "aes128-ctr");
    }
}
