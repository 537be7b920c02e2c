//! What the numbers say about the judge.
