//! Whether a judgement is of the pinned service, and of what was asked.

use crate::engine::judgements::{
    Judgement, JudgementRequest, RelevanceJudgement, RelevanceRequest, SignedJudgement,
    question_sha,
};
use crate::text::hex;
use ring::signature::{ED25519, UnparsedPublicKey};
use serde::de::DeserializeOwned;
use std::collections::BTreeSet;

/// Bytes of a public key.
const KEY_BYTES: usize = 32;
/// Keys that may be pinned: one, and during a rotation another.
const MOST_KEYS: usize = 2;

/// The pinned public keys of a service.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ServiceKeys(Vec<[u8; KEY_BYTES]>);

/// Why a judgement does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unverified {
    /// The answer has another form.
    #[error("the answer is not a signed judgement")]
    Unsigned,
    /// The signature is of none of the pinned keys.
    #[error("its signature is not by a key of `service_key`")]
    Signature,
    /// What is signed cannot be read.
    #[error("what is signed is not a judgement")]
    Unreadable,
    /// It answers another request.
    #[error("it answers another request (nonce)")]
    Nonce,
    /// It was made for somebody else.
    #[error("it was made for another client than `service_client`")]
    Client,
    /// It is about something else.
    #[error("it is about other content or another question")]
    Question,
    /// It keeps what was not sent, or too much.
    #[error("it keeps memories that are not in the list, or too many of it")]
    Choice,
}

impl ServiceKeys {
    /// One or two public keys in hexadecimal digits; `None` of any others.
    pub fn pinned(keys: &[String]) -> Option<Self> {
        (1..=MOST_KEYS).contains(&keys.len()).then(|| Self::all(keys)).flatten()
    }

    /// Any number of keys.
    pub fn all(keys: &[String]) -> Option<Self> {
        let key = |text: &String| <[u8; KEY_BYTES]>::try_from(hex::decode(text)?).ok();
        keys.iter().map(key).collect::<Option<_>>().map(Self)
    }

    /// Whether one of the keys signed this.
    pub fn have_signed(&self, message: &[u8], signature: &str) -> bool {
        let Some(signature) = hex::decode(signature) else { return false };
        let by = |key: &[u8; KEY_BYTES]| {
            UnparsedPublicKey::new(&ED25519, key).verify(message, &signature).is_ok()
        };
        self.0.iter().any(by)
    }

    /// The judgement, where its signature is by one of the keys and it answers this request.
    ///
    /// # Errors
    /// Why it does not count.
    pub fn verified(
        &self,
        signed: &SignedJudgement,
        request: &JudgementRequest,
        content_sha: &str,
    ) -> Result<Judgement, Unverified> {
        let judgement: Judgement = self.read(signed)?;
        if judgement.nonce != request.nonce {
            return Err(Unverified::Nonce);
        }
        let asked = question_sha(request.kind, request.tier, content_sha, &request.sections);
        let is_asked = judgement.question_sha == asked && judgement.content_sha == content_sha;
        if !is_asked || (judgement.kind, judgement.tier) != (request.kind, request.tier) {
            return Err(Unverified::Question);
        }
        Ok(judgement)
    }

    /// The same of a judgement about memories, which keeps some of those that were sent.
    ///
    /// # Errors
    /// Why it does not count.
    pub fn chosen(
        &self,
        signed: &SignedJudgement,
        request: &RelevanceRequest,
    ) -> Result<RelevanceJudgement, Unverified> {
        let judgement: RelevanceJudgement = self.read(signed)?;
        if judgement.nonce != request.nonce {
            return Err(Unverified::Nonce);
        }
        if judgement.question_sha != request.question_sha()
            || judgement.content_sha != request.content_sha()
        {
            return Err(Unverified::Question);
        }
        let kept = judgement.choice.kept.as_deref().unwrap_or_default();
        let sent = 0..request.candidates.len();
        let distinct: BTreeSet<&usize> = kept.iter().filter(|n| sent.contains(n)).collect();
        if kept.len() > request.most() || distinct.len() != kept.len() {
            return Err(Unverified::Choice);
        }
        Ok(judgement)
    }

    /// What one of the keys signed.
    fn read<T: DeserializeOwned>(&self, signed: &SignedJudgement) -> Result<T, Unverified> {
        let message = SignedJudgement::signed_bytes(&signed.judgement);
        if !self.have_signed(&message, &signed.signature) {
            return Err(Unverified::Signature);
        }
        serde_json::from_str(&signed.judgement).map_err(|_| Unverified::Unreadable)
    }
}
