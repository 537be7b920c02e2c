//! Where logs come from.
