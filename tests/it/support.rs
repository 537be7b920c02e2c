//! What several topics need.
