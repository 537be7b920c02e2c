//! What happened: the archive of records to one document.
