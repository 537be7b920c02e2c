//! From the boxes into the mirror.
