//! Asking over HTTP, against a server in this process.
