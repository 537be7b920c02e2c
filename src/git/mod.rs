//! Commits and blobs, through the git program.
