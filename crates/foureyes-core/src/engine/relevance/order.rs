//! The order in which candidates are shown.

/// What the seed is made for: another use of the same text has another order.
const CONTEXT: &str = "foureyes 2026-11 order of candidates";

/// The numbers of so many candidates in the order in which they are shown: shuffled, so that no rank has a
/// place of its own, and the same for the same prompt in every process.
pub fn order(prompt: &str, count: usize) -> Vec<usize> {
    let mut reader =
        blake3::Hasher::new_derive_key(CONTEXT).update(prompt.as_bytes()).finalize_xof();
    let mut order: Vec<usize> = (0..count).collect();
    for last in (1..count).rev() {
        let mut bytes = [0; 8];
        reader.fill(&mut bytes);
        // Of 2^64 values so few fall unevenly that nobody could find out.
        let other = u64::from_le_bytes(bytes) % (last as u64 + 1);
        order.swap(last, other as usize);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn same_prompt_has_the_same_order_in_every_process() {
        // Written down once: a seed that a process draws would give another order here.
        assert_eq!(order("How do we deploy?", 8), ORDER);
        assert_eq!(order("How do we deploy?", 15), order("How do we deploy?", 15));
        assert_ne!(order("How do we deploy?", 15), order("How do we deploy", 15));
        assert_eq!((order("x", 0), order("x", 1)), (vec![], vec![0]));
    }

    const ORDER: [usize; 8] = [3, 0, 1, 5, 2, 4, 7, 6];

    #[test]
    fn every_place_is_as_likely_for_every_rank() {
        let mut counts = [[0_u32; 5]; 5];
        for n in 0..5_000 {
            for (place, rank) in order(&format!("prompt {n}"), 5).into_iter().enumerate() {
                counts[rank][place] += 1;
            }
        }
        assert!(counts.iter().flatten().all(|n| (880..1_120).contains(n)), "{counts:?}");
    }
}
