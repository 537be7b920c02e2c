//! The ids of many records at once.
//!
//! An id is the BLAKE3 of a canonical form. Forms are short, and one after the other they leave most of a
//! processor's vector unit unused. Here those of as many blocks are hashed side by side, up to the last
//! block, which is seldom whole.

use super::Draft;
use crate::domain::RecordId;
use blake3::IncrementCounter;
use blake3::platform::Platform;

/// Bytes of a block of BLAKE3.
const BLOCK: usize = 64;
/// Blocks of a chunk; a longer form is a tree of chunks.
const CHUNK: usize = 16;
/// Flags of the first and the last block of a chunk, and of the last one of all.
const START: u8 = 1;
const END: u8 = 2;
const ROOT: u8 = 8;
/// What BLAKE3 begins with.
const BEGIN: [u32; 8] = [
    0x6A09_E667,
    0xBB67_AE85,
    0x3C6E_F372,
    0xA54F_F53A,
    0x510E_527F,
    0x9B05_688C,
    0x1F83_D9AB,
    0x5BE0_CD19,
];
/// So many forms are kept until they are hashed: enough for some of each length, and few enough for the
/// nearest memory.
const MANY: usize = 256;

/// Canonical forms of records, or other short bytes, whose hashes are still to be made.
#[derive(Debug, Default)]
pub struct Forms {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Forms {
    /// Takes the form of a record; tells whether it is time for the ids.
    pub fn push(&mut self, draft: &Draft<'_>) -> bool {
        self.add(&[draft.form])
    }

    /// Takes bytes in parts; tells whether it is time for the hashes.
    pub fn add(&mut self, parts: &[&[u8]]) -> bool {
        parts.iter().for_each(|part| self.bytes.extend_from_slice(part));
        self.ends.push(self.bytes.len());
        self.ends.len() >= MANY
    }

    /// The hashes in the order of the forms, which are given up.
    pub fn ids(&mut self) -> Vec<RecordId> {
        let mut from = 0;
        let cut = |end: &usize| self.bytes.get(std::mem::replace(&mut from, *end)..*end);
        let forms: Vec<&[u8]> = self.ends.iter().filter_map(cut).collect();
        let ids = hashes(&forms);
        self.bytes.clear();
        self.ends.clear();
        ids
    }
}

fn hashes(forms: &[&[u8]]) -> Vec<RecordId> {
    let platform = Platform::detect();
    let mut ids = vec![RecordId([0; 32]); forms.len()];
    // By the number of blocks before the last one.
    let mut of_length: [Vec<usize>; CHUNK] = Default::default();
    for (at, form) in forms.iter().enumerate() {
        match of_length.get_mut(form.len().div_ceil(BLOCK).wrapping_sub(1)) {
            Some(same) => same.push(at),
            None => ids[at] = RecordId(*blake3::hash(form).as_bytes()),
        }
    }
    for (blocks, same) in of_length.iter().enumerate() {
        let chosen: Vec<&[u8]> = same.iter().map(|at| forms[*at]).collect();
        let begun = begin(platform, blocks, &chosen);
        for ((at, form), begun) in same.iter().zip(chosen).zip(begun) {
            ids[*at] = end(platform, begun, form, blocks);
        }
    }
    ids
}

/// The state behind the first blocks of each form.
fn begin(platform: Platform, blocks: usize, forms: &[&[u8]]) -> Vec<[u32; 8]> {
    macro_rules! of_blocks {
        ($($blocks:literal)*) => {
            match blocks {
                $($blocks => side_by_side::<{ $blocks * BLOCK }>(platform, forms),)*
                _ => vec![BEGIN; forms.len()],
            }
        };
    }
    of_blocks!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
}

fn side_by_side<const BYTES: usize>(platform: Platform, forms: &[&[u8]]) -> Vec<[u32; 8]> {
    let inputs: Vec<&[u8; BYTES]> = forms.iter().filter_map(|form| form.first_chunk()).collect();
    let mut out = vec![0; inputs.len() * 32];
    platform.hash_many(&inputs, &BEGIN, 0, IncrementCounter::No, 0, START, 0, &mut out);
    let (words, _) = out.as_chunks::<4>();
    let (states, _) = words.as_chunks::<8>();
    states.iter().map(|words| words.map(u32::from_le_bytes)).collect()
}

/// Takes in the last block of a form, behind so many.
fn end(platform: Platform, mut state: [u32; 8], form: &[u8], blocks: usize) -> RecordId {
    let last = form.get(blocks * BLOCK..).unwrap_or_default();
    let mut block = [0; BLOCK];
    block[..last.len()].copy_from_slice(last);
    let flags = END | ROOT | if blocks == 0 { START } else { 0 };
    platform.compress_in_place(&mut state, &block, last.len() as u8, 0, flags);
    let mut id = [0; 32];
    let (words, _) = id.as_chunks_mut::<4>();
    words.iter_mut().zip(state).for_each(|(bytes, word)| *bytes = word.to_le_bytes());
    RecordId(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_made_at_once_are_blake3_of_each_form_alone() {
        let bytes: Vec<u8> = (0..40_000_u32).map(|n| (n * 7 % 251) as u8).collect();
        // Every length up to two chunks, and some often enough to be side by side.
        let lengths = (0..2100).chain([64, 65, 500, 700].into_iter().cycle().take(300));
        let mut forms = Forms::default();
        let mut expected = Vec::new();
        for (n, length) in lengths.enumerate() {
            let form = &bytes[n..n + length];
            forms.add(&[form]);
            expected.push(RecordId(*blake3::hash(form).as_bytes()));
        }
        assert!(forms.ids() == expected);
        assert!(forms.ids().is_empty());
    }
}
