//! How files begin that hold no text.

use super::reads_as_text;
use std::str::from_utf8;

/// How a kind of file begins, and its words for "it is …".
struct Signature {
    begins: &'static [u8],
    what: &'static str,
}

const fn signature(begins: &'static [u8], what: &'static str) -> Signature {
    Signature { begins, what }
}

/// The table. Of several that fit the first one counts.
const SIGNATURES: [Signature; 52] = [
    // Encrypted.
    signature(b"\0GITCRYPT\0", "encrypted with git-crypt"),
    signature(b"Salted__", "encrypted with OpenSSL"),
    signature(b"age-encryption.org/v1\n", AGE),
    // Compressed, and archives.
    signature(b"\x1f\x8b\x08", "compressed with gzip"),
    signature(b"\x28\xb5\x2f\xfd", "compressed with zstd"),
    signature(b"\xfd7zXZ\0", "compressed with xz"),
    signature(b"BZh11AY&SY", "compressed with bzip2"),
    signature(b"BZh21AY&SY", "compressed with bzip2"),
    signature(b"BZh31AY&SY", "compressed with bzip2"),
    signature(b"BZh41AY&SY", "compressed with bzip2"),
    signature(b"BZh51AY&SY", "compressed with bzip2"),
    signature(b"BZh61AY&SY", "compressed with bzip2"),
    signature(b"BZh71AY&SY", "compressed with bzip2"),
    signature(b"BZh81AY&SY", "compressed with bzip2"),
    signature(b"BZh91AY&SY", "compressed with bzip2"),
    signature(b"\x04\x22\x4d\x18", "compressed with LZ4"),
    signature(b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    signature(b"Rar!\x1a\x07", "a RAR archive"),
    signature(b"PK\x03\x04", ZIP),
    signature(b"PK\x05\x06", ZIP),
    signature(b"PK\x07\x08", ZIP),
    signature(b"!<arch>\n", "an ar archive"),
    // Images, sounds, films and fonts.
    signature(b"\x89PNG\r\n\x1a\n", "a PNG image"),
    signature(b"\xff\xd8\xff", "a JPEG image"),
    signature(b"GIF87a", "a GIF image"),
    signature(b"GIF89a", "a GIF image"),
    signature(b"II*\0", "a TIFF image"),
    signature(b"MM\0*", "a TIFF image"),
    signature(b"\0\0\x01\0", "an icon"),
    signature(b"RIFF", "a RIFF file (WebP, WAV or AVI)"),
    signature(b"OggS\0", "an Ogg file"),
    signature(b"fLaC", "a FLAC file"),
    signature(b"ID3", "an MP3 file"),
    signature(b"wOFF", "a WOFF font"),
    signature(b"wOF2", "a WOFF font"),
    // Documents and data.
    signature(b"%PDF-", PDF),
    signature(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office document"),
    signature(b"SQLite format 3\0", "an SQLite database"),
    signature(b"PAR1", "a Parquet file"),
    signature(b"ARROW1\0\0", "an Arrow file"),
    signature(b"\x89HDF\r\n\x1a\n", "an HDF5 file"),
    signature(b"\x93NUMPY", "a NumPy array"),
    signature(b"\x80\x04\x95", "a Python pickle"),
    // Programs.
    signature(b"\x7fELF", "an ELF program"),
    signature(b"MZ", "a Windows program"),
    signature(b"\xca\xfe\xba\xbe", "a Java class or a Mach-O program"),
    signature(b"\xcf\xfa\xed\xfe", "a Mach-O program"),
    signature(b"\xce\xfa\xed\xfe", "a Mach-O program"),
    signature(b"\0asm", "a WebAssembly module"),
    signature(b"BC\xc0\xde", "LLVM bitcode"),
    signature(b"\x1bLua", "Lua bytecode"),
    signature(b"\xed\xab\xee\xdb", "an RPM package"),
];

const PDF: &str = "a PDF document";
const AGE: &str = "encrypted with age";
const ZIP: &str = "a ZIP archive";
/// What a ZIP archive is that has this among its first names.
const OFFICE: [(&[u8], &str); 4] = [
    (b"word/", "a Word document"),
    (b"xl/", "an Excel document"),
    (b"ppt/", "a PowerPoint document"),
    (b"[Content_Types].xml", "an Office document"),
];
/// Bytes of an archive in which such names are looked for.
const MOST_NAMES: usize = 64 << 10;

/// The kind of file that bytes are by how they begin. What reads as a text after that is one: nothing is kept
/// from a judge by a few bytes before it.
pub(super) fn name(bytes: &[u8]) -> Option<&'static str> {
    let found = SIGNATURES.iter().find(|one| bytes.starts_with(one.begins))?;
    let rest = bytes.get(found.begins.len()..).unwrap_or_default();
    match found.what {
        // One may be written in letters alone.
        PDF if memchr::memmem::find(rest, b"endobj").is_some() => Some(PDF),
        AGE => (!reads_as_text(age_payload(rest)?)).then_some(AGE),
        _ if is_plain(bytes) || reads_as_text(rest) => None,
        ZIP => Some(archive(bytes)),
        what => Some(what),
    }
}

/// Whether bytes are characters that people type, and nothing else.
fn is_plain(bytes: &[u8]) -> bool {
    from_utf8(bytes).is_ok_and(|text| text.chars().all(|c| c.is_whitespace() || !c.is_control()))
}

/// What is behind the header of a file of age; none where there is no such header.
fn age_payload(rest: &[u8]) -> Option<&[u8]> {
    let rest = rest.strip_prefix(b"-> ").map(|_| rest)?;
    let at = memchr::memmem::find(rest, b"\n--- ")?;
    let mac = rest.get(at + 1..)?;
    mac.get(memchr::memchr(b'\n', mac)? + 1..)
}

fn archive(bytes: &[u8]) -> &'static str {
    let names = bytes.get(..MOST_NAMES).unwrap_or(bytes);
    let has = |name: &[u8]| memchr::memmem::find(names, name).is_some();
    OFFICE.iter().find(|(name, _)| has(name)).map_or(ZIP, |(_, what)| what)
}

#[cfg(test)]
pub(super) fn all() -> impl Iterator<Item = (&'static [u8], &'static str)> {
    SIGNATURES.iter().map(|one| (one.begins, one.what))
}
