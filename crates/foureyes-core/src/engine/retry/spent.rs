//! Whether a refusal is about money.

/// Codes and phrases that mean it, as several endpoints write them.
const CODES: [&str; 10] = [
    "insufficient_quota",
    "insufficient_balance",
    "insufficient_credits",
    "insufficient_funds",
    "billing_hard_limit_reached",
    "billing_not_active",
    "credit_balance_too_low",
    "payment_required",
    "payment required",
    "requires more credits",
];

/// Words for what an account has, in small letters.
const HAD: [&str; 7] = ["balance", "credit", "fund", "billing", "payment", "quota", "余额"];

/// Words for its being gone.
const GONE: [&str; 14] = [
    "insufficient",
    "not enough",
    "exceeded your current quota",
    "exhausted",
    "too low",
    "used up",
    "run out",
    "ran out",
    "out of credit",
    "depleted",
    "overdue",
    "check your plan",
    "hard limit",
    "不足",
];

/// Words of a limit that passes by itself, or of an endpoint that says so.
const PASSING: [&str; 9] = [
    "per minute",
    "per second",
    "per hour",
    "per_minute",
    "perminute",
    "per-minute",
    "try again in",
    "retry in",
    "resource has been exhausted",
];

/// Whether a refusal says that quota or balance is gone, so that waiting is of no use.
///
/// `body` is what came, whole or its beginning, in any shape. A limit of calls in a time is not
/// meant, also where it calls itself a quota.
pub fn says_spent(body: &str) -> bool {
    let body = body.to_lowercase();
    let any = |words: &[&str]| words.iter().any(|word| body.contains(word));
    any(&CODES) || (any(&HAD) && any(&GONE) && !any(&PASSING))
}
