//! Marks of what was seen, and processes side by side.
