//! One content judged: question, answer, verdict; and many of them at the same time.
