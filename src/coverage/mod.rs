//! Agent commits pushed against agent commits judged.
