//! One content judged, end to end.
