//! `config`, `completions`, `man` and `doctor` as the operator runs them.
