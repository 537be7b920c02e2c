//! What is random in one request: the mark of its delimiters, and its call word.

/// Random bytes of one request, which no content can know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Nonce([u8; Nonce::BYTES]);

impl Nonce {
    /// Bytes of it: 16 of the mark, 8 of the call word.
    pub const BYTES: usize = 24;
    const MARK: usize = 16;

    /// Takes bytes that the caller drew at random.
    pub const fn new(bytes: [u8; Self::BYTES]) -> Self {
        Self(bytes)
    }

    /// The mark of the delimiters: 128 bits in hexadecimal digits.
    pub fn mark(&self) -> String {
        hex(self.0.get(..Self::MARK))
    }

    /// The word that the answer must carry: 64 bits in hexadecimal digits.
    pub fn call(&self) -> String {
        hex(self.0.get(Self::MARK..))
    }
}

fn hex(bytes: Option<&[u8]>) -> String {
    crate::text::hex::encode(bytes.unwrap_or_default())
}
