//! Bytes of logs to records: pure, tolerant, and every line accounted for.
